//! Moves the program's output from the machine's log into the reply, and finds the source spans of
//! outputs and runtime errors.

use super::{Line, Reply, Session, Style};
use crate::diagnostic::{Diagnostic, Phase};
use crate::machine::Channel;
use crate::source::Span;

/// Of the info lines that the rules log during a run, only this many are shown: the last ones.
const MAX_INFO_LINES_SHOWN: usize = 5;

impl Session {
    /// Adds the output since the last call to the reply.
    pub(super) fn drain_output(&mut self, reply: &mut Reply) {
        let outputs = &self.target.machine.log().outputs;
        let mut infos = Vec::new();
        // A new branch can make the log shorter than the cursor.
        for output in outputs
            .get(self.target.log_cursor.outputs as usize..)
            .unwrap_or_default()
        {
            match output.channel {
                Channel::Print => reply.output.push(output.text.to_string()),
                Channel::Display => {}
                Channel::Warning => {
                    let text = output.text.to_string();
                    let warning = Diagnostic {
                        span: self.target.output_span(output),
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
        self.target.log_cursor = self.target.machine.log_end();
        reply.display = self
            .target
            .machine
            .store
            .message
            .as_ref()
            .map(|m| m.to_string());
    }
}
