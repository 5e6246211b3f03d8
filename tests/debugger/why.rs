//! `:why` and `:why not` in every language: locations, fields, tests and causes are shown in the
//! language's own notation.

use crate::test_session::TestSession;

const CELLAR: &str = "environment > x=6 y=3
player > x=0 y=1
goal > x=5 y=1
sprite lava > color=red
sprite egg >
counter counter1 > true 5 gameoveronzerocounter
event lava > gameover deccounter1=1 inccounter2=4
event egg > setspritecounter=3 playerdecspritecounter=1 winonzerocounter
set lava > x=2 y=1
set egg > x=4 y=2
";

#[test]
fn a_breakpoint_on_an_event_stops_in_its_update() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.expect(":break event egg", &["break event egg   game:8"]);
    let stop = session
        .reply("right")
        .stop
        .expect("a stop in the update of the egg");
    assert_eq!((stop.range.line, stop.function.as_str()), (8, "update egg"));
}

#[test]
fn why_lose_shows_what_would_lose_the_game() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    for command in [":why lose", ":why not lose"] {
        session.expect(
            command,
            &[
                "lose is false",
                "counter1 is 5",
                "line 7: gameover in event lava",
            ],
        );
    }
    session.expect(
        ":why not win",
        &[
            "player.x is 0, goal.x is 5",
            "line 8: winonzerocounter",
            "egg.counter is 3",
        ],
    );
    session.reply_text("right 2");
    session.expect(
        ":why lose",
        &[
            "lose: false => true",
            "by event lava",
            "gameover",
            "from entry   right 2",
        ],
    );
}

#[test]
fn sgl2d_cells_are_shown_as_x_and_y() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.expect(":cell 2,1", &["x=2 y=1 has lava"]);
    session.expect(":cell y=1 x=0", &["x=0 y=1 has player"]);
    session.expect(
        ":cell 2,5",
        &["x=2 y=5 is off the board: x 0 to 5, y 0 to 2"],
    );
    session.expect(":break update egg", &["break update egg"]);
    session.expect("right", &["update egg at x=4 y=2"]);
    session.reply_text("continue");
    session.expect(":why 2,1", &["empty => lava", "line 9"]);
}

#[test]
fn positions_entered_later_belong_to_the_last_set_line() {
    let mut session = TestSession::load(
        "sgl2d",
        "environment > x=4 y=2\nplayer > x=3 y=1\nsprite mud >\n",
    );
    session.expect("set mud > x=0 y=0", &["0 (m) ·  ·  ·"]);
    session.expect(
        "x=1 y=0 (x=0 y=1, x=1 y=1)",
        &["0  m (m) ·  ·", "1 (m)(m) ·  @"],
    );
    session.expect("x=2", &["to complete the position"]);
    session.reply_text("sprite ice >");
    session.expect(
        "x=2 y=0",
        &["positions are only allowed after `set NAME >`"],
    );
}

#[test]
fn why_not_of_a_number_is_an_error() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.expect(
        "player.x + 1",
        &[
            "neither a statement, a move nor an expression",
            "counter1 == 3",
        ],
    );
    session.expect(":why not counter1", &["counter1 is 5, not true or false"]);
    assert_eq!(session.reply_text("egg.counter > 2"), "= true");
}

#[test]
fn the_end_of_a_game_is_shown_once() {
    let mut session =
        TestSession::load("sgl2d", "environment > x=2 y=1\nplayer >\ngoal > x=1 y=0\n");
    let reply = session.reply_text("right");
    assert!(
        reply.contains("Victory!")
            && reply.contains("Moves: 1")
            && !reply.contains("The game is won"),
        "{reply}"
    );
}

const DUEL: &str = "player hero { x = 0; y = 0; health = 10; }
enemy orc { x = 3; y = 2; }
move hero right 3;
if hero.x == orc.x {
  set hero.health = hero.health - 4;
  if hero.health < 7 {
    print \"weak\";
  }
}
";

