//! Session files: a program, the input of a session and the replies to it, in a text format that is
//! lesson, bug report and regression test at once.
//!
//! ```text
//! # A comment that says what this session shows.
//! language gridlok
//! seed 1
//!
//! --- program tic-tac-toe.gl
//! game { … }
//! --- session
//!   the reply to loading the program
//!
//! > for r(0, 3) {
//! .   click{r, r}
//! . }
//!   the reply to that input
//! ```
//!
//! ```text
//! checksum  the checksums of journals
//! exercise  tasks for the reader
//! marker    lines that say how an input ran
//! parse     the line-by-line parser of session files
//! recovery  reads what is left of a damaged journal
//! ```
//!
//! Each line starts with a marker:
//!
//! | marker | meaning |
//! |---|---|
//! | `> ` | input: an entry or a command |
//! | `. ` | continues the input of the line above |
//! | `< ` | input that answers the program's input prompt |
//! | two spaces | the reply to the input above |
//! | `#` | a comment, kept when the replies are updated |
//! | `^C 65536` | the input above was interrupted with Ctrl-C after 65536 instructions |
//! | `? 5` | the answer to the question that was asked before the input above ran |
//! | `^D` | the program's input prompt was cancelled |
//! | `--- file NAME` to `--- end` | a file that the command above read, with its text |
//! | `--- exercise NAME` to `--- end` | a task with its solution and checks, see [`Exercise`] |
//!
//! A journal can also have:
//!
//! | marker | meaning |
//! |---|---|
//! | `~> ` | the first line of an entry that is not finished |
//! | `~. ` | its next line |
//! | `~` | it was discarded |
//! | `?` | a question about the input above is open: it has not run |
//! | `^0 3 7` | the last 3 items changed nothing, and the next entry is number 7 |
//! | `^Q` | the session ended normally |
//! | `^S 1a2b3c4d` | a checksum of everything since the previous one |
//!
//! In the header, `program FILE` names a program in the same directory, as an alternative to
//! including it, `prelude FILE` a prelude, which can also be included between `--- prelude FILE` and
//! `--- end`, `from PATH` is the path that an included program was loaded from, and `errors stop`
//! says that errors in the program stop it, as at a terminal.

mod checksum;
mod exercise;
mod marker;
mod parse;
mod recovery;

pub use checksum::Checksum;
pub use exercise::{Check, Exercise, with_solutions};
pub use marker::{NoEffect, RecordedQuestion};
pub use parse::{IntactPrefix, JournalText, parse_intact_prefix};
pub use recovery::{Recovered, recover};

use std::fmt::Write;

/// A parsed session file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SessionFile {
    /// The `#` lines before the first setting.
    pub header_comments: Vec<String>,
    /// The name of the language, such as `gridlok`.
    pub language: String,
    /// The seed of the random number generator.
    pub seed: u64,
    /// Whether errors in the program stop it.
    pub stops_on_errors: bool,
    /// The preludes that the session starts with.
    pub preludes: Vec<PreludeRef>,
    /// The program that the session starts with.
    pub program: ProgramRef,
    /// The path that the program was loaded from, if it came from a file.
    pub program_path: Option<String>,
    /// The reply to loading the program.
    pub load_reply: Vec<String>,
    /// Everything after `--- session`, in order.
    pub items: Vec<SessionItem>,
    /// What follows the last item; only journals have more than [`Ending::Open`].
    pub ending: Ending,
}

/// The state of a session after its last item.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Ending {
    /// It can be continued.
    #[default]
    Open,
    /// The first lines of an entry have been typed.
    Draft(String),
    /// It ended normally.
    Ended,
}

impl Ending {
    /// Appends it to the text of a journal.
    pub fn write_to(&self, out: &mut String) {
        match self {
            Ending::Open => {}
            Ending::Draft(text) => {
                let markers = std::iter::once("~>").chain(std::iter::repeat("~."));
                for (marker, line) in markers.zip(text.split('\n')) {
                    write_draft_line(out, marker, line);
                }
            }
            Ending::Ended => push_line(out, "", "^Q"),
        }
    }

    /// Appends the next lines of a draft to the text of a journal.
    pub fn write_next_lines(out: &mut String, lines: &str) {
        for line in lines.split('\n') {
            write_draft_line(out, "~.", line);
        }
    }
}

fn write_draft_line(out: &mut String, marker: &str, line: &str) {
    let space = if line.is_empty() { "" } else { " " };
    let _ = writeln!(out, "{marker}{space}{line}");
}

/// The program of a session file.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum ProgramRef {
    /// The session starts with an empty game.
    #[default]
    None,
    /// A file name, relative to the session file.
    External(String),
    /// Included in the session file.
    Inline {
        /// The name that messages use for it.
        name: String,
        /// Its whole text.
        text: String,
    },
}

