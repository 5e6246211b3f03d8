//! Searches the positions of a game: which moves are possible, what can be reached, who wins.
//!
//! A search starts from the current position of a [`Target`](crate::debugger::Target) and never changes
//! it: it runs the actions of the game on machines of its own.
//!
//! ```text
//! setup      the game as plain data: moves, goals, which variables can matter (cone)
//! packing    a position as bytes: equal positions have equal bytes
//! simulator  runs the actions of a position on a machine
//! graph      positions and moves, stored compactly (arena)
//! search     breadth-first search, in several threads (workers), within limits (control)
//! goal       what to look for
//! facts      which code runs in the actions, and which conditions are true or false
//! find, moves, solve, stats, check: the answers
//! opponent   the computer as a player; playout: its games with random moves
//! ```

mod actions;
mod arena;
mod check;
mod cone;
mod control;
mod expansion;
mod facts;
mod find;
mod goal;
mod graph;
mod input;
mod line;
mod merger;
mod moves;
mod opponent;
mod packing;
mod playout;
mod projection;
mod property_check;
mod remarks;
mod search;
mod setup;
mod simulator;
mod solve;
mod stats;
#[cfg(not(target_family = "wasm"))]
mod workers;

pub use control::{SearchControl, SearchLimits, SearchProgress, StoppedBy};
pub use expansion::{ActionFailure, PositionInfo};
pub use find::FindRequest;
pub use graph::{Edge, Failure, PositionId};
pub use input::InputRange;
pub use moves::MAX_MOVES_LISTED;
pub use opponent::{ChosenMove, MAX_LEVEL, MoveChoice, OpponentLevel};
pub use search::Exploration;
pub use setup::{Reductions, Scope, Watch};
pub use simulator::ACTION_BUDGET_INSTRUCTIONS;
pub use stats::DEFAULT_RANDOM_GAMES;

use crate::code::Program;
use crate::debugger::Target;
use crate::debugger::api::CommandError;
use crate::language::Actions;
use facts::Facts;
use goal::CompiledGoal;
use std::rc::Rc;

/// Answers questions about the positions of a game. Keeps what the last search has found, so that
/// several questions about the same position cost one search.
#[derive(Default)]
pub struct Explorer {
    /// Limits of each search.
    pub limits: SearchLimits,
    cached: Option<CachedExploration>,
}

struct CachedExploration {
    program: Rc<Program>,
    scope: Scope,
    exploration: Exploration,
    /// What happens in the actions, once it was asked for.
    facts: Option<Facts>,
}

impl Explorer {
    /// The search from the current position that keeps what a goal depends on: the last one, if it can
    /// be continued, otherwise a new one.
    fn exploration(
        &mut self,
        target: &Target,
        goal: &CompiledGoal,
        scope: &Scope,
    ) -> Result<&mut Exploration, CommandError> {
        require_moves(target, scope)?;
        let new = Exploration::new(
            target,
            goal.program.clone(),
            &goal.functions,
            scope,
            goal.watch.clone(),
        )?;
        let is_same = |cached: &CachedExploration| {
            Rc::ptr_eq(&cached.program, target.program())
                && cached.scope == *scope
                && cached.exploration.is_same_search(&new)
        };
        let cached = match self.cached.take().filter(is_same) {
            Some(cached) => cached,
            None => CachedExploration {
                program: target.program().clone(),
                scope: scope.clone(),
                exploration: new,
                facts: None,
            },
        };
        Ok(&mut self.cached.insert(cached).exploration)
    }

    /// Forgets what was found.
    pub fn clear(&mut self) {
        self.cached = None;
    }
}

/// An error if there is nothing to search.
pub fn require_moves(target: &Target, scope: &Scope) -> Result<(), CommandError> {
    let model = target.language().move_model(target.program());
    let has_moves = model.actions != Actions::None
        || model.game_entry.is_some()
        || scope.game.is_some()
        || !target.machine.is_idle();
    match has_moves {
        true => Ok(()),
        false => Err(CommandError::new(
            "this program has no moves to search: it neither reacts to moves nor asks for them",
        )),
    }
}
