//! Going through time: back by steps, to a time, to the last change of something.

use super::{Line, Reply, Session, Style, first_line};
use crate::debugger::{Access, Location, StepTarget, TimePoint, WatchTarget};

impl Session {
    /// Goes to a time and shows where that is. Where one entry ends and the next begins, the first has just ended.
    pub fn go_to_time(&mut self, time: u64, reply: &mut Reply) {
        self.go_to_point(TimePoint::at(time), reply);
    }

    /// Goes to a moment and shows where that is.
    pub fn go_to_point(&mut self, moment: TimePoint, reply: &mut Reply) {
        let (first, last) = self.timeline.time_range();
        let time = moment.time.clamp(first, last.max(first));
        self.pending_input = None;
        self.timeline
            .seek_point(&mut self.machine, TimePoint { time, ..moment });
        self.arrive(reply);
    }

    /// The present moment.
    pub fn time_point(&self) -> TimePoint {
        self.timeline.time_point(&self.machine)
    }

    /// Remembers that the person stood here.
    pub(super) fn record_visit(&mut self) {
        let moment = self.time_point();
        self.debugger.record_visit(moment);
    }

    /// Shows the place in time that was gone to.
    fn arrive(&mut self, reply: &mut Reply) {
        reply.display = self.machine.store.message.as_ref().map(|m| m.to_string());
        if self.machine.is_idle() {
            self.record_visit();
            self.debugger.selected_frame = 0;
            let entry = self
                .timeline
                .entries()
                .last()
                .map_or_else(String::new, |r| r.text.clone());
            let words = if entry.is_empty() {
                "the game has just started".to_string()
            } else {
                format!("after {}", first_line(&entry))
            };
            reply.line(
                Line::styled(Style::Strong, words)
                    .with(Style::Dim, format!("   time {}", self.machine.time())),
            );
            reply.show_board = true;
        } else {
            self.report_stop("step", "", reply);
        }
    }

    /// Goes back to the last time that the goal was reached before now; `Over` and `Out` count from the present depth.
    pub fn reverse_step(&mut self, goal: StepTarget, count: usize, reply: &mut Reply) {
        let marks = |s: &Session| s.debugger.stop_map(s.program(), &[]);
        let mut time = self.machine.time();
        let (start, moment) = (time, self.time_point());
        let mut there = false;
        for _ in 0..count {
            let found = self.search_back(time, &goal, marks);
            there = found.is_some();
            match found {
                Some(found) => time = found,
                None => break,
            }
        }
        if self.cancelled || time == start {
            self.timeline.seek_point(&mut self.machine, moment);
            reply.line(Line::styled(Style::Dim, "This is the start of the history"));
            return;
        }
        self.pending_input = None;
        if !there {
            self.timeline.seek_into(&mut self.machine, time);
        }
        self.arrive(reply);
    }

    /// Goes back to the last time that a breakpoint would have stopped.
    pub fn reverse_continue(&mut self, reply: &mut Reply) {
        let (now, moment) = (self.machine.time(), self.time_point());
        let found = self.last_breakpoint_hit(now);
        match found {
            Some((time, words)) => {
                self.timeline.seek_into(&mut self.machine, time);
                self.report_stop("breakpoint", &words, reply);
            }
            None if self.cancelled => self.timeline.seek_point(&mut self.machine, moment),
            None => {
                // Before the game was loaded there is nothing to be seen.
                let (first, start) = (self.timeline.time_range().0, self.timeline.game_start());
                self.timeline
                    .seek(&mut self.machine, if start <= now { start } else { first });
                reply.line(Line::styled(
                    Style::Dim,
                    "No breakpoint was hit: this is the start of the game",
                ));
                self.arrive(reply);
            }
        }
    }

    /// Which breakpoint stops here, if its condition holds; counts are left alone on the way back.
    pub(super) fn breakpoint_hit_here(&mut self) -> Option<String> {
        let at = self.machine.current_location()?;
        let here: Vec<(u32, Location, Option<String>)> = self
            .debugger
            .breakpoints
            .iter()
            .filter(|b| b.is_enabled && b.log_message.is_none() && b.addresses.contains(&at))
            .map(|b| (b.number, b.location.clone(), b.condition.clone()))
            .collect();
        for (number, spot, condition) in here {
            if let Some(condition) = condition
                && self.eval(&condition, |_, v| v.as_bool()).ok().flatten() == Some(false)
            {
                continue;
            }
            match &spot {
                Location::Watch(watched, access) => {
                    let words = self.watch_label(watched);
                    if let Some((old, new)) = self
                        .next_change(watched)
                        .filter(|_| *access != Access::Read)
                    {
                        // Of several cells each has its own change, told as it was made.
                        return Some(match watched {
                            WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board => {
                                format!("watchpoint {number}, {words}, here {old} => {new}")
                            }
                            _ => format!("watchpoint {number}, {words}: {new} <= {old}"),
                        });
                    }
                    if *access != Access::Change && self.is_about_to_read(watched) {
                        return Some(format!("watchpoint {number}, {words} is read"));
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

    /// Does something elsewhere in time, and comes back.
    pub fn with_time<R>(&mut self, act: impl FnOnce(&mut Session) -> R) -> R {
        let here = self.machine.checkpoint();
        let position = self.timeline.cursor();
        let frame = self.debugger.selected_frame;
        let said = self.machine.log_end();
        let result = act(self);
        self.machine.restore(&here);
        // What lies ahead was not said yet.
        self.machine.truncate_log(said);
        self.timeline.set_cursor(position);
        self.debugger.selected_frame = frame;
        result
    }
}
