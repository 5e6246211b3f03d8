//! What may look on while the machine runs. The plain run has a watcher that the compiler removes.

use super::Machine;

/// Is asked before every instruction.
pub trait Watch {
    /// Whether there is anything to ask at all.
    const ACTIVE: bool;

    /// Whether to pause before the next instruction.
    fn pauses(&mut self, machine: &Machine) -> bool;

    /// A click came to a piece that had already handled one in this action.
    fn skipped(&mut self, _machine: &Machine, _cell: u32) {}
}

/// Looks at nothing.
pub struct Unwatched;

impl Watch for Unwatched {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn pauses(&mut self, _: &Machine) -> bool {
        false
    }
}

/// Looks on with another, and pauses at a time before that one is asked.
pub struct Till<'w, W> {
    pub inner: &'w mut W,
    pub time: u64,
}

impl<W: Watch> Watch for Till<'_, W> {
    const ACTIVE: bool = true;

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
    const ACTIVE: bool = true;

    #[inline]
    fn pauses(&mut self, machine: &Machine) -> bool {
        machine.time() >= self.0
    }
}
