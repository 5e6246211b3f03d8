//! Playing with the arrow keys (`:play`): the board is redrawn in place, and each key press runs
//! the same entry as typing its word.

use super::input::{Expected, Input, InputReader};
use super::keys::{Key, KeyReader};
use crate::code::Status;
use crate::diagnostic::shown_diagnostics;
use crate::driver::Driver;
use crate::language::Viewport;
use crate::render::shown_board_lines;
use crate::session::{Answer, BoardMarks, Line, Session, Style};
use crate::source::Sources;
use crate::terminal::output::Screen;
use crate::terminal::output::wrap::wrap_line;
use crate::terminal::repl::interrupt::Interrupt;
use crate::terminal::repl::line_reader::LineReader;
use std::io;
use std::time::Duration;

/// The parts of the REPL that key play borrows.
pub struct KeyPlay<'t> {
    pub driver: &'t mut Driver,
    pub session: &'t mut Session,
    pub screen: &'t mut Screen,
    pub reader: &'t mut LineReader,
    pub interrupt: &'t Interrupt,
}

/// The board is never cut to fewer rows than this.
const MIN_BOARD_ROWS: usize = 3;

/// How often the terminal size is checked while waiting for a key.
const RESIZE_POLL_INTERVAL: Duration = Duration::from_millis(200);

const HELP: &str = "arrows move, u undo, r restart, Esc quit";
const ASKS_RESTART: &str = "Start again? Enter restarts, any other key keeps this game";

/// The characters that are keys.
const KEYS: &str = "quUr";

/// How playing with keys ended.
pub enum KeyPlayEnd {
    /// The user has left it.
    Left,
    /// Something is to be shown or asked at the prompt.
    Answer(Box<Answer>),
    /// The user has begun to type this.
    Text(String),
}

