//! Stops at runtime errors: inspecting, cancelling the entry, and retrying after a fix. SGL2D has no
//! runtime errors.

use crate::test_session::TestSession;
use gridbug::answer::StopReason;
use gridbug::command::replay;
use gridbug::command::{handle_line, start_session};
use gridbug::host::MemoryHost;
use gridbug::render::AnswerText;
use gridbug::session::session_file::SessionFile;
use gridbug::session::{Session, stop_on_errors, to_plain_text};
use std::path::Path;
use std::rc::Rc;

const SHARES: &str = r#"game {
  board { dimensions {1, 2} image {b.png} }
  players {"x", "o"}
  def people {0}
  def total {0}
  fun share(amount) {
    def each {amount / people}
    return each
  }
  piece { name {"a"} image {a.png}
    onClick {
      total {total + 1}
      changeType {"b"}
      total {total + share {10}}
      endTurn {}
    }
  }
  piece { name {"b"} image {b.png} }
  setup { place {"a", 0, 0} place {"a", 0, 1} }
}"#;

const HARVEST: &str = "Player { int apples }

int people

Layout(1, 2)
{
    Player ann
    ann.position = (0,0)
}

gameLoop()
{
    p.apples = p.apples + 1
    p.apples = p.apples + 10 / people
}

checkGameEnd()
{
    return p.apples > 90
}
";

const HALVES: &str = "game Halves

type Board = Array (2,1) of Int

b : Board
b!(x,y) = 0

half : Int -> Int
half(n) = 10 / n

twice : Int -> Int
twice(n) = half(n) + half(n)
";

const WEIGHTS: &str = "player knight { x = 0; y = 0; gold = 0; hp = 1; }\nmove knight right 1;\n";

/// A game in which errors in the program stop it, as at a terminal.
fn at_terminal(language: &str, game: &str) -> TestSession {
    let mut session = TestSession::load(language, game);
    stop_on_errors(&mut session.0, true);
    session
}

/// Checks that the game is exactly as it was before.
#[track_caller]
fn expect_same_game(session: &mut TestSession, line: &str, before: &gridbug::machine::Checkpoint) {
    let reply = session.reply_text(line);
    assert!(session.0.target.machine.is_idle(), "{reply}");
    let now = session.0.target.machine.checkpoint();
    assert!(now.is_same_state(before), "{line}: {reply}");
}

#[test]
fn an_error_stops_where_it_happened_and_continue_cancels_the_entry() {
    let cases = [
        (
            "gridlok",
            SHARES,
            "click{0,1}",
            "share at [0][1], line 7",
            "division by zero",
        ),
        (
            "gridlang",
            HARVEST,
            ":turn",
            "gameLoop, line 14",
            "division by zero",
        ),
        (
            "bogl",
            HALVES,
            "twice(0)",
            "half, line 9",
            "division by zero",
        ),
        (
            "tinygame",
            WEIGHTS,
            "if knight.hp > 0 {\nset knight.hp = 5;\nset knight.hp = 5 / knight.gold;\n}",
            "entry 1, line 3",
            "division by zero",
        ),
    ];
    for (language, game, entry, location, error) in cases {
        for ending in ["continue", "abandon"] {
            let mut session = at_terminal(language, game);
            let before = session.0.target.machine.checkpoint();
            let reply = session.reply(entry);
            let stop = reply.stop.as_ref().expect(language);
            assert_eq!(stop.reason, StopReason::Error, "{language}");
            assert_eq!(stop.location, location, "{language}");
            let text = to_plain_text(&session.0, &reply).join("\n");
            assert!(text.starts_with("* error in "), "{language}: {text}");
            assert!(text.contains(error), "{language}: {text}");
            // Steps stay at the failed statement; `back` and `:goto end` go back and forth.
            session.expect("step", &["* error in ", error]);
            session.expect("back", &["* stepped back in "]);
            session.expect(":goto end", &["* stopped in "]);
            expect_same_game(&mut session, ending, &before);
            // Without the setting, nothing stops, and the result is the same.
            session.reply_text(":break off error");
            let reply = session.reply(entry);
            assert!(!reply.ok && reply.stop.is_none(), "{language}");
            let now = session.0.target.machine.checkpoint();
            assert!(now.is_same_game(&before), "{language}");
        }
    }
}

#[test]
fn a_changed_value_and_retry_finish_the_entry() {
    let mut session = at_terminal("gridlok", SHARES);
    session.expect(
        "click{0,1}",
        &["amount=10", "total 0 => 1", "[0][1] a => b"],
    );
    session.expect("print people", &["= 0"]);
    session.reply_text("people {2}");
    assert!(session.0.target.is_at_error());
    session.expect("retry", &["click{0,1} finished", "turn: o"]);
    // The statements before the failed one ran once.
    session.expect("total", &["= 6"]);
    session.expect(":undo", &["undone: people {2}", "* still stopped in share"]);
    session.expect("retry", &["the program is not stopped at an error"]);
    session.expect(":redo", &["redone: people {2}"]);
    session.expect("total", &["= 6"]);

    let mut session = at_terminal("gridlang", HARVEST);
    session.reply_text(":turn");
    session.reply_text("people = 5");
    session.expect("retry", &[":turn finished"]);
    session.expect("ann.apples", &["= 3"]);

    let mut session = at_terminal("tinygame", WEIGHTS);
    session.reply_text("if knight.hp > 0 { set knight.hp = 5; set knight.hp = 6 / knight.gold; }");
    session.reply_text("set knight.gold = 2;");
    session.expect("retry", &["finished"]);
    session.expect("knight.hp", &["= 3"]);
}

