//! Program input: answering, inspecting and cancelling while the program waits at an input prompt.

use super::watch_expr::scratch_source;
use super::{Line, Reply, Session, Style, reject, session_file};
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::Span;

impl Session {
    /// The prompt of the program that is waiting for input.
    pub fn question(&self) -> Option<String> {
        self.pending_input
            .as_ref()
            .map(|(question, _)| question.clone())
    }

    /// True if the program is waiting for input.
    pub fn is_waiting_for_input(&self) -> bool {
        self.pending_input.is_some()
    }

    /// Answers the input prompt and resumes the program.
    pub fn answer(&mut self, line: &str) -> Reply {
        let mut reply = Reply::new(line);
        let Some((question, input_kind)) = self.pending_input.take() else {
            return reply;
        };
        match self.machine.answer(input_kind, line) {
            Ok(()) => {
                if let Some(entry) = self.timeline.current_mut() {
                    entry.answers.push(line.to_string());
                }
                let target = self.interrupted_step.take();
                self.resume(target, &mut reply);
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
                self.pending_input = Some((question, input_kind));
            }
        }
        reply
    }

    /// Cancels the entry that is waiting for input because the input has ended, and records that
    /// in the journal. Returns the text of the entry; `None` if none is waiting.
    pub fn end_input(&mut self) -> Option<String> {
        let text = self.cancel_input()?;
        if let Some(journal) = &mut self.journal {
            journal.append(&session_file::SessionItem::EndOfInput);
        }
        Some(text)
    }

    /// Rolls back the entry that is waiting for input and returns its text; `None` if none is.
    pub fn cancel_input(&mut self) -> Option<String> {
        self.pending_input.take()?;
        let entry = self.discard_last_entry();
        self.debugger.selected_frame = self.default_frame();
        Some(entry.map(|e| e.text).unwrap_or_default())
    }

    /// Runs `f` as if the program were stopped at its input prompt.
    pub fn with_input_suspended<R>(&mut self, f: impl FnOnce(&mut Session) -> R) -> R {
        let pending = self.pending_input.take();
        let result = f(self);
        self.pending_input = pending;
        result
    }

    /// Asks the language something, such as `:type`, while no entry can be run.
    pub fn query_language(&mut self, text: &str) -> Reply {
        let mut reply = Reply::new(text);
        let source = scratch_source(text);
        let frame = self.with_input_suspended(|s| s.frame_scope());
        match self
            .language
            .compile_entry(&source, self.program(), frame.as_ref())
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
