//! Going through the history: what a replay stops at, what undo takes back, and what is listed.

use crate::test_session::TestSession;
use gridbug::analysis::inspect;
use gridbug::answer::StopReason;
use gridbug::command::start_session;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::Session;

const BUMP: &str = "board { dimensions {2, 2} image {b.png} }
players {\"x\", \"o\"}
def n {0}
piece { name {\"free\"}
  onClick {
    n {n + 1}
    bump {1}
    n {n + 10}
    endTurn {}
  }
}
setup { for r, c in board { place {\"free\", r, c} } }
fun bump(k) {
  n {n + k}
  return n
}";

/// A session that starts with a program, as from the command line.
fn started(program: &str) -> TestSession {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(start_session(&mut session, "game", program).ok);
    TestSession(session)
}

fn hits(session: &TestSession) -> Vec<u64> {
    let breakpoints = inspect::describe_breakpoints(&session.0.target);
    breakpoints.iter().map(|b| b.hits).collect()
}

/// In each language: a program, a function to stop in, an entry that calls it, and a change to type
/// at the stop.
const TYPED_AT_STOPS: [(&str, &str, &str, &str, &str); 3] = [
    ("gridlok", BUMP, "bump", "click{0,0}", "n {100}"),
    (
        "bogl",
        "game G\nf : Int -> Int\nf(n) = n + 1\n",
        "f",
        "f(2)",
        "let a = 5",
    ),
    (
        "gridlang",
        "int n\nLayout(2, 2) { Player p1 }\nfunction f(int k): int {\n  n = n + k\n  return n\n}\n",
        "f",
        "f(2)",
        "n = 100",
    ),
];

#[test]
fn a_replay_stops_at_a_breakpoint_where_something_was_typed() {
    for (language, program, function, entry, typed) in TYPED_AT_STOPS {
        let mut session = TestSession::load(language, program);
        session.reply(&format!(":break {function}"));
        let first = session.reply(entry).stop.expect("a stop");
        assert!(session.reply(typed).ok, "{language}");
        let end = session.reply(":continue");
        assert!(end.stop.is_none(), "{language}: {}", end.text());
        session.reply(":goto start");
        let again = session.reply(":continue");
        let stop = again
            .stop
            .as_ref()
            .unwrap_or_else(|| panic!("{language}: passed the breakpoint: {}", again.text()));
        assert_eq!(
            (stop.reason, stop.time, &stop.range),
            (StopReason::Breakpoint, first.time, &first.range),
            "{language}"
        );
        // What was typed there is replayed next.
        let end_again = session.reply(":continue");
        assert!(end_again.stop.is_none(), "{language}");
        assert_eq!(end_again.text(), end.text(), "{language}");
    }
}

#[test]
fn a_replay_without_a_stop_says_where_it_ended() {
    let mut session = started(BUMP);
    session.reply("click{0,0}");
    session.reply("n {7}");
    session.reply(":goto start");
    let answer = session.reply(":continue");
    assert!(
        answer.text().starts_with("n {7} finished"),
        "{}",
        answer.text()
    );
    assert_eq!(session.reply_text("n"), "= 7");
}

#[test]
fn undo_skips_a_look_that_stopped_on_its_way() {
    let mut session = started("board { dimensions {1, 1} image {b.png} } fun f(n) { return n }");
    for line in ["fun g() { return 1 }", ":break f", "f{2}", "f{3}"] {
        session.reply(line);
    }
    session.expect("continue", &["f{3} finished", "= 3"]);
    // The look is gone; the entry at which it was typed is undone.
    session.expect(":undo", &["undone: f{2}"]);
    assert!(!session.0.target.is_stopped());
    session.expect(":undo", &["undone: fun g() { return 1 }"]);
}

#[test]
fn undo_skips_a_look_after_a_redefinition() {
    let mut session = started(BUMP);
    for line in [
        ":break bump",
        "click{0,0}",
        "fun bump(k) { return 3 }",
        ":delete",
        "bump{3}",
    ] {
        session.reply(line);
    }
    session.expect(":undo", &["undone: fun bump(k) { return 3 }"]);
}

#[test]
fn undo_takes_back_hit_counts_and_redo_restores_them() {
    let mut session = started(BUMP);
    session.reply(":break 6");
    session.reply(":ignore 1 1");
    for cell in ["0,0", "0,1", "1,0"] {
        session.reply(&format!("click{{{cell}}}"));
        session.reply(":continue");
    }
    assert_eq!(hits(&session), [3]);
    session.reply(":undo");
    assert_eq!(hits(&session), [2]);
    session.reply(":undo 2");
    assert_eq!(hits(&session), [0]);
    session.expect(":breaks", &["ignored"]);
    session.reply(":redo 2");
    assert_eq!(hits(&session), [2]);
    session.reply(":redo");
    assert_eq!(hits(&session), [3]);
    // An entry that is undone while it is stopped has not hit anything either.
    session.reply("click{1,1}");
    assert_eq!(hits(&session), [4]);
    session.reply(":undo");
    assert_eq!(hits(&session), [3]);
    session.reply(":redo");
    assert_eq!(hits(&session), [4]);
    session.reply(":abandon");
    assert_eq!(hits(&session), [3]);
}

#[test]
fn a_dry_run_uses_up_no_breakpoint_and_no_hits() {
    let mut session = started(BUMP);
    session.reply(":tbreak bump");
    session.reply(":break 8");
    session.reply(":step click{0,0}");
    session.expect("continue", &["breakpoint 1 in bump"]);
    session.expect("continue", &["breakpoint 2"]);
    session.expect("continue", &["Dry run finished"]);
    assert_eq!(hits(&session), [0, 0]);
    // The temporary breakpoint is still there, and stops once.
    session.expect("click{0,0}", &["breakpoint 1 in bump"]);
    session.expect("continue", &["breakpoint 2"]);
    session.reply("continue");
    session.expect("click{0,1}", &["breakpoint 2"]);
    session.reply(":abandon");
    session.reply(":tbreak bump");
    session.reply(":step click{0,0}");
    session.reply("continue");
    session.reply(":abandon");
    assert_eq!(inspect::describe_breakpoints(&session.0.target).len(), 2);
}

#[test]
fn a_line_breakpoint_returns_when_a_redefinition_is_undone() {
    let mut session = started(BUMP);
    session.reply(":break 15");
    let original = inspect::describe_breakpoints(&session.0.target)[0]
        .ranges
        .clone();
    assert_eq!(original[0].line, 15);
    let lines = |session: &TestSession| {
        let breakpoint = &inspect::describe_breakpoints(&session.0.target)[0];
        let ranges = breakpoint.ranges.iter();
        ranges.map(|r| (r.file.clone(), r.line)).collect::<Vec<_>>()
    };
    session.reply("fun bump(k) { n {n + 2 * k} return n }");
    assert_eq!(lines(&session), [("entry 1".to_string(), 1)]);
    session.reply("fun bump(k) { return n }");
    session.reply(":undo 2");
    assert_eq!(
        session.reply("click{0,0}").stop.expect("a stop").range.line,
        15
    );
    assert_eq!(
        inspect::describe_breakpoints(&session.0.target)[0].ranges,
        original
    );
}

#[test]
fn branches_count_the_entries_that_were_typed() {
    let mut session = started(BUMP);
    session.reply("click{0,0}");
    session.reply("click{0,1}");
    session.reply(":undo");
    session.reply("click{1,1}");
    session.expect(":branches", &["1  after 1 entry: click{0,1}"]);
    session.reply(":undo 2");
    session.reply("n {3}");
    session.expect(":branches", &["from the start: click{0,0}"]);
}

#[test]
fn the_list_of_entries_has_what_was_typed() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("typed.gl");
    std::fs::write(&file, BUMP).expect("a file");
    let host = crate::test_session::native_host();
    let mut session = Session::with_host(languages::ALL[0], 1, host);
    let path = file.to_string_lossy();
    assert!(start_session(&mut session, &path, BUMP).ok);
    let mut session = TestSession(session);
    session.reply("click{0,0}");
    session.reply("click{0,1}");
    session.expect(":reload", &["replayed 2 entries"]);
    let list = session.reply_text(":history");
    let lines: Vec<&str> = list.lines().map(str::trim).collect();
    assert_eq!(lines, ["1  click{0,0}", "2  click{0,1}", ":reload"]);
    // The replayed entries keep their numbers.
    assert_eq!(session.0.prompt(), "gridlok 3> ");
}

/// The number in the prompt is the one in errors and in `:history`.
#[test]
fn entries_are_numbered_and_commands_are_not() {
    let mut session = started(BUMP);
    let mut expect_at = |prompt: &str, line: &str, expected: &[&str]| {
        assert_eq!(session.0.prompt(), prompt, "{line}");
        session.expect(line, expected);
    };
    expect_at("gridlok 1> ", "click{0,0}", &[]);
    expect_at("gridlok 2> ", "clik{0,1}", &["entry 2:1:1"]);
    // Neither a command nor the expression it evaluates is an entry.
    expect_at("gridlok 3> ", ":why turn + 1", &[]);
    expect_at("gridlok 3> ", ":step turn +", &["expression:1:"]);
    expect_at("gridlok 3> ", ":undo", &["undone: click{0,0}"]);
    // An undone entry keeps its number; the next one has a new number.
    expect_at("gridlok 3> ", "click{1,1}", &[]);
    expect_at("gridlok 4> ", ":undo", &["undone: click{1,1}"]);
    expect_at("gridlok 4> ", "click{1,0}", &[]);
    expect_at("gridlok 5> ", ":branches 1", &[]);
    expect_at("gridlok 5> ", ":break onClick", &[]);
    expect_at("gridlok 5> ", "click{0,1}", &["breakpoint 1"]);
    expect_at("stopped> ", "where", &["entry 5:1"]);
    expect_at("stopped> ", "1 + tur", &["entry 6:1:5"]);
    expect_at("stopped> ", "abandon", &[]);
    expect_at("gridlok 7> ", "1 + 1", &["= 2"]);
    let list = session.reply_text(":history 6");
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(
        lines,
        [
            "      :break onClick",
            "   5  click{0,1}",
            "      where",
            "   6  1 + tur",
            "      abandon",
            "   7  1 + 1",
        ]
    );
}

/// Warnings with the number of their entry do not differ because of a reload.
#[test]
fn a_reload_compares_replies_with_the_same_numbers() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("numbered.gl");
    std::fs::write(&file, BUMP).expect("a file");
    let host = crate::test_session::native_host();
    let mut session = Session::with_host(languages::ALL[0], 1, host);
    let path = file.to_string_lossy();
    assert!(start_session(&mut session, &path, BUMP).ok);
    let mut session = TestSession(session);
    session.reply("1 + nothing");
    session.expect("fun later() { return twice{1} }", &["entry 2:1:"]);
    session.expect(":reload", &["replayed 1 entry", "All replies are the same"]);
    std::fs::write(&file, format!("{BUMP}\nfun twice(n) {{ return 2 * n }}\n")).expect("a file");
    session.expect(":reload", &["The replies differ from entry 2 on:"]);
    session.expect("later{}", &["= 2"]);
    assert_eq!(session.0.prompt(), "gridlok* 4> ");
}

#[test]
fn an_undo_without_effect_is_not_an_undo() {
    let mut session = started(BUMP);
    session.expect(":undo", &["nothing to undo"]);
    session.expect(":redo", &["nothing to redo"]);
    session.reply("click{0,0}");
    session.reply(":goto start");
    session.expect(":undo", &["nothing to undo"]);
    // The future that is left behind was not undone.
    let text = session.reply_text("click{1,1}");
    assert!(!text.contains("you undid"), "{text}");
}
