//! Where a program stops when it is stepped: the lines, in order, for every kind of statement.

use gridbug::debugger::frame;
use gridbug::render::AnswerText;
mod dry_run;
mod multiple_hits;
mod rebind;
mod state_diff;
mod statement;
mod step_expr;

use crate::test_session::TestSession;
use gridbug::command::{execute, handle_line};
use gridbug::languages;
use gridbug::session::Session;

/// The lines at which `step` stops after an entry, until it finishes.
fn lines(language: &str, file: &str, program: &str, breakpoint: &str, entry: &str) -> Vec<u32> {
    step_lines(language, file, program, breakpoint, entry, ":step")
}

/// The lines at which a stepping command stops after an entry, until it finishes.
fn step_lines(
    language: &str,
    file: &str,
    program: &str,
    breakpoint: &str,
    entry: &str,
    by: &str,
) -> Vec<u32> {
    let language = languages::by_name(language).expect("a language of that name");
    let mut session = Session::new(language, 1);
    let reply = session.load(file, program);
    assert!(reply.ok, "{:?}", reply.diagnostics);
    execute(&mut session, &format!(":tbreak {breakpoint}"));
    let mut reply = execute(&mut session, entry);
    let mut lines = Vec::new();
    while let Some(stop) = &reply.stop {
        if stop.range.file == file {
            lines.push(stop.range.line);
        }
        assert!(lines.len() < 1000, "it never ends");
        reply = execute(&mut session, by);
    }
    lines
}

fn gridlok(program: &str, breakpoint: &str, entry: &str) -> Vec<u32> {
    lines("gridlok", "game.gl", program, breakpoint, entry)
}

#[test]
fn statements_stop_in_order() {
    let program = "fun f() {
  def a {1}
  a {a + 1}
  def l {1, 2,}
  l {3}
  l[0] {9}
  l[1] {}
  return a
}
board { dimensions {2, 2} image {b.png} }";
    assert_eq!(gridlok(program, "f", "f{}"), [2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn only_the_branch_taken_stops() {
    let program = "fun f(n) {
  if n == 0 {
    return 0
  } elseif n == 1 {
    return 10
  } else {
    return 20
  }
}
board { dimensions {1, 1} image {b.png} }";
    assert_eq!(gridlok(program, "f", "f{0}"), [2, 3]);
    assert_eq!(gridlok(program, "f", "f{1}"), [2, 4, 5]);
    assert_eq!(gridlok(program, "f", "f{2}"), [2, 4, 7]);
}

#[test]
fn a_loop_stops_in_every_iteration() {
    let program = "fun f() {
  for i(0, 3) {
    print {i}
  }
  for i(0, 2), j(0, 2) {
    print {j}
  }
  for i(3, 0) {
    print {i}
  }
}
board { dimensions {2, 2} image {b.png} }";
    assert_eq!(gridlok(program, "f", "f{}"), [2, 3, 3, 3, 5, 6, 6, 6, 6, 8]);
}

#[test]
fn loops_over_cells_stop_once_per_cell() {
    let program = "fun f() {
  for p in row(0) {
    print {p}
  }
  for p in col(1) {
    print {p}
  }
  for x, y in board {
    print {x}
  }
  for all p in board {
    print {p}
  }
  for p surrounding 0, 0 {
    print {p}
  }
  for i, j surrounding 0, 0 {
    print {i}
  }
}
board { dimensions {2, 2} image {b.png} }";
    let expected = [
        2, 3, 3, 5, 6, 6, 8, 9, 9, 9, 9, 11, 12, 12, 12, 12, 14, 15, 15, 15, 17, 18, 18, 18,
    ];
    assert_eq!(gridlok(program, "f", "f{}"), expected);
}