#[test]
fn a_comparison_of_tinygame_is_true_or_false() {
    let mut session = TestSession::load("tinygame", DUEL);
    assert_eq!(session.reply_text("hero.x == 3"), "= true");
    assert_eq!(session.reply("hero.x < 3").data, Some(false.into()));
    session.expect(":explain hero.x == orc.x", &["true"]);
    session.expect(":break 5 if hero.x == 3", &["break 5"]);
    assert!(
        session
            .reply(":restart")
            .stop
            .is_some_and(|stop| stop.range.line == 5)
    );
}

#[test]
fn why_output_shows_the_enclosing_ifs() {
    let mut session = TestSession::load("tinygame", DUEL);
    session.expect(
        ":why output 2",
        &[
            "print \"weak\"",
            "because of line 6",
            "because of line 4",
            "if hero.x == orc.x",
        ],
    );
    session.expect(":why hero.health", &["10 => 6", "because of line 4"]);
}

#[test]
fn board_commands_work_on_the_plane_of_tinygame() {
    let mut session = TestSession::load("tinygame", DUEL);
    session.expect(":pieces", &["hero  at (3,0)", "orc   at (3,2)"]);
    session.expect(":cell 3,2", &["(3,2) has orc"]);
    session.expect(":cell -7,90", &["(-7,90) is empty"]);
    session.expect(
        ":why (3,0)",
        &["(3,0): empty => hero", "move hero right 3;"],
    );
    session.expect(":watch row 1", &["watch row 1"]);
    session.expect(
        "move hero up 1;",
        &["watchpoint 1, row 1: (3,1) empty => hero"],
    );
    session.reply_text("continue");
    session.expect(
        ":why board",
        &["(3,0) hero => empty", "(3,1) empty => hero"],
    );
}

