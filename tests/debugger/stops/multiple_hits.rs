//! Several breakpoints and watchpoints at one instruction.

use crate::test_session::TestSession;

/// Every breakpoint at an instruction is checked, whichever of them stops.
#[test]
fn breakpoints_at_one_instruction_count_separately() {
    let program = "board { dimensions {1, 1} image {b.png} } fun f(n) { if n < 1 { return 0 } f{n - 1} return n }";
    let mut session = TestSession::load("gridlok", program);
    for typed in [
        ":break f if n == 4",
        ":break f hits %2",
        ":log f \"n is {n}\"",
        ":break f if n == 3 do print n + 100",
    ] {
        session.reply_text(typed);
    }
    // The calls are with 5, 4, 3, 2, 1 and 0: the second breakpoint stops at the second, fourth and
    // sixth.
    session.expect(
        "f{5}",
        &[
            "logpoint 3: n is 5",
            "* breakpoint 1 in f",
            "also breakpoint 2",
            "logpoint 3: n is 4",
            "n=4",
        ],
    );
    session.expect(
        "c",
        &["* breakpoint 4 in f", "n=3", "logpoint 3: n is 3", "= 103"],
    );
    session.expect("c", &["* breakpoint 2 in f", "n=2"]);
    session.expect("c", &["* breakpoint 2 in f", "n=0"]);
    session.expect(
        ":breaks",
        &[
            "if n == 4   hit once",
            "hits %2   hit 6 times",
            "\"n is {n}\"   hit 6 times",
        ],
    );
    let line = session.reply_text("rc");
    assert!(line.contains("* breakpoint 2 in f"), "{line}");
}

#[test]
fn watchpoints_on_one_variable_are_reported_together() {
    let program = "board { dimensions {1, 1} image {b.png} } def n {0} def m {0}";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text(":watch n");
    session.reply_text(":awatch n");
    session.expect(
        "n {7}",
        &[
            "* watchpoint 1, n: 0 => 7, in entry",
            "also watchpoint 2, n: 0 => 7",
        ],
    );
    session.expect(":breaks", &["watch n   hit once", "awatch n   hit once"]);
}

/// A watchpoint stops after the statement, where other breakpoints may be.
#[test]
fn a_watchpoint_reports_the_breakpoints_at_which_it_stops() {
    let programs = [
        (
            "gridlok",
            "board { dimensions {1, 1} image {b.png} } def n {0} fun f() {\n  n {1}\n  n {2}\n}",
            "f{}",
        ),
        (
            "gridlang",
            "int n = 0; function void f() {\n  n = 1\n  n = 2\n}",
            "f()",
        ),
    ];
    for (language, program, call) in programs {
        let mut session = TestSession::load(language, program);
        for typed in [":watch n", ":break 3", ":log 3 \"n is {n}\""] {
            session.reply_text(typed);
        }
        session.expect(
            call,
            &[
                "logpoint 3: n is 1",
                "* watchpoint 1, n: 0 => 1",
                "also breakpoint 2",
            ],
        );
        session.expect("c", &["* watchpoint 1, n: 1 => 2"]);
        session.expect(
            ":breaks",
            &[
                "watch n   hit 2 times",
                "break 3   game:3   hit once",
                "\"n is {n}\"   hit once",
            ],
        );
    }
}

/// Lines 3 to 5 each change `x` with a single instruction, which is also where the line starts.
const FUSED: [(&str, &str, &str); 2] = [
    (
        "gridlok",
        "board { dimensions {1, 1} image {b.png} } fun h() {\n  def x {0}\n  x {x + 1}\n  \
         x {x * 3}\n  x {x - 1}\n  return x\n}",
        "h{}",
    ),
    (
        "gridlang",
        "function int h() {\n  int x = 0\n  x = x + 1\n  x *= 3\n  x--\n  return x\n}",
        "h()",
    ),
];

#[test]
fn reverse_continue_stops_for_a_change_and_then_for_the_breakpoint_before_it() {
    for (language, program, call) in FUSED {
        let mut session = TestSession::load(language, program);
        for line in 3..=5 {
            session.reply_text(&format!(":break {line}"));
        }
        session.expect(call, &["* breakpoint 1", "=>   3"]);
        session.reply_text(":watch x");
        session.expect("c", &["* watchpoint 4, x: 0 => 1", "also breakpoint 2"]);
        session.expect("c", &["* watchpoint 4, x: 1 => 3", "also breakpoint 3"]);
        session.expect("c", &["* watchpoint 4, x: 3 => 2", "=>   6"]);
        for (line, change) in [(5, "2 <= 3"), (4, "3 <= 1"), (3, "1 <= 0")] {
            let place = format!("=>   {line}");
            session.expect(":rc", &[&format!("* watchpoint 4, x: {change}"), &place]);
            let breakpoint = format!("* breakpoint {}", line - 2);
            session.expect(":rc", &[&breakpoint, &place]);
        }
        session.expect(":rc", &["No breakpoint was hit"]);
    }
}

#[test]
fn reverse_continue_stops_for_a_read_and_then_for_the_breakpoint_before_it() {
    for (language, program, call) in FUSED {
        for (watch, reported) in [("rwatch", "x is read"), ("awatch", "x: 3 <= 1")] {
            let mut session = TestSession::load(language, program);
            session.reply_text(":break 4");
            session.expect(call, &["* breakpoint 1", "=>   4"]);
            session.reply_text(&format!(":{watch} x"));
            session.expect("c", &["* watchpoint 2", "=>   5"]);
            session.expect(":rc", &[&format!("* watchpoint 2, {reported}"), "=>   4"]);
            session.expect(":rc", &["* breakpoint 1", "=>   4"]);
            session.expect(":rc", &["* watchpoint 2", "=>   3"]);
        }
    }
}

#[test]
fn all_watchpoints_of_an_instruction_are_reported_on_the_way_back() {
    for (language, program, call) in FUSED {
        let mut session = TestSession::load(language, program);
        session.reply_text(":break 4");
        session.reply_text(call);
        session.reply_text(":watch x");
        session.reply_text(":watch x * 2");
        session.expect("c", &["watchpoint 2, x: 1 => 3", "also watchpoint 3"]);
        session.expect(
            ":rc",
            &[
                "* watchpoint 2, x: 3 <= 1",
                "also watchpoint 3, x * 2: 6 <= 2",
            ],
        );
        session.expect(":why x", &["line 3"]);
    }
}

#[test]
fn a_step_after_a_reverse_watch_stop_forgets_the_breakpoint_before_it() {
    for (language, program, call) in FUSED {
        let mut session = TestSession::load(language, program);
        session.reply_text(":break 4");
        session.reply_text(call);
        session.reply_text(":watch x");
        session.reply_text("c");
        session.expect(":rc", &["* watchpoint 2, x: 3 <= 1", "=>   4"]);
        // The breakpoint is where the program stops now: going back does not stop there again.
        session.reply_text("step");
        session.expect(":rs", &["=>   4"]);
        session.expect(":rc", &["* watchpoint 2, x: 1 <= 0", "=>   3"]);
    }
}
