//! `:history`: the lines of the session, and which of them `:save` writes.

use super::save_session::to_session_file;
use crate::answer::{CommandError, HistoryList, ListedEntry, Notice, Part};
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::session::{Answer, AtInput, Looks, RecordedIf, Session, TranscriptEntry, first_line};

pub const COMMANDS: &[Command] = &[Command {
    name: "history",
    aliases: &[],
    usage: "[n | drop N | keep N]",
    topic: Topic::Session,
    help: "list the last 20 entries of this session, or the last n; leave entry N out of `:save`",
    example: ":history 5",
    effects: CommandEffects::of(Topic::Session)
        .journaled(RecordedIf::HasValue)
        .at_prediction()
        .looks(Looks::Alone)
        .at_input(AtInput::Always),
    completion: ArgumentCompletion::Words(&["drop", "keep"]),
    run: history,
}];

/// Entries listed without an argument.
const DEFAULT_HISTORY_ENTRIES: usize = 20;

fn history(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    match arguments.first_word() {
        ("drop", line) => set_dropped(session, line.text(), true),
        ("keep", line) => set_dropped(session, line.text(), false),
        _ => list(session, arguments),
    }
}

fn list(session: &Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let limit = arguments
        .optional_count()?
        .unwrap_or(DEFAULT_HISTORY_ENTRIES);
    let entries = session.transcript.entries.iter();
    let typed: Vec<_> = entries.filter(|entry| !entry.is_replayed).collect();
    let last = typed.iter().skip(typed.len().saturating_sub(limit));
    let listed = last.map(|entry| ListedEntry {
        number: entry.number,
        input: entry.input.clone(),
        is_dropped: entry.is_dropped,
    });
    let entries = listed.collect();
    Ok(Answer::of(Part::HistoryList(HistoryList { entries })))
}

/// Leaves a line out of what `:save` writes, or includes it again. The game stays as it is.
fn set_dropped(
    session: &mut Session,
    line: &str,
    is_dropped: bool,
) -> Result<Answer, CommandError> {
    let word = if is_dropped { "drop" } else { "keep" };
    if line.is_empty() {
        return Err(CommandError::new(format!(
            "`:history {word}` needs an entry, e.g. `:history {word} 2`, or a command, e.g. `:history {word} :where`"
        )));
    }
    let entries = &mut session.transcript.entries;
    let found = find_line(entries, line, is_dropped)?;
    let (input, number) = (entries[found].input.clone(), entries[found].number);
    let mut is_part = false;
    for (n, entry) in entries.iter_mut().enumerate().skip(found) {
        // A `:reload` may have entered it again, under the same number. Its answers belong to it.
        is_part = match entry.is_answer {
            true => is_part,
            false => n == found || number.is_some() && entry.number == number,
        };
        if is_part {
            entry.is_dropped = is_dropped;
        }
    }
    let shown = first_line(&input);
    let mut answer = Answer::of(match is_dropped {
        true => Notice::DroppedLine {
            input: shown,
            line: line.to_string(),
        },
        false => Notice::KeptLine { input: shown },
    });
    // A replay saves nothing, so there is nothing to check.
    if !session.files.is_replay && !to_session_file(session, None)?.is_exact {
        answer.push(Notice::NotExact);
    }
    Ok(answer)
}

/// The index of the line with this number or, for a command, with this text: the last one that is
/// not dropped yet, or is dropped.
fn find_line(
    entries: &[TranscriptEntry],
    line: &str,
    is_dropped: bool,
) -> Result<usize, CommandError> {
    let number: Option<u32> = line.parse().ok();
    let is_meant = |e: &TranscriptEntry| match number {
        Some(_) => e.number == number,
        None => e.command.is_some() && e.input.trim() == line,
    };
    let Some(any) = entries.iter().position(is_meant) else {
        return Err(match number {
            Some(number) => CommandError::new(format!("there is no entry {number}"))
                .advise(":history", "lists them"),
            None => CommandError::new(format!("you have not typed `{line}`"))
                .advise(":history", "lists what you typed"),
        });
    };
    if entries.iter().any(|e| is_meant(e) && !e.is_saved) {
        return Err(CommandError::new(format!(
            "`:save` does not include `{line}` anyway"
        )));
    }
    if number.is_some() && entries[any].is_dropped != is_dropped {
        return Ok(any);
    }
    let is_other = |e: &TranscriptEntry| is_meant(e) && e.is_dropped != is_dropped;
    entries.iter().rposition(is_other).ok_or_else(|| {
        CommandError::new(match is_dropped {
            true => format!("`{line}` is left out already"),
            false => format!("`{line}` is not left out"),
        })
    })
}
