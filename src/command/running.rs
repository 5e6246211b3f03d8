//! Commands that run the program.
//!
//! ```text
//! run        execution control: `step`, `next`, `finish`, `continue` and related commands
//! step_expr  commands that show how a value is computed
//! ```

pub(crate) mod run;
pub(crate) mod step_expr;
