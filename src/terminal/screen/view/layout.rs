//! Where the panes of the view are. Drawing and mouse clicks use the same layout.

/// A rectangle of the screen, in columns and rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Area {
    pub left: usize,
    pub top: usize,
    pub width: usize,
    pub height: usize,
}

impl Area {
    /// The column and row inside the area of a place on the screen; `None` if it is outside.
    pub fn inside(self, col: usize, row: usize) -> Option<(usize, usize)> {
        let (x, y) = (col.checked_sub(self.left)?, row.checked_sub(self.top)?);
        (x < self.width && y < self.height).then_some((x, y))
    }
}

/// The panes: a title, the source on the left, the board above the details on the right, the output
/// and the line editor at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pub title: Area,
    pub source: Area,
    pub board: Area,
    pub details: Area,
    pub output: Area,
    /// The line editor, or one row of help.
    pub prompt: Area,
}

/// What the layout depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Space {
    /// Columns of the screen.
    pub width: usize,
    /// Rows of the screen.
    pub height: usize,
    /// Rows for the line editor; one if it is not open.
    pub prompt_rows: usize,
    /// Columns and rows that the whole board needs.
    pub board: (usize, usize),
}

/// The source gets at least this many columns.
const MIN_SOURCE_COLUMNS: usize = 32;
/// The board and the details get at least this many columns, where there is room.
const MIN_RIGHT_COLUMNS: usize = 28;
/// The details get at least this many rows below the board.
const MIN_DETAIL_ROWS: usize = 6;
/// Rows of output on small and on large screens.
const OUTPUT_ROWS: usize = 2;
const MANY_OUTPUT_ROWS: usize = 6;
/// From this height on, a screen is large.
const LARGE_HEIGHT: usize = 30;

impl Layout {
    /// The layout for a screen, however small.
    pub fn new(space: Space) -> Layout {
        let Space {
            width,
            height,
            prompt_rows,
            board: (board_columns, board_rows),
        } = space;
        let prompt_rows = prompt_rows.min(height.saturating_sub(1));
        let below_title = height.saturating_sub(1 + prompt_rows);
        // The open line editor shows the last output itself.
        let output_rows = match prompt_rows {
            2.. => 0,
            _ if height >= LARGE_HEIGHT => MANY_OUTPUT_ROWS,
            _ => OUTPUT_ROWS.min(below_title / 3),
        };
        let body = below_title - output_rows;
        let right = board_columns
            .max(MIN_RIGHT_COLUMNS)
            .max(width / 3)
            .min(width.saturating_sub(MIN_SOURCE_COLUMNS + 1).max(width / 2));
        let source = width.saturating_sub(right + 1);
        let board_rows = board_rows.min(body.saturating_sub(MIN_DETAIL_ROWS).max(body / 2));
        let area = |left, top, width, height| Area {
            left,
            top,
            width,
            height,
        };
        Layout {
            title: area(0, 0, width, 1),
            source: area(0, 1, source, body),
            board: area(source + 1, 1, right, board_rows),
            details: area(source + 1, 1 + board_rows, right, body - board_rows),
            output: area(0, 1 + body, width, output_rows),
            prompt: area(0, 1 + body + output_rows, width, prompt_rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::terminal::screen::view::layout::*;

    #[test]
    fn panes_cover_the_screen_without_overlapping() {
        for (width, height) in [(80, 24), (160, 50), (40, 10), (20, 6), (300, 80), (1, 1)] {
            for prompt_rows in [1, 8] {
                for board in [(0, 0), (14, 6), (200, 100)] {
                    let layout = Layout::new(Space {
                        width,
                        height,
                        prompt_rows,
                        board,
                    });
                    let body = layout.source.height;
                    assert_eq!(layout.board.height + layout.details.height, body);
                    let rows = 1 + body + layout.output.height + layout.prompt.height;
                    assert_eq!(rows, height.max(1), "{width} x {height}: {layout:?}");
                    assert!(layout.source.width + 1 + layout.board.width <= width.max(2));
                }
            }
        }
    }

    #[test]
    fn a_small_screen_shows_tic_tac_toe_and_a_handler() {
        let layout = Layout::new(Space {
            width: 80,
            height: 24,
            prompt_rows: 1,
            board: (14, 6),
        });
        assert_eq!((layout.source.height, layout.output.height), (20, 2));
        assert_eq!((layout.board.height, layout.board.width), (6, 28));
    }
}
