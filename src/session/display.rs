//! The game as this session shows it: which part of the board, and drawn how.

use super::{BoardMarks, Line, Session};
use crate::language::{GameView, Viewport};
use crate::render::Width;

impl Session {
    /// The board, its legend and the state of the game, drawn to fit the screen.
    pub fn draw_board(&mut self, marks: &BoardMarks) -> Vec<Line> {
        let viewport = self.viewport();
        self.draw_viewport(viewport, marks)
    }

    /// Like [`Session::draw_board`], for a given part of the board.
    pub fn draw_viewport(&mut self, viewport: Viewport, marks: &BoardMarks) -> Vec<Line> {
        self.draw_view(&self.target.view(viewport), marks)
    }

    /// Like [`Session::draw_viewport`], for a view of the current state.
    pub(super) fn draw_view(&mut self, view: &GameView, marks: &BoardMarks) -> Vec<Line> {
        let program = self.target.program();
        let is_derived = program.board_info.is_derived;
        let kinds = program.piece_kinds.iter().filter(|_| !is_derived);
        let message = &self.target.machine.store.message;
        let message = message.as_ref().map(|m| m.to_string());
        self.view_settings
            .draw_view(view, kinds.map(|k| k.name), message.as_deref(), marks)
    }

    /// Rows and columns of the displayed board, which some languages derive from variables.
    pub fn board_size(&self) -> Option<(u32, u32)> {
        self.target.board_outline().map(|b| (b.rows, b.cols))
    }

    /// The part of the board that fits on the screen, at the scroll position.
    pub fn viewport(&self) -> Viewport {
        let board = self.target.board_outline().unwrap_or_default();
        self.view_settings.viewport(&board)
    }

    /// Scrolls to the game's cursor cell, and centers it if it was not visible.
    pub fn scroll_to_focus(&mut self, viewport: Viewport) {
        if let Some(board) = self.target.board_outline() {
            self.view_settings.scroll_to_focus(&board, viewport);
        }
    }

    /// The space for text.
    pub fn text_widths(&self) -> Width {
        self.view_settings
            .text_widths(self.target.board_outline().as_ref())
    }
}
