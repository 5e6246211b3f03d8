//! Breakpoints, watchpoints, logpoints and properties.
//!
//! They refer to names and source lines, not to code: after every change of the program they are
//! resolved again.
//!
//! ```text
//! candidates   which breakpoints are hit at an instruction
//! hits         whether a breakpoint stops here, and what it reports
//! rebind       where breakpoints are after the program has changed
//! resolve      names that users type: variables, cells, lines, functions
//! trap_test    what runs test at breakpoints without pausing
//! watchpoint   which instructions can change or read something
//! watch_expr   expressions that are watched
//! watch_value  the value of something that is watched
//! property     conditions that have to hold after every action
//! ```

pub(crate) mod candidates;
pub mod hits;
pub(crate) mod property;
pub(crate) mod rebind;
pub(crate) mod resolve;
pub(crate) mod trap_test;
pub(crate) mod watch_expr;
pub mod watch_value;
pub(crate) mod watchpoint;

pub use candidates::is_at_watchpoint;
pub use property::{compiles_at, is_at_action_end, property_value, violation, waiting_places};
pub use resolve::{
    breakpoint_names, current_block, current_source, line_location, resolve_cell,
    resolve_watch_target, watchable_name,
};
pub use trap_test::add_condition_test;
pub use watch_expr::{
    check_watched, expression_scope, may_be_about_to_change, resolve_watched_expr,
};
pub use watch_value::{
    is_about_to_read, watch_label, watch_scope, watch_value, watch_value_in_frame,
};

use super::history::timeline::HitKey;
use crate::answer::{Access, HitCondition, PropertyKind, StopReason};
use crate::code::{Channel, Function, FunctionId, FunctionKind, Instr, Program, StopKind};
use crate::source::{Origin, SourceId, Sources};
use property::Property;
use rebind::{Anchor, FormerBindings};
use std::ops::Range;

/// What a breakpoint stops at.
#[derive(Clone, PartialEq, Debug)]
pub enum Location {
    /// A line of a source, by the source's name.
    Line {
        /// The name as displayed, such as `game.gl` or `entry 3`.
        source: String,
        /// The line number, from 1. If the line has no stop point, the next one that has is meant.
        line: u32,
    },
    /// A function, handler or condition by name (`zero.onClick`), or all handlers of an event
    /// (`onClick`).
    Function(String),
    /// A game event, optionally only on one cell.
    Event(GameEvent, Option<(i64, i64)>),
    /// A watchpoint: an access to a variable, field or part of the board.
    Watch(WatchTarget, Access),
    /// A property that is checked after every action.
    Property(Property),
}

/// An event of the game that a breakpoint can stop on (`:break on click`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEvent {
    /// A click is sent to a cell, whether or not its piece handles it.
    Click,
    /// A piece is put on a cell, or a cell of a board value gets another value.
    Place,
    /// A piece is taken off a cell.
    Remove,
    /// A piece turns into one of another kind.
    ChangeType,
    /// The end of one turn and the start of the next.
    EndTurn,
    /// The game is won.
    Win,
    /// The game is lost.
    Lose,
    /// The game ends in a draw.
    Draw,
    /// A line is printed.
    Print,
    /// A text is shown on the board's message line.
    Display,
    /// A random number is drawn.
    Random,
    /// A runtime error occurs. Not caused by a particular instruction, so the breakpoint has no
    /// addresses.
    Error,
}

impl GameEvent {
    /// Every event with the name that users type.
    pub const ALL: [(&'static str, GameEvent); 12] = [
        ("click", GameEvent::Click),
        ("place", GameEvent::Place),
        ("remove", GameEvent::Remove),
        ("changeType", GameEvent::ChangeType),
        ("endTurn", GameEvent::EndTurn),
        ("win", GameEvent::Win),
        ("lose", GameEvent::Lose),
        ("draw", GameEvent::Draw),
        ("print", GameEvent::Print),
        ("display", GameEvent::Display),
        ("rand", GameEvent::Random),
        ("error", GameEvent::Error),
    ];

    /// The name that users type.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, event)| *event == self)
            .map_or("", |(name, _)| name)
    }
}

