//! Games from textbooks: their numbers are theorems, or were counted by other programs.

use crate::support::{answer, explore, find, session};
use gridbug::answer::{FindVerdict, GameValue, Part, SolveResult, StatsResult};
use gridbug::render::AnswerText;
use gridbug::session::Session;
use std::collections::BTreeSet;

fn solve(session: &mut Session, options: &str) -> SolveResult {
    let answer = answer(session, &format!(":solve {options}"));
    let found = answer.parts.iter().find_map(|part| match part {
        Part::Solve(result) => Some((**result).clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{}", answer.text()))
}

fn stats(session: &mut Session, options: &str) -> StatsResult {
    let answer = answer(session, &format!(":stats {options}"));
    let found = answer.parts.iter().find_map(|part| match part {
        Part::Stats(result) => Some((**result).clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{}", answer.text()))
}

/// The value of a game for the player who moves, and in how many moves it is reached.
fn value(session: &mut Session, options: &str) -> (GameValue, Option<u32>) {
    let solved = solve(session, options);
    assert!(solved.exact, "{solved:?}");
    (solved.value, solved.distance)
}

/// The moves that win.
fn winning(session: &mut Session, options: &str) -> BTreeSet<String> {
    let moves = solve(session, options).moves;
    let won = moves.into_iter().filter(|m| m.value == GameValue::Win);
    won.map(|m| m.entry).collect()
}

/// Heaps of three, four and five stones: a click takes a stone and all to its right.
fn nim(condition: &str) -> String {
    format!(
        r#"game {{
  board {{ dimensions {{3, 5}} }}
  players {{"a", "b"}}
  piece {{ name {{"stone"}}
    onClick {{
      for c(pieceCol, cols) {{ removePiece {{pieceRow, c}} }}
      endTurn {{}}
    }}
  }}
  setup {{ for r, c in board {{ if c < r + 3 {{ place {{"stone", r, c}} }} }} }}
  fun none() {{
    for p in board {{ if p != empty {{ return false }} }}
    return true
  }}
  {condition}
}}"#
    )
}

#[test]
fn nim_is_won_by_leaving_heaps_whose_binary_sum_is_zero() {
    // Bouton 1901: 3, 4 and 5 are won by leaving 1, 4 and 5 only. 4 * 5 * 6 heaps, and who moves, without the
    // 8 of these 240 positions that are too close to the start for the number of moves.
    let mut game = session("gridlok", &nim("winCondition { win {none {}} }"));
    assert_eq!(explore(&game).position_count(), 232);
    assert_eq!(value(&mut game, ""), (GameValue::Win, Some(11)));
    let only = BTreeSet::from(["click{0,1}".to_string()]);
    assert_eq!(winning(&mut game, ""), only);
    // If the last stone loses, the same move wins as long as a heap of two or more is left.
    let mut misere = session("gridlok", &nim("loseCondition { lose {none {}} }"));
    assert_eq!(value(&mut misere, ""), (GameValue::Win, Some(10)));
    assert_eq!(winning(&mut misere, ""), only);
    assert_eq!(find(&mut misere, "lose for a").length, Some(3));
}

/// Chomp: a bite takes a square and all below and to the right; the square in the corner is poisoned.
const CHOMP: &str = r#"game {
  board { dimensions {3, 4} }
  players {"a", "b"}
  piece { name {"square"}
    onClick {
      for r(pieceRow, rows), c(pieceCol, cols) { removePiece {r, c} }
      endTurn {}
    }
  }
  setup { for r, c in board { place {"square", r, c} } }
  loseCondition { lose {board[0][0] == empty} }
}"#;

#[test]
fn chomp_is_won_by_a_single_first_bite() {
    // Gale 1974. The shapes are the paths through a 3 x 4 grid, 7 over 3 = 35; both players can be at
    // move in all of them but the full bar and one that is too close to it.
    let mut game = session("gridlok", CHOMP);
    assert_eq!(explore(&game).position_count(), 68);
    let only = BTreeSet::from(["click{1,2}".to_string()]);
    assert_eq!(winning(&mut game, ""), only);
}

/// Hexapawn in BoGL: the answers are a pawn and the cell to which it goes.
const HEXAPAWN: &str = "
game Hexapawn
type Player = {White, Black}
type Cell = (Int,Int)
type Board = Array (3,3) of Player & {Empty}
type Input = Cell

start : Board
start!(x,y) = Empty
start!(x,1) = Black
start!(x,3) = White

other : Player -> Player
other(p) = if p == White then Black else White

ahead : Player -> Int
ahead(p) = if p == White then -1 else 1

onBoard : Cell -> Bool
onBoard(x,y) = and(and(x >= 1, x <= 3), and(y >= 1, y <= 3))

-- A pawn goes one step ahead, or takes aslant.
allowed : (Player,Board,Cell,Cell) -> Bool
allowed(p,b,f,t) =
  if not(and(onBoard(f), onBoard(t))) then False
  else if or(b!f /= p, t#2 /= f#2 + ahead(p)) then False
  else if t#1 == f#1 then b!t == Empty
  else if or(t#1 == f#1 + 1, t#1 == f#1 - 1) then b!t == other(p)
  else False

movable : (Player,Board,Cell) -> Bool
movable(p,b,f) = let y = f#2 + ahead(p) in
  or(allowed(p, b, f, (f#1, y)), or(allowed(p, b, f, (f#1 - 1, y)), allowed(p, b, f, (f#1 + 1, y))))

canMove : (Player,Board,Int) -> Bool
canMove(p,b,n) =
  if n == 9 then False
  else if movable(p, b, (n % 3 + 1, n / 3 + 1)) then True
  else canMove(p, b, n + 1)

goal : Player -> Int
goal(p) = if p == White then 1 else 3

arrived : (Player,Board) -> Bool
arrived(p,b) = let y = goal(p) in or(b!(1,y) == p, or(b!(2,y) == p, b!(3,y) == p))

pawn : (Player,Board) -> Cell
pawn(p,b) = let f = input in while not(movable(p, b, f)) do input

target : (Player,Board,Cell) -> Cell
target(p,b,f) = let t = input in while not(allowed(p, b, f, t)) do input

play : (Player,Board) -> Player
play(p,b) =
  let f = pawn(p, b) in
  let t = target(p, b, f) in
  let after = place(p, place(Empty, b, f), t) in
  if arrived(p, after) then p
  else if canMove(other(p), after, 0) then play(other(p), after)
  else p

result : Player
result = play(White, start)
";

#[test]
fn hexapawn_is_won_by_the_second_player() {
    // Gardner 1962. Two answers are a move of a pawn, so its six moves are twelve.
    let mut game = session("bogl", HEXAPAWN);
    assert_eq!(value(&mut game, "turn p"), (GameValue::Loss, Some(12)));
    let stats = stats(&mut game, "turn p");
    assert!(stats.exact);
    let counts: Vec<f64> = stats.results.iter().map(|r| r.count).collect();
    assert_eq!(counts[..2], [64.0, 70.0], "{stats:?}");
    assert_eq!((stats.length.min, stats.length.max), (6, 14));
}

/// Notakto: both players mark with a cross, and a line of three loses.
const NOTAKTO: &str = r#"game {
  board { dimensions {3, 3} }
  players {"a", "b"}
  piece { name {"free"} onClick { changeType {"cross"} endTurn {} } }
  piece { name {"cross"} }
  setup { for r, c in board { place {"free", r, c} } }
  fun line(r, c, dr, dc) {
    for i(0, 3) { if board[r + i * dr][c + i * dc].name == "free" { return false } }
    return true
  }
  loseCondition {
    lose {line {0, 0, 1, 1} OR line {0, 2, 1, -1}}
    for i(0, 3) { lose {lose OR line {i, 0, 0, 1} OR line {0, i, 1, 0}} }
  }
}"#;

#[test]
fn notakto_on_one_board_is_won_in_the_center() {
    // Plambeck and Whitehead 2013: the only first move that wins is the center.
    let mut game = session("gridlok", NOTAKTO);
    let only = BTreeSet::from(["click{1,1}".to_string()]);
    assert_eq!(winning(&mut game, ""), only);
    let stats = stats(&mut game, "");
    assert_eq!((stats.exact, stats.games), (true, 23_232.0));
}

/// Domineering: the first player places dominoes upright, the second one across.
fn domineering(size: u32) -> String {
    format!(
        r#"game {{
  board {{ dimensions {{{size}, {size}}} }}
  players {{"upright", "across"}}
  piece {{ name {{"free"}}
    onClick {{ if (fits {{turn, pieceRow, pieceCol}}) {{ fill {{pieceRow, pieceCol}} }} }}
  }}
  piece {{ name {{"domino"}} }}
  setup {{ for r, c in board {{ place {{"free", r, c}} }} }}
  fun free(r, c) {{
    if r >= rows OR c >= cols {{ return false }}
    return board[r][c].name == "free"
  }}
  fun fits(who, r, c) {{
    if who == "upright" {{ return free {{r, c}} AND free {{r + 1, c}} }}
    return free {{r, c}} AND free {{r, c + 1}}
  }}
  fun fill(r, c) {{
    place {{"domino", r, c}}
    if turn == "upright" {{ place {{"domino", r + 1, c}} }} else {{ place {{"domino", r, c + 1}} }}
    endTurn {{}}
  }}
  fun other() {{ if turn == "upright" {{ return "across" }} return "upright" }}
  winCondition {{
    win {{true}}
    for r, c in board {{ if (fits {{other {{}}, r, c}}) {{ win {{false}} }} }}
  }}
}}"#
    )
}

#[test]
fn domineering_on_small_squares_is_won_by_the_first_player() {
    // Conway, On Numbers and Games: on 2 x 2, 3 x 3 and 4 x 4 the first player wins.
    let values = [2, 3, 4].map(|size| value(&mut session("gridlok", &domineering(size)), ""));
    assert_eq!(values.map(|(value, _)| value), [GameValue::Win; 3]);
    assert_eq!(values.map(|(_, moves)| moves), [1, 3, 7].map(Some));
}

/// Two white and two black knights in the corners of a 3 x 3 board: click one, then where it goes.
const KNIGHTS: &str = r#"game {
  board { dimensions {3, 3} }
  players {"you"}
  def from {-1}
  piece { name {"white"} onClick { from {pieceRow * 3 + pieceCol} } }
  piece { name {"black"} onClick { from {pieceRow * 3 + pieceCol} } }
  piece { name {"free"} onClick { if from >= 0 { jump {from / 3, from % 3, pieceRow, pieceCol} } } }
  setup {
    for r, c in board { place {"free", r, c} }
    place {"white", 0, 0} place {"white", 0, 2} place {"black", 2, 0} place {"black", 2, 2}
  }
  fun jump(r, c, toRow, toCol) {
    def product {(r - toRow) * (c - toCol)}
    if product == 2 OR product == -2 {
      place {board[r][c].name, toRow, toCol}
      place {"free", r, c}
      from {-1}
      endTurn {}
    }
  }
  winCondition {
    def up {board[0][0].name == "black" AND board[0][2].name == "black"}
    win {up AND board[2][0].name == "white" AND board[2][2].name == "white"}
  }
}"#;

#[test]
fn the_knights_change_places_in_sixteen_moves() {
    // Guarini 1512: sixteen moves, each of two clicks.
    let mut game = session("gridlok", KNIGHTS);
    assert_eq!(find(&mut game, "win").length, Some(2 * 16));
    assert_eq!(value(&mut game, ""), (GameValue::Win, Some(2 * 16)));
}

/// Two jugs that hold three and five, in three languages.
const JUGS: [(&str, &str); 3] = [
    (
        "gridlok",
        r#"game {
  board { dimensions {2, 3} }
  players {"you"}
  def a {0}
  def b {0}
  piece { name {"button"} onClick { press {pieceRow * 3 + pieceCol} endTurn {} } }
  setup { for r, c in board { place {"button", r, c} } }
  fun least(x, y) { if x < y { return x } return y }
  fun press(n) {
    def out {least {a, 5 - b}}
    def back {least {b, 3 - a}}
    if n == 0 { a {3} } elseif n == 1 { b {5} } elseif n == 2 { a {0} } elseif n == 3 { b {0} }
    elseif n == 4 { a {a - out} b {b + out} } else { a {a + back} b {b - back} }
  }
  winCondition { win {b == 4} }
}"#,
    ),
    (
        "bogl",
        "
game Jugs
type Input = {FillA, FillB, EmptyA, EmptyB, AToB, BToA}
type Jugs = (Int,Int)
least : (Int,Int) -> Int
least(x,y) = if x < y then x else y
pour : (Input,Int,Int) -> Jugs
pour(how,a,b) =
  let out = least(a, 5 - b) in
  let back = least(b, 3 - a) in
  if how == FillA then (3,b) else if how == FillB then (a,5)
  else if how == EmptyA then (0,b) else if how == EmptyB then (a,0)
  else if how == AToB then (a - out, b + out) else (a + back, b - back)
play : Jugs -> Jugs
play(a,b) = if b == 4 then (a,b) else play(pour(input, a, b))
result : Jugs
result = play(0,0)
",
    ),
    (
        "gridlang",
        r#"
Player { int a; int b }
Layout(1, 1) { Player me; playerOrder = [me] }
function least(int x, int y): int {
    if (x < y) return x
    return y
}
gameLoop()
{
    string how = prompt("how? ", string)
    int out = least(p.a, 5 - p.b)
    int back = least(p.b, 3 - p.a)
    if (how == "fill a") p.a = 3
    else if (how == "fill b") p.b = 5
    else if (how == "empty a") p.a = 0
    else if (how == "empty b") p.b = 0
    else if (how == "a to b") { p.a -= out; p.b += out }
    else if (how == "b to a") { p.a += back; p.b -= back }
    else repeat
}
checkGameEnd() { p.win = p.b == 4; return p.win }
"#,
    ),
];

#[test]
fn four_are_measured_with_jugs_of_three_and_five_in_six_steps() {
    // Every pair in which a jug is empty or full: 2 * 4 + 2 * 6 - 4 = 16.
    for (language, text) in JUGS {
        let mut game = session(language, text);
        assert_eq!(explore(&game).position_count(), 16, "{language}");
        let found = find(&mut game, "end");
        let length = (found.verdict, found.length);
        assert_eq!(length, (FindVerdict::Found, Some(6)), "{language}");
    }
}

/// A wolf, a goat and a cabbage cross a river with a farmer. Nobody may be eaten.
const RIVER: &str = "
game River
type Input = {Alone, Wolf, Goat, Cabbage}
type Result = {Safe, Eaten}

play : (Bool,Bool,Bool,Bool) -> Result
play(farmer,wolf,goat,cabbage) =
  if and(goat /= farmer, or(goat == wolf, goat == cabbage)) then Eaten
  else if and(and(farmer, wolf), and(goat, cabbage)) then Safe
  else cross(input, farmer, wolf, goat, cabbage)

cross : (Input,Bool,Bool,Bool,Bool) -> Result
cross(who,f,w,g,c) =
  if who == Alone then play(not(f), w, g, c)
  else if and(who == Wolf, w == f) then play(not(f), not(w), g, c)
  else if and(who == Goat, g == f) then play(not(f), w, not(g), c)
  else if and(who == Cabbage, c == f) then play(not(f), w, g, not(c))
  else play(f, w, g, c)

result : Result
result = play(False, False, False, False)
";

#[test]
fn wolf_goat_and_cabbage_cross_the_river_in_seven_trips() {
    // Alcuin, about 800. Ten of the sixteen states are safe; being eaten is one more position.
    let mut game = session("bogl", RIVER);
    assert_eq!(find(&mut game, "Safe").length, Some(7));
    assert_eq!(find(&mut game, "Eaten").length, Some(1));
    assert_eq!(explore(&game).position_count(), 9 + 2);
}

/// Tiles in a frame: a click on a tile beside the gap moves it there.
fn sliding(rows: usize, cols: usize, start: &[usize]) -> String {
    let tile = |n: usize| {
        format!("piece {{ name {{\"t{n}\"}} onClick {{ push {{pieceRow, pieceCol}} }} }}\n")
    };
    let tiles: String = (1..rows * cols).map(tile).collect();
    let cells = start.iter().enumerate().filter(|(_, n)| **n > 0);
    let place = |(i, n): (usize, &usize)| {
        let (row, col) = (i / cols, i % cols);
        format!("place {{\"t{n}\", {row}, {col}}} ")
    };
    let setup: String = cells.map(place).collect();
    let is_home = |n: usize| {
        let (row, col) = ((n - 1) / cols, (n - 1) % cols);
        format!("board[{row}][{col}].name == \"t{n}\"")
    };
    let home: Vec<String> = (1..rows * cols).map(is_home).collect();
    format!(
        r#"game {{
  board {{ dimensions {{{rows}, {cols}}} }}
  players {{"you"}}
  {tiles}
  setup {{ {setup} }}
  fun push(r, c) {{
    for i(0, rows), j(0, cols) {{
      if board[i][j] == empty AND (i - r) * (i - r) + (j - c) * (j - c) == 1 {{
        place {{board[r][c].name, i, j}}
        removePiece {{r, c}}
        endTurn {{}}
        i {{rows}} j {{cols}}
      }}
    }}
  }}
  winCondition {{ win {{{}}} }}
}}"#,
        home.join(" AND ")
    )
}

#[test]
fn the_farthest_start_of_five_tiles_takes_21_moves() {
    // Half of all 6! orders can be reached; the farthest from home takes 21 moves (OEIS A151944).
    let mut game = session("gridlok", &sliding(2, 3, &[4, 5, 0, 1, 2, 3]));
    assert_eq!(explore(&game).position_count(), 360);
    assert_eq!(find(&mut game, "win").length, Some(21));
    // Two tiles exchanged: the other half.
    let mut exchanged = session("gridlok", &sliding(2, 3, &[2, 1, 3, 4, 5, 0]));
    let never = find(&mut exchanged, "win");
    assert_eq!(
        (never.verdict, never.extent.positions),
        (FindVerdict::Never, 360)
    );
}

/// A race to the last field of a track with ladders, with one die, in two languages.
const LADDERS: [(&str, &str); 2] = [
    (
        "gridlok",
        r#"game {
  board { dimensions {1, 1} }
  players {"you"}
  def at {0}
  piece { name {"die"}
    onClick {
      at {at + rand {1, 7}}
      if at > 12 { at {12} } elseif at == 3 { at {7} } elseif at == 5 { at {10} }
      endTurn {}
    }
  }
  setup { place {"die", 0, 0} }
  winCondition { win {at == 12} }
}"#,
    ),
    (
        "gridlang",
        r#"
int at
Layout(1, 1) { Player you; playerOrder = [you] }
gameLoop()
{
    at += diceThrow()
    if (at > 12) at = 12
    else if (at == 3) at = 7
    else if (at == 5) at = 10
}
checkGameEnd() { you.win = at == 12; return you.win }
"#,
    ),
];

