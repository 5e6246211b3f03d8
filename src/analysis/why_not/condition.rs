//! Why the game has not ended, in languages that have no variable for it: runs the conditions that
//! decide it.

use super::counterfactual::DesiredOutcome;
use super::trial::{Trial, TrialEnd};
use crate::answer::{ConditionResult, ConditionRun, Details, WhyNot};
use crate::code::{FunctionId, FunctionKind};
use crate::debugger::breakpoint;
use crate::debugger::{Target, WatchTarget};
use crate::why_not::counterfactual;
use crate::why_not::reachable;
use crate::why_not::test;
use crate::why_not::trial;

/// What would end the game.
pub fn why_not_ended(target: &mut Target) -> WhyNot {
    WhyNot::GameEnd {
        language: target.language().info().title.to_string(),
        conditions: run_conditions(target),
        details: Details::First,
    }
}

/// Whether this is a record field that is false, and not a variable.
pub fn is_false_field(target: &mut Target, name: &str) -> bool {
    let field = WatchTarget::RecordField(name.to_string());
    breakpoint::watch_value(target, &field).as_deref() == Some("false")
        && target.program().global(name).is_none()
}

/// Whether the last change of a record field was from true to something else.
pub fn was_field_true(target: &mut Target, name: &str) -> bool {
    let field = WatchTarget::RecordField(name.to_string());
    let now = target.machine.time();
    target
        .with_time(|target| target.last_change(&field, now))
        .is_some_and(|(_, old, _)| old == "true")
}

fn run_conditions(target: &mut Target) -> Vec<ConditionRun> {
    let conditions = conditions(target);
    conditions
        .into_iter()
        .filter_map(|id| run_condition(target, id))
        .collect()
}

/// Runs a condition on the current game, and finds out why it is not true.
pub(crate) fn run_condition(target: &mut Target, id: FunctionId) -> Option<ConditionRun> {
    let function = target.program().function(id)?.clone();
    let result = match trial::trial(target, id) {
        Some(trial) => condition_result(target, &trial),
        None => ConditionResult::NotFinished,
    };
    Some(ConditionRun {
        name: function.name.to_string(),
        range: target.source_range(function.span),
        result,
    })
}

fn condition_result(target: &mut Target, trial: &Trial) -> ConditionResult {
    let desired = DesiredOutcome::TrueOrGameOver;
    let (profile, end, is_reached) = trial::in_trial(target, trial, |target| {
        let (profile, end) = trial::profile_trial(target, trial);
        let is_reached = matches!(end, TrialEnd::Finished(value) if counterfactual::is_reached(target, desired, value));
        (profile, end, is_reached)
    });
    let mut search = || {
        let actions = reachable::try_actions(target, desired);
        counterfactual::search_counterfactuals(
            target,
            &profile,
            trial,
            desired,
            &actions.transitions,
        )
    };
    match end {
        TrialEnd::Unfinished => ConditionResult::NotFinished,
        TrialEnd::Failed(error) => ConditionResult::Failed {
            error,
            search: search(),
        },
        TrialEnd::Finished(_) if is_reached => ConditionResult::True,
        TrialEnd::Finished(_) => ConditionResult::Finished {
            search: search(),
            tests: test::tests(target, &profile, &[]),
        },
    }
}

/// The functions that decide whether the game ends.
pub fn conditions(target: &Target) -> Vec<FunctionId> {
    let functions = target.program().functions.iter().enumerate();
    functions
        .filter(|(_, f)| f.kind == FunctionKind::Condition && f.parameter_count == 0)
        .map(|(n, _)| FunctionId(n as u32))
        .collect()
}
