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

pub use parse::unbroken;

use std::fmt::Write;

#[derive(Clone, Debug, PartialEq, Default)]
pub struct SessionFile {
    /// What stands before the first setting.
    pub title: Vec<String>,
    pub language: String,
    pub seed: u64,
    pub program: Given,
    /// Where the program lay, if it came from a file.
    pub from: Option<String>,
    /// What was answered to the loading of the program.
    pub loaded: Vec<String>,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub enum Given {
    #[default]
    Nothing,
    /// A file beside this one.
    Beside(String),
    Within {
        name: String,
        text: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A line of the author's.
    Note(String),
    Typed(Typed),
    /// The question of the program was given up, and with it what asked it.
    GivenUp,
}

/// Something typed, what came in with it, and what was answered.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Typed {
    pub text: String,
    /// In answer to a question of the program.
    pub answers: bool,
    /// Stopped from the keyboard after so many steps.
    pub stopped: Option<u64>,
    /// The files that it read: names and texts.
    pub files: Vec<(String, String)>,
    pub told: Vec<String>,
}

impl SessionFile {
    /// Reads one; the message says what is wrong, and in which line.
    pub fn parse(text: &str) -> Result<SessionFile, String> {
        parse::parse(text)
    }

    /// Blank lines at the end of answers are only there for the eye.
    fn tidy(&mut self) {
        let trim = |lines: &mut Vec<String>| while lines.pop_if(|l| l.is_empty()).is_some() {};
        trim(&mut self.loaded);
        for part in &mut self.parts {
            if let Part::Typed(typed) = part {
                trim(&mut typed.told);
            }
        }
    }

    /// The same with other answers: to the loading first, then to all that was typed.
    pub fn with_answers(mut self, answers: impl IntoIterator<Item = Vec<String>>) -> SessionFile {
        let mut answers = answers.into_iter();
        self.loaded = answers.next().unwrap_or_default();
        for part in &mut self.parts {
            if let Part::Typed(typed) = part {
                typed.told = answers.next().unwrap_or_default();
            }
        }
        self.tidy();
        self
    }

    pub fn write(&self) -> String {
        let mut out = String::new();
        for line in &self.title {
            put(&mut out, "", line);
        }
        put(&mut out, "language ", &self.language);
        put(&mut out, "seed ", &self.seed.to_string());
        self.from
            .iter()
            .for_each(|path| put(&mut out, "from ", path));
        match &self.program {
            Given::Nothing => put(&mut out, "", "\n--- session"),
            Given::Beside(name) => put(&mut out, "program ", &format!("{name}\n\n--- session")),
            Given::Within { name, text } => {
                let dashes = dashes(text, "session");
                let _ = write!(out, "\n{dashes} program {name}\n{text}");
                if !text.ends_with('\n') {
                    out.push('\n');
                }
                put(&mut out, "", &format!("{dashes} session"));
            }
        }
        self.loaded
            .iter()
            .for_each(|line| put(&mut out, "  ", line));
        let mut after_note = false;
        for part in &self.parts {
            // An answer stands right under its question.
            let answers = matches!(
                part,
                Part::Typed(Typed { answers: true, .. }) | Part::GivenUp
            );
            if !after_note && !answers {
                out.push('\n');
            }
            after_note = matches!(part, Part::Note(_));
            part.write(&mut out);
        }
        out
    }
}

impl Part {
    /// Writes it at the end of a session file.
    pub fn write(&self, out: &mut String) {
        match self {
            Part::Note(line) => put(out, "", line),
            Part::GivenUp => put(out, "", "^D"),
            Part::Typed(typed) => typed.write(out),
        }
    }
}

impl Typed {
    fn write(&self, out: &mut String) {
        let first = if self.answers { "< " } else { "> " };
        for (n, line) in self.text.split('\n').enumerate() {
            // As it was typed, also with spaces at its end: it may be the midst of a text.
            let _ = match line.is_empty() {
                true => writeln!(out, "{}", if n > 0 { "." } else { first.trim_end() }),
                false => writeln!(out, "{}{line}", if n > 0 { ". " } else { first }),
            };
        }
        self.stopped
            .iter()
            .for_each(|steps| put(out, "^C ", &steps.to_string()));
        for (name, text) in &self.files {
            let dashes = dashes(text, "end");
            let _ = write!(out, "{dashes} file {name}\n{text}");
            if !text.ends_with('\n') {
                out.push('\n');
            }
            put(out, &dashes, " end");
        }
        self.told.iter().for_each(|line| put(out, "  ", line));
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
        assert_eq!(file.write(), TEXT);
        assert_eq!(file.seed, 7);
        assert_eq!(file.parts.len(), 4);
        assert_eq!(SessionFile::parse(&file.write()).unwrap(), file);
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
