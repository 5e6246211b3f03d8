//! Playing with the arrow keys: the board is drawn in place, and each key is an entry like a typed one.

use super::interrupt::Interrupt;
use super::keys::{Key, KeyReader};
use super::line_reader::LineReader;
use super::output::Screen;
use super::wrap::wrap_line;
use crate::code::Status;
use crate::command;
use crate::language::Viewport;
use crate::session::{BoardMarks, Line, Reply, Session, Style};
use std::io;
use std::time::Duration;

/// What the keys play on.
pub struct KeyPlay<'t> {
    pub session: &'t mut Session,
    pub screen: &'t mut Screen,
    pub reader: &'t mut LineReader,
    pub interrupt: &'t Interrupt,
}

/// Less than this is no room for a board.
const FEWEST_ROWS: usize = 3;

/// How often the terminal is measured while nobody presses a key.
const MEASURED: Duration = Duration::from_millis(200);

const HELP: &str = "arrows move, u undo, r restart, Esc ends";

impl KeyPlay<'_> {
    /// Plays until Esc, or until there is something else to be looked at: then that is given back.
    pub fn run(
        &mut self,
        mut keys: KeyReader,
        names: [&'static str; 4],
    ) -> io::Result<Option<Reply>> {
        let help = Line::styled(Style::Dim, HELP);
        let mut said = Vec::new();
        let mut took = None;
        let mut drawn = 0;
        loop {
            let told: Vec<Line> = took.iter().chain(&said).cloned().collect();
            drawn = self.draw(drawn, &[&told[..], std::slice::from_ref(&help)].concat())?;
            let [up, down, left, right] = names;
            let typed = match self.key(&mut keys)? {
                Key::Up => up,
                Key::Down => down,
                Key::Left => left,
                Key::Right => right,
                Key::Char('u' | 'U') if self.has_moves() => ":undo",
                Key::Char('r' | 'R') => ":restart",
                Key::Escape | Key::Interrupt | Key::Closed | Key::Char('q' | 'Q') => {
                    self.draw(drawn, &told)?;
                    return Ok(None);
                }
                _ => "",
            };
            if !typed.is_empty() {
                let before = self.session.view(Viewport::NONE).status;
                self.interrupt.reset();
                let reply = command::handle_line(self.session, typed);
                let ended = self.session.view(Viewport::NONE).status != Status::Playing;
                took = elapsed_time_line(self.session, before).or(took.filter(|_| ended));
                said = remarks(&reply);
                if reply.stop.is_some() || reply.question.is_some() {
                    self.draw(drawn, &[])?;
                    return Ok(Some(reply));
                }
            }
        }
    }

    /// The next key. A terminal of another size is one, too: the board is drawn anew without waiting for a person.
    fn key(&mut self, keys: &mut KeyReader) -> io::Result<Key> {
        loop {
            match keys.read_key(Some(MEASURED))? {
                Some(key) => return Ok(key),
                None if self.reader.terminal_size() != (self.screen.width, self.screen.height) => {
                    return Ok(Key::Resized);
                }
                None => {}
            }
        }
    }

    /// Whether something can be taken back without taking the game away.
    fn has_moves(&self) -> bool {
        self.session.machine.time() > self.session.timeline.game_start()
    }

    /// Draws over what was drawn before, and says how many rows it took.
    fn draw(&mut self, before: usize, said: &[Line]) -> io::Result<usize> {
        let size = self.reader.terminal_size();
        if size != (self.screen.width, self.screen.height) {
            (self.screen.width, self.screen.height) = size;
            (
                self.session.view_settings.width,
                self.session.view_settings.height,
            ) = size;
            self.screen.clear()?;
        } else {
            self.screen.erase_rows(before)?;
        }
        let rows = self.frame(said);
        self.screen.print_lines(&rows)?;
        self.screen.flush()?;
        Ok(rows.len())
    }

    /// The board and what is said of it, in no more rows than the screen has.
    fn frame(&mut self, said: &[Line]) -> Vec<Line> {
        let room = self.screen.height.saturating_sub(1);
        let below: Vec<Line> = said
            .iter()
            .flat_map(|line| wrap_line(line.clone(), self.screen.width))
            .collect();
        let mut window = self.session.viewport();
        loop {
            self.session.scroll_to_focus(window);
            let (row, col) = self.session.view_settings.scroll_origin;
            self.session.view_settings.reset_legend();
            let picture = self.session.draw_viewport(
                Viewport { row, col, ..window },
                &BoardMarks {
                    is_following: true,
                    ..BoardMarks::default()
                },
            );
            let mut rows: Vec<Line> = picture
                .into_iter()
                .flat_map(|line| wrap_line(line, self.screen.width))
                .collect();
            let excess = (rows.len() + below.len()).saturating_sub(room);
            if excess == 0 || window.rows as usize <= FEWEST_ROWS {
                rows.truncate(room.saturating_sub(below.len()).max(FEWEST_ROWS));
                rows.extend(below);
                rows.truncate(room.max(1));
                return rows;
            }
            window.rows = window
                .rows
                .min(self.session.board_size().map_or(0, |(rows, _)| rows));
            window.rows = window
                .rows
                .saturating_sub(excess as u32)
                .max(FEWEST_ROWS as u32);
        }
    }
}

/// What was printed and warned of, a line each.
fn remarks(reply: &Reply) -> Vec<Line> {
    let printed = reply.output.iter().map(|text| Line::plain(text.as_str()));
    let warned = reply.diagnostics.iter().map(|d| {
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

/// How long the game took, if it has just ended: told to people only, it would differ each time.
pub fn elapsed_time_line(session: &Session, before: Status) -> Option<Line> {
    session.language().info().arrow_keys?;
    let ended = before == Status::Playing && session.view(Viewport::NONE).status != Status::Playing;
    ended.then(|| {
        Line::plain(format!(
            "     Time elapsed: {}",
            clock(session.game_started_at.elapsed())
        ))
    })
}

/// Minutes, seconds and thousandths.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!(
        "{:02}:{:02}.{:03}",
        seconds / 60,
        seconds % 60,
        time.subsec_millis()
    )
}

#[cfg(test)]
#[path = "key_play_tests.rs"]
mod tests;
