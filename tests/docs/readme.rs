//! Promise: the transcript that the README opens with is real. `GRIDBUG_UPDATE=1 cargo test --test docs readme` writes its
//! answers anew.

use gridbug::command::{handle_line, open_sample};
use gridbug::languages;
use gridbug::session::{Session, to_plain_text};
use std::path::Path;

const INDENT: &str = "    ";

/// The transcript as it would be answered now: what follows a prompt is typed.
fn played(block: &[&str]) -> Vec<String> {
    let mut session = Session::new(languages::ALL[0], 1);
    open_sample(&mut session);
    let mut lines = Vec::new();
    for line in block {
        let typed = ["gridlok> ", "stopped> "]
            .iter()
            .find_map(|p| line.trim_start().strip_prefix(p));
        if let Some(typed) = typed {
            lines.push((*line).to_string());
            let reply = handle_line(&mut session, typed);
            lines.extend(
                to_plain_text(&session, &reply)
                    .iter()
                    .map(|l| format!("{INDENT}{l}")),
            );
        }
    }
    lines
}

#[test]
fn the_first_transcript_is_real() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let first = lines
        .iter()
        .position(|l| l.starts_with("    gridlok> "))
        .unwrap();
    let end = first
        + lines[first..]
            .iter()
            .position(|l| !l.is_empty() && !l.starts_with(INDENT))
            .unwrap();
    let block = &lines[first..end];
    let last = block.iter().rposition(|l| !l.is_empty()).unwrap();
    let block = &block[..=last];
    let now = played(block);
    if std::env::var_os("GRIDBUG_UPDATE").is_some() {
        std::fs::write(&path, text.replace(&block.join("\n"), &now.join("\n"))).unwrap();
        return;
    }
    assert_eq!(
        block.join("\n"),
        now.join("\n"),
        "GRIDBUG_UPDATE=1 cargo test --test docs readme writes the answers anew"
    );
}
