//! Promise: a command that is typed wrong says what is wrong with it and how it is meant, and changes nothing.

use crate::talk::Talk;

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

/// Types each line and finds the words in its answer; nothing moves.
fn says_each(talk: &mut Talk, lines: &[(&str, &str)]) {
    for (typed, wanted) in lines {
        let before = (talk.0.time_point(), talk.0.timeline.all_entries().len());
        talk.hears(typed, &[wanted]);
        assert_eq!(
            (talk.0.time_point(), talk.0.timeline.all_entries().len()),
            before,
            "{typed} moved"
        );
    }
}

const NOTHING: &str = "error: nothing is stopped";

#[test]
fn where_nothing_is_stopped() {
    let mut talk = Talk::of("gridlok", GAME);
    let moves = [
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
    ];
    let more = [
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
    ];
    let last = [":up", ":down", ":frame 1", ":abandon"];
    for typed in moves.iter().chain(&more).chain(&last) {
        says_each(&mut talk, &[(typed, NOTHING)]);
    }
    // Without its colon a command is told from a mistake in the language, short names as well as long ones.
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
        says_each(
            &mut talk,
            &[(typed, &format!("a command starts with a colon: `:{typed}`"))],
        );
        assert_eq!(talk.reply(typed).diagnostics.len(), 1, "{typed}");
    }
}

#[test]
fn moves_and_looks_at_a_stop() {
    let mut talk = Talk::of("gridlok", GAME);
    talk.says(":break 6");
    talk.hears("click{0, 1}", &["* breakpoint 1, free.onClick at [0][1]"]);
    says_each(
        &mut talk,
        &[
            ("step 0", "expected a number of times, not `0`"),
            ("step 3 4", "expected a number of times, not `3 4`"),
            ("step nope", "unknown name `nope`"),
            ("next foo", "expected a number of times, not `foo`"),
            ("finish x", "expected a number of times"),
            ("over x", "expected a number of times"),
            ("iter", "this statement is in no loop"),
            ("until", "say the number of a line"),
            ("until 99", "nothing can be stopped at on line 99"),
            ("continue x", "expected a number of times"),
            ("play x", "say how many milliseconds"),
            ("se 3", "`:se` stands alone: `3` is too much"),
            ("explain", "say what: `:explain"),
            ("rounds", "no loop is at hand"),
            ("rounds winCondition", "1  [0][0]  \"free\""),
            ("rounds double{3}", "no loop is gone through there"),
            ("rounds nope{3}", "unknown name `nope`"),
            ("frame 9", "there is no frame 9: the outermost is 1"),
            ("frame x", "say the number of a frame"),
            ("up 2", "there is no frame 2: the outermost is 1"),
            ("down", "this is the innermost frame"),
            ("print", "say what: `print turnCount + 1`"),
            ("print nope", "unknown name `nope`"),
            ("vars x", "`:vars` stands alone"),
            ("whatis", "say what: `:whatis turn`"),
            ("display nope", "unknown name `nope`"),
            ("display", "nothing is shown at every stop"),
            ("display offset", "offset = 1"),
            ("display n", "n = <unknown name `n`>"),
            ("display off 3", "nothing is displayed under number 3"),
            ("display off x", "nothing is displayed under number x"),
            ("display", " 2  n = "),
            ("display off 2", "1 expression is shown at every stop"),
            ("display off", "nothing is shown at every stop any more"),
            ("list 99", "there is no line 99"),
            ("list nope", "nothing is called `nope`"),
            ("cell", "say which: `:cell row,column`"),
            (
                "cell 9,9",
                "[9][9] is off the board: rows 0 to 1, columns 0 to 2",
            ),
            ("board at", "say a time"),
            ("board at 99999", "there is no time 99999: times go from"),
            ("trace maybe", "say `:trace on` or `:trace off`"),
            ("draws 3", "`:draws` stands alone"),
            ("info breakpoints", "1  break 6"),
            ("info locals", "`:breaks` stands alone"),
        ],
    );
    talk.says("up");
    says_each(
        &mut talk,
        &[("up", "there is no frame 2: this is the outermost, frame 1")],
    );
}

