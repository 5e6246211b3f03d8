//! `:reload` replays what was typed, also at stops.

use gridbug::command::{handle_line, open_game};
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::{Session, stop_on_errors};
use std::rc::Rc;

const GAME: &str = "board { dimensions {1, 2} image {b.png} }
def n {0}
fun f(k) {
  def a {k}
  a {a + 1}
  return a
}";

/// A session with the game, in which these lines were typed, and the host with its file.
fn played(lines: &[&str]) -> (Session, Rc<MemoryHost>) {
    let host = Rc::new(MemoryHost::new());
    host.set_file("game.gl", GAME);
    let mut session = Session::with_host(languages::ALL[0], 1, host.clone());
    assert!(open_game(&mut session, "game.gl").ok);
    for line in lines {
        let answer = handle_line(&mut session, line);
        assert!(answer.ok, "{line}: {}", answer.text());
    }
    (session, host)
}

fn value(session: &mut Session, name: &str) -> String {
    handle_line(session, &format!(":print {name}"))
        .value
        .unwrap_or_default()
}

/// Stops in `f`, changes its variable there, and continues.
const AT_BREAKPOINT: [&str; 4] = [":break 5", "n {f{1}}", "a {10}", "continue"];

#[test]
fn what_was_typed_at_a_breakpoint_is_replayed_there() {
    let (mut session, _) = played(&AT_BREAKPOINT);
    assert_eq!(value(&mut session, "n"), "11");
    let reply = handle_line(&mut session, ":reload").text();
    assert_eq!(
        reply,
        "reloaded game.gl; replayed 2 entries\nAll replies are the same"
    );
    assert_eq!(value(&mut session, "n"), "11");
    assert!(!session.target.is_stopped());
    assert_eq!(session.target.debugger.breakpoints[0].number, 1);
    // Reloading again does the same.
    assert_eq!(handle_line(&mut session, ":reload").text(), reply);
    assert_eq!(value(&mut session, "n"), "11");
}

/// At a terminal, errors in the program stop it.
#[test]
fn a_stop_at_an_error_is_replayed_until_the_file_is_fixed() {
    let game = "board { dimensions {1, 2} image {b.png} }
def people {0}
def n {0}
fun share(k) {
  return k / people
}";
    let host = Rc::new(MemoryHost::new());
    host.set_file("game.gl", game);
    let mut session = Session::with_host(languages::ALL[0], 1, host.clone());
    stop_on_errors(&mut session, true);
    assert!(open_game(&mut session, "game.gl").ok);
    let reply = handle_line(&mut session, "n {share{12}}");
    assert!(reply.stop.is_some(), "{}", reply.text());
    let reply = handle_line(&mut session, ":reload").text();
    assert!(reply.contains("All replies are the same"), "{reply}");
    assert!(session.target.is_at_error(), "{reply}");
    host.set_file("game.gl", &game.replace("people {0}", "people {4}"));
    let reply = handle_line(&mut session, ":reload").text();
    assert!(reply.contains("  - stopped in share"), "{reply}");
    assert!(!session.target.is_stopped(), "{reply}");
    assert_eq!(value(&mut session, "n"), "3");
    // Errors still stop.
    handle_line(&mut session, "people {0}");
    assert!(handle_line(&mut session, "n {share{12}}").stop.is_some());
}

#[test]
fn the_new_code_runs_after_what_was_typed_at_the_stop() {
    let (mut session, host) = played(&AT_BREAKPOINT);
    handle_line(&mut session, "n");
    host.set_file("game.gl", &GAME.replace("a + 1", "a + 2"));
    let reply = handle_line(&mut session, ":reload").text();
    assert!(
        reply.contains("The replies differ from entry 3 on:\n> n\n"),
        "{reply}"
    );
    assert!(reply.contains("= 11") && reply.contains("= 12"), "{reply}");
    assert_eq!(value(&mut session, "n"), "12");
}

