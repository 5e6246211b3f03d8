//! The history of the game: its entries, branches and marks.

use serde::Serialize;

/// The history, and the current position in it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Timeline {
    /// The current time.
    pub position: u64,
    /// The earliest time that can be reached.
    pub first: u64,
    /// The latest time that can be reached.
    pub last: u64,
    /// Whether the program is stopped inside the current entry, as opposed to after it.
    pub is_stopped: bool,
    /// The number of the last action of the game; 0 before the first one.
    pub action: u32,
    /// How many of the entries are the start of the session, which nobody typed.
    pub start_entries: usize,
    /// All entries, oldest first.
    pub entries: Vec<TimelineEntry>,
    /// Alternative histories.
    pub branches: Vec<TimelineBranch>,
    /// The times named with `:mark`.
    pub marks: Vec<Mark>,
}

/// How an entry of the history started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryAction {
    /// It started a new game.
    StartGame,
    /// It ran code or defined something.
    Run,
    /// It ran code while another entry was stopped.
    RunAtStop,
    /// It answered a question of the program.
    Answer,
    /// It reseeded the random numbers.
    Seed,
    /// It set or cleared the next random draws.
    ScriptDraws,
}

/// An entry of the history.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TimelineEntry {
    /// Its index, counted from 0; in a branch, from its first own entry.
    pub index: usize,
    /// The text as typed; empty for the start of the session.
    pub text: String,
    /// The time at which it started.
    pub start: u64,
    /// The time at which it ended, or the latest time reached.
    pub end: u64,
    /// Whether it changed anything but the time.
    pub has_effect: bool,
    /// How it started.
    pub action: EntryAction,
    /// Whether it is the one that is running, or the last one that ended.
    pub is_current: bool,
    /// Whether it comes after the current position, as entries that were undone do.
    pub is_ahead: bool,
}

/// An alternative history.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TimelineBranch {
    /// The number by which commands refer to it.
    pub number: usize,
    /// The number of entries that it shares with the current history.
    pub shared_entries: usize,
    /// The time at which its first own entry starts.
    pub fork_time: u64,
    /// Its own entries.
    pub entries: Vec<TimelineEntry>,
}

/// A time with a name.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// The time.
    pub time: u64,
    /// The branch it is on; `None` for the current history.
    pub branch: Option<usize>,
    /// Whether that part of the history was dropped to save memory.
    pub is_lost: bool,
}

/// The part of a timeline that a command asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TimelineSubject {
    /// The current position.
    Position,
    /// The branches.
    Branches,
    /// The marks.
    Marks,
}

/// A change that the next instruction makes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NextChange {
    /// The variable or cell, as typed.
    pub name: String,
    /// The value before; empty if it has none.
    pub old: String,
    /// The value after.
    pub new: String,
    /// The time just before the change.
    pub time: u64,
}
