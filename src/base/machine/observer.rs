//! Observers: called before every instruction, to record or to pause the run.

use super::Machine;

/// Called before every instruction of [`Machine::run_observed`].
pub trait Observer {
    /// Whether to pause before the next instruction.
    fn should_pause(&mut self, machine: &Machine) -> bool;

    /// A click was ignored because the piece already handled one in this action.
    fn on_click_skipped(&mut self, _machine: &Machine, _cell: u32) {}
}

/// The observer of a plain run. The plain loop is compiled without the calls to it.
pub(super) struct NoObserver;

impl Observer for NoObserver {
    #[inline(always)]
    fn should_pause(&mut self, _: &Machine) -> bool {
        false
    }
}

/// Forwards to another observer, but pauses at a given time first.
pub struct BoundedObserver<'w> {
    /// Not called for the instruction at `time`.
    pub inner: &'w mut dyn Observer,
    /// Pauses before the first instruction at or after this time.
    pub time: u64,
}

impl Observer for BoundedObserver<'_> {
    #[inline]
    fn should_pause(&mut self, machine: &Machine) -> bool {
        machine.time() >= self.time || self.inner.should_pause(machine)
    }

    fn on_click_skipped(&mut self, machine: &Machine, cell: u32) {
        self.inner.on_click_skipped(machine, cell);
    }
}

/// Pauses at a given time.
pub struct UntilTime(pub u64);

impl Observer for UntilTime {
    #[inline]
    fn should_pause(&mut self, machine: &Machine) -> bool {
        machine.time() >= self.0
    }
}

/// Pauses at a trap, and at a given time.
pub(super) struct UntilTimeOrTrap(pub u64);

impl Observer for UntilTimeOrTrap {
    #[inline]
    fn should_pause(&mut self, machine: &Machine) -> bool {
        machine.time() >= self.0 || machine.is_at_trap()
    }
}
