//! The history of the game, and what changes in it.

use serde::Serialize;
use std::fmt;

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

/// A difference between two states of the game. Values are in the language's notation.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Change {
    /// The board has a different size, so that its cells cannot be compared.
    BoardSize {
        /// The size before.
        old: BoardSize,
        /// The size now.
        new: BoardSize,
    },
    /// Many cells changed in the same way.
    Cells {
        /// How many cells.
        count: usize,
        /// The first of them.
        cells: Vec<String>,
        /// How each of them changed.
        #[serde(flatten)]
        change: CellChange,
    },
    /// A cell changed.
    Cell {
        /// The cell.
        cell: String,
        /// How it changed.
        #[serde(flatten)]
        change: CellChange,
    },
    /// The board, which is an ordinary value of the language, changed.
    Board {
        /// The size before.
        old_size: BoardSize,
        /// The size now. If it is different, no cells are compared.
        new_size: BoardSize,
        /// How many cells changed.
        count: usize,
        /// The first of them.
        cells: Vec<ChangedCell>,
    },
    /// A variable has another value.
    Variable {
        /// Its name.
        name: String,
        /// The value before; `None` if it had none.
        old: Option<String>,
        /// The value now; `None` if it has none.
        new: Option<String>,
    },
    /// A long list has other elements.
    Element {
        /// The variable that holds the list.
        name: String,
        /// The index of the first element that is different, counted from 0.
        index: usize,
        /// The element before.
        old: String,
        /// The element now.
        new: String,
    },
    /// A long list became longer or shorter.
    Length {
        /// The variable that holds the list.
        name: String,
        /// The number of elements before.
        old: usize,
        /// The number of elements now.
        new: usize,
    },
    /// A variable holds another grid.
    Grid {
        /// Its name.
        name: String,
        /// The grid now.
        new: String,
    },
    /// A variable has another long value.
    Replaced {
        /// Its name.
        name: String,
    },
    /// The game's message line is different.
    Message {
        /// The message now; empty if there is none.
        new: String,
    },
    /// A field of a record has another value.
    Field {
        /// Its name, such as `player.score`.
        name: String,
        /// The value before.
        old: String,
        /// The value now.
        new: String,
    },
}

/// What differs between two times.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Diff {
    /// The earlier time, or the one that was asked for.
    pub from: u64,
    /// The current time.
    pub to: u64,
    /// What is different at `to`.
    pub changes: Vec<Change>,
}

/// The size of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Default)]
pub struct BoardSize {
    /// The number of rows.
    pub rows: u32,
    /// The number of columns.
    pub cols: u32,
}

/// An attribute of the piece on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CellAttribute {
    /// Whether it is visible.
    Visible,
    /// Whose it is.
    Owner,
}

/// How a cell changed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CellChange {
    /// The attribute that changed; `None` if there is another piece on it.
    pub attribute: Option<CellAttribute>,
    /// The piece or the attribute before.
    pub old: String,
    /// The piece or the attribute now.
    pub new: String,
}

/// A cell and how it changed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChangedCell {
    /// The cell.
    pub cell: String,
    /// How it changed.
    #[serde(flatten)]
    pub change: CellChange,
}

/// What follows the cell: `.visible false => true`, or ` empty => zero`.
impl fmt::Display for CellChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.attribute {
            Some(CellAttribute::Visible) => ".visible",
            Some(CellAttribute::Owner) => ".owner",
            None => "",
        })?;
        write!(f, " {} => {}", self.old, self.new)
    }
}
