//! Who wins and who loses: several winners, many players, losses, and games that end in an error.

use crate::play::{close, rate, solve, stats};
use crate::support::{answer, check, entries, explore, find, sample, session};
use gridbug::answer::{CheckResult, FindVerdict, GameValue, RemarkKind, ResultKind, StatsResult};
use gridbug::diagnostic::Advice;
use gridbug::render::AnswerText;
use gridbug::session::Session;

/// What the JSON protocol says about `:stats`.
fn stats_json(session: &mut Session, arguments: &str) -> serde_json::Value {
    let stats = stats(session, arguments);
    serde_json::to_value(&stats).unwrap()
}

fn labels(stats: &StatsResult) -> Vec<String> {
    stats.results.iter().map(|result| result.label()).collect()
}

fn has_remark(check: &CheckResult, kind: RemarkKind) -> bool {
    check.remarks.iter().any(|remark| remark.kind == kind)
}

/// A game of GridLok on a row of cells with `a` and `b`.
fn row_game(players: &str, click: [&str; 2], rest: &str) -> Session {
    let [a, b] = click;
    let text = format!(
        r#"game {{
  board {{ dimensions {{1, 2}} }}
  players {{{players}}}
  def n {{0}}
  piece {{ name {{"a"}} onClick {{ {a} }} }}
  piece {{ name {{"b"}} onClick {{ {b} }} }}
  setup {{ place {{"a", 0, 0}} place {{"b", 0, 1}} }}
  {rest}
}}"#
    );
    session("gridlok", &text)
}

/// Each turn asks whether the player wants to win. Who wins leaves; the game ends when all have won.
const BOTH_WIN: &str = r#"Layout(1, 3) { Player ann, bob; ann.position = (0,0) }
gameLoop() {
  boolean b = prompt("win? ", boolean)
  if (b) { p.win = true }
}
"#;

#[test]
fn each_of_several_winners_has_won() {
    let mut session = session("gridlang", BOTH_WIN);
    for player in ["ann", "bob"] {
        let result = find(&mut session, &format!("win for {player}"));
        assert_eq!(
            (result.verdict, result.length),
            (FindVerdict::Found, Some(3))
        );
        // The last turn has no player left, who could be asked.
        assert_eq!(entries(&result), ["true", "true", ":turn"]);
    }
    let any = find(&mut session, "win");
    assert_eq!(any.player.as_deref(), Some("ann, bob"));
}

#[test]
fn a_shared_win_is_a_result_of_its_own() {
    let mut session = session("gridlang", BOTH_WIN);
    let stats = stats(&mut session, "50");
    assert_eq!(labels(&stats), ["ann wins", "bob wins", "ann, bob win"]);
    assert_eq!(rate(&stats, "ann, bob"), 1.0);
    assert_eq!(stats.advantage, Some(0.0));
    let json = stats_json(&mut session, "50");
    assert_eq!(json["results"]["ann, bob win"]["count"], 50);
    assert!(!has_remark(&check(&mut session, ""), RemarkKind::OneSided));
}

#[test]
fn a_shared_win_is_not_a_win_over_the_other() {
    let mut session = session("gridlang", BOTH_WIN);
    let solved = solve(&mut session);
    assert_eq!((solved.value, solved.exact), (GameValue::Draw, true));
    assert!(solved.note.unwrap().contains("share"));
}

#[test]
fn a_winner_who_has_left_the_game_still_wins_it() {
    let mut session = session("gridlang", BOTH_WIN);
    answer(&mut session, ":turn");
    answer(&mut session, "true");
    // Ann has left; the end of the game is a win of both.
    let result = find(&mut session, "win for ann");
    assert_eq!(
        (result.verdict, result.length),
        (FindVerdict::Found, Some(2))
    );
    assert_eq!(rate(&stats(&mut session, "10"), "ann, bob"), 1.0);
    for entry in [":turn", "true", ":turn"] {
        answer(&mut session, entry);
    }
    let board = answer(&mut session, ":board").text();
    assert!(board.contains("ann, bob have won"), "{board}");
}

