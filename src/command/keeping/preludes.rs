//! Preludes: files of definitions that games use, named on the command line or loaded at the prompt.

use crate::answer::CommandError;
use crate::command::changing::reload::reload_files;
use crate::language::Language;
use crate::session::{Answer, Session, add_prelude, start_preludes};

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
