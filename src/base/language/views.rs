//! How a game is shown: its board, its values and what its program defines.

use super::{ProgramItem, Standing};
use crate::code::{Program, Status};
use crate::source::{Source, Sources, Span};
use crate::value::{InternedStr, Store, Value};

/// The part of a language that shows games.
pub trait Views {
    /// The state of the game, with the cells inside `viewport`.
    fn view(&self, program: &Program, store: &Store, viewport: Viewport) -> GameView;

    /// The boards in play besides the displayed one, which are shown when the program asks for
    /// input. Most languages have a single board.
    fn other_boards(&self, _program: &Program, _store: &Store) -> Vec<Value> {
        Vec::new()
    }

    /// Lines about what these globals belong to, if the footer of a view does not list it because
    /// there is too much of it. The footer lists all of it if the viewport is [`Viewport::ALL`].
    fn changed_lines(&self, _program: &Program, _store: &Store, _globals: &[u32]) -> Vec<String> {
        Vec::new()
    }

    /// The board without its cells; `None` if there is none yet. Asked for with every answer, so worth
    /// more than the default.
    fn board_outline(&self, program: &Program, store: &Store) -> Option<BoardView> {
        self.view(program, store, Viewport::NONE).board
    }

    /// How far the game is. Asked for at every stop, so worth more than the default if a view takes
    /// long even without cells.
    fn progress(&self, program: &Program, store: &Store) -> GameProgress {
        let view = self.view(program, store, Viewport::NONE);
        GameProgress {
            status: view.status,
            current_player: view.current_player,
            turn_count: view.turn_count,
        }
    }

    /// The players of the game, in turn order; empty if it has none, or only one.
    fn players(&self, _program: &Program, _store: &Store) -> Vec<String> {
        Vec::new()
    }

    /// The standing of the game. Called for every position of a search, so it has to be quick and may
    /// not use [`Program::scope`].
    fn standing<'s>(&self, _store: &'s Store) -> Standing<'s> {
        Standing::default()
    }

    /// The players who have won, in a language whose games several players can win. May not use
    /// [`Program::scope`].
    fn winners<'s>(&self, store: &'s Store) -> Vec<&'s str> {
        self.standing(store).winner.into_iter().collect()
    }

    /// What boards say when a game has ended, besides the texts that all languages have in common.
    fn ending_texts(&self) -> &'static [&'static str] {
        &[]
    }

    /// The type of a value, as the language's own documents call it: `int`, `Player`.
    fn value_type(&self, program: &Program, store: &Store, value: Value) -> String;

    /// Everything that has a name and a value: the program's global variables, unless the language
    /// has others. Takes time proportional to their number, so not to be called for every entry.
    fn named_values(&self, program: &Program, store: &Store) -> NamedValues {
        let globals = program.globals.iter().zip(0..);
        let user_defined = globals.filter(|(global, _)| global.is_user_defined);
        let values = user_defined.map(|(g, index)| (g.name.to_string(), store.global(index)));
        NamedValues {
            variables: values.filter(|(_, v)| *v != Value::NOTHING).collect(),
            ..NamedValues::default()
        }
    }

    /// Everything the program defines.
    fn definitions(&self, program: &Program) -> Vec<Definition>;

    /// Everything that a file of the program contains, with the latest version of each definition.
    /// Without it, `:save` cannot write programs.
    fn program_items(&self, _program: &Program, _sources: &Sources) -> Vec<ProgramItem> {
        Vec::new()
    }

    /// The statements of an entry that could be part of a program. Only languages whose programs
    /// consist of statements have them.
    fn typed_statements(&self, _entry: &Source) -> Vec<ProgramItem> {
        Vec::new()
    }
}

/// The part of the board to draw, in cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Viewport {
    /// The first row to draw, counted from 0 regardless of how the language numbers rows.
    pub row: u32,
    /// The first column to draw, counted in the same way.
    pub col: u32,
    /// Maximum number of rows; fewer are drawn if the board ends before.
    pub rows: u32,
    /// Maximum number of columns.
    pub cols: u32,
}

impl Viewport {
    /// The whole board.
    pub const ALL: Viewport = Viewport {
        row: 0,
        col: 0,
        rows: u32::MAX,
        cols: u32::MAX,
    };
    /// Everything except the cells.
    pub const NONE: Viewport = Viewport {
        row: 0,
        col: 0,
        rows: 0,
        cols: 0,
    };
}

/// The state of a game, ready to be displayed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameView {
    /// Whether and how the game has ended; always `Playing` in a language without endings.
    pub status: Status,
    /// How the game ended, if the language has its own wording.
    pub ending: Option<String>,
    /// The winner's name, several of them separated by commas. Only meaningful if the status is
    /// `Won`.
    pub winner: Option<String>,
    /// Whose turn it is; `None` if the language or the game has no players.
    pub current_player: Option<String>,
    /// Number of the current turn, as the language counts; `None` if it has no turns.
    pub turn_count: Option<i64>,
    /// The board; `None` if there is none yet.
    pub board: Option<BoardView>,
    /// Names that currently refer to another one: (`p`, the current player).
    pub aliases: Vec<(String, String)>,
    /// Fields shown above the board, left to right; `None` leaves a gap.
    pub header: Vec<Option<String>>,
    /// Lines shown below the board, such as scores.
    pub footer: Vec<String>,
}

