//! Turns in which a player can go round in circles: selecting a piece and deselecting it is not a way to play on.

use crate::play::{solve, stats};
use crate::support::{answer, check, find, session};
use gridbug::answer::{FindVerdict, GameValue, RemarkKind};
use gridbug::command::play_opponent;
use gridbug::render::AnswerText;
use gridbug::session::Session;

/// Hexapawn, in which a pawn is selected by a click and moved by a second one. Another click on it deselects
/// it. A player who cannot move loses.
const HEXAPAWN: &str = r#"game {
  board { dimensions {3, 3} }
  players {"w", "b"}
  def sr {-1}
  def sc {-1}
  fun mine(p) {
    if turn == "w" { return p.name == "W" }
    return p.name == "B"
  }
  fun other(p) {
    if turn == "w" { return p.name == "B" }
    return p.name == "W"
  }
  fun dir() {
    if turn == "w" { return -1 }
    return 1
  }
  fun move(r, c) {
    if turn == "w" { place {"W", r, c} } else { place {"B", r, c} }
    place {"free", sr, sc}
    sr {-1}
    sc {-1}
    endTurn {}
  }
  fun clickOn(r, c) {
    if sr == r AND sc == c { sr {-1} sc {-1} }
    elseif (mine {board[r][c]} AND sr < 0) { sr {r} sc {c} }
    elseif (sr >= 0 AND r == sr + dir {}) {
      if board[r][c].name == "free" AND c == sc { move {r, c} }
      elseif (other {board[r][c]} AND (c == sc + 1 OR c == sc - 1)) { move {r, c} }
    }
  }
  fun taken(r, c, who) {
    if c < 0 OR c > 2 { return false }
    return board[r][c].name != "free" AND board[r][c].name != who
  }
  fun blocked(who, d) {
    for r(0, 3) {
      for c(0, 3) {
        if (board[r][c].name == who AND r + d >= 0 AND r + d < 3) {
          if board[r + d][c].name == "free" { return false }
          if (taken {r + d, c - 1, who} OR taken {r + d, c + 1, who}) { return false }
        }
      }
    }
    return true
  }
  piece { name {"free"} onClick { clickOn {pieceRow, pieceCol} } }
  piece { name {"W"} onClick { clickOn {pieceRow, pieceCol} } }
  piece { name {"B"} onClick { clickOn {pieceRow, pieceCol} } }
  setup {
    for r, c in board { place {"free", r, c} }
    for c(0, 3) { place {"W", 2, c} place {"B", 0, c} }
  }
  winCondition {
    if turn == "w" { win {blocked {"B", 1}} } else { win {blocked {"W", -1}} }
    for c(0, 3) {
      if turn == "w" AND board[0][c].name == "W" { win {true} }
      if turn == "b" AND board[2][c].name == "B" { win {true} }
    }
  }
}"#;

/// What the computer plays if it plays both sides, until the game ends.
fn played_by_computers(level: &str, text: &str, seed: u32) -> (Vec<String>, Session) {
    let mut game = session("gridlok", text);
    answer(&mut game, &format!(":seed {seed}"));
    answer(&mut game, &format!(":opponent b {level}"));
    answer(&mut game, &format!(":opponent w {level}"));
    let mut played = Vec::new();
    while let Some(answer) = play_opponent(&mut game) {
        played.extend(answer.opponent_moves().map(|m| m.entry.clone()));
        assert!(played.len() <= 30, "{level}: {played:?}");
    }
    (played, game)
}

