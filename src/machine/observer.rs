//! What may look on while the machine runs. The plain run has a watcher that the compiler removes.

use super::Machine;

/// Is asked before every instruction.
pub trait Observer {
    /// Whether to pause before the next instruction.
    fn should_pause(&mut self, machine: &Machine) -> bool;

    /// A click came to a piece that had already handled one in this action.
    fn on_click_skipped(&mut self, _machine: &Machine, _cell: u32) {}
}

/// Looks at nothing.
pub struct NoObserver;

impl Observer for NoObserver {
    #[inline(always)]
    fn should_pause(&mut self, _: &Machine) -> bool {
        false
    }
}

/// Looks on with another, and pauses at a time before that one is asked.
pub struct BoundedObserver<'w> {
    pub inner: &'w mut dyn Observer,
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

/// Pauses at a time.
pub struct UntilTime(pub u64);

impl Observer for UntilTime {
    #[inline]
    fn should_pause(&mut self, machine: &Machine) -> bool {
        machine.time() >= self.0
    }
}
