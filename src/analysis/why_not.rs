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

use crate::code::FunctionId;
use crate::debugger::Target;

/// How long a single run may take.
pub(crate) const WHY_NOT_BUDGET_INSTRUCTIONS: u64 = 20_000_000;

impl Target {
    fn function_name(&self, function: FunctionId) -> String {
        self.machine
            .function(function)
            .map_or_else(String::new, |f| f.name.to_string())
    }
}
