//! The view that stays in place (`:view`): source, board, variables, changes, the call stack and the
//! output, each in a pane of its own. Keys and mouse clicks run the same entries and commands that
//! could be typed, so that the session is the same as if they had been.
//!
//! ```text
//! answers     runs entries and commands from the view, and shows their answers in the panes
//! drawing     what the panes show now, and where they are
//! keys_help   what the keys of the view do
//! layout      where the panes of the view are
//! output_log  the last lines that programs and commands printed in the view
//! panes       what each pane shows, and how it is drawn
//! popup       an answer that is longer than its pane
//! prompt      the prompt of the view
//! scene       everything that the view shows, as data, and the frame that is drawn from it
//! selection   the selected line and cell, and what clicks and keys do with them
//! state       what the view shows, apart from the terminal
//! text_rows   lines of text for `gridbug run`
//! ```

mod answers;
mod drawing;
mod keys_help;
mod layout;
mod output_log;
mod panes;
mod popup;
mod prompt;
mod scene;
mod selection;
mod state;
#[cfg(test)]
mod tests;
mod text_rows;

pub use output_log::{DiagnosticDetail, LogListener, OutputLog, answer_lines};
pub use selection::moved_cell;
pub use text_rows::{board_pane, last_rows, wrapped_rows};

use super::canvas::Canvas;
use super::canvas::look::Theme;
use super::full_screen::FullScreen;
use super::input::Input;
use super::keys::Key;
use crate::answer::ProgressListener;
use crate::command;
use crate::driver::Driver;
use crate::session::{Line, Session};
use crate::terminal::output::Screen;
use crate::terminal::repl::interrupt::Interrupt;
use crate::terminal::repl::line_reader::LineReader;
use state::{Focus, ViewState};
use std::io;

/// Lines that Page Up and Page Down move.
const PAGE_LINES: usize = 10;
/// Lines that the mouse wheel moves.
const WHEEL_LINES: usize = 3;
/// Columns that `<` and `>` move.
const SCROLL_COLUMNS: usize = 10;

/// How the view ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewExit {
    /// Back to the prompt.
    Prompt,
    /// End gridbug.
    Quit {
        /// How many definitions would be lost.
        unsaved_count: usize,
    },
    /// The terminal was closed.
    Closed,
}

/// The parts of the REPL that the view borrows, and what it shows.
pub struct View<'t> {
    driver: &'t mut Driver,
    session: &'t mut Session,
    screen: &'t mut Screen,
    reader: &'t mut LineReader,
    interrupt: &'t Interrupt,
    full_screen: FullScreen,
    log: OutputLog,
    theme: Theme,
    /// The frame on the screen; `None` if something else was drawn.
    drawn: Option<Canvas>,
    state: ViewState,
    /// Stores how far a lesson is.
    after_answer: &'t mut dyn FnMut(&Session),
    /// The listener of the plain prompt, given back at the end.
    listener: Option<Box<dyn ProgressListener>>,
}

