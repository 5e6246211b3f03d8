//! A history entry: the state before it, checkpoints taken while it ran, and the state after it.

use super::answers::AnsweredQuestion;
use super::hits::EntryHits;
use crate::code::{FunctionId, Instr, Program, Reg};
use crate::machine::{Checkpoint, Machine};
use crate::source::SourceId;
use crate::value::Store;
use std::rc::Rc;

/// How an entry starts.
#[derive(Clone, Debug)]
pub enum HistoryAction {
    /// Installs a program and runs a function of it.
    Start {
        /// The program as of this entry, including what the entry defines.
        program: Rc<Program>,
        /// The function to run; `None` if the entry only defines something.
        function: Option<FunctionId>,
        /// Whether to clear the board and all variables first, and restart the random numbers from
        /// their seed.
        resets_game: bool,
    },
    /// Runs a function on top of a stopped stack, with access to one of its frames.
    EvalInFrame {
        /// The program as of this entry, including what the entry defines.
        program: Rc<Program>,
        /// The function to run.
        function: FunctionId,
        /// Index of the frame, counted from the outermost.
        frame: usize,
        /// Registers of the frame that are passed as arguments and written back at the end.
        locals: Rc<[Reg]>,
        /// Old and new ids of functions on the stack that were redefined: their frames continue
        /// with the old code under the new id.
        renumbered: Vec<(FunctionId, FunctionId)>,
    },
    /// Answers the question at which the entry before it waits.
    Answer {
        /// The answer.
        line: Rc<str>,
        /// The next random draws, if they are set.
        draws: Vec<i64>,
    },
    /// Reseeds the random number generator.
    Seed(u64),
    /// Sets the next random draws; `None` clears those set before.
    ScriptDraws(Option<Vec<i64>>),
}

/// Identifies an entry in all of the session's history, also after it was undone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct EntryId(u64);

impl EntryId {
    /// The id of the entry that is started next.
    pub(crate) fn next(self) -> EntryId {
        EntryId(self.0 + 1)
    }
}

/// One entry of the history.
#[derive(Clone, Debug)]
pub struct HistoryEntry {
    /// Its id.
    pub id: EntryId,
    /// What a replay does first, in the state `before`.
    pub action: HistoryAction,
    /// The source of the typed text, if there is one.
    pub source: Option<SourceId>,
    /// The text as typed: an entry, or a command with its colon.
    pub text: String,
    /// Bytes of the program that it installs, without what that shares with the one before.
    pub(crate) program_bytes: u64,
    /// The state before its action.
    pub before: Checkpoint,
    /// Checkpoints taken while it ran, in ascending order of time.
    pub checkpoints: Vec<Checkpoint>,
    /// The state at its end; `None` while it is running.
    pub after: Option<Checkpoint>,
    /// The latest time reached while it is running.
    pub(crate) reached_time: u64,
    /// Whether it changed anything but the time.
    pub has_effect: bool,
    /// The answers given to the program's input prompts, except for those that are entries of their
    /// own.
    pub answers: Vec<String>,
    /// The questions that were answered by them.
    pub(crate) answered: Vec<AnsweredQuestion>,
    /// The question at which the program waits at its end, if it does.
    pub(crate) open_question: Option<Rc<str>>,
    /// The value of the expression that ended with it, if it is part of a line of moves.
    pub result: Option<Rc<str>>,
    /// The hits of breakpoints during it.
    pub(crate) hits: EntryHits,
    /// How many entries ago the innermost dry run that it is part of started: 0 if it is a dry run
    /// itself, `None` if it is not part of any.
    pub(crate) since_dry_run: Option<usize>,
    /// Whether its value is printed when it ends.
    pub is_expression: bool,
    /// Whether it belongs to a line of moves that a search has found.
    pub is_found: bool,
    /// Whether it was started right after an undo or redo.
    pub is_after_undo: bool,
    /// The number of the branch created when it started, if any.
    pub forked_branch: Option<usize>,
    /// Whether the user has been informed of that branch.
    pub is_fork_reported: bool,
}

impl HistoryEntry {
    /// The time at which it ended, or the latest time reached.
    pub fn end_time(&self) -> u64 {
        self.after.as_ref().map_or(self.reached_time, |a| a.time)
    }

    /// Whether it clears the board and all variables first.
    pub fn resets_game(&self) -> bool {
        matches!(
            self.action,
            HistoryAction::Start {
                resets_game: true,
                ..
            }
        )
    }

    /// Whether its own code calls functions or sends events, so that other code may have run.
    pub fn calls_functions(&self) -> bool {
        let (program, function) = match &self.action {
            HistoryAction::Start {
                program,
                function: Some(function),
                ..
            }
            | HistoryAction::EvalInFrame {
                program, function, ..
            } => (program, function),
            _ => return false,
        };
        let is_call = |instr: &Instr| instr.flow().runs_code();
        let code = program.function(*function).map(|f| &f.code);
        !self.is_dry_run() && code.is_some_and(|code| code.iter().any(is_call))
    }

    /// Whether it is a dry run, which is rolled back when it ends.
    pub fn is_dry_run(&self) -> bool {
        self.since_dry_run == Some(0)
    }

