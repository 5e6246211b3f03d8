//! Tests for the checker, especially where files and entries are treated differently.

use super::*;
use crate::check::env::env_with_items;
use crate::parse;
use crate::source::{Origin, Source, SourceId};

const GAME: &str = "board{ dimensions{3,3} } players{\"x\",\"o\"}\n";

fn check_file(text: &str) -> Vec<Diagnostic> {
    let source = Source::new(
        SourceId(0),
        Origin::File("test.gl".into()),
        format!("{GAME}{text}"),
    );
    check_program(
        &parse::parse_program(&source, |_| Vec::new()).expect(text),
        &Default::default(),
    )
}

fn check_typed(text: &str, env: &Env) -> Vec<Diagnostic> {
    let source = Source::new(SourceId(0), Origin::Entry(1), text);
    check_entry(
        &parse::parse_entry(&source).expect(text),
        &env.clone().into(),
    )
}

/// The environment of a session after typing these items.
fn env_of(text: &str) -> Env {
    let source = Source::new(SourceId(0), Origin::File("test.gl".into()), text);
    env_with_items(
        &Default::default(),
        &parse::parse_program(&source, |_| Vec::new())
            .expect(text)
            .items,
    )
    .as_ref()
    .clone()
}

fn messages(found: &[Diagnostic]) -> Vec<(&'static str, &str)> {
    found
        .iter()
        .map(|d| (d.severity.as_str(), d.message.as_str()))
        .collect()
}

#[test]
fn unknown_names_are_errors_in_files_and_warnings_in_typed_bodies() {
    let body = "fun f(){ return g{} }";
    assert!(
        check_file(body)
            .iter()
            .any(|d| d.is_error() && d.code == errors::UNKNOWN_NAME)
    );
    assert_eq!(
        messages(&check_typed(body, &Env::default())),
        [("warning", "`g` is not defined yet")]
    );
    assert_eq!(
        messages(&check_typed("g{}", &Env::default())),
        [("error", "unknown name `g`")]
    );
    assert_eq!(
        messages(&check_typed("if true { g{} }", &Env::default())),
        [("error", "unknown name `g`")]
    );
}

#[test]
fn definitions_in_an_entry_are_visible_to_later_parts() {
    assert_eq!(
        check_typed(
            "def a{1} def b{a + 1} fun f(){ return a + b } print{f{}}",
            &Env::default()
        ),
        []
    );
    assert_eq!(
        messages(&check_typed("print{a} def a{1}", &Env::default())),
        [("error", "unknown name `a`")]
    );
    assert_eq!(
        check_typed("fun f(){ return g{} } fun g(){ return 1 }", &Env::default()),
        []
    );
}

#[test]
fn definitions_at_the_prompt_replace_earlier_ones() {
    let env = env_of("def n{1} fun f(){ return 1 }");
    assert_eq!(check_typed("def n{\"one\"}", &env), []);
    assert_eq!(check_typed("def f{2} f{3}", &env), []);
    assert_eq!(
        check_typed("turnOrder{\"z\"}", &env)
            .iter()
            .filter(|d| d.is_error())
            .count(),
        0
    );
}

#[test]
fn the_meaning_of_braces_depends_on_the_name() {
    let env = env_of("def n{1} def l{1,} fun f(a){ print{a} }");
    for fine in [
        "n{2}",
        "l{2}",
        "l{2,3,}",
        "l{,}",
        "l[0]{}",
        "f{1}",
        "win{true}",
        "n{1,}",
    ] {
        assert_eq!(check_typed(fine, &env), [], "{fine}");
    }
    let code = |text: &str| {
        check_typed(text, &env)
            .iter()
            .map(|d| d.code)
            .collect::<Vec<_>>()
    };
    assert_eq!(code("n{}"), [errors::ARGUMENT_COUNT]);
    assert_eq!(code("n{1,2}"), [errors::ARGUMENT_COUNT]);
    assert_eq!(code("f{1,}"), [errors::WRONG_BRACE_CONTENT]);
    assert_eq!(code("1 + n{2}"), [errors::NO_VALUE]);
    assert_eq!(code("1 + f{2}"), [errors::NO_VALUE]);
    assert_eq!(code("rows{2}"), [errors::READ_ONLY]);
    assert_eq!(code("win{}"), [errors::ARGUMENT_COUNT]);
}

#[test]
fn entries_at_a_stop_see_the_locals_of_the_frame() {
    let env = Env {
        frame_locals: vec!["count".into()],
        ..Env::default()
    };
    assert_eq!(check_typed("count{count + 1}", &env), []);
    assert_eq!(check_typed("count + 1", &env), []);
    assert_eq!(
        messages(&check_typed("cuont", &env)),
        [("error", "unknown name `cuont`; did you mean `count`?")]
    );
}

