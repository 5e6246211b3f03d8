//! Moves the program's output from the machine's log into the reply, and finds the source spans of
//! outputs and runtime errors.

use super::{Line, Reply, Session, Style};
use crate::diagnostic::{Diagnostic, Phase, Severity};
use crate::machine::{Channel, Output, RuntimeError};
use crate::source::{SourceId, Span};

/// Of the info lines that the rules log during a run, only this many are shown: the last ones.
const MAX_INFO_LINES_SHOWN: usize = 5;

impl Session {
    /// Adds the output since the last call to the reply.
    pub(super) fn drain_output(&mut self, reply: &mut Reply) {
        let outputs = &self.machine.log().outputs;
        let mut infos = Vec::new();
        // A new branch can make the log shorter than the cursor.
        for output in outputs
            .get(self.log_cursor.outputs as usize..)
            .unwrap_or_default()
        {
            match output.channel {
                Channel::Print => reply.output.push(output.text.to_string()),
                Channel::Display => {}
                Channel::Warning => {
                    let text = output.text.to_string();
                    let warning = Diagnostic {
                        span: self.output_span(output),
                        ..Diagnostic::warning(Phase::Runtime, "RT023", Span::default(), text)
                    };
                    // One entry with a hundred moves can repeat the same warning.
                    if reply.diagnostics.last() != Some(&warning) {
                        reply.diagnostics.push(warning);
                    }
                }
                Channel::Info => infos.push(output.text.clone()),
            }
        }
        let omitted = infos.len().saturating_sub(MAX_INFO_LINES_SHOWN);
        for info in infos.into_iter().skip(omitted) {
            reply.line(Line::styled(Style::Dim, info.to_string()));
        }
        if omitted > 0 {
            reply.line(Line::styled(
                Style::Dim,
                format!("and {omitted} more before these; `:trace on` shows all"),
            ));
        }
        self.log_cursor = self.machine.log_end();
        reply.display = self.machine.store.message.as_ref().map(|m| m.to_string());
    }

    /// The span to report an error at: the innermost one in the user's own code.
    pub(super) fn error_span(&self) -> Option<Span> {
        let frames = self.machine.frames();
        let top = frames.len().checked_sub(1)?;
        frames.iter().enumerate().rev().find_map(|(n, frame)| {
            let function = self.machine.function(frame.function)?;
            // The pc of a caller is already past its call instruction.
            let pc = if n == top {
                frame.pc
            } else {
                frame.pc.saturating_sub(1)
            };
            let span = function.spans.get(pc as usize).copied()?;
            (span.source != SourceId::RULES && span != Span::default()).then_some(span)
        })
    }

    /// The statement that produced an output. Output of the built-in rules is attributed to the
    /// entry that triggered it.
    pub(super) fn output_span(&self, output: &Output) -> Option<Span> {
        let is_user_code = |span: &Span| span.source != SourceId::RULES;
        output.span.filter(is_user_code).or_else(|| {
            let source = self.sources.get(self.timeline.entries().last()?.source?)?;
            Some(source.full_span())
        })
    }

    /// A runtime error as a diagnostic, with its source span.
    pub(super) fn runtime_error(&self, error: &RuntimeError) -> Diagnostic {
        let mut diagnostic = Diagnostic {
            severity: Severity::Error,
            phase: Phase::Runtime,
            code: error.code,
            message: error.message.clone(),
            span: self.error_span(),
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
        };
        diagnostic.notes.extend(error.note.clone());
        diagnostic
    }
}
