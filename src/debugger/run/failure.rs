//! Runtime errors at which the program has stopped.

use crate::Target;

/// A runtime error at which the program has stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure {
    /// The time at which it happened.
    pub(crate) time: u64,
    /// The number of frames on the call stack.
    pub(crate) depth: usize,
    /// The number of history entries at the time; what is typed at the stop comes after them.
    pub(crate) entry_count: usize,
}

impl Target {
    /// Whether the program is stopped at a runtime error, even if something was typed there.
    pub fn is_at_error(&self) -> bool {
        self.failure_here().is_some()
    }

    /// The error at which the program is stopped.
    pub(crate) fn failure_here(&self) -> Option<Failure> {
        let entries = self.timeline.entries();
        let is_here = |failure: &&Failure| {
            let typed_since = entries.get(failure.entry_count..);
            failure.depth == self.machine.frames().len()
                && failure.time <= self.machine.time()
                && !self.timeline.is_in_past(&self.machine)
                && typed_since.is_some_and(|all| all.iter().all(|e| e.before.time >= failure.time))
        };
        self.failures.iter().rev().find(is_here).copied()
    }

    /// Remembers that the program is stopped at an error here.
    pub(crate) fn record_failure(&mut self) {
        self.failures.push(Failure {
            time: self.machine.time(),
            depth: self.machine.frames().len(),
            entry_count: self.timeline.entries().len(),
        });
    }

    /// The program runs on from here. If the instruction fails again, that is another failure.
    pub(crate) fn leave_failure(&mut self) {
        if let Some(here) = self.failure_here() {
            self.failures
                .retain(|f| (f.time, f.depth) != (here.time, here.depth));
        }
    }

    /// Forgets the errors that can no longer be reached, because an entry starts here.
    pub(crate) fn forget_lost_failures(&mut self) {
        let (now, entry_count) = (self.machine.time(), self.timeline.entries().len());
        let is_stopped = !self.machine.is_idle();
        self.failures
            .retain(|f| is_stopped && f.time <= now && f.entry_count <= entry_count);
    }
}
