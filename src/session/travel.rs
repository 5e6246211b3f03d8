//! Going through time: back by steps, to a time, to the last change of something.

use super::{Line, Reply, Session, Style, in_a_line};
use crate::debugger::{Access, Goal, Moment, Spot, Watched};

impl Session {
    /// Goes to a time and shows where that is. Where one entry ends and the next begins, the first has just ended.
    pub fn go_to(&mut self, time: u64, reply: &mut Reply) {
        self.go_to_moment(Moment::at(time), reply);
    }

    /// Goes to a moment and shows where that is.
    pub fn go_to_moment(&mut self, moment: Moment, reply: &mut Reply) {
        let (first, last) = self.timeline.range();
        let time = moment.time.clamp(first, last.max(first));
        self.asking = None;
        self.timeline
            .go_to(&mut self.machine, Moment { time, ..moment });
        self.arrive(reply);
    }

    /// The present moment.
    pub fn moment(&self) -> Moment {
        self.timeline.moment(&self.machine)
    }

    /// Remembers that the person stood here.
    pub(super) fn visit(&mut self) {
        let moment = self.moment();
        self.debugger.visit(moment);
    }

    /// Shows the place in time that was gone to.
    fn arrive(&mut self, reply: &mut Reply) {
        reply.display = self.machine.store.message.as_ref().map(|m| m.to_string());
        if self.machine.is_idle() {
            self.visit();
            self.debugger.frame = 0;
            let entry = self
                .timeline
                .records()
                .last()
                .map_or_else(String::new, |r| r.text.clone());
            let words = if entry.is_empty() {
                "the game has just started".to_string()
            } else {
                format!("after {}", in_a_line(&entry))
            };
            reply.line(
                Line::styled(Style::Strong, words)
                    .with(Style::Dim, format!("   time {}", self.machine.time())),
            );
            reply.board = true;
        } else {
            self.stop("step", "", reply);
        }
    }

    /// Goes back to the last time that the goal was reached before now; `Over` and `Out` count from the present depth.
    pub fn step_back(&mut self, goal: Goal, count: usize, reply: &mut Reply) {
        let marks = |s: &Session| s.debugger.stops(s.program(), &[]);
        let mut time = self.machine.time();
        let (start, moment) = (time, self.moment());
        let mut there = false;
        for _ in 0..count {
            let found = self.search_back(time, &goal, marks);
            there = found.is_some();
            match found {
                Some(found) => time = found,
                None => break,
            }
        }
        if self.enough || time == start {
            self.timeline.go_to(&mut self.machine, moment);
            reply.line(Line::styled(Style::Dim, "there is nothing before this"));
            return;
        }
        self.asking = None;
        if !there {
            self.timeline.go_into(&mut self.machine, time);
        }
        self.arrive(reply);
    }

    /// Goes back to the last time that a breakpoint would have stopped.
    pub fn continue_back(&mut self, reply: &mut Reply) {
        let (now, moment) = (self.machine.time(), self.moment());
        let found = self.search_hits(now);
        match found {
            Some((time, words)) => {
                self.timeline.go_into(&mut self.machine, time);
                self.stop("breakpoint", &words, reply);
            }
            None if self.enough => self.timeline.go_to(&mut self.machine, moment),
            None => {
                // Before the game was loaded there is nothing to be seen.
                let (first, start) = (self.timeline.range().0, self.timeline.game_start());
                self.timeline
                    .go(&mut self.machine, if start <= now { start } else { first });
                reply.line(Line::styled(
                    Style::Dim,
                    "no breakpoint was passed: this is the start",
                ));
                self.arrive(reply);
            }
        }
    }

    /// Which breakpoint stops here, if its condition holds; counts are left alone on the way back.
    pub(super) fn hit_here(&mut self) -> Option<String> {
        let at = self.machine.at()?;
        let here: Vec<(u32, Spot, Option<String>)> = self
            .debugger
            .breakpoints
            .iter()
            .filter(|b| b.enabled && b.log.is_none() && b.places.contains(&at))
            .map(|b| (b.number, b.spot.clone(), b.condition.clone()))
            .collect();
        for (number, spot, condition) in here {
            if let Some(condition) = condition
                && self.look(&condition, |_, v| v.as_bool()).ok().flatten() == Some(false)
            {
                continue;
            }
            match &spot {
                Spot::Watch(watched, access) => {
                    let words = self.watched_words(watched);
                    if let Some((old, new)) = self
                        .change_here(watched)
                        .filter(|_| *access != Access::Read)
                    {
                        // Of several cells each has its own change, told as it was made.
                        return Some(match watched {
                            Watched::Row(_) | Watched::Column(_) | Watched::Board => {
                                format!("watch {number}, {words}, here {old} => {new}")
                            }
                            _ => format!("watch {number}, {words}: {new} <= {old}"),
                        });
                    }
                    if *access != Access::Change && self.is_read(watched) {
                        return Some(format!("watch {number}, {words} is read"));
                    }
                }
                Spot::Event(event, cell) if self.event_fits(*event, *cell) => {
                    return Some(format!("breakpoint {number}, on {}", event.word()));
                }
                Spot::Event(..) => {}
                Spot::Line { .. } | Spot::Title(_) => return Some(format!("breakpoint {number}")),
            }
        }
        None
    }

    /// Does something elsewhere in time, and comes back.
    pub fn elsewhere<R>(&mut self, act: impl FnOnce(&mut Session) -> R) -> R {
        let here = self.machine.checkpoint();
        let position = self.timeline.position();
        let frame = self.debugger.frame;
        let said = self.machine.log_lengths();
        let result = act(self);
        self.machine.restore(&here);
        // What lies ahead was not said yet.
        self.machine.cut_log(said);
        self.timeline.set_position(position);
        self.debugger.frame = frame;
        result
    }
}
