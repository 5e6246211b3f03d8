//! Breakpoints, watchpoints and time travel work the same in all five languages, in each language's
//! own notation.

use crate::test_session::TestSession;

const SUMS: &str = "game Sums

type Board = Array (3,2) of Int

b : Board
b!(x,y) = 0

down : Int -> Int
down(n) = if n == 0 then 0 else 1 + down(n - 1)

sum : (Int,Int) -> (Int,Int)
sum(n,s) = while n > 0 do (n - 1, s + down(n))
";

const GARDEN: &str = r#"Player {
    int score
}

Item Coin {
    int value = 5
}

int rounds

Layout(3, 4)
{
    Player ann, bob
    ann.position = (0,0)
    bob.position = (2,3)
    Coin[2] coins
    coins[0].position = (0,2)
    coins[1].position = (2,1)
}

function add(int a, int b): int {
    int s = a + b
    return s
}

gameLoop()
{
    p.position = (p.position.row, p.position.col + 2)
    p.score = add(p.score, 1)
    print(p.score)
}

Player.checkMove(coordinate start, coordinate end)
{
    return end.col < 4
}

Coin.colocation(Player)
{
    Player.score += Coin.value
    Coin.Exists = false
}

checkGameEnd()
{
    rounds++
    if (p.score > 8) p.win = true
    return p.win
}
"#;

/// The line where an entry stops, if it does.
fn line(session: &mut TestSession, input: &str) -> Option<u32> {
    session.reply(input).stop.map(|s| s.range.line)
}

#[test]
fn a_watched_parameter_stops_only_when_it_changes() {
    let mut session = TestSession::load("bogl", SUMS);
    session.reply_text(":tbreak sum");
    session.reply_text("sum(2,5)");
    session.expect("watch s", &["watch s"]);
    session.expect("continue", &["s: 5 => 7, in sum, line"]);
    session.expect("continue", &["s: 7 => 8, in sum, line"]);
    // Calling `down` and returning from `sum` do not change s.
    session.expect("continue", &["sum(2,5) finished", "= (0, 8)"]);
}

#[test]
fn last_finds_changes_of_a_parameter_in_this_call_only() {
    let mut session = TestSession::load("bogl", SUMS);
    session.reply_text("sum(2,5)");
    session.reply_text(":break sum");
    session.reply_text("sum(3,1)");
    session.expect("last n", &["n has not changed before this point"]);
    session.reply_text("watch n");
    session.reply_text("continue");
    session.expect("continue", &["n: 2 => 1"]);
    session.expect("last n", &["this changes n: 2 => 1"]);
    session.expect("last n", &["this changes n: 3 => 2"]);
    session.expect("last n", &["n has not changed before this point"]);
}

#[test]
fn rwatch_stops_when_a_parameter_is_read() {
    let mut session = TestSession::load("bogl", SUMS);
    session.reply_text(":break down");
    session.reply_text("sum(1,0)");
    session.reply_text(":delete");
    session.expect("rwatch n", &["rwatch n"]);
    session.expect("continue", &["n is read: 1, in down"]);
    let mut session = TestSession::load("gridlang", GARDEN);
    session.reply_text(":tbreak add");
    session.reply_text(":turn");
    session.reply_text("rwatch a");
    session.expect("continue", &["a is read: 0, in add"]);
    session.expect("continue", &[":turn finished"]);
}

#[test]
fn rwatch_stops_when_a_field_is_read() {
    let mut session = TestSession::load("gridlang", GARDEN);
    session.reply_text(":rwatch ann.score");
    assert_eq!(
        line(&mut session, ":turn"),
        Some(29),
        "p.score = add(p.score, 1)"
    );
    assert_eq!(line(&mut session, "continue"), Some(30), "print(p.score)");
    session.expect("continue", &["ann.score is read: 1, in Coin.colocation"]);
    session.expect("continue", &["ann.score is read: 6, in checkGameEnd"]);
    session.expect("continue", &[":turn finished"]);
    // Bob's score is a different field.
    assert_eq!(line(&mut session, ":turn"), None);
}

