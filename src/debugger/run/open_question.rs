//! The question at which the program waits for input: asking it, and asking it again when undo, redo or
//! another way through the history leads back to it.

use super::RunStart;
use super::program_input::Suspension;
use crate::answer::Question;
use crate::code::Instr;
use crate::frame;
use crate::{StepTarget, Target};

/// A question of the program that has not been answered.
pub struct PendingInput {
    pub(crate) question: Question,
    /// Where the run started that asked.
    pub(crate) start: RunStart,
    /// Says how the language parses the answer.
    pub(crate) input_kind: u8,
    /// The step in progress when the program asked; resumed after the answer.
    pub(crate) step: Option<StepTarget>,
}

impl Target {
    /// Waits for input. The step in progress is resumed after the answer.
    pub(crate) fn ask(
        &mut self,
        text: String,
        input_kind: u8,
        start: RunStart,
        step: Option<StepTarget>,
    ) -> Question {
        let answer_type = self.language.input_type(self.program(), input_kind);
        let (program, store) = (self.program(), &self.machine.store);
        let other_boards = self
            .language
            .other_boards(program, store)
            .into_iter()
            .map(|board| (program.format_value)(program, store, board, false))
            .collect();
        let question = Question {
            text,
            answer_type,
            other_boards,
        };
        self.timeline.collect_checkpoints(&mut self.machine);
        self.timeline.set_open_question(&question.text);
        self.suspension = Suspension::Question(PendingInput {
            question: question.clone(),
            start,
            input_kind,
            step,
        });
        question
    }

    /// If the current position is at the question that ends an entry of the history, waits there for
    /// input.
    pub(crate) fn reopen_question(&mut self) -> Option<Question> {
        let text = self.timeline.open_question(&self.machine)?;
        let input_kind = self.pending_input_kind()?;
        let question = self.ask(text.to_string(), input_kind, RunStart::Entry, None);
        self.debugger.selected_frame = frame::default_frame(self);
        Some(question)
    }

    /// The kind of the question at which the run waits, also while a command looks at it.
    pub fn pending_input_kind(&self) -> Option<u8> {
        match self.machine.next_instruction() {
            Some(Instr::Ask { input_kind, .. }) => Some(input_kind),
            _ => None,
        }
    }
}
