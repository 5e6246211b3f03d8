//! A line of another language, typed into this session: whoever knows several of them mixes them up.

use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{Compiled, Language};
use crate::languages::ALL;
use crate::session::{Reply, Session};
use crate::source::{Origin, Sources};

/// Longer texts are not shown to the other parsers: what takes them long is no slip.
const LONGEST: usize = 2000;

/// Says so at an entry that failed here, if just one of the others takes it.
pub(super) fn tell(session: &Session, typed: &str, reply: &mut Reply) {
    // What is only of the wrong type was understood.
    let not_read = |d: &&mut Diagnostic| matches!(d.phase, Phase::Parse | Phase::Check);
    let Some(wrong) = reply.diagnostics.first_mut().filter(|_| !reply.ok).filter(not_read) else { return };
    // A word alone is a slip of this language rather than a line of another.
    let is_line = typed.trim().contains(|c: char| !c.is_alphanumeric());
    if !is_line || typed.len() > LONGEST {
        return;
    }
    let own = session.language().about();
    let others = ALL.iter().copied().filter(|l| l.about().name != own.name);
    let readers: Vec<_> = others.filter(|l| can_read(*l, typed)).collect();
    let doers: Vec<_> = readers.iter().filter(|l| can_do(**l, typed)).collect();
    let other = match (readers.as_slice(), doers.as_slice()) {
        ([one], _) if wrong.phase == Phase::Parse && begins_like(*one, typed) => one,
        // What is right here but for its types is no line of another, unless it begins like one.
        (_, [one]) if wrong.phase == Phase::Parse || begins_like(**one, typed) => *one,
        _ => return,
    };
    wrong.notes.push(format!(
        "this looks like {}; this session speaks {}: start `gridbug --lang {}`",
        other.about().title,
        own.title,
        other.about().name
    ));
}

/// Whether a text begins with a word of the language: its signs, and a word somewhere, say little.
fn begins_like(language: &dyn Language, text: &str) -> bool {
    let about = language.about();
    let first = text.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty());
    first.is_some_and(|word| about.keywords.contains(&word) || about.builtins.iter().any(|(name, _)| *name == word))
}

/// Whether a text is a whole entry of the language, whatever its names mean.
fn can_read(language: &dyn Language, text: &str) -> bool {
    if language.is_unfinished(text, &language.blank()) {
        return false;
    }
    let source = Sources::default().add(Origin::Entry(1), text);
    match language.entry(&source, &language.blank(), None) {
        Ok(read) => is_whole(&read),
        Err(diagnostics) => diagnostics.iter().all(|d| d.phase != Phase::Parse),
    }
}

/// Whether all of the text was read: a language that passes over what it does not know takes anything.
fn is_whole(read: &Compiled) -> bool {
    read.warnings.iter().all(|d| d.phase != Phase::Parse)
}

/// Whether a text could be done in the language's own first game.
fn can_do(language: &dyn Language, text: &str) -> bool {
    let mut sources = Sources::default();
    let sample = sources.add(Origin::File("sample".into()), language.about().sample);
    let source = sources.add(Origin::Entry(1), text);
    language.load(&sample).is_ok_and(|game| language.entry(&source, &game.program, None).is_ok_and(|c| is_whole(&c)))
}

/// Whose command a word is, if it is one of another language.
pub(super) fn command(session: &Session, word: &str) -> Option<String> {
    let own = session.language().about();
    let other = ALL.iter().find(|l| l.about().commands.iter().any(|(name, ..)| *name == word))?.about();
    Some(format!("; {} has one, and this session speaks {}", other.title, own.title))
}
