//! Draws the view: sends what has changed on the screen.

use super::layout::{Layout, Pane};
use super::scene::Scene;
use super::{View, keys_help};
use crate::terminal::screen::canvas::Canvas;
use crate::terminal::screen::input::{Expected, Input};
use std::io;

impl View<'_> {
    /// Waits for a key or the beginning of a text. A resized terminal counts as
    /// [`crate::terminal::screen::keys::Key::Resized`].
    pub(super) fn next_input(&mut self) -> io::Result<Input> {
        let drawn = (self.screen.width, self.screen.height);
        let expected = Expected::of(self.session, &keys_help::letters(self.session));
        self.full_screen
            .next_input(&expected, || self.reader.terminal_size(), drawn)
    }

    /// Draws all panes.
    pub(super) fn draw(&mut self) -> io::Result<()> {
        let frame = self.frame(1);
        self.show(frame)
    }

    /// The frame of the panes, with `prompt_rows` rows for the line editor.
    pub(super) fn frame(&mut self, prompt_rows: usize) -> Canvas {
        if self.update_size() {
            self.drawn = None;
        }
        let (width, height) = (self.screen.width, self.screen.height);
        let scene = self.scene();
        let layout = Layout::new(&scene, width, height, prompt_rows);
        if let (Some(board), Some(area)) = (&scene.board, layout.area(Pane::Board)) {
            let grid = board.grid(scene.inside(Pane::Board, area), scene.is_large);
            self.state.board_scroll = grid.first;
        }
        scene.frame(width, height, prompt_rows)
    }

    /// Sends what a frame changes on the screen.
    pub(super) fn show(&mut self, frame: Canvas) -> io::Result<()> {
        if self.log.take_drawn_progress() {
            self.drawn = None;
        }
        let codes = frame.codes(self.drawn.as_ref(), self.theme);
        self.screen.send(&codes)?;
        self.drawn = Some(frame);
        Ok(())
    }

    /// Forgets what is on the screen: something else has drawn on it.
    pub(super) fn forget_screen(&mut self) -> io::Result<()> {
        self.drawn = None;
        self.screen.clear()
    }

    /// The scene, and where its panes are while the line editor is closed.
    pub(super) fn scene_and_layout(&mut self) -> (Scene, Layout) {
        let scene = self.scene();
        let layout = Layout::new(&scene, self.screen.width, self.screen.height, 1);
        (scene, layout)
    }

    /// What the panes show now.
    pub(super) fn scene(&mut self) -> Scene {
        let size = (self.screen.width, self.screen.height);
        let is_ascii = self.screen.plain || self.session.view_settings.is_ascii;
        let lines = self.log.last(size.1);
        self.state.scene(self.session, lines, size, is_ascii)
    }

    /// Whether the board has a cursor: only games that are played by clicking have one.
    pub(super) fn has_cursor(&self) -> bool {
        self.state.has_cursor(self.session)
    }

    /// Updates the terminal size. True if it has changed.
    pub(super) fn update_size(&mut self) -> bool {
        let size = self.reader.terminal_size();
        let has_changed = size != (self.screen.width, self.screen.height);
        (self.screen.width, self.screen.height) = size;
        let settings = &mut self.session.view_settings;
        (settings.width, settings.height) = size;
        has_changed
    }
}