#[test]
fn player_blocks_are_only_allowed_in_setup() {
    let piece = "piece{ name{\"a\"} }\n";
    let setup = format!(
        "{piece}setup{{ x{{ place{{\"a\",0,0}} }} for i(0,2){{ o{{ def k{{i}} print{{k}} }} }} }}"
    );
    assert_eq!(check_file(&setup), []);
    assert!(
        check_file("fun f(){ x{ print{1} } }")
            .iter()
            .any(|d| d.code == errors::UNKNOWN_NAME)
    );
    assert_eq!(
        messages(&check_file(&format!(
            "{piece}setup{{ x{{ 1 }} place{{\"a\",0,0}} }}"
        ))),
        [("error", "this value is never used")]
    );
}

#[test]
fn certain_type_errors_are_warnings_in_files_only() {
    let mismatches = |text: &str| {
        let found = check_file(&format!("setup{{ {text} }}"));
        assert!(found.iter().all(|d| !d.is_error()), "{text}");
        found
            .iter()
            .filter(|d| d.code == errors::TYPE_MISMATCH)
            .count()
    };
    for wrong in [
        "print{1 + \"a\"}",
        "print{!0}",
        "print{1 == \"1\"}",
        "if 1 {}",
        "for i(0,\"a\"){}",
        "print{rows[0]}",
        "print{turn.name}",
        "win{1}",
        "place{1,0,0}",
        "visible{2}",
        "print{true AND 1}",
        "print{1 < 2 < 3}",
        "def l{1,\"a\",} print{l}",
        "def n{1} n{\"a\"} print{n}",
        "def n{1} n{2,} print{n}",
        "for p in board { print{p + 1} }",
    ] {
        assert_eq!(mismatches(wrong), 1, "{wrong}");
    }
    for fine in [
        "print{1 + 2}",
        "def l{,} l{1} l{\"a\"} print{l}",
        "visible{1}",
        "visible{true}",
        "print{board[0][0] == empty}",
        "for p in board { print{p.name} }",
        "def q{board[0][0]} q{empty} print{q}",
    ] {
        assert_eq!(mismatches(fine), 0, "{fine}");
    }
    assert_eq!(check_typed("print{1 + \"a\"}", &Env::default()), []);
}

#[test]
fn a_clean_file_has_no_warnings() {
    let clean = "def score{0}\n\
                 piece{ name{\"coin\"} onClick{ score{score + 1} removePiece{pieceRow, pieceCol} endTurn{} } }\n\
                 setup{ for r,c in board{ place{\"coin\", r, c} } }\n\
                 winCondition{ def left{0} for p in board{ if p.name == \"coin\" { left{left + 1} } } win{left == 0} }";
    assert_eq!(check_file(clean), []);
}

#[test]
fn unused_definitions_are_warned_about_even_if_assigned() {
    let unused = |text: &str| {
        check_file(text)
            .iter()
            .filter(|d| d.code == errors::UNUSED)
            .count()
    };
    assert_eq!(unused("def a{1}"), 1);
    assert_eq!(unused("def a{1} setup{ a{2} }"), 1);
    assert_eq!(unused("def a{1} setup{ print{a} }"), 0);
    assert_eq!(unused("def n{2} def m{n} setup{ print{m} }"), 0);
    assert_eq!(unused("fun f(n){ return f{n} }"), 1);
    assert_eq!(unused("fun f(n){ return n } setup{ f{1} }"), 0);
    assert_eq!(unused("setup{ def k{1} }"), 1);
    assert_eq!(unused("setup{ for i(0,2){ } }"), 0);
}

#[test]
fn pieces_are_unused_only_if_no_name_is_computed() {
    let unplaced = |text: &str| {
        check_file(text)
            .iter()
            .filter(|d| d.code == errors::UNUSED_PIECE)
            .count()
    };
    assert_eq!(unplaced("piece{ name{\"a\"} }"), 1);
    assert_eq!(
        unplaced("piece{ name{\"a\"} } setup{ place{\"a\",0,0} }"),
        0
    );
    assert_eq!(
        unplaced("piece{ name{\"a\"} } def n{\"a\"} setup{ place{n,0,0} }"),
        0
    );
}

#[test]
fn a_warning_about_an_unknown_value_suggests_quotes_like_the_error() {
    let notes = |text: &str| {
        let found = check_typed(text, &Env::default());
        found.into_iter().flat_map(|d| d.notes).collect::<Vec<_>>()
    };
    assert_eq!(
        notes("fun f(p){ return p.name == dark }"),
        ["define it before this code runs; put text in quotes: \"dark\""]
    );
    // What is called or a single letter is hardly text.
    for text in [
        "fun f(){ return double{1} }",
        "fun f(p){ return p.name == d }",
    ] {
        assert_eq!(notes(text), ["define it before this code runs"]);
    }
}
