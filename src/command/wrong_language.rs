//! A line of another language, typed into this session: whoever knows several of them mixes them up.

use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{Compiled, Language};
use crate::languages::ALL;
use crate::session::{Reply, Session};
use crate::source::{Origin, Sources};

/// Longer texts are not shown to the other parsers: what takes them long is no slip.
const LONGEST: usize = 2000;
/// Words of so few letters are names everywhere.
const SHORT: usize = 4;

/// Says so at an entry that failed here, if just one of the others takes it; whether it did.
pub(super) fn add_hint(session: &Session, typed: &str, reply: &mut Reply) -> bool {
    let not_read = |d: &&mut Diagnostic| d.phase != Phase::Runtime;
    let Some(wrong) = reply
        .diagnostics
        .first_mut()
        .filter(|_| !reply.ok)
        .filter(not_read)
    else {
        return false;
    };
    let own = session.language();
    let Some(other) = (typed.len() <= LONGEST)
        .then(|| speaker(own, typed, wrong.phase))
        .flatten()
    else {
        return false;
    };
    wrong.notes.push(format!(
        "this looks like {}; this session speaks {}: start `gridbug --lang {}`",
        other.info().title,
        own.info().title,
        other.info().name
    ));
    true
}

/// The one language among the others that a text was probably meant in.
fn speaker(own: &dyn Language, typed: &str, failed_in: Phase) -> Option<&'static dyn Language> {
    let others = ALL
        .iter()
        .copied()
        .filter(|l| l.info().name != own.info().name);
    let readers: Vec<_> = others.filter(|l| can_read(*l, typed)).collect();
    let not_parsed = failed_in == Phase::Parse;
    let only = |found: Vec<&'static dyn Language>| {
        if let [one] = found[..] {
            Some(one)
        } else {
            None
        }
    };
    let likely = |l: &&'static dyn Language| begins_like(*l, typed) && !begins_like(own, typed);
    let one = only(readers.iter().copied().filter(likely).collect());
    // A word alone is a slip of this language rather than a line of another, unless it is one of the other's.
    if one.is_some() || !typed.trim().contains(|c: char| !c.is_alphanumeric()) {
        return one.filter(|_| typed.trim().len() > SHORT);
    }
    // What is only of the wrong type was understood.
    if failed_in == Phase::Type {
        return None;
    }
    let speaks = |l: &&'static dyn Language| begins_like(*l, typed) || has_word(*l, own, typed);
    if let Some(one) = only(
        readers
            .iter()
            .copied()
            .filter(|l| not_parsed && speaks(l))
            .collect(),
    ) {
        return Some(one);
    }
    // What is right here but for its types is no line of another, unless it begins like one.
    let doer = only(readers.into_iter().filter(|l| can_do(*l, typed)).collect());
    doer.filter(|one| not_parsed || begins_like(*one, typed))
}

/// Whether a text begins with a word of the language: its signs, and single letters, say little.
fn begins_like(language: &dyn Language, text: &str) -> bool {
    words(text)
        .next()
        .is_some_and(|word| word.len() > 1 && knows(language, word))
}

/// Whether a word of the one language stands in it that the other has not.
fn has_word(language: &dyn Language, own: &dyn Language, text: &str) -> bool {
    words(text).any(|word| word.len() > SHORT && knows(language, word) && !knows(own, word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

fn knows(language: &dyn Language, word: &str) -> bool {
    let about = language.info();
    about.keywords.contains(&word) || about.builtins.iter().any(|(name, _)| *name == word)
}

/// Whether a text is a whole entry of the language, whatever its names mean.
fn can_read(language: &dyn Language, text: &str) -> bool {
    if language.is_incomplete(text, &language.empty_program()) {
        return false;
    }
    let source = Sources::default().add(Origin::Entry(1), text);
    match language.compile_entry(&source, &language.empty_program(), None) {
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
    let sample = sources.add(Origin::File("sample".into()), language.info().sample);
    let source = sources.add(Origin::Entry(1), text);
    language.compile_file(&sample).is_ok_and(|game| {
        language
            .compile_entry(&source, &game.program, None)
            .is_ok_and(|c| is_whole(&c))
    })
}

/// Whose command a word is, if it is one of another language.
pub(super) fn command_hint(session: &Session, word: &str) -> Option<String> {
    let own = session.language().info();
    let other = ALL
        .iter()
        .find(|l| l.info().commands.iter().any(|(name, ..)| *name == word))?
        .info();
    Some(format!(
        "; {} has one, and this session speaks {}",
        other.title, own.title
    ))
}
