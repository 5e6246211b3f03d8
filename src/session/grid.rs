//! The board where it is a value like others: its cells by the numbers that stand at its edges, as they are watched and
//! asked about.

use super::Session;
use crate::debugger::Watched;
use crate::language::Window;
use crate::value::Grid;

impl Session {
    /// The board that is seen, if it is a value.
    fn grid(&self) -> Option<&Grid> {
        let store = &self.machine.store;
        store.heap.grid(*store.globals.get(self.program().board? as usize)?).map(|grid| &**grid)
    }

    /// The numbers of the first row and column.
    pub(super) fn first_cell(&self) -> (i64, i64) {
        self.view(Window { row: 0, col: 0, rows: 0, cols: 0 }).board.map_or((0, 0), |b| b.origin)
    }

    /// The cell that is watched, by row and column from 0.
    pub(super) fn cell_watched(&self, watched: &Watched) -> Option<(i64, i64)> {
        let (row, col) = self.first_cell();
        match watched {
            Watched::Cell(r, c) => Some((*r as i64 - row, *c as i64 - col)),
            _ => None,
        }
    }

    /// Whether a cell, by row and column from 0, belongs to what is watched.
    pub(super) fn is_of(&self, watched: &Watched, (row, col): (i64, i64)) -> bool {
        let first = self.first_cell();
        match watched {
            Watched::Cell(..) => self.cell_watched(watched) == Some((row, col)),
            Watched::Row(n) => *n as i64 - first.0 == row,
            Watched::Column(n) => *n as i64 - first.1 == col,
            Watched::Board => true,
            _ => false,
        }
    }

    /// What is watched on the board, as text.
    pub(super) fn board_text(&self, watched: &Watched) -> Option<String> {
        let grid = self.grid()?;
        let cols = grid.cols.max(1) as usize;
        let cells = grid.cells.iter().enumerate();
        let wanted: Vec<String> = cells
            .filter(|(n, _)| self.is_of(watched, ((n / cols) as i64, (n % cols) as i64)))
            .map(|(_, value)| self.write(*value))
            .collect();
        (!wanted.is_empty()).then(|| wanted.join(" "))
    }

    /// Refuses a cell, row or column that the board does not have.
    pub(super) fn on_the_grid(&self, watched: Watched) -> Result<Watched, String> {
        let Some(grid) = self.grid() else { return Err("there is no board yet".into()) };
        let (row, col) = self.first_cell();
        let (rows, cols) = (grid.rows as i64 + row - 1, grid.cols as i64 + col - 1);
        match &watched {
            Watched::Field(_, _, field) => Err(format!("the values on this board have no `.{field}`")),
            Watched::Board => Ok(watched),
            _ if self.board_text(&watched).is_some() => Ok(watched),
            _ => Err(format!("that is off the board: rows {row} to {rows}, columns {col} to {cols}")),
        }
    }
}
