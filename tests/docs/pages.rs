//! Every code block and transcript in the README and in the hand-written pages of `docs/` is
//! executed. `GRIDBUG_UPDATE=1 cargo test --test docs pages` rewrites the replies in transcripts.
//!
//! The info string of a fence says how its block is run:
//!
//! - `gridlok` (or another language): a program, or entries for an empty session; no errors allowed.
//! - `gridbug gridlok`: a transcript on the language's sample game; `gridbug gridlok empty` on nothing;
//!   `gridbug gridlok FILE` on a file of the repository; `gridbug same` continues the one before.
//! - `console`: `$ gridbug …` commands, run with the real binary from the root of the repository.
//! - `text`: not run.

use gridbug::command::{handle_line, open_sample, start_session};
use gridbug::languages;
use gridbug::session::{Session, to_plain_text};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Pages that are generated from tables and have their own test (`manual.rs`).
const GENERATED: [&str; 3] = ["commands.md", "errors.md", "languages.md"];

const CONTINUATION: &str = "... ";
const ANSWER: &str = "< ";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    let docs = std::fs::read_dir(root().join("docs")).unwrap();
    pages.extend(docs.map(|entry| entry.unwrap().path()).filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.ends_with(".md") && !GENERATED.contains(&name.as_str())
    }));
    pages.sort();
    pages
}

/// What the user types on this line, without its prompt.
enum Input<'a> {
    Entry(&'a str),
    Continuation(&'a str),
    Answer(&'a str),
}

fn input_of<'a>(session: &Session, line: &'a str) -> Option<Input<'a>> {
    let trimmed = line.trim_start();
    let prompt = format!("{}>", session.target.language().info().name);
    for prompt in [prompt.as_str(), "stopped>"] {
        if let Some(rest) = line.strip_prefix(prompt) {
            return Some(Input::Entry(rest.strip_prefix(' ').unwrap_or(rest)));
        }
    }
    if line.starts_with("  ") && (trimmed.starts_with(CONTINUATION) || trimmed == "...") {
        return Some(Input::Continuation(
            trimmed.strip_prefix(CONTINUATION).unwrap_or(""),
        ));
    }
    line.strip_prefix(ANSWER).map(Input::Answer)
}

/// The transcript with the current replies.
fn play(session: &mut Session, block: &[String]) -> Vec<String> {
    let mut result = Vec::new();
    let mut lines = block.iter().peekable();
    while let Some(line) = lines.next() {
        let (first, is_entry) = match input_of(session, line) {
            Some(Input::Entry(text)) => (text, true),
            Some(Input::Answer(text)) => (text, false),
            _ => continue,
        };
        let mut text = first.to_string();
        result.push(line.clone());
        while let Some(next) = lines.peek().filter(|_| is_entry) {
            let Some(Input::Continuation(more)) = input_of(session, next) else {
                break;
            };
            text += &format!("\n{more}");
            result.extend(lines.next().cloned());
        }
        let reply = handle_line(session, &text);
        result.extend(to_plain_text(session, &reply));
        while result.last().is_some_and(|line| line.is_empty()) {
            result.pop();
        }
    }
    result
}

/// A session as the info string of a transcript asks for it.
fn open(info: &[&str], at: &str) -> Session {
    let language = languages::by_name(info[0]).unwrap_or_else(|| panic!("{at}: {}", info[0]));
    let mut session = Session::new(language, 1);
    let reply = match info.get(1) {
        None => open_sample(&mut session),
        Some(&"empty") => return session,
        Some(path) => {
            let text = std::fs::read_to_string(root().join(path))
                .unwrap_or_else(|error| panic!("{at}: {path}: {error}"));
            start_session(&mut session, path, &text)
        }
    };
    assert!(reply.ok, "{at}: {:?}", reply.diagnostics);
    session
}

/// A program is loaded whole; if that fails, it may still be entries for the prompt.
fn check_program(language: &str, text: &str, at: &str) {
    let language = languages::by_name(language).unwrap();
    let mut loaded = Session::new(language, 1);
    let reply = start_session(&mut loaded, "page", text);
    if reply.ok {
        return;
    }
    let mut typed = Session::new(language, 1);
    let entry = handle_line(&mut typed, text.trim_end());
    assert!(
        entry.ok,
        "{at}: neither a program nor entries:\n{}\n{}",
        to_plain_text(&loaded, &reply).join("\n"),
        to_plain_text(&typed, &entry).join("\n")
    );
}

/// The block with the current output of its commands.
fn run_commands(block: &[String]) -> Vec<String> {
    let mut result = Vec::new();
    for line in block.iter().filter(|line| line.starts_with("$ ")) {
        result.push(line.clone());
        let script = line[2..].replacen("gridbug", env!("CARGO_BIN_EXE_gridbug"), 1);
        let output = Command::new("sh")
            .args(["-c", &format!("{script} 2>&1")])
            .current_dir(root())
            .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        result.extend(text.lines().map(|line| line.trim_end().to_string()));
    }
    result
}

#[test]
fn every_code_block_in_the_pages_is_true() {
    let updates = std::env::var_os("GRIDBUG_UPDATE").is_some();
    let mut stale = Vec::new();
    for path in pages() {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut session: Option<Session> = None;
        let mut page: Vec<String> = Vec::new();
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            page.push(line.to_string());
            let Some(info) = line.strip_prefix("```") else {
                assert!(
                    !line.starts_with("    gridlok> "),
                    "{name}:{}: use a ```gridbug fence",
                    number + 1
                );
                continue;
            };
            let at = format!("{name}:{}", number + 1);
            let block: Vec<String> = lines
                .by_ref()
                .map(|(_, line)| line.to_string())
                .take_while(|line| line != "```")
                .collect();
            let words: Vec<&str> = info.split_whitespace().collect();
            let now = match words.as_slice() {
                ["gridbug", "same"] => {
                    let session = session.as_mut();
                    play(
                        session.unwrap_or_else(|| panic!("{at}: no session before")),
                        &block,
                    )
                }
                ["gridbug", rest @ ..] => {
                    let mut opened = open(rest, &at);
                    let now = play(&mut opened, &block);
                    session = Some(opened);
                    now
                }
                ["console"] => run_commands(&block),
                ["text" | "sh" | "rust" | "json"] => block.clone(),
                [language] if languages::by_name(language).is_some() => {
                    check_program(language, &format!("{}\n", block.join("\n")), &at);
                    block.clone()
                }
                _ => panic!("{at}: unknown kind of block `{info}`"),
            };
            if now != block {
                let shown = |lines: &[String]| lines.join("\n");
                stale.push(format!(
                    "{at}\n-- page\n{}\n-- now\n{}",
                    shown(&block),
                    shown(&now)
                ));
            }
            page.extend(now);
            page.push("```".to_string());
        }
        if updates {
            std::fs::write(&path, page.join("\n") + "\n").unwrap();
        }
    }
    assert!(
        updates || stale.is_empty(),
        "GRIDBUG_UPDATE=1 cargo test --test docs pages rewrites these replies:\n{}",
        stale.join("\n\n")
    );
}
