//! Why the game has not ended, in languages that have no variable for it: runs the conditions that
//! decide it.

use super::counterfactual::DesiredOutcome;
use super::trial::{Trial, TrialEnd};
use crate::answer::{ConditionResult, ConditionRun, WhyNot};
use crate::code::{FunctionId, FunctionKind};
use crate::debugger::{Target, WatchTarget};

impl Target {
    /// What would end the game.
    pub fn why_not_ended(&mut self) -> WhyNot {
        WhyNot::GameEnd {
            language: self.language().info().title.to_string(),
            conditions: self.run_conditions(),
        }
    }

    /// Whether this is a record field that is false, and not a variable.
    pub fn is_false_field(&mut self, name: &str) -> bool {
        let field = WatchTarget::RecordField(name.to_string());
        self.watch_value(&field).as_deref() == Some("false")
            && self.program().global(name).is_none()
    }

    /// Whether the last change of a record field was from true to something else.
    pub fn was_field_true(&mut self, name: &str) -> bool {
        let field = WatchTarget::RecordField(name.to_string());
        let now = self.machine.time();
        self.with_time(|target| target.last_change(&field, now))
            .is_some_and(|(_, old, _)| old == "true")
    }

    fn run_conditions(&mut self) -> Vec<ConditionRun> {
        let conditions = self.conditions();
        conditions
            .into_iter()
            .filter_map(|id| self.run_condition(id))
            .collect()
    }

    /// Runs a condition on the current game, and finds out why it is not true.
    pub(crate) fn run_condition(&mut self, id: FunctionId) -> Option<ConditionRun> {
        let function = self.program().function(id)?.clone();
        let result = match self.trial(id) {
            Some(trial) => self.condition_result(&trial),
            None => ConditionResult::NotFinished,
        };
        Some(ConditionRun {
            name: function.name.to_string(),
            range: self.source_range(function.span),
            result,
        })
    }

    fn condition_result(&mut self, trial: &Trial) -> ConditionResult {
        let desired = DesiredOutcome::TrueOrGameOver;
        let (profile, end, is_reached) = self.in_trial(trial, |target| {
            let (profile, end) = target.profile_trial(trial);
            let is_reached =
                matches!(end, TrialEnd::Finished(value) if target.is_reached(desired, value));
            (profile, end, is_reached)
        });
        let mut search = || {
            let actions = self.try_actions(desired);
            self.search_counterfactuals(&profile, trial, desired, &actions.transitions)
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
                tests: self.tests(&profile, &[]),
            },
        }
    }

    /// The functions that decide whether the game ends.
    pub(crate) fn conditions(&self) -> Vec<FunctionId> {
        let functions = self.program().functions.iter().enumerate();
        functions
            .filter(|(_, f)| f.kind == FunctionKind::Condition && f.parameter_count == 0)
            .map(|(n, _)| FunctionId(n as u32))
            .collect()
    }
}
