//! Dry runs: where stepping through a block or an expression starts.

use gridbug::command::execute;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::Session;

/// Where a dry run starts, or why it cannot.
fn dry_run_start(language: &str, program: &str, what: &str) -> String {
    let mut session = Session::new(languages::by_name(language).unwrap(), 1);
    assert!(session.load("game", program).ok);
    let reply = execute(&mut session, &format!(":step {what}"));
    reply.stop.as_ref().map_or_else(
        || reply.text(),
        |s| format!("{}:{}", s.function, s.range.line),
    )
}

#[test]
fn a_dry_run_starts_in_the_called_function() {
    let gridlok = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun add(a, b) {
  return a + b
}
piece { name {\"x\"} onClick { n {1} } }
setup { place {\"x\", 0, 0} }
winCondition { win {n > 3} }";
    let bogl = "game G\nadd : (Int,Int) -> Int\nadd(a,b) = a + b";
    let gridlang = "Player { int n }\nLayout(1, 1) { Player tom }\nfunction add(int a, int b): int\n{\n    return a + b\n}";
    let sgl2d = "player > x=0 y=0\nevent player > playerdeccounter1=1\nsprite lava >\nset lava > x=1 y=1\nevent lava > deccounter1=1 gameover";
    for (language, program, what, wanted) in [
        ("gridlok", gridlok, "add{3, 5}", "add:4"),
        ("gridlok", gridlok, "click{0, 0}", "x.onClick:6"),
        ("gridlok", gridlok, "winCondition", "winCondition:8"),
        ("gridlok", gridlok, "endTurn{}", "winCondition:8"),
        ("bogl", bogl, "add(3,5)", "add:3"),
        ("gridlang", gridlang, "add(3, 5)", "add:5"),
        ("sgl2d", sgl2d, "right", "event player:2"),
        // An expression that computes something itself starts there.
        ("gridlok", gridlok, "n + 1", "entry:1"),
        ("gridlok", gridlok, "1 + add{3, 5}", "entry:1"),
        ("gridlok", gridlok, "add{add{1, 2}, 5}", "entry:1"),
        ("gridlok", gridlok, "n{add{1, 2}}", "entry:1"),
        ("bogl", bogl, "1 + add(3,5)", "entry:1"),
        ("gridlang", gridlang, "1 + 2", "entry:1"),
        ("gridlang", gridlang, "add(3, 5) + 1", "entry:1"),
        // A function that cannot run on its own is rejected.
        (
            "gridlok",
            gridlok,
            "add",
            "error: `add` takes a and b; step through a call with arguments instead",
        ),
        (
            "bogl",
            bogl,
            "add",
            "error: `add` takes a and b; step through a call with arguments instead",
        ),
        (
            "gridlok",
            gridlok,
            "x.onClick",
            "error: `x.onClick` only runs on an event; set `:break x.onClick` and play on",
        ),
        (
            "sgl2d",
            sgl2d,
            "event lava",
            "error: `event lava` only runs on an event; set `:break event lava` and play on",
        ),
    ] {
        assert_eq!(
            dry_run_start(language, program, what),
            wanted,
            "{language}: :step {what}"
        );
    }
}
