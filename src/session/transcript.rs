//! The transcript: all input of the session with the replies as plain text. `:history`, `:save` and
//! `:reload` use it.

use super::session_file::{NoEffect, RecordedQuestion, SessionInput, SessionItem};
use super::{Answer, PredictionTopic, Session, Traces, ViewSettings, count_noun};
use crate::answer::Width;
use crate::debugger::{EntryId, Target};
use crate::diagnostic::{Diagnostic, split_shown_diagnostics};
use crate::source::Sources;
use std::collections::HashSet;

/// Longer replies are truncated in the transcript.
const MAX_REPLY_LINES: usize = 400;

/// A point in the history, to see whether a line has led back to an earlier one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct HistoryPosition {
    entry: Option<EntryId>,
    time: u64,
    frame: usize,
}

impl HistoryPosition {
    /// Where the target is now.
    pub fn of(target: &Target) -> HistoryPosition {
        HistoryPosition {
            entry: target.timeline.current().map(|entry| entry.id),
            time: target.machine.time(),
            frame: target.debugger.selected_frame,
        }
    }
}

/// One input and the reply to it, as plain text.
#[derive(Clone, Debug, PartialEq)]
pub struct TranscriptEntry {
    /// What was entered; it may have several lines.
    pub input: String,
    /// The number of the entry; `None` for a command or an answer.
    pub number: Option<u32>,
    /// The name of the command, if it was one.
    pub command: Option<&'static str>,
    /// Whether the command reads the program from files.
    pub loads_program: bool,
    /// It answers the program's input prompt.
    pub is_answer: bool,
    /// The reply, at most 400 lines of it.
    pub reply_lines: Vec<String>,
    /// The history entry that it created.
    pub entry: Option<EntryId>,
    /// Whether `:save` includes it. Commands about the session itself, such as `:help` and `:load`,
    /// and input without effect are left out.
    pub is_saved: bool,
    /// Whether the user has dropped it from what `:save` writes (`:history drop`).
    pub is_dropped: bool,
    /// Whether it failed.
    pub has_failed: bool,
    /// The point in the history where it was entered.
    pub position_before: HistoryPosition,
    /// The point in the history to which it led.
    pub position_after: HistoryPosition,
    /// Replayed by another command, which is recorded itself, or part of a session that was
    /// replaced.
    pub is_internal: bool,
    /// Whether a command such as `:reload` entered it, not the user.
    pub is_replayed: bool,
    /// Interrupted with Ctrl-C after this many instructions.
    pub interrupted_after: Option<u64>,
    /// The files that it read, as (name, text).
    pub files_read: Vec<(String, String)>,
    /// The question that was answered before it ran.
    pub asked: Option<AnsweredQuestion>,
    /// With how many lines before it changed nothing.
    pub no_effect: Option<NoEffect>,
    /// The reply as a replay gives it, if that is not how it was shown, and running the line again is to be
    /// avoided.
    pub replayed_reply: Option<Vec<String>>,
    /// What the line found.
    pub traces_before: Traces,
    /// Whether the journal has it.
    pub is_journaled: bool,
}

/// A question that was answered before a line ran.
#[derive(Clone, Debug, PartialEq)]
pub struct AnsweredQuestion {
    /// What it was about.
    pub topic: PredictionTopic,
    /// What was typed as the answer, or `skip`.
    pub typed: String,
}

impl TranscriptEntry {
    /// The entry as items of a saved session, without its reply. What was asked before it is a remark, as in
    /// lessons.
    pub fn to_saved_items(&self) -> Vec<SessionItem> {
        let mut items = self.to_journal_items();
        if let Some(SessionItem::Input(input)) = items.last_mut() {
            // A saved session runs everything, except for searches.
            input.no_effect = input.no_effect.filter(|_| self.replayed_reply.is_some());
        }
        items
    }

