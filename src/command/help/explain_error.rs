//! Explanations of error codes: what each means, an example that produces it, and how to fix it.
//! `:explain CODE` and docs/errors.md show the same table.
//!
//! The texts are in `errors.txt` of each language, one paragraph per code, and in
//! `explain_error/runtime.txt` for errors of the machine. The first line is the code and its
//! meaning. The first character of a further line says what it is:
//!
//! - `@` the language of the example of a runtime error
//! - `|` a line of the program
//! - `$` the command line, if gridbug has to be started in a special way
//! - `>` an input, `.` its continuation lines
//! - `^` Ctrl-C while the last input runs
//! - anything else: how to fix the error
//!
//! `«300× (»` is three hundred opening parentheses. Inside, `#` is the number of the repetition
//! (from 1), `@` the same in letters (`aaa`, `aab`, …), and `¶` a line break.

use crate::answer::{CommandError, ErrorHelp, Part, RemarkKind};
use crate::languages::{ALL, by_name};
use crate::session::{Answer, Session};

/// The explanations of runtime errors, which are those of the machine and not of a language.
const RUNTIME_ERRORS: &str = include_str!("explain_error/runtime.txt");

/// The explanation of one error code.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorExplanation {
    pub code: &'static str,
    /// The meaning in one line.
    pub summary: &'static str,
    /// The language of the example.
    pub language: &'static str,
    /// The lines of a program that is loaded first; may be empty.
    pub program: Vec<&'static str>,
    /// Lines typed afterwards. The last one produces the error; if there is none, loading does.
    pub inputs: Vec<String>,
    /// How gridbug has to be started; empty if it does not matter.
    pub command_line: &'static str,
    /// Ctrl-C is pressed while the last input runs.
    pub is_interrupted: bool,
    /// How to fix the error, in lines.
    pub fix: Vec<&'static str>,
}

/// The explanations of all codes: each language's, then the runtime errors.
pub fn error_explanations() -> Vec<ErrorExplanation> {
    let languages = ALL.iter().map(|language| language.info());
    let texts = languages.map(|info| (info.name, info.error_explanations));
    let paragraphs = texts
        .chain([("", RUNTIME_ERRORS)])
        .flat_map(|(language, text)| text.split("\n\n").map(move |p| (language, p)));
    paragraphs
        .filter_map(|(language, paragraph)| parse(language, paragraph))
        .collect()
}

/// Parses one paragraph of the texts.
fn parse(language: &'static str, paragraph: &'static str) -> Option<ErrorExplanation> {
    let mut lines = paragraph.lines().filter(|l| !l.is_empty());
    let (code, summary) = lines.next()?.split_once(' ')?;
    let mut explanation = ErrorExplanation {
        code,
        summary,
        language,
        ..ErrorExplanation::default()
    };
    for line in lines {
        let rest = line.get(2..).unwrap_or("");
        match (line.as_bytes()[0], explanation.inputs.last_mut()) {
            (b'@', _) => explanation.language = rest,
            (b'|', _) => explanation.program.push(rest),
            (b'$', _) => explanation.command_line = rest,
            (b'^', _) => explanation.is_interrupted = true,
            (b'>', _) => explanation.inputs.push(rest.to_string()),
            (b'.', Some(entry)) => *entry = format!("{entry}\n{rest}"),
            _ => explanation.fix.push(line),
        }
    }
    Some(explanation)
}

impl ErrorExplanation {
    /// The example as it would appear in a terminal, with long repetitions shortened.
    pub fn example(&self) -> Vec<String> {
        let name = by_name(self.language).map_or("gridbug", |l| l.info().name);
        let program = self.program.iter().map(|line| line.to_string());
        let command_line = Some(self.command_line)
            .filter(|s| !s.is_empty())
            .map(|s| format!("$ {s}"));
        let with_prompt = |entry: &String| {
            let continuation = format!("\n{:>width$} ", "...", width = name.len() + 1);
            format!("{name}> {}", entry.replace('\n', &continuation))
        };
        let inputs: Vec<String> = self.inputs.iter().map(with_prompt).collect();
        let inputs = inputs.iter().flat_map(|t| t.lines().map(str::to_string));
        let interrupt = self.is_interrupted.then(|| "^C".to_string());
        let lines = program
            .chain(command_line)
            .chain(inputs)
            .chain(interrupt)
            .map(|line| abbreviate(&line));
        lines
            .flat_map(|line| line.lines().map(str::to_string).collect::<Vec<_>>())
            .collect()
    }

