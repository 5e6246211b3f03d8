//! Notes for entries that failed: written in another language, or meant as a command.

use super::{is_command, wrong_language};
use crate::diagnostic::{Diagnostic, closest_match};
use crate::session::Session;

/// Adds a note to the errors of an entry that belongs to another language, or looks like a command
/// without its colon.
pub(super) fn add_hint(session: &Session, input: &str, errors: &mut Vec<Diagnostic>) {
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
    // `n := 3` is an assignment, whatever `n` is short for.
    let is_assignment = line[word.len()..].trim_start().starts_with([':', '=']);
    // The word may belong to the language as well, as `print` does.
    if info.is_reserved(word) || is_assignment {
        return None;
    }
    let is_exact = super::all().any(|c| c.name == word || c.aliases.contains(&word));
    (is_exact && is_command(session, line) || super::is_language_command(session, word))
        .then(|| line.to_string())
}
