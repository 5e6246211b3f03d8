//! The entry point of every front end: executes one line and records it with its reply in the
//! transcript and the journal.

use super::exploring::opponent;
use super::input_prompt::run_at_input_prompt;
use super::teaching::{lesson, predict, tour};
use super::{Command, Topic, execute, find, is_command, is_command_line, wrong_language};
use crate::analysis::no_effect;
use crate::answer::{Control, Notice, Part, StopReason};
use crate::diagnostic::{Diagnostic, closest_match};
use crate::session::{Answer, HistoryPosition, Session, TranscriptEntry, to_plain_text};

/// Executes a line: an entry, a command, or the answer to the program's input prompt.
///
/// It is written to the journal before the reply is returned, so a crash never loses a line whose
/// reply was shown.
///
/// Before it runs, there may be a question about it; the next line then is the answer.
pub fn handle_line(session: &mut Session, input: &str) -> Answer {
    session.opponents.moves_in_row = 0;
    predict::intercept(session, input).unwrap_or_else(|| run_line(session, input))
}

/// Executes a line without asking about it first.
pub(super) fn run_line(session: &mut Session, input: &str) -> Answer {
    let mut reply = execute_and_record(session, input);
    opponent::note_line(session);
    if let (Some(journal), Some(last), false) = (
        &mut session.journal,
        session.transcript.entries.last(),
        reply.control == Some(Control::Cancelled),
    ) {
        // An animation has not run anything yet; its steps arrive as lines of their own. A file that
        // was not saved must not count as saved when the session is restored.
        let has_failed_to_save = last.command == Some("save") && !reply.ok;
        if !matches!(reply.control, Some(Control::Animate { .. })) && !has_failed_to_save {
            journal.record(last);
        }
        if let Some(warning) = journal.take_warning() {
            reply.push(Notice::JournalProblem { message: warning });
        }
    }
    reply
}

/// Executes a line on behalf of a command such as `:reload`. It is marked as internal in the
/// transcript and left out of the journal, which has the command itself.
pub(super) fn handle_nested_line(session: &mut Session, input: &str) -> Answer {
    let files_read = session.files.take_files_read();
    let listener = session.target.progress_listener.take();
    let reply = execute_and_record(session, input);
    session.target.progress_listener = listener;
    // Attribute the files to the outer command.
    session.files.set_files_read(files_read);
    session
        .transcript
        .entries
        .iter_mut()
        .next_back()
        .into_iter()
        .for_each(|e| (e.is_internal, e.is_replayed) = (true, true));
    reply
}

