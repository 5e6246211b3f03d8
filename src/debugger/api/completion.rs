//! Completions of a line that is being typed.

use serde::Serialize;
use std::ops::Range;

/// A text that may replace the word being typed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Completion {
    /// The bytes of the line to replace. They end at the cursor.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
    /// What the replacement is.
    pub kind: CompletionKind,
    /// A short description, such as the help text of a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// What a completion is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CompletionKind {
    /// A word with a fixed meaning in the syntax.
    Keyword,
    /// A predefined name of the language.
    Builtin,
    /// Something that the program defines.
    Definition,
    /// A global variable.
    Variable,
    /// A field, after its owner and a dot.
    Field,
    /// A name that is written in quotes: a kind of piece or a player.
    Quoted,
    /// A cell of the board, as row and column.
    Cell,
    /// A command.
    Command,
    /// A word that a command accepts as its argument.
    Argument,
    /// A topic of the help.
    Topic,
    /// A file.
    File,
    /// A directory. Its text ends in a slash.
    Directory,
}
