//! Reads lines and multi-line entries from standard input when it is not a terminal.

use crate::command;
use crate::session::Session;
use std::io::{self, BufRead};

/// What a blank line in an incomplete entry means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlankLine {
    /// The entry is run as it is, so that a client can always end it.
    EndsEntry,
    /// It is part of the entry, because piped programs contain blank lines.
    BelongsToEntry,
}

/// A buffered source of lines.
pub struct Input {
    reader: Box<dyn BufRead>,
}

impl Input {
    pub fn stdin() -> Input {
        Input {
            reader: Box::new(io::BufReader::new(io::stdin())),
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

    /// The next entry: lines are joined until the language considers it complete.
    pub fn read_entry(
        &mut self,
        session: &Session,
        blank_line: BlankLine,
    ) -> io::Result<Option<String>> {
        let Some(mut entry) = self.read_line()? else {
            return Ok(None);
        };
        while is_incomplete(session, &entry) {
            match self.read_line()? {
                Some(line) if line.trim().is_empty() && blank_line == BlankLine::EndsEntry => break,
                Some(line) => {
                    entry.push('\n');
                    entry.push_str(&line);
                }
                None => break,
            }
        }
        Ok(Some(entry))
    }
}

/// Whether the entry continues on the next line. Commands are always one line, and so are the answers
/// to questions.
pub fn is_incomplete(session: &Session, entry: &str) -> bool {
    !entry.trim().is_empty()
        && session.predictions.pending.is_none()
        && !command::is_command_line(session, entry)
        && session.target.is_incomplete(entry)
}