#[test]
fn all_breakpoints_hit_at_once_are_shown_and_counted() {
    let mut session = TestSession::load("gridlang", GARDEN);
    for watch in [":watch ann.position", ":watch (0,0)", ":watch bob.position"] {
        session.reply_text(watch);
    }
    session.expect(
        ":turn",
        &[
            "* watchpoint 1, ann.position: (0,0) => (0,2)",
            "also watchpoint 2, (0,0): ann => empty",
        ],
    );
    session.expect(
        ":breaks",
        &["watch ann.position   hit once", "watch (0,0)   hit once"],
    );
    let mut session = TestSession::load("bogl", SUMS);
    session.reply_text(":break sum");
    session.reply_text(":tbreak 12");
    session.expect("sum(1,0)", &["* breakpoint 1 in sum", "also breakpoint 2"]);
    assert!(
        !session.reply_text(":breaks").contains("tbreak"),
        "it stops once"
    );
}

#[test]
fn reverse_continue_stops_at_event_breakpoints() {
    let mut session = TestSession::load(
        "sgl2d",
        "player > x=0 y=0\ngoal > x=3 y=0\nsprite mud > color=red\nset mud > x=1 y=0\n",
    );
    session.reply_text("right 3");
    session.reply_text(":break on lose");
    session.expect(
        ":reverse-continue",
        &[
            "No breakpoint was hit: this is the start of the game",
            "after :load",
        ],
    );
    session.reply_text(":goto end");
    session.reply_text(":break on win");
    session.expect(":reverse-continue", &["* breakpoint 2, on win"]);
}

const CELLAR: &str = "environment > x=5 y=2
player > x=0 y=0
goal > x=4 y=1
sprite floor > color=grey
sprite bomb > color=red solid=true
counter counter1 > true 9 gameoveronzerocounter
event player > playerdeccounter1=1
event bomb > setspritecounter=6 playerdecspritecounter=1 gameoveronzerocounter
set floor > (x=0 y=0, x=4 y=1)
set bomb > x=3 y=1
";

#[test]
fn a_move_entered_at_a_stop_keeps_the_stopped_frame() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.reply_text(":break event bomb");
    session.expect("right", &["update bomb at x=3 y=1", "x=3 y=1 ", "   right"]);
    session.reply_text(":delete");
    session.reply_text("left");
    session.expect("vars", &["x                3", "y                1"]);
}

#[test]
fn an_action_entered_at_a_stop_returns_to_it_when_done() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.reply_text(":break event bomb");
    session.reply_text("right");
    session.expect("left", &["* breakpoint 1 in update bomb", "   left"]);
    session.expect("when", &["during left"]);
    let back = [
        "left finished",
        "* still stopped in update bomb at x=3 y=1",
        "right",
        "  x=3 y=1 ",
    ];
    session.expect("continue", &back);
    session.expect("continue", &["right finished"]);
    // So does a dry run.
    session.reply_text("right");
    session.expect(":step goal", &["* step in goal", ":step goal"]);
    session.expect(
        "next",
        &["Dry run finished", "* still stopped in update bomb"],
    );
}

const KNIGHT: &str = "player knight { x = 0; y = 0; health = 3; }
move knight right 1;
print \"on\";
";

#[test]
fn event_breakpoints_accept_only_events_of_the_language() {
    for (language, game, event, others) in [
        ("bogl", SUMS, "click", "events are place, error"),
        (
            "gridlang",
            GARDEN,
            "lose",
            "events are endTurn, win, print, rand, error",
        ),
        ("tinygame", KNIGHT, "win", "events are print, error"),
        (
            "sgl2d",
            CELLAR,
            "draw",
            "events are place, win, lose, rand, error",
        ),
    ] {
        let mut session = TestSession::load(language, game);
        session.expect(
            &format!(":break on {event}"),
            &[&format!("has no event `{event}`"), others],
        );
        session.expect(":break on weather", &["unknown event `weather`", others]);
    }
}

