//! Lines of moves are played before they are shown: what they are said to lead to has to happen.

use crate::play::solve;
use crate::support::{answer, check, corpus, explore, find, session};
use gridbug::answer::{CheckVerdict, FindVerdict, GameValue};
use gridbug::explorer::{Exploration, PositionId, Scope};
use gridbug::render::AnswerText;

/// Each click is counted in `n`, which is 0 only at the start.
const COUNTED: &str = r#"game {
  board { dimensions {1, 3} }
  players {"x", "o"}
  def n {0}
  piece { name {"a"} onClick { n {n + 1} changeType {"b"} endTurn {} } }
  piece { name {"b"} }
  setup { for r, c in board { place {"a", r, c} } }
  winCondition { win {turnCount == 2 AND n == 2} }
  drawCondition { draw {turnCount == 2 AND n == 0} }
}"#;

#[test]
fn a_condition_over_an_ignored_variable_is_confirmed_in_the_game() {
    let mut session = session("gridlok", COUNTED);
    let goal = "turnCount == 1 AND n == 0";
    assert_eq!(find(&mut session, goal).verdict, FindVerdict::Never);
    let ignoring = find(&mut session, &format!("{goal} ignoring n"));
    assert_eq!(ignoring.verdict, FindVerdict::Unknown, "{ignoring:?}");
    assert_eq!(ignoring.branch, None);
    let text = answer(&mut session, &format!(":find {goal} ignoring n")).text();
    assert!(
        text.contains("a line was found, but it does not lead there when it is played"),
        "{text}"
    );
    // A draw would end the game in the search, but not in the game.
    let draw = find(&mut session, "draw ignoring n");
    assert_eq!(draw.verdict, FindVerdict::Unknown, "{draw:?}");
}

#[test]
fn properties_over_an_ignored_variable_are_confirmed_in_the_game() {
    let mut game = session("gridlok", COUNTED);
    for property in [
        ":never turnCount == 1 AND n == 0",
        ":always turnCount != 1 OR n == 1",
        ":sometimes turnCount == 1 AND n == 0",
    ] {
        answer(&mut game, property);
    }
    let verdicts = |check: &gridbug::answer::CheckResult| -> Vec<CheckVerdict> {
        check.properties.iter().map(|p| p.verdict).collect()
    };
    let exact = check(&mut game, "");
    use CheckVerdict::{Holds, Undecided, Violated};
    assert_eq!(verdicts(&exact), [Holds, Holds, Violated]);
    let ignoring = check(&mut game, "ignoring n");
    assert_eq!(verdicts(&ignoring), [Undecided; 3]);
}

/// Each turn counts itself in `n` before and after its question.
const COUNTED_TURNS: &str = r#"Layout(1, 3) { Player ann, bob; int n; int turns }
gameLoop() {
  n = 0
  boolean b = prompt("go on? ", boolean)
  turns = turns + 1
  if (b) { n = turns + 10 }
}
checkGameEnd() { return turns == 3 }
"#;

#[test]
fn a_property_that_is_violated_at_the_end_of_a_turn_is_confirmed_there() {
    let mut game = session("gridlang", COUNTED_TURNS);
    answer(&mut game, ":never n == 12");
    let result = check(&mut game, "");
    let property = &result.properties[0];
    assert_eq!(property.verdict, CheckVerdict::Violated);
    let proof = property.proof.as_ref().unwrap();
    assert_eq!(proof.len(), 2);
    assert_eq!(proof[1].entry, "true");
    // In positions without `n`, it is 0 as it was at the start.
    let mut game = session("gridlang", COUNTED_TURNS);
    answer(&mut game, ":never turns == 1 and n == 0");
    assert_eq!(
        check(&mut game, "").properties[0].verdict,
        CheckVerdict::Violated
    );
    let mut game = session("gridlang", COUNTED_TURNS);
    answer(&mut game, ":turn");
    answer(&mut game, "true");
    answer(&mut game, ":never turns == 2 and n == 11");
    assert_eq!(
        check(&mut game, "").properties[0].verdict,
        CheckVerdict::Holds
    );
    assert_eq!(
        check(&mut game, "ignoring n").properties[0].verdict,
        CheckVerdict::Undecided
    );
}

