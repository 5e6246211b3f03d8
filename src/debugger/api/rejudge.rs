//! Saved sessions that were replayed on other rules.

use serde::Serialize;

/// How a saved session ends on the rules as they are now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RejudgeVerdict {
    /// As before.
    Same,
    /// In another way.
    Different,
    /// A move is not possible any more.
    Unplayable,
    /// Unknown: a limit was reached, or Ctrl-C was pressed.
    Undecided,
}

/// A saved session that was replayed on the rules as they are now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RejudgedSession {
    /// The path of the session file.
    pub file: String,
    /// What came of it.
    pub verdict: RejudgeVerdict,
    /// How it ended.
    pub was: Option<String>,
    /// How it ends now; if it is unplayable, what is wrong.
    pub now: Option<String>,
    /// The first entry that leads elsewhere; `None` if there is none, or if the start already differs.
    #[serde(rename = "move")]
    pub first_move: Option<String>,
    /// How many moves were played then, with this one; 0 if the start already differs.
    pub number: Option<usize>,
    /// The entry is not itself a move: it defines something, or is a command such as `:undo`.
    #[serde(skip)]
    pub is_between_moves: bool,
    /// How many moves the session has.
    pub moves: usize,
}