fn execute_and_record(session: &mut Session, input: &str) -> Answer {
    // Normalize line endings as in session files and the journal. NUL is replaced because the
    // journal is read only up to the first NUL: a power failure can pad the file with them.
    let input = &input.replace("\r\n", "\n").replace('\0', "\u{fffd}");
    let is_answer = session.target.is_waiting_for_input();
    // A blank line at a stop is recorded as the command that it repeats.
    let is_repeat = input.trim().is_empty() && session.target.is_stopped();
    let repeated = session
        .target
        .debugger
        .repeat_command
        .clone()
        .filter(|_| is_repeat);
    let tour_line = if is_answer {
        None
    } else {
        tour::expand_next(session, input)
    };
    let input = tour_line.or(repeated.as_deref()).unwrap_or(input);
    let command = if is_answer {
        None
    } else {
        command_of(session, input)
    };
    let display_before = session.display_state();
    let position_before = HistoryPosition::of(&session.target);
    let cursor_before = session.target.timeline.cursor();
    let discarded_entry = |session: &Session| session.target.discarded_entry().map(|e| e.id);
    let discarded_before = discarded_entry(session);
    let time_before = session.target.machine.time();
    let number = session.target.next_entry_number();
    session.files.take_files_read();
    session.target.take_cancelled();
    let mut reply = match is_answer {
        true => run_at_input_prompt(session, input).unwrap_or_else(|| session.answer(input)),
        false => execute(session, input),
    };
    if session.target.take_cancelled() && reply.stop.is_none() {
        // The partial result of an interrupted search may be wrong, so it is discarded.
        reply = Answer {
            control: Some(Control::Cancelled),
            ..Answer::new(input)
        };
        reply.error("interrupted: the search of the history did not finish; nothing was changed");
    }
    // `:undo`, `:redo` and others can lead to a question.
    if reply.question.is_none() && !reply.is_quit() {
        reply.question = session.target.question();
    }
    session.update_main_source();
    let board = session.board_to_show(&reply, &display_before);
    reply.board = board.or(reply.board);
    let is_entry = !is_answer && command.is_none();
    let added_entry = session.target.timeline.cursor() == cursor_before + 1;
    if is_entry && !reply.ok {
        add_hint(session, input, &mut reply.diagnostics);
    } else if is_entry
        && (added_entry || discarded_entry(session) != discarded_before)
        && reply.is_silent()
    {
        reply
            .parts
            .extend(no_effect::explain_no_effect(&session.target));
    }
    let is_one_of = |names: &[&str]| command.is_some_and(|c| names.contains(&c.name));
    let is_interrupted = reply
        .stop
        .as_ref()
        .is_some_and(|s| s.reason == StopReason::Interrupt);
    let current = session.target.timeline.current();
    let added_prelude = added_entry && current.is_some_and(|entry| !entry.resets_game());
    let is_saved = is_answer
        || !input.trim().is_empty()
            && !matches!(
                reply.control,
                Some(
                    Control::Cancelled
                        | Control::PlayKeys
                        | Control::Animate { .. }
                        | Control::OpenView { .. }
                )
            )
            && command.is_none_or(|c| match c.name {
                "note" => reply.ok,
                "load" => added_prelude,
                _ => c.topic != Topic::Session,
            });
    let added_history =
        added_entry && !is_one_of(&["redo", "jump", "goto", "load", "reload", "tour"]);
    let created = session.target.timeline.current().filter(|_| added_history);
    let entry = created.map(|entry| entry.id);
    let reply_lines = to_plain_text(session, &reply);
    let tour_hint = tour::advance(session, input, reply.ok, &reply_lines);
    reply.hints.extend(tour_hint);
    if reply.ok {
        reply.hints.extend(lesson::advance(session, input));
    }
    reply.echo = tour_line.map(|line| Part::Echo { input: line.into() });
    let instructions = session.target.machine.time().checked_sub(time_before);
    session.transcript.entries.push(TranscriptEntry {
        input: input.to_string(),
        number: (session.target.next_entry_number() > number).then_some(number),
        is_answer,
        command: command.map(|c| c.name),
        reply_lines,
        entry,
        is_saved,
        is_dropped: false,
        has_failed: !reply.ok || reply.diagnostics.iter().any(Diagnostic::is_error),
        position_before,
        position_after: HistoryPosition::of(&session.target),
        is_internal: reply.has_replaced_session,
        is_replayed: false,
        interrupted_after: instructions.filter(|_| is_interrupted),
        files_read: session.files.take_files_read(),
    });
    reply
}

/// The command that a line would run, if any.
pub(super) fn command_of(session: &Session, input: &str) -> Option<&'static Command> {
    let body = input.trim_start().trim_start_matches(':').trim_start();
    let (word, _) = super::split_command(body);
    is_command_line(session, input).then(|| find(word).ok())?
}

/// Adds a note to the errors of an entry that belongs to another language, or looks like a command
/// without its colon.
fn add_hint(session: &Session, input: &str, errors: &mut Vec<Diagnostic>) {
    let note = errors
        .first()
        .and_then(|error| wrong_language::hint(session, input, error));
    if let (Some(note), Some(error)) = (note, errors.first_mut()) {
        error.notes.push(note);
    } else if let Some(intended) = intended_command(session, input) {
        // Further errors of the line as code are noise.
        errors.truncate(1);
        let note = format!("commands start with a colon: `:{intended}`");
        errors.iter_mut().for_each(|e| e.notes.push(note.clone()));
    } else if let Some(command) = misspelled_command(session, input) {
        errors.truncate(1);
        // Advice on the line as code does not apply.
        let note = format!("did you mean the command `{command}`?");
        let notes = errors.iter_mut().map(|e| &mut e.notes);
        notes.for_each(|notes| *notes = vec![note.clone()]);
    }
}

/// The command whose name a failed entry at a stop starts with, except for a typo.
fn misspelled_command(session: &Session, input: &str) -> Option<&'static str> {
    let line = input.trim();
    let word = line.split_whitespace().next()?;
    let is_word = word.chars().all(|c| c.is_alphabetic() || c == '-');
    let info = session.target.language().info();
    if !session.target.is_stopped() || !is_word || word.len() < 3 || info.is_reserved(word) {
        return None;
    }
    let names = super::all().flat_map(|c| c.aliases.iter().copied().chain([c.name]));
    closest_match(word, names.filter(|name| name.len() > 2))
}