/// What a watchpoint watches.
#[derive(Clone, PartialEq, Debug)]
pub enum WatchTarget {
    /// A global variable, by name.
    Global(String),
    /// A local variable: the function's name and the variable's.
    Local(String, String),
    /// A field of a record, by its displayed name: `frog.leaps`.
    RecordField(String),
    /// A cell by row and column, numbered as at the board's edges.
    Cell(i64, i64),
    /// A field of the piece on a cell: row, column, field name.
    PieceField(i64, i64, String),
    /// All cells of a row, numbered as at the board's edge.
    Row(i64),
    /// All cells of a column, numbered as at the board's edge.
    Column(i64),
    /// All cells.
    Board,
    /// An expression, such as `l[0]` or `n > 3`.
    Expression(WatchedExpr),
}

/// An expression that is watched.
#[derive(Clone, PartialEq, Debug)]
pub struct WatchedExpr {
    /// As typed.
    pub text: String,
    /// The function whose variables it uses, by name; `None` if it uses none.
    pub function: Option<String>,
    /// Which changes of its value count.
    pub trigger: Trigger,
}

/// Which changes of the value of an expression trigger its watchpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// All.
    Change,
    /// Only those to true.
    BecomesTrue,
}

impl WatchTarget {
    /// Whether it depends on the variables of a call.
    pub(crate) fn uses_locals(&self) -> bool {
        match self {
            WatchTarget::Local(..) => true,
            WatchTarget::Expression(expr) => expr.function.is_some(),
            _ => false,
        }
    }

    /// Whether a change from one value to another triggers a watchpoint.
    pub(crate) fn is_triggered_by(&self, old: Option<&str>, new: Option<&str>) -> bool {
        match self {
            WatchTarget::Expression(expr) => {
                // Languages write `true` or `True`.
                let is_true = new.is_some_and(|new| new.eq_ignore_ascii_case("true"));
                let is_wanted = expr.trigger == Trigger::Change || is_true;
                old.is_some() && new.is_some() && old != new && is_wanted
            }
            _ => old != new,
        }
    }
}

/// A breakpoint, watchpoint or logpoint, with its condition and its counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Breakpoint {
    /// The number shown to the user, counted from 1.
    pub number: u32,
    /// What it stops at.
    pub location: Location,
    /// The location as the user typed it.
    pub text: String,
    /// Stops only if this expression is true.
    pub condition: Option<String>,
    /// Stops only at these hits.
    pub hit_condition: Option<HitCondition>,
    /// A command to run at each stop.
    pub command: Option<String>,
    /// The message of a logpoint: it is printed instead of stopping.
    pub log_message: Option<String>,
    /// Deleted after its first stop (`:tbreak`).
    pub is_temporary: bool,
    /// False after `:disable`: it keeps its number and counts, but never stops.
    pub is_enabled: bool,
    /// Identifies its hits in the history. Those for which the condition was true are counted.
    pub hit_key: HitKey,
    /// The hits to ignore, by number (`:ignore`).
    pub ignored_hits: Range<u64>,
    /// The instructions it is bound to in the current program; empty while it is pending.
    pub addresses: Vec<(FunctionId, u32)>,
    /// For a line breakpoint: how to find the line again in a changed program.
    pub(crate) anchor: Option<Anchor>,
    /// For a line breakpoint: how to return to its line when a redefinition is undone.
    pub(crate) former: FormerBindings,
}

impl Breakpoint {
    /// Whether the hit with this number stops. Hits before counting began have numbers below 1.
    pub fn stops_at_hit(&self, number: i64) -> bool {
        let is_ignored = u64::try_from(number).is_ok_and(|n| self.ignored_hits.contains(&n));
        !is_ignored
            && self
                .hit_condition
                .is_none_or(|condition| condition.includes(number))
    }

    /// Whether the hit with this number stops, if its condition has no value or is true. A logpoint
    /// stops only to report that its condition has no value.
    pub(crate) fn stops_at(&self, number: i64, has_problem: bool) -> bool {
        has_problem || self.log_message.is_none() && self.stops_at_hit(number)
    }

