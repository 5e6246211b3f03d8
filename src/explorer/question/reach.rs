//! Whether an ending can be reached from the current position: a search with a small budget that is
//! counted in instructions, so that the answer is quick and does not depend on the clock.

use super::confirm::Expected;
use super::find::FindRequest;
use crate::answer::{FindVerdict, Reachability, SearchStop};
use crate::debugger::Target;
use crate::model::goal::CompiledGoal;
use crate::model::setup::Scope;
use crate::search::Exploration;
use crate::search::control::{SearchControl, SearchLimits};
use crate::{Explorer, require_moves};
use std::time::Duration;

/// What may run in total.
const BUDGET_INSTRUCTIONS: u64 = 10_000_000;
/// What a single action may take.
const MAX_ACTION_INSTRUCTIONS: u64 = 200_000;
/// Positions that may be found.
const MAX_POSITIONS: usize = 20_000;

/// Whether moves lead to a goal such as `win`. `None` if there is nothing to search, or after Ctrl-C.
pub fn reachability(
    explorer: &mut Explorer,
    target: &mut Target,
    goal: &str,
) -> Option<Reachability> {
    let request = FindRequest {
        goal: goal.to_string(),
        count: 1,
        ..FindRequest::default()
    };
    let scope = Scope::default();
    require_moves(target, &scope).ok()?;
    let compiled = CompiledGoal::new(target, goal, false).ok()?;
    let limits = SearchLimits {
        time: Duration::from_secs(1 << 40),
        positions: MAX_POSITIONS,
        threads: 1,
        memory_bytes: explorer.limits.memory_bytes,
    };
    let now = || Duration::ZERO;
    let mut report = |_| {};
    let cancel = target.machine.interrupt_flag();
    let mut control = SearchControl::new(limits, &now, cancel, &mut report);
    if control.lacks_memory(target) {
        return Some(Reachability::Unknown {
            goal: goal.to_string(),
            positions: 0,
            assumed: Vec::new(),
        });
    }
    explorer.clear_if_large(limits.memory_bytes);
    let mut exploration = Exploration::new(target, &compiled, &scope).ok()?;
    exploration.graph.overhead.add_cache(limits.memory_bytes);
    exploration
        .simulator
        .set_budget(BUDGET_INSTRUCTIONS, MAX_ACTION_INSTRUCTIONS);
    let (result, found) = exploration.find(&compiled, &request, &mut control).ok()?;
    match (result.verdict, found.first().copied()) {
        (FindVerdict::Found, Some(found)) => {
            let moves = exploration.confirmed_line(target, found, &mut Expected::Position)?;
            (!moves.is_empty()).then(|| Reachability::Found {
                goal: goal.to_string(),
                moves,
            })
        }
        (FindVerdict::Never, _) => Some(Reachability::Never {
            goal: goal.to_string(),
            positions: result.extent.positions,
        }),
        (FindVerdict::Unknown, _) if result.extent.stopped_by != Some(SearchStop::Interrupt) => {
            Some(Reachability::Unknown {
                goal: goal.to_string(),
                positions: result.extent.positions,
                assumed: match result.extent.complete {
                    true => result.extent.assumed,
                    false => Vec::new(),
                },
            })
        }
        _ => None,
    }
}
