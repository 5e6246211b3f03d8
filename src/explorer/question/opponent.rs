//! The computer as a player: chooses a move in the current position.
//!
//! A level looks a number of moves ahead, so that it sees every win and loss that is forced within them,
//! and judges what is left by games with random moves (see `playout`). Perfect play needs all positions;
//! where there are too many, the highest level plays instead. Budgets are counted in positions and
//! games, so the same seed chooses the same moves on every machine.

use super::playout::Playouts;
use super::random_game::SplitMix;
use super::solve::{Predecessors, Solution, mover, rank, winner_at};
use super::stats::topological_order;
use crate::Explorer;
use crate::answer::CommandError;
use crate::code::Status;
use crate::debugger::Target;
use crate::language::Actions;
use crate::model::goal::CompiledGoal;
use crate::model::setup::Scope;
use crate::position::graph::{Edge, PositionId};
use crate::search::Exploration;
use crate::search::control::{SearchControl, StoppedBy};
use std::sync::atomic::Ordering;

/// How well the computer plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpponentLevel {
    /// Every move is equally likely.
    Random,
    /// Looks ahead: 1 to [`MAX_LEVEL`].
    Level(u8),
    /// Never gives away a win or a draw.
    Perfect,
}

/// The highest level.
pub const MAX_LEVEL: u8 = 5;

/// The effort of a level.
struct Effort {
    /// How many moves to look ahead. Where a move takes several clicks or answers, they count once.
    depth: usize,
    /// The depth is reduced if there are more positions than this.
    positions: usize,
    /// Games with random moves.
    playouts: u32,
}

/// The levels, from 1 on.
const EFFORTS: [Effort; MAX_LEVEL as usize] = [
    effort(1, 0),
    effort(2, 50),
    effort(3, 200),
    effort(4, 1000),
    effort(5, 4000),
];

const fn effort(depth: usize, playouts: u32) -> Effort {
    Effort {
        depth,
        positions: 20_000,
        playouts,
    }
}

/// The share of the time limit for looking ahead.
const LOOK_AHEAD_TIME_SHARE: f64 = 0.5;
/// A player without a level looks for the end of the turn among at most so many positions.
const MAX_TURN_POSITIONS: usize = 5_000;
/// Random games are long where most answers are refused: then fewer are played.
const ACTIONS_PER_PLAYOUT: u64 = 100;
/// Perfect play is given up if there are more positions than this.
const PERFECT_POSITIONS: usize = 250_000;
/// Why the computer does not play perfectly.
const TOO_MANY: &str = "too many positions to be certain";
/// The share of the time limit in which all positions have to be found.
const PERFECT_TIME_SHARE: f64 = 0.7;

impl OpponentLevel {
    /// Reads `random`, `perfect` or the number of a level.
    pub fn parse(word: &str) -> Option<OpponentLevel> {
        match word {
            "random" => Some(OpponentLevel::Random),
            "perfect" => Some(OpponentLevel::Perfect),
            _ => {
                let level = word.parse().ok()?;
                (1..=MAX_LEVEL)
                    .contains(&level)
                    .then_some(OpponentLevel::Level(level))
            }
        }
    }
}

impl std::fmt::Display for OpponentLevel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OpponentLevel::Random => f.write_str("random"),
            OpponentLevel::Level(level) => write!(f, "level {level}"),
            OpponentLevel::Perfect => f.write_str("perfect"),
        }
    }
}

/// What the computer plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenMove {
    /// What to type.
    pub entry: String,
    /// No move is better: all positions are known.
    pub exact: bool,
    /// Positions that were searched.
    pub positions: usize,
    /// Games that were played with random moves.
    pub playouts: u32,
    /// Why it was not chosen by perfect play, if that was asked for.
    pub not_perfect: Option<&'static str>,
}

/// What came of looking for a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveChoice {
    /// Play this.
    Play(ChosenMove),
    /// No move is possible.
    NoMove,
    /// Ctrl-C.
    Interrupted,
}