    /// The reason for its stops.
    pub(crate) fn stop_reason(&self) -> StopReason {
        match self.location {
            Location::Watch(..) => StopReason::Watch,
            Location::Event(..) => StopReason::Event,
            Location::Property(_) => StopReason::Property,
            Location::Line { .. } | Location::Function(_) => StopReason::Breakpoint,
        }
    }

    /// Ignores the next `count` hits after this many.
    pub fn ignore_hits(&mut self, hit_count: u64, count: u64) {
        self.ignored_hits = hit_count + 1..(hit_count + 1).saturating_add(count);
    }

    /// How many of the next hits are ignored, after this many.
    pub fn ignored_after(&self, hit_count: u64) -> u64 {
        let first = self.ignored_hits.start.max(hit_count + 1);
        self.ignored_hits.end.saturating_sub(first)
    }

    /// Whether a run may be able to test it without pausing.
    pub(crate) fn is_testable(&self) -> bool {
        match &self.location {
            Location::Watch(WatchTarget::Global(_) | WatchTarget::Local(..), _) => true,
            Location::Watch(WatchTarget::RecordField(_) | WatchTarget::Board, _) => false,
            Location::Watch(_, access) => *access == Access::Change,
            _ => self.condition.is_some(),
        }
    }

    /// True if it stops on an access, not at a location.
    pub fn is_watchpoint(&self) -> bool {
        matches!(self.location, Location::Watch(..))
    }
}

/// The instructions of `program` at which a location may stop.
pub fn resolve(
    location: &Location,
    program: &Program,
    sources: &Sources,
) -> Vec<(FunctionId, u32)> {
    resolve_in(numbered_functions(program), location, program, sources)
}

/// Like [`resolve`], in some of the functions of `program`.
pub(crate) fn resolve_in<'p>(
    functions: impl Iterator<Item = (FunctionId, &'p Function)>,
    location: &Location,
    program: &Program,
    sources: &Sources,
) -> Vec<(FunctionId, u32)> {
    match location {
        Location::Line { source, line } => line_addresses(functions, sources, source, *line),
        Location::Function(name) => functions
            .filter(|(_, f)| is_named(f, name))
            .filter_map(|(id, f)| Some((id, f.stop_points.first()?.pc)))
            .collect(),
        Location::Event(event, _) => {
            matching_addresses(functions, |f, pc, i| causes_event(*event, f, pc, i))
        }
        Location::Watch(target, access) => {
            let global = match target {
                WatchTarget::Global(name) => program.global(name),
                WatchTarget::Local(..) => None,
                _ => program.board_global,
            };
            let is_derived = program.board_info.is_derived;
            matching_addresses(functions, |f, pc, i| {
                let reads_local = || {
                    matches!(target, WatchTarget::Local(function, name)
                        if watchpoint::reads_local((function, name), f, pc, sources))
                };
                watchpoint::may_access(target, *access, global, f, i)
                    || *access != Access::Change && reads_local()
                    || is_derived && watchpoint::may_redraw(target, *access, i)
            })
        }
        // Nothing stops when it has been true; see `Target::last_satisfied`.
        Location::Property(Property {
            kind: PropertyKind::Sometimes,
            ..
        }) => Vec::new(),
        Location::Property(_) => action_ends_in(functions),
    }
}

/// The instructions at which an action may have ended: the end of an entry or of the start of the
/// game, the beginning of the next action, and questions to the player.
pub fn action_ends(program: &Program) -> Vec<(FunctionId, u32)> {
    action_ends_in(numbered_functions(program))
}

fn action_ends_in<'p>(
    functions: impl Iterator<Item = (FunctionId, &'p Function)>,
) -> Vec<(FunctionId, u32)> {
    matching_addresses(functions, |f, _, instr| match instr {
        Instr::BeginAction | Instr::Ask { .. } => true,
        Instr::Return { .. } | Instr::ReturnNothing => {
            matches!(f.kind, FunctionKind::Entry | FunctionKind::Setup)
        }
        _ => false,
    })
}

