//! Draws the board as lines of styled text: row and column numbers, one glyph per piece, marks for
//! the current and the changed cells, a legend. Colors are added by the terminal.

use super::glyph::{BLANK_GLYPH, Glyphs};
use super::{Width, panel};
use crate::code::Status;
use crate::debugger::api::{Line, Style};
use crate::language::{BoardView, CellView, GameView, Viewport};
use crate::value::InternedStr;

/// How the board is drawn in this session, and how much of the screen it may use.
#[derive(Clone, Debug)]
pub struct ViewSettings {
    /// Columns of the screen.
    pub width: usize,
    /// Rows of the screen.
    pub height: usize,
    /// Draw with ASCII characters only.
    pub is_ascii: bool,
    /// Whether the output is an interactive terminal. If not, `:play` at a stop takes its steps
    /// without delays.
    pub can_animate: bool,
    pub(crate) glyphs: Glyphs,
    /// The first row and column shown when the board is too large for the screen.
    pub scroll_origin: (u32, u32),
    /// The cell of the piece whose handler was running at the last stop.
    pub(crate) last_handler_cell: Option<(u32, u32)>,
    /// Kinds whose glyph has been in a legend already.
    in_legend: Vec<InternedStr>,
    /// Whether a legend has explained the `+` of a cell with several pieces.
    plus_in_legend: bool,
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
            in_legend: Vec::new(),
            plus_in_legend: false,
        }
    }
}

/// What to highlight on the board. Cells are given as row and column, counted from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardMarks {
    /// Drawn in brackets: `[x]`.
    pub current: Option<(u32, u32)>,
    /// Drawn in parentheses: `(x)`.
    pub changed: Vec<(u32, u32)>,
    /// Draw hidden pieces too.
    pub show_hidden: bool,
    /// The viewport follows the current cell, so the line about `:board at R,C` is left out.
    pub is_following: bool,
}

/// Columns left of the cells, for the row numbers and a space; more where the numbers are longer.
const MIN_MARGIN_COLUMNS: usize = 5;
/// The board is drawn beside the text of a stop only if that leaves this many columns for the text.
const MIN_STOP_TEXT_COLUMNS: usize = 76;
/// Columns between the text of a stop and the board beside it.
const SIDE_BOARD_GAP_COLUMNS: usize = 3;
/// Size of the excerpt that a stop shows of a board that is too large for it.
const EXCERPT_ROWS: u32 = 7;
const EXCERPT_COLS: u32 = 15;
/// Rows of the screen that the board leaves free, for its numbers, the legend and the prompt.
const ROWS_BESIDE_BOARD: usize = 6;
/// At least this many rows of a board are drawn, however small the screen is.
const MIN_BOARD_ROWS: usize = 3;

impl ViewSettings {
    /// The board, its legend and the state of the game. Glyphs are assigned to `kinds` in order of
    /// definition, so that they do not depend on what is visible.
    pub(crate) fn draw_view(
        &mut self,
        view: &GameView,
        kinds: impl IntoIterator<Item = InternedStr>,
        message: Option<&str>,
        marks: &BoardMarks,
    ) -> Vec<Line> {
        for kind in kinds {
            self.glyphs.get_or_assign(kind);
        }
        let mut lines: Vec<Line> = self.panel(view).into_iter().collect();
        lines.extend(view.board.iter().flat_map(|board| self.board(board, marks)));
        let status = status_lines(view, message);
        let legend = view
            .board
            .iter()
            .flat_map(|board| self.legend(board, marks.show_hidden));
        // The result of a finished game is the last line.
        if view.status == Status::Playing {
            lines.extend(status.into_iter().chain(legend));
        } else {
            lines.extend(legend.chain(status));
        }
        lines
    }