#[test]
fn two_of_three_players_can_win_together() {
    let text = r#"Layout(1, 3) { Player ann, bob, cy; ann.position = (0,0) }
gameLoop() {
  boolean b = prompt("win? ", boolean)
  if (b) { p.win = true }
  if (ann.win and bob.win) { gameOver() }
}
"#;
    let mut session = session("gridlang", text);
    assert_eq!(find(&mut session, "win for ann").length, Some(2));
    // Ann, cy and bob want to win; bob has to be asked twice.
    assert_eq!(find(&mut session, "win for cy").length, Some(4));
    let labels = labels(&stats(&mut session, "100"));
    let shared: Vec<&String> = labels.iter().filter(|l| l.ends_with(" win")).collect();
    assert_eq!(shared.len(), 2, "{labels:?}");
}

/// A game of so many players in which one of them wins with the first move.
fn many_players(count: usize, winner: usize) -> Session {
    let names: Vec<String> = (1..=count).map(|n| format!("\"p{n}\"")).collect();
    let win = format!("winCondition {{ win {{turn == \"p{winner}\"}} }}");
    row_game(&names.join(", "), ["endTurn {}", "display {\"no\"}"], &win)
}

#[test]
fn the_seventeenth_of_eighteen_players_can_win() {
    let mut session = many_players(18, 17);
    assert_eq!(find(&mut session, "win for p17").length, Some(17));
    assert_eq!(find(&mut session, "win for p1").verdict, FindVerdict::Never);
    let stats = stats(&mut session, "");
    assert_eq!((rate(&stats, "p17"), rate(&stats, "p1")), (1.0, 0.0));
    let text = answer(&mut session, ":stats").text();
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    // Also the last of as many as there can be.
    let mut session = many_players(200, 200);
    assert_eq!(find(&mut session, "win for p200").length, Some(200));
}

#[test]
fn more_players_than_a_search_can_tell_apart_are_refused() {
    let mut session = many_players(201, 3);
    for command in [":find win", ":stats", ":check", ":stats 5"] {
        let answer = answer(&mut session, command);
        assert!(!answer.ok);
        assert!(answer.text().contains("201 players"), "{}", answer.text());
    }
}

#[test]
fn solving_a_game_of_three_players_is_refused_with_the_reason() {
    let mut session = many_players(3, 2);
    let answer = answer(&mut session, ":solve");
    assert!(!answer.ok);
    let text = answer.text();
    assert!(
        text.contains("there are 3: with more, what a player can force"),
        "{text}"
    );
}

/// Half of the numbers that are drawn end in a division by zero, the others in a win.
fn half_of_the_draws_fail() -> Session {
    let draw = "n {rand {0, 2}} if n == 0 { n {n / 0} } endTurn {}";
    row_game(
        r#""x", "o""#,
        [draw, "display {\"no\"}"],
        "winCondition { win {n == 1} }",
    )
}

#[test]
fn draws_that_end_in_an_error_are_games_that_end_in_an_error() {
    let mut session = half_of_the_draws_fail();
    let exact = stats(&mut session, "");
    assert_eq!((exact.exact, exact.games), (true, 2.0));
    assert!(close(rate(&exact, "x"), 0.5) && close(rate(&exact, "error"), 0.5));
    assert_eq!(
        (exact.length.mean, exact.length.min, exact.length.max),
        (1.0, 1, 1)
    );
    let random = stats(&mut session, "400");
    assert!((rate(&random, "error") - 0.5).abs() < 0.15);
    assert_eq!(stats_json(&mut session, "")["results"]["error"]["count"], 1);
}

