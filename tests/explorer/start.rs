//! What happens before the first question of a game or of a turn, and that every line shown was played.

use crate::support::{answer, entries, find, session};
use gridbug::answer::{FindResult, FindVerdict};
use gridbug::render::AnswerText;

/// A turn says hello, asks, and counts the answers that were true.
const GREETER: &str = r#"
int yes
Layout(1, 2) { Player ann; ann.position = (0,0) }
gameLoop() {
    if (yes == 2)
        print("again")
    print("hello")
    boolean b = prompt("b? ", boolean)
    if (b) { yes++ }
}
checkGameEnd() { return yes == 3 }
"#;

fn found(result: &FindResult) -> (FindVerdict, Option<usize>) {
    (result.verdict, result.length)
}

#[test]
fn code_before_the_first_question_runs_at_the_start() {
    let mut greeter = session("gridlang", GREETER);
    for goal in ["gameLoop", "line 7", "print \"hello\"", "line 8"] {
        let result = find(&mut greeter, goal);
        assert_eq!(found(&result), (FindVerdict::Found, Some(0)), "{goal}");
    }
    let text = answer(&mut greeter, ":find line 7").text();
    assert!(text.starts_with("line 7 runs at the start\n"), "{text}");
    let mut bogl = session(
        "bogl",
        "game K\ntype Input = {A, B}\ntype R = {Won, Lost}\nf : Int -> R\nf(n) = let q = n + 1 in\n  \
         if input == A then Won else\n  Lost\nresult : R\nresult = f(1)\n",
    );
    for goal in ["f", "line 5", "line 9"] {
        let result = find(&mut bogl, goal);
        assert_eq!(found(&result), (FindVerdict::Found, Some(0)), "{goal}");
    }
    // The branch that the answer decides needs the answer.
    assert_eq!(find(&mut bogl, "line 7").length, Some(1));
}

#[test]
fn code_before_a_later_question_runs_after_the_answers_before_it() {
    // Two answers have to be true; the third turn then says `again` before it asks.
    let mut greeter = session("gridlang", GREETER);
    for goal in ["line 6", "print \"again\""] {
        let result = find(&mut greeter, goal);
        assert_eq!(found(&result), (FindVerdict::Found, Some(2)), "{goal}");
        assert_eq!(entries(&result), ["true", "true"], "{goal}");
    }
    // From the open question, one answer fewer is needed once one was given.
    answer(&mut greeter, ":turn");
    answer(&mut greeter, "true");
    assert_eq!(find(&mut greeter, "line 6").length, Some(1));
    // What has run in the turn that waits does not run again without an answer.
    answer(&mut greeter, ":turn");
    assert_eq!(find(&mut greeter, "line 7").length, Some(1));
}

#[test]
fn code_of_the_setup_runs_at_the_start_until_a_move_is_made() {
    let mut game = session(
        "gridlok",
        r#"game { board { dimensions {1, 1} image {b.png} } players {"x"} def n {0}
        fun one(a) { return a + 1 }
        piece { name {"a"} image {a.png} onClick { endTurn {} } }
        setup {
            n {one {1}}
            print {"ready"}
            place {"a", 0, 0}
        } }"#,
    );
    for goal in ["one", "line 5", "print \"ready\""] {
        let result = find(&mut game, goal);
        assert_eq!(found(&result), (FindVerdict::Found, Some(0)), "{goal}");
    }
    answer(&mut game, "click{0,0}");
    for goal in ["one", "line 5", "print \"ready\""] {
        assert_eq!(
            find(&mut game, goal).verdict,
            FindVerdict::Never,
            "{goal} does not run again"
        );
    }
}

#[test]
fn an_error_at_the_start_of_a_game_is_found_without_a_move() {
    let mut game = session(
        "bogl",
        "game E\ntype R = {Won, Lost}\nresult : R\nresult = if 1 / 0 == 1 then Won else Lost\n",
    );
    let error = find(&mut game, "error");
    assert_eq!(found(&error), (FindVerdict::Found, Some(0)));
    assert_eq!(error.error.as_deref(), Some("division by zero"));
    assert_eq!(
        answer(&mut game, ":find error").text().trim_end(),
        "an error happens at the start: division by zero"
    );
    let line = find(&mut game, "line 4");
    assert_eq!(found(&line), (FindVerdict::Found, Some(0)));
    assert_eq!(find(&mut game, "Won").verdict, FindVerdict::Never);
    // Commands that need a position say why there is none.
    let text = answer(&mut game, ":stats 5").text();
    assert!(
        text.contains("the game cannot be started: division by zero"),
        "{text}"
    );
}

