//! Breakpoints, watches and logs. They belong to names, not to code: after every change of the program they
//! look for their places again.

use super::settle::Home;
use super::touch;
use crate::code::{Function, FunctionId, Instr, Program, Role, StopKind};
use crate::source::{Origin, SourceId, Sources};

/// What a breakpoint waits for.
#[derive(Clone, PartialEq, Debug)]
pub enum Spot {
    /// A line of a source, by the source's name.
    Line { source: String, line: u32 },
    /// A function, handler or condition by its title, or all handlers of an event: `zero.onClick`, `onClick`.
    Title(String),
    /// Something that happens in the game, on a cell if one is given.
    Event(GameEvent, Option<(i64, i64)>),
    /// A change or a reading of something.
    Watch(Watched, Access),
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

    pub fn word(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, e)| *e == self)
            .map_or("", |(w, _)| w)
    }
}

/// What a watch looks at.
#[derive(Clone, PartialEq, Debug)]
pub enum Watched {
    /// A variable of the whole program, by name.
    Variable(String),
    /// A variable of a function, by the function's title and its name.
    Local(String, String),
    /// A field of a record, by the name that it is shown under: `frog.leaps`.
    Shown(String),
    /// A cell by the numbers at the board's edges, row and column.
    Cell(i64, i64),
    /// A field of what stands on a cell.
    Field(i64, i64, String),
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
pub enum Hits {
    /// The nth only.
    At(u64),
    /// Every nth.
    Every(u64),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Breakpoint {
    pub number: u32,
    pub spot: Spot,
    /// As it was typed.
    pub text: String,
    pub condition: Option<String>,
    pub hits: Option<Hits>,
    /// A command to be done when it stops.
    pub command: Option<String>,
    /// A text to be told instead of stopping.
    pub log: Option<String>,
    pub once: bool,
    pub enabled: bool,
    pub count: u64,
    pub ignore: u64,
    /// Where it lies in the present program.
    pub places: Vec<(FunctionId, u32)>,
    /// For a line: what it belongs to.
    pub home: Option<Home>,
}

impl Breakpoint {
    /// Whether it stops this time, by its counts.
    pub fn counts(&mut self) -> bool {
        self.count += 1;
        if self.ignore > 0 {
            self.ignore -= 1;
            return false;
        }
        match self.hits {
            None => true,
            Some(Hits::At(n)) => self.count == n,
            Some(Hits::Every(n)) => self.count.is_multiple_of(n.max(1)),
        }
    }

    pub fn is_watch(&self) -> bool {
        matches!(self.spot, Spot::Watch(..))
    }
}

/// Where a spot lies in a program.
pub fn places(spot: &Spot, program: &Program, sources: &Sources) -> Vec<(FunctionId, u32)> {
    let functions = program
        .functions
        .iter()
        .enumerate()
        .map(|(n, f)| (FunctionId(n as u32), f.as_ref()));
    match spot {
        Spot::Line { source, line } => line_places(functions, sources, source, *line),
        Spot::Title(title) => functions
            .filter(|(_, f)| is_titled(f, title))
            .filter_map(|(id, f)| Some((id, f.stops.first()?.pc)))
            .collect(),
        Spot::Event(event, _) => matching(functions, |f, pc, i| happens(*event, f, pc, i)),
        Spot::Watch(watched, access) => {
            let global = match watched {
                Watched::Variable(name) => program.global(name),
                Watched::Local(..) => None,
                _ => program.board,
            };
            let drawn = program.cells.drawn;
            matching(functions, |f, pc, i| {
                let reads = || matches!(watched, Watched::Local(t, n) if touch::reads_local((t, n), f, pc, sources));
                touch::touches(watched, *access, global, f, i)
                    || *access != Access::Change && reads()
                    || drawn && touch::draws(watched, *access, i)
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
        for stop in &function.stops {
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
pub fn is_titled(function: &Function, title: &str) -> bool {
    let name = function.name.as_str();
    function.role != Role::Entry
        && (name == title
            || function.also.is_some_and(|also| also.as_str() == title)
            || name
                .rsplit_once('.')
                .is_some_and(|(_, event)| event == title && function.role == Role::Handler))
}

fn happens(event: GameEvent, function: &Function, pc: u32, instr: Instr) -> bool {
    match event {
        GameEvent::Click => matches!(instr, Instr::Click { .. }),
        GameEvent::Place => matches!(
            instr,
            Instr::Place { .. } | Instr::PlaceKind { .. } | Instr::GridWith { .. }
        ),
        GameEvent::Remove => matches!(instr, Instr::Remove { .. }),
        GameEvent::ChangeType => {
            matches!(instr, Instr::ChangeType { .. } | Instr::ChangeMyType { .. })
        }
        GameEvent::EndTurn => function
            .stop_at(pc)
            .is_some_and(|s| s.kind == StopKind::Turn),
        GameEvent::Win | GameEvent::Lose | GameEvent::Draw => matches!(instr, Instr::End { .. }),
        GameEvent::Print => matches!(instr, Instr::Print { .. }),
        GameEvent::Display => matches!(instr, Instr::Display { .. }),
        GameEvent::Random => matches!(instr, Instr::Random { .. } | Instr::RandomFloat { .. }),
        GameEvent::Error => false,
    }
}

/// The newest text that was loaded or typed of which a program holds something: lines are counted in it when nothing
/// else is named.
pub fn newest_source(program: &Program, sources: &Sources) -> Option<String> {
    let stops = program.functions.iter().flat_map(|f| &f.stops);
    let mut ids: Vec<SourceId> = stops.map(|s| s.span.source).collect();
    ids.sort();
    ids.dedup();
    let texts = ids.into_iter().rev().filter_map(|id| sources.get(id));
    texts
        .map(|s| &s.origin)
        .find(|o| !matches!(o, Origin::Rules(_)))
        .map(Origin::to_string)
}
