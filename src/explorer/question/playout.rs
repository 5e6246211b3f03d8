//! Judges moves by games with random moves, more of them where it pays (UCT: a tree of the positions
//! after the current one, in which each game follows the moves that did well so far).

use super::random_game::SplitMix;
use crate::position::graph::{Edge, Graph, PositionId};
use crate::position::packing::Phase;
use crate::search::Exploration;
use crate::search::control::SearchControl;
use crate::search::expansion::{Expansion, PositionInfo};
use std::sync::atomic::Ordering;

/// A game is given up after this many moves, and counts as drawn.
const MAX_PLAYOUT_MOVES: usize = 400;
/// How much moves that were tried less often are preferred.
const EXPLORATION: f64 = 1.0;

struct Node {
    position: NodePosition,
    info: PositionInfo,
    /// Numbers of the nodes after each move; empty until it is expanded.
    children: Vec<usize>,
    is_expanded: bool,
    visits: u32,
    /// The sum of what each player got.
    rewards: Vec<f64>,
}

/// The position of a node, packed.
enum NodePosition {
    /// It is in the graph.
    InGraph(PositionId),
    Packed(Vec<u8>),
}

impl NodePosition {
    fn bytes<'p>(&'p self, graph: &'p Graph) -> &'p [u8] {
        match self {
            NodePosition::InGraph(id) => graph.bytes(*id),
            NodePosition::Packed(bytes) => bytes,
        }
    }
}

impl Node {
    fn new(position: NodePosition, info: PositionInfo) -> Node {
        Node {
            position,
            info,
            children: Vec::new(),
            is_expanded: false,
            visits: 0,
            rewards: Vec::new(),
        }
    }
}

/// The games so far.
pub(crate) struct Playouts {
    nodes: Vec<Node>,
    random: SplitMix,
    expansion: Expansion,
    /// Bytes of the positions.
    bytes: usize,
    /// Actions run, including those without effect.
    pub actions: u64,
}

/// The positions of the tree may take this share of the memory limit: a quarter.
const MEMORY_SHARE: u64 = 4;

const ROOT: usize = 0;

impl Playouts {
    /// Compares these moves from the start of a search.
    pub fn new(exploration: &Exploration, moves: Vec<Edge>, random: SplitMix) -> Playouts {
        let graph = &exploration.graph;
        let node = |id| Node::new(NodePosition::InGraph(id), graph.info(id));
        let mut root = node(0);
        root.is_expanded = true;
        root.children = (1..=moves.len()).collect();
        let mut nodes = vec![root];
        nodes.extend(moves.iter().map(|edge| node(edge.to)));
        Playouts {
            nodes,
            random,
            expansion: Expansion::default(),
            bytes: 0,
            actions: 0,
        }
    }

    /// The index of the move that was played most often, and the number of games.
    pub fn best(&self) -> (usize, u32) {
        let root = &self.nodes[ROOT];
        let visits = |n: &usize| self.nodes[root.children[*n]].visits;
        // The first of several: `max_by_key` would choose the last.
        let best = (0..root.children.len())
            .rev()
            .max_by_key(visits)
            .unwrap_or(0);
        (best, root.visits)
    }

    /// Plays one game.
    pub fn play_one(&mut self, exploration: &mut Exploration, control: &SearchControl<'_>) {
        let mut path = vec![ROOT];
        let mut at = ROOT;
        while !self.nodes[at].info.is_end() {
            if !self.nodes[at].is_expanded {
                if self.nodes[at].visits == 0 {
                    break;
                }
                self.expand(at, exploration, control);
            }
            let Some(next) = self.select(at) else {
                break;
            };
            at = next;
            path.push(at);
        }
        let node = &self.nodes[at];
        let bytes = node.position.bytes(&exploration.graph).to_vec();
        let info = node.info;
        let end = self.play_to_end(bytes, info, exploration, control);
        let mut rewards = Vec::new();
        exploration.rewards(end, &mut rewards);
        for id in path {
            let node = &mut self.nodes[id];
            node.visits += 1;
            node.rewards.resize(rewards.len(), 0.0);
            let sums = node.rewards.iter_mut().zip(&rewards);
            sums.for_each(|(sum, reward)| *sum += reward);
        }
    }

