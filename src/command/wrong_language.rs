//! Recognizes entries written in another of the five languages, and says so.

use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{Compiled, Language};
use crate::languages::ALL;
use crate::session::Session;
use crate::source::{Origin, Sources};

/// Longer entries are not tried in the other languages: parsing them in each is slow, and a long
/// entry is unlikely to be in the wrong language by accident.
const MAX_ENTRY_BYTES: usize = 2000;
/// Words up to this length are too common as names to identify a language.
const MAX_COMMON_WORD_BYTES: usize = 4;

/// The note on an entry that failed with this error, if exactly one other language accepts it.
pub(super) fn hint(session: &Session, input: &str, error: &Diagnostic) -> Option<String> {
    if error.phase == Phase::Runtime || input.len() > MAX_ENTRY_BYTES {
        return None;
    }
    let current = session.target.language();
    let other = likely_language(current, input, error)?.info();
    Some(format!(
        "this looks like {}, but this is a {} session; `:lang {}` switches",
        other.title,
        current.info().title,
        other.name
    ))
}

/// The only other language that an entry was probably meant for, or `None` if in doubt.
fn likely_language(
    current: &dyn Language,
    input: &str,
    error: &Diagnostic,
) -> Option<&'static dyn Language> {
    let others = ALL
        .iter()
        .copied()
        .filter(|l| l.info().name != current.info().name);
    let parsing: Vec<_> = others.filter(|l| can_parse(*l, input)).collect();
    let is_syntax_error = error.phase == Phase::Parse;
    let single = |languages: Vec<&'static dyn Language>| {
        if let [language] = languages[..] {
            Some(language)
        } else {
            None
        }
    };
    let likely = |l: &&'static dyn Language| {
        starts_with_word(*l, input) && !starts_with_word(current, input)
    };
    let by_first_word = single(parsing.iter().copied().filter(likely).collect());
    // A lone word is more likely a typo in this language, unless the other language has that word.
    if by_first_word.is_some() || !input.trim().contains(|c: char| !c.is_alphanumeric()) {
        return by_first_word.filter(|_| input.trim().len() > MAX_COMMON_WORD_BYTES);
    }
    // An entry that only has the wrong types was understood here.
    if error.phase == Phase::Type {
        return None;
    }
    let has_its_words =
        |l: &&'static dyn Language| starts_with_word(*l, input) || has_word(*l, current, input);
    if let Some(language) = single(
        parsing
            .iter()
            .copied()
            .filter(|l| is_syntax_error && has_its_words(l))
            .collect(),
    ) {
        return Some(language);
    }
    // A guess from the form alone does not help if the error says how to fix it.
    if !error.notes.is_empty() {
        return None;
    }
    // An entry that parses here belongs here, unless its first word belongs to the other language.
    let compiling = single(
        parsing
            .into_iter()
            .filter(|l| compiles_in_sample(*l, input))
            .collect(),
    );
    compiling.filter(|l| is_syntax_error || starts_with_word(*l, input))
}

/// True if the first word of a text belongs to the language. Punctuation and single letters do not
/// count.
fn starts_with_word(language: &dyn Language, text: &str) -> bool {
    words(text)
        .next()
        .is_some_and(|word| word.len() > 1 && language.info().is_reserved(word))
}

/// True if a text contains a word of `language` that `current` does not have.
fn has_word(language: &dyn Language, current: &dyn Language, text: &str) -> bool {
    words(text).any(|word| {
        word.len() > MAX_COMMON_WORD_BYTES
            && language.info().is_reserved(word)
            && !current.info().is_reserved(word)
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// True if a text is a complete, well-formed entry of the language; its names may be unknown.
fn can_parse(language: &dyn Language, text: &str) -> bool {
    let source = Sources::default().add(Origin::Entry(1), text);
    let program = language.empty_program();
    let entry = language.parse_entry(&source, &program);
    if entry.is_incomplete {
        return false;
    }
    match language.compile_parsed(entry, &source, &program, None) {
        Ok(compiled) => is_fully_parsed(&compiled),
        Err(diagnostics) => diagnostics.iter().all(|d| d.phase != Phase::Parse),
    }
}

/// True if nothing was skipped. SGL2D ignores unknown statements, so it would accept anything.
fn is_fully_parsed(compiled: &Compiled) -> bool {
    compiled.warnings.iter().all(|d| d.phase != Phase::Parse)
}

/// True if a text compiles as an entry in the language's sample game.
fn compiles_in_sample(language: &dyn Language, text: &str) -> bool {
    let mut sources = Sources::default();
    let sample = sources.add(Origin::File("sample".into()), language.info().sample);
    let source = sources.add(Origin::Entry(1), text);
    language.compile_file(&sample).is_ok_and(|game| {
        language
            .compile_entry(&source, &game.program, None)
            .is_ok_and(|c| is_fully_parsed(&c))
    })
}

/// The end of an "unknown command" message for a command that another language has.
pub(super) fn command_hint(session: &Session, word: &str) -> Option<String> {
    let current = session.target.language().info();
    let other = ALL
        .iter()
        .find(|l| l.info().commands.iter().any(|(name, ..)| *name == word))?
        .info();
    Some(format!(
        "; it is a {} command, but this is a {} session",
        other.title, current.title
    ))
}
