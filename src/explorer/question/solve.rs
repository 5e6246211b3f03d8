//! Perfect play: the value of every position, by working backwards from the ends of the game.
//!
//! A position is won for a player if one of the player's moves, or each of the opponent's, leads to a won
//! position. Where nobody can force an end, the game is drawn, if only by repetition; but a player who goes round
//! in circles within a turn has to leave them. Where a random number is drawn, only what holds for every number
//! is forced; the rest is a matter of chance.

use super::confirm::Expected;
use super::winners::sole_winner;
use crate::Explorer;
use crate::answer::{CommandError, GameValue, Hint, MoveValue, SolveResult};
use crate::debugger::Target;
use crate::model::goal::CompiledGoal;
use crate::model::setup::Scope;
use crate::model::turn_loops::TurnLoops;
use crate::position::graph::{Edge, PositionId};
use crate::position::packing::Phase;
use crate::search::Exploration;
use crate::search::control::{SearchControl, StoppedBy};
use crate::search::extent::nothing_searched;
use std::collections::{HashMap, HashSet};

/// The index of a player. A single player is 0; a game that such a player loses is won by 1.
type Player = usize;

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// Nobody can force an end.
    Open,
    /// This player can force a win, in so many moves.
    Won(Player, u32),
}

/// The values of all positions of a complete search.
pub(crate) struct Solution {
    outcomes: Vec<Outcome>,
    pub has_chance: bool,
    loops: TurnLoops,
    predecessors: Predecessors,
}

/// The player who moves in a position.
pub(crate) fn mover(exploration: &Exploration, id: PositionId) -> Player {
    exploration.graph.info(id).player().unwrap_or(0)
}

/// The player who has won at an end, or whose opponent has lost, if there is one.
pub(crate) fn winner_at(exploration: &Exploration, id: PositionId) -> Option<Player> {
    sole_winner(exploration.graph.info(id), exploration.players().len())
}

/// For each position, those from which a move or a draw leads there.
pub(crate) struct Predecessors {
    starts: Vec<u32>,
    positions: Vec<PositionId>,
}

impl Predecessors {
    pub fn of(
        exploration: &Exploration,
        control: &SearchControl<'_>,
    ) -> Result<Predecessors, StoppedBy> {
        let graph = &exploration.graph;
        let bytes = (2 * graph.len() + graph.edge_count) * size_of::<PositionId>();
        control.check_memory(graph, bytes)?;
        let mut starts = vec![0u32; graph.len() + 1];
        for id in 0..graph.len() as PositionId {
            control.check_step(id as usize)?;
            for edge in graph.edges(id) {
                starts[edge.to as usize + 1] += 1;
            }
        }
        for n in 1..starts.len() {
            starts[n] += starts[n - 1];
        }
        let mut next = starts.clone();
        let total = starts.last().copied().unwrap_or(0);
        let mut positions = vec![0; total as usize];
        for id in 0..graph.len() as PositionId {
            control.check_step(id as usize)?;
            for edge in graph.edges(id) {
                let at = &mut next[edge.to as usize];
                positions[*at as usize] = id;
                *at += 1;
            }
        }
        Ok(Predecessors { starts, positions })
    }

    pub fn to(&self, id: PositionId) -> &[PositionId] {
        let (start, end) = (self.starts[id as usize], self.starts[id as usize + 1]);
        &self.positions[start as usize..end as usize]
    }
}