    /// The entry as items of a journal that begins after it.
    pub fn to_journal_items(&self) -> Vec<SessionItem> {
        let topic = self.asked.iter().map(|asked| &asked.topic);
        let remark = topic.map(|topic| SessionItem::Comment(format!("# predict {topic}")));
        let mut item = self.to_session_item();
        if let SessionItem::Input(input) = &mut item {
            // Lines that were never in a journal may lie between.
            input.no_effect = input.no_effect.filter(|mark| mark.item_count == 1);
        }
        remark.chain([item]).collect()
    }

    /// The entry as an item of a journal. It has its reply only if it is not run again. A remark is a
    /// comment there.
    pub fn to_session_item(&self) -> SessionItem {
        if self.command == Some("note")
            && let Some((_, text)) = self.input.trim().split_once(char::is_whitespace)
        {
            return SessionItem::Comment(format!("# {}", text.trim().replace('\n', " ")));
        }
        SessionItem::Input(SessionInput {
            text: self.input.clone(),
            is_answer: self.is_answer,
            interrupted_after: self.interrupted_after,
            files_read: self.files_read.clone(),
            question: self
                .asked
                .as_ref()
                .map(|asked| RecordedQuestion::Answered(asked.typed.clone())),
            no_effect: self.no_effect,
            reply_lines: match (self.no_effect, &self.replayed_reply) {
                (Some(_), Some(reply)) => reply.clone(),
                (Some(_), None) => self.reply_lines.clone(),
                (None, _) => Vec::new(),
            },
        })
    }
}

/// What a session or game started with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StartConfig {
    /// The names and texts of the preludes, in the order they are read.
    pub preludes: Vec<(String, String)>,
    /// The program's name and text.
    pub program: Option<(String, String)>,
    /// The seed of the random number generator.
    pub seed: u64,
    /// Whether errors in the program stop it.
    pub stops_on_errors: bool,
}

/// All input and replies of a session.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// Everything since the session started.
    pub entries: Vec<TranscriptEntry>,
    /// What the session started with.
    pub session_start: StartConfig,
    /// What the current game started with.
    pub game_start: StartConfig,
    /// The index of the current game's first entry.
    pub game_offset: usize,
    /// The index of the first line that the last `:reload` replayed: from there on, everything that
    /// is still in effect was entered again.
    pub replay_offset: usize,
    /// The memory that all lines of the session take, approximately; see [`Transcript::bytes`].
    bytes: u64,
}

/// How often the text of a line is in memory: in the transcript, as a source, in the history, and in what
/// was made of it.
const COPIES_OF_INPUT: u64 = 4;

impl Transcript {
    /// An empty transcript of a session without a program.
    pub fn new(seed: u64) -> Transcript {
        let start = StartConfig {
            seed,
            ..StartConfig::default()
        };
        Transcript {
            entries: Vec::new(),
            session_start: start.clone(),
            game_start: start,
            game_offset: 0,
            replay_offset: 0,
            bytes: 0,
        }
    }

    /// Adds a line with its reply.
    pub fn push(&mut self, entry: TranscriptEntry) {
        let reply: usize = entry.reply_lines.iter().map(|line| line.len() + 24).sum();
        let files: usize = entry.files_read.iter().map(|(_, text)| text.len()).sum();
        let own = size_of::<TranscriptEntry>() + reply + files;
        self.bytes += COPIES_OF_INPUT * entry.input.len() as u64 + own as u64;
        self.entries.push(entry);
    }

    /// The memory that all lines of the session take, with what else is kept of them, approximately. It
    /// never decreases: their sources are kept to the end.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Marks the start of a new game: the entries so far belong to another one.
    pub fn start_game(&mut self, start: StartConfig) {
        self.game_start = start;
        self.game_offset = self.entries.len();
    }

    /// What was dropped stays dropped when a `:reload` has entered it again.
    pub fn drop_replayed(&mut self) {
        let (before, replayed) = self.entries.split_at_mut(self.replay_offset);
        let dropped: HashSet<u32> = before
            .iter()
            .filter(|entry| entry.is_dropped)
            .filter_map(|entry| entry.number)
            .collect();
        let mut is_dropped = false;
        for entry in replayed {
            // The answers to its questions have no number.
            if !entry.is_answer {
                is_dropped = entry.number.is_some_and(|n| dropped.contains(&n));
            }
            entry.is_dropped = is_dropped;
        }
    }

