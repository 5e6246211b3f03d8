//! Wrong arguments to commands: the message says what is wrong and how to write it, and nothing
//! changes.

use crate::test_session::TestSession;

const GAME: &str = r#"board { dimensions {2, 3} image {b.png} }
players {"x", "o"}
def offset {0}
piece { name {"free"} onClick {
  offset {offset + pieceCol}
  changeType {"taken"}
  endTurn {}
} }
piece { name {"taken"} }
fun double(n) {
  return n * 2
}
setup { for r, c in board { place {"free", r, c} } }
winCondition {
  def full {true}
  for p in row(0) { full {full AND p.name == "taken"} }
  win {full}
}
"#;

/// Types each line and checks that the reply contains the text. Neither the position nor the history
/// may change.
fn check_each(session: &mut TestSession, lines: &[(&str, &str)]) {
    for (typed, expected) in lines {
        let before = (
            session.0.target.time_point(),
            session.0.target.timeline.all_entries().len(),
        );
        session.expect(typed, &[expected]);
        assert_eq!(
            (
                session.0.target.time_point(),
                session.0.target.timeline.all_entries().len()
            ),
            before,
            "{typed} moved"
        );
    }
}

#[test]
fn execution_commands_need_a_stop() {
    let mut session = TestSession::load("gridlok", GAME);
    let commands = [
        ":step",
        ":s 3",
        ":next",
        ":n",
        ":next event",
        ":next turn",
        ":finish",
        ":fin",
        ":over",
        ":o",
        ":iter",
        ":until 5",
        ":continue",
        ":c",
        ":se",
        ":ss",
        ":step expr",
        ":step sub",
        ":play",
        ":where",
        ":up",
        ":down",
        ":frame 1",
        ":abandon",
    ];
    for typed in commands {
        check_each(
            &mut session,
            &[(
                typed,
                "error: nothing is stopped; set a breakpoint with `:break ",
            )],
        );
    }
    // A command without its colon is recognized, also by its short name.
    for typed in [
        "step",
        "s",
        "next event",
        "c",
        "b 5",
        "where",
        "bt",
        "goto end",
        "branches x y z",
    ] {
        check_each(
            &mut session,
            &[(typed, &format!("commands start with a colon: `:{typed}`"))],
        );
        assert_eq!(session.reply(typed).diagnostics.len(), 1, "{typed}");
    }
}

#[test]
fn wrong_arguments_at_a_stop() {
    let mut session = TestSession::load("gridlok", GAME);
    session.reply_text(":break 6");
    session.expect("click{0, 1}", &["* breakpoint 1 in free.onClick at [0][1]"]);
    check_each(
        &mut session,
        &[
            ("step 0", "the count must be at least 1, e.g. `:step 2`"),
            ("step 3 4", "expected a repeat count, found `3 4`"),
            ("step nope", "unknown name `nope`"),
            ("next foo", "expected a repeat count, found `foo`"),
            ("finish x", "expected a repeat count"),
            ("over x", "expected a repeat count"),
            ("iter", "this statement is not in a loop"),
            ("until", "`:until` needs a line number"),
            ("until 99", "no code to stop at on line 99"),
            ("continue x", "expected a repeat count"),
            ("play x", "`:play` needs the milliseconds"),
            ("se 3", "`:se` takes no argument (got `3`)"),
            ("explain", "`:explain` needs an expression or an error code"),
            ("rounds", "no loop is running here"),
            ("rounds winCondition", "1  [0][0]  \"free\""),
            ("rounds double{3}", "`double{3}` runs no loop"),
            ("rounds nope{3}", "unknown name `nope`"),
            ("frame 9", "there is no frame 9: the outermost is frame 1"),
            ("frame x", "`:frame` needs the number of a frame"),
            ("up 2", "there is no frame 2: the outermost is frame 1"),
            ("down", "this is the innermost frame"),
            (
                "print",
                "`:print` needs an expression, e.g. `print turnCount + 1`",
            ),
            ("print nope", "unknown name `nope`"),
            ("vars x", "`:vars` takes no argument"),
            (
                "whatis",
                "`:whatis` needs a name or an expression, e.g. `:whatis turn`",
            ),
            ("display nope", "unknown name `nope`"),
            ("display", "No expressions are displayed at stops"),
            ("display offset", "offset = 1"),
            ("display n", "n = <unknown name `n`>"),
            ("display off 3", "there is no display 3"),
            ("display off x", "there is no display x"),
            ("display", " 2  n = "),
            ("display off 2", "1 expression is displayed at every stop"),
            ("display off", "No expressions are displayed at stops"),
            ("list 99", "there is no line 99"),
            ("list nope", "unknown name `nope`"),
            ("cell", "`:cell` needs a cell, e.g. `:cell row,column`"),
            (
                "cell 9,9",
                "[9][9] is off the board: rows 0 to 1, columns 0 to 2",
            ),
            ("board at", "expected a time: a number"),
            (
                "board at 99999",
                "there is no time 99999: the history has times",
            ),
            ("trace maybe", "use `:trace on` or `:trace off`"),
            ("draws 3", "`:draws` takes no argument"),
            ("info breakpoints", "1  break 6"),
            ("info locals", "`:breaks` takes no argument"),
        ],
    );
    session.reply_text("up");
    check_each(
        &mut session,
        &[(
            "up",
            "there is no frame 2: you are in the outermost, frame 1",
        )],
    );
}

