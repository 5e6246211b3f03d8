//! Lines that a replay leaves out, because they changed nothing: the transcript gets them with the replies
//! that were recorded.

use super::{Commands, split_command};
use crate::session::session_file::{SessionInput, SessionItem};
use crate::session::{HistoryPosition, Session, Topic, Traces, TranscriptEntry};

/// Leaves out the items that the replay of a journal is at, if they changed nothing. Returns how many they
/// are.
pub(crate) fn leave_out(commands: Commands, session: &mut Session, items: &[SessionItem]) -> usize {
    let target = &session.target;
    if target.is_waiting_for_input() || session.predictions.pending.is_some() {
        return 0;
    }
    let Some((inputs, next_number)) = marked_lines(items) else {
        return 0;
    };
    // The first line of an action that was abandoned is an entry; at its stops, commands need no colon.
    let is_command = |n: usize, text: &str| match n {
        0 => commands.command_of(session, text).is_some(),
        _ => is_command_at_stop(commands, text),
    };
    let command_flags: Vec<bool> = (0..)
        .zip(&inputs)
        .map(|(n, input)| is_command(n, &input.text))
        .collect();
    let numbered = |input: &SessionInput, is_command: bool| !input.is_answer && !is_command;
    let flagged = || inputs.iter().zip(&command_flags);
    let entry_count = flagged().filter(|(i, c)| numbered(i, **c)).count();
    if session.target.next_entry_number() as usize + entry_count != next_number as usize {
        return 0;
    }
    for (input, is_command) in flagged() {
        let number = numbered(input, *is_command).then(|| session.target.next_entry_number());
        add_line(commands, session, input, *is_command, number);
        if let Some(number) = number {
            session.target.set_next_entry_number(number + 1);
        }
    }
    inputs.len()
}

/// Leaves out a search whose reply is known, while a session is saved. Returns its line.
pub(crate) fn leave_out_search<'f>(
    commands: Commands,
    session: &mut Session,
    item: &'f SessionItem,
) -> Option<&'f SessionInput> {
    let input = item.as_input().filter(|input| input.no_effect.is_some())?;
    add_line(commands, session, input, true, None);
    Some(input)
}

/// The lines up to the one that says that they changed nothing, and the number of the entry after them.
fn marked_lines(items: &[SessionItem]) -> Option<(Vec<&SessionInput>, u32)> {
    let mut inputs = Vec::new();
    for item in items {
        // Anything else is not a part of an abandoned action.
        let input = item.as_input().filter(|input| input.question.is_none())?;
        inputs.push(input);
        if let Some(mark) = input.no_effect {
            let is_all = mark.item_count == inputs.len();
            return is_all.then_some((inputs, mark.next_number));
        }
    }
    None
}

fn is_command_at_stop(commands: Commands, text: &str) -> bool {
    let body = text.trim_start().trim_start_matches(':').trim_start();
    let (word, _) = split_command(body);
    text.trim().is_empty() || commands.find(word).is_some()
}

/// Adds a line to the transcript that is not run.
fn add_line(
    commands: Commands,
    session: &mut Session,
    input: &SessionInput,
    is_command: bool,
    number: Option<u32>,
) {
    let body = input.text.trim_start().trim_start_matches(':').trim_start();
    let command = commands.find(split_command(body).0).filter(|_| is_command);
    let position = HistoryPosition::of(&session.target);
    let is_search = command.is_some_and(|command| command.topic == Topic::Exploring);
    let is_about_session = command.is_some_and(|command| command.topic == Topic::Session);
    let entry = TranscriptEntry {
        input: input.text.clone(),
        number,
        command: command.map(|command| command.name),
        loads_program: false,
        is_answer: input.is_answer,
        reply_lines: input.reply_lines.clone(),
        entry: None,
        is_saved: !is_about_session && !input.text.trim().is_empty(),
        is_dropped: false,
        has_failed: !is_command || !command.is_some_and(|c| c.effects.only_shows),
        position_before: position,
        position_after: position,
        is_internal: false,
        is_replayed: false,
        interrupted_after: input.interrupted_after,
        files_read: input.files_read.clone(),
        asked: None,
        no_effect: input.no_effect,
        replayed_reply: is_search.then(|| input.reply_lines.clone()),
        traces_before: Traces::of(session),
        is_journaled: true,
    };
    session.transcript.entries.push(entry);
}

/// Adds a step of a lesson to the transcript, without running it, if it is a command that only shows
/// something. Returns whether it was.
pub(crate) fn leave_out_step(
    commands: Commands,
    session: &mut Session,
    item: &SessionItem,
) -> bool {
    let Some(input) = item.as_input().filter(|input| !input.is_answer) else {
        return false;
    };
    if session.target.is_waiting_for_input() {
        return false;
    }
    let command = commands.command_of(session, &input.text);
    // What is said about the turns holds for later commands too.
    let only_shows =
        command.is_some_and(|command| command.effects.only_shows) && !input.text.contains("turn");
    if only_shows {
        add_line(commands, session, input, true, None);
        if let Some(last) = session.transcript.entries.last_mut() {
            (last.is_internal, last.is_replayed) = (true, true);
            last.replayed_reply = None;
        }
    }
    only_shows
}
