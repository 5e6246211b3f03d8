//! `:trace on` shows calls and game events in order, correctly indented and never twice.

use crate::test_session::TestSession;
use gridbug::render::AnswerText;

/// The trace of an entry: the lines before the board and the stop.
fn trace_of(session: &mut TestSession, typed: &str) -> Vec<String> {
    let reply = session.reply(typed);
    let lines = reply
        .text_lines()
        .into_iter()
        .map(|l| l.text())
        .take_while(|l| !l.starts_with("* "));
    lines.collect()
}

const GARDEN: &str = r#"board { dimensions {2, 2} image {b.png} }
players {"ann", "bob"}
def seed {0}
piece { name {"bud"} onClick { seed {rand {1, 7}} grow{} click {0, 1} click {1, 1} click {pieceRow, pieceCol} endTurn{} } }
piece { name {"rose"} onClick { visible {false} } }
piece { name {"thorn"} }
fun grow() { changeType {"rose"} print {"it grows"} place {"thorn", 1, 0} place {"bud", 1, 0} removePiece {1, 0} removePiece {1, 0} }
setup { place {"bud", 0, 0} place {"thorn", 1, 1} }
winCondition { win {turnCount == 1} }
"#;

#[test]
fn events_are_traced_in_order() {
    let mut session = TestSession::load("gridlok", GARDEN);
    session.reply_text(":trace on");
    session.reply_text(":rand next 4");
    let lines = trace_of(&mut session, "click{0,0}");
    let expected = [
        "  entry",
        "    bud.onClick at [0][0]",
        "      rand 1 to 6: 4, scripted",
        "      grow",
        "        changeType [0][0]: bud => rose",
        "        print \"it grows\"",
        "        place thorn at [1][0]",
        "        place bud at [1][0], replacing thorn",
        "        remove bud at [1][0]",
        "        remove at [1][0]: no piece",
        "      click [0][1]: no piece",
        "      click [1][1]: thorn has no onClick",
        "      click [0][0] skipped: rose already handled one in this action",
        "    endTurn",
        "    winCondition",
    ];
    assert_eq!(lines, expected);
    let lines = trace_of(&mut session, "click{0,0}");
    let expected = [
        "  entry",
        "    rose.onClick at [0][0]",
        "      visible [0][0]: true => false",
    ];
    assert_eq!(lines[..3], expected);
}

#[test]
fn the_end_of_a_game_is_traced_with_its_winner() {
    let mut session = TestSession::load("gridlok", GARDEN);
    session.reply_text(":trace on");
    trace_of(&mut session, "endTurn{}");
    let lines = trace_of(&mut session, "endTurn{}");
    assert_eq!(
        lines,
        ["  entry", "    endTurn", "    winCondition", "    win bob"]
    );
}

#[test]
fn stopping_repeats_no_trace_line() {
    let mut session = TestSession::load("gridlok", GARDEN);
    let full_trace = {
        session.reply_text(":trace on");
        let full_trace = trace_of(&mut session, "click{0,0}");
        session.reply_text(":undo");
        full_trace
    };
    for stops in [
        ":break on place",
        ":break on changeType",
        ":break on rand",
        ":watch board",
        ":watch seed",
        ":break grow",
    ] {
        session.reply_text(stops);
        let mut parts = trace_of(&mut session, "click{0,0}");
        while session.0.target.is_stopped() {
            let more = trace_of(&mut session, "continue");
            parts.extend(more.into_iter().filter(|l| l.starts_with("  ")));
        }
        session.reply_text(":delete");
        session.reply_text(":undo");
        assert_eq!(parts, full_trace, "{stops}");
        session.reply_text(":break 4");
        let mut parts = trace_of(&mut session, "click{0,0}");
        while session.0.target.is_stopped() {
            let more = trace_of(&mut session, "step");
            parts.extend(more.into_iter().filter(|l| l.starts_with("  ")));
        }
        session.reply_text(":delete");
        session.reply_text(":undo");
        assert_eq!(parts, full_trace, "step");
    }
}

