//! `:moves`: what can be done now, and what it would do.

use crate::support::{answer, sample, session};
use gridbug::answer::{MoveList, Part};
use gridbug::render::AnswerText;
use gridbug::session::Session;

fn moves(session: &mut Session, line: &str) -> (MoveList, String) {
    let answer = answer(session, line);
    let list = answer.parts.iter().find_map(|part| match part {
        Part::Moves(list) => Some(list.clone()),
        _ => None,
    });
    (list.expect("moves"), answer.text())
}

#[test]
fn actions_with_the_same_result_are_one_move() {
    let game = include_str!("../../sessions/gridlok/connect-four.gl");
    let mut game = session("gridlok", game);
    let (list, text) = moves(&mut game, ":moves");
    // A disc falls to the lowest free cell, wherever in its column the click was.
    let same = |entry: &str| {
        let found = list.moves.iter().find(|m| m.entry == entry);
        found.and_then(|m| m.same_as.clone())
    };
    assert_eq!(list.moves.len(), 42);
    assert_eq!(same("click{0,3}"), None);
    assert_eq!(same("click{4,3}").as_deref(), Some("click{0,3}"));
    assert!(text.starts_with("7 moves for red\n"), "{text}");
    assert!(
        text.ends_with("35 other actions do the same; `:moves all` lists them"),
        "{text}"
    );
    let (_, text) = moves(&mut game, ":moves all");
    assert!(text.starts_with("7 moves for red\n"), "{text}");
    assert!(
        text.contains("click{5,6}  the same as click{0,6}"),
        "{text}"
    );
}

#[test]
fn a_difference_that_cannot_matter_is_still_a_difference_to_see() {
    let text = r#"game {
  board { dimensions {1, 2} image {b.png} }
  players {"p"}
  def last {0}
  piece { name {"a"} image {a.png} onClick { last {pieceCol + 1} endTurn {} } }
  setup { for r, c in board { place {"a", r, c} } }
  winCondition { win {turnCount > 0} }
}"#;
    let (list, text) = moves(&mut session("gridlok", text), ":moves");
    assert!(list.moves.iter().all(|m| m.same_as.is_none()), "{text}");
    assert!(
        text.contains("last 0 => 1") && text.contains("last 0 => 2"),
        "{text}"
    );
}

#[test]
fn answers_show_what_they_do_before_the_turn_has_started() {
    let mut game = session(
        "gridlang",
        include_str!("../../sessions/gridlang/collect.grid"),
    );
    let (_, text) = moves(&mut game, ":moves");
    assert!(text.starts_with("3 moves for tess\n"), "{text}");
    assert!(text.contains("  e  tess.position (0,0) => (0,1)"), "{text}");
    // West and north are off the board.
    assert!(
        text.contains("1 other action does the same, 3 have no effect"),
        "{text}"
    );
    assert!(text.contains("`:turn` asks for them"), "{text}");
    answer(&mut game, ":turn");
    let (_, at_the_question) = moves(&mut game, ":moves");
    assert!(at_the_question.contains("  e  tess.position (0,0) => (0,1)"));
    assert!(
        !at_the_question.contains("asks for them"),
        "{at_the_question}"
    );
}

#[test]
fn answers_without_a_visible_effect_share_lines() {
    let mut game = session(
        "gridlang",
        include_str!("../../sessions/gridlang/capture.grid"),
    );
    let (list, text) = moves(&mut game, ":moves");
    assert_eq!(list.moves.len(), 25);
    assert_eq!(text.lines().count(), 5, "{text}");
}

#[test]
fn every_list_of_moves_fits_in_80_columns() {
    for (language, file, text) in crate::support::corpus() {
        let mut session = session(language, &text);
        let answer = answer(&mut session, ":moves");
        let moves = answer.text();
        let longest = moves.lines().max_by_key(|line| line.chars().count());
        let columns = longest.map_or(0, |line| line.chars().count());
        assert!(!answer.ok || columns <= 80, "{file}: {longest:?}");
    }
}

