//! Boards that are ordinary values ([`Grid`]): formats their cells, and lists the cells in which
//! two of them differ.

use super::state_diff::MAX_CELLS_NAMED;
use crate::answer::{BoardSize, CellChange, Change, ChangedCell};
use crate::debugger::{Target, WatchTarget};
use crate::value::{Grid, Value};

impl Target {
    /// The language's numbers of the first row and column.
    fn cell_origin(&self) -> (i64, i64) {
        self.board_outline().map_or((0, 0), |b| b.origin)
    }

    /// A cell, by its row and column counted from 0, in the language's notation.
    pub(crate) fn format_grid_cell(&self, row: usize, col: usize) -> String {
        let origin = self.cell_origin();
        self.program()
            .board_info
            .format_cell(origin.0 + row as i64, origin.1 + col as i64)
    }

    /// The row and column, counted from 0, of a watched cell.
    pub(crate) fn watched_cell(&self, watched: &WatchTarget) -> Option<(i64, i64)> {
        let (row, col) = self.cell_origin();
        match watched {
            WatchTarget::Cell(r, c) => Some((r - row, c - col)),
            _ => None,
        }
    }

    /// The cells in which two boards differ.
    pub(crate) fn grid_diff(&self, old: &Grid, new: &Grid) -> Change {
        let size = |grid: &Grid| BoardSize {
            rows: grid.rows,
            cols: grid.cols,
        };
        let (old_size, new_size) = (size(old), size(new));
        let is_same_size = old_size == new_size;
        let differing = old.differing_cells(new).filter(|_| is_same_size);
        let cols = new.cols.max(1) as usize;
        let origin = self.cell_origin();
        let changed_cell = |(n, old, new): (usize, Value, Value)| ChangedCell {
            cell: self
                .program()
                .board_info
                .format_cell(origin.0 + (n / cols) as i64, origin.1 + (n % cols) as i64),
            change: CellChange {
                attribute: None,
                old: self.format_value(old),
                new: self.format_value(new),
            },
        };
        Change::Board {
            old_size,
            new_size,
            count: differing.clone().count(),
            cells: differing.take(MAX_CELLS_NAMED).map(changed_cell).collect(),
        }
    }
}