#[test]
fn replaying_traces_again() {
    let mut session = TestSession::load("gridlok", GARDEN);
    session.reply_text(":trace on");
    session.reply_text(":break on place");
    session.reply_text("click{0,0}");
    session.reply_text("reverse-step");
    session.reply_text("reverse-step");
    let lines = trace_of(&mut session, "continue");
    assert_eq!(
        lines.iter().filter(|l| l.contains("place thorn")).count(),
        1,
        "{lines:?}"
    );
}

#[test]
fn every_language_traces_its_events() {
    let bogl = "game G\ntype Player = {X, O}\ntype Board = Array (2,2) of Player & {Empty}\nstart : Board\nstart!(x,y) = Empty\nput : Player -> Board\nput(p) = place(p, start, (2,1))\n";
    let gridlang = "Player { int n }\nLayout(2, 2)\n{\n    Player tom\n}\nfunction roll(): int {\n    print(\"rolling\")\n    return diceThrow()\n}\n";
    let sgl2d = "environment > x=3 y=1\nplayer > x=0 y=0\nsprite ground >\nsprite cloud >\nevent cloud > gameover transformtosprite=ground\nset ground > x=2 y=0\nset cloud > x=1 y=0\n";
    let tinygame = "player hero { x = 0; y = 0; }\n";
    let cases: [(&str, &str, &str, &[&str]); 5] = [
        (
            "bogl",
            bogl,
            "put(X)",
            &["    put X", "      place X at (2,1), replacing Empty"],
        ),
        (
            "gridlang",
            gridlang,
            "roll()",
            &["    roll", "      print \"rolling\"", "      rand 1 to 6: "],
        ),
        (
            "gridlang",
            gridlang,
            "random(0.5, 0.5)",
            &["    rand 0.5 to 0.5: 0.5"],
        ),
        (
            "sgl2d",
            sgl2d,
            "right",
            &[
                "    event cloud",
                "      place ground at x=1 y=0, replacing cloud",
                "lose",
            ],
        ),
        (
            "tinygame",
            tinygame,
            "move hero up 2;",
            &["    print \"hero moved up by 2 to position (0,2)\""],
        ),
    ];
    for (language, program, typed, expected) in cases {
        let mut session = TestSession::load(language, program);
        session.reply_text(":trace on");
        let lines = trace_of(&mut session, typed).join("\n");
        for words in expected {
            assert!(
                lines.contains(words),
                "{language}: no {words:?} in\n{lines}"
            );
        }
    }
}

#[test]
fn a_long_trace_is_truncated_once() {
    let mut session = TestSession::load(
        "gridlok",
        "board { dimensions {1, 1} image {b.png} }\ndef n {0}\nfun f(k) {\n  n {k}\n}",
    );
    session.reply_text(":trace on");
    session.reply_text(":log 4 \"at {k}\" if k == 300");
    let lines = trace_of(&mut session, "for i(0, 700) { f{i} }");
    let calls = lines
        .iter()
        .filter(|l| l.trim_start().starts_with("f "))
        .count();
    assert_eq!(
        (calls, lines.last().map(String::as_str)),
        (499, Some("  … 201 more")),
        "entry is the 500th"
    );
}

#[test]
fn decimal_draws_are_formatted_alike_everywhere() {
    let mut session = TestSession::load(
        "gridlang",
        "Player { int n }\nLayout(2, 2)\n{\n    Player tom\n}\n",
    );
    session.expect(":rand next 0.25", &["The next draws will be 0.25"]);
    session.expect(":break on rand", &["break on rand"]);
    session.expect("random(0.0, 1.0)", &["breakpoint 1, on rand"]);
    session.expect("continue", &["= 0.25"]);
    session.expect(":draws", &["0.25  from 0 to 1", "scripted"]);
    session.expect(
        ":rand next 1.x",
        &["`:rand next` needs the numbers to draw"],
    );
}