impl Solution {
    /// Solves the game for two players, or for one. An error says why it had to stop.
    pub fn of(
        exploration: &Exploration,
        control: &SearchControl<'_>,
    ) -> Result<Solution, StoppedBy> {
        let graph = &exploration.graph;
        let count = graph.len();
        let bytes_per_position = size_of::<(Outcome, [u32; 2])>() + 2 * size_of::<PositionId>();
        let bytes = count * bytes_per_position + graph.edge_count * size_of::<PositionId>();
        control.check_memory(graph, bytes)?;
        let predecessors = Predecessors::of(exploration, control)?;
        let mut outcomes = vec![Outcome::Open; count];
        // For each position and player: how many of its moves are not known to be won for that player. A
        // number whose draw ends in an error is won for nobody.
        let ways_on = |id: usize| {
            let id = id as PositionId;
            graph.edges(id).count() as u32 + graph.failed_draws(id)
        };
        let mut not_won: Vec<[u32; 2]> = (0..count).map(|id| [ways_on(id); 2]).collect();
        let mut layer: Vec<PositionId> = Vec::new();
        let mut has_chance = false;
        for id in 0..count as PositionId {
            control.check_step(id as usize)?;
            has_chance |= graph.info(id).is_chance();
            if let Some(winner) = winner_at(exploration, id) {
                outcomes[id as usize] = Outcome::Won(winner.min(1), 0);
                layer.push(id);
            }
        }
        // For each loop: how many of the moves that leave it are not known to be lost.
        let loops = TurnLoops::of(exploration, control)?;
        let mut open_exits = vec![0u32; loops.count()];
        for (number, open) in open_exits.iter_mut().enumerate() {
            let exits = |id: &PositionId| {
                let leaves = |edge: &Edge| !loops.is_inside(*id, edge.to);
                graph.edges(*id).filter(leaves).count() as u32
            };
            *open = loops.members(number).iter().map(exits).sum();
        }
        // In layers of the same distance: a won position gets the shortest one, and a lost position the
        // longest, because it is settled by its last move. Draws of numbers take no move.
        let (mut distance, mut step) = (0, 0);
        let mut layers = vec![layer];
        while let Some(mut layer) = layers.get_mut(distance as usize).map(std::mem::take) {
            while let Some(id) = layer.pop() {
                step += 1;
                control.check_step(step)?;
                let Outcome::Won(winner, _) = outcomes[id as usize] else {
                    continue;
                };
                for &from in predecessors.to(id) {
                    if outcomes[from as usize] != Outcome::Open {
                        continue;
                    }
                    let info = graph.info(from);
                    let is_mine = mover(exploration, from).min(1) == winner;
                    if let Some(number) = loops.of_position(from).filter(|_| !is_mine) {
                        // Going round in circles does not help.
                        if loops.is_inside(from, id) {
                            continue;
                        }
                        open_exits[number] -= 1;
                        if open_exits[number] > 0 {
                            continue;
                        }
                        let is_last = |id: PositionId| {
                            let mut edges = graph.edges(id);
                            edges.any(|e| outcomes[e.to as usize] == Outcome::Won(winner, distance))
                        };
                        for (lost, moves) in loops.distances(number, &predecessors, is_last) {
                            let moves = distance + 1 + moves;
                            outcomes[lost as usize] = Outcome::Won(winner, moves);
                            add_to_layer(&mut layers, moves, lost);
                        }
                        continue;
                    }
                    let open = &mut not_won[from as usize][winner];
                    *open = open.saturating_sub(1);
                    // Where nobody chooses, or it is not known who does, every way on has to be won.
                    let is_unknown = info.player().is_none() && exploration.players().len() > 1;
                    let is_settled = match info.is_chance() || is_unknown {
                        true => *open == 0,
                        false => is_mine || *open == 0,
                    };
                    if is_settled {
                        let moves = distance + u32::from(!info.is_chance());
                        outcomes[from as usize] = Outcome::Won(winner, moves);
                        match info.is_chance() {
                            true => layer.push(from),
                            false => add_to_layer(&mut layers, moves, from),
                        }
                    }
                }
            }
            distance += 1;
        }
        Ok(Solution {
            outcomes,
            has_chance,
            loops,
            predecessors,
        })
    }

    /// The moves of a position that lead on: in a loop, those that lead to a best way out of it.
    pub fn ways_on(&self, exploration: &Exploration, id: PositionId) -> Vec<Edge> {
        let graph = &exploration.graph;
        let Some(number) = self.loops.of_position(id) else {
            return graph.edges(id).collect();
        };
        let is_best = |from: PositionId, edge: &Edge| match self.outcomes[from as usize] {
            Outcome::Won(winner, moves) => {
                let next = Outcome::Won(winner, moves.saturating_sub(1));
                self.outcomes[edge.to as usize] == next
            }
            Outcome::Open => {
                let is_open = self.outcomes[edge.to as usize] == Outcome::Open;
                is_open && !self.loops.is_inside(from, edge.to)
            }
        };
        let has_best = |id: PositionId| graph.edges(id).any(|edge| is_best(id, &edge));
        let best: Vec<Edge> = graph.edges(id).filter(|edge| is_best(id, edge)).collect();
        if !best.is_empty() {
            return best;
        }
        let to_exit = self.loops.distances(number, &self.predecessors, has_best);
        let to_exit: HashMap<PositionId, u32> = to_exit.into_iter().collect();
        let mine = to_exit.get(&id);
        let leads_on = |edge: &Edge| {
            let next = to_exit.get(&edge.to);
            next.is_some_and(|next| Some(&(next + 1)) == mine)
        };
        match mine {
            Some(_) => graph.edges(id).filter(leads_on).collect(),
            // There is no way out.
            None => graph.edges(id).collect(),
        }
    }

