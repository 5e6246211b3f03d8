//! How long a search may run, how much memory it may use, and what interrupts it.

use crate::position::graph::Graph;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a search may take, and how much memory it may use.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchLimits {
    /// Time.
    pub time: Duration,
    /// Bytes for everything that a search keeps: positions, moves, machines and what waits between threads.
    pub memory_bytes: u64,
    /// Positions.
    pub positions: usize,
    /// Threads that run actions.
    pub threads: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        SearchLimits {
            time: Duration::from_secs(10),
            memory_bytes: 1 << 30,
            // Positions are numbered with 32 bits.
            positions: u32::MAX as usize - 1,
            threads: default_threads(),
        }
    }
}

#[cfg(target_family = "wasm")]
fn default_threads() -> usize {
    1
}

#[cfg(not(target_family = "wasm"))]
fn default_threads() -> usize {
    use super::memory::MAX_THREADS;
    std::thread::available_parallelism().map_or(1, |n| n.get().min(MAX_THREADS))
}

/// Steps of a long computation between two looks at the clock.
const STEPS_BETWEEN_CHECKS: usize = 1 << 12;
/// A search that has stopped may take this share of its time in addition: one tenth.
const EXTRA_TIME_SHARE: u32 = 10;

/// Why a search ended before all positions were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoppedBy {
    /// The time limit.
    Time,
    /// The memory limit, or the limit on positions.
    Memory,
    /// Ctrl-C.
    Interrupt,
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchProgress {
    /// Positions found.
    pub positions: usize,
    /// The number of moves that is being searched.
    pub depth: usize,
    /// Random games played, or 0 while positions are searched.
    pub games: usize,
    /// Start values tried, or 0.
    pub start_values: usize,
}

/// Limits, the clock and Ctrl-C of a search.
pub struct SearchControl<'c> {
    /// The limits.
    pub limits: SearchLimits,
    /// The time now.
    pub now: &'c dyn Fn() -> Duration,
    /// Set by Ctrl-C.
    pub cancel: Arc<AtomicBool>,
    /// Called from time to time.
    pub report: &'c mut dyn FnMut(SearchProgress),
    pub(crate) deadline: Duration,
}

impl<'c> SearchControl<'c> {
    /// The limits start to count now.
    pub fn new(
        limits: SearchLimits,
        now: &'c dyn Fn() -> Duration,
        cancel: Arc<AtomicBool>,
        report: &'c mut dyn FnMut(SearchProgress),
    ) -> SearchControl<'c> {
        let deadline = now().saturating_add(limits.time);
        SearchControl {
            limits,
            now,
            cancel,
            report,
            deadline,
        }
    }

    /// Gives a search that has stopped a little more time to look at what it has found.
    pub(crate) fn extend_deadline(&mut self) {
        let share = self.limits.time / EXTRA_TIME_SHARE;
        self.deadline = self.deadline.max((self.now)()).saturating_add(share);
    }

    /// Does something in a share of the time that is left.
    pub(crate) fn with_share<T>(&mut self, share: f64, work: impl FnOnce(&mut Self) -> T) -> T {
        let now = (self.now)();
        let shortened = now + self.deadline.saturating_sub(now).mul_f64(share);
        let deadline = std::mem::replace(&mut self.deadline, shortened);
        let result = work(self);
        self.deadline = deadline;
        result
    }

    /// Whether the time is up.
    pub(crate) fn is_late(&self) -> bool {
        (self.now)() >= self.deadline
    }

    /// Why something that needs no more memory has to stop, if it has to.
    pub(crate) fn interrupted_by(&self) -> Option<StoppedBy> {
        match self.cancel.load(Ordering::Relaxed) {
            true => Some(StoppedBy::Interrupt),
            false => self.is_late().then_some(StoppedBy::Time),
        }
    }

    /// The same for step `n` of a long computation: looks at the clock once in a while.
    pub(crate) fn check_step(&self, n: usize) -> Result<(), StoppedBy> {
        match n.is_multiple_of(STEPS_BETWEEN_CHECKS) {
            true => self.interrupted_by().map_or(Ok(()), Err),
            false => Ok(()),
        }
    }

    /// An error if there is no memory for so many bytes more than the graph has.
    pub(crate) fn check_memory(&self, graph: &Graph, bytes: usize) -> Result<(), StoppedBy> {
        match bytes as u64 > self.free_bytes(graph) {
            true => Err(StoppedBy::Memory),
            false => Ok(()),
        }
    }

    /// Bytes that the graph and the machines of a search use.
    fn used_bytes(&self, graph: &Graph) -> u64 {
        graph.memory_bytes() as u64 + graph.overhead.bytes(self.limits.memory_bytes)
    }

    /// Bytes that they leave free.
    pub(crate) fn free_bytes(&self, graph: &Graph) -> u64 {
        let used = self.used_bytes(graph);
        self.limits.memory_bytes.saturating_sub(used)
    }

    /// Why the search has to stop, if it has to.
    pub(crate) fn stopped_by(&self, graph: &Graph) -> Option<StoppedBy> {
        let is_full = || self.is_full(graph).then_some(StoppedBy::Memory);
        self.interrupted_by().or_else(is_full)
    }

    /// Whether there is no room for more positions.
    pub(crate) fn is_full(&self, graph: &Graph) -> bool {
        let needed = self.used_bytes(graph) + graph.growth_bytes() as u64;
        graph.len() >= self.limits.positions || needed > self.limits.memory_bytes
    }
}
