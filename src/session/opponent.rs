//! Players whose moves the computer makes.

use crate::explorer::OpponentLevel;
use std::time::Duration;

/// A player whose moves the computer makes.
#[derive(Clone, PartialEq, Debug)]
pub struct Opponent {
    /// The name of the player.
    pub player: String,
    /// How well it plays.
    pub level: OpponentLevel,
    /// The most time for a move.
    pub time_limit: Option<Duration>,
}

/// All players whose moves the computer makes, and whether it has to move now.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Opponents {
    /// In the order in which they were chosen.
    pub players: Vec<Opponent>,
    /// The last line has changed the game, so it may be the computer's turn.
    pub is_due: bool,
    /// Moves of the computer since the last line that the user typed.
    pub moves_in_row: usize,
}

impl Opponents {
    /// The opponent with this name.
    pub fn get(&self, player: &str) -> Option<&Opponent> {
        self.players.iter().find(|o| o.player == player)
    }

    /// Makes the computer play a player, or changes how.
    pub fn set(&mut self, opponent: Opponent) {
        match self
            .players
            .iter_mut()
            .find(|o| o.player == opponent.player)
        {
            Some(known) => *known = opponent,
            None => self.players.push(opponent),
        }
    }
}
