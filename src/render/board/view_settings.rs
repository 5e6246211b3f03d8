//! How the board is shown in a session: which part of it fits on the screen, and the glyphs of the
//! pieces.

use super::glyph::{GlyphRules, assigned_glyph, is_self_explanatory};
use super::{margin, text_width};
use crate::answer::{Audience, BoardMarks, Glyphs, ShownBoard};
use crate::code::{BoardInfo, PieceKind};
use crate::language::{BoardView, CellView, GameView, Viewport};
use crate::render::Width;
use crate::value::{InternedStr, SharedVec};
use std::collections::HashSet;
use std::rc::Rc;

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
    /// Who reads the text.
    pub audience: Audience,
    /// The glyphs assigned so far. They are shared with answers.
    pub(crate) glyphs: Rc<Glyphs>,
    /// The first row and column shown when the board is too large for the screen.
    pub scroll_origin: (u32, u32),
    /// The cell of the piece whose handler was running at the last stop.
    pub(crate) last_handler_cell: Option<(u32, u32)>,
    /// Kinds whose glyph has been in a legend already.
    in_legend: HashSet<InternedStr>,
    /// The kinds of pieces that had glyphs when a board was last shown. Most answers share all of them.
    kinds: SharedVec<PieceKind>,
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
            audience: Audience::Prompt,
            glyphs: Rc::default(),
            scroll_origin: (0, 0),
            last_handler_cell: None,
            in_legend: HashSet::new(),
            kinds: SharedVec::default(),
            plus_in_legend: false,
        }
    }
}

impl ViewSettings {
    /// Takes over what depends on the screen from the settings of another session.
    pub fn inherit_screen(&mut self, other: &ViewSettings) {
        (self.width, self.height) = (other.width, other.height);
        (self.is_ascii, self.can_animate) = (other.is_ascii, other.can_animate);
    }
}

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
    /// A view of the game as an answer shows it. Glyphs are assigned to `kinds` in order of
    /// definition, so that they do not depend on what is visible.
    pub(crate) fn show(
        &mut self,
        view: Rc<GameView>,
        info: BoardInfo,
        kinds: &SharedVec<PieceKind>,
        message: Option<String>,
        marks: BoardMarks,
    ) -> ShownBoard {
        let cells = view.board.iter().flat_map(|board| &board.cells);
        let rules = GlyphRules {
            names_are_texts: info.names_are_texts,
            has_empty_cells: cells.into_iter().any(CellView::is_empty),
        };
        for n in kinds.unshared_ranges(&self.kinds).into_iter().flatten() {
            if let Some(kind) = kinds.get(n) {
                self.assign_glyph(rules, kind.name);
            }
        }
        self.kinds = kinds.clone();
        let board = view.board.as_ref();
        let explained_kinds =
            board.map_or_else(Vec::new, |board| self.explain_kinds(rules, board, &marks));
        let has_stack = board.is_some_and(|b| b.cells.iter().any(CellView::has_hidden_pieces));
        let is_first_stack = has_stack && !std::mem::replace(&mut self.plus_in_legend, true);
        ShownBoard {
            view,
            message,
            marks,
            glyphs: self.glyphs.clone(),
            explained_kinds,
            first_col_if_cut: self.scroll_origin.1,
            is_first_stack,
        }
    }

    fn assign_glyph(&mut self, rules: GlyphRules, kind: InternedStr) {
        if self.glyphs.get(kind).is_none() {
            assigned_glyph(Rc::make_mut(&mut self.glyphs), rules, kind);
        }
    }

    /// The kinds on the board that have not been in a legend yet, and those whose glyphs do not
    /// explain themselves, in the order of their glyphs.
    fn explain_kinds(
        &mut self,
        rules: GlyphRules,
        board: &BoardView,
        marks: &BoardMarks,
    ) -> Vec<InternedStr> {
        let mut drawn = HashSet::new();
        let mut last = None;
        let mut explained = Vec::new();
        for cell in super::rows_as_drawn(board).flatten() {
            let name = super::drawn_name(cell, marks.show_hidden);
            if name == last {
                continue;
            }
            last = name;
            let Some(name) = name.filter(|name| drawn.insert(*name)) else {
                continue;
            };
            self.assign_glyph(rules, name);
            let is_new = self.in_legend.insert(name);
            let glyph = self.glyphs.get(name).unwrap_or_default();
            if is_new || !is_self_explanatory(name.as_str(), glyph) {
                explained.push(name);
            }
        }
        // The order must not change when pieces move.
        explained.sort_by_key(|name| self.glyphs.index(*name));
        explained
    }

    /// The screen column of the answer's board if it is drawn beside the text of a stop; `None` if
    /// it is drawn below the text.
    #[cfg(feature = "terminal")]
    pub(crate) fn board_column(&self, answer: &crate::answer::Answer) -> Option<usize> {
        answer.stop.as_ref()?;
        let shown = answer.board.as_ref()?;
        let board = shown.view.board.as_ref()?;
        let column = self.side_board_column(board)?;
        // Long texts on the cells need more columns than the outline of the board tells.
        let cells = (text_width(shown, board) + 2) * board.shown_cols as usize;
        (column + margin(board) + cells < self.width).then_some(column)
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
            is_ascii: self.is_ascii,
            audience: self.audience,
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

    /// Makes the next drawing explain all glyphs again.
    pub fn reset_legend(&mut self) {
        self.in_legend.clear();
        self.plus_in_legend = false;
    }
}

/// The first of `shown` rows or columns, out of `total`, that puts `at` in the middle.
fn centered(at: u32, shown: u32, total: u32) -> u32 {
    at.saturating_sub(shown / 2)
        .min(total.saturating_sub(shown))
}
