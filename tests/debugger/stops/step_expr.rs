//! Where `step expr` stops on its way.

use crate::talk::Talk;

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
        let mut talk = Talk::of("gridlok", program);
        talk.says(":break f");
        talk.says("f{}");
        talk.says(":break g");
        let mut said = String::new();
        while !said.contains("breakpoint") {
            said = talk.says(command);
            assert!(
                !said.contains("line 7") && !said.contains("=>   7"),
                "{command} went past the call: {said}"
            );
        }
        assert!(
            said.contains("* breakpoint 2, g") && said.contains("a=5"),
            "{said}"
        );
        talk.hears("fin", &["g returned 5"]);
        talk.hears("next", &["x=6"]);
    }
}

#[test]
fn step_expr_in_the_past_passes_nested_entries() {
    let program = "board { dimensions {1, 1} image {b.png} } def n {0} fun f() {
  n {n + 1}
  return n
}";
    let mut talk = Talk::of("gridlok", program);
    talk.says(":break f");
    talk.says("f{}");
    talk.says(":mark m");
    talk.says("n {50}");
    talk.says("next");
    for command in ["se", "ss"] {
        talk.says(":goto m");
        talk.hears(command, &["=>   1  n {50}"]);
        talk.hears("se", &["n 0 => 50", "=>   2    n {n + 1}"]);
        talk.hears("se", &["50 + 1 is 51", "=>   3    return n"]);
    }
}

#[test]
fn step_expr_hides_the_rules_of_play() {
    let program =
        "board { dimensions {1, 1} image {b.png} } players {\"p\"} winCondition { win {1 == 2} }";
    let mut talk = Talk::of("gridlok", program);
    talk.says(":break on endTurn");
    talk.says("endTurn{}");
    let said = talk.says("se");
    assert!(said.starts_with("* winCondition"), "{said}");
}