#[test]
fn a_condition_that_is_true_only_at_the_next_question_is_confirmed_there() {
    let mut game = session("gridlang", COUNTED_TURNS);
    for (goal, length) in [
        ("turns == 1 and n == 0", 1),
        ("turns == 1 and n == 11", 1),
        ("turns == 2 and n == 12", 2),
    ] {
        let result = find(&mut game, goal);
        assert_eq!(
            (result.verdict, result.length),
            (FindVerdict::Found, Some(length)),
            "{goal}"
        );
    }
}

/// The end positions of a search.
fn ends(exploration: &Exploration) -> Vec<PositionId> {
    let ids = 0..exploration.position_count() as PositionId;
    ids.filter(|id| exploration.info(*id).is_end()).collect()
}

#[test]
fn the_value_of_a_game_is_confirmed() {
    let text = "game Pick\ntype Input = {Left, Right}\ntype End = {Good, Bad}\n\
                pick : Input -> End\npick(i) = if i == Left then Good else Bad\n\
                result : End\nresult = pick(input)\n";
    let mut game = session("bogl", text);
    let mut exploration = explore(&game);
    let ends = ends(&exploration);
    assert_eq!(ends.len(), 2);
    let target = &mut game.target;
    for id in &ends {
        for end in &ends {
            let is_same = exploration.leads_to(target, *id, *end);
            assert_eq!(is_same, id == end);
        }
    }
    for goal in ["Good", "Bad"] {
        assert_eq!(find(&mut game, goal).verdict, FindVerdict::Found);
    }
}

#[test]
fn lines_lead_to_their_own_positions_and_to_no_others() {
    for (language, file, text) in corpus() {
        let mut game = session(language, &text);
        let Ok(mut exploration) = Exploration::of(&game.target, &Scope::default()) else {
            continue;
        };
        let limits = gridbug::explorer::SearchLimits {
            positions: 200,
            threads: 1,
            ..Default::default()
        };
        crate::support::explore_with(&mut exploration, limits);
        let count = exploration.position_count() as PositionId;
        let is_chance = |id: &PositionId| exploration.info(*id).is_chance();
        let ids: Vec<PositionId> = (0..count).filter(|id| !is_chance(id)).collect();
        for pair in ids.windows(2).step_by(7) {
            let target = &mut game.target;
            assert!(
                exploration.leads_to(target, pair[0], pair[0]),
                "{file}: {}",
                pair[0]
            );
            // Ends of a game that is an expression may have the same value.
            let are_ends = pair.iter().all(|id| exploration.info(*id).is_end());
            assert!(
                are_ends || !exploration.leads_to(target, pair[0], pair[1]),
                "{file}: {pair:?}"
            );
        }
    }
}

#[test]
fn a_line_of_perfect_play_up_to_a_random_number_is_played() {
    let text = r#"game {
  board { dimensions {1, 2} }
  players {"x", "o"}
  def n {0}
  piece { name {"a"} onClick { n {rand {1, 6}} endTurn {} } }
  piece { name {"b"} onClick { n {9} endTurn {} } }
  setup { place {"a", 0, 0} place {"b", 0, 1} }
  winCondition { win {n > 0 AND n < 9} }
  loseCondition { lose {n == 9} }
}"#;
    let mut game = session("gridlok", text);
    let solved = solve(&mut game);
    assert_eq!((solved.value, solved.exact), (GameValue::Win, true));
    assert_eq!(solved.line.len(), 1);
    assert!(solved.line[0].draws.is_empty());
}

#[test]
fn the_error_at_the_end_of_a_line_is_the_one_that_was_found() {
    // Both clicks fail after the first, each with an error of its own.
    let text = r#"game {
  board { dimensions {1, 2} }
  players {"x"}
  def n {0}
  piece { name {"a"} onClick { if n == 1 { n {n / 0} } n {1} } }
  piece { name {"b"} onClick { if n == 1 { place {"a", 5, 5} } n {1} } }
  setup { place {"a", 0, 0} place {"b", 0, 1} }
}"#;
    let mut game = session("gridlok", text);
    let result = find(&mut game, "error count 2");
    assert_eq!(result.error.as_deref(), Some("division by zero"));
    assert_eq!((result.moves.len(), result.others.len()), (2, 1));
    let remarks = check(&mut game, "").remarks;
    let errors = remarks.iter().filter(|r| r.code == "CK001");
    assert_eq!(errors.count(), 2);
}
