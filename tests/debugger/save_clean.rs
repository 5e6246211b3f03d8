//! `:save --clean` and `:history drop`: a saved session without mistakes and detours.

use gridbug::command::handle_line;
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::session_file::{SessionFile, SessionItem};
use gridbug::session::{Answer, Session};
use std::path::Path;
use std::rc::Rc;

/// A session with the sample game of a language, in which these lines were typed.
fn session(language: &str, lines: &[&str]) -> (Session, Rc<MemoryHost>) {
    let host = Rc::new(MemoryHost::new());
    let language = languages::by_name(language).unwrap();
    let mut session = Session::with_host(language, 1, host.clone());
    assert!(gridbug::command::open_sample(&mut session).ok);
    for line in lines {
        handle_line(&mut session, line);
    }
    (session, host)
}

/// Saves the session, checks that the file passes its own test, and returns its input lines and
/// remarks.
fn saved(session: &mut Session, host: &Rc<MemoryHost>, command: &str) -> (Vec<String>, Answer) {
    let answer = handle_line(session, command);
    assert!(answer.ok, "{}", answer.text());
    let file = SessionFile::parse(&host.file("a.session").unwrap()).unwrap();
    let replay = gridbug::command::replay(&file, Path::new(""), host.clone()).unwrap();
    assert_eq!(replay.mismatches().count(), 0);
    let lines = file.items.iter().filter_map(|item| match item {
        SessionItem::Input(input) => Some(input.text.clone()),
        SessionItem::Comment(text) => Some(text.clone()),
        _ => None,
    });
    (lines.collect(), answer)
}

fn clean(language: &str, lines: &[&str]) -> Vec<String> {
    let (mut session, host) = session(language, lines);
    let (saved, answer) = saved(&mut session, &host, ":save a --clean");
    assert!(!answer.text().contains("warning"), "{}", answer.text());
    saved
}

#[test]
fn lines_that_failed_are_left_out() {
    let lines = ["clik{0,0}", "click{0,0}", ":brake x", "1 +", "turnCount"];
    assert_eq!(clean("gridlok", &lines), ["click{0,0}", "turnCount"]);
}

#[test]
fn a_trip_to_the_past_and_back_is_left_out() {
    let lines = [
        "click{0,0}",
        "click{1,1}",
        ":goto start",
        ":why [0][0]",
        ":goto end",
        ":undo",
        ":redo",
        ":why [0][0]",
    ];
    assert_eq!(
        clean("gridlok", &lines),
        ["click{0,0}", "click{1,1}", ":why [0][0]"]
    );
}

/// Going to the start leads to where the first move was undone, but that was no detour.
#[test]
fn trips_through_entries_that_were_undone_are_left_out() {
    let lines = [
        "click{0,0}",
        ":undo",
        "click{1,1}",
        ":goto start",
        ":goto end",
        "turnCount",
    ];
    assert_eq!(clean("gridlok", &lines), ["click{1,1}", "turnCount"]);
}

#[test]
fn entries_that_were_undone_or_abandoned_are_left_out() {
    let lines = [
        "click{2,2}",
        ":undo",
        "click{0,0}",
        ":break winCondition",
        "click{1,1}",
        "step",
        "where",
        "abandon",
        ":delete",
        "click{0,1}",
    ];
    assert_eq!(
        clean("gridlok", &lines),
        ["click{0,0}", ":break winCondition", ":delete", "click{0,1}"]
    );
}

#[test]
fn steps_that_were_taken_back_are_left_out() {
    let lines = [
        ":break winCondition",
        "click{1,1}",
        "step",
        "back",
        "step",
        "vars",
    ];
    assert_eq!(
        clean("gridlok", &lines),
        [":break winCondition", "click{1,1}", "step", "vars"]
    );
}

/// What was undone is needed if it is redone after something else.
#[test]
fn entries_stay_that_later_lines_need() {
    let lines = [
        "click{0,0}",
        ":undo",
        ":note Now it is redone.",
        ":redo",
        "turnCount",
    ];
    let (mut session, host) = session("gridlok", &lines);
    let (saved, answer) = saved(&mut session, &host, ":save a --clean");
    assert!(!answer.text().contains("warning"), "{}", answer.text());
    assert_eq!(
        saved,
        [
            "click{0,0}",
            ":undo",
            "# Now it is redone.",
            ":redo",
            "turnCount"
        ]
    );
}

