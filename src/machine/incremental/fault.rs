//! Mistakes on purpose: each must be found by the tests that compare runs with and without reuse.

/// A mistake in reusing units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Changes of the board are ignored.
    IgnoresChanges,
    /// Inputs in registers are not compared.
    IgnoresRegisters,
    /// Inputs in globals are not compared.
    IgnoresGlobals,
    /// The last output register is not set.
    DropsRegister,
    /// The last output global is not set.
    DropsGlobal,
    /// Counters are not increased.
    DropsCounters,
    /// A unit takes one instruction more.
    LosesTime,
    /// The column stamps are not updated.
    ForgetsColumns,
    /// Only the row or column of the unit itself is checked for changes.
    IgnoresNeighbors,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 9] = [
        Fault::IgnoresChanges,
        Fault::IgnoresRegisters,
        Fault::IgnoresGlobals,
        Fault::DropsRegister,
        Fault::DropsGlobal,
        Fault::DropsCounters,
        Fault::LosesTime,
        Fault::ForgetsColumns,
        Fault::IgnoresNeighbors,
    ];
}

/// Whether a mistake is made; never in release builds.
#[inline(always)]
pub(super) fn is(active: Option<Fault>, fault: Fault) -> bool {
    cfg!(debug_assertions) && active == Some(fault)
}
