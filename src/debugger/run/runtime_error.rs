//! Finds the source spans of outputs and runtime errors.

use crate::Target;
use crate::diagnostic::{Diagnostic, Phase, Severity};
use crate::machine::{Output, RuntimeError};
use crate::source::{SourceId, Span};

impl Target {
    /// The span to report an error at: the innermost one in the user's own code.
    pub(crate) fn error_span(&self) -> Option<Span> {
        let frames = self.machine.frames();
        frames.iter().enumerate().rev().find_map(|(n, frame)| {
            let function = self.machine.function(frame.function)?;
            let pc = self.machine.executing_pc(n);
            let span = function.spans.get(pc as usize).copied()?;
            (span.source != SourceId::RULES && span != Span::default()).then_some(span)
        })
    }

    /// The statement that produced an output. Output of the built-in rules is attributed to the
    /// entry that triggered it.
    pub(crate) fn output_span(&self, output: &Output) -> Option<Span> {
        let is_user_code = |span: &Span| span.source != SourceId::RULES;
        output.span.filter(is_user_code).or_else(|| {
            let mut entries = self.timeline.entries().iter().rev();
            let entry = entries.find(|entry| !entry.is_answer())?;
            let source = self.sources.get(entry.source?)?;
            Some(source.full_span())
        })
    }

    /// A runtime error as a diagnostic, with its source span.
    pub fn runtime_error(&self, error: &RuntimeError) -> Diagnostic {
        let mut diagnostic = Diagnostic {
            severity: Severity::Error,
            phase: Phase::Runtime,
            code: error.code,
            message: error.message.clone(),
            span: self.error_span(),
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            advice: Vec::new(),
        };
        diagnostic.notes.extend(error.note.clone());
        diagnostic
    }
}
