//! Standard input that is no terminal: lines, and entries of as many lines as they need.

use crate::command;
use crate::session::Session;
use std::io::{self, BufRead};

pub struct Input {
    from: Box<dyn BufRead>,
}

impl Input {
    pub fn stdin() -> Input {
        Input {
            from: Box::new(io::BufReader::new(io::stdin())),
        }
    }

    /// The next line, without its end; bytes that are no text are shown as such.
    pub fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        if self.from.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok(Some(text.trim_end_matches(['\n', '\r']).to_string()))
    }

    /// The next entry: lines until the language finds it finished. A blank line ends nothing: programs have them.
    pub fn read_entry(&mut self, session: &Session) -> io::Result<Option<String>> {
        let Some(mut entry) = self.read_line()? else {
            return Ok(None);
        };
        while is_incomplete(session, &entry) {
            match self.read_line()? {
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

/// Whether more lines are wanted. Commands are never longer than one.
pub fn is_incomplete(session: &Session, entry: &str) -> bool {
    let command = entry.trim_start().starts_with(':')
        || session.is_stopped() && command::is_command(session, entry);
    !entry.trim().is_empty()
        && !command
        && session.language().is_incomplete(entry, session.program())
}
