//! Session files: a program, what was typed and what was answered, in a text that reads like a lesson.
//!
//! ```text
//! # What it shows, in words.
//! language gridlok
//! seed 1
//!
//! --- program tic-tac-toe.gl
//! game { … }
//! --- session
//!   what was answered to loading it
//!
//! > for r(0, 3) {
//! .   click{r, r}
//! . }
//!   what was answered
//! ```
//!
//! Typed lines stand at the edge after `>`, go on after `.`, and answer a question of the program after `<`.
//! Answers are indented. Lines with `#` are the author's own. `program FILE` names a program beside the file.
//! `^C 65536` under a typed line says that it was stopped from the keyboard after so many steps, `^D` that a question
//! was given up. A file that a command read stands under it, between `--- file NAME` and `--- end`.

mod parse;

pub use parse::parse_intact_prefix;

use std::fmt::Write;

#[derive(Clone, Debug, PartialEq, Default)]
pub struct SessionFile {
    /// What stands before the first setting.
    pub header_comments: Vec<String>,
    pub language: String,
    pub seed: u64,
    pub program: ProgramRef,
    /// Where the program lay, if it came from a file.
    pub program_path: Option<String>,
    /// What was answered to the loading of the program.
    pub load_reply: Vec<String>,
    pub items: Vec<SessionItem>,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub enum ProgramRef {
    #[default]
    None,
    /// A file beside this one.
    External(String),
    Inline {
        name: String,
        text: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum SessionItem {
    /// A line of the author's.
    Comment(String),
    Input(SessionInput),
    /// The question of the program was given up, and with it what asked it.
    EndOfInput,
}

/// Something typed, what came in with it, and what was answered.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SessionInput {
    pub text: String,
    /// In answer to a question of the program.
    pub is_answer: bool,
    /// Stopped from the keyboard after so many steps.
    pub interrupted_after: Option<u64>,
    /// The files that it read: names and texts.
    pub files_read: Vec<(String, String)>,
    pub reply_lines: Vec<String>,
}

impl SessionFile {
    /// Reads one; the message says what is wrong, and in which line.
    pub fn parse(text: &str) -> Result<SessionFile, String> {
        parse::parse(text)
    }

    /// Blank lines at the end of answers are only there for the eye.
    fn trim_replies(&mut self) {
        let trim = |lines: &mut Vec<String>| while lines.pop_if(|l| l.is_empty()).is_some() {};
        trim(&mut self.load_reply);
        for part in &mut self.items {
            if let SessionItem::Input(typed) = part {
                trim(&mut typed.reply_lines);
            }
        }
    }

    /// The same with other answers: to the loading first, then to all that was typed.
    pub fn with_replies(mut self, answers: impl IntoIterator<Item = Vec<String>>) -> SessionFile {
        let mut answers = answers.into_iter();
        self.load_reply = answers.next().unwrap_or_default();
        for part in &mut self.items {
            if let SessionItem::Input(typed) = part {
                typed.reply_lines = answers.next().unwrap_or_default();
            }
        }
        self.trim_replies();
        self
    }

    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for line in &self.header_comments {
            put(&mut out, "", line);
        }
        put(&mut out, "language ", &self.language);
        put(&mut out, "seed ", &self.seed.to_string());
        self.program_path
            .iter()
            .for_each(|path| put(&mut out, "from ", path));
        match &self.program {
            ProgramRef::None => put(&mut out, "", "\n--- session"),
            ProgramRef::External(name) => {
                put(&mut out, "program ", &format!("{name}\n\n--- session"))
            }
            ProgramRef::Inline { name, text } => {
                let dashes = dashes(text, "session");
                let _ = write!(out, "\n{dashes} program {name}\n{text}");
                if !text.ends_with('\n') {
                    out.push('\n');
                }
                put(&mut out, "", &format!("{dashes} session"));
            }
        }
        self.load_reply
            .iter()
            .for_each(|line| put(&mut out, "  ", line));
        let mut after_note = false;
        for part in &self.items {
            // An answer stands right under its question.
            let answers = matches!(
                part,
                SessionItem::Input(SessionInput {
                    is_answer: true,
                    ..
                }) | SessionItem::EndOfInput
            );
            if !after_note && !answers {
                out.push('\n');
            }
            after_note = matches!(part, SessionItem::Comment(_));
            part.write_to(&mut out);
        }
        out
    }
}

impl SessionItem {
    /// Writes it at the end of a session file.
    pub fn write_to(&self, out: &mut String) {
        match self {
            SessionItem::Comment(line) => put(out, "", line),
            SessionItem::EndOfInput => put(out, "", "^D"),
            SessionItem::Input(typed) => typed.write_to(out),
        }
    }
}

impl SessionInput {
    fn write_to(&self, out: &mut String) {
        let first = if self.is_answer { "< " } else { "> " };
        for (n, line) in self.text.split('\n').enumerate() {
            // As it was typed, also with spaces at its end: it may be the midst of a text.
            let _ = match line.is_empty() {
                true => writeln!(out, "{}", if n > 0 { "." } else { first.trim_end() }),
                false => writeln!(out, "{}{line}", if n > 0 { ". " } else { first }),
            };
        }
        self.interrupted_after
            .iter()
            .for_each(|steps| put(out, "^C ", &steps.to_string()));
        for (name, text) in &self.files_read {
            let dashes = dashes(text, "end");
            let _ = write!(out, "{dashes} file {name}\n{text}");
            if !text.ends_with('\n') {
                out.push('\n');
            }
            put(out, &dashes, " end");
        }
        self.reply_lines
            .iter()
            .for_each(|line| put(out, "  ", line));
    }
}

fn put(out: &mut String, before: &str, line: &str) {
    // Nobody sees spaces at the end of a line, and editors drop them.
    let line = format!("{before}{line}");
    out.push_str(line.trim_end());
    out.push('\n');
}

/// The dashes of a line like `--- program NAME`, and what follows the word.
fn fence<'a>(line: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let (dashes, rest) = line.split_once(' ')?;
    let name = rest.trim().strip_prefix(word)?;
    (dashes.len() >= 3 && dashes.bytes().all(|b| b == b'-')).then_some((dashes, name.trim()))
}

/// As many dashes as no line of the text has before this word.
fn dashes(text: &str, word: &str) -> String {
    let most = text
        .lines()
        .filter_map(|l| fence(l, word))
        .map(|(d, _)| d.len() + 1)
        .max();
    "-".repeat(most.unwrap_or(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Words.\nlanguage gridlok\nseed 7\n\n--- program a.gl\nboard {}\n\n--- session\n  loaded\n\n\
        # A note.\n> for {\n.   x\n. }\n  one\n\n  three\n\n> ask\n  ? who\n< me\n";

    #[test]
    fn reading_and_writing_are_each_other_s_mirror() {
        let file = SessionFile::parse(TEXT).unwrap();
        assert_eq!(file.to_text(), TEXT);
        assert_eq!(file.seed, 7);
        assert_eq!(file.items.len(), 4);
        assert_eq!(SessionFile::parse(&file.to_text()).unwrap(), file);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let wrong = |text: &str| SessionFile::parse(text).unwrap_err();
        assert!(
            wrong("language gridlok\n--- session\nclick\n")
                .starts_with("line 3: expected `> typed`")
        );
        assert!(wrong("language gridlok\nsede 1\n").starts_with("line 2: expected `language`"));
        assert_eq!(wrong("seed 1\n"), "there is no line `language NAME`");
    }
}
