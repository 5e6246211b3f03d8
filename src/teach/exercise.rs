//! Checks the answer to an exercise: plays each check with the solution and with the answer, each in
//! a session of its own, and compares the results.
//!
//! Only results are compared, that is what a player sees: values, output, the board, who wins, and
//! whether there is an error. Wording, names and the layout of the code do not matter.

use super::Commands;
use super::left_out::leave_out_step;
use super::played_result::{Difference, PlayedResult};
use super::replay::ReplayedEntry;
use crate::answer::{Aspect, CheckFailure};
use crate::debugger::SavedBreakpoints;
use crate::session::session_file::{Check, Exercise, SessionInput, SessionItem};
use crate::session::{Session, set_up_item, start_like, to_plain_text};

/// Ends endless loops in the code of a student. A move in a lesson takes a few thousand.
const MAX_CHECK_INSTRUCTIONS: u64 = 20_000_000;

/// The moment before an exercise, which every check starts from.
pub(crate) struct Stage<'p> {
    commands: Commands,
    /// The session whose language, program, limits and Ctrl-C flag are used.
    parent: &'p Session,
    /// What is played before the exercise.
    items: Vec<SessionItem>,
}

impl<'p> Stage<'p> {
    /// The moment at which these items have been played, from the start of a session on.
    pub(crate) fn new(
        commands: Commands,
        parent: &'p Session,
        items: Vec<SessionItem>,
    ) -> Stage<'p> {
        Stage {
            commands,
            parent,
            items,
        }
    }

    /// A session at this moment, without breakpoints.
    pub(crate) fn session(&self) -> Session {
        let mut session = self.session_with_breakpoints();
        let debugger = &mut session.target.debugger;
        debugger.swap_breakpoints(&mut SavedBreakpoints::default());
        debugger.trace = Default::default();
        session
    }

    fn session_with_breakpoints(&self) -> Session {
        let start = &self.parent.transcript.session_start;
        let language = self.parent.target.language();
        let mut session = Session::with_host(language, start.seed, self.parent.host().clone());
        session.inherit_limits(self.parent);
        session.target.machine.limits.max_instructions = MAX_CHECK_INSTRUCTIONS;
        session.files.is_replay = true;
        start_like(&mut session, start);
        for item in &self.items {
            if !leave_out_step(self.commands, &mut session, item) {
                let item = std::slice::from_ref(item);
                play_items(self.commands, &mut session, item, &mut Vec::new());
            }
        }
        session
    }

    /// Plays a check with an answer.
    pub(crate) fn play(&self, answer: &[SessionInput], check: &Check) -> PlayedCheck {
        let mut session = self.session();
        let mut played = PlayedCheck::default();
        play_items(self.commands, &mut session, &check.setup, &mut played.moves);
        played.setup_count = played.moves.len();
        play_items(
            self.commands,
            &mut session,
            &as_items(answer),
            &mut played.answer,
        );
        play_items(self.commands, &mut session, &check.items, &mut played.moves);
        played
    }

    /// Plays the steps of a lesson that follow an exercise.
    pub(crate) fn play_on(
        &self,
        answer: &[SessionInput],
        rest: &[SessionItem],
    ) -> Vec<PlayedInput> {
        let mut session = self.session_with_breakpoints();
        play_items(
            self.commands,
            &mut session,
            &as_items(answer),
            &mut Vec::new(),
        );
        let mut played = Vec::new();
        play_items(self.commands, &mut session, rest, &mut played);
        played
    }

    /// Whether an answer changes the program; otherwise it consists of statements, which just run.
    pub(crate) fn is_definition(&self, answer: &[SessionInput]) -> bool {
        let mut session = self.session();
        let mut played = Vec::new();
        let before = session.transcript.entries.len();
        play_items(self.commands, &mut session, &as_items(answer), &mut played);
        let typed = &session.transcript.entries[before..];
        let defining = session.target.defining_entries();
        let mut ids = typed.iter().filter_map(|entry| entry.entry);
        ids.any(|id| defining.contains(&id))
    }
}

/// A check that was played with some answer.
#[derive(Default)]
pub(crate) struct PlayedCheck {
    /// The replies to the answer.
    answer: Vec<PlayedInput>,
    /// The inputs of the check.
    pub(crate) moves: Vec<PlayedInput>,
    /// How many of the moves come before the answer.
    setup_count: usize,
}

/// An input that was played.
pub(crate) struct PlayedInput {
    pub(crate) input: String,
    /// The comments before it.
    remarks: Vec<String>,
    /// The reply as text.
    pub(crate) reply: Vec<String>,
    result: PlayedResult,
}