    /// The moves of a position that do not give anything away, and after which the turn can be ended without
    /// returning to the positions in which the player has been.
    pub fn ways_on_without(
        &self,
        exploration: &Exploration,
        id: PositionId,
        visited: &[PositionId],
    ) -> Vec<Edge> {
        if self.loops.of_position(id).is_none() || self.outcomes[id as usize] != Outcome::Open {
            return self.ways_on(exploration, id);
        }
        let graph = &exploration.graph;
        let is_open = |edge: &Edge| self.outcomes[edge.to as usize] == Outcome::Open;
        // The positions of the loop from which a way leads out of it, found backwards from its exits.
        let Some(number) = self.loops.of_position(id) else {
            return Vec::new();
        };
        let is_exit = |at: PositionId| {
            let mut ways = graph.edges(at).filter(is_open);
            ways.any(|edge| !self.loops.is_inside(at, edge.to))
        };
        let has_been = |at: PositionId| at == id || visited.contains(&at);
        let exits = self.loops.members(number).iter().copied();
        let mut open: Vec<PositionId> = exits.filter(|at| is_exit(*at) && !has_been(*at)).collect();
        let mut leads_out: HashSet<PositionId> = open.iter().copied().collect();
        while let Some(at) = open.pop() {
            for &from in self.predecessors.to(at) {
                let is_new = self.loops.is_inside(from, at) && !has_been(from);
                if is_new && leads_out.insert(from) {
                    open.push(from);
                }
            }
        }
        let is_way_on =
            |edge: &Edge| !self.loops.is_inside(id, edge.to) || leads_out.contains(&edge.to);
        graph.edges(id).filter(is_open).filter(is_way_on).collect()
    }

    /// Whether a move only goes round in circles: it does not lead on, and another one could follow that does.
    fn is_detour(&self, from: PositionId, edge: Edge, ways_on: &[Edge]) -> bool {
        self.loops.is_inside(from, edge.to) && !ways_on.iter().any(|way| way.label == edge.label)
    }

    /// The player who can force a win, and in how many moves. Also right while not all positions are
    /// known: then it says what is forced within those that are.
    pub fn forced_winner(&self, id: PositionId) -> Option<(Player, u32)> {
        match self.outcomes[id as usize] {
            Outcome::Won(winner, moves) => Some((winner, moves)),
            Outcome::Open => None,
        }
    }

    /// The value of a position for a player, and the number of moves to the end if it is forced.
    pub fn value_for(&self, id: PositionId, player: Player) -> (GameValue, Option<u32>) {
        match self.outcomes[id as usize] {
            Outcome::Won(winner, moves) if winner == player.min(1) => (GameValue::Win, Some(moves)),
            Outcome::Won(_, moves) => (GameValue::Loss, Some(moves)),
            Outcome::Open if self.has_chance => (GameValue::Unknown, None),
            Outcome::Open => (GameValue::Draw, None),
        }
    }
}

/// Notes that a position was settled at a distance.
fn add_to_layer(layers: &mut Vec<Vec<PositionId>>, distance: u32, id: PositionId) {
    let needed = distance as usize + 1;
    layers.resize_with(layers.len().max(needed), Vec::new);
    layers[distance as usize].push(id);
}

/// Better values first; among wins the shortest, among losses the longest.
pub(crate) fn rank(value: GameValue, distance: Option<u32>) -> (u8, i64) {
    let moves = i64::from(distance.unwrap_or(0));
    match value {
        GameValue::Win => (0, moves),
        GameValue::Unknown => (1, 0),
        GameValue::Draw => (2, 0),
        GameValue::Loss => (3, -moves),
    }
}

