//! The way to a position as moves that can be typed.

use crate::analysis::LineStep;
use crate::answer::LineMove;
use crate::model::actions::Action;
use crate::model::setup::Setup;
use crate::position::graph::PositionId;
use crate::position::packing::Phase;
use crate::search::Exploration;

/// A line of moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Line {
    pub moves: Vec<LineMove>,
    /// The same with everything that has to be typed.
    pub steps: Vec<LineStep>,
}

impl Setup {
    /// What the user types to do this.
    pub fn entry_of(&self, action: Action) -> String {
        match action {
            Action::Click { row, col } => {
                let entry = self.language.click_entry(row.into(), col.into());
                entry.unwrap_or_default()
            }
            Action::Entry(n) => self
                .entries
                .get(n)
                .map_or_else(String::new, |e| e.0.clone()),
            Action::Answer { kind, candidate } => {
                let candidates = self.candidates.get(&kind);
                let answer = candidates.and_then(|c| c.answers.get(candidate));
                answer.map_or_else(String::new, |a| a.line.clone())
            }
            Action::Draw { number, .. } => number.to_string(),
            Action::TakeTurn => self.turn_entry(),
            Action::NextTurn => String::new(),
        }
    }
}

impl Exploration {
    /// The name of the player who moves in a position.
    pub(crate) fn player_name(&self, id: PositionId) -> Option<String> {
        let player = self.graph.info(id).player()?;
        self.setup.players.get(player).cloned()
    }

    /// The line to a position, and with one more action if it is given.
    pub(crate) fn line_to(&mut self, id: PositionId, last: Option<u32>) -> Line {
        let mut path = self.graph.path(id);
        path.extend(last.map(|label| (id, label)));
        self.line_of(path)
    }

    /// The line that consists of these actions, each with the position before it.
    pub(crate) fn line_of(&mut self, path: Vec<(PositionId, u32)>) -> Line {
        let mut builder = LineBuilder {
            is_running: self.is_entry_running,
            ..LineBuilder::default()
        };
        if let Some((game, _)) = &self.setup.game {
            builder.begin_entry(game.clone());
        }
        let last = path.last().copied();
        for (from, label) in path {
            let bytes = self.graph.bytes(from).to_vec();
            let Some(action) = self.simulator.action(&bytes, label) else {
                continue;
            };
            let player = self.player_name(from);
            let entry = self.setup.entry_of(action);
            match action {
                Action::Draw { number, .. } => {
                    if Phase::of(&bytes) == Phase::TurnDraw && !builder.is_running {
                        builder.begin_turn(self.setup.turn_entry(), player);
                    }
                    builder.draw(number);
                }
                Action::NextTurn => continue,
                Action::TakeTurn => builder.take_turn(entry),
                Action::Answer { .. } => {
                    if self.setup.is_turn_game() && !builder.is_running {
                        builder.begin_turn(self.setup.turn_entry(), player.clone());
                    }
                    builder.line.steps.push(LineStep::Answer(entry.clone()));
                    builder.make_move(entry, player);
                }
                Action::Click { .. } | Action::Entry(_) => {
                    builder.begin_entry(entry.clone());
                    builder.make_move(entry, player);
                }
            }
            if action != Action::TakeTurn {
                self.simulator.load(&bytes);
                self.simulator.begin(action);
                builder.is_running = self.simulator.is_running_after();
            }
        }
        let is_turn_over = last.is_some_and(|(id, label)| self.ends_turn(id, label));
        builder.finish(is_turn_over, self.setup.turn_entry())
    }

    /// Whether a number that is drawn before the first question of a turn ends it without a question, or in
    /// an error: then the turn is a move.
    pub(crate) fn ends_turn(&self, id: PositionId, label: u32) -> bool {
        if Phase::of(self.graph.bytes(id)) != Phase::TurnDraw {
            return false;
        }
        let next = self.graph.edges(id).find(|edge| edge.label == label);
        let phase = next.map(|edge| Phase::of(self.graph.bytes(edge.to)));
        !matches!(phase, Some(Phase::Question | Phase::TurnDraw))
    }
}

/// Builds a line, move by move.
#[derive(Default)]
struct LineBuilder {
    line: Line,
    /// An entry is running: it waits for an answer or a number.
    is_running: bool,
    /// The step of the entry that is running. Its draws are scripted before it.
    entry_start: usize,
    /// The player whose turn has begun.
    turn_player: Option<String>,
    /// Numbers that were drawn in this turn before its first move.
    early_draws: Option<Vec<i64>>,
}

impl LineBuilder {
    fn begin_entry(&mut self, entry: String) {
        self.entry_start = self.line.steps.len();
        self.line.steps.push(LineStep::Entry(entry));
        self.is_running = true;
    }

    fn begin_turn(&mut self, entry: String, player: Option<String>) {
        self.begin_entry(entry);
        self.turn_player = player;
        self.early_draws = Some(Vec::new());
    }

    fn draw(&mut self, number: i64) {
        match (&mut self.early_draws, self.line.moves.last_mut()) {
            (Some(draws), _) => draws.push(number),
            (None, Some(last)) => last.draws.push(number),
            (None, None) => {}
        }
        match self.line.steps.get_mut(self.entry_start) {
            Some(LineStep::Draws(draws)) => draws.push(number),
            _ => {
                let draws = LineStep::Draws(vec![number]);
                self.line.steps.insert(self.entry_start, draws);
            }
        }
    }

    fn make_move(&mut self, entry: String, player: Option<String>) {
        self.line.moves.push(LineMove {
            entry,
            player,
            draws: self.early_draws.take().unwrap_or_default(),
        });
    }

    /// The turn that is running was the move.
    fn take_turn(&mut self, entry: String) {
        let player = self.turn_player.take();
        self.make_move(entry, player);
        self.is_running = false;
    }

    /// The line. Numbers that are drawn after its last move, when the next turn begins, belong to that move,
    /// unless there is none or the turn is over.
    fn finish(mut self, is_turn_over: bool, turn: String) -> Line {
        let drawn = self.early_draws.take().filter(|draws| !draws.is_empty());
        if let Some(mut draws) = drawn {
            match self.line.moves.last_mut().filter(|_| !is_turn_over) {
                Some(last) => last.draws.append(&mut draws),
                None => {
                    self.early_draws = Some(draws);
                    self.take_turn(turn);
                }
            }
        }
        self.line
    }
}
