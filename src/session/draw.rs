//! The board as lines of parts, without colours: row and column numbers, a character for each piece, marks.

use super::glyph::{BLANK_GLYPH, Glyphs};
use super::{Line, Session, Style, panel};
use crate::code::Status;
use crate::language::{BoardView, CellView, GameView, Viewport};
use crate::value::InternedStr;

/// How pictures are drawn in this session.
#[derive(Clone, Debug)]
pub struct ViewSettings {
    pub width: usize,
    pub height: usize,
    /// ASCII only.
    pub is_ascii: bool,
    /// Somebody looks on who can press a key: slow motion takes its time.
    pub can_animate: bool,
    pub glyphs: Glyphs,
    /// The first row and column that is shown, if the board is too large for the screen.
    pub scroll_origin: (u32, u32),
    /// The cell whose piece's handler was at hand at the last stop.
    pub(super) last_handler_cell: Option<(u32, u32)>,
    /// Kinds whose character was explained already.
    explained: Vec<InternedStr>,
    /// Whether it was explained how several in one cell are drawn.
    shared: bool,
}

impl Default for ViewSettings {
    fn default() -> ViewSettings {
        ViewSettings {
            width: 80,
            height: 24,
            is_ascii: false,
            can_animate: false,
            glyphs: Glyphs::default(),
            scroll_origin: (0, 0),
            last_handler_cell: None,
            explained: Vec::new(),
            shared: false,
        }
    }
}

/// What is to be pointed out on the board: cells by row and column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardMarks {
    /// The cell at hand.
    pub current: Option<(u32, u32)>,
    pub changed: Vec<(u32, u32)>,
    /// Show hidden pieces too.
    pub show_hidden: bool,
    /// The part that is shown follows the cell at hand: nobody has to look elsewhere.
    pub is_following: bool,
}

/// Columns before the cells: row numbers and a space, if they are not long.
const MARGIN: usize = 5;
/// Columns that the text of a stop has at least, and how far from it the board stands where there is room beside it.
const TEXT: usize = 76;
const GAP: usize = 3;
/// How much is shown of a board that is too large, around a cell.
const NEAR: (u32, u32) = (7, 15);

impl Session {
    /// The board with what belongs to it, drawn for this screen.
    pub fn draw_board(&mut self, marked: &BoardMarks) -> Vec<Line> {
        let window = self.viewport();
        self.draw_viewport(window, marked)
    }

    /// A part of the board with what belongs to it.
    pub fn draw_viewport(&mut self, window: Viewport, marked: &BoardMarks) -> Vec<Line> {
        let view = self.view(window);
        // In the order of their definition, so that the characters do not depend on what is in sight.
        let drawn = self.program().board_info.is_derived;
        let kinds: Vec<InternedStr> = self
            .program()
            .piece_kinds
            .iter()
            .filter(|_| !drawn)
            .map(|k| k.name)
            .collect();
        for kind in kinds {
            self.view_settings.glyphs.get_or_assign(kind);
        }
        let message = self.machine.store.message.as_ref().map(|m| m.to_string());
        let mut lines: Vec<Line> = self.view_settings.panel(&view).into_iter().collect();
        lines.extend(
            view.board
                .iter()
                .flat_map(|board| self.view_settings.board(board, marked)),
        );
        let below = below(&view, message.as_deref());
        let legend = view
            .board
            .iter()
            .flat_map(|board| self.view_settings.legend(board, marked.show_hidden));
        // How a game ended is the last that is said of it.
        if view.status == Status::Playing {
            lines.extend(below.into_iter().chain(legend));
        } else {
            lines.extend(legend.chain(below));
        }
        lines
    }

    /// Rows and columns of the board as it is seen: it need not lie in the store.
    pub fn board_size(&self) -> Option<(u32, u32)> {
        self.view(Viewport::NONE).board.map(|b| (b.rows, b.cols))
    }

