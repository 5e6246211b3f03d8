//! The selected line and cell, and what clicks and keys do with them.

use super::frame::{GUTTER_COLUMNS, source_line_at};
use super::scene::source_pane;
use super::{Focus, Next, View};
use crate::analysis::inspect;
use crate::command;
use crate::language::BoardView;
use crate::session::{Line, Style};
use crate::terminal::screen::keys::Key;
use std::io;

/// The cell beside another in the direction of an arrow key, row and column counted from 0.
pub fn moved_cell(board: &BoardView, (row, col): (u32, u32), key: Key) -> (u32, u32) {
    let (up, down) = (row.saturating_sub(1), row + 1);
    let (row, col) = match key {
        Key::Up => (if board.is_y_up { down } else { up }, col),
        Key::Down => (if board.is_y_up { up } else { down }, col),
        Key::Left => (row, col.saturating_sub(1)),
        _ => (row, col + 1),
    };
    (
        row.min(board.rows.saturating_sub(1)),
        col.min(board.cols.saturating_sub(1)),
    )
}

impl View<'_> {
    /// Moves the selected line of the source.
    pub(super) fn move_line(&mut self, to: impl Fn(u32) -> u32) {
        let source = source_pane(self.session, self.selected_line);
        let last = source.lines.len().max(1) as u32;
        self.selected_line = Some(to(source.selected).clamp(1, last));
    }

    /// Moves the keyboard cursor on the board.
    pub(super) fn move_cursor(&mut self, key: Key) {
        if let Some(board) = self.session.target.board_outline() {
            self.selected_cell = moved_cell(&board, self.selected_cell, key);
        }
    }

    /// A mouse click: plays a cell, selects a line, or sets a breakpoint beside it.
    pub(super) fn click(&mut self, col: usize, row: usize) -> io::Result<Next> {
        let (scene, layout) = self.scene(1);
        if let Some((x, y)) = layout.board.inside(col, row) {
            return match scene.cells.and_then(|cells| cells.cell_at(x, y)) {
                Some(cell) => {
                    self.selected_cell = cell;
                    self.play_cell(cell)
                }
                None => Ok(Next::Go),
            };
        }
        let Some((x, y)) = layout.source.inside(col, row) else {
            return Ok(Next::Go);
        };
        let line = source_line_at(&scene.source, layout.source, self.spacing, y);
        if line.is_some() {
            self.selected_line = line;
            self.focus = Focus::Source;
            if x < GUTTER_COLUMNS {
                return self.toggle_breakpoint();
            }
        }
        Ok(Next::Go)
    }

    /// Runs what a click on a cell means in the language.
    pub(super) fn play_cell(&mut self, cell: (u32, u32)) -> io::Result<Next> {
        match inspect::cell_entry(&self.session.target, cell) {
            Some(entry) => self.run_entry(&entry),
            None => {
                let language = self.session.target.language().info().title;
                let text = format!("{language} has no clicks; `:` opens the prompt");
                self.log.push(Line::styled(Style::Dim, text));
                Ok(Next::Go)
            }
        }
    }

    /// The computer plays the other side, or no side any more.
    pub(super) fn toggle_opponent(&mut self) -> io::Result<Next> {
        match command::opponent_toggle(self.session) {
            Some(line) => self.run_entry(&line),
            None => self.read_entry(":opponent "),
        }
    }

    /// Sets a breakpoint on the selected line, or deletes those that are there.
    pub(super) fn toggle_breakpoint(&mut self) -> io::Result<Next> {
        let source = source_pane(self.session, self.selected_line);
        let line = source.selected;
        let breakpoints = inspect::describe_breakpoints(&self.session.target);
        let here = breakpoints.iter().filter(|b| {
            let mut ranges = b.ranges.iter();
            ranges.any(|range| range.file == source.name && range.line == line)
        });
        let numbers: Vec<String> = here.map(|b| b.id.to_string()).collect();
        match numbers.is_empty() {
            true => self.run_entry(&format!(":break {line}")),
            false => self.run_entry(&format!(":delete {}", numbers.join(" "))),
        }
    }
}
