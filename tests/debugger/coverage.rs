//! `:coverage` counts exactly what ran, in every language, and changes nothing.

use crate::protocol::{part, valid_json};
use crate::test_session::TestSession;
use gridbug::render::AnswerText;
use serde_json::{Value as Json, json};

const GRIDLOK: &str = r#"game {
  board { dimensions {2, 2} image {b.png} }
  players {"x", "o"}
  def n {0}
  piece { name {"coin"} image {c.png}
    onClick {
      if pieceRow == 0 {
        n {n + 1}
      } else {
        n {n - 1}
      }
      changeType {"gone"}
      endTurn {}
    }
  }
  piece { name {"gone"} image {g.png}
    onClick {
      print {"gone"}
    }
  }
  setup {
    for r, c in board {
      place {"coin", r, c}
    }
  }
  winCondition {
    def left {0}
    for p in board {
      if p.name == "coin" AND n < 9 {
        left {left + 1}
      }
    }
    win {left == 0}
  }
}"#;

const BOGL: &str = "game Sums

type Board = Array (2,2) of Int

b : Board
b!(x,y) = 0

down : Int -> Int
down(n) =
  if n == 0
  then 0
  else 1 + down(n - 1)

even : Int -> Bool
even(n) = n == 2 * (n / 2)

sum : (Int,Int) -> (Int,Int)
sum(n,s) =
  while n > 0 do
    (n - 1, s + n)
";

const GRIDLANG: &str = r#"Player {
    int score
}

int rounds

Layout(1, 4)
{
    Player ann
    ann.position = (0,0)
}

function unused(int a): int {
    return a + 1
}

gameLoop()
{
    int i = 0
    while (i < 3) {
        i++
    }
    if (rounds == 1) {
        print("second")
    }
    rounds++
}

checkGameEnd()
{
    return rounds > 2
}
"#;

const TINYGAME: &str = "player hero { x = 0; y = 0; }
move hero right 2;
if hero.x > 1 {
    print \"far\";
}
if hero.y > 0 {
    print \"high\";
}
";

const SGL2D: &str = "environment > x=4 y=1
player > x=0 y=0
goal > x=3 y=0
sprite coin > color=yellow
sprite lava > color=red
event coin > inccounter1=1
event lava > gameover
counter counter1 > true 5 winonzerocounter
set coin > x=1 y=0
";

/// The answer as clients get it.
fn json(session: &mut TestSession, line: &str) -> Json {
    let answer = session.reply(line);
    assert!(answer.ok, "{line}: {}", answer.text());
    valid_json(&session.0, &answer)
}

/// The lines with code, as `[line, count]` or `[line, count, true, false]`.
fn counts(session: &mut TestSession, line: &str) -> Vec<Vec<u64>> {
    let answer = json(session, line);
    let lines = part(&answer, "coverage")["lines"]
        .as_array()
        .expect("lines");
    let to_counts = |line: &Json| {
        let fields = ["line", "count", "true", "false"];
        fields.iter().filter_map(|f| line[f].as_u64()).collect()
    };
    lines.iter().map(to_counts).collect()
}

/// The counts of one line.
#[track_caller]
fn count_of(all: &[Vec<u64>], line: u64) -> &[u64] {
    let found = all.iter().find(|counts| counts[0] == line);
    &found.unwrap_or_else(|| panic!("line {line} has no counts: {all:?}"))[1..]
}

fn never_ran(session: &mut TestSession) -> Vec<String> {
    let answer = json(session, ":coverage");
    let unused = part(&answer, "coverage")["never_ran"]
        .as_array()
        .expect("a list");
    let name = |f: &Json| f["name"].as_str().unwrap_or("").to_string();
    unused.iter().map(name).collect()
}

