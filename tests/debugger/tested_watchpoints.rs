//! Watchpoints that the run tests itself (`machine::trap_test`) report the same hits as where every
//! instruction is observed, as it is while calls are traced.

use crate::test_session::TestSession;
use gridbug::answer::Answer;

const GRIDLOK: &str = "board { dimensions {3, 3} image {b.png} } players {\"p\", \"q\"}
def n {0} def m {0} def held {board[0][0]}
piece { name {\"a\"} onClick { visible{false} m {m + 1} changeType{\"b\"} } }
piece { name {\"b\"} }
setup { for x, y in board { place {\"a\", x, y} } held {board[0][0]} }
fun add(k) {
  def t {0}
  for i(0, k) {
    t {t + i % 2}
    n {n + t}
    if i == 2 { t {depth{t}} }
  }
  return t
}
fun depth(t) {
  if t > 6 { return t }
  def u {t + 1}
  u {depth{u + 1}}
  t {u}
  return t
}
fun paint(k) {
  for i(0, k) {
    place {\"b\", 1, 1}
    place {\"a\", 1, 1}
    place {\"b\", 0, i % 3}
    removePiece {2, 0}
    click {0, 2}
  }
}";

const GRIDLANG: &str = "int n
Player { int score }
Layout(2, 2)
{
    Player ann
    ann.position = (0,0)
}
function int add(int k)
{
    int t = 0
    int i = 0
    while (i < k)
    {
        t = t + i % 2
        n = n + t
        i++
    }
    return t
}";

/// The time, the hits and the place of each stop after the lines.
fn stops(language: &str, program: &str, lines: &[&str], is_traced: bool) -> Vec<String> {
    let mut session = TestSession::load(language, program);
    let mut found = Vec::new();
    let mut note = |answer: &Answer| {
        let stop = answer.stop.as_ref();
        found.extend(stop.map(|stop| format!("{} {:?} {}", stop.time, stop.hits, stop.location)));
        stop.is_some()
    };
    for line in lines {
        let answer = session.reply(line);
        assert!(answer.ok, "{line}: {:?}", answer.diagnostics);
    }
    if is_traced {
        session.reply(":trace on");
    }
    while note(&session.reply("continue")) {}
    found
}

fn assert_same_stops(language: &str, program: &str, lines: &[&str], is_hit: bool) {
    let tested = stops(language, program, lines, false);
    let observed = stops(language, program, lines, true);
    assert_eq!(tested, observed, "{lines:?}");
    assert_eq!(!tested.is_empty(), is_hit, "{lines:?}: {tested:?}");
}

#[test]
fn tested_watchpoints_have_the_hits_of_observed_ones() {
    for (watch, is_hit) in [
        ("watch t", true),
        ("watch t if t % 2 == 0", true),
        ("watch t if t > 50", false),
        ("rwatch t", true),
        ("rwatch t if i > 3", true),
        ("awatch t if n > 3", true),
        ("watch i", true),
        ("watch n", true),
        ("rwatch n", true),
        ("rwatch n if n > 2", true),
        ("awatch n", true),
        ("awatch n if n < 0", false),
        ("rwatch m", false),
    ] {
        let lines = [":b add", "add{5}", "step", "step", ":delete 1", watch];
        assert_same_stops("gridlok", GRIDLOK, &lines, is_hit);
    }
    // Each call has its own variable.
    for watch in [
        "watch t",
        "watch t if t % 2 == 1",
        "rwatch t",
        "awatch t if n < 9",
    ] {
        let lines = [":b depth", "depth{1}", "step", "step", ":delete 1", watch];
        assert_same_stops("gridlok", GRIDLOK, &lines, true);
    }
    for (watch, is_hit) in [
        ("watch [1][1]", true),
        ("watch [1][1] if m == 1", true),
        ("watch [1][1] if m < 0", false),
        ("watch [0][2].visible", true),
        ("watch [0][2].name", true),
        ("watch [2][0]", true),
        ("watch [2][1]", false),
        ("watch row 0", true),
        ("watch row 1 if m == 1", true),
        ("watch col 2", true),
        ("watch col 1 if m > 99", false),
        ("watch board if m == 1", true),
        ("rwatch [0][2]", false),
        ("watch held", false),
    ] {
        let lines = [":b paint", "paint{4}", ":delete 1", watch];
        assert_same_stops("gridlok", GRIDLOK, &lines, is_hit);
    }
    for (watch, is_hit) in [
        ("watch t", true),
        ("watch t if t == 2", true),
        ("rwatch t if i > 3", true),
        ("awatch n if n > 2", true),
        ("watch n if n < 0", false),
    ] {
        let lines = [":b add", "add(5)", "step", "step", ":delete 1", watch];
        assert_same_stops("gridlang", GRIDLANG, &lines, is_hit);
    }
}
