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
use crate::why_not::candidate;
use crate::why_not::solve;
use crate::why_not::state_change;
use crate::why_not::trial;
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

/// Searches for the smallest changes of the game state that would give a trial the desired
/// outcome. `None` if there is nothing to change.
pub(crate) fn search_counterfactuals(
    target: &mut Target,
    profile: &ValueProfile,
    trial: &Trial,
    desired: DesiredOutcome,
    transitions: &Transitions,
) -> Option<CounterfactualSearch> {
    if trial::is_trial_interrupted(target) {
        return None;
    }
    trial::in_trial(target, trial, |target| {
        let solving = solve::solve_comparisons(target, profile, trial);
        let mut singles = candidate::single_changes(target, profile, &solving, transitions);
        // Setting the desired variable itself, or ending the game, is not an explanation.
        singles.retain(|change| !is_trivial(target, change, desired));
        (!singles.is_empty()).then(|| search(target, profile, trial, desired, &singles))
    })
}

fn search(
    target: &mut Target,
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
            ChangeClass::Bulk => candidate::bulk_changes(target, profile),
        };
        search.is_complete &= candidates.len() <= MAX_CHANGES_TRIED;
        candidates.truncate(MAX_CHANGES_TRIED);
        let (tried, solutions) = solutions(target, &candidates, trial, desired, &mut budget);
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
    target: &mut Target,
    candidates: &[Candidate],
    trial: &Trial,
    desired: DesiredOutcome,
    budget: &mut u64,
) -> (usize, Vec<Counterfactual>) {
    let mut solutions: Vec<&Candidate> = Vec::new();
    let mut tried = 0;
    for candidate in candidates {
        if trial::is_trial_interrupted(target) {
            *budget = 0;
        }
        if *budget == 0 {
            break;
        }
        let is_redundant = solutions
            .iter()
            .any(|s| candidate::is_redundant(target, candidate, s));
        if !is_redundant && is_solution(target, candidate, trial, desired, budget) {
            solutions.push(candidate);
        }
        tried += 1;
    }
    let solutions = solutions.into_iter().map(Candidate::describe).collect();
    (tried, solutions)
}

/// Whether a trial has the desired outcome after a change.
fn is_solution(
    target: &mut Target,
    candidate: &Candidate,
    trial: &Trial,
    desired: DesiredOutcome,
    budget: &mut u64,
) -> bool {
    target.with_rollback(|target| {
        for change in &candidate.changes {
            state_change::apply_change(target, change.target, change.value);
        }
        let end = trial::run_trial(target, trial, budget);
        *budget = budget.saturating_sub(ROLLBACK_COST_INSTRUCTIONS);
        matches!(end, TrialEnd::Finished(value) if is_reached(target, desired, value))
    })
}

/// Whether a change has the desired outcome without a run.
fn is_trivial(target: &mut Target, change: &StateChange, desired: DesiredOutcome) -> bool {
    let present = state_change::present_value(target, change.target);
    state_change::apply_change(target, change.target, change.value);
    let is_trivial = is_reached(target, desired, Value::NOTHING);
    state_change::apply_change(target, change.target, present);
    is_trivial
}

/// Whether a run that returned `value` had the desired outcome.
pub(crate) fn is_reached(target: &Target, desired: DesiredOutcome, value: Value) -> bool {
    match desired {
        DesiredOutcome::GlobalTrue(n) => {
            state_change::present_value(target, ChangeTarget::Global(n)) == Value::TRUE
        }
        DesiredOutcome::FieldTrue(record, n) => {
            state_change::present_value(target, ChangeTarget::Field(record, n)) == Value::TRUE
        }
        DesiredOutcome::ReturnsTrue => value == Value::TRUE,
        DesiredOutcome::TrueOrGameOver => {
            value == Value::TRUE || target.progress().status != Status::Playing
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
