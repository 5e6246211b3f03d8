//! A frame of the screen as data: a grid of styled characters. A frame is drawn completely and then
//! compared with the one before it, so that only what has changed is written to the terminal.
//!
//! ```text
//! look     what a character means, and the colors of each meaning
//! boxes    borders that panes share
//! symbols  the characters that gridbug itself draws with, in Unicode and in ASCII
//! text     text in several looks: its width, cut and wrapped
//! ```

pub(crate) mod boxes;
pub(crate) mod look;
pub(crate) mod symbols;
pub(crate) mod text;

use crate::terminal::output::escape_controls;
use boxes::Boxes;
use look::{Ground, Look, Theme};
use std::fmt::Write;
use symbols::Symbols;
use text::Text;
use unicode_width::UnicodeWidthChar;

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

    /// The column after the last one.
    pub fn right(self) -> usize {
        self.left + self.width
    }

    /// The row after the last one.
    pub fn bottom(self) -> usize {
        self.top + self.height
    }

    /// The area without its first `rows` rows.
    pub fn below(self, rows: usize) -> Area {
        let rows = rows.min(self.height);
        Area {
            top: self.top + rows,
            height: self.height - rows,
            ..self
        }
    }

    /// The first `rows` rows of the area.
    pub fn first_rows(self, rows: usize) -> Area {
        Area {
            height: self.height.min(rows),
            ..self
        }
    }
}

/// One column of a row. The second column of a wide character is empty.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Cell {
    text: String,
    look: Look,
}

/// A frame that is being drawn. Drawing outside it does nothing.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: usize,
    height: usize,
    cells: Vec<Cell>,
    boxes: Boxes,
    pub symbols: Symbols,
    /// Texts that were lost without a mark or drawn over others.
    #[cfg(test)]
    pub mistakes: Vec<String>,
}

impl Canvas {
    /// An empty frame.
    pub fn new(width: usize, height: usize, symbols: Symbols) -> Canvas {
        let blank = Cell {
            text: " ".to_string(),
            look: Look::PLAIN,
        };
        Canvas {
            width,
            height,
            cells: vec![blank; width * height],
            boxes: Boxes::new(width, height),
            symbols,
            #[cfg(test)]
            mistakes: Vec::new(),
        }
    }

    /// All columns and rows.
    pub fn area(&self) -> Area {
        Area {
            left: 0,
            top: 0,
            width: self.width,
            height: self.height,
        }
    }

    /// Draws text in one look into `room` columns of a row. What does not fit is replaced by a mark.
    /// Returns how many columns were drawn.
    pub fn text(&mut self, (x, y): (usize, usize), room: usize, text: &str, look: Look) -> usize {
        self.line((x, y), room, &Text::new(look, text))
    }

    /// Draws text in several looks into `room` columns of a row. What does not fit is replaced by a
    /// mark. Returns how many columns were drawn.
    pub fn line(&mut self, (x, y): (usize, usize), room: usize, text: &Text) -> usize {
        let room = room.min(self.width.saturating_sub(x));
        if y >= self.height || room == 0 {
            #[cfg(test)]
            if !text.plain().trim().is_empty() {
                self.mistakes
                    .push(format!("lost at {x},{y}: {}", text.plain()));
            }
            return 0;
        }
        let text = text.cut(room, self.symbols.cut);
        #[cfg(test)]
        self.find_overlap((x, y), &text);
        let mut used = 0;
        for (look, part) in &text.0 {
            for c in escape_controls(part).chars() {
                used += self.put(x + used, y, c, *look, x + room);
            }
        }
        used
    }

    /// Notes if text is drawn where there is other text. Titles replace borders.
    #[cfg(test)]
    fn find_overlap(&mut self, (x, y): (usize, usize), text: &Text) {
        let width = text.width().min(self.width - x);
        let cells = &self.cells[y * self.width + x..y * self.width + x + width];
        let is_free = |cell: &Cell| {
            cell.text == " " || matches!(cell.look.ink, look::Ink::Border | look::Ink::Focus)
        };
        let is_blank = text.plain().trim().is_empty();
        if !is_blank && !cells.iter().all(is_free) {
            let there: String = cells.iter().map(|cell| cell.text.as_str()).collect();
            self.mistakes
                .push(format!("{:?} over {there:?}", text.plain()));
        }
    }

    /// Draws a character before column `end`. Returns its width.
    fn put(&mut self, x: usize, y: usize, c: char, look: Look, end: usize) -> usize {
        let c = if c == '\t' || c == '\n' { ' ' } else { c };
        let width = c.width().unwrap_or(0);
        let at = y * self.width + x;
        if width == 0 {
            // It belongs to the character before it.
            if let Some(cell) = at.checked_sub(1).and_then(|at| self.cells.get_mut(at)) {
                cell.text.push(c);
            }
            return 0;
        }
        if x + width > end.min(self.width) {
            return 0;
        }
        let cells = &mut self.cells[at..at + width];
        cells[0] = Cell {
            text: c.to_string(),
            look,
        };
        for rest in &mut cells[1..] {
            *rest = Cell {
                text: String::new(),
                look,
            };
        }
        width
    }

    /// Gives an area a background; what is drawn there keeps its color.
    pub fn ground(&mut self, area: Area, ground: Ground) {
        for y in area.top..area.bottom().min(self.height) {
            for x in area.left..area.right().min(self.width) {
                self.cells[y * self.width + x].look.ground = ground;
            }
        }
    }

