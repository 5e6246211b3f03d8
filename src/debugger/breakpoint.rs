//! Breakpoints, watches and logs. They belong to names, not to code: after every change of the program they
//! look for their places again.

use super::rebind::Anchor;
use super::watchpoint;
use crate::code::{Function, FunctionId, FunctionKind, Instr, Program, StopKind};
use crate::source::{Origin, SourceId, Sources};

/// What a breakpoint waits for.
#[derive(Clone, PartialEq, Debug)]
pub enum Location {
    /// A line of a source, by the source's name.
    Line { source: String, line: u32 },
    /// A function, handler or condition by its title, or all handlers of an event: `zero.onClick`, `onClick`.
    Function(String),
    /// Something that happens in the game, on a cell if one is given.
    Event(GameEvent, Option<(i64, i64)>),
    /// A change or a reading of something.
    Watch(WatchTarget, Access),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEvent {
    Click,
    Place,
    Remove,
    ChangeType,
    EndTurn,
    Win,
    Lose,
    Draw,
    Print,
    Display,
    Random,
    Error,
}

impl GameEvent {
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

    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, e)| *e == self)
            .map_or("", |(w, _)| w)
    }
}

/// What a watch looks at.
#[derive(Clone, PartialEq, Debug)]
pub enum WatchTarget {
    /// A variable of the whole program, by name.
    Global(String),
    /// A variable of a function, by the function's title and its name.
    Local(String, String),
    /// A field of a record, by the name that it is shown under: `frog.leaps`.
    RecordField(String),
    /// A cell by the numbers at the board's edges, row and column.
    Cell(i64, i64),
    /// A field of what stands on a cell.
    PieceField(i64, i64, String),
    Row(i64),
    Column(i64),
    Board,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Change,
    Read,
    Both,
}

/// When hits count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HitCondition {
    /// The nth only.
    Nth(u64),
    /// Every nth.
    Every(u64),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Breakpoint {
    pub number: u32,
    pub location: Location,
    /// As it was typed.
    pub text: String,
    pub condition: Option<String>,
    pub hit_condition: Option<HitCondition>,
    /// A command to be done when it stops.
    pub command: Option<String>,
    /// A text to be told instead of stopping.
    pub log_message: Option<String>,
    pub is_temporary: bool,
    pub is_enabled: bool,
    pub hit_count: u64,
    pub ignore_count: u64,
    /// Where it lies in the present program.
    pub addresses: Vec<(FunctionId, u32)>,
    /// For a line: what it belongs to.
    pub anchor: Option<Anchor>,
}

impl Breakpoint {
    /// Whether it stops this time, by its counts.
    pub fn register_hit(&mut self) -> bool {
        self.hit_count += 1;
        if self.ignore_count > 0 {
            self.ignore_count -= 1;
            return false;
        }
        match self.hit_condition {
            None => true,
            Some(HitCondition::Nth(n)) => self.hit_count == n,
            Some(HitCondition::Every(n)) => self.hit_count.is_multiple_of(n.max(1)),
        }
    }

    pub fn is_watchpoint(&self) -> bool {
        matches!(self.location, Location::Watch(..))
    }
}

/// Where a spot lies in a program.
pub fn resolve(spot: &Location, program: &Program, sources: &Sources) -> Vec<(FunctionId, u32)> {
    let functions = program
        .functions
        .iter()
        .enumerate()
        .map(|(n, f)| (FunctionId(n as u32), f.as_ref()));
    match spot {
        Location::Line { source, line } => line_places(functions, sources, source, *line),
        Location::Function(title) => functions
            .filter(|(_, f)| is_named(f, title))
            .filter_map(|(id, f)| Some((id, f.stop_points.first()?.pc)))
            .collect(),
        Location::Event(event, _) => matching(functions, |f, pc, i| happens(*event, f, pc, i)),
        Location::Watch(watched, access) => {
            let global = match watched {
                WatchTarget::Global(name) => program.global(name),
                WatchTarget::Local(..) => None,
                _ => program.board_global,
            };
            let drawn = program.board_info.is_derived;
            matching(functions, |f, pc, i| {
                let reads = || matches!(watched, WatchTarget::Local(t, n) if watchpoint::reads_local((t, n), f, pc, sources));
                watchpoint::may_access(watched, *access, global, f, i)
                    || *access != Access::Change && reads()
                    || drawn && watchpoint::may_redraw(watched, *access, i)
            })
        }
    }
}

fn matching<'p>(
    functions: impl Iterator<Item = (FunctionId, &'p Function)>,
    test: impl Fn(&Function, u32, Instr) -> bool,
) -> Vec<(FunctionId, u32)> {
    let mut places = Vec::new();
    for (id, function) in functions {
        for (pc, instr) in function.code.iter().enumerate() {
            if test(function, pc as u32, *instr) {
                places.push((id, pc as u32));
            }
        }
    }
    places
}

/// The stops of a line, or of the next line that has any.
fn line_places<'p>(
    functions: impl Iterator<Item = (FunctionId, &'p Function)>,
    sources: &Sources,
    name: &str,
    line: u32,
) -> Vec<(FunctionId, u32)> {
    let mut best = u32::MAX;
    let mut places = Vec::new();
    for (id, function) in functions {
        for stop in &function.stop_points {
            let Some(source) = sources.get(stop.span.source) else {
                continue;
            };
            let (at, _) = source.line_column(stop.span.start);
            if source.origin.to_string() != name || at < line || at > best {
                continue;
            }
            if at < best {
                best = at;
                places.clear();
            }
            // A line stops once for each function that begins something on it.
            if !places.iter().any(|(other, _)| *other == id) {
                places.push((id, stop.pc));
            }
        }
    }
    places
}

/// `zero.onClick`, or just `onClick` for all of them.
pub fn is_named(function: &Function, title: &str) -> bool {
    let name = function.name.as_str();
    function.kind != FunctionKind::Entry
        && (name == title
            || function.alias.is_some_and(|also| also.as_str() == title)
            || name
                .rsplit_once('.')
                .is_some_and(|(_, event)| event == title && function.kind == FunctionKind::Handler))
}

fn happens(event: GameEvent, function: &Function, pc: u32, instr: Instr) -> bool {
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
        GameEvent::Print => matches!(instr, Instr::Print { .. }),
        GameEvent::Display => matches!(instr, Instr::Display { .. }),
        GameEvent::Random => matches!(instr, Instr::Random { .. } | Instr::RandomFloat { .. }),
        GameEvent::Error => false,
    }
}

/// The newest text that was loaded or typed of which a program holds something: lines are counted in it when nothing
/// else is named.
pub fn newest_source(program: &Program, sources: &Sources) -> Option<String> {
    let stops = program.functions.iter().flat_map(|f| &f.stop_points);
    let mut ids: Vec<SourceId> = stops.map(|s| s.span.source).collect();
    ids.sort();
    ids.dedup();
    let texts = ids.into_iter().rev().filter_map(|id| sources.get(id));
    texts
        .map(|s| &s.origin)
        .find(|o| !matches!(o, Origin::Rules(_)))
        .map(Origin::to_string)
}
