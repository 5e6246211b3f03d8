//! What a person sees of the game before and after something typed: whether it changed, and where.

use super::{BoardMarks, Reply, Session};
use crate::language::{GameView, Viewport};
use crate::value::StoreSnapshot;

/// The game as it was seen.
#[derive(Clone, PartialEq, Debug)]
pub struct DisplayState {
    window: Viewport,
    view: GameView,
    message: Option<String>,
    store: StoreSnapshot,
}

impl Session {
    pub fn display_state(&mut self) -> DisplayState {
        self.seen_in(self.viewport())
    }

    fn seen_in(&mut self, window: Viewport) -> DisplayState {
        let message = self.machine.store.message.as_ref().map(|m| m.to_string());
        // Variables are not part of the picture.
        let view = GameView {
            variables: Vec::new(),
            elements: Vec::new(),
            turn_count: None,
            ..self.view(window)
        };
        DisplayState {
            window,
            view,
            message,
            store: self.machine.store.snapshot().0,
        }
    }

    /// Draws the board into the reply, if there is something new to see on it. A stop also has it where another piece's
    /// handler is at hand; and every stop does, where the board finds room beside the text.
    pub fn draw_if_changed(&mut self, reply: &mut Reply, before: &DisplayState) {
        let arrives = self.arrives(reply);
        if !reply.show_board || !reply.board_lines.is_empty() {
            return;
        }
        // Whoever moves is looked at.
        let focus = |view: &GameView| view.board.as_ref().and_then(|board| board.cursor);
        if focus(&self.view(Viewport::NONE)) != focus(&before.view) {
            self.scroll_to_focus(self.viewport());
        }
        let now = self.seen_in(before.window);
        let same_window = self.viewport() == before.window;
        let same = same_window && now.view == before.view && now.message == before.message;
        reply.board_column = self.side_board_column().filter(|_| reply.stop.is_some());
        if same && !reply.redraw && !arrives && reply.board_column.is_none() {
            return;
        }
        let changed = if same_window {
            differing(before, &now)
        } else {
            Vec::new()
        };
        let here = if self.is_stopped() {
            self.current_cell()
        } else {
            None
        };
        let marked = BoardMarks {
            current: here,
            changed,
            ..BoardMarks::default()
        };
        // What is around a cell now may have been out of sight before.
        let near = || self.changed_cells(&before.store, &now.store);
        // A board that fills the screen would leave no room for the stop itself.
        let middle = here
            .or_else(|| focus(&now.view))
            .filter(|_| reply.stop.is_some());
        let around = middle.and_then(|cell| self.viewport_around(cell));
        reply.board_lines = match around {
            Some(window) => {
                let changed = near();
                self.draw_viewport(
                    window,
                    &BoardMarks {
                        changed,
                        is_following: true,
                        ..marked
                    },
                )
            }
            None => self.draw_board(&marked),
        };
    }

    /// The cells of the store in which two images differ.
    fn changed_cells(&self, before: &StoreSnapshot, now: &StoreSnapshot) -> Vec<(u32, u32)> {
        if before.size() != now.size() {
            return Vec::new();
        }
        before
            .changed_cells(now)
            .into_iter()
            .map(|at| self.machine.store.row_col(at))
            .collect()
    }

    /// Whether a stop is in the handler of another piece than the stop before.
    fn arrives(&mut self, reply: &Reply) -> bool {
        if !self.is_stopped() {
            self.view_settings.last_handler_cell = None;
        }
        if reply.stop.is_none() {
            return false;
        }
        let handler = self.handler_cell(self.debugger.selected_frame);
        std::mem::replace(&mut self.view_settings.last_handler_cell, handler) != handler
            && handler.is_some()
    }
}

/// The cells that differ; none if all of them do, or the board is another.
fn differing(before: &DisplayState, now: &DisplayState) -> Vec<(u32, u32)> {
    let (Some(a), Some(b)) = (&before.view.board, &now.view.board) else {
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
    let visible = |c: &crate::language::CellView| {
        (
            c.visible,
            c.visible.then_some(c.name),
            c.colour,
            c.others.clone(),
        )
    };
    let pairs = a.cells.iter().zip(&b.cells).enumerate();
    let cells: Vec<_> = pairs
        .filter(|(_, (x, y))| visible(x) != visible(y))
        .map(|(n, _)| at(n))
        .collect();
    if cells.len() == b.cells.len() && cells.len() > 1 {
        Vec::new()
    } else {
        cells
    }
}
