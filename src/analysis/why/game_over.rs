//! Explains why the game has ended, in languages that have no variable for it, from the conditions
//! that decide it.

use super::Causes;
use crate::answer::{Explanation, Subject};
use crate::code::{FunctionId, FunctionKind, Status};
use crate::debugger::breakpoint::{self, GameEvent};
use crate::debugger::{Location, StepTarget, Target, WatchTarget};
use crate::language::Viewport;
use std::collections::HashSet;

impl Target {
    /// Explains why the game has ended; `None` if it has not.
    pub fn why_ended(&mut self) -> Option<Explanation> {
        let view = self.view(Viewport::NONE);
        if view.status == Status::Playing {
            return None;
        }
        // Some languages have a field for this.
        let win_field = view.winner.as_ref().map(|winner| format!("{winner}.win"));
        let has_value = |field: &String| {
            let variables = self.named_values().variables;
            variables.iter().any(|(name, _)| name == field)
        };
        if let Some(field) = win_field.filter(has_value) {
            return Some(self.why(&WatchTarget::RecordField(field.clone()), &field));
        }
        let now = self.machine.time();
        let (time, causes) = self.with_time(|s| s.end_of_game(now))?;
        let subject = Subject::GameOver {
            status: view.status.as_str().to_string(),
            winner: view.winner.as_ref().map(ToString::to_string),
        };
        Some(self.explanation(subject, Some(time), causes))
    }

    /// The time at which the game ended, and why: a statement of the user's code, or the last
    /// condition that was checked.
    fn end_of_game(&mut self, now: u64) -> Option<(u64, Causes)> {
        let events = [GameEvent::Win, GameEvent::Lose, GameEvent::Draw]
            .map(|event| Location::Event(event, None));
        let program = self.machine.program();
        let end_points = events
            .iter()
            .flat_map(|event| breakpoint::resolve(event, program, &self.sources))
            .collect();
        let time = self.last_hit_before(StepTarget::Addresses(end_points), now)?;
        self.timeline.seek_into(&mut self.machine, time);
        let is_user_code = |kind| !matches!(kind, FunctionKind::Rules | FunctionKind::Entry);
        if (0..self.machine.frames().len()).any(|n| {
            self.frame_info(n)
                .is_some_and(|frame| is_user_code(frame.kind))
        }) {
            return Some((time, self.current_causes(time)));
        }
        let stops: HashSet<(FunctionId, u32)> = self
            .conditions()
            .into_iter()
            .flat_map(|id| self.stop_addresses(id))
            .collect();
        let check_time = self.last_hit_before(StepTarget::Addresses(stops), time)?;
        self.timeline.seek_into(&mut self.machine, check_time);
        Some((check_time, self.current_causes(check_time)))
    }

    fn stop_addresses(&self, id: FunctionId) -> Vec<(FunctionId, u32)> {
        self.program().function(id).map_or_else(Vec::new, |f| {
            f.stop_points.iter().map(|s| (id, s.pc)).collect()
        })
    }
}
