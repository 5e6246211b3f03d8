//! Saves the program as it is now, with everything that was defined at the prompt.

use crate::answer::{CommandError, FileType, Notice, Part, SavedFile};
use crate::language::{Language, ProgramPart};
use crate::session::{Answer, Session, read_text, with_byte_order_mark_of};

/// The word that allows `:save` to replace a file that belongs to something else.
pub(crate) const REPLACE_FLAG: &str = "--replace";

/// The text before a flag at its end, and whether the flag was given.
pub(crate) fn split_flag<'t>(text: &'t str, flag: &str) -> (&'t str, bool) {
    match text.strip_suffix(flag) {
        Some(path) => (path.trim_end(), true),
        None => (text, false),
    }
}

/// Whether a path has an extension of the language.
pub(crate) fn is_program_path(language: &dyn Language, path: &str) -> bool {
    let extensions = language.info().extensions;
    extensions.iter().any(|extension| {
        path.rsplit_once('.')
            .is_some_and(|(_, found)| found.eq_ignore_ascii_case(extension))
    })
}

/// The file that a part of the program is saved to.
struct PartFile {
    part: ProgramPart,
    /// Whether the part was read from this file, or was written to it.
    is_own: bool,
    /// What the file is known to contain.
    known_text: Option<String>,
}

impl PartFile {
    /// The part that `path` belongs to: a prelude if it is its file, otherwise the game.
    fn of(session: &Session, path: &str) -> PartFile {
        let absolute = |path: &str| session.host().absolute_path(path);
        let is_same = |other: &str| absolute(other) == absolute(path);
        let mut preludes = session.programs.preludes(&session.target).into_iter();
        if let Some(prelude) = preludes.find(|prelude| is_same(&prelude.path)) {
            return PartFile {
                part: prelude.part,
                is_own: true,
                known_text: Some(prelude.disk_text),
            };
        }
        let game = session.program_file();
        PartFile {
            part: ProgramPart::Game,
            is_own: game.path.as_deref().is_some_and(is_same),
            known_text: game.disk_text.clone(),
        }
    }
}

/// Writes the program to a file, which becomes the file of the game; or a prelude to its own file.
pub(crate) fn save_program(
    session: &mut Session,
    path: &str,
    may_replace: bool,
) -> Result<Answer, CommandError> {
    let file = PartFile::of(session, path);
    let program = session.programs.text(&session.target, file.part, path);
    // A replay writes nothing.
    if !may_replace && !session.files.is_replay {
        check_unknown_changes(session, &file, path, &program.text)?;
    }
    let written = match file.is_own {
        true => with_byte_order_mark_of(session.host().as_ref(), path, &program.text),
        false => program.text.clone(),
    };
    session
        .files
        .write(path, &written)
        .map_err(|e| format!("cannot write {path}: {e}"))?;
    session
        .programs
        .set_saved(&session.target, file.part, path, &program.text);
    let error = session
        .programs
        .load_error(&session.target, file.part, path, &program.text);
    let (lines, error) = (
        program.text.lines().count(),
        error.map(|error| error.message),
    );
    let language = session.target.language();
    let missing = language.missing_to_run(session.target.program());
    let hint = missing
        .filter(|_| error.is_none())
        .map(|missing| Notice::MissingToRun {
            missing: missing.to_string(),
        });
    let mut answer = Answer::of(Part::SavedFile(SavedFile {
        path: path.to_string(),
        file_type: match file.part {
            ProgramPart::Game => FileType::Program {
                lines,
                typed: program.typed,
                error,
                preludes: session.programs.prelude_paths(&session.target),
            },
            ProgramPart::Prelude(_) => FileType::Prelude { lines, error },
        },
        entry_count: 0,
        left_out_count: 0,
        is_exact: true,
    }));
    if file.part == ProgramPart::Game {
        answer.notices(hint);
        answer.notices(unsaved_preludes(session));
    }
    Ok(answer)
}

/// What belongs to the file of a prelude, so that the file of the game does not contain it.
fn unsaved_preludes(session: &Session) -> Vec<Notice> {
    let changed = session.programs.changed_items(&session.target);
    let files = session.programs.preludes(&session.target).into_iter();
    let notices = files.filter_map(|file| {
        let names = changed.iter().filter(|(part, _)| *part == file.part);
        let names: Vec<String> = names.map(|(_, name)| name.to_string()).collect();
        let path = file.path;
        (!names.is_empty()).then_some(Notice::UnsavedPrelude { path, names })
    });
    notices.collect()
}

/// Refuses to replace a file whose content gridbug has neither read nor written.
fn check_unknown_changes(
    session: &Session,
    file: &PartFile,
    path: &str,
    text: &str,
) -> Result<(), CommandError> {
    let host = session.host().as_ref();
    if !host.exists(path) {
        return Ok(());
    }
    let found = read_text(host, path).ok();
    let known = file.known_text.as_deref();
    let is_own = file.is_own && known.is_some();
    if found.as_deref() == Some(text) || is_own && found.as_deref() == known {
        return Ok(());
    }
    let replace = format!(":save {path} {REPLACE_FLAG}");
    Err(match is_own {
        true => CommandError::new(format!(
            "{path} has changed on disk since it was loaded or saved"
        ))
        .advise(":reload", "loads it and keeps what you typed")
        .advise(replace, "overwrites it"),
        false => CommandError::new(format!(
            "{path} already exists and is not the file of this game"
        ))
        .instruct("choose another name, or", replace, ""),
    })
}

/// Whether the program has definitions that are not in its file.
#[cfg(feature = "internals")]
pub fn is_modified(session: &Session) -> bool {
    session.unsaved_count() > 0
}
