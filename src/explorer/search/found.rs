//! Which positions and actions of a search are a goal, and how many moves lead to them.

use super::Exploration;
use super::control::{SearchControl, StoppedBy};
use crate::answer::CommandError;
use crate::model::goal::{Goal, GoalCheck};
use crate::position::graph::PositionId;
use crate::position::packing::Phase;
use crate::question::find::FindRequest;

/// A position that is a goal, or an action that is.
pub(crate) type Found = (PositionId, Option<u32>);

/// Positions in which a goal is looked for between two looks at the clock.
const POSITIONS_BETWEEN_CHECKS: u32 = 16;

impl Exploration {
    /// The number of moves to what was found.
    pub(crate) fn depth_of(&self, (id, last): Found) -> usize {
        let is_move = |label| !self.graph.info(id).is_chance() || self.ends_turn(id, label);
        let depth = self.graph.depth(id) + usize::from(last.is_some_and(is_move));
        let is_drawn = match last {
            Some(_) => Phase::of(self.graph.bytes(id)) == Phase::TurnDraw,
            None => self.is_after_early_draw(id),
        };
        // Without a move before it, a turn has to begin for the number to be drawn.
        depth.max(usize::from(is_drawn))
    }

    /// Whether a number has just been drawn, before the first question of a turn.
    pub(crate) fn is_after_early_draw(&self, id: PositionId) -> bool {
        let is_draw = |id| Phase::of(self.graph.bytes(id)) == Phase::TurnDraw;
        id != 0 && is_draw(self.graph.parent(id))
    }

    /// Adds the goals among the positions from `next` on.
    pub(crate) fn add_found(
        &self,
        check: &mut GoalCheck,
        goal: &Goal,
        next: &mut PositionId,
        request: &FindRequest,
        control: &SearchControl<'_>,
        found: &mut Vec<Found>,
    ) -> Result<Option<StoppedBy>, CommandError> {
        let count = request.count.max(1);
        match goal {
            Goal::Error => {
                let at_start = self.start_failure.iter().map(|_| (0, None));
                let failures = self.graph.failures.iter();
                let failures = failures.map(|f| (f.position, Some(f.label)));
                *found = at_start.chain(failures).collect();
                self.keep_shortest(found, count);
            }
            Goal::Event => {
                let at_start = self.has_start_hit.then_some((0, None));
                let hits = self
                    .graph
                    .hits
                    .iter()
                    .map(|(id, label)| (*id, Some(*label)));
                *found = at_start.into_iter().chain(hits).collect();
                self.keep_shortest(found, count);
            }
            // An action may have an effect that is left out, or another answer one.
            Goal::Stuck if !self.knows_dead_ends(&request.scope) => {}
            Goal::Stuck => {
                while (*next as usize) < self.graph.len() && found.len() < count {
                    let info = self.graph.info(*next);
                    if !info.is_end() && !self.graph.is_expanded(*next) {
                        break;
                    }
                    if self.graph.is_dead_end(*next) {
                        found.push((*next, None));
                    }
                    *next += 1;
                }
            }
            Goal::End(_) | Goal::Condition(_) | Goal::Value(_) => {
                while (*next as usize) < self.graph.len() && found.len() < count {
                    if next.is_multiple_of(POSITIONS_BETWEEN_CHECKS)
                        && let Some(stopped) = control.interrupted_by()
                    {
                        return Ok(Some(stopped));
                    }
                    if !self.follows_found(*next, found) && check.is_goal(self, *next)? {
                        found.push((*next, None));
                    }
                    *next += 1;
                }
            }
        }
        Ok(None)
    }

    /// Keeps so many of what was found, those with the fewest moves.
    fn keep_shortest(&self, found: &mut Vec<Found>, count: usize) {
        // What is found while a turn draws numbers may belong to the move after those that were searched.
        if self.setup.turns_ask {
            found.sort_by_key(|f| self.depth_of(*f));
        }
        found.truncate(count);
    }

    /// Whether the same moves lead to the end of a turn that was found, and then to this question of the next
    /// one.
    fn follows_found(&self, id: PositionId, found: &[Found]) -> bool {
        if !self.setup.keeps_turn_ends {
            return false;
        }
        let phase = |id| Phase::of(self.graph.bytes(id));
        let mut from = self.graph.parent(id);
        while phase(from) == Phase::TurnDraw && from != 0 {
            from = self.graph.parent(from);
        }
        phase(from) == Phase::TurnEnd && found.iter().any(|(id, _)| *id == from)
    }

    /// Whether a goal would have been found if it could be reached with this many moves.
    pub(crate) fn has_checked(&self, goal: &Goal, moves: usize) -> bool {
        // The position without moves is found first.
        let has_start = self.graph.layer_count() > 1 || self.is_complete();
        // What happens during a move is known when the position after it is; that a position is a dead end, when
        // all moves from there have been tried.
        let depth = match goal {
            Goal::Stuck => moves.saturating_add(1),
            Goal::Error | Goal::Event | Goal::End(_) | Goal::Condition(_) | Goal::Value(_) => moves,
        };
        has_start && self.complete_depth() >= depth
    }
}
