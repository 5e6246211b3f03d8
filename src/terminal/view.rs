//! The view that stays in place (`:view`): source, board, variables, changes, the call stack and the
//! output, each in a pane of its own. Keys and mouse clicks run the same entries and commands that
//! could be typed, so that the session is the same as if they had been.

mod frame;
mod keys_help;
mod layout;
mod output_log;
mod prompt;
mod scene;

use super::external_editor::{EditResult, edit};
use super::full_screen::FullScreen;
use super::interrupt::Interrupt;
use super::keys::Key;
use super::line_reader::LineReader;
use super::output::Screen;
use super::wrap::wrap_line;
use crate::command;
use crate::debugger::api::{Control, EditRequest, ProgressListener, Stop, StopReason};
use crate::language::BoardView;
use crate::render::CellSpacing;
use crate::session::{Answer, BoardMarks, Line, Session, Style};
use layout::{Layout, Space};
use output_log::{LogListener, OutputLog, answer_lines};
use scene::Scene;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How often the terminal size is checked while waiting for a key.
const RESIZE_POLL_INTERVAL: Duration = Duration::from_millis(200);

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
    Quit,
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
        session: &'t mut Session,
        screen: &'t mut Screen,
        reader: &'t mut LineReader,
        interrupt: &'t Interrupt,
        spacing: CellSpacing,
    ) -> io::Result<View<'t>> {
        let full_screen = FullScreen::open()?;
        let log = OutputLog::default();
        let listener = session.target.progress_listener.take();
        session.target.progress_listener = Some(Box::new(LogListener { log: log.clone() }));
        let stop = match session.target.is_stopped() {
            true => session.target.reshow_stop().stop,
            false => None,
        };
        Ok(View {
            focus: match session.target.is_stopped() {
                true => Focus::Source,
                false => Focus::Board,
            },
            session,
            screen,
            reader,
            interrupt,
            full_screen,
            log,
            selected_line: None,
            selected_cell: (0, 0),
            spacing,
            stop,
            listener,
        })
    }

    /// Runs until `q`.
    pub fn run(mut self) -> io::Result<ViewExit> {
        let mut pending = None;
        loop {
            let key = match pending.take() {
                Some(key) => key,
                None => {
                    self.draw()?;
                    self.next_key()?
                }
            };
            match self.handle_key(key)? {
                Next::Go => {}
                Next::Key(key) => pending = Some(key),
                Next::Exit(exit) => return Ok(exit),
            }
        }
    }

    fn handle_key(&mut self, key: Key) -> io::Result<Next> {
        let names = self.session.target.language().info().arrow_keys;
        let on_board = self.focus == Focus::Board;
        match key {
            Key::Char('q') => return Ok(Next::Exit(ViewExit::Prompt)),
            Key::Closed => return Ok(Next::Exit(ViewExit::Closed)),
            Key::Tab => {
                self.focus = if on_board {
                    Focus::Source
                } else {
                    Focus::Board
                };
            }
            Key::Char('l') => {
                self.spacing = match self.spacing {
                    CellSpacing::Normal => CellSpacing::Large,
                    CellSpacing::Large => CellSpacing::Normal,
                };
            }
            Key::Char('?') => return self.show_lines(keys_help::lines()),
            Key::Char(':') => return self.read_entry(""),
            Key::Enter if !on_board => return self.read_entry(""),
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
            Key::Enter | Key::Escape | Key::Interrupt | Key::Resized | Key::Other => {}
        }
        Ok(Next::Go)
    }

    /// Moves the selected line of the source.
    fn move_line(&mut self, to: impl Fn(u32) -> u32) {
        let source = scene::source_pane(self.session, self.selected_line);
        let last = source.lines.len().max(1) as u32;
        self.selected_line = Some(to(source.selected).clamp(1, last));
    }

    /// Moves the keyboard cursor on the board.
    fn move_cursor(&mut self, key: Key) {
        let Some(board) = self.session.target.board_outline() else {
            return;
        };
        let BoardView {
            rows,
            cols,
            is_y_up,
            ..
        } = board;
        let (row, col) = self.selected_cell;
        let (up, down) = (row.saturating_sub(1), row + 1);
        let (row, col) = match key {
            Key::Up => (if is_y_up { down } else { up }, col),
            Key::Down => (if is_y_up { up } else { down }, col),
            Key::Left => (row, col.saturating_sub(1)),
            _ => (row, col + 1),
        };
        self.selected_cell = (
            row.min(rows.saturating_sub(1)),
            col.min(cols.saturating_sub(1)),
        );
    }

    /// A mouse click: plays a cell, selects a line, or sets a breakpoint beside it.
    fn click(&mut self, col: usize, row: usize) -> io::Result<Next> {
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
        let line = frame::source_line_at(&scene.source, layout.source, self.spacing, y);
        if line.is_some() {
            self.selected_line = line;
            self.focus = Focus::Source;
            if x < frame::GUTTER_COLUMNS {
                return self.toggle_breakpoint();
            }
        }
        Ok(Next::Go)
    }

    /// Runs what a click on a cell means in the language.
    fn play_cell(&mut self, cell: (u32, u32)) -> io::Result<Next> {
        match self.session.target.cell_entry(cell) {
            Some(entry) => self.run_entry(&entry),
            None => {
                let language = self.session.target.language().info().title;
                let text = format!("{language} has no clicks; `:` opens the prompt");
                self.log.push(Line::styled(Style::Dim, text));
                Ok(Next::Go)
            }
        }
    }

    /// Sets a breakpoint on the selected line, or deletes those that are there.
    fn toggle_breakpoint(&mut self) -> io::Result<Next> {
        let source = scene::source_pane(self.session, self.selected_line);
        let line = source.selected;
        let breakpoints = self.session.target.describe_breakpoints();
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

    /// Runs an entry or a command, and everything that its answer asks for.
    fn run_entry(&mut self, text: &str) -> io::Result<Next> {
        self.update_size();
        self.interrupt.reset();
        let reply = command::handle_line(self.session, text);
        self.handle_reply(text, reply)
    }

    /// Shows an answer and does what it asks for.
    fn handle_reply(&mut self, entry: &str, mut reply: Answer) -> io::Result<Next> {
        let control = reply.control.take();
        if let Some(Control::Animate { delay }) = control {
            let reply = self.animate(delay)?;
            return self.handle_reply("", reply);
        }
        let next = self.show_reply(entry, &reply)?;
        match control {
            Some(Control::Quit) => Ok(Next::Exit(ViewExit::Quit)),
            Some(Control::Edit(request)) => self.edit(&request),
            Some(Control::Prefill { text }) => self.read_entry(&text),
            Some(Control::PlayKeys) => {
                self.focus = Focus::Board;
                Ok(Next::Go)
            }
            _ => Ok(next),
        }
    }

    /// Shows an answer in the panes. Text that does not fit into the output pane covers the others
    /// until a key is pressed.
    fn show_reply(&mut self, entry: &str, reply: &Answer) -> io::Result<Next> {
        if let Some(journal) = &mut self.session.journal {
            journal.sync();
        }
        let was_stopped = self.stop.is_some();
        self.stop = match self.session.target.is_stopped() {
            true => reply.stop.clone().or(self.stop.take()),
            false => None,
        };
        if reply.stop.is_some() {
            self.selected_line = None;
        }
        if was_stopped != self.stop.is_some() {
            self.focus = match self.stop {
                Some(_) => Focus::Source,
                None => Focus::Board,
            };
        }
        let lines = answer_lines(self.session, self.screen, reply);
        let is_step = entry.starts_with(':') && reply.ok && lines.is_empty();
        if !entry.is_empty() && !is_step {
            let first = entry.lines().next().unwrap_or_default();
            self.log
                .push(Line::styled(Style::Dim, format!("> {first}")));
        }
        self.log.extend(lines.iter().cloned());
        let (_, layout) = self.scene(1);
        match lines.len() > layout.output.height {
            true => self.show_lines(lines),
            false => Ok(Next::Go),
        }
    }

    /// Steps with a delay, drawn in place, until a key is pressed or the program stops otherwise.
    fn animate(&mut self, delay: Duration) -> io::Result<Answer> {
        loop {
            self.draw()?;
            let deadline = Instant::now() + delay;
            loop {
                let left = deadline.saturating_duration_since(Instant::now());
                match self.full_screen.read_key(Some(left))? {
                    Some(Key::Resized) => self.draw()?,
                    Some(_) => return Ok(Answer::new("")),
                    None => break,
                }
            }
            self.interrupt.reset();
            let reply = command::handle_line(self.session, ":step");
            let is_step = |stop: &Rc<Stop>| stop.reason == StopReason::Step;
            if !reply.stop.as_ref().is_some_and(is_step) || self.interrupt.was_pressed() {
                return Ok(reply);
            }
            self.show_reply("", &reply)?;
        }
    }

    /// Opens the user's editor on the normal screen and runs what was written.
    fn edit(&mut self, request: &EditRequest) -> io::Result<Next> {
        match self.full_screen.with_normal_screen(|| edit(request))? {
            Ok(EditResult::Unchanged) => {
                self.log.push(Line::styled(Style::Dim, "unchanged"));
                Ok(Next::Go)
            }
            Ok(EditResult::FileChanged) => self.run_entry(":reload"),
            Ok(EditResult::NewText(text)) => self.run_entry(&text),
            Err(reason) => {
                let line = Line::styled(Style::Error, "error: ");
                self.log.push(line.with(Style::Plain, reason));
                Ok(Next::Go)
            }
        }
    }

    /// Shows lines over the lower part of the panes, page by page, until a key is pressed. A key
    /// that means something else is handled afterwards.
    fn show_lines(&mut self, lines: Vec<Line>) -> io::Result<Next> {
        let wrapped = |view: &View<'_>| -> Vec<Line> {
            let rows = lines.iter().cloned();
            rows.flat_map(|line| wrap_line(line, view.screen.width))
                .collect()
        };
        let mut first = 0;
        loop {
            let rows = wrapped(self);
            let height = self.screen.height.saturating_sub(2).max(1);
            let shown = &rows[first.min(rows.len())..rows.len().min(first + height)];
            let has_more = first + height < rows.len();
            let help = match has_more {
                true => "-- Enter shows more, Esc closes",
                false => "-- any key closes",
            };
            let (scene, layout) = self.scene(1);
            let mut frame = frame::frame(&scene, &layout);
            frame.truncate(self.screen.height.saturating_sub(shown.len() + 2));
            frame.push(Line::styled(Style::Dim, "-".repeat(self.screen.width)));
            frame.extend(shown.iter().cloned());
            frame.push(Line::styled(Style::Dim, help));
            self.screen.draw_frame(&frame)?;
            match self.next_key()? {
                Key::Resized | Key::Other => {}
                Key::Enter | Key::Char(' ') | Key::Down | Key::PageDown if has_more => {
                    first += height;
                }
                Key::Up | Key::PageUp if first > 0 => first = first.saturating_sub(height),
                Key::Closed => return Ok(Next::Exit(ViewExit::Closed)),
                key @ (Key::Left | Key::Right | Key::Click { .. }) => return Ok(Next::Key(key)),
                Key::Char(c) if !" q".contains(c) => return Ok(Next::Key(Key::Char(c))),
                _ => return Ok(Next::Go),
            }
        }
    }

    /// Waits for a key. A resized terminal counts as [`Key::Resized`].
    fn next_key(&mut self) -> io::Result<Key> {
        loop {
            match self.full_screen.read_key(Some(RESIZE_POLL_INTERVAL))? {
                Some(key) => return Ok(key),
                None if self.reader.terminal_size() != (self.screen.width, self.screen.height) => {
                    return Ok(Key::Resized);
                }
                None => {}
            }
        }
    }

    /// Draws all panes.
    fn draw(&mut self) -> io::Result<()> {
        if self.update_size() {
            self.screen.clear()?;
        }
        let (scene, layout) = self.scene(1);
        self.screen.draw_frame(&frame::frame(&scene, &layout))
    }

    /// What the panes show now, and where they are.
    fn scene(&mut self, prompt_rows: usize) -> (Scene, Layout) {
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
            current: stop.and_then(|_| self.session.target.current_cell()),
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
    fn has_cursor(&self) -> bool {
        self.session.target.cell_entry(self.selected_cell).is_some()
    }

    /// The last row: what the keys do.
    fn help_line(&self) -> Line {
        if let Some(question) = self.session.target.question() {
            let text = question.text.lines().last().unwrap_or_default().to_string();
            return Line::styled(Style::Strong, text)
                .with(Style::Dim, "   Enter answers, q leaves");
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
    fn update_size(&mut self) -> bool {
        let size = self.reader.terminal_size();
        let has_changed = size != (self.screen.width, self.screen.height);
        (self.screen.width, self.screen.height) = size;
        let settings = &mut self.session.view_settings;
        (settings.width, settings.height) = size;
        has_changed
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        self.session.target.progress_listener = self.listener.take();
    }
}

/// What to do after a key.
enum Next {
    /// Draw and read the next key.
    Go,
    /// Handle this key.
    Key(Key),
    Exit(ViewExit),
}

/// The index of an arrow key in [`crate::language::LanguageInfo::arrow_keys`].
fn arrow_index(key: Key) -> usize {
    match key {
        Key::Up => 0,
        Key::Down => 1,
        Key::Left => 2,
        _ => 3,
    }
}
