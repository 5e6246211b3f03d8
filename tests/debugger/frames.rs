//! Selecting a frame changes what is shown, never what runs or where it stops.

use crate::test_session::TestSession;
use gridbug::render::{DEFAULT_WIDTH, hint_lines};

/// A recursive function and a call of it, in three languages, with a condition on its parameter.
const RECURSIONS: [(&str, &str, &str, &str); 3] = [
    (
        "gridlok",
        "game { board { dimensions {1, 1} } \
         fun deep(n) { if n == 0 { return 0 } return 1 + (deep {n - 1}) } }",
        "deep{5}",
        "n == 3 OR n == 1",
    ),
    (
        "bogl",
        "game G\ndeep : Int -> Int\ndeep(n) = if n == 0 then 0 else 1 + deep(n - 1)\n",
        "deep(5)",
        "or(n == 3, n == 1)",
    ),
    (
        "gridlang",
        "function int deep(int n) { if (n == 0) { return 0 }\n return 1 + deep(n - 1) }\n",
        "deep(5)",
        "n == 3 or n == 1",
    ),
];

#[test]
fn breakpoint_conditions_ignore_the_selected_frame() {
    for (language, program, call, condition) in RECURSIONS {
        let mut session = TestSession::load(language, program);
        session.reply_text(&format!(":break deep if {condition}"));
        session.expect(call, &["n=3"]);
        session.reply_text("up");
        session.expect("continue", &["n=1"]);
        session.reply_text("up");
        session.expect("reverse-continue", &["n=3"]);
    }
}

#[test]
fn log_messages_ignore_the_selected_frame() {
    for (language, program, call, _) in RECURSIONS {
        let mut session = TestSession::load(language, program);
        session.reply_text(":tbreak deep");
        session.reply_text(":log deep \"n is {n}\"");
        session.reply_text(call);
        session.reply_text("step 6");
        session.reply_text("up");
        let text = session.reply_text("continue");
        let logged: Vec<&str> = text.lines().filter(|l| l.contains("n is ")).collect();
        let last = logged
            .last()
            .unwrap_or_else(|| panic!("{language}: {text}"));
        assert!(last.ends_with("n is 0"), "{language}: {text}");
    }
}

/// A function with a local `x`, which is 1 at line 3, and a statement that changes it.
const LOCALS: [(&str, &str, &str, &str); 2] = [
    (
        "gridlok",
        "board { dimensions {1, 1} image {b.png} } fun h(k) {\n  def x {k}\n  x {x + 1}\n  return x\n}",
        "h{1}",
        "x {9}",
    ),
    (
        "gridlang",
        "function int h(int k) {\n  int x = k\n  x = x + 1\n  return x\n}",
        "h(1)",
        "x = 9",
    ),
];

#[test]
fn locals_changed_at_a_stop_have_a_history() {
    for (language, program, call, statement) in LOCALS {
        let mut session = TestSession::load(language, program);
        session.reply_text(":break 3");
        session.reply_text(call);
        session.reply_text(statement);
        session.expect(
            ":why x",
            &["x: 1 => 9", "by entry", statement, "from h   x"],
        );
        session.expect(":last x", &["this changes x: 1 => 9", statement]);
        session.expect(":goto end", &["=>   3"]);
        session.reply_text("step");
        session.expect(":why x", &["x: 9 => 10", "line 3"]);
    }
}

#[test]
fn watchpoints_on_locals_stop_in_what_is_typed() {
    for (language, program, call, statement) in LOCALS {
        let mut session = TestSession::load(language, program);
        session.reply_text(":break 3");
        session.reply_text(call);
        session.reply_text(":watch x");
        session.expect(statement, &["* watchpoint 2, x: 1 => 9"]);
        session.expect("c", &["finished", "=>   3", "x=9"]);
        session.expect("c", &["* watchpoint 2, x: 9 => 10"]);
    }
}