    /// Looks at the part of the board that holds the cell at hand, in the middle if it was out of sight.
    pub fn scroll_to_focus(&mut self, window: Viewport) {
        let Some(board) = self.view(Viewport::NONE).board else {
            return;
        };
        let Some((row, col)) = board.cursor else {
            return;
        };
        let along = |at: u32, from: u32, fits: u32, all: u32| match (from..from
            .saturating_add(fits))
            .contains(&at)
        {
            _ if all <= fits => 0,
            true => from,
            false => at.saturating_sub(fits / 2).min(all.saturating_sub(fits)),
        };
        let corner = self.view_settings.scroll_origin;
        let row = along(row, corner.0, window.rows, board.rows);
        self.view_settings.scroll_origin = (row, along(col, corner.1, window.cols, board.cols));
    }

    /// The column at which the board begins beside the text of a stop, if the screen is wide enough for both.
    pub(super) fn side_board_column(&self) -> Option<usize> {
        let board = self
            .view(Viewport::NONE)
            .board
            .filter(|b| b.rows > 0 && b.cols > 0)?;
        let cols = if self.is_too_large() {
            board.cols.min(NEAR.1)
        } else {
            board.cols
        };
        let column = self
            .view_settings
            .width
            .checked_sub(margin(&board) + 3 * cols as usize + 1)?;
        (column >= TEXT + GAP).then_some(column)
    }

    /// How wide the text of a stop may be.
    pub(super) fn text_width(&self) -> usize {
        self.side_board_column()
            .map_or(self.view_settings.width, |column| column - GAP)
    }

    /// Whether a stop would leave the screen with the whole board.
    fn is_too_large(&self) -> bool {
        let (rows, cols) = self.board_size().unwrap_or_default();
        let window = self.viewport();
        rows > window.rows.min(self.view_settings.height as u32 / 2) || cols > window.cols
    }

    /// The part of a large board around a cell; nothing if the whole board can be shown.
    pub(super) fn viewport_around(&self, (row, col): (u32, u32)) -> Option<Viewport> {
        let (rows, cols) = self.board_size().filter(|_| self.is_too_large())?;
        let from = |at: u32, some: u32, all: u32| {
            at.saturating_sub(some / 2).min(all.saturating_sub(some))
        };
        let (row, col) = (from(row, NEAR.0, rows), from(col, NEAR.1, cols));
        Some(Viewport {
            row,
            col,
            rows: NEAR.0,
            cols: NEAR.1,
        })
    }

    /// The part of the board that fits on the screen.
    pub fn viewport(&self) -> Viewport {
        let (row, col) = self.view_settings.scroll_origin;
        let board = self.view(Viewport::NONE).board.unwrap_or_default();
        let (rows, cols) = (board.rows, board.cols);
        let fit_cols =
            (self.view_settings.width.saturating_sub(margin(&board) + 1) / 2).max(1) as u32;
        let fit_rows = self.view_settings.height.saturating_sub(6).max(3) as u32;
        // A board that fits is shown whole, wherever one has looked before.
        let row = if rows <= fit_rows {
            0
        } else {
            row.min(rows.saturating_sub(1))
        };
        let col = if cols <= fit_cols {
            0
        } else {
            col.min(cols.saturating_sub(1))
        };
        Viewport {
            row,
            col,
            rows: fit_rows,
            cols: fit_cols,
        }
    }
}

impl ViewSettings {
    /// Three columns a cell, if they fit: room for marks on both sides.
    fn cell_width(&self, board: &BoardView) -> usize {
        let room = self.width.saturating_sub(margin(board) + 1);
        if board.shown_cols as usize * 3 <= room {
            3
        } else {
            2
        }
    }

    /// What stands above the board, from its first cell to its last.
    fn panel(&self, view: &GameView) -> Option<Line> {
        let board = view.board.as_ref()?;
        let width = (board.shown_cols as usize * self.cell_width(board)).saturating_sub(2);
        let line = panel::render_panel(&view.header, width)?;
        Some(Line::plain(" ".repeat(margin(board) + 1)).with(Style::Plain, line))
    }

