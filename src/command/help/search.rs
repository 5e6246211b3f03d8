//! `:help WORDS`: finds the commands, concepts and words of the language that a question is about.

use super::words;
use crate::answer::HelpRow;
use crate::command::Command;
use crate::command::forms::{form_named, listed};
use crate::language::LanguageInfo;

/// The most results that are shown.
const MAX_RESULTS: usize = 6;

/// Words of a question that say nothing about what it asks for.
const STOP_WORDS: &[&str] = &[
    "a", "about", "an", "and", "are", "at", "be", "can", "do", "does", "for", "from", "game",
    "get", "gets", "gridbug", "has", "have", "how", "i", "in", "is", "it", "its", "me", "my", "of",
    "on", "or", "so", "that", "the", "then", "there", "this", "to", "want", "was", "what", "when",
    "which", "with", "you", "your",
];

/// What people call things that the help texts call something else.
const SYNONYMS: &[(&str, &str)] = &[
    ("undo", "take back revert mistake wrong move oops"),
    ("redo", "again forward"),
    ("restart", "again new start over reset begin"),
    ("save", "keep store write file disk"),
    ("load", "open file read"),
    ("reload", "change edit editor update watch file"),
    ("why", "reason because cause who set changed came"),
    ("solve", "who wins winner winning best perfect"),
    ("hint", "help stuck best move next what should"),
    ("find", "win lose way reach can happen possible"),
    ("check", "bug bugs test mistakes errors trap dead end fair"),
    (
        "stats",
        "fair balanced chance probability odds often random wins",
    ),
    ("moves", "can possible legal allowed play"),
    ("opponent", "computer against ai bot alone player"),
    ("break", "stop pause halt breakpoint debug"),
    ("watch", "stop variable value changes breakpoint"),
    ("step", "debug slow line statement one"),
    (
        "reverse-step",
        "back backwards previous reverse rewind time travel",
    ),
    ("continue", "resume go run on"),
    ("goto", "time travel jump past earlier"),
    ("print", "value show expression evaluate"),
    ("vars", "variables values"),
    ("list", "code program source show text"),
    ("edit", "change rule code editor"),
    ("view", "screen panes window see watch big projector"),
    ("board", "show draw see"),
    (
        "lesson",
        "learn tutorial course teach beginner start exercise",
    ),
    ("examples", "games sample demo other more"),
    ("lang", "language switch other"),
    ("quit", "exit leave end close bye stop"),
    ("where", "call stack backtrace trace"),
    ("log", "print trace output"),
    ("rand", "dice die random luck seed throw"),
    ("resume", "restore crash lost session yesterday last"),
    ("predict", "quiz question class guess"),
    ("test", "replay regression session"),
];

/// The rows that fit the words best, best first.
pub(super) fn search(info: &LanguageInfo, text: &str) -> Vec<HelpRow> {
    let asked: Vec<String> = split(text).collect();
    let meant: Vec<&String> = asked
        .iter()
        .filter(|word| !STOP_WORDS.contains(&word.as_str()))
        .collect();
    let commands = listed().map(|command| {
        let score = meant.iter().map(|word| command_score(command, word)).sum();
        let row = HelpRow {
            name: format!(":{}", command.name),
            help: command.help,
        };
        (score, row)
    });
    let named = words(info).map(|(name, help)| {
        let name_words: Vec<String> = split(name).collect();
        let score = |word: &&String| match name_words.contains(word) {
            true => 5,
            false => score_in(help, word),
        };
        let row = HelpRow {
            name: name.to_string(),
            help,
        };
        (meant.iter().map(score).sum(), row)
    });
    let mut found: Vec<(usize, HelpRow)> = commands
        .chain(named)
        .filter(|(score, _)| *score > 0)
        .collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.truncate(MAX_RESULTS);
    found.into_iter().map(|(_, row)| row).collect()
}

/// The words of a text in lower case.
fn split(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// How well a word fits a command: its name, what it is called otherwise, its help.
fn command_score(command: &Command, word: &str) -> usize {
    let is_name = |name: &str| name == word || name.split('-').any(|part| part == word);
    if is_name(command.name) || command.aliases.contains(&word) {
        return 6;
    }
    if form_named(word).is_some_and(|form| form.command == command.name) {
        return 5;
    }
    let synonyms = SYNONYMS.iter().find(|(name, _)| *name == command.name);
    match synonyms.map_or(0, |(_, text)| score_in(text, word)) {
        0 => score_in(command.help, word),
        score => score + 2,
    }
}

/// 2 if the word is in the text, 1 if another form of it is: `wins` for `win`.
fn score_in(text: &str, word: &str) -> usize {
    let stem = |word: &str| {
        let stem = word.trim_end_matches("ing").trim_end_matches('s');
        if stem.len() < 3 {
            word.to_string()
        } else {
            stem.to_string()
        }
    };
    let scores = split(text).map(|other| match other == word {
        true => 2,
        false if stem(&other) == stem(word) => 1,
        false => 0,
    });
    scores.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages;

    #[test]
    fn questions_find_the_command_that_answers_them() {
        let cases = [
            ("who wins", ":solve"),
            ("save my game", ":save"),
            ("go back in time", ":goto"),
            ("play against the computer", ":opponent"),
            ("take back a move", ":undo"),
            ("throw a die", ":rand"),
            ("is my game fair", ":stats"),
            ("stop when a variable changes", ":watch"),
            ("show the call stack", ":where"),
            ("learn", ":lesson"),
        ];
        for language in languages::ALL {
            for (question, command) in cases {
                let found = search(language.info(), question);
                let names: Vec<&str> = found.iter().map(|row| row.name.as_str()).collect();
                assert!(names.contains(&command), "{question}: {names:?}");
            }
            assert!(search(language.info(), "the of and").is_empty());
            assert!(search(language.info(), "xyzzy").is_empty());
        }
    }
}
