//! How long a run lasts: to its end, to a given time, to a trap, or as long as an observer says.

use super::observer::UntilTimeOrTrap;
use super::trap_test::TestResult;
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
        // The plain loop checks the time only at backward jumps, calls and returns, so it may
        // overrun by up to the length of the longest function.
        let plain_until = match time {
            u64::MAX => time,
            _ => time.saturating_sub(self.longest_function() + 1),
        };
        // The current instruction may have a trap, which is ignored.
        let mut outcome = self.step();
        loop {
            match outcome {
                Outcome::Paused(Pause::Observer) => {}
                other => return other,
            }
            match self.run_to_trap(plain_until, time) {
                Outcome::Paused(Pause::Trap) => {}
                other => return other,
            }
            let result = self.test_trap();
            if let TestResult::Pause = result {
                return Outcome::Paused(Pause::Trap);
            }
            outcome = self.step();
            if let TestResult::Compare = result
                && outcome == Outcome::Paused(Pause::Observer)
                && self.test_after()
            {
                return Outcome::Paused(Pause::Watch);
            }
        }
    }

    /// Executes one instruction.
    fn step(&mut self) -> Outcome {
        let next = self.time + 1;
        self.run_observed(&mut UntilTime(next))
    }

    fn longest_function(&self) -> u64 {
        let functions = self.image.program.functions.iter();
        functions.map(|f| f.code.len()).max().unwrap_or(0) as u64
    }

    /// Runs until something happens, at most until `time`: in the plain loop until `plain_until`.
    fn run_to_trap(&mut self, plain_until: u64, time: u64) -> Outcome {
        if self.time < plain_until {
            match self.dispatch::<false>(&mut NoObserver, plain_until) {
                Outcome::Paused(Pause::Time) if plain_until < time => {}
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