    fn board(&mut self, board: &BoardView, marked: &BoardMarks) -> Vec<Line> {
        let wide = self.cell_width(board);
        let rows = 0..board.shown_rows;
        let rows: Vec<u32> = if board.is_y_up {
            rows.rev().collect()
        } else {
            rows.collect()
        };
        let mut lines = vec![Line::styled(Style::Dim, heading(board, wide))];
        for r in rows {
            lines.push(self.row(board, r, wide, marked));
        }
        let part = board.shown_rows < board.rows || board.shown_cols < board.cols;
        if part && !marked.is_following {
            lines.push(Line::styled(Style::Dim, elsewhere(board)));
        }
        lines
    }

    fn row(&mut self, board: &BoardView, r: u32, wide: usize, marked: &BoardMarks) -> Line {
        let number = board.origin.0 + (board.first_row + r) as i64;
        let mut line = Line::styled(
            Style::Dim,
            format!("{number:>before$} ", before = margin(board) - 1),
        );
        for c in 0..board.shown_cols {
            let Some(cell) = board.cells.get((r * board.shown_cols + c) as usize) else {
                break;
            };
            let at = (board.first_row + r, board.first_col + c);
            let (style, glyph) = self.cell(cell, marked.show_hidden);
            let (before, after, style) = if marked.current == Some(at) {
                ('[', ']', Style::Current)
            } else if marked.changed.contains(&at) {
                ('(', ')', Style::Changed)
            } else {
                (' ', ' ', style)
            };
            // Where there are several, the first is seen, and that there are more.
            let (before, after) = match (cell.has_hidden_pieces(), wide, before) {
                (false, ..) => (before, after),
                (true, 2, ' ') => ('+', after),
                (true, ..) => (before, '+'),
            };
            let text = if wide == 3 {
                format!("{before}{glyph}{after}")
            } else {
                format!("{before}{glyph}")
            };
            line = line.with(style, text);
        }
        line
    }

    /// The character of a cell, and what it means.
    fn cell(&mut self, cell: &CellView, truth: bool) -> (Style, char) {
        let Some(name) = cell.overlay.or(cell.name) else {
            return (
                Style::Dim,
                if self.glyphs.has_blank() {
                    ' '
                } else {
                    self.sign(BLANK_GLYPH)
                },
            );
        };
        if !cell.visible && !truth {
            return (Style::Dim, if self.is_ascii { '#' } else { '▒' });
        }
        let glyph = self.glyphs.get_or_assign(name);
        let style = match cell.colour {
            Some((r, g, b)) => Style::Colour(r, g, b),
            None if glyph == BLANK_GLYPH || !cell.visible => Style::Dim,
            None => Style::Kind(self.glyphs.index(name)),
        };
        (style, self.sign(glyph))
    }

    fn sign(&self, glyph: char) -> char {
        if self.is_ascii && !glyph.is_ascii() {
            if glyph == BLANK_GLYPH { '.' } else { '?' }
        } else {
            glyph
        }
    }

    /// What the characters mean that are seen for the first time.
    fn legend(&mut self, board: &BoardView, truth: bool) -> Vec<Line> {
        let mut new: Vec<(InternedStr, &CellView)> = Vec::new();
        for cell in &board.cells {
            let seen = cell.overlay.or(cell.name).filter(|_| cell.visible || truth);
            if let Some(name) = seen.filter(|n| !self.explained.contains(n)) {
                self.explained.push(name);
                self.glyphs.get_or_assign(name);
                new.push((name, cell));
            }
        }
        // In an order that does not change when pieces move.
        new.sort_by_key(|(name, _)| self.glyphs.index(*name));
        let mut parts = Vec::new();
        for (name, cell) in new {
            let (style, glyph) = self.cell(cell, truth);
            // A character that is the name says enough.
            if !name.as_str().chars().eq([glyph]) {
                parts.push(
                    Line::styled(style, glyph.to_string()).with(Style::Dim, format!(" is {name}")),
                );
            }
        }
        if board.cells.iter().any(CellView::has_hidden_pieces)
            && !std::mem::replace(&mut self.shared, true)
        {
            parts.push(Line::styled(
                Style::Dim,
                "+ is more than one: :cell lists them",
            ));
        }
        in_rows(parts, self.width)
    }

