//! Answers as JSON: the same data that `render` turns into text, with every field. Also the
//! requests of clients that are not written in Rust.
//!
//! ```text
//! answer      an answer as a JSON object
//! catalog     what there is to open
//! diagnostic  errors and warnings as JSON
//! incoming    requests as types
//! outgoing    the answers to small requests
//! request     requests of clients: one JSON object in, one JSON object out
//! score       the score of a lesson, for the teacher
//! tokens      the tokens of a text
//! view        everything that a client shows of a session, in one answer
//! view_board  a part of the board, with names as numbers
//! ```

mod answer;
mod catalog;
mod diagnostic;
mod incoming;
mod outgoing;
mod request;
mod score;
mod tokens;
mod view;
mod view_board;

pub use answer::{PROTOCOL_VERSION, answer_to_json_text};
pub use diagnostic::DiagnosticJson;
pub use request::Connection;
pub use score::score_to_json;