/// A prelude of a session file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PreludeRef {
    /// The name that messages use for it. Without a text, the name of a file in the directory of the
    /// session file.
    pub name: String,
    /// Its whole text, if the session file includes it.
    pub text: Option<String>,
}

/// One item after `--- session`.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionItem {
    /// A `#` line.
    Comment(String),
    /// A line, or several, that the user entered.
    Input(SessionInput),
    /// `^D`: the program's input prompt was cancelled, and with it the action that asked.
    EndOfInput,
    /// The answer to the question about an earlier line, which runs then. Only journals have it: a saved
    /// session has the answer with the line.
    QuestionAnswer(String),
    /// A task. Played without a reader, it is the entering of its solution.
    Exercise(Box<Exercise>),
}

/// Something input, and the expected reply.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SessionInput {
    /// What was entered; it may have several lines.
    pub text: String,
    /// It answers the program's input prompt.
    pub is_answer: bool,
    /// Interrupted with Ctrl-C after this many instructions.
    pub interrupted_after: Option<u64>,
    /// What was asked before it ran.
    pub question: Option<RecordedQuestion>,
    /// With how many items before it changed nothing. A replay shows its reply instead of running it.
    pub no_effect: Option<NoEffect>,
    /// The files that it read, as (name, text). A replay reads these instead of the disk.
    pub files_read: Vec<(String, String)>,
    /// The expected reply, as plain text.
    pub reply_lines: Vec<String>,
}

impl SessionFile {
    /// Parses a session file. The error message includes the line number.
    pub fn parse(text: &str) -> Result<SessionFile, String> {
        parse::parse(text)
    }

    /// Removes the blank lines after each reply, which only separate the items.
    fn trim_replies(&mut self) {
        let trim = |lines: &mut Vec<String>| while lines.pop_if(|l| l.is_empty()).is_some() {};
        trim(&mut self.load_reply);
        self.inputs_mut()
            .for_each(|input| trim(&mut input.reply_lines));
    }

    /// All inputs in order, with those of the checks of exercises.
    fn inputs_mut(&mut self) -> impl Iterator<Item = &mut SessionInput> {
        self.items.iter_mut().flat_map(SessionItem::inputs_mut)
    }

    /// Replaces all replies: the first is the reply to loading, then one per input, with those of the
    /// checks of exercises.
    pub fn with_replies(mut self, replies: impl IntoIterator<Item = Vec<String>>) -> SessionFile {
        let mut replies = replies.into_iter();
        self.load_reply = replies.next().unwrap_or_default();
        for input in self.inputs_mut() {
            input.reply_lines = replies.next().unwrap_or_default();
            input.no_effect = None;
        }
        self.trim_replies();
        self
    }

    /// The file's text. Parsing it gives an equal `SessionFile`.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for line in &self.header_comments {
            push_line(&mut out, "", line);
        }
        push_line(&mut out, "language ", &self.language);
        push_line(&mut out, "seed ", &self.seed.to_string());
        if self.stops_on_errors {
            push_line(&mut out, "", "errors stop");
        }
        self.program_path
            .iter()
            .for_each(|path| push_line(&mut out, "from ", path));
        for prelude in &self.preludes {
            match &prelude.text {
                None => push_line(&mut out, "prelude ", &prelude.name),
                Some(text) => {
                    out.push('\n');
                    push_file(&mut out, "prelude", &prelude.name, text);
                }
            }
        }
        match &self.program {
            ProgramRef::None => push_line(&mut out, "", "\n--- session"),
            ProgramRef::External(name) => {
                push_line(&mut out, "program ", &format!("{name}\n\n--- session"))
            }
            ProgramRef::Inline { name, text } => {
                let dashes = unique_dashes(text, "session");
                let _ = write!(out, "\n{dashes} program {name}\n{text}");
                if !text.ends_with('\n') {
                    out.push('\n');
                }
                push_line(&mut out, "", &format!("{dashes} session"));
            }
        }
        self.load_reply
            .iter()
            .for_each(|line| push_line(&mut out, "  ", line));
        if self.items.first().is_some_and(|item| !item.is_answer()) {
            out.push('\n');
        }
        write_items(&mut out, &self.items);
        if self.ending != Ending::Open {
            out.push('\n');
            self.ending.write_to(&mut out);
        }
        out
    }
}

/// Appends items, with a blank line before each except for the first, those after a comment, and
/// the answers to an input prompt.
fn write_items(out: &mut String, items: &[SessionItem]) {
    let mut needs_blank_line = false;
    for item in items {
        if needs_blank_line && !item.is_answer() {
            out.push('\n');
        }
        needs_blank_line = !matches!(item, SessionItem::Comment(_));
        item.write_to(out);
    }
}

