//! How often games end in each way: by the player who wins, or by the value of a game that is an
//! expression.

use crate::answer::{GameResult, ResultKind};
use crate::code::Status;
use crate::position::packing::end_value;
use crate::position::simulator::Simulator;
use crate::search::Exploration;
use crate::search::expansion::PositionInfo;
use std::collections::HashMap;

/// Half the width of a 95 % interval, in standard deviations.
const Z95: f64 = 1.959_963_984_540_054;
/// Values beyond this number are listed together, the rarest ones.
const MAX_VALUES_LISTED: usize = 12;
/// The results besides those that name a player.
const OTHER_RESULTS: [&str; 6] = ["lost", "draw", "over", "error", "dead end", "win"];
const LOST: usize = 0;
const DRAW: usize = 1;
const OVER: usize = 2;
const ERROR: usize = 3;
const DEAD_END: usize = 4;
/// The game is won, but not by one of the players from the start.
const OTHER_WIN: usize = 5;

/// A way in which games end.
struct Counted {
    name: String,
    kind: ResultKind,
    /// It is listed even if no game ends like this.
    is_expected: bool,
    count: f64,
    rate: f64,
}

/// How often games end in each way.
pub(crate) struct Results {
    /// The players who win or, without names, that the game is won.
    wins: Vec<Counted>,
    /// Several players who win together.
    shared_wins: Vec<Counted>,
    /// The players who lose, if there are several.
    losses: Vec<Counted>,
    /// [`OTHER_RESULTS`]
    others: Vec<Counted>,
    /// The values of a game that is an expression.
    values: Vec<Counted>,
    /// The index of each value, by its bytes.
    value_index: HashMap<Vec<u8>, usize>,
    /// Formats values and finds out who shares a win.
    simulator: Simulator,
}

impl Results {
    /// No games yet.
    pub fn of(exploration: &Exploration) -> Results {
        let setup = &exploration.setup;
        let is_value = setup.is_expression_game();
        let new = |kind: ResultKind| move |name: &String| Counted::new(name.clone(), kind);
        let (wins, losses) = match setup.players.as_slice() {
            // Without `turn E`, nobody wins: the game just has a value.
            _ if is_value && setup.turn.is_none() => (Vec::new(), Vec::new()),
            [] | [_] => {
                let won = Counted::new("win".into(), ResultKind::Other);
                (vec![won], Vec::new())
            }
            players => (
                players.iter().map(new(ResultKind::Winner)).collect(),
                players.iter().map(new(ResultKind::Loser)).collect(),
            ),
        };
        let wins: Vec<Counted> = wins.into_iter().map(Counted::expected).collect();
        let mut others: Vec<Counted> = OTHER_RESULTS
            .iter()
            .map(|name| Counted::new(name.to_string(), ResultKind::Other))
            .collect();
        // What the rules provide for is listed even if it does not happen.
        let mut conditions = setup.model.end_conditions.iter();
        let has_draws = conditions.any(|condition| condition.status == Status::Drawn);
        others[DRAW].is_expected = has_draws || setup.turn.is_some();
        Results {
            wins,
            losses,
            others,
            shared_wins: Vec::new(),
            values: Vec::new(),
            value_index: HashMap::new(),
            simulator: Simulator::new(setup.clone(), Default::default()),
        }
    }

    /// Adds games that end in a position: their number and their share.
    pub fn add(&mut self, info: PositionInfo, position: &[u8], count: f64, rate: f64) {
        let is_value = self.simulator.setup.is_expression_game();
        let counted = match info.status() {
            Status::Over if is_value => self.value(position),
            Status::Won if info.is_shared_win() => Some(self.shared_win(position)),
            Status::Won if self.wins.len() == 1 => self.wins.first_mut(),
            Status::Won => match info.player().filter(|p| *p < self.wins.len()) {
                Some(player) => self.wins.get_mut(player),
                None => self.others.get_mut(OTHER_WIN),
            },
            Status::Lost => match info.player().filter(|p| *p < self.losses.len()) {
                Some(player) => self.losses.get_mut(player),
                None => self.others.get_mut(LOST),
            },
            Status::Drawn => self.others.get_mut(DRAW),
            Status::Over => self.others.get_mut(OVER),
            Status::Playing => self.others.get_mut(DEAD_END),
        };
        if let Some(counted) = counted {
            counted.count += count;
            counted.rate += rate;
        }
    }

    /// Adds games that end in an error.
    pub fn add_errors(&mut self, count: f64, rate: f64) {
        let errors = &mut self.others[ERROR];
        errors.count += count;
        errors.rate += rate;
    }

