//! Selecting a frame changes what is shown, never what runs or where it stops.

use crate::test_session::TestSession;

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
