//! Implementation of the instructions for grids that are values. Independent of the board in the
//! store.

use super::{Machine, RuntimeError};
use crate::code::LineDirections;
use crate::value::{Grid, Object, Unpacked, Value};
use std::rc::Rc;

type Result<T> = std::result::Result<T, Box<RuntimeError>>;

impl Machine {
    fn grid(&self, value: Value) -> Result<&Rc<Grid>> {
        self.store
            .heap
            .grid(value)
            .ok_or_else(|| self.type_error("a board", value))
    }

    pub(super) fn make_grid(&mut self, rows: Value, cols: Value, value: Value) -> Result<Value> {
        let side = |v: Value| {
            v.as_int()
                .ok_or_else(|| self.type_error("a number of rows and columns", v))
        };
        let (r, c) = (side(rows)?, side(cols)?);
        let max_cells = Value::MAX_CELLS as i64;
        if r < 1 || c < 1 || r > max_cells || c > max_cells || r * c > max_cells {
            let message = format!("cannot make a board of {r} rows and {c} columns");
            return Err(RuntimeError::new("RT017", message)
                .note(format!("a board has 1 to {max_cells} cells")));
        }
        self.reserve_bytes(r as u64 * c as u64 * size_of::<Value>() as u64)?;
        let grid = Grid::filled(r as u32, c as u32, value);
        Ok(self.store.heap.alloc(Object::Grid(Rc::new(grid))))
    }

    /// Checks that there is memory for a grid, collecting garbage first if necessary.
    fn reserve_bytes(&mut self, bytes: u64) -> Result<()> {
        self.collect_if_needed();
        if self.memory_bytes() + bytes <= self.limits.max_memory_bytes {
            return Ok(());
        }
        self.collect_garbage();
        match self.memory_bytes() + bytes <= self.limits.max_memory_bytes {
            true => Ok(()),
            false => Err(self.out_of_memory()),
        }
    }

    /// The index of a cell; the error names the row or column that is off the board.
    fn cell_index(&self, grid: &Grid, row: Value, col: Value, from: u8) -> Result<usize> {
        let number = |v: Value| {
            self.store
                .heap
                .as_int(v)
                .ok_or_else(|| self.type_error("a row and a column as numbers", v))
        };
        let offset_within = |n: i64, count: u32| {
            n.checked_sub(from.into())
                .filter(|n| (0..count.into()).contains(n))
        };
        let (r, c) = (number(row)?, number(col)?);
        match (offset_within(r, grid.rows), offset_within(c, grid.cols)) {
            (Some(row), Some(col)) => Ok(row as usize * grid.cols as usize + col as usize),
            (_, None) => Err(off_grid_error("column", c, grid.cols, from)),
            (None, _) => Err(off_grid_error("row", r, grid.rows, from)),
        }
    }

    pub(super) fn grid_cell(&self, grid: Value, row: Value, col: Value, from: u8) -> Result<Value> {
        let grid = self.grid(grid)?;
        let at = self.cell_index(grid, row, col, from)?;
        Ok(grid.cells.get(at).copied().unwrap_or(Value::EMPTY))
    }

    /// The content of a cell, or `None` if the grid has no such cell.
    pub fn try_grid_cell(&self, grid: Value, row: Value, col: Value, from: u8) -> Option<Value> {
        self.grid_cell(grid, row, col, from).ok()
    }

    pub(super) fn grid_with_cell(
        &mut self,
        grid: Value,
        row: Value,
        col: Value,
        value: Value,
        from: u8,
    ) -> Result<Value> {
        let old = self.grid(grid)?.clone();
        let at = self.cell_index(&old, row, col, from)?;
        let changed = old.with_cell(at, value);
        self.reserve_bytes(changed.own_bytes())?;
        Ok(self.store.heap.alloc(Object::Grid(Rc::new(changed))))
    }

