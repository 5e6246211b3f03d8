//! Breadth-first search: finds all positions with one more move, then those with two, and so on.
//!
//! Several threads can run the actions of a layer. Each has its own machine, positions travel as bytes,
//! and the results are merged in the order of the positions, so the number of threads has no influence
//! on any answer.

use super::graph::{Edge, Failure, Graph, PositionId};
use super::packing::Phase;
use super::setup::{Scope, Setup, Watch};
use super::simulator::{ActionFailure, Expansion, PositionInfo, Simulator};
use crate::code::FunctionId;
use crate::debugger::Target;
use crate::debugger::api::CommandError;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// How long a search may take, and how much memory it may use.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchLimits {
    /// Time.
    pub time: Duration,
    /// Bytes for positions and moves.
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
    /// More threads than this gain little: one thread merges the results.
    const MAX_THREADS: usize = 8;
    std::thread::available_parallelism().map_or(1, |n| n.get().min(MAX_THREADS))
}

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchProgress {
    /// Positions found.
    pub positions: usize,
    /// The number of moves that is being searched.
    pub depth: usize,
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
    deadline: Duration,
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

    /// Whether the time is up.
    pub(super) fn is_late(&self) -> bool {
        (self.now)() >= self.deadline
    }

    /// Why the search has to stop, if it has to.
    fn stopped_by(&self, graph: &Graph) -> Option<StoppedBy> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(StoppedBy::Interrupt);
        }
        if self.is_late() {
            return Some(StoppedBy::Time);
        }
        let is_full = graph.len() >= self.limits.positions
            || graph.memory_bytes() as u64 > self.limits.memory_bytes;
        is_full.then_some(StoppedBy::Memory)
    }
}

/// Below this many positions, starting threads takes longer than it saves.
const MIN_POSITIONS_FOR_THREADS: u32 = 512;
/// Positions that a thread expands before it hands over the results.
const CHUNK_POSITIONS: u32 = 32;
/// Chunks that wait for each thread.
const QUEUED_CHUNKS: usize = 4;
/// How often the merging thread looks at the clock while it waits.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A search from one position: what was found so far, and where to continue.
pub struct Exploration {
    pub(super) setup: Arc<Setup>,
    pub(super) graph: Graph,
    pub(super) simulator: Simulator,
    cancel: Arc<AtomicBool>,
    /// The layer that is expanded ends here.
    layer_end: PositionId,
    /// The next position of the layer to expand.
    next: PositionId,
    /// The next position of the new layer in which a number may be drawn.
    next_chance: PositionId,
    /// The game could not be started.
    pub(super) start_failure: Option<ActionFailure>,
    /// An entry is waiting for an answer in the start position.
    pub(super) is_entry_running: bool,
    expansion: Expansion,
}

impl Exploration {
    /// Prepares a search from the current position of the target. `program` is its program with goal
    /// functions added.
    pub(super) fn new(
        target: &Target,
        program: crate::code::Program,
        goals: &[FunctionId],
        scope: &Scope,
        watch: Watch,
    ) -> Result<Exploration, CommandError> {
        let setup = Arc::new(Setup::new(target, program, goals, scope, watch)?);
        let cancel = Arc::new(AtomicBool::new(false));
        let mut simulator = Simulator::new(setup.clone(), cancel.clone());
        let mut graph = Graph::default();
        let mut start = Vec::new();
        let mut start_failure = None;
        let info = match setup.game {
            Some((_, function)) => simulator.start_game(function, &mut start),
            None => {
                let phase = match target.pending_input_kind() {
                    Some(_) => Phase::Question,
                    None if target.machine.is_idle() => Phase::Idle,
                    None => {
                        return Err(CommandError::new(
                            "the program is stopped in the middle of a move; `continue` or `:abandon` it first",
                        ));
                    }
                };
                simulator.pack_live(&target.machine, phase, &mut start);
                let info = simulator.info_of(&target.machine, phase);
                Ok(match phase {
                    Phase::Idle => simulator.skip_to_question(&mut start, info),
                    _ => info,
                })
            }
        };
        graph.begin_layer();
        match info {
            Ok(info) => {
                graph.add(&start, info, 0);
            }
            Err(failure) => start_failure = Some(failure),
        }
        Ok(Exploration {
            setup,
            layer_end: 0,
            next: 0,
            next_chance: 0,
            graph,
            simulator,
            cancel,
            start_failure,
            is_entry_running: !target.machine.is_idle(),
            expansion: Expansion::default(),
        })
    }