#[test]
fn a_click_stops_in_handlers_then_in_conditions_then_on_the_next_turn() {
    let program = "game {
  board { dimensions {1, 2} image {b.png} }
  players {\"x\", \"o\"}
  piece { name {\"a\"}
    onTurn {
      print {turn}
    }
    onClick {
      click {0, 1}
      visible {true}
      endTurn {}
    }
  }
  piece { name {\"b\"}
    onClick {
      changeType {\"a\"}
    }
  }
  setup { place {\"a\", 0, 0} place {\"b\", 0, 1} }
  winCondition {
    win {false}
  }
  loseCondition {
    lose {false}
  }
  drawCondition {
    draw {turnCount > 5}
  }
}";
    // b.onClick runs inside a.onClick; two pieces are a when the next turn begins.
    assert_eq!(
        gridlok(program, "a.onClick", "click{0,0}"),
        [9, 16, 10, 11, 21, 24, 27, 6, 6]
    );
}

#[test]
fn setup_stops_as_each_player() {
    let program = "board { dimensions {1, 3} image {b.png} }
players {\"x\", \"o\"}
piece { name {\"a\"} }
setup {
  place {\"a\", 0, 0}
  o {
    place {\"a\", 0, 1}
  }
}";
    assert_eq!(gridlok(program, "setup", ":restart"), [5, 6, 7]);
}

/// The text of every stop during an entry, including the rules of play.
fn stop_texts(language: &str, program: &str, breakpoint: &str, entries: &[&str]) -> Vec<String> {
    let stops = function_stops(language, program, breakpoint, entries);
    stops.into_iter().map(|(_, text)| text).collect()
}

/// The function and the text of each stop.
fn function_stops(
    language: &str,
    program: &str,
    breakpoint: &str,
    entries: &[&str],
) -> Vec<(String, String)> {
    let language = languages::by_name(language).expect("a language of that name");
    let mut session = Session::new(language, 1);
    let reply = session.load("game", program);
    assert!(reply.ok, "{:?}", reply.diagnostics);
    execute(&mut session, ":rules on");
    assert!(execute(&mut session, &format!(":tbreak {breakpoint}")).ok);
    let mut reply = entries
        .iter()
        .map(|entry| handle_line(&mut session, entry))
        .last()
        .expect("an entry");
    let mut stop_texts = Vec::new();
    while reply.stop.is_some() || reply.question.is_some() {
        if reply.stop.is_some() {
            let info = frame::frame_info(&session.target, 0).expect("a frame");
            let text = session
                .target
                .sources
                .slice(info.span)
                .lines()
                .next()
                .unwrap_or_default();
            stop_texts.push((info.name, text.to_string()));
        }
        assert!(stop_texts.len() < 1000, "it never ends");
        reply = handle_line(&mut session, ":step");
    }
    stop_texts
}

#[test]
fn each_part_of_a_key_press_stops_at_the_statement_that_causes_it() {
    let program = "environment > x=3 y=2
player > x=0 y=0
goal > x=2 y=0
sprite wall > solid=true
sprite mud >
sprite egg >
counter counter1 > true 2 winonzerocounter gameoveronzerocounter
event mud > gameover win moveplayerto= x=1 y=0 transformtosprite=egg movetorandom=egg decspritecounter=1 incspritecounter=2 deccounter1=1 inccounter2=1
event egg > movetorandomonzero=mud playerdecspritecounter=1 playerincspritecounter=3 winonzerocounter gameoveronzerocounter transformonzerocounter=mud setspritecounter=9
event player > playerdeccounter3=1 playerinccounter2=1
set mud > x=1 y=0
set egg > x=2 y=1
set wall > x=0 y=1";
    let update = [
        "updateall",
        "transformonzerocounter=mud",
        "gameoveronzerocounter",
        "winonzerocounter",
        "playerincspritecounter=3",
        "playerdecspritecounter=1",
        "movetorandomonzero=mud",
        "counters",
        "winonzerocounter",
        "gameoveronzerocounter",
        "if player.x != nothing",
        "goal",
        "goal > x=2 y=0",
        "if win or lose",
    ];
    let walk = [
        "if win or lose",
        "beginaction",
        "if player.x == nothing",
        "x = player.x + dx",
        "y = player.y + dy",
        "if x < 0 or x >= columns or y < 0 or y >= rows",
        "else if solid x y",
    ];
    // Actions run in the order defined by the language, however they are written.
    let touch = [
        "player.x = x",
        "player.y = y",
        "moves = moves + 1",
        "touch x y",
        "deccounter1=1",
        "inccounter2=1",
        "incspritecounter=2",
        "decspritecounter=1",
    ];
    let replaced = [
        "movetorandom=egg",
        "transformtosprite=egg",
        "moveplayerto= x=1 y=0",
        "gameover",
        "win",
    ];
    let player = ["playerevent", "playerinccounter2=1", "playerdeccounter3=1"];
    let won = ["return false"];
    let all: Vec<&str> = [&walk[..], &touch, &replaced, &player, &update, &won].concat();
    assert_eq!(stop_texts("sgl2d", program, "key", &["right"]), all);
    // A solid sprite is reported as the cause; the update happens anyway.
    let wall = ["sprite wall > solid=true", "@blockedBy = spritename x y"];
    let playing = ["return true"];
    let blocked: Vec<&str> = [&walk[..], &wall, &update, &playing].concat();
    assert_eq!(stop_texts("sgl2d", program, "key", &["down"]), blocked);
}

/// A frog and a fly: what happens in a turn, when they meet, and at the end of the game.
fn meadow(turn: &str, meeting: &str, end: &str) -> String {
    format!(
        "Player {{ int caught }}
Item Fly {{ int worth }}
function twice(int n): int
{{
    return n + n
}}
Layout(2, 3)
{{
    Player frog
    Fly one
    frog.position = (0,0)
    one.position = (0,1)
}}
gameLoop()
{{
{turn}
}}
Player.checkMove(coordinate start, coordinate end)
{{
    return end.col < 2
}}
Fly.colocation(Player)
{{
    {meeting}
    Fly.Exists = false
}}
checkGameEnd()
{{
    return {end}
}}
"
    )
}

#[test]
fn each_part_of_a_turn_stops_at_the_statement_that_causes_it() {
    let game_over = "gameOver()\n{\n    print(\"done\")\n}";
    let program = meadow("    p.position.col++", "Player.caught++", "p.caught > 1") + game_over;
    let program = program.as_str();
    // What `@turn`, `@checkMove` and `@runColocation` do, and the blocks and handlers that they run.
    let steps = |program: &str, entries: &[&str]| -> Vec<String> {
        let stops = function_stops("gridlang", program, "@turn", entries);
        let is_step = |function: &str| {
            !function.starts_with('@')
                || matches!(function, "@turn" | "@checkMove" | "@runColocation")
        };
        let steps = stops.into_iter().filter(|(function, _)| is_step(function));
        steps.map(|(_, text)| text).collect()
    };
    let turn = [
        "@beginAction()",
        "@turnCount++",
        "@dropPlayers()",
        "@selectPlayer()",
        "if (len(playerOrder) == 0)",
        "@isTurnRunning = true",
        "@repeatTarget = @here()",
        "@isEnding = false",
        "if (@checkedPiece != @nobody) {",
        "@gameLoop()",
        "p.position.col++",
        "@checkMoves()",
        "if (!piece.Exists or piece.position == piece.@validPosition)",
        "@checkedPiece = piece",
        "boolean allowed = @decideMove(piece)",
        "return end.col < 2",
        "@checkedPiece = @nobody",
        "if (!piece.Exists or piece.position == piece.@validPosition)",
        "if (!allowed) {",
    ];
    let met = [
        "if (!@isOnGrid(piece.position))",
        "piece.@validPosition = piece.position",
        "piece.@validArrival = piece.@arrival",
        "@append(@pendingArrivals, piece)",
        "@colocationHandler(piece, other)",
        "Player.caught++",
        "Fly.Exists = false",
    ];
    let end = ["if (@checkGameEnd())", "return p.caught > 1", "@endTurn()"];
    assert_eq!(steps(program, &[":turn"]), [&turn[..], &met, &end].concat());
    let refused = [
        "@reportMove(piece, \" is refused\")",
        "@revertMove(piece)",
        // The function that reverts the move is called `refused`.
        "@restorePosition(piece)",
    ];
    let second = [":turn", ":continue", ":tbreak @turn", ":turn"];
    assert_eq!(
        steps(program, &second),
        [&turn[..], &refused, &end].concat()
    );
    // At the end, the block `gameOver` runs.
    let over = program.replace("caught > 1", "caught > 0");
    let stops = stop_texts("gridlang", &over, "gameOver", &[":turn"]);
    assert_eq!(stops[..2], ["print(\"done\")", "@isOver = true"]);
}

#[test]
fn tinygame_stops_at_each_property_and_statement() {
    let program = "player hero { x = 0; y = 1; }
move hero right 2;
if hero.x > 1 {
  print \"far\";
  if hero.y > 1 {
    print \"high\";
  }
}
set hero.y = 5;";
    assert_eq!(
        lines("tinygame", "game.tg", program, "game", ":restart"),
        [1, 1, 2, 3, 4, 5, 9]
    );
}

/// The first line of the reply to each of the moves, without its time.
fn stop_heads(program: &str, breakpoint: &str, entry: &str, moves: &[&str]) -> Vec<String> {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("game.gl", program).ok);
    execute(&mut session, &format!(":break {breakpoint}"));
    execute(&mut session, entry);
    let head = |command: &&str| {
        execute(&mut session, command)
            .text_lines()
            .first()
            .map(|l| l.text())
            .unwrap_or_default()
    };
    let without_action = |head: String| head.split("   ").next().unwrap_or("").to_string();
    moves.iter().map(head).map(without_action).collect()
}

const LOOPS: &str = "fun f() {
  def n {0}
  for i(0, 3) {
    for j(0, 2) { n {n + j} }
    n {n + 10}
  }
  return n
}
board { dimensions {1, 1} image {b.png} }";

#[test]
fn a_stop_in_a_loop_shows_its_iteration() {
    let moves = ["next", "next", "next", "next", "next", "next"];
    let expected = [
        "* step in f, line 3",
        "* step in f, line 4, iteration 1",
        "* step in f, line 4, iteration 1",
        "* step in f, line 4, iteration 2",
        "* step in f, line 5, iteration 1",
        "* step in f, line 4, iteration 2",
    ];
    assert_eq!(stop_heads(LOOPS, "f", "f{}", &moves), expected);
}

#[test]
fn iter_after_the_last_iteration_leaves_the_loop() {
    // To line 5, then iteration by iteration, and out of the loop.
    assert_eq!(
        stop_heads(LOOPS, "5", "f{}", &[":delete", "iter", "iter", "iter"])[1..],
        [
            "* step in f, line 5, iteration 2",
            "* step in f, line 5, iteration 3",
            "* step in f, line 7"
        ]
    );
}

#[test]
fn a_breakpoint_that_does_not_stop_does_not_hide_a_step_target() {
    // The breakpoint only counts the first hit; the step still ends there.
    assert_eq!(
        stop_heads(LOOPS, "5 hits 1", "f{}", &["iter", "iter"]),
        [
            "* step in f, line 5, iteration 2",
            "* step in f, line 5, iteration 3"
        ]
    );
}

#[test]
fn a_watchpoint_catches_the_next_instruction() {
    let program = "fun f() {
  def n {1}
  n {5}
  n {6}
  return n
}
board { dimensions {1, 1} image {b.png} }";
    let stop_heads = stop_heads(program, "3", "f{}", &[":watch n", "step", "continue"]);
    assert_eq!(
        stop_heads[1..],
        [
            "* watchpoint 2, n: 1 => 5, in f, line 4",
            "* watchpoint 2, n: 5 => 6, in f, line 5"
        ]
    );
}

#[test]
fn stepping_over_a_loop_shows_a_table() {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("game.gl", LOOPS).ok);
    for entry in [":break 3", "f{}", ":delete"] {
        execute(&mut session, entry);
    }
    let reply = execute(&mut session, "over");
    let rows: Vec<String> = reply
        .text_lines()
        .iter()
        .take(4)
        .map(|l| l.text())
        .collect();
    assert_eq!(
        rows,
        [
            "  #  i  n + 10  n",
            "  1  0  11      11",
            "  2  1  22      22",
            "  3  2  33      33"
        ]
    );
    assert_eq!(reply.stop.map(|s| s.range.line), Some(7));
}

/// A test at the start of an iteration belongs to that iteration, not to the previous one.
#[test]
fn a_leading_test_belongs_to_its_iteration() {
    let program = "board { dimensions {1, 3} image {b.png} }
piece { name {\"a\"} }
piece { name {\"b\"} }
piece { name {\"c\"} }
def n {0}
fun count() {
  for r, c in board {
    if board[r][c].name == \"b\" {
      n {n + 1}
    }
  }
  return n
}
setup { place {\"a\", 0, 0} place {\"b\", 0, 1} place {\"c\", 0, 2} }";
    let mut session = Session::new(languages::by_name("gridlok").unwrap(), 1);
    assert!(session.load("game.gl", program).ok);
    execute(&mut session, ":break 7");
    execute(&mut session, "count{}");
    let names = |text: String| -> Vec<String> {
        let rows = text
            .lines()
            .filter(|l| l.trim_start().starts_with(['1', '2', '3']))
            .map(str::to_string);
        rows.map(|l| l.split('"').nth(1).unwrap_or("-").to_string())
            .collect()
    };
    assert_eq!(
        names(execute(&mut session, "rounds").text()),
        ["a", "b", "c"]
    );
    assert_eq!(
        names(execute(&mut session, "over").text())[..3],
        ["a", "b", "c"]
    );
    execute(&mut session, ":abandon");
    assert_eq!(
        names(execute(&mut session, ":rounds count{}").text()),
        ["a", "b", "c"]
    );
}

#[test]
fn iterations_are_counted_from_the_first() {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("game.gl", LOOPS).ok);
    for entry in [":break 5 hits 2", "f{}"] {
        execute(&mut session, entry);
    }
    let rows: Vec<String> = execute(&mut session, "rounds")
        .text_lines()
        .iter()
        .map(|l| l.text())
        .collect();
    assert_eq!(
        rows[1..],
        [
            "  1  0  11      11",
            "  2  1  22      22    <= now",
            "  3  2  33      33"
        ]
    );
}

#[test]
fn the_value_of_an_entry_survives_entries_at_its_stops() {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("game.gl", LOOPS).ok);
    for entry in [":break 7", "f{}", "1 + 1", "n {n + 1}"] {
        execute(&mut session, entry);
    }
    assert_eq!(
        execute(&mut session, "continue").value.as_deref(),
        Some("34")
    );
}

#[test]
fn an_empty_handler_takes_the_same_time_observed_or_not() {
    let program = "board { dimensions {2, 2} image {b.png} } players {\"p\"}
        piece { name {\"a\"} onTurn {} onClick { endTurn {} } }
        setup { for x, y in board { place {\"a\", x, y} } }";
    let end_time = |observed: bool| {
        let mut session = Session::new(languages::ALL[0], 1);
        assert!(session.load("game.gl", program).ok);
        if observed {
            execute(&mut session, ":break onClick");
        }
        execute(&mut session, "click {0, 0}");
        assert_eq!(session.target.is_stopped(), observed);
        // Stepping observes every instruction.
        while session.target.is_stopped() {
            execute(&mut session, ":step");
        }
        session.target.machine.time()
    };
    assert_eq!(end_time(false), end_time(true));
}

#[test]
fn an_empty_line_without_a_command_to_repeat_does_nothing() {
    let mut session = TestSession::load("gridlok", LOOPS);
    session.reply_text(":break f");
    session.reply_text("f{}");
    let entries = session.0.target.timeline.entries().len();
    assert_eq!(session.reply_text(""), "");
    assert_eq!(
        session.0.target.timeline.entries().len(),
        entries,
        "an empty line must not become an entry"
    );
    session.reply_text(":abandon");
    let entries = session.0.target.timeline.entries().len();
    assert_eq!(session.reply_text("  "), "");
    assert_eq!(
        session.0.target.timeline.entries().len(),
        entries,
        "an empty line must not become an entry"
    );
}

#[test]
fn iterations_are_counted_across_nested_entries() {
    let mut session = TestSession::load("gridlok", LOOPS);
    session.reply_text(":tbreak 5 hits 2");
    session.expect("f{}", &["* breakpoint 1 in f, line 5, iteration 2"]);
    session.reply_text(":mark before");
    session.reply_text("n {n + 100}");
    session.expect("iter", &["* step in f, line 5, iteration 3"]);
    let rows = session.reply_text("rounds");
    let expected = [
        "  1  0  11      11",
        "  2  1  122     122",
        "  3  2  133     133    <= now",
    ];
    assert_eq!(
        rows.lines()
            .skip(1)
            .map(|l| l.trim_end().to_string())
            .collect::<Vec<_>>(),
        expected,
        "{rows}"
    );
    // The same when replaying, where nested entries are passed.
    session.expect(
        ":goto before",
        &["* stopped in f, line 5, iteration 2", "n=12 "],
    );
    session.expect("iter", &["* step in f, line 5, iteration 3", "n=123 "]);
}

/// Running ahead for a loop table does not print the program's output.
#[test]
fn loop_tables_print_no_output() {
    let program = "board { dimensions {1, 1} image {b.png} } def n {0} fun f() {
  for i(0, 3) {
    n {n + 1}
  }
  print {\"done\"}
  return n
}";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text(":break 3");
    session.reply_text("f{}");
    session.expect("rounds", &["  3  2  3"]);
    let reply = session.reply_text("step");
    assert!(!reply.contains("done"), "{reply}");
    session.expect(":why output", &["Nothing has been printed"]);
    session.reply_text(":delete");
    assert_eq!(
        session
            .reply_text("c")
            .lines()
            .filter(|l| *l == "done")
            .count(),
        1
    );
}
