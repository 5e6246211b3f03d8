//! Why a command could not be carried out.

use super::Answer;
use crate::diagnostic::Diagnostic;

/// Why a command could not be carried out. Nothing was changed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CommandError {
    /// What is wrong and how to fix it; empty if the diagnostics say it all.
    pub message: String,
    /// Errors in an expression that was an argument.
    pub diagnostics: Vec<Diagnostic>,
}

impl CommandError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> CommandError {
        CommandError {
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }
}

impl From<String> for CommandError {
    fn from(message: String) -> CommandError {
        CommandError::new(message)
    }
}

impl From<CommandError> for Answer {
    fn from(error: CommandError) -> Answer {
        let mut answer = Answer::new("");
        answer.fail(error);
        answer
    }
}

impl From<Vec<Diagnostic>> for CommandError {
    fn from(diagnostics: Vec<Diagnostic>) -> CommandError {
        CommandError {
            message: String::new(),
            diagnostics,
        }
    }
}
