//! How long a run goes on: to its end, to a time, to a trap, until a budget or a person stops it.

use super::{Fault, LOOK_UP, Machine, Outcome, Pause, Until, Unwatched, Watch};
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
        match self.watched(&mut Until(next)) {
            Outcome::Paused(Pause::Watcher) => {}
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
            match self.dispatch::<false>(&mut Unwatched, early) {
                Outcome::Paused(Pause::Time) => {}
                other => return other,
            }
        }
        match self.traps_until(time) {
            Outcome::Paused(Pause::Watcher) => Outcome::Paused(Pause::Time),
            other => other,
        }
    }

    /// The last instructions before a time, one by one, traps heeded.
    pub(super) fn traps_until(&mut self, time: u64) -> Outcome {
        while self.time < time {
            if self.is_trapped() {
                return Outcome::Paused(Pause::Trap);
            }
            let next = self.time + 1;
            match self.watched(&mut Until(next)) {
                Outcome::Paused(Pause::Watcher) => {}
                other => return other,
            }
        }
        Outcome::Paused(Pause::Watcher)
    }

    /// Runs with somebody looking on, who may pause it anywhere; traps are not heeded.
    pub fn watched(&mut self, watcher: &mut dyn Watch) -> Outcome {
        self.dispatch::<true>(watcher, u64::MAX)
    }

    /// When the loop has to look up from its work.
    pub(super) fn next_look(&mut self, limit: u64) -> u64 {
        let checkpoint = if self.recording {
            self.next_checkpoint.max(self.time + 1)
        } else {
            u64::MAX
        };
        // It stays due however often the run is paused and goes on in between; but time may have been gone back.
        self.due = self.due.min(self.time + LOOK_UP);
        limit.min(self.due).min(checkpoint).min(self.stop_at)
    }

    /// Looks up from the work; says what is to be done if it can't go on.
    #[cold]
    pub(super) fn look_up(&mut self, limit: u64) -> Option<Outcome> {
        self.due = self.time + LOOK_UP;
        if self.interrupt.swap(false, Ordering::Relaxed) || self.time >= self.stop_at {
            self.stop_at = u64::MAX;
            return Some(Outcome::Paused(Pause::Interrupt));
        }
        if self.limits.steps > 0 && self.time - self.entry_time > self.limits.steps {
            let message = format!(
                "stopped after {} steps without an end",
                self.time - self.entry_time
            );
            let note = "a loop that never ends? `--steps N` allows more, `--steps 0` any number";
            return Some(Outcome::Failed(Fault::new("RT019", message).note(note)));
        }
        if self.memory() > self.limits.memory {
            return Some(Outcome::Failed(self.out_of_memory()));
        }
        if self.recording && self.time >= self.next_checkpoint {
            self.take();
        }
        (self.time >= limit).then_some(Outcome::Paused(Pause::Time))
    }
}
