//! The board, its cells and the kinds of pieces.

use super::{Glyphs, Variable};
use crate::code::Status;
use crate::language::GameView;
use crate::value::InternedStr;
use serde::Serialize;
use std::rc::Rc;

/// Whether an answer shows the board. Each includes the ones before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum ShowBoard {
    /// It does not.
    #[default]
    No,
    /// If it has changed.
    IfChanged,
    /// Even if it has not changed.
    Always,
    /// The value of the entry is the board, which is shown instead of the value.
    InsteadOfValue,
}

/// The board, or a part of it, as an answer shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct ShownBoard {
    /// The game, with the cells that are shown.
    pub view: Rc<GameView>,
    /// The game's message line.
    pub message: Option<String>,
    /// What is highlighted.
    pub marks: BoardMarks,
    /// The characters that the pieces are drawn with.
    pub glyphs: Rc<Glyphs>,
    /// The kinds of pieces that no board before has explained.
    pub new_kinds: Vec<InternedStr>,
    /// Whether this is the first board with several pieces on a cell.
    pub is_first_stack: bool,
}

/// What to highlight on the board. Cells are given as row and column, counted from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardMarks {
    /// The cell of the handler that is running.
    pub current: Option<(u32, u32)>,
    /// The cell that the keyboard cursor is on.
    pub selected: Option<(u32, u32)>,
    /// The cells that have changed.
    pub changed: Vec<(u32, u32)>,
    /// Show hidden pieces too.
    pub show_hidden: bool,
    /// The shown part follows the current cell, as opposed to the scroll position.
    pub is_following: bool,
}

/// What is on a cell.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CellInfo {
    /// The cell, in the language's notation.
    pub cell: String,
    /// Its row, numbered as at the board's edge.
    pub row: i64,
    /// Its column, numbered as at the board's edge.
    pub col: i64,
    /// The pieces on it, topmost first.
    pub pieces: Vec<PieceOnCell>,
    /// Whether there is a piece that is hidden from the players.
    pub is_hidden: bool,
    /// The player who owns the piece.
    pub owner: Option<String>,
}

/// A piece on a cell.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PieceOnCell {
    /// The name that is drawn.
    pub name: String,
    /// The variable that holds the piece, if it has another name.
    pub variable: Option<String>,
}

/// The pieces of the game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pieces {
    /// The kinds in the order of their definitions, or of their first cells.
    pub pieces: Vec<PieceInfo>,
    /// Whether the board is drawn from variables, so that only pieces on it are known.
    pub is_derived: bool,
}

/// A kind of piece.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PieceInfo {
    /// Its name.
    pub name: String,
    /// The character that it is drawn with.
    pub glyph: char,
    /// Selects its color.
    pub color: u16,
    /// How many of them are on the board.
    pub count: usize,
    /// Their cells, if the board is drawn from variables.
    pub cells: Vec<String>,
    /// Whether it is hidden from the players at first.
    pub starts_hidden: bool,
    /// The events that it handles.
    pub handlers: Vec<String>,
}

/// The whole game, without the cells of its board.
#[derive(Clone, PartialEq, Debug)]
pub struct GameState {
    /// The title of the language.
    pub language: &'static str,
    /// Whether and how the game has ended.
    pub status: Status,
    /// Who has won.
    pub winner: Option<String>,
    /// The player whose turn it is.
    pub player: Option<String>,
    /// Number of the current turn.
    pub turn_count: Option<i64>,
    /// Rows and columns of the board.
    pub board_size: Option<(u32, u32)>,
    /// The variables of the program.
    pub variables: Vec<Variable>,
    /// The lines below the board.
    pub footer: Vec<String>,
}
