//! What may look on while the machine runs. The plain run has a watcher that the compiler removes.

use super::Machine;

/// Is asked before every instruction.
pub trait Watch {
    /// Whether to pause before the next instruction.
    fn pauses(&mut self, machine: &Machine) -> bool;

    /// A click came to a piece that had already handled one in this action.
    fn skipped(&mut self, _machine: &Machine, _cell: u32) {}
}

/// Looks at nothing.
pub struct Unwatched;

impl Watch for Unwatched {
    #[inline(always)]
    fn pauses(&mut self, _: &Machine) -> bool {
        false
    }
}

/// Looks on with another, and pauses at a time before that one is asked.
pub struct Till<'w> {
    pub inner: &'w mut dyn Watch,
    pub time: u64,
}

impl Watch for Till<'_> {
    #[inline]
    fn pauses(&mut self, machine: &Machine) -> bool {
        machine.time() >= self.time || self.inner.pauses(machine)
    }

    fn skipped(&mut self, machine: &Machine, cell: u32) {
        self.inner.skipped(machine, cell);
    }
}

/// Pauses at a time.
pub struct Until(pub u64);

impl Watch for Until {
    #[inline]
    fn pauses(&mut self, machine: &Machine) -> bool {
        machine.time() >= self.0
    }
}
