//! The board, its cells and the kinds of pieces.

use super::Variable;
use gridbug_base::code::Status;
use gridbug_base::language::{BoardView, CellView, GameView};
use gridbug_base::value::InternedStr;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::collections::HashMap;
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
    /// The texts that the pieces are drawn with.
    pub glyphs: Rc<Glyphs>,
    /// The kinds of pieces that the legend explains: those that no board before has explained, and
    /// those whose glyphs say nothing about them.
    pub explained_kinds: Vec<InternedStr>,
    /// The column, counted from 0, to begin with if the texts are too wide for all columns.
    pub first_col_if_cut: u32,
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
    /// The character that it is drawn with, or a text of up to six characters.
    pub glyph: String,
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

/// The whole game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameState {
    /// The name of the language.
    pub language: &'static str,
    /// The language as shown to users.
    pub language_title: &'static str,
    /// The game with the whole board.
    pub view: GameView,
    /// The variables of the program, as text.
    pub variables: Vec<Variable>,
    /// The variables that have a value, as JSON.
    pub values: serde_json::Map<String, serde_json::Value>,
}

/// The JSON of a [`GameState`].
#[derive(Serialize)]
struct GameStateFields<'a> {
    /// The name of the language.
    language: &'static str,
    /// The language as shown to users.
    language_title: &'static str,
    /// Whether and how the game has ended: `playing`, `won`, `lost`, `draw` or `over`.
    status: &'static str,
    /// The ending in the game's own words.
    ending: &'a Option<String>,
    /// Who has won.
    winner: Option<&'a String>,
    /// The player whose turn it is.
    turn: &'a Option<String>,
    /// How many turns have ended.
    turn_count: Option<i64>,
    /// The whole board.
    board: Option<BoardProperties<'a>>,
    /// The lines above the board.
    header: &'a [Option<String>],
    /// The lines below the board.
    footer: &'a [String],
    /// The variables that have a value.
    vars: &'a serde_json::Map<String, serde_json::Value>,
}

impl Serialize for GameState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let view = &self.view;
        let fields = GameStateFields {
            language: self.language,
            language_title: self.language_title,
            status: view.status.as_str(),
            ending: &view.ending,
            winner: view.winner.as_ref().filter(|_| view.status == Status::Won),
            turn: &view.current_player,
            turn_count: view.turn_count,
            board: view.board.as_ref().map(BoardProperties),
            header: &view.header,
            footer: &view.footer,
            vars: &self.values,
        };
        fields.serialize(serializer)
    }
}

/// A board by the properties of its cells. Properties that no cell has are left out.
struct BoardProperties<'a>(&'a BoardView);

impl Serialize for BoardProperties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        serialize_properties(self.0, &mut map)?;
        map.end()
    }
}

impl Serialize for ShownBoard {
    /// The properties of the board, and what is highlighted.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(board) = &self.view.board {
            serialize_properties(board, &mut map)?;
        }
        map.serialize_entry("current", &self.marks.current)?;
        map.serialize_entry("changed", &self.marks.changed)?;
        map.serialize_entry("shows_hidden", &self.marks.show_hidden)?;
        map.end()
    }
}

fn serialize_properties<M: SerializeMap>(board: &BoardView, map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry("rows", &board.rows)?;
    map.serialize_entry("cols", &board.cols)?;
    map.serialize_entry("first_row", &board.first_row)?;
    map.serialize_entry("first_col", &board.first_col)?;
    map.serialize_entry("origin", &board.origin)?;
    map.serialize_entry("upward", &board.is_y_up)?;
    map.serialize_entry("unbounded", &board.is_unbounded)?;
    map.serialize_entry("focus", &board.cursor)?;
    map.serialize_entry("cells", &rows(board, |cell| name(&cell.name)))?;
    map.serialize_entry("visible", &rows(board, |cell| cell.visible))?;
    let has = |property: fn(&CellView) -> bool| board.cells.iter().any(property);
    if has(|cell| cell.overlay.is_some()) {
        map.serialize_entry("top", &rows(board, |cell| name(&cell.overlay)))?;
    }
    if has(|cell| cell.color.is_some()) {
        map.serialize_entry("color", &rows(board, color))?;
    }
    if has(|cell| cell.owner.is_some()) {
        map.serialize_entry("owner", &rows(board, |cell| name(&cell.owner)))?;
    }
    if has(|cell| !cell.others.is_empty()) {
        map.serialize_entry("stack", &rows(board, |cell| names(&cell.others)))?;
    }
    if has(|cell| !cell.variable_names.is_empty()) {
        map.serialize_entry(
            "variables",
            &rows(board, |cell| names(&cell.variable_names)),
        )?;
    }
    Ok(())
}

