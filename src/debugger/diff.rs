//! What has changed between two states of the game.

mod grid_diff;
pub(crate) mod state_diff;
