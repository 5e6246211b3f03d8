//! One thing that was done: what it began with, the states on its way, how it ended.

use crate::code::{FunctionId, Program, Reg};
use crate::machine::{Checkpoint, Machine};
use crate::source::SourceId;
use crate::value::Store;
use std::rc::Rc;

/// What a record does when it begins.
#[derive(Clone, Debug)]
pub enum Deed {
    /// Runs a function of a program, on an empty board and with no variables if `fresh`.
    Run {
        program: Rc<Program>,
        function: Option<FunctionId>,
        fresh: bool,
    },
    /// Runs a function in the midst of another, whose frame it looks into. Functions on the stack that were
    /// defined anew have got other numbers.
    Inside {
        program: Rc<Program>,
        function: FunctionId,
        frame: usize,
        locals: Rc<[Reg]>,
        moved: Vec<(FunctionId, FunctionId)>,
    },
    /// The generator begins again.
    Seed(u64),
    /// The next draws are chosen; `None` forgets those chosen before.
    Choose(Option<Vec<i64>>),
}

/// One thing that was done, and the way to it.
#[derive(Clone, Debug)]
pub struct Record {
    pub deed: Deed,
    /// What was typed, if anything.
    pub source: Option<SourceId>,
    /// As it was typed: an entry, or a command with its colon.
    pub text: String,
    pub before: Checkpoint,
    /// States on the way, in order of time.
    pub checkpoints: Vec<Checkpoint>,
    /// The state when it was done; `None` while it is going on.
    pub after: Option<Checkpoint>,
    /// How far it has come, as long as it goes on.
    pub reached: u64,
    /// Whether it changed anything but the clock.
    pub changed: bool,
    /// Questions that were answered on the way.
    pub answers: Vec<String>,
    /// It is only tried: when it is done it never happened.
    pub rehearsal: bool,
    /// Whether it answers with its value when it is done.
    pub gives: bool,
    /// The branch that it made of the future, if any.
    pub left: Option<usize>,
    /// Whether that was told.
    pub left_told: bool,
}

impl Record {
    /// The time of its end, or how far it has come.
    pub fn end(&self) -> u64 {
        self.after.as_ref().map_or(self.reached, |a| a.time)
    }

    /// Whether it is told in any case, whatever it has changed: somebody chose what is drawn, or began the game anew.
    pub(super) fn always_counts(&self) -> bool {
        matches!(
            self.deed,
            Deed::Choose(_) | Deed::Seed(_) | Deed::Run { fresh: true, .. }
        )
    }

    /// Whether a session begins with it, with nothing in the game but the rules.
    pub(super) fn is_beginning(&self) -> bool {
        self.after.is_some()
            && self.text.is_empty()
            && matches!(self.deed, Deed::Run { fresh: true, .. })
    }

    /// Whether another does the same, from the same state: then it has the same end.
    pub fn is_again(&self, other: &Record) -> bool {
        let untold = |r: &Record| r.answers.is_empty() && !r.text.is_empty();
        self.text == other.text
            && self.before.time == other.before.time
            && untold(self)
            && untold(other)
    }
}

impl Deed {
    /// The number that a function on the stack has from here on.
    pub(super) fn number_of(&self, function: FunctionId) -> FunctionId {
        let Deed::Inside { moved, .. } = self else {
            return function;
        };
        moved
            .iter()
            .find(|(old, _)| *old == function)
            .map_or(function, |(_, new)| *new)
    }
}

pub(super) fn weight(record: &Record) -> u64 {
    let all = record
        .checkpoints
        .iter()
        .chain(record.after.as_ref())
        .chain(std::iter::once(&record.before));
    all.map(|c| c.bytes as u64).sum()
}

/// Does what a record begins with.
pub(super) fn apply(machine: &mut Machine, deed: &Deed) {
    match deed {
        Deed::Run {
            program,
            function,
            fresh,
        } => {
            if *fresh {
                // What was stopped ends where it is.
                machine.abandon();
                machine.store = Store::default();
                let seed = machine.chance.seed();
                machine.chance.reseed(seed);
            }
            machine.install(program.clone());
            if let Some(function) = function {
                // A function that is there can be started.
                let _ = machine.start(*function, &[]);
            }
        }
        Deed::Inside {
            program,
            function,
            frame,
            locals,
            moved,
        } => {
            machine.install(program.clone());
            if !moved.is_empty() {
                machine.renumber(|f| deed.number_of(f));
            }
            let _ = machine.start_inside(*function, *frame, locals.clone());
        }
        Deed::Seed(seed) => machine.chance.reseed(*seed),
        Deed::Choose(Some(draws)) => machine.chance.choose(draws.iter().copied()),
        Deed::Choose(None) => machine.chance.clear_chosen(),
    }
}
