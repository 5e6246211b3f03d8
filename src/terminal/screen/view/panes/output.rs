//! The last lines that programs and commands printed.

use crate::session::Line;
use crate::terminal::screen::canvas::text::{Text, wrapped_lines};
use crate::terminal::screen::canvas::{Area, Canvas};

/// What the pane shows: older lines first.
#[derive(Clone, Debug, Default)]
pub struct OutputPane {
    pub lines: Vec<Line>,
}

impl OutputPane {
    /// The rows that fit, the last ones first to stay.
    fn rows(&self, area: Area) -> (usize, Vec<Text>) {
        // A line takes at least one row.
        let hidden = self.lines.len().saturating_sub(area.height);
        let rows = wrapped_lines(&self.lines[hidden..], area.width);
        let above = rows.len().saturating_sub(area.height);
        (hidden + above, rows[above..].to_vec())
    }

    /// How many rows are above those that are shown.
    pub fn rows_above(&self, area: Area) -> usize {
        self.rows(area).0
    }

    /// Draws the pane from its top.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        self.draw_below(canvas, area, 0);
    }

    /// Draws the last line in the last row.
    pub fn draw_at_bottom(&self, canvas: &mut Canvas, area: Area) {
        let (_, rows) = self.rows(area);
        self.draw_below(canvas, area, area.height - rows.len());
    }

    fn draw_below(&self, canvas: &mut Canvas, area: Area, skipped: usize) {
        let (_, rows) = self.rows(area);
        for (n, row) in rows.iter().enumerate() {
            canvas.line((area.left, area.top + skipped + n), area.width, row);
        }
    }
}
