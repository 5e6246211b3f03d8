//! Watchpoints on expressions and list elements: they stop where the value changes, forward and in
//! reverse, in every language.

use crate::test_session::TestSession;
use gridbug::answer::{Answer, WatchHit};

const GROWTH: &str = "board { dimensions {1, 3} image {b.png} } players {\"p\"}
def n {0} def l {1,2,3,}
piece { name {\"red\"} }
fun grow(k) {
  def t {0}
  for i(0, k) {
    t {t + 2}
    n {n + 1}
  }
  l[1] {n}
  return t
}
fun outer(k) {
  def t {k}
  grow {k}
  t {t + 1}
  return t
}
fun paint() { place {\"red\", 0, 1} place {\"red\", 0, 2} }";

#[test]
fn an_expression_stops_when_its_value_changes() {
    let mut session = TestSession::load("gridlok", GROWTH);
    session.expect(":watch n / 2 + 10", &["watch n / 2 + 10"]);
    session.expect("grow{4}", &["watchpoint 1, n / 2 + 10: 10 => 11"]);
    assert_eq!(session.reply_text(":print n"), "= 2");
    session.expect("continue", &["watchpoint 1, n / 2 + 10: 11 => 12"]);
    session.expect("continue", &["grow{4} finished"]);
    // In reverse: to the last change, then to the one before.
    session.expect(":rc", &["n / 2 + 10: 12 <= 11"]);
    assert_eq!(session.reply_text(":print n"), "= 3");
    session.expect(":rc", &["n / 2 + 10: 11 <= 10"]);
    assert_eq!(session.reply_text(":print n"), "= 1");
}

#[test]
fn a_condition_stops_when_it_becomes_true() {
    let mut session = TestSession::load("gridlok", GROWTH);
    session.expect(":watch if n > 2", &["watch if n > 2"]);
    session.expect("grow{5}", &["watchpoint 1, n > 2: false => true"]);
    assert_eq!(session.reply_text(":print n"), "= 3");
    session.expect("continue", &["grow{5} finished"]);
    // It becomes false without a stop, and true again with one.
    let reply = session.reply_text("n{0}");
    assert!(!reply.contains("watchpoint"), "{reply}");
    session.expect("n{9}", &["watchpoint 1, n > 2: false => true"]);
    session.reply_text("continue");
    session.expect(":rc", &["n > 2: true <= false"]);
    assert_eq!(session.reply_text(":print n"), "= 0");
    session.expect(":rc", &["n > 2: true <= false"]);
    assert_eq!(session.reply_text(":print n"), "= 2");
}

#[test]
fn list_elements_can_be_watched_and_explained() {
    let mut session = TestSession::load("gridlok", GROWTH);
    session.expect(":watch l[1]", &["watch l[1]"]);
    session.expect("grow{4}", &["watchpoint 1, l[1]: 2 => 4"]);
    session.expect("continue", &["grow{4} finished"]);
    // Another element does not stop.
    let reply = session.reply_text("l[0]{7}");
    assert!(!reply.contains("watchpoint"), "{reply}");
    session.expect(":why l[1]", &["l[1]: 2 => 4", "by grow", "l[1] {n}"]);
    session.expect(":why l[0]", &["l[0]: 1 => 7"]);
    session.expect(":last l[1]", &["l[1]", "2 => 4"]);
    session.expect(":goto end", &[]);
    session.expect(":rc", &["l[1]: 4 <= 2"]);
}

#[test]
fn an_expression_uses_the_variables_of_its_own_function_only() {
    let mut session = TestSession::load("gridlok", GROWTH);
    session.reply_text(":break outer");
    session.reply_text("outer{2}");
    session.reply_text("next");
    session.expect(":watch t * 10", &["watch t * 10"]);
    // `t` of `grow` is another variable.
    session.expect("continue", &["watchpoint 2, t * 10: 20 => 30"]);
    session.expect("continue", &["outer{2} finished"]);
    let reply = session.reply_text("grow{1}");
    assert!(!reply.contains("watchpoint"), "{reply}");
}

#[test]
fn an_error_is_reported_once_and_does_not_stop_the_run_for_good() {
    let mut session = TestSession::load("gridlok", GROWTH);
    session.reply_text("n{1}");
    session.expect(":watch 6 / n", &["watch 6 / n"]);
    session.expect("n{0}", &["6 / n: 6 => error: division by zero"]);
    session.reply_text("continue");
    session.expect("l[1]{5}", &[]);
    session.expect("grow{0}", &["= 0"]);
    session.expect("n{3}", &["6 / n: error: division by zero => 2"]);
}

#[test]
fn only_expressions_with_a_value_can_be_watched() {
    let mut session = TestSession::load("gridlok", GROWTH);
    session.expect(":watch n{3}", &["`n{3}` has no value to watch"]);
    session.expect(":watch nn", &["unknown variable or cell `nn`"]);
    session.expect(":watch nn > 3", &["unknown name `nn`"]);
    session.expect(
        ":rwatch n + 1",
        &["only changes of an expression can be watched; use `:watch n + 1`"],
    );
    session.expect(
        ":watch n > 3 if n < 9 hits 2",
        &["watch n > 3   if n < 9   hits 2"],
    );
}

#[test]
fn expressions_on_the_board_can_be_watched() {
    let mut session = TestSession::load("gridlok", GROWTH);
    session.reply_text(":watch board[0][1].name == \"red\"");
    session.expect("paint{}", &["== \"red\": false => true"]);
    session.expect("continue", &["paint{} finished"]);
}

#[test]
fn expressions_can_be_watched_in_every_language() {
    let grid = "Player {
    int score
}
int[3] totals
Layout(2, 3)
{
    Player ann, bob
    ann.position = (0,0)
    bob.position = (1,0)
}
gameLoop()
{
    p.score += 2
    totals[1] = totals[1] + p.score
}
checkGameEnd()
{
    return false
}
";
    let mut session = TestSession::load("gridlang", grid);
    session.reply_text(":watch totals[1]");
    session.expect(":turn", &["totals[1]: 0 => 2"]);
    session.reply_text("continue");
    session.expect(":why totals[1]", &["totals[1]: 0 => 2", "by gameLoop"]);
    session.reply_text(":delete");
    session.reply_text(":watch if ann.score + bob.score > 3");
    session.expect(":turn", &["false => true"]);

    let walk = "player hero { x = 0; y = 0; }\n";
    let mut session = TestSession::load("tinygame", walk);
    session.reply_text(":watch if hero.x > 2");
    let reply = session.reply_text("move hero right 2;");
    assert!(!reply.contains("watchpoint"), "{reply}");
    session.expect("move hero right 2;", &["hero.x > 2: false => true"]);

    let meadow = "environment > x=6 y=1\nplayer > x=0 y=0\ncounter counter1 > true 5\nevent player > playerdeccounter1=1\n";
    let mut session = TestSession::load("sgl2d", meadow);
    session.reply_text(":watch counter1 == 3");
    let reply = session.reply_text("right");
    assert!(!reply.contains("watchpoint"), "{reply}");
    session.expect("right", &["counter1 == 3: false => true"]);
    session.reply_text("continue");
    session.expect("right", &["counter1 == 3: true => false"]);

    // BoGL has no variables to assign, but a loop gives its names new values.
    let sum = "game Sum
type Board = Array (1,1) of Int
type Input = Int
sum : (Int,Int) -> (Int,Int)
sum(n,s) = while n > 0 do (n - 1, s + n)
";
    let mut session = TestSession::load("bogl", sum);
    session.reply_text(":tbreak sum");
    session.reply_text("sum(3,0)");
    session.reply_text("watch if s > 4");
    session.expect("continue", &["s > 4: False => True, in sum, line"]);
    session.expect("continue", &["sum(3,0) finished", "= (0, 6)"]);
}

#[test]
fn elements_of_a_local_list_are_explained_in_their_own_call() {
    let program = "board { dimensions {1, 1} image {b.png} }
fun fill(n) {
  def m {0,0,}
  m[1] {n}
  if n > 0 { fill {n - 1} }
  return m
}";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text(":break 6");
    session.reply_text("fill{2}");
    // The innermost call is n=0; the outermost one is last.
    session.reply_text("continue");
    session.reply_text("continue");
    session.expect(":print n", &["= 2"]);
    session.expect(":why m[1]", &["m[1]: 0 => 2", "by fill", "m[1] {n}"]);
    session.expect(":last m[1]", &["m[1]: 0 => 2", "n=2"]);
}

/// The change that a watchpoint reports at a stop.
fn reported_change(answer: &Answer) -> Option<(String, String)> {
    let hits = answer.stop.iter().flat_map(|stop| &stop.hits);
    hits.filter_map(|hit| match hit.watched.clone()? {
        WatchHit::Changed { old, new, .. } => old.zip(new),
        _ => None,
    })
    .next()
}

/// Checks that a watchpoint reports every change of an expression during an entry: the same ones as
/// going to each instruction and evaluating it there.
#[track_caller]
fn check_every_change(language: &str, program: &str, entry: &str, expression: &str) {
    let mut session = TestSession::load(language, program);
    let start = session.0.target.machine.time();
    session.reply(entry);
    let end = session.0.target.machine.time();
    let values: Vec<String> = (start..=end)
        .map(|time| {
            session.reply(&format!(":goto {time}"));
            session.reply_text(&format!(":print {expression}"))
        })
        .collect();
    let value = |text: &String| match text.strip_prefix("error ").and_then(|e| e.split_once(": ")) {
        Some((_, message)) => format!("error: {}", message.lines().next().unwrap_or_default()),
        None => text.trim_start_matches("= ").to_string(),
    };
    let expected: Vec<(String, String)> = values
        .windows(2)
        .filter(|pair| pair[0] != pair[1])
        .map(|pair| (value(&pair[0]), value(&pair[1])))
        .collect();

    let mut session = TestSession::load(language, program);
    session.reply(&format!(":watch {expression}"));
    let mut answer = session.reply(entry);
    let mut reported = Vec::new();
    while let Some(change) = reported_change(&answer) {
        reported.push(change);
        answer = session.reply(":continue");
    }
    assert_eq!(reported, expected, "{language}: {expression}");
    // The same backward.
    let mut backward = Vec::new();
    for _ in &expected {
        backward.extend(reported_change(&session.reply(":reverse-continue")));
    }
    backward.reverse();
    assert_eq!(backward, expected, "{language}: {expression}, backward");
}

#[test]
fn a_watched_expression_reports_every_change() {
    let gridlok = "board { dimensions {1, 3} image {b.png} } players {\"p\"}
def n {0} def m {0} def k {5} def l {1,2,3,} def o {7,}
piece { name {\"red\"} }
fun twice() { return m * 2 + extra{} }
fun extra() { if m > 2 { return k } return 0 }
fun run() {
  for i(0, 4) {
    n {n + 1}
    if n > 2 { m {m + 2} }
    l[1] {n + m}
    o {n}
    k {k - 1}
    place {\"red\", 0, n % 3}
  }
}";
    for expression in [
        "n",
        "n / 2",
        "m + n",
        "k > 2",
        "twice{}",
        "extra{} + n",
        "l",
        "l[1] + k",
        "o",
        "o[1]",
        "board[0][1].name == \"red\"",
        "7",
    ] {
        check_every_change("gridlok", gridlok, "run{}", expression);
    }
    let gridlang = "Player { int score }
int n, m
int[3] l
Layout(1, 4) { Player ann; ann.position = (0,0) }
function total(): int { return l[0] + l[1] + m }
gameLoop() {
    int i
    while (i < 4) {
        n += 1
        if (n % 2 == 0) m += n
        l[i % 3] = n
        p.score = p.score + m
        i++
    }
    p.position.col++
}
";
    for expression in [
        "n",
        "m * 2",
        "total()",
        "l",
        "ann.score > n",
        "ann.position",
        "l[1] == m",
    ] {
        check_every_change("gridlang", gridlang, ":turn", expression);
    }
    let tinygame = "player hero { x = 0; y = 0; }\nenemy wolf { x = 3; y = 1; }\n";
    let moves = "move hero right 2; move wolf up 1; set hero.y = wolf.y; move hero right 2;";
    for expression in ["hero.x", "hero.x + wolf.y", "hero.y > 1", "wolf.x"] {
        check_every_change("tinygame", tinygame, moves, expression);
    }
    let sgl2d = "environment > x=6 y=1\nplayer > x=0 y=0\ncounter counter1 > true 5\ncounter counter2 > true 5\nevent player > playerdeccounter1=1\n";
    for expression in [
        "counter1",
        "counter1 == 3",
        "counter2",
        "player.x + counter1",
    ] {
        check_every_change("sgl2d", sgl2d, "right 2", expression);
    }
}