#[test]
fn the_replay_stops_at_the_breakpoints_of_that_time() {
    // One that was deleted since, and one that was set only later.
    let lines = [&AT_BREAKPOINT[..], &[":delete 1", "n {f{n}}", ":break f"]].concat();
    let (mut session, _) = played(&lines);
    assert_eq!(value(&mut session, "n"), "12");
    let reply = handle_line(&mut session, ":reload").text();
    assert!(reply.ends_with("All replies are the same"), "{reply}");
    assert_eq!(value(&mut session, "n"), "12");
    let numbers: Vec<u32> = session
        .target
        .debugger
        .breakpoints
        .iter()
        .map(|b| b.number)
        .collect();
    assert_eq!(numbers, [2]);
    assert!(handle_line(&mut session, "f{1}").stop.is_some());
    handle_line(&mut session, "abandon");
    handle_line(&mut session, ":break 6");
    assert_eq!(
        session.target.debugger.breakpoints.last().unwrap().number,
        3
    );
}

#[test]
fn steps_and_selected_frames_are_replayed() {
    let lines = [
        ":break f",
        "n {f{1}}",
        "step",
        "step",
        "a {20}",
        "up",
        "down",
        "a {a + 5}",
        "continue",
    ];
    let (mut session, host) = played(&lines);
    assert_eq!(value(&mut session, "n"), "25");
    host.set_file("game.gl", &GAME.replace("fun f", "def extra {1}\nfun f"));
    let reply = handle_line(&mut session, ":reload").text();
    assert!(reply.contains("All replies are the same"), "{reply}");
    assert_eq!(value(&mut session, "n"), "25");
}

#[test]
fn reload_at_a_stop_stops_there_again() {
    let (mut session, host) = played(&[":break 5", "n {f{1}}", "a {10}"]);
    host.set_file("game.gl", &GAME.replace("a + 1", "a * 3"));
    let answer = handle_line(&mut session, ":reload");
    assert!(
        answer.text().contains("replayed 2 entries"),
        "{}",
        answer.text()
    );
    let stop = answer.stop.expect("it is stopped");
    assert_eq!((stop.function.as_str(), stop.range.line), ("f", 5));
    assert_eq!(value(&mut session, "a"), "10");
    assert!(handle_line(&mut session, "continue").stop.is_none());
    assert_eq!(value(&mut session, "n"), "30");
}

#[test]
fn a_stop_that_is_no_longer_reached_is_a_difference() {
    let (mut session, host) = played(&AT_BREAKPOINT);
    host.set_file(
        "game.gl",
        &GAME
            .replace("fun f", "fun g")
            .replace("def n {0}", "def n {0}\nfun f(k) { return k }"),
    );
    let reply = handle_line(&mut session, ":reload").text();
    assert!(
        reply.contains("The replies differ from entry 1 on:\n> n {f{1}}"),
        "{reply}"
    );
    assert!(reply.contains("stopped in f"), "{reply}");
    assert!(!session.target.is_stopped());
}

#[test]
fn interrupted_entries_are_interrupted_again() {
    let (mut session, _) = played(&["def k {0}", "def go {1}"]);
    session.target.machine.limits.max_instructions = 1_000_000;
    session
        .target
        .machine
        .interrupt_at(Some(session.target.machine.time() + 70_000));
    let answer = handle_line(
        &mut session,
        "for i(0, 2) { k {k + 1} if go == 1 { i {0} } }",
    );
    session.target.machine.interrupt_at(None);
    assert!(answer.stop.is_some());
    handle_line(&mut session, "go {0}");
    handle_line(&mut session, "continue");
    let k = value(&mut session, "k");
    assert!(!session.target.is_stopped());
    let reply = handle_line(&mut session, ":reload").text();
    assert!(reply.contains("All replies are the same"), "{reply}");
    assert_eq!(value(&mut session, "k"), k);
}

