//! The arguments of a command, parsed into types: words, counts, numbers, expressions, files,
//! locations and times.
//!
//! ```text
//! location  locations and the options of breakpoints as arguments
//! time      times as arguments
//! ```

use crate::debugger::breakpoint;
mod location;
mod time;

pub(crate) use location::BreakpointArguments;
pub(crate) use time::is_reserved_time;

use super::{Command, example};
use crate::answer::CommandError;
use crate::debugger::WatchTarget;
use crate::session::Session;
use crate::text::with_commas;
use std::str::FromStr;

/// The text after a command's name.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'a> {
    command: &'static Command,
    /// Trimmed.
    text: &'a str,
}

impl<'a> Arguments<'a> {
    pub fn new(command: &'static Command, text: &'a str) -> Arguments<'a> {
        Arguments {
            command,
            text: text.trim(),
        }
    }

    pub fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// All of it as one trimmed string: a name, a keyword, an expression or a block.
    pub fn text(self) -> &'a str {
        self.text
    }

    pub fn words(self) -> Vec<&'a str> {
        self.text.split_whitespace().collect()
    }

    /// The first word, and the arguments after it.
    pub fn first_word(self) -> (&'a str, Arguments<'a>) {
        let (word, rest) = self
            .text
            .split_once(char::is_whitespace)
            .unwrap_or((self.text, ""));
        (word, Arguments::new(self.command, rest))
    }

    /// The text before the last word, and the last word; `None` if there is only one word.
    pub fn last_word(self) -> Option<(&'a str, &'a str)> {
        let (text, word) = self.text.rsplit_once(char::is_whitespace)?;
        Some((text.trim(), word))
    }

    /// A number, and nothing else.
    pub fn number<N: FromStr>(self) -> Option<N> {
        self.text.parse().ok()
    }

    /// A range of numbers, `A-B`; a single number is a range of one.
    pub fn range(self) -> Option<(i64, i64)> {
        let (first, last) = self.text.split_once('-').unwrap_or((self.text, self.text));
        Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
    }

    /// An optional repeat count; 1 if there is none.
    pub fn count(self) -> Result<usize, CommandError> {
        self.optional_count().map(|count| count.unwrap_or(1))
    }

    /// An optional repeat count.
    pub fn optional_count(self) -> Result<Option<usize>, CommandError> {
        match self.number() {
            _ if self.is_empty() => Ok(None),
            Some(n) if n > 0 => Ok(Some(n)),
            Some(_) => Err(CommandError::new(format!(
                "the count must be at least 1, e.g. `:{} 2`",
                self.command.name
            ))),
            None if self.text.chars().all(|c| c.is_ascii_digit()) => {
                Err(CommandError::new(format!(
                    "the count `{}` is too large; the largest is {}",
                    self.text,
                    with_commas(usize::MAX as u64)
                )))
            }
            None => Err(CommandError::new(format!(
                "expected a repeat count, found `{}`",
                self.text
            ))),
        }
    }

    /// `on` or `off`; `None` if there are no arguments.
    pub fn switch(self) -> Result<Option<bool>, CommandError> {
        match self.text {
            "" => Ok(None),
            "on" => Ok(Some(true)),
            "off" => Ok(Some(false)),
            _ => {
                let name = self.command.name;
                Err(CommandError::new(format!(
                    "use `:{name} on` or `:{name} off`"
                )))
            }
        }
    }

    /// An expression in the session's language.
    pub fn expression(self, session: &Session) -> Result<&'a str, CommandError> {
        self.required(session, "an expression")
    }

    /// The path of a file.
    pub fn file(self, session: &Session) -> Result<&'a str, CommandError> {
        self.required(session, "a file")
    }

    /// A cell in the language's notation.
    pub fn cell(self, session: &Session) -> Result<(i64, i64), CommandError> {
        if self.is_empty() {
            return Err(CommandError::new(format!(
                "`:{}` needs a cell, e.g. `:{} {}`",
                self.command.name,
                self.command.name,
                session.target.program().board_info.coord_usage()
            )));
        }
        breakpoint::resolve_cell(&session.target, self.text).map_err(Into::into)
    }

    /// A variable, a list element, a cell, several cells, or any expression.
    pub fn watched_value(self, session: &Session) -> Result<WatchTarget, CommandError> {
        location::watched_value(session, self.text)
    }

    /// The text, which must not be empty. `what` names what is missing: `an expression`.
    pub fn required(self, session: &Session, what: &str) -> Result<&'a str, CommandError> {
        match self.text {
            "" => Err(CommandError::new(format!(
                "`:{}` needs {what}, e.g. `{}`",
                self.command.name,
                example(session, self.command.name)
            ))),
            text => Ok(text),
        }
    }
}