    /// The players who have won together in a position.
    fn shared_win(&mut self, position: &[u8]) -> &mut Counted {
        let names = self.simulator.winners_in(position).join(", ");
        let known = self.shared_wins.iter().position(|c| c.name == names);
        let index = known.unwrap_or_else(|| {
            let new = Counted::new(names, ResultKind::SharedWin);
            self.shared_wins.push(new);
            self.shared_wins.len() - 1
        });
        &mut self.shared_wins[index]
    }

    /// The value with which a game has ended.
    fn value(&mut self, position: &[u8]) -> Option<&mut Counted> {
        let simulator = &mut self.simulator;
        let bytes = end_value(&simulator.setup.layout, position)?;
        let index = match self.value_index.get(bytes) {
            Some(index) => *index,
            None => {
                let text = simulator.end_value_text(position)?;
                let index = self.values.len();
                self.value_index.insert(bytes.to_vec(), index);
                self.values.push(Counted::new(text, ResultKind::Other));
                index
            }
        };
        self.values.get_mut(index)
    }

    /// All results, in the order in which they are listed.
    fn all(&self) -> impl Iterator<Item = &Counted> {
        let by_players = self
            .wins
            .iter()
            .chain(&self.shared_wins)
            .chain(&self.losses);
        by_players.chain(&self.others).chain(&self.values)
    }

    /// The number of games.
    pub fn games(&self) -> f64 {
        self.all().map(|counted| counted.count).sum()
    }

    /// The number of games that end where no move is possible.
    pub fn dead_ends(&self) -> usize {
        self.others[DEAD_END].count as usize
    }

    /// The results of all games, with their exact shares, and the advantage of the first of two players.
    pub fn exact(self) -> (Vec<GameResult>, Option<f64>) {
        let advantage = self.advantage(|counted| counted.rate);
        let results = self.listed(|counted| (counted.rate, counted.rate, counted.rate));
        (results, advantage)
    }

    /// The results of random games, with intervals, and the advantage of the first of two players.
    pub fn estimated(self, games: usize) -> (Vec<GameResult>, Option<f64>) {
        let total = games as f64;
        let advantage = self.advantage(|counted| counted.count / total.max(1.0));
        (
            self.listed(|counted| wilson(counted.count, total)),
            advantage,
        )
    }

    /// How much more often the first of two players wins than the second. A loss counts as a win of the
    /// other.
    fn advantage(&self, rate: impl Fn(&Counted) -> f64) -> Option<f64> {
        match (self.wins.as_slice(), self.losses.as_slice()) {
            ([first, second], [first_loses, second_loses]) => {
                let first = rate(first) + rate(second_loses);
                Some(first - rate(second) - rate(first_loses))
            }
            _ => None,
        }
    }

    /// The results that occur or are expected. Frequent values come first.
    fn listed(mut self, rate: impl Fn(&Counted) -> (f64, f64, f64)) -> Vec<GameResult> {
        self.values.sort_by(|a, b| {
            let by_count = b.count.total_cmp(&a.count);
            by_count.then_with(|| a.name.cmp(&b.name))
        });
        if self.values.len() > MAX_VALUES_LISTED {
            let rest = self.values.split_off(MAX_VALUES_LISTED - 1);
            self.values.push(Counted {
                count: rest.iter().map(|counted| counted.count).sum(),
                rate: rest.iter().map(|counted| counted.rate).sum(),
                ..Counted::new(format!("{} other values", rest.len()), ResultKind::Other)
            });
        }
        let listed = self.all().filter(|c| c.is_expected || c.count > 0.0);
        let to_result = |counted: &Counted| {
            let (rate, low, high) = rate(counted);
            GameResult {
                name: counted.name.clone(),
                kind: counted.kind,
                count: counted.count,
                rate,
                low,
                high,
            }
        };
        listed.map(to_result).collect()
    }
}

impl Counted {
    fn new(name: String, kind: ResultKind) -> Counted {
        Counted {
            name,
            kind,
            is_expected: false,
            count: 0.0,
            rate: 0.0,
        }
    }

    fn expected(self) -> Counted {
        Counted {
            is_expected: true,
            ..self
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
    // Exactly, where rounding would leave a trace.
    let low = match count == 0.0 {
        true => 0.0,
        false => ((center - spread) / scale).max(0.0),
    };
    let high = match count == total {
        true => 1.0,
        false => ((center + spread) / scale).min(1.0),
    };
    (rate, low, high)
}