#[test]
fn a_breakpoint_that_can_never_be_hit_is_rejected_with_a_suggestion() {
    for (language, game, location, wanted) in [
        ("sgl2d", CELLAR, "bomb", "did you mean `event bomb`?"),
        (
            "sgl2d",
            CELLAR,
            "counter1",
            "use `:watch counter1` to stop when it changes",
        ),
        (
            "sgl2d",
            CELLAR,
            "lava",
            "unknown location `lava`; give a line number",
        ),
        (
            "tinygame",
            KNIGHT,
            "knight",
            "use `:watch knight.x` to stop when it changes",
        ),
        (
            "tinygame",
            KNIGHT,
            "knight.health",
            "use `:watch knight.health` to stop when it changes",
        ),
        (
            "tinygame",
            KNIGHT,
            "fight",
            "give a line number, e.g. `:break 12`, or use `:break game`",
        ),
        (
            "gridlang",
            GARDEN,
            "Coin",
            "did you mean `Coin.colocation`?",
        ),
        (
            "gridlang",
            GARDEN,
            "ann",
            "use `:watch ann` to stop when it changes",
        ),
        (
            "gridlang",
            GARDEN,
            "line 3",
            "for a line, give only its number",
        ),
        (
            "bogl",
            SUMS,
            "sum(1,2)",
            "unknown location `sum(1,2)`; give a line number",
        ),
    ] {
        let mut session = TestSession::load(language, game);
        session.expect(&format!(":break {location}"), &[wanted]);
        session.expect(":breaks", &["No breakpoints"]);
    }
    // Names that may still be defined are accepted.
    for (language, game, location) in [
        ("sgl2d", CELLAR, "event lava"),
        ("gridlang", GARDEN, "Coin.checkMove"),
        ("bogl", SUMS, "product"),
    ] {
        TestSession::load(language, game).expect(
            &format!(":break {location}"),
            &["the breakpoint activates when it is defined"],
        );
    }
}

#[test]
fn end_turn_comes_after_everything_in_the_turn() {
    let mut session = TestSession::load("gridlang", GARDEN);
    session.reply_text(":break on endTurn");
    // The coin is taken and the end of the game has been checked; it is still Ann's turn.
    session.expect(
        ":turn",
        &[
            "on endTurn",
            ":turn, ann's turn",
            "rounds 0 => 1",
            "ann.score 0 => 6",
        ],
    );
    session.expect("continue", &[":turn finished", "turn: bob"]);
    session.reply_text(":delete");
    session.reply_text(":break gameLoop");
    session.reply_text(":turn");
    session.expect("next turn", &["* end of turn", ":turn, bob's turn"]);
}

#[test]
fn a_lost_game_stops_at_the_statement_that_loses_it() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.reply_text(":break on lose");
    session.reply_text("left 6");
    session.expect(
        "left",
        &[
            "on lose, in update bomb at x=3 y=1",
            "=>   8",
            "gameoveronzerocounter",
        ],
    );
    session.expect("continue", &["left finished", "Game Over!"]);
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.reply_text(":break on win");
    session.expect("rrrrd", &["on win, in goal", "=>   3"]);
}

#[test]
fn a_blocked_move_is_explained() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.expect(
        "left",
        &["the player stays at x=0 y=0: x=-1 y=0 is off the board"],
    );
    let reply = session.reply_text("ddrr");
    assert!(!reply.contains("stays"), "it has moved: {reply}");
    session.expect(
        "r",
        &["the player stays at x=2 y=1: x=3 y=1 is bomb, which is solid"],
    );
}