    /// Scrolls to the game's cursor cell, and centers it if it was not visible.
    pub(crate) fn scroll_to_focus(&mut self, board: &BoardView, viewport: Viewport) {
        let Some((row, col)) = board.cursor else {
            return;
        };
        let first_shown = |at: u32, first: u32, shown: u32, total: u32| match (first
            ..first.saturating_add(shown))
            .contains(&at)
        {
            _ if total <= shown => 0,
            true => first,
            false => centered(at, shown, total),
        };
        let (first_row, first_col) = self.scroll_origin;
        let row = first_shown(row, first_row, viewport.rows, board.rows);
        let col = first_shown(col, first_col, viewport.cols, board.cols);
        self.scroll_origin = (row, col);
    }

    /// The screen column where the board is drawn beside the text of a stop; `None` if the screen
    /// is too narrow for both.
    pub(crate) fn side_board_column(&self, board: &BoardView) -> Option<usize> {
        if board.rows == 0 || board.cols == 0 {
            return None;
        }
        let cols = if self.is_too_large(board) {
            board.cols.min(EXCERPT_COLS)
        } else {
            board.cols
        };
        let column = self
            .width
            .checked_sub(margin(board) + 3 * cols as usize + 1)?;
        (column >= MIN_STOP_TEXT_COLUMNS + SIDE_BOARD_GAP_COLUMNS).then_some(column)
    }

    /// The space for text, if the board is shown beside it where there is room.
    pub(crate) fn text_widths(&self, board: Option<&BoardView>) -> Width {
        let column = board.and_then(|board| self.side_board_column(board));
        Width {
            screen: self.width,
            stop: column.map_or(self.width, |column| column - SIDE_BOARD_GAP_COLUMNS),
            ellipsis: if self.is_ascii { 3 } else { 1 },
        }
    }

    /// Whether drawing the whole board would push the text of a stop off the screen.
    fn is_too_large(&self, board: &BoardView) -> bool {
        let viewport = self.viewport(board);
        board.rows > viewport.rows.min(self.height as u32 / 2) || board.cols > viewport.cols
    }

    /// An excerpt of a large board around a cell; `None` if the whole board fits.
    pub(crate) fn viewport_around(
        &self,
        board: &BoardView,
        (row, col): (u32, u32),
    ) -> Option<Viewport> {
        self.is_too_large(board).then(|| Viewport {
            row: centered(row, EXCERPT_ROWS, board.rows),
            col: centered(col, EXCERPT_COLS, board.cols),
            rows: EXCERPT_ROWS,
            cols: EXCERPT_COLS,
        })
    }

    /// The part of the board that fits on the screen, at the scroll position.
    pub(crate) fn viewport(&self, board: &BoardView) -> Viewport {
        let (row, col) = self.scroll_origin;
        let (rows, cols) = (board.rows, board.cols);
        let fit_cols = (self.width.saturating_sub(margin(board) + 1) / 2).max(1) as u32;
        let fit_rows = self
            .height
            .saturating_sub(ROWS_BESIDE_BOARD)
            .max(MIN_BOARD_ROWS) as u32;
        // The scroll position is ignored if the whole board fits.
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

    /// Screen columns per cell: three, with room for marks on both sides, or two if the board would
    /// not fit otherwise.
    fn cell_width(&self, board: &BoardView) -> usize {
        let available = self.width.saturating_sub(margin(board) + 1);
        if board.shown_cols as usize * 3 <= available {
            3
        } else {
            2
        }
    }

    /// The game's counters above the board, aligned with its first and last column.
    fn panel(&self, view: &GameView) -> Option<Line> {
        let board = view.board.as_ref()?;
        let width = (board.shown_cols as usize * self.cell_width(board)).saturating_sub(2);
        let line = panel::render_panel(&view.header, width)?;
        Some(Line::plain(" ".repeat(margin(board) + 1)).with(Style::Plain, line))
    }

    fn board(&mut self, board: &BoardView, marks: &BoardMarks) -> Vec<Line> {
        let cell_width = self.cell_width(board);
        let rows = 0..board.shown_rows;
        let rows: Vec<u32> = if board.is_y_up {
            rows.rev().collect()
        } else {
            rows.collect()
        };
        let mut lines = vec![Line::styled(Style::Dim, heading(board, cell_width))];
        for r in rows {
            lines.push(self.row(board, r, cell_width, marks));
        }
        let is_partial = board.shown_rows < board.rows || board.shown_cols < board.cols;
        if is_partial && !marks.is_following {
            lines.push(Line::styled(Style::Dim, scroll_hint(board)));
        }
        lines
    }

    fn row(&mut self, board: &BoardView, r: u32, cell_width: usize, marks: &BoardMarks) -> Line {
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
            let (style, glyph) = self.cell(cell, marks.show_hidden);
            let (before, after, style) = if marks.current == Some(at) {
                ('[', ']', Style::Current)
            } else if marks.changed.contains(&at) {
                ('(', ')', Style::Changed)
            } else {
                (' ', ' ', style)
            };
            // A `+` marks a cell with more pieces than the one drawn.
            let (before, after) = match (cell.has_hidden_pieces(), cell_width, before) {
                (false, ..) => (before, after),
                (true, 2, ' ') => ('+', after),
                (true, ..) => (before, '+'),
            };
            let text = if cell_width == 3 {
                format!("{before}{glyph}{after}")
            } else {
                format!("{before}{glyph}")
            };
            line = line.with(style, text);
        }
        line
    }