#[test]
fn wrong_arguments_of_time_travel() {
    let mut session = TestSession::load("gridlok", GAME);
    session.reply_text("click{0, 1}");
    session.reply_text(":break 6");
    session.reply_text("click{0, 2}");
    check_each(
        &mut session,
        &[
            ("rs x", "expected a repeat count, found `x`"),
            ("rn 0", "the count must be at least 1"),
            ("rf 2", "`:reverse-finish` takes no argument"),
            ("rc 2", "`:reverse-continue` takes no argument"),
            ("jump back 99", "there is nothing to jump back to"),
            ("jump sideways", "`:jump` needs `back` or `forward`"),
            ("jump forward", "there is nothing to jump forward to"),
            ("undo x", "expected a repeat count"),
            (
                "goto 99999",
                "there is no time 99999: the history has times",
            ),
            ("goto 0", "there is no time 0: the history has times"),
            ("goto -1", "unknown time or mark `-1`"),
            ("goto event", "`event` needs a number, e.g. `event 2`"),
            ("goto event 99", "there was no action 99"),
            ("goto turn 77", "there was no turn 77"),
            ("goto turn x", "expected a number, found `x`"),
            ("goto nowhere", "unknown time or mark `nowhere`"),
            ("when", "during click{0, 2}"),
            ("when now", "`:when` takes no argument"),
            (
                "mark 3",
                "`:mark` needs a name that does not start with a digit",
            ),
            ("mark start", "`start` is reserved for `:goto start`"),
            ("mark turn 2", "`turn 2` is reserved for `:goto turn 2`"),
            ("mark here", " as here"),
            ("diff", "expected a time: a number"),
            ("diff nowhere", "unknown time or mark `nowhere`"),
            ("diff here", "No differences"),
            ("last", "`:last` needs a variable or cell"),
            ("last nope", "unknown variable or cell `nope`"),
            ("last [9][9]", "[9][9] is off the board"),
            ("first", "`:first` needs a condition"),
            ("branches 1", "there is no branch 1"),
            ("branches drop", "`:branches drop` needs a number"),
            ("branches drop 1", "there is no branch 1"),
            ("branches x y", "use `:branches`"),
        ],
    );
}

#[test]
fn wrong_arguments_of_breakpoints_and_why() {
    let mut session = TestSession::load("gridlok", GAME);
    check_each(
        &mut session,
        &[
            (":break 99", "no code to stop at on line 99"),
            (":break winCondtion", "did you mean `winCondition`?"),
            (":break 5 if", "`if` needs a condition"),
            (":break 5 if offset ==", "invalid condition"),
            (":break 5 hits", "invalid `hits`: use `hits 3`"),
            (":break 5 hits %0", "invalid `hits %0`: use `hits 3`"),
            (":break 5 do", "`do` needs a command"),
            (":break 5 do nonsense", "unknown command `:nonsense`"),
            (
                ":break on",
                "`:break on` needs an event; events are click, place",
            ),
            (
                ":break on nope",
                "unknown event `nope`; events are click, place",
            ),
            (":break on click 9,9", "[9][9] is off the board"),
            (":watch", "`:watch` needs a variable, a cell"),
            (":watch row", "`row` needs a number, e.g. `row 1`"),
            (
                ":watch row 9",
                "row 9 is off the board: the rows are 0 to 1",
            ),
            (
                ":watch col 9",
                "column 9 is off the board: the columns are 0 to 2",
            ),
            (":watch [0][0].nope", "use `name`, `visible` or `owner`"),
            (":log", "`:log` needs a location and a message in quotes"),
            (":log onClick \"x", "the message has no closing quote"),
            (
                ":log onClick \"x\" foo",
                "expected `if` after the message, found `foo`",
            ),
            (":breaks", "No breakpoints"),
            (":delete 3", "there is no breakpoint 3"),
            (
                ":ignore 1",
                "`:ignore` needs a breakpoint number and a count",
            ),
            (":skip nope", "unknown name `nope`"),
            (
                ":why not",
                "`:why not` needs something that did not happen, e.g. `:why not win`",
            ),
            (
                ":why not click",
                "`:why not click` needs a cell, e.g. `:why not click row,column`",
            ),
            (":why not click 9,9", "[9][9] is off the board"),
            (":why [9][9]", "[9][9] is off the board"),
        ],
    );
    let reply = session.reply_text(":why 1 + 1");
    assert_eq!(reply.matches("1 + 1 is 2").count(), 1, "{reply}");
}

