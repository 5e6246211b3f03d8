//! How games end if every move is equally likely: exactly where all positions are known and none
//! repeats, otherwise from random games.

use super::random_game::{GameEnd, SplitMix};
use super::results::Results;
use crate::Explorer;
use crate::answer::{Choices, CommandError, GameLength, SearchExtent, SearchStop, StatsResult};
use crate::debugger::Target;
use crate::model::goal::CompiledGoal;
use crate::model::setup::Scope;
use crate::position::graph::{Graph, PositionId};
use crate::search::Exploration;
use crate::search::control::{SearchControl, SearchProgress, StoppedBy};
use crate::search::extent::nothing_searched;

/// Random games that are played unless the user says how many.
pub const DEFAULT_RANDOM_GAMES: usize = 1000;
/// Positions that are searched before random games are played, for each game: a game has more moves than this, and
/// those in positions that are known need not be tried.
const POSITIONS_PER_GAME: usize = 4;
/// More are not searched: in a large game, few positions occur again.
const MAX_POSITIONS_KNOWN: usize = 10_000;
/// The share of the time for it.
const KNOWN_POSITIONS_SHARE: f64 = 0.05;

impl Explorer {
    /// Results, lengths and choices of games from the current position. `games` asks for random games
    /// even if exact numbers are possible.
    pub fn stats(
        &mut self,
        target: &Target,
        games: Option<usize>,
        scope: &Scope,
        control: &mut SearchControl<'_>,
    ) -> Result<StatsResult, CommandError> {
        crate::require_moves(target, scope)?;
        crate::require_open_game(target, scope)?;
        let seed = target.machine.rng.seed();
        if control.lacks_memory(target) {
            self.clear();
            return Ok(not_begun(scope, seed));
        }
        let goal = CompiledGoal::none((**target.program()).clone());
        let exploration = self.exploration(target, &goal, scope)?;
        exploration.require_start()?;
        let mut stopped: Option<SearchStop> = match games {
            None => exploration
                .expand_all_in(control, EXACT_SHARE)
                .map(Into::into),
            Some(games) => {
                let positions = control.limits.positions;
                let most = games.saturating_mul(POSITIONS_PER_GAME);
                control.limits.positions = positions.min(most).min(MAX_POSITIONS_KNOWN);
                exploration.expand_all_in(control, KNOWN_POSITIONS_SHARE);
                control.limits.positions = positions;
                None
            }
        };
        if games.is_none() && exploration.is_complete() && exploration.tries_everything() {
            let exact = control.with_share(EXACT_SHARE, |control| {
                exploration.exact_stats(scope, seed, control)
            });
            match exact {
                Ok(Some(stats)) => return Ok(stats),
                Ok(None) => {}
                Err(reason) => stopped = Some(reason.into()),
            }
        }
        let has_searched = games.is_none();
        let games = games.unwrap_or(DEFAULT_RANDOM_GAMES);
        Ok(StatsResult {
            has_searched,
            ..exploration.random_stats(games, seed, scope, stopped, control)
        })
    }
}

/// The answer if there is no memory for a search.
fn not_begun(scope: &Scope, seed: u64) -> StatsResult {
    StatsResult {
        exact: false,
        games: 0.0,
        seed,
        results: Vec::new(),
        advantage: None,
        length: GameLength {
            mean: 0.0,
            min: 0,
            max: 0,
        },
        choices: Choices { mean: 0.0, max: 0 },
        dead_ends: 0,
        unfinished: 0,
        cut_short: Some(SearchStop::Memory),
        open_game_moves: 0,
        has_searched: true,
        extent: nothing_searched(&scope.ignored),
    }
}

/// The share of the time that is left for finding all positions, and then for exact numbers, before random
/// games are played.
const EXACT_SHARE: f64 = 0.5;

/// Memory that exact numbers need for each position.
const BYTES_PER_POSITION: usize = 5 * size_of::<f64>() + 2 * size_of::<PositionId>();

/// Every position before those that its moves lead to; `None` if positions repeat.
pub(crate) fn topological_order(
    graph: &Graph,
    control: &SearchControl<'_>,
) -> Result<Option<Vec<PositionId>>, StoppedBy> {
    let count = graph.len();
    control.check_memory(graph, 2 * count * size_of::<PositionId>())?;
    let mut incoming = vec![0u32; count];
    for id in 0..count as PositionId {
        control.check_step(id as usize)?;
        for edge in graph.edges(id) {
            incoming[edge.to as usize] += 1;
        }
    }
    let mut order: Vec<PositionId> = Vec::with_capacity(count);
    order.extend((0..count as PositionId).filter(|id| incoming[*id as usize] == 0));
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        next += 1;
        control.check_step(next)?;
        for edge in graph.edges(id) {
            let open = &mut incoming[edge.to as usize];
            *open -= 1;
            if *open == 0 {
                order.push(edge.to);
            }
        }
    }
    Ok((order.len() == count).then_some(order))
}

