//! Implementation of the instructions for grids that are values. Independent of the board in the
//! store.

use crate::code::{LineDirections, Program};
use crate::machine::RuntimeError;
use crate::machine::runtime_error::ValueContext;
use crate::value::{Grid, Heap, Store, Unpacked, Value};

type Result<T> = std::result::Result<T, Box<RuntimeError>>;

pub(in crate::machine) fn grid(values: ValueContext<'_>, value: Value) -> Result<&Grid> {
    let grid = values.store.heap.grid(value);
    grid.map(|grid| &**grid)
        .ok_or_else(|| values.type_error("a board", value))
}

/// Checks the numbers of rows and columns of a new grid.
pub(in crate::machine) fn grid_size(
    values: ValueContext<'_>,
    rows: Value,
    cols: Value,
) -> Result<(u32, u32)> {
    let side = |v: Value| {
        v.as_int()
            .ok_or_else(|| values.type_error("a number of rows and columns", v))
    };
    let (r, c) = (side(rows)?, side(cols)?);
    let max_cells = Value::MAX_CELLS as i64;
    if r < 1 || c < 1 || r > max_cells || c > max_cells || r * c > max_cells {
        let message = format!("cannot make a board of {r} rows and {c} columns");
        return Err(
            RuntimeError::new("RT017", message).note(format!("a board has 1 to {max_cells} cells"))
        );
    }
    Ok((r as u32, c as u32))
}

/// The index of a cell; the error names the row or column that is off the board.
pub(in crate::machine) fn cell_index(
    values: ValueContext<'_>,
    grid: &Grid,
    row: Value,
    col: Value,
    from: u8,
) -> Result<usize> {
    let number = |v: Value| {
        let n = values.store.heap.as_int(v);
        n.ok_or_else(|| values.type_error("a row and a column as numbers", v))
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

pub(in crate::machine) fn grid_cell(
    values: ValueContext<'_>,
    of: Value,
    row: Value,
    col: Value,
    from: u8,
) -> Result<Value> {
    let grid = grid(values, of)?;
    let at = cell_index(values, grid, row, col, from)?;
    Ok(grid.cells.get(at).copied().unwrap_or(Value::EMPTY))
}

pub(in crate::machine) fn grid_fill(
    program: &Program,
    store: &mut Store,
    of: Value,
    (rows, cols): ([Value; 2], [Value; 2]),
    value: Value,
    from: u8,
) -> Result<()> {
    let values = ValueContext { program, store };
    let old = grid(values, of)?;
    let first = cell_index(values, old, rows[0], cols[0], from)?;
    let last = cell_index(values, old, rows[1], cols[1], from)?;
    let Some(grid) = store.heap.grid_mut(of) else {
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
fn matching_cells(heap: &Heap, grid: &Grid, value: Value) -> Vec<bool> {
    // Symbols are only equal to themselves.
    let is_symbol = matches!(value.unpack(), Unpacked::Symbol(_));
    let mut matches = Vec::with_capacity(grid.cells.len());
    for cells in grid.cells.slices() {
        let is_match = |&cell: &Value| cell == value || !is_symbol && heap.deep_equals(cell, value);
        matches.extend(cells.iter().map(is_match));
    }
    matches
}

pub(in crate::machine) fn grid_count(
    values: ValueContext<'_>,
    of: Value,
    value: Value,
) -> Result<Value> {
    let grid = grid(values, of)?;
    let count = matching_cells(&values.store.heap, grid, value)
        .into_iter()
        .filter(|&is_match| is_match)
        .count();
    Ok(Value::int(count as i32))
}

pub(in crate::machine) fn grid_longest_run(
    values: ValueContext<'_>,
    of: Value,
    value: Value,
    directions: LineDirections,
) -> Result<Value> {
    let grid = grid(values, of)?;
    let cell_matches = matching_cells(&values.store.heap, grid, value);
    let longest = directions
        .steps()
        .map(|step| longest_run(&cell_matches, grid.cols as i64, step))
        .max();
    Ok(Value::int(longest.unwrap_or(0) as i32))
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
