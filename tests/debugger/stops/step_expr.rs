//! Where `step expr` stops on its way.

use crate::test_session::TestSession;

#[test]
fn step_expr_stops_at_breakpoints_in_called_functions() {
    let program = "board { dimensions {1, 1} image {b.png} } def n {0} fun g(a) {
  n {n + a}
  return a
}
fun f() {
  def x {1 + g{2 + 3}}
  return x
}";
    for command in ["se", "ss"] {
        let mut session = TestSession::load("gridlok", program);
        session.reply_text(":break f");
        session.reply_text("f{}");
        session.reply_text(":break g");
        let mut reply = String::new();
        while !reply.contains("breakpoint") {
            reply = session.reply_text(command);
            assert!(
                !reply.contains("line 7") && !reply.contains("=>   7"),
                "{command} went past the call: {reply}"
            );
        }
        assert!(
            reply.contains("* breakpoint 2 in g") && reply.contains("a=5"),
            "{reply}"
        );
        session.expect("fin", &["g returned 5"]);
        session.expect("next", &["x=6"]);
    }
}

#[test]
fn step_expr_in_the_past_passes_nested_entries() {
    let program = "board { dimensions {1, 1} image {b.png} } def n {0} fun f() {
  n {n + 1}
  return n
}";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text(":break f");
    session.reply_text("f{}");
    session.reply_text(":mark m");
    session.reply_text("n {50}");
    session.reply_text("next");
    for command in ["se", "ss"] {
        session.reply_text(":goto m");
        session.expect(command, &["=>   1  n {50}"]);
        session.expect("se", &["n 0 => 50", "=>   2    n {n + 1}"]);
        session.expect("se", &["50 + 1 is 51", "=>   3    return n"]);
    }
}

#[test]
fn step_expr_hides_the_rules_of_play() {
    let program =
        "board { dimensions {1, 1} image {b.png} } players {\"p\"} winCondition { win {1 == 2} }";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text(":break on endTurn");
    session.reply_text("endTurn{}");
    let reply = session.reply_text("se");
    assert!(
        reply.starts_with("* p's turn ends: checking winCondition"),
        "{reply}"
    );
}

/// The same function in two languages: the line of each statement is the same.
const COUNTERS: [(&str, &str, &str); 2] = [
    (
        "gridlok",
        "board { dimensions {1, 1} image {b.png} } def n {0} def m {0} fun g(k) {
  m {k}
  n {7}
  m {n + k}
  return m
}",
        "g{1}",
    ),
    (
        "gridlang",
        "int n = 0; int m = 0; function int g(int k) {
  m = k
  n = 7
  m = n + k
  return m
}",
        "g(1)",
    ),
];

#[test]
fn step_expr_and_step_sub_report_watchpoints_logs_and_breakpoints() {
    for (language, program, call) in COUNTERS {
        for command in ["step expr", "step sub"] {
            let mut session = TestSession::load(language, program);
            session.reply_text(":break g");
            session.reply_text(call);
            for typed in [":watch m", ":log n \"n is {n}\"", ":break 4", ":break 5"] {
                session.reply_text(typed);
            }
            let stops: [&[&str]; 3] = [
                &["m 0 => 1", "* watchpoint 2, m: 0 => 1", "=>   3"],
                &["logpoint 3: n is 7", "* breakpoint 4 in g", "=>   4"],
                // The watchpoint and the breakpoint at which it arrives are reported together.
                &["m 1 => 8", "* watchpoint 2, m: 1 => 8", "also breakpoint 5"],
            ];
            for texts in stops {
                let mut reply = String::new();
                while !reply.contains('*') {
                    reply = session.reply_text(command);
                }
                for text in texts {
                    assert!(reply.contains(text), "{language} {command}: {reply}");
                }
            }
            session.expect(
                ":breaks",
                &[
                    "watch m   hit 2 times",
                    "\"n is {n}\"   hit once",
                    "break 4   game:4   hit once",
                    "break 5   game:5   hit once",
                ],
            );
        }
    }
}

/// Each stop of `step sub` inside a statement is a stop of its own; its breakpoints count once.
#[test]
fn step_sub_counts_a_breakpoint_once() {
    let program = "board { dimensions {1, 1} image {b.png} } fun f(k) {
  if k > 0 {
    return k + 1
  }
  return 0
}";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text(":break f");
    session.reply_text("f{1}");
    session.expect("ss", &["k is 1"]);
    session.expect("ss", &["1 > 0 is true"]);
    session.expect(":breaks", &["hit once"]);
}

/// `step sub` continues a statement in which it stopped at an event.
#[test]
fn step_sub_stops_once_at_an_event_inside_a_statement() {
    let program = "board { dimensions {1, 1} image {b.png} } def n {0}
fun f() {
  n {n + rand{1, 2}}
  n {n * 2}
}";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text(":break f");
    session.reply_text("f{}");
    session.reply_text(":break on rand");
    let mut replies = Vec::new();
    while !session.reply_text("where").contains("n * 2") && replies.len() < 9 {
        replies.push(session.reply_text("step sub"));
    }
    let stops = replies.iter().filter(|r| r.contains("on rand"));
    assert_eq!(stops.count(), 1, "{replies:#?}");
    assert!(replies.concat().contains("0 + 1 is 1"), "{replies:#?}");
}
