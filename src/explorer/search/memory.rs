//! The memory that a search needs besides its graph: machines, and what waits between threads.
//!
//! It is estimated from the size of the game, and the same for any number of threads: a memory limit is
//! reached at the same position.

use super::control::SearchControl;
use crate::answer::CommandError;
use crate::debugger::Target;
use crate::{CachedExploration, Explorer};

/// A machine for each cell: content and ids, both again in the snapshot of the start, and once more in the
/// position to which it returns after each action.
const MACHINE_BYTES_PER_CELL: u64 = 52;
/// For each cell on which a move is possible: the action, and the move in the graph.
const ACTION_BYTES_PER_CELL: u64 = 56;
/// How often the heap of a machine is in memory: in use, in the snapshot and in the saved position.
const HEAP_COPIES: u64 = 3;
/// Machines besides those of threads: one runs actions, another looks at the positions, such as for a goal.
/// Before a search is continued, the second one prepares it.
const MACHINES: u64 = 2;
/// Positions that wait between a thread and the search, at most, if each is large.
const QUEUED_POSITIONS: u64 = 12;
/// What waits between a thread and the search if positions are small, and the stack of the thread.
const SMALL_QUEUE_BYTES: u64 = 128 << 10;
/// Threads may use this share of the memory limit: one eighth. What they do not need is not reserved.
const THREADS_SHARE: u64 = 8;
/// The graph of an earlier search is kept during another, short one if it takes less than this share of the
/// memory limit: one eighth.
const CACHE_SHARE: u64 = 8;
/// More threads than this gain little: one thread merges the results.
pub(crate) const MAX_THREADS: usize = 8;

/// The memory that a search needs besides its graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Overhead {
    machines: u64,
    thread: u64,
    /// The graph of an earlier search that is kept.
    cached: u64,
}

impl Overhead {
    /// For a search from the current position of a target.
    pub fn of(target: &Target, position_bytes: usize) -> Overhead {
        let store = &target.machine.store;
        let cells = store.cells.len() as u64;
        let machine = cells * MACHINE_BYTES_PER_CELL + store.heap.bytes() * HEAP_COPIES;
        let actions = cells * ACTION_BYTES_PER_CELL;
        let queued = position_bytes as u64 * QUEUED_POSITIONS;
        Overhead {
            machines: MACHINES * machine + actions,
            thread: machine + actions + queued + SMALL_QUEUE_BYTES,
            cached: 0,
        }
    }

    /// Bytes that the graph cannot use if this is the memory limit.
    pub fn bytes(&self, limit: u64) -> u64 {
        let threads = self.thread * MAX_THREADS as u64;
        self.machines + threads.min(limit / THREADS_SHARE) + self.cached
    }

    /// Leaves room for the graph of an earlier search, whether or not there is one: what a search finds does
    /// not depend on earlier commands.
    pub fn add_cache(&mut self, limit: u64) {
        self.cached = limit / CACHE_SHARE;
    }

    /// How many threads there is memory for, up to `wanted`.
    #[cfg(not(target_family = "wasm"))]
    pub fn threads(&self, limit: u64, wanted: usize) -> usize {
        let affordable = limit / THREADS_SHARE / self.thread.max(1);
        wanted.min(affordable as usize)
    }
}

impl SearchControl<'_> {
    /// Whether there is no memory for the machines of a search, so that it cannot begin.
    pub(crate) fn lacks_memory(&self, target: &Target) -> bool {
        Overhead::of(target, 0).machines > self.limits.memory_bytes
    }

    /// An error if there is no memory for the machines of a search.
    pub(crate) fn require_memory(&self, target: &Target) -> Result<(), CommandError> {
        match self.lacks_memory(target) {
            true => Err(CommandError::new(
                "undecided: this game is too large to search (memory limit)",
            )),
            false => Ok(()),
        }
    }
}

impl Explorer {
    /// Frees what an earlier search has found if there would not be enough memory for another one besides.
    pub(crate) fn clear_if_large(&mut self, limit: u64) {
        let is_large = |cached: &CachedExploration| {
            let overhead = cached.exploration.graph.overhead.machines;
            let bytes = cached.exploration.memory_bytes() as u64 + overhead;
            bytes > limit / CACHE_SHARE
        };
        if self.cached.as_ref().is_some_and(is_large) {
            self.clear();
        }
    }
}
