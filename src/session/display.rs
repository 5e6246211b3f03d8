//! The game as this session shows it: which part of the board, and with which glyphs.

use super::Session;
use crate::answer::{BoardMarks, ShownBoard};
use crate::code::PieceKind;
use crate::debugger::history;
use crate::language::{GameView, Viewport};
use crate::render::Width;
use crate::value::SharedVec;
use std::rc::Rc;

impl Session {
    /// The part of the board that fits on the screen, without highlights.
    pub fn shown_board(&mut self) -> Box<ShownBoard> {
        self.shown_viewport(self.viewport(), BoardMarks::default())
    }

    /// A part of the board.
    pub fn shown_viewport(&mut self, viewport: Viewport, marks: BoardMarks) -> Box<ShownBoard> {
        self.shown_view(Rc::new(self.target.view(viewport)), marks)
    }

    /// Like [`Session::shown_viewport`], for a view of the current state.
    pub(super) fn shown_view(&mut self, view: Rc<GameView>, marks: BoardMarks) -> Box<ShownBoard> {
        let info = self.target.program().board_info;
        let kinds = self.shown_kinds();
        let message = &self.target.machine.store.message;
        let message = message.as_ref().map(|m| m.to_string());
        Box::new(self.view_settings.show(view, info, &kinds, message, marks))
    }

    /// A part of the board with the glyphs that it would be drawn with. It leaves no trace: no glyph is
    /// assigned, and nothing counts as explained.
    pub fn peek_at_board(&self, viewport: Viewport) -> ShownBoard {
        let program = self.target.program();
        let message = &self.target.machine.store.message;
        let message = message.as_ref().map(|m| m.to_string());
        let current = match self.target.is_stopped() {
            true => history::current_cell(&self.target),
            false => None,
        };
        let marks = BoardMarks {
            current,
            ..BoardMarks::default()
        };
        self.view_settings.clone().show(
            Rc::new(self.target.view(viewport)),
            program.board_info,
            &self.shown_kinds(),
            message,
            marks,
        )
    }

    /// The kinds of pieces that get glyphs in the order of their definitions.
    fn shown_kinds(&self) -> SharedVec<PieceKind> {
        let program = self.target.program();
        match program.board_info.is_derived {
            true => SharedVec::default(),
            false => program.piece_kinds.clone(),
        }
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
