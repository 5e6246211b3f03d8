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