#[test]
fn a_detour_with_a_remark_stays() {
    let lines = [
        "click{0,0}",
        ":goto start",
        ":note Before the first move.",
        ":goto end",
    ];
    assert_eq!(
        clean("gridlok", &lines),
        [
            "click{0,0}",
            ":goto start",
            "# Before the first move.",
            ":goto end"
        ]
    );
}

#[test]
fn every_language_can_be_cleaned() {
    for (language, play) in [
        ("gridlok", "click{1,1}"),
        ("bogl", "let b = take(2, start)"),
        ("gridlang", ":turn"),
        ("tinygame", "move knight up 1;"),
        ("sgl2d", "right"),
    ] {
        let lines = [play, ":undo", ":redo", ":list", "no such ] thing", ":board"];
        assert_eq!(clean(language, &lines), [play, ":board"], "{language}");
    }
}

#[test]
fn the_program_that_was_typed_stays() {
    let lines = ["def a {1}", "def b {a}", ":undo", "def c {a + 1}", "c"];
    assert_eq!(
        clean("gridlok", &lines),
        ["def a {1}", "def c {a + 1}", "c"]
    );
}

#[test]
fn clean_is_only_for_session_files() {
    let (mut session, _) = session("gridlok", &[]);
    let answer = handle_line(&mut session, ":save a.gl --clean");
    assert!(!answer.ok && answer.text().contains("session files"));
}

#[test]
fn a_dropped_entry_is_not_saved_and_can_be_kept_again() {
    let (mut session, host) = session("gridlok", &["1 + 1", "click{0,0}", ":where", "turnCount"]);
    let answer = handle_line(&mut session, ":history drop 1");
    assert!(
        answer.ok && !answer.text().contains("warning"),
        "{}",
        answer.text()
    );
    assert!(handle_line(&mut session, ":history drop :where").ok);
    let listed = handle_line(&mut session, ":history").text();
    assert!(listed.contains("1  1 + 1   (dropped)"), "{listed}");
    assert_eq!(
        saved(&mut session, &host, ":save a").0,
        ["click{0,0}", "turnCount"]
    );
    assert!(handle_line(&mut session, ":history keep 1").ok);
    assert_eq!(
        saved(&mut session, &host, ":save a").0,
        ["1 + 1", "click{0,0}", "turnCount"]
    );
}

#[test]
fn dropping_an_entry_that_matters_warns() {
    let (mut session, host) = session("gridlok", &["click{0,0}", "click{1,1}"]);
    let answer = handle_line(&mut session, ":history drop 1");
    assert!(
        answer.text().contains("does not lead to the current state"),
        "{}",
        answer.text()
    );
    let (lines, answer) = saved(&mut session, &host, ":save a");
    assert_eq!(lines, ["click{1,1}"]);
    assert!(answer.text().contains("warning"), "{}", answer.text());
    // The game itself is as it was.
    assert_eq!(
        handle_line(&mut session, "turnCount").value.as_deref(),
        Some("2")
    );
    assert!(
        !handle_line(&mut session, ":history keep 1")
            .text()
            .contains("warning")
    );
}

#[test]
fn answers_are_dropped_with_their_entry() {
    let host = Rc::new(MemoryHost::new());
    let mut session = Session::with_host(languages::by_name("bogl").unwrap(), 1, host.clone());
    let program = "game A\ntype Input = Int\n";
    gridbug::command::start_session(&mut session, "a.bgl", program);
    for line in ["input + input", "1", "2", "input * 2", "21"] {
        handle_line(&mut session, line);
    }
    assert!(handle_line(&mut session, ":history drop 1").ok);
    assert_eq!(saved(&mut session, &host, ":save a").0, ["input * 2", "21"]);
}

#[test]
fn what_cannot_be_dropped_is_refused() {
    let (mut session, _) = session("gridlok", &["1 + 1", ":help"]);
    for (line, message) in [
        (":history drop", "needs an entry"),
        (":history drop 7", "no entry 7"),
        (":history drop :where", "have not typed"),
        (":history drop :help", "anyway"),
        (":history keep 1", "not left out"),
    ] {
        let answer = handle_line(&mut session, line);
        assert!(
            !answer.ok && answer.text().contains(message),
            "{line}: {}",
            answer.text()
        );
    }
    assert!(handle_line(&mut session, ":history drop 1").ok);
    assert!(!handle_line(&mut session, ":history drop 1").ok);
}
