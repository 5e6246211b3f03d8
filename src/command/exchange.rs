//! Something typed, something answered, and both remembered: the way in for everybody who talks to a session.

use super::aside::aside;
use super::{Command, Topic, find, foreign, is_command, perform, tour};
use crate::session::{Exchange, Line, Reply, Session, Style, told};

/// Takes what was typed, be it an entry, a command or the answer to a question. It is in the journal before anybody
/// sees the answer.
pub fn exchange(session: &mut Session, typed: &str) -> Reply {
    let mut reply = done(session, typed);
    if let (Some(journal), Some(last), false) = (
        &mut session.journal,
        session.transcript.exchanges.last(),
        reply.given_up,
    ) {
        // Slow motion has done nothing yet: its steps come one by one.
        if reply.pace.is_none() {
            journal.note(last);
        }
        if let Some(trouble) = journal.trouble() {
            reply.line(Line::styled(Style::Warning, "warning: ").with(Style::Plain, trouble));
        }
    }
    reply
}

/// The same for what a command types again: the journal has the command.
pub(super) fn exchange_again(session: &mut Session, typed: &str) -> Reply {
    let read = session.files.take_read();
    let reply = done(session, typed);
    // The files are the command's.
    session.files.has_read(read);
    session
        .transcript
        .exchanges
        .iter_mut()
        .next_back()
        .into_iter()
        .for_each(|e| e.within = true);
    reply
}

fn done(session: &mut Session, typed: &str) -> Reply {
    // Lines end in one way, as they do in session files and in the journal, where a zero is what a power cut leaves.
    let typed = &typed.replace("\r\n", "\n").replace('\0', "\u{fffd}");
    let answers = session.is_asking();
    // A blank line at a stop is remembered as the move that it repeats.
    let repeats = typed.trim().is_empty() && session.is_stopped();
    let again = session.debugger.last_move.clone().filter(|_| repeats);
    let of_tour = if answers {
        None
    } else {
        tour::next_line(session, typed)
    };
    let typed = of_tour.or(again.as_deref()).unwrap_or(typed);
    let command = if answers {
        None
    } else {
        command_of(session, typed)
    };
    let before = session.seen();
    let position = session.timeline.position();
    let time = session.machine.time();
    session.files.take_read();
    session.had_enough();
    let mut reply = match answers {
        true => aside(session, typed).unwrap_or_else(|| session.answer(typed)),
        false => perform(session, typed),
    };
    if session.had_enough() && reply.stop.is_none() {
        // What was told of a search that was not finished may be wrong.
        reply = Reply {
            given_up: true,
            ..Reply::to(typed)
        };
        reply.error("stopped from the keyboard: the past was not searched to its end, and nothing was changed");
    }
    session.draw_if_changed(&mut reply, &before);
    let is_entry = !answers && command.is_none();
    if is_entry && !foreign::tell(session, typed, &mut reply) {
        suggest_command(session, typed, &mut reply);
    }
    let named = |names: &[&str]| command.is_some_and(|c| names.contains(&c.name));
    let by_hand = reply.stop.as_ref().is_some_and(|s| s.reason == "interrupt");
    let kept = answers
        || !typed.trim().is_empty()
            && !reply.given_up
            && !reply.by_keys
            && reply.pace.is_none()
            && command.is_none_or(|c| c.topic != Topic::Keeping);
    let moved_on = session.timeline.position() == position + 1;
    let told = told(session, &reply);
    tour::follow(session, typed, &told, &mut reply);
    reply.echo = of_tour.map(|line| Line::styled(Style::Strong, format!("> {line}")));
    let exchange = Exchange {
        typed: typed.to_string(),
        answers,
        command: command.map(|c| c.name),
        told,
        made: (moved_on && !named(&["redo", "forward", "goto", "load", "reload", "tour"]))
            .then_some(position),
        kept,
        within: std::mem::take(&mut session.adopted),
        stopped: session.machine.time().checked_sub(time).filter(|_| by_hand),
        files: session.files.take_read(),
    };
    session.transcript.exchanges.push(exchange);
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
    let about = session.language().about();
    // Where moves are words, a letter is a move that is not known.
    let word = line
        .split_whitespace()
        .next()
        .filter(|w| w.len() > 2 || about.keys.is_none())?;
    // `print` may be a word of the language as well.
    if about.keywords.contains(&word) || about.builtins.iter().any(|(name, _)| *name == word) {
        return None;
    }
    let named = super::all().any(|c| c.name == word || c.aliases.contains(&word));
    (named && is_command(session, line)).then(|| line.to_string())
}
