//! Commands that open, save, record and replay games and sessions.
//!
//! ```text
//! files         commands for files: load, reload, save, edit and test
//! save_program  saves the program as it is now, with everything that was defined at the prompt
//! save_session  writes the session to a file, with the replies of a replay
//! clean         what `:save --clean` leaves out
//! recording     `:record`: saves the session to a file when it ends
//! resume        `:resume`: restores an earlier session from its journal
//! replay        replays session files and compares the replies with the recorded ones
//! preludes      preludes
//! examples      the built-in games
//! history       `:history`: the lines of the session, and which of them `:save` writes
//! ```

pub(crate) mod clean;
pub(crate) mod examples;
pub(crate) mod files;
pub(crate) mod history;
pub(crate) mod preludes;
pub(crate) mod recording;
pub(crate) mod replay;
pub(crate) mod resume;
pub(crate) mod save_program;
pub(crate) mod save_session;
