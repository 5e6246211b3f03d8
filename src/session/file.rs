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

use std::fmt::Write;

#[derive(Clone, Debug, PartialEq, Default)]
pub struct SessionFile {
    /// What stands before the first setting.
    pub title: Vec<String>,
    pub language: String,
    pub seed: u64,
    pub program: Given,
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
    Typed {
        text: String,
        answers: bool,
        told: Vec<String>,
    },
}

impl SessionFile {
    /// Reads one; the message says what is wrong, and in which line.
    pub fn parse(text: &str) -> Result<SessionFile, String> {
        let mut file = SessionFile { seed: 1, ..SessionFile::default() };
        let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line.trim_end_matches('\r')));
        while let Some((number, line)) = lines.next() {
            if let Some((dashes, name)) = fence(line, "program") {
                let end = format!("{dashes} session");
                let text: Vec<&str> = lines.by_ref().map(|(_, l)| l).take_while(|l| l.trim_end() != end).collect();
                file.program = Given::Within { name: name.to_string(), text: text.join("\n") + "\n" };
                break;
            }
            if fence(line, "session").is_some() {
                break;
            }
            file.setting(line).map_err(|why| format!("line {number}: {why}"))?;
        }
        if file.language.is_empty() {
            return Err("there is no line `language NAME`".into());
        }
        for (number, line) in lines {
            file.take(line).map_err(|why| format!("line {number}: {why}"))?;
        }
        file.tidy();
        Ok(file)
    }

    fn setting(&mut self, line: &str) -> Result<(), String> {
        if line.starts_with('#') || line.trim().is_empty() {
            if !line.trim().is_empty() {
                self.title.push(line.to_string());
            }
            return Ok(());
        }
        let (word, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = value.trim().to_string();
        match word {
            "language" => self.language = value,
            "program" => self.program = Given::Beside(value),
            "seed" => self.seed = value.parse().map_err(|_| format!("a seed is a whole number, not `{value}`"))?,
            _ => return Err(format!("expected `language`, `seed`, `program` or `--- session`, not `{line}`")),
        }
        Ok(())
    }

    /// One line behind `--- session`.
    fn take(&mut self, line: &str) -> Result<(), String> {
        let rest = |mark: &str| line.strip_prefix(mark).filter(|r| r.is_empty() || r.starts_with(' '));
        let words = |rest: &str| rest.strip_prefix(' ').unwrap_or(rest).to_string();
        if let Some(text) = rest(">") {
            self.parts.push(Part::Typed { text: words(text), answers: false, told: Vec::new() });
        } else if let Some(text) = rest("<") {
            self.parts.push(Part::Typed { text: words(text), answers: true, told: Vec::new() });
        } else if let Some(more) = rest(".") {
            match self.parts.last_mut() {
                Some(Part::Typed { text, told, .. }) if told.is_empty() => {
                    text.push('\n');
                    text.push_str(&words(more));
                }
                _ => return Err("`.` goes on with a typed line, and there is none before it".into()),
            }
        } else if line.starts_with('#') {
            self.parts.push(Part::Note(line.to_string()));
        } else if line.trim().is_empty() || line.starts_with("  ") {
            let line = line.strip_prefix("  ").unwrap_or("").trim_end().to_string();
            match self.parts.last_mut() {
                None => self.loaded.push(line),
                Some(Part::Typed { told, .. }) => told.push(line),
                Some(Part::Note(_)) if line.is_empty() => {}
                Some(Part::Note(_)) => return Err("an answer stands behind what was typed, not behind `#`".into()),
            }
        } else {
            return Err("expected `> typed`, `. more`, `< answer`, `# note` or an indented answer".into());
        }
        Ok(())
    }

    /// Blank lines at the end of answers are only there for the eye.
    fn tidy(&mut self) {
        let trim = |lines: &mut Vec<String>| while lines.pop_if(|l| l.is_empty()).is_some() {};
        trim(&mut self.loaded);
        for part in &mut self.parts {
            if let Part::Typed { told, .. } = part {
                trim(told);
            }
        }
    }

    /// The same with other answers: to the loading first, then to all that was typed.
    pub fn with_answers(mut self, answers: impl IntoIterator<Item = Vec<String>>) -> SessionFile {
        let mut answers = answers.into_iter();
        self.loaded = answers.next().unwrap_or_default();
        for part in &mut self.parts {
            if let Part::Typed { told, .. } = part {
                *told = answers.next().unwrap_or_default();
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
        match &self.program {
            Given::Nothing => put(&mut out, "", "\n--- session"),
            Given::Beside(name) => put(&mut out, "program ", &format!("{name}\n\n--- session")),
            Given::Within { name, text } => {
                let dashes = dashes(text);
                let _ = write!(out, "\n{dashes} program {name}\n{text}");
                if !text.ends_with('\n') {
                    out.push('\n');
                }
                put(&mut out, "", &format!("{dashes} session"));
            }
        }
        self.loaded.iter().for_each(|line| put(&mut out, "  ", line));
        let mut after_note = false;
        for part in &self.parts {
            // An answer stands right under its question.
            let answers = matches!(part, Part::Typed { answers: true, .. });
            if !after_note && !answers {
                out.push('\n');
            }
            after_note = matches!(part, Part::Note(_));
            write_part(&mut out, part);
        }
        out
    }
}

fn write_part(out: &mut String, part: &Part) {
    match part {
        Part::Note(line) => put(out, "", line),
        Part::Typed { text, answers, told } => {
            for (n, line) in text.split('\n').enumerate() {
                put(
                    out,
                    if n > 0 {
                        ". "
                    } else if *answers {
                        "< "
                    } else {
                        "> "
                    },
                    line,
                );
            }
            told.iter().for_each(|line| put(out, "  ", line));
        }
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

/// As many dashes as no line of the program has.
fn dashes(text: &str) -> String {
    let most = text.lines().filter_map(|l| fence(l, "session")).map(|(d, _)| d.len() + 1).max();
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
        assert!(wrong("language gridlok\n--- session\nclick\n").starts_with("line 3: expected `> typed`"));
        assert!(wrong("language gridlok\nsede 1\n").starts_with("line 2: expected `language`"));
        assert_eq!(wrong("seed 1\n"), "there is no line `language NAME`");
    }
}
