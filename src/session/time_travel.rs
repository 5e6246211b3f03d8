//! Time travel: reverse stepping, going to a time or a position, and running code at another time.

use super::{Line, Reply, Session, Style, first_line};
use crate::debugger::{StepTarget, Target, TimePoint};

impl Session {
    /// Goes to a time and shows it. Where one entry ends and the next starts, the next has not
    /// started.
    pub fn go_to_time(&mut self, time: u64, reply: &mut Reply) {
        self.go_to_point(TimePoint::at(time), reply);
    }

    /// Goes to a position in the history and shows it.
    pub fn go_to_point(&mut self, point: TimePoint, reply: &mut Reply) {
        let (first, last) = self.target.timeline.time_range();
        let time = point.time.clamp(first, last.max(first));
        self.target.pending_input = None;
        self.target
            .timeline
            .seek_point(&mut self.target.machine, TimePoint { time, ..point });
        self.show_position(reply);
    }

    /// Shows the position that was reached.
    fn show_position(&mut self, reply: &mut Reply) {
        reply.display = self
            .target
            .machine
            .store
            .message
            .as_ref()
            .map(|m| m.to_string());
        if self.target.machine.is_idle() {
            self.target.record_visit();
            self.target.debugger.selected_frame = 0;
            let entry = self
                .target
                .timeline
                .entries()
                .last()
                .map_or_else(String::new, |r| r.text.clone());
            let message = if entry.is_empty() {
                "the game has just started".to_string()
            } else {
                format!("after {}", first_line(&entry))
            };
            reply.line(Line::styled(Style::Strong, message).with(
                Style::Dim,
                format!("   time {}", self.target.machine.time()),
            ));
            reply.show_board = true;
        } else {
            self.report_stop("step", "", reply);
        }
    }

    /// Steps back: goes to the last time before now at which the target was reached, `count` times.
    pub fn reverse_step(&mut self, target: StepTarget, count: usize, reply: &mut Reply) {
        let stop_map = |s: &Target| s.debugger.stop_map(s.program(), &[]);
        let mut time = self.target.machine.time();
        let (start, point) = (time, self.target.time_point());
        let mut has_found = false;
        for _ in 0..count {
            let hit_time = self.target.search_back(time, &target, stop_map);
            has_found = hit_time.is_some();
            match hit_time {
                Some(hit_time) => time = hit_time,
                None => break,
            }
        }
        if self.target.cancelled || time == start {
            self.target
                .timeline
                .seek_point(&mut self.target.machine, point);
            reply.line(Line::styled(Style::Dim, "This is the start of the history"));
            return;
        }
        self.target.pending_input = None;
        if !has_found {
            self.target
                .timeline
                .seek_into(&mut self.target.machine, time);
        }
        self.show_position(reply);
    }

    /// Goes back to the last time at which a breakpoint would have stopped.
    pub fn reverse_continue(&mut self, reply: &mut Reply) {
        let (now, point) = (self.target.machine.time(), self.target.time_point());
        self.target.debugger.selected_frame = 0;
        let hit = self.target.last_breakpoint_hit(now);
        match hit {
            Some((time, message)) => {
                self.target
                    .timeline
                    .seek_into(&mut self.target.machine, time);
                self.report_stop("breakpoint", &message, reply);
            }
            None if self.target.cancelled => self
                .target
                .timeline
                .seek_point(&mut self.target.machine, point),
            None => {
                // There is nothing to see before the game was loaded.
                let (first, start) = (
                    self.target.timeline.time_range().0,
                    self.target.timeline.game_start(),
                );
                self.target.timeline.seek(
                    &mut self.target.machine,
                    if start <= now { start } else { first },
                );
                reply.line(Line::styled(
                    Style::Dim,
                    "No breakpoint was hit: this is the start of the game",
                ));
                self.show_position(reply);
            }
        }
    }
}