    /// The glyph of a cell and its style.
    fn cell(&mut self, cell: &CellView, show_hidden: bool) -> (Style, char) {
        let Some(name) = cell.overlay.or(cell.name) else {
            return (
                Style::Dim,
                if self.glyphs.has_blank() {
                    ' '
                } else {
                    self.to_drawable(BLANK_GLYPH)
                },
            );
        };
        if !cell.visible && !show_hidden {
            return (Style::Dim, if self.is_ascii { '#' } else { '▒' });
        }
        let glyph = self.glyphs.get_or_assign(name);
        let style = match cell.color {
            Some((r, g, b)) => Style::Color(r, g, b),
            None if glyph == BLANK_GLYPH || !cell.visible => Style::Dim,
            None => Style::Kind(self.glyphs.index(name)),
        };
        (style, self.to_drawable(glyph))
    }

    /// Replaces what is not ASCII where only ASCII may be drawn.
    fn to_drawable(&self, glyph: char) -> char {
        if self.is_ascii && !glyph.is_ascii() {
            if glyph == BLANK_GLYPH { '.' } else { '?' }
        } else {
            glyph
        }
    }

    /// Explains the glyphs that have not been in a legend yet.
    fn legend(&mut self, board: &BoardView, show_hidden: bool) -> Vec<Line> {
        let mut new: Vec<(InternedStr, &CellView)> = Vec::new();
        for cell in &board.cells {
            let drawn = cell
                .overlay
                .or(cell.name)
                .filter(|_| cell.visible || show_hidden);
            if let Some(name) = drawn.filter(|n| !self.in_legend.contains(n)) {
                self.in_legend.push(name);
                self.glyphs.get_or_assign(name);
                new.push((name, cell));
            }
        }
        // The order must not change when pieces move.
        new.sort_by_key(|(name, _)| self.glyphs.index(*name));
        let mut parts = Vec::new();
        for (name, cell) in new {
            let (style, glyph) = self.cell(cell, show_hidden);
            // A kind whose name is its glyph needs no explanation.
            if !name.as_str().chars().eq([glyph]) {
                parts.push(
                    Line::styled(style, glyph.to_string()).with(Style::Dim, format!(" is {name}")),
                );
            }
        }
        if board.cells.iter().any(CellView::has_hidden_pieces)
            && !std::mem::replace(&mut self.plus_in_legend, true)
        {
            parts.push(Line::styled(
                Style::Dim,
                "+ means several pieces: `:cell` lists them",
            ));
        }
        join_wrapped(parts, self.width)
    }

    /// Makes the next drawing explain all glyphs again.
    pub fn reset_legend(&mut self) {
        self.in_legend.clear();
        self.plus_in_legend = false;
    }
}

