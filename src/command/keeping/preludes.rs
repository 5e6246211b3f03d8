//! Preludes: files of definitions that games use, named on the command line or loaded at the prompt.

use super::files::{start_config, start_session};
use crate::answer::CommandError;
use crate::command::changing::reload::reload_files;
use crate::language::Language;
use crate::languages;
use crate::session::{Answer, Session, StartConfig, add_prelude};

/// Whether the text of a file is a prelude of the language.
pub(crate) fn is_prelude(language: &dyn Language, text: &str) -> bool {
    let support = language.prelude_support();
    support.is_some_and(|support| support.is_prelude(text))
}

/// `:load` of a prelude: adds its definitions to the program. One that is already in use is read
/// again.
pub(crate) fn load_prelude(
    session: &mut Session,
    path: &str,
    text: &str,
) -> Result<Answer, CommandError> {
    let mut preludes = session.programs.preludes(&session.target).into_iter();
    match preludes.any(|prelude| prelude.path == path) {
        true => reload_files(session),
        false => Ok(add_prelude(session, path, text)),
    }
}

/// Starts a session with these preludes, given by name and text. `:undo` does not go back beyond
/// this point.
pub fn start_preludes(session: &mut Session, preludes: &[(String, String)]) -> Answer {
    let mut reply = Answer::new("");
    if preludes.is_empty() {
        return reply;
    }
    for (name, text) in preludes {
        reply.absorb(add_prelude(session, name, text));
        if !reply.ok {
            break;
        }
    }
    let start = start_config(session, None);
    session.transcript.start_game(start);
    session.set_session_start();
    reply
}

/// Starts a session with the preludes and the program that another one started with.
pub(crate) fn start_like(session: &mut Session, start: &StartConfig) {
    start_preludes(session, &start.preludes);
    if let Some((name, text)) = &start.program {
        start_session(session, name, text);
    }
}

/// Like [`start_preludes`], with preludes that are read from files.
pub fn open_preludes(session: &mut Session, paths: &[String]) -> Answer {
    let mut preludes = Vec::new();
    for path in paths {
        match session.files.read(path) {
            Ok(text) => preludes.push((path.clone(), text)),
            Err(message) => return CommandError::new(message).into(),
        }
    }
    start_preludes(session, &preludes)
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
