//! The state of the game as JSON, as `:state` shows it.

use crate::code::Status;
use crate::debugger::api::value_to_json;
use crate::language::{BoardView, CellView, GameView};
use crate::session::Session;
use crate::value::InternedStr;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json};

/// The state of the game with the board that the view has, to be written as JSON.
#[derive(Serialize)]
pub struct StateJson<'a> {
    language: &'static str,
    status: &'static str,
    ending: &'a Option<String>,
    winner: Option<&'a String>,
    turn: &'a Option<String>,
    turn_count: Option<i64>,
    board: Option<BoardJson<'a>>,
    header: &'a [Option<String>],
    footer: &'a [String],
    vars: Map<String, Json>,
}

impl<'a> StateJson<'a> {
    /// A view of this session's game.
    pub fn new(session: &Session, view: &'a GameView) -> StateJson<'a> {
        let store = &session.target.machine.store;
        let variables = view.variables.iter().map(|(name, v)| {
            let value = value_to_json(session.target.program(), store, *v);
            (name.clone(), value)
        });
        StateJson {
            language: session.target.language().info().name,
            status: view.status.as_str(),
            ending: &view.ending,
            winner: view.winner.as_ref().filter(|_| view.status == Status::Won),
            turn: &view.current_player,
            turn_count: view.turn_count,
            board: view.board.as_ref().map(BoardJson),
            header: &view.header,
            footer: &view.footer,
            vars: variables.collect(),
        }
    }
}

/// The board: one array per property of its cells, row by row. Properties that no cell has are
/// left out.
struct BoardJson<'a>(&'a BoardView);

impl Serialize for BoardJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let board = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("rows", &board.rows)?;
        map.serialize_entry("cols", &board.cols)?;
        map.serialize_entry("first_row", &board.first_row)?;
        map.serialize_entry("first_col", &board.first_col)?;
        map.serialize_entry("origin", &board.origin)?;
        map.serialize_entry("upward", &board.is_y_up)?;
        map.serialize_entry("unbounded", &board.is_unbounded)?;
        map.serialize_entry("focus", &board.cursor)?;
        map.serialize_entry("cells", &Rows(board, |c: &CellView| name(c.name)))?;
        map.serialize_entry("visible", &Rows(board, |c: &CellView| c.visible))?;
        let has = |property: fn(&CellView) -> bool| board.cells.iter().any(property);
        if has(|c| c.overlay.is_some()) {
            map.serialize_entry("top", &Rows(board, |c: &CellView| name(c.overlay)))?;
        }
        if has(|c| c.color.is_some()) {
            let color = |c: &CellView| c.color.map(|(r, g, b)| format!("#{r:02x}{g:02x}{b:02x}"));
            map.serialize_entry("color", &Rows(board, color))?;
        }
        if has(|c| c.owner.is_some()) {
            map.serialize_entry("owner", &Rows(board, |c: &CellView| name(c.owner)))?;
        }
        if has(|c| !c.others.is_empty()) {
            map.serialize_entry("stack", &Rows(board, |c: &CellView| names(&c.others)))?;
        }
        if has(|c| !c.variable_names.is_empty()) {
            let variables = |c: &CellView| names(&c.variable_names);
            map.serialize_entry("variables", &Rows(board, variables))?;
        }
        map.end()
    }
}

/// One property of all cells, row by row.
struct Rows<'a, F>(&'a BoardView, F);

impl<T: Serialize, F: Fn(&CellView) -> T> Serialize for Rows<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Rows(board, property) = self;
        let rows = board.cells.chunks(board.shown_cols.max(1) as usize);
        serializer.collect_seq(rows.map(|cells| Row(cells, property)))
    }
}

/// One property of the cells of a row.
struct Row<'a, F>(&'a [CellView], &'a F);

impl<T: Serialize, F: Fn(&CellView) -> T> Serialize for Row<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

fn name(name: Option<InternedStr>) -> Option<&'static str> {
    name.map(|name| name.as_str())
}

fn names(names: &[InternedStr]) -> Vec<&'static str> {
    names.iter().map(|name| name.as_str()).collect()
}
