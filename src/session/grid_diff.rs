//! The board where it is a value like others: the cells in which two of them differ, and which one is asked about.

use super::Session;
use crate::debugger::WatchTarget;
use crate::language::Viewport;
use crate::value::{Grid, Value};

impl Session {
    /// The numbers of the first row and column.
    fn first_cell(&self) -> (i64, i64) {
        self.view(Viewport::NONE).board.map_or((0, 0), |b| b.origin)
    }

    /// A cell by its row and column from 0, as the language writes it.
    pub(super) fn format_grid_cell(&self, row: usize, col: usize) -> String {
        let first = self.first_cell();
        self.program()
            .board_info
            .format_cell(first.0 + row as i64, first.1 + col as i64)
    }

    /// The cell that is watched, by row and column from 0.
    pub(super) fn watched_cell(&self, watched: &WatchTarget) -> Option<(i64, i64)> {
        let (row, col) = self.first_cell();
        match watched {
            WatchTarget::Cell(r, c) => Some((r - row, c - col)),
            _ => None,
        }
    }

    /// The cells in which two boards differ, in words, at most `most` of them.
    pub(super) fn grid_differences(&self, old: &Grid, new: &Grid, most: usize) -> Vec<String> {
        if (old.rows, old.cols) != (new.rows, new.cols) {
            return vec!["the board is another".into()];
        }
        let cols = new.cols.max(1) as usize;
        let cells = old
            .cells
            .iter()
            .zip(&new.cells)
            .enumerate()
            .filter(|(_, (a, b))| a != b);
        let word = |(n, (a, b)): (usize, (&Value, &Value))| {
            format!(
                "{} {} => {}",
                self.format_grid_cell(n / cols, n % cols),
                self.format_value(*a),
                self.format_value(*b)
            )
        };
        let mut words: Vec<String> = cells.clone().take(most).map(word).collect();
        let more = cells.count().saturating_sub(most);
        words.extend((more > 0).then(|| format!("and {more} more cells")));
        words
    }
}