    /// Forgets which characters were explained: a whole legend is wanted.
    pub fn reset_legend(&mut self) {
        self.explained.clear();
        self.shared = false;
    }
}

/// Columns before the cells of this board.
fn margin(board: &BoardView) -> usize {
    let label = |row: i64| board.origin.0.saturating_add(row).to_string().len();
    let last = i64::from(board.rows.saturating_sub(1));
    MARGIN.max(label(0) + 1).max(label(last) + 1)
}

/// Parts with commas between them, in rows that fit.
fn in_rows(parts: Vec<Line>, width: usize) -> Vec<Line> {
    let mut rows: Vec<Line> = Vec::new();
    let wide = |line: &Line| line.text().chars().count();
    for part in parts {
        match rows.last_mut() {
            Some(row) if wide(row) + wide(&part) + 3 <= width => {
                row.0.push((Style::Dim, ", ".into()));
                row.0.extend(part.0);
            }
            last => {
                last.into_iter()
                    .for_each(|row| row.0.push((Style::Dim, ",".into())));
                let mut row = Line::plain(" ".repeat(MARGIN));
                row.0.extend(part.0);
                rows.push(row);
            }
        }
    }
    rows
}

/// The column numbers: all of them if they fit, else every fifth.
fn heading(board: &BoardView, wide: usize) -> String {
    let number = |c: u32| (board.origin.1 + (board.first_col + c) as i64).to_string();
    let longest = number(board.shown_cols.saturating_sub(1))
        .len()
        .max(number(0).len());
    let step = if longest < wide { 1 } else { 5 };
    let mut text = String::new();
    for c in (0..board.shown_cols).filter(|c| (board.first_col + c).is_multiple_of(step)) {
        // The glyph stands in the second place of its cell.
        let at = margin(board) + c as usize * wide + 2 - number(c).len().min(2);
        if text.len() <= at {
            text.push_str(&" ".repeat(at - text.len()));
            text.push_str(&number(c));
        }
    }
    text
}

fn elsewhere(board: &BoardView) -> String {
    let part = |from: u32, shown: u32, all: u32, origin: i64, word: &str| {
        let (first, last) = (
            origin + from as i64,
            origin + i64::from((from + shown).saturating_sub(1)),
        );
        format!("{word} {first} to {last} of {all}")
    };
    let rows = part(
        board.first_row,
        board.shown_rows,
        board.rows,
        board.origin.0,
        "rows",
    );
    let cols = part(
        board.first_col,
        board.shown_cols,
        board.cols,
        board.origin.1,
        "columns",
    );
    format!("     {rows}, {cols}; :board at R,C looks elsewhere")
}

/// Whose turn it is, what the game shows, how it ended.
fn below(view: &GameView, message: Option<&str>) -> Vec<Line> {
    let mut lines = Vec::new();
    let indent = || Line::plain("     ");
    let result = match (view.status, &view.winner) {
        (Status::Playing, _) => None,
        _ if view.ending.is_some() => view.ending.clone(),
        (Status::Won, Some(winner)) => Some(format!("{winner} has won")),
        (Status::Won, None) => Some("the game is won".into()),
        (Status::Lost, _) => Some("the game is lost".into()),
        (Status::Drawn, _) => Some("a draw: nobody has won".into()),
        (Status::Over, _) => Some("the game is over".into()),
    };
    match (result, &view.current_player) {
        (Some(result), _) => lines.push(indent().with(Style::Strong, result)),
        (None, Some(turn)) => lines.push(
            indent()
                .with(Style::Dim, "turn: ")
                .with(Style::Plain, turn.as_str()),
        ),
        (None, None) => {}
    }
    lines.extend(
        view.footer
            .iter()
            .map(|note| indent().with(Style::Plain, note.as_str())),
    );
    if let Some(message) = message {
        lines.push(
            indent()
                .with(Style::Dim, "message: ")
                .with(Style::Plain, message),
        );
    }
    lines
}
