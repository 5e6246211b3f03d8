//! The board as data for clients: one array per property of its cells, row by row.

use super::ShownBoard;
use crate::language::{BoardView, CellView};
use crate::value::InternedStr;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A board by the properties of its cells. Properties that no cell has are left out.
pub struct BoardProperties<'a>(pub &'a BoardView);

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
