//! How long a run lasts: to its end, to a given time, to a trap, or until a limit or Ctrl-C stops
//! it.

use super::observer::UntilTimeOrTrap;
use super::{
    Machine, NoObserver, Observer, Outcome, Pause, RuntimeError, SAFEPOINT_INTERVAL_INSTRUCTIONS,
    UntilTime,
};
use std::sync::atomic::Ordering;

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
    pub(super) fn step_until(&mut self, time: u64) -> Outcome {
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
        let checkpoint = if self.is_recording {
            self.next_checkpoint.max(self.time + 1)
        } else {
            u64::MAX
        };
        // Pausing and resuming must not postpone the poll; but time may have gone back.
        self.next_poll = self.next_poll.min(self.poll_after(self.time));
        limit
            .min(self.next_poll)
            .min(checkpoint)
            .min(self.interrupt_at)
            .min(self.next_budget_check())
    }

    /// The first poll after a time. Polls are at fixed times, as far as there is a safepoint, so that
    /// limits are exceeded at the same time however a run got there.
    fn poll_after(&self, time: u64) -> u64 {
        (time / SAFEPOINT_INTERVAL_INSTRUCTIONS + 1) * SAFEPOINT_INTERVAL_INSTRUCTIONS
    }

    /// The first time that exceeds the instruction limit of the entry; never if there is no limit.
    pub(super) fn budget_end(&self) -> u64 {
        match self.limits.max_instructions {
            0 => u64::MAX,
            max => self.entry_time.saturating_add(max).saturating_add(1),
        }
    }

    /// When the instruction limit has to be checked. Once it was reported, expressions can still be
    /// evaluated where the run ended.
    pub(super) fn next_budget_check(&mut self) -> u64 {
        let end = self.budget_end();
        if self.time < end {
            self.reported_budget_end = None;
        }
        match self.reported_budget_end == Some(end) {
            true => u64::MAX,
            false => end,
        }
    }

    /// Checks for Ctrl-C, limits, and due checkpoints; returns an outcome if the run has to end.
    #[cold]
    pub(super) fn safepoint(&mut self, limit: u64) -> Option<Outcome> {
        let is_poll = self.time >= self.next_poll;
        self.next_poll = self.poll_after(self.time);
        if self.interrupt_flag.swap(false, Ordering::Relaxed) || self.time >= self.interrupt_at {
            self.interrupt_at = u64::MAX;
            return Some(Outcome::Paused(Pause::Interrupt));
        }
        let budget_end = self.budget_end();
        if self.time >= budget_end {
            self.reported_budget_end = Some(budget_end);
            let message = format!(
                "stopped after {} steps without finishing",
                self.time - self.entry_time
            );
            let note =
                "probably an endless loop; `--steps N` raises the limit, `--steps 0` removes it";
            return Some(Outcome::Failed(
                RuntimeError::new("RT019", message).note(note),
            ));
        }
        if is_poll && self.memory_bytes() > self.limits.max_memory_bytes {
            return Some(Outcome::Failed(self.out_of_memory()));
        }
        if self.is_recording && self.time >= self.next_checkpoint {
            self.take_checkpoint();
        }
        if self.has_much_output() {
            return Some(Outcome::Paused(Pause::Output));
        }
        (self.time >= limit).then_some(Outcome::Paused(Pause::Time))
    }
}
