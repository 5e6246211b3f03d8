//! Finds the smallest changes of the game state that would make a condition true, by trying them.
//!
//! Each candidate is applied, the condition is run on the result, and everything is rolled back. So
//! the answer is correct for any condition, however it is written.

use super::state_change::{
    ChangeTarget, MAX_CHANGES_TRIED, StateChange, cell_combinations, variable_pairs,
};
use crate::code::{FunctionId, Status};
use crate::debugger::value_profile::ValueProfile;
use crate::language::Viewport;
use crate::machine::{Outcome, UntilTime};
use crate::session::{Answer, Line, Session, Style};
use crate::value::Value;

/// Budget for all candidates together.
const SEARCH_BUDGET_INSTRUCTIONS: u64 = 10_000_000;
/// What one rollback costs, in instructions that would take as long.
const ROLLBACK_COST_INSTRUCTIONS: u64 = 1_000;
/// Solutions beyond this are only counted.
const MAX_SOLUTIONS_SHOWN: usize = 3;

/// The outcome that a candidate must produce.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum DesiredOutcome {
    /// This global variable becomes true.
    GlobalTrue(u32),
    /// The function returns true, or the game ends.
    TrueOrGameOver,
}

/// A class of candidates.
#[derive(Clone, Copy)]
enum CandidateClass {
    /// A single cell or variable.
    Single,
    /// This number of cells, all changed to the same.
    Cells(usize),
    /// Two variables.
    VariablePair,
    /// All cells with the same content.
    Bulk,
}

impl CandidateClass {
    /// In the order in which they are tried: the smallest changes first.
    const ALL: [CandidateClass; 6] = [
        CandidateClass::Single,
        CandidateClass::Cells(2),
        CandidateClass::VariablePair,
        CandidateClass::Cells(3),
        CandidateClass::Cells(4),
        CandidateClass::Bulk,
    ];
}

impl Session {
    /// Shows the smallest changes of the game state that would give a condition the desired
    /// outcome.
    pub(super) fn report_counterfactuals(
        &mut self,
        profile: &ValueProfile,
        id: FunctionId,
        desired: DesiredOutcome,
        reply: &mut Answer,
    ) {
        let mut budget = SEARCH_BUDGET_INSTRUCTIONS;
        // Setting the desired variable itself is not an explanation.
        let is_trivial = |c: &StateChange| {
            c.writes.iter().any(|(target, _)| {
                matches!(target, ChangeTarget::Global(g) if desired == DesiredOutcome::GlobalTrue(*g))
            })
        };
        let singles: Vec<StateChange> = self
            .single_changes(profile)
            .into_iter()
            .filter(|c| !is_trivial(c))
            .collect();
        if singles.is_empty() {
            return;
        }
        for class in CandidateClass::ALL {
            let changes = match class {
                CandidateClass::Single => {
                    singles.iter().map(|c| (c.describe(), c.clone())).collect()
                }
                CandidateClass::Cells(count) => cell_combinations(&singles, count),
                CandidateClass::VariablePair => variable_pairs(&singles),
                CandidateClass::Bulk => self.bulk_changes(profile),
            };
            let solutions = self.solutions(&changes, id, desired, &mut budget);
            let Some(first) = solutions.first() else {
                if budget == 0 {
                    return;
                }
                continue;
            };
            let mut text = format!("  it would be true if {first}");
            for other in solutions.iter().skip(1).take(MAX_SOLUTIONS_SHOWN - 1) {
                text.push_str(&format!("; or if {other}"));
            }
            match solutions.len().saturating_sub(MAX_SOLUTIONS_SHOWN) {
                0 => {}
                1 => text.push_str("; and 1 more possibility"),
                n => text.push_str(&format!("; and {n} more possibilities")),
            }
            return self.push_wrapped(&text, reply);
        }
        if singles.len() < MAX_CHANGES_TRIED {
            let text = "  Changing a single cell or variable would not make it true";
            reply.line(Line::styled(Style::Dim, text));
        }
    }

    /// The descriptions of the candidates that give the desired outcome.
    fn solutions<'c>(
        &mut self,
        changes: &'c [(String, StateChange)],
        id: FunctionId,
        desired: DesiredOutcome,
        budget: &mut u64,
    ) -> Vec<&'c str> {
        let (mut solutions, mut variables) = (Vec::new(), Vec::new());
        for (description, change) in changes {
            let variable = change
                .writes
                .first()
                .map(|(target, _)| *target)
                .filter(|_| !change.is_cells_only());
            if *budget == 0 {
                break;
            }
            // For each variable, only the value closest to the current one is of interest.
            if variable.is_some_and(|v| variables.contains(&v))
                || !self.is_solution(change, id, desired, budget)
            {
                continue;
            }
            solutions.push(description.as_str());
            variables.extend(variable);
        }
        solutions
    }

    /// Whether a condition has the desired outcome after a change.
    fn is_solution(
        &mut self,
        change: &StateChange,
        id: FunctionId,
        desired: DesiredOutcome,
        budget: &mut u64,
    ) -> bool {
        self.with_rollback(|s| {
            change
                .writes
                .iter()
                .for_each(|(target, value)| s.apply_change(*target, *value));
            let start = s.target.machine.time();
            if s.target.machine.start(id, &[]).is_err() {
                return false;
            }
            let outcome = s
                .target
                .machine
                .run_observed(&mut UntilTime(start + *budget));
            *budget =
                budget.saturating_sub(s.target.machine.time() - start + ROLLBACK_COST_INSTRUCTIONS);
            let Outcome::Finished(value) = outcome else {
                return false;
            };
            match desired {
                DesiredOutcome::GlobalTrue(n) => {
                    s.target.machine.store.globals.get(n as usize) == Some(&Value::TRUE)
                }
                DesiredOutcome::TrueOrGameOver => {
                    value == Value::TRUE || s.target.view(Viewport::NONE).status != Status::Playing
                }
            }
        })
    }
}