impl<'t> View<'t> {
    /// Opens the view. Fails if the terminal does not support it.
    pub fn open(
        driver: &'t mut Driver,
        session: &'t mut Session,
        screen: &'t mut Screen,
        reader: &'t mut LineReader,
        interrupt: &'t Interrupt,
        is_large: bool,
        after_answer: &'t mut dyn FnMut(&Session),
    ) -> io::Result<View<'t>> {
        let mut full_screen = FullScreen::open()?;
        let theme = full_screen.theme(screen.color, screen.theme);
        let log = OutputLog::default();
        let listener = session.target.progress_listener.take();
        session.target.progress_listener = Some(Box::new(LogListener { log: log.clone() }));
        let state = ViewState::new(session, is_large);
        Ok(View {
            driver,
            session,
            screen,
            reader,
            interrupt,
            full_screen,
            log,
            theme,
            drawn: None,
            state,
            after_answer,
            listener,
        })
    }

    /// Runs until `q`.
    pub fn run(mut self) -> io::Result<ViewExit> {
        let mut pending = None;
        loop {
            let input = match pending.take() {
                Some(input) => input,
                None => {
                    self.draw()?;
                    self.next_input()?
                }
            };
            let next = match input {
                Input::Key(key) => self.handle_key(key)?,
                Input::Text(text) | Input::Line(text) if self.is_choice(&text) => {
                    self.run_entry(&text)?
                }
                Input::Text(text) => self.read_entry(&text)?,
                Input::Line(line) => {
                    self.reader.enter_line(line);
                    self.read_entry("")?
                }
            };
            match next {
                Next::Go => {}
                Next::Input(input) => pending = Some(input),
                Next::Exit(exit) => return Ok(exit),
            }
        }
    }

    fn handle_key(&mut self, key: Key) -> io::Result<Next> {
        let names = self.session.target.language().info().arrow_keys;
        let on_board = self.state.focus == Focus::Board;
        let is_answer = self.session.predictions.pending.is_some();
        match key {
            // Enter alone skips the question.
            Key::Enter if is_answer => return self.run_entry(""),
            Key::Char(' ') | Key::Click { .. } if is_answer => return self.read_entry(""),
            Key::Up | Key::Down | Key::Left | Key::Right if is_answer => {
                return self.read_entry("");
            }
            Key::Char('q') | Key::Interrupt => return Ok(Next::Exit(ViewExit::Prompt)),
            Key::Undo => return self.run_entry(":undo"),
            Key::Redo => return self.run_entry(":redo"),
            Key::Closed => return Ok(Next::Exit(ViewExit::Closed)),
            Key::Tab => {
                self.state.focus = if on_board {
                    Focus::Source
                } else {
                    Focus::Board
                };
            }
            Key::Char('l') => {
                self.state.is_large = !self.state.is_large;
            }
            Key::Char('?') => return self.show_keys(),
            Key::Char('o') => return self.toggle_opponent(),
            // Wherever the keys are; Space plays the cell.
            Key::Enter if command::enter_advances_lesson(self.session) => {
                return self.run_entry(":lesson next");
            }
            Key::Enter if !on_board || !self.has_cursor() => return self.read_entry(""),
            Key::Enter | Key::Char(' ') if on_board => {
                return self.play_cell(self.state.selected_cell);
            }
            Key::Up | Key::Down | Key::Left | Key::Right if on_board => {
                if let Some(names) = names.filter(|_| !self.session.target.is_stopped()) {
                    return self.run_entry(names[arrow_index(key)]);
                }
                self.move_cursor(key);
            }
            Key::Right => return self.run_entry(":step"),
            Key::Left => return self.run_entry(":back"),
            Key::Up => self.move_line(|line| line.saturating_sub(1)),
            Key::Down => self.move_line(|line| line + 1),
            Key::PageUp => self.move_line(|line| line.saturating_sub(PAGE_LINES)),
            Key::PageDown => self.move_line(|line| line + PAGE_LINES),
            Key::WheelUp => self.move_line(|line| line.saturating_sub(WHEEL_LINES)),
            Key::WheelDown => self.move_line(|line| line + WHEEL_LINES),
            Key::Click { col, row } => return self.click(col, row),
            Key::RightClick { col, row } => return self.right_click(col, row),
            Key::ShiftLeft => return self.go_to_neighbor(true),
            Key::ShiftRight => return self.go_to_neighbor(false),
            Key::Char('<') => self.state.scroll = self.state.scroll.saturating_sub(SCROLL_COLUMNS),
            Key::Char('>') => self.state.scroll += SCROLL_COLUMNS,
            Key::Char('b') => return self.toggle_breakpoint(),
            Key::Char('i') => return self.inspect_cell(self.state.selected_cell),
            Key::Char('e') if self.state.stop.is_some() => return self.run_entry(":step sub"),
            Key::Char('e') => return self.edit_definition(),
            Key::Char('E') if self.state.stop.is_some() => return self.run_entry(":step expr"),
            Key::Char(c) => {
                if let Some((_, entry)) = keys_help::COMMANDS.iter().find(|(k, _)| *k == c) {
                    return self.run_entry(entry);
                }
            }
            Key::Enter
            | Key::Escape
            | Key::Backspace
            | Key::Paste
            | Key::Resized
            | Key::Drag { .. }
            | Key::Release
            | Key::Background { .. }
            | Key::TerminalAttributes
            | Key::Other => {}
        }
        Ok(Next::Go)
    }

    /// Shows all keys; above them the whole text of a card that the screen is too small for.
    fn show_keys(&mut self) -> io::Result<Next> {
        let (scene, layout) = self.scene_and_layout();
        let mut lines = Vec::new();
        if let Some(card) = &scene.card {
            let area = layout.area(layout::Pane::Card);
            let is_whole = area
                .is_some_and(|area| card.wanted_rows(layout::text_columns(area)) <= area.height);
            if !is_whole {
                lines.extend(card.lines().into_iter().map(Line::plain));
                lines.push(Line::default());
            }
        }
        lines.extend(keys_help::lines());
        self.show_lines("keys", lines)
    }

    /// Goes to the end of the move before or after the present position.
    fn go_to_neighbor(&mut self, is_before: bool) -> io::Result<Next> {
        match panes::time::time_pane(self.session).neighbor(is_before) {
            Some(time) => self.run_entry(&format!(":goto {time}")),
            None if is_before => self.say("this is the start"),
            None => self.say("this is the present"),
        }
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        self.session.target.progress_listener = self.listener.take();
    }
}

/// What to do after a key.
#[derive(PartialEq)]
enum Next {
    /// Draw and read the next key.
    Go,
    /// Handle this key or text.
    Input(Input),
    Exit(ViewExit),
}

/// The index of an arrow key in [`crate::language::LanguageInfo::arrow_keys`].
pub fn arrow_index(key: Key) -> usize {
    match key {
        Key::Up => 0,
        Key::Down => 1,
        Key::Left => 2,
        _ => 3,
    }
}
