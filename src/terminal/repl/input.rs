//! Reads lines and multi-line entries from standard input when it is not a terminal.

use super::entry_lines::{AddedLine, BlankLine, UnfinishedEntry};
use crate::session::Session;
use std::collections::VecDeque;
use std::io::{self, BufRead};

/// What was read from standard input.
pub enum InputLine {
    /// A line of an entry that goes on with the next one.
    Unfinished(String),
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
    /// Lines that were read to see whether an entry goes on.
    read_ahead: VecDeque<String>,
}

impl Input {
    pub fn stdin() -> Input {
        Input {
            reader: Box::new(io::BufReader::new(io::stdin())),
            unfinished: UnfinishedEntry::default(),
            read_ahead: VecDeque::new(),
        }
    }

    /// The next line, without its line ending; `None` at the end. Invalid UTF-8 is replaced by
    /// U+FFFD.
    pub fn read_line(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.read_ahead.pop_front() {
            return Ok(Some(line));
        }
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
    ) -> io::Result<Option<InputLine>> {
        loop {
            match self.read(session, blank_line)? {
                Some(InputLine::Unfinished(_)) => {}
                read => return Ok(read),
            }
        }
    }

    /// Reads a line, and returns the entry that it completes, if it does. `None` at the end.
    pub fn read(
        &mut self,
        session: &Session,
        blank_line: BlankLine,
    ) -> io::Result<Option<InputLine>> {
        if let Some(lines) = self.unfinished.discard_if_foreign(session) {
            return Ok(Some(InputLine::Discarded(lines)));
        }
        let Some(line) = self.read_line()? else {
            return Ok(self.unfinished.discard().map(InputLine::Entry));
        };
        Ok(Some(
            match self.unfinished.add_line(session, line.clone(), blank_line) {
                AddedLine::Unfinished => InputLine::Unfinished(line),
                AddedLine::Ready(entry) => InputLine::Entry(entry),
                AddedLine::Ended { entry, lines } => {
                    for line in lines.into_iter().rev() {
                        self.read_ahead.push_front(line);
                    }
                    InputLine::Entry(entry)
                }
                AddedLine::Discarded(lines) => InputLine::Discarded(lines),
            },
        ))
    }
}
