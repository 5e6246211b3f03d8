//! Advice as data: what to do about an error. A client can make a button or a quick fix of it.

use super::closest_match;
use crate::source::Span;
use serde::Serialize;

/// What to do about an error or a warning.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Advice {
    /// A command of the prompt: `:moves all` "lists it", or "start it with" `:tour`.
    Command {
        /// What to do with it, in front of the command.
        #[serde(skip_serializing_if = "String::is_empty")]
        instruction: String,
        /// The command with its arguments.
        command: String,
        /// What it does, or what to do next.
        #[serde(skip_serializing_if = "String::is_empty")]
        effect: String,
    },
    /// A line that is complete where the line that was typed is not: "e.g. `:find win`".
    Example {
        /// The line.
        command: String,
    },
    /// An option to add to the line that was typed: "add `turn E`".
    Option {
        /// The option with its argument.
        option: String,
        /// The option with an argument that this program has, alone or in a whole line.
        #[serde(skip_serializing_if = "Option::is_none")]
        example: Option<String>,
        /// What the argument is.
        #[serde(skip_serializing_if = "String::is_empty")]
        explanation: String,
    },
    /// A text to write instead of a misspelled one: "did you mean `turnCount`?"
    Replacement {
        /// The text.
        text: String,
        /// The code to replace; `None` if it is a word of a command.
        #[serde(skip)]
        span: Option<Span>,
    },
}

impl Advice {
    /// A command and what it does.
    pub fn command(command: impl Into<String>, effect: impl Into<String>) -> Advice {
        Advice::Command {
            instruction: String::new(),
            command: command.into(),
            effect: effect.into(),
        }
    }

    /// The candidate that was probably meant by a word of a command.
    pub fn did_you_mean<'a>(
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<Advice> {
        let text = closest_match(word, candidates)?.to_string();
        Some(Advice::Replacement { text, span: None })
    }
}