#[test]
fn retry_calls_the_new_code_of_a_redefined_function() {
    let mut session = at_terminal("gridlok", SHARES);
    session.reply_text("click{0,1}");
    session.expect(
        "fun share(amount) { return 7 }",
        &["replaced function share"],
    );
    session.expect("retry", &["click{0,1} finished"]);
    session.expect("total", &["= 8"]);

    // The handler itself is fixed.
    let mut session = at_terminal("gridlok", SHARES);
    session.reply_text("click{0,1}");
    session.reply_text("piece { name {\"a\"} image {a.png} onClick { total {50} endTurn {} } }");
    session.expect("retry", &["click{0,1} finished"]);
    session.expect("total", &["= 50"]);

    let mut session = at_terminal("gridlang", HARVEST);
    session.reply_text(":turn");
    session.reply_text("gameLoop() { p.apples = 40 }");
    session.expect("retry", &[":turn finished"]);
    session.expect("ann.apples", &["= 40"]);
}

#[test]
fn retry_without_a_fix_fails_at_the_same_time() {
    for (language, game, entry) in [
        ("gridlok", SHARES, "click{0,1}"),
        ("gridlang", HARVEST, ":turn"),
        ("bogl", HALVES, "twice(0)"),
    ] {
        let mut session = at_terminal(language, game);
        session.reply_text(entry);
        let failed = session.0.target.machine.checkpoint();
        session.expect("retry", &["* error in "]);
        let again = session.0.target.machine.checkpoint();
        assert!(again.is_same_state(&failed), "{language}");
        session.expect("continue", &["cancelled: "]);
        session.expect(":branches", &["No alternative histories"]);
    }
}

#[test]
fn an_entry_that_fails_at_a_stop_returns_to_that_stop() {
    let mut session = at_terminal("gridlok", SHARES);
    session.reply_text(":break onClick");
    session.reply_text("click{0,0}");
    let stopped = session.0.target.machine.checkpoint();
    session.expect("share {3}", &["* error in share"]);
    session.expect(
        "continue",
        &["cancelled: share {3}", "* still stopped in a.onClick"],
    );
    assert!(
        session
            .0
            .target
            .machine
            .checkpoint()
            .is_same_state(&stopped)
    );
    // So does one in a dry run.
    session.expect(":step share {3}", &["Dry run", "* step in share"]);
    session.expect("next", &["* error in share"]);
    session.expect("continue", &["cancelled: :step share {3}"]);
    assert!(
        session
            .0
            .target
            .machine
            .checkpoint()
            .is_same_state(&stopped)
    );
}

/// A typed statement that fails is on the screen already: there is nothing to inspect.
#[test]
fn a_single_statement_that_fails_does_not_stop() {
    for (language, game, entry) in [
        ("gridlok", SHARES, "1 / people"),
        ("gridlok", SHARES, "click{7,7}"),
        ("gridlang", HARVEST, "1 / people"),
        ("bogl", HALVES, "1 / 0"),
        ("tinygame", WEIGHTS, "set knight.gold = 1 / knight.gold;"),
    ] {
        let mut session = at_terminal(language, game);
        let reply = session.reply(entry);
        assert!(!reply.ok && reply.stop.is_none(), "{language}: {entry}");
        // With a breakpoint on errors, all of them stop.
        session.expect(":break error", &["1  break error"]);
        session.expect(entry, &["* error in "]);
        session.expect("continue", &["cancelled: "]);
    }
}

/// The breakpoint at the failed statement was hit once, however often the statement is run.
#[test]
fn retry_does_not_count_a_breakpoint_again() {
    let mut session = at_terminal("gridlok", SHARES);
    session.expect(":break share", &["1  break share"]);
    session.expect("click{0,1}", &["* breakpoint 1 in share"]);
    session.expect("continue", &["* error in share"]);
    session.expect("retry", &["* error in share"]);
    session.expect(":breaks", &["1  break share   game:7   hit once"]);
    session.reply_text("people {2}");
    session.expect("retry", &["click{0,1} finished"]);
    session.expect(":breaks", &["hit once"]);
    session.expect("click{0,0}", &["* breakpoint 1 in share"]);
    session.expect(":breaks", &["hit 2 times"]);
}

/// A session file without errors in the program, one in which an error did not stop, and one in
/// which it did.
const QUIET: &str = "language gridlok\nseed 1\n\n--- session\n\n> 1 + 1\n  = 2\n";
const FAILING: &str = "language gridlok\nseed 1\n\n--- session\n\n> def people {0}\n\
    > fun share(n) { return n / people }\n> share{12}\n";