#[test]
fn step_expr_shows_the_value_of_each_call() {
    let mut session = TestSession::load("bogl", SUMS);
    session.reply_text(":step 1 + down(2)");
    session.expect(
        "step expr",
        &[
            "1  1 + down(2)\n",
            "down(2) is 2",
            "2  1 + 2\n",
            "1 + 2 is 3",
        ],
    );
    // Constants are not shown as steps.
    let mut session = TestSession::load("gridlang", GARDEN);
    session.reply_text(":step 1 + 2");
    session.expect("step expr", &["1  1 + 2\n", "1 + 2 is 3", "2  3\n", "= 3"]);
    session.reply_text(":step add(1, 2)");
    session.reply_text("next");
    session.expect(
        "step expr",
        &["1  return s\n", "s is 3", "2  return 3", "add returns 3"],
    );
}

#[test]
fn conditions_are_shown_with_the_variables_they_test() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.reply_text(":break event bomb");
    session.reply_text("right");
    session.expect(
        "step expr",
        &["gameoveronzerocounter is false", "where bomb.counter is 6"],
    );
    // A block of the game has no cell, even when entered in a handler.
    session.expect(":step counters", &["* step in counters, line"]);
    session.expect(
        "step sub",
        &["gameoveronzerocounter is false", "where counter1 is 8"],
    );
}

#[test]
fn time_travel_reports_changes_only_since_the_start_of_the_action() {
    let mut session = TestSession::load("gridlang", GARDEN);
    session.reply_text(":turn");
    session.reply_text(":turn");
    let reply = session.reply_text(":goto turn 1");
    assert!(
        reply.contains("* stopped in gameLoop") && !reply.contains("since"),
        "nothing has changed since the start of the turn: {reply}"
    );
    session.expect(":board at end", &["at time"]);
    session.reply_text(":goto start");
    session.expect("rc", &["`:rc`"]);
    session.expect(
        ":rc",
        &[
            "No breakpoint was hit: this is the start of the game",
            "after :load",
        ],
    );
    let mut session = TestSession::load("bogl", SUMS);
    session.reply_text("sum(1,0)");
    session.expect(":jump back 5", &["there is nothing to jump back to"]);
    session.reply_text(":goto start");
    session.reply_text(":goto end");
    session.expect(
        ":jump back 5",
        &["cannot jump back 5 times; `jump back 1` is the furthest"],
    );
}

#[test]
fn why_not_reports_functions_that_did_run() {
    let mut session = TestSession::load("tinygame", KNIGHT);
    session.expect(":why not game", &["game did run in `:load game`"]);
    session.reply_text("move knight left 1");
    session.expect(
        ":why not game",
        &[
            "game did not run in `move knight left 1`",
            "it last ran at time",
        ],
    );
    let mut session = TestSession::load("bogl", SUMS);
    session.expect(
        ":why not down",
        &["down did not run in `:load game`", "it has never run"],
    );
    session.reply_text("down(2)");
    session.expect(":why not down", &["down did run in `down(2)`"]);
    session.expect(":why not sum", &["it has never run"]);
}

#[test]
fn why_not_shows_the_values_a_condition_used() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.expect(
        ":why not counters",
        &["line 6: gameoveronzerocounter was false: counter1 is 9"],
    );
    session.expect(
        ":why not goal",
        &["line 3: goal > x=4 y=1 was false: player.x is 0, goal.x is 4"],
    );
    session.expect(
        ":why not click 1,1",
        &["SGL2D has no clicks", "`:why not event player`"],
    );
    session.expect(":step key", &["`key` only runs on an event"]);
    session.expect(
        ":print bomb",
        &["`bomb` is a sprite: `bomb.counter` is its counter"],
    );
    session.expect(
        ":why bom.counter",
        &["an expression is a name or a comparison"],
    );
}

#[test]
fn list_shows_the_lines_of_a_definition() {
    TestSession::load("tinygame", KNIGHT).expect(
        ":list knight",
        &["1  player knight { x = 0; y = 0; health = 3; }"],
    );
    TestSession::load("gridlang", GARDEN).expect(":list bob", &["13      Player ann, bob"]);
}

