//! The limits of a program, and where a run is checked for them and for Ctrl-C.
//!
//! - `schedule`: when a run has to be checked for Ctrl-C and for exceeded limits.

mod schedule;

pub(super) use schedule::Schedule;

use super::runtime_error::out_of_memory;
use super::{LOG_HISTORY_FRACTION, Machine, Outcome, Pause};

/// Resource limits of a program.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions per entry; 0 for no limit.
    pub max_instructions: u64,
    /// Nested function calls.
    pub max_call_depth: u32,
    /// Bytes of frames, heap objects and the board.
    pub max_memory_bytes: u64,
    /// Whether a run fails if it exceeds that. A replay does not: it could notice it earlier than the run
    /// did. It has to collect garbage at the same times, though.
    pub is_memory_enforced: bool,
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
            is_memory_enforced: true,
            max_history_bytes: 256 << 20,
        }
    }
}

impl Machine {
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
        if is_poll && self.exceeds_memory(0) {
            return Some(Outcome::Failed(out_of_memory(&self.limits)));
        }
        self.record_checkpoint();
        if self.effects.has_much_output() {
            return Some(Outcome::Paused(Pause::Output));
        }
        if self.recorder.has_many_pending() {
            return Some(Outcome::Paused(Pause::Checkpoints));
        }
        (self.time >= limit).then_some(Outcome::Paused(Pause::Time))
    }
}
