//! How long a run lasts: to its end, to a given time, to a trap, or as long as an observer says.

use super::observer::UntilTimeOrTrap;
use super::{Machine, NoObserver, Observer, Outcome, Pause, UntilTime};

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
}
