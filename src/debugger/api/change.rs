//! What differs between two states of the game.

use serde::Serialize;
use std::fmt;

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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
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