impl Explorer {
    /// Chooses a move for the player whose turn it is. The game must not have ended.
    pub fn choose_move(
        &mut self,
        target: &Target,
        level: OpponentLevel,
        scope: &Scope,
        control: &mut SearchControl<'_>,
    ) -> Result<MoveChoice, CommandError> {
        let model = target.language().move_model(target.program());
        if let Actions::Turn(entry) = model.actions
            && target.machine.is_idle()
        {
            // The turn asks for the move, or is the move.
            return Ok(MoveChoice::Play(ChosenMove {
                entry: entry.to_string(),
                exact: false,
                positions: 0,
                playouts: 0,
                not_perfect: None,
            }));
        }
        control.require_memory(target)?;
        let mut turn_so_far = std::mem::take(&mut self.turn_so_far);
        let choice = self.think(target, level, scope, &mut turn_so_far, control);
        self.turn_so_far = turn_so_far;
        choice
    }

    /// Chooses a move in a position in which there is a choice.
    fn think(
        &mut self,
        target: &Target,
        level: OpponentLevel,
        scope: &Scope,
        turn_so_far: &mut TurnSoFar,
        control: &mut SearchControl<'_>,
    ) -> Result<MoveChoice, CommandError> {
        // Another seed for each move, or a player would always choose the first or the last move.
        let number = u64::from(target.next_entry_number());
        let mut random = SplitMix(target.machine.rng.seed() ^ number.rotate_left(32));
        let mut not_perfect = None;
        if level == OpponentLevel::Perfect {
            let goal = CompiledGoal::none((**target.program()).clone());
            let exploration = self.exploration(target, &goal, scope)?;
            turn_so_far.add(exploration, target.next_entry_number());
            let positions = std::mem::replace(&mut control.limits.positions, PERFECT_POSITIONS);
            let stopped = exploration.expand_all_in(control, PERFECT_TIME_SHARE);
            control.limits.positions = positions;
            match stopped {
                Some(StoppedBy::Interrupt) => return Ok(MoveChoice::Interrupted),
                None if exploration.players().len() > 2 => {
                    not_perfect = Some("with more than two players, nothing is certain");
                }
                None => match exploration.perfect_move(turn_so_far, &mut random, control) {
                    Ok(Some(choice)) => return Ok(choice),
                    Ok(None) => not_perfect = Some("a matter of chance"),
                    Err(StoppedBy::Time | StoppedBy::Memory) => not_perfect = Some(TOO_MANY),
                    Err(StoppedBy::Interrupt) => return Ok(MoveChoice::Interrupted),
                },
                Some(StoppedBy::Time | StoppedBy::Memory) => not_perfect = Some(TOO_MANY),
            }
        }
        self.clear_if_large(control.limits.memory_bytes);
        let mut exploration = Exploration::of(target, scope)?;
        exploration
            .graph
            .overhead
            .add_cache(control.limits.memory_bytes);
        turn_so_far.add(&exploration, target.next_entry_number());
        let effort = match level {
            OpponentLevel::Random => None,
            OpponentLevel::Level(level) => EFFORTS.get(usize::from(level.max(1)) - 1),
            OpponentLevel::Perfect => EFFORTS.last(),
        };
        let choice =
            exploration.move_by_looking_ahead(effort, turn_so_far, &mut random, control)?;
        Ok(match choice {
            MoveChoice::Play(chosen) => MoveChoice::Play(ChosenMove {
                not_perfect: not_perfect.filter(|_| !chosen.exact),
                ..chosen
            }),
            other => other,
        })
    }
}

/// The positions in which the computer has moved since its turn began. It does not return to them: otherwise it
/// might select and deselect a piece again and again.
#[derive(Default)]
pub(crate) struct TurnSoFar {
    player: Option<String>,
    /// The number of the last entry.
    entry: u32,
    positions: Vec<Vec<u8>>,
}

