//! Answers as JSON: the same data that `render` turns into text, with every field. Also the
//! requests of clients that are not written in Rust.

mod answer;
mod diagnostic;
mod request;
mod score;
mod state;

pub use answer::{answer_to_json, answer_to_json_text};
pub use diagnostic::DiagnosticJson;
pub use request::Connection;
pub use score::score_to_json;