#[test]
fn watched_expressions_of_locals_stop_in_what_is_typed() {
    for (language, program, call, statement) in LOCALS {
        let mut session = TestSession::load(language, program);
        session.reply_text(":break 3");
        session.reply_text(call);
        session.reply_text(":watch x * 2");
        session.reply_text(":watch if x > 5");
        session.expect(
            statement,
            &["* watchpoint 2, x * 2: 2 => 18", "also watchpoint 3, x > 5"],
        );
        // The variables of the stopped function can be used there, too.
        session.expect(":print x * 3 + k", &["= 28"]);
        session.expect("c", &["finished", "=>   3", "x=9"]);
        session.expect("c", &["* watchpoint 2, x * 2: 18 => 20"]);
        session.expect(":rc", &["x * 2: 20 <= 18"]);
        // As on the way forward, the breakpoint is hit once: before the statement was typed.
        session.expect(":rc", &["x * 2: 18 <= 2"]);
        session.expect(":rc", &["* breakpoint 1 in h, line 3", "x=1"]);
    }
}

/// A program whose state is changed by an entry, a breakpoint at which the entry stops, a statement
/// to type there, and what it changes. These languages have no local variables.
const STATES: [(&str, &str, [&str; 4]); 2] = [
    (
        "tinygame",
        "player hero { x = 0; y = 0; }\nset hero.x = 1;\nset hero.x = hero.x + 1;\nprint \"x\";\n",
        [":break 3", ":restart", "set hero.x = 9;", "hero.x: 1 => 9"],
    ),
    (
        "sgl2d",
        "environment > x=6 y=2\nplayer > x=0 y=0\ncounter counter1 > true 5\n\
         event player > playerdeccounter1=1\n",
        [":break 4", "right", "right", "player.x: 1 => 2"],
    ),
];

#[test]
fn what_is_changed_at_a_stop_has_a_history() {
    for (language, program, [breakpoint, entry, statement, change]) in STATES {
        let name = change.split(':').next().expect("a name");
        let mut session = TestSession::load(language, program);
        session.reply_text(breakpoint);
        session.reply_text(entry);
        session.reply_text(&format!(":watch {name}"));
        session.expect(statement, &[&format!("* watchpoint 2, {change}")]);
        session.expect(&format!(":why {name}"), &[change]);
        session.expect(
            &format!(":last {name}"),
            &[&format!("this changes {change}")],
        );
    }
}

/// The frame at which an entry was typed is not a caller: its statement has not run yet.
#[test]
fn the_frame_below_a_typed_entry_is_at_its_next_statement() {
    for (language, program, call, statement) in LOCALS {
        let mut session = TestSession::load(language, program);
        session.reply_text(":break 3");
        session.reply_text(call);
        session.reply_text(":watch x");
        session.reply_text(statement);
        let third = program.lines().nth(2).expect("three lines").trim();
        session.expect("where", &[third]);
        session.expect("up", &[third]);
    }
}

/// A bare word that names a variable and a command shows the variable; the colon runs the command.
#[test]
fn at_a_stop_a_variable_wins_over_a_command_of_its_name() {
    let program = "board { dimensions {1, 1} }\ndef q {7}\nfun f(up) {\n  q {q + up}\n  return q\n}\nfun g(n) {\n  return f{n}\n}";
    let mut session = TestSession::load("gridlok", program);
    session.reply(":break f");
    session.expect("g{5}", &["breakpoint 1"]);
    let reply = session.reply("q");
    assert_eq!(reply.value.as_deref(), Some("7"));
    assert!(!reply.is_quit());
    let hint = hint_lines(&reply, DEFAULT_WIDTH)[0].text();
    assert!(hint.contains("`:q` runs the command quit"), "{hint}");
    // It is said once.
    assert!(session.reply("q").hints.is_empty());
    session.expect("up", &["= 5"]);
    session.expect(":up", &["g"]);
    session.expect("up", &["entry"]);
    // With an argument, it is the command.
    session.expect("down 2", &["f"]);
    assert!(session.reply(":q").is_quit());
}