impl TurnSoFar {
    /// Adds the position from which a search starts, in which an entry with this number is about to be made.
    fn add(&mut self, exploration: &Exploration, entry: u32) {
        let player = exploration.player_name(0);
        let is_same_turn = (self.entry..=self.entry + 1).contains(&entry) && self.player == player;
        if !is_same_turn {
            self.positions.clear();
        }
        (self.player, self.entry) = (player, entry);
        if exploration.graph.len() > 0 {
            self.positions.push(exploration.graph.bytes(0).to_vec());
        }
    }

    /// The positions that a search has found.
    fn visited(&self, exploration: &Exploration) -> Vec<PositionId> {
        let positions = self.positions.iter();
        let found = positions.filter_map(|bytes| exploration.graph.find(bytes));
        found.collect()
    }

    /// Leaves out the moves that lead back, unless there are no others.
    fn leave_out(&self, edges: &mut Vec<Edge>, exploration: &Exploration) {
        let visited = self.visited(exploration);
        let leads_back = |edge: &Edge| visited.contains(&edge.to);
        if !edges.iter().all(leads_back) {
            edges.retain(|edge| !leads_back(edge));
        }
    }
}

impl Exploration {
    /// Finds the positions after one move, then as many more as the effort allows. True if it was
    /// interrupted.
    fn look_ahead(&mut self, effort: Option<&Effort>, control: &mut SearchControl<'_>) -> bool {
        let depth = effort.map_or(1, |effort| effort.depth);
        let budget = effort.map_or(MAX_TURN_POSITIONS, |effort| effort.positions);
        let (mut before, mut newest) = (0, 0);
        let me = mover(self, 0);
        let mut actions_per_turn = None;
        while !self.is_complete() {
            let layers = self.complete_depth();
            if actions_per_turn.is_none() && self.graph.is_expanded(0) {
                let newest = self.graph.len() - newest..self.graph.len();
                let mut infos = newest.map(|id| self.graph.info(id as PositionId));
                let is_over = infos.any(|i| i.is_end() || i.player().unwrap_or(0) != me);
                actions_per_turn = is_over.then_some(layers);
            }
            if actions_per_turn.is_some_and(|actions| layers >= depth * actions) {
                return false;
            }
            // A layer is expected to grow as the last one did.
            let growth = newest.max(1) / before.max(1) + 1;
            if self.graph.is_expanded(0) && self.graph.len() + newest * growth > budget {
                return false;
            }
            let len = self.graph.len();
            match self.expand_layer(control) {
                Some(StoppedBy::Interrupt) => return true,
                Some(_) => return false,
                None => (before, newest) = (newest, self.graph.len() - len),
            }
        }
        false
    }

    /// The moves from the start, without those after which the player can only return to it, such as an
    /// answer that is refused. None if the player can only go round in circles.
    fn useful_moves(&self, control: &SearchControl<'_>) -> Result<Vec<Edge>, StoppedBy> {
        let me = mover(self, 0);
        let graph = &self.graph;
        let mut is_useful = vec![false; graph.len()];
        let mut open: Vec<PositionId> = Vec::new();
        for id in 1..graph.len() as PositionId {
            let info = graph.info(id);
            let leaves_turn = info.is_end() || info.is_chance() || mover(self, id) != me;
            if leaves_turn || !graph.is_expanded(id) {
                is_useful[id as usize] = true;
                open.push(id);
            }
        }
        let predecessors = Predecessors::of(self, control)?;
        while let Some(id) = open.pop() {
            for &from in predecessors.to(id) {
                if from != 0 && !is_useful[from as usize] {
                    is_useful[from as usize] = true;
                    open.push(from);
                }
            }
        }
        let useful: Vec<Edge> = graph
            .known_edges(0)
            .filter(|edge| is_useful[edge.to as usize])
            .collect();
        Ok(match useful.is_empty() && !graph.is_expanded(0) {
            // There may be others.
            true => graph.known_edges(0).collect(),
            false => useful,
        })
    }