fn numbered_functions(program: &Program) -> impl Iterator<Item = (FunctionId, &Function)> {
    let functions = program.functions.iter().enumerate();
    functions.map(|(n, f)| (FunctionId(n as u32), f.as_ref()))
}

fn matching_addresses<'p>(
    functions: impl Iterator<Item = (FunctionId, &'p Function)>,
    test: impl Fn(&Function, u32, Instr) -> bool,
) -> Vec<(FunctionId, u32)> {
    let mut addresses = Vec::new();
    for (id, function) in functions {
        for (pc, instr) in function.code.iter().enumerate() {
            if test(function, pc as u32, *instr) {
                addresses.push((id, pc as u32));
            }
        }
    }
    addresses
}

/// The stop points of a line, or of the next line that has any.
fn line_addresses<'p>(
    functions: impl Iterator<Item = (FunctionId, &'p Function)>,
    sources: &Sources,
    source_name: &str,
    line: u32,
) -> Vec<(FunctionId, u32)> {
    let mut nearest = u32::MAX;
    let mut addresses = Vec::new();
    for (id, function) in functions {
        for stop in &function.stop_points {
            let Some(source) = sources.get(stop.span.source) else {
                continue;
            };
            let (found_line, _) = source.line_column(stop.span.start);
            if source.origin.to_string() != source_name || found_line < line || found_line > nearest
            {
                continue;
            }
            if found_line < nearest {
                nearest = found_line;
                addresses.clear();
            }
            // At most one stop per function and line.
            if !addresses.iter().any(|(other, _)| *other == id) {
                addresses.push((id, stop.pc));
            }
        }
    }
    addresses
}

/// Whether `name` refers to this function: its full name (`zero.onClick`), its alias, or its event
/// (`onClick`).
pub fn is_named(function: &Function, name: &str) -> bool {
    let full_name = function.name.as_str();
    function.kind != FunctionKind::Entry
        && (full_name == name
            || function.alias.is_some_and(|alias| alias.as_str() == name)
            || full_name
                .rsplit_once('.')
                .is_some_and(|(_, event)| event == name && function.kind == FunctionKind::Handler))
}

fn causes_event(event: GameEvent, function: &Function, pc: u32, instr: Instr) -> bool {
    match event {
        GameEvent::Click => matches!(instr, Instr::SendClick { .. }),
        GameEvent::Place => matches!(
            instr,
            Instr::Place { .. } | Instr::PlaceKind { .. } | Instr::GridWithCell { .. }
        ),
        GameEvent::Remove => matches!(instr, Instr::Remove { .. }),
        GameEvent::ChangeType => {
            matches!(
                instr,
                Instr::ChangeType { .. } | Instr::ChangeSelfType { .. }
            )
        }
        GameEvent::EndTurn => function
            .stop_point_at(pc)
            .is_some_and(|s| s.kind == StopKind::Turn),
        GameEvent::Win | GameEvent::Lose | GameEvent::Draw => {
            matches!(instr, Instr::EndGame { .. })
        }
        GameEvent::Print => writes_to(instr, Channel::Print),
        GameEvent::Display => writes_to(instr, Channel::Display),
        GameEvent::Random => matches!(instr, Instr::Random { .. }),
        GameEvent::Error => false,
    }
}

fn writes_to(instr: Instr, to: Channel) -> bool {
    matches!(instr, Instr::Output { channel, .. } if channel == to)
}

/// The most recently added source that `program` has code from, other than the rules. Plain line
/// numbers refer to it.
pub fn newest_source(program: &Program, sources: &Sources) -> Option<String> {
    let stop_points = program.functions.iter().flat_map(|f| &f.stop_points);
    let mut ids: Vec<SourceId> = stop_points.map(|s| s.span.source).collect();
    ids.sort();
    ids.dedup();
    let newest_first = ids.into_iter().rev().filter_map(|id| sources.get(id));
    newest_first
        .map(|s| &s.origin)
        .find(|o| !matches!(o, Origin::Rules(_)))
        .map(Origin::to_string)
}
