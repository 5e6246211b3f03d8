//! What would make a condition true: small changes of the game are tried on copies of it, until some do.
//!
//! Nothing is guessed. What is told was tried, so it holds whatever the condition says, and however it says it.

use super::state_change::{
    ChangeTarget, MAX_CHANGES_TRIED, StateChange, cell_combinations, variable_pairs,
};
use crate::code::{FunctionId, Status};
use crate::debugger::value_profile::ValueProfile;
use crate::language::Viewport;
use crate::machine::{Outcome, UntilTime};
use crate::session::{Line, Reply, Session, Style};
use crate::value::Value;

/// How many instructions all that is tried may take, and how many a copy of the game counts for.
const BUDGET: u64 = 10_000_000;
const COPY: u64 = 1_000;
/// More ways than these are counted.
const MOST_TOLD: usize = 3;

/// What has to come of a run.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum DesiredOutcome {
    /// This variable is true.
    GlobalTrue(u32),
    /// It answers that something is true, or the game is over.
    TrueOrGameOver,
}

/// How much is changed at once.
#[derive(Clone, Copy)]
enum Sort {
    One,
    Cells(usize),
    Variables,
    Whole,
}

impl Sort {
    /// The smallest first.
    const ALL: [Sort; 6] = [
        Sort::One,
        Sort::Cells(2),
        Sort::Variables,
        Sort::Cells(3),
        Sort::Cells(4),
        Sort::Whole,
    ];
}

impl Session {
    /// Tells the smallest changes of the game that would make a condition true: of one cell or variable, of some cells
    /// in the same way, of two variables, of all cells that hold the same.
    pub(super) fn report_counterfactuals(
        &mut self,
        census: &ValueProfile,
        id: FunctionId,
        wanted: DesiredOutcome,
        reply: &mut Reply,
    ) {
        let mut left = BUDGET;
        let own = |c: &StateChange| {
            c.writes
                .iter()
                .any(|(spot, _)| matches!(spot, ChangeTarget::Global(g) if wanted == DesiredOutcome::GlobalTrue(*g)))
        };
        let singles: Vec<StateChange> = self
            .single_changes(census)
            .into_iter()
            .filter(|c| !own(c))
            .collect();
        if singles.is_empty() {
            return;
        }
        for sort in Sort::ALL {
            let changes = match sort {
                Sort::One => singles.iter().map(|c| (c.describe(), c.clone())).collect(),
                Sort::Cells(count) => cell_combinations(&singles, count),
                Sort::Variables => variable_pairs(&singles),
                Sort::Whole => self.bulk_changes(census),
            };
            let found = self.that_work(&changes, id, wanted, &mut left);
            let Some(first) = found.first() else {
                if left == 0 {
                    return;
                }
                continue;
            };
            let mut words = format!("  it would be true if {first}");
            for other in found.iter().skip(1).take(MOST_TOLD - 1) {
                words.push_str(&format!("; or if {other}"));
            }
            match found.len().saturating_sub(MOST_TOLD) {
                0 => {}
                1 => words.push_str("; there is one way more"),
                n => words.push_str(&format!("; there are {n} ways more")),
            }
            return self.push_wrapped(&words, reply);
        }
        if singles.len() < MAX_CHANGES_TRIED {
            let words = "  no change of a single cell or variable would make it true";
            reply.line(Line::styled(Style::Dim, words));
        }
    }

    fn that_work<'c>(
        &mut self,
        changes: &'c [(String, StateChange)],
        id: FunctionId,
        wanted: DesiredOutcome,
        left: &mut u64,
    ) -> Vec<&'c str> {
        let (mut found, mut variables) = (Vec::new(), Vec::new());
        for (words, change) in changes {
            let variable = change
                .writes
                .first()
                .map(|(spot, _)| *spot)
                .filter(|_| !change.is_cells_only());
            if *left == 0 {
                break;
            }
            // Of a variable the nearest value says enough.
            if variable.is_some_and(|v| variables.contains(&v))
                || !self.works(change, id, wanted, left)
            {
                continue;
            }
            found.push(words.as_str());
            variables.extend(variable);
        }
        found
    }

    /// Whether a condition is true after a change.
    fn works(
        &mut self,
        change: &StateChange,
        id: FunctionId,
        wanted: DesiredOutcome,
        left: &mut u64,
    ) -> bool {
        self.with_rollback(|s| {
            change
                .writes
                .iter()
                .for_each(|(spot, value)| s.apply_change(*spot, *value));
            let start = s.machine.time();
            if s.machine.start(id, &[]).is_err() {
                return false;
            }
            let outcome = s.machine.run_observed(&mut UntilTime(start + *left));
            *left = left.saturating_sub(s.machine.time() - start + COPY);
            let Outcome::Finished(value) = outcome else {
                return false;
            };
            match wanted {
                DesiredOutcome::GlobalTrue(n) => {
                    s.machine.store.globals.get(n as usize) == Some(&Value::TRUE)
                }
                DesiredOutcome::TrueOrGameOver => {
                    value == Value::TRUE || s.view(Viewport::NONE).status != Status::Playing
                }
            }
        })
    }
}