#[test]
fn list_shows_the_rules_of_play_and_where_they_stopped() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.expect(
        ":list rules",
        &["  key dx dy", "      moves = moves + 1", "  if win or lose"],
    );
    session.reply_text(":rules on");
    session.reply_text(":step right");
    let text = session.reply_text(":list rules");
    let current = text.lines().find(|line| line.contains("=>"));
    assert!(
        current.is_some_and(|line| line.ends_with("  if win or lose")),
        "{text}"
    );
    // TinyGame has no rules of play.
    TestSession::load("tinygame", KNIGHT).expect(":list rules", &["unknown name `rules`"]);
}

#[test]
fn nested_actions_return_to_their_stops_one_by_one() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.reply_text(":break event player");
    session.expect("right", &["event player", "   right"]);
    // Two of the moves are commands, too.
    session.expect(
        "down",
        &[
            "down  (for the move, type `Down` at a stop)",
            "this is the innermost frame",
        ],
    );
    session.expect("Down", &["event player", "Down"]);
    session.expect("Up 1", &["event player", "Up 1"]);
    session.expect(
        "continue",
        &["Up 1 finished", "* still stopped in event player", "Down"],
    );
    session.expect(
        "continue",
        &["Down finished", "* still stopped in event player", "right"],
    );
    session.expect("continue", &["right finished"]);
    // An expression's value is printed even if an entry ran in between.
    let mut session = TestSession::load("bogl", SUMS);
    session.reply_text(":break down");
    session.reply_text("down(0)");
    session.expect("down(0) + 7", &["* breakpoint 1 in down"]);
    session.reply_text("let z = 1");
    session.expect("continue", &["= 7", "down(0) + 7 finished", "   down(0)\n"]);
    session.expect("continue", &["down(0) finished", "= 0"]);
}

#[test]
fn a_loop_table_shows_everything_the_loop_changes() {
    let far = "function far(int n): int {\n    int i = 0\n    int s = 0\n    while (i < n) {\n        s += i * 2\n        i++\n    }\n    return s\n}\n";
    let mut session = TestSession::load("gridlang", far);
    let rows = [
        "#    i < n  i * 2  s += i * 2  i++  i  s",
        "2    true   2      2           2    2  2",
    ];
    session.expect(":rounds far(3)", &rows);
    session.expect(
        ":rounds far(3)",
        &["end  false  -      -           -    3  6"],
    );
    session.reply_text(":tbreak 5");
    session.reply_text("far(2)");
    session.expect("over", &["end  false"]);
}

#[test]
fn a_watched_board_shows_the_changed_cells() {
    let mut session = TestSession::load("gridlang", GARDEN);
    session.reply_text(":watch board");
    session.reply_text(":watch row 0");
    let cells = "(0,0) ann => empty, (0,2) coins => ann, coins";
    session.expect(
        ":turn",
        &[
            &format!("watchpoint 1, the board: {cells}"),
            &format!("also watchpoint 2, row 0: {cells}"),
        ],
    );
    let taken = "(0,2) ann, coins => ann";
    session.expect("continue", &[&format!("watchpoint 1, the board: {taken}")]);
    session.expect("why board", &[&format!("board: {taken}")]);
    session.expect(
        "rc",
        &["watchpoint 1, the board, here (0,2) ann, coins => ann"],
    );
    session.expect("rc", &["watchpoint 1, the board, here (0,0) ann => empty"]);
    let mut session = TestSession::load("bogl", SUMS);
    session.reply_text(":watch board");
    session.expect(
        "let c = place(7, b, (2,1))",
        &["watchpoint 1, the board: (2,1) 0 => 7"],
    );
    let mut session = TestSession::load("tinygame", KNIGHT);
    session.reply_text(":watch row 0");
    session.expect(
        "move knight right 1",
        &["watchpoint 1, row 0: (1,0) knight => empty, (2,0) empty => knight"],
    );
}

