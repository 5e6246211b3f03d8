//! Compares what is displayed of the game before and after an entry, to show the board only when
//! it has changed and to highlight the changed cells.

use super::{Answer, BoardMarks, Session};
use crate::answer::{ShowBoard, ShownBoard};
use crate::code::Program;
use crate::debugger::frame;
use crate::debugger::history;
use crate::language::{CellView, GameView, Viewport};
use crate::value::StoreSnapshot;
use std::rc::Rc;

/// A snapshot of everything that is displayed of the game.
pub(crate) struct DisplayState {
    program: Rc<Program>,
    viewport: Viewport,
    view: Rc<GameView>,
    message: Option<String>,
    store: StoreSnapshot,
}

impl Session {
    /// The state displayed on the screen now.
    pub(crate) fn display_state(&mut self) -> Rc<DisplayState> {
        self.display_state_in(self.viewport())
    }

    /// Between two entries nothing changes, so the last result is returned again if the game is the
    /// same.
    fn display_state_in(&mut self, viewport: Viewport) -> Rc<DisplayState> {
        let store = self.target.machine.store.snapshot().0;
        let program = self.target.program();
        let is_same = |last: &&Rc<DisplayState>| {
            last.viewport == viewport && Rc::ptr_eq(&last.program, program) && last.store == store
        };
        if let Some(last) = self.last_display.as_ref().filter(is_same) {
            return last.clone();
        }
        let view = GameView {
            turn_count: None,
            ..self.target.view(viewport)
        };
        let state = DisplayState {
            program: program.clone(),
            viewport,
            view: Rc::new(view),
            message: store.message().map(str::to_string),
            store,
        };
        self.last_display.insert(Rc::new(state)).clone()
    }

    /// The board to show with an answer: if it looks different than before, or the answer asks for it.
    /// A stop shows it, too, when it is in another piece's handler than the last one, and always if
    /// it fits beside the text.
    pub(crate) fn board_to_show(
        &mut self,
        answer: &Answer,
        before: &DisplayState,
    ) -> Option<Box<ShownBoard>> {
        let enters_handler = self.enters_handler(answer);
        // The outline of the board is kept for a state of which there is a snapshot.
        self.target.machine.store.snapshot();
        if answer.show_board == ShowBoard::No || answer.board.is_some() {
            return None;
        }
        // Keep the game's cursor visible.
        let cursor = |view: &GameView| view.board.as_ref().and_then(|board| board.cursor);
        let outline = self.target.board_outline();
        let cursor_now = outline.as_ref().and_then(|board| board.cursor);
        if cursor_now != cursor(&before.view) {
            self.scroll_to_focus(self.viewport());
        }
        let now = self.display_state_in(before.viewport);
        let is_same_viewport = self.viewport() == before.viewport;
        let changed_lines = self.changed_lines(&before.store, &now.store);
        let is_unchanged = is_same_viewport
            && now.view == before.view
            && now.message == before.message
            && changed_lines.is_empty();
        let fits_beside = outline
            .as_ref()
            .is_some_and(|board| self.view_settings.side_board_column(board).is_some());
        let is_shown = !is_unchanged
            || answer.show_board > ShowBoard::IfChanged
            || enters_handler
            || answer.stop.is_some() && fits_beside;
        if !is_shown {
            return None;
        }
        let changed = if is_same_viewport {
            differing_cells(&before.view, &now.view)
        } else {
            Vec::new()
        };
        let current = if self.target.is_stopped() {
            history::current_cell(&self.target)
        } else {
            None
        };
        let marks = BoardMarks {
            current,
            changed,
            ..BoardMarks::default()
        };
        // A stop shows only an excerpt of a board that would fill the screen.
        let center = current
            .or_else(|| cursor(&now.view))
            .filter(|_| answer.stop.is_some());
        let excerpt =
            center.and_then(|cell| self.view_settings.viewport_around(outline.as_ref()?, cell));
        let mut shown = match excerpt {
            Some(viewport) => {
                // Compare the stores: the excerpt may not have been visible before.
                let changed = self.changed_cells(&before.store, &now.store);
                let marks = BoardMarks {
                    changed,
                    is_following: true,
                    ..marks
                };
                self.shown_viewport(viewport, marks)
            }
            None if is_same_viewport => self.shown_view(now.view.clone(), marks),
            None => self.shown_viewport(self.viewport(), marks),
        };
        if !changed_lines.is_empty() {
            let footer = &mut Rc::make_mut(&mut shown.view).footer;
            footer.splice(..0, changed_lines);
        }
        Some(shown)
    }

    /// Lines about what has changed, if the view does not list it.
    fn changed_lines(&self, before: &StoreSnapshot, now: &StoreSnapshot) -> Vec<String> {
        let (program, store) = (self.target.program(), &self.target.machine.store);
        let changed = before.changed_globals(now);
        let language = self.target.language();
        language.changed_lines(program, store, &changed)
    }

    /// The cells in which two snapshots of the store differ.
    fn changed_cells(&self, before: &StoreSnapshot, now: &StoreSnapshot) -> Vec<(u32, u32)> {
        if before.size() != now.size() {
            return Vec::new();
        }
        before
            .changed_cells(now)
            .into_iter()
            .map(|at| self.target.machine.store.row_col(at))
            .collect()
    }

    /// Whether the stop is in the handler of a different piece than the last stop.
    fn enters_handler(&mut self, answer: &Answer) -> bool {
        if !self.target.is_stopped() {
            self.view_settings.last_handler_cell = None;
        }
        if answer.stop.is_none() {
            return false;
        }
        let handler = frame::handler_cell(&self.target, self.target.debugger.selected_frame);
        std::mem::replace(&mut self.view_settings.last_handler_cell, handler) != handler
            && handler.is_some()
    }
}

/// The displayed cells that differ. Empty if all of them do, or if the board has a different size.
pub(crate) fn differing_cells(before: &GameView, now: &GameView) -> Vec<(u32, u32)> {
    let (Some(a), Some(b)) = (&before.board, &now.board) else {
        return Vec::new();
    };
    if (a.rows, a.cols, a.first_row, a.first_col, a.origin)
        != (b.rows, b.cols, b.first_row, b.first_col, b.origin)
        || b.shown_cols == 0
    {
        return Vec::new();
    }
    let at = |n: usize| {
        (
            b.first_row + n as u32 / b.shown_cols,
            b.first_col + n as u32 % b.shown_cols,
        )
    };
    let differ = |a: &CellView, b: &CellView| {
        (a.visible, a.color, &a.others) != (b.visible, b.color, &b.others)
            || a.visible && a.name != b.name
    };
    let pairs = a.cells.iter().zip(&b.cells).enumerate();
    let cells: Vec<_> = pairs
        .filter(|(_, (a, b))| differ(a, b))
        .map(|(n, _)| at(n))
        .collect();
    if cells.len() == b.cells.len() && cells.len() > 1 {
        Vec::new()
    } else {
        cells
    }
}