    /// Erases an area, for what covers it.
    pub fn clear(&mut self, area: Area) {
        for y in area.top..area.bottom().min(self.height) {
            for x in area.left..area.right().min(self.width) {
                self.cells[y * self.width + x] = Cell {
                    text: " ".to_string(),
                    look: Look::PLAIN,
                };
            }
        }
    }

    /// Adds a border around an area; it is drawn by [`Canvas::draw_boxes`].
    pub fn add_box(&mut self, inside: Area) {
        self.boxes.add(inside);
    }

    /// Draws the borders that were added, joined where they meet.
    pub fn draw_boxes(&mut self, look: Look) {
        let boxes = std::mem::replace(&mut self.boxes, Boxes::new(self.width, self.height));
        for (x, y, c) in boxes.characters(&self.symbols) {
            self.put(x, y, c, look, self.width);
        }
    }

    /// The rows as text, without spaces at their ends.
    #[cfg(test)]
    pub fn rows(&self) -> Vec<String> {
        let rows = self.cells.chunks(self.width.max(1));
        rows.map(|row| {
            let text: String = row.iter().map(|cell| cell.text.as_str()).collect();
            text.trim_end().to_string()
        })
        .collect()
    }

    /// What to send to a terminal that shows `previous`, so that it shows this frame. Of each row, only
    /// the part that has changed is sent; all of it if nothing is known about the screen.
    pub fn codes(&self, previous: Option<&Canvas>, theme: Theme) -> String {
        let previous = previous.filter(|p| (p.width, p.height) == (self.width, self.height));
        let mut out = String::new();
        for y in 0..self.height {
            let row = &self.cells[y * self.width..(y + 1) * self.width];
            let old = previous.map(|p| &p.cells[y * self.width..(y + 1) * self.width]);
            let Some((from, to)) = changed_part(row, old) else {
                continue;
            };
            let _ = write!(out, "\x1b[{};{}H", y + 1, from + 1);
            let mut look = None;
            for cell in &row[from..to] {
                if look != Some(cell.look) {
                    out.push_str(&theme.codes(cell.look));
                    look = Some(cell.look);
                }
                out.push_str(&cell.text);
            }
            out.push_str("\x1b[0m");
        }
        match out.is_empty() {
            true => out,
            // The terminal shows the frame when it is complete.
            false => format!("\x1b[?2026h{out}\x1b[?2026l"),
        }
    }
}

/// The first column of a row that has changed, and the one after the last.
fn changed_part(row: &[Cell], old: Option<&[Cell]>) -> Option<(usize, usize)> {
    let Some(old) = old else {
        return (!row.is_empty()).then_some((0, row.len()));
    };
    let differs = |n: &usize| row[*n] != old[*n];
    let mut from = (0..row.len()).find(differs)?;
    let last = (0..row.len()).rfind(differs)?;
    // A wide character is sent as a whole.
    while from > 0 && (row[from].text.is_empty() || old[from].text.is_empty()) {
        from -= 1;
    }
    let mut to = last + 1;
    while to < row.len() && (row[to].text.is_empty() || old[to].text.is_empty()) {
        to += 1;
    }
    Some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas(width: usize, height: usize) -> Canvas {
        Canvas::new(width, height, Symbols::new(false))
    }

    #[test]
    fn what_does_not_fit_ends_with_a_mark() {
        let mut canvas = canvas(10, 4);
        assert_eq!(canvas.text((2, 0), 5, "abcdefgh", Look::PLAIN), 5);
        assert_eq!(canvas.text((2, 1), 5, "abcde", Look::PLAIN), 5);
        // At the edge of the screen, too; wide characters are never halved.
        canvas.text((6, 2), 20, "abcdefgh", Look::PLAIN);
        canvas.text((0, 3), 6, "日本語!", Look::PLAIN);
        assert_eq!(canvas.rows(), ["  abcd…", "  abcde", "      abc…", "日本…"]);
        // Outside, nothing is drawn.
        assert_eq!(canvas.text((10, 0), 5, "x", Look::PLAIN), 0);
        assert_eq!(canvas.text((0, 4), 5, "x", Look::PLAIN), 0);
    }

    #[test]
    fn control_characters_never_reach_the_terminal() {
        let mut canvas = canvas(12, 1);
        canvas.text((0, 0), 12, "a\x1b[31m\tb\n\u{202e}", Look::PLAIN);
        let codes = canvas.codes(None, Theme::None);
        assert_eq!(canvas.rows(), ["a␛[31m b \u{fffd}"]);
        assert!(!codes.contains("\x1b[31m"), "{codes:?}");
    }

    #[test]
    fn only_what_has_changed_is_sent() {
        let mut before = canvas(20, 3);
        before.text((0, 0), 20, "one two", Look::PLAIN);
        before.text((0, 1), 20, "日本語 three", Look::PLAIN);
        let mut after = before.clone();
        assert_eq!(after.codes(Some(&before), Theme::None), "");
        after.text((4, 0), 3, "TWO", Look::PLAIN);
        let codes = after.codes(Some(&before), Theme::None);
        assert_eq!(codes, "\x1b[?2026h\x1b[1;5H\x1b[0mTWO\x1b[0m\x1b[?2026l");
        // A row whose wide character is replaced is sent from there on.
        let mut narrow = before.clone();
        narrow.text((1, 1), 1, "x", Look::PLAIN);
        let codes = narrow.codes(Some(&before), Theme::None);
        assert!(codes.contains("\x1b[2;1H"), "{codes:?}");
        // A frame of another size is sent completely.
        assert!(
            canvas(5, 1)
                .codes(Some(&before), Theme::None)
                .contains("\x1b[1;1H")
        );
    }
}
