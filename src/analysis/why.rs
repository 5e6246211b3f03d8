//! `:why`: explains the state of the game from its history, down to the values that each statement
//! used.
//!
//! ```text
//! cause           finds the cause of a change in code that runs statement by statement
//! deciding_tests  the tests that decide why an expression is not true
//! equations       explains values computed by equations
//! game_over       explains why the game has ended
//! initially_true  warns about win and lose conditions that are true when the game starts
//! last_changed    what changed last, for `:why` without a question
//! local           explains local variables and parameters of functions with equations
//! output          explains why a line was printed
//! parameter       explains a parameter that has the value of its argument
//! ```

mod cause;
mod deciding_tests;
mod equations;
mod game_over;
mod initially_true;
mod last_changed;
mod local;
mod output;
mod parameter;

pub use deciding_tests::deciding_tests;
pub use equations::{explain_traced, trace_expr, why_expression};
pub use game_over::why_ended;
pub use initially_true::conditions_initially_true;
pub use last_changed::last_changed;
pub use local::why_local;
pub use output::printed_outputs;
pub use output::why_output;

use crate::answer::{Explanation, ExplanationNode, Subject};
use crate::debugger::breakpoint;
use crate::debugger::diff;
use crate::debugger::{Target, WatchTarget};

/// The causes of something, and the callers of the code that caused it.
#[derive(Default)]
pub(crate) struct Causes {
    nodes: Vec<ExplanationNode>,
    callers: Callers,
}

/// The callers of a frame, innermost first.
#[derive(Default)]
pub(crate) struct Callers {
    nodes: Vec<ExplanationNode>,
    /// How many more there are.
    omitted: usize,
}

/// Explains the last change of a variable or cell: the statement, the values it used, the
/// branch it is in and its callers.
pub fn why(target: &mut Target, watched: &WatchTarget, name: &str) -> Explanation {
    let name = match watched {
        WatchTarget::Cell(..) => breakpoint::watch_label(target, watched),
        _ => name.to_string(),
    };
    let now = target.machine.time();
    let Some((time, old, new)) = target.with_time(|s| s.last_change(watched, now)) else {
        if let Some(explanation) = parameter::why_parameter(target, watched) {
            return explanation;
        }
        let dropped = target.timeline.dropped_history();
        let since = dropped.map(|dropped| dropped.known_since);
        let subject = Subject::Unchanged { name, since };
        return cause::explanation(target, subject, None, Causes::default());
    };
    let old = Some(old).filter(|old| !old.is_empty());
    let subject = Subject::Change { name, old, new };
    let causes = match equations::causes_of_computed_value(
        target,
        time,
        diff::watched_cell(target, watched),
    ) {
        Some(causes) => causes,
        None => cause::causes_at(target, time),
    };
    cause::explanation(target, subject, Some(time), causes)
}
