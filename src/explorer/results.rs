//! How often games end in each way: by the player who wins, or by the value of a game that is an
//! expression.

use super::expansion::PositionInfo;
use super::packing::end_value;
use super::search::Exploration;
use super::simulator::Simulator;
use crate::code::Status;
use crate::debugger::api::GameResult;
use std::collections::HashMap;

/// Half the width of a 95 % interval, in standard deviations.
const Z95: f64 = 1.959_963_984_540_054;
/// Values beyond this number are listed together, the rarest ones.
const MAX_VALUES_LISTED: usize = 12;
/// The results besides those that name a player.
const OTHER_RESULTS: [&str; 4] = ["draw", "lost", "over", "dead end"];
/// The last one of them.
const DEAD_END: usize = OTHER_RESULTS.len() - 1;

/// A way in which games end.
struct Counted {
    name: String,
    count: f64,
    rate: f64,
}

/// How often games end in each way.
pub(super) struct Results {
    /// The players, then the other results.
    named: Vec<Counted>,
    players: usize,
    /// The values of a game that is an expression.
    values: Vec<Counted>,
    /// The index of each value, by its bytes.
    value_index: HashMap<Vec<u8>, usize>,
    /// Formats the values; `None` if the game is not an expression.
    simulator: Option<Simulator>,
}

impl Results {
    /// No games yet.
    pub fn of(exploration: &Exploration) -> Results {
        let setup = &exploration.setup;
        let is_value = setup.is_expression_game();
        let players: Vec<String> = match setup.players.as_slice() {
            // Without `turn E`, nobody wins: the game just has a value.
            _ if is_value && setup.turn.is_none() => Vec::new(),
            [] | [_] => vec!["win".into()],
            players => players.to_vec(),
        };
        let others = OTHER_RESULTS.map(String::from);
        let named = players.iter().cloned().chain(others).map(Counted::new);
        Results {
            named: named.collect(),
            players: players.len(),
            values: Vec::new(),
            value_index: HashMap::new(),
            simulator: is_value.then(|| Simulator::new(setup.clone(), Default::default())),
        }
    }

    /// Adds games that end in a position: their number and their share.
    pub fn add(&mut self, info: PositionInfo, position: &[u8], count: f64, rate: f64) {
        let players = self.players;
        let counted = match info.status() {
            Status::Over if self.simulator.is_some() => self.value(position),
            Status::Won => {
                let player = info.player().filter(|p| *p < players);
                self.named.get_mut(player.unwrap_or(0))
            }
            Status::Drawn => self.named.get_mut(players),
            Status::Lost => self.named.get_mut(players + 1),
            Status::Over => self.named.get_mut(players + 2),
            Status::Playing => self.named.get_mut(players + DEAD_END),
        };
        if let Some(counted) = counted {
            counted.count += count;
            counted.rate += rate;
        }
    }

    /// The value with which a game has ended.
    fn value(&mut self, position: &[u8]) -> Option<&mut Counted> {
        let simulator = self.simulator.as_mut()?;
        let bytes = end_value(&simulator.setup.layout, position)?;
        let index = match self.value_index.get(bytes) {
            Some(index) => *index,
            None => {
                let text = simulator.end_value_text(position)?;
                let index = self.values.len();
                self.value_index.insert(bytes.to_vec(), index);
                self.values.push(Counted::new(text));
                index
            }
        };
        self.values.get_mut(index)
    }

    /// The number of games.
    pub fn games(&self) -> f64 {
        let all = self.named.iter().chain(&self.values);
        all.map(|counted| counted.count).sum()
    }

    /// The number of games that end where no move is possible.
    pub fn dead_ends(&self) -> usize {
        let counted = self.named.get(self.players + DEAD_END);
        counted.map_or(0, |counted| counted.count as usize)
    }

    /// The results of all games, with their exact shares.
    pub fn exact(self) -> Vec<GameResult> {
        self.listed(|counted| (counted.rate, counted.rate, counted.rate))
    }

    /// The results of random games, with intervals.
    pub fn estimated(self, games: usize) -> Vec<GameResult> {
        self.listed(|counted| wilson(counted.count, games as f64))
    }

    /// The results that occur, and all players. Frequent values come first.
    fn listed(mut self, rate: impl Fn(&Counted) -> (f64, f64, f64)) -> Vec<GameResult> {
        self.values.sort_by(|a, b| {
            let by_count = b.count.total_cmp(&a.count);
            by_count.then_with(|| a.name.cmp(&b.name))
        });
        if self.values.len() > MAX_VALUES_LISTED {
            let rest = self.values.split_off(MAX_VALUES_LISTED - 1);
            self.values.push(Counted {
                name: format!("{} other values", rest.len()),
                count: rest.iter().map(|counted| counted.count).sum(),
                rate: rest.iter().map(|counted| counted.rate).sum(),
            });
        }
        let players = self.players;
        let named = self.named.into_iter().enumerate();
        let listed = named.filter(|(n, counted)| *n < players || counted.count > 0.0);
        let is_player = |n: usize| n < players && players > 1;
        let named = listed.map(|(n, counted)| (is_player(n), counted));
        let values = self.values.into_iter().map(|counted| (false, counted));
        let to_result = |(is_player, counted): (bool, Counted)| {
            let (rate, low, high) = rate(&counted);
            GameResult {
                name: counted.name,
                is_player,
                count: counted.count,
                rate,
                low,
                high,
            }
        };
        named.chain(values).map(to_result).collect()
    }
}

impl Counted {
    fn new(name: String) -> Counted {
        Counted {
            name,
            count: 0.0,
            rate: 0.0,
        }
    }
}

/// A rate and its 95 % interval, after Wilson.
fn wilson(count: f64, total: f64) -> (f64, f64, f64) {
    if total == 0.0 {
        return (0.0, 0.0, 1.0);
    }
    let rate = count / total;
    let z = Z95 * Z95 / total;
    let center = rate + z / 2.0;
    let spread = Z95 * (rate * (1.0 - rate) / total + z / (4.0 * total)).sqrt();
    let scale = 1.0 + z;
    (
        rate,
        ((center - spread) / scale).max(0.0),
        ((center + spread) / scale).min(1.0),
    )
}
