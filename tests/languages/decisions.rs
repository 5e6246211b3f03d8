//! Every row of the tables under "Decisions" in `docs/<language>.md` is true: each is tested here
//! under the text of its first cell. Adding, removing or renaming a row fails until this is updated.

mod bogl;
mod gridlang;
mod gridlok;
mod sgl2d;
mod tinygame;

use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::session::{Answer, Session, to_plain_text};
use std::path::Path;

/// A row of a table: the text of its first cell, a program (none if empty), and pairs of an input
/// and a text that the reply contains. The input `LOAD` means loading the program. What follows
/// `not ` must not occur in the reply.
type Row = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const LOAD: &str = "";

/// The first cell of each row of the table under "Decisions" in the language's page.
fn rows(language: &str) -> Vec<String> {
    let page = format!("docs/{}.md", language.to_lowercase());
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&page))
        .unwrap_or_else(|error| panic!("{page}: {error}"));
    let below = text.lines().skip_while(|l| *l != "## Decisions").skip(1);
    let table = below
        .skip_while(|l| !l.starts_with('|'))
        .take_while(|l| l.starts_with('|'))
        .skip(2);
    table
        .map(|l| {
            l.trim_matches('|')
                .split('|')
                .next()
                .unwrap()
                .trim()
                .replace('`', "")
        })
        .collect()
}

/// The reply as text, including the labels of related spans.
fn reply_text(session: &Session, reply: &Answer) -> String {
    let mut lines = to_plain_text(session, reply);
    lines.extend(
        reply
            .diagnostics
            .iter()
            .flat_map(|d| &d.related)
            .map(|(_, label)| label.clone()),
    );
    lines.join("\n")
}

fn check_row(language: &str, (row, program, replies): &Row) {
    let mut session = Session::new(languages::by_name(language).unwrap(), 1);
    let mut loaded = String::new();
    if !program.is_empty() {
        let reply = session.load("game", program);
        loaded = reply_text(&session, &reply);
    }
    for (typed, expected) in *replies {
        let text = match *typed {
            LOAD => loaded.clone(),
            _ => {
                let reply = handle_line(&mut session, typed);
                reply_text(&session, &reply)
            }
        };
        let matches = match expected.strip_prefix("not ") {
            Some(forbidden) => !text.contains(forbidden),
            None => text.contains(expected),
        };
        assert!(
            matches,
            "{language}, {row}: expected {expected:?} in the reply to {typed:?}, found\n{text}"
        );
    }
}

fn check_table(language: &str, all: &[Row]) {
    let name = languages::by_name(language).unwrap().info().title;
    let known: Vec<String> = all.iter().map(|(row, ..)| (*row).to_string()).collect();
    assert_eq!(
        rows(name),
        known,
        "the rows of the table in the docs and the rows tested here"
    );
    all.iter().for_each(|row| check_row(language, row));
}

#[test]
fn gridlok_decisions_hold() {
    check_table("gridlok", gridlok::ROWS);
}

#[test]
fn bogl_decisions_hold() {
    check_table("bogl", bogl::ROWS);
}

#[test]
fn gridlang_decisions_hold() {
    check_table("gridlang", gridlang::ROWS);
}

#[test]
fn sgl2d_decisions_hold() {
    check_table("sgl2d", sgl2d::ROWS);
}

#[test]
fn tinygame_decisions_hold() {
    check_table("tinygame", tinygame::ROWS);
}