/// The answer if there is no memory for a search.
fn not_begun(scope: &Scope) -> SolveResult {
    SolveResult {
        value: GameValue::Unknown,
        player: None,
        distance: None,
        exact: false,
        line: Vec::new(),
        moves: Vec::new(),
        extent: nothing_searched(&scope.ignored),
        is_over: false,
        lists_moves: false,
        players: 0,
        has_no_best: false,
        note: None,
    }
}

/// A line of perfect play is cut after this many moves: a drawn game may go round in circles.
const MAX_LINE_MOVES: usize = 200;

impl Explorer {
    /// Perfect play from the current position.
    pub fn solve(
        &mut self,
        target: &mut Target,
        scope: &Scope,
        control: &mut SearchControl<'_>,
    ) -> Result<SolveResult, CommandError> {
        crate::require_moves(target, scope)?;
        if control.lacks_memory(target) {
            self.clear();
            return Ok(not_begun(scope));
        }
        let goal = CompiledGoal::none((**target.program()).clone());
        let exploration = self.exploration(target, &goal, scope)?;
        exploration.setup.require_players(target)?;
        exploration.require_start()?;
        let players = &exploration.setup.players;
        if players.len() > 2 {
            return Err(CommandError::new(format!(
                "perfect play is known for one or two players, and there are {}: with more, what a player can force depends on whom the others favor",
                players.len()
            )));
        }
        let stopped = exploration.expand_all(control).map(Into::into);
        exploration.require_known_turns()?;
        let extent = exploration.extent(scope, stopped);
        let me = mover(exploration, 0);
        let mut result = SolveResult {
            value: GameValue::Unknown,
            player: exploration.player_name(0),
            distance: None,
            exact: extent.complete && exploration.tries_everything(),
            line: Vec::new(),
            moves: Vec::new(),
            extent,
            is_over: exploration.graph.info(0).is_end(),
            lists_moves: false,
            players: exploration.players().len(),
            note: None,
            has_no_best: false,
        };
        if !result.exact {
            return Ok(result);
        }
        let solution = match Solution::of(exploration, control) {
            Ok(solution) => solution,
            Err(stopped) => {
                result.exact = false;
                result.extent.complete = false;
                result.extent.stopped_by = Some(stopped.into());
                return Ok(result);
            }
        };
        (result.value, result.distance) = solution.value_for(0, me);
        result.note = exploration.value_note(result.value);
        let mut moves = exploration.move_values(&solution, 0);
        if result.value == GameValue::Unknown {
            match exploration.expected_values(control) {
                Ok(Some(values)) => {
                    // What is worth most on average comes first.
                    let sign = if me == 0 { 1.0 } else { -1.0 };
                    let worth =
                        |edge: &Option<Edge>| edge.map_or(0.0, |e| sign * values[e.to as usize]);
                    moves.sort_by(|(a, _), (b, _)| worth(b).total_cmp(&worth(a)));
                }
                Ok(None) | Err(_) => result.has_no_best = moves.len() > 1,
            }
        }
        let first = moves.first().and_then(|(edge, _)| *edge);
        result.moves = moves.into_iter().map(|(_, value)| value).collect();
        if result.moves.is_empty() && !result.is_over && result.players > 1 {
            result.note = Some(match exploration.graph.is_dead_end(0) {
                true => "no move is possible, although the game has not ended".into(),
                false => "every move ends in an error: `:find error` shows it".into(),
            });
        }
        let path = match result.value {
            GameValue::Unknown if result.has_no_best => Vec::new(),
            // What comes after it depends on the number.
            GameValue::Unknown => first.map(|edge| (0, edge.label)).into_iter().collect(),
            _ => exploration.best_path(&solution),
        };
        match exploration.is_playable(target, path.clone()) {
            true => result.line = exploration.line_of(path).moves,
            // What the search says about the game is not what happens in it.
            false => {
                (result.value, result.distance, result.exact) = (GameValue::Unknown, None, false)
            }
        }
        Ok(result)
    }

    /// One best move in the current position.
    pub fn hint(
        &mut self,
        target: &mut Target,
        scope: &Scope,
        control: &mut SearchControl<'_>,
    ) -> Result<Hint, CommandError> {
        let solved = self.solve(target, scope, control)?;
        let best = solved.moves.first().filter(|_| !solved.has_no_best);
        Ok(Hint {
            best: best.cloned(),
            is_chance: solved.has_no_best,
            is_over: solved.is_over,
            extent: solved.extent,
        })
    }
}

