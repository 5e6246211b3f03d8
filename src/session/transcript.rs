//! What was typed and what was answered, in order: for `:history`, `:save` and `:reload`.

use super::file::{Part, Typed};
use super::{Reply, Session};
use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// Longer answers are cut here when they are remembered.
const MOST_LINES: usize = 400;

/// One thing typed, and its answer in plain lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    pub typed: String,
    /// The command that it was, if it was one.
    pub command: Option<&'static str>,
    /// Typed in answer to a question of the program.
    pub answers: bool,
    pub told: Vec<String>,
    /// The record of the timeline that it made.
    pub made: Option<usize>,
    /// Belongs into a session file: it can be done again, and tells something.
    pub kept: bool,
    /// Done again by a command that was typed itself, or part of a session that was left.
    pub within: bool,
    /// Stopped from the keyboard after so many steps.
    pub stopped: Option<u64>,
    /// The files that it read: names and texts.
    pub files: Vec<(String, String)>,
}

impl Exchange {
    /// As a session file has it, its answer still to be filled in.
    pub fn part(&self) -> Part {
        let Exchange {
            typed,
            answers,
            stopped,
            files,
            ..
        } = self.clone();
        Part::Typed(Typed {
            text: typed,
            answers,
            stopped,
            files,
            told: Vec::new(),
        })
    }
}

/// What a session was begun with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beginning {
    /// The program: its name and its text.
    pub program: Option<(String, String)>,
    /// Where random numbers began.
    pub seed: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// Everything since the session began.
    pub exchanges: Vec<Exchange>,
    /// What the session began with.
    pub first: Beginning,
    /// What the game began with that is played now, and how much was typed before that.
    pub game: Beginning,
    pub before: usize,
}

impl Transcript {
    pub fn new(seed: u64) -> Transcript {
        let beginning = Beginning {
            program: None,
            seed,
        };
        Transcript {
            exchanges: Vec::new(),
            first: beginning.clone(),
            game: beginning,
            before: 0,
        }
    }

    /// A program was loaded: what was typed before belonged to another game.
    pub fn begin(&mut self, name: &str, text: &str, seed: u64) {
        self.game = Beginning {
            program: Some((name.into(), text.into())),
            seed,
        };
        self.before = self.exchanges.len();
    }

    /// The session begins with the game that was just loaded.
    pub fn begin_here(&mut self) {
        self.first = self.game.clone();
        self.exchanges.clear();
        self.before = 0;
    }
}

/// A reply in plain lines, as session files keep it.
pub fn told(session: &Session, reply: &Reply) -> Vec<String> {
    let mut lines: Vec<String> = reply.output.clone();
    lines.extend(reply.lines.iter().map(|l| l.text()));
    // A board is a value of several lines.
    let value = reply.written().enumerate();
    lines.extend(value.map(|(n, line)| format!("{}{line}", if n == 0 { "= " } else { "  " })));
    for diagnostic in &reply.diagnostics {
        lines.extend(short(&session.sources, diagnostic));
    }
    lines.extend(reply.picture.iter().map(|l| l.text()));
    lines.extend(reply.question.iter().map(|q| format!("? {q}")));
    // What is printed, asked and told of entries may have several lines.
    let mut lines: Vec<String> = lines
        .iter()
        .flat_map(|l| l.split('\n'))
        .map(|l| l.trim_end().to_string())
        .collect();
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(format!("… and {more} more lines"));
    }
    lines
}

/// A diagnostic in a line, with its notes below.
pub fn short(sources: &Sources, diagnostic: &Diagnostic) -> Vec<String> {
    let place = diagnostic.span.and_then(|span| {
        let source = sources.get(span.source)?;
        let (line, column) = source.line_column(span.start);
        Some(format!(" at {}:{line}:{column}", source.origin))
    });
    let (word, code) = (diagnostic.severity.word(), diagnostic.code);
    let mut lines = vec![format!(
        "{word} {code}{}: {}",
        place.unwrap_or_default(),
        diagnostic.message
    )];
    lines.extend(
        diagnostic
            .notes
            .iter()
            .map(|note| format!("  note: {note}")),
    );
    lines
}
