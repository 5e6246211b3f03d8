//! `:solve`, `:hint` and `:stats`, compared with games whose answers are known.

use crate::support::{answer, explore, find, sample, session};
use gridbug::answer::{FindVerdict, GameValue, Part, SolveResult, StatsResult};
use gridbug::render::AnswerText;
use gridbug::session::Session;

pub fn solve(session: &mut Session) -> SolveResult {
    let answer = answer(session, ":solve");
    let solved = answer.parts.iter().find_map(|part| match part {
        Part::Solve(result) => Some((**result).clone()),
        _ => None,
    });
    solved.unwrap_or_else(|| panic!("{answer:?}"))
}

pub fn stats(session: &mut Session, arguments: &str) -> StatsResult {
    let answer = answer(session, &format!(":stats {arguments}"));
    let stats = answer.parts.iter().find_map(|part| match part {
        Part::Stats(result) => Some((**result).clone()),
        _ => None,
    });
    stats.unwrap_or_else(|| panic!("{answer:?}"))
}

pub fn rate(stats: &StatsResult, name: &str) -> f64 {
    let result = stats.results.iter().find(|r| r.name == name);
    result.unwrap_or_else(|| panic!("{name}: {stats:?}")).rate
}

pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

fn close_to(a: f64, b: f64, by: f64) -> bool {
    (a - b).abs() < by
}

#[test]
fn tic_tac_toe_is_a_draw_with_best_play() {
    let mut session = sample("gridlok");
    let solved = solve(&mut session);
    assert_eq!((solved.value, solved.exact), (GameValue::Draw, true));
    assert_eq!((solved.moves.len(), solved.line.len()), (9, 9));
    assert!(solved.moves.iter().all(|m| m.value == GameValue::Draw));
}

#[test]
fn an_edge_in_reply_to_a_corner_loses() {
    let mut session = sample("gridlok");
    answer(&mut session, "click{0,0}");
    answer(&mut session, "click{0,1}");
    let solved = solve(&mut session);
    // X makes two threats with the third mark and wins with the fourth: 3, 5 and 7 are X's moves.
    assert_eq!((solved.value, solved.distance), (GameValue::Win, Some(5)));
    assert_eq!(solved.player.as_deref(), Some("x"));
}

#[test]
fn the_distance_of_a_forced_win_is_never_shorter_than_the_shortest_line() {
    let mut session = sample("gridlok");
    for entry in ["click{0,0}", "click{1,1}", "click{0,1}", "click{2,2}"] {
        answer(&mut session, entry);
    }
    let solved = solve(&mut session);
    assert_eq!((solved.value, solved.distance), (GameValue::Win, Some(1)));
    assert_eq!(find(&mut session, "win for x").length, Some(1));
    let hint = answer(&mut session, ":hint");
    let best = hint.parts.iter().find_map(|part| match part {
        Part::Hint(hint) => hint.best.clone(),
        _ => None,
    });
    assert_eq!(best.map(|m| m.entry), Some("click{0,2}".to_string()));
}

#[test]
fn a_puzzle_is_solved_in_as_few_moves_as_its_shortest_line() {
    let mut session = session("sgl2d", include_str!("../../sessions/sgl2d/maze.sgl2d"));
    let solved = solve(&mut session);
    assert_eq!((solved.value, solved.distance), (GameValue::Win, Some(36)));
}

#[test]
fn random_tic_tac_toe_has_the_known_rates() {
    let mut session = sample("gridlok");
    let stats = stats(&mut session, "");
    assert!(stats.exact);
    assert_eq!(stats.games, 255_168.0);
    let counts: Vec<f64> = stats.results.iter().map(|r| r.count).collect();
    assert_eq!(counts, [131_184.0, 77_904.0, 46_080.0]);
    assert!(close(rate(&stats, "x"), 737.0 / 1260.0));
    assert!(close(rate(&stats, "o"), 121.0 / 420.0));
    assert!(close(rate(&stats, "draw"), 8.0 / 63.0));
    assert!(close(stats.length.mean, 3203.0 / 420.0));
    assert_eq!((stats.length.min, stats.length.max), (5, 9));
}

#[test]
fn random_games_are_close_to_the_exact_rates() {
    let mut session = sample("gridlok");
    let stats = stats(&mut session, "400");
    assert_eq!((stats.exact, stats.games), (false, 400.0));
    for (name, expected) in [("x", 737.0 / 1260.0), ("draw", 8.0 / 63.0)] {
        let result = stats.results.iter().find(|r| r.name == name).unwrap();
        // Ten times the usual error would be a bug, not bad luck.
        assert!((result.rate - expected).abs() < 0.2, "{name}: {result:?}");
        assert!(result.low <= result.rate && result.rate <= result.high);
    }
}