fn as_items(inputs: &[SessionInput]) -> Vec<SessionItem> {
    inputs.iter().cloned().map(SessionItem::Input).collect()
}

fn play_items(
    commands: Commands,
    session: &mut Session,
    items: &[SessionItem],
    played: &mut Vec<PlayedInput>,
) {
    let mut remarks = Vec::new();
    for item in items {
        if let SessionItem::Comment(text) = item {
            remarks.push(text.trim_start_matches('#').trim().to_string());
        }
        let Some(input) = set_up_item(session, item) else {
            continue;
        };
        let answer = commands.handle_line(session, &input.text);
        session.target.machine.interrupt_at(None);
        played.push(PlayedInput {
            input: input.text.clone(),
            remarks: std::mem::take(&mut remarks),
            reply: to_plain_text(session, &answer),
            result: PlayedResult::new(session, &answer),
        });
    }
}

impl PlayedInput {
    fn difference(&self, expected: &PlayedInput) -> Option<Difference> {
        self.result.difference(&expected.result)
    }

    /// Whether a step of a lesson shows the same as with another program, also if it stops.
    pub(crate) fn is_same_step(&self, other: &PlayedInput) -> bool {
        self.difference(other).is_none() && self.result.is_same_stop(&other.result)
    }
}

impl PlayedCheck {
    /// The error in the answer itself, if it has one.
    pub(crate) fn answer_error(&self) -> Option<String> {
        self.answer.iter().find_map(|played| played.result.error())
    }

    /// The first result that differs from the one with the solution.
    pub(crate) fn first_difference(
        &self,
        solution: &PlayedCheck,
        is_statement: bool,
    ) -> Option<CheckFailure> {
        let mut remarks: &[String] = &[];
        let mut inputs = Vec::new();
        let mut answer = None;
        for n in 0..=self.moves.len() {
            if n == self.setup_count && is_statement {
                let typed = self.answer.last();
                answer = typed.map(|played| played.input.clone());
                let results = typed.zip(solution.answer.last());
                let difference = results.and_then(|(own, expected)| own.difference(expected));
                inputs.extend(answer.clone());
                if let Some(difference) = difference {
                    return Some(failure(remarks, answer, inputs, difference));
                }
            }
            let (Some(own), Some(expected)) = (self.moves.get(n), solution.moves.get(n)) else {
                break;
            };
            if !own.remarks.is_empty() {
                remarks = &own.remarks;
            }
            inputs.push(own.input.clone());
            if let Some(difference) = own.difference(expected) {
                return Some(failure(remarks, answer, inputs, difference));
            }
        }
        None
    }
}

fn failure(
    remarks: &[String],
    answer: Option<String>,
    inputs: Vec<String>,
    difference: Difference,
) -> CheckFailure {
    let Difference {
        aspect,
        expected,
        actual,
        subject,
    } = difference;
    let input = inputs.last().filter(|input| !input.contains('\n'));
    let subject = match aspect {
        Aspect::Value => input.cloned(),
        _ => subject,
    };
    CheckFailure {
        remarks: remarks.to_vec(),
        answer,
        inputs,
        aspect,
        expected,
        actual,
        question: subject.map(|subject| format!(":why {subject}")),
    }
}

/// Whether the checks of an exercise work.
pub(crate) struct TestedExercise {
    /// The inputs of the checks with the replies that the solution gives.
    pub(crate) entries: Vec<ReplayedEntry>,
    /// Why it is not a good exercise.
    pub(crate) problem: Option<String>,
}

/// Plays the checks with the solution and without any answer.
pub(crate) fn test_exercise(stage: &Stage, exercise: &Exercise) -> TestedExercise {
    let solution = exercise.solution_inputs();
    let is_statement = !stage.is_definition(&solution);
    let (mut entries, mut error, mut is_needed) = (Vec::new(), None, false);
    for check in &exercise.checks {
        let solved = stage.play(&solution, check);
        let unsolved = stage.play(&[], check);
        is_needed |= unsolved.first_difference(&solved, is_statement).is_some();
        error = error.or(solved.answer_error());
        let replies = solved.moves.into_iter().map(|played| played.reply);
        let replayed = check.inputs().zip(replies);
        entries.extend(replayed.map(|(input, answer)| ReplayedEntry::new(input, answer)));
    }
    let name = &exercise.name;
    let problem = match error {
        Some(error) => Some(format!("exercise {name}: the solution fails: {error}")),
        None if is_needed => None,
        None => Some(format!(
            "exercise {name}: its checks pass without the solution; check something that only the \
             solution does"
        )),
    };
    TestedExercise { entries, problem }
}
