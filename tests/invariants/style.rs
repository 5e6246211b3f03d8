//! Names, comments, messages and documentation avoid phrases that readers stumbled over.
//!
//! The list is short on purpose: it keeps old habits out and does not replace reading. The rules are
//! under "Style" in CONTRIBUTING.md.

use std::path::{Path, PathBuf};

/// A phrase that must not occur, and what to write instead. A phrase matches whole words.
const BANNED: &[(&str, &str)] = &[
    ("told", "\"prints\", \"reports\" or \"shows\""),
    ("whoever", "name the thing, not an actor"),
    ("somebody", "name the thing, not an actor"),
    ("anew", "\"again\""),
    ("at hand", "\"current\""),
    ("in the midst", "\"inside\" or \"during\""),
    ("takes up", "\"resumes\" or \"continues\""),
    ("rehearse", "\"dry run\""),
    ("rehearses", "\"dry run\""),
    ("rehearsal", "\"dry run\""),
    ("is no", "\"unknown X\" or \"is not a X\""),
];

/// Exceptions: `is no longer` and `there is no` are allowed.
const ALLOWED_AFTER_IS_NO: &str = " longer";
const ALLOWED_BEFORE_IS_NO: &str = "there ";

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a directory of the repository") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files(&path, found);
            continue;
        }
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if ["rs", "lalrpop", "md", "txt", "gl", "session"].contains(&extension) {
            found.push(path);
        }
    }
}

/// The byte offsets at which the phrase occurs as whole words.
fn occurrences(text: &str, phrase: &str) -> Vec<usize> {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric());
    text.match_indices(phrase)
        .map(|(at, _)| at)
        .filter(|at| !is_word(text[..*at].chars().next_back()))
        .filter(|at| !is_word(text[at + phrase.len()..].chars().next()))
        .filter(|at| {
            phrase != "is no"
                || !(text[at + phrase.len()..].starts_with(ALLOWED_AFTER_IS_NO)
                    || text[..*at].ends_with(ALLOWED_BEFORE_IS_NO))
        })
        .collect()
}

#[test]
fn texts_avoid_the_banned_phrases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for dir in ["src", "grammar", "tests", "benches", "docs", "sessions"] {
        files(&root.join(dir), &mut paths);
    }
    paths.push(root.join("README.md"));
    paths.push(root.join("CHANGELOG.md"));
    // This file has to name the phrases.
    paths.retain(|path| !path.ends_with("tests/invariants/style.rs"));
    let mut found = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path)
            .unwrap_or_default()
            .to_lowercase();
        for (phrase, instead) in BANNED {
            for at in occurrences(&text, phrase) {
                let line = text[..at].lines().count().max(1);
                let name = path.strip_prefix(root).unwrap_or(&path).display();
                found.push(format!("{name}:{line}: \"{phrase}\"; write {instead}"));
            }
        }
    }
    assert!(
        found.is_empty(),
        "see \"Style\" in CONTRIBUTING.md:\n{}",
        found.join("\n")
    );
}

#[test]
fn whole_words_are_found_and_parts_of_words_are_not() {
    assert_eq!(occurrences("it is told, not untold", "told"), [6]);
    assert!(occurrences("there is no x; it is no longer y", "is no").is_empty());
    assert_eq!(occurrences("x is no name, and this is not", "is no"), [2]);
}

/// The names of the variants of `enum Instr` that no doc comment precedes.
fn undocumented_variants(text: &str) -> Vec<&str> {
    let body = text
        .split_once("pub enum Instr {\n")
        .and_then(|(_, rest)| rest.split_once("\n}\n"))
        .map(|(body, _)| body)
        .expect("the definition of `Instr`");
    let mut found = Vec::new();
    let mut is_documented = false;
    for line in body.lines().map(str::trim) {
        if line.starts_with(char::is_uppercase) && !is_documented {
            let end = line.find(|c: char| !c.is_alphanumeric());
            found.push(&line[..end.unwrap_or(line.len())]);
        }
        is_documented = line.starts_with("///");
    }
    found
}

/// `Instr` allows `missing_docs` because its operands share one explanation, so the compiler does
/// not check its variants.
#[test]
fn every_instruction_has_a_doc_comment() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/base/code/instr.rs");
    let text = std::fs::read_to_string(path).expect("src/base/code/instr.rs");
    assert_eq!(undocumented_variants(&text), [""; 0]);
}

#[test]
fn undocumented_variants_are_found() {
    let text = "pub enum Instr {\n    // Jumps.\n    Jump { to: u32 },\n    /// Stops.\n    Trap,\n    \
                Return,\n}\n";
    assert_eq!(undocumented_variants(text), ["Jump", "Return"]);
}
