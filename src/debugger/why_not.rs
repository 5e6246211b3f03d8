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
use super::api::NamedValue;
use super::value_profile::ValueProfile;
use crate::code::FunctionId;
use crate::source::Span;

/// How long a single run may take.
pub(crate) const WHY_NOT_BUDGET_INSTRUCTIONS: u64 = 20_000_000;

impl Target {
    /// Runs a function and returns its value profile. To be called inside `with_rollback`.
    fn profile_run(&mut self, function: FunctionId) -> ValueProfile {
        let started = self.machine.start(function, &[]);
        let mut profile = ValueProfile::new(&self.machine, WHY_NOT_BUDGET_INSTRUCTIONS);
        if started.is_ok() {
            self.machine.run_observed(&mut profile);
        }
        profile
    }

    fn function_name(&self, function: FunctionId) -> String {
        self.machine
            .function(function)
            .map_or_else(String::new, |f| f.name.to_string())
    }

    /// The variables that a statement reads, each once, with their current values.
    pub(crate) fn variables_read(&self, function: FunctionId, span: Span) -> Vec<NamedValue> {
        let Some(code) = self.machine.function(function) else {
            return Vec::new();
        };
        let Some(stop) = code
            .stop_points
            .iter()
            .filter(|s| s.span.contains(span))
            .min_by_key(|s| s.span.end - s.span.start)
        else {
            return Vec::new();
        };
        let end = code
            .stop_points
            .iter()
            .map(|s| s.pc)
            .find(|pc| *pc > stop.pc)
            .unwrap_or(code.code.len() as u32);
        let mut variables: Vec<NamedValue> = Vec::new();
        for instr in &code.code[stop.pc as usize..end as usize] {
            let Some(global) = instr.global_read() else {
                continue;
            };
            let Some(variable) = self.program().globals.get(global as usize) else {
                continue;
            };
            // The flags are what is being explained, not a reason.
            if self.is_unset_flag(variable.name.as_str()) {
                continue;
            }
            let value = self.machine.store.globals.get(global as usize);
            let variable = NamedValue {
                name: variable.name.to_string(),
                value: value.map_or_else(String::new, |v| self.format_value(*v)),
            };
            if !variables.contains(&variable) {
                variables.push(variable);
            }
        }
        variables
    }
}