impl KeyPlay<'_> {
    /// Runs until Esc. Ends early if the debugger stops or the program or a lesson asks something, and
    /// if text is typed; all of that is handled at the prompt. `names` are the entries for up, down,
    /// left, right.
    pub fn run(&mut self, mut keys: KeyReader, names: [&'static str; 4]) -> io::Result<KeyPlayEnd> {
        let mut input = InputReader::default();
        let mut asks_restart = false;
        let mut messages = Vec::new();
        let mut elapsed = None;
        let mut drawn_rows = 0;
        loop {
            let help = Line::styled(Style::Dim, if asks_restart { ASKS_RESTART } else { HELP });
            let below: Vec<Line> = elapsed.iter().chain(&messages).cloned().collect();
            drawn_rows = self.draw(
                drawn_rows,
                &[&below[..], std::slice::from_ref(&help)].concat(),
            )?;
            let [up, down, left, right] = names;
            let key = match self.next_input(&mut input, &mut keys)? {
                Input::Key(Key::Paste) => Input::Text(keys.take_pasted()),
                input => input,
            };
            let key = match key {
                Input::Key(key) => key,
                Input::Text(text) => {
                    self.draw(drawn_rows, &below)?;
                    return Ok(KeyPlayEnd::Text(text));
                }
                Input::Line(line) => {
                    self.draw(drawn_rows, &below)?;
                    self.reader.enter_line(line);
                    return Ok(KeyPlayEnd::Left);
                }
            };
            let is_confirmed = std::mem::take(&mut asks_restart) && key == Key::Enter;
            let entry = match key {
                _ if is_confirmed => ":restart",
                Key::Up => up,
                Key::Down => down,
                Key::Left => left,
                Key::Right => right,
                Key::Char('u') | Key::Undo if self.can_undo_move() => ":undo",
                Key::Char('U') | Key::Redo => ":redo",
                Key::Char('r') if self.would_lose_moves() => {
                    asks_restart = true;
                    ""
                }
                Key::Char('r') => ":restart",
                Key::Escape | Key::Interrupt | Key::Closed | Key::Char('q') => {
                    self.draw(drawn_rows, &below)?;
                    return Ok(KeyPlayEnd::Left);
                }
                _ => "",
            };
            if !entry.is_empty() {
                let before = self.session.target.progress().status;
                self.interrupt.reset();
                let answer = self.driver.answer(self.session, entry);
                let answer = self.driver.finish(self.session, answer);
                let is_over = self.session.target.progress().status != Status::Playing;
                elapsed = elapsed_time_line(self.session, before).or(elapsed.filter(|_| is_over));
                messages = messages_of(&answer, &self.session.target.sources);
                let is_asked = self.session.predictions.pending.is_some();
                if answer.stop.is_some() || answer.question.is_some() || is_asked {
                    self.draw(drawn_rows, &[])?;
                    return Ok(KeyPlayEnd::Answer(Box::new(answer)));
                }
            }
        }
    }

    /// Waits for a key or the beginning of a text. A resized terminal counts as [`Key::Resized`], so
    /// the board is redrawn.
    fn next_input(&mut self, input: &mut InputReader, keys: &mut KeyReader) -> io::Result<Input> {
        let expected = Expected::of(self.session, KEYS);
        input.next(&expected, |timeout| {
            if timeout.is_some() {
                return keys.read_key(timeout);
            }
            loop {
                let is_resized = |reader: &mut LineReader, screen: &Screen| {
                    reader.terminal_size() != (screen.width, screen.height)
                };
                match keys.read_key(Some(RESIZE_POLL_INTERVAL))? {
                    Some(key) => return Ok(Some(key)),
                    None if is_resized(self.reader, self.screen) => return Ok(Some(Key::Resized)),
                    None => {}
                }
            }
        })
    }

    /// Whether starting again would lose moves of a game that is not over.
    fn would_lose_moves(&self) -> bool {
        self.session.target.progress().status == Status::Playing && self.can_undo_move()
    }

    /// Whether `:undo` would undo a move, rather than the loading of the game.
    fn can_undo_move(&self) -> bool {
        self.session.target.machine.time() > self.session.target.timeline.game_start()
    }

    /// Draws the board and `messages` over the `drawn_rows` rows of the previous frame. Returns the
    /// height of the new frame.
    fn draw(&mut self, drawn_rows: usize, messages: &[Line]) -> io::Result<usize> {
        let size = self.reader.terminal_size();
        if size != (self.screen.width, self.screen.height) {
            (self.screen.width, self.screen.height) = size;
            (
                self.session.view_settings.width,
                self.session.view_settings.height,
            ) = size;
            self.screen.clear()?;
        } else {
            self.screen.erase_rows(drawn_rows)?;
        }
        let rows = self.layout(messages);
        self.screen.print_lines(&rows)?;
        self.screen.flush()?;
        Ok(rows.len())
    }

    /// The board with `messages` below it, shrunk to the height of the screen.
    fn layout(&mut self, messages: &[Line]) -> Vec<Line> {
        let height = self.screen.height.saturating_sub(1);
        let below: Vec<Line> = messages
            .iter()
            .flat_map(|line| wrap_line(line.clone(), self.screen.width))
            .collect();
        let mut viewport = self.session.viewport();
        loop {
            self.session.scroll_to_focus(viewport);
            let (row, col) = self.session.view_settings.scroll_origin;
            self.session.view_settings.reset_legend();
            let board = self.session.shown_viewport(
                Viewport {
                    row,
                    col,
                    ..viewport
                },
                BoardMarks {
                    is_following: true,
                    ..BoardMarks::default()
                },
            );
            let mut rows: Vec<Line> = shown_board_lines(&board, self.session.text_widths())
                .into_iter()
                .flat_map(|line| wrap_line(line, self.screen.width))
                .collect();
            let excess = (rows.len() + below.len()).saturating_sub(height);
            if excess == 0 || viewport.rows as usize <= MIN_BOARD_ROWS {
                rows.truncate(height.saturating_sub(below.len()).max(MIN_BOARD_ROWS));
                rows.extend(below);
                rows.truncate(height.max(1));
                return rows;
            }
            viewport.rows = viewport
                .rows
                .min(self.session.board_size().map_or(0, |(rows, _)| rows));
            viewport.rows = viewport
                .rows
                .saturating_sub(excess as u32)
                .max(MIN_BOARD_ROWS as u32);
        }
    }
}

/// The output and diagnostics of an answer, one line each.
fn messages_of(answer: &Answer, sources: &Sources) -> Vec<Line> {
    let printed = answer.output.iter().map(|text| Line::plain(text.as_str()));
    let diagnostics = shown_diagnostics(&answer.diagnostics, sources);
    let warned = diagnostics.iter().map(|d| {
        let style = if d.is_error() {
            Style::Error
        } else {
            Style::Warning
        };
        Line::styled(style, format!("{}: ", d.severity.as_str()))
            .with(Style::Plain, d.message.as_str())
    });
    printed.chain(warned).collect()
}

/// How long the game took, if it has just ended. Only shown at a terminal, because it differs
/// between replays.
pub fn elapsed_time_line(session: &Session, before: Status) -> Option<Line> {
    session.target.language().info().arrow_keys?;
    let ended = before == Status::Playing && session.target.progress().status != Status::Playing;
    ended.then(|| {
        Line::plain(format!(
            "     Time elapsed: {}",
            format_duration(session.game_duration())
        ))
    })
}

/// `MM:SS.mmm`
fn format_duration(time: Duration) -> String {
    let seconds = time.as_secs();
    format!(
        "{:02}:{:02}.{:03}",
        seconds / 60,
        seconds % 60,
        time.subsec_millis()
    )
}

#[cfg(test)]
mod tests;
