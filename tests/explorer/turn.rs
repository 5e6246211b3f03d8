//! `turn E`: games of BoGL with two players.

use crate::support::{answer, session};
use gridbug::answer::{GameValue, Part, SolveResult, StatsResult};
use gridbug::command::play_opponent;
use gridbug::render::AnswerText;
use gridbug::session::{Answer, Session};

const TIC_TAC_TOE: &str = include_str!("../../sessions/bogl/tic-tac-toe.bgl");

fn tic_tac_toe() -> Session {
    session("bogl", TIC_TAC_TOE)
}

fn solved(answer: &Answer) -> SolveResult {
    let found = answer.parts.iter().find_map(|part| match part {
        Part::Solve(result) => Some((**result).clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{answer:?}"))
}

fn stats(answer: &Answer) -> StatsResult {
    let found = answer.parts.iter().find_map(|part| match part {
        Part::Stats(result) => Some((**result).clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{answer:?}"))
}

fn play(session: &mut Session, line: &str) -> Vec<Answer> {
    let mut answers = vec![answer(session, line)];
    answers.extend(std::iter::from_fn(|| play_opponent(session)));
    answers
}

#[test]
fn tic_tac_toe_has_the_same_value_and_rates_as_in_gridlok() {
    let mut session = tic_tac_toe();
    let refused = answer(&mut session, ":solve");
    assert!(!refused.ok && refused.text().contains("add `turn E`"));
    let result = solved(&answer(&mut session, ":solve turn p"));
    assert_eq!((result.value, result.exact), (GameValue::Draw, true));
    assert_eq!(result.player.as_deref(), Some("X"));
    assert_eq!((result.moves.len(), result.line.len()), (9, 9));
    // What was said about the turns still holds.
    let stats = stats(&answer(&mut session, ":stats"));
    assert!(stats.exact);
    let counts: Vec<_> = stats
        .results
        .iter()
        .map(|r| (r.name.as_str(), r.count))
        .collect();
    assert_eq!(
        counts,
        [("X", 131_184.0), ("O", 77_904.0), ("draw", 46_080.0)]
    );
}

#[test]
fn the_computer_answers_the_questions_of_its_player() {
    let mut session = tic_tac_toe();
    let set = answer(&mut session, ":opponent O perfect turn p");
    assert!(set.ok, "{}", set.text());
    let answers = play(&mut session, "result");
    assert_eq!(answers.len(), 1, "X is to move");
    // Every reply to a corner except for the center loses.
    let answers = play(&mut session, "(1,1)");
    let moves: Vec<_> = answers.iter().flat_map(|a| a.opponent_moves()).collect();
    assert_eq!(moves.len(), 1);
    assert_eq!(
        (moves[0].player.as_str(), moves[0].entry.as_str()),
        ("O", "(2,2)")
    );
    assert!(moves[0].exact);
    assert!(
        answers.last().unwrap().question.is_some(),
        "X is asked again"
    );
}

#[test]
fn two_computers_play_a_game_that_is_one_entry() {
    let mut session = tic_tac_toe();
    play(&mut session, ":opponent X 2 turn p");
    play(&mut session, ":opponent O perfect");
    let answers = play(&mut session, "result");
    let last = answers.last().unwrap();
    assert!(session.target.machine.is_idle(), "{last:?}");
    assert!(
        ["Tie", "O"].contains(&last.value.as_deref().unwrap_or("")),
        "{last:?}"
    );
}

#[test]
fn at_an_open_question_the_rest_of_the_game_is_solved() {
    let mut session = tic_tac_toe();
    answer(&mut session, "result");
    answer(&mut session, "(1,1)");
    answer(&mut session, "(2,1)");
    let result = solved(&answer(&mut session, ":solve turn p"));
    // A corner, answered on the edge beside it, wins in five.
    assert_eq!((result.value, result.distance), (GameValue::Win, Some(5)));
    assert_eq!(result.player.as_deref(), Some("X"));
    assert!(session.target.is_waiting_for_input());
}

#[test]
fn an_expression_that_names_no_player_is_refused() {
    let mut session = tic_tac_toe();
    for expression in ["b", "count(Empty, b)", "nobody"] {
        let refused = answer(&mut session, &format!(":solve turn {expression}"));
        assert!(!refused.ok, "{expression}");
        assert!(
            refused.text().contains("names no player"),
            "{}",
            refused.text()
        );
    }
    // The players can also be computed.
    let result = solved(&answer(&mut session, ":solve turn next(p)"));
    assert_eq!(result.player.as_deref(), Some("O"));
}

#[test]
fn what_names_the_player_does_not_split_positions() {
    use gridbug::explorer::{Exploration, Scope, SearchLimits};
    let session = tic_tac_toe();
    let scope = Scope {
        turn: Some("p".into()),
        ..Scope::default()
    };
    let mut game = Exploration::of(&session.target, &scope).unwrap();
    let limits = SearchLimits {
        time: std::time::Duration::from_secs(600),
        ..SearchLimits::default()
    };
    assert_eq!(crate::support::explore_with(&mut game, limits), None);
    assert_eq!(game.position_count(), 5478);
    let infos: Vec<_> = (0..5478)
        .map(|id| (game.depth(id), game.info(id)))
        .collect();
    let is_right = |(depth, info): &(usize, gridbug::explorer::PositionInfo)| {
        info.is_end() || info.player() == Some(depth % 2)
    };
    assert!(infos.iter().all(is_right), "X and O take turns");
    assert_eq!(infos.iter().filter(|(_, info)| info.is_end()).count(), 958);
}

#[test]
fn refused_answers_are_not_moves() {
    // A taken cell is asked for again in a loop, which is another place than the first question.
    let mut session = tic_tac_toe();
    let answer = answer(&mut session, ":stats turn p");
    let stats = answer.parts.iter().find_map(|part| match part {
        gridbug::answer::Part::Stats(stats) => Some((**stats).clone()),
        _ => None,
    });
    let stats = stats.unwrap();
    assert!(stats.exact);
    let counts: Vec<_> = stats
        .results
        .iter()
        .map(|r| (r.name.as_str(), r.count))
        .collect();
    assert_eq!(
        counts,
        [("X", 131_184.0), ("O", 77_904.0), ("draw", 46_080.0)]
    );
    assert_eq!((stats.length.min, stats.length.max), (5, 9));
}

/// Two players take one or two of five stones; the last one wins. The function that asks knows whose move it is.
const TAKE: &str = "
game Take
type Player = {A, B}
type Input = Int

other : Player -> Player
other(p) = if p == A then B else A

choose : (Player,Int) -> Int
choose(p,left) = let n = input in while not(and(n >= 1, and(n <= 2, n <= left))) do input

play : (Player,Int) -> Player
play(p,left) = let after = left - choose(p, left) in if after == 0 then p else play(other(p), after)

result : Player
result = play(A, 5)
";

#[test]
fn refused_answers_are_not_moves_where_the_function_that_asks_names_the_player() {
    let mut session = crate::support::session("bogl", TAKE);
    let stats = stats(&answer(&mut session, ":stats turn p"));
    // Ways to write 5 as a sum of ones and twos: a Fibonacci number.
    assert_eq!((stats.exact, stats.games), (true, 8.0), "{stats:?}");
    assert_eq!((stats.length.min, stats.length.max), (3, 5));
    let solved = solved(&answer(&mut session, ":solve turn p"));
    let moves: Vec<_> = solved.moves.iter().map(|m| m.entry.as_str()).collect();
    assert_eq!((solved.distance, moves), (Some(3), vec!["2", "1"]));
}
