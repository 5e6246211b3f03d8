//! Everything that users read is executed: help, tour, error explanations, docs, README and session
//! files.

mod command_errors;
mod course;
mod ebnf;
mod errors;
mod first_change;
mod first_minute;
mod help;
mod json_answers;
mod manual;
mod pages;
#[path = "../support/protocol.rs"]
mod protocol;
#[path = "../support/pty_session.rs"]
mod pty_session;
mod schema;
mod sessions;
mod shell_commands;
#[path = "../support/test_session.rs"]
mod test_session;
mod tour;
