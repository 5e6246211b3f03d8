//! Games in which every move is equally likely.
//!
//! What can be done in a position is known if a search has been there; otherwise it is tried. Both lead to the same
//! games.

use crate::model::actions::Action;
use crate::position::graph::{Graph, PositionId};
use crate::search::Exploration;
use crate::search::control::SearchControl;
use crate::search::expansion::{Expansion, PositionInfo};
use std::collections::HashSet;

/// A random game is given up after this many moves.
pub const MAX_GAME_MOVES: usize = 10_000;

/// A game with random moves.
#[derive(Default)]
pub(crate) struct RandomGame {
    pub moves: usize,
    /// The sum of the choices at each move.
    pub choices: usize,
    pub most_choices: usize,
    pub end: GameEnd,
    /// Where it ended.
    pub position: Vec<u8>,
}

impl RandomGame {
    /// A move is made, one of so many.
    fn count_choices(&mut self, choices: usize) {
        self.moves += 1;
        self.choices += choices;
        self.most_choices = self.most_choices.max(choices);
    }
}

/// How a random game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum GameEnd {
    /// It did not: it was given up.
    #[default]
    GivenUp,
    /// In a position that is an end, or without a move.
    Position(PositionInfo),
    /// With a number whose draw ends in an error, or where every action that can be tried has no effect or
    /// fails.
    Error,
}

/// An action of a random game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ChosenAction {
    /// The action with this number in its position.
    Label(u32),
    /// A draw, whose number may be one that a search does not try.
    Draw(Action),
}

/// Where a random game is.
enum Place {
    /// In a position of the graph.
    Found(PositionId),
    /// In another one.
    New(Vec<u8>, PositionInfo),
}

impl Place {
    fn info(&self, graph: &Graph) -> PositionInfo {
        match self {
            Place::Found(id) => graph.info(*id),
            Place::New(_, info) => *info,
        }
    }

    fn into_bytes(self, graph: &Graph) -> Vec<u8> {
        match self {
            Place::Found(id) => graph.bytes(id).to_vec(),
            Place::New(bytes, _) => bytes,
        }
    }
}

/// What comes next in a random game.
enum Next {
    Place(Place),
    /// No move is possible here.
    Stuck(Place),
    Error,
}

impl Exploration {
    /// Plays a game with random moves. If it had to stop, returns how many moves were played. `on_move` gets
    /// the position before each move or draw, and the action.
    pub(crate) fn random_game(
        &mut self,
        random: &mut SplitMix,
        control: &SearchControl<'_>,
        on_move: &mut dyn FnMut(&[u8], ChosenAction),
    ) -> Result<RandomGame, usize> {
        let mut game = RandomGame::default();
        let mut place = Place::Found(0);
        self.simulator.set_cancel(&control.cancel);
        loop {
            let info = place.info(&self.graph);
            if info.is_end() {
                break;
            }
            if control.interrupted_by().is_some() {
                return Err(game.moves);
            }
            if game.moves >= MAX_GAME_MOVES {
                return Ok(game);
            }
            // Only some of the numbers may have been tried.
            let is_known = |id: PositionId| {
                self.graph.is_expanded(id) && !(info.is_chance() && self.graph.is_sampled)
            };
            let next = match place {
                Place::Found(id) if is_known(id) => {
                    Some(self.follow_edge(id, &mut game, random, on_move))
                }
                place if info.is_chance() => {
                    self.draw(place.into_bytes(&self.graph), random, on_move)
                }
                place => {
                    let bytes = place.into_bytes(&self.graph);
                    self.try_move(bytes, info, &mut game, random, control, on_move)
                }
            };
            match next.ok_or(game.moves)? {
                Next::Place(next) => place = next,
                Next::Stuck(last) => {
                    place = last;
                    break;
                }
                Next::Error => {
                    game.end = GameEnd::Error;
                    return Ok(game);
                }
            }
        }
        game.end = GameEnd::Position(place.info(&self.graph));
        game.position = place.into_bytes(&self.graph);
        Ok(game)
    }

