//! Which change of the game would make an expression true.

use super::counterfactual::DesiredOutcome;
use super::trial::{Trial, TrialEnd};
use crate::answer::CounterfactualSearch;
use crate::debugger::Target;
use crate::value::Value;

impl Target {
    /// Searches for the smallest changes of the game that would make a false expression true. `None`
    /// if there is nothing to change, and at a stop, where its variables may be local.
    pub(crate) fn changes_that_make_true(
        &mut self,
        expression: &str,
    ) -> Option<CounterfactualSearch> {
        if self.is_stopped() {
            return None;
        }
        let trial = Trial::action(self.compile_action(expression.to_string())?);
        let (profile, end) = self.in_trial(&trial, |target| target.profile_trial(&trial));
        if !matches!(end, TrialEnd::Finished(Value::FALSE)) {
            return None;
        }
        let desired = DesiredOutcome::ReturnsTrue;
        let transitions = self.try_actions(desired).transitions;
        self.search_counterfactuals(&profile, &trial, desired, &transitions)
    }
}
