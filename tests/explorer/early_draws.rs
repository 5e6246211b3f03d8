//! Turns of GridLang that draw a random number before they ask: the number comes before the move, and the
//! answer is the move. Only a turn that asks nothing is a move itself.

use crate::support::{answer, entries, find, session};
use gridbug::answer::{FindResult, FindVerdict, Part, SolveResult, StatsResult};
use gridbug::command::play_opponent;
use gridbug::render::AnswerText;
use gridbug::session::Session;

/// A six has to be rolled and the question answered with `true`.
const ROLL_THEN_ASK: &str = r#"
Layout(1, 2) { Player ann; ann.position = (0,0) }
gameLoop() {
    int d = diceThrow()
    boolean b = prompt("b? ", boolean)
    if (b and d == 6) { p.win = true; gameOver() }
}
"#;

/// Only a five or a six leads to a question. A one counts two points without one, `true` one point.
const MAY_ASK: &str = r#"
int points
int d
Layout(1, 2) { Player ann; Player bob; ann.position = (0,0) }
gameLoop() {
    d = diceThrow()
    if (d > 4) {
        boolean b = prompt("b? ", boolean)
        if (b) { points = points + 1 }
    }
    if (d == 1) { points = points + 2 }
    if (points >= 4) { p.win = true; gameOver() }
}
"#;

/// A three ends in an error before the question. Later, another three wins.
const FAILS_FIRST: &str = r#"
int zero
Layout(1, 2) { Player ann; Player bob; ann.position = (0,0) }
gameLoop() {
    int d = diceThrow()
    if (d == 3) { zero = 1 / zero }
    boolean b = prompt("b? ", boolean)
    d = diceThrow()
    if (d == 3 and b) { p.win = true; gameOver() }
}
"#;

/// These games, which are part of the corpus.
pub const GAMES: [(&str, &str); 3] = [
    ("roll, then ask", ROLL_THEN_ASK),
    ("may ask", MAY_ASK),
    ("fails first", FAILS_FIRST),
];

/// The moves with the numbers drawn: `true 6`.
fn moves(result: &FindResult) -> Vec<String> {
    let text = |m: &gridbug::answer::LineMove| {
        let draws = m.draws.iter().map(|n| format!(" {n}"));
        m.entry.clone() + &draws.collect::<String>()
    };
    result.moves.iter().map(text).collect()
}

fn value(session: &mut Session, expression: &str) -> String {
    let answer = answer(session, expression);
    answer.value.clone().unwrap_or_else(|| panic!("{answer:?}"))
}