    /// Chooses a move, or draws a number, in a position in which all of them are known.
    fn follow_edge(
        &self,
        id: PositionId,
        game: &mut RandomGame,
        random: &mut SplitMix,
        on_move: &mut dyn FnMut(&[u8], ChosenAction),
    ) -> Next {
        let graph = &self.graph;
        let count = graph.edges(id).count();
        let chosen = if graph.info(id).is_chance() {
            let numbers = count as u64 + u64::from(graph.failed_draws(id));
            let label = random.below_u64(numbers.max(1)) as u32;
            on_move(graph.bytes(id), ChosenAction::Label(label));
            graph.edges(id).find(|edge| edge.label == label)
        } else if count == 0 && !graph.is_dead_end(id) {
            None
        } else if count == 0 {
            return Next::Stuck(Place::Found(id));
        } else {
            game.count_choices(count);
            let chosen = graph.edges(id).nth(random.below(count));
            if let Some(edge) = chosen {
                on_move(graph.bytes(id), ChosenAction::Label(edge.label));
            }
            chosen
        };
        match chosen {
            Some(edge) => Next::Place(Place::Found(edge.to)),
            None => Next::Error,
        }
    }

    /// Draws a number. `None` if it was interrupted.
    fn draw(
        &mut self,
        position: Vec<u8>,
        random: &mut SplitMix,
        on_move: &mut dyn FnMut(&[u8], ChosenAction),
    ) -> Option<Next> {
        let action = self.simulator.random_draw(&position, random)?;
        on_move(&position, ChosenAction::Draw(action));
        let mut after = Vec::new();
        match self.simulator.run_in(&position, action, &mut after) {
            Some(info) => Some(Next::Place(self.place_of(after, info))),
            None if self.simulator.is_interrupted() => None,
            None => Some(Next::Error),
        }
    }

    /// Tries all moves of a position and chooses one. `None` if it had to stop.
    fn try_move(
        &mut self,
        position: Vec<u8>,
        info: PositionInfo,
        game: &mut RandomGame,
        random: &mut SplitMix,
        control: &SearchControl<'_>,
        on_move: &mut dyn FnMut(&[u8], ChosenAction),
    ) -> Option<Next> {
        let mut expansion = Expansion::default();
        let mut has_to_stop = || control.interrupted_by().is_some();
        let found = self
            .simulator
            .outlines(&position, &mut expansion, &mut has_to_stop);
        if expansion.is_cancelled {
            return None;
        }
        // Different actions with the same result are one move.
        let mut distinct: Vec<usize> = (0..found.len()).collect();
        let mut seen = HashSet::new();
        distinct.retain(|n| seen.insert(found[*n].fingerprint));
        if distinct.is_empty() {
            return Some(match expansion.failures.is_empty() {
                true => Next::Stuck(Place::New(position, info)),
                false => Next::Error,
            });
        }
        game.count_choices(distinct.len());
        let chosen = distinct[random.below(distinct.len())];
        let label = found[chosen].label;
        on_move(&position, ChosenAction::Label(label));
        let after = match found.len() == expansion.successors.len() {
            true => expansion.bytes_of(chosen).to_vec(),
            // Large positions are not kept.
            false => {
                let mut after = Vec::new();
                let action = self.simulator.action(&position, label)?;
                self.simulator.run_in(&position, action, &mut after)?;
                after
            }
        };
        Some(Next::Place(self.place_of(after, found[chosen].info)))
    }

    fn place_of(&self, bytes: Vec<u8>, info: PositionInfo) -> Place {
        match self.graph.find(&bytes) {
            Some(id) => Place::Found(id),
            None => Place::New(bytes, info),
        }
    }
}

/// A small random number generator, so that games can be repeated from their seed.
pub(crate) struct SplitMix(pub u64);

impl SplitMix {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `count`, which must not be 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// The same, with exactly the same probability for every number, however many there are.
    pub fn below_u64(&mut self, count: u64) -> u64 {
        let uneven = (u64::MAX % count + 1) % count;
        loop {
            let number = self.next();
            if number <= u64::MAX - uneven {
                return number % count;
            }
        }
    }
}
