//! Starts sessions: with a program, with preludes, from a session file, or in place of another one.

use super::session_file::{ProgramRef, SessionFile, SessionInput, SessionItem};
use super::{Answer, Session, StartConfig, add_prelude, stop_on_errors};
use crate::language::Language;
use crate::languages;
use std::path::Path;

/// How to start the current session again, with this program.
pub(crate) fn start_config(session: &Session, program: Option<(&str, &str)>) -> StartConfig {
    let preludes = session.target.preludes();
    let preludes = preludes
        .iter()
        .map(|prelude| (prelude.origin.to_string(), prelude.text.clone()));
    StartConfig {
        preludes: preludes.collect(),
        program: program.map(|(name, text)| (name.to_string(), text.to_string())),
        seed: session.target.machine.rng.seed(),
        stops_on_errors: session.target.debugger.stops_on_program_errors,
    }
}

/// Loads a program and draws its board. A failure leaves the current game as it is.
pub(crate) fn start_game(session: &mut Session, name: &str, text: &str) -> Answer {
    let answer = session.load(name, text);
    begin_game(session, Some((name, text)), answer)
}

/// Starts the transcript of a game that was loaded, and draws its board.
pub(crate) fn begin_game(
    session: &mut Session,
    program: Option<(&str, &str)>,
    mut answer: Answer,
) -> Answer {
    if answer.ok {
        let start = start_config(session, program);
        session.transcript.start_game(start);
        session.view_settings.reset_legend();
        session.view_settings.scroll_origin = (0, 0);
        session.scroll_to_focus(session.viewport());
        answer.board = Some(session.shown_board());
    }
    answer
}

/// Starts a session with a program. `:undo` does not go back beyond this point.
pub fn start_session(session: &mut Session, name: &str, text: &str) -> Answer {
    let answer = start_game(session, name, text);
    session.set_session_start();
    answer
}

/// Starts a session with these preludes, given by name and text. `:undo` does not go back beyond
/// this point.
pub fn start_preludes(session: &mut Session, preludes: &[(String, String)]) -> Answer {
    let mut answer = Answer::new("");
    if preludes.is_empty() {
        return answer;
    }
    for (name, text) in preludes {
        answer.absorb(add_prelude(session, name, text));
        if !answer.ok {
            break;
        }
    }
    let start = start_config(session, None);
    session.transcript.start_game(start);
    session.set_session_start();
    answer
}

/// Starts a session with the preludes and the program that another one started with.
pub(crate) fn start_like(session: &mut Session, start: &StartConfig) -> Answer {
    let answer = start_preludes(session, &start.preludes);
    match &start.program {
        Some((name, text)) if answer.ok => start_session(session, name, text),
        _ => answer,
    }
}

/// Why games of this language cannot use preludes.
pub fn without_preludes(language: &dyn Language) -> Option<String> {
    let with: Vec<&str> = languages::ALL
        .iter()
        .filter(|l| l.prelude_support().is_some())
        .map(|l| l.info().title)
        .collect();
    language.prelude_support().is_none().then(|| {
        format!(
            "{} games cannot use preludes; only {} games can",
            language.info().title,
            with.join(", ")
        )
    })
}

/// Starts the session with the program of a session file in `dir`.
pub(crate) fn load_program(
    session: &mut Session,
    file: &SessionFile,
    dir: &Path,
    mut read: impl FnMut(&str) -> Result<String, String>,
) -> Result<Answer, String> {
    let no_support = without_preludes(session.target.language());
    if let Some(message) = no_support.filter(|_| !file.preludes.is_empty()) {
        return Err(message);
    }
    let mut preludes = Vec::new();
    for prelude in &file.preludes {
        let text = match &prelude.text {
            Some(text) => text.clone(),
            None => read(&dir.join(&prelude.name).to_string_lossy())?,
        };
        preludes.push((prelude.name.clone(), text));
    }
    let answer = start_preludes(session, &preludes);
    Ok(match &file.program {
        _ if !answer.ok => answer,
        ProgramRef::None => answer,
        ProgramRef::External(name) => {
            let path = dir.join(name).to_string_lossy().into_owned();
            let text = read(&path)?;
            let answer = start_session(session, name, &text);
            session.program_file_mut().path = Some(path);
            session.program_file_mut().disk_text = Some(text);
            answer
        }
        ProgramRef::Inline { name, text } => start_session(session, name, text),
    })
}

/// The language of a session file.
pub(crate) fn language_of(file: &SessionFile) -> Result<&'static dyn Language, String> {
    languages::by_name(&file.language)
        .ok_or_else(|| format!("unknown language `{}`", file.language))
}

/// Prepares the session for an item: ends the input prompt that it does not answer, and sets the
/// files that it reads and when it is interrupted. Returns the line to run, if there is one.
pub(crate) fn set_up_item<'f>(
    session: &mut Session,
    item: &'f SessionItem,
) -> Option<&'f SessionInput> {
    match item {
        SessionItem::Comment(_) | SessionItem::QuestionAnswer(_) | SessionItem::Exercise(_) => None,
        SessionItem::EndOfInput => {
            session.end_input();
            None
        }
        SessionItem::Input(input) => {
            if session.target.is_waiting_for_input() && !input.is_answer {
                session.end_input();
            }
            session.files.set_recorded(&input.files_read);
            let interrupt_time = input
                .interrupted_after
                .map(|steps| session.target.machine.time().saturating_add(steps));
            session.target.machine.interrupt_at(interrupt_time);
            Some(input)
        }
    }
}

/// A session without a program. It has the host, the limits, the screen and the handling of errors
/// of the current session.
pub(crate) fn new_session(
    session: &Session,
    language: &'static dyn Language,
    seed: u64,
) -> Session {
    let mut new = Session::with_host(language, seed, session.host().clone());
    new.inherit_limits(session);
    stop_on_errors(&mut new, session.target.debugger.stops_on_program_errors);
    new.view_settings.inherit_screen(&session.view_settings);
    new
}

/// Replaces the current session. The new one takes over the screen settings, the Ctrl-C flag, the
/// limits, the progress listener, the journal, the recording and the questions. Returns the old session, and an
/// answer that says that it was replaced.
pub(crate) fn replace_session(session: &mut Session, mut new: Session) -> (Session, Answer) {
    new.journal = session.journal.take();
    std::mem::swap(&mut new.files, &mut session.files);
    new.recording_path = session.recording_path.take();
    let is_predicting = new.predictions.is_on;
    new.predictions = std::mem::take(&mut session.predictions);
    new.predictions.is_on |= is_predicting;
    new.inherit_limits(session);
    new.target.progress_listener = session.target.progress_listener.take();
    new.view_settings.inherit_screen(&session.view_settings);
    let answer = Answer {
        has_replaced_session: true,
        ..Answer::new("")
    };
    (std::mem::replace(session, new), answer)
}