/// The command that a failed entry was probably meant to be.
fn intended_command(session: &Session, input: &str) -> Option<String> {
    let line = input.trim();
    let info = session.target.language().info();
    // Where moves are words (`right`), one or two letters are more likely a misspelled move.
    let word = line
        .split_whitespace()
        .next()
        .filter(|w| w.len() > 2 || info.arrow_keys.is_none())?;
    // The word may belong to the language as well, as `print` does.
    if info.is_reserved(word) {
        return None;
    }
    let is_exact = super::all().any(|c| c.name == word || c.aliases.contains(&word));
    (is_exact && is_command(session, line) || super::is_language_command(session, word))
        .then(|| line.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;
    use crate::render::AnswerText;
    use std::rc::Rc;

    /// How much was computed for a line.
    #[derive(Debug)]
    struct Effort {
        views: usize,
        outlines: usize,
        frame_infos: usize,
    }

    /// Executes a line, and shows its answer again as a client does.
    fn effort_for(session: &mut Session, line: &str) -> Effort {
        let count = |session: &Session| Effort {
            views: session.target.view_count.get(),
            outlines: session.target.outline_count.get(),
            frame_infos: session.target.frame_info_count.get(),
        };
        let before = count(session);
        let reply = handle_line(session, line);
        assert!(reply.ok, "{line}: {}", reply.text());
        let render_again = |_: &[_]| panic!("{line}: it has not been rendered for the transcript");
        reply.parts.rendered(session.text_widths(), render_again);
        to_plain_text(session, &reply);
        let after = count(session);
        Effort {
            views: after.views - before.views,
            outlines: after.outlines - before.outlines,
            frame_infos: after.frame_infos - before.frame_infos,
        }
    }

    /// The state before a line is known from the line before.
    #[test]
    fn view_outline_and_frame_are_computed_at_most_once_per_line() {
        for (language, play, play_again, location, expression) in [
            (
                "gridlok",
                "click{1,1}",
                "click{0,0}",
                "winCondition",
                "turn",
            ),
            (
                "bogl",
                "let b = take(2, start)",
                "let c = take(1, b)",
                "left",
                "left(b)",
            ),
            ("gridlang", ":turn", ":turn", "gameLoop", "p.throws"),
            (
                "tinygame",
                "move knight up 1;",
                ":restart",
                "25",
                "knight.x",
            ),
            ("sgl2d", "right", "right", "event player", "counter1"),
        ] {
            let mut session = Session::new(crate::languages::by_name(language).unwrap(), 1);
            let sample = session.target.language().info().sample;
            assert!(session.load("sample", sample).ok);
            let check = |session: &mut Session, line: &str| {
                let effort = effort_for(session, line);
                let Effort {
                    views, outlines, ..
                } = effort;
                assert!(
                    views <= 1 && outlines <= 1,
                    "{language}: `{line}`: {effort:?}"
                );
                let is_plain_stop = ["step", "reverse-step", "continue"].contains(&line);
                let is_once = !is_plain_stop || effort.frame_infos <= 1;
                assert!(is_once, "{language}: `{line}`: {effort:?}");
            };
            session.display_state();
            let breakpoint = format!(":break {location}");
            for line in [play, expression, &breakpoint, play_again] {
                check(&mut session, line);
            }
            assert!(session.target.is_stopped(), "{language}");
            let print = format!("print {expression}");
            for line in [
                "step",
                "reverse-step",
                "step",
                "reverse-step",
                "where",
                &print,
            ] {
                check(&mut session, line);
            }
            assert!(session.target.is_stopped(), "{language}");
            for line in [
                ":delete 1",
                "continue",
                ":undo",
                ":redo",
                ":goto start",
                ":goto end",
            ] {
                check(&mut session, line);
            }
        }
    }

    /// The first line typed after opening a session file belongs to the session.
    #[test]
    fn only_the_line_that_replaces_the_session_is_internal() {
        let host = Rc::new(MemoryHost::new());
        let file = "language gridlok\nseed 1\n\n--- session\n\n> 1 + 1\n  = 2\n";
        host.set_file("a.session", file);
        let mut session = Session::with_host(crate::languages::ALL[0], 1, host);
        let is_internal = |session: &Session| {
            let last = session.transcript.entries.last();
            last.is_some_and(|entry| entry.is_internal)
        };
        assert!(crate::command::open_session(&mut session, "a.session").ok);
        assert!(handle_line(&mut session, "2 + 2").ok);
        assert!(!is_internal(&session));
        assert!(handle_line(&mut session, ":load a.session").ok);
        assert!(is_internal(&session));
        assert!(handle_line(&mut session, "3 + 3").ok);
        assert!(!is_internal(&session));
    }
}