/// Columns left of the cells of this board.
fn margin(board: &BoardView) -> usize {
    let label_width = |row: i64| board.origin.0.saturating_add(row).to_string().len();
    let last = i64::from(board.rows.saturating_sub(1));
    MIN_MARGIN_COLUMNS
        .max(label_width(0) + 1)
        .max(label_width(last) + 1)
}

/// The first of `shown` rows or columns, out of `total`, that puts `at` in the middle.
fn centered(at: u32, shown: u32, total: u32) -> u32 {
    at.saturating_sub(shown / 2)
        .min(total.saturating_sub(shown))
}

/// Joins parts with commas, wrapped to the width.
fn join_wrapped(parts: Vec<Line>, width: usize) -> Vec<Line> {
    let mut rows: Vec<Line> = Vec::new();
    let columns = |line: &Line| line.text().chars().count();
    for part in parts {
        match rows.last_mut() {
            Some(row) if columns(row) + columns(&part) + 3 <= width => {
                row.0.push((Style::Dim, ", ".into()));
                row.0.extend(part.0);
            }
            last => {
                last.into_iter()
                    .for_each(|row| row.0.push((Style::Dim, ",".into())));
                let mut row = Line::plain(" ".repeat(MIN_MARGIN_COLUMNS));
                row.0.extend(part.0);
                rows.push(row);
            }
        }
    }
    rows
}

/// The line of column numbers: all of them if they fit, else every fifth.
fn heading(board: &BoardView, cell_width: usize) -> String {
    let number = |c: u32| (board.origin.1 + (board.first_col + c) as i64).to_string();
    let longest = number(board.shown_cols.saturating_sub(1))
        .len()
        .max(number(0).len());
    let step = if longest < cell_width { 1 } else { 5 };
    let mut text = String::new();
    for c in (0..board.shown_cols).filter(|c| (board.first_col + c).is_multiple_of(step)) {
        // The glyph is the second character of its cell.
        let at = margin(board) + c as usize * cell_width + 2 - number(c).len().min(2);
        if text.len() <= at {
            text.push_str(&" ".repeat(at - text.len()));
            text.push_str(&number(c));
        }
    }
    text
}

/// Which part of the board is shown, and how to see the rest.
fn scroll_hint(board: &BoardView) -> String {
    let range = |first: u32, shown: u32, total: u32, origin: i64, unit: &str| {
        let last = origin + i64::from((first + shown).saturating_sub(1));
        format!("{unit} {} to {last} of {total}", origin + first as i64)
    };
    let rows = range(
        board.first_row,
        board.shown_rows,
        board.rows,
        board.origin.0,
        "rows",
    );
    let cols = range(
        board.first_col,
        board.shown_cols,
        board.cols,
        board.origin.1,
        "columns",
    );
    format!("     {rows}, {cols}; `:board at R,C` shows another part")
}

/// The lines below the board: whose turn it is or how the game ended, and the game's message.
fn status_lines(view: &GameView, message: Option<&str>) -> Vec<Line> {
    let mut lines = Vec::new();
    let indent = || Line::plain("     ");
    let result = match (view.status, &view.winner) {
        (Status::Playing, _) => None,
        _ if view.ending.is_some() => view.ending.clone(),
        (Status::Won, Some(winner)) => Some(format!("{winner} has won")),
        (Status::Won, None) => Some("The game is won".into()),
        (Status::Lost, _) => Some("The game is lost".into()),
        (Status::Drawn, _) => Some("The game is a draw".into()),
        (Status::Over, _) => Some("The game is over".into()),
    };
    match (result, &view.current_player) {
        (Some(result), _) => lines.push(indent().with(Style::Strong, result)),
        (None, Some(player)) => lines.push(
            indent()
                .with(Style::Dim, "turn: ")
                .with(Style::Plain, player.as_str()),
        ),
        (None, None) => {}
    }
    lines.extend(
        view.footer
            .iter()
            .map(|line| indent().with(Style::Plain, line.as_str())),
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
