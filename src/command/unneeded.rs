//! Finds lines that changed nothing, so that restoring the session need not run them again: commands that
//! only show something, entries that failed, and actions that were abandoned.

use super::{Command, find};
use crate::session::session_file::NoEffect;
use crate::session::{HistoryPosition, Session, Sets, Topic, Traces, TranscriptEntry};

/// Which of the last lines had no effect, if the line that has just run is one of them. It is the last
/// of the transcript.
pub(super) fn lines_without_effect(session: &Session) -> Option<NoEffect> {
    let last = session.transcript.entries.last()?;
    let has_changed =
        last.position_before != last.position_after || last.traces_before != Traces::of(session);
    let command = last.command.and_then(|name| find(name).ok());
    let item_count = match command {
        Some(command) if command.effects.only_shows && !has_changed => 1,
        Some(command) if command.name == "abandon" && !last.has_failed => abandoned_count(session)?,
        None if has_changed || last.is_answer => return None,
        None if last.has_failed
            && last.entry.is_none()
            && last.traces_before.is_at_end()
            && !session.target.is_waiting_for_input() =>
        {
            1
        }
        _ => return None,
    };
    Some(NoEffect {
        item_count,
        next_number: session.target.next_entry_number(),
    })
}

/// How many lines belong to the action that was just abandoned, with the last one, which did that.
fn abandoned_count(session: &Session) -> Option<usize> {
    let target = &session.target;
    if !target.machine.is_idle() {
        return None;
    }
    let (now, traces) = (HistoryPosition::of(target), Traces::of(session));
    let lines = session.transcript.entries.iter().rev().enumerate().skip(1);
    for (n, line) in lines {
        if !line.is_journaled || !can_be_abandoned(line) {
            return None;
        }
        let is_entry = line.command.is_none() && !line.is_answer;
        if is_entry && line.position_before == now {
            let is_same = line.traces_before == traces && traces.is_at_end();
            return is_same.then_some(n + 1);
        }
    }
    None
}

/// Whether nothing is left of a line if the action that it is a part of is abandoned.
fn can_be_abandoned(line: &TranscriptEntry) -> bool {
    let is_harmless = |command: &Command| {
        command.effects.setting == Sets::None
            && matches!(command.topic, Topic::Running | Topic::Inspecting)
            && command.name != "abandon"
    };
    let command = line.command.map(|name| find(name).ok());
    let is_plain = !line.is_internal && line.asked.is_none() && line.files_read.is_empty();
    is_plain && command.is_none_or(|found| found.is_some_and(is_harmless))
}
