//! `:coverage search` and `:coverage N games`.

use crate::protocol::{part, valid_json};
use crate::support::{answer, sample, session};
use gridbug::analysis::coverage;
use gridbug::answer::{CoverageExtent, CoverageReport, Part, SearchStop};
use gridbug::explorer::{Explorer, Scope, SearchControl, SearchLimits, SearchProgress};
use gridbug::render::AnswerText;
use gridbug::session::Session;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn coverage(session: &mut Session, arguments: &str) -> CoverageReport {
    let answer = answer(session, &format!(":coverage {arguments}"));
    let report = answer.parts.iter().find_map(|part| match part {
        Part::Coverage(report) => Some((**report).clone()),
        _ => None,
    });
    report.unwrap_or_else(|| panic!("{answer:?}"))
}

fn count(report: &CoverageReport, line: u32) -> u64 {
    let line = report.lines.iter().find(|l| l.line == line);
    line.map_or(0, |line| line.count.count)
}

fn outcomes(report: &CoverageReport, line: u32) -> (Option<u64>, Option<u64>) {
    let line = report.lines.iter().find(|l| l.line == line);
    let count = &line.unwrap_or_else(|| panic!("{report:?}")).count;
    (count.true_count, count.false_count)
}

/// Two coins that can be taken, one each; `ghost` is never on the board.
const COINS: &str = r#"game {
  board { dimensions {1, 2} image {b.png} }
  players {"x", "o"}
  def taken {0}
  piece { name {"coin"} image {c.png}
    onClick {
      if turn == "x" {
        taken {taken + 1}
      }
      changeType {"gone"}
      endTurn {}
    }
  }
  piece { name {"gone"} image {g.png} }
  piece { name {"ghost"} image {g.png}
    onClick {
      taken {9}
    }
  }
  setup {
    for r, c in board { place {"coin", r, c} }
  }
  winCondition { win {taken > 1} }
}"#;

#[test]
fn every_move_in_every_position_is_counted_once() {
    let mut session = session("gridlok", COINS);
    session.set_session_start();
    let report = coverage(&mut session, "search");
    // The start, either coin taken by x, both taken: two moves from the start, one from each of two.
    let CoverageExtent::Search {
        positions,
        complete,
        ..
    } = report.extent
    else {
        panic!("{:?}", report.extent);
    };
    assert_eq!((positions, complete), (4, true));
    assert_eq!(count(&report, 7), 4);
    assert_eq!(outcomes(&report, 7), (Some(2), Some(2)));
    assert_eq!(count(&report, 8), 2);
    // The setup ran once, at the start.
    assert_eq!(count(&report, 21), 2);
    assert_eq!(count(&report, 17), 0);
    assert!(report.never_ran.iter().any(|f| f.name == "ghost.onClick"));
    let text = answer(&mut session, ":coverage search").text();
    assert!(text.contains("in all 4 positions"), "{text}");
}

/// Ctrl-C after a few positions: what they ran is counted, and the answer says that it is not all.
#[test]
fn an_interrupted_search_counts_the_positions_that_it_has_reached() {
    let text = include_str!("../../sessions/gridlok/connect-four.gl");
    let mut session = session("gridlok", text);
    let cancel = Arc::new(AtomicBool::new(false));
    let now = || Duration::ZERO;
    let flag = cancel.clone();
    let mut report = |progress: SearchProgress| {
        flag.store(progress.positions >= 20, Ordering::Relaxed);
    };
    let limits = SearchLimits::default();
    let mut control = SearchControl::new(limits, &now, cancel.clone(), &mut report);
    let coverage = Explorer::default()
        .coverage_of_positions(&mut session.target, &Scope::default(), &mut control)
        .unwrap();
    let CoverageExtent::Search {
        positions,
        complete,
        stopped_by,
        ..
    } = coverage.extent
    else {
        panic!("{:?}", coverage.extent);
    };
    assert_eq!((complete, stopped_by), (false, Some(SearchStop::Interrupt)));
    // The start and its seven moves at least.
    assert!((8..=30).contains(&positions), "{positions}");
    let unused = coverage::unused_functions(&session.target, &coverage.counts);
    assert!(unused.iter().all(|f| f.name != "drop"), "{unused:?}");
}

#[test]
fn interrupted_random_games_say_so() {
    let mut session = sample("gridlok");
    let cancel = Arc::new(AtomicBool::new(false));
    let now = || Duration::ZERO;
    let flag = cancel.clone();
    let mut report = |progress: SearchProgress| {
        flag.store(progress.games >= 3, Ordering::Relaxed);
    };
    let limits = SearchLimits::default();
    let mut control = SearchControl::new(limits, &now, cancel.clone(), &mut report);
    let (target, scope) = (&mut session.target, Scope::default());
    let mut explorer = Explorer::default();
    let coverage = explorer
        .coverage_of_games(target, 100, &scope, &mut control)
        .unwrap();
    assert!(matches!(
        coverage.extent,
        CoverageExtent::Games {
            games: 3,
            stopped_by: Some(SearchStop::Interrupt),
            ..
        }
    ));
    cancel.store(false, Ordering::Relaxed);
    let stats = explorer
        .stats(target, Some(100), &scope, &mut control)
        .unwrap();
    assert_eq!(
        (stats.games, stats.cut_short),
        (3.0, Some(SearchStop::Interrupt))
    );
}

