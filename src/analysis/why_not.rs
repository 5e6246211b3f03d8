//! `:why not`: explains why something is not true, or did not happen, by running the code that
//! decides it on the current game, with rollback.
//!
//! ```text
//! call            why a handler or function did not run in the last action
//! call_site       the statements that call a function
//! candidate       candidates of the counterfactual search: changes that are tried together
//! cell_change     changes of one cell
//! click           why a click on a cell does nothing
//! condition       why the game has not ended, in languages that have no variable for it
//! counterfactual  finds the smallest changes of the game that would make a condition true
//! expression      which change of the game would make an expression true
//! flag            why a flag such as `win` or a field such as `ann.win` is false
//! reachable       what the player can do next
//! solve           finds numbers that make the two sides of a comparison equal
//! state_change    candidate changes of the game state for the counterfactual search
//! test            the tests of a run, with the values that they compared
//! trial           trial runs
//! unknown_piece   names that are compared with the names of pieces, but that no piece has
//! value_change    changes of variables, record fields and list elements
//! writes          the statements that assign to a flag or field, and what they did in a run
//! ```

mod call;
mod call_site;
mod candidate;
mod cell_change;
mod click;
mod condition;
mod counterfactual;
mod expression;
mod flag;
mod reachable;
mod solve;
mod state_change;
mod test;
mod trial;
mod unknown_piece;
mod value_change;
mod writes;

pub use call::{is_function_name, why_not_called};
pub use click::{click_handler, why_not_click};
pub use condition::{conditions, is_false_field, was_field_true, why_not_ended};
pub use expression::changes_that_make_true;
pub use flag::{why_not_field, why_not_flag};
pub use trial::end_trials;

use crate::code::FunctionId;
use crate::debugger::Target;

/// How long a single run may take.
pub(crate) const WHY_NOT_BUDGET_INSTRUCTIONS: u64 = 20_000_000;

fn function_name(target: &Target, function: FunctionId) -> String {
    target
        .machine
        .function(function)
        .map_or_else(String::new, |f| f.name.to_string())
}
