//! Conditions and expressions of a session: compiled once, evaluated in the right frame.

use super::*;
use crate::answer::StopReason;
use crate::debugger::Location;
use crate::languages;

const LOOP: &str = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun never(x) { return x < 0 }
fun f(k) {
  for i(0, k) {
n {n + 1}
  }
  return n
}";

fn with_condition(condition: &str) -> Session {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("game.gl", LOOP).ok);
    let location = Location::Line {
        source: "game.gl".into(),
        line: 6,
    };
    session
        .target
        .debugger
        .add_breakpoint(location, "6")
        .condition = Some(condition.into());
    session.target.run(|run| run.rebind_breakpoints());
    session
}

#[test]
fn condition_is_compiled_once_for_all_hits() {
    let mut session = with_condition("i == 200 OR never{i}");
    let answer = session.submit("f{100}");
    assert_eq!(answer.value.as_deref(), Some("100"));
    assert_eq!(session.target.cached_expr_count(), 1);
    // The traps are still set: the next run stops.
    let answer = session.submit("f{300}");
    assert_eq!(answer.stop.map(|s| s.reason), Some(StopReason::Breakpoint));
    assert_eq!(
        session.target.eval("i", |s, v| s.format_value(v)),
        Ok("200".into())
    );
}

#[test]
fn condition_uses_redefined_functions() {
    let mut session = with_condition("never{i}");
    assert!(session.submit("f{10}").stop.is_none());
    assert!(session.submit("fun never(x) { return x == 7 }").ok);
    assert!(session.submit("f{10}").stop.is_some());
    assert_eq!(
        session.target.eval("i", |s, v| s.format_value(v)),
        Ok("7".into())
    );
}

#[test]
fn expressions_are_compiled_per_frame() {
    let mut session = with_condition("i == 3");
    session.submit("f{10}");
    assert_eq!(
        session.target.eval("k", |s, v| s.format_value(v)),
        Ok("10".into())
    );
    session.target.debugger.selected_frame = 1;
    assert!(session.target.eval("k", |s, v| s.format_value(v)).is_err());
    session.target.debugger.selected_frame = 0;
    assert_eq!(
        session.target.eval("k", |s, v| s.format_value(v)),
        Ok("10".into())
    );
}

#[test]
fn checkpoints_are_taken_while_a_condition_is_checked_often() {
    let mut session = with_condition("i < 0");
    session.submit("f{250000}");
    let count = session
        .target
        .timeline
        .entries()
        .last()
        .map_or(0, |r| r.checkpoints.len());
    assert!(count >= 2, "only {count} checkpoints in a million steps");
}

/// Runs an entry as the prompt does, which first asks whether it is complete. Returns how often a
/// text was split into tokens.
fn tokenized_texts(session: &mut Session, entry: &str) -> usize {
    let before = crate::language::TOKENIZED_TEXTS.get();
    session.target.is_incomplete(entry);
    session.submit(entry);
    crate::language::TOKENIZED_TEXTS.get() - before
}

#[test]
fn an_entry_is_parsed_once() {
    for (language, entries) in [
        (
            "gridlok",
            &[
                "1 + 1",
                "click{0,0}",
                "click{0",
                "board",
                "board[0]",
                "1 +",
                ") (",
            ][..],
        ),
        (
            "bogl",
            &[
                "1 + 1",
                "f : Int\nf = 1",
                "f(1)(2",
                "1 +",
                "1 {- open",
                ") (",
                "{-",
            ],
        ),
        (
            "gridlang",
            &["1 + 1", "int n = 3", "if (true) {", "1 +", ") ("],
        ),
        (
            "tinygame",
            &[
                "1 + 1",
                "player p { x = 0; }",
                "move p",
                "print \"a",
                "print \"a\"",
                ") (",
            ],
        ),
        (
            "sgl2d",
            &[
                "counter1",
                "counter1 == 2",
                "right",
                "set gold >",
                "riht",
                "x=1 y=1",
                "7",
            ],
        ),
    ] {
        let language = languages::by_name(language).unwrap();
        let mut session = Session::new(language, 1);
        assert!(session.load("sample", language.info().sample).ok);
        for entry in entries {
            let count = tokenized_texts(&mut session, entry);
            assert!(count <= 1, "{}: `{entry}`: {count}", language.info().name);
        }
    }
}
