//! The way to a position as moves that can be typed.

use super::actions::Action;
use super::graph::PositionId;
use super::search::Exploration;
use super::setup::Setup;
use crate::debugger::LineStep;
use crate::debugger::api::LineMove;
use crate::language::Actions;

/// A line of moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Line {
    pub moves: Vec<LineMove>,
    /// The same with everything that has to be typed.
    pub steps: Vec<LineStep>,
    /// The position to which it leads, if it has been noted.
    pub end: Option<PositionId>,
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
            Action::NextTurn => String::new(),
        }
    }
}

impl Exploration {
    /// The name of the player who moves in a position.
    pub(super) fn player_name(&self, id: PositionId) -> Option<String> {
        let player = self.graph.info(id).player()?;
        self.setup.players.get(player).cloned()
    }

    /// The line to a position, and with one more action if it is given.
    pub(super) fn line_to(&mut self, id: PositionId, last: Option<u32>) -> Line {
        let mut path = self.graph.path(id);
        path.extend(last.map(|label| (id, label)));
        self.line_of(path)
    }

    /// The line that consists of these actions, each with the position before it.
    pub(super) fn line_of(&mut self, path: Vec<(PositionId, u32)>) -> Line {
        let mut line = Line::default();
        let is_turn_game = matches!(self.setup.model.actions, Actions::Turn(_));
        let mut is_running = self.is_entry_running;
        if let Some((game, _)) = &self.setup.game {
            line.steps.push(LineStep::Entry(game.clone()));
            is_running = true;
        }
        // Draws are scripted before the entry in which they happen starts.
        let mut entry_start = line.steps.len();
        for (from, label) in path {
            let bytes = self.graph.bytes(from).to_vec();
            let Some(action) = self.simulator.action(&bytes, label) else {
                continue;
            };
            let entry = self.setup.entry_of(action);
            match action {
                Action::Draw { number, .. } => {
                    if let Some(last) = line.moves.last_mut() {
                        last.draws.push(number);
                    }
                    match line.steps.get_mut(entry_start) {
                        Some(LineStep::Draws(draws)) => draws.push(number),
                        _ => line
                            .steps
                            .insert(entry_start, LineStep::Draws(vec![number])),
                    }
                    continue;
                }
                Action::NextTurn => continue,
                Action::Answer { .. } => {
                    if is_turn_game && !is_running {
                        entry_start = line.steps.len();
                        let turn = self.setup.entries.first().map(|e| e.0.clone());
                        line.steps.push(LineStep::Entry(turn.unwrap_or_default()));
                    }
                    line.steps.push(LineStep::Answer(entry.clone()));
                }
                Action::Click { .. } | Action::Entry(_) => {
                    entry_start = line.steps.len();
                    line.steps.push(LineStep::Entry(entry.clone()));
                }
            }
            line.moves.push(LineMove {
                entry,
                player: self.player_name(from),
                draws: Vec::new(),
            });
            self.simulator.load(&bytes);
            self.simulator.begin(action);
            is_running = self.simulator.is_running_after();
        }
        line
    }
}
