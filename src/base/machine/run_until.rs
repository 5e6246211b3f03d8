//! How long a run lasts: to its end, to a given time, to a trap, or as long as an observer says.

use super::observer::UntilTimeOrTrap;
use super::trap_test::TestResult;
use super::{Machine, NoObserver, Observer, Outcome, Pause, UntilTime};

impl Machine {
    /// Runs until something happens. A trap at the current instruction is ignored.
    pub fn run(&mut self) -> Outcome {
        self.run_until(u64::MAX)
    }

    /// Runs until something happens, or until exactly `time`. A trap at the current instruction is ignored.
    pub fn run_until(&mut self, time: u64) -> Outcome {
        self.run_on(time, Machine::step)
    }

    /// Like [`Machine::run_until`], but a trap at the current instruction is tested like the others.
    pub fn run_until_testing_first(&mut self, time: u64) -> Outcome {
        self.run_on(time, Machine::pass_trap)
    }

    /// Runs until something happens, or until exactly `time`. `first` executes the current instruction.
    fn run_on(&mut self, time: u64, first: fn(&mut Machine) -> Outcome) -> Outcome {
        if self.time >= time {
            return Outcome::Paused(Pause::Time);
        }
        // The plain loop checks the time only at backward jumps, calls and returns, so it may
        // overrun by up to the length of the longest function.
        let plain_until = match time {
            u64::MAX => time,
            _ => time.saturating_sub(self.longest_function() + 1),
        };
        let mut outcome = first(self);
        loop {
            match outcome {
                Outcome::Paused(Pause::Observer) => {}
                other => return other,
            }
            match self.run_to_trap(plain_until, time) {
                Outcome::Paused(Pause::Trap) => {}
                other => return other,
            }
            outcome = self.pass_trap();
        }
    }

    /// Executes the instruction at a trap, unless its test says to pause.
    fn pass_trap(&mut self) -> Outcome {
        let result = self.test_trap();
        if let TestResult::Pause = result {
            return Outcome::Paused(Pause::Trap);
        }
        let outcome = self.step();
        match result {
            TestResult::Compare
                if outcome == Outcome::Paused(Pause::Observer) && self.test_after() =>
            {
                Outcome::Paused(Pause::Watch)
            }
            _ => outcome,
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