#[test]
fn the_expected_number_of_throws_on_a_track_with_ladders_is_exact() {
    // The expectation at each field is 1 and the mean of those at the next six.
    let mut expected = [0.0f64; 13];
    for at in (0..12usize).rev() {
        let next = (1..=6).map(|n| match (at + n).min(12) {
            3 => 7,
            5 => 10,
            to => to,
        });
        expected[at] = 1.0 + next.map(|to| expected[to]).sum::<f64>() / 6.0;
    }
    for (language, text) in LADDERS {
        let stats = stats(&mut session(language, text), "");
        assert!(stats.exact, "{language}");
        let error = (stats.length.mean - expected[0]).abs();
        assert!(error < 1e-12, "{language}: {error}");
        assert_eq!((stats.length.min, stats.length.max), (2, 10), "{language}");
    }
}

/// Connect three on 3 x 3 in two languages: the games of the samples, with another size.
#[test]
fn connect_three_has_the_same_games_in_two_languages() {
    let gridlok = include_str!("../../sessions/gridlok/connect-four.gl")
        .replace("dimensions {6, 7}", "dimensions {3, 3}")
        .replace("3 * d", "2 * d")
        .replace("for i(0, 4)", "for i(0, 3)");
    let bogl = include_str!("../../sessions/bogl/connect-four.bgl")
        .replace("Array (7,6)", "Array (3,3)")
        .replace("inARow(4", "inARow(3");
    for (language, text, options) in [("gridlok", gridlok, ""), ("bogl", bogl, "turn p")] {
        let mut game = session(language, &text);
        let stats = stats(&mut game, options);
        let counts: Vec<f64> = stats.results.iter().map(|r| r.count).collect();
        assert_eq!(stats.extent.positions, 694, "{language}");
        assert_eq!(stats.games, 1310.0, "{language}");
        assert_eq!(counts.iter().sum::<f64>(), 1310.0, "{language}");
        assert_eq!(value(&mut game, options), (GameValue::Draw, None));
    }
}
