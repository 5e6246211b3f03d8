//! Promise: every code that gridbug uses is explained, by an example that really produces it.

use gridbug::command::{Mistake, exchange, mistakes};
use gridbug::languages::{ALL, named};
use gridbug::session::{Session, told};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Codes for which no example would help: it would have to be huge, endless, or pressed rather than typed.
const WITHOUT: &[&str] = &[
    "GL008", "GL090", "BG005", "BG058", "GG015", "GG127", "TG008", "TG012", "SG120", "RT014", "RT015", "RT018",
    "RT019", "RT021", "RT022", "RT024", "RT028",
];

#[test]
fn every_example_produces_its_code() {
    let mut wrong = Vec::new();
    for mistake in mistakes() {
        if mistake.program.is_empty() && mistake.typed.is_empty() {
            assert!(WITHOUT.contains(&mistake.code), "{} has no example", mistake.code);
            continue;
        }
        assert!(!WITHOUT.contains(&mistake.code), "{} has an example", mistake.code);
        let codes = produced(&mistake);
        if !codes.contains(&mistake.code) {
            wrong.push(format!("{}: {codes:?}", mistake.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The codes of the last thing done.
fn produced(mistake: &Mistake) -> Vec<&'static str> {
    let mut session = Session::new(named(mistake.language).expect("a language of that name"), 1);
    let mut codes = Vec::new();
    if !mistake.program.is_empty() {
        let reply = session.load("game", &(mistake.program.join("\n") + "\n"));
        codes = reply.diagnostics.iter().map(|d| d.code).collect();
    }
    for typed in &mistake.typed {
        codes = exchange(&mut session, typed).diagnostics.iter().map(|d| d.code).collect();
    }
    codes
}

#[test]
fn every_code_says_how_to_mend_it_and_fits() {
    for mistake in mistakes() {
        assert!(!mistake.mend.is_empty() && !mistake.meaning.is_empty(), "{} says nothing", mistake.code);
        let lines = mistake.mend.iter().map(|l| l.to_string()).chain(mistake.example());
        for line in lines {
            assert!(line.chars().count() <= 76, "{}: {line}", mistake.code);
        }
    }
    let codes: BTreeSet<&str> = mistakes().iter().map(|m| m.code).collect();
    assert_eq!(codes.len(), mistakes().len(), "a code stands twice in the table");
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

#[test]
fn every_code_in_the_source_is_in_the_table() {
    let known: BTreeSet<String> = mistakes().iter().map(|m| m.code.to_string()).collect();
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    for path in found.iter().filter(|p| p.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(path).unwrap();
        for (at, _) in text.match_indices('"') {
            let word: String = text[at + 1..].chars().take(6).collect();
            let is_code = ["GL", "BG", "GG", "TG", "SG", "RT"].iter().any(|p| word.starts_with(p))
                && word.ends_with('"')
                && word[2..5].chars().all(|c| c.is_ascii_digit());
            assert!(!is_code || known.contains(&word[..5]), "{}: {word} is not explained", path.display());
        }
    }
}

#[test]
fn explain_tells_it_in_every_language() {
    for language in ALL {
        let mut session = Session::new(*language, 1);
        for (asked, wanted) in
            [(":explain GL012", None), (":explain gl020", Some("print {clumn}")), (":explain RT003", Some("if n != 0"))]
        {
            let reply = exchange(&mut session, asked);
            let answer = told(&session, &reply).join("\n");
            match wanted {
                Some(words) => assert!(reply.ok && answer.contains(words), "{asked}:\n{answer}"),
                None => assert!(!reply.ok, "{asked}:\n{answer}"),
            }
        }
    }
}