#[test]
fn going_through_time() {
    let mut talk = Talk::of("gridlok", GAME);
    talk.says("click{0, 1}");
    talk.says(":break 6");
    talk.says("click{0, 2}");
    says_each(
        &mut talk,
        &[
            ("rs x", "expected a number of times, not `x`"),
            ("rn 0", "expected a number of times, not `0`"),
            ("rf 2", "`:reverse-finish` stands alone"),
            ("rc 2", "`:reverse-continue` stands alone"),
            ("back 99", "there is no move to go back to"),
            ("forward", "there is no move to go forward to"),
            ("undo x", "expected a number of times"),
            ("goto", "say a time"),
            ("goto 99999", "there is no time 99999: times go from"),
            ("goto 0", "there is no time 0: times go from"),
            ("goto -1", "`-1` is no time and no mark"),
            ("goto event", "say which: `event 2`"),
            ("goto event 99", "there was no action 99"),
            ("goto turn 77", "there was no turn 77"),
            ("goto turn x", "`x` is not a number"),
            ("goto nowhere", "`nowhere` is no time and no mark"),
            ("when", "in the midst of click{0, 2}"),
            ("when now", "`:when` stands alone"),
            ("mark", "a mark needs a name that is no number"),
            ("mark 3", "a mark needs a name that is no number"),
            ("mark start", "`:goto start` goes elsewhere already"),
            ("mark turn 2", "`:goto turn 2` goes elsewhere already"),
            ("mark here", "is now called here"),
            ("diff", "say a time"),
            ("diff nowhere", "`nowhere` is no time and no mark"),
            ("diff here", "nothing differs"),
            ("last", "say of what"),
            ("last nope", "`nope` is no variable and no cell"),
            ("last [9][9]", "[9][9] is off the board"),
            ("first", "say what should be true"),
            ("branches 1", "there is no branch 1"),
            ("branches drop", "say which: `:branches drop 1`"),
            ("branches drop 1", "there is no branch 1"),
            ("branches x y", "say `:branches`"),
        ],
    );
}

#[test]
fn saying_where_to_stop_and_asking_why() {
    let mut talk = Talk::of("gridlok", GAME);
    says_each(
        &mut talk,
        &[
            (":break 99", "nothing can be stopped at on line 99"),
            (":break winCondtion", "did you mean `winCondition`?"),
            (":break 5 if", "`if` needs what should be true"),
            (":break 5 if offset ==", "the condition can't be read"),
            (":break 5 hits", "`hits`: say `hits 3`"),
            (":break 5 hits %0", "`hits %0`: say `hits 3`"),
            (":break 5 do", "`do` needs a command"),
            (":break 5 do nonsense", "there is no command `:nonsense`"),
            (":break on", "say on what; events are click, place"),
            (
                ":break on nope",
                "`nope` is no event; events are click, place",
            ),
            (":break on click 9,9", "[9][9] is off the board"),
            (":watch", "say what: a variable, a cell"),
            (":watch row", "say which: `row 1`"),
            (":watch row 9", "there is no row 9: they count from 0 to 1"),
            (":watch [0][0].nope", "there are name, visible, owner"),
            (":log", "say where and what"),
            (":log onClick \"x", "the text must end with a quote"),
            (
                ":log onClick \"x\" foo",
                "behind the text comes `if`, not `foo`",
            ),
            (":breaks", "no breakpoints"),
            (":delete 3", "there is no breakpoint 3"),
            (":ignore 1", "say which, and how often"),
            (":skip nope", "nothing is called `nope`"),
            (":why", "say what: `:why win`"),
            (":why not", "say what is not so: `:why not win`"),
            (
                ":why not click",
                "say which cell was clicked: `:why not click row,column`",
            ),
            (":why not click 9,9", "[9][9] is off the board"),
            (":why [9][9]", "[9][9] is off the board"),
        ],
    );
    let twice = talk.says(":why 1 + 1");
    assert_eq!(twice.matches("1 + 1 is 2").count(), 1, "{twice}");
}

