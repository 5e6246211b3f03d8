//! Every file under sessions/ is played again: lessons are tests.

use gridbug::command::{handle_line, replay};
use gridbug::languages;
use gridbug::session::Session;
use gridbug::session::session_file::SessionFile;
use std::path::{Path, PathBuf};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "session") {
            found.push(path);
        }
    }
}

fn all() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions"),
        &mut found,
    );
    found.sort();
    found
}

#[test]
fn every_session_is_answered_as_it_says() {
    let mut wrong = Vec::new();
    for path in all() {
        let text = std::fs::read_to_string(&path).unwrap();
        let file =
            SessionFile::parse(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let played = replay(&file, path.parent().unwrap(), None)
            .unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let differences: Vec<String> = played.mismatch_report().iter().map(|l| l.text()).collect();
        if !differences.is_empty() {
            wrong.push(format!("{}\n{}", path.display(), differences.join("\n")));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n\n`gridbug test --update sessions` writes the new answers",
        wrong.join("\n\n")
    );
}

#[test]
fn every_session_is_written_as_gridbug_writes_it() {
    for path in all() {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = SessionFile::parse(&text).unwrap();
        assert_eq!(
            file.to_text(),
            text,
            "{}: `gridbug test --update` writes it anew",
            path.display()
        );
    }
}

#[test]
fn every_session_says_what_it_shows() {
    for path in all() {
        let file = SessionFile::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert!(
            !file.header_comments.is_empty(),
            "{} begins with no `# what it shows`",
            path.display()
        );
    }
}

/// What was typed is kept with one kind of line ending: played again, it must be the same.
#[test]
fn lines_end_in_one_way() {
    let mut session = Session::new(languages::ALL[1], 1);
    handle_line(&mut session, ":log a \"b\r\nc\"");
    assert_eq!(
        session.debugger.breakpoints[0].log_message.as_deref(),
        Some("b\nc")
    );
    assert_eq!(session.transcript.entries[0].input, ":log a \"b\nc\"");
}
