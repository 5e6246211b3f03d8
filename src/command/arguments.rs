//! The arguments of a command, parsed into types.

use super::{Command, example};
use crate::debugger::api::CommandError;
use crate::session::Session;

/// The text after a command's name.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'a> {
    command: &'static Command,
    /// The arguments as one trimmed string.
    pub text: &'a str,
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

    /// An optional repeat count; 1 if there is none.
    pub fn count(self) -> Result<usize, CommandError> {
        match self.text {
            "" => Ok(1),
            text => match text.parse::<usize>() {
                Ok(n) if n > 0 => Ok(n),
                _ => Err(CommandError::new(format!(
                    "expected a repeat count, found `{text}`"
                ))),
            },
        }
    }

    /// The first word, and the trimmed text after it.
    pub fn split_word(self) -> (&'a str, &'a str) {
        let (word, rest) = self
            .text
            .split_once(char::is_whitespace)
            .unwrap_or((self.text, ""));
        (word, rest.trim())
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
