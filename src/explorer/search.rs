//! Breadth-first search: finds all positions with one more move, then those with two, and so on.
//!
//! Several threads can run the actions of a layer. Each has its own machine, positions travel as bytes,
//! and the results are merged in the order of the positions, so the number of threads has no influence
//! on any answer.
//!
//! ```text
//! control    how long a search may run, how much memory it may use, and what interrupts it
//! memory     the memory that a search needs besides its graph
//! expansion  what can happen in one position
//! merger     adds what was found in one position to the graph
//! workers    threads that expand positions, each with a machine of its own
//! extent     how much was searched, and what was assumed
//! found      which positions and actions of a search are a goal
//! ```

pub(crate) mod control;
pub(crate) mod expansion;
pub(crate) mod extent;
pub(crate) mod found;
pub(crate) mod memory;
pub(crate) mod merger;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod workers;

use super::model::goal::CompiledGoal;
use super::model::setup::{Scope, Setup};
use super::position::graph::{Edge, Failure, Graph, PositionId};
use super::position::packing::Phase;
use super::position::simulator::Simulator;
use crate::answer::CommandError;
use crate::debugger::Target;
use control::{SearchControl, SearchProgress, StoppedBy};
use expansion::{ActionFailure, Expansion, PositionInfo};
use memory::Overhead;
use merger::Merger;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(not(target_family = "wasm"))]
use workers::{MIN_POSITIONS_FOR_THREADS, Part, Received, Workers};

/// Positions between two looks at the clock.
const POSITIONS_BETWEEN_CHECKS: u32 = 32;
/// What is found in a position is added to the graph in parts of about this size, so that it is never
/// twice in memory.
pub(super) const PART_BYTES: usize = 1 << 16;

/// The error if Ctrl-C was pressed while a search was prepared, which takes a while on huge boards.
const NOT_BEGUN: &str = "interrupted: the search has not begun";

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
    /// What is watched for happens before the first move: when the game or its first turn starts.
    pub(super) has_start_hit: bool,
    /// An entry is waiting for an answer in the start position.
    pub(super) is_entry_running: bool,
    /// Buffers for the position that is being expanded.
    position: Vec<u8>,
    expansion: Expansion,
    merger: Merger,
}

/// The position from which a search starts.
struct StartPosition {
    setup: Arc<Setup>,
    cancel: Arc<AtomicBool>,
    simulator: Simulator,
    bytes: Vec<u8>,
    /// Who moves in it, or why the game could not be started.
    info: Result<PositionInfo, ActionFailure>,
}

impl StartPosition {
    fn of(target: &Target, setup: Arc<Setup>) -> Result<StartPosition, CommandError> {
        let cancel = Arc::new(AtomicBool::new(false));
        let flag = target.machine.interrupt_flag();
        if flag.load(Ordering::Relaxed) {
            return Err(CommandError::new(NOT_BEGUN));
        }
        let mut simulator = Simulator::new(setup.clone(), flag);
        let mut bytes = Vec::new();
        let info = match setup.game {
            Some((_, function)) => simulator.start_game(function, &mut bytes),
            None => {
                let phase = match target.pending_input_kind() {
                    Some(_) => Phase::Question,
                    None if target.machine.is_idle() => Phase::Idle,
                    None => {
                        return Err(CommandError::new(
                            "the program is stopped in the middle of a move",
                        )
                        .advise("continue", "")
                        .advise(":abandon", "it first"));
                    }
                };
                simulator.pack_live(&target.machine, phase, &mut bytes);
                let info = simulator.info_of(&target.machine, phase);
                Ok(match phase {
                    Phase::Idle => simulator.start_between_turns(&mut bytes, info),
                    Phase::Question if setup.turn.is_some() => {
                        simulator.load(&bytes);
                        simulator.turn_info()
                    }
                    _ => info,
                })
            }
        };
        if info.is_err() && simulator.is_interrupted() {
            return Err(CommandError::new(NOT_BEGUN));
        }
        simulator.set_cancel(&cancel);
        Ok(StartPosition {
            setup,
            cancel,
            simulator,
            bytes,
            info,
        })
    }
}

