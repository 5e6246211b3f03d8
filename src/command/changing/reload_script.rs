//! What `:reload` replays: the entries in effect, and for those that stopped on their way, all lines
//! that were typed until they ended.

use crate::command::{Command, find};
use crate::debugger::{EntryId, HistoryEntry};
use crate::session::{OnReload, Session, Sets, TranscriptEntry};
use crate::source::Origin;
use std::collections::HashMap;
use std::ops::Range;

/// What to replay after the program was loaded.
pub(crate) struct Script {
    pub(crate) items: Vec<ScriptItem>,
}

/// A step of a replay.
pub(crate) enum ScriptItem {
    /// A command that changes where the program stops, such as `:break`.
    Setting(String),
    /// An entry that runs to its end.
    Entry {
        text: String,
        /// The number of the entry; `None` for a command such as `:restart`.
        number: Option<u32>,
        /// The answers to its input prompts.
        answers: Vec<String>,
    },
    /// An entry during which something was typed at a stop.
    Stopped {
        /// What was typed, from the entry to the next one.
        lines: Vec<TypedLine>,
        /// How many entries of the history it consists of.
        entry_count: usize,
        /// Whether the program is still stopped in it.
        is_left_stopped: bool,
    },
}

/// A line that was typed.
pub(crate) struct TypedLine {
    pub(crate) input: String,
    /// The number of the entry; `None` for a command or an answer.
    pub(crate) number: Option<u32>,
    pub(crate) is_answer: bool,
    /// Interrupted with Ctrl-C after this many instructions.
    pub(crate) interrupted_after: Option<u64>,
    /// Whether its reply says something about the game.
    pub(crate) is_compared: bool,
}

impl Script {
    /// The entries in effect (not undone) since the program was loaded.
    pub(crate) fn of(session: &Session) -> Script {
        let entries = session.target.timeline.entries();
        let first = entries
            .iter()
            .rposition(|r| is_load(r) && r.resets_game())
            .map_or(1, |n| n + 1);
        let entries = entries.get(first..).unwrap_or_default();
        let transcript = &session.transcript.entries;
        // The line of the transcript that created an entry of the history.
        let lines = transcript.iter().enumerate();
        let lines: HashMap<EntryId, usize> = lines
            .filter_map(|(n, line)| Some((line.entry?, n)))
            .collect();
        let line_of = |entry: &HistoryEntry| lines.get(&entry.id).copied();
        let mut items = Vec::new();
        // Up to here, the settings in the transcript are in the script.
        let mut settings_end = session.transcript.replay_offset;
        let settings = |lines: Range<usize>| {
            let lines = transcript.get(lines).unwrap_or_default();
            let settings = lines.iter().filter(|line| is_setting(line));
            settings.map(|line| ScriptItem::Setting(line.input.clone()))
        };
        let mut actions = entries
            .chunk_by(|_, next| next.before.depth() > 0)
            .peekable();
        while let Some(action) = actions.next() {
            let next = actions.peek().and_then(|next| line_of(&next[0]));
            let is_left_stopped = actions.peek().is_none() && session.target.is_stopped();
            let has_typed = action[1..].iter().any(|entry| !entry.is_answer());
            let start = line_of(&action[0]).filter(|_| has_typed || is_left_stopped);
            let Some(start) = start else {
                // Preludes are loaded with the program.
                let entries = action.iter().filter(|entry| !is_load(entry));
                let actions = entries.collect::<Vec<_>>();
                let actions = actions.chunk_by(|_, next| next.is_answer());
                items.extend(actions.map(|entries| entry_item(session, entries)));
                continue;
            };
            let end = next.filter(|n| *n > start).unwrap_or(transcript.len());
            items.extend(settings(settings_end..start));
            settings_end = end;
            items.push(ScriptItem::Stopped {
                lines: transcript[start..end]
                    .iter()
                    .filter_map(typed_line)
                    .collect(),
                entry_count: action.len(),
                is_left_stopped,
            });
        }
        // Nothing stops at the rest, but the next replay may need them.
        items.extend(settings(settings_end..transcript.len()));
        Script { items }
    }

    /// The number of entries to replay.
    pub(crate) fn entry_count(&self) -> usize {
        let count = |item: &ScriptItem| match item {
            ScriptItem::Setting(_) => 0,
            ScriptItem::Entry { .. } => 1,
            ScriptItem::Stopped { entry_count, .. } => *entry_count,
        };
        self.items.iter().map(count).sum()
    }
}

/// Whether an entry loaded a file.
fn is_load(entry: &HistoryEntry) -> bool {
    entry.text.starts_with(":load ")
}

/// An entry, and the entries that answer its questions.
fn entry_item(session: &Session, entries: &[&HistoryEntry]) -> ScriptItem {
    let entry = entries[0];
    let answers = entries.iter().flat_map(|entry| {
        let own = entry.is_answer().then(|| entry.text.clone());
        own.into_iter().chain(entry.answers.iter().cloned())
    });
    let source = entry.source.and_then(|id| session.target.sources.get(id));
    let number = source.and_then(|source| match source.origin {
        Origin::Entry(number) => Some(number),
        _ => None,
    });
    ScriptItem::Entry {
        text: entry.text.clone(),
        number,
        answers: answers.collect(),
    }
}

/// Whether a line changes where the program stops.
fn is_setting(line: &TranscriptEntry) -> bool {
    command(line).is_some_and(|c| c.effects.setting == Sets::Stops)
}

fn command(line: &TranscriptEntry) -> Option<&'static Command> {
    find(line.command?).ok()
}

/// A line to be replayed; `None` for commands that change nothing.
fn typed_line(line: &TranscriptEntry) -> Option<TypedLine> {
    let on_reload = command(line).map_or(OnReload::Compared, |c| c.effects.on_reload);
    (on_reload != OnReload::Skipped).then(|| TypedLine {
        input: line.input.clone(),
        number: line.number,
        is_answer: line.is_answer,
        interrupted_after: line.interrupted_after,
        is_compared: on_reload == OnReload::Compared,
    })
}
