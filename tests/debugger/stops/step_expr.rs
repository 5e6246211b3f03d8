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

/// The same statements in three languages: a variable gets 1 in line 2, another one 7 in line 3, and
/// the first one 8 in line 4. Each has a breakpoint, an entry that stops at it, and the names of the
/// variables.
const COUNTERS: [(&str, &str, [&str; 4]); 3] = [
    (
        "gridlok",
        "board { dimensions {1, 1} image {b.png} } def n {0} def m {0} fun g(k) {
  m {k}
  n {7}
  m {n + k}
  return m
}",
        [":break g", "g{1}", "m", "n"],
    ),
    (
        "gridlang",
        "int n = 0; int m = 0; function int g(int k) {
  m = k
  n = 7
  m = n + k
  return m
}",
        [":break g", "g(1)", "m", "n"],
    ),
    (
        "tinygame",
        "player hero { x = 0; y = 0; }
set hero.x = 1;
set hero.y = 7;
set hero.x = hero.x + hero.y;
print \"done\";
",
        [":break 2", ":restart", "hero.x", "hero.y"],
    ),
];

/// Repeats a command until it stops at a breakpoint or watchpoint. Returns all replies.
fn until_hit(session: &mut TestSession, command: &str) -> String {
    let mut replies = String::new();
    while !replies.contains("* breakpoint") && !replies.contains("* watchpoint") {
        assert!(session.0.target.is_stopped(), "{replies}");
        replies += &session.reply_text(command);
    }
    replies
}

/// Repeats a command: each stop at a breakpoint or watchpoint must report these texts.
fn expect_hits(session: &mut TestSession, command: &str, stops: &[&[&str]]) {
    for texts in stops {
        let replies = until_hit(session, command);
        for text in *texts {
            assert!(
                replies.contains(text),
                "{command}: missing {text:?} in\n{replies}"
            );
        }
    }
}

#[test]
fn step_expr_and_step_sub_report_watchpoints_logs_and_breakpoints() {
    for (language, program, [breakpoint, call, m, n]) in COUNTERS {
        for command in ["step expr", "step sub"] {
            let mut session = TestSession::load(language, program);
            session.reply_text(breakpoint);
            session.reply_text(call);
            session.reply_text(&format!(":watch {m}"));
            session.reply_text(&format!(":log {n} \"n is {{{n}}}\""));
            session.reply_text(":break 4");
            session.reply_text(":break 5");
            expect_hits(
                &mut session,
                command,
                &[
                    &[
                        &format!("{m} 0 => 1"),
                        &format!("* watchpoint 2, {m}: 0 => 1"),
                        "=>   3",
                    ],
                    &["logpoint 3: n is 7", "* breakpoint 4 in g", "=>   4"],
                    // The watchpoint and the breakpoint at which it arrives are reported together.
                    &[
                        &format!("{m} 1 => 8"),
                        &format!("* watchpoint 2, {m}: 1 => 8"),
                        "also breakpoint 5",
                    ],
                ],
            );
            session.expect(
                ":breaks",
                &[
                    &format!("watch {m}   hit 2 times"),
                    &format!("\"n is {{{n}}}\"   hit once"),
                    "break 4   game:4   hit once",
                    "break 5   game:5   hit once",
                ],
            );
        }
    }
}

/// BoGL has no assignments, but a loop gives its names new values.
#[test]
fn step_expr_and_step_sub_report_all_hits_in_a_bogl_loop() {
    let program = "game Sum
type Board = Array (1,1) of Int
type Input = Int
sum : (Int,Int) -> (Int,Int)
sum(n,s) = while n > 0 do
  (n - 1, s + n)
";
    for command in ["step expr", "step sub"] {
        let mut session = TestSession::load("bogl", program);
        session.reply_text(":break sum");
        session.reply_text("sum(2,0)");
        for typed in [":watch s", ":log n \"n is {n}\"", ":break 6"] {
            session.reply_text(typed);
        }
        expect_hits(
            &mut session,
            command,
            &[
                &["2 > 0 is True", "* breakpoint 4 in sum, line 6"],
                &["logpoint 3: n is 1", "* watchpoint 2, s: 0 => 2"],
                &["1 > 0 is True", "* breakpoint 4 in sum, line 6"],
                &["logpoint 3: n is 0", "* watchpoint 2, s: 2 => 3"],
            ],
        );
        session.expect(
            ":breaks",
            &["watch s   hit 2", "\"n is {n}\"   hit 2", "game:6   hit 2"],
        );
    }
}

#[test]
fn step_expr_and_step_sub_report_all_hits_in_sgl2d_events() {
    let program = "environment > x=6 y=2
player > x=0 y=0
counter counter1 > true 9
counter counter2 > true 9
sprite bomb > color=red
event bomb > setspritecounter=6 playerdecspritecounter=1
event player > playerdeccounter1=1 playerdeccounter2=2
set bomb > x=3 y=1
";
    for command in ["step expr", "step sub"] {
        let mut session = TestSession::load("sgl2d", program);
        session.reply_text(":break 7");
        session.reply_text("right");
        for typed in [
            ":watch counter1",
            ":log counter2 \"c is {counter2}\"",
            ":break event bomb",
        ] {
            session.reply_text(typed);
        }
        expect_hits(
            &mut session,
            command,
            &[
                &["* watchpoint 2, counter1: 9 => 8"],
                &["logpoint 3: c is 7", "* breakpoint 4 in update bomb"],
            ],
        );
        session.expect(
            ":breaks",
            &["counter1   hit once", "bomb   game:6   hit once"],
        );
    }
}

/// A condition whose last value is known only where the next statement starts.
#[test]
fn step_sub_stops_at_a_breakpoint_after_a_condition() {
    let programs = [
        (
            "gridlok",
            "board { dimensions {1, 1} image {b.png} } fun f(k) {
  if k > 0 {
    k {k + 1}
  }
  return k
}",
            "f{1}",
        ),
        (
            "gridlang",
            "function int f(int k) {
  if (k > 0) {
    k = k + 1
  }
  return k
}",
            "f(1)",
        ),
    ];
    for (language, program, call) in programs {
        let mut session = TestSession::load(language, program);
        session.reply_text(":break f");
        session.reply_text(call);
        session.reply_text(":break 3");
        let replies = until_hit(&mut session, "step sub");
        assert!(replies.contains("1 > 0 is true"), "{language}: {replies}");
        assert!(replies.contains("=>   3"), "{language}: {replies}");
        session.expect(":breaks", &["break 3   game:3   hit once"]);
        session.expect("step", &["=>   5", "k=2"]);
    }
}

/// Whatever continues a statement in which `step sub` stopped, nothing on the way is lost.
#[test]
fn an_event_inside_a_statement_is_not_lost_after_step_sub() {
    let program = "board { dimensions {1, 1} image {b.png} } def a {1} def b {2} def n {0}
fun f() {
  n {rand{a, b}}
  n {n * 2}
}";
    for command in ["continue", "step", "next", "step expr", "step sub"] {
        let mut session = TestSession::load("gridlok", program);
        session.reply_text(":break f");
        session.reply_text("f{}");
        session.expect("step sub", &["a is 1"]);
        session.expect("step sub", &["b is 2"]);
        session.reply_text(":break on rand");
        session.expect(command, &["breakpoint 2", "on rand"]);
        session.expect(":breaks", &["hit once"]);
        session.expect("next", &["=>   4"]);
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