#[test]
fn code_before_a_draw_is_found_although_the_action_then_fails() {
    // Every throw is followed by the division.
    let mut dice = session(
        "gridlang",
        "int g\nLayout(1, 3) { Player ann; ann.position = (0,2) }\ngameLoop() {\n\
         int v = diceThrow()\nv = v / g\n}\n",
    );
    for goal in ["line 4", "line 5"] {
        let result = find(&mut dice, goal);
        assert_eq!(found(&result), (FindVerdict::Found, Some(1)), "{goal}");
    }
    // In GridLok, the click draws, then fails whatever is drawn.
    let mut click = session(
        "gridlok",
        r#"game { board { dimensions {1, 1} image {b.png} } players {"x"} def n {0}
        piece { name {"a"} image {a.png} onClick {
            print {"before"}
            n {rand {0, 2}}
            n {n / 0}
        } }
        setup { place {"a", 0, 0} } }"#,
    );
    for goal in ["line 3", "line 4", "line 5", "print \"before\""] {
        let result = find(&mut click, goal);
        assert_eq!(found(&result), (FindVerdict::Found, Some(1)), "{goal}");
    }
}

#[test]
fn every_line_of_several_was_played() {
    let mut greeter = session("gridlang", GREETER);
    let result = find(&mut greeter, "print \"hello\" count 4");
    assert_eq!(found(&result), (FindVerdict::Found, Some(0)));
    // Then `hello` is printed after each answer that does not end the game, in any of the three positions:
    // false, true; true false, true true.
    assert_eq!(result.others.len(), 3);
    assert_eq!(result.note, None);
}

#[test]
fn a_condition_that_is_true_only_at_the_end_of_a_turn_is_found() {
    // Each turn begins with 0, and a true answer ends it with 3.
    let mut game = session(
        "gridlang",
        "int g\nLayout(1, 2) { Player ann; ann.position = (0,0) }\ngameLoop() {\ng = 0\n\
         boolean b = prompt(\"b? \", boolean)\nif (b) { g = 3 }\n}\n",
    );
    let result = find(&mut game, "g == 3");
    assert_eq!(found(&result), (FindVerdict::Found, Some(1)));
    assert_eq!(entries(&result), ["true"]);
    // At the question, g is 0 again: the only position.
    assert_eq!(result.extent.positions, 1);
    assert_eq!(find(&mut game, "g == 4").verdict, FindVerdict::Never);
    // The value before the first turn counts, too, and the end of a turn is not shown twice.
    answer(&mut game, ":turn");
    answer(&mut game, "true");
    let now = find(&mut game, "g == 3 count 5");
    assert_eq!(found(&now), (FindVerdict::Found, Some(0)));
    assert_eq!(now.others, Vec::<Vec<_>>::new());
    // From the open question, one answer leads there.
    answer(&mut game, ":turn");
    assert_eq!(find(&mut game, "g == 3").length, Some(1));
}

#[test]
fn an_error_is_no_dead_end_for_find_as_for_check() {
    // After the answer 3, the next turn fails: the only action there is an error.
    let mut game = session(
        "gridlang",
        "int k\nLayout(1, 2) { Player ann; ann.position = (0,0) }\n\
         gameLoop() { k = 10 / (k - 3); int q = prompt(\"q\", int); k = q }\n",
    );
    let found_stuck = find(&mut game, "stuck inputs 0..3");
    assert_eq!(found_stuck.verdict, FindVerdict::Never);
    let checked = answer(&mut game, ":check inputs 0..3").text();
    assert!(checked.contains("no dead end"), "{checked}");
    assert_eq!(
        found(&find(&mut game, "error")),
        (FindVerdict::Found, Some(2))
    );
    // What is left out may be the effect of an action.
    let mut counter = session(
        "gridlok",
        r#"game { board { dimensions {1, 1} image {b.png} } players {"x"} def n {0}
        piece { name {"a"} image {a.png} onClick { if n < 3 { n {n + 1} } } }
        setup { place {"a", 0, 0} } }"#,
    );
    assert_eq!(
        found(&find(&mut counter, "stuck")),
        (FindVerdict::Found, Some(3))
    );
    assert_eq!(
        find(&mut counter, "stuck ignoring n").verdict,
        FindVerdict::Unknown
    );
}

#[test]
fn a_statement_without_effect_runs_only_if_its_block_does() {
    // Nothing sets n to 1, so the blocks never run. Their last statements are at the end of a function.
    let mut gridlang = session(
        "gridlang",
        "int n\nLayout(1, 2) { Player ann; ann.position = (0,0) }\ngameLoop() {\n\
         boolean b = prompt(\"b? \", boolean)\nif (n == 1) {\nint v = 2\nv = v\n}\n}\n",
    );
    let mut gridlok = session(
        "gridlok",
        "game { board { dimensions {1, 1} image {b.png} } players {\"x\"} def n {0}\n\
         piece { name {\"a\"} image {a.png} onClick {\ndef a {1}\nif n == 1 {\nn {2}\n\
         a {a}\n}\n} }\nsetup { place {\"a\", 0, 0} } }",
    );
    for (game, line) in [(&mut gridlang, 7), (&mut gridlok, 6)] {
        let result = find(game, &format!("line {line}"));
        assert_eq!(result.verdict, FindVerdict::Never, "line {line}");
        answer(game, &format!(":break {line}"));
    }
    let text = answer(&mut gridlok, "click{0,0}").text();
    assert!(!text.contains("breakpoint"), "{text}");
}