    fn move_by_looking_ahead(
        &mut self,
        effort: Option<&Effort>,
        turn_so_far: &TurnSoFar,
        random: &mut SplitMix,
        control: &mut SearchControl<'_>,
    ) -> Result<MoveChoice, CommandError> {
        if let Some(failure) = &self.start_failure {
            return Err(CommandError::new(failure.message.clone()));
        }
        // The rest of the time is for random games.
        let now = (control.now)();
        let shortened = now
            + control
                .deadline
                .saturating_sub(now)
                .mul_f64(LOOK_AHEAD_TIME_SHARE);
        let deadline = std::mem::replace(&mut control.deadline, shortened);
        let is_interrupted = self.look_ahead(effort, control);
        control.deadline = deadline;
        if is_interrupted {
            return Ok(MoveChoice::Interrupted);
        }
        let mut edges = match self.useful_moves(control) {
            Ok(edges) => edges,
            Err(StoppedBy::Interrupt) => return Ok(MoveChoice::Interrupted),
            Err(_) => self.graph.known_edges(0).collect(),
        };
        if edges.is_empty() && !self.graph.is_expanded(0) {
            return Err(CommandError::new(
                "no move was found before a limit was reached",
            ));
        }
        turn_so_far.leave_out(&mut edges, self);
        let Some(effort) = effort else {
            return Ok(self.random_move(&edges, random));
        };
        let me = mover(self, 0);
        // With more than two players, nothing is forced: it depends on whom the others favor.
        let is_forcing = self.setup.players.len() <= 2;
        let forced = match is_forcing.then(|| Solution::of(self, control)).transpose() {
            Ok(forced) => forced,
            Err(StoppedBy::Interrupt) => return Ok(MoveChoice::Interrupted),
            Err(_) => None,
        };
        let outcome = |edge: &Edge| {
            let known = forced.as_ref().map(|s| s.forced_winner(edge.to));
            known.flatten().map(|(winner, moves)| (winner == me, moves))
        };
        let winning = edges.iter().filter(|e| outcome(e).is_some_and(|o| o.0));
        if let Some(edge) = winning.min_by_key(|e| outcome(e).map(|o| o.1)) {
            let exact = self.players().len() == 2;
            return Ok(self.play(*edge, exact, 0));
        }
        let open: Vec<Edge> = edges
            .iter()
            .filter(|e| outcome(e).is_none())
            .copied()
            .collect();
        if open.is_empty() {
            // Every move loses: the longest way may see a mistake of the other side.
            let longest = edges.iter().max_by_key(|e| outcome(e).map(|o| o.1));
            return Ok(longest.map_or(MoveChoice::NoMove, |e| self.play(*e, true, 0)));
        }
        if open.len() == 1 || effort.playouts == 0 {
            return Ok(self.random_move(&open, random));
        }
        let mut playouts = Playouts::new(self, open.clone(), SplitMix(random.next()));
        for _ in 0..effort.playouts {
            if control.cancel.load(Ordering::Relaxed) {
                return Ok(MoveChoice::Interrupted);
            }
            let budget = u64::from(effort.playouts) * ACTIONS_PER_PLAYOUT;
            if control.is_late() || playouts.actions > budget {
                break;
            }
            playouts.play_one(self, control);
            self.report_games(playouts.best().1 as usize, control);
        }
        let (best, count) = playouts.best();
        Ok(match open.get(best) {
            Some(edge) => self.play(*edge, false, count),
            None => MoveChoice::NoMove,
        })
    }

