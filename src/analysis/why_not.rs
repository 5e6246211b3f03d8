//! `:why not`: explains why something is not true, or did not happen, by running the code that
//! decides it on the current game, with rollback.

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

pub(crate) use call::{is_function_name, why_not_called};
pub(crate) use click::{click_handler, why_not_click};
pub(crate) use condition::{conditions, is_false_field, was_field_true, why_not_ended};
pub(crate) use expression::changes_that_make_true;
pub(crate) use flag::{why_not_field, why_not_flag};
pub(crate) use trial::end_trials;

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
