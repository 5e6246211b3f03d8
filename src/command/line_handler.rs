//! Something typed, something answered, and both remembered: the way in for everybody who talks to a session.

use super::input_prompt::run_at_input_prompt;
use super::{Command, Topic, execute, find, is_command, tour, wrong_language};
use crate::session::{Line, Reply, Session, Style, TranscriptEntry, to_plain_text};

/// Takes what was typed, be it an entry, a command or the answer to a question. It is in the journal before anybody
/// sees the answer.
pub fn handle_line(session: &mut Session, typed: &str) -> Reply {
    let mut reply = done(session, typed);
    if let (Some(journal), Some(last), false) = (
        &mut session.journal,
        session.transcript.entries.last(),
        reply.is_cancelled,
    ) {
        // Slow motion has done nothing yet: its steps come one by one.
        if reply.animation_delay.is_none() {
            journal.record(last);
        }
        if let Some(trouble) = journal.take_warning() {
            reply.line(Line::styled(Style::Warning, "warning: ").with(Style::Plain, trouble));
        }
    }
    reply
}

/// The same for what a command types again: the journal has the command.
pub(super) fn handle_nested_line(session: &mut Session, typed: &str) -> Reply {
    let read = session.files.take_files_read();
    let reply = done(session, typed);
    // The files are the command's.
    session.files.set_files_read(read);
    session
        .transcript
        .entries
        .iter_mut()
        .next_back()
        .into_iter()
        .for_each(|e| e.is_internal = true);
    reply
}

fn done(session: &mut Session, typed: &str) -> Reply {
    // Lines end in one way, as they do in session files and in the journal, where a zero is what a power cut leaves.
    let typed = &typed.replace("\r\n", "\n").replace('\0', "\u{fffd}");
    let answers = session.is_waiting_for_input();
    // A blank line at a stop is remembered as the move that it repeats.
    let repeats = typed.trim().is_empty() && session.is_stopped();
    let again = session.debugger.repeat_command.clone().filter(|_| repeats);
    let of_tour = if answers {
        None
    } else {
        tour::expand_next(session, typed)
    };
    let typed = of_tour.or(again.as_deref()).unwrap_or(typed);
    let command = if answers {
        None
    } else {
        command_of(session, typed)
    };
    let before = session.display_state();
    let position = session.timeline.cursor();
    let time = session.machine.time();
    session.files.take_files_read();
    session.take_cancelled();
    let mut reply = match answers {
        true => run_at_input_prompt(session, typed).unwrap_or_else(|| session.answer(typed)),
        false => execute(session, typed),
    };
    if session.take_cancelled() && reply.stop.is_none() {
        // What was told of a search that was not finished may be wrong.
        reply = Reply {
            is_cancelled: true,
            ..Reply::new(typed)
        };
        reply.error("stopped from the keyboard: the past was not searched to its end, and nothing was changed");
    }
    session.draw_if_changed(&mut reply, &before);
    let is_entry = !answers && command.is_none();
    if is_entry && !wrong_language::add_hint(session, typed, &mut reply) {
        suggest_command(session, typed, &mut reply);
    }
    let named = |names: &[&str]| command.is_some_and(|c| names.contains(&c.name));
    let by_hand = reply.stop.as_ref().is_some_and(|s| s.reason == "interrupt");
    let kept = answers
        || !typed.trim().is_empty()
            && !reply.is_cancelled
            && !reply.start_key_play
            && reply.animation_delay.is_none()
            && command.is_none_or(|c| c.topic != Topic::Session);
    let moved_on = session.timeline.cursor() == position + 1;
    let told = to_plain_text(session, &reply);
    tour::advance(session, typed, &told, &mut reply);
    reply.echo = of_tour.map(|line| Line::styled(Style::Strong, format!("> {line}")));
    let exchange = TranscriptEntry {
        input: typed.to_string(),
        is_answer: answers,
        command: command.map(|c| c.name),
        reply_lines: told,
        history_index: (moved_on && !named(&["redo", "forward", "goto", "load", "reload", "tour"]))
            .then_some(position),
        is_saved: kept,
        is_internal: std::mem::take(&mut session.has_replaced_session),
        interrupted_after: session.machine.time().checked_sub(time).filter(|_| by_hand),
        files_read: session.files.take_files_read(),
    };
    session.transcript.entries.push(exchange);
    reply
}

/// The command that a line is, if it is one here.
fn command_of(session: &Session, typed: &str) -> Option<&'static Command> {
    let colon = typed.trim_start().starts_with(':');
    let word = typed
        .trim_start()
        .trim_start_matches(':')
        .split_whitespace()
        .next()?;
    (colon || session.is_stopped() && is_command(session, typed)).then(|| find(word).ok())?
}

/// Says at an entry that failed which command was probably meant.
fn suggest_command(session: &Session, typed: &str, reply: &mut Reply) {
    let Some(meant) = meant_command(session, typed).filter(|_| !reply.ok) else {
        return;
    };
    // What else is wrong with it as an entry says nothing of the command.
    reply.diagnostics.truncate(1);
    let note = format!("a command starts with a colon: `:{meant}`");
    reply
        .diagnostics
        .iter_mut()
        .for_each(|d| d.notes.push(note.clone()));
}

/// The command that was probably meant by a line that failed as an entry.
fn meant_command(session: &Session, typed: &str) -> Option<String> {
    let line = typed.trim();
    let about = session.language().info();
    // Where moves are words, a letter is a move that is not known.
    let word = line
        .split_whitespace()
        .next()
        .filter(|w| w.len() > 2 || about.arrow_keys.is_none())?;
    // `print` may be a word of the language as well.
    if about.keywords.contains(&word) || about.builtins.iter().any(|(name, _)| *name == word) {
        return None;
    }
    let named = super::all().any(|c| c.name == word || c.aliases.contains(&word));
    (named && is_command(session, line)).then(|| line.to_string())
}