impl Exploration {
    /// Prepares a search from the current position of the target that keeps what a goal depends on.
    pub(super) fn new(
        target: &Target,
        goal: &CompiledGoal,
        scope: &Scope,
    ) -> Result<Exploration, CommandError> {
        let mut setup = Setup::new(target, goal, scope)?;
        if setup.turn.is_some() {
            // The player who moves first is listed first.
            let first = StartPosition::of(target, Arc::new(setup.clone()))?;
            if let Some(player) = first.info.ok().and_then(PositionInfo::player) {
                setup.players.swap(0, player);
            }
        }
        let start = StartPosition::of(target, Arc::new(setup))?;
        let StartPosition {
            setup,
            cancel,
            simulator,
            bytes: start,
            info,
        } = start;
        let has_start_hit = simulator.has_hit;
        let mut graph = Graph::default();
        graph.overhead = Overhead::of(target, start.len());
        let mut start_failure = None;
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
            has_start_hit,
            is_entry_running: !target.machine.is_idle(),
            position: Vec::new(),
            expansion: Expansion::default(),
            merger: Merger::default(),
        })
    }

    /// Prepares a search of all positions that can be reached from the current one.
    pub fn of(target: &Target, scope: &Scope) -> Result<Exploration, CommandError> {
        let goal = CompiledGoal::none((**target.program()).clone());
        Exploration::new(target, &goal, scope)
    }

    /// Whether another search starts in the same position and tells the same positions apart.
    pub(super) fn is_same_search(&self, other: &Exploration) -> bool {
        let (mine, theirs) = (&self.setup, &other.setup);
        mine.base == theirs.base
            && mine.watch.has_same_stops(&theirs.watch)
            && mine.keeps_turn_ends == theirs.keeps_turn_ends
            && mine.frame_rules == theirs.frame_rules
            && mine.candidates.keys().eq(theirs.candidates.keys())
            && mine
                .candidates
                .values()
                .zip(theirs.candidates.values())
                .all(|(mine, theirs)| mine.are_same(theirs))
            && mine.layout.distinguishes_same(&theirs.layout)
            && mine.game.as_ref().map(|g| &g.0) == theirs.game.as_ref().map(|g| &g.0)
            && self.graph.len() > 0
            && other.graph.len() > 0
            && self.graph.bytes(0) == other.graph.bytes(0)
    }

    /// An error if the game cannot be started, so that there is no position.
    pub(super) fn require_start(&self) -> Result<(), CommandError> {
        match &self.start_failure {
            Some(failure) => Err(CommandError::new(format!(
                "the game cannot be started: {}",
                failure.message
            ))),
            None => Ok(()),
        }
    }

    /// An error if it is unknown whose move it is in a position.
    pub(super) fn require_known_turns(&self) -> Result<(), CommandError> {
        if self.setup.turn.is_none() {
            return Ok(());
        }
        let ids = 0..self.graph.len() as PositionId;
        let is_unknown = |id: PositionId| {
            let info = self.graph.info(id);
            !info.is_end() && !info.is_chance() && info.player().is_none()
        };
        match ids.into_iter().any(is_unknown) {
            true => Err(CommandError::new(
                "there are questions at which the expression after `turn` does not name a player",
            )),
            false => Ok(()),
        }
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
        control.with_share(share, |control| self.expand_all(control))
    }

    /// Number of positions found.
    pub fn position_count(&self) -> usize {
        self.graph.len()
    }

    /// The number of positions among the first ones of the graph. The ends of turns are not counted: the
    /// position after each is the same for the players.
    pub(super) fn count_positions(&self, count: usize) -> usize {
        if !self.setup.keeps_turn_ends && !self.setup.turns_ask {
            return count;
        }
        let phase = |id: &PositionId| Phase::of(self.graph.bytes(*id));
        let is_counted = |id: &PositionId| !matches!(phase(id), Phase::TurnEnd | Phase::TurnTaken);
        (0..count as PositionId).filter(is_counted).count()
    }

    /// Number of actions that were run.
    pub fn action_count(&self) -> u64 {
        self.graph.actions
    }

    /// A position as bytes: equal positions have equal bytes.
    pub fn bytes(&self, id: PositionId) -> &[u8] {
        self.graph.bytes(id)
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
        if let Some(stopped) = self.check(control) {
            return (Some(stopped), range.start);
        }
        #[cfg(not(target_family = "wasm"))]
        if range.len() as u32 >= MIN_POSITIONS_FOR_THREADS {
            let limits = &control.limits;
            let overhead = &self.graph.overhead;
            let threads = overhead.threads(limits.memory_bytes, limits.threads);
            if threads > 1 {
                return self.expand_in_threads(threads, range, is_chance, control);
            }
        }
        self.simulator.set_cancel(&control.cancel);
        for id in range.clone() {
            if !self.is_due(id, is_chance) {
                continue;
            }
            if id.is_multiple_of(POSITIONS_BETWEEN_CHECKS)
                && let Some(stopped) = self.check(control)
            {
                return (Some(stopped), id);
            }
            if !self.expand_position(id, control) {
                let stopped = self.check(control).unwrap_or(StoppedBy::Time);
                return (Some(stopped), id);
            }
            if control.is_full(&self.graph) {
                return (Some(StoppedBy::Memory), id + 1);
            }
        }
        (None, range.end)
    }

    /// Expands a position. Returns whether it could be finished.
    fn expand_position(&mut self, id: PositionId, control: &SearchControl<'_>) -> bool {
        let Exploration {
            graph,
            simulator,
            position,
            expansion,
            merger,
            ..
        } = self;
        position.clear();
        position.extend_from_slice(graph.bytes(id));
        let mut has_to_stop = || control.cancel.load(Ordering::Relaxed) || control.is_late();
        simulator.expand_in_parts(
            position,
            expansion,
            &mut has_to_stop,
            PART_BYTES,
            &mut |part| {
                merger.add(graph, id, part);
                part.clear();
                !control.is_full(graph)
            },
        );
        let is_finished = !expansion.is_cancelled;
        if is_finished {
            merger.add(graph, id, expansion);
        }
        merger.finish(graph, id, is_finished);
        is_finished
    }

    /// Reports the progress; returns why the search has to stop, if it has to.
    fn check(&self, control: &mut SearchControl<'_>) -> Option<StoppedBy> {
        (control.report)(SearchProgress {
            positions: self.graph.len(),
            depth: self.graph.layer_count().saturating_sub(1),
            ..SearchProgress::default()
        });
        control.stopped_by(&self.graph)
    }

    /// Expands positions in several threads. What they find is added in the order of the positions, and
    /// in the same parts as with one thread, so that a limit is reached at the same point.
    #[cfg(not(target_family = "wasm"))]
    fn expand_in_threads(
        &mut self,
        threads: usize,
        range: Range<PositionId>,
        is_chance: bool,
        control: &mut SearchControl<'_>,
    ) -> (Option<StoppedBy>, PositionId) {
        let due: Vec<PositionId> = range
            .clone()
            .filter(|id| self.is_due(*id, is_chance))
            .collect();
        let (setup, cancel) = (self.setup.clone(), self.cancel.clone());
        std::thread::scope(|scope| {
            let mut workers = Workers::start(scope, threads, &setup, &cancel, &due);
            let mut done = 0;
            let stopped = loop {
                if done == due.len() {
                    return (None, range.end);
                }
                let parts = match workers.receive(&self.graph) {
                    Received::Parts(parts) => parts,
                    Received::Nothing => Vec::new(),
                    // A thread has panicked, which the scope reports.
                    Received::Disconnected => break StoppedBy::Interrupt,
                };
                if let Some(stopped) = self.merge(&due, &mut done, &parts, control) {
                    break stopped;
                }
                if let Some(stopped) = self.check(control) {
                    break stopped;
                }
            };
            // Ends the threads, which may be in the middle of long actions.
            cancel.store(true, Ordering::Relaxed);
            if let Some(&id) = due.get(done) {
                self.merger.finish(&mut self.graph, id, false);
            }
            let next = done.checked_sub(1).map_or(range.start, |n| due[n] + 1);
            (Some(stopped), next)
        })
    }

    /// Adds what threads have found in the positions from `done` on. Returns why the search has to stop,
    /// if it has to.
    #[cfg(not(target_family = "wasm"))]
    fn merge(
        &mut self,
        due: &[PositionId],
        done: &mut usize,
        parts: &[Part],
        control: &SearchControl<'_>,
    ) -> Option<StoppedBy> {
        for part in parts {
            let id = *due.get(*done)?;
            if part.expansion.is_cancelled {
                return Some(StoppedBy::Interrupt);
            }
            self.merger.add(&mut self.graph, id, &part.expansion);
            if part.is_last {
                self.merger.finish(&mut self.graph, id, true);
                *done += 1;
            }
            if control.is_full(&self.graph) {
                return Some(StoppedBy::Memory);
            }
        }
        None
    }
}
