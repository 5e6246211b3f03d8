//! How checkers report what they find.

use crate::diagnostic::{Diagnostic, Phase};
use crate::source::{Span, work};

/// A checker that collects diagnostics.
pub trait Reporter {
    /// The phase of its diagnostics.
    const PHASE: Phase = Phase::Check;

    /// The diagnostics so far, in the order in which they were reported.
    fn diagnostics(&mut self) -> &mut Vec<Diagnostic>;

    /// Adds what all of its diagnostics say.
    fn complete(&self, _diagnostic: &mut Diagnostic) {}

    /// Adds a diagnostic. Returns it, so that notes can be added.
    fn report(&mut self, mut diagnostic: Diagnostic) -> &mut Diagnostic {
        work::poll();
        self.complete(&mut diagnostic);
        let diagnostics = self.diagnostics();
        diagnostics.push(diagnostic);
        let last = diagnostics.len() - 1;
        &mut diagnostics[last]
    }

    /// Reports an error.
    fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(Diagnostic::error(Self::PHASE, code, span, message))
    }

    /// Reports a warning.
    fn warning(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(Diagnostic::warning(Self::PHASE, code, span, message))
    }
}
