//! Promise: places, fields, tests and reasons are told in the words of the language they belong to.

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
fn an_event_that_only_updates_can_be_stopped_in() {
    let mut talk = Talk::of("sgl2d", CELLAR);
    talk.hears(":break event egg", &["break event egg   game:8"]);
    let stop = talk
        .reply("right")
        .stop
        .expect("a stop in the update of the egg");
    assert_eq!((stop.line, stop.function.as_str()), (8, "update egg"));
}

#[test]
fn a_game_that_is_not_lost_tells_what_would_lose_it() {
    let mut talk = Talk::of("sgl2d", CELLAR);
    for asked in [":why lose", ":why not lose"] {
        talk.hears(
            asked,
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
            "from typed   right 2",
        ],
    );
}

#[test]
fn sgl2d_speaks_of_x_and_y() {
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
fn places_typed_later_belong_to_the_set_line_before_them() {
    let mut talk = Talk::of(
        "sgl2d",
        "environment > x=4 y=2\nplayer > x=3 y=1\nsprite mud >\n",
    );
    talk.hears("set mud > x=0 y=0", &["0 (m) ·  ·  ·"]);
    talk.hears(
        "x=1 y=0 (x=0 y=1, x=1 y=1)",
        &["0  m (m) ·  ·", "1 (m)(m) ·  @"],
    );
    talk.hears("x=2", &["other half of the position"]);
    talk.says("sprite ice >");
    talk.hears("x=2 y=0", &["positions stand behind `set NAME >`"]);
}

#[test]
fn what_is_no_question_says_so() {
    let mut talk = Talk::of("sgl2d", CELLAR);
    talk.hears(
        "player.x + 1",
        &["neither a statement nor a question", "counter1 == 3"],
    );
    talk.hears(
        ":why not counter1",
        &["counter1 is 5, neither true nor false"],
    );
    assert_eq!(talk.says("egg.counter > 2"), "= true");
}

#[test]
fn the_end_is_told_once() {
    let mut talk = Talk::of("sgl2d", "environment > x=2 y=1\nplayer >\ngoal > x=1 y=0\n");
    let said = talk.says("right");
    assert!(
        said.contains("Victory!") && said.contains("Moves: 1") && !said.contains("the game is won"),
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
fn an_output_of_tinygame_tells_the_ifs_around_it() {
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
fn the_plane_of_tinygame_is_a_board_for_those_who_look() {
    let mut talk = Talk::of("tinygame", DUEL);
    talk.hears(":pieces", &["hero  at (3,0)", "orc   at (3,2)"]);
    talk.hears(":cell 3,2", &["(3,2) has orc"]);
    talk.hears(":cell -7,90", &["(-7,90) is empty"]);
    talk.hears(
        ":why (3,0)",
        &["(3,0): empty => hero", "move hero right 3;"],
    );
    talk.hears(":watch row 1", &["watch row 1"]);
    talk.hears("move hero up 1;", &["watch 1, row 1: (3,1) empty => hero"]);
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
fn several_in_a_cell_are_seen_and_listed() {
    let mut talk = Talk::of("gridlang", POND);
    talk.hears(
        ":board",
        &["   0  F  a+ ·  ·", "+ is more than one: :cell lists them"],
    );
    talk.hears(":cell 0,1", &["(0,1) has a, b"]);
}

#[test]
fn fields_can_be_watched_and_asked_about() {
    let mut talk = Talk::of("gridlang", POND);
    talk.hears(":watch p.score", &["watch p.score"]);
    talk.hears(":watch frog.scor", &["did you mean `frog.score`?"]);
    talk.says(":turn");
    talk.hears("(0,1)", &["p.score: 0 => 1"]);
    talk.hears(
        "continue",
        &["p.score: 1 => 4", "since the last stop: frog.score 1 => 4"],
    );
    talk.hears(":delete", &["no breakpoints"]);
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
fn a_refused_move_tells_who_refused_it() {
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
    talk.hears(":why frog.position", &["false", "from typed   :turn"]);
}

#[test]
fn a_move_off_the_grid_blames_no_check() {
    let program = POND.replace("return end.row == start.row", "return true");
    let mut talk = Talk::of("gridlang", &program);
    talk.says(":turn");
    talk.says("(7,7)");
    talk.hears(
        ":why frog.position",
        &["outside of the grid: the piece goes back"],
    );
}

#[test]
fn the_trace_tells_of_refusals_and_of_those_who_leave() {
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
fn a_change_of_a_part_is_told_with_its_old_value() {
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
fn outputs_are_counted_as_they_are_seen() {
    let mut talk = Talk::of(
        "gridlok",
        r#"board { dimensions {1, 1} image {b.png} }
piece { name {"bell"} onClick { display {"ding"} print {"one"} display {"dong"} print {turnCount} } }
setup { place {"bell", 0, 0} }"#,
    );
    talk.hears(":why output", &["nothing was printed"]);
    talk.hears(
        ":why output 1",
        &["there is no output 1: nothing was printed"],
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
    // What the rules warn of is no output.
    talk.says("winCondition { win {true} } endTurn{}");
    talk.hears("click{0,0}", &["the game is over"]);
    talk.says(r#"print {"three"}"#);
    talk.hears(":why output 3", &["output 3: three"]);
    talk.hears(
        ":why output",
        &[
            "  1  one",
            "  3  three",
            "`:why output 3` tells why the last one",
        ],
    );
    talk.hears(":why output 0", &["there is no output 0: there are 1 to 3"]);
    talk.hears(":why output 4", &["there is no output 4: there are 1 to 3"]);
    talk.hears(":why output x", &["`x` is not the number of an output"]);
    // Those that have not happened yet are none.
    talk.says(":undo");
    talk.hears(":why output 3", &["there is no output 3: there are 1 to 2"]);
}

#[test]
fn the_first_time_may_be_asked_of_what_is_only_seen_inside() {
    let program =
        "board { dimensions {1, 1} image {b.png} }\nfun twice(n) {\n  def m {n + n}\n  return m\n}";
    let mut talk = Talk::of("gridlok", program);
    talk.says("twice{4}");
    talk.says("twice{5}");
    talk.hears(":first n == 5", &["* twice", "=>   3", "n=5"]);
    talk.hears("continue", &["twice{5} is done"]);
    talk.hears(":first m == 10", &["=>   4", "n=5 m=10"]);
    talk.hears("continue", &["twice{5} is done"]);
    talk.hears(":first k == 5", &["unknown name `k`"]);
    talk.hears(":first n == 6", &["n == 6 was never true at a stop"]);
    talk.hears(":first 3", &["`3` is neither true nor false"]);
}

#[test]
fn what_the_rules_do_by_themselves_is_told_as_theirs() {
    let mut talk = Talk::of("gridlang", POND);
    talk.says(":turn");
    let why = talk.says(":why p");
    assert!(
        why.contains("p is frog") && why.contains("by the rules of play") && !why.contains('@'),
        "{why}"
    );
}

#[test]
fn remarks_inside_a_branch_are_no_part_of_its_test() {
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

/// What is said to make a condition true does: it is tried out by doing it.
#[test]
fn what_would_make_it_true_does() {
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
    talk.hears(":why not win", &["run now, it makes win true"]);
    // It is the negation of a test that is missing, for each of many cells.
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
    // More than four are changed only all together.
    let many = LINE.replace("{1, 4}", "{2, 3}");
    Talk::of("gridlok", &many).hears(
        ":why not draw",
        &["it would be true if every bare were red (there are 6)"],
    );
    // Asking has changed nothing.
    assert_eq!(talk.says("count"), "= 7");
    assert_eq!(talk.says("board[0][0].name"), "= \"bare\"");
    assert_eq!(talk.says("win"), "= false");
}

#[test]
fn what_nothing_small_makes_true_says_so() {
    let never = "board { dimensions {1, 2} image {b.png} } piece { name {\"a\"} } setup { place {\"a\", 0, 0} }
        winCondition { win {board[0][0].name == \"b\"} }";
    let mut talk = Talk::of("gridlok", never);
    talk.hears(
        ":why not win",
        &[
            "no change of a single cell or variable would make it true",
            "No piece is named \"b\".",
        ],
    );
}

#[test]
fn the_nearest_way_to_the_end_is_told_in_every_language_with_ends() {
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
fn the_first_time_is_where_it_becomes_true() {
    let program = "board { dimensions {1, 1} image {b.png} } players {\"p\"} def n {0}
winCondition { n {n + 1} win {n == 2} }";
    let mut talk = Talk::of("gridlok", program);
    talk.says("endTurn{} endTurn{} endTurn{}");
    // The last thing that the condition does makes it true; behind it no stop follows in it.
    talk.hears(":first win", &["* winCondition", "win {n == 2}", "turn 1"]);
    let became = talk.0.machine.time();
    talk.says(":goto end");
    talk.says(":last win");
    assert_eq!(
        talk.0.machine.time() + 1,
        became,
        "it is true right behind the change"
    );
}