#[test]
fn only_the_line_that_runs_next_is_marked() {
    let mut talk = Talk::of("gridlok", GAME);
    talk.hears(":list 6", &["      6    changeType"]);
    assert!(!talk.says(":list 6").contains("=>"), "nothing runs");
    talk.says(":break 6");
    talk.says("click{0, 1}");
    talk.hears(
        "list 10",
        &["=>   6    changeType", "      10  fun double(n) {"],
    );
    assert!(!talk.says("list 15").contains("=>"));
}

#[test]
fn the_way_back_from_the_first_stop_leads_nowhere_and_stays() {
    let mut talk = Talk::of("gridlok", GAME);
    talk.says(":break 6");
    talk.says("click{0, 1}");
    talk.hears("rf", &["* entry", "click{0, 1}"]);
    says_each(&mut talk, &[("rf", "nothing called this: it was typed")]);
    assert!(talk.0.is_stopped());
    // In a session in which nothing was loaded nothing lies before the first entry.
    let mut bare = Talk(gridbug::session::Session::new(
        gridbug::languages::ALL[0],
        1,
    ));
    bare.says("fun f(n) { return n }");
    bare.says(":break f");
    bare.says("f{3}");
    bare.says("rf");
    bare.says("rs");
    let before = bare.0.time_point();
    bare.says("rs");
    assert_eq!(bare.0.time_point(), before);
}

#[test]
fn what_is_undone_at_a_stop_shows_the_stop() {
    let mut talk = Talk::of("gridlok", GAME);
    talk.says(":break 6");
    talk.says("click{0, 1}");
    talk.says("offset {7}");
    talk.says("offset {8}");
    talk.hears(
        "undo 2",
        &["undone: offset {8}", "undone: offset {7}", "=>   6"],
    );
    talk.hears("when", &["in the midst of click{0, 1}"]);
    talk.hears("redo", &["redone: offset {7}", "=>   6"]);
    talk.hears("undo", &["undone: offset {7}", "=>   6"]);
    talk.hears("next", &["=>   7"]);
    let (_, last) = talk.0.timeline.time_range();
    assert_eq!(talk.0.machine.time(), last, "nothing lies ahead");
    talk.hears("continue", &["click{0, 1} is done"]);
    talk.hears("offset", &["= 1"]);
}

#[test]
fn whose_turn_it_is_comes_of_the_players() {
    let mut talk = Talk::of("gridlok", GAME);
    talk.hears(
        ":why turn",
        &[
            "turn: \"\" => \"x\"",
            "line 2 of game",
            "players {\"x\", \"o\"}",
        ],
    );
    let why = talk.says(":why [0][0]");
    assert!(
        why.contains("by setup   line 13") && !why.contains("dimensions"),
        "{why}"
    );
}

#[test]
fn a_long_way_to_a_file_leaves_room_for_the_line() {
    let mut talk = Talk::of("gridlok", GAME);
    let path = "a/rather/long/way/to/the/game.gl";
    assert!(talk.0.load(path, GAME).ok);
    talk.says(":break 6");
    talk.says("click{0, 1}");
    talk.hears("where", &["/to/the/game.gl:6"]);
}

#[test]
fn commands_about_files_ask_which() {
    let mut talk = Talk::of("gridlok", GAME);
    says_each(
        &mut talk,
        &[
            (":load", "say which file: `:load"),
            (":test", "say which file: `:test"),
            (":save", "say where: `:save"),
            (":test nosuch.session", "there is no file nosuch.session"),
        ],
    );
}