const POND: &str = "Player {
    int score
}
Item Fly {
    int worth
}
Layout(3, 4)
{
    Player frog, toad
    Fly a, b
    frog.position = (0,0)
    frog.displayString = \"F\"
    toad.position = (2,3)
    a.position = (0,1)
    b.position = (0,1)
    a.worth = 3
    b.worth = 4
}
gameLoop()
{
    p.position = prompt(\"to: \", coordinate)
    p.score++
}
Player.checkMove(coordinate start, coordinate end)
{
    return end.row == start.row
}
Fly.colocation(Player)
{
    Player.score += Fly.worth
    Fly.Exists = false
    if (Player.score > 7)
        Player.win = true
}
";

#[test]
fn several_pieces_in_a_cell_are_marked_and_listed() {
    let mut session = TestSession::load("gridlang", POND);
    session.expect(
        ":board",
        &[
            "   0     F     a+    ·     ·",
            "+ means several pieces: `:cell` lists them",
        ],
    );
    session.expect(":cell 0,1", &["(0,1) has a, b"]);
}

#[test]
fn fields_can_be_watched_and_explained() {
    let mut session = TestSession::load("gridlang", POND);
    session.expect(":watch p.score", &["watch p.score"]);
    session.expect(":watch frog.scor", &["did you mean `frog.score`?"]);
    session.reply_text(":turn");
    session.expect("(0,1)", &["p.score: 0 => 1"]);
    session.expect(
        "continue",
        &["p.score: 1 => 4", "since the last stop: frog.score 1 => 4"],
    );
    session.expect(":delete", &["deleted 1: watch p.score"]);
    session.reply_text("continue");
    session.expect(
        ":why frog.score",
        &[
            "frog.score: 4 => 8",
            "by Fly.colocation",
            "Player.score += Fly.worth",
        ],
    );
    session.expect(":why (0,1)", &["by Fly.colocation", "Fly.Exists = false"]);
    session.expect(":diff start", &["frog.score 0 => 8"]);
}

#[test]
fn why_shows_which_check_refused_a_move() {
    let mut session = TestSession::load("gridlang", POND);
    session.reply_text(":turn");
    session.reply_text("(1,1)");
    session.expect(
        ":why frog.position",
        &[
            "(1,1) => (0,0)",
            "refused: the piece goes back",
            "because of Player.checkMove",
            "return end.row == start.row",
        ],
    );
    session.expect(":why frog.position", &["false", "from entry   :turn"]);
}

#[test]
fn why_shows_that_a_move_went_off_the_grid() {
    let program = POND.replace("return end.row == start.row", "return true");
    let mut session = TestSession::load("gridlang", &program);
    session.reply_text(":turn");
    session.reply_text("(7,7)");
    session.expect(":why frog.position", &["off the grid: the piece goes back"]);
}

#[test]
fn the_trace_shows_refused_moves_and_leaving_players() {
    let mut session = TestSession::load("gridlang", POND);
    session.reply_text(":trace on");
    session.reply_text(":turn");
    session.expect(
        "(0,1)",
        &[
            "Fly.colocation b at (0,1), frog at (0,1)",
            "leaves frog at (0,1)",
        ],
    );
    session.reply_text(":turn");
    session.expect("(1,1)", &["refused toad at (1,1)"]);
    session.reply_text(":trace off");
    session.expect(":break leaves", &["break leaves"]);
    session.expect(
        "toad.win = true",
        &["breakpoint 1 in leaves", "who=toad at (2,3)"],
    );
}

#[test]
fn a_compound_assignment_is_shown_with_the_old_value() {
    let program = POND.replace("p.score++", "p.position.col -= p.score + 1");
    let mut session = TestSession::load("gridlang", &program);
    session.reply_text(":turn");
    session.reply_text("(0,2)");
    let why = session.reply_text(":why frog.position");
    assert!(
        why.contains("(0,2) => (0,1)") && !why.contains("not evaluated"),
        "{why}"
    );
    assert!(
        why.lines().any(|l| l.trim_start_matches([' ', '|']) == "2"),
        "the column it had: {why}"
    );
}

#[test]
fn only_printed_lines_count_as_outputs() {
    let mut session = TestSession::load(
        "gridlok",
        r#"board { dimensions {1, 1} image {b.png} }
piece { name {"bell"} onClick { display {"ding"} print {"one"} display {"dong"} print {turnCount} } }
setup { place {"bell", 0, 0} }"#,
    );
    session.expect(":why output", &["Nothing has been printed"]);
    session.expect(
        ":why output 1",
        &["unknown output 1: nothing has been printed"],
    );
    session.reply_text("click{0,0}");
    session.expect(
        ":why output 1",
        &[
            "output 1: one",
            "by bell.onClick at [0][0]",
            r#"print {"one"}"#,
        ],
    );
    session.expect(":why output 2", &["output 2: 0", "print {turnCount}"]);
    // Warnings of the rules are not outputs.
    session.reply_text("winCondition { win {true} } endTurn{}");
    session.expect("click{0,0}", &["the game is over"]);
    session.reply_text(r#"print {"three"}"#);
    session.expect(":why output 3", &["output 3: three"]);
    session.expect(
        ":why output",
        &[
            "  1  one",
            "  3  three",
            "`:why output 3` explains the last one",
        ],
    );
    session.expect(
        ":why output 0",
        &["unknown output 0: `:why output` lists outputs 1 to 3"],
    );
    session.expect(
        ":why output 4",
        &["unknown output 4: `:why output` lists outputs 1 to 3"],
    );
    session.expect(
        ":why output x",
        &["expected the number of an output, found `x`"],
    );
    // Undone outputs do not count.
    session.reply_text(":undo");
    session.expect(
        ":why output 3",
        &["unknown output 3: `:why output` lists outputs 1 to 2"],
    );
}

#[test]
fn first_accepts_conditions_on_locals_and_parameters() {
    let program =
        "board { dimensions {1, 1} image {b.png} }\nfun twice(n) {\n  def m {n + n}\n  return m\n}";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text("twice{4}");
    session.reply_text("twice{5}");
    session.expect(
        ":first n == 5",
        &["* stopped in twice, line", "=>   3", "n=5"],
    );
    session.expect("continue", &["twice{5} finished"]);
    session.expect(":first m == 10", &["=>   4", "n=5 m=10"]);
    session.expect("continue", &["twice{5} finished"]);
    session.expect(":first k == 5", &["unknown name `k`"]);
    session.expect(":first n == 6", &["n == 6 was never true at a stop"]);
    session.expect(":first 3", &["`3` is not true or false"]);
}

#[test]
fn changes_by_the_built_in_rules_are_attributed_to_them() {
    let mut session = TestSession::load("gridlang", POND);
    session.reply_text(":turn");
    let why = session.reply_text(":why p");
    assert!(
        why.contains("p is frog") && why.contains("by the built-in rules") && !why.contains('@'),
        "{why}"
    );
}

#[test]
fn comments_in_a_branch_are_not_shown_as_part_of_its_test() {
    let program = "player hero { x = 1; y = 0; }\nif hero.x == 1 {\n    // all { is well\n    set hero.y = 5;\n}\n";
    let mut session = TestSession::load("tinygame", program);
    let why = session.reply_text(":why hero.y");
    assert!(
        why.lines().any(|l| l.trim() == "if hero.x == 1") && !why.contains("well"),
        "{why}"
    );
}

/// Three in a row of any piece but `bare` should win.
const LINE: &str = "board { dimensions {1, 4} image {b.png} } players {\"p\", \"q\"} def count {0}
piece { name {\"bare\"} } piece { name {\"red\"} } piece { name {\"blue\"} }
setup { for r, c in board { place {\"bare\", r, c} } }
winCondition {
  def n {0}
  for p in board { if p.name == \"red\" { n {n + 1} } else { n {0} } }
  win {n > 1}
}
loseCondition { lose {count > 4 AND turn == \"q\"} }
drawCondition { def left {0} for p in board { if p.name == \"bare\" { left {left + 1} } } draw {left == 0} }";

/// Makes the suggested changes, and checks that they have the promised effect.
#[test]
fn the_suggested_change_makes_the_condition_true() {
    let mut session = TestSession::load("gridlok", LINE);
    session.expect(
        ":why not win",
        &[
            "p.name == \"red\" was false 4 of 4 times at [0][0], [0][1],",
            "[0][2] and 1 more",
        ],
    );
    session.expect(
        ":why not win",
        &["it would be true if [0][2] and [0][3] were red"],
    );
    session.reply_text("place {\"red\", 0, 2}");
    session.expect(
        ":why not win",
        &["it would be true if [0][3] were red (it is bare)"],
    );
    session.reply_text("place {\"red\", 0, 3}");
    session.expect(":why not win", &["If checked now, win would be true"]);
    // Here a test must become false, for several cells.
    session.expect(
        ":why not draw",
        &["it would be true if [0][0] and [0][1] were red"],
    );
    session.reply_text("place {\"bare\", 0, 2}");
    session.expect(
        ":why not draw",
        &["it would be true if [0][0], [0][1] and [0][2] were red"],
    );
    session.expect(
        ":why not lose",
        &["it would be true if count were 5 (it is 0), and turn were \"q\" (it is \"p\")"],
    );
    session.reply_text("count {7}");
    session.expect(
        ":why not lose",
        &["it would be true if turn were \"q\" (it is \"p\")"],
    );
    // More than four cells are only changed all together.
    let many = LINE.replace("{1, 4}", "{2, 3}");
    TestSession::load("gridlok", &many).expect(
        ":why not draw",
        &["it would be true if every bare were red (there are 6)"],
    );
    // `:why not` has changed nothing.
    assert_eq!(session.reply_text("count"), "= 7");
    assert_eq!(session.reply_text("board[0][0].name"), "= \"bare\"");
    assert_eq!(session.reply_text("win"), "= false");
}

#[test]
fn a_condition_that_no_small_change_makes_true_is_reported() {
    let never = "board { dimensions {1, 2} image {b.png} } piece { name {\"a\"} } setup { place {\"a\", 0, 0} }
        winCondition { win {board[0][0].name == \"b\"} }";
    let mut session = TestSession::load("gridlok", never);
    session.expect(
        ":why not win",
        &[
            "Tried 2 changes of 2 cells; none makes it true",
            "No piece is named \"b\"",
        ],
    );
}

#[test]
fn counterfactuals_work_in_every_language_with_conditions() {
    let mut session = TestSession::load("sgl2d", CELLAR);
    session.expect(
        ":why not win",
        &["it would be true if player.x were 5 (it is 0)"],
    );
    session.expect(
        ":why not lose",
        &["it would be true if counter1 were 0 (it is 5)"],
    );
    let race = include_str!("../../sessions/gridlang/race.grid");
    let mut session = TestSession::load("gridlang", race);
    session.expect(
        ":why not win",
        &["it would be true if ann.field were 29 (it is 0)"],
    );
}

#[test]
fn first_stops_where_the_condition_becomes_true() {
    let program = "board { dimensions {1, 1} image {b.png} } players {\"p\"} def n {0}
winCondition { n {n + 1} win {n == 2} }";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text("endTurn{} endTurn{} endTurn{}");
    // The last statement of the condition makes it true; there is no stop after it.
    session.expect(":first win", &["* stopped in winCondition", "win {n == 2}"]);
    let first_true = session.0.target.machine.time();
    session.reply_text(":goto end");
    session.reply_text(":last win");
    assert_eq!(
        session.0.target.machine.time() + 1,
        first_true,
        "it is true right after the change"
    );
}

#[test]
fn a_move_off_the_grid_is_not_blamed_on_a_handler() {
    let program = "Layout(2, 2) {\nPlayer a\na.position = (0,0)\n}
gameLoop() { p.position = (0, target) }
int target = 9
Player.checkMove(coordinate from, coordinate to) { return target != 1 }";
    let mut session = TestSession::load("gridlang", program);
    session.expect(":turn", &["a stays at (0,0): (0,9) is off the grid"]);
    let reply = session.reply_text(":why a.position");
    assert!(
        reply.contains("off the grid: the piece goes back"),
        "{reply}"
    );
    assert!(!reply.contains("checkMove"), "{reply}");
    // The handler is named where it decides.
    session.reply_text("target = 1");
    session.reply_text(":turn");
    session.expect(
        ":why a.position",
        &["refused: the piece goes back", "Player.checkMove"],
    );
}

#[test]
fn the_elseif_that_decided_is_part_of_the_answer() {
    let program = "board { dimensions {1, 1} image {b.png} } def b {0}
fun f(n) {
  if n > 5 { b {1} b {n} }
  elseif n > 2 { if n > 3 { b {b} } b {2} }
  elseif n > 0 { b {3} }
  else { b {4} }
  return b
}";
    let mut session = TestSession::load("gridlok", program);
    let arms = |session: &mut TestSession| -> Vec<String> {
        let why = session.reply_text(":why b");
        let lines = why.lines().map(str::trim);
        lines
            .filter(|line| line.starts_with("if") || line.starts_with("elseif"))
            .map(str::to_string)
            .collect()
    };
    session.reply_text("f{4}");
    assert_eq!(arms(&mut session), ["elseif n > 2", "if n > 5"]);
    session.reply_text("f{1}");
    assert_eq!(
        arms(&mut session),
        ["elseif n > 0", "elseif n > 2", "if n > 5"]
    );
    session.reply_text("f{0}");
    assert_eq!(
        arms(&mut session),
        ["elseif n > 0", "elseif n > 2", "if n > 5"]
    );
    session.reply_text("f{7}");
    assert_eq!(arms(&mut session), ["if n > 5"]);
}

#[test]
fn why_alone_explains_the_last_change() {
    let sample = |language: &str| {
        let language = gridbug::languages::by_name(language).unwrap();
        language.info().sample
    };
    let mut session = TestSession::load("gridlok", sample("gridlok"));
    session.reply("click{1,1}");
    session.expect(":why", &["[1][1]: free => X", "changeType {\"X\"}"]);
    // At a stop, it is what the last steps changed.
    session.reply(":break mine");
    session.reply("click{2,2}");
    session.expect(":why", &["[2][2]: free => O"]);
    session.reply(":delete 1");
    session.reply("finish");
    session.reply("step");
    session.expect(":why", &["line: true => false"]);
    // What the program did comes before what the built-in rules did.
    let mut session = TestSession::load("tinygame", sample("tinygame"));
    session.expect(":why", &["chest.gold: 50 => 0"]);
    let race = include_str!("../../sessions/gridlang/race.grid");
    let mut session = TestSession::load("gridlang", race);
    session.reply(":turn");
    session.expect(":why", &["ann.field: 0 =>", "by put"]);
}
