//! Draws the view: what its panes show now, and where they are.

use super::layout::{Layout, Space};
use super::scene::{self, Scene};
use super::{Focus, View, frame, keys_help};
use crate::analysis::inspect;
use crate::debugger::history;
use crate::session::{BoardMarks, Line, Style};
use crate::terminal::screen::input::{Expected, Input, expects_text};
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
        if self.update_size() {
            self.screen.clear()?;
        }
        let (scene, layout) = self.scene(1);
        self.screen.draw_frame(&frame::frame(&scene, &layout))
    }

    /// What the panes show now, and where they are.
    pub(super) fn scene(&mut self, prompt_rows: usize) -> (Scene, Layout) {
        let (width, height) = (self.screen.width, self.screen.height);
        let largest = Layout::new(Space {
            width,
            height,
            prompt_rows,
            board: (usize::MAX / 2, usize::MAX / 2),
        });
        let stop = self.stop.clone();
        let stop = stop.as_deref();
        let marks = BoardMarks {
            current: stop.and_then(|_| history::current_cell(&self.session.target)),
            selected: (self.focus == Focus::Board && self.has_cursor())
                .then_some(self.selected_cell),
            ..BoardMarks::default()
        };
        let area = (largest.board.width, largest.board.height);
        let (board, cells) = scene::board_pane(self.session, marks, self.spacing, area);
        let source = scene::source_pane(self.session, self.selected_line);
        let scene = Scene {
            title: scene::title(self.session, &source.name, stop),
            sections: scene::sections(self.session, stop),
            source,
            board,
            cells,
            output: self.log.last(height),
            help: self.help_line(),
            spacing: self.spacing,
        };
        let layout = frame::layout_of(&scene, width, height, prompt_rows);
        (scene, layout)
    }

    /// Whether the board has a cursor: only games that are played by clicking have one.
    pub(super) fn has_cursor(&self) -> bool {
        inspect::cell_entry(&self.session.target, self.selected_cell).is_some()
    }

    /// The last row: what the keys do.
    fn help_line(&self) -> Line {
        if let Some(question) = self.session.target.question() {
            let text = question.text.lines().last().unwrap_or_default().to_string();
            return Line::styled(Style::Strong, text)
                .with(Style::Dim, "   type an answer  :undo  Ctrl-C leave");
        }
        if let Some(prediction) = &self.session.predictions.pending {
            return Line::styled(Style::Strong, prediction.question.text.as_str())
                .with(Style::Dim, "   type an answer  Ctrl-C leave");
        }
        if expects_text(self.session) {
            return Line::styled(Style::Dim, keys_help::EXERCISE);
        }
        let is_played_with_arrows = self.session.target.language().info().arrow_keys.is_some();
        let text = match (self.focus, self.stop.is_some()) {
            (Focus::Source, _) => keys_help::SOURCE,
            (Focus::Board, false) if is_played_with_arrows => keys_help::ARROWS,
            (Focus::Board, _) => keys_help::BOARD,
        };
        Line::styled(Style::Dim, text)
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
