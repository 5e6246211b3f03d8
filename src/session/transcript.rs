//! What was typed and what was answered, in order: for `:history`, `:save` and `:reload`.

use super::session_file::{SessionInput, SessionItem};
use super::{Reply, Session};
use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// Longer answers are cut here when they are remembered.
const MOST_LINES: usize = 400;

/// One thing typed, and its answer in plain lines.
#[derive(Clone, Debug, PartialEq)]
pub struct TranscriptEntry {
    pub input: String,
    /// The command that it was, if it was one.
    pub command: Option<&'static str>,
    /// Typed in answer to a question of the program.
    pub is_answer: bool,
    pub reply_lines: Vec<String>,
    /// The record of the timeline that it made.
    pub history_index: Option<usize>,
    /// Belongs into a session file: it can be done again, and tells something.
    pub is_saved: bool,
    /// Done again by a command that was typed itself, or part of a session that was left.
    pub is_internal: bool,
    /// Stopped from the keyboard after so many steps.
    pub interrupted_after: Option<u64>,
    /// The files that it read: names and texts.
    pub files_read: Vec<(String, String)>,
}

impl TranscriptEntry {
    /// As a session file has it, its answer still to be filled in.
    pub fn to_session_item(&self) -> SessionItem {
        let TranscriptEntry {
            input: typed,
            is_answer: answers,
            interrupted_after: stopped,
            files_read: files,
            ..
        } = self.clone();
        SessionItem::Input(SessionInput {
            text: typed,
            is_answer: answers,
            interrupted_after: stopped,
            files_read: files,
            reply_lines: Vec::new(),
        })
    }
}

/// What a session was begun with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StartConfig {
    /// The program: its name and its text.
    pub program: Option<(String, String)>,
    /// Where random numbers began.
    pub seed: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// Everything since the session began.
    pub entries: Vec<TranscriptEntry>,
    /// What the session began with.
    pub session_start: StartConfig,
    /// What the game began with that is played now, and how much was typed before that.
    pub game_start: StartConfig,
    pub game_offset: usize,
}

impl Transcript {
    pub fn new(seed: u64) -> Transcript {
        let beginning = StartConfig {
            program: None,
            seed,
        };
        Transcript {
            entries: Vec::new(),
            session_start: beginning.clone(),
            game_start: beginning,
            game_offset: 0,
        }
    }

    /// A program was loaded: what was typed before belonged to another game.
    pub fn start_game(&mut self, name: &str, text: &str, seed: u64) {
        self.game_start = StartConfig {
            program: Some((name.into(), text.into())),
            seed,
        };
        self.game_offset = self.entries.len();
    }

    /// The session begins with the game that was just loaded.
    pub fn set_baseline(&mut self) {
        self.session_start = self.game_start.clone();
        self.entries.clear();
        self.game_offset = 0;
    }
}

/// A reply in plain lines, as session files keep it.
pub fn to_plain_text(session: &Session, reply: &Reply) -> Vec<String> {
    let mut lines: Vec<String> = reply.output.clone();
    lines.extend(reply.lines.iter().map(|l| l.text()));
    // A board is a value of several lines.
    let value = reply.value_lines().enumerate();
    lines.extend(value.map(|(n, line)| format!("{}{line}", if n == 0 { "= " } else { "  " })));
    for diagnostic in &reply.diagnostics {
        lines.extend(diagnostic_lines(&session.sources, diagnostic));
    }
    lines.extend(reply.board_lines.iter().map(|l| l.text()));
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
pub fn diagnostic_lines(sources: &Sources, diagnostic: &Diagnostic) -> Vec<String> {
    let place = diagnostic.span.and_then(|span| {
        let source = sources.get(span.source)?;
        let (line, column) = source.line_column(span.start);
        Some(format!(" at {}:{line}:{column}", source.origin))
    });
    let (word, code) = (diagnostic.severity.as_str(), diagnostic.code);
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
