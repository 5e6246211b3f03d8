//! Saves the program as it is now, with everything that was defined at the prompt.

use crate::debugger::api::{CommandError, FileType, Part, SavedFile};
use crate::language::{Language, load_error};
use crate::session::{Answer, Line, Session, Style, read_text, with_byte_order_mark_of};

/// The word that allows `:save` to replace a file that belongs to something else.
pub(super) const REPLACE_FLAG: &str = "--replace";

/// The text before a flag at its end, and whether the flag was given.
pub(super) fn split_flag<'t>(text: &'t str, flag: &str) -> (&'t str, bool) {
    match text.strip_suffix(flag) {
        Some(path) => (path.trim_end(), true),
        None => (text, false),
    }
}

/// Whether a path has an extension of the language.
pub(super) fn is_program_path(language: &dyn Language, path: &str) -> bool {
    let extensions = language.info().extensions;
    extensions.iter().any(|extension| {
        path.rsplit_once('.')
            .is_some_and(|(_, found)| found.eq_ignore_ascii_case(extension))
    })
}

/// Writes the program to a file, which becomes the file of the game.
pub(super) fn save_program(
    session: &mut Session,
    path: &str,
    may_replace: bool,
) -> Result<Answer, CommandError> {
    let program = session.program_text(path);
    // A replay writes nothing.
    if !may_replace && !session.files.is_replay {
        check_unknown_changes(session, path, &program.text)?;
    }
    let written = match is_own_file(session, path) {
        true => with_byte_order_mark_of(session.host().as_ref(), path, &program.text),
        false => program.text.clone(),
    };
    session
        .files
        .write(path, &written)
        .map_err(|e| format!("cannot write {path}: {e}"))?;
    session.set_saved(path, &program.text);
    let language = session.target.language();
    let error = load_error(language, path, &program.text);
    let missing = language.missing_to_run(session.target.program());
    let hint = missing
        .filter(|_| error.is_none())
        .map(|missing| Line::styled(Style::Dim, format!("`gridbug run` also needs {missing}")));
    let mut answer = Answer::of(Part::SavedFile(SavedFile {
        path: path.to_string(),
        file_type: FileType::Program {
            lines: program.text.lines().count(),
            typed: program.typed,
            error: error.map(|error| error.message),
        },
        entry_count: 0,
        left_out_count: 0,
        is_exact: true,
    }));
    answer.lines(hint);
    Ok(answer)
}

fn is_own_file(session: &Session, path: &str) -> bool {
    let absolute = |path: &str| session.host().absolute_path(path);
    let own = session.program_file().path.as_deref();
    own.is_some_and(|own| absolute(own) == absolute(path))
}

/// Refuses to replace a file whose content gridbug has neither read nor written.
fn check_unknown_changes(session: &Session, path: &str, text: &str) -> Result<(), CommandError> {
    let host = session.host().as_ref();
    if !host.exists(path) {
        return Ok(());
    }
    let found = read_text(host, path).ok();
    let known = session.program_file().disk_text.as_deref();
    let is_own = is_own_file(session, path) && known.is_some();
    if found.as_deref() == Some(text) || is_own && found.as_deref() == known {
        return Ok(());
    }
    Err(CommandError::new(match is_own {
        true => format!(
            "{path} has changed on disk since it was loaded or saved; `:reload` loads it and keeps \
             what you typed, `:save {path} {REPLACE_FLAG}` overwrites it"
        ),
        false => format!(
            "{path} already exists and is not the file of this game; choose another name, or \
             `:save {path} {REPLACE_FLAG}`"
        ),
    }))
}

/// Whether the program has definitions that are not in its file.
pub fn is_modified(session: &Session) -> bool {
    session.unsaved_count() > 0
}
