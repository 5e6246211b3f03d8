//! What a stop says has changed since the last one.

use crate::talk::Talk;

#[test]
fn what_changed_in_a_list_is_told() {
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
    let mut talk = Talk::of("gridlok", program);
    talk.says(":break f");
    talk.says("f{}");
    let told = |talk: &mut Talk| {
        let said = talk.says("next");
        said.split("since the last stop: ")
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
        assert_eq!(told(&mut talk).as_deref(), Some(wanted));
    }
    // The same piece, placed by the same player again, is no change; a list replaced by a literal is one.
    let _ = told(&mut talk);
    assert_eq!(
        told(&mut talk).as_deref(),
        Some("names {\"z\",\"c\",} => {\"q\",}")
    );
    talk.hears("diff 0", &["there is no time 0"]);
    talk.says(":mark here");
    talk.says("names {\"new\"}");
    talk.hears("diff here", &["names {\"q\",} => {\"q\",\"new\",}"]);
}

#[test]
fn a_piece_that_changes_hands_says_whose_it_is() {
    let program = "board { dimensions {1, 1} image {b.png} } players {\"ann\", \"bob\"} piece { name {\"rock\"} }
        setup { bob { place {\"rock\", 0, 0} } } fun f() {
  place {\"rock\", 0, 0}
  return 1
}";
    let mut talk = Talk::of("gridlok", program);
    talk.says(":break f");
    talk.says("f{}");
    talk.hears(
        "next",
        &["since the last stop: [0][0].owner \"bob\" => \"ann\""],
    );
}

#[test]
fn a_great_change_of_the_board_is_told_in_a_line() {
    let program = "board { dimensions {120, 120} image {b.png} } piece { name {\"a\"} } piece { name {\"b\"} }
        setup { for x, y in board { place {\"a\", x, y} } }
        fun f() {
  for x, y in board { board[x][y].changeType {\"b\"} }
  return 1
}";
    let mut talk = Talk::of("gridlok", program);
    talk.says(":break 5");
    talk.hears(
        "f{}",
        &["since it began: [0][0], [0][1] and 14398 more: a => b\n"],
    );
}
