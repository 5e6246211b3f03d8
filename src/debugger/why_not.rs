//! `:why not`: explains why something is not true, or did not happen, by running the code that
//! decides it on the current game, with rollback.

mod call;
mod click;
mod condition;
mod counterfactual;
mod flag;
mod state_change;
mod test;

use super::Target;
use super::recorder::{Sink, ValueProfile};
use crate::code::FunctionId;

/// How long a single run may take.
pub(crate) const WHY_NOT_BUDGET_INSTRUCTIONS: u64 = 20_000_000;

impl Target {
    /// Runs a function and returns its value profile. To be called inside `with_rollback`.
    fn profile_run(&mut self, function: FunctionId) -> ValueProfile {
        let started = self.machine.start(function, &[]);
        let mut profile = ValueProfile::new(&self.machine, WHY_NOT_BUDGET_INSTRUCTIONS);
        if started.is_ok() {
            self.machine.run_observed(&mut profile.recorder());
        }
        profile
    }

    fn function_name(&self, function: FunctionId) -> String {
        self.machine
            .function(function)
            .map_or_else(String::new, |f| f.name.to_string())
    }
}