#[test]
fn a_win_that_may_end_in_an_error_is_not_forced() {
    let mut session = half_of_the_draws_fail();
    let solved = solve(&mut session);
    assert_eq!((solved.value, solved.distance), (GameValue::Unknown, None));
    assert!(solved.note.unwrap().contains("error"));
    assert_eq!(solved.moves[0].value, GameValue::Unknown);
}

#[test]
fn a_draw_that_can_only_fail_is_no_dead_end() {
    let draw = "n {rand {0, 2}} n {n / 0} endTurn {}";
    let mut session = row_game(r#""x", "o""#, [draw, "display {\"no\"}"], "");
    assert_eq!(find(&mut session, "stuck").verdict, FindVerdict::Never);
    assert_eq!(rate(&stats(&mut session, ""), "error"), 1.0);
}

#[test]
fn an_action_that_fails_is_not_a_move() {
    // Clicking b always fails, so x has one move, which wins.
    let fail = "n {n / 0} endTurn {}";
    let win = "winCondition { win {n == 1} }";
    let mut session = row_game(r#""x", "o""#, ["n {1} endTurn {}", fail], win);
    assert_eq!(solve(&mut session).value, GameValue::Win);
    assert_eq!(rate(&stats(&mut session, ""), "x"), 1.0);
}

#[test]
fn random_games_draw_from_the_whole_of_a_large_range() {
    let draw = "n {rand {0, 1000}} endTurn {}";
    let rest = "winCondition { win {n < 10} } drawCondition { draw {true} }";
    let mut session = row_game(r#""x", "o""#, [draw, "display {\"no\"}"], rest);
    // One game in a hundred: the interval of 4,000 games has to contain that, give or take bad luck.
    let stats = stats(&mut session, "4000");
    assert!((rate(&stats, "x") - 0.01).abs() < 0.006, "{stats:?}");
    assert!(stats.extent.assumed.is_empty());
    // The same with fractions.
    let text = "Layout(1, 1) { Player ann; ann.position = (0,0) }
gameLoop() { float f = random(0.0, 1.0); if (f < 0.05) { p.win = true }; gameOver() }
";
    let mut session = crate::support::session("gridlang", text);
    let stats = crate::play::stats(&mut session, "2000");
    assert!((rate(&stats, "win") - 0.05).abs() < 0.02, "{stats:?}");
}

#[test]
fn coverage_of_random_games_draws_from_the_whole_range() {
    // No number that a search tries of this range is 1; in 2,000 games it is drawn about 20 times.
    let draw = "n {rand {0, 100}} if n == 1 { display {\"one\"} } endTurn {}";
    let mut session = row_game(
        r#""x", "o""#,
        [draw, "display {\"no\"}"],
        "drawCondition { draw {true} }",
    );
    let counted = |session: &mut Session, command: &str| {
        let text = answer(session, command).text();
        let line = text.lines().find(|line| line.contains("n == 1")).unwrap();
        line.split_whitespace().nth(1).unwrap().replace(',', "")
    };
    let games = counted(&mut session, ":coverage 2000 games");
    let (trues, falses) = games.split_once('/').unwrap();
    let (trues, falses): (u32, u32) = (trues.parse().unwrap(), falses.parse().unwrap());
    assert!(
        (5..60).contains(&trues) && trues + falses == 2000,
        "{games}"
    );
}

/// x and o add 1 or 2 in turn; x wins with 5 and loses beyond.
fn loser_game() -> Session {
    let rest = r#"winCondition { win {turn == "x" AND n == 5} }
  loseCondition { lose {turn == "x" AND n > 5} }"#;
    let click = ["n {n + 1} endTurn {}", "n {n + 2} endTurn {}"];
    row_game(r#""x", "o""#, click, rest)
}

#[test]
fn statistics_checks_and_perfect_play_agree_on_losses_of_two_players() {
    let mut session = loser_game();
    let stats = stats(&mut session, "");
    // After x and o: 2, 3, 3 or 4. From 3 x reaches 4 or 5 with equal chances, from 4 5 or 6, from 2 3 or 4.
    // Of 32 lines of five moves, 13 win for x and 19 lose.
    assert!(close(rate(&stats, "x"), 13.0 / 32.0));
    let lost = stats.results.iter().find(|r| r.kind == ResultKind::Loser);
    let lost = lost.unwrap();
    assert_eq!(lost.label(), "x loses");
    assert!(close(lost.rate, 19.0 / 32.0));
    assert!(close(stats.advantage.unwrap(), 13.0 / 32.0 - 19.0 / 32.0));
    // A loss of x is worth a win of o: the game is not one-sided, and x can be made to lose.
    assert!(!has_remark(&check(&mut session, ""), RemarkKind::OneSided));
    let solved = solve(&mut session);
    let losing: Vec<_> = solved.moves.iter().map(|m| m.value).collect();
    assert_eq!(losing, [GameValue::Win, GameValue::Loss]);
    assert_eq!(find(&mut session, "lose for x").length, Some(3));
    assert_eq!(find(&mut session, "lose for o").verdict, FindVerdict::Never);
    let win = find(&mut session, "win for o");
    assert_eq!(win.verdict, FindVerdict::Never);
    let advice = Advice::command(":find lose for x", "shows a way");
    assert_eq!(win.note.unwrap().advice, [advice]);
}

#[test]
fn a_game_in_which_one_player_only_loses_is_one_sided() {
    // x loses with every second move of the game; nothing happens to o.
    let rest = r#"loseCondition { lose {turn == "x"} }"#;
    let click = ["endTurn {}", "endTurn {}"];
    let mut session = row_game(r#""x", "o""#, click, rest);
    let checked = check(&mut session, "");
    let remark = checked
        .remarks
        .iter()
        .find(|r| r.kind == RemarkKind::OneSided);
    assert_eq!(remark.unwrap().subject, "only o can win");
}

#[test]
fn results_that_the_rules_provide_for_are_listed_even_if_they_do_not_happen() {
    let mut session = sample("gridlok");
    for entry in ["click{0,0}", "click{1,0}", "click{0,1}", "click{1,1}"] {
        answer(&mut session, entry);
    }
    let json = stats_json(&mut session, "1");
    assert!(json["results"]["draw"].is_object(), "{json}");
}

#[test]
fn a_player_with_the_name_of_another_result_has_a_key_of_its_own() {
    let rest = "winCondition { win {n == 3} } loseCondition { lose {n == 4} } drawCondition { draw {n > 4} }";
    let click = ["n {n + 1} endTurn {}", "n {n + 2} endTurn {}"];
    let mut session = row_game(r#""draw", "lost""#, click, rest);
    let stats = stats(&mut session, "");
    let json = serde_json::to_string(&stats).unwrap();
    for key in ["\"draw\":", "\"lost\":", "\"(draw)\":", "\"lost loses\":"] {
        assert_eq!(json.matches(key).count(), 1, "{key} in {json}");
    }
}

#[test]
fn lengths_are_those_of_games_that_end() {
    // The first click decides: `a` ends the game, `b` makes it endless.
    let click = [
        "if n == 0 { n {1} } endTurn {}",
        "if n == 0 { n {2} } else { n {5 - n} } endTurn {}",
    ];
    let mut session = row_game(r#""x", "o""#, click, "winCondition { win {n == 1} }");
    let stats = stats(&mut session, "6");
    assert!(stats.unfinished > 0 && stats.unfinished < 6, "{stats:?}");
    assert_eq!(
        (stats.length.mean, stats.length.min, stats.length.max),
        (1.0, 1, 1)
    );
    let text = answer(&mut session, ":stats 6").text();
    assert!(
        text.contains("length 1.0 moves on average (always 1)"),
        "{text}"
    );
    assert!(text.contains("did not end within 10,000 moves"), "{text}");
}

#[test]
fn what_was_never_seen_has_an_interval_from_zero() {
    let mut session = sample("gridlok");
    answer(&mut session, "click{0,0}");
    let stats = stats(&mut session, "1000");
    for result in &stats.results {
        assert_eq!(result.low == 0.0, result.count == 0.0, "{result:?}");
    }
    let mut session = many_players(2, 1);
    let text = answer(&mut session, ":stats 1000").text();
    assert!(text.contains("p2 wins   0.0 % (0.0 % to 0.4 %)"), "{text}");
    assert!(
        text.contains("p1 wins 100.0 % (99.6 % to 100.0 %)"),
        "{text}"
    );
}

#[test]
fn a_game_of_one_player_is_not_a_draw_of_two() {
    let mut session = row_game(r#""p""#, ["n {1} endTurn {}", "n {2} endTurn {}"], "");
    let text = answer(&mut session, ":solve").text();
    assert!(
        text.starts_with("the game cannot be won from here"),
        "{text}"
    );
}

#[test]
fn a_game_that_cannot_be_started_has_no_statistics() {
    let text = "game T\n\ntype T = {A, B}\n\nresult : Int\nresult = 1 / 0\n";
    let mut session = session("bogl", text);
    for command in [":stats", ":stats 10", ":coverage 10 games"] {
        let answer = answer(&mut session, command);
        assert!(!answer.ok, "{command}");
        assert!(
            answer.text().contains("cannot be started"),
            "{}",
            answer.text()
        );
    }
    let text = answer(&mut session, ":check").text();
    assert!(
        text.starts_with("undecided: no position could be searched"),
        "{text}"
    );
}

#[test]
fn a_player_who_is_removed_does_not_move_again() {
    // Ann leaves in her first turn if she says so; then bob moves alone, and wins in his second turn.
    let text = r#"int turns
Layout(1, 2) { Player ann, bob; ann.position = (0,0) }
gameLoop() {
  boolean leave = prompt("leave? ", boolean)
  if (p == bob) { turns++ }
  if (leave and p == ann) { ann.Exists = false }
  if (turns == 2) { bob.win = true; gameOver() }
}
"#;
    let mut session = session("gridlang", text);
    let result = find(&mut session, "win for bob");
    assert_eq!(
        (result.verdict, result.length),
        (FindVerdict::Found, Some(3))
    );
    let players: Vec<_> = result.moves.iter().map(|m| m.player.as_deref()).collect();
    assert_eq!(players, [Some("ann"), Some("bob"), Some("bob")]);
    assert_eq!(
        find(&mut session, "win for ann").verdict,
        FindVerdict::Never
    );
    assert_eq!(solve(&mut session).value, GameValue::Loss);
}

#[test]
fn owners_are_part_of_the_state() {
    // A click on `e` places `c`, the other one passes. With c of o on the board, x wins.
    let text = r#"game {
  board { dimensions {1, 2} }
  players {"x", "o"}
  piece { name {"e"} onClick { place {"c", 0, 0} endTurn {} } }
  piece { name {"pass"} onClick { endTurn {} } }
  piece { name {"c"} }
  setup { place {"e", 0, 0} place {"pass", 0, 1} }
  winCondition { for p in board { if p.name == "c" { win {p.owner == "o" AND turn == "x"} } } }
}"#;
    let mut session = session("gridlok", text);
    let by_o = find(&mut session, "win");
    assert_eq!(entries(&by_o), ["click{0,1}", "click{0,0}", "click{0,1}"]);
    // Nobody has placed c: x or o moves. x has: x or o moves. o has: x moves. x has won.
    assert_eq!(explore(&session).position_count(), 2 + 2 + 1 + 1);
    // The same board with x as the owner of c is never won.
    answer(&mut session, "click{0,0}");
    answer(&mut session, "click{0,1}");
    assert_eq!(find(&mut session, "win").verdict, FindVerdict::Never);
}

#[test]
fn random_games_are_played_where_a_limit_ends_the_search() {
    let mut session = sample("gridlok");
    session.explorer.limits.positions = 100;
    let stats = stats(&mut session, "");
    assert_eq!((stats.exact, stats.games), (false, 1000.0));
    assert!((rate(&stats, "x") - 737.0 / 1260.0).abs() < 0.1);
}

#[test]
fn without_time_for_a_single_game_the_answer_says_what_is_known() {
    let mut session = sample("gridlok");
    session.explorer.limits.time = std::time::Duration::ZERO;
    let text = answer(&mut session, ":stats").text();
    assert!(
        text.starts_with("undecided: stopped after 1 position"),
        "{text}"
    );
    let text = answer(&mut session, ":stats 5").text();
    let expected = "undecided: the first random game had not ended after 0 moves (time limit)";
    assert_eq!(text, expected);
}

/// Games in which every action of some position fails, by their language.
const FAILING_GAMES: [(&str, &str); 4] = [
    (
        "gridlok",
        r#"game {
  board { dimensions {1, 1} }
  players {"x", "o"}
  def n {2}
  piece { name {"a"} onClick { n {n - 1} n {n / n} endTurn {} } }
  setup { place {"a", 0, 0} }
}"#,
    ),
    (
        "gridlang",
        "Layout(1, 3) { Player ann, bob; int n = 1 }\n\
         gameLoop() {\n  boolean b = prompt(\"go? \", boolean)\n  n = n - 1\n  n = n / n\n}\n",
    ),
    (
        "gridlang",
        "Layout(1, 3) { Player ann, bob; int n = 2 }\n\
         gameLoop() {\n  n = n - 1\n  n = n / n\n}\n",
    ),
    (
        "bogl",
        "game Divide\ntype Input = Bool\n\
         ask : Int -> Int\nask(n) = let b = input in n / 0\n\
         result : Int\nresult = ask(1)\n",
    ),
];

#[test]
fn a_game_whose_every_action_fails_ends_in_an_error() {
    for (language, text) in FAILING_GAMES {
        let mut session = session(language, text);
        assert_eq!(
            find(&mut session, "error").verdict,
            FindVerdict::Found,
            "{text}"
        );
        assert_eq!(find(&mut session, "stuck").verdict, FindVerdict::Never);
        for arguments in ["", "20"] {
            let stats = stats(&mut session, arguments);
            assert_eq!(stats.exact, arguments.is_empty(), "{text}");
            assert_eq!(rate(&stats, "error"), 1.0, "{text}");
            assert_eq!(stats.dead_ends, 0, "{text}");
            let json = stats_json(&mut session, arguments);
            assert_eq!(json["dead_ends"], 0, "{json}");
            assert_eq!(json["results"]["error"]["rate"], 1.0, "{json}");
            let answer = answer(&mut session, &format!(":stats {arguments}")).text();
            assert!(answer.contains("error "), "{answer}");
            assert!(!answer.contains("dead end"), "{answer}");
        }
    }
}

#[test]
fn a_dead_end_beside_an_error_is_still_a_dead_end() {
    // The first click decides: `a` leads to a division by zero, `b` to a board without moves.
    let mut session = row_game(
        "\"x\", \"o\"",
        [
            "if n == 0 { n {1} } else { if n == 1 { n {n / 0} } }",
            "if n == 0 { n {2} }",
        ],
        "",
    );
    let exact = stats(&mut session, "");
    assert!(exact.exact);
    assert_eq!(
        (rate(&exact, "error"), rate(&exact, "dead end")),
        (0.5, 0.5)
    );
    assert_eq!((exact.dead_ends, exact.games), (1, 2.0));
    let random = stats(&mut session, "100");
    let counts = rate(&random, "error") + rate(&random, "dead end");
    assert_eq!(counts, 1.0);
    assert!(random.dead_ends > 0 && random.dead_ends < 100);
}
