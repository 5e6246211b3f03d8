//! How large the cells of the board are, and where they are on the screen.

use super::Place;
use crate::terminal::screen::canvas::Area;

/// The size of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileSize {
    /// Columns inside a cell.
    pub width: usize,
    /// Rows inside a cell.
    pub height: usize,
    /// Whether there are lines between the cells.
    pub has_lines: bool,
}

/// Columns and rows inside cells with lines between them, for texts of one column.
const SIZES: [(usize, usize); 6] = [(15, 7), (11, 5), (9, 3), (7, 3), (5, 1), (3, 1)];
/// The largest cells are for a projector.
const LARGEST_SIZES: usize = 1;

impl TileSize {
    /// All sizes for texts of this width, largest first.
    pub fn all(text: usize, is_large: bool) -> impl Iterator<Item = TileSize> {
        let skipped = if is_large { 0 } else { LARGEST_SIZES };
        let with_lines = SIZES
            .into_iter()
            .skip(skipped)
            .map(move |(width, height)| TileSize {
                width: width + text - 1,
                height,
                has_lines: true,
            });
        let dense = [2, 1].map(|more| TileSize {
            width: text + more,
            height: 1,
            has_lines: false,
        });
        with_lines.chain(dense)
    }

    pub fn smallest(text: usize) -> TileSize {
        TileSize {
            width: text + 1,
            height: 1,
            has_lines: false,
        }
    }

    /// Columns and rows from one cell to the next.
    pub fn step(self) -> (usize, usize) {
        let line = usize::from(self.has_lines);
        (self.width + line, self.height + line)
    }

    /// Columns and rows of so many cells.
    pub fn total(self, cols: usize, rows: usize) -> (usize, usize) {
        let (width, height) = self.step();
        let line = usize::from(self.has_lines);
        (cols * width + line, rows * height + line)
    }

    /// How many columns and rows of cells fit; at least one.
    pub fn count(self, room: (usize, usize)) -> (usize, usize) {
        let (width, height) = self.step();
        let line = usize::from(self.has_lines);
        let fits = |room: usize, step: usize| (room.saturating_sub(line) / step).max(1);
        (fits(room.0, width), fits(room.1, height))
    }
}

/// Where the cells are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    pub size: TileSize,
    /// The column and row of the screen where the cells start, with their lines.
    pub left: usize,
    pub top: usize,
    /// The first cell that is shown, and how many are.
    pub first: Place,
    pub rows: u32,
    pub cols: u32,
    /// Row numbers grow upwards.
    pub is_y_up: bool,
}

impl Grid {
    /// The cells that are shown.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (first, rows, cols) = (self.first, self.rows, self.cols);
        (first.0..first.0 + rows)
            .flat_map(move |row| (first.1..first.1 + cols).map(move |col| (row, col)))
    }

    /// The inside of a cell; `None` if it is not shown.
    pub fn area_of(&self, (row, col): Place) -> Option<Area> {
        let row = row
            .checked_sub(self.first.0)
            .filter(|row| *row < self.rows)?;
        let col = col
            .checked_sub(self.first.1)
            .filter(|col| *col < self.cols)?;
        let row = if self.is_y_up {
            self.rows - 1 - row
        } else {
            row
        };
        let (width, height) = self.size.step();
        let line = usize::from(self.size.has_lines);
        Some(Area {
            left: self.left + line + col as usize * width,
            top: self.top + line + row as usize * height,
            width: self.size.width,
            height: self.size.height,
        })
    }

    /// The cell at a place on the screen; the line after a cell belongs to it.
    pub fn cell_at(&self, column: usize, row: usize) -> Option<Place> {
        let line = usize::from(self.size.has_lines);
        let (width, height) = self.size.step();
        let col = column.checked_sub(self.left + line)? / width;
        let row = row.checked_sub(self.top + line)? / height;
        let (row, col) = (u32::try_from(row).ok()?, u32::try_from(col).ok()?);
        if row >= self.rows || col >= self.cols {
            return None;
        }
        let row = if self.is_y_up {
            self.rows - 1 - row
        } else {
            row
        };
        Some((self.first.0 + row, self.first.1 + col))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cell_at_a_place_is_the_one_that_is_there() {
        for is_y_up in [false, true] {
            for size in TileSize::all(2, true) {
                let grid = Grid {
                    size,
                    left: 5,
                    top: 3,
                    first: (4, 7),
                    rows: 3,
                    cols: 4,
                    is_y_up,
                };
                assert_eq!(grid.places().count(), 12);
                for place in grid.places() {
                    let area = grid.area_of(place).unwrap();
                    assert_eq!(grid.cell_at(area.left, area.top), Some(place));
                    let last = grid.cell_at(area.right() - 1, area.bottom() - 1);
                    assert_eq!(last, Some(place));
                }
                assert_eq!(grid.area_of((3, 7)), None);
                assert_eq!(grid.area_of((4, 11)), None);
                assert_eq!(grid.cell_at(4, 3), None);
                assert_eq!(grid.cell_at(5, 2), None);
                let (width, height) = size.total(4, 3);
                assert_eq!(grid.cell_at(5 + width, 4), None);
                assert_eq!(grid.cell_at(6, 3 + height), None);
            }
        }
    }
}
