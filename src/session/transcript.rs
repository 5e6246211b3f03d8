//! What was typed and what was answered, in order: for `:history`, `:save` and `:reload`.

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
}

#[derive(Clone, Debug, Default)]
pub struct Transcript {
    pub exchanges: Vec<Exchange>,
    /// The program that it began with: its name and its text.
    pub program: Option<(String, String)>,
    /// Where random numbers began.
    pub seed: u64,
}

impl Transcript {
    /// A program was loaded: what was typed before belonged to another game.
    pub fn begin(&mut self, name: &str, text: &str, seed: u64) {
        *self = Transcript { exchanges: Vec::new(), program: Some((name.into(), text.into())), seed };
    }
}

/// A reply in plain lines, as session files keep it.
pub fn told(session: &Session, reply: &Reply) -> Vec<String> {
    let mut lines: Vec<String> = reply.output.iter().flat_map(|o| o.split('\n')).map(str::to_string).collect();
    lines.extend(reply.lines.iter().map(|l| l.text()));
    // A board is a value of several lines.
    let value = reply.value.iter().flat_map(|v| v.split('\n')).enumerate();
    lines.extend(value.map(|(n, line)| format!("{}{line}", if n == 0 { "= " } else { "  " })));
    for diagnostic in &reply.diagnostics {
        lines.extend(short(&session.sources, diagnostic));
    }
    lines.extend(reply.picture.iter().map(|l| l.text()));
    lines.extend(reply.question.iter().map(|q| format!("? {q}")));
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(format!("… and {more} more lines"));
    }
    lines.iter().map(|l| l.trim_end().to_string()).collect()
}

/// A diagnostic in a line, with its notes below.
pub fn short(sources: &Sources, diagnostic: &Diagnostic) -> Vec<String> {
    let place = diagnostic.span.and_then(|span| {
        let source = sources.get(span.source)?;
        let (line, column) = source.line_column(span.start);
        Some(format!(" at {}:{line}:{column}", source.origin))
    });
    let (word, code) = (diagnostic.severity.word(), diagnostic.code);
    let mut lines = vec![format!("{word} {code}{}: {}", place.unwrap_or_default(), diagnostic.message)];
    lines.extend(diagnostic.notes.iter().map(|note| format!("  note: {note}")));
    lines
}
