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
            reply.contains("* breakpoint 2, g") && reply.contains("a=5"),
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
    assert!(reply.starts_with("* winCondition"), "{reply}");
}
