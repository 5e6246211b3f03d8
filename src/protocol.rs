//! Answers as JSON: the same data that `render` turns into text, with every field. Also the
//! requests of clients that are not written in Rust.
//!
//! ```text
//! answer      an answer as a JSON object
//! catalog     what there is to open
//! connection  a client and its session: what all requests share
//! diagnostic  errors and warnings as JSON
//! incoming    requests as types
//! journal     the journal of a client without a disk
//! keeping     requests that keep, restore and replay sessions, and exchange files
//! lines       requests that run lines, or look without a trace
//! outgoing    the answers to small requests
//! request     requests of clients: one JSON object in, one JSON object out
//! score       the score of a lesson, for the teacher
//! served      the file that `gridbug serve` opens, and the pictures beside it
//! times       requests that show the session, now or at another time
//! tokens      the tokens of a text
//! view        everything that a client shows of a session, in one answer
//! view_board  a part of the board, with names as numbers
//! ```

mod answer;
mod catalog;
mod connection;
mod diagnostic;
mod incoming;
mod journal;
mod keeping;
mod lines;
mod outgoing;
mod request;
mod score;
mod served;
mod times;
mod tokens;
mod view;
mod view_board;

pub use answer::{PROTOCOL_VERSION, answer_to_json_text};
pub use connection::Connection;
pub use diagnostic::DiagnosticJson;
pub use outgoing::ServedFile;
pub use score::score_to_json;
