//! Boards that are ordinary values ([`Grid`]): formats their cells, and lists the cells in which
//! two of them differ.

use super::Target;
use super::WatchTarget;
use crate::text::count_noun;
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

    /// The cells in which two boards differ, as `CELL OLD => NEW`. After `max` of them, the rest is
    /// only counted.
    pub(crate) fn grid_differences(&self, old: &Grid, new: &Grid, max: usize) -> Vec<String> {
        if (old.rows, old.cols) != (new.rows, new.cols) {
            return vec!["the board has a different size".into()];
        }
        let cols = new.cols.max(1) as usize;
        let cells = old
            .cells
            .iter()
            .zip(&new.cells)
            .enumerate()
            .filter(|(_, (a, b))| a != b);
        let describe = |(n, (a, b)): (usize, (&Value, &Value))| {
            format!(
                "{} {} => {}",
                self.format_grid_cell(n / cols, n % cols),
                self.format_value(*a),
                self.format_value(*b)
            )
        };
        let mut lines: Vec<String> = cells.clone().take(max).map(describe).collect();
        let more = cells.count().saturating_sub(max);
        lines.extend(
            (more > 0).then(|| format!("and {}", count_noun(more, "more cell", "more cells"))),
        );
        lines
    }
}
