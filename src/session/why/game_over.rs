//! Explains why the game has ended or has not, in languages that have no variable for it, from the
//! conditions that decide it.

use super::counterfactual::DesiredOutcome;
use crate::code::{FunctionId, FunctionKind, Status};
use crate::debugger::breakpoint::{self, GameEvent};
use crate::debugger::{Location, StepTarget, WatchTarget};
use crate::language::Viewport;
use crate::session::{Answer, Line, Session, Style};
use std::collections::HashSet;

impl Session {
    /// Runs a condition on the current game, and shows why it is not true.
    pub(super) fn explain_false_condition(&mut self, id: FunctionId, reply: &mut Answer) {
        let Some(name) = self
            .target
            .program()
            .function(id)
            .map(|f| f.name.to_string())
        else {
            return;
        };
        let (profile, has_finished) = self.with_rollback(|s| {
            let profile = s.profile_run(id);
            (profile, s.target.machine.is_idle())
        });
        if !has_finished {
            return reply.line(format!("{name} cannot be run on its own"));
        }
        reply.line(format!("{name}, run on the current board:"));
        let before = reply.parts.len();
        self.report_false_tests(&profile, &[], reply);
        if reply.parts.len() == before {
            reply.line("  No test was false".to_string());
        }
        self.report_counterfactuals(&profile, id, DesiredOutcome::TrueOrGameOver, reply);
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:step {name}` steps through it"),
        ));
    }

    /// Shows what would end the game.
    pub fn why_not_ended(&mut self, reply: &mut Answer) {
        let conditions = self.conditions();
        let title = self.target.language().info().title;
        if conditions.is_empty() {
            return reply.line(format!("{title} has no conditions that end a game"));
        }
        reply.line("The game is not over");
        conditions
            .into_iter()
            .for_each(|id| self.explain_false_condition(id, reply));
    }

    /// Explains why a record field is false: what set it to false or, if it was never true, the
    /// conditions of the game. Returns false if this is not a field, or not a false one.
    pub fn why_not_field(&mut self, name: &str, reply: &mut Answer) -> bool {
        let watched = WatchTarget::RecordField(name.to_string());
        if self.target.watch_value(&watched).as_deref() != Some("false")
            || self.target.program().global(name).is_some()
        {
            return false;
        }
        let now = self.target.machine.time();
        if self
            .with_time(|s| s.target.last_change(&watched, now))
            .is_some_and(|(_, old, _)| old == "true")
        {
            self.why(&watched, name, reply);
            return true;
        }
        reply.line(format!("{name} has been false since the start"));
        self.conditions()
            .into_iter()
            .for_each(|id| self.explain_false_condition(id, reply));
        true
    }

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

    /// The functions that decide whether the game ends.
    fn conditions(&self) -> Vec<FunctionId> {
        let functions = self.target.program().functions.iter().enumerate();
        functions
            .filter(|(_, f)| f.kind == FunctionKind::Condition)
            .map(|(n, _)| FunctionId(n as u32))
            .collect()
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
