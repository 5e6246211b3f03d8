//! Reads lines and multi-line entries from standard input when it is not a terminal.

use super::entry_lines::{AddedLine, BlankLine, UnfinishedEntry};
use crate::session::Session;
use std::io::{self, BufRead};

/// What was read from standard input.
pub enum InputRead {
    /// An entry or a command.
    Entry(String),
    /// The lines of an entry that was discarded.
    Discarded(String),
}

/// A buffered source of lines.
pub struct Input {
    reader: Box<dyn BufRead>,
    /// The entry in which a command was typed.
    unfinished: UnfinishedEntry,
}

impl Input {
    pub fn stdin() -> Input {
        Input {
            reader: Box::new(io::BufReader::new(io::stdin())),
            unfinished: UnfinishedEntry::default(),
        }
    }

    /// The next line, without its line ending; `None` at the end. Invalid UTF-8 is replaced by
    /// U+FFFD.
    pub fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        if self.reader.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok(Some(text.trim_end_matches(['\n', '\r']).to_string()))
    }

    /// The next entry: lines are joined until the language considers it complete. A command between
    /// them is returned first. `None` at the end.
    pub fn read_entry(
        &mut self,
        session: &Session,
        blank_line: BlankLine,
    ) -> io::Result<Option<InputRead>> {
        if let Some(lines) = self.unfinished.discard_if_foreign(session) {
            return Ok(Some(InputRead::Discarded(lines)));
        }
        loop {
            let Some(line) = self.read_line()? else {
                return Ok(self.unfinished.discard().map(InputRead::Entry));
            };
            match self.unfinished.add_line(session, line, blank_line) {
                AddedLine::Unfinished => {}
                AddedLine::Ready(entry) => return Ok(Some(InputRead::Entry(entry))),
                AddedLine::Discarded(lines) => return Ok(Some(InputRead::Discarded(lines))),
            }
        }
    }
}