    /// Makes the current game the start of the session, and forgets all entries.
    pub fn set_baseline(&mut self) {
        self.session_start = self.game_start.clone();
        self.entries.clear();
        (self.game_offset, self.replay_offset) = (0, 0);
    }
}

/// Says whether errors in the program stop it, from the start of the session on.
pub fn stop_on_errors(session: &mut Session, is_on: bool) {
    session.target.debugger.stops_on_program_errors = is_on;
    session.transcript.session_start.stops_on_errors = is_on;
    session.transcript.game_start.stops_on_errors = is_on;
}

/// A reply as plain text, as it was shown.
pub fn to_plain_text(session: &Session, answer: &Answer) -> Vec<String> {
    plain_text(session, answer, session.text_widths())
}

/// A reply as plain text, as replays give it: for a screen of the usual size.
pub fn to_replayed_text(session: &Session, answer: &Answer) -> Vec<String> {
    let board = session.target.board_outline();
    let settings = ViewSettings::default();
    plain_text(session, answer, settings.text_widths(board.as_ref()))
}

fn plain_text(session: &Session, answer: &Answer, width: Width) -> Vec<String> {
    let mut lines: Vec<String> = answer.all_output().cloned().collect();
    // A few very long lines can be too much, too.
    let omitted = answer.reported.omitted;
    if omitted > 0 && lines.len() < MAX_REPLY_LINES {
        lines.push(omitted_line(omitted));
    }
    let sources = &session.target.sources;
    let (first, last) = split_shown_diagnostics(&answer.diagnostics, sources);
    lines.extend(first.iter().flat_map(|d| diagnostic_lines(sources, d)));
    let text = crate::render::lines(answer, width);
    lines.extend(text.iter().map(|l| l.text()));
    // Only the first line of a value, such as a board, has the `= `.
    let value = answer.value_lines().enumerate();
    lines.extend(value.map(|(n, line)| format!("{}{line}", if n == 0 { "= " } else { "  " })));
    lines.extend(last.iter().flat_map(|d| diagnostic_lines(sources, d)));
    lines.extend(
        crate::render::other_board_lines(answer)
            .iter()
            .map(|l| l.text()),
    );
    let board = crate::render::board_lines(answer, width);
    lines.extend(board.iter().map(|l| l.text()));
    lines.extend(answer.question.iter().map(|q| format!("? {}", q.text)));
    let mut lines = split_lines(lines);
    if lines.len() > MAX_REPLY_LINES {
        let more = lines.len() - MAX_REPLY_LINES + omitted;
        lines.truncate(MAX_REPLY_LINES);
        lines.push(omitted_line(more));
    }
    lines
}

/// Output, questions and messages may contain line breaks. Spaces at the end of a line are removed.
fn split_lines(texts: Vec<String>) -> Vec<String> {
    let mut lines = Vec::with_capacity(texts.len());
    for mut text in texts {
        if text.contains('\n') {
            lines.extend(text.split('\n').map(|line| line.trim_end().to_string()));
        } else {
            text.truncate(text.trim_end().len());
            lines.push(text);
        }
    }
    lines
}

fn omitted_line(count: usize) -> String {
    format!("… and {}", count_noun(count, "more line", "more lines"))
}

/// A diagnostic without its source excerpt: one line, followed by its notes.
fn diagnostic_lines(sources: &Sources, diagnostic: &Diagnostic) -> Vec<String> {
    let location = diagnostic.span.and_then(|span| {
        let source = sources.get(span.source)?;
        let (line, column) = source.line_column(span.start);
        Some(format!(" at {}:{line}:{column}", source.origin))
    });
    let (severity, code) = (diagnostic.severity.as_str(), diagnostic.code);
    let mut lines = vec![format!(
        "{severity} {code}{}: {}",
        location.unwrap_or_default(),
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