    /// Makes it a dry run.
    pub fn set_dry_run(&mut self) {
        self.since_dry_run = Some(0);
    }

    /// Whether it answers a question of the entry before it.
    pub fn is_answer(&self) -> bool {
        matches!(self.action, HistoryAction::Answer { .. })
    }

    /// Whether it sets the random draws of the next entry, which is a move that a search has found.
    pub(crate) fn is_part_of_next(&self) -> bool {
        self.is_found && matches!(self.action, HistoryAction::ScriptDraws(_))
    }

    /// Its text, as a move that is undone or redone: `3 (drew 4)` if it sets random draws of its own.
    pub(crate) fn move_text(&self) -> String {
        let mut text = self.text.clone();
        if self.is_answer() {
            self.add_draws_to(&mut text);
        }
        text
    }

    /// Adds the random draws that it sets to the text of a move: `:turn (drew 4)`.
    pub(crate) fn add_draws_to(&self, text: &mut String) {
        let draws = match &self.action {
            HistoryAction::ScriptDraws(Some(draws)) | HistoryAction::Answer { draws, .. } => draws,
            _ => return,
        };
        if !draws.is_empty() {
            let numbers: Vec<String> = draws.iter().map(i64::to_string).collect();
            text.push_str(&format!(" (drew {})", numbers.join(", ")));
        }
    }

    /// Whether it counts as a change even if the state is the same: random draws were set, a question
    /// was answered, or the game was restarted.
    pub(crate) fn always_has_effect(&self) -> bool {
        matches!(
            self.action,
            HistoryAction::ScriptDraws(_)
                | HistoryAction::Answer { .. }
                | HistoryAction::Seed(_)
                | HistoryAction::Start {
                    resets_game: true,
                    ..
                }
        )
    }

    /// Whether it is the empty game at the start of a session.
    pub(crate) fn is_session_start(&self) -> bool {
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

    /// Whether it does the same as `other` from the same state, and therefore has the same result.
    pub fn is_repeat_of(&self, other: &HistoryEntry) -> bool {
        let is_comparable = |e: &HistoryEntry| e.answers.is_empty() && !e.text.is_empty();
        self.text == other.text
            && self.before.time == other.before.time
            && is_comparable(self)
            && is_comparable(other)
    }
}

/// Memory.
impl HistoryEntry {
    /// Its size without its checkpoints, approximately.
    pub(crate) fn own_bytes(&self) -> u64 {
        let answers: usize = self.answers.iter().map(String::len).sum();
        let texts = self.text.len() + answers + self.result.as_ref().map_or(0, |text| text.len());
        (size_of::<HistoryEntry>() + texts) as u64 + self.hits.bytes() + self.program_bytes
    }

    /// Its checkpoints in ascending order of time.
    pub(crate) fn all_checkpoints(&self) -> impl Iterator<Item = &Checkpoint> {
        let before = std::iter::once(&self.before);
        before.chain(&self.checkpoints).chain(&self.after)
    }
}

impl HistoryAction {
    /// The program as of this entry, if the action installs one.
    pub(crate) fn program(&self) -> Option<&Rc<Program>> {
        match self {
            HistoryAction::Start { program, .. } | HistoryAction::EvalInFrame { program, .. } => {
                Some(program)
            }
            HistoryAction::Answer { .. }
            | HistoryAction::Seed(_)
            | HistoryAction::ScriptDraws(_) => None,
        }
    }

    /// The id of a function on the stack after this action.
    pub(crate) fn renumbered_id(&self, function: FunctionId) -> FunctionId {
        let HistoryAction::EvalInFrame { renumbered, .. } = self else {
            return function;
        };
        renumbered
            .iter()
            .find(|(old, _)| *old == function)
            .map_or(function, |(_, new)| *new)
    }
}

/// Performs the action at the start of an entry.
pub fn apply_action(machine: &mut Machine, action: &HistoryAction) {
    match action {
        HistoryAction::Start {
            program,
            function,
            resets_game,
        } => {
            if *resets_game {
                // A stopped run is abandoned.
                machine.abandon();
                machine.store = Store::default();
                let seed = machine.rng.seed();
                machine.rng.reseed(seed);
            }
            machine.install(program.clone());
            if let Some(function) = function {
                // Starting an existing function without arguments cannot fail.
                let _ = machine.start(*function, &[]);
            }
        }
        HistoryAction::EvalInFrame {
            program,
            function,
            frame,
            locals,
            renumbered,
        } => {
            machine.install(program.clone());
            if !renumbered.is_empty() {
                machine.remap_functions(|f| action.renumbered_id(f));
            }
            let _ = machine.start_in_frame(*function, *frame, locals.clone());
        }
        HistoryAction::Answer { line, draws } => {
            if !draws.is_empty() {
                machine.rng.clear_scripted();
                machine.rng.script_draws(draws.iter().copied());
            }
            machine.log_answer(line);
        }
        HistoryAction::Seed(seed) => machine.rng.reseed(*seed),
        HistoryAction::ScriptDraws(Some(draws)) => machine.rng.script_draws(draws.iter().copied()),
        HistoryAction::ScriptDraws(None) => machine.rng.clear_scripted(),
    }
}