const STOPPING: &str = "language gridlok\nseed 1\nerrors stop\n\n--- session\n\n> def people {0}\n\
    > fun share(n) { return n / people }\n> share{12}\n";

/// Whether an error in a function stops the program.
fn stops_at_an_error(session: &mut Session) -> bool {
    let is_bogl = session.target.language().info().name == "bogl";
    let lines: &[&str] = match is_bogl {
        true => &["half : Int -> Int\nhalf(n) = 10 / n", "half(0)"],
        false => &[
            "def none {0}",
            "fun half(n) { return 10 / n }",
            "half{none}",
        ],
    };
    let replies: Vec<_> = lines
        .iter()
        .map(|line| handle_line(session, line))
        .collect();
    let last = replies.last().and_then(|reply| reply.stop.as_ref());
    last.is_some_and(|stop| stop.reason == StopReason::Error)
}

#[test]
fn errors_stop_after_switching_to_another_game_too() {
    let switches: &[&[&str]] = &[
        &[":lang bogl"],
        &[":examples lights-out"],
        &[":load other.bgl"],
        &[":load other.gl"],
        &[":load quiet.session"],
        &[":load stopping.session", "continue"],
        &[":lesson quiet.session", ":lesson next", ":lesson off"],
        &[
            ":lesson failing.session",
            ":lesson 3",
            ":lesson next",
            ":lesson off",
        ],
        &[":tour"],
        &[":tour", ":lang bogl"],
    ];
    for lines in switches {
        for is_on in [true, false] {
            let host = Rc::new(MemoryHost::new());
            host.set_file("other.bgl", HALVES);
            host.set_file("other.gl", SHARES);
            host.set_file("quiet.session", QUIET);
            host.set_file("failing.session", FAILING);
            host.set_file("stopping.session", STOPPING);
            let mut session = Session::with_host(gridbug::languages::ALL[0], 1, host);
            stop_on_errors(&mut session, is_on);
            for line in *lines {
                let reply = handle_line(&mut session, line);
                assert!(reply.control.is_none(), "{line}: {}", reply.text());
            }
            // A session file in which errors stop goes on like that.
            let expected = is_on || lines[0] == ":load stopping.session";
            assert_eq!(stops_at_an_error(&mut session), expected, "{lines:?}");
        }
    }
}

/// The steps of a lesson reply as its file says.
#[test]
fn a_lesson_handles_errors_as_its_file_does() {
    for (text, stops) in [(FAILING, false), (STOPPING, true)] {
        for is_on in [true, false] {
            let host = Rc::new(MemoryHost::new());
            host.set_file("a.session", text);
            let mut session = Session::with_host(gridbug::languages::ALL[0], 1, host);
            stop_on_errors(&mut session, is_on);
            handle_line(&mut session, ":lesson a.session");
            handle_line(&mut session, ":lesson next");
            handle_line(&mut session, ":lesson next");
            let reply = handle_line(&mut session, ":lesson next").text();
            assert_eq!(reply.contains("* error in share"), stops, "{reply}");
        }
    }
}

/// A file that fails to load is not loaded, and the game before is kept; a restart stops.
#[test]
fn loading_does_not_stop_but_restarting_does() {
    let mut session = at_terminal("gridlok", SHARES);
    let broken =
        "board { dimensions {1, 1} image {b.png} } def none {0} setup { print {1 / none} }";
    let reply = session.0.load("broken.gl", broken);
    assert!(!reply.ok && reply.stop.is_none());
    session.reply_text("setup { print {1 / people} }");
    session.expect(":restart", &["* error in setup", ":restart"]);
    session.expect("continue", &["cancelled: :restart"]);
    session.expect("total", &["= 0"]);
}

#[test]
fn a_saved_session_replays_its_stops_at_errors() {
    let mut session = TestSession::empty("gridlok");
    stop_on_errors(&mut session.0, true);
    assert!(start_session(&mut session.0, "shares.gl", SHARES).ok);
    let lines = [
        "click{0,1}",
        "people {2}",
        "retry",
        "people {0}",
        "click{0,0}",
        "back",
        "continue",
        "continue",
        "click{0,0}",
    ];
    for line in lines {
        session.reply(line);
    }
    let dir = std::env::temp_dir().join("gridbug-error-stops");
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join("errors.session");
    session.reply_text(&format!(":save {}", path.display()));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\nerrors stop\n"), "{text}");
    let file = SessionFile::parse(&text).unwrap();
    let replayed = replay(&file, Path::new(""), crate::test_session::native_host()).unwrap();
    assert_eq!(replayed.mismatch_report(), [], "{text}");
    let mut again = replayed.session;
    assert!(again.target.is_at_error());
    let state = again.target.machine.checkpoint();
    assert!(state.is_same_game(&session.0.target.machine.checkpoint()));
    assert!(handle_line(&mut again, "continue").ok);
}
