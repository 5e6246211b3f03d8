//! Finds the smallest changes of the game state that would make a condition true, by trying them.
//!
//! Each candidate is applied, the condition is run on the result, and everything is rolled back. So
//! the answer is correct for any condition, however it is written.

use super::candidate::{Candidate, cell_combinations, single_candidates, variable_pairs};
use super::reachable::Transitions;
use super::state_change::{ChangeTarget, MAX_CHANGES_TRIED, StateChange};
use super::trial::{Trial, TrialEnd};
use crate::answer::{ChangeClass, Counterfactual, CounterfactualSearch, TriedChanges};
use crate::code::Status;
use crate::debugger::Target;
use crate::debugger::recorder::ValueProfile;
use crate::value::Value;
use std::rc::Rc;

/// Budget for all candidates together.
const SEARCH_BUDGET_INSTRUCTIONS: u64 = 30_000_000;
/// What one rollback costs, in instructions that would take as long.
pub(crate) const ROLLBACK_COST_INSTRUCTIONS: u64 = 1_000;

/// The outcome that a candidate must produce.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum DesiredOutcome {
    /// This global variable becomes true.
    GlobalTrue(u32),
    /// This field of a record becomes true.
    FieldTrue(Value, usize),
    /// The function returns true.
    ReturnsTrue,
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
    /// Searches for the smallest changes of the game state that would give a trial the desired
    /// outcome. `None` if there is nothing to change.
    pub(crate) fn search_counterfactuals(
        &mut self,
        profile: &ValueProfile,
        trial: &Trial,
        desired: DesiredOutcome,
        transitions: &Transitions,
    ) -> Option<CounterfactualSearch> {
        if self.is_trial_interrupted() {
            return None;
        }
        self.in_trial(trial, |target| {
            let solving = target.solve_comparisons(profile, trial);
            let mut singles = target.single_changes(profile, &solving, transitions);
            // Setting the desired variable itself, or ending the game, is not an explanation.
            singles.retain(|change| !target.is_trivial(change, desired));
            (!singles.is_empty()).then(|| target.search(profile, trial, desired, &singles))
        })
    }

    fn search(
        &mut self,
        profile: &ValueProfile,
        trial: &Trial,
        desired: DesiredOutcome,
        singles: &[Rc<StateChange>],
    ) -> CounterfactualSearch {
        let mut budget = SEARCH_BUDGET_INSTRUCTIONS;
        let mut search = CounterfactualSearch {
            tried: Vec::new(),
            solutions: Vec::new(),
            cell_count: singles_of(singles, StateChange::is_cell).len(),
            names: singles_of(singles, |change| !change.is_cell()),
            is_complete: true,
        };
        for class in CLASSES {
            let mut candidates = match class {
                ChangeClass::Single => single_candidates(singles),
                ChangeClass::TwoCells => cell_combinations(singles, 2),
                ChangeClass::TwoVariables => variable_pairs(singles),
                ChangeClass::ThreeCells => cell_combinations(singles, 3),
                ChangeClass::FourCells => cell_combinations(singles, 4),
                ChangeClass::Bulk => self.bulk_changes(profile),
            };
            search.is_complete &= candidates.len() <= MAX_CHANGES_TRIED;
            candidates.truncate(MAX_CHANGES_TRIED);
            let (tried, solutions) = self.solutions(&candidates, trial, desired, &mut budget);
            search.tried.push(TriedChanges {
                class,
                candidates: candidates.len(),
                tried,
            });
            search.solutions = solutions;
            search.is_complete &= tried == candidates.len();
            if budget == 0 || !search.solutions.is_empty() {
                break;
            }
        }
        search
    }

    /// The candidates that give the desired outcome, and how many were tried.
    fn solutions(
        &mut self,
        candidates: &[Candidate],
        trial: &Trial,
        desired: DesiredOutcome,
        budget: &mut u64,
    ) -> (usize, Vec<Counterfactual>) {
        let mut solutions: Vec<&Candidate> = Vec::new();
        let mut tried = 0;
        for candidate in candidates {
            if self.is_trial_interrupted() {
                *budget = 0;
            }
            if *budget == 0 {
                break;
            }
            let is_redundant = solutions.iter().any(|s| self.is_redundant(candidate, s));
            if !is_redundant && self.is_solution(candidate, trial, desired, budget) {
                solutions.push(candidate);
            }
            tried += 1;
        }
        let solutions = solutions.into_iter().map(Candidate::describe).collect();
        (tried, solutions)
    }

    /// Whether a trial has the desired outcome after a change.
    fn is_solution(
        &mut self,
        candidate: &Candidate,
        trial: &Trial,
        desired: DesiredOutcome,
        budget: &mut u64,
    ) -> bool {
        self.with_rollback(|target| {
            for change in &candidate.changes {
                target.apply_change(change.target, change.value);
            }
            let end = target.run_trial(trial, budget);
            *budget = budget.saturating_sub(ROLLBACK_COST_INSTRUCTIONS);
            matches!(end, TrialEnd::Finished(value) if target.is_reached(desired, value))
        })
    }

    /// Whether a change has the desired outcome without a run.
    fn is_trivial(&mut self, change: &StateChange, desired: DesiredOutcome) -> bool {
        let present = self.present_value(change.target);
        self.apply_change(change.target, change.value);
        let is_trivial = self.is_reached(desired, Value::NOTHING);
        self.apply_change(change.target, present);
        is_trivial
    }

    /// Whether a run that returned `value` had the desired outcome.
    pub(crate) fn is_reached(&self, desired: DesiredOutcome, value: Value) -> bool {
        match desired {
            DesiredOutcome::GlobalTrue(n) => {
                self.present_value(ChangeTarget::Global(n)) == Value::TRUE
            }
            DesiredOutcome::FieldTrue(record, n) => {
                self.present_value(ChangeTarget::Field(record, n)) == Value::TRUE
            }
            DesiredOutcome::ReturnsTrue => value == Value::TRUE,
            DesiredOutcome::TrueOrGameOver => {
                value == Value::TRUE || self.progress().status != Status::Playing
            }
        }
    }
}

/// The names of the cells or variables that are changed, in order.
fn singles_of(
    singles: &[Rc<StateChange>],
    is_included: impl Fn(&StateChange) -> bool,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for change in singles.iter().filter(|change| is_included(change)) {
        if names.last() != Some(&change.name) {
            names.push(change.name.clone());
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}