impl SessionItem {
    /// The input, if it is one.
    pub fn as_input(&self) -> Option<&SessionInput> {
        match self {
            SessionItem::Input(input) => Some(input),
            _ => None,
        }
    }

    /// The input, if it is one.
    fn as_input_mut(&mut self) -> Option<&mut SessionInput> {
        match self {
            SessionItem::Input(input) => Some(input),
            _ => None,
        }
    }

    /// The inputs that it consists of: one, none, or those of an exercise's checks.
    fn inputs_mut(&mut self) -> Box<dyn Iterator<Item = &mut SessionInput> + '_> {
        match self {
            SessionItem::Exercise(exercise) => Box::new(exercise.inputs_mut()),
            item => Box::new(item.as_input_mut().into_iter()),
        }
    }

    /// Whether it answers or ends the input prompt of the item before.
    fn is_answer(&self) -> bool {
        match self {
            SessionItem::Input(input) => input.is_answer,
            SessionItem::EndOfInput => true,
            SessionItem::Comment(_) | SessionItem::QuestionAnswer(_) | SessionItem::Exercise(_) => {
                false
            }
        }
    }

    /// Appends the item to a session file's text.
    pub fn write_to(&self, out: &mut String) {
        match self {
            SessionItem::Comment(line) => push_line(out, "", line),
            SessionItem::EndOfInput => push_line(out, "", "^D"),
            SessionItem::QuestionAnswer(text) => push_line(out, "? ", text),
            SessionItem::Input(input) => input.write_to(out),
            SessionItem::Exercise(exercise) => exercise.write_to(out),
        }
    }
}

impl SessionInput {
    fn write_to(&self, out: &mut String) {
        let marker = if self.is_answer { "< " } else { "> " };
        for (n, line) in self.text.split('\n').enumerate() {
            // Trailing spaces are kept: the line may be inside a string.
            let _ = match line.is_empty() {
                true => writeln!(out, "{}", if n > 0 { "." } else { marker.trim_end() }),
                false => writeln!(out, "{}{line}", if n > 0 { ". " } else { marker }),
            };
        }
        self.interrupted_after
            .iter()
            .for_each(|steps| push_line(out, "^C ", &steps.to_string()));
        if let Some(question) = &self.question {
            question.write_to(out);
        }
        for (name, text) in &self.files_read {
            push_file(out, "file", name, text);
        }
        if let Some(no_effect) = &self.no_effect {
            no_effect.write_to(out);
        }
        self.reply_lines
            .iter()
            .for_each(|line| push_line(out, "  ", line));
    }
}

/// Appends a line without trailing spaces, which many editors would remove anyway.
fn push_line(out: &mut String, prefix: &str, line: &str) {
    let line = format!("{prefix}{line}");
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Appends a file between `--- WORD NAME` and `--- end`.
fn push_file(out: &mut String, word: &str, name: &str, text: &str) {
    let dashes = unique_dashes(text, "end");
    let _ = write!(out, "{dashes} {word} {name}\n{text}");
    if !text.ends_with('\n') {
        out.push('\n');
    }
    push_line(out, &dashes, " end");
}

/// Splits a line such as `--- program NAME` into its dashes and the name, if it has this keyword.
fn parse_fence<'a>(line: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let (dashes, rest) = line.split_once(' ')?;
    let name = rest.trim().strip_prefix(word)?;
    (dashes.len() >= 3 && dashes.bytes().all(|b| b == b'-')).then_some((dashes, name.trim()))
}

/// A run of dashes that does not occur before this keyword in the text, so that the text cannot end
/// its own block.
fn unique_dashes(text: &str, word: &str) -> String {
    let longest = text
        .lines()
        .filter_map(|l| parse_fence(l, word))
        .map(|(d, _)| d.len() + 1)
        .max();
    "-".repeat(longest.unwrap_or(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Words.\nlanguage gridlok\nseed 7\n\n--- program a.gl\nboard {}\n\n--- session\n  loaded\n\n\
        # A note.\n> for {\n.   x\n. }\n  one\n\n  three\n\n> ask\n  ? who\n< me\n";

    #[test]
    fn writing_a_parsed_file_gives_the_same_text() {
        let file = SessionFile::parse(TEXT).unwrap();
        assert_eq!(file.to_text(), TEXT);
        assert_eq!(file.seed, 7);
        assert_eq!(file.items.len(), 4);
        assert_eq!(SessionFile::parse(&file.to_text()).unwrap(), file);
    }

    #[test]
    fn parse_errors_have_line_numbers() {
        let error = |text: &str| SessionFile::parse(text).unwrap_err();
        assert!(
            error("language gridlok\n--- session\nclick\n")
                .starts_with("line 3: expected `> input`")
        );
        assert!(error("language gridlok\nsede 1\n").starts_with("line 2: expected `language`"));
        assert_eq!(error("seed 1\n"), "missing `language NAME`");
    }
}
