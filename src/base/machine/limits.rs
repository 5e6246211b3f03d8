//! How long a run lasts: to its end, to a given time, to a trap, or until a limit or Ctrl-C stops
//! it.
//!
//! - `schedule`: when a run has to be checked for Ctrl-C and for exceeded limits.

mod schedule;

pub(super) use schedule::Schedule;

use super::observer::UntilTimeOrTrap;
use super::runtime_error::out_of_memory;
use super::{LOG_HISTORY_FRACTION, Machine, NoObserver, Observer, Outcome, Pause, UntilTime};

/// Resource limits of a program.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions per entry; 0 for no limit.
    pub max_instructions: u64,
    /// Nested function calls.
    pub max_call_depth: u32,
    /// Bytes of frames and heap objects.
    pub max_memory_bytes: u64,
    /// Bytes of checkpoints and of the effect log.
    pub max_history_bytes: u64,
}

impl Limits {
    /// Bytes of output kept in the effect log, and of random draws.
    pub(super) fn max_log_bytes(&self) -> u64 {
        self.max_history_bytes / LOG_HISTORY_FRACTION
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_instructions: 0,
            max_call_depth: 2_000_000,
            max_memory_bytes: 512 << 20,
            max_history_bytes: 256 << 20,
        }
    }
}

impl Machine {
    /// Runs until something happens. A trap at the current instruction is ignored.
    pub fn run(&mut self) -> Outcome {
        self.run_until(u64::MAX)
    }

    /// Runs until something happens, or until exactly `time`.
    pub fn run_until(&mut self, time: u64) -> Outcome {
        if self.time >= time {
            return Outcome::Paused(Pause::Time);
        }
        // Step off the current instruction, which may have a trap.
        let next = self.time + 1;
        match self.run_observed(&mut UntilTime(next)) {
            Outcome::Paused(Pause::Observer) => {}
            other => return other,
        }
        if time == u64::MAX {
            return self.dispatch::<false>(&mut NoObserver, time);
        }
        // The plain loop checks the time only at backward jumps, calls and returns, so it may
        // overrun by up to the length of the longest function.
        let longest_function = self
            .image
            .program
            .functions
            .iter()
            .map(|f| f.code.len())
            .max()
            .unwrap_or(0) as u64
            + 1;
        let plain_until = time.saturating_sub(longest_function);
        if self.time < plain_until {
            match self.dispatch::<false>(&mut NoObserver, plain_until) {
                Outcome::Paused(Pause::Time) => {}
                other => return other,
            }
        }
        match self.step_until(time) {
            Outcome::Paused(Pause::Observer) => Outcome::Paused(Pause::Time),
            other => other,
        }
    }

    /// Executes the last instructions before a time, pausing at traps.
    fn step_until(&mut self, time: u64) -> Outcome {
        match self.run_observed(&mut UntilTimeOrTrap(time)) {
            Outcome::Paused(Pause::Observer) if self.time < time => Outcome::Paused(Pause::Trap),
            other => other,
        }
    }

    /// Runs with an observer that may pause before any instruction; ignores traps.
    pub fn run_observed(&mut self, observer: &mut dyn Observer) -> Outcome {
        self.dispatch::<true>(observer, u64::MAX)
    }

    /// The time of the next safepoint.
    pub(super) fn next_safepoint(&mut self, limit: u64) -> u64 {
        let checkpoint = self.recorder.next_time().max(self.time + 1);
        let schedule = self.schedule.next_safepoint(self.time, &self.limits);
        limit.min(checkpoint).min(schedule)
    }

    /// Checks for Ctrl-C, limits, and due checkpoints; returns an outcome if the run has to end.
    #[cold]
    pub(super) fn safepoint(&mut self, limit: u64) -> Option<Outcome> {
        let is_poll = self.schedule.poll(self.time);
        if self.schedule.take_due_interrupt(self.time) {
            return Some(Outcome::Paused(Pause::Interrupt));
        }
        if let Some(error) = self.schedule.check_budget(self.time, &self.limits) {
            return Some(Outcome::Failed(error));
        }
        if is_poll && self.memory_bytes() > self.limits.max_memory_bytes {
            return Some(Outcome::Failed(out_of_memory(&self.limits)));
        }
        self.record_checkpoint();
        if self.effects.has_much_output() {
            return Some(Outcome::Paused(Pause::Output));
        }
        (self.time >= limit).then_some(Outcome::Paused(Pause::Time))
    }
}
