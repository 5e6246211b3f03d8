//! Candidates of the counterfactual search: changes that are tried together.

use super::reachable::Transitions;
use super::state_change::{ChangeTarget, MAX_CHANGES_TRIED, Origin, StateChange, Usefulness};
use crate::answer::Counterfactual;
use crate::debugger::Target;
use crate::debugger::recorder::ValueProfile;
use crate::value::Value;
use crate::why_not::cell_change;
use crate::why_not::state_change;
use crate::why_not::value_change;
use std::rc::Rc;

/// Combinations of three or more cells are tried only if there are at most this many cells.
const MAX_CELLS_COMBINED: usize = 16;

/// Changes that are tried together; at least one.
pub(crate) struct Candidate {
    pub(crate) changes: Vec<Rc<StateChange>>,
    /// Whether these are all cells with the same content.
    is_bulk: bool,
}

impl Candidate {
    fn together(changes: Vec<Rc<StateChange>>) -> Candidate {
        Candidate {
            changes,
            is_bulk: false,
        }
    }

    /// That of its least useful change.
    fn usefulness(&self) -> Option<Usefulness> {
        self.changes.iter().map(|change| change.usefulness).max()
    }

    pub(crate) fn describe(&self) -> Counterfactual {
        match self.changes.first().filter(|_| self.is_bulk) {
            Some(first) => Counterfactual::EveryCell {
                current: first.current.clone(),
                new: first.new.clone(),
                cells: self.changes.iter().map(|c| c.name.clone()).collect(),
            },
            None => Counterfactual::Together {
                changes: self.changes.iter().map(|c| c.describe()).collect(),
            },
        }
    }
}

/// Whether a candidate adds nothing to one that has the desired outcome.
pub(crate) fn is_redundant(target: &Target, candidate: &Candidate, solution: &Candidate) -> bool {
    match (candidate.changes.as_slice(), solution.changes.as_slice()) {
        ([change], [smaller]) => {
            change.target == smaller.target
                && change.extends(smaller, state_change::present_value(target, smaller.target))
        }
        // Of pairs of variables, one for each first variable is enough.
        ([first, ..], [other, ..]) => !first.is_cell() && first.target == other.target,
        _ => false,
    }
}

/// All changes of a single field, variable, element or cell, the most useful first. At most one
/// more than `MAX_CHANGES_TRIED`.
pub(crate) fn single_changes(
    target: &Target,
    profile: &ValueProfile,
    solving: &[(ChangeTarget, Vec<Value>)],
    transitions: &Transitions,
) -> Vec<Rc<StateChange>> {
    let values = value_change::value_changes(target, profile, solving);
    let cells = cell_change::changes_of_cells(
        target,
        cell_change::cells_to_try(target, profile),
        transitions,
    );
    let mut changes: Vec<Rc<StateChange>> = values
        .into_iter()
        .chain(cells.take(MAX_CHANGES_TRIED + 1))
        .map(Rc::new)
        .collect();
    changes.sort_by_key(|change| change.usefulness);
    changes.truncate(MAX_CHANGES_TRIED + 1);
    changes
}

/// Changes of all cells with the same content, if there are more than two.
pub(crate) fn bulk_changes(target: &Target, profile: &ValueProfile) -> Vec<Candidate> {
    let transitions = Transitions::default();
    let changes = cell_change::changes_of_cells(
        target,
        cell_change::cells_to_try(target, profile),
        &transitions,
    );
    let of_one_property = changes.filter(|change| change.origin == Origin::Program);
    let groups = group_by(of_one_property.map(Rc::new), |a, b| {
        (&a.new, &a.current) == (&b.new, &b.current)
    });
    let large = groups.into_iter().filter(|group| group.len() > 2);
    large
        .map(|changes| Candidate {
            changes,
            is_bulk: true,
        })
        .collect()
}

/// The changes in groups of equal ones, in order.
fn group_by(
    changes: impl Iterator<Item = Rc<StateChange>>,
    is_equal: impl Fn(&StateChange, &StateChange) -> bool,
) -> Vec<Vec<Rc<StateChange>>> {
    let mut groups: Vec<Vec<Rc<StateChange>>> = Vec::new();
    for change in changes {
        match groups.iter_mut().find(|g| is_equal(&g[0], &change)) {
            Some(group) => group.push(change),
            None => groups.push(vec![change]),
        }
    }
    groups
}

/// Each change on its own.
pub(crate) fn single_candidates(singles: &[Rc<StateChange>]) -> Vec<Candidate> {
    let singles = singles.iter();
    singles
        .map(|change| Candidate::together(vec![change.clone()]))
        .collect()
}

/// Changes of `count` cells to the same content. For more than two cells, only if there are few to
/// choose from.
pub(crate) fn cell_combinations(singles: &[Rc<StateChange>], count: usize) -> Vec<Candidate> {
    let cells = singles
        .iter()
        .filter(|c| c.is_cell() && c.origin == Origin::Program);
    let groups = group_by(cells.cloned(), |a, b| a.new == b.new);
    let mut chosen = Vec::new();
    let is_feasible = |group: &&Vec<_>| count == 2 || group.len() <= MAX_CELLS_COMBINED;
    for group in groups.iter().filter(is_feasible) {
        choose(group, count, &mut Vec::new(), &mut chosen);
    }
    chosen.sort_by_key(Candidate::usefulness);
    chosen
}

/// All combinations of `count` changes, up to one more than `MAX_CHANGES_TRIED`.
fn choose(
    from: &[Rc<StateChange>],
    count: usize,
    taken: &mut Vec<Rc<StateChange>>,
    chosen: &mut Vec<Candidate>,
) {
    if taken.len() == count {
        return chosen.push(Candidate::together(taken.clone()));
    }
    for (n, change) in from.iter().enumerate() {
        if chosen.len() > MAX_CHANGES_TRIED {
            return;
        }
        taken.push(Rc::clone(change));
        choose(&from[n + 1..], count, taken, chosen);
        taken.pop();
    }
}

/// Changes of two variables, fields or elements, to values that the program uses; up to one more than
/// `MAX_CHANGES_TRIED`.
pub(crate) fn variable_pairs(singles: &[Rc<StateChange>]) -> Vec<Candidate> {
    let variables: Vec<&Rc<StateChange>> = singles
        .iter()
        .filter(|c| !c.is_cell() && c.origin == Origin::Program)
        .collect();
    let pairs = variables.iter().enumerate().flat_map(|(n, a)| {
        let later = variables[n + 1..].iter();
        later
            .filter(|b| a.name != b.name)
            .map(|b| vec![Rc::clone(a), Rc::clone(b)])
    });
    pairs
        .take(MAX_CHANGES_TRIED + 1)
        .map(Candidate::together)
        .collect()
}
