//! An answer that is longer than its pane: it covers the lower part of the screen, page by page.

use crate::session::Line;
use crate::terminal::screen::canvas::look::{Ink, Look};
use crate::terminal::screen::canvas::text::wrapped_lines;
use crate::terminal::screen::canvas::{Area, Canvas};
use crate::terminal::screen::keys::Key;

/// The answer and the page that is shown.
pub struct Popup {
    title: String,
    lines: Vec<Line>,
    /// The first row that is shown.
    first: usize,
    /// Rows of a page, and of the whole text, when it was drawn last.
    page: usize,
    rows: usize,
    /// Whether it has shown another page than the first.
    pub was_turned: bool,
}

impl Popup {
    pub fn new(title: String, lines: Vec<Line>) -> Popup {
        Popup {
            title,
            lines,
            first: 0,
            page: 1,
            rows: 0,
            was_turned: false,
        }
    }

    /// Shows another page if the key asks for one and there is one.
    pub fn turns(&mut self, key: Key) -> bool {
        let has_more = self.first + self.page < self.rows;
        match key {
            Key::Enter | Key::Char(' ') | Key::Down | Key::PageDown | Key::WheelDown
                if has_more =>
            {
                self.first += self.page;
                self.was_turned = true;
            }
            Key::Up | Key::PageUp | Key::WheelUp if self.first > 0 => {
                self.first = self.first.saturating_sub(self.page);
            }
            Key::WheelUp | Key::WheelDown => {}
            _ => return false,
        }
        true
    }

    /// Draws it over a frame.
    pub fn draw(&mut self, canvas: &mut Canvas) {
        let screen = canvas.area();
        let has_border = screen.width >= 24 && screen.height >= 8;
        let margin = if has_border { 2 } else { 0 };
        let rows = wrapped_lines(&self.lines, screen.width.saturating_sub(2 * margin).max(1));
        // The time line stays visible where there is room.
        let most = screen
            .height
            .saturating_sub(if has_border { 4 } else { 1 })
            .max(1);
        (self.page, self.rows) = (rows.len().min(most), rows.len());
        self.first = self.first.min(rows.len().saturating_sub(1));
        let shown = &rows[self.first..rows.len().min(self.first + self.page)];
        let has_more = self.first + self.page < rows.len();
        let help = match has_more {
            true => "Enter shows more, Esc closes",
            false => "any key closes",
        };
        let border = if has_border { 2 } else { 0 };
        let height = shown.len() + border + 1;
        let top = screen.height.saturating_sub(height);
        canvas.clear(Area {
            top,
            height: height.min(screen.height),
            ..screen
        });
        let inside = Area {
            left: margin / 2,
            top: top + border / 2,
            width: screen.width.saturating_sub(margin),
            height: shown.len(),
        };
        if has_border {
            canvas.add_box(inside);
            canvas.draw_boxes(Look::new(Ink::Focus));
            let room = inside.width.saturating_sub(4);
            let title = match self.title.is_empty() {
                true => " answer ".to_string(),
                false => format!(" {} ", self.title),
            };
            canvas.text((2, top), room, &title, Look::new(Ink::Focus).bold());
        }
        for (n, row) in shown.iter().enumerate() {
            canvas.line(
                (margin, inside.top + n),
                screen.width.saturating_sub(2 * margin),
                row,
            );
        }
        let room = screen.width.saturating_sub(1);
        canvas.text(
            (1, screen.height.saturating_sub(1)),
            room,
            &format!("-- {help}"),
            Look::DIM,
        );
    }
}
