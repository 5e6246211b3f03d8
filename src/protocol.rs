//! Answers as JSON: the same data that `render` turns into text, with every field.

mod answer;
mod state;

pub use answer::{answer_to_json, diagnostic_to_json};
pub use state::{board_to_json, state_to_json};
