//! Help texts and completions.

use serde::Serialize;
use std::ops::Range;

/// The answer of `:help`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "topic", rename_all = "snake_case")]
pub enum HelpTopic {
    /// The commands that one needs first.
    Essentials {
        /// The name of the language.
        language: &'static str,
        /// The commands.
        commands: Vec<HelpRow>,
        /// A word of the language that `:help` explains.
        example: &'static str,
    },
    /// The names of all commands.
    Overview {
        /// The name of the language.
        language: &'static str,
        /// The commands by subject.
        groups: Vec<NameList>,
    },
    /// All commands of a subject.
    Commands {
        /// The commands.
        commands: Vec<CommandHelp>,
    },
    /// A single command.
    Command(CommandHelp),
    /// Things with a description each, in columns: keys, ways to use files.
    Table {
        /// The rows.
        rows: Vec<HelpRow>,
    },
    /// Built-ins and commands of the language that have the name asked for.
    Names {
        /// The rows.
        rows: Vec<HelpRow>,
    },
    /// A summary of the language.
    Language {
        /// Its name.
        title: &'static str,
        /// Its file extensions, without the dot.
        extensions: &'static [&'static str],
        /// Lines of code, with what they mean.
        examples: Vec<HelpRow>,
        /// Its keywords.
        keywords: NameList,
        /// Its built-ins.
        builtins: Vec<HelpRow>,
    },
}

/// A command of the debugger.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CommandHelp {
    /// Its name, without the colon.
    pub name: &'static str,
    /// The syntax of its arguments; empty if it takes none.
    pub usage: String,
    /// What it does, in one line.
    pub help: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// A line to type.
    pub example: String,
    /// What its arguments mean, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<HelpRow>,
}

/// Something with a description.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HelpRow {
    /// The name, or the line to type.
    pub name: String,
    /// What it means or does.
    pub help: &'static str,
}

/// Names with a heading.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NameList {
    /// The heading.
    pub heading: &'static str,
    /// The names.
    pub names: Vec<&'static str>,
}

/// What an error code means and how to fix the error.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ErrorHelp {
    /// The code.
    pub code: &'static str,
    /// The meaning in one line.
    pub summary: &'static str,
    /// The name of the language it belongs to, if that is not the session's.
    pub other_language: Option<&'static str>,
    /// A terminal session that produces the error, in lines.
    pub example: Vec<String>,
    /// How to fix the error, in lines.
    pub fix: Vec<&'static str>,
}

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
