//! Answers as JSON: the same data that `render` turns into text, with every field. Also the
//! requests of clients that are not written in Rust.
//!
//! ```text
//! answer      an answer as a JSON object
//! diagnostic  errors and warnings as JSON
//! request     requests of clients: one JSON object in, one JSON object out
//! score       the score of a lesson, for the teacher
//! ```

mod answer;
mod diagnostic;
mod request;
mod score;

pub use answer::{PROTOCOL_VERSION, answer_to_json_text};
pub use diagnostic::DiagnosticJson;
pub use request::Connection;
pub use score::score_to_json;
