//! Draws the board as lines of styled text: row and column numbers, the glyphs of pieces, marks for
//! the current and the changed cells, a legend. Colors are added by the terminal.
//!
//! ```text
//! cell_grid      where the cells of a drawn board are on the screen
//! glyph          assigns each kind of piece a glyph
//! panel          lays out the line above the board
//! piece          the text of cells and pieces
//! tile           what is drawn on a cell
//! view_settings  how the board is shown in a session
//! clip           cuts lines and values to a width
//! ```

pub(crate) mod cell_grid;
pub(crate) mod clip;
pub(crate) mod glyph;
pub(crate) mod panel;
pub(crate) mod piece;
pub(crate) mod tile;
pub(crate) mod view_settings;

use super::Width;
use crate::answer::{Line, ShownBoard, Style};
use crate::code::Status;
use crate::language::{BoardView, CellView, GameView};
use crate::text::fill_rows;
use crate::value::InternedStr;
use cell_grid::CellGrid;
use std::borrow::Cow;

/// Columns left of the cells, for the row numbers and a space; more where the numbers are longer.
const MIN_MARGIN_COLUMNS: usize = 5;

/// The board, its legend and the state of the game.
pub fn shown_board_lines(shown: &ShownBoard, width: Width) -> Vec<Line> {
    board_picture(shown, width).lines
}

/// A drawn board, and where its cells are.
pub struct BoardPicture {
    /// The board, its legend and the state of the game.
    pub lines: Vec<Line>,
    /// Where the cells are in these lines; `None` if there is no board.
    pub cells: Option<CellGrid>,
}

/// Draws the board with the given space between its cells.
pub fn board_picture(shown: &ShownBoard, width: Width) -> BoardPicture {
    let view = &shown.view;
    let text_width = view.board.as_ref().map_or(1, |b| text_width(shown, b));
    let board = view.board.as_ref();
    let board = board.map(|board| fitting_columns(shown, board, text_width, width.screen));
    let board = board.as_deref();
    let drawing = Drawing {
        shown,
        width,
        cells: board.map(|board| {
            let screen = width.screen;
            CellGrid::new(board, margin(board), screen, text_width)
        }),
    };
    let mut lines: Vec<Line> = board
        .and_then(|board| drawing.panel(board))
        .into_iter()
        .collect();
    // The column numbers are above the first row.
    let cells = drawing.cells.map(|cells| cells.below(lines.len() + 1));
    lines.extend(board.into_iter().flat_map(|board| drawing.board(board)));
    let status = status_lines(view, shown.message.as_deref());
    let legend = board.into_iter().flat_map(|board| drawing.legend(board));
    // The result of a finished game is the last line. A board that is drawn in place keeps this order
    // from the start.
    if view.status == Status::Playing && !shown.marks.is_following {
        lines.extend(status.into_iter().chain(legend));
    } else {
        lines.extend(legend.chain(status));
    }
    BoardPicture { lines, cells }
}

/// The rows of the board from top to bottom.
pub(super) fn rows_as_drawn(board: &BoardView) -> impl Iterator<Item = &[CellView]> {
    let columns = board.shown_cols.max(1) as usize;
    let (count, is_y_up) = (board.shown_rows as usize, board.is_y_up);
    (0..count).map(move |n| {
        let row = if is_y_up { count - 1 - n } else { n };
        let start = (row * columns).min(board.cells.len());
        &board.cells[start..(start + columns).min(board.cells.len())]
    })
}

/// The piece that is drawn on a cell; `None` if there is none or it is hidden.
pub(super) fn drawn_name(cell: &CellView, show_hidden: bool) -> Option<InternedStr> {
    let name = cell.overlay.or(cell.name);
    name.filter(|_| cell.visible || show_hidden)
}

/// The length of the longest text on the cells of a board; 1 if there are only single characters.
fn text_width(shown: &ShownBoard, board: &BoardView) -> usize {
    if shown.glyphs.are_characters() {
        return 1;
    }
    let names = board.cells.iter();
    let names = names.filter_map(|cell| drawn_name(cell, shown.marks.show_hidden));
    let glyphs = names.filter_map(|name| shown.glyphs.get(name));
    let widths = glyphs.map(|glyph| glyph.chars().count());
    widths.max().unwrap_or(1).max(1)
}

/// The board, without the columns for which its texts leave no room.
fn fitting_columns<'b>(
    shown: &ShownBoard,
    board: &'b BoardView,
    text_width: usize,
    screen: usize,
) -> Cow<'b, BoardView> {
    let room = screen.saturating_sub(margin(board) + 1) / (text_width + 1);
    let count = u32::try_from(room).unwrap_or(u32::MAX).max(1);
    if text_width == 1 || board.shown_cols <= count {
        return Cow::Borrowed(board);
    }
    let marks = &shown.marks;
    let (first, last) = (board.first_col, board.first_col + board.shown_cols - count);
    // Marked cells stay visible; without them the board is scrolled.
    let start = match marks.selected.or(marks.current) {
        Some((_, col)) => col.saturating_sub(count / 2),
        None => shown.first_col_if_cut,
    };
    let start = start.clamp(first, last);
    let rows = board.cells.chunks(board.shown_cols as usize);
    let from = (start - first) as usize;
    let cells = rows.flat_map(|row| row.iter().skip(from).take(count as usize));
    Cow::Owned(BoardView {
        first_col: start,
        shown_cols: count,
        cells: cells.cloned().collect(),
        ..board.clone()
    })
}