#[test]
fn a_single_action_without_effect_is_it() {
    let mut game = sample("gridlok");
    answer(&mut game, "click{1,1}");
    let (_, text) = moves(&mut game, ":moves");
    assert!(
        text.ends_with("1 other action has no effect; `:moves all` lists it"),
        "{text}"
    );
}

#[test]
fn an_interrupt_before_the_first_action_is_said() {
    let mut session = sample("gridlok");
    let now = || std::time::Duration::ZERO;
    let mut report = |_| {};
    let cancel = session.target.machine.interrupt_flag();
    cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    let limits = gridbug::explorer::SearchLimits::default();
    let mut control = gridbug::explorer::SearchControl::new(limits, &now, cancel, &mut report);
    let scope = gridbug::explorer::Scope::default();
    let Session {
        explorer, target, ..
    } = &mut session;
    let refused = explorer
        .moves(target, false, &scope, &mut control)
        .expect_err("it was interrupted");
    // No cell was tried, so none of them can be said to have no effect.
    assert_eq!(refused.message, "interrupted: the search has not begun");
}

/// The texts of the answer to `:moves`.
fn moves_text(session: &mut Session) -> Vec<String> {
    let reply = answer(session, ":moves");
    gridbug::session::to_plain_text(session, &reply)
}

#[test]
fn the_first_question_of_a_bogl_game_is_listed_before_the_game_is_started() {
    let bogl = |equation: &str| {
        let text = format!(
            "game E
type Input = {{A, B, C}}
f : Int -> Int
f(n) = {equation}
result : Int
result = f(1)"
        );
        session("bogl", &text)
    };
    let mut asking = bogl("if input == A then 1 else (if input == B then 2 else 3)");
    // B and C both lead to the second question, with the same position.
    let before = moves_text(&mut asking);
    assert_eq!(
        before,
        [
            "2 moves",
            "  A B",
            "1 other action does the same; `:moves all` lists it",
            "these are answers: `result` asks for them",
        ]
    );
    // The same answers as after it has asked, and nothing has changed by asking.
    answer(&mut asking, "result");
    assert_eq!(moves_text(&mut asking)[..3], before[..3]);
    let mut silent = bogl("if n > 5 then (if input == A then 1 else 2) else 3");
    assert_eq!(
        moves_text(&mut silent),
        ["`result` ends without a question"]
    );
    let mut failing = bogl("if 1 / (n - 1) == 2 then (if input == A then 1 else 2) else 3");
    assert_eq!(
        moves_text(&mut failing),
        ["the game cannot be started: division by zero"]
    );
}

#[test]
fn after_undo_the_moves_do_not_repeat_the_answer_that_was_taken_back() {
    let race = include_str!("../../src/languages/gridlang/info/template.grid");
    let mut game = session("gridlang", race);
    let (before, _) = moves(&mut game, ":moves");
    for line in [":turn", "2", ":undo"] {
        answer(&mut game, line);
    }
    let (after, text) = moves(&mut game, ":moves");
    assert_eq!(after.moves, before.moves, "{text}");
    // What was taken back can still be redone.
    answer(&mut game, ":redo");
    let column = answer(&mut game, "ann.position.col").value;
    assert_eq!(column.as_deref(), Some("2"));
}

#[test]
fn at_an_answer_that_was_taken_back_the_moves_are_all_answers() {
    let mut game = sample("bogl");
    let stones = |game: &mut Session| {
        let (list, _) = moves(game, ":moves");
        list.moves
            .iter()
            .map(|m| m.changes.clone())
            .collect::<Vec<_>>()
    };
    let before = stones(&mut game);
    for line in [":find You", ":redo", ":undo"] {
        answer(&mut game, line);
    }
    assert_eq!(stones(&mut game), before);
}
