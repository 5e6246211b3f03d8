//! Explains why the game has ended, in languages that have no variable for it, from the conditions
//! that decide it.

use crate::code::{FunctionId, FunctionKind, Status};
use crate::debugger::breakpoint::{self, GameEvent};
use crate::debugger::{Location, StepTarget, WatchTarget};
use crate::language::Viewport;
use crate::session::{Answer, Line, Session, Style};
use std::collections::HashSet;

impl Session {
    /// Explains why the game has ended; returns false if it has not.
    pub fn why_ended(&mut self, reply: &mut Answer) -> bool {
        let view = self.target.view(Viewport::NONE);
        if view.status == Status::Playing {
            return false;
        }
        // Some languages have a field for this.
        let win_field = view.winner.as_ref().map(|winner| format!("{winner}.win"));
        if let Some(field) =
            win_field.filter(|field| view.variables.iter().any(|(name, _)| name == field))
        {
            self.why(&WatchTarget::RecordField(field.clone()), &field, reply);
            return true;
        }
        let now = self.target.machine.time();
        let Some((time, lines)) = self.with_time(|s| s.end_of_game(now)) else {
            return false;
        };
        let result = match &view.winner {
            Some(winner) => format!("{winner} has won"),
            None if view.status == Status::Over => "The game is over without a winner".to_string(),
            None => format!("The game is {}", view.status.as_str()),
        };
        reply.line(Line::styled(Style::Strong, result).with(Style::Dim, format!("   time {time}")));
        reply.lines(lines);
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
        true
    }

    /// The time at which the game ended, and why: a statement of the user's code, or the last
    /// condition that was checked.
    fn end_of_game(&mut self, now: u64) -> Option<(u64, Vec<Line>)> {
        let events = [GameEvent::Win, GameEvent::Lose, GameEvent::Draw]
            .map(|event| Location::Event(event, None));
        let program = self.target.machine.program();
        let end_points = events
            .iter()
            .flat_map(|event| breakpoint::resolve(event, program, &self.target.sources))
            .collect();
        let time = self
            .target
            .last_hit_before(StepTarget::Addresses(end_points), now)?;
        self.target
            .timeline
            .seek_into(&mut self.target.machine, time);
        let is_user_code = |role| !matches!(role, FunctionKind::Rules | FunctionKind::Entry);
        if (0..self.target.machine.frames().len()).any(|n| {
            self.target
                .frame_info(n)
                .is_some_and(|frame| is_user_code(frame.kind))
        }) {
            return Some((time, self.cause_lines(time)));
        }
        let stops: HashSet<(FunctionId, u32)> = self
            .target
            .conditions()
            .into_iter()
            .flat_map(|id| self.stop_addresses(id))
            .collect();
        let check_time = self
            .target
            .last_hit_before(StepTarget::Addresses(stops), time)?;
        self.target
            .timeline
            .seek_into(&mut self.target.machine, check_time);
        Some((check_time, self.cause_lines(check_time)))
    }

    fn stop_addresses(&self, id: FunctionId) -> Vec<(FunctionId, u32)> {
        self.target
            .program()
            .function(id)
            .map_or_else(Vec::new, |f| {
                f.stop_points.iter().map(|s| (id, s.pc)).collect()
            })
    }
}
