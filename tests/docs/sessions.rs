//! Every file in sessions/ is replayed, and must give the replies that it contains.

use crate::protocol::valid_json;
use crate::test_session::native_host;
use gridbug::command::{handle_line, replay, start_session};
use gridbug::languages;
use gridbug::session::Session;
use gridbug::session::session_file::{ProgramRef, SessionFile, SessionItem};
use std::path::{Path, PathBuf};

/// A line of a session file runs at most this long.
const MAX_INSTRUCTIONS: u64 = 1_000_000;

fn collect_files(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "session") {
            files.push(path);
        }
    }
}

fn session_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect_files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions"),
        &mut files,
    );
    files.sort();
    files
}

#[test]
fn every_session_file_gives_the_replies_it_contains() {
    let mut failures = Vec::new();
    for path in session_files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let file =
            SessionFile::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let replayed = replay(&file, path.parent().unwrap(), native_host())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let differences: Vec<String> = replayed
            .mismatch_report()
            .iter()
            .map(|l| l.text())
            .collect();
        if !differences.is_empty() {
            failures.push(format!("{}\n{}", path.display(), differences.join("\n")));
        }
    }
    assert!(
        failures.is_empty(),
        "{}\n\nrun `gridbug test --update sessions` to update the replies",
        failures.join("\n\n")
    );
}

/// The lines of all session files, typed one after the other, are answered with data alone.
#[test]
fn every_answer_in_a_session_file_is_valid_json() {
    let mut count = 0;
    for path in session_files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = SessionFile::parse(&text).unwrap();
        let language = languages::by_name(&file.language).unwrap();
        let mut session = Session::with_host(language, file.seed, native_host());
        if let ProgramRef::Inline { name, text } = &file.program {
            let answer = start_session(&mut session, name, text);
            valid_json(&session, &answer);
        }
        // A replay writes no files.
        session.files.is_replay = true;
        for item in &file.items {
            let SessionItem::Input(input) = item else {
                continue;
            };
            let end = session.target.machine.time() + MAX_INSTRUCTIONS;
            session.target.machine.interrupt_at(Some(end));
            session.files.set_recorded(&input.files_read);
            let answer = handle_line(&mut session, &input.text);
            valid_json(&session, &answer);
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn every_session_file_is_formatted_as_gridbug_formats_it() {
    for path in session_files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = SessionFile::parse(&text).unwrap();
        assert_eq!(
            file.to_text(),
            text,
            "{}: run `gridbug test --update` to format it",
            path.display()
        );
    }
}

#[test]
fn every_session_file_starts_with_a_comment() {
    for path in session_files() {
        let file = SessionFile::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert!(
            !file.header_comments.is_empty(),
            "{} does not start with a `# comment` that says what it shows",
            path.display()
        );
    }
}

/// Line endings are normalized, so that a replay gets the same input.
#[test]
fn crlf_in_input_becomes_lf() {
    let mut session = Session::new(languages::ALL[1], 1);
    handle_line(&mut session, ":log a \"b\r\nc\"");
    assert_eq!(
        session.target.debugger.breakpoints[0]
            .log_message
            .as_deref(),
        Some("b\nc")
    );
    assert_eq!(session.transcript.entries[0].input, ":log a \"b\nc\"");
}
