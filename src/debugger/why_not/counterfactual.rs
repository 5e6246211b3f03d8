//! Finds the smallest changes of the game state that would make a condition true, by trying them.
//!
//! Each candidate is applied, the condition is run on the result, and everything is rolled back. So
//! the answer is correct for any condition, however it is written.

use super::state_change::{
    Candidate, ChangeTarget, MAX_CHANGES_TRIED, StateChange, cell_combinations, single_candidates,
    variable_pairs,
};
use crate::code::{FunctionId, Status};
use crate::debugger::Target;
use crate::debugger::api::{ChangeClass, Counterfactual, CounterfactualSearch, TriedChanges};
use crate::debugger::recorder::ValueProfile;
use crate::language::Viewport;
use crate::machine::{Outcome, UntilTime};
use crate::value::Value;
use std::rc::Rc;

/// Budget for all candidates together.
const SEARCH_BUDGET_INSTRUCTIONS: u64 = 10_000_000;
/// What one rollback costs, in instructions that would take as long.
const ROLLBACK_COST_INSTRUCTIONS: u64 = 1_000;

/// The outcome that a candidate must produce.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum DesiredOutcome {
    /// This global variable becomes true.
    GlobalTrue(u32),
    /// The function returns true, or the game ends.
    TrueOrGameOver,
}

/// The classes in the order in which they are tried: the smallest changes first.
const CLASSES: [ChangeClass; 6] = [
    ChangeClass::Single,
    ChangeClass::TwoCells,
    ChangeClass::TwoVariables,
    ChangeClass::ThreeCells,
    ChangeClass::FourCells,
    ChangeClass::Bulk,
];

impl Target {
    /// Searches for the smallest changes of the game state that would give a condition the desired
    /// outcome. `None` if there is nothing to change.
    pub(super) fn search_counterfactuals(
        &mut self,
        profile: &ValueProfile,
        id: FunctionId,
        desired: DesiredOutcome,
    ) -> Option<CounterfactualSearch> {
        let mut budget = SEARCH_BUDGET_INSTRUCTIONS;
        // Setting the desired variable itself is not an explanation.
        let is_trivial = |c: &StateChange| matches!(c.target, ChangeTarget::Global(g) if desired == DesiredOutcome::GlobalTrue(g));
        let singles: Vec<Rc<StateChange>> = self
            .single_changes(profile)
            .into_iter()
            .filter(|c| !is_trivial(c))
            .collect();
        if singles.is_empty() {
            return None;
        }
        let mut search = CounterfactualSearch {
            tried: Vec::new(),
            solutions: Vec::new(),
            is_complete: singles.len() < MAX_CHANGES_TRIED,
        };
        for class in CLASSES {
            let candidates = match class {
                ChangeClass::Single => single_candidates(&singles),
                ChangeClass::TwoCells => cell_combinations(&singles, 2),
                ChangeClass::TwoVariables => variable_pairs(&singles),
                ChangeClass::ThreeCells => cell_combinations(&singles, 3),
                ChangeClass::FourCells => cell_combinations(&singles, 4),
                ChangeClass::Bulk => self.bulk_changes(profile),
            };
            search.tried.push(TriedChanges {
                class,
                candidates: candidates.len(),
            });
            search.solutions = self.solutions(&candidates, id, desired, &mut budget);
            search.is_complete &= budget > 0;
            if budget == 0 || !search.solutions.is_empty() {
                break;
            }
        }
        Some(search)
    }

    /// The candidates that give the desired outcome.
    fn solutions(
        &mut self,
        candidates: &[Candidate],
        id: FunctionId,
        desired: DesiredOutcome,
        budget: &mut u64,
    ) -> Vec<Counterfactual> {
        let (mut solutions, mut variables) = (Vec::new(), Vec::new());
        for candidate in candidates {
            let variable = candidate.first_variable();
            if *budget == 0 {
                break;
            }
            // For each variable, only the value closest to the current one is of interest.
            if variable.is_some_and(|v| variables.contains(&v))
                || !self.is_solution(candidate, id, desired, budget)
            {
                continue;
            }
            solutions.push(candidate.describe());
            variables.extend(variable);
        }
        solutions
    }

    /// Whether a condition has the desired outcome after a change.
    fn is_solution(
        &mut self,
        candidate: &Candidate,
        id: FunctionId,
        desired: DesiredOutcome,
        budget: &mut u64,
    ) -> bool {
        self.with_rollback(|target| {
            for change in &candidate.changes {
                target.apply_change(change.target, change.value);
            }
            let start = target.machine.time();
            if target.machine.start(id, &[]).is_err() {
                return false;
            }
            let outcome = target.machine.run_observed(&mut UntilTime(start + *budget));
            *budget =
                budget.saturating_sub(target.machine.time() - start + ROLLBACK_COST_INSTRUCTIONS);
            let Outcome::Finished(value) = outcome else {
                return false;
            };
            match desired {
                DesiredOutcome::GlobalTrue(n) => {
                    target.machine.store.globals.get(n as usize) == Some(&Value::TRUE)
                }
                DesiredOutcome::TrueOrGameOver => {
                    value == Value::TRUE || target.view(Viewport::NONE).status != Status::Playing
                }
            }
        })
    }
}