#[test]
fn a_breakpoint_set_at_a_stop_is_set_there_in_every_replay() {
    // Line 4 runs before the stop.
    let (mut session, _) = played(&[":break 5", "n {f{1}}", ":break 4", "a {10}", "continue"]);
    assert_eq!(value(&mut session, "n"), "11");
    for _ in 0..3 {
        let reply = handle_line(&mut session, ":reload").text();
        assert!(reply.ends_with("All replies are the same"), "{reply}");
        assert_eq!(value(&mut session, "n"), "11");
    }
}

#[test]
fn a_breakpoint_set_between_two_entries_is_set_there_in_every_replay() {
    let lines = [&AT_BREAKPOINT[..], &[":break 4"]].concat();
    let (mut session, _) = played(&lines);
    handle_line(&mut session, ":reload");
    // It stops in line 4, then in line 5.
    for line in ["n {n + f{2}}", "continue", "a {20}", "continue"] {
        assert!(handle_line(&mut session, line).ok, "{line}");
    }
    for _ in 0..3 {
        assert_eq!(value(&mut session, "n"), "32");
        let reply = handle_line(&mut session, ":reload").text();
        assert!(reply.ends_with("All replies are the same"), "{reply}");
    }
}

#[test]
fn entries_after_a_command_are_replayed_once() {
    let lines = [&AT_BREAKPOINT[..], &[":seed 3", ":delete", "n {n + 1}"]].concat();
    let (mut session, _) = played(&lines);
    assert_eq!(value(&mut session, "n"), "12");
    let reply = handle_line(&mut session, ":reload").text();
    assert!(reply.contains("replayed 4 entries"), "{reply}");
    assert_eq!(value(&mut session, "n"), "12");
}

/// A definition that `:save` has written to the file is replaced by the replay, not added.
#[test]
fn saved_definitions_are_no_difference() {
    for (language, file, program, lines) in [
        (
            "gridlok",
            "game.gl",
            GAME,
            ["fun g(x) { return x }", "g{2}"],
        ),
        (
            "gridlang",
            "game.grid",
            "int n = 0\n",
            ["function int g(int x) { return x }", "g(2)"],
        ),
        (
            "bogl",
            "game.bgl",
            "game G\nf : Int -> Int\nf(n) = n + 1\n",
            ["g : Int -> Int\ng(n) = n", "g(2)"],
        ),
        (
            "sgl2d",
            "game.sgl2d",
            "environment > x=6 y=1\nplayer > x=0 y=0\n",
            ["sprite wall > color=red", "right"],
        ),
    ] {
        let host = Rc::new(MemoryHost::new());
        host.set_file(file, program);
        let language = languages::by_name(language).expect("a language");
        let mut session = Session::with_host(language, 1, host.clone());
        assert!(open_game(&mut session, file).ok);
        for line in lines {
            assert!(handle_line(&mut session, line).ok, "{line}");
        }
        assert!(handle_line(&mut session, ":save").ok, "{file}");
        for _ in 0..2 {
            let reply = handle_line(&mut session, ":reload").text();
            assert!(reply.ends_with("All replies are the same"), "{reply}");
        }
    }
}

/// Where the replay ends is compared, too, even if no reply shows it.
#[test]
fn another_place_at_the_end_is_reported() {
    // Going back is not compared: its replies contain times.
    let (mut session, host) = played(&["n {f{1}}", ":break 5", ":rc"]);
    let reply = handle_line(&mut session, ":reload").text();
    assert!(!reply.contains("Before, "), "{reply}");
    let other = GAME.replace("fun f", "fun g") + "\nfun f(k) { return k + 1 }\n";
    host.set_file("game.gl", &other);
    let reply = handle_line(&mut session, ":reload").text();
    let expected = "Before, the program was stopped in f, line 5, in the past; now, ";
    assert!(reply.contains(expected), "{reply}");
}

