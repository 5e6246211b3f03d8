//! `:why` and `:why not` in every language: locations, fields, tests and causes are shown in the
//! language's own notation.

use crate::talk::Talk;

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
    let mut talk = Talk::of("sgl2d", CELLAR);
    talk.hears(":break event egg", &["break event egg   game:8"]);
    let stop = talk
        .reply("right")
        .stop
        .expect("a stop in the update of the egg");
    assert_eq!((stop.line, stop.function.as_str()), (8, "update egg"));
}

#[test]
fn why_lose_shows_what_would_lose_the_game() {
    let mut talk = Talk::of("sgl2d", CELLAR);
    for command in [":why lose", ":why not lose"] {
        talk.hears(
            command,
            &[
                "lose is false",
                "counter1 is 5",
                "line 7: gameover in event lava",
            ],
        );
    }
    talk.hears(
        ":why not win",
        &[
            "player.x is 0, goal.x is 5",
            "line 8: winonzerocounter",
            "egg.counter is 3",
        ],
    );
    talk.says("right 2");
    talk.hears(
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
    let mut talk = Talk::of("sgl2d", CELLAR);
    talk.hears(":cell 2,1", &["x=2 y=1 has lava"]);
    talk.hears(":cell y=1 x=0", &["x=0 y=1 has player"]);
    talk.hears(
        ":cell 2,5",
        &["x=2 y=5 is off the board: x 0 to 5, y 0 to 2"],
    );
    talk.hears(":break update egg", &["break update egg"]);
    talk.hears("right", &["update egg at x=4 y=2"]);
    talk.says("continue");
    talk.hears(":why 2,1", &["empty => lava", "line 9"]);
}

#[test]
fn positions_entered_later_belong_to_the_last_set_line() {
    let mut talk = Talk::of(
        "sgl2d",
        "environment > x=4 y=2\nplayer > x=3 y=1\nsprite mud >\n",
    );
    talk.hears("set mud > x=0 y=0", &["0 (m) ·  ·  ·"]);
    talk.hears(
        "x=1 y=0 (x=0 y=1, x=1 y=1)",
        &["0  m (m) ·  ·", "1 (m)(m) ·  @"],
    );
    talk.hears("x=2", &["to complete the position"]);
    talk.says("sprite ice >");
    talk.hears(
        "x=2 y=0",
        &["positions are only allowed after `set NAME >`"],
    );
}

#[test]
fn why_not_of_a_number_is_an_error() {
    let mut talk = Talk::of("sgl2d", CELLAR);
    talk.hears(
        "player.x + 1",
        &[
            "neither a statement, a move nor an expression",
            "counter1 == 3",
        ],
    );
    talk.hears(":why not counter1", &["counter1 is 5, not true or false"]);
    assert_eq!(talk.says("egg.counter > 2"), "= true");
}

#[test]
fn the_end_of_a_game_is_shown_once() {
    let mut talk = Talk::of("sgl2d", "environment > x=2 y=1\nplayer >\ngoal > x=1 y=0\n");
    let said = talk.says("right");
    assert!(
        said.contains("Victory!") && said.contains("Moves: 1") && !said.contains("The game is won"),
        "{said}"
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
    let mut talk = Talk::of("tinygame", DUEL);
    assert_eq!(talk.says("hero.x == 3"), "= true");
    assert_eq!(talk.reply("hero.x < 3").data, Some(false.into()));
    talk.hears(":explain hero.x == orc.x", &["true"]);
    talk.hears(":break 5 if hero.x == 3", &["break 5"]);
    assert!(
        talk.reply(":restart")
            .stop
            .is_some_and(|stop| stop.line == 5)
    );
}

#[test]
fn why_output_shows_the_enclosing_ifs() {
    let mut talk = Talk::of("tinygame", DUEL);
    talk.hears(
        ":why output 2",
        &[
            "print \"weak\"",
            "because of line 6",
            "because of line 4",
            "if hero.x == orc.x",
        ],
    );
    talk.hears(":why hero.health", &["10 => 6", "because of line 4"]);
}

#[test]
fn board_commands_work_on_the_plane_of_tinygame() {
    let mut talk = Talk::of("tinygame", DUEL);
    talk.hears(":pieces", &["hero  at (3,0)", "orc   at (3,2)"]);
    talk.hears(":cell 3,2", &["(3,2) has orc"]);
    talk.hears(":cell -7,90", &["(-7,90) is empty"]);
    talk.hears(
        ":why (3,0)",
        &["(3,0): empty => hero", "move hero right 3;"],
    );
    talk.hears(":watch row 1", &["watch row 1"]);
    talk.hears(
        "move hero up 1;",
        &["watchpoint 1, row 1: (3,1) empty => hero"],
    );
    talk.says("continue");
    talk.hears(
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
    let mut talk = Talk::of("gridlang", POND);
    talk.hears(
        ":board",
        &[
            "   0  F  a+ ·  ·",
            "+ means several pieces: `:cell` lists them",
        ],
    );
    talk.hears(":cell 0,1", &["(0,1) has a, b"]);
}

#[test]
fn fields_can_be_watched_and_explained() {
    let mut talk = Talk::of("gridlang", POND);
    talk.hears(":watch p.score", &["watch p.score"]);
    talk.hears(":watch frog.scor", &["did you mean `frog.score`?"]);
    talk.says(":turn");
    talk.hears("(0,1)", &["p.score: 0 => 1"]);
    talk.hears(
        "continue",
        &["p.score: 1 => 4", "since the last stop: frog.score 1 => 4"],
    );
    talk.hears(":delete", &["No breakpoints"]);
    talk.says("continue");
    talk.hears(
        ":why frog.score",
        &[
            "frog.score: 4 => 8",
            "by Fly.colocation",
            "Player.score += Fly.worth",
        ],
    );
    talk.hears(":why (0,1)", &["by Fly.colocation", "Fly.Exists = false"]);
    talk.hears(":diff start", &["frog.score 0 => 8"]);
}

#[test]
fn why_shows_which_check_refused_a_move() {
    let mut talk = Talk::of("gridlang", POND);
    talk.says(":turn");
    talk.says("(1,1)");
    talk.hears(
        ":why frog.position",
        &[
            "(1,1) => (0,0)",
            "refused: the piece goes back",
            "because of Player.checkMove",
            "return end.row == start.row",
        ],
    );
    talk.hears(":why frog.position", &["false", "from entry   :turn"]);
}

#[test]
fn why_shows_that_a_move_went_off_the_grid() {
    let program = POND.replace("return end.row == start.row", "return true");
    let mut talk = Talk::of("gridlang", &program);
    talk.says(":turn");
    talk.says("(7,7)");
    talk.hears(":why frog.position", &["off the grid: the piece goes back"]);
}

#[test]
fn the_trace_shows_refused_moves_and_leaving_players() {
    let mut talk = Talk::of("gridlang", POND);
    talk.says(":trace on");
    talk.says(":turn");
    talk.hears(
        "(0,1)",
        &[
            "Fly.colocation b at (0,1), frog at (0,1)",
            "leaves frog at (0,1)",
        ],
    );
    talk.says(":turn");
    talk.hears("(1,1)", &["refused toad at (1,1)"]);
    talk.says(":trace off");
    talk.hears(":break leaves", &["break leaves"]);
    talk.hears(
        "toad.win = true",
        &["breakpoint 1, leaves", "player=toad at (2,3)"],
    );
}

#[test]
fn a_compound_assignment_is_shown_with_the_old_value() {
    let program = POND.replace("p.score++", "p.position.col -= p.score + 1");
    let mut talk = Talk::of("gridlang", &program);
    talk.says(":turn");
    talk.says("(0,2)");
    let why = talk.says(":why frog.position");
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
    let mut talk = Talk::of(
        "gridlok",
        r#"board { dimensions {1, 1} image {b.png} }
piece { name {"bell"} onClick { display {"ding"} print {"one"} display {"dong"} print {turnCount} } }
setup { place {"bell", 0, 0} }"#,
    );
    talk.hears(":why output", &["Nothing has been printed"]);
    talk.hears(
        ":why output 1",
        &["unknown output 1: nothing has been printed"],
    );
    talk.says("click{0,0}");
    talk.hears(
        ":why output 1",
        &[
            "output 1: one",
            "by bell.onClick at [0][0]",
            r#"print {"one"}"#,
        ],
    );
    talk.hears(":why output 2", &["output 2: 0", "print {turnCount}"]);
    // Warnings of the rules are not outputs.
    talk.says("winCondition { win {true} } endTurn{}");
    talk.hears("click{0,0}", &["the game is over"]);
    talk.says(r#"print {"three"}"#);
    talk.hears(":why output 3", &["output 3: three"]);
    talk.hears(
        ":why output",
        &[
            "  1  one",
            "  3  three",
            "`:why output 3` explains the last one",
        ],
    );
    talk.hears(
        ":why output 0",
        &["unknown output 0: `:why output` lists outputs 1 to 3"],
    );
    talk.hears(
        ":why output 4",
        &["unknown output 4: `:why output` lists outputs 1 to 3"],
    );
    talk.hears(
        ":why output x",
        &["expected the number of an output, found `x`"],
    );
    // Undone outputs do not count.
    talk.says(":undo");
    talk.hears(
        ":why output 3",
        &["unknown output 3: `:why output` lists outputs 1 to 2"],
    );
}

#[test]
fn first_accepts_conditions_on_locals_and_parameters() {
    let program =
        "board { dimensions {1, 1} image {b.png} }\nfun twice(n) {\n  def m {n + n}\n  return m\n}";
    let mut talk = Talk::of("gridlok", program);
    talk.says("twice{4}");
    talk.says("twice{5}");
    talk.hears(":first n == 5", &["* twice", "=>   3", "n=5"]);
    talk.hears("continue", &["twice{5} finished"]);
    talk.hears(":first m == 10", &["=>   4", "n=5 m=10"]);
    talk.hears("continue", &["twice{5} finished"]);
    talk.hears(":first k == 5", &["unknown name `k`"]);
    talk.hears(":first n == 6", &["n == 6 was never true at a stop"]);
    talk.hears(":first 3", &["`3` is not true or false"]);
}

#[test]
fn changes_by_the_built_in_rules_are_attributed_to_them() {
    let mut talk = Talk::of("gridlang", POND);
    talk.says(":turn");
    let why = talk.says(":why p");
    assert!(
        why.contains("p is frog") && why.contains("by the built-in rules") && !why.contains('@'),
        "{why}"
    );
}

#[test]
fn comments_in_a_branch_are_not_shown_as_part_of_its_test() {
    let program = "player hero { x = 1; y = 0; }\nif hero.x == 1 {\n    // all { is well\n    set hero.y = 5;\n}\n";
    let mut talk = Talk::of("tinygame", program);
    let why = talk.says(":why hero.y");
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
    let mut talk = Talk::of("gridlok", LINE);
    talk.hears(
        ":why not win",
        &[
            "p.name == \"red\" was false 4 of 4 times at [0][0], [0][1],",
            "[0][2] and 1 more",
        ],
    );
    talk.hears(
        ":why not win",
        &["it would be true if [0][2] and [0][3] were red"],
    );
    talk.says("place {\"red\", 0, 2}");
    talk.hears(
        ":why not win",
        &["it would be true if [0][3] were red (it is bare)"],
    );
    talk.says("place {\"red\", 0, 3}");
    talk.hears(":why not win", &["If checked now, win would be true"]);
    // Here a test must become false, for several cells.
    talk.hears(
        ":why not draw",
        &["it would be true if [0][0] and [0][1] were red"],
    );
    talk.says("place {\"bare\", 0, 2}");
    talk.hears(
        ":why not draw",
        &["it would be true if [0][0], [0][1] and [0][2] were red"],
    );
    talk.hears(
        ":why not lose",
        &["it would be true if turn were \"q\" (it is \"p\"), and count were 5 (it is 0)"],
    );
    talk.says("count {7}");
    talk.hears(
        ":why not lose",
        &["it would be true if turn were \"q\" (it is \"p\")"],
    );
    // More than four cells are only changed all together.
    let many = LINE.replace("{1, 4}", "{2, 3}");
    Talk::of("gridlok", &many).hears(
        ":why not draw",
        &["it would be true if every bare were red (there are 6)"],
    );
    // `:why not` has changed nothing.
    assert_eq!(talk.says("count"), "= 7");
    assert_eq!(talk.says("board[0][0].name"), "= \"bare\"");
    assert_eq!(talk.says("win"), "= false");
}

#[test]
fn a_condition_that_no_small_change_makes_true_is_reported() {
    let never = "board { dimensions {1, 2} image {b.png} } piece { name {\"a\"} } setup { place {\"a\", 0, 0} }
        winCondition { win {board[0][0].name == \"b\"} }";
    let mut talk = Talk::of("gridlok", never);
    talk.hears(
        ":why not win",
        &[
            "Changing a single cell or variable would not make it true",
            "No piece is named \"b\"",
        ],
    );
}

#[test]
fn counterfactuals_work_in_every_language_with_conditions() {
    let mut talk = Talk::of("sgl2d", CELLAR);
    talk.hears(
        ":why not win",
        &["it would be true if player.x were 5 (it is 0)"],
    );
    talk.hears(
        ":why not lose",
        &["it would be true if counter1 were 0 (it is 5)"],
    );
    let race = include_str!("../../sessions/gridlang/race.grid");
    let mut talk = Talk::of("gridlang", race);
    talk.hears(
        ":why not win",
        &["it would be true if ann.field were 29 (it is 0)"],
    );
}

#[test]
fn first_stops_where_the_condition_becomes_true() {
    let program = "board { dimensions {1, 1} image {b.png} } players {\"p\"} def n {0}
winCondition { n {n + 1} win {n == 2} }";
    let mut talk = Talk::of("gridlok", program);
    talk.says("endTurn{} endTurn{} endTurn{}");
    // The last statement of the condition makes it true; there is no stop after it.
    talk.hears(":first win", &["* winCondition", "win {n == 2}", "turn 1"]);
    let first_true = talk.0.machine.time();
    talk.says(":goto end");
    talk.says(":last win");
    assert_eq!(
        talk.0.machine.time() + 1,
        first_true,
        "it is true right after the change"
    );
}
