//! The input prompts of the program: asking, answering, cancelling.

use super::Plan;
use super::open_question::PendingInput;
use super::step::FirstInstruction;
use crate::answer::{Answer, CommandError, Question};
use crate::diagnostic::{Diagnostic, Phase};
use crate::frame;
use crate::frame::eval::scratch_source;
use crate::source::Span;
use crate::{HistoryAction, HistoryEntry, PartialEval, Target};

/// Where an entry is suspended, if one is running: whether one is, only the machine's stack says, which
/// every restored checkpoint replaces.
#[derive(Default)]
pub enum Suspension {
    /// At a stop.
    #[default]
    Stop,
    /// Inside a statement, after one of its subexpressions.
    Subexpression(PartialEval),
    /// At a question of the program.
    Question(PendingInput),
}

impl Target {
    /// The question at which the program is waiting for input.
    pub fn question(&self) -> Option<Question> {
        match &self.suspension {
            Suspension::Question(input) => Some(input.question.clone()),
            Suspension::Stop | Suspension::Subexpression(_) => None,
        }
    }

    fn take_pending_input(&mut self) -> Option<PendingInput> {
        match std::mem::take(&mut self.suspension) {
            Suspension::Question(input) => Some(input),
            other => {
                self.suspension = other;
                None
            }
        }
    }

    /// The progress of stepping through a statement, which ends here.
    pub fn take_partial_eval(&mut self) -> Option<PartialEval> {
        match std::mem::take(&mut self.suspension) {
            Suspension::Subexpression(progress) => Some(progress),
            other => {
                self.suspension = other;
                None
            }
        }
    }

    /// What has been done with the instruction at which the program is stopped. `step sub` can stop
    /// before its breakpoints are checked.
    pub fn take_first_instruction(&mut self) -> FirstInstruction {
        let now = self.machine.time();
        let progress = self.take_partial_eval().filter(|p| p.time == now);
        progress.map_or(FirstInstruction::Checked, |p| p.first)
    }

    /// Answers the question and resumes the program. On a line of moves that was undone or redone, the
    /// answer is an entry of its own.
    pub fn answer(&mut self, line: &str) -> Answer {
        let Some(input) = self.take_pending_input() else {
            return Answer::new(line);
        };
        let mut answer = Answer::new(line);
        match self.machine.check_answer(input.input_kind, line) {
            Ok(()) => {
                let has_ended = |entry: &HistoryEntry| entry.after.is_some();
                if self.timeline.current().is_some_and(has_ended) {
                    let (text, draws) = (line.to_string(), Vec::new());
                    let line = line.into();
                    self.begin_entry(HistoryAction::Answer { line, draws }, None, text);
                } else {
                    self.machine.log_answer(line);
                    let time = self.machine.time();
                    self.timeline.add_answer(line, time);
                }
                answer.absorb(self.run_from(input.start, |run| run.follow(Plan::once(input.step))));
            }
            Err(message) => {
                answer.diagnostics.push(rejected_answer(&message, line));
                answer.question = Some(input.question.clone());
                self.suspension = Suspension::Question(input);
            }
        }
        answer
    }

    /// Rolls back the entry that is waiting for input and returns its text; `None` if none is.
    pub fn cancel_input(&mut self) -> Option<String> {
        self.take_pending_input()?;
        let mut text = None;
        while let Some(entry) = self.timeline.current() {
            let is_answer = entry.is_answer();
            text = match entry.after.is_some() {
                // It was undone or redone; it can be redone again.
                true => self.undo_entry().pop(),
                false => self.discard_last_entry().map(|e| e.text),
            };
            self.clear_suspension();
            if !is_answer || text.is_none() {
                break;
            }
        }
        self.debugger.selected_frame = frame::default_frame(self);
        Some(text.unwrap_or_default())
    }

    /// Makes the target look as if it were stopped at the question, until
    /// [`Target::restore_question`].
    pub fn suspend_question(&mut self) -> Suspension {
        std::mem::take(&mut self.suspension)
    }

    /// Waits again for input that was suspended.
    pub fn restore_question(&mut self, question: Suspension) {
        self.suspension = question;
    }

    /// Asks the language something, such as `:type`, while the program is waiting for input.
    pub fn query_language(&mut self, text: &str) -> Answer {
        let mut answer = Answer::new(text);
        let source = scratch_source(text);
        let input = self.suspend_question();
        let frame = frame::frame_scope(self);
        self.restore_question(input);
        match self
            .language
            .compile_entry(&source, self.program(), frame.as_ref())
        {
            Ok(compiled) if compiled.is_query => {
                let question = self.suspend_question();
                answer.absorb(self.show_query(compiled));
                self.restore_question(question);
            }
            Ok(_) if !self.is_waiting_for_input() => {
                answer.error("this changes the game; only lines that look can be queries");
            }
            Ok(_) => {
                let error = CommandError::new("the program is waiting for input");
                answer.fail(error.instruct("answer it, or", ":abandon", "to cancel"))
            }
            Err(diagnostics) => answer.reject(diagnostics),
        }
        answer
    }
}

/// An answer that was rejected; the message is `message | how to fix it`.
fn rejected_answer(message: &str, line: &str) -> Diagnostic {
    let (message, note) = message.split_once(" | ").unwrap_or((message, ""));
    let error = Diagnostic::error(Phase::Check, "RT026", Span::default(), message);
    let mut notes = Vec::new();
    if !note.is_empty() {
        notes.push(note.to_string());
    }
    if line.trim_start().starts_with(':') {
        notes.push("commands such as `:help` and `:board` work here; `:abandon` cancels".into());
    }
    Diagnostic {
        span: None,
        notes,
        ..error
    }
}
