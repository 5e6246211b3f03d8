//! Replays session files with the commands of the table.

use crate::command::COMMAND_LINES;
use crate::explorer::SearchLimits;
use crate::host::Host;
use crate::session::session_file::SessionFile;
use crate::session::{Session, Trust};
use crate::teach::replay::{self, Replay, SessionProgram};
use std::path::Path;
use std::rc::Rc;

/// Replays a session file in a new session. `dir` is the directory of the file, where its program
/// is if it has one of its own.
pub fn replay(file: &SessionFile, dir: &Path, host: Rc<dyn Host>) -> Result<Replay, String> {
    replay_with_limits(file, dir, host, SearchLimits::default(), Trust::Beside)
}

/// The same with other limits for searches, and more files that the lines may read.
pub fn replay_with_limits(
    file: &SessionFile,
    dir: &Path,
    host: Rc<dyn Host>,
    limits: SearchLimits,
    trust: Trust,
) -> Result<Replay, String> {
    replay::replay_with_limits(COMMAND_LINES, file, dir, host, limits, trust)
}

/// Replays a session file for a command of another session.
pub(crate) fn replay_within(
    file: &SessionFile,
    dir: &Path,
    parent: &mut Session,
    trust: Trust,
) -> Result<Replay, String> {
    replay::replay_within(COMMAND_LINES, file, dir, parent, trust)
}

/// The program that a session file leads to: the one it starts with, and everything that its entries
/// define.
pub fn session_program(path: &str, host: Rc<dyn Host>) -> Result<SessionProgram, String> {
    replay::session_program(COMMAND_LINES, path, host)
}

/// Restores a session from its journal, with the contents that files had at the time. The limits
/// and the Ctrl-C flag come from `parent`.
pub fn restore_session(file: &SessionFile, parent: &Session) -> Result<Session, String> {
    replay::restore_session(COMMAND_LINES, file, parent)
}
