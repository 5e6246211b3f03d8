//! The positions that a search has found, and the moves between them, stored compactly.
//!
//! Positions are numbered in the order in which they are found, so those with fewer moves come first.
//! An index finds a position by its bytes, which are compared in full. Each position keeps the one from
//! which it was found first; the moves of a position are written once it has been expanded.

use super::arena::{Address, Arena, BlockVec, HashIndex};
use super::packing::{pack_number, unpack_number, unzigzag, zigzag};
use crate::search::PART_BYTES;
use crate::search::expansion::{ActionFailure, PositionInfo};
use crate::search::memory::Overhead;
use std::collections::{HashMap, HashSet};

/// The number of a position.
pub type PositionId = u32;

/// A move, or a number drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The number of the action: its cell, entry, answer or number drawn.
    pub label: u32,
    /// The position that it leads to.
    pub to: PositionId,
}

/// An action that fails, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// The position.
    pub position: PositionId,
    /// The number of the action.
    pub label: u32,
    /// What is wrong.
    pub failure: ActionFailure,
}

/// What is known about a position.
#[derive(Debug)]
struct Record {
    parent: PositionId,
    info: PositionInfo,
    bytes: Address,
    /// Its moves, once they are known.
    edges: Address,
}

const _: () = assert!(size_of::<Record>() == 16);

/// The positions found so far. See the module documentation.
#[derive(Default, Debug)]
pub(crate) struct Graph {
    /// What the search needs besides.
    pub overhead: Overhead,
    records: BlockVec<Record>,
    positions: Arena,
    index: HashIndex,
    /// The moves of each position that was expanded: pairs of label and target.
    edges: Arena,
    /// The position of which only some moves are known.
    partly_expanded: Option<PositionId>,
    /// The bytes of the moves that are being written.
    edge_bytes: Vec<u8>,
    /// The first position of each depth.
    layer_starts: Vec<PositionId>,
    /// Actions that fail, in the order in which they were found.
    pub failures: Vec<Failure>,
    /// Bytes of their messages.
    failure_text_bytes: usize,
    /// How many numbers end in an error, for each position in which such a number can be drawn.
    failed_draws: HashMap<PositionId, u32>,
    /// Positions without a move in which an action fails.
    pub failing: HashSet<PositionId>,
    /// Actions during which what is watched for happened.
    pub hits: Vec<(PositionId, u32)>,
    /// How many actions were run.
    pub actions: u64,
    /// How many moves all positions have together.
    pub edge_count: usize,
    /// Not every number of a draw was tried.
    pub is_sampled: bool,
    /// An action was given up because it took too long.
    pub has_given_up: bool,
}

/// Positions that are added between two looks at the limits, at most, unless they are tiny.
const MAX_PART_POSITIONS: usize = PART_BYTES / 8;

/// Failures beyond this number are not kept: there is one per position and action.
pub(crate) const MAX_FAILURES: usize = 10_000;

impl Graph {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The number of a packed position, if it has been found.
    pub fn find(&self, bytes: &[u8]) -> Option<PositionId> {
        let bytes_of = |id: u32| self.bytes(id);
        self.index
            .find(hash(bytes), |id| bytes_of(id) == bytes)
            .ok()
    }

    /// The packed position.
    pub fn bytes(&self, id: PositionId) -> &[u8] {
        self.positions.get(self.record(id).bytes)
    }

    pub fn info(&self, id: PositionId) -> PositionInfo {
        self.record(id).info
    }

    /// The position from which this one was found; itself for the start.
    pub fn parent(&self, id: PositionId) -> PositionId {
        self.record(id).parent
    }

    fn record(&self, id: PositionId) -> &Record {
        self.records.get(id as usize)
    }

    /// Adds a position unless it is known. Returns its number.
    pub fn add(&mut self, bytes: &[u8], info: PositionInfo, parent: PositionId) -> PositionId {
        let (records, positions) = (&self.records, &self.positions);
        let bytes_of = |id: u32| positions.get(records.get(id as usize).bytes);
        self.index
            .reserve_one(records.len(), |id| hash(bytes_of(id)));
        let hash = hash(bytes);
        let slot = match self.index.find(hash, |id| bytes_of(id) == bytes) {
            Ok(id) => return id,
            Err(slot) => slot,
        };
        let id = self.len() as PositionId;
        self.index.insert_at(slot, hash, id);
        let bytes = self.positions.push(bytes);
        self.records.push(Record {
            bytes,
            info,
            parent,
            edges: Address::NONE,
        });
        id
    }

    /// Writes the moves of a position: all of them, or those that were found before the search had to
    /// stop. They are written again when it continues.
    pub fn set_edges(&mut self, id: PositionId, edges: &[Edge], is_complete: bool) {
        self.edge_bytes.clear();
        let mut last = id;
        for edge in edges {
            pack_number(edge.label.into(), &mut self.edge_bytes);
            // New positions are numbered one after the other, so most distances are short.
            let distance = i64::from(edge.to) - i64::from(last);
            pack_number(zigzag(distance), &mut self.edge_bytes);
            last = edge.to;
        }
        self.partly_expanded = (!is_complete).then_some(id);
        if is_complete {
            self.edge_count += edges.len();
        }
        let address = self.edges.push(&self.edge_bytes);
        self.records.get_mut(id as usize).edges = address;
    }