    /// Prepares a search of all positions that can be reached from the current one.
    pub fn of(target: &Target, scope: &Scope) -> Result<Exploration, CommandError> {
        let program = (**target.program()).clone();
        Exploration::new(target, program, &[], scope, Watch::Nothing)
    }

    /// Whether another search starts in the same position and tells the same positions apart.
    pub(super) fn is_same_search(&self, other: &Exploration) -> bool {
        let (mine, theirs) = (&self.setup, &other.setup);
        mine.base == theirs.base
            && mine.watch == theirs.watch
            && mine.layout.cone.globals == theirs.layout.cone.globals
            && mine.game.as_ref().map(|g| &g.0) == theirs.game.as_ref().map(|g| &g.0)
            && self.graph.len() > 0
            && other.graph.len() > 0
            && self.graph.bytes(0) == other.graph.bytes(0)
    }

    /// Finds all positions, or as many as the limits allow. Returns why it stopped, if it had to.
    pub fn expand_all(&mut self, control: &mut SearchControl<'_>) -> Option<StoppedBy> {
        while !self.is_complete() {
            let stopped = self.expand_layer(control);
            if stopped.is_some() {
                return stopped;
            }
        }
        None
    }

    /// The same with only a share of the time that is left.
    pub(super) fn expand_all_in(
        &mut self,
        control: &mut SearchControl<'_>,
        share: f64,
    ) -> Option<StoppedBy> {
        let now = (control.now)();
        let shortened = now + control.deadline.saturating_sub(now).mul_f64(share);
        let deadline = std::mem::replace(&mut control.deadline, shortened);
        let stopped = self.expand_all(control);
        control.deadline = deadline;
        stopped
    }

    /// Number of positions found.
    pub fn position_count(&self) -> usize {
        self.graph.len()
    }

    /// Number of actions that were run.
    pub fn action_count(&self) -> u64 {
        self.graph.actions
    }

    /// Who moves, or who has won, in a position.
    pub fn info(&self, id: PositionId) -> PositionInfo {
        self.graph.info(id)
    }

    /// The moves of a position, or the numbers drawn in it.
    pub fn edges(&self, id: PositionId) -> impl Iterator<Item = Edge> {
        self.graph.edges(id)
    }

    /// The least number of moves to a position.
    pub fn depth(&self, id: PositionId) -> usize {
        self.graph.depth(id)
    }

    /// Actions that fail or do not end, in the order in which they were found.
    pub fn failures(&self) -> &[Failure] {
        &self.graph.failures
    }

    /// Bytes of memory that positions and moves use.
    pub fn memory_bytes(&self) -> usize {
        self.graph.memory_bytes()
    }

    /// The names of the players, by their index.
    pub fn players(&self) -> &[String] {
        &self.setup.players
    }

    /// Whether all positions have been found.
    pub fn is_complete(&self) -> bool {
        self.next as usize >= self.graph.len() && self.is_layer_found()
    }

    /// Whether all positions of the newest layer have been found.
    fn is_layer_found(&self) -> bool {
        self.next == self.layer_end && self.next_chance as usize == self.graph.len()
    }

    /// The number of moves up to which all positions have been found.
    pub fn complete_depth(&self) -> usize {
        let newest = self.graph.layer_count().saturating_sub(1);
        if self.is_complete() {
            // The last layer is empty.
            let last = self.graph.len().saturating_sub(1);
            return self.graph.depth(last as PositionId);
        }
        match self.is_layer_found() {
            true => newest,
            false => newest.saturating_sub(1),
        }
    }