impl Exploration {
    /// What a value has to be read with: ends of the game that are not what they seem.
    fn value_note(&self, value: GameValue) -> Option<String> {
        let graph = &self.graph;
        let mut infos = (0..graph.len() as PositionId).map(|id| graph.info(id));
        if value == GameValue::Unknown && graph.has_failed_draws() {
            let note =
                "some random numbers end the game in an error: `:find error` shows a way to one";
            return Some(note.into());
        }
        let is_shared = self.players().len() > 1 && infos.any(|info| info.is_shared_win());
        is_shared.then(|| "a win that several players share counts as a draw".into())
    }

    /// The moves of a position with their values for the player who moves there, best first. A turn that has to
    /// begin with a number is not a move of the graph.
    fn move_values(
        &mut self,
        solution: &Solution,
        id: PositionId,
    ) -> Vec<(Option<Edge>, MoveValue)> {
        let me = mover(self, id);
        let bytes = self.graph.bytes(id).to_vec();
        if Phase::of(&bytes) == Phase::TurnDraw {
            // The player can only begin the turn; the number that is drawn then comes before the move.
            let (value, distance) = solution.value_for(id, me);
            let entry = self.setup.turn_entry();
            let turn = MoveValue {
                entry,
                value,
                distance,
            };
            return vec![(None, turn)];
        }
        let edges: Vec<_> = self.graph.edges(id).collect();
        let ways_on = solution.ways_on(self, id);
        let mut values: Vec<(Option<Edge>, MoveValue)> = edges
            .iter()
            .filter_map(|edge| {
                let action = self.simulator.action(&bytes, edge.label)?;
                let (value, distance) = solution.value_for(edge.to, me);
                // How long a lost game lasts if the player first goes round in circles is up to the player.
                let is_detour = solution.is_detour(id, *edge, &ways_on);
                let distance = distance.filter(|_| value != GameValue::Loss || !is_detour);
                let valued = MoveValue {
                    entry: self.setup.entry_of(action),
                    value,
                    distance: distance.map(|d| d + 1),
                };
                Some((Some(*edge), valued))
            })
            .collect();
        values.sort_by_key(|(_, m)| rank(m.value, m.distance));
        values
    }

    /// A line in which both sides play their best moves, up to the end or to the first draw of a number: for each
    /// move the position before it and its number.
    fn best_path(&self, solution: &Solution) -> Vec<(PositionId, u32)> {
        let mut path = Vec::new();
        let mut id = 0;
        let mut visited = HashSet::new();
        while path.len() < MAX_LINE_MOVES && visited.insert(id) {
            let info = self.graph.info(id);
            if info.is_end() || info.is_chance() {
                break;
            }
            let me = mover(self, id);
            let ways_on = solution.ways_on(self, id).into_iter();
            let best = ways_on.min_by_key(|edge| {
                let (value, distance) = solution.value_for(edge.to, me);
                rank(value, distance)
            });
            let Some(edge) = best else {
                break;
            };
            path.push((id, edge.label));
            id = edge.to;
        }
        path
    }

    /// Plays a line and takes it back. Whether it leads where the search says. Where it ends with a draw, that
    /// is for one of the numbers.
    fn is_playable(&mut self, target: &mut Target, mut path: Vec<(PositionId, u32)>) -> bool {
        let Some(&(from, label)) = path.last() else {
            return true;
        };
        let mut edges = self.graph.edges(from);
        let Some(mut end) = edges.find(|e| e.label == label).map(|e| e.to) else {
            return false;
        };
        drop(edges);
        while self.graph.info(end).is_chance() {
            let Some(edge) = self.graph.edges(end).next() else {
                break;
            };
            path.push((end, edge.label));
            end = edge.to;
        }
        // Every number may end in an error.
        let is_failing = |f: &&crate::Failure| f.position == end;
        let failure = match self.graph.info(end).is_chance() {
            true => self.graph.failures.iter().find(is_failing),
            false => None,
        };
        let (last, mut expected) = match failure.map(|f| f.label) {
            Some(label) => (Some(label), Expected::Failure),
            None => (None, Expected::Position),
        };
        path.extend(last.map(|label| (end, label)));
        let line = self.line_of(path);
        self.is_confirmed(target, &line, (end, last), &mut expected)
    }
}
