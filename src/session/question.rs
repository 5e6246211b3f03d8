//! A program that asks and waits: its answer, what is done meanwhile, and giving up.

use super::{Line, Reply, Session, Style, file, refuse};
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::{Origin, Source, SourceId, Span};

impl Session {
    /// What the program asks and waits for.
    pub fn question(&self) -> Option<String> {
        self.asking.as_ref().map(|(question, _)| question.clone())
    }

    pub fn is_asking(&self) -> bool {
        self.asking.is_some()
    }

    /// Answers the question that the program waits with.
    pub fn answer(&mut self, line: &str) -> Reply {
        let mut reply = Reply::to(line);
        let Some((question, what)) = self.asking.take() else {
            return reply;
        };
        match self.machine.answer(what, line) {
            Ok(()) => {
                if let Some(record) = self.timeline.current_mut() {
                    record.answers.push(line.to_string());
                }
                let goal = self.going_to.take();
                self.drive(goal, &mut reply);
            }
            Err(message) => {
                let mut wrong = unreadable(&message);
                if line.trim_start().starts_with(':') {
                    wrong.notes.push(
                        "commands such as `:help` and `:board` work here; `:abandon` gives up"
                            .into(),
                    );
                }
                reply.diagnostics.push(wrong);
                reply.question = Some(question.clone());
                self.asking = Some((question, what));
            }
        }
        reply
    }

    /// There is no more input: the question stays without answer, and what asked it never happened.
    pub fn give_up_asking(&mut self) {
        if self.drop_question()
            && let Some(journal) = &mut self.journal
        {
            journal.append(&file::Part::GivenUp);
        }
    }

    /// What asks never happened; false if nothing does.
    pub fn drop_question(&mut self) -> bool {
        let asked = self.asking.take().is_some();
        if asked {
            self.drop_last();
            self.debugger.frame = self.own_frame();
        }
        asked
    }

    /// Looks around where the program waits for an answer, as at a stop.
    pub fn while_it_waits<R>(&mut self, look: impl FnOnce(&mut Session) -> R) -> R {
        let asked = self.asking.take();
        let seen = look(self);
        self.asking = asked;
        seen
    }

    /// A question to the language itself, such as `:type`, where no entry can be done.
    pub fn ask_language(&mut self, text: &str) -> Reply {
        let mut reply = Reply::to(text);
        let source = Source::new(SourceId(u32::MAX - 1), Origin::Entry(0), text);
        let frame = self.while_it_waits(|s| s.frame_scope());
        match self.language.entry(&source, self.program(), frame.as_ref()) {
            Ok(compiled) if compiled.run.is_none() => {
                compiled
                    .said
                    .into_iter()
                    .for_each(|said| reply.line(Line::styled(Style::Dim, said)));
            }
            Ok(_) => reply.error("the program waits for an answer; `:abandon` gives up what asks"),
            Err(diagnostics) => refuse(&mut reply, diagnostics),
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