    /// Whether the moves of a position are known.
    pub fn is_expanded(&self, id: PositionId) -> bool {
        self.record(id).edges != Address::NONE && self.partly_expanded != Some(id)
    }

    /// The moves of a position; none if they are not all known.
    pub fn edges(&self, id: PositionId) -> impl Iterator<Item = Edge> {
        let is_expanded = self.is_expanded(id);
        self.known_edges(id).filter(move |_| is_expanded)
    }

    /// The moves of a position that are known, even if there may be others.
    pub fn known_edges(&self, id: PositionId) -> impl Iterator<Item = Edge> {
        let bytes = match self.record(id).edges {
            Address::NONE => &[],
            address => self.edges.get(address),
        };
        let (mut at, mut last) = (0, id);
        std::iter::from_fn(move || {
            if at >= bytes.len() {
                return None;
            }
            let label = unpack_number(bytes, &mut at) as u32;
            let distance = unzigzag(unpack_number(bytes, &mut at));
            last = (i64::from(last) + distance) as PositionId;
            Some(Edge { label, to: last })
        })
    }

    /// Whether no action has an effect although the game has not ended, and none fails, which is an error.
    pub fn is_dead_end(&self, id: PositionId) -> bool {
        let info = self.info(id);
        !info.is_end()
            && !info.is_chance()
            && self.is_expanded(id)
            && self.known_edges(id).next().is_none()
            && !self.failing.contains(&id)
    }

    pub fn add_failure(&mut self, failure: Failure) {
        if self.failures.len() < MAX_FAILURES {
            self.failure_text_bytes += failure.failure.message.len();
            self.failures.push(failure);
        }
    }

    /// Notes how many of the numbers that can be drawn in a position end in an error.
    pub fn set_failed_draws(&mut self, id: PositionId, count: u32) {
        self.failed_draws.insert(id, count);
    }

    /// How many of the numbers that can be drawn in a position end in an error.
    pub fn failed_draws(&self, id: PositionId) -> u32 {
        match self.failed_draws.is_empty() {
            true => 0,
            false => self.failed_draws.get(&id).copied().unwrap_or(0),
        }
    }

    /// Whether there is a position in which a number can be drawn that ends in an error.
    pub fn has_failed_draws(&self) -> bool {
        !self.failed_draws.is_empty()
    }

    /// Ends the current layer: positions added from now on have one more move.
    pub fn begin_layer(&mut self) {
        self.layer_starts.push(self.len() as PositionId);
    }

    /// Number of moves to a position.
    pub fn depth(&self, id: PositionId) -> usize {
        self.layer_starts
            .partition_point(|start| *start <= id)
            .max(1)
            - 1
    }

    /// The number of positions that were found with at most this many moves.
    pub fn positions_up_to(&self, depth: usize) -> usize {
        let next_layer = self.layer_starts.get(depth + 1);
        next_layer.map_or(self.len(), |start| *start as usize)
    }

    /// The number of layers, including the one that is being found.
    pub fn layer_count(&self) -> usize {
        self.layer_starts.len()
    }

    /// The moves on the way to a position: for each the position before it and its number.
    pub fn path(&self, id: PositionId) -> Vec<(PositionId, u32)> {
        let mut path = Vec::new();
        let mut to = id;
        while to != 0 {
            let from = self.parent(to);
            let edge = self.known_edges(from).find(|edge| edge.to == to);
            path.push((from, edge.map_or(0, |edge| edge.label)));
            to = from;
        }
        path.reverse();
        path
    }

    /// Bytes that are needed at once to add as many positions as one part of an expansion may have: those of a
    /// larger index. All else grows in small steps.
    pub fn growth_bytes(&self) -> usize {
        let index = self.index.bytes_for(self.len() + MAX_PART_POSITIONS);
        index - self.index.memory_bytes()
    }

    /// Bytes of memory in use.
    pub fn memory_bytes(&self) -> usize {
        self.records.memory_bytes()
            + self.positions.memory_bytes()
            + self.edges.memory_bytes()
            + self.index.memory_bytes()
            + self.failures.capacity() * size_of::<Failure>()
            + self.failure_text_bytes
            + self.failed_draws.capacity() * size_of::<(PositionId, u32)>()
            + self.failing.capacity() * size_of::<PositionId>()
            + self.hits.capacity() * size_of::<(PositionId, u32)>()
    }
}

/// Quick and well spread: multiplies eight bytes at a time.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = bytes.len() as u64;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        hash = (hash.rotate_left(26) ^ u64::from_le_bytes(*chunk)).wrapping_mul(FACTOR);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    hash = (hash.rotate_left(26) ^ u64::from_le_bytes(last)).wrapping_mul(FACTOR);
    hash ^ hash >> 32
}
