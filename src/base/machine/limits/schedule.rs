//! When a run has to be checked for Ctrl-C and for exceeded limits.

use crate::machine::{Limits, RuntimeError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How often the dispatch loop checks for Ctrl-C and the memory limit.
const POLL_INTERVAL_INSTRUCTIONS: u64 = 1 << 16;

/// When a run has to be checked.
pub(in crate::machine) struct Schedule {
    /// The time of the next check for Ctrl-C and for exceeded limits.
    next_poll: u64,
    /// The time at which the current entry started, for the instruction limit.
    pub(in crate::machine) entry_time: u64,
    /// The end of the instruction limit that a run was last reported to have exceeded.
    reported_budget_end: Option<u64>,
    /// Once set, pauses the run at the next safepoint.
    pub(in crate::machine) interrupt_flag: Arc<AtomicBool>,
    /// The time at which to pause as if by Ctrl-C, so that a replay stops where the user
    /// interrupted the original run.
    pub(in crate::machine) interrupt_at: u64,
}

impl Schedule {
    /// The schedule of a machine that has run nothing yet.
    pub(in crate::machine) fn new() -> Schedule {
        Schedule {
            next_poll: 0,
            entry_time: 0,
            reported_budget_end: None,
            interrupt_flag: Arc::default(),
            interrupt_at: u64::MAX,
        }
    }

    /// The time of the next safepoint.
    pub(super) fn next_safepoint(&mut self, time: u64, limits: &Limits) -> u64 {
        // Pausing and resuming must not postpone the poll; but time may have gone back.
        self.next_poll = self.next_poll.min(poll_after(time));
        self.next_poll
            .min(self.interrupt_at)
            .min(self.next_budget_check(time, limits))
    }

    /// At a safepoint: whether a poll is due.
    pub(super) fn poll(&mut self, time: u64) -> bool {
        let is_due = time >= self.next_poll;
        self.next_poll = poll_after(time);
        is_due
    }

    /// Clears the interrupt flag and returns whether it was set.
    pub(in crate::machine) fn take_interrupt(&self) -> bool {
        self.interrupt_flag.swap(false, Ordering::Relaxed)
    }

    /// Whether the run has to pause now as by Ctrl-C, once.
    pub(super) fn take_due_interrupt(&mut self, time: u64) -> bool {
        let is_due = self.take_interrupt() || time >= self.interrupt_at;
        if is_due {
            self.interrupt_at = u64::MAX;
        }
        is_due
    }

    /// The first time that exceeds the instruction limit of the entry; never if there is no limit.
    fn budget_end(&self, limits: &Limits) -> u64 {
        match limits.max_instructions {
            0 => u64::MAX,
            max => self.entry_time.saturating_add(max).saturating_add(1),
        }
    }

    /// When the instruction limit has to be checked. Once it was reported, expressions can still be
    /// evaluated where the run ended.
    pub(in crate::machine) fn next_budget_check(&mut self, time: u64, limits: &Limits) -> u64 {
        let end = self.budget_end(limits);
        if time < end {
            self.reported_budget_end = None;
        }
        match self.reported_budget_end == Some(end) {
            true => u64::MAX,
            false => end,
        }
    }

    /// The error of an entry that exceeds the instruction limit.
    pub(super) fn check_budget(&mut self, time: u64, limits: &Limits) -> Option<Box<RuntimeError>> {
        let end = self.budget_end(limits);
        if time < end {
            return None;
        }
        self.reported_budget_end = Some(end);
        let message = format!(
            "stopped after {} steps without finishing",
            time - self.entry_time
        );
        let note = "probably an endless loop; `--steps N` raises the limit, `--steps 0` removes it";
        Some(RuntimeError::new("RT019", message).note(note))
    }
}

/// The first poll after a time. Polls are at fixed times, as far as there is a safepoint, so that
/// limits are exceeded at the same time however a run got there.
fn poll_after(time: u64) -> u64 {
    (time / POLL_INTERVAL_INSTRUCTIONS + 1) * POLL_INTERVAL_INSTRUCTIONS
}
