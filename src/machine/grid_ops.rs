//! Grids that are values of their own: made, looked into, changed by copying, counted. Nothing here knows the
//! board of the store.

use super::{Machine, RuntimeError};
use crate::code::LineDirections;
use crate::value::{Grid, Object, Value};
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
        let most = Value::MAX_CELLS as i64;
        if r < 1 || c < 1 || r > most || c > most || r * c > most {
            let message = format!("a board can't have {r} rows and {c} columns");
            return Err(RuntimeError::new("RT017", message)
                .note(format!("it has at least one cell, and at most {most}")));
        }
        self.room_for(r as u64 * c as u64)?;
        let grid = Grid {
            rows: r as u32,
            cols: c as u32,
            cells: vec![value; (r * c) as usize],
        };
        Ok(self.store.heap.alloc(Object::Grid(Rc::new(grid))))
    }

    /// A large board must not be made when there is no memory for it; what nobody names any more goes first.
    fn room_for(&mut self, cells: u64) -> Result<()> {
        self.collect_if_needed();
        if self.memory_bytes() + 8 * cells <= self.limits.max_memory_bytes {
            return Ok(());
        }
        self.collect_garbage();
        match self.memory_bytes() + 8 * cells <= self.limits.max_memory_bytes {
            true => Ok(()),
            false => Err(self.out_of_memory()),
        }
    }

    /// The number of a cell, or which of its row and column is not there.
    fn grid_at(&self, grid: &Grid, row: Value, col: Value, from: u8) -> Result<usize> {
        let number = |v: Value| {
            self.store
                .heap
                .as_int(v)
                .ok_or_else(|| self.type_error("a row and a column as numbers", v))
        };
        let inside = |n: i64, count: u32| {
            n.checked_sub(from.into())
                .filter(|n| (0..count.into()).contains(n))
        };
        let (r, c) = (number(row)?, number(col)?);
        match (inside(r, grid.rows), inside(c, grid.cols)) {
            (Some(row), Some(col)) => Ok(row as usize * grid.cols as usize + col as usize),
            (_, None) => Err(not_there("column", c, grid.cols, from)),
            (None, _) => Err(not_there("row", r, grid.rows, from)),
        }
    }

    pub(super) fn grid_cell(&self, grid: Value, row: Value, col: Value, from: u8) -> Result<Value> {
        let grid = self.grid(grid)?;
        let at = self.grid_at(grid, row, col, from)?;
        Ok(grid.cells[at])
    }

    /// What is on a cell of a grid, if there is such a cell.
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
        let at = self.grid_at(&old, row, col, from)?;
        self.room_for(old.cells.len() as u64)?;
        let mut changed = Grid::clone(&old);
        changed.cells[at] = value;
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
        let first = self.grid_at(old, rows[0], cols[0], from)?;
        let last = self.grid_at(old, rows[1], cols[1], from)?;
        let Some(grid) = self.store.heap.grid_mut(grid) else {
            return Ok(());
        };
        let wide = grid.cols as usize;
        for row in first / wide..=last / wide {
            grid.cells[row * wide..][first % wide..=last % wide].fill(value);
        }
        Ok(())
    }

    /// For each cell whether it holds the value.
    fn hits(&self, grid: &Grid, value: Value) -> Vec<bool> {
        grid.cells
            .iter()
            .map(|&cell| self.store.heap.deep_equals(cell, value))
            .collect()
    }

    pub(super) fn grid_count(&self, grid: Value, value: Value) -> Result<Value> {
        let grid = self.grid(grid)?;
        let count = self
            .hits(grid, value)
            .into_iter()
            .filter(|&hit| hit)
            .count();
        Ok(Value::int(count as i32))
    }

    pub(super) fn grid_longest_run(
        &self,
        grid: Value,
        value: Value,
        along: LineDirections,
    ) -> Result<Value> {
        let grid = self.grid(grid)?;
        let hits = self.hits(grid, value);
        let longest = along
            .steps()
            .map(|step| longest_run(&hits, grid.cols as i64, step))
            .max();
        Ok(Value::int(longest.unwrap_or(0) as i32))
    }
}

/// The longest row of hits in one direction. Each run is walked once, from its first cell.
fn longest_run(hits: &[bool], cols: i64, (down, right): (i64, i64)) -> usize {
    let next = |at: usize, sign: i64| {
        let (row, col) = (
            at as i64 / cols + sign * down,
            at as i64 % cols + sign * right,
        );
        let there = row >= 0 && (0..cols).contains(&col);
        there
            .then_some((row * cols + col) as usize)
            .filter(|&at| hits.get(at) == Some(&true))
    };
    let firsts = (0..hits.len()).filter(|&at| hits[at] && next(at, -1).is_none());
    firsts
        .map(|first| std::iter::successors(Some(first), |&at| next(at, 1)).count())
        .max()
        .unwrap_or(0)
}

#[cold]
fn not_there(word: &str, number: i64, count: u32, from: u8) -> Box<RuntimeError> {
    let many = if count == 1 {
        format!("one {word}")
    } else {
        format!("{count} {word}s")
    };
    let fault = RuntimeError::new(
        "RT004",
        format!("there is no {word} {number}: the board has {many}"),
    );
    fault.note(format!(
        "{word}s count from {from} to {}",
        i64::from(count) + i64::from(from) - 1
    ))
}

#[cfg(test)]
mod tests {
    use super::longest_run;

    #[test]
    fn runs_are_found_in_every_direction() {
        let picture = "x.x.\n.xx.\nx.xx";
        let hits: Vec<bool> = picture
            .chars()
            .filter(|c| *c != '\n')
            .map(|c| c == 'x')
            .collect();
        assert_eq!(longest_run(&hits, 4, (0, 1)), 2);
        assert_eq!(longest_run(&hits, 4, (1, 0)), 3);
        assert_eq!(longest_run(&hits, 4, (1, 1)), 3);
        assert_eq!(longest_run(&hits, 4, (1, -1)), 3);
        assert_eq!(longest_run(&[false; 4], 2, (0, 1)), 0);
    }
}
