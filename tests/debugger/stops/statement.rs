//! Where `step` and `next` stop, for every kind of GridLok statement and one program of each other
//! language.

use super::{gridlok, step_lines};
use crate::test_session::TestSession;

/// The lines at which `next` stops.
fn next_lines(program: &str, breakpoint: &str, entry: &str) -> Vec<u32> {
    step_lines("gridlok", "game.gl", program, breakpoint, entry, ":next")
}

#[test]
fn each_builtin_stops_once() {
    let program = "board { dimensions {2, 3} image {b.png} }
players {\"x\", \"o\", \"z\"}
piece { name {\"a\"} }
piece { name {\"b\"} }
fun every() {
  place {\"a\", 0, 0}
  place {\"b\", 0, 1}
  removePiece {0, 1}
  board[0][0].changeType {\"b\"}
  board[0][0].visible {false}
  print {rand {0, 2}}
  display {\"hi\"}
  removePlayer {\"z\"}
  endTurn {}
  click {1, 1}
  return rows
}";
    let wanted = [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
    assert_eq!(gridlok(program, "every", "every {}"), wanted);
    assert_eq!(next_lines(program, "every", "every {}"), wanted);
}

#[test]
fn each_form_of_an_assignment_stops_once() {
    let program = "board { dimensions {1, 2} image {b.png} }
def top {1}
piece { name {\"a\"} }
fun f(k) {
  def n {k}
  def l {1, 2,}
  def e {,}
  n {n + 1}
  top {n}
  l {5}
  l {7, 8,}
  l[0] {9}
  l[1] {}
  e {l[0]}
  k {0}
  if true {
    def n {100}
    n {101}
  }
  place {\"a\", 0, 1}
  for p in row(0) {
    if p.name == \"a\" {
      p.visible {false}
      p.changeType {\"a\"}
    }
  }
  return n
}";
    // The first cell of the row is empty.
    let wanted = [
        5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 22, 22, 23, 24, 27,
    ];
    assert_eq!(gridlok(program, "f", "f {1}"), wanted);
    assert_eq!(next_lines(program, "f", "f {1}"), wanted);
}

#[test]
fn next_steps_over_calls_and_step_steps_into_them() {
    let program = "fun outer(n) {
  def a {inner {n}}
  if (inner {a}) > 3 {
    return inner {1}
  }
  return a
}
fun inner(k) {
  return k + 1
}
board { dimensions {1, 1} image {b.png} }";
    assert_eq!(gridlok(program, "outer", "outer {3}"), [2, 9, 3, 9, 4, 9]);
    assert_eq!(next_lines(program, "outer", "outer {3}"), [2, 3, 4]);
    assert_eq!(next_lines(program, "outer", "outer {0}"), [2, 3, 6]);
    // From inside a call, `next` continues in the caller.
    assert_eq!(next_lines(program, "inner", "outer {3}"), [9, 3, 4]);
}

#[test]
fn short_circuited_calls_are_not_stepped_into() {
    let program = "fun yes() {
  return true
}
fun no() {
  return false
}
fun f() {
  def a {yes {} OR no {}}
  def b {no {} AND yes {}}
  if (no {}) OR (yes {}) {
    return a
  }
  return b
}
board { dimensions {1, 1} image {b.png} }";
    assert_eq!(gridlok(program, "f", "f {}"), [8, 2, 9, 5, 10, 5, 2, 11]);
    assert_eq!(next_lines(program, "f", "f {}"), [8, 9, 10, 11]);
}

#[test]
fn a_loop_stops_at_its_head_once_and_at_its_body_in_each_iteration() {
    let program = "board { dimensions {2, 2} image {b.png} }
fun f() {
  def n {0}
  for i(0, 3) {
    if i == 1 AND n == 0 {
      n {1}
      i {0}
    }
    print {i}
  }
  for i(0, 2), j(i, 2) {
    print {j}
  }
  for a(0, 2), b(0, 1), c(0, 2) {
    print {c}
  }
  for i(0, 2) {
  }
  for int x, int y in board {
    if x == 1 AND y == 1 {
      return x
    }
  }
}";
    let first = [3, 4, 5, 9, 5, 6, 7, 9, 5, 9, 5, 9];
    let ranges = [11, 12, 12, 12, 14, 15, 15, 15, 15, 17];
    let left = [19, 20, 20, 20, 20, 21];
    let all = [&first[..], &ranges, &left].concat();
    assert_eq!(gridlok(program, "f", "f {}"), all);
    assert_eq!(next_lines(program, "f", "f {}"), all);
}

#[test]
fn next_stays_in_a_loop_whose_body_calls() {
    let program = "fun twice(k) {
  def m {k}
  return m + m
}
fun f() {
  def sum {0}
  for i(0, 2) {
    sum {sum + twice {i}}
  }
  return sum
}
board { dimensions {1, 1} image {b.png} }";
    assert_eq!(gridlok(program, "f", "f {}"), [6, 7, 8, 2, 3, 8, 2, 3, 10]);
    assert_eq!(next_lines(program, "f", "f {}"), [6, 7, 8, 8, 10]);
}

#[test]
fn every_branch_of_an_if_has_its_own_stops() {
    let program = "fun f(n) {
  if (n == 0) {
    print {0}
  } elseif n == 1 {
    print {1}
  } elseif (n == 2) {
    if n > 5 {
      print {5}
    } else {
      print {2}
    }
  } else {
    print {9}
  }
}
board { dimensions {1, 1} image {b.png} }";
    assert_eq!(gridlok(program, "f", "f {0}"), [2, 3]);
    assert_eq!(gridlok(program, "f", "f {1}"), [2, 4, 5]);
    assert_eq!(gridlok(program, "f", "f {2}"), [2, 4, 6, 7, 10]);
    assert_eq!(gridlok(program, "f", "f {3}"), [2, 4, 6, 13]);
    assert_eq!(next_lines(program, "f", "f {3}"), [2, 4, 6, 13]);
}

const TURNS: &str = "board { dimensions {1, 2} image {b.png} }
players {\"x\", \"o\"}
eventPriority {\"b\", \"a\"}
piece { name {\"a\"}
  onTurn {
    print {pieceCol}
  }
  onClick {
    endTurn {}
    print {\"clicked\"}
  }
}
piece { name {\"b\"}
  onTurn {
    print {turn}
  }
  onClick {
    removePlayer {turn}
  }
}
setup {
  place {\"a\", 0, 0}
  x {
    place {\"b\", 0, 1}
  }
}
winCondition {
  win {turnCount > 0}
}
loseCondition {
  lose {false}
}
drawCondition {
  if turnCount > 8 {
    draw {true}
  }
}";

#[test]
fn a_turn_ends_after_its_action_with_conditions_and_handlers_in_order() {
    // endTurn only marks the turn as over: the handler runs to its end first. Then b before a, by
    // eventPriority.
    assert_eq!(
        gridlok(TURNS, "a.onClick", "click {0, 0}"),
        [9, 10, 28, 31, 34, 15, 6]
    );
    // Conditions and handlers of the new turn are called by the rules: after the handler, `next`
    // steps over them.
    assert_eq!(next_lines(TURNS, "a.onClick", "click {0, 0}"), [9, 10]);
    assert_eq!(
        next_lines(TURNS, "winCondition", "click {0, 0}"),
        [28, 31, 34]
    );
    assert_eq!(next_lines(TURNS, "onTurn", "click {0, 0}"), [15, 6]);
    // If the current player leaves, the turn ends as well.
    assert_eq!(
        gridlok(TURNS, "b.onClick", "click {0, 1}"),
        [18, 28, 31, 34, 15, 6]
    );
    // The first true condition is the last one checked, and no new turn starts.
    let won = TURNS.replace("turnCount > 0", "true");
    assert_eq!(gridlok(&won, "a.onClick", "click {0, 0}"), [9, 10, 28]);
    let lost = TURNS.replace("lose {false}", "lose {true}");
    assert_eq!(gridlok(&lost, "a.onClick", "click {0, 0}"), [9, 10, 28, 31]);
    let drawn = TURNS.replace("turnCount > 8", "turnCount == 0");
    assert_eq!(
        gridlok(&drawn, "a.onClick", "click {0, 0}"),
        [9, 10, 28, 31, 34, 35]
    );
    // A turn ended at the prompt.
    assert_eq!(
        gridlok(TURNS, "winCondition", "endTurn {}"),
        [28, 31, 34, 15, 6]
    );
}

#[test]
fn setup_and_initial_values_stop_when_the_game_starts() {
    assert_eq!(gridlok(TURNS, "setup", ":restart"), [22, 23, 24]);
    let program = "board { dimensions {1, 1} image {b.png} }
fun twice(n) {
  return n + n
}
def a {1}
def b {twice {a}}
setup {
  a {5}
}";
    assert_eq!(gridlok(program, "5", ":restart"), [5, 6, 3, 8]);
    // Setup is called by the rules.
    assert_eq!(next_lines(program, "5", ":restart"), [5, 6]);
}

#[test]
fn clicks_in_handlers_are_calls_and_a_second_one_is_skipped() {
    let program = "board { dimensions {1, 3} image {b.png} }
def n {0}
piece { name {\"a\"}
  onClick {
    n {n + 1}
    for i, j surrounding pieceRow, pieceCol {
      click {i, j}
    }
  }
}
setup { for x, y in board { place {\"a\", x, y} } }";
    // 0 clicks 1; 1 clicks 0 (skipped) and 2; 2 clicks 1 (skipped).
    assert_eq!(
        gridlok(program, "onClick", "click {0, 0}"),
        [5, 6, 7, 5, 6, 7, 7, 5, 6, 7]
    );
    assert_eq!(next_lines(program, "onClick", "click {0, 0}"), [5, 6, 7]);
}

/// The lines at which `step` and `next` stop, in a given language.
fn step_and_next_lines(
    language: &str,
    file: &str,
    program: &str,
    breakpoint: &str,
    entry: &str,
) -> [Vec<u32>; 2] {
    [":step", ":next"].map(|by| step_lines(language, file, program, breakpoint, entry, by))
}

#[test]
fn bogl_stops_at_equations_lets_and_branches() {
    let program = "game Steps
type Board = Array (2,2) of Int
start : Board
start!(x,y) = 0
start!(1,1) = 7
half : Int -> Int
half(n) = n / 2
grow : (Int,Int) -> (Int,Int)
grow(n,k) =
  while n < 10 do
    (n + k, k + 1)
pick : Int -> Int
pick(n) = let h = half(n) in
  if h > 3 then
    half(h)
  else
    start!(1,1) + h
both : Int -> Int
both(n) = pick(n) + pick(n + 10)
";
    let of = |breakpoint: &str, entry: &str| {
        step_and_next_lines("bogl", "steps.bgl", program, breakpoint, entry)
    };
    // pick(1): h is 0, the else; pick(11): h is 5, the then with one more call.
    let [step, next] = of("both", "both(1)");
    assert_eq!(step, [19, 13, 7, 14, 17, 13, 7, 14, 15, 7]);
    assert_eq!(next, [19]);
    // The `while` tests three times and has two iterations: 7, 8, 10.
    let [step, next] = of("grow", "grow(7,1)");
    assert_eq!(step, [9, 10, 11, 10, 11, 10]);
    assert_eq!(next, step);
    // From inside a call, `next` continues in the caller: after half in pick.
    let [_, next] = of("half", "pick(1)");
    assert_eq!(next, [7, 14, 17]);
}

const HOPS: &str = "    int k = twice(2)
    while (k > 3)
    {
        k--
    }
    if (k > 5)
        print(\"many\")
    else
        print(\"few\")
    p.position.col++";

#[test]
fn gridlang_stops_in_the_loop_then_where_the_rules_call() {
    let meadow = super::meadow(HOPS, "Player.caught += twice(1)", "p.caught > 9");
    let [step, next] = step_and_next_lines("gridlang", "meadow.grid", &meadow, "gameLoop", ":turn");
    // k is 4, then 3: two tests, one iteration; the move, its check, the meeting, the end.
    assert_eq!(step, [16, 5, 17, 19, 17, 21, 24, 25, 29, 33, 5, 34, 38]);
    // The check of the move and the meeting are called from deeper in the rules, the end from
    // gameLoop's level.
    assert_eq!(next, [16, 17, 19, 17, 21, 24, 25, 38]);
    let [step, next] = step_and_next_lines(
        "gridlang",
        "meadow.grid",
        &meadow,
        "Fly.colocation",
        ":turn",
    );
    assert_eq!(step, [33, 5, 34, 38]);
    assert_eq!(next[..2], [33, 34]);
}

#[test]
fn tinygame_has_no_calls_so_next_is_step() {
    let program = "player hero { x = 0; y = 1; }
enemy troll { x = 5; y = 0; }
move hero right 2;
if hero.x > 1 {
  print \"far\";
  if hero.y > 1 {
    print \"high\";
  }
}
set hero.y = troll.x + 1;
if hero.y == 6 { move troll left 1; }";
    let [step, next] = step_and_next_lines("tinygame", "game.tg", program, "game", ":restart");
    assert_eq!(step, [1, 1, 2, 2, 3, 4, 5, 6, 10, 11, 11]);
    assert_eq!(next, step);
}

#[test]
fn sgl2d_stops_at_the_events_of_a_key() {
    let program = "environment > x=4 y=1
player > x=0 y=0
goal > x=3 y=0
sprite mud >
sprite egg >
counter counter1 > true 9
event mud > deccounter1=1 inccounter2=1
event egg > setspritecounter=3 playerdecspritecounter=1
set mud > x=1 y=0
set egg > x=2 y=0";
    let [step, _] = step_and_next_lines("sgl2d", "game.sgl2d", program, "event mud", "right");
    // Touching mud runs its line part by part; then the egg is updated; then the goal is checked.
    assert_eq!(step, [7, 7, 8, 3]);
}

/// A loop in lines 2 to 4 that counts to 2, and line 5 after it, in two languages.
const LOOPS: [(&str, &str, &str); 2] = [
    (
        "gridlok",
        "board { dimensions {1, 1} image {b.png} } def n {0} def m {0} fun f() {
  for i(0, 2) {
    n {n + 1}
  }
  m {n}
}",
        "f{}",
    ),
    (
        "gridlang",
        "int n = 0; int m = 0; function void f() {
  while (n < 2) {
    n = n + 1
  }
  m = n
}",
        "f()",
    ),
];

/// The arrow points at what runs next, not at the statement that has just ended.
#[test]
fn the_arrow_points_at_the_statement_after_the_one_that_has_run() {
    for (language, program, call) in LOOPS {
        let mut session = TestSession::load(language, program);
        session.reply_text(":watch n");
        let stop = session.reply_text(call);
        assert!(stop.contains("line 3 has just run"), "{stop}");
        // The GridLang loop tests its condition first.
        let next = if language == "gridlok" {
            "=>   3"
        } else {
            "=>   2"
        };
        assert!(stop.contains(next), "{stop}");
        session.expect("step", &[next]);
        session.reply_text("continue");
        let next = if language == "gridlok" {
            "=>   5"
        } else {
            "=>   2"
        };
        session.expect("step", &[next]);
        session.expect("continue", &["finished"]);
        session.expect(":first n == 2", &["line 3 has just run"]);
        // After the last statement, the closing brace is next.
        session.expect(":first m == 2", &["=>   6  }", "line 5 has just run"]);
    }
}

/// `where`, `list`, `frame` and `why` name the same statement as the stop, also after something was
/// typed there.
#[test]
fn all_commands_name_the_statement_that_runs_next() {
    for (language, program, call) in LOOPS {
        let mut session = TestSession::load(language, program);
        session.reply_text(":watch n");
        session.reply_text(call);
        // The GridLang loop tests its condition first.
        let (line, typed) = match language {
            "gridlok" => (3, "n {7}"),
            _ => (2, "n = 7"),
        };
        let next = program.lines().nth(line - 1).expect("a line").trim();
        let arrow = format!("=>   {line}");
        let frame = format!("game:{line}      {next}");
        session.expect("where", &[&frame]);
        session.expect("list", &[&arrow]);
        session.expect("frame 0", &[&arrow, next]);
        // A stop in what is typed there: the entry has run, the frame below is where it was.
        session.expect(typed, &["line 1 has just run"]);
        session.expect("where", &[&format!("(has run) {typed}"), &frame]);
        session.expect("up", &[&arrow]);
        session.expect(":why n", &["n: 1 => 7", &format!("from f   {next}")]);
        session.reply_text("continue");
        session.expect(":why n", &["n: 1 => 7", &format!("from f   {next}")]);
    }
}

/// A program, a breakpoint, an entry that stops at it, an entry to type there that stops again, a
/// part of the statement that the stopped frame runs next, and of the one that was typed.
const TYPED_ENTRIES: [(&str, &str, [&str; 5]); 3] = [
    (
        "bogl",
        "game G\nf : Int -> Int\nf(n) = let m = n + 1 in m * 2\n",
        [
            ":break f",
            "f(2)",
            "let a = f(7)",
            "f(n) = let m",
            "f(n) = let m",
        ],
    ),
    (
        "tinygame",
        "player hero { x = 4; y = 5; }",
        [
            ":watch hero.x",
            "set hero.x = 3; move hero up 1;",
            "set hero.x = 1;",
            "set hero.x = 3; move hero up 1;",
            "(has run) set hero.x = 1;",
        ],
    ),
    (
        "sgl2d",
        "environment > x=5 y=2\nplayer > x=0 y=0\nsprite bomb > color=red\n\
         event bomb > setspritecounter=6 playerdecspritecounter=1\nset bomb > x=3 y=1\n",
        [
            ":break event bomb",
            "right",
            "left",
            "event bomb > ",
            "event bomb > ",
        ],
    ),
];

#[test]
fn the_frame_below_a_typed_entry_names_what_runs_next() {
    for (language, program, [breakpoint, entry, typed, below, top]) in TYPED_ENTRIES {
        let mut session = TestSession::load(language, program);
        session.reply_text(breakpoint);
        assert!(session.reply(entry).stop.is_some(), "{language}");
        let before = session.reply_text(":where");
        assert!(session.reply(typed).stop.is_some(), "{language}");
        let stack = session.reply_text(":where");
        let frames: Vec<&str> = stack.lines().collect();
        assert!(frames[0].contains(top), "{stack}");
        // The frames of the first entry are listed as they were.
        let depth = before.lines().count();
        let outer = &frames[frames.len() - depth..];
        assert!(outer[0].contains(below), "{stack}");
        for (now, before) in outer.iter().zip(before.lines()) {
            let statement = before.rsplit("   ").next().expect("a statement");
            assert!(now.ends_with(statement), "{stack}\nwas\n{before}");
        }
    }
}
