//! `:coverage search` and `:coverage N games`.

use crate::support::{answer, sample, session};
use gridbug::debugger::api::{CoverageExtent, CoverageReport, Part};
use gridbug::session::Session;

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
        let json = gridbug::protocol::answer_to_json(&session, &reply);
        assert_eq!(json["coverage"]["of"], of);
        assert!(json["coverage"]["lines"].is_array());
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
        ("0 games", "expected a number of games, found `0`"),
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