    pub(super) fn grid_fill(
        &mut self,
        grid: Value,
        rows: [Value; 2],
        cols: [Value; 2],
        value: Value,
        from: u8,
    ) -> Result<()> {
        let old = self.grid(grid)?;
        let first = self.cell_index(old, rows[0], cols[0], from)?;
        let last = self.cell_index(old, rows[1], cols[1], from)?;
        let Some(grid) = self.store.heap.grid_mut(grid) else {
            return Ok(());
        };
        let cols = grid.cols as usize;
        for row in first / cols..=last / cols {
            for col in first % cols..=last % cols {
                grid.cells.set(row * cols + col, value);
            }
        }
        Ok(())
    }

    /// For each cell, whether it holds the value.
    fn matching_cells(&self, grid: &Grid, value: Value) -> Vec<bool> {
        // Symbols are only equal to themselves.
        let is_symbol = matches!(value.unpack(), Unpacked::Symbol(_));
        let mut matches = Vec::with_capacity(grid.cells.len());
        for cells in grid.cells.slices() {
            let is_match = |&cell: &Value| {
                cell == value || !is_symbol && self.store.heap.deep_equals(cell, value)
            };
            matches.extend(cells.iter().map(is_match));
        }
        matches
    }

    pub(super) fn grid_count(&self, grid: Value, value: Value) -> Result<Value> {
        let grid = self.grid(grid)?;
        let count = self
            .matching_cells(grid, value)
            .into_iter()
            .filter(|&is_match| is_match)
            .count();
        Ok(Value::int(count as i32))
    }

    pub(super) fn grid_longest_run(
        &self,
        grid: Value,
        value: Value,
        directions: LineDirections,
    ) -> Result<Value> {
        let grid = self.grid(grid)?;
        let cell_matches = self.matching_cells(grid, value);
        let longest = directions
            .steps()
            .map(|step| longest_run(&cell_matches, grid.cols as i64, step))
            .max();
        Ok(Value::int(longest.unwrap_or(0) as i32))
    }
}

/// The longest line of matches in one direction. The length of the line that ends in a cell follows
/// from that of its neighbor, so each cell is visited once.
fn longest_run(cell_matches: &[bool], cols: i64, (down, right): (i64, i64)) -> usize {
    let cols = cols.max(1) as usize;
    // Lengths of the lines that end in a row, with a zero on both sides.
    let (mut above, mut lengths) = (vec![0_u32; cols + 2], vec![0_u32; cols + 2]);
    let mut longest = 0;
    for row in cell_matches.chunks_exact(cols) {
        if down == 0 {
            let mut length = 0;
            for is_match in row {
                length = if *is_match { length + 1 } else { 0 };
                longest = longest.max(length);
            }
            continue;
        }
        let neighbors = &above[(1 - right) as usize..];
        for ((length, neighbor), is_match) in lengths[1..].iter_mut().zip(neighbors).zip(row) {
            *length = if *is_match { neighbor + 1 } else { 0 };
            longest = longest.max(*length);
        }
        std::mem::swap(&mut above, &mut lengths);
    }
    longest as usize
}

#[cold]
fn off_grid_error(word: &str, number: i64, count: u32, from: u8) -> Box<RuntimeError> {
    let count_text = if count == 1 {
        format!("one {word}")
    } else {
        format!("{count} {word}s")
    };
    let error = RuntimeError::new(
        "RT004",
        format!("{word} {number} is off the board, which has {count_text}"),
    );
    error.note(format!(
        "{word}s are numbered {from} to {}",
        i64::from(count) + i64::from(from) - 1
    ))
}

#[cfg(test)]
mod tests {
    use super::longest_run;

    #[test]
    fn runs_are_found_in_every_direction() {
        let picture = "x.x.\n.xx.\nx.xx";
        let cell_matches: Vec<bool> = picture
            .chars()
            .filter(|c| *c != '\n')
            .map(|c| c == 'x')
            .collect();
        assert_eq!(longest_run(&cell_matches, 4, (0, 1)), 2);
        assert_eq!(longest_run(&cell_matches, 4, (1, 0)), 3);
        assert_eq!(longest_run(&cell_matches, 4, (1, 1)), 3);
        assert_eq!(longest_run(&cell_matches, 4, (1, -1)), 3);
        assert_eq!(longest_run(&[false; 4], 2, (0, 1)), 0);
    }
}
