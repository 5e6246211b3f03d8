//! Forward search: the first time at which something was true.
//!
//! Ctrl-C cancels a search: it then finds nothing, and [`Target::take_cancelled`] returns true.

use crate::debugger::frame::eval::INTERRUPTED_CODE;
use crate::debugger::{DroppedHistory, StepTarget, Stepper, StopMap, Target};
use crate::diagnostic::{Diagnostic, Phase};
use crate::machine::{Outcome, Pause};
use std::rc::Rc;

/// How many instructions between two stops are checked one by one.
const MAX_INSTRUCTIONS_BETWEEN_STOPS: usize = 1_000;

impl Target {
    /// The time at which an action started: its first stop point, or its end if it has none.
    pub fn time_of_action(&mut self, action: u32) -> Result<Option<u64>, DroppedHistory> {
        self.first_time_in_game(|s| s.machine.store.action >= action)
    }

    /// The first time at which this many turns had ended.
    pub fn time_of_turn(&mut self, turn: i64) -> Result<Option<u64>, DroppedHistory> {
        if self.progress().turn_count.is_none() {
            return Ok(None);
        }
        if turn <= 0 {
            return self.timeline.known_game_start().map(Some);
        }
        self.first_time_in_game(|s| s.progress().turn_count.is_some_and(|n| n >= turn))
    }

    /// The first time in the current game at which a monotonic condition holds, at a stop point or
    /// at the end of an entry. Once true, the condition must stay true.
    fn first_time_in_game(
        &mut self,
        condition: impl Fn(&Target) -> bool,
    ) -> Result<Option<u64>, DroppedHistory> {
        if let Err(dropped) = self.timeline.known_game_start()
            && self.with_time(|s| {
                s.timeline.seek(&mut s.machine, dropped.known_since);
                condition(s)
            })
        {
            return Err(dropped);
        }
        let entry_times: Vec<(u64, u64)> = self
            .timeline
            .game_entries()
            .iter()
            .map(|r| (r.before.time, r.end_time()))
            .collect();
        Ok(self.with_time(|s| {
            let holds_at = |s: &mut Target, time: u64| {
                s.timeline.seek_into(&mut s.machine, time);
                condition(s)
            };
            let index = entry_times.partition_point(|(_, end)| !holds_at(s, *end));
            let (from, end) = *entry_times.get(index)?;
            s.timeline.seek_into(&mut s.machine, from);
            s.first_stop_where(|s| condition(s))?;
            Some(s.next_user_stop(end))
        }))
    }

    /// The time of the next stop point outside the rules, or `end`.
    fn next_user_stop(&mut self, end: u64) -> u64 {
        let stop_map = self.debugger.stop_map(self.machine.program(), &[]);
        let at = self.machine.current_location();
        if at.is_some_and(|(f, pc)| stop_map.is_stop(f, pc)) {
            return self.machine.time();
        }
        let from = self.machine.time();
        let mut stepper = Stepper {
            stop_map: &stop_map,
            target: StepTarget::Into,
            start_time: from,
            end_time: u64::MAX,
            has_hit_breakpoint: false,
            recorder: None,
        };
        self.replay_watched(&mut stepper, u64::MAX);
        if self.machine.is_idle() {
            end
        } else {
            self.machine.time()
        }
    }

    /// Runs forward from stop point to stop point until a test holds.
    fn first_stop_where(&mut self, mut test: impl FnMut(&mut Target) -> bool) -> Option<u64> {
        let (_, last) = self.timeline.time_range();
        self.machine.set_recording(false);
        let mut program = self.program().clone();
        let mut stop_map = StopMap::new(&program, &[], |_| false);
        let time = loop {
            if test(self) {
                break Some(self.machine.time());
            }
            self.cancelled |= self.machine.take_interrupt();
            if self.machine.time() >= last || self.cancelled {
                break None;
            }
            if !Rc::ptr_eq(&program, self.program()) {
                program = self.program().clone();
                stop_map = StopMap::new(&program, &[], |_| false);
            }
            if self.timeline.enter_nested(&mut self.machine) {
                continue;
            }
            let (from, until) = (
                self.machine.time(),
                self.timeline.next_nested_time().unwrap_or(u64::MAX),
            );
            let mut stepper = Stepper {
                stop_map: &stop_map,
                target: StepTarget::Into,
                start_time: from,
                end_time: until,
                has_hit_breakpoint: false,
                recorder: None,
            };
            match self.machine.run_observed(&mut stepper) {
                Outcome::Paused(Pause::Observer) => {}
                Outcome::Paused(Pause::Interrupt) => {
                    self.cancelled = true;
                    break None;
                }
                Outcome::Finished(_) if !self.machine.is_idle() => {}
                Outcome::Finished(_) if test(self) => break Some(self.machine.time()),
                Outcome::Finished(_) if self.timeline.enter_next(&mut self.machine) => {}
                _ => break None,
            }
        };
        self.machine.set_recording(true);
        time
    }

    /// The first time since the start at which an expression was true. It is checked at every stop
    /// point, then at each instruction before the one found.
    pub fn first_time_true(&mut self, expression: &str) -> Result<Option<u64>, Vec<Diagnostic>> {
        // It may fail here and work elsewhere, but it must compile somewhere.
        if let Err(errors) = self.eval(expression, |_, _| ())
            && errors.iter().any(|d| d.phase != Phase::Runtime)
            && !self.compiles_elsewhere(expression)
        {
            return Err(errors);
        }
        let (first, _) = self.timeline.time_range();
        Ok(self.with_time(|s| {
            s.timeline.seek(&mut s.machine, first);
            s.debugger.selected_frame = 0;
            let is_true = |s: &mut Target| match s.eval(expression, |_, v| v.as_bool()) {
                Ok(truth) => truth == Some(true),
                Err(errors) => {
                    s.cancelled |= errors.iter().any(|d| d.code == INTERRUPTED_CODE);
                    false
                }
            };
            let mut last = first;
            let stop_time = s.first_stop_where(|s| {
                let holds = is_true(s);
                last = if holds { last } else { s.machine.time() };
                holds
            })?;
            // The last instructions of a function come after its last stop point.
            let between = (last + 1..stop_time)
                .take(MAX_INSTRUCTIONS_BETWEEN_STOPS)
                .find(|time| {
                    s.timeline.seek_into(&mut s.machine, *time);
                    is_true(s)
                });
            Some(between.unwrap_or(stop_time))
        }))
    }
}
