//! Reuses units of loops over the board: if an iteration would do what it did before, what it sets is
//! set, its time passes, and its instructions are not executed.
//!
//! - A unit is remembered with everything that it depended on: registers, globals, and the time at which
//!   the rows and columns that it reads last changed. `code::incremental` finds out what that is.
//! - Consecutive units are also remembered in groups, so that a click on a large board does not look
//!   at every row.
//! - Only the plain dispatch loop reuses units, and only if nothing has to happen inside of one: the
//!   time limit, an interrupt to be repeated, and the instruction limit lie after it. Seeking to a time
//!   inside of a unit executes it. Periodic checks and checkpoints come after the unit instead of inside.
//! - Functions with a trap run as they are, and so do functions whose units call one with a trap.
//! - The first time that a loop runs, nothing is remembered: the first action after a change of the whole
//!   board costs what it costs without reuse. Small boards are not worth it at all.
//!
//! ```text
//! fault     mistakes on purpose
//! link      which functions of a program run code that reuses units
//! position  where a loop with units is
//! reuse     skips units that are known, and remembers those that are executed
//! stamps    when each row and column of the board last changed
//! steps     what the instructions of reusable loops do
//! table     what is remembered of the units of one loop
//! ```

mod link;
mod position;
mod reuse;
mod stamps;
mod steps;
mod table;

pub(super) use link::{IncrementalImage, NOT_INCREMENTAL};

use super::Machine;
use crate::code::incremental::Unit;
use stamps::Stamps;
use table::{Entry, Table};

/// Boards with fewer cells are evaluated as they are, unless [`Machine::set_incremental`] says
/// otherwise.
pub const MIN_INCREMENTAL_CELLS: u32 = 144;

/// Number of consecutive units that are remembered together.
const UNITS_PER_GROUP: u32 = 32;

/// A loop is remembered from this start on.
const MIN_STARTS: u32 = 2;

/// Loops with more units are not remembered: the table would be larger than the board.
const MAX_UNITS: u32 = 1 << 14;

/// What a machine knows about reusable units, apart from those of its program.
#[derive(Default)]
pub(super) struct Incremental {
    /// The number of cells from which on units are reused; `None` for never.
    min_cells: Option<u32>,
    stamps: Stamps,
    /// The unit and the group of units that are being executed, to be remembered.
    unit: Option<Recording>,
    group: Option<Recording>,
    /// In a loop over all cells: a cell up to which the current row continues for sure.
    pub(super) row_end: u32,
    /// In ticks: a unit must end before this to be skipped.
    hard_end: u64,
    counts: IncrementalCounts,
    /// Applied to each unit that the analysis finds; see [`Machine::alter_units`].
    alteration: Option<fn(&mut Unit)>,
}

/// How often units were reused, for tests and benchmarks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IncrementalCounts {
    /// Units and groups of units that were skipped.
    pub reused: u64,
    /// Units that were executed and remembered.
    pub remembered: u64,
}

/// A unit or group that is being executed.
#[derive(Clone, Copy)]
struct Recording {
    key: LoopKey,
    /// Number of the unit or group.
    index: u32,
    entry: Entry,
    /// Number of frames on the stack.
    depth: usize,
    /// When it started, in ticks.
    start: u64,
    /// The board of that time.
    stamp: u64,
}

/// A loop with units: index of its function, and its index there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LoopKey {
    function: u32,
    unit: u16,
}

/// A loop, with what is known about its units.
pub(super) struct ReusableLoop {
    unit: Unit,
    /// How often the loop was started since the whole board changed.
    starts: u32,
    units: Table,
    groups: Table,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Unit,
    Group,
}

impl ReusableLoop {
    #[inline]
    fn table(&self, level: Level) -> &Table {
        match level {
            Level::Unit => &self.units,
            Level::Group => &self.groups,
        }
    }

    /// What a unit depends on and sets, and what is remembered.
    #[inline]
    fn parts(&mut self, level: Level) -> (&Unit, &mut Table) {
        match level {
            Level::Unit => (&self.unit, &mut self.units),
            Level::Group => (&self.unit, &mut self.groups),
        }
    }
}

/// Where a loop continues, and how much time has passed meanwhile, in ticks.
pub(super) struct UnitStep {
    /// `None`: after the loop.
    pub(super) to: Option<u32>,
    pub(super) ticks: u64,
}

impl Incremental {
    pub(super) fn new() -> Incremental {
        Incremental {
            min_cells: Some(MIN_INCREMENTAL_CELLS),
            ..Incremental::default()
        }
    }

    /// Stops recording, and forgets where a loop is.
    fn forget_position(&mut self) {
        (self.unit, self.group, self.row_end) = (None, None, 0);
    }

    fn recording(&mut self, level: Level) -> &mut Option<Recording> {
        match level {
            Level::Unit => &mut self.unit,
            Level::Group => &mut self.group,
        }
    }
}

impl Machine {
    /// Sets from how many cells on units are reused; `None` for never. Results do not depend on it.
    pub fn set_incremental(&mut self, min_cells: Option<u32>) {
        self.incremental.min_cells = min_cells;
        self.incremental.forget_position();
    }

    /// How often units were reused.
    pub fn incremental_counts(&self) -> IncrementalCounts {
        self.incremental.counts
    }

    /// Changes what the analysis finds about each unit, from the next run on. For tests, which make
    /// mistakes on purpose to check that they are noticed.
    #[doc(hidden)]
    pub fn alter_units(&mut self, alteration: fn(&mut Unit)) {
        self.incremental.alteration = Some(alteration);
        self.incremental.forget_position();
        self.image.forget_all_units();
    }
}
