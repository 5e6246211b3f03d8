//! Boards that are ordinary values ([`Grid`]): formats their cells, and lists the cells in which
//! two of them differ.

use super::state_diff::MAX_CELLS_NAMED;
use crate::answer::{BoardSize, CellChange, Change, ChangedCell};
use crate::value::{Grid, Value};
use crate::{Target, WatchTarget};

/// The language's numbers of the first row and column.
fn cell_origin(target: &Target) -> (i64, i64) {
    target.board_outline().map_or((0, 0), |b| b.origin)
}

/// A cell, by its row and column counted from 0, in the language's notation.
pub fn format_grid_cell(target: &Target, row: usize, col: usize) -> String {
    let origin = cell_origin(target);
    target
        .program()
        .board_info
        .format_cell(origin.0 + row as i64, origin.1 + col as i64)
}

/// The row and column, counted from 0, of a watched cell.
pub fn watched_cell(target: &Target, watched: &WatchTarget) -> Option<(i64, i64)> {
    let (row, col) = cell_origin(target);
    match watched {
        WatchTarget::Cell(r, c) => Some((r - row, c - col)),
        _ => None,
    }
}

/// The cells in which two boards differ.
pub(crate) fn grid_diff(target: &Target, old: &Grid, new: &Grid) -> Change {
    let size = |grid: &Grid| BoardSize {
        rows: grid.rows,
        cols: grid.cols,
    };
    let (old_size, new_size) = (size(old), size(new));
    let is_same_size = old_size == new_size;
    let differing = old.differing_cells(new).filter(|_| is_same_size);
    let cols = new.cols.max(1) as usize;
    let origin = cell_origin(target);
    let changed_cell = |(n, old, new): (usize, Value, Value)| ChangedCell {
        cell: target
            .program()
            .board_info
            .format_cell(origin.0 + (n / cols) as i64, origin.1 + (n % cols) as i64),
        change: CellChange {
            attribute: None,
            old: target.format_value(old),
            new: target.format_value(new),
        },
    };
    Change::Board {
        old_size,
        new_size,
        count: differing.clone().count(),
        cells: differing.take(MAX_CELLS_NAMED).map(changed_cell).collect(),
    }
}