    /// Finds all positions with one more move; the first call finds those without a move. Returns why
    /// it had to stop before, if it had to. Calling it again continues there.
    pub fn expand_layer(&mut self, control: &mut SearchControl<'_>) -> Option<StoppedBy> {
        if self.is_layer_found() {
            self.next = self.layer_end;
            self.layer_end = self.graph.len() as PositionId;
            self.graph.begin_layer();
        }
        let stopped = self.expand_rest(control);
        // It was set to end the threads.
        self.cancel.store(false, Ordering::Relaxed);
        stopped
    }

    /// Expands the rest of the layer, then draws numbers until only players can go on.
    fn expand_rest(&mut self, control: &mut SearchControl<'_>) -> Option<StoppedBy> {
        while self.next < self.layer_end {
            let range = self.next..self.layer_end;
            let (stopped, next) = self.expand(range, false, control);
            self.next = next;
            if stopped.is_some() {
                return stopped;
            }
        }
        while (self.next_chance as usize) < self.graph.len() {
            let range = self.next_chance..self.graph.len() as PositionId;
            let (stopped, next) = self.expand(range, true, control);
            self.next_chance = next;
            if stopped.is_some() {
                return stopped;
            }
        }
        None
    }

    /// Whether a position is to be expanded: one with a draw, or one in which a player moves.
    fn is_due(&self, id: PositionId, is_chance: bool) -> bool {
        let info = self.graph.info(id);
        !info.is_end() && info.is_chance() == is_chance
    }

    /// Expands positions. Returns why it stopped, and the first position that is not done.
    fn expand(
        &mut self,
        range: Range<PositionId>,
        is_chance: bool,
        control: &mut SearchControl<'_>,
    ) -> (Option<StoppedBy>, PositionId) {
        #[cfg(not(target_family = "wasm"))]
        if control.limits.threads > 1 && range.len() as u32 >= MIN_POSITIONS_FOR_THREADS {
            return self.expand_in_threads(range, is_chance, control);
        }
        for id in range.clone() {
            if !self.is_due(id, is_chance) {
                continue;
            }
            if id % CHUNK_POSITIONS == 0
                && let Some(stopped) = self.check(control)
            {
                return (Some(stopped), id);
            }
            let mut expansion = std::mem::take(&mut self.expansion);
            let cancel = &control.cancel;
            // A look at the clock costs little compared with an action, and an action may be long.
            let mut has_to_stop =
                || cancel.load(Ordering::Relaxed) || (control.now)() >= control.deadline;
            let position = self.graph.bytes(id);
            self.simulator
                .expand(position, &mut expansion, &mut has_to_stop);
            let is_cancelled = expansion.is_cancelled;
            if !is_cancelled {
                self.merge(id, &expansion);
            }
            self.expansion = expansion;
            if is_cancelled {
                let stopped = self.check(control).unwrap_or(StoppedBy::Time);
                return (Some(stopped), id);
            }
        }
        (None, range.end)
    }

    /// Reports the progress; returns why the search has to stop, if it has to.
    fn check(&self, control: &mut SearchControl<'_>) -> Option<StoppedBy> {
        (control.report)(SearchProgress {
            positions: self.graph.len(),
            depth: self.graph.layer_count().saturating_sub(1),
        });
        control.stopped_by(&self.graph)
    }

    /// Adds what was found in a position.
    fn merge(&mut self, id: PositionId, expansion: &Expansion) {
        let is_chance = self.graph.info(id).is_chance();
        let mut edges: Vec<Edge> = Vec::with_capacity(expansion.successors.len());
        for (n, successor) in expansion.successors.iter().enumerate() {
            let bytes = expansion.bytes_of(n);
            let to = self.graph.add(bytes, successor.info, id);
            // Different actions with the same result are one move.
            if is_chance || edges.iter().all(|edge| edge.to != to) {
                let label = successor.label;
                edges.push(Edge { label, to });
            }
        }
        self.graph.set_edges(id, &edges);
        self.graph.actions += u64::from(expansion.actions);
        self.graph.is_sampled |= expansion.is_sampled;
        for (label, failure) in &expansion.failures {
            self.graph.add_failure(Failure {
                position: id,
                label: *label,
                failure: failure.clone(),
            });
        }
        let hits = expansion.hits.iter().map(|label| (id, *label));
        self.graph.hits.extend(hits);
    }