/// The function that asks has run, whether the search starts the game or the user has.
#[test]
fn what_ran_before_an_open_question_is_counted() {
    let text = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let mut session = session("bogl", text);
    session.set_session_start();
    answer(&mut session, "result");
    let report = coverage(&mut session, "3 games");
    // It is not part of the game.
    let unused: Vec<&str> = report.never_ran.iter().map(|f| &*f.name).collect();
    assert_eq!(unused, ["rounds"]);
    // The line of `result` ran once, in the entry that waits.
    let line = text
        .lines()
        .position(|l| l.starts_with("result ="))
        .unwrap() as u32
        + 1;
    assert_eq!(count(&report, line), 1);
}

#[test]
fn random_games_count_only_what_was_played() {
    let mut session = session("gridlok", COINS);
    session.set_session_start();
    let report = coverage(&mut session, "10 games");
    let CoverageExtent::Games { games, .. } = report.extent else {
        panic!("{:?}", report.extent);
    };
    assert_eq!(games, 10);
    // Every game has two moves, of which x makes the first.
    assert_eq!(count(&report, 7), 20);
    assert_eq!(outcomes(&report, 7), (Some(10), Some(10)));
}

#[test]
fn the_json_answer_says_what_was_counted() {
    for (arguments, of) in [
        ("search", "search"),
        ("3 games", "games"),
        ("session", "session"),
    ] {
        let mut session = session("gridlok", COINS);
        let reply = answer(&mut session, &format!(":coverage {arguments}"));
        let json = valid_json(&session, &reply);
        assert_eq!(part(&json, "coverage")["of"], of);
        assert!(part(&json, "coverage")["lines"].is_array());
    }
}

#[test]
fn every_language_with_moves_is_counted() {
    for language in ["bogl", "gridlang", "sgl2d"] {
        let mut session = sample(language);
        session.set_session_start();
        let before = session.target.machine.time();
        let report = coverage(&mut session, "5 games");
        let ran = report.lines.iter().filter(|l| l.count.count > 0).count();
        assert!(ran > 0, "{language}");
        assert_eq!(session.target.machine.time(), before, "{language}");
    }
    let mut tinygame = sample("tinygame");
    let refused = answer(&mut tinygame, ":coverage search");
    assert!(
        !refused.ok && refused.text().contains("`:coverage session`"),
        "{}",
        refused.text()
    );
}

/// A turn that asks is run up to its question once for each position, not again to find the question.
#[test]
fn a_turn_that_asks_is_counted_once_for_each_time_it_is_reached() {
    let game = r#"
Player { int coins }
Layout(1, 1)
{
    Player ann, bob
    playerOrder = [ann, bob]
    int turns
}
gameLoop()
{
    turns = turns + 1
    int n = prompt("coins: ", int)
    p.coins = n
}
checkGameEnd()
{
    return turns == 2
}
"#;
    let mut session = session("gridlang", game);
    session.set_session_start();
    let report = coverage(&mut session, "4 games");
    assert_eq!((count(&report, 11), count(&report, 13)), (8, 8));
}

#[test]
fn mistakes_are_explained() {
    let mut session = sample("gridlok");
    for (arguments, message) in [
        ("0 games", "`:coverage` needs at least 1 game"),
        ("everything", "unknown coverage `everything`"),
    ] {
        let refused = answer(&mut session, &format!(":coverage {arguments}"));
        assert!(
            !refused.ok && refused.text().contains(message),
            "{}",
            refused.text()
        );
    }
}

#[test]
fn counts_are_readable_and_aligned_within_80_columns() {
    let mut session = sample("gridlok");
    let text = answer(&mut session, ":coverage search").text();
    assert!(text.contains(" 16,167   8,631/7,536 "), "{text}");
    assert!(text.contains("   189k    104k/85,424"), "{text}");
    let is_fitting = |line: &str| line.chars().count() <= 80;
    assert!(text.lines().all(is_fitting), "{text}");
    let slashes = |text: &str| -> Vec<usize> {
        let counts = text.lines().filter(|line| line.starts_with(' '));
        let counts = counts.map(|line| line.split_at(24.min(line.len())).0.to_string());
        counts.filter_map(|counts| counts.find('/')).collect()
    };
    let columns = slashes(&text);
    assert!(columns.len() > 5, "{text}");
    assert!(columns.iter().all(|column| *column == columns[0]), "{text}");
    let listed = answer(&mut session, ":list mine").text();
    assert!(listed.lines().all(is_fitting), "{listed}");
}

#[test]
fn what_a_search_has_assumed_is_listed_below_the_counts() {
    let numbers = "assuming that numbers are -1 to 14";
    let mut stones = sample("bogl");
    for command in [":coverage search", ":coverage 5 games"] {
        let text = answer(&mut stones, command).text();
        assert!(text.ends_with(numbers), "{text}");
    }
    let report = serde_json::to_value(coverage(&mut stones, "search")).unwrap();
    assert_eq!(report["assumed"][0], "numbers are -1 to 14", "{report}");
    let minesweeper = include_str!("../../sessions/gridlok/minesweeper.gl");
    let mut session = session("gridlok", minesweeper);
    let text = answer(&mut session, ":coverage 2 games").text();
    let seen = "assuming that hidden pieces are seen by the search";
    assert!(text.ends_with(seen), "{text}");
    let mut plain = sample("gridlok");
    let text = answer(&mut plain, ":coverage search").text();
    assert!(!text.contains("assuming"), "{text}");
}
