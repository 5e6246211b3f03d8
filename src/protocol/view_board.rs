//! A part of the board with its names as numbers: a cell costs two characters, however long the names
//! of the pieces are.

use crate::answer::ShownBoard;
use crate::language::{BoardView, CellView};
use crate::value::InternedStr;
use serde::Serialize;
use std::collections::HashMap;
use std::hash::Hash;

/// A part of the board.
#[derive(Serialize)]
pub struct BoardWindow {
    /// The number of rows of the whole board.
    rows: u32,
    /// The number of columns of the whole board.
    cols: u32,
    /// The row of the first cells, counted from 0.
    first_row: u32,
    /// The column of the first cells, counted from 0.
    first_col: u32,
    /// The numbers shown for the first row and column of the whole board.
    origin: (i64, i64),
    /// Whether row numbers grow upward.
    upward: bool,
    /// Whether the board has no edges.
    unbounded: bool,
    /// The cell that scrolling keeps in view, counted from 0.
    focus: Option<(u32, u32)>,
    /// The cell whose handler is running.
    current: Option<(u32, u32)>,
    /// The names in this part; the first is `null`, for an empty cell.
    names: Vec<Option<&'static str>>,
    /// For each name, the text that it is drawn with.
    glyphs: Vec<Option<&'static str>>,
    /// For each name, a number that selects its color.
    hues: Vec<u16>,
    /// Row by row, the index of each cell's name.
    cells: Vec<Vec<u32>>,
    /// Row by row, 1 where the players do not see the piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<Vec<Vec<u8>>>,
    /// Row by row, the index of the name that is drawn instead, on top.
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<Vec<Vec<u32>>>,
    /// The colors in this part, as `#rrggbb`; the first is `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    colors: Option<Vec<Option<String>>>,
    /// Row by row, the index of each cell's color.
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<Vec<Vec<u32>>>,
    /// Row by row, the index of the owner's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<Vec<Vec<u32>>>,
    /// The cells with more pieces than the one that is drawn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stack: Vec<NamesAt>,
    /// The cells whose pieces are held by variables with other names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variables: Vec<NamesAt>,
}

/// Names that belong to a cell.
#[derive(Serialize)]
pub struct NamesAt {
    /// The row and column, counted from 0.
    at: (u32, u32),
    /// The names.
    names: Vec<&'static str>,
}

/// Values numbered in the order in which they are found. Number 0 stands for none.
struct Numbers<T> {
    values: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T: Copy + Eq + Hash> Numbers<T> {
    fn new() -> Numbers<T> {
        Numbers {
            values: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    fn of(&mut self, value: Option<T>) -> u32 {
        let Some(value) = value else {
            return 0;
        };
        let next = self.values.len() as u32 + 1;
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        number
    }
}

impl BoardWindow {
    /// The cells of a shown board; `None` if the game has no board.
    pub fn new(shown: &ShownBoard) -> Option<BoardWindow> {
        let board = shown.view.board.as_ref()?;
        let mut names: Numbers<InternedStr> = Numbers::new();
        let mut colors = Numbers::new();
        let has = |property: fn(&CellView) -> bool| board.cells.iter().any(property);
        let cells = rows(board, |cell| names.of(cell.name));
        let top = has(|cell| cell.overlay.is_some());
        let top = top.then(|| rows(board, |cell| names.of(cell.overlay)));
        let owner = has(|cell| cell.owner.is_some());
        let owner = owner.then(|| rows(board, |cell| names.of(cell.owner)));
        let color = has(|cell| cell.color.is_some());
        let color = color.then(|| rows(board, |cell| colors.of(cell.color)));
        let hidden = has(|cell| !cell.visible && !cell.is_empty());
        let hidden =
            hidden.then(|| rows(board, |cell| u8::from(!cell.visible && !cell.is_empty())));
        let to_hex = |(r, g, b): &(u8, u8, u8)| Some(format!("#{r:02x}{g:02x}{b:02x}"));
        let to_colors = || [None].into_iter().chain(colors.values.iter().map(to_hex));
        let glyphs = names.values.iter().map(|name| shown.glyphs.get(*name));
        let hues = names.values.iter().map(|name| shown.glyphs.index(*name));
        Some(BoardWindow {
            rows: board.rows,
            cols: board.cols,
            first_row: board.first_row,
            first_col: board.first_col,
            origin: board.origin,
            upward: board.is_y_up,
            unbounded: board.is_unbounded,
            focus: board.cursor,
            current: shown.marks.current,
            glyphs: [None].into_iter().chain(glyphs).collect(),
            hues: [0].into_iter().chain(hues).collect(),
            colors: color.is_some().then(|| to_colors().collect()),
            stack: names_at(board, |cell| &cell.others),
            variables: names_at(board, |cell| &cell.variable_names),
            names: [None]
                .into_iter()
                .chain(names.values.iter().map(|name| Some(name.as_str())))
                .collect(),
            cells,
            hidden,
            top,
            color,
            owner,
        })
    }
}

/// A property of all cells, row by row.
fn rows<T>(board: &BoardView, mut property: impl FnMut(&CellView) -> T) -> Vec<Vec<T>> {
    let columns = board.shown_cols.max(1) as usize;
    let rows = board.cells.chunks(columns);
    rows.map(|cells| cells.iter().map(&mut property).collect())
        .collect()
}

/// The cells for which a list of names is not empty.
fn names_at(board: &BoardView, list: impl Fn(&CellView) -> &Vec<InternedStr>) -> Vec<NamesAt> {
    let columns = board.shown_cols.max(1);
    let at = |n: usize| {
        let n = n as u32;
        (board.first_row + n / columns, board.first_col + n % columns)
    };
    let cells = board.cells.iter().enumerate();
    let cells = cells.filter(|(_, cell)| !list(cell).is_empty());
    cells
        .map(|(n, cell)| NamesAt {
            at: at(n),
            names: list(cell).iter().map(|name| name.as_str()).collect(),
        })
        .collect()
}