    /// Expands positions in several threads.
    #[cfg(not(target_family = "wasm"))]
    fn expand_in_threads(
        &mut self,
        range: Range<PositionId>,
        is_chance: bool,
        control: &mut SearchControl<'_>,
    ) -> (Option<StoppedBy>, PositionId) {
        let due: Vec<PositionId> = range
            .clone()
            .filter(|id| self.is_due(*id, is_chance))
            .collect();
        let chunks: Vec<&[PositionId]> = due.chunks(CHUNK_POSITIONS as usize).collect();
        let threads = control.limits.threads;
        std::thread::scope(|scope| {
            let workers: Vec<Worker> = (0..threads)
                .map(|_| Worker::start(scope, &self.setup, &self.cancel))
                .collect();
            let mut sent = 0;
            let mut stopped = None;
            for (n, chunk) in chunks.iter().enumerate() {
                while sent < chunks.len() && sent < n + threads * QUEUED_CHUNKS {
                    let positions = chunks[sent].iter().map(|id| self.graph.bytes(*id).to_vec());
                    workers[sent % threads].send(positions.collect());
                    sent += 1;
                }
                let expansions = loop {
                    stopped = stopped.or_else(|| self.check(control));
                    if stopped.is_some() {
                        self.cancel.store(true, Ordering::Relaxed);
                    }
                    if let Some(expansions) = workers[n % threads].receive() {
                        break expansions;
                    }
                };
                for (id, expansion) in chunk.iter().zip(&expansions) {
                    if expansion.is_cancelled {
                        let reason = stopped.unwrap_or(StoppedBy::Interrupt);
                        return (Some(reason), *id);
                    }
                    self.merge(*id, expansion);
                }
            }
            (None, range.end)
        })
    }
}

/// A thread with a machine of its own, which expands chunks of positions.
#[cfg(not(target_family = "wasm"))]
struct Worker {
    jobs: mpsc::Sender<Vec<Vec<u8>>>,
    results: mpsc::Receiver<Vec<Expansion>>,
}

#[cfg(not(target_family = "wasm"))]
impl Worker {
    fn start<'s>(
        scope: &'s std::thread::Scope<'s, '_>,
        setup: &Arc<Setup>,
        cancel: &Arc<AtomicBool>,
    ) -> Worker {
        let (jobs, job_queue) = mpsc::channel::<Vec<Vec<u8>>>();
        let (result_queue, results) = mpsc::channel();
        let (setup, cancel) = (setup.clone(), cancel.clone());
        scope.spawn(move || {
            let mut simulator = Simulator::new(setup, cancel.clone());
            let mut has_to_stop = || cancel.load(Ordering::Relaxed);
            // Ends when the search drops its side of the queue.
            for positions in job_queue {
                let expand = |position: Vec<u8>| {
                    let mut expansion = Expansion::default();
                    simulator.expand(&position, &mut expansion, &mut has_to_stop);
                    expansion
                };
                let expansions = positions.into_iter().map(expand).collect();
                if result_queue.send(expansions).is_err() {
                    return;
                }
            }
        });
        Worker { jobs, results }
    }

    fn send(&self, positions: Vec<Vec<u8>>) {
        // Fails only if the thread has panicked, which the scope reports.
        let _ = self.jobs.send(positions);
    }

    /// The results of the next chunk; `None` if they take longer than `POLL_INTERVAL`.
    fn receive(&self) -> Option<Vec<Expansion>> {
        match self.results.recv_timeout(POLL_INTERVAL) {
            Ok(expansions) => Some(expansions),
            Err(mpsc::RecvTimeoutError::Timeout) => None,
            // The thread has panicked; the scope reports it.
            Err(mpsc::RecvTimeoutError::Disconnected) => Some(Vec::new()),
        }
    }
}
