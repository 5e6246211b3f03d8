//! The answers to `:why not` as JSON.

use crate::protocol::valid_json;
use crate::test_session::TestSession;
use gridbug::answer::{Answer, ProgressListener};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// What the answer to a line explains: all of it, except whether an ending can be reached.
fn part(session: &mut TestSession, line: &str) -> Value {
    let answer = session.reply(line);
    let json = valid_json(&session.0, &answer);
    let parts = json["parts"].as_array().expect("an answer with parts");
    let kinds: Vec<_> = parts.iter().map(|part| part["kind"].as_str()).collect();
    assert!(
        matches!(
            kinds[..],
            [Some("why_not")] | [Some("why_not"), Some("reachability")]
        ),
        "{line}: {json}"
    );
    parts[0].clone()
}

const ROW: &str = "board { dimensions {1, 4} image {b.png} } players {\"p\", \"q\"} def count {0}
piece { name {\"bare\"} onClick { if count == 3 { count {4} } } } piece { name {\"red\"} }
setup { for r, c in board { place {\"bare\", r, c} } }
winCondition {
  def n {0}
  for p in board { if p.name == \"red\" { n {n + 1} } else { n {0} } }
  win {n > 1}
}
loseCondition { lose {count > 4} }";

#[test]
fn a_false_flag_has_its_tests_and_the_changes_that_make_it_true() {
    let mut session = TestSession::load("gridlok", ROW);
    session.reply_text("place {\"red\", 0, 2}");
    let flag = part(&mut session, ":why not win");
    assert_eq!(
        (&flag["subject"], &flag["name"]),
        (&json!("false_flag"), &json!("win"))
    );
    let writer = &flag["writers"][0];
    assert_eq!(writer["function"], "winCondition");
    assert_eq!(writer["range"]["line"], 4);
    assert_eq!(writer["result"], "stays_false");
    assert_eq!(writer["writes"][0]["statement"], "win {n > 1}");
    assert_eq!(writer["writes"][0]["range"]["line"], 7);
    let test = &writer["tests"][0];
    assert_eq!(test["text"], "p.name == \"red\"");
    assert_eq!(
        (&test["count"], &test["false_count"]),
        (&json!(4), &json!(3))
    );
    assert_eq!(
        test["cells"]["first"],
        json!(["[0][0]", "[0][1]", "[0][3]"])
    );
    assert_eq!(test["operand"]["text"], "p.name");
    let search = &writer["search"];
    assert_eq!(search["tried"][0]["class"], "single");
    assert_eq!(
        search["solutions"][0],
        json!({
            "extent": "together",
            "changes": [{ "target": "cell", "name": "[0][3]", "current": "bare", "new": "red" }],
        })
    );
}

#[test]
fn a_change_of_a_variable_has_its_old_and_new_value() {
    let mut session = TestSession::load("gridlok", ROW);
    let flag = part(&mut session, ":why not lose");
    assert_eq!(
        flag["writers"][0]["search"]["solutions"],
        json!([{
            "extent": "together",
            "changes": [{ "target": "variable", "name": "count", "current": "0", "new": "5" }],
        }])
    );
}

#[test]
fn a_click_has_the_branches_that_are_not_taken() {
    let mut session = TestSession::load("gridlok", ROW);
    let click = part(&mut session, ":why not click 0,1");
    assert_eq!(click["cell"], "[0][1]");
    assert_eq!(
        (&click["effect"], &click["piece"]),
        (&json!("no_change"), &json!("bare"))
    );
    let branch = &click["branches"][0];
    assert_eq!(branch["test"], "count == 3");
    assert_eq!(branch["range"]["line"], 2);
    assert_eq!(branch["part"], json!({ "name": "count", "value": "0" }));
    session.reply_text("count {3}");
    let click = part(&mut session, ":why not click 0,1");
    assert_eq!(click["effect"], "changes");
    assert_eq!(click["changes"][0]["name"], "count");
}

#[test]
fn a_function_that_was_not_called_has_its_call_sites_and_their_guards() {
    let program = "board { dimensions {1, 1} image {b.png} } players {\"p\"} def count {0}
piece { name {\"bare\"} onClick {
  if count == 3 {
    grow {}
  }
  count {count + 1}
} }
setup { place {\"bare\", 0, 0} }
fun grow() { count {9} }";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text("click{0,0}");
    let call = part(&mut session, ":why not grow");
    let function = &call["functions"][0];
    assert_eq!(function["outcome"], "not_run");
    assert_eq!(function["entry"], "click{0,0}");
    assert_eq!(function["last_run"], "never");
    let site = &function["call_sites"][0];
    assert_eq!(site["function"], "bare.onClick");
    assert_eq!(site["range"]["line"], 4);
    assert_eq!(site["guards"][0]["text"], "count == 3");
}

const BOARD: &str = "board { dimensions {3, 3} image {b.png} } players {\"x\", \"o\"}
def n {0} def l {1,2,3,} def ready {false}
piece { name {\"bare\"} } piece { name {\"X\"} } piece { name {\"O\"} }
setup { for r, c in board { place {\"bare\", r, c} } }
";

/// The answer to `:why not` about a flag of `BOARD` with further code.
fn answer_about(code: &str, flag: &str) -> String {
    let mut session = TestSession::load("gridlok", &format!("{BOARD}{code}"));
    session.reply_text(&format!(":why not {flag}"))
}

#[track_caller]
fn assert_contains(answer: &str, text: &str) {
    assert!(answer.contains(text), "missing {text:?} in\n{answer}");
}

#[test]
fn values_that_the_program_does_not_contain_are_found() {
    let win = |test: &str| answer_about(&format!("winCondition {{ win {{{test}}} }}"), "win");
    assert_contains(
        &win("n * n == 49"),
        "it would be true if n were 7 (it is 0)",
    );
    assert_contains(&win("n * n == 4900"), "if n were 70 (it is 0)");
    assert_contains(&win("n * 3 - 1 == 2999"), "if n were 1000 (it is 0)");
    assert_contains(&win("l[1] == 9"), "if l[1] were 9 (it is 2)");
    assert_contains(&win("l[2] * 7 == 700"), "if l[2] were 100 (it is 3)");
    assert_contains(
        &win("board[1][2].owner == \"o\""),
        "if [1][2] were owned by o (it is without owner)",
    );
    assert_contains(
        &win("board[0][0].name == \"X\" AND !board[0][0].visible"),
        "if [0][0] were hidden X (it is visible bare)",
    );
    assert_contains(
        &win("board[0][0].name == \"X\" AND board[0][0].owner == \"x\""),
        "if [0][0] were X owned by x (it is bare without owner)",
    );
}

#[test]
fn changes_that_make_an_expression_true_are_found() {
    let answer = |expression: &str| answer_about("fun big(k) { return k > 100 }", expression);
    assert_contains(
        &answer("n * n == 49"),
        "it would be true if n were 7 (it is 0)",
    );
    assert_contains(&answer("!(n < 10)"), "if n were 10 (it is 0)");
    assert_contains(&answer("big{n}"), "if n were 101 (it is 0)");
    assert_contains(
        &answer("board[0][0].name == \"X\""),
        "if [0][0] were X (it is bare)",
    );
    // Nothing can be changed.
    assert!(!answer("1 == 2").contains("would be true"));
    let mut session = TestSession::load("gridlok", BOARD);
    session.reply_text(":why not n == 5");
    assert_eq!(session.reply_text("n"), "= 0");
}

#[test]
fn changes_that_make_an_expression_true_are_found_in_every_language() {
    for (language, program, expression, expected) in [
        (
            "gridlang",
            "int n = 3;",
            "n * n == 49",
            "if n were 7 (it is 3)",
        ),
        ("bogl", "let n = 3", "n * n == 49", "if n were 7 (it is 3)"),
        (
            "sgl2d",
            "counter counter1 > true 3",
            "counter1 == 7",
            "if counter1 were 7 (it is 3)",
        ),
        (
            "tinygame",
            "player hero { x = 3; y = 0; }",
            "hero.x == 8",
            "if hero.x were 8 (it is 3)",
        ),
    ] {
        let mut session = TestSession::empty(language);
        session.reply_text(program);
        let answer = session.reply_text(&format!(":why not {expression}"));
        assert_contains(&answer, expected);
    }
}

#[test]
fn a_handler_runs_by_its_action_and_a_function_by_its_callers() {
    let bell = "piece { name {\"bell\"} onClick { if n == 3 { ready {true} } } }";
    let mut session = TestSession::load("gridlok", &format!("{BOARD}{bell}"));
    session.reply_text("place {\"bell\", 2, 1}");
    session.expect(
        ":why not ready",
        &[
            "ready is false. bell.onClick, run by `click{2,1}`:",
            "n == 3 was false; n was 0 once",
            "it would be true if n were 3 (it is 0)",
        ],
    );
    session.reply_text("n{3}");
    session.expect(":why not ready", &["`click{2,1}` would make ready true"]);
    assert_eq!(session.reply_text("ready"), "= false");
    // The condition calls the function that sets it.
    let called = "fun check(k) { if k > 4 { win {true} } }
winCondition { check {n + 1} }";
    let answer = answer_about(called, "win");
    assert_contains(
        &answer,
        "win is false. winCondition, run on the current board:",
    );
    assert_contains(&answer, "win {true} ran 0 times");
    assert_contains(&answer, "it would be true if n were 4 (it is 0)");
    // Nothing calls it.
    let uncalled = "fun check(k) { if k > 4 { ready {true} } }";
    let answer = answer_about(uncalled, "ready");
    assert_contains(&answer, "`check{5}` would make ready true");
    assert_contains(
        &answer,
        "ready {true} in check would make it true; it has not run",
    );
}

#[test]
fn vacant_cells_of_a_large_board_are_tried() {
    let board = "board { dimensions {30, 30} image {b.png} } players {\"x\"}
piece { name {\"X\"} } piece { name {\"O\"} }
winCondition { def t {0} for p in board { if p.name == \"X\" { t {t + 1} } } win {t == 1} }
loseCondition { lose {board[20][21].name == \"X\"} }
drawCondition { def t {0} for p surrounding 9, 9 { if p.name == \"O\" { t {t + 1} } } draw {t == 1} }";
    let mut session = TestSession::load("gridlok", board);
    session.expect(
        ":why not win",
        &[
            "if [0][0] were X (it is empty)",
            "and 897 more possibilities",
        ],
    );
    session.expect(":why not lose", &["if [20][21] were X (it is empty)"]);
    session.expect(":why not draw", &["if [8][8] were O (it is empty)"]);
}

#[test]
fn an_error_in_a_condition_is_reported() {
    let answer = answer_about("winCondition {\n  win {6 / n == 2}\n}", "win");
    assert_contains(&answer, "line 6: it ends in an error: division by zero");
    assert_contains(&answer, "it would be true if n were 3 (it is 0)");
}

#[test]
fn nothing_is_claimed_that_was_not_tried() {
    let answer = answer_about("winCondition { win {n * n == 48} }", "win");
    assert_contains(&answer, "Tried");
    assert_contains(&answer, "changes of 9 cells and n; none makes it true");
    let large = "board { dimensions {200, 200} image {b.png} } players {\"x\"}
piece { name {\"X\"} }
winCondition { def t {0} for p in board { if p.name == \"X\" { t {t + 1} } } win {t == -1} }";
    let mut session = TestSession::load("gridlok", large);
    session.expect(
        ":why not win",
        &["cells, but not all there are; none makes it true"],
    );
}

#[test]
fn positions_that_can_arise_come_first() {
    let game = "board { dimensions {1, 4} image {b.png} } players {\"x\", \"o\"}
piece { name {\"O\"} } piece { name {\"X\"} }
piece { name {\"bare\"} onClick { if turn == \"x\" { changeType{\"X\"} } else { changeType{\"O\"} } endTurn{} } }
setup { for r, c in board { place {\"bare\", r, c} } }
winCondition { def t {0} for p in board { if p.name == \"X\" { t {t + 1} } } win {t == 2} }";
    let mut session = TestSession::load("gridlok", game);
    session.reply_text("click{0,0}");
    session.reply_text("click{0,1}");
    // O is on [0][1]; bare cells can become X, and it is x's turn.
    session.expect(
        ":why not win",
        &[
            "`click{0,2}` would make win true; `click{0,3}`, too",
            "it would be true if [0][2] were X (it is bare);",
            "or if [0][3] were X (it is bare); or if [0][1] were X (it is O)",
        ],
    );
    let mut session = TestSession::load("gridlok", game);
    session.reply_text("place {\"O\", 0, 1}");
    session.expect(
        ":why not win",
        &[
            "if [0][0] and [0][2] were X; or if [0][0] and [0][3] were X;",
            "or if [0][2] and [0][3] were X; and 3 more possibilities",
        ],
    );
}

const YARD: &str = "Player {
    int score
    boolean ready
}
boolean done = false
Layout(2, 3)
{
    Player ann, bob
    ann.position = (0,0)
    bob.position = (1,0)
    ann.ready = false
    bob.ready = false
    playerOrder = [ann, bob]
}
gameLoop()
{
    if (p.score > 2)
        p.ready = true
    if (p.position == (0,2))
        p.win = true
}
checkGameEnd()
{
    return done
}
";

#[test]
fn gridlang_conditions_and_fields_are_explained_by_what_decides_them() {
    let mut session = TestSession::load("gridlang", YARD);
    session.expect(
        ":why not win",
        &[
            "done was false",
            "it would be true if done were true (it is false)",
        ],
    );
    session.expect(
        ":why not ann.ready",
        &[
            "gameLoop, run on the current board:",
            "if ann.score were 3 (it is 0)",
        ],
    );
    session.expect(
        ":why not bob.ready",
        &["as if p were bob", "if bob.score were 3 (it is 0)"],
    );
    session.expect(
        ":why not ann.win",
        &[
            "p.win = true",
            "it would be true if ann.position were (0,2) (it is (0,0))",
        ],
    );
    session.expect(
        ":why not bob.win",
        &["if bob.position were (0,2) (it is (1,0))"],
    );
    session.reply_text("done = true");
    let answer = session.reply_text(":why not win");
    assert_contains(&answer, "It is true now");
    assert!(!answer.contains("would be true if"), "{answer}");
}

#[test]
fn the_last_entry_is_explained_even_if_it_changed_nothing() {
    let program = "board { dimensions {1, 1} image {b.png} } players {\"x\"} def a {0}
fun g() { a {1} }
piece { name {\"z\"} onClick { if a == 5 { g{} } } }
setup { place {\"z\", 0, 0} }";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text("g{}");
    session.expect(":why not g", &["g did run in `g{}`"]);
    session.reply_text("click{0,0}");
    session.expect(
        ":why not g",
        &[
            "g did not run in `click{0,0}`",
            "a == 5 was false",
            "it last ran at time",
        ],
    );
    // Looking at a value calls nothing.
    session.reply_text("a + 1");
    session.expect(":why not g", &["g did not run in `click{0,0}`"]);
}

const MEADOW: &str = "environment > x=6 y=3
player > x=0 y=1
sprite gold >
sprite lava >
counter counter1 > true 9
event lava > gameover
event gold > win
event player > playerdeccounter1=1
set gold > x=3 y=1
set lava > x=2 y=2
";

#[test]
fn an_event_that_was_not_touched_is_not_run() {
    let mut session = TestSession::load("sgl2d", MEADOW);
    let answer = session.reply_text(":why not win");
    assert_contains(
        &answer,
        "win in event gold would make it true; it has not run",
    );
    assert!(!answer.contains("If checked now"), "{answer}");
    session.reply_text("right 2");
    session.expect(":why not win", &["`right` would make win true"]);
    let mut session = TestSession::load("sgl2d", MEADOW);
    // The player is blocked: no sprite is touched, but `event player` runs.
    session.reply_text("left");
    let answer = session.reply_text(":why not event gold");
    assert_contains(&answer, "event gold did not run in `left`");
    assert_contains(&answer, "no matching event happened");
    assert!(!answer.contains("event player"), "{answer}");
}

/// A program with a function `f` that calls `g` only with large arguments. An entry that runs `g`, one
/// that changes something else, and one that has no effect.
const CALLERS: [(&str, &str, [&str; 3]); 3] = [
    (
        "gridlok",
        "board { dimensions {1, 1} image {b.png} } def n {0}
fun f(k) { if k > 5 { g{} } return k }
fun g() { return 1 }",
        ["n {f{7}}", "n {3}", "f{2}"],
    ),
    (
        "gridlang",
        "int n = 0
function int g() { return 1 }
function int f(int k) {
  if (k > 5) { n = g() }
  return k
}",
        ["n = f(7)", "n = 3", "f(2)"],
    ),
    (
        "bogl",
        "game G
g : Int -> Int
g(k) = k
f : Int -> Int
f(k) = if k > 5 then g(k) else k
",
        ["let v = f(7)", "let w = 3", "f(2)"],
    ),
];

/// An entry without effect is not kept in the past, but it is the last thing that was done.
#[test]
fn an_entry_without_effect_after_an_undo_is_explained() {
    for (language, program, [runs, changes, looks]) in CALLERS {
        let mut session = TestSession::load(language, program);
        session.reply(runs);
        session.reply(changes);
        session.expect(":undo", &[changes]);
        session.expect(":why not g", &["g did run in", ":goto"]);
        session.expect(looks, &["= 2"]);
        session.expect(":why not g", &[&format!("g did not run in `{looks}`")]);
        // Its times are not in the history.
        let text = session.reply_text(":why not f");
        assert_eq!(text, format!("f did run in `{looks}`"), "{language}");
        // What calls nothing is not an action; in GridLang, the rules of play run after each entry.
        if language != "gridlang" {
            session.reply("1 + 1");
            session.expect(":why not g", &["g did run in", ":goto"]);
        }
        session.expect(":redo", &["redone", changes]);
    }
}

/// What was shown as progress.
struct Shown(Rc<RefCell<Vec<String>>>);

impl ProgressListener for Shown {
    fn show(&mut self, _: &Answer) -> bool {
        true
    }

    fn show_search(&mut self, text: &str) {
        self.0.borrow_mut().push(text.to_string());
    }
}

#[test]
fn progress_is_shown_on_large_boards_and_cleared_at_the_end() {
    let rules = "players {\"p\"} piece { name {\"bare\"} } winCondition { win {turnCount > 9} }";
    for (side, is_shown) in [(3, false), (400, true)] {
        let board = format!("board {{ dimensions {{{side}, {side}}} image {{b.png}} }} {rules}");
        let mut session = TestSession::load("gridlok", &board);
        let shown = Rc::new(RefCell::default());
        session.0.target.progress_listener = Some(Box::new(Shown(shown.clone())));
        session.reply(":why not win");
        let shown = shown.borrow();
        let runs = shown.iter().filter(|text| text.contains("160,000 cells"));
        assert_eq!(runs.count() > 0, is_shown, "{shown:?}");
        assert_eq!(shown.last().map(String::as_str), Some(""));
    }
}

#[test]
fn what_would_help_comes_first_and_the_details_are_folded() {
    let sample = include_str!("../../src/languages/gridlok/info/sample.gl");
    let mut game = TestSession::load("gridlok", sample);
    game.reply_text("click{0,0}");
    let short = game.reply_text(":why not win");
    let lines: Vec<&str> = short.lines().collect();
    assert!(lines[1].starts_with("  it would be true if "), "{short}");
    let folded = lines
        .iter()
        .position(|line| line.ends_with(" more: `:why not win all`"));
    let shown = lines
        .iter()
        .filter(|line| line.starts_with("  line "))
        .count();
    let hidden: usize = lines[folded.unwrap()]
        .trim()
        .split(' ')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let all = game.reply_text(":why not win all");
    let all_lines = all
        .lines()
        .filter(|line| line.starts_with("  line "))
        .count();
    assert_eq!(all_lines, shown + hidden, "{all}");
    assert!(!all.contains("more: `:why"), "{all}");
}
