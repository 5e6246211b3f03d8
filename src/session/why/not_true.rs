//! The variables that a statement reads, as text.

use crate::code::FunctionId;
use crate::session::Session;
use crate::source::Span;

impl Session {
    /// The variables that a statement reads, as `x is 1, y is 2`.
    pub(in crate::session) fn format_variables_read(
        &self,
        function: FunctionId,
        span: Span,
    ) -> String {
        let variables = self.target.variables_read(function, span);
        let texts: Vec<String> = variables
            .iter()
            .map(|v| format!("{} is {}", v.name, v.value))
            .collect();
        texts.join(", ")
    }
}
