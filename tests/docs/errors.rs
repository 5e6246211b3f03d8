//! Every error code is explained, and every example really produces its code.

use gridbug::command::{ErrorExplanation, error_explanations, handle_line};
use gridbug::languages::{ALL, by_name};
use gridbug::session::{Session, to_plain_text};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;

#[test]
fn every_example_produces_its_code() {
    let mut wrong = Vec::new();
    for explanation in error_explanations() {
        assert!(
            !explanation.program.is_empty() || !explanation.inputs.is_empty(),
            "{} has no example",
            explanation.code
        );
        let codes = if explanation.command_line.is_empty() {
            codes_in_session(&explanation)
        } else {
            codes_printed(&explanation)
        };
        if !codes.iter().any(|code| code == explanation.code) {
            wrong.push(format!("{}: {codes:?}", explanation.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The codes of the last reply when the example runs in a session.
fn codes_in_session(explanation: &ErrorExplanation) -> Vec<String> {
    let mut session = Session::new(
        by_name(explanation.language).expect("a language of that name"),
        1,
    );
    let mut codes = Vec::new();
    if !explanation.program.is_empty() {
        let reply = session.load("game", &explanation.full_program());
        codes = reply
            .diagnostics
            .iter()
            .map(|d| d.code.to_string())
            .collect();
    }
    let inputs = explanation.full_inputs();
    for (n, input) in inputs.iter().enumerate() {
        let is_last = n + 1 == inputs.len();
        session
            .target
            .machine
            .interrupt_flag()
            .store(is_last && explanation.is_interrupted, Ordering::Relaxed);
        codes = handle_line(&mut session, input)
            .diagnostics
            .iter()
            .map(|d| d.code.to_string())
            .collect();
    }
    codes
}

/// The codes that the binary prints when started with the example's command line.
fn codes_printed(explanation: &ErrorExplanation) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!(
        "gridbug-explanation-{}-{}",
        explanation.code,
        std::process::id()
    ));
    std::fs::create_dir_all(&folder).unwrap();
    let words = explanation
        .command_line
        .strip_prefix("gridbug ")
        .expect("the command line starts with gridbug");
    let (words, input) = match words.strip_suffix(" < /dev/null") {
        Some(words) => (words, String::new()),
        None => (words, explanation.full_inputs().join("\n") + "\n"),
    };
    for file in words.split(' ').filter(|w| w.starts_with("game.")) {
        std::fs::write(folder.join(file), explanation.full_program()).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridbug"));
    let command = command
        .args(words.split(' '))
        .current_dir(&folder)
        .stdin(Stdio::piped());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    std::fs::remove_dir_all(&folder).unwrap();
    text.split(['[', ']']).map(str::to_string).collect()
}

#[test]
fn every_code_has_a_fix_and_fits_on_the_screen() {
    for explanation in error_explanations() {
        assert!(
            !explanation.fix.is_empty() && !explanation.summary.is_empty(),
            "{} has no summary or fix",
            explanation.code
        );
        let lines = explanation
            .fix
            .iter()
            .map(|l| l.to_string())
            .chain(explanation.example());
        for line in lines {
            assert!(line.chars().count() <= 76, "{}: {line}", explanation.code);
        }
    }
    let codes: BTreeSet<&str> = error_explanations().iter().map(|m| m.code).collect();
    assert_eq!(codes.len(), error_explanations().len(), "duplicate code");
}

fn collect_files(dir: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => collect_files(&path, paths),
            false => paths.push(path),
        }
    }
}

#[test]
fn every_code_in_the_source_is_explained() {
    let known: BTreeSet<String> = error_explanations()
        .iter()
        .map(|m| m.code.to_string())
        .collect();
    let mut paths = Vec::new();
    collect_files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut paths,
    );
    for path in paths
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
    {
        let text = std::fs::read_to_string(path).unwrap();
        for (at, _) in text.match_indices('"') {
            let word: String = text[at + 1..].chars().take(6).collect();
            let is_code = ["GL", "BG", "GG", "TG", "SG", "RT"]
                .iter()
                .any(|p| word.starts_with(p))
                && word.ends_with('"')
                && word[2..5].chars().all(|c| c.is_ascii_digit());
            assert!(
                !is_code || known.contains(&word[..5]),
                "{}: {word} is not explained",
                path.display()
            );
        }
    }
}

#[test]
fn explain_works_in_sessions_of_every_language() {
    for language in ALL {
        let mut session = Session::new(*language, 1);
        for (typed, expected) in [
            (":explain GL012", Some("score = 3")),
            (":explain gl020", Some("print {clumn}")),
            (":explain GL099", None),
        ] {
            let reply = handle_line(&mut session, typed);
            let reply_text = to_plain_text(&session, &reply).join("\n");
            match expected {
                Some(text) => assert!(
                    reply.ok && reply_text.contains(text),
                    "{typed}:\n{reply_text}"
                ),
                None => assert!(!reply.ok, "{typed}:\n{reply_text}"),
            }
        }
    }
}