impl Exploration {
    /// Exact numbers; `None` if positions repeat. An error says why it had to stop.
    fn exact_stats(
        &self,
        scope: &Scope,
        seed: u64,
        control: &SearchControl<'_>,
    ) -> Result<Option<StatsResult>, StoppedBy> {
        control.check_memory(&self.graph, self.graph.len() * BYTES_PER_POSITION)?;
        let Some(order) = topological_order(&self.graph, control)? else {
            return Ok(None);
        };
        let graph = &self.graph;
        let mut results = Results::of(self);
        let count = graph.len();
        // The number of ways to reach a position, its probability, and the sum of lengths weighted with it.
        let (mut ways, mut chance) = (vec![0.0f64; count], vec![0.0f64; count]);
        let mut moves_sum = vec![0.0f64; count];
        let (mut shortest, mut longest) = (vec![u32::MAX; count], vec![0u32; count]);
        if count > 0 {
            (ways[0], chance[0], shortest[0]) = (1.0, 1.0, 0);
        }
        let (mut mean, mut min, mut max) = (0.0, u32::MAX, 0);
        let (mut choices, mut decisions, mut most_choices) = (0.0, 0.0, 0);
        let mut dead_ends = 0;
        for (n, &id) in order.iter().enumerate() {
            control.check_step(n)?;
            let at = id as usize;
            let info = graph.info(id);
            let edges = graph.edges(id).count();
            let errors = graph.failed_draws(id) as usize;
            if errors > 0 {
                let share = errors as f64 / (edges + errors) as f64;
                results.add_errors(ways[at] * errors as f64, chance[at] * share);
                mean += moves_sum[at] * share;
                (min, max) = (min.min(shortest[at]), max.max(longest[at]));
            } else if info.is_end() || edges == 0 {
                match graph.failing.contains(&id) {
                    true => results.add_errors(ways[at], chance[at]),
                    false => results.add(info, graph.bytes(id), ways[at], chance[at]),
                }
                mean += moves_sum[at];
                (min, max) = (min.min(shortest[at]), max.max(longest[at]));
                dead_ends += usize::from(graph.is_dead_end(id));
                continue;
            }
            let step = u32::from(!info.is_chance());
            if step == 1 {
                choices += chance[at] * edges as f64;
                decisions += chance[at];
                most_choices = most_choices.max(edges);
            }
            for edge in graph.edges(id) {
                let (to, share) = (edge.to as usize, 1.0 / (edges + errors) as f64);
                ways[to] += ways[at];
                chance[to] += chance[at] * share;
                moves_sum[to] += (moves_sum[at] + chance[at] * f64::from(step)) * share;
                shortest[to] = shortest[to].min(shortest[at].saturating_add(step));
                longest[to] = longest[to].max(longest[at] + step);
            }
        }
        let games = results.games();
        let (results, advantage) = results.exact();
        Ok(Some(StatsResult {
            exact: true,
            games,
            seed,
            results,
            advantage,
            length: GameLength {
                mean,
                min: min.min(max) as usize,
                max: max as usize,
            },
            choices: Choices {
                mean: if decisions > 0.0 {
                    choices / decisions
                } else {
                    0.0
                },
                max: most_choices,
            },
            dead_ends,
            unfinished: 0,
            cut_short: None,
            open_game_moves: 0,
            has_searched: true,
            extent: self.extent(scope, None),
        }))
    }

    fn random_stats(
        &mut self,
        games: usize,
        seed: u64,
        scope: &Scope,
        stopped: Option<SearchStop>,
        control: &mut SearchControl<'_>,
    ) -> StatsResult {
        let mut results = Results::of(self);
        let mut random = SplitMix(seed);
        let (mut total, mut min, mut max) = (0usize, usize::MAX, 0);
        // Moves of the games that ended; of others only if none has.
        let mut decisions = 0usize;
        let (mut choices, mut most_choices) = (0usize, 0);
        let (mut played, mut unfinished) = (0, 0);
        let mut cut_short: Option<SearchStop> = None;
        let mut open_game_moves = 0;
        while played < games {
            let game = match self.random_game(&mut random, control, &mut |_, _| {}) {
                Ok(game) => game,
                Err(moves) => {
                    let reason = control.interrupted_by().unwrap_or(StoppedBy::Interrupt);
                    cut_short = Some(reason.into());
                    open_game_moves = moves;
                    break;
                }
            };
            played += 1;
            self.report_games(played, control);
            most_choices = most_choices.max(game.most_choices);
            // Games that go round in circles would outweigh all others.
            if game.end != GameEnd::GivenUp || played == unfinished + 1 {
                choices += game.choices;
                decisions += game.moves;
            }
            match game.end {
                GameEnd::Position(info) => results.add(info, &game.position, 1.0, 0.0),
                GameEnd::Error => results.add_errors(1.0, 0.0),
                GameEnd::GivenUp => {
                    unfinished += 1;
                    continue;
                }
            }
            total += game.moves;
            (min, max) = (min.min(game.moves), max.max(game.moves));
        }
        let dead_ends = results.dead_ends();
        let (results, advantage) = results.estimated(played);
        let extent = self.extent_of_games(scope, cut_short.or(stopped));
        StatsResult {
            exact: false,
            games: played as f64,
            seed,
            results,
            advantage,
            length: GameLength {
                mean: total as f64 / ((played - unfinished) as f64).max(1.0),
                min: min.min(max),
                max,
            },
            choices: Choices {
                mean: choices as f64 / (decisions as f64).max(1.0),
                max: most_choices,
            },
            dead_ends,
            unfinished,
            cut_short,
            open_game_moves,
            has_searched: false,
            extent,
        }
    }

    /// What random games are based on: they draw from whole ranges.
    pub(crate) fn extent_of_games(
        &mut self,
        scope: &Scope,
        stopped: Option<SearchStop>,
    ) -> SearchExtent {
        let is_sampled = std::mem::take(&mut self.graph.is_sampled);
        let extent = self.extent(scope, stopped);
        self.graph.is_sampled = is_sampled;
        extent
    }

    /// Reports that random games are played.
    pub(crate) fn report_games(&self, games: usize, control: &mut SearchControl<'_>) {
        (control.report)(SearchProgress {
            positions: self.graph.len(),
            depth: self.complete_depth(),
            games,
            ..SearchProgress::default()
        });
    }
}
