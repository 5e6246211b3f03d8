//! What a stop reports as changed since the last one.

use crate::test_session::TestSession;

#[test]
fn changes_in_a_list_are_shown() {
    let program = "board { dimensions {1, 2} image {b.png} } players {\"ann\", \"bob\"} piece { name {\"rock\"} }
        def names {\"a\", \"b\",} def many {0,} setup { for i(0, 60) { many {i} } ann { place {\"rock\", 0, 0} } }
        fun f() {
  names {\"c\"}
  names[0] {\"z\"}
  names[1] {}
  many {7}
  many[50] {many[50] + 1}
  place {\"rock\", 0, 0}
  names {\"q\",}
  return 1
}";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text(":break f");
    session.reply_text("f{}");
    let change_line = |session: &mut TestSession| {
        let reply = session.reply_text("next");
        reply
            .split("since the last stop: ")
            .nth(1)
            .map(|t| t.lines().next().unwrap_or("").to_string())
    };
    let wanted = [
        "names {\"a\",\"b\",} => {\"a\",\"b\",\"c\",}",
        "names {\"a\",\"b\",\"c\",} => {\"z\",\"b\",\"c\",}",
        "names {\"z\",\"b\",\"c\",} => {\"z\",\"c\",}",
        "many has 62 elements, had 61",
        "many[50] 49 => 50",
    ];
    for wanted in wanted {
        assert_eq!(change_line(&mut session).as_deref(), Some(wanted));
    }
    // Placing the same piece by the same player again changes nothing; replacing a list by a literal
    // does.
    let _ = change_line(&mut session);
    assert_eq!(
        change_line(&mut session).as_deref(),
        Some("names {\"z\",\"c\",} => {\"q\",}")
    );
    session.expect("diff 0", &["there is no time 0"]);
    session.reply_text(":mark here");
    session.reply_text("names {\"new\"}");
    session.expect("diff here", &["names {\"q\",} => {\"q\",\"new\",}"]);
}

#[test]
fn a_change_of_owner_names_both_owners() {
    let program = "board { dimensions {1, 1} image {b.png} } players {\"ann\", \"bob\"} piece { name {\"rock\"} }
        setup { bob { place {\"rock\", 0, 0} } } fun f() {
  place {\"rock\", 0, 0}
  return 1
}";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text(":break f");
    session.reply_text("f{}");
    session.expect(
        "next",
        &["since the last stop: [0][0].owner \"bob\" => \"ann\""],
    );
}

#[test]
fn a_large_change_of_the_board_is_summarized() {
    let program = "board { dimensions {120, 120} image {b.png} } piece { name {\"a\"} } piece { name {\"b\"} }
        setup { for x, y in board { place {\"a\", x, y} } }
        fun f() {
  for x, y in board { board[x][y].changeType {\"b\"} }
  return 1
}";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text(":break 5");
    session.expect(
        "f{}",
        &["since it began: [0][0], [0][1] and 14398 more: a => b\n"],
    );
}