/// A board that is being drawn, and the space for it.
struct Drawing<'a> {
    shown: &'a ShownBoard,
    width: Width,
    /// Where the cells are; `None` if there is no board.
    cells: Option<CellGrid>,
}

impl Drawing<'_> {
    /// The game's counters above the board, aligned with its first and last column.
    fn panel(&self, board: &BoardView) -> Option<Line> {
        let cell_width = self.cells?.cell_width;
        let width = (board.shown_cols as usize * cell_width).saturating_sub(2);
        let line = panel::render_panel(&self.shown.view.header, width)?;
        Some(Line::plain(" ".repeat(margin(board) + 1)).with(Style::Plain, line))
    }

    fn board(&self, board: &BoardView) -> Vec<Line> {
        let Some(grid) = self.cells else {
            return Vec::new();
        };
        let rows = 0..board.shown_rows;
        let rows: Vec<u32> = if board.is_y_up {
            rows.rev().collect()
        } else {
            rows.collect()
        };
        let mut lines = vec![Line::styled(Style::Dim, heading(board, grid))];
        for r in rows {
            lines.push(self.row(board, r, grid));
        }
        let is_partial = board.shown_rows < board.rows || board.shown_cols < board.cols;
        if is_partial && !self.shown.marks.is_following {
            lines.push(Line::styled(Style::Dim, scroll_hint(board)));
        }
        lines
    }

    fn row(&self, board: &BoardView, r: u32, grid: CellGrid) -> Line {
        let marks = &self.shown.marks;
        let number = board.origin.0 + (board.first_row + r) as i64;
        let mut line = Line::styled(
            Style::Dim,
            format!("{number:>before$} ", before = margin(board) - 1),
        );
        line.0.reserve(board.shown_cols as usize);
        // Neighbors are often alike.
        let mut last: Option<(&CellView, Style, Cow<'static, str>)> = None;
        for c in 0..board.shown_cols {
            let Some(cell) = board.cells.get((r * board.shown_cols + c) as usize) else {
                break;
            };
            let at = (board.first_row + r, board.first_col + c);
            let (_, style, glyph) = match &mut last {
                Some(last) if looks_like(last.0, cell) => last,
                last => {
                    let (style, glyph) = self.cell(cell);
                    last.insert((cell, style, glyph))
                }
            };
            let (before, after, style) = if marks.selected == Some(at) {
                ('<', '>', Style::Current)
            } else if marks.current == Some(at) {
                ('[', ']', Style::Current)
            } else if marks.changed.contains(&at) {
                ('(', ')', Style::Changed)
            } else {
                (' ', ' ', *style)
            };
            let extra = grid.cell_width - grid.text_width;
            // A `+` marks a cell with more pieces than the one drawn.
            let (before, after) = match (cell.has_hidden_pieces(), extra, before) {
                (false, ..) => (before, after),
                (true, 1, ' ') => ('+', after),
                (true, ..) => (before, '+'),
            };
            line = line.with(style, cell_text(grid, glyph, before, after));
        }
        line
    }

    /// The glyph of a cell and its style.
    fn cell(&self, cell: &CellView) -> (Style, Cow<'static, str>) {
        tile::style_and_glyph(self.shown, cell, self.width.is_ascii)
    }

    /// Explains the glyphs.
    fn legend(&self, board: &BoardView) -> Vec<Line> {
        let show_hidden = self.shown.marks.show_hidden;
        let mut parts = Vec::new();
        for name in &self.shown.explained_kinds {
            let mut cells = board.cells.iter();
            let Some(cell) = cells.find(|cell| drawn_name(cell, show_hidden) == Some(*name)) else {
                continue;
            };
            let (style, glyph) = self.cell(cell);
            // A kind whose name is its glyph needs no explanation.
            if name.as_str() != glyph {
                parts.push(Line::styled(style, glyph).with(Style::Dim, format!(" is {name}")));
            }
        }
        if self.shown.is_first_stack {
            parts.push(Line::styled(
                Style::Dim,
                "+ means several pieces: `:cell` lists them",
            ));
        }
        join_wrapped(parts, self.width.screen)
    }
}

/// Whether two cells are drawn in the same way.
fn looks_like(a: &CellView, b: &CellView) -> bool {
    (a.overlay, a.name, a.visible, a.color) == (b.overlay, b.name, b.visible, b.color)
}

/// The text of a cell: its glyph at the right edge of the space for texts, with marks on both sides.
fn cell_text(grid: CellGrid, glyph: &str, before: char, after: char) -> String {
    let extra = grid.cell_width - grid.text_width;
    let missing = grid.text_width.saturating_sub(glyph.chars().count());
    let mut text = String::with_capacity(grid.cell_width + glyph.len());
    for _ in 0..missing + usize::from(extra > 2) {
        text.push(' ');
    }
    text.push(before);
    text.push_str(glyph);
    if extra > 1 {
        text.push(after);
    }
    if extra > 2 {
        text.push(' ');
    }
    text
}

