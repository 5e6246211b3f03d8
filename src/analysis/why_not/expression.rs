//! Which change of the game would make an expression true.

use super::counterfactual::DesiredOutcome;
use super::trial::{Trial, TrialEnd};
use crate::answer::CounterfactualSearch;
use crate::debugger::Target;
use crate::value::Value;
use crate::why_not::counterfactual;
use crate::why_not::reachable;
use crate::why_not::trial;

/// Searches for the smallest changes of the game that would make a false expression true. `None`
/// if there is nothing to change, and at a stop, where its variables may be local.
pub fn changes_that_make_true(
    target: &mut Target,
    expression: &str,
) -> Option<CounterfactualSearch> {
    if target.is_stopped() {
        return None;
    }
    let trial = Trial::action(trial::compile_action(target, expression.to_string())?);
    let (profile, end) = trial::in_trial(target, &trial, |target| {
        trial::profile_trial(target, &trial)
    });
    if !matches!(end, TrialEnd::Finished(Value::FALSE)) {
        return None;
    }
    let desired = DesiredOutcome::ReturnsTrue;
    let transitions = reachable::try_actions(target, desired).transitions;
    counterfactual::search_counterfactuals(target, &profile, &trial, desired, &transitions)
}
