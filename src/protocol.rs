//! Answers as JSON: the same data that `render` turns into text, with every field. Also the
//! requests of clients that are not written in Rust.

mod answer;
mod request;
mod state;

pub use answer::{answer_to_json, diagnostic_to_json};
pub use request::Connection;
pub use state::state_to_json;