fn stats(session: &mut Session) -> StatsResult {
    let answer = answer(session, ":stats");
    let found = answer.parts.iter().find_map(|part| match part {
        Part::Stats(result) => Some((**result).clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{}", answer.text()))
}

fn solved(session: &mut Session) -> SolveResult {
    let answer = answer(session, ":solve");
    let found = answer.parts.iter().find_map(|part| match part {
        Part::Solve(result) => Some((**result).clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{}", answer.text()))
}

#[test]
fn a_number_drawn_before_the_question_is_part_of_the_answers_move() {
    let mut game = session("gridlang", ROLL_THEN_ASK);
    let result = find(&mut game, "win within 1");
    assert_eq!(
        (result.verdict, result.length),
        (FindVerdict::Found, Some(1))
    );
    assert_eq!(moves(&result), ["true 6"]);
    assert!(result.shortest);
    // The line is a branch: it scripts the number, begins the turn and answers.
    assert!(answer(&mut game, ":redo").ok);
    assert_eq!(value(&mut game, "ann.win"), "true");
    assert!(answer(&mut game, ":undo").ok);
    assert_eq!(value(&mut game, "ann.win"), "false");
}

#[test]
fn before_the_number_only_the_turn_can_begin() {
    let mut game = session("gridlang", ROLL_THEN_ASK);
    let text = answer(&mut game, ":moves").text();
    assert!(text.contains("1 move for ann"), "{text}");
    assert!(text.contains(":turn  draws a random number"), "{text}");
    // Once it is known, the answers are the moves.
    answer(&mut game, ":turn");
    let text = answer(&mut game, ":moves all").text();
    assert!(text.contains("true") && text.contains("false"), "{text}");
    assert!(!text.contains(":turn"), "{text}");
}

#[test]
fn a_turn_that_asks_nothing_is_a_move() {
    let mut game = session("gridlang", MAY_ASK);
    let result = find(&mut game, "win");
    // Two ones: nobody is asked.
    assert_eq!(moves(&result), [":turn 1", ":turn 1"]);
    assert_eq!(result.player.as_deref(), Some("bob"));
    let players: Vec<_> = result.moves.iter().map(|m| m.player.as_deref()).collect();
    assert_eq!(players, [Some("ann"), Some("bob")]);
    // An odd number of points needs an answer.
    let result = find(&mut game, "points == 3");
    assert_eq!(result.length, Some(2));
    let mut kinds = entries(&result);
    kinds.sort();
    assert_eq!(kinds, [":turn", "true"]);
    assert_eq!(
        find(&mut game, "points == 3 within 1").verdict,
        FindVerdict::NotWithin
    );
    let result = find(&mut game, "points == 3 count 100");
    assert!(result.others.iter().all(|line| line.len() >= 2));
}

#[test]
fn what_happens_between_the_number_and_the_question_needs_no_answer() {
    let mut game = session("gridlang", MAY_ASK);
    // At the start, a turn has to begin for it.
    for (goal, line) in [
        ("d == 6", ":turn 6"),
        ("line 8", ":turn 5"),
        ("line 11 within 1", ":turn 1"),
    ] {
        let result = find(&mut game, goal);
        assert_eq!(moves(&result), [line], "{goal}");
        assert!(result.shortest, "{goal}");
    }
    // Later it belongs to the move before it.
    let result = find(
        &mut game,
        "points == 1 AND d == 6".replace("AND", "and").as_str(),
    );
    assert_eq!(result.length, Some(1));
    assert_eq!(result.moves[0].entry, "true");
}

#[test]
fn an_error_before_the_question_is_found_with_its_number() {
    let mut game = session("gridlang", FAILS_FIRST);
    let result = find(&mut game, "error");
    assert_eq!(moves(&result), [":turn 3"]);
    assert_eq!(result.error.as_deref(), Some("division by zero"));
    let text = answer(&mut game, ":check").text();
    assert!(
        text.contains("division by zero") && text.contains(":turn  (draws 3)"),
        "{text}"
    );
    // The number of the next turn is not that of the answer.
    let result = find(&mut game, "win count 2");
    assert_eq!(moves(&result), ["true 1 3"]);
    assert_eq!(result.others.len(), 1);
    assert_eq!(result.others[0].len(), 2);
}

#[test]
fn exact_numbers_count_answers() {
    // One turn: the number and the answer decide.
    let once = ROLL_THEN_ASK.replace(
        "p.win = true; gameOver() }",
        "p.win = true }\n    gameOver()",
    );
    let mut game = session("gridlang", &once);
    let stats = stats(&mut game);
    assert!(stats.exact);
    let won = stats.results.iter().find(|r| r.name == "win");
    let won = won.unwrap_or_else(|| panic!("{stats:?}"));
    assert!((won.rate - 1.0 / 12.0).abs() < 1e-12, "{won:?}");
    assert_eq!((stats.length.min, stats.length.max), (1, 1));
    assert_eq!(stats.choices.max, 2);
}

#[test]
fn a_win_that_no_number_prevents_is_solved() {
    let sure = ROLL_THEN_ASK.replace("b and d == 6", "b or d == 6");
    let mut game = session("gridlang", &sure);
    let result = solved(&mut game);
    assert_eq!(result.distance, Some(1));
    let listed: Vec<_> = result
        .moves
        .iter()
        .map(|m| (m.entry.as_str(), m.distance))
        .collect();
    assert_eq!(listed, [(":turn", Some(1))]);
    // With the number on the table, only one answer wins for sure.
    answer(&mut game, ":rand next 2");
    answer(&mut game, ":turn");
    let result = solved(&mut game);
    assert_eq!(result.moves[0].entry, "true");
    assert_eq!(result.moves[0].distance, Some(1));
}

#[test]
fn a_line_of_best_play_ends_where_the_next_number_is_drawn() {
    // The next turn may end without a question, so that it is a move itself.
    let three_turns = MAY_ASK
        .replace("int points", "int turns\nint points")
        .replace("d = diceThrow()", "d = diceThrow(); turns = turns + 1")
        .replace("points >= 4", "turns == 3 or points >= 4");
    let solved_at_six = |text: &str| {
        let mut game = session("gridlang", text);
        answer(&mut game, ":rand next 6");
        answer(&mut game, ":turn");
        let result = solved(&mut game);
        assert!(result.exact, "{result:?}");
        assert_eq!(result.moves.len(), 2, "both answers have a value");
        let hint = answer(&mut game, ":hint").text();
        (result, hint)
    };
    let (result, hint) = solved_at_six(&three_turns);
    assert_eq!(result.line.len(), 1);
    assert!(hint.starts_with(&result.moves[0].entry), "{hint}");
    // Where positions repeat, it is not known what an answer is worth on average.
    let (result, hint) = solved_at_six(MAY_ASK);
    assert!(result.line.is_empty());
    assert!(hint.contains("no best move is known"), "{hint}");
}

#[test]
fn a_hint_chooses_what_wins_more_often() {
    // Rolling again wins with three of six numbers, staying with two.
    let text = r#"
Layout(1, 2) { Player ann; Player bob; ann.position = (0,0) }
gameLoop() {
    boolean stay = prompt("stay? ", boolean)
    int d = diceThrow()
    if (stay and d < 3) { p.win = true }
    if (!stay and d < 4) { p.win = true }
    gameOver()
}
"#;
    let mut game = session("gridlang", text);
    let hint = answer(&mut game, ":hint").text();
    assert!(hint.starts_with("false  depends on chance"), "{hint}");
    assert_eq!(solved(&mut game).line[0].entry, "false");
}

#[test]
fn the_computer_rolls_and_answers() {
    let sure = MAY_ASK.replace("points >= 4", "points >= 1");
    let mut game = session("gridlang", &sure);
    answer(&mut game, ":opponent ann 2");
    answer(&mut game, ":opponent bob 2");
    while play_opponent(&mut game).is_some() {}
    // The first player who is asked says `true`.
    assert_eq!(value(&mut game, "points > 0"), "true");
    assert!(game.target.machine.is_idle());
}

#[test]
fn a_property_is_violated_after_the_turn_that_does_it() {
    let mut game = session("gridlang", MAY_ASK);
    answer(&mut game, ":always points < 2");
    let text = answer(&mut game, ":check").text();
    assert!(text.contains("it is false after 1 move\n"), "{text}");
    assert!(text.contains("1  ann  :turn  (draws 1)"), "{text}");
}
