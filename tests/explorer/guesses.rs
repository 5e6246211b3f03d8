//! Answers that a search guesses: which are tried, and that nothing is claimed about the others.

use crate::support::{answer, check, entries, find, session};
use gridbug::answer::{CheckVerdict, FindVerdict, RemarkKind};
use gridbug::render::AnswerText;
use gridbug::session::Session;

/// A game of BoGL that is won with one answer.
fn bogl_guess(condition: &str) -> Session {
    let text = format!(
        "game Guess\ntype R = {{Won, Lost}}\nresult : R\nresult = let n = input in if {condition} then Won else Lost\n"
    );
    session("bogl", &text)
}

/// A game of GridLang in which a prompt of a type is won with `condition`. Other answers change nothing.
fn gridlang_guess(globals: &str, ty: &str, condition: &str) -> Session {
    let text = format!(
        "{globals}
Layout(1, 2) {{ Player ann; ann.position = (0,0) }}
gameLoop() {{
  {ty} g = prompt(\"guess? \", {ty})
  if ({condition}) {{ p.win = true }}
}}
checkGameEnd() {{ return ann.win }}
"
    );
    session("gridlang", &text)
}

/// Asserts that a goal is found with one answer.
fn assert_answer(mut session: Session, goal: &str, expected: &str) {
    let found = find(&mut session, goal);
    assert_eq!(found.verdict, FindVerdict::Found, "{found:?}");
    assert_eq!(entries(&found), [expected]);
}

#[test]
fn numbers_of_the_program_and_their_neighbors_are_tried() {
    assert_answer(bogl_guess("n == 500"), "Won", "500");
    assert_answer(bogl_guess("n == -5"), "Won", "-5");
    assert_answer(bogl_guess("n > 500"), "Won", "501");
    assert_answer(bogl_guess("n < -5"), "Won", "-6");
    // The largest number plus one, although it is above what is tried completely.
    assert_answer(bogl_guess("n == 7 * 11"), "Lost", "0");
}

#[test]
fn start_values_and_constants_of_the_session_are_tried() {
    let game = gridlang_guess("int secret = 42", "int", "g == secret");
    assert_answer(game, "win", "42");
    let mut game = gridlang_guess("int secret", "int", "g == secret");
    // 4711 is not in the program, but nothing in play changes the variable.
    assert!(answer(&mut game, "secret = 4711").ok);
    assert_answer(game, "win", "4711");
    let game = gridlang_guess("", "int", "g == -17");
    assert_answer(game, "win", "-17");
}

#[test]
fn texts_with_spaces_are_tried() {
    let game = gridlang_guess("", "string", "g == \"go north\"");
    assert_answer(game, "win", "go north");
}

#[test]
fn what_guessed_answers_do_not_reach_is_undecided() {
    // The program does not contain 6561 or its neighbors.
    let mut game = bogl_guess("n == 81 * 81");
    let found = find(&mut game, "Won");
    assert_eq!(found.verdict, FindVerdict::Unknown);
    assert!(found.extent.guessed && found.extent.complete);
    let text = answer(&mut game, ":find Won").text();
    assert!(text.contains("other answers are possible"), "{text}");
    assert!(text.contains("assuming that numbers are 0 to 82"), "{text}");
    let found = find(&mut game, "Won within 1");
    assert_eq!(found.verdict, FindVerdict::Unknown);
    // With answers of the user, the claim is about these.
    let found = find(&mut game, "Won inputs 0..9");
    assert_eq!(found.verdict, FindVerdict::Never);
    assert!(!found.extent.guessed);
    let found = find(&mut game, "Won inputs 6560..6562");
    assert_eq!(found.verdict, FindVerdict::Found);
    assert_eq!(entries(&found), ["6561"]);
}

#[test]
fn why_not_says_what_was_assumed() {
    let mut game = gridlang_guess("", "int", "g == 81 * 81");
    let text = answer(&mut game, ":why not win").text();
    assert!(
        text.contains("not known whether win is reachable: searched 1 position, assuming that"),
        "{text}"
    );
    assert!(!text.contains("no move is possible"), "{text}");
}

#[test]
fn no_move_with_guessed_answers_is_no_dead_end() {
    let mut game = gridlang_guess("", "int", "g == 81 * 81");
    let found = find(&mut game, "stuck");
    assert_eq!((found.verdict, found.branch), (FindVerdict::Unknown, None));
    let text = answer(&mut game, ":hint").text();
    assert!(
        text.contains("no move is possible with these answers"),
        "{text}"
    );
    let text = answer(&mut game, ":solve").text();
    assert!(
        text.contains("cannot be won from here, with these answers\nassuming"),
        "{text}"
    );
    let checked = check(&mut game, "");
    assert!(checked.remarks.is_empty() && !checked.decided);
}

#[test]
fn symbols_booleans_and_cells_are_complete() {
    let text = "game Guess\ntype R = {Won, Lost}\ntype Input = {A, B}\nresult : R\nresult = if input == A then Lost else Lost\n";
    let found = find(&mut session("bogl", text), "Won");
    assert_eq!(found.verdict, FindVerdict::Never);
    let mut game = gridlang_guess("", "boolean", "g && !g");
    assert_eq!(find(&mut game, "win").verdict, FindVerdict::Never);
    let mut game = gridlang_guess("", "coordinate", "g == (1, 1)");
    assert_eq!(find(&mut game, "win").verdict, FindVerdict::Never);
}

/// One heap of stones: a player takes one to six, and anything else is refused.
const NIM: &str = "game Nim
type Player = {X, O}
type Input = Int
other : Player -> Player
other(p) = if p == X then O else X
play : (Player, Int) -> Player
play(p, a) = if a == 0 then other(p) else ask(p, a, input)
ask : (Player, Int, Int) -> Player
ask(p, a, m) = if m < 1 then play(p, a) else if m > 6 then play(p, a) else
  if m > a then play(p, a) else play(other(p), a - m)
result : Player
result = play(X, 5)
";

#[test]
fn check_claims_nothing_about_guessed_answers() {
    let mut game = session("bogl", NIM);
    assert!(answer(&mut game, ":always 1 == 1").ok);
    let checked = check(&mut game, "");
    assert!(!checked.decided);
    assert!(
        checked.remarks.is_empty() && checked.ok.is_empty(),
        "{checked:?}"
    );
    assert_eq!(checked.properties[0].verdict, CheckVerdict::Undecided);
    // Of these answers none is larger than 6; it says which they are.
    let checked = check(&mut game, "inputs 0..6");
    let never: Vec<&str> = checked
        .remarks
        .iter()
        .filter(|r| r.kind == RemarkKind::NeverTrue)
        .map(|r| r.subject.as_str())
        .collect();
    assert_eq!(never, ["m > 6"]);
    assert_eq!(checked.extent.assumed, ["answers are 0 to 6"]);
    assert_eq!(checked.properties[0].verdict, CheckVerdict::Holds);
    // X starts with five stones; later each may face one to four of them; and each may win.
    assert_eq!(
        find(&mut game, "1 == 2").extent.positions,
        1 + 2 * 4 - 1 + 2
    );
}

#[test]
fn an_answer_does_not_depend_on_what_was_asked_before() {
    // The goal mentions a number that the program does not.
    let goal = "g == 4711";
    let text = "int g\nLayout(1, 2) { Player ann; ann.position = (0,0) }\ngameLoop() { g = prompt(\"? \", int) }\n";
    let mut game = session("gridlang", text);
    let alone = find(&mut game, goal);
    assert_eq!(alone.verdict, FindVerdict::Found);
    let mut game = session("gridlang", text);
    find(&mut game, "g == 1");
    assert_eq!(entries(&find(&mut game, goal)), ["4711"]);
}

#[test]
fn a_property_that_draws_a_random_number_is_not_violated() {
    let mut game = crate::support::sample("gridlok");
    assert!(answer(&mut game, ":never rand {0, 2} == 1").ok);
    let checked = check(&mut game, "");
    assert_eq!(checked.properties[0].verdict, CheckVerdict::Undecided);
}

/// A piece that is hidden until it is clicked.
const HIDDEN: &str = r#"game { board { dimensions {1, 2} } players {"x", "o"}
 piece { name {"m"} onClick { visible {true} endTurn {} } }
 setup { place {"m", 0, 0} place {"m", 0, 1} }
 loseCondition { lose {board[0][0].visible} }
}"#;

#[test]
fn that_hidden_pieces_are_seen_is_listed() {
    let assumption = "assuming that hidden pieces are seen by the search";
    let mut game = session("gridlok", HIDDEN);
    for command in [
        ":find lose",
        ":find win",
        ":check",
        ":solve",
        ":hint",
        ":stats",
        ":stats 5",
    ] {
        let text = answer(&mut game, command).text();
        assert!(text.contains(assumption), "{command}: {text}");
    }
    let open = HIDDEN.replace("visible {true} ", "changeType {\"n\"} ");
    let open = open.replace(" setup", " piece { name {\"n\"} }\n setup");
    let mut game = session("gridlok", &open);
    let text = answer(&mut game, ":find win").text();
    assert!(!text.contains(assumption), "{text}");
}
