//! A program that asks and waits: its answer, what is done meanwhile, and giving up.

use super::{Line, Reply, Session, Style, reject, session_file};
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::{Origin, Source, SourceId, Span};

impl Session {
    /// What the program asks and waits for.
    pub fn question(&self) -> Option<String> {
        self.pending_input
            .as_ref()
            .map(|(question, _)| question.clone())
    }

    pub fn is_waiting_for_input(&self) -> bool {
        self.pending_input.is_some()
    }

    /// Answers the question that the program waits with.
    pub fn answer(&mut self, line: &str) -> Reply {
        let mut reply = Reply::new(line);
        let Some((question, what)) = self.pending_input.take() else {
            return reply;
        };
        match self.machine.answer(what, line) {
            Ok(()) => {
                if let Some(record) = self.timeline.current_mut() {
                    record.answers.push(line.to_string());
                }
                let goal = self.interrupted_step.take();
                self.resume(goal, &mut reply);
            }
            Err(message) => {
                let mut wrong = unreadable(&message);
                if line.trim_start().starts_with(':') {
                    wrong.notes.push(
                        "commands such as `:help` and `:board` work here; `:abandon` cancels"
                            .into(),
                    );
                }
                reply.diagnostics.push(wrong);
                reply.question = Some(question.clone());
                self.pending_input = Some((question, what));
            }
        }
        reply
    }

    /// There is no more input: the question stays without answer, and what asked it never happened.
    pub fn end_input(&mut self) {
        if self.cancel_input()
            && let Some(journal) = &mut self.journal
        {
            journal.append(&session_file::SessionItem::EndOfInput);
        }
    }

    /// What asks never happened; false if nothing does.
    pub fn cancel_input(&mut self) -> bool {
        let asked = self.pending_input.take().is_some();
        if asked {
            self.discard_last_entry();
            self.debugger.selected_frame = self.default_frame();
        }
        asked
    }

    /// Looks around where the program waits for an answer, as at a stop.
    pub fn with_input_suspended<R>(&mut self, look: impl FnOnce(&mut Session) -> R) -> R {
        let asked = self.pending_input.take();
        let seen = look(self);
        self.pending_input = asked;
        seen
    }

    /// A question to the language itself, such as `:type`, where no entry can be done.
    pub fn query_language(&mut self, text: &str) -> Reply {
        let mut reply = Reply::new(text);
        let source = Source::new(SourceId(u32::MAX - 1), Origin::Entry(0), text);
        let frame = self.with_input_suspended(|s| s.frame_scope());
        match self
            .language
            .compile_entry(&source, self.program(), frame.as_ref())
        {
            Ok(compiled) if compiled.entry_point.is_none() => {
                compiled
                    .messages
                    .into_iter()
                    .for_each(|said| reply.line(Line::styled(Style::Dim, said)));
            }
            Ok(_) => reply.error("the program is waiting for input; answer it, or `:abandon` to cancel"),
            Err(diagnostics) => reject(&mut reply, diagnostics),
        }
        reply
    }
}

/// An answer that is no answer; `message | how to mend it`.
fn unreadable(message: &str) -> Diagnostic {
    let (message, note) = message.split_once(" | ").unwrap_or((message, ""));
    let told = Diagnostic::error(Phase::Check, "RT026", Span::default(), message);
    let notes = if note.is_empty() {
        Vec::new()
    } else {
        vec![note.to_string()]
    };
    Diagnostic {
        span: None,
        notes,
        ..told
    }
}
