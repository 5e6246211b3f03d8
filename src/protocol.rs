//! Answers as JSON: the same data that `render` turns into text, with every field.

mod answer;

pub use answer::{answer_to_json, diagnostic_to_json, state_to_json};