#[test]
fn the_action_is_shown_only_once_it_has_started() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.reply_text(":break event player");
    session.expect("right 2", &["event player, line", "   right 2\n"]);
    session.expect("rf", &["* stepped back in entry 1   right 2\n"]);
    session.expect("continue", &["event player", "   right 2\n"]);
    session.expect(":step goal", &["* step in goal", "   :step goal\n"]);
    session.reply_text("abandon");
    session.expect("continue", &["event player", "   move 2 of right 2\n"]);
}

#[test]
fn unknown_names_point_to_the_list_of_variables() {
    for (language, game) in [
        ("bogl", SUMS),
        ("gridlang", GARDEN),
        ("tinygame", KNIGHT),
        ("sgl2d", CELLAR),
    ] {
        let mut session = TestSession::load(language, game);
        session.expect(
            ":watch zzz",
            &["unknown variable or cell `zzz`; `:vars` lists the variables"],
        );
        session.expect(":last zzz", &["`:vars` lists the variables"]);
        session.expect(
            ":test",
            &["`:test` needs a session file, e.g. `:test lesson.session`"],
        );
    }
}

#[test]
fn a_blocked_move_is_explained_with_the_board_at_that_time() {
    let door = "environment > x=3 y=1\nplayer > x=0 y=0\nsprite floor > color=grey\nsprite door > color=red solid=true\n\
        event door > setspritecounter=1 playerdecspritecounter=1 transformonzerocounter=floor\n\
        set floor > (x=0 y=0, x=2 y=0)\nset door > x=1 y=0\n";
    let mut session = TestSession::load("sgl2d", door);
    session.expect(
        "right",
        &["the player stays at x=0 y=0: x=1 y=0 is door, which is solid"],
    );
    // The door opens at the end of the move.
    session.expect("right", &["x=1 y=0 is door, which is solid"]);
    let reply = session.reply_text("right");
    assert!(!reply.contains("stays"), "{reply}");
    // A move off the board changes nothing, so there is nothing to undo.
    session.expect("up", &["is off the board"]);
    session.expect(":undo", &["undone: right"]);
}

/// The first line of a stop.
fn head(session: &mut TestSession, input: &str) -> String {
    let text = session.reply_text(input);
    let head = text.lines().find(|l| l.starts_with("* "));
    head.unwrap_or(&text).to_string()
}

