//! Time travel: reverse stepping, going to a time or a position, and running code at another time.

use super::{Line, Reply, Session, Style, first_line};
use crate::debugger::{Access, Location, StepTarget, TimePoint, WatchTarget};

impl Session {
    /// Goes to a time and shows it. Where one entry ends and the next starts, the next has not
    /// started.
    pub fn go_to_time(&mut self, time: u64, reply: &mut Reply) {
        self.go_to_point(TimePoint::at(time), reply);
    }

    /// Goes to a position in the history and shows it.
    pub fn go_to_point(&mut self, point: TimePoint, reply: &mut Reply) {
        let (first, last) = self.timeline.time_range();
        let time = point.time.clamp(first, last.max(first));
        self.pending_input = None;
        self.timeline
            .seek_point(&mut self.machine, TimePoint { time, ..point });
        self.show_position(reply);
    }

    /// The current position in the history.
    pub fn time_point(&self) -> TimePoint {
        self.timeline.time_point(&self.machine)
    }

    /// Adds the current position to the navigation history.
    pub(super) fn record_visit(&mut self) {
        let point = self.time_point();
        self.debugger.record_visit(point);
    }

    /// Shows the position that was reached.
    fn show_position(&mut self, reply: &mut Reply) {
        reply.display = self.machine.store.message.as_ref().map(|m| m.to_string());
        if self.machine.is_idle() {
            self.record_visit();
            self.debugger.selected_frame = 0;
            let entry = self
                .timeline
                .entries()
                .last()
                .map_or_else(String::new, |r| r.text.clone());
            let message = if entry.is_empty() {
                "the game has just started".to_string()
            } else {
                format!("after {}", first_line(&entry))
            };
            reply.line(
                Line::styled(Style::Strong, message)
                    .with(Style::Dim, format!("   time {}", self.machine.time())),
            );
            reply.show_board = true;
        } else {
            self.report_stop("step", "", reply);
        }
    }

    /// Steps back: goes to the last time before now at which the target was reached, `count` times.
    pub fn reverse_step(&mut self, target: StepTarget, count: usize, reply: &mut Reply) {
        let stop_map = |s: &Session| s.debugger.stop_map(s.program(), &[]);
        let mut time = self.machine.time();
        let (start, point) = (time, self.time_point());
        let mut has_found = false;
        for _ in 0..count {
            let hit_time = self.search_back(time, &target, stop_map);
            has_found = hit_time.is_some();
            match hit_time {
                Some(hit_time) => time = hit_time,
                None => break,
            }
        }
        if self.cancelled || time == start {
            self.timeline.seek_point(&mut self.machine, point);
            reply.line(Line::styled(Style::Dim, "This is the start of the history"));
            return;
        }
        self.pending_input = None;
        if !has_found {
            self.timeline.seek_into(&mut self.machine, time);
        }
        self.show_position(reply);
    }

    /// Goes back to the last time at which a breakpoint would have stopped.
    pub fn reverse_continue(&mut self, reply: &mut Reply) {
        let (now, point) = (self.machine.time(), self.time_point());
        self.debugger.selected_frame = 0;
        let hit = self.last_breakpoint_hit(now);
        match hit {
            Some((time, message)) => {
                self.timeline.seek_into(&mut self.machine, time);
                self.report_stop("breakpoint", &message, reply);
            }
            None if self.cancelled => self.timeline.seek_point(&mut self.machine, point),
            None => {
                // There is nothing to see before the game was loaded.
                let (first, start) = (self.timeline.time_range().0, self.timeline.game_start());
                self.timeline
                    .seek(&mut self.machine, if start <= now { start } else { first });
                reply.line(Line::styled(
                    Style::Dim,
                    "No breakpoint was hit: this is the start of the game",
                ));
                self.show_position(reply);
            }
        }
    }

    /// The message of the breakpoint that stops at the current instruction, if one does. Hit counts
    /// do not apply in reverse.
    pub(super) fn breakpoint_hit_here(&mut self) -> Option<String> {
        let at = self.machine.current_location()?;
        let candidates: Vec<(u32, Location, Option<String>)> = self
            .debugger
            .breakpoints
            .iter()
            .filter(|b| b.is_enabled && b.log_message.is_none() && b.addresses.contains(&at))
            .map(|b| (b.number, b.location.clone(), b.condition.clone()))
            .collect();
        for (number, location, condition) in candidates {
            if let Some(condition) = condition
                && self.eval(&condition, |_, v| v.as_bool()).ok().flatten() == Some(false)
            {
                continue;
            }
            match &location {
                Location::Watch(watch_target, access) => {
                    let label = self.watch_label(watch_target);
                    if let Some((old, new)) = self
                        .next_change(watch_target)
                        .filter(|_| *access != Access::Read)
                    {
                        // For several cells, the change is shown in its forward direction.
                        return Some(match watch_target {
                            WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board => {
                                format!("watchpoint {number}, {label}, here {old} => {new}")
                            }
                            _ => format!("watchpoint {number}, {label}: {new} <= {old}"),
                        });
                    }
                    if *access != Access::Change && self.is_about_to_read(watch_target) {
                        return Some(format!("watchpoint {number}, {label} is read"));
                    }
                }
                Location::Event(event, cell) if self.event_matches(*event, *cell) => {
                    return Some(format!("breakpoint {number}, on {}", event.name()));
                }
                Location::Event(..) => {}
                Location::Line { .. } | Location::Function(_) => {
                    return Some(format!("breakpoint {number}"));
                }
            }
        }
        None
    }

    /// Runs `f`, which may go to other times, then restores the current one.
    pub fn with_time<R>(&mut self, f: impl FnOnce(&mut Session) -> R) -> R {
        let here = self.machine.checkpoint();
        let position = self.timeline.cursor();
        let frame = self.debugger.selected_frame;
        let log_position = self.machine.log_end();
        let result = f(self);
        self.machine.restore(&here);
        // Output of the future has not been produced yet.
        self.machine.truncate_log(log_position);
        self.timeline.set_cursor(position);
        self.debugger.selected_frame = frame;
        result
    }
}
