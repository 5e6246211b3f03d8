//! What a person sees of the game before and after something typed: whether it changed, and where.

use super::{Marked, Reply, Session};
use crate::language::{GameView, Window};
use crate::value::StoreImage;

/// The game as it was seen.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    window: Window,
    view: GameView,
    message: Option<String>,
    store: StoreImage,
}

impl Session {
    pub fn seen(&mut self) -> Seen {
        self.seen_in(self.window())
    }

    fn seen_in(&mut self, window: Window) -> Seen {
        let message = self.machine.store.message.as_ref().map(|m| m.to_string());
        // Variables are not part of the picture.
        let view = GameView {
            variables: Vec::new(),
            elements: Vec::new(),
            turn_count: None,
            ..self.view(window)
        };
        Seen {
            window,
            view,
            message,
            store: self.machine.store.image().0,
        }
    }

    /// Draws the board into the reply, if there is something new to see on it. A stop also has it where another piece's
    /// handler is at hand; and every stop does, where the board finds room beside the text.
    pub fn draw_if_changed(&mut self, reply: &mut Reply, before: &Seen) {
        let arrives = self.arrives(reply);
        if !reply.board || !reply.picture.is_empty() {
            return;
        }
        // Whoever moves is looked at.
        let focus = |view: &GameView| view.board.as_ref().and_then(|board| board.focus);
        if focus(&self.view(Window::NONE)) != focus(&before.view) {
            self.follow(self.window());
        }
        let now = self.seen_in(before.window);
        let same_window = self.window() == before.window;
        let same = same_window && now.view == before.view && now.message == before.message;
        reply.beside = self.column_beside().filter(|_| reply.stop.is_some());
        if same && !reply.redraw && !arrives && reply.beside.is_none() {
            return;
        }
        let changed = if same_window {
            differing(before, &now)
        } else {
            Vec::new()
        };
        let here = if self.is_stopped() {
            self.cell_at_hand()
        } else {
            None
        };
        let marked = Marked {
            here,
            changed,
            ..Marked::default()
        };
        // What is around a cell now may have been out of sight before.
        let near = || self.changed_cells(&before.store, &now.store);
        // A board that fills the screen would leave no room for the stop itself.
        let middle = here
            .or_else(|| focus(&now.view))
            .filter(|_| reply.stop.is_some());
        let around = middle.and_then(|cell| self.around(cell));
        reply.picture = match around {
            Some(window) => {
                let changed = near();
                self.picture_of(
                    window,
                    &Marked {
                        changed,
                        followed: true,
                        ..marked
                    },
                )
            }
            None => self.picture(&marked),
        };
    }

    /// The cells of the store in which two images differ.
    fn changed_cells(&self, before: &StoreImage, now: &StoreImage) -> Vec<(u32, u32)> {
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
            self.look.handler = None;
        }
        if reply.stop.is_none() {
            return false;
        }
        let handler = self.cell_of_handler(self.debugger.frame);
        std::mem::replace(&mut self.look.handler, handler) != handler && handler.is_some()
    }
}

/// The cells that differ; none if all of them do, or the board is another.
fn differing(before: &Seen, now: &Seen) -> Vec<(u32, u32)> {
    let (Some(a), Some(b)) = (&before.view.board, &now.view.board) else {
        return Vec::new();
    };
    if (a.rows, a.cols, a.row, a.col, a.origin) != (b.rows, b.cols, b.row, b.col, b.origin)
        || b.shown_cols == 0
    {
        return Vec::new();
    }
    let at = |n: usize| {
        (
            b.row + n as u32 / b.shown_cols,
            b.col + n as u32 % b.shown_cols,
        )
    };
    let visible = |c: &crate::language::CellView| {
        (
            c.visible,
            c.visible.then_some(c.name),
            c.colour,
            c.more.clone(),
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