/// One property of all cells, row by row.
struct Rows<'a, F> {
    board: &'a BoardView,
    property: F,
}

fn rows<T, F: Fn(&CellView) -> T>(board: &BoardView, property: F) -> Rows<'_, F> {
    Rows { board, property }
}

impl<T: Serialize, F: Fn(&CellView) -> T> Serialize for Rows<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns = self.board.shown_cols.max(1) as usize;
        let rows = self.board.cells.chunks(columns);
        serializer.collect_seq(rows.map(|cells| Row(cells, &self.property)))
    }
}

/// One property of the cells of a row.
struct Row<'a, F>(&'a [CellView], &'a F);

impl<T: Serialize, F: Fn(&CellView) -> T> Serialize for Row<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

fn name(name: &Option<InternedStr>) -> Option<&'static str> {
    name.as_ref().map(|name| name.as_str())
}

fn names(names: &[InternedStr]) -> Vec<&'static str> {
    names.iter().map(|name| name.as_str()).collect()
}

fn color(cell: &CellView) -> Option<String> {
    let (r, g, b) = cell.color?;
    Some(format!("#{r:02x}{g:02x}{b:02x}"))
}

/// Drawn for the blank kind or, if there is none, for cells without a piece.
pub const BLANK_GLYPH: char = '·';

/// What each kind of piece is drawn with, in order of assignment: one character, or a short text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Glyphs {
    assigned: Vec<(InternedStr, InternedStr)>,
    /// The position of each kind in `assigned`.
    positions: HashMap<InternedStr, u32>,
    /// The first kind that each glyph is assigned to.
    owners: HashMap<InternedStr, InternedStr>,
}

impl Glyphs {
    /// The glyph of a kind, if it has one.
    pub fn get(&self, name: InternedStr) -> Option<&'static str> {
        self.find(name).map(|(_, glyph)| glyph)
    }

    /// The position of a kind in the order of assignment, which selects its color, and its glyph.
    pub fn find(&self, name: InternedStr) -> Option<(u16, &'static str)> {
        let position = *self.positions.get(&name)?;
        let (_, glyph) = self.assigned.get(position as usize)?;
        Some((position as u16, glyph.as_str()))
    }

    /// Whether all glyphs are single characters, as most are.
    pub fn are_characters(&self) -> bool {
        let mut glyphs = self.assigned.iter().map(|(_, glyph)| glyph.as_str());
        glyphs.all(|glyph| glyph.chars().nth(1).is_none())
    }

    /// The kind that a glyph is assigned to.
    pub fn owner(&self, glyph: &str) -> Option<InternedStr> {
        self.owners.get(&InternedStr::new(glyph)).copied()
    }

    /// Assigns a glyph. A kind that had one keeps its place in the order.
    pub fn set(&mut self, name: InternedStr, glyph: &str) {
        let glyph = InternedStr::new(glyph);
        let next = self.assigned.len() as u32;
        let position = *self.positions.entry(name).or_insert(next);
        match self.assigned.get_mut(position as usize) {
            Some(assigned) => {
                if self.owners.get(&assigned.1) == Some(&name) {
                    self.owners.remove(&assigned.1);
                }
                assigned.1 = glyph;
            }
            None => self.assigned.push((name, glyph)),
        }
        self.owners.entry(glyph).or_insert(name);
    }

    /// The position of a kind in the order of assignment; 0 if it has no glyph.
    pub fn index(&self, name: InternedStr) -> u16 {
        self.find(name).map_or(0, |(position, _)| position)
    }

    /// Whether a kind is drawn as [`BLANK_GLYPH`].
    pub fn has_blank(&self) -> bool {
        let mut buffer = [0; 4];
        self.owner(BLANK_GLYPH.encode_utf8(&mut buffer)).is_some()
    }
}