#[test]
fn gridlok_statements_loops_and_conditions_are_counted() {
    let mut session = TestSession::load("gridlok", GRIDLOK);
    let all = counts(&mut session, ":coverage");
    // The setup places a coin on each of four cells; nobody has clicked.
    assert_eq!(count_of(&all, 22), [1]);
    assert_eq!(count_of(&all, 23), [4]);
    assert_eq!(count_of(&all, 7), [0, 0, 0]);
    for click in ["click{0,0}", "click{0,1}", "click{1,0}"] {
        session.reply(click);
    }
    let all = counts(&mut session, ":coverage");
    // Three clicks: two in row 0, one in row 1.
    assert_eq!(count_of(&all, 7), [3, 2, 1]);
    assert_eq!(count_of(&all, 8), [2]);
    assert_eq!(count_of(&all, 10), [1]);
    assert_eq!(count_of(&all, 12), [3]);
    assert_eq!(count_of(&all, 18), [0]);
    // The condition is checked at the end of three turns, with 3, 2 and 1 coins left of four cells.
    assert_eq!(count_of(&all, 27), [3]);
    assert_eq!(count_of(&all, 28), [3]);
    assert_eq!(count_of(&all, 29), [12, 6, 6]);
    assert_eq!(count_of(&all, 30), [6]);
    assert_eq!(count_of(&all, 33), [3, 0, 3]);
    assert_eq!(never_ran(&mut session), ["gone.onClick"]);
    session.reply("click{1,1}");
    let all = counts(&mut session, ":coverage");
    assert_eq!(count_of(&all, 29), [16, 6, 10]);
    assert_eq!(count_of(&all, 33), [4, 1, 3]);
}

#[test]
fn operands_of_a_condition_are_listed_with_it() {
    let mut session = TestSession::load("gridlok", GRIDLOK);
    session.reply("click{0,0}");
    let answer = json(&mut session, ":coverage");
    let lines = part(&answer, "coverage")["lines"].as_array().unwrap();
    let line = lines.iter().find(|line| line["line"] == 29).unwrap();
    assert_eq!((&line["true"], &line["false"]), (&json!(3), &json!(1)));
    // The second operand decides the whole and is not a test of its own.
    assert_eq!(
        line["further_conditions"],
        json!([{"column": 10, "text": "p.name == \"coin\"", "true": 3, "false": 1}])
    );
}

