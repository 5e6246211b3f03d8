//! What a person sees of the game before and after something typed: whether it changed, and where.

use super::{Marked, Reply, Session};
use crate::language::{GameView, Window};

/// The game as it was seen.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    window: Window,
    view: GameView,
    message: Option<String>,
}

impl Session {
    pub fn seen(&self) -> Seen {
        self.seen_in(self.window())
    }

    fn seen_in(&self, window: Window) -> Seen {
        let message = self.machine.store.message.as_ref().map(|m| m.to_string());
        // Variables are not part of the picture.
        let view = GameView { variables: Vec::new(), turn_count: None, ..self.view(window) };
        Seen { window, view, message }
    }

    /// Draws the board into the reply, if there is something new to see on it.
    pub fn draw_if_changed(&mut self, reply: &mut Reply, before: &Seen) {
        if !reply.board || !reply.picture.is_empty() {
            return;
        }
        let now = self.seen_in(before.window);
        let same_window = self.window() == before.window;
        if !reply.redraw && same_window && now.view == before.view && now.message == before.message {
            return;
        }
        let changed = if same_window { differing(before, &now) } else { Vec::new() };
        let here = if self.is_stopped() { self.cell_at_hand() } else { None };
        reply.picture = self.picture(&Marked { here, changed, ..Marked::default() });
    }
}

/// The cells that differ; none if all of them do, or the board is another.
fn differing(before: &Seen, now: &Seen) -> Vec<(u32, u32)> {
    let (Some(a), Some(b)) = (&before.view.board, &now.view.board) else { return Vec::new() };
    if (a.rows, a.cols, a.row, a.col, a.origin) != (b.rows, b.cols, b.row, b.col, b.origin) || b.shown_cols == 0 {
        return Vec::new();
    }
    let at = |n: usize| (b.row + n as u32 / b.shown_cols, b.col + n as u32 % b.shown_cols);
    let visible = |c: &crate::language::CellView| (c.visible, c.visible.then_some(c.name), c.colour, c.more.clone());
    let pairs = a.cells.iter().zip(&b.cells).enumerate();
    let cells: Vec<_> = pairs.filter(|(_, (x, y))| visible(x) != visible(y)).map(|(n, _)| at(n)).collect();
    if cells.len() == b.cells.len() && cells.len() > 1 { Vec::new() } else { cells }
}
