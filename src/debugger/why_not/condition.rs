//! Why the game has not ended, in languages that have no variable for it: runs the conditions that
//! decide it.

use super::counterfactual::DesiredOutcome;
use crate::code::{FunctionId, FunctionKind};
use crate::debugger::api::{ConditionResult, ConditionRun, WhyNot};
use crate::debugger::{Target, WatchTarget};

impl Target {
    /// What would end the game.
    pub fn why_not_ended(&mut self) -> WhyNot {
        WhyNot::GameEnd {
            language: self.language().info().title.to_string(),
            conditions: self.run_conditions(),
        }
    }

    /// Explains why a record field is false, if it was never true, by the conditions of the game.
    pub fn why_not_field(&mut self, name: &str) -> WhyNot {
        WhyNot::FalseField {
            name: name.to_string(),
            conditions: self.run_conditions(),
        }
    }

    /// Whether this is a record field that is false, and not a variable.
    pub fn is_false_field(&self, name: &str) -> bool {
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
    pub(super) fn run_condition(&mut self, id: FunctionId) -> Option<ConditionRun> {
        let function = self.program().function(id)?.clone();
        let (profile, has_finished) = self.with_rollback(|target| {
            let profile = target.profile_run(id);
            (profile, target.machine.is_idle())
        });
        let result = if has_finished {
            let desired = DesiredOutcome::TrueOrGameOver;
            ConditionResult::Finished {
                tests: self.tests(&profile, &[]),
                search: self.search_counterfactuals(&profile, id, desired),
            }
        } else {
            ConditionResult::NotFinished
        };
        Some(ConditionRun {
            name: function.name.to_string(),
            range: self.source_range(function.span),
            result,
        })
    }

    /// The functions that decide whether the game ends.
    pub(crate) fn conditions(&self) -> Vec<FunctionId> {
        let functions = self.program().functions.iter().enumerate();
        functions
            .filter(|(_, f)| f.kind == FunctionKind::Condition)
            .map(|(n, _)| FunctionId(n as u32))
            .collect()
    }
}