/// Columns left of the cells of this board.
pub(super) fn margin(board: &BoardView) -> usize {
    let label_width = |row: i64| board.origin.0.saturating_add(row).to_string().len();
    let last = i64::from(board.rows.saturating_sub(1));
    MIN_MARGIN_COLUMNS
        .max(label_width(0) + 1)
        .max(label_width(last) + 1)
}

/// Joins parts with commas, wrapped to the width. Every row but the last ends with a comma.
fn join_wrapped(parts: Vec<Line>, width: usize) -> Vec<Line> {
    let room = width.saturating_sub(MIN_MARGIN_COLUMNS + 1);
    let rows = fill_rows(&parts, 2, [room; 2], |part| part.text().chars().count());
    let count = rows.len();
    let mut lines = Vec::new();
    for (n, row) in rows.into_iter().enumerate() {
        let mut line = Line::plain(" ".repeat(MIN_MARGIN_COLUMNS));
        for (at, part) in row.iter().enumerate() {
            line.0.extend(part.0.iter().cloned());
            if at + 1 < row.len() {
                line.0.push((Style::Dim, ", ".into()));
            } else if n + 1 < count {
                line.0.push((Style::Dim, ",".into()));
            }
        }
        lines.push(line);
    }
    lines
}

/// The line of column numbers: all of them if they fit, else every fifth.
fn heading(board: &BoardView, grid: CellGrid) -> String {
    let (cell_width, text_width) = (grid.cell_width, grid.text_width);
    let number = |c: u32| (board.origin.1 + (board.first_col + c) as i64).to_string();
    let longest = number(board.shown_cols.saturating_sub(1))
        .len()
        .max(number(0).len());
    let step = if longest < cell_width { 1 } else { 5 };
    let mut text = String::new();
    for c in (0..board.shown_cols).filter(|c| (board.first_col + c).is_multiple_of(step)) {
        // The number ends above the end of the text, which is in the middle of its cell.
        let before = (cell_width - text_width).div_ceil(2);
        let end = margin(board) + c as usize * cell_width + before + text_width;
        let at = end - number(c).len().min(text_width + 1);
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

/// `x has won`, `ann, bob have won`
pub(super) fn have_won(winner: &str) -> String {
    match winner.contains(", ") {
        true => format!("{winner} have won"),
        false => format!("{winner} has won"),
    }
}

/// How the game has ended; `None` if it has not.
pub fn game_result(view: &GameView) -> Option<String> {
    match (view.status, &view.winner) {
        (Status::Playing, _) => None,
        _ if view.ending.is_some() => view.ending.clone(),
        (Status::Won, Some(winner)) => Some(have_won(winner)),
        (Status::Won, None) => Some(GAME_WON.into()),
        (Status::Lost, _) => Some(GAME_LOST.into()),
        (Status::Drawn, _) => Some(GAME_DRAWN.into()),
        (Status::Over, _) => Some(GAME_OVER.into()),
    }
}

const GAME_WON: &str = "The game is won";
const GAME_LOST: &str = "The game is lost";
const GAME_DRAWN: &str = "The game is a draw";
const GAME_OVER: &str = "The game is over";

/// How the game has ended according to a board as text: `None` if there is no board, `Some(None)` if it
/// has not ended there. `endings` are the texts of the language.
pub fn shown_game_result<'l>(lines: &'l [String], endings: &[&str]) -> Option<Option<&'l str>> {
    let is_column_header = |line: &String| {
        !line.trim().is_empty() && line.chars().all(|c| c == ' ' || c.is_ascii_digit())
    };
    let header = lines.iter().rposition(is_column_header)?;
    let below = lines[header + 1..].iter();
    let mut texts = below.filter_map(|line| line.strip_prefix(STATUS_INDENT));
    Some(texts.find(|text| {
        let is_won = text.ends_with(" has won") || text.ends_with(" have won");
        let is_over = [GAME_WON, GAME_LOST, GAME_DRAWN, GAME_OVER].contains(text);
        !text.starts_with(' ') && (is_won || is_over || endings.contains(text))
    }))
}

/// How the game stands and its message, without the columns in front of them.
pub fn board_status(shown: &ShownBoard) -> Vec<Line> {
    let mut lines = status_lines(&shown.view, shown.message.as_deref());
    for line in &mut lines {
        line.0.retain(|(_, text)| text != STATUS_INDENT);
    }
    lines
}

/// The columns in front of the lines below a board.
const STATUS_INDENT: &str = "     ";

/// The lines below the board: whose turn it is or how the game ended, and the game's message.
fn status_lines(view: &GameView, message: Option<&str>) -> Vec<Line> {
    let mut lines = Vec::new();
    let indent = || Line::plain(STATUS_INDENT);
    match (game_result(view), &view.current_player) {
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