/// A breakpoint on a line follows the line, during the replay and after it.
#[test]
fn breakpoints_on_lines_move_with_the_file() {
    let (mut session, host) = played(&AT_BREAKPOINT);
    for count in 1..=3 {
        let lines = (0..count).map(|n| format!("def extra{n} {{1}}\n"));
        let lines = lines.collect::<String>();
        host.set_file("game.gl", &GAME.replace("def n", &format!("{lines}def n")));
        if count == 1 {
            handle_line(&mut session, "n {f{2}}");
        }
        let answer = handle_line(&mut session, ":reload");
        let reply = answer.text();
        if count == 1 {
            let stop = answer.stop.expect("it is stopped");
            assert_eq!(stop.range.line, 6, "{reply}");
            handle_line(&mut session, "continue");
        }
        assert!(!reply.contains("Before, "), "{reply}");
        assert!(reply.contains("All replies are the same"), "{reply}");
        assert_eq!(value(&mut session, "n"), "3");
        let breakpoint = gridbug::analysis::inspect::describe_breakpoints(&session.target);
        assert_eq!(breakpoint[0].ranges[0].line as usize, 5 + count, "{reply}");
    }
}

/// What was typed before the game was loaded belongs to the session, not to the game.
#[test]
fn a_game_that_was_loaded_later_is_reloaded_alone() {
    let (mut session, host) = played(&["n {f{3}}", ":break f hits 2", ":tbreak f"]);
    host.set_file("other.gl", &GAME.replace("def n {0}", "def n {5}"));
    for line in [
        ":load other.gl",
        "n {f{n}}",
        ":continue",
        "n {f{n}}",
        "step",
    ] {
        handle_line(&mut session, line);
    }
    let shown = |session: &mut Session| {
        let lines = [":state", ":where", ":vars", ":breaks"];
        lines.map(|line| handle_line(session, line).text())
    };
    let before = shown(&mut session);
    assert!(session.target.is_stopped());
    for _ in 0..2 {
        let reply = handle_line(&mut session, ":reload").text();
        assert!(reply.contains("All replies are the same"), "{reply}");
        assert!(!reply.contains("Before, "), "{reply}");
        assert_eq!(shown(&mut session), before);
    }
    // A load that was undone leaves the game before it.
    let (mut session, host) = played(&["n {f{3}}"]);
    host.set_file("other.gl", &GAME.replace("def n {0}", "def n {5}"));
    for line in [":load other.gl", ":undo"] {
        assert!(handle_line(&mut session, line).ok, "{line}");
    }
    let reply = handle_line(&mut session, ":reload").text();
    assert!(reply.contains("reloaded game.gl"), "{reply}");
    assert_eq!(value(&mut session, "n"), "4");
}

/// The numbers of branches depend on how often something was undone.
#[test]
fn branch_numbers_are_no_difference() {
    let lines = ["n {1}", ":undo", "n {f{1}}", ":undo", "n {3}"];
    let (mut session, host) = played(&lines);
    // Now the first two entries are the same, and the second makes no branch.
    host.set_file("game.gl", &GAME.replace("a {a + 1}", "a {1}"));
    let reply = handle_line(&mut session, ":reload").text();
    assert!(!reply.contains("branch"), "{reply}");
    assert_eq!(value(&mut session, "n"), "3");
}

/// The same lines, saved as a session file and replayed, lead to the same place.
#[test]
fn a_reloaded_session_can_be_saved_and_reloaded() {
    let lines = [
        ":break 5", "n {f{1}}", "a {10}", "continue", "n {f{n}}", "step",
    ];
    let (mut session, _) = played(&lines);
    handle_line(&mut session, ":reload");
    handle_line(&mut session, "a {30}");
    let state = handle_line(&mut session, ":state").text();
    let saved = handle_line(&mut session, ":save a.session").text();
    assert!(!saved.contains("warning"), "{saved}");
    assert!(handle_line(&mut session, ":load a.session").ok);
    assert_eq!(handle_line(&mut session, ":state").text(), state);
}