#[test]
fn the_condition_of_a_line_is_the_whole_and_not_an_operand() {
    let program = "board { dimensions {1, 2} image {b.png} }
players {\"x\"}
def n {0}
piece { name {\"a\"} image {a.png} onClick { n {n + 1} endTurn {} } }
setup { place {\"a\", 0, 0} }
winCondition {
  def big {n > 1 OR n > 2}
  win {n > 5 OR big}
}";
    let mut session = TestSession::load("gridlok", program);
    for _ in 0..3 {
        session.reply("click{0,0}");
    }
    // The third click comes after the game is won.
    let all = counts(&mut session, ":coverage");
    assert_eq!(count_of(&all, 8), [2, 1, 1]);
    // Nothing is decided by the assignment itself.
    assert_eq!(count_of(&all, 7), [2]);
}

#[test]
fn bogl_equations_branches_and_loops_are_counted() {
    let mut session = TestSession::load("bogl", BOGL);
    session.reply("down(3)");
    session.reply("sum(2,0)");
    session.reply("even(4)");
    session.reply("even(7)");
    session.reply("even(8)");
    let all = counts(&mut session, ":coverage");
    // down runs for 3, 2, 1 and 0.
    assert_eq!(count_of(&all, 10), [4, 1, 3]);
    assert_eq!(count_of(&all, 11), [1]);
    assert_eq!(count_of(&all, 12), [3]);
    assert_eq!(count_of(&all, 15), [3, 2, 1]);
    // The loop is tested with n = 2, 1 and 0.
    assert_eq!(count_of(&all, 19), [3, 2, 1]);
    assert_eq!(count_of(&all, 20), [2]);
}

#[test]
fn gridlang_turns_are_counted() {
    let mut session = TestSession::load("gridlang", GRIDLANG);
    session.reply(":turn");
    session.reply(":turn");
    let all = counts(&mut session, ":coverage");
    assert_eq!(count_of(&all, 10), [1]);
    assert_eq!(count_of(&all, 14), [0]);
    assert_eq!(count_of(&all, 19), [2]);
    // Each turn tests i = 0, 1, 2 and 3.
    assert_eq!(count_of(&all, 20), [8, 6, 2]);
    assert_eq!(count_of(&all, 21), [6]);
    assert_eq!(count_of(&all, 23), [2, 1, 1]);
    assert_eq!(count_of(&all, 24), [1]);
    assert_eq!(count_of(&all, 31), [2, 0, 2]);
    assert_eq!(never_ran(&mut session), ["unused"]);
}

#[test]
fn tinygame_statements_are_counted() {
    let mut session = TestSession::load("tinygame", TINYGAME);
    let all = counts(&mut session, ":coverage");
    assert_eq!(count_of(&all, 2), [1]);
    assert_eq!(count_of(&all, 3), [1, 1, 0]);
    assert_eq!(count_of(&all, 4), [1]);
    assert_eq!(count_of(&all, 6), [1, 0, 1]);
    assert_eq!(count_of(&all, 7), [0]);
    session.reply(":restart");
    let all = counts(&mut session, ":coverage");
    assert_eq!(count_of(&all, 3), [2, 2, 0]);
}

#[test]
fn sgl2d_events_are_counted() {
    let mut session = TestSession::load("sgl2d", SGL2D);
    session.reply("right");
    session.reply("right");
    let all = counts(&mut session, ":coverage");
    // The coin is at x = 1.
    assert_eq!(count_of(&all, 6), [1]);
    assert_eq!(count_of(&all, 7), [0]);
    // The counter is checked after each move: it never is 0.
    assert_eq!(count_of(&all, 8), [2, 0, 2]);
    // The goal is tested after each move, at x = 1 and x = 2.
    assert_eq!(count_of(&all, 3), [2, 0, 2]);
    session.reply("right");
    let all = counts(&mut session, ":coverage");
    assert_eq!(count_of(&all, 3), [3, 1, 2]);
}

#[test]
fn counting_changes_nothing() {
    for (language, program, entries) in [
        ("gridlok", GRIDLOK, ["click{0,0}", "click{1,1}"]),
        ("bogl", BOGL, ["down(3)", "sum(2,0)"]),
        ("gridlang", GRIDLANG, [":turn", ":turn"]),
        ("tinygame", TINYGAME, ["move hero up 1;", "set hero.x = 7;"]),
        ("sgl2d", SGL2D, ["right", "right"]),
    ] {
        let mut session = TestSession::load(language, program);
        let mut plain = TestSession::load(language, program);
        for entry in entries {
            session.reply(entry);
            plain.reply(entry);
            session.reply(":coverage");
            for query in [":state", ":board", ":when", ":history"] {
                let (a, b) = (session.reply_text(query), plain.reply_text(query));
                let a = a.lines().filter(|line| !line.contains(":coverage"));
                assert_eq!(a.collect::<Vec<_>>().join("\n"), b, "{language} {query}");
            }
        }
        assert_eq!(
            session.0.target.machine.time(),
            plain.0.target.machine.time(),
            "{language}"
        );
        for command in [":undo", ":redo", ":undo", ":undo"] {
            let (a, b) = (session.reply_text(command), plain.reply_text(command));
            assert_eq!(a, b, "{language} {command}");
        }
    }
}

#[test]
fn undone_entries_are_not_counted() {
    let mut session = TestSession::load("gridlok", GRIDLOK);
    session.reply("click{0,0}");
    session.reply("click{1,0}");
    assert_eq!(count_of(&counts(&mut session, ":coverage"), 7), [2, 1, 1]);
    session.reply(":undo");
    assert_eq!(count_of(&counts(&mut session, ":coverage"), 7), [1, 1, 0]);
    session.reply(":redo");
    assert_eq!(count_of(&counts(&mut session, ":coverage"), 7), [2, 1, 1]);
    session.reply(":undo");
    session.reply("click{0,1}");
    assert_eq!(count_of(&counts(&mut session, ":coverage"), 7), [2, 2, 0]);
}

#[test]
fn a_stopped_entry_counts_up_to_where_it_stopped() {
    let mut session = TestSession::load("gridlok", GRIDLOK);
    session.reply(":break 12");
    session.reply("click{0,0}");
    let all = counts(&mut session, ":coverage");
    assert_eq!(count_of(&all, 7), [1, 1, 0]);
    assert_eq!(count_of(&all, 8), [1]);
    assert_eq!(count_of(&all, 12), [0]);
    // What is typed at a stop is part of the history; the entry around it continues afterwards.
    session.reply("n {5}");
    session.reply("step");
    assert_eq!(count_of(&counts(&mut session, ":coverage"), 12), [1]);
    session.reply("continue");
    let all = counts(&mut session, ":coverage");
    assert_eq!(count_of(&all, 7), [1, 1, 0]);
    assert_eq!(count_of(&all, 13), [1]);
    // In the past, only what had run by then.
    session.reply(":goto start");
    assert_eq!(count_of(&counts(&mut session, ":coverage"), 7), [0, 0, 0]);
}

#[test]
fn a_condition_counts_once_if_its_branch_is_redefined_at_a_stop() {
    let mut session = TestSession::load("gridlok", GRIDLOK);
    // The stop is directly after the jump of the condition in line 7.
    session.reply(":break 8");
    session.reply("click{0,0}");
    session.reply("def m {1}");
    session.reply("continue");
    assert_eq!(count_of(&counts(&mut session, ":coverage"), 7), [1, 1, 0]);
}

#[test]
fn answers_to_questions_are_replayed() {
    let program = "game Ask
type Board = Array (2,2) of Int
type Input = Int
b : Board
b!(x,y) = 0
ask : Int -> Int
ask(n) =
  if input == 0
  then n
  else ask(n + 1)
";
    let mut session = TestSession::load("bogl", program);
    session.reply("ask(0)");
    session.reply("5");
    // The program is waiting for the second answer.
    assert_eq!(count_of(&counts(&mut session, ":coverage"), 8), [2, 0, 1]);
    session.reply("0");
    assert_eq!(count_of(&counts(&mut session, ":coverage"), 8), [2, 1, 1]);
}

#[test]
fn redefined_code_is_counted_from_then_on() {
    let mut session = TestSession::load("gridlok", GRIDLOK);
    session.reply("click{0,0}");
    session.reply("winCondition {\n  win {false}\n}");
    session.reply("click{0,1}");
    let answer = json(&mut session, ":coverage");
    let lines = part(&answer, "coverage")["lines"].as_array().unwrap();
    let typed: Vec<&Json> = lines
        .iter()
        .filter(|line| {
            line["file"]
                .as_str()
                .is_some_and(|f| f.starts_with("entry"))
        })
        .collect();
    assert_eq!(typed.len(), 1, "{typed:?}");
    assert_eq!(
        (&typed[0]["line"], &typed[0]["count"]),
        (&json!(2), &json!(1))
    );
    // Code that did not change keeps its counts.
    let onclick = lines.iter().find(|line| line["line"] == 7).unwrap();
    assert_eq!(onclick["count"], 2);
}

#[test]
fn list_and_program_show_the_counts_while_coverage_is_on() {
    let mut session = TestSession::load("gridlok", GRIDLOK);
    session.reply("click{0,0}");
    let plain = session.reply_text(":list 8");
    session.expect(
        ":coverage",
        &[
            "14 of 16 lines ran in this session (2 entries)",
            "    1  1/-   7        if pieceRow == 0 {",
            "    -       10          n {n - 1}",
            "never true: line 33; never false: line 7",
            "never ran: gone.onClick",
        ],
    );
    session.reply("click{1,0}");
    session.expect(
        ":list 8",
        &["    2  1/1        7        if pieceRow == 0 {"],
    );
    session.expect(":program", &["    2  1/1   7        if pieceRow == 0 {"]);
    session.expect(":list winCondition", &["  29"]);
    session.expect(":coverage off", &["Coverage is off"]);
    assert_eq!(session.reply_text(":list 8"), plain);
    let answer = session.reply(":coverage everything");
    assert!(!answer.ok);
}

#[test]
fn what_was_dropped_from_the_history_is_said() {
    let mut session = TestSession::load("gridlok", GRIDLOK);
    session.0.target.machine.limits.max_history_bytes = 40_000;
    for _ in 0..200 {
        session.reply("n {n + 1}");
    }
    let dropped = session.0.target.timeline.dropped_history();
    let since = dropped.expect("a history that was cut").known_since;
    let answer = json(&mut session, ":coverage");
    assert_eq!(part(&answer, "coverage")["known_since"], since);
    let note = format!("this covers the time since {since}");
    session.expect(":coverage", &[&note]);
}

#[test]
fn ctrl_c_cancels_the_replay_and_changes_nothing() {
    let mut session = TestSession::load("gridlok", GRIDLOK);
    session.reply("for i(0, 2000) { n {n + 1} }");
    let before = session.reply_text(":state");
    let flag = session.0.target.machine.interrupt_flag();
    flag.store(true, std::sync::atomic::Ordering::SeqCst);
    let answer = session.reply(":coverage");
    assert!(!answer.ok);
    assert!(answer.text().contains("interrupted"), "{}", answer.text());
    assert_eq!(session.reply_text(":state"), before);
    assert_eq!(count_of(&counts(&mut session, ":coverage"), 22), [1]);
}
