//! Moves that the computer makes.

use serde::Serialize;

/// A move of the computer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpponentMove {
    /// The player.
    pub player: String,
    /// What was entered.
    pub entry: String,
    /// `random`, `level 3` or `perfect`.
    pub level: String,
    /// No move is better.
    pub exact: bool,
    /// Positions that were searched.
    pub positions: usize,
    /// Games that were played with random moves.
    pub playouts: u32,
}
