//! Adds what was found in one position to the graph.

use super::expansion::{ActionFailure, Expansion};
use crate::position::graph::{Edge, Failure, Graph, MAX_FAILURES, PositionId};
use std::collections::HashSet;

/// Collects what was found in one position, in one or more parts.
#[derive(Default)]
pub(crate) struct Merger {
    edges: Vec<Edge>,
    /// The targets of the first edges, if there are many.
    targets: HashSet<PositionId>,
    hashed_edges: usize,
    /// Actions that fail: the first ones, and how many there are.
    failures: Vec<(u32, ActionFailure)>,
    failure_count: usize,
    has_given_up: bool,
    hits: Vec<u32>,
    actions: u64,
    is_sampled: bool,
}

/// The targets of more edges than this are hashed.
const MAX_SCANNED_EDGES: usize = 32;

impl Merger {
    /// Adds a part of what was found.
    pub fn add(&mut self, graph: &mut Graph, id: PositionId, found: &Expansion) {
        let is_chance = graph.info(id).is_chance();
        for (n, successor) in found.successors.iter().enumerate() {
            let known = graph.len();
            let to = graph.add(found.bytes_of(n), successor.info, id);
            let is_new = to as usize == known;
            // Different actions with the same result are one move.
            if is_chance || is_new || !self.has_edge_to(to) {
                let label = successor.label;
                self.edges.push(Edge { label, to });
            }
        }
        let kept = MAX_FAILURES.saturating_sub(self.failures.len());
        let kept = found.failures.iter().take(kept);
        self.failures.extend(kept.cloned());
        self.failure_count += found.failures.len();
        let mut failures = found.failures.iter();
        self.has_given_up |= failures.any(|(_, failure)| failure.is_given_up());
        self.hits.extend_from_slice(&found.hits);
        self.actions += u64::from(found.actions);
        self.is_sampled |= found.is_sampled;
    }

    fn has_edge_to(&mut self, to: PositionId) -> bool {
        if self.edges.len() <= MAX_SCANNED_EDGES {
            return self.edges.iter().any(|edge| edge.to == to);
        }
        let new = self.edges[self.hashed_edges..].iter().map(|edge| edge.to);
        self.targets.extend(new);
        self.hashed_edges = self.edges.len();
        self.targets.contains(&to)
    }

    /// Writes the moves, and what else was found if that is everything. Otherwise the position will be
    /// expanded again.
    pub fn finish(&mut self, graph: &mut Graph, id: PositionId, is_complete: bool) {
        if is_complete || !self.edges.is_empty() {
            graph.set_edges(id, &self.edges, is_complete);
        }
        if is_complete {
            graph.actions += self.actions;
            graph.is_sampled |= self.is_sampled;
            graph.has_given_up |= self.has_given_up;
            if graph.info(id).is_chance() && self.failure_count > 0 {
                graph.set_failed_draws(id, self.failure_count as u32);
            }
            if self.edges.is_empty() && !self.failures.is_empty() {
                graph.failing.insert(id);
            }
            for (label, failure) in self.failures.drain(..) {
                graph.add_failure(Failure {
                    position: id,
                    label,
                    failure,
                });
            }
            graph
                .hits
                .extend(self.hits.iter().map(|label| (id, *label)));
        }
        self.edges.clear();
        if self.hashed_edges > 0 {
            self.targets.clear();
            self.hashed_edges = 0;
        }
        self.failures.clear();
        self.hits.clear();
        (self.failure_count, self.has_given_up) = (0, false);
        (self.actions, self.is_sampled) = (0, false);
    }
}