    /// The program with all repetitions expanded.
    #[cfg(feature = "internals")]
    pub fn full_program(&self) -> String {
        self.program
            .iter()
            .map(|line| expand(line) + "\n")
            .collect()
    }

    /// The inputs with all repetitions expanded.
    #[cfg(feature = "internals")]
    pub fn full_inputs(&self) -> Vec<String> {
        self.inputs.iter().map(|entry| expand(entry)).collect()
    }
}

/// Expands the repetitions of a line.
#[cfg(feature = "internals")]
fn expand(line: &str) -> String {
    replace_repetitions(line, |count, pattern| {
        (0..count).map(|n| instance(pattern, n)).collect()
    })
}

/// Shortens each repetition of a line to two instances and the count.
fn abbreviate(line: &str) -> String {
    replace_repetitions(line, |count, pattern| {
        let few: String = (0..2).map(|n| instance(pattern, n)).collect();
        format!("{few}…{count} in all…")
    })
}

fn replace_repetitions(line: &str, replace: impl Fn(usize, &str) -> String) -> String {
    let mut parts = line.split('«');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| {
        let (inside, rest) = part.split_once('»').unwrap_or((part, ""));
        let (count, pattern) = inside.split_once("× ").unwrap_or(("1", inside));
        text + &replace(count.parse().unwrap_or(1), pattern) + rest
    })
}

/// The instance of a repeated pattern with this number, counted from 0.
fn instance(pattern: &str, number: usize) -> String {
    let digit = |place: u32| char::from(b'a' + (number / 26usize.pow(place) % 26) as u8);
    let letters: String = [2, 1, 0].map(digit).iter().collect();
    pattern
        .replace('#', &(number + 1).to_string())
        .replace('@', &letters)
        .replace('¶', "\n")
}

/// Explains the code of an error or of a finding of `:check`; `None` if `word` does not look like one.
pub(crate) fn explain_code(session: &Session, word: &str) -> Option<Result<Answer, CommandError>> {
    let mut remarks = RemarkKind::ALL.into_iter();
    if let Some(kind) = remarks.find(|kind| kind.code().eq_ignore_ascii_case(word)) {
        let (summary, fix) = kind.explanation();
        return Some(Ok(Answer::of(Part::ErrorHelp(ErrorHelp {
            code: kind.code(),
            summary,
            other_language: None,
            example: Vec::new(),
            fix: vec![fix],
        }))));
    }
    let all = error_explanations();
    match all.iter().find(|e| e.code.eq_ignore_ascii_case(word)) {
        Some(explanation) => Some(Ok(Answer::of(Part::ErrorHelp(help(session, explanation))))),
        None => unknown_code(&all, word).map(Err),
    }
}

fn help(session: &Session, explanation: &ErrorExplanation) -> ErrorHelp {
    let current = session.target.language().info();
    ErrorHelp {
        code: explanation.code,
        summary: explanation.summary,
        other_language: by_name(explanation.language)
            .map(|l| l.info())
            .filter(|info| info.name != current.name)
            .map(|info| info.title),
        example: explanation.example(),
        fix: explanation.fix.clone(),
    }
}

/// The error for an unknown code; `None` if `word` does not have the form of one.
fn unknown_code(all: &[ErrorExplanation], word: &str) -> Option<CommandError> {
    let (letters, number) = word.split_at_checked(2)?;
    let is_number = number.len() == 3 && number.chars().all(|c| c.is_ascii_digit());
    let prefix = letters.to_uppercase();
    let mut siblings = all
        .iter()
        .map(|e| e.code)
        .filter(|c| c.starts_with(&prefix));
    let first = siblings.next().filter(|_| is_number)?;
    let last = siblings.next_back().unwrap_or(first);
    Some(CommandError::new(format!(
        "unknown error code {word}; the codes are {first} to {last}, with gaps"
    )))
}