    /// A best move if all positions are known, and what each is worth; `None` if that is unknown.
    fn perfect_move(
        &mut self,
        turn_so_far: &TurnSoFar,
        random: &mut SplitMix,
        control: &SearchControl<'_>,
    ) -> Result<Option<MoveChoice>, StoppedBy> {
        if !self.tries_everything() || self.players().len() > 2 {
            return Ok(None);
        }
        let me = mover(self, 0);
        let mut edges = self.useful_moves(control)?;
        let solution = Solution::of(self, control)?;
        let visited = turn_so_far.visited(self);
        let ways_on = solution.ways_on_without(self, 0, &visited);
        let leads_on = |edge: &Edge| ways_on.iter().any(|way| way.label == edge.label);
        if edges.iter().any(leads_on) {
            edges.retain(leads_on);
        }
        let best: Vec<Edge> = match solution.has_chance {
            false => {
                let value = |edge: &Edge| {
                    let (value, distance) = solution.value_for(edge.to, me);
                    rank(value, distance)
                };
                let best = edges.iter().map(value).min();
                let is_best = |edge: &&Edge| Some(value(edge)) == best;
                edges.iter().filter(is_best).copied().collect()
            }
            true => {
                let Some(values) = self.expected_values(control)? else {
                    return Ok(None);
                };
                let sign = if me == 0 { 1.0 } else { -1.0 };
                let value = |edge: &Edge| sign * values[edge.to as usize];
                let best = edges.iter().map(value).fold(f64::MIN, f64::max);
                /// Sums of probabilities differ by rounding.
                const TOLERANCE: f64 = 1e-9;
                let is_best = |edge: &&Edge| value(edge) >= best - TOLERANCE;
                edges.iter().filter(is_best).copied().collect()
            }
        };
        let choice = self.random_move(&best, random);
        Ok(Some(match choice {
            MoveChoice::Play(chosen) => MoveChoice::Play(ChosenMove {
                exact: true,
                ..chosen
            }),
            other => other,
        }))
    }

    /// What each position is worth for the first player where numbers are drawn: 1 for a certain win, -1
    /// for a certain loss. `None` if positions repeat.
    pub(crate) fn expected_values(
        &self,
        control: &SearchControl<'_>,
    ) -> Result<Option<Vec<f64>>, StoppedBy> {
        let Some(order) = topological_order(&self.graph, control)? else {
            return Ok(None);
        };
        let bytes = self.graph.len() * size_of::<f64>();
        control.check_memory(&self.graph, bytes)?;
        let mut values = vec![0.0; self.graph.len()];
        for &id in order.iter().rev() {
            let info = self.graph.info(id);
            let after = self.graph.edges(id).map(|edge| values[edge.to as usize]);
            values[id as usize] = match winner_at(self, id) {
                Some(0) => 1.0,
                Some(_) => -1.0,
                None if info.is_end() || self.graph.edges(id).next().is_none() => 0.0,
                None if info.is_chance() => {
                    let count = self.graph.edges(id).count();
                    // A game that ends in an error is won by nobody.
                    let count = count + self.graph.failed_draws(id) as usize;
                    after.sum::<f64>() / count as f64
                }
                None if mover(self, id) == 0 => after.fold(f64::MIN, f64::max),
                None => after.fold(f64::MAX, f64::min),
            };
        }
        Ok(Some(values))
    }

    fn random_move(&mut self, edges: &[Edge], random: &mut SplitMix) -> MoveChoice {
        match edges.is_empty() {
            true => MoveChoice::NoMove,
            false => self.play(edges[random.below(edges.len())], false, 0),
        }
    }

    fn play(&mut self, edge: Edge, exact: bool, playouts: u32) -> MoveChoice {
        const START: PositionId = 0;
        let start = self.graph.bytes(START).to_vec();
        match self.simulator.action(&start, edge.label) {
            Some(action) => MoveChoice::Play(ChosenMove {
                entry: self.setup.entry_of(action),
                exact,
                positions: self.graph.len(),
                playouts,
                not_perfect: None,
            }),
            None => MoveChoice::NoMove,
        }
    }

    /// What the end of a game is worth for each player, from 0 to 1. A game that was given up counts as
    /// drawn.
    pub(crate) fn rewards(&self, end: crate::PositionInfo, rewards: &mut Vec<f64>) {
        const DRAWN: f64 = 0.5;
        let players = self.setup.players.len().max(2);
        rewards.clear();
        let of_player = |player: usize| match (end.status(), end.player()) {
            (Status::Won, Some(winner)) => f64::from(u8::from(player == winner)),
            // The player whose turn it is has lost.
            (Status::Lost, Some(loser)) => f64::from(u8::from(player != loser)),
            _ => DRAWN,
        };
        rewards.extend((0..players).map(of_player));
    }
}
