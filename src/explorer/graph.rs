//! The positions that a search has found, and the moves between them, stored compactly.
//!
//! Positions are numbered in the order in which they are found, so those with fewer moves come first.
//! Their bytes are in one arena; an index with open addressing finds a position by its bytes, which are
//! compared in full. Each position keeps the one from which it was found first; the moves of a position
//! are written once it has been expanded.

use super::packing::{pack_number, unpack_number};
use super::simulator::{ActionFailure, PositionInfo};

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

/// Byte strings of different lengths, one after the other. Takes four bytes per string in addition.
#[derive(Default, Debug)]
struct Arena {
    bytes: Vec<u8>,
    /// Where each string ends, relative to the start of its block.
    ends: Vec<u32>,
    /// Where each block of strings starts.
    block_starts: Vec<u64>,
}

/// Strings per block. A block has at most four gigabytes.
const BLOCK_BITS: u32 = 10;

impl Arena {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn push(&mut self, string: &[u8]) {
        if self.ends.len().is_multiple_of(1 << BLOCK_BITS) {
            self.block_starts.push(self.bytes.len() as u64);
        }
        self.bytes.extend_from_slice(string);
        let start = self.block_starts.last().copied().unwrap_or(0);
        self.ends.push((self.bytes.len() as u64 - start) as u32);
    }

    fn get(&self, n: usize) -> &[u8] {
        let block_start = self.block_starts[n >> BLOCK_BITS] as usize;
        let is_first = n.is_multiple_of(1 << BLOCK_BITS);
        let start = if is_first { 0 } else { self.ends[n - 1] };
        &self.bytes[block_start + start as usize..block_start + self.ends[n] as usize]
    }

    fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * 4 + self.block_starts.capacity() * 8
    }
}

/// The positions found so far. See the module documentation.
#[derive(Default, Debug)]
pub(super) struct Graph {
    positions: Arena,
    infos: Vec<PositionInfo>,
    parents: Vec<PositionId>,
    /// Hash table of position numbers plus one; 0 is free.
    index: Vec<u32>,
    /// The moves of each position that was expanded: pairs of label and target.
    edges: Arena,
    /// Positions in the order of expansion are those in the order of their numbers, except that
    /// chance positions are expanded before the next layer. For each position, the number of its
    /// moves in `edges`, or `NOT_EXPANDED`.
    edge_list: Vec<u32>,
    /// The first position of each depth.
    layer_starts: Vec<PositionId>,
    /// Actions that fail, in the order in which they were found.
    pub failures: Vec<Failure>,
    /// Actions during which what is watched for happened.
    pub hits: Vec<(PositionId, u32)>,
    /// How many actions were run.
    pub actions: u64,
    /// Not every number of a draw was tried.
    pub is_sampled: bool,
}

const NOT_EXPANDED: u32 = u32::MAX;
/// Failures beyond this number are not kept: there is one per position and action.
const MAX_FAILURES: usize = 10_000;

impl Graph {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// The packed position.
    pub fn bytes(&self, id: PositionId) -> &[u8] {
        self.positions.get(id as usize)
    }

    pub fn info(&self, id: PositionId) -> PositionInfo {
        self.infos[id as usize]
    }

    /// The position from which this one was found; itself for the start.
    pub fn parent(&self, id: PositionId) -> PositionId {
        self.parents[id as usize]
    }

    /// Adds a position unless it is known. Returns its number.
    pub fn add(&mut self, bytes: &[u8], info: PositionInfo, parent: PositionId) -> PositionId {
        if (self.len() + 1) * 8 > self.index.len() * 7 {
            self.grow_index();
        }
        let mask = self.index.len() - 1;
        let mut at = hash(bytes) as usize & mask;
        loop {
            match self.index[at] {
                0 => break,
                n if self.positions.get(n as usize - 1) == bytes => return n - 1,
                _ => at = (at + 1) & mask,
            }
        }
        let id = self.len() as PositionId;
        self.index[at] = id + 1;
        self.positions.push(bytes);
        self.infos.push(info);
        self.parents.push(parent);
        self.edge_list.push(NOT_EXPANDED);
        id
    }

    fn grow_index(&mut self) {
        let len = (self.index.len() * 2).max(1 << 10);
        self.index = vec![0; len];
        for n in 0..self.positions.len() {
            let mut at = hash(self.positions.get(n)) as usize & (len - 1);
            while self.index[at] != 0 {
                at = (at + 1) & (len - 1);
            }
            self.index[at] = n as u32 + 1;
        }
    }

    /// Writes the moves of a position, once.
    pub fn set_edges(&mut self, id: PositionId, edges: &[Edge]) {
        let mut bytes = Vec::with_capacity(edges.len() * 4);
        for edge in edges {
            pack_number(edge.label.into(), &mut bytes);
            let distance = i64::from(edge.to) - i64::from(id);
            pack_number((distance << 1 ^ distance >> 63) as u64, &mut bytes);
        }
        self.edge_list[id as usize] = self.edges.len() as u32;
        self.edges.push(&bytes);
    }

    /// Whether the moves of a position are known.
    pub fn is_expanded(&self, id: PositionId) -> bool {
        self.edge_list[id as usize] != NOT_EXPANDED
    }

    /// The moves of a position; none if it has not been expanded.
    pub fn edges(&self, id: PositionId) -> impl Iterator<Item = Edge> {
        let list = self.edge_list[id as usize];
        let bytes = match list {
            NOT_EXPANDED => &[],
            list => self.edges.get(list as usize),
        };
        let mut at = 0;
        std::iter::from_fn(move || {
            if at >= bytes.len() {
                return None;
            }
            let label = unpack_number(bytes, &mut at) as u32;
            let distance = unpack_number(bytes, &mut at);
            let distance = (distance >> 1) as i64 ^ -((distance & 1) as i64);
            let to = (i64::from(id) + distance) as PositionId;
            Some(Edge { label, to })
        })
    }

    pub fn add_failure(&mut self, failure: Failure) {
        if self.failures.len() < MAX_FAILURES {
            self.failures.push(failure);
        }
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
            let edge = self.edges(from).find(|edge| edge.to == to);
            path.push((from, edge.map_or(0, |edge| edge.label)));
            to = from;
        }
        path.reverse();
        path
    }

    /// Bytes of memory in use.
    pub fn memory_bytes(&self) -> usize {
        self.positions.memory_bytes()
            + self.edges.memory_bytes()
            + self.infos.capacity()
            + (self.parents.capacity() + self.index.capacity() + self.edge_list.capacity()) * 4
            + self.failures.capacity() * size_of::<Failure>()
            + self.hits.capacity() * size_of::<(PositionId, u32)>()
    }
}

/// Quick and well spread: multiplies eight bytes at a time.
fn hash(bytes: &[u8]) -> u64 {
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
