//! What the game has said since it was last told, and where to point at when it fails.

use super::{Line, Reply, Session, Style};
use crate::diagnostic::{Diagnostic, Phase, Severity};
use crate::machine::{Channel, Output, RuntimeError};
use crate::source::{SourceId, Span};

/// Of what the rules tell while something runs, this many lines are shown: the last ones.
const MOST_NOTES: usize = 5;

impl Session {
    /// What the game has said since it was last told.
    pub(super) fn drain_output(&mut self, reply: &mut Reply) {
        let outputs = &self.machine.log().outputs;
        let mut notes = Vec::new();
        // After a new branch has begun the log is shorter than what was told.
        for output in outputs
            .get(self.log_cursor.outputs as usize..)
            .unwrap_or_default()
        {
            match output.channel {
                Channel::Print => reply.output.push(output.text.to_string()),
                Channel::Display => {}
                Channel::Warning => {
                    let text = output.text.to_string();
                    let told = Diagnostic::warning(Phase::Runtime, "RT023", Span::default(), text);
                    let told = Diagnostic {
                        span: self.output_span(output),
                        ..told
                    };
                    // The same again, as by a hundred moves in one line, says nothing new.
                    if reply.diagnostics.last() != Some(&told) {
                        reply.diagnostics.push(told);
                    }
                }
                Channel::Info => notes.push(output.text.clone()),
            }
        }
        let more = notes.len().saturating_sub(MOST_NOTES);
        for note in notes.into_iter().skip(more) {
            reply.line(Line::styled(Style::Dim, note.to_string()));
        }
        if more > 0 {
            reply.line(Line::styled(
                Style::Dim,
                format!("and {more} more of this kind before; `:trace on` tells all"),
            ));
        }
        self.log_cursor = self.machine.log_end();
        reply.display = self.machine.store.message.as_ref().map(|m| m.to_string());
    }

    /// The place to point at: the innermost one that is not a line of the rules.
    pub(super) fn error_span(&self) -> Option<Span> {
        let frames = self.machine.frames();
        let top = frames.len().checked_sub(1)?;
        frames.iter().enumerate().rev().find_map(|(n, frame)| {
            let function = self.machine.function(frame.function)?;
            // Frames below the top stand behind their call.
            let pc = if n == top {
                frame.pc
            } else {
                frame.pc.saturating_sub(1)
            };
            let span = function.spans.get(pc as usize).copied()?;
            (span.source != SourceId::RULES && span != Span::default()).then_some(span)
        })
    }

    /// Where something was said; what the rules of play say belongs to the entry that made them say it.
    pub(super) fn output_span(&self, output: &Output) -> Option<Span> {
        let own = |span: &Span| span.source != SourceId::RULES;
        output.span.filter(own).or_else(|| {
            let source = self.sources.get(self.timeline.entries().last()?.source?)?;
            Some(source.full_span())
        })
    }

    pub(super) fn runtime_error(&self, fault: &RuntimeError) -> Diagnostic {
        let mut diagnostic = Diagnostic {
            severity: Severity::Error,
            phase: Phase::Runtime,
            code: fault.code,
            message: fault.message.clone(),
            span: self.error_span(),
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
        };
        diagnostic.notes.extend(fault.note.clone());
        diagnostic
    }
}