    fn expand(&mut self, at: usize, exploration: &mut Exploration, control: &SearchControl<'_>) {
        let limit = control.limits.memory_bytes / MEMORY_SHARE;
        // The positions after this one are in memory twice for a moment.
        let free = control.free_bytes(&exploration.graph) / 2;
        let max_bytes = limit.min(free) as usize;
        if self.bytes >= max_bytes {
            // Games go on from here with random moves.
            return;
        }
        let mut has_to_stop = || control.cancel.load(Ordering::Relaxed);
        let expansion = &mut self.expansion;
        let bytes = self.nodes[at].position.bytes(&exploration.graph).to_vec();
        // Of too many large positions, only the first ones are compared.
        exploration.simulator.expand_in_parts(
            &bytes,
            expansion,
            &mut has_to_stop,
            max_bytes - self.bytes,
            &mut |_| false,
        );
        self.bytes += expansion.bytes.len();
        self.actions += u64::from(expansion.actions);
        let first = self.nodes.len();
        let successors = expansion.successors.iter().enumerate();
        let new = successors.map(|(n, s)| {
            let bytes = expansion.bytes_of(n).to_vec();
            Node::new(NodePosition::Packed(bytes), s.info)
        });
        self.nodes.extend(new);
        let children = (first..self.nodes.len()).collect();
        let node = &mut self.nodes[at];
        (node.children, node.is_expanded) = (children, true);
    }

    /// The node to follow: by chance if a number is drawn, otherwise the one that is best for the player
    /// who moves, as far as it is known.
    fn select(&mut self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        if node.children.is_empty() {
            return None;
        }
        if node.info.is_chance() {
            let chosen = self.random.below(node.children.len());
            return Some(self.nodes[at].children[chosen]);
        }
        let is_new = |n: &&usize| self.nodes[**n].visits == 0;
        let new: Vec<usize> = node.children.iter().filter(is_new).copied().collect();
        if !new.is_empty() {
            return Some(new[self.random.below(new.len())]);
        }
        let player = node.info.player().unwrap_or(0);
        let total = f64::from(node.visits.max(1)).ln();
        let value = |n: usize| {
            let child = &self.nodes[n];
            let visits = f64::from(child.visits);
            let mean = child.rewards.get(player).copied().unwrap_or(0.0) / visits;
            mean + EXPLORATION * (total / visits).sqrt()
        };
        let best = |a: &&usize, b: &&usize| value(**b).total_cmp(&value(**a));
        node.children.iter().min_by(best).copied()
    }

    /// Plays random moves to the end of the game. Returns the last position.
    fn play_to_end(
        &mut self,
        mut bytes: Vec<u8>,
        mut info: PositionInfo,
        exploration: &mut Exploration,
        control: &SearchControl<'_>,
    ) -> PositionInfo {
        let simulator = &mut exploration.simulator;
        let mut after = Vec::new();
        let mut moves = 0;
        while !info.is_end() && moves < MAX_PLAYOUT_MOVES {
            moves += 1;
            if Phase::of(&bytes).is_draw() {
                after.clear();
                self.actions += 1;
                let drawn = simulator.random_draw(&bytes, &mut self.random);
                let next = drawn.and_then(|action| simulator.run_in(&bytes, action, &mut after));
                let Some(next) = next else {
                    // It ends in an error.
                    return info;
                };
                info = next;
                std::mem::swap(&mut bytes, &mut after);
                continue;
            }
            let mut actions = simulator.actions_of(&bytes);
            info = loop {
                if actions.is_empty() || control.cancel.load(Ordering::Relaxed) {
                    return info;
                }
                let (_, action) = actions.swap_remove(self.random.below(actions.len()));
                after.clear();
                self.actions += 1;
                // An action that fails or changes nothing is not a move.
                match simulator.run_in(&bytes, action, &mut after) {
                    Some(next) if after != bytes => break next,
                    _ => {}
                }
            };
            std::mem::swap(&mut bytes, &mut after);
        }
        info
    }
}