/// How far a game is: the part of a [`GameView`] that is needed at every stop.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameProgress {
    /// Whether and how the game has ended.
    pub status: Status,
    /// Whose turn it is.
    pub current_player: Option<String>,
    /// Number of the current turn.
    pub turn_count: Option<i64>,
}

/// Everything in a game that has a name and a value. Not part of a [`GameView`]: a game may have many
/// variables, and an answer shows none of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NamedValues {
    /// The program's variables that have a value, with their full names.
    pub variables: Vec<(String, Value)>,
    /// Pieces in lists, and their fields. They can be named like variables but are too many to
    /// list.
    pub elements: Vec<(String, Value)>,
}

impl NamedValues {
    /// Variables, then elements.
    pub fn iter(&self) -> impl Iterator<Item = &(String, Value)> {
        self.variables.iter().chain(&self.elements)
    }
}

/// The visible part of the board.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoardView {
    /// Number of rows of the whole board.
    pub rows: u32,
    /// Number of columns of the whole board.
    pub cols: u32,
    /// The row of the first of `cells`, counted from 0; see `origin` for the number displayed.
    pub first_row: u32,
    /// The column of the first of `cells`, counted from 0.
    pub first_col: u32,
    /// Number of rows in `cells`.
    pub shown_rows: u32,
    /// Number of columns in `cells`.
    pub shown_cols: u32,
    /// The cells inside the viewport, row by row: `shown_rows` times `shown_cols`.
    pub cells: Vec<CellView>,
    /// The numbers displayed for the first row and the first column.
    pub origin: (i64, i64),
    /// Row numbers grow upwards: the first row is drawn at the bottom.
    pub is_y_up: bool,
    /// The board has no edges; only a part of it can be drawn.
    pub is_unbounded: bool,
    /// Row and column, from 0, of the cell that scrolling keeps in view: where the player is.
    pub cursor: Option<(u32, u32)>,
}

impl BoardView {
    /// The part of a board that is inside the viewport. `cell` draws the cell in a row and column,
    /// counted from 0.
    pub fn clipped(
        rows: u32,
        cols: u32,
        viewport: Viewport,
        mut cell: impl FnMut(u32, u32) -> CellView,
    ) -> BoardView {
        let (first_row, first_col) = (viewport.row.min(rows), viewport.col.min(cols));
        let shown_rows = viewport.rows.min(rows - first_row);
        let shown_cols = viewport.cols.min(cols - first_col);
        let mut cells = Vec::with_capacity(shown_rows as usize * shown_cols as usize);
        for row in first_row..first_row + shown_rows {
            cells.extend((first_col..first_col + shown_cols).map(|col| cell(row, col)));
        }
        BoardView {
            rows,
            cols,
            first_row,
            first_col,
            shown_rows,
            shown_cols,
            cells,
            ..BoardView::default()
        }
    }

    /// The cell in a row and column of the whole board; `None` if it is not shown.
    pub fn cell_mut(&mut self, row: u32, col: u32) -> Option<&mut CellView> {
        let row = row.checked_sub(self.first_row)?;
        let col = col.checked_sub(self.first_col)?;
        let is_shown = row < self.shown_rows && col < self.shown_cols;
        let index = (row * self.shown_cols + col) as usize;
        self.cells.get_mut(index).filter(|_| is_shown)
    }
}

/// What is on one cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CellView {
    /// The piece that is drawn, unless there is an `overlay`.
    pub name: Option<InternedStr>,
    /// A piece on top, drawn instead of `name`.
    pub overlay: Option<InternedStr>,
    /// False if the piece is hidden from the players.
    pub visible: bool,
    /// The color of the cell as red, green, blue.
    pub color: Option<(u8, u8, u8)>,
    /// The player who owns the piece, if the language has owners and it has one.
    pub owner: Option<InternedStr>,
    /// Other pieces on the same cell.
    pub others: Vec<InternedStr>,
    /// The variables that hold these pieces, that of `name` first; empty if the pieces are drawn by
    /// their variables' names.
    pub variable_names: Vec<InternedStr>,
}

impl CellView {
    /// True if there is no piece on the cell.
    pub fn is_empty(&self) -> bool {
        self.name.is_none() && self.overlay.is_none()
    }

    /// True if the cell has pieces that are not drawn.
    pub fn has_hidden_pieces(&self) -> bool {
        self.overlay.is_none() && !self.others.is_empty()
    }
}

/// A named definition in the source.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// `add`, `zero`, `winCondition`.
    pub name: String,
    /// `function`, `piece`, `condition`, `variable`.
    pub kind: &'static str,
    /// The definition without its body: `add(a, b)`.
    pub signature: String,
    /// The whole definition, including its body.
    pub span: Span,
}

impl Definition {
    /// See the fields.
    pub fn new(
        name: impl Into<String>,
        kind: &'static str,
        signature: impl Into<String>,
        span: Span,
    ) -> Definition {
        Definition {
            name: name.into(),
            kind,
            signature: signature.into(),
            span,
        }
    }
}
