//! One thing that was done: what it began with, the states on its way, how it ended.

use crate::code::{FunctionId, Program, Reg};
use crate::machine::{Checkpoint, Machine};
use crate::source::SourceId;
use crate::value::Store;
use std::rc::Rc;

/// What a record does when it begins.
#[derive(Clone, Debug)]
pub enum HistoryAction {
    /// Runs a function of a program, on an empty board and with no variables if `fresh`.
    Start {
        program: Rc<Program>,
        function: Option<FunctionId>,
        resets_game: bool,
    },
    /// Runs a function in the midst of another, whose frame it looks into. Functions on the stack that were
    /// defined anew have got other numbers.
    EvalInFrame {
        program: Rc<Program>,
        function: FunctionId,
        frame: usize,
        locals: Rc<[Reg]>,
        renumbered: Vec<(FunctionId, FunctionId)>,
    },
    /// The generator begins again.
    Seed(u64),
    /// The next draws are chosen; `None` forgets those chosen before.
    ScriptDraws(Option<Vec<i64>>),
}

/// One thing that was done, and the way to it.
#[derive(Clone, Debug)]
pub struct HistoryEntry {
    pub action: HistoryAction,
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
    pub reached_time: u64,
    /// Whether it changed anything but the clock.
    pub has_effect: bool,
    /// Questions that were answered on the way.
    pub answers: Vec<String>,
    /// It is only tried: when it is done it never happened.
    pub is_dry_run: bool,
    /// Whether it answers with its value when it is done.
    pub is_expression: bool,
    /// The branch that it made of the future, if any.
    pub forked_branch: Option<usize>,
    /// Whether that was told.
    pub is_fork_reported: bool,
}

impl HistoryEntry {
    /// The time of its end, or how far it has come.
    pub fn end_time(&self) -> u64 {
        self.after.as_ref().map_or(self.reached_time, |a| a.time)
    }

    /// Whether it is told in any case, whatever it has changed: somebody chose what is drawn, or began the game anew.
    pub(super) fn always_has_effect(&self) -> bool {
        matches!(
            self.action,
            HistoryAction::ScriptDraws(_)
                | HistoryAction::Seed(_)
                | HistoryAction::Start {
                    resets_game: true,
                    ..
                }
        )
    }

    /// Whether a session begins with it, with nothing in the game but the rules.
    pub(super) fn is_session_start(&self) -> bool {
        self.after.is_some()
            && self.text.is_empty()
            && matches!(
                self.action,
                HistoryAction::Start {
                    resets_game: true,
                    ..
                }
            )
    }

    /// Whether another does the same, from the same state: then it has the same end.
    pub fn is_repeat_of(&self, other: &HistoryEntry) -> bool {
        let untold = |r: &HistoryEntry| r.answers.is_empty() && !r.text.is_empty();
        self.text == other.text
            && self.before.time == other.before.time
            && untold(self)
            && untold(other)
    }
}

impl HistoryAction {
    /// The number that a function on the stack has from here on.
    pub(super) fn renumbered_id(&self, function: FunctionId) -> FunctionId {
        let HistoryAction::EvalInFrame {
            renumbered: moved, ..
        } = self
        else {
            return function;
        };
        moved
            .iter()
            .find(|(old, _)| *old == function)
            .map_or(function, |(_, new)| *new)
    }
}

pub(super) fn checkpoint_bytes(record: &HistoryEntry) -> u64 {
    let all = record
        .checkpoints
        .iter()
        .chain(record.after.as_ref())
        .chain(std::iter::once(&record.before));
    all.map(|c| c.bytes as u64).sum()
}

/// Does what a record begins with.
pub(super) fn apply_action(machine: &mut Machine, deed: &HistoryAction) {
    match deed {
        HistoryAction::Start {
            program,
            function,
            resets_game: fresh,
        } => {
            if *fresh {
                // What was stopped ends where it is.
                machine.abandon();
                machine.store = Store::default();
                let seed = machine.rng.seed();
                machine.rng.reseed(seed);
            }
            machine.install(program.clone());
            if let Some(function) = function {
                // A function that is there can be started.
                let _ = machine.start(*function, &[]);
            }
        }
        HistoryAction::EvalInFrame {
            program,
            function,
            frame,
            locals,
            renumbered: moved,
        } => {
            machine.install(program.clone());
            if !moved.is_empty() {
                machine.remap_functions(|f| deed.renumbered_id(f));
            }
            let _ = machine.start_in_frame(*function, *frame, locals.clone());
        }
        HistoryAction::Seed(seed) => machine.rng.reseed(*seed),
        HistoryAction::ScriptDraws(Some(draws)) => machine.rng.script_draws(draws.iter().copied()),
        HistoryAction::ScriptDraws(None) => machine.rng.clear_scripted(),
    }
}
