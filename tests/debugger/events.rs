//! Every game event and every kind of watchpoint stops at the right line, and a click without
//! effect can be explained.

use crate::test_session::TestSession;
use gridbug::analysis::inspect;
use gridbug::command::execute;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::Session;

const GAME: &str = r#"board { dimensions {2, 3} image {b.png} }
players {"x", "o"}
def n {0}
def spare {1}
piece { name {"seed"} onClick {
  n {n + rand {1, 2}}
  print {"sown"}
  display {"a seed"}
  changeType {"tree"}
  place {"rock", 1, 2}
  removePiece {1, 2}
  endTurn {}
} }
piece { name {"tree"} onClick {
  if turn == "nobody" {
    n {n + 100}
  }
} }
piece { name {"rock"} }
piece { name {"echo"} onClick { click {pieceRow, pieceCol} click {1, 0} } }
setup {
  for c(0, cols) { place {"seed", 0, c} }
  place {"rock", 1, 0}
  place {"echo", 1, 1}
}
winCondition { win {n == 3} }
loseCondition { lose {n == 13} }
drawCondition { draw {n == 23} }
"#;

/// Where an entry stops: the reason and the line.
fn stop(session: &mut TestSession, typed: &str) -> Option<(&'static str, u32)> {
    session
        .reply(typed)
        .stop
        .map(|s| (s.reason.name(), s.range.line))
}

#[test]
fn each_event_stops_where_it_happens() {
    for (event, line) in [
        ("click [0][1]", 1),
        ("click 0,1", 1),
        ("rand", 6),
        ("print", 7),
        ("display", 8),
        ("changeType", 9),
        ("changeType 0,1", 9),
        ("place", 10),
        ("place 1,2", 10),
        ("remove", 11),
        ("remove 1,2", 11),
        ("endTurn", 1),
    ] {
        let mut session = TestSession::load("gridlok", GAME);
        session.reply_text(&format!(":break on {event}"));
        assert_eq!(
            stop(&mut session, "click {0, 1}"),
            Some(("event", line)),
            "{event}"
        );
        session.expect("where", &["entry"]);
        assert_eq!(
            inspect::describe_breakpoints(&session.0.target)[0].hits,
            1,
            "{event}"
        );
    }
    for elsewhere in [
        "click 0,0",
        "changeType 0,2",
        "place 0,0",
        "remove 1,1",
        "win",
        "lose",
        "draw",
        "error",
    ] {
        let mut session = TestSession::load("gridlok", GAME);
        session.reply_text(&format!(":break on {elsewhere}"));
        assert_eq!(stop(&mut session, "click {0, 1}"), None, "{elsewhere}");
    }
}

#[test]
fn win_lose_and_draw_are_separate_events() {
    for (event, n) in [("win", 3), ("lose", 13), ("draw", 23)] {
        for break_on in ["win", "lose", "draw"] {
            let mut session = TestSession::load("gridlok", GAME);
            session.reply_text(&format!("n {{{n}}}"));
            session.reply_text(&format!(":break on {break_on}"));
            let stopped = stop(&mut session, "endTurn {}").map(|(reason, _)| reason);
            assert_eq!(
                stopped,
                (break_on == event).then_some("event"),
                "break on {break_on} when n is {n}"
            );
        }
    }
    let mut session = TestSession::load("gridlok", GAME);
    session.reply_text(":break on error");
    assert_eq!(stop(&mut session, "n {1 / n}"), Some(("error", 1)));
}

#[test]
fn each_watchpoint_stops_at_its_kind_of_access() {
    let stops = |watch: &str, entry: &str| {
        let mut session = TestSession::load("gridlok", GAME);
        session.reply_text(watch);
        let reply = session.reply(entry);
        reply.stop.as_ref().map(|_| {
            reply
                .text_lines()
                .first()
                .map_or_else(String::new, |l| l.text())
        })
    };
    for (watch, entry, expected) in [
        (":watch n", "n {5}", "watchpoint 1, n: 0 => 5"),
        (":rwatch n", "print {n}", "watchpoint 1, n is read: 0"),
        (":awatch n", "print {n}", "watchpoint 1, n is read: 0"),
        (":awatch n", "n {5}", "watchpoint 1, n: 0 => 5"),
        (
            ":watch [1][0]",
            "removePiece {1, 0}",
            "watchpoint 1, [1][0]: rock => empty",
        ),
        (
            ":awatch [1][0]",
            "print {board[1][0].name}",
            "watchpoint 1, [1][0] is read: rock",
        ),
        (
            ":watch [1][0].visible",
            "board[1][0].visible {false}",
            "watchpoint 1, [1][0].visible: true => false",
        ),
        (
            ":watch [1][0].name",
            "place {\"tree\", 1, 0}",
            "watchpoint 1, [1][0].name: \"rock\" => \"tree\"",
        ),
        (
            ":watch row 1",
            "removePiece {1, 0}",
            "watchpoint 1, row 1: [1][0] rock => empty",
        ),
        (
            ":watch col 0",
            "removePiece {1, 0}",
            "watchpoint 1, column 0: [1][0] rock => empty",
        ),
        (
            ":watch board",
            "removePiece {1, 0}",
            "watchpoint 1, the board: [1][0] rock => empty",
        ),
    ] {
        let output = stops(watch, entry).unwrap_or_default();
        assert!(output.contains(expected), "{watch}, {entry}: {output}");
    }
    for (watch, entry) in [
        (":watch n", "print {n}"),
        (":watch n", "n {0}"),
        (":rwatch n", "n {5}"),
        (":watch [1][0]", "removePiece {1, 1}"),
        (":watch row 0", "removePiece {1, 0}"),
        (":watch col 1", "removePiece {1, 0}"),
        (":rwatch [1][0]", "print {board[1][1].name}"),
    ] {
        assert_eq!(stops(watch, entry), None, "{watch}, {entry}");
    }
}

#[test]
fn a_click_without_effect_is_explained() {
    let mut session = TestSession::load("gridlok", GAME);
    session.expect(":why not click 1,2", &["There is no piece at [1][2]"]);
    session.expect(":why not click 1,0", &["rock", "onClick"]);
    session.reply_text("click {0, 1}");
    // The branch was not taken.
    session.expect(
        ":why not click 0,1",
        &["line 15", "turn == \"nobody\"", "false"],
    );
    // It clicks itself again in the same action.
    session.reply_text("click {1, 1}");
    session.expect(
        ":why not click 1,1",
        &[
            "echo.onClick runs, but changes",
            "its click on [1][1] is skipped: that piece has already handled",
        ],
    );
    session.reply_text(":break echo.onClick");
    session.reply_text("click {1, 1}");
    session.expect(
        ":why not click 1,1",
        &["already handled a click in this action"],
    );
    session.reply_text("abandon");
    session.reply_text("n {3}");
    session.reply_text("endTurn {}");
    session.expect(":why not click 0,0", &["The game is over (won)"]);
}

#[test]
fn ignore_counts_are_confirmed() {
    let mut session = Session::new(languages::ALL[0], 1);
    execute(&mut session, "fun f() { print{1} }");
    execute(&mut session, ":break f");
    for (count, expected) in [("1", "ignored once more"), ("3", "ignored 3 times more")] {
        execute(&mut session, &format!(":ignore 1 {count}"));
        let output: String = execute(&mut session, ":breaks")
            .text_lines()
            .iter()
            .map(|l| l.text())
            .collect();
        assert!(output.contains(expected), "{output}");
    }
}
