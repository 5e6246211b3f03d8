//! Where the cells of a drawn board are on the screen.

use crate::language::BoardView;

/// Where the cells of a drawn board are, relative to its first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellGrid {
    /// Screen columns per cell.
    pub(crate) cell_width: usize,
    /// Screen columns of the text in a cell.
    pub(crate) text_width: usize,
    /// The line of the topmost row.
    top: usize,
    /// The screen column of the leftmost cell.
    left: usize,
    /// The row and column, counted from 0, of the first cell that is shown.
    first: (u32, u32),
    /// How many rows and columns are shown.
    shown: (u32, u32),
    is_y_up: bool,
}

impl CellGrid {
    /// The cells of a board that is drawn in `width` columns, with `left` columns before the cells and
    /// texts of `text_width` columns on them.
    pub(crate) fn new(board: &BoardView, left: usize, width: usize, text_width: usize) -> CellGrid {
        let available = width.saturating_sub(left + 1);
        let fits = |cell_width| board.shown_cols as usize * cell_width <= available;
        // Two more columns have room for marks on both sides of the piece.
        let extra = if fits(text_width + 2) { 2 } else { 1 };
        CellGrid {
            cell_width: text_width + extra,
            text_width,
            top: 0,
            left,
            first: (board.first_row, board.first_col),
            shown: (board.shown_rows, board.shown_cols),
            is_y_up: board.is_y_up,
        }
    }

    /// The same cells below `lines` other lines.
    pub(crate) fn below(self, lines: usize) -> CellGrid {
        CellGrid { top: lines, ..self }
    }

    /// The cell at a screen column and line: its row and column, counted from 0.
    pub fn cell_at(&self, column: usize, line: usize) -> Option<(u32, u32)> {
        let row = line.checked_sub(self.top)?;
        let col = column.checked_sub(self.left)? / self.cell_width;
        let (row, col) = (u32::try_from(row).ok()?, u32::try_from(col).ok()?);
        if row >= self.shown.0 || col >= self.shown.1 {
            return None;
        }
        let row = match self.is_y_up {
            true => self.shown.0 - 1 - row,
            false => row,
        };
        Some((self.first.0 + row, self.first.1 + col))
    }
}

#[cfg(test)]
mod tests {
    use crate::answer::{BoardMarks, ShownBoard};
    use crate::language::{CellView, GameView};
    use crate::render::board::cell_grid::*;
    use crate::render::{Width, board_picture};
    use crate::value::InternedStr;
    use std::rc::Rc;

    /// A board of 4 x 3 with a piece on one cell, of which a part is shown.
    fn picture(is_y_up: bool, width: usize) -> (Vec<String>, CellGrid) {
        let mut cells = vec![CellView::default(); 6];
        cells[4] = CellView {
            name: Some(InternedStr::new("X")),
            visible: true,
            ..CellView::default()
        };
        let board = BoardView {
            rows: 4,
            cols: 3,
            first_row: 1,
            shown_rows: 2,
            shown_cols: 3,
            cells,
            is_y_up,
            ..BoardView::default()
        };
        let view = GameView {
            board: Some(board),
            header: vec![Some("score 3".into())],
            ..GameView::default()
        };
        let shown = ShownBoard {
            view: Rc::new(view),
            message: None,
            marks: BoardMarks::default(),
            glyphs: Rc::default(),
            explained_kinds: Vec::new(),
            first_col_if_cut: 0,
            is_first_stack: false,
        };
        let picture = board_picture(&shown, Width::of(width));
        let lines = picture.lines.iter().map(|line| line.text()).collect();
        (lines, picture.cells.unwrap())
    }

    #[test]
    fn the_cell_at_a_place_is_the_one_drawn_there() {
        for (is_y_up, width) in [(false, 80), (true, 80), (false, 16), (true, 12)] {
            let (lines, cells) = picture(is_y_up, width);
            // A piece without an assigned glyph is drawn as a question mark.
            let at = lines.iter().enumerate().find_map(|(n, line)| {
                let column = line.chars().position(|c| c == '?')?;
                Some((column, n))
            });
            let (column, line) = at.unwrap();
            assert_eq!(cells.cell_at(column, line), Some((2, 1)), "{lines:?}");
            // Above and below it are the other row and nothing.
            let (other, outside) = match is_y_up {
                true => (line + 1, line.checked_sub(1)),
                false => (line - 1, Some(line + 1)),
            };
            assert_eq!(cells.cell_at(column, other), Some((1, 1)), "{lines:?}");
            let outside = outside.and_then(|line| cells.cell_at(column, line));
            assert_eq!(outside, None, "{lines:?}");
        }
    }

    #[test]
    fn places_beside_the_cells_are_none() {
        let (lines, cells) = picture(false, 80);
        assert_eq!(lines[0].trim(), "score 3");
        for (column, line) in [(5, 0), (5, 1), (4, 2), (5 + 9, 2), (5, 4)] {
            assert_eq!(cells.cell_at(column, line), None, "{column} {line}");
        }
        assert_eq!(cells.cell_at(5, 2), Some((1, 0)));
        assert_eq!(cells.cell_at(5 + 8, 3), Some((2, 2)));
    }
}
