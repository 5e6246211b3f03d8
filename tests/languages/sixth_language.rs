//! The seam between languages and the rest: a sixth language gets the prompt, the debugger, time
//! travel, `why` and JSON from implementing the `Language` trait, without a line elsewhere.

mod tally;

use crate::test_session::{TestSession, native_host};
use gridbug::language::Language;
use gridbug::session::Session;
use tally::Tally;

const GAME: &str = "grid 2 3\nright adds 1\ndown adds 10\n";

fn load() -> TestSession {
    let mut session = Session::with_host(&Tally, 1, native_host());
    let reply = session.load("game.tally", GAME);
    assert!(reply.ok, "{:?}", reply.diagnostics);
    TestSession(session)
}

#[test]
fn its_game_is_played_and_won() {
    let mut session = load();
    session.expect("right", &["0 (·)(c) ·", "c is counter"]);
    session.expect("total", &["= 1"]);
    session.expect("right down", &[]);
    session.expect(
        ":state",
        &["language  Tally", "status    won", "2 rows, 3 columns"],
    );
    session.expect("total", &["= 12"]);
}

#[test]
fn undo_and_redo_know_its_actions() {
    let mut session = load();
    session.expect("right", &[]);
    session.expect("down", &[]);
    session.expect(":undo", &[]);
    session.expect("total", &["= 1"]);
    session.expect(":redo", &[]);
    session.expect("total", &["= 11"]);
}

#[test]
fn its_functions_can_be_stopped_stepped_and_reversed() {
    let mut session = load();
    session.expect(":break right", &["break right", "game.tally:2"]);
    session.expect("right", &["breakpoint 1", "=>", "right adds 1"]);
    session.expect("where", &["right", "entry"]);
    session.expect("finish", &["total 0 => 1"]);
    session.expect("back", &["right adds 1"]);
    session.expect("abandon", &["cancelled"]);
    session.expect("total", &["= 0"]);
}

#[test]
fn watchpoints_and_why_name_the_line_that_wrote() {
    let mut session = load();
    session.expect(":watch total", &["watch total"]);
    session.expect("down", &["total", "0 => 10"]);
    session.expect("continue", &[]);
    session.expect(":why total", &["0 => 10", "by down", "line 3"]);
}

#[test]
fn a_definition_is_replaced_while_the_game_goes_on() {
    let mut session = load();
    session.expect("right", &[]);
    session.expect("right adds 5", &["defined right"]);
    session.expect("right", &[]);
    session.expect("total", &["= 6"]);
}

#[test]
fn errors_say_where_and_what_and_change_nothing() {
    let mut session = load();
    session.expect(
        "rihgt",
        &["TL003", "unknown name `rihgt`; did you mean `right`?"],
    );
    session.expect(
        "right adds many",
        &["TL001", "expected a number, found `many`"],
    );
    session.expect("right right right", &["this move leaves the grid"]);
    session.expect("total", &["= 0"]);
    assert!(Tally.is_incomplete("grid 2", &Tally.empty_program()));
}
