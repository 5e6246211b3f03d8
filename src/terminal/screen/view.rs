//! The view that stays in place (`:view`): source, board, variables, changes, the call stack and the
//! output, each in a pane of its own. Keys and mouse clicks run the same entries and commands that
//! could be typed, so that the session is the same as if they had been.
//!
//! ```text
//! answers     runs entries and commands from the view, and shows their answers in the panes
//! drawing     what the panes show now, and where they are
//! frame       puts the panes of a scene together into the rows of the screen
//! keys_help   what the keys of the view do
//! layout      where the panes of the view are
//! output_log  the last lines that programs and commands printed in the view
//! prompt      the prompt of the view
//! scene       what the view shows: lines for each pane, taken from the session
//! selection   the selected line and cell, and what clicks and keys do with them
//! ```

mod answers;
mod drawing;
mod frame;
mod keys_help;
mod layout;
mod output_log;
mod prompt;
mod scene;
mod selection;

pub use frame::{last_rows, wrapped_rows};
pub use output_log::{DiagnosticDetail, LogListener, OutputLog, answer_lines};
pub use scene::board_pane;
pub use selection::moved_cell;

use super::full_screen::FullScreen;
use super::input::Input;
use super::keys::Key;
use crate::answer::{ProgressListener, Stop};
use crate::command;
use crate::debugger::run;
use crate::driver::Driver;
use crate::render::CellSpacing;
use crate::session::Session;
use crate::terminal::output::Screen;
use crate::terminal::repl::interrupt::Interrupt;
use crate::terminal::repl::line_reader::LineReader;
use std::io;
use std::rc::Rc;

/// Lines that Page Up and Page Down move.
const PAGE_LINES: u32 = 10;
/// Lines that the mouse wheel moves.
const WHEEL_LINES: u32 = 3;

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

/// Which pane the arrow keys move in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Focus {
    Source,
    Board,
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
    focus: Focus,
    /// The line chosen with the keyboard or the mouse; `None` follows the program.
    selected_line: Option<u32>,
    /// The cell of the keyboard cursor, row and column counted from 0.
    selected_cell: (u32, u32),
    spacing: CellSpacing,
    stop: Option<Rc<Stop>>,
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
    ) -> io::Result<View<'t>> {
        let full_screen = FullScreen::open()?;
        let log = OutputLog::default();
        let listener = session.target.progress_listener.take();
        session.target.progress_listener = Some(Box::new(LogListener { log: log.clone() }));
        let stop = match session.target.is_stopped() {
            true => run::reshow_stop(&mut session.target).stop,
            false => None,
        };
        Ok(View {
            focus: match session.target.is_stopped() {
                true => Focus::Source,
                false => Focus::Board,
            },
            driver,
            session,
            screen,
            reader,
            interrupt,
            full_screen,
            log,
            selected_line: None,
            selected_cell: (0, 0),
            spacing: spacing(is_large),
            stop,
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
        let on_board = self.focus == Focus::Board;
        let is_answer = self.session.predictions.pending.is_some();
        match key {
            Key::Enter | Key::Char(' ') | Key::Click { .. } if is_answer => {
                return self.read_entry("");
            }
            Key::Up | Key::Down | Key::Left | Key::Right if is_answer => {
                return self.read_entry("");
            }
            Key::Char('q') | Key::Interrupt => return Ok(Next::Exit(ViewExit::Prompt)),
            Key::Undo => return self.run_entry(":undo"),
            Key::Redo => return self.run_entry(":redo"),
            Key::Closed => return Ok(Next::Exit(ViewExit::Closed)),
            Key::Tab => {
                self.focus = if on_board {
                    Focus::Source
                } else {
                    Focus::Board
                };
            }
            Key::Char('l') => {
                self.spacing = spacing(self.spacing == CellSpacing::Normal);
            }
            Key::Char('?') => return self.show_lines(keys_help::lines()),
            Key::Char('o') => return self.toggle_opponent(),
            Key::Enter if !on_board && command::enter_advances_lesson(self.session) => {
                return self.run_entry(":lesson next");
            }
            Key::Enter if !on_board || !self.has_cursor() => return self.read_entry(""),
            Key::Enter | Key::Char(' ') if on_board => return self.play_cell(self.selected_cell),
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
            Key::Char('b') => return self.toggle_breakpoint(),
            Key::Char(c) => {
                if let Some((_, entry, _)) = keys_help::COMMANDS.iter().find(|(k, ..)| *k == c) {
                    return self.run_entry(entry);
                }
            }
            Key::Enter | Key::Backspace | Key::Escape | Key::Paste | Key::Resized | Key::Other => {}
        }
        Ok(Next::Go)
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

fn spacing(is_large: bool) -> CellSpacing {
    match is_large {
        true => CellSpacing::Large,
        false => CellSpacing::Normal,
    }
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