#[test]
fn a_stop_names_the_action_and_the_player_but_no_instruction_counts() {
    let game = "players {\"x\", \"o\"} board { dimensions {1, 2} image {b.png} }
piece { name {\"free\"} image {f.png} onClick { endTurn {} } } setup { place {\"free\", 0, 0} place {\"free\", 0, 1} }
fun full() { return turnCount > 5 }
winCondition {
  win {full {}}
}";
    let mut session = TestSession::load("gridlok", game);
    session.reply_text(":break onClick");
    assert_eq!(
        head(&mut session, "click{0,1}"),
        "* breakpoint 1 in free.onClick at [0][1], line 2   click{0,1}, x's turn"
    );
    assert_eq!(
        head(&mut session, "step"),
        "* x's turn ends: checking winCondition, line 5   click{0,1}"
    );
    let stop = session.reply("step").stop.expect("a stop");
    let check = stop.action.check.as_ref().expect("a condition");
    assert_eq!(
        (check.when, check.condition.as_str()),
        ("turn ends", "winCondition")
    );
    assert_eq!(
        head(&mut session, "back"),
        "* stepped back in winCondition, line 5   click{0,1}, x's turn ends"
    );
    session.expect("continue", &["click{0,1} finished\n"]);
    // The second action of an entry.
    head(&mut session, "click{0,0} click{0,1}");
    assert_eq!(
        session.reply_text("continue").lines().nth(1),
        Some("  action 2 of click{0,0} click{0,1}, x's turn")
    );
    // The rules check nothing in a dry run.
    session.reply_text("abandon");
    assert_eq!(
        head(&mut session, ":step winCondition"),
        "* step in winCondition, line 5   :step winCondition, o's turn"
    );

    let mut session = TestSession::load("gridlang", GARDEN);
    session.reply_text(":break gameLoop");
    assert_eq!(
        head(&mut session, ":turn"),
        "* breakpoint 1 in gameLoop, line 28   :turn, ann's turn"
    );
    session.reply_text(":break checkGameEnd");
    assert_eq!(
        head(&mut session, "continue"),
        "* breakpoint 2 in checkGameEnd, line 46   :turn, ann's turn ends"
    );

    let mut session = TestSession::load("sgl2d", CELLAR);
    session.reply_text(":break event player");
    head(&mut session, "right 2");
    assert!(head(&mut session, "continue").ends_with("   move 2 of right 2"));

    let mut session = TestSession::load("bogl", SUMS);
    session.reply_text(":break sum");
    assert!(head(&mut session, "sum(2,5)").ends_with("   sum(2,5)"));

    let mut session = TestSession::load("tinygame", KNIGHT);
    session.reply_text(":break 2");
    assert_eq!(
        head(&mut session, ":restart"),
        "* breakpoint 1 in game, line 2   :restart"
    );
}

/// Only the definition itself is compiled again; what uses it stays the same.
#[test]
fn a_redefinition_of_the_same_type_reaches_its_uses_and_the_next_game() {
    for (language, lines) in [
        (
            "gridlok",
            [
                "fun f(n) { return n + 1 }",
                "fun g() { return f{1} }",
                "def a {1}",
                "def b {2}",
                "fun f(n) { return n + a }",
                "def a {5}",
                "g{} * 100 + a * 10 + b",
            ],
        ),
        (
            "bogl",
            [
                "f : Int -> Int\nf(n) = n + 1",
                "g : Int\ng = f(1)",
                "let a = 1",
                "let b = 2",
                "f(n) = n + a",
                "let a = 5",
                "g * 100 + a * 10 + b",
            ],
        ),
        (
            "gridlang",
            [
                "function f(int n): int { return n + 1 }",
                "function g(): int { return f(1) }",
                "int a = 1",
                "int b = 2",
                "function f(int n): int { return n + a }",
                "int a = 5",
                "g() * 100 + a * 10 + b",
            ],
        ),
    ] {
        let mut session = TestSession::empty(language);
        for line in &lines[..6] {
            assert!(session.reply(line).ok, "{language}: {line}");
        }
        session.expect(lines[6], &["= 652"]);
        session.reply(":restart");
        session.expect(lines[6], &["= 652"]);
        // Undoing the restart and the redefinition of `a` restores its old value.
        session.reply(":undo 2");
        session.expect(lines[6], &["= 212"]);
    }
}

#[test]
fn a_redefinition_of_another_type_is_checked_with_its_uses() {
    let mut session = TestSession::empty("gridlang");
    session.reply("int a = 1");
    session.reply("function g(): int { return a }");
    session.expect("float a = 1.5", &["this was defined earlier"]);
    session.expect("g()", &["= 1"]);
    let mut session = TestSession::empty("bogl");
    session.reply("f : Int -> Int\nf(n) = n");
    session.reply("g : Int\ng = f(1)");
    session.expect("f : Int -> Bool\nf(n) = n > 0", &["`g`"]);
    session.expect("g", &["error"]);
    session.expect("f : Int -> Int\nf(n) = n + 1", &["g can run now"]);
    session.expect("g", &["= 2"]);
    // A redefinition that keeps the type, but makes a board depend on itself.
    session.reply("type Board = Array (2,2) of Int");
    session.reply("h : Int\nh = 1");
    session.reply("b : Board\nb!(x,y) = h");
    session.expect("h = b!(1,1)", &["depends on itself"]);
}
