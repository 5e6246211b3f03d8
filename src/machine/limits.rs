//! How long a run goes on: to its end, to a time, to a trap, until a budget or a person stops it.

use super::{
    Machine, NoObserver, Observer, Outcome, Pause, RuntimeError, SAFEPOINT_INTERVAL_INSTRUCTIONS,
    UntilTime,
};
use std::sync::atomic::Ordering;

impl Machine {
    /// Runs until something happens. A trap at the very place where it stands does not count.
    pub fn run(&mut self) -> Outcome {
        self.run_until(u64::MAX)
    }

    /// Runs until something happens, at the latest until `time`, exactly.
    pub fn run_until(&mut self, time: u64) -> Outcome {
        if self.time >= time {
            return Outcome::Paused(Pause::Time);
        }
        // Off the place where it stands, which may be trapped.
        let next = self.time + 1;
        match self.run_observed(&mut UntilTime(next)) {
            Outcome::Paused(Pause::Observer) => {}
            other => return other,
        }
        // The plain loop looks at the clock only where code goes back, calls or returns: no further than the longest
        // function.
        let longest = self
            .program
            .functions
            .iter()
            .map(|f| f.code.len())
            .max()
            .unwrap_or(0) as u64
            + 1;
        let early = time.saturating_sub(longest);
        if self.time < early {
            match self.dispatch::<false>(&mut NoObserver, early) {
                Outcome::Paused(Pause::Time) => {}
                other => return other,
            }
        }
        match self.traps_until(time) {
            Outcome::Paused(Pause::Observer) => Outcome::Paused(Pause::Time),
            other => other,
        }
    }

    /// The last instructions before a time, one by one, traps heeded.
    pub(super) fn traps_until(&mut self, time: u64) -> Outcome {
        while self.time < time {
            if self.is_at_trap() {
                return Outcome::Paused(Pause::Trap);
            }
            let next = self.time + 1;
            match self.run_observed(&mut UntilTime(next)) {
                Outcome::Paused(Pause::Observer) => {}
                other => return other,
            }
        }
        Outcome::Paused(Pause::Observer)
    }

    /// Runs with somebody looking on, who may pause it anywhere; traps are not heeded.
    pub fn run_observed(&mut self, watcher: &mut dyn Observer) -> Outcome {
        self.dispatch::<true>(watcher, u64::MAX)
    }

    /// When the loop has to look up from its work.
    pub(super) fn next_safepoint(&mut self, limit: u64) -> u64 {
        let checkpoint = if self.is_recording {
            self.next_checkpoint.max(self.time + 1)
        } else {
            u64::MAX
        };
        // It stays due however often the run is paused and goes on in between; but time may have been gone back.
        self.next_poll = self
            .next_poll
            .min(self.time + SAFEPOINT_INTERVAL_INSTRUCTIONS);
        limit
            .min(self.next_poll)
            .min(checkpoint)
            .min(self.interrupt_at)
    }

    /// Looks up from the work; says what is to be done if it can't go on.
    #[cold]
    pub(super) fn safepoint(&mut self, limit: u64) -> Option<Outcome> {
        self.next_poll = self.time + SAFEPOINT_INTERVAL_INSTRUCTIONS;
        if self.interrupt_flag.swap(false, Ordering::Relaxed) || self.time >= self.interrupt_at {
            self.interrupt_at = u64::MAX;
            return Some(Outcome::Paused(Pause::Interrupt));
        }
        if self.limits.max_instructions > 0
            && self.time - self.entry_time > self.limits.max_instructions
        {
            let message = format!(
                "stopped after {} steps without an end",
                self.time - self.entry_time
            );
            let note = "a loop that never ends? `--steps N` allows more, `--steps 0` any number";
            return Some(Outcome::Failed(
                RuntimeError::new("RT019", message).note(note),
            ));
        }
        if self.memory_bytes() > self.limits.max_memory_bytes {
            return Some(Outcome::Failed(self.out_of_memory()));
        }
        if self.is_recording && self.time >= self.next_checkpoint {
            self.take_checkpoint();
        }
        (self.time >= limit).then_some(Outcome::Paused(Pause::Time))
    }
}
