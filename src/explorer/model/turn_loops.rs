//! Turns in which a player can go round in circles, such as by selecting a piece and deselecting it, or with
//! answers that are refused together.
//!
//! With two players, that is not a way to play on: sooner or later, the player has to leave the circle. So what
//! counts is where its exits lead.

use crate::position::graph::{Edge, PositionId};
use crate::question::solve::Predecessors;
use crate::search::Exploration;
use crate::search::control::{SearchControl, StoppedBy};
use std::collections::HashSet;

/// The circles within turns: positions in which the same player moves, each of which can be reached from
/// each other without leaving the turn.
#[derive(Default)]
pub(crate) struct TurnLoops {
    /// For each position, the number of its loop; empty if there is none.
    numbers: Vec<u32>,
    /// The positions of each loop.
    members: Vec<Vec<PositionId>>,
}

const NO_LOOP: u32 = u32::MAX;

/// A position whose moves are being followed.
struct Visit {
    id: PositionId,
    next: Vec<PositionId>,
}

impl TurnLoops {
    /// Finds the loops of a game with two players; there are none in others. An error says why it had to stop.
    pub fn of(
        exploration: &Exploration,
        control: &SearchControl<'_>,
    ) -> Result<TurnLoops, StoppedBy> {
        let graph = &exploration.graph;
        if exploration.players().len() != 2 {
            return Ok(TurnLoops::default());
        }
        // A circle has a move to a position that was found before.
        let mut has_way_back = false;
        for id in 0..graph.len() as PositionId {
            control.check_step(id as usize)?;
            has_way_back = exploration.moves_in_turn(id).any(|to| to < id);
            if has_way_back {
                break;
            }
        }
        if !has_way_back {
            return Ok(TurnLoops::default());
        }
        let bytes = graph.len() * (3 * size_of::<u32>() + size_of::<Visit>());
        control.check_memory(graph, bytes)?;
        let mut loops = TurnLoops {
            numbers: vec![NO_LOOP; graph.len()],
            members: Vec::new(),
        };
        loops.find(exploration, control)?;
        Ok(loops)
    }

    /// Tarjan's algorithm: positions are numbered in the order in which they are visited, and each notes the
    /// first one to which there is a way back. Those with the same one are a component.
    fn find(
        &mut self,
        exploration: &Exploration,
        control: &SearchControl<'_>,
    ) -> Result<(), StoppedBy> {
        const UNSEEN: u32 = 0;
        let count = exploration.graph.len();
        let (mut order, mut lowest) = (vec![UNSEEN; count], vec![0u32; count]);
        let mut is_open = vec![false; count];
        let (mut open, mut path): (Vec<PositionId>, Vec<Visit>) = Default::default();
        let mut seen = 0;
        for start in 0..count as PositionId {
            control.check_step(start as usize)?;
            let mut entered = (order[start as usize] == UNSEEN).then_some(start);
            loop {
                if let Some(id) = entered.take() {
                    seen += 1;
                    control.check_step(seen as usize)?;
                    (order[id as usize], lowest[id as usize]) = (seen, seen);
                    is_open[id as usize] = true;
                    open.push(id);
                    let next = exploration.moves_in_turn(id).collect();
                    path.push(Visit { id, next });
                }
                let Some(visit) = path.last_mut() else {
                    break;
                };
                let id = visit.id as usize;
                match visit.next.pop() {
                    Some(to) if order[to as usize] == UNSEEN => entered = Some(to),
                    Some(to) if is_open[to as usize] => {
                        lowest[id] = lowest[id].min(order[to as usize]);
                    }
                    Some(_) => {}
                    None => {
                        path.pop();
                        if let Some(before) = path.last() {
                            let before = before.id as usize;
                            lowest[before] = lowest[before].min(lowest[id]);
                        }
                        if lowest[id] == order[id] {
                            let first = open.iter().rposition(|o| *o as usize == id);
                            let component = open.split_off(first.unwrap_or(0));
                            for member in &component {
                                is_open[*member as usize] = false;
                            }
                            self.add(component);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a component. A single position is not a circle.
    fn add(&mut self, component: Vec<PositionId>) {
        if component.len() > 1 {
            let number = self.members.len() as u32;
            for id in &component {
                self.numbers[*id as usize] = number;
            }
            self.members.push(component);
        }
    }

    /// The number of loops.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// The loop of a position.
    pub fn of_position(&self, id: PositionId) -> Option<usize> {
        let number = self.numbers.get(id as usize).copied()?;
        (number != NO_LOOP).then_some(number as usize)
    }

    pub fn members(&self, number: usize) -> &[PositionId] {
        &self.members[number]
    }

    /// Whether a move stays within a loop.
    pub fn is_inside(&self, from: PositionId, to: PositionId) -> bool {
        let number = self.of_position(from);
        number.is_some() && number == self.of_position(to)
    }

    /// How many moves it takes from each position of a loop to one of those that `is_exit` chooses, the nearest
    /// first. Empty if there is none.
    pub fn distances(
        &self,
        number: usize,
        predecessors: &Predecessors,
        is_exit: impl Fn(PositionId) -> bool,
    ) -> Vec<(PositionId, u32)> {
        let members = self.members(number).iter().copied();
        let mut found: Vec<(PositionId, u32)> = members
            .filter(|id| is_exit(*id))
            .map(|id| (id, 0))
            .collect();
        let mut known: HashSet<_> = found.iter().map(|f| f.0).collect();
        let mut next = 0;
        while let Some(&(id, distance)) = found.get(next) {
            next += 1;
            for &from in predecessors.to(id) {
                if self.is_inside(from, id) && known.insert(from) {
                    found.push((from, distance + 1));
                }
            }
        }
        found
    }
}

impl Exploration {
    /// Where the moves of a position lead that stay within the turn of the same player.
    fn moves_in_turn(&self, id: PositionId) -> impl Iterator<Item = PositionId> {
        let player = self.player_in_turn(id);
        let edges = self.graph.edges(id).map(|edge: Edge| edge.to);
        edges.filter(move |to| player.is_some() && self.player_in_turn(*to) == player)
    }

    /// The player who chooses a move in a position.
    fn player_in_turn(&self, id: PositionId) -> Option<usize> {
        let info = self.graph.info(id);
        info.player()
            .filter(|_| !info.is_end() && !info.is_chance())
    }
}