#[test]
fn a_lost_player_cannot_escape_by_selecting_and_deselecting() {
    // Gardner 1962: the second player wins hexapawn. Two clicks are a move of a pawn, so the six moves of the
    // longest defense are twelve.
    let mut game = session("gridlok", HEXAPAWN);
    let result = solve(&mut game);
    assert_eq!((result.value, result.distance), (GameValue::Loss, Some(12)));
    assert_eq!(result.line.len(), 12);
    // In the line, every pawn that is selected is moved.
    let pairs = result.line.chunks(2);
    assert!(
        pairs
            .into_iter()
            .all(|pair| pair[0].player == pair[1].player && pair[0].entry != pair[1].entry)
    );
    // With a pawn selected, it can be deselected, but that does not help.
    answer(&mut game, "click{2,1}");
    let result = solve(&mut game);
    assert_eq!((result.value, result.distance), (GameValue::Loss, Some(11)));
    let deselect = result
        .moves
        .iter()
        .find(|m| m.entry == "click{2,1}")
        .unwrap();
    assert_eq!((deselect.value, deselect.distance), (GameValue::Loss, None));
    assert_ne!(result.moves[0].entry, "click{2,1}");
}

#[test]
fn a_winner_may_change_the_selection() {
    // After 1. a3 the second player wins with two pawns, but not with every pawn; a selection can be taken back.
    let mut game = session("gridlok", HEXAPAWN);
    answer(&mut game, "click{2,0}");
    answer(&mut game, "click{1,0}");
    let best = solve(&mut game);
    assert_eq!(best.value, GameValue::Win);
    let distance = best.distance.unwrap();
    answer(&mut game, "click{0,0}");
    // This pawn is blocked: it has to be deselected, and another one selected.
    let result = solve(&mut game);
    assert_eq!(
        (result.value, result.distance),
        (GameValue::Win, Some(distance + 1))
    );
    assert_eq!(result.line[0].entry, "click{0,0}");
}

#[test]
fn the_computer_does_not_go_round_in_circles() {
    for level in ["perfect", "1", "2", "random"] {
        for seed in 1..4 {
            let (played, _) = played_by_computers(level, HEXAPAWN, seed);
            let pairs: Vec<_> = played.chunks(2).collect();
            let is_move = |pair: &&[String]| pair.len() == 2 && pair[0] != pair[1];
            assert!(
                pairs.iter().all(is_move),
                "{level}, seed {seed}: {played:?}"
            );
        }
    }
}

#[test]
fn where_the_computer_can_only_go_round_in_circles_it_has_no_move() {
    // Without the rule for blocked players, games get stuck with pawns that can be selected, but not moved.
    let text = HEXAPAWN.replace(
        "if turn == \"w\" { win {blocked {\"B\", 1}} } else { win {blocked {\"W\", -1}} }",
        "",
    );
    assert_ne!(text, HEXAPAWN);
    let is_stuck = |seed: u32| {
        let (_, mut game) = played_by_computers("random", &text, seed);
        !answer(&mut game, ":board").text().contains("has won")
    };
    assert!((1..20).any(is_stuck), "some game gets stuck");
    // `:check` finds these positions, with a line to the first.
    let mut game = session("gridlok", &text);
    let checked = check(&mut game, "");
    let trap = checked.remarks.iter().find(|r| r.kind == RemarkKind::Trap);
    let trap = trap.unwrap_or_else(|| panic!("{checked:?}"));
    assert!(!trap.proof.is_empty());
    for entry in trap.proof.iter().map(|m| m.entry.clone()) {
        assert!(answer(&mut game, &entry).ok);
    }
    assert_eq!(find(&mut game, "end").verdict, FindVerdict::Never);
    // With the rule, there are none.
    let checked = check(&mut session("gridlok", HEXAPAWN), "");
    assert!(checked.remarks.iter().all(|r| r.kind != RemarkKind::Trap));
}

#[test]
fn going_round_over_several_turns_is_still_a_draw() {
    // Each player can only turn the coin over.
    let text = r#"game {
  board { dimensions {1, 1} }
  players {"x", "o"}
  piece { name {"heads"} onClick { changeType {"tails"} endTurn {} } }
  piece { name {"tails"} onClick { changeType {"heads"} endTurn {} } }
  setup { place {"heads", 0, 0} }
}"#;
    let mut game = session("gridlok", text);
    assert_eq!(solve(&mut game).value, GameValue::Draw);
    assert!(!stats(&mut game, "10").exact);
}