/// A game of one click, which draws numbers and is won or lost.
fn dice(draws: &str, win: &str) -> String {
    format!(
        r#"game {{
  board {{ dimensions {{1, 1}} image {{b.png}} }}
  players {{"p"}}
  def sum {{0}}
  piece {{ name {{"die"}} image {{d.png}} onClick {{ {draws} endTurn {{}} }} }}
  setup {{ place {{"die", 0, 0}} }}
  winCondition {{ win {{ {win} }} }}
  loseCondition {{ lose {{true}} }}
}}"#
    )
}

#[test]
fn a_die_that_wins_on_six_wins_one_time_in_six() {
    let mut session = session("gridlok", &dice("sum {rand {1, 7}}", "sum == 6"));
    let one = stats(&mut session, "");
    assert!(one.exact);
    assert!(close(rate(&one, "win"), 1.0 / 6.0));
    let line = find(&mut session, "win");
    assert_eq!(
        (line.length, line.moves[0].draws.as_slice()),
        (Some(1), &[6][..])
    );
    let draws = "sum {rand {1, 7}} sum {sum + rand {1, 7}}";
    let mut session = crate::support::session("gridlok", &dice(draws, "sum == 7"));
    assert!(close(rate(&stats(&mut session, ""), "win"), 6.0 / 36.0));
    assert_eq!(solve(&mut session).value, GameValue::Unknown);
}

#[test]
fn draws_merge_where_positions_are_the_same() {
    let draws = "sum {rand {1, 7}} sum {sum + rand {1, 7}}";
    let session = session("gridlok", &dice(draws, "sum == 7"));
    let game = explore(&session);
    // The start; one position before the first draw; six before the second; the sums 2 to 12.
    assert_eq!(game.position_count(), 1 + 1 + 6 + 11);
}

#[test]
fn a_game_that_is_an_expression_has_its_values_as_results() {
    let mut session = session(
        "bogl",
        "game Sum\ntype Board = Array(1,1) of Int\ntype Input = Bool\ntype Size = {Small, Large}\n\
         sum : Int -> Size\nsum(n) = if n > 2 then Large else if input then sum(n + 1) else Small\n\
         result : Size\nresult = sum(0)\n",
    );
    // Three times True is Large; after each False it is Small.
    let stats_of = stats(&mut session, "");
    assert!(stats_of.exact);
    let results: Vec<_> = stats_of
        .results
        .iter()
        .map(|r| (r.name.as_str(), r.count, r.rate))
        .collect();
    assert_eq!(results, [("Small", 3.0, 0.875), ("Large", 1.0, 0.125)]);
    let random = stats(&mut session, "200");
    assert!(close_to(rate(&random, "Small"), 0.875, 0.1), "{random:?}");
    let text = answer(&mut session, ":stats").text();
    assert!(text.contains("Small 87.5 %   Large 12.5 %"), "{text}");
    assert!(
        !text.contains("over") || text.contains("over all"),
        "{text}"
    );
}

#[test]
fn rare_values_are_listed_together() {
    let mut session = session(
        "bogl",
        "game Pick\ntype Board = Array(1,1) of Int\ntype Input = Int\n\
         result : Int\nresult = input\n",
    );
    let stats = stats(&mut session, "inputs 1..30");
    assert_eq!(stats.results.len(), 12);
    let last = stats.results.last().unwrap();
    assert_eq!((last.name.as_str(), last.count), ("19 other values", 19.0));
    assert!(close(stats.results.iter().map(|r| r.rate).sum(), 1.0));
}

#[test]
fn random_games_are_the_same_whether_or_not_positions_are_known() {
    // A die that may end in an error, a choice, and a way back to the start.
    let chance = r#"game {
  board { dimensions {1, 3} }
  players {"x", "o"}
  def n {0}
  piece { name {"go"} onClick { n {n + rand {1, 4}} if n == 5 { n {1 / 0} } endTurn {} } }
  piece { name {"back"} onClick { n {0} endTurn {} } }
  piece { name {"none"} onClick { display {"no"} } }
  setup { place {"go", 0, 0} place {"back", 0, 1} place {"none", 0, 2} }
  winCondition { win {n >= 7} }
}"#;
    let sample = gridbug::languages::by_name("gridlok")
        .unwrap()
        .info()
        .sample;
    for (text, games) in [(chance, "300"), (sample, "300")] {
        let numbers = |known: bool| {
            let mut session = session("gridlok", text);
            match known {
                // A proof, for which all positions are found.
                true => assert_eq!(find(&mut session, "lose").verdict, FindVerdict::Never),
                // No position is searched before the games.
                false => session.explorer.limits.positions = 1,
            }
            let stats = stats(&mut session, games);
            let results: Vec<_> = stats.results.iter().map(|r| (&r.name, r.count)).collect();
            format!(
                "{results:?} {:?} {:?} {}",
                stats.length, stats.choices, stats.unfinished
            )
        };
        assert_eq!(numbers(true), numbers(false));
    }
}
