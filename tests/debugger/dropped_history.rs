//! With little memory for the history, old entries are dropped. What was before is then not known,
//! and no command pretends to know it.

use crate::protocol::valid_json;
use crate::test_session::TestSession;
use gridbug::command::handle_line;
use gridbug::render::AnswerText;

const COUNTER: &str = "board { dimensions {2, 2} image {b.png} }
players {\"x\", \"o\"}
def n {0}
def m {0}
piece { name {\"a\"} onClick { n {n + 1} print {\"click\"} endTurn {} } }
setup { for r, c in board { place {\"a\", r, c} } }";

/// A session whose first entries were dropped, and the earliest time that is known.
fn long_session() -> (TestSession, u64) {
    let mut session = TestSession::load("gridlok", COUNTER);
    session.0.target.machine.limits.max_history_bytes = 40_000;
    session.reply("m {1}");
    session.reply(":mark early");
    for n in 0..200 {
        session.reply(&format!("click{{0,{}}}", n % 2));
    }
    session.reply(":mark late");
    let dropped = session.0.target.timeline.dropped_history();
    let known_since = dropped.expect("a history that was cut").known_since;
    (session, known_since)
}

#[test]
fn a_lost_time_is_refused() {
    let (mut session, since) = long_session();
    let now = session.0.target.machine.time();
    let reason = format!("the history before time {since} was dropped to save memory");
    for (line, lost) in [
        (":goto early", "mark `early` is lost: "),
        (":diff early", "mark `early` is lost: "),
        (":board at early", "mark `early` is lost: "),
        (":goto start", "the start of the game is lost: "),
        (":goto event 2", "action 2 is lost: "),
        (":goto turn 1", "turn 1 is lost: "),
    ] {
        let answer = session.reply(line);
        assert!(!answer.ok, "{line}: {}", answer.text());
        assert!(
            answer.text().contains(&format!("{lost}{reason}")),
            "{line}: {}",
            answer.text()
        );
        assert_eq!(session.0.target.machine.time(), now, "{line}");
    }
    session.expect(":goto late", &["after click{0,1}"]);
}

#[test]
fn a_lost_mark_is_listed_as_lost() {
    let (mut session, _) = long_session();
    session.expect(":marks", &["early", "lost: its history was dropped"]);
    let answer = handle_line(&mut session.0, ":marks");
    let json = valid_json(&session.0, &answer);
    let marks = &json["parts"][0]["marks"];
    assert_eq!(
        (&marks[0]["name"], &marks[0]["is_lost"]),
        (&"early".into(), &true.into())
    );
    assert_eq!(
        (&marks[1]["name"], &marks[1]["is_lost"]),
        (&"late".into(), &false.into())
    );
}

#[test]
fn what_did_not_happen_since_then_may_have_happened_before() {
    let (mut session, since) = long_session();
    let limit = format!("since time {since}");
    session.expect(":first n == 1", &["was not true at a stop", &limit]);
    session.expect(":first n > 1", &["was already true at time", "was dropped"]);
    session.expect(":last m", &["m has not changed", &limit, "was dropped"]);
    session.expect(":why m", &["m has not changed", &limit, "was dropped"]);
    session.expect(":why [0][0]", &["[0][0] has not changed", &limit]);
    session.expect(":why not win", &["older history was dropped"]);
    // What is known is still answered.
    session.expect(":why n", &["n: 199 => 200"]);
    session.expect(":first n == 199", &["older history was dropped"]);
}

#[test]
fn the_end_of_the_game_can_be_lost() {
    let program = "int n
Layout(1, 1) { Player ann; ann.position = (0,0) }
gameLoop() { n++ }
checkGameEnd() { return n > 0 }
";
    let mut session = TestSession::load("gridlang", program);
    session.0.target.machine.limits.max_history_bytes = 40_000;
    session.expect(":turn", &["over"]);
    assert!(session.reply(":why win").ok);
    for n in 0..400 {
        session.reply(&format!("n = {n}"));
    }
    assert!(session.0.target.timeline.dropped_history().is_some());
    session.expect(
        ":why win",
        &["the end of the game is lost: the history before"],
    );
}

#[test]
fn going_back_ends_where_the_known_history_starts() {
    let (mut session, since) = long_session();
    session.expect(
        ":rc",
        &["No breakpoint was hit: this is the start of the history"],
    );
    assert_eq!(session.0.target.machine.time(), since);
    session.expect(":rs", &["This is the start of the history", "was dropped"]);
    session.reply(":goto end");
    session.reply(":undo 1000");
    session.expect(":undo", &["nothing to undo: the history before time"]);
}

#[test]
fn a_complete_history_is_not_qualified() {
    let mut session = TestSession::load("gridlok", COUNTER);
    session.expect("click{0,0}", &["click"]);
    session.expect(":last m", &["this changes m: nothing => 0"]);
    session.expect(":first n == 7", &["n == 7 was never true at a stop"]);
    assert_eq!(session.0.target.timeline.dropped_history(), None);
}
