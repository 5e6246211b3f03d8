//! What has changed between two states of the game.
//!
//! ```text
//! grid_diff   boards that are ordinary values ([`Grid`])
//! state_diff  what differs between two states of the game
//! ```

mod grid_diff;
pub mod state_diff;

pub use grid_diff::{format_grid_cell, watched_cell};
pub(crate) use state_diff::capture_record_fields;
pub use state_diff::{describe_change, last_stop_fields, record_fields, state_diff};
