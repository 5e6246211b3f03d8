//! Lessons, exercises, predictions and replays: what teachers and students do with sessions.
//!
//! ```text
//! course            the built-in course
//! lesson            a session file that is played step by step
//! lesson_exercise   an exercise as a step of a lesson
//! exercise          checks the answer to an exercise
//! left_out          lines that a replay leaves out, because they changed nothing
//! played_result     what a player sees of the result of an entry, to compare it with another
//! predict           questions before something runs
//! predict_question  chooses what to ask
//! predict_verdict   compares a prediction with what happened, and explains a wrong one
//! moved_lines       where the lines of a file are after it was changed
//! replay            replays session files and compares the answers with the recorded ones
//! rejudge           replays saved sessions on other rules
//! ```
//!
//! The commands for them are rows of the command table, which is a layer above. The engines execute
//! lines, though: they are given the table as a [`CommandTable`].

pub(crate) mod course;
pub(crate) mod exercise;
pub(crate) mod left_out;
pub(crate) mod lesson;
pub(crate) mod lesson_exercise;
pub(crate) mod moved_lines;
pub(crate) mod played_result;
pub(crate) mod predict;
mod predict_question;
mod predict_verdict;
pub(crate) mod rejudge;
pub(crate) mod replay;

use crate::session::{Answer, CommandInfo, Session};

/// What the engines use of the command table.
pub(crate) trait CommandTable {
    /// Executes and records a line that the user typed.
    fn handle_line(&self, session: &mut Session, line: &str) -> Answer;

    /// Executes and records a line on behalf of a command, which is recorded itself.
    fn run_nested(&self, session: &mut Session, line: &str) -> Answer;

    /// Executes a line without recording it.
    fn execute(&self, session: &mut Session, line: &str) -> Answer;

    /// The command with this name, alias or unambiguous prefix of a name.
    fn find(&self, word: &str) -> Option<CommandInfo>;

    /// The command that a line would run, if any.
    fn command_of(&self, session: &Session, line: &str) -> Option<CommandInfo>;

    /// Compares two lines, ignoring spaces, the colon, a final semicolon and abbreviated command
    /// names.
    fn is_same_line(&self, a: &str, b: &str) -> bool;
}

/// The command table of the layer above.
pub(crate) type Commands = &'static dyn CommandTable;

/// The name of the command and its arguments. `quit!` is `quit` with the argument `!`.
pub(crate) fn split_command(body: &str) -> (&str, &str) {
    let end = body.find(|c: char| c.is_whitespace() || c == '!');
    let (word, rest) = body.split_at(end.filter(|&end| end > 0).unwrap_or(body.len()));
    (word, rest.trim_start())
}

/// True if `word` names a command of the session's language, such as GridLang's `:turn`.
pub(crate) fn is_language_command(session: &Session, word: &str) -> bool {
    let commands = session.target.language().info().commands;
    commands.iter().any(|(name, ..)| *name == word)
}
