//! Program input: answering, inspecting and cancelling while the program waits at an input prompt.

use super::{Answer, Line, Session, Style, reject, session_file};
use crate::debugger::eval::scratch_source;
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::Span;

impl Session {
    /// Answers the input prompt and resumes the program.
    pub fn answer(&mut self, line: &str) -> Answer {
        let mut reply = Answer::new(line);
        let Some((question, input_kind)) = self.target.pending_input.take() else {
            return reply;
        };
        match self.target.machine.answer(input_kind, line) {
            Ok(()) => {
                if let Some(entry) = self.target.timeline.current_mut() {
                    entry.answers.push(line.to_string());
                }
                let target = self.target.interrupted_step.take();
                reply.absorb(self.target.run(|run| run.resume(target)));
            }
            Err(message) => {
                let mut error = rejected_answer(&message);
                if line.trim_start().starts_with(':') {
                    error.notes.push(
                        "commands such as `:help` and `:board` work here; `:abandon` cancels"
                            .into(),
                    );
                }
                reply.diagnostics.push(error);
                reply.question = Some(question.clone());
                self.target.pending_input = Some((question, input_kind));
            }
        }
        reply
    }

    /// Cancels the entry that is waiting for input because the input has ended, and records that
    /// in the journal. Returns the text of the entry; `None` if none is waiting.
    pub fn end_input(&mut self) -> Option<String> {
        let text = self.target.cancel_input()?;
        if let Some(journal) = &mut self.journal {
            journal.append(&session_file::SessionItem::EndOfInput);
        }
        Some(text)
    }

    /// Asks the language something, such as `:type`, while no entry can be run.
    pub fn query_language(&mut self, text: &str) -> Answer {
        let mut reply = Answer::new(text);
        let source = scratch_source(text);
        let frame = self.target.with_input_suspended(|s| s.frame_scope());
        match self
            .target
            .language
            .compile_entry(&source, self.target.program(), frame.as_ref())
        {
            Ok(compiled) if compiled.entry_point.is_none() => {
                compiled
                    .messages
                    .into_iter()
                    .for_each(|message| reply.line(Line::styled(Style::Dim, message)));
            }
            Ok(_) => {
                reply.error("the program is waiting for input; answer it, or `:abandon` to cancel")
            }
            Err(diagnostics) => reject(&mut reply, diagnostics),
        }
        reply
    }
}

/// An answer that was rejected; the message is `message | how to fix it`.
fn rejected_answer(message: &str) -> Diagnostic {
    let (message, note) = message.split_once(" | ").unwrap_or((message, ""));
    let error = Diagnostic::error(Phase::Check, "RT026", Span::default(), message);
    let notes = if note.is_empty() {
        Vec::new()
    } else {
        vec![note.to_string()]
    };
    Diagnostic {
        span: None,
        notes,
        ..error
    }
}