#[test]
fn list_marks_only_the_next_line() {
    let mut session = TestSession::load("gridlok", GAME);
    session.expect(":list 6", &["      6    changeType"]);
    assert!(
        !session.reply_text(":list 6").contains("=>"),
        "nothing runs"
    );
    session.reply_text(":break 6");
    session.reply_text("click{0, 1}");
    session.expect(
        "list 10",
        &["=>   6    changeType", "      10  fun double(n) {"],
    );
    assert!(!session.reply_text("list 15").contains("=>"));
}

#[test]
fn going_back_before_the_start_changes_nothing() {
    let mut session = TestSession::load("gridlok", GAME);
    session.reply_text(":break 6");
    session.reply_text("click{0, 1}");
    session.expect("rf", &["* stepped back in entry", "click{0, 1}"]);
    check_each(
        &mut session,
        &[("rf", "this entry was typed, so it has no caller")],
    );
    assert!(session.0.target.is_stopped());
    // Without a program, there is no history before the first entry.
    let mut empty = TestSession(gridbug::session::Session::new(
        gridbug::languages::ALL[0],
        1,
    ));
    empty.reply_text("fun f(n) { return n }");
    empty.reply_text(":break f");
    empty.reply_text("f{3}");
    empty.reply_text("rf");
    empty.reply_text("rs");
    let before = empty.0.target.time_point();
    empty.reply_text("rs");
    assert_eq!(empty.0.target.time_point(), before);
}

#[test]
fn undo_and_redo_at_a_stop_show_the_stop() {
    let mut session = TestSession::load("gridlok", GAME);
    session.reply_text(":break 6");
    session.reply_text("click{0, 1}");
    session.reply_text("offset {7}");
    session.reply_text("offset {8}");
    session.expect(
        "undo 2",
        &["undone: offset {8}", "undone: offset {7}", "=>   6"],
    );
    session.expect("when", &["during click{0, 1}"]);
    session.expect("redo", &["redone: offset {7}", "=>   6"]);
    session.expect("undo", &["undone: offset {7}", "=>   6"]);
    session.expect("next", &["=>   7"]);
    let (_, last) = session.0.target.timeline.time_range();
    assert_eq!(
        session.0.target.machine.time(),
        last,
        "at the end of the history"
    );
    session.expect("continue", &["click{0, 1} finished"]);
    session.expect("offset", &["= 1"]);
}

#[test]
fn why_turn_points_at_the_players() {
    let mut session = TestSession::load("gridlok", GAME);
    session.expect(
        ":why turn",
        &[
            "turn: \"\" => \"x\"",
            "line 2 of game",
            "players {\"x\", \"o\"}",
        ],
    );
    let why = session.reply_text(":why [0][0]");
    assert!(
        why.contains("by setup   line 13") && !why.contains("dimensions"),
        "{why}"
    );
}

#[test]
fn a_long_path_is_shortened_in_the_call_stack() {
    let mut session = TestSession::load("gridlok", GAME);
    let path = "a/rather/long/path/to/the/game.gl";
    assert!(session.0.load(path, GAME).ok);
    session.reply_text(":break 6");
    session.reply_text("click{0, 1}");
    session.expect("where", &["/to/the/game.gl:6"]);
}

#[test]
fn file_commands_need_a_file() {
    let mut session = TestSession::load("gridlok", GAME);
    check_each(
        &mut session,
        &[
            (":load", "`:load` needs a file, e.g. `:load"),
            (":test", "`:test` needs a session file, e.g. `:test"),
            (":save", "`:save` needs a file, e.g. `:save"),
            (":test nosuch.session", "file not found: nosuch.session"),
        ],
    );
}
