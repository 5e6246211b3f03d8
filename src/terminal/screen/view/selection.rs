//! The selected line and cell, and what clicks and keys do with them.

use super::layout::Pane;
use super::panes::source::source_pane;
use super::scene::Scene;
use super::{Focus, Next, View};
use crate::analysis::inspect;
use crate::answer::{Control, LineOrigin};
use crate::command;
use crate::debugger::{Location, Target, breakpoint};
use crate::language::BoardView;
use crate::session::{Line, Style};
use crate::terminal::screen::canvas::Area;
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
    pub(super) fn move_line(&mut self, to: impl Fn(usize) -> usize) {
        let source = source_pane(
            self.session,
            &mut self.state.sources,
            self.state.selected_line,
        );
        let last = source.text.line_count().saturating_sub(1);
        self.state.selected_line = Some(to(source.selected).min(last));
    }

    /// Moves the keyboard cursor on the board.
    pub(super) fn move_cursor(&mut self, key: Key) {
        if let Some(board) = self.session.target.board_outline() {
            self.state.selected_cell = moved_cell(&board, self.state.selected_cell, key);
        }
    }

    /// A mouse click: plays a cell, selects a line, sets a breakpoint beside it, goes to a move.
    pub(super) fn click(&mut self, col: usize, row: usize) -> io::Result<Next> {
        let (scene, layout) = self.scene_and_layout();
        if let Some((x, _)) = layout.time.inside(col, row) {
            return match scene.time.time_at(layout.time.width, x) {
                Some(time) => self.run_entry(&format!(":goto {time}")),
                None => Ok(Next::Go),
            };
        }
        let Some((pane, area)) = layout.pane_at(col, row) else {
            return Ok(Next::Go);
        };
        match pane {
            Pane::Board => match self.cell_at(&scene, area, col, row) {
                Some(cell) => {
                    self.state.selected_cell = cell;
                    return self.play_cell(cell);
                }
                None => self.state.focus = Focus::Board,
            },
            Pane::Source => {
                let line = scene.source.line_at(area, row - area.top);
                if line.is_some() {
                    self.state.selected_line = line;
                    self.state.focus = Focus::Source;
                    if col - area.left < scene.source.gutter_columns() {
                        return self.toggle_breakpoint();
                    }
                }
            }
            _ => {}
        }
        Ok(Next::Go)
    }

    /// The cell at a place of the board's pane.
    fn cell_at(&self, scene: &Scene, area: Area, col: usize, row: usize) -> Option<(u32, u32)> {
        let board = scene.board.as_ref()?;
        let grid = board.grid(scene.inside(Pane::Board, area), scene.is_large);
        grid.cell_at(col, row)
    }

    /// A click with the right button: what is on the cell.
    pub(super) fn right_click(&mut self, col: usize, row: usize) -> io::Result<Next> {
        let (scene, layout) = self.scene_and_layout();
        let cell = match layout.pane_at(col, row) {
            Some((Pane::Board, area)) => self.cell_at(&scene, area, col, row),
            _ => None,
        };
        match cell {
            Some(cell) => {
                self.state.selected_cell = cell;
                self.inspect_cell(cell)
            }
            None => Ok(Next::Go),
        }
    }

    /// Shows what is on a cell.
    pub(super) fn inspect_cell(&mut self, (row, col): (u32, u32)) -> io::Result<Next> {
        let Some(board) = self.session.target.board_outline() else {
            return self.say("no board yet");
        };
        let (row, col) = (
            board.origin.0 + i64::from(row),
            board.origin.1 + i64::from(col),
        );
        let cell = self
            .session
            .target
            .program()
            .board_info
            .format_cell(row, col);
        self.run_entry(&format!(":cell {cell}"))
    }

    /// Runs what a click on a cell means in the language.
    pub(super) fn play_cell(&mut self, cell: (u32, u32)) -> io::Result<Next> {
        match inspect::cell_entry(&self.session.target, cell) {
            Some(entry) => self.run_entry(&entry),
            None => {
                let language = self.session.target.language().info().title;
                self.say(format!("{language} has no clicks; `:` opens the prompt"))
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

    /// Sets a breakpoint on the selected line, or deletes those that are there. A line without code
    /// never means one of another rule.
    pub(super) fn toggle_breakpoint(&mut self) -> io::Result<Next> {
        let source = source_pane(
            self.session,
            &mut self.state.sources,
            self.state.selected_line,
        );
        let number = source.selected + 1;
        let Some(origin) = source.text.origin(source.selected).cloned() else {
            return self.say(format!("no code to stop at on line {number}"));
        };
        let breakpoints = inspect::describe_breakpoints(&self.session.target);
        let here = breakpoints.iter().filter(|b| {
            let mut ranges = b.ranges.iter();
            ranges.any(|range| range.file == origin.file && range.line == origin.line)
        });
        let numbers: Vec<String> = here.map(|b| b.id.to_string()).collect();
        if !numbers.is_empty() {
            return self.run_entry(&format!(":delete {}", numbers.join(" ")));
        }
        match has_code(&self.session.target, &origin) {
            true => self.run_entry(&format!(":break {}:{}", origin.file, origin.line)),
            false => self.say(format!("no code to stop at on line {number}")),
        }
    }

    /// The definition that the selected line belongs to: the innermost one.
    fn selected_definition(&mut self) -> Option<String> {
        let source = source_pane(
            self.session,
            &mut self.state.sources,
            self.state.selected_line,
        );
        let origin = source.text.origin(source.selected)?;
        let definitions = inspect::definitions(&self.session.target).into_iter();
        let here = definitions.filter_map(|definition| {
            let range = definition.range?;
            let is_here =
                range.file == origin.file && (range.line..=range.end_line).contains(&origin.line);
            is_here.then_some((range.end_line - range.line, definition.name))
        });
        here.min_by_key(|(lines, _)| *lines).map(|(_, name)| name)
    }

    /// Offers the definition that the selected line belongs to, to be edited in the prompt. What was
    /// rejected before is offered again.
    pub(super) fn edit_definition(&mut self) -> io::Result<Next> {
        let Some(name) = self.selected_definition() else {
            return self.say("no definition on this line; `:edit` opens the whole program");
        };
        let answer = self.driver.answer(self.session, &format!(":edit {name}"));
        match answer.control {
            // Elsewhere a definition cannot be replaced alone.
            Some(Control::Edit(request))
                if request.file.is_none() && request.first_entry.is_none() =>
            {
                self.read_definition(request.text.trim_end())
            }
            _ => self.handle_answer(&format!(":edit {name}"), answer),
        }
    }

    /// Shows a message in the output.
    pub(super) fn say(&mut self, text: impl Into<String>) -> io::Result<Next> {
        self.log.push(Line::styled(Style::Dim, text));
        Ok(Next::Go)
    }
}

/// Whether a program can stop on a line.
fn has_code(target: &Target, origin: &LineOrigin) -> bool {
    let location = Location::Line {
        source: origin.file.clone(),
        line: origin.line,
    };
    let places = breakpoint::resolve(&location, target.program(), &target.sources);
    places.into_iter().any(|(id, pc)| {
        let function = target.program().functions.get(id.0 as usize);
        let stops = function.iter().flat_map(|function| &function.stop_points);
        let here = stops.filter(|stop| stop.pc == pc);
        here.filter_map(|stop| target.source_range(stop.span))
            .any(|range| range.line == origin.line && range.file == origin.file)
    })
}
