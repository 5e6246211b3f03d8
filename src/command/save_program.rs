//! Saves the program as it is now, with everything that was defined at the prompt.

use crate::debugger::api::{CommandError, FileType, Part, SavedFile};
use crate::language::{Language, ProgramText, program_text};
use crate::session::{Answer, Session};
use crate::source::Span;
use std::path::Path;

/// The word that allows `:save` to replace a file that belongs to something else.
const REPLACE_FLAG: &str = "--replace";

/// The path and whether `--replace` was given.
pub(super) fn split_replace_flag(text: &str) -> (&str, bool) {
    match text.strip_suffix(REPLACE_FLAG) {
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
    let is_own_file = session.target.file.as_deref() == Some(path);
    if !is_own_file && !may_replace && session.host().exists(path) {
        return Err(CommandError::new(format!(
            "{path} already exists and is not the file of this game; choose another name, or \
             `:save {path} {REPLACE_FLAG}`"
        )));
    }
    let program = current_text(session, path);
    session
        .files
        .write(path, &program.text)
        .map_err(|e| format!("cannot write {path}: {e}"))?;
    session.target.file = Some(path.to_string());
    session.saved_items = current_items(session);
    Ok(Answer::of(Part::SavedFile(SavedFile {
        path: path.to_string(),
        file_type: FileType::Program {
            lines: program.text.lines().count(),
            typed: program.typed,
            error: program.error.map(|error| error.message),
        },
        entry_count: 0,
        is_exact: true,
    })))
}

fn current_text(session: &Session, path: &str) -> ProgramText {
    let target = &session.target;
    let name = Path::new(path).file_stem().unwrap_or_default();
    let entries: Vec<_> = target
        .timeline
        .entries()
        .iter()
        .filter(|entry| !entry.is_dry_run())
        .filter_map(|entry| entry.source)
        .collect();
    program_text(
        target.language(),
        target.program(),
        &target.sources,
        &entries,
        &name.to_string_lossy(),
    )
}

/// What identifies the program's definitions: two lists are equal if nothing was redefined.
pub(super) fn current_items(session: &Session) -> Vec<(String, Span)> {
    let target = &session.target;
    let items = target
        .language()
        .program_items(target.program(), &target.sources);
    items
        .into_iter()
        .map(|item| (item.key, item.span))
        .collect()
}

/// Whether the program has definitions that are not in its file.
pub fn is_modified(session: &Session) -> bool {
    current_items(session) != session.saved_items
}
