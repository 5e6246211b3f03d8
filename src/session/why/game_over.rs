//! Why the game has ended, and why it has not, in languages that have no variable for it: told from what decides about it.

use super::counterfactual::DesiredOutcome;
use crate::code::{FunctionId, FunctionKind, Status};
use crate::debugger::breakpoint::{self, GameEvent};
use crate::debugger::{Location, StepTarget, WatchTarget};
use crate::language::Viewport;
use crate::session::{Line, Reply, Session, Style};
use std::collections::HashSet;

impl Session {
    /// Why what decides about the end of the game does not: it is run on the game as it is now.
    pub(super) fn explain_false_condition(&mut self, id: FunctionId, reply: &mut Reply) {
        let Some(title) = self.program().function(id).map(|f| f.name.to_string()) else {
            return;
        };
        let (census, ended) = self.with_rollback(|s| {
            let census = s.profile_run(id);
            (census, s.machine.is_idle())
        });
        if !ended {
            return reply.line(format!("{title} can't be run by itself"));
        }
        reply.line(format!("{title}, run on the board as it is now, sees:"));
        let before = reply.lines.len();
        self.report_false_tests(&census, &[], reply);
        if reply.lines.len() == before {
            reply.line("  nothing that is false".to_string());
        }
        self.report_counterfactuals(&census, id, DesiredOutcome::TrueOrGameOver, reply);
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:step {title}` goes through it"),
        ));
    }

    /// What would end the game, in a language that has no variable for it.
    pub fn why_not_ended(&mut self, reply: &mut Reply) {
        let conditions = self.conditions();
        let title = self.language().info().title;
        if conditions.is_empty() {
            return reply.line(format!(
                "a game of {title} has no end of its own that could be reached"
            ));
        }
        reply.line("the game goes on");
        conditions
            .into_iter()
            .for_each(|id| self.explain_false_condition(id, reply));
    }

    /// Why a field that is shown under a name is false: who made it so, or what those see who decide about such things.
    /// False where it is something else.
    pub fn why_not_field(&mut self, name: &str, reply: &mut Reply) -> bool {
        let watched = WatchTarget::RecordField(name.to_string());
        if self.watch_value(&watched).as_deref() != Some("false")
            || self.program().global(name).is_some()
        {
            return false;
        }
        let now = self.machine.time();
        if self
            .with_time(|s| s.last_change(&watched, now))
            .is_some_and(|(_, old, _)| old == "true")
        {
            self.why(&watched, name, reply);
            return true;
        }
        reply.line(format!("{name} is false, as it was from the start"));
        self.conditions()
            .into_iter()
            .for_each(|id| self.explain_false_condition(id, reply));
        true
    }

    /// Why the game is won, lost or over; false where it is not over.
    pub fn why_ended(&mut self, reply: &mut Reply) -> bool {
        let view = self.view(Viewport::NONE);
        if view.status == Status::Playing {
            return false;
        }
        // Who has won may have a mark for it.
        let mark = view.winner.as_ref().map(|winner| format!("{winner}.win"));
        if let Some(mark) = mark.filter(|mark| view.variables.iter().any(|(name, _)| name == mark))
        {
            self.why(&WatchTarget::RecordField(mark.clone()), &mark, reply);
            return true;
        }
        let now = self.machine.time();
        let Some((time, lines)) = self.with_time(|s| s.reasons_of_end(now)) else {
            return false;
        };
        let words = match &view.winner {
            Some(winner) => format!("{winner} has won"),
            None if view.status == Status::Over => {
                "the game is over, and nobody has won".to_string()
            }
            None => format!("the game is {}", view.status.as_str()),
        };
        reply.line(Line::styled(Style::Strong, words).with(Style::Dim, format!("   time {time}")));
        reply.lines.extend(lines);
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
        true
    }

    /// The time of the end, and who decided it: a statement of the game's own, or the last condition that was looked at.
    fn reasons_of_end(&mut self, now: u64) -> Option<(u64, Vec<Line>)> {
        let spots = [GameEvent::Win, GameEvent::Lose, GameEvent::Draw]
            .map(|event| Location::Event(event, None));
        let program = self.machine.program();
        let ends = spots
            .iter()
            .flat_map(|spot| breakpoint::resolve(spot, program, &self.sources))
            .collect();
        let time = self.last_hit_before(StepTarget::Addresses(ends), now)?;
        self.timeline.seek_into(&mut self.machine, time);
        let own = |role| !matches!(role, FunctionKind::Rules | FunctionKind::Entry);
        if (0..self.machine.frames().len()).any(|n| self.frame_info(n).is_some_and(|l| own(l.role)))
        {
            return Some((time, self.cause_lines(time)));
        }
        let stops: HashSet<(FunctionId, u32)> = self
            .conditions()
            .into_iter()
            .flat_map(|id| self.stops_of(id))
            .collect();
        let decided = self.last_hit_before(StepTarget::Addresses(stops), time)?;
        self.timeline.seek_into(&mut self.machine, decided);
        Some((decided, self.cause_lines(decided)))
    }

    fn conditions(&self) -> Vec<FunctionId> {
        let functions = self.program().functions.iter().enumerate();
        functions
            .filter(|(_, f)| f.kind == FunctionKind::Condition)
            .map(|(n, _)| FunctionId(n as u32))
            .collect()
    }

    fn stops_of(&self, id: FunctionId) -> Vec<(FunctionId, u32)> {
        self.program().function(id).map_or_else(Vec::new, |f| {
            f.stop_points.iter().map(|s| (id, s.pc)).collect()
        })
    }
}
