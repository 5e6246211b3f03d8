//! Reverse stepping mirrors stepping, over calls of millions of instructions as well as short ones.

use gridbug::code::FunctionKind;
use gridbug::command::execute;
use gridbug::languages;
use gridbug::session::Session;

/// There are hundreds of thousands of instructions between its stops, so checkpoints are taken
/// during calls.
const TREE: &str = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun spin(k) {
  for i(0, k) { n {n + 1} }
  return n
}
fun tree(d) {
  def a {spin{150000}}
  if d > 0 {
    tree{d - 1}
    tree{d - 1}
  }
  return a
}";

/// The time and the stack depth of a stop.
type Stop = (u64, usize);

fn stop_at(session: &mut Session, typed: &str) -> Option<Stop> {
    execute(session, typed).stop.map(|s| (s.time, s.depth))
}

/// All stops of an entry, in order.
fn stops(session: &mut Session, entry: &str) -> Vec<Stop> {
    execute(session, ":tbreak tree");
    let mut all = vec![stop_at(session, entry).expect("a stop in the function")];
    while let Some(stop) = stop_at(session, "step") {
        all.push(stop);
    }
    all
}

#[test]
fn each_reverse_step_mirrors_its_step() {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("game.gl", TREE).ok);
    execute(&mut session, ":skip spin");
    let all = stops(&mut session, "tree{2}");
    // Three inner calls with five stops each, four leaves with three.
    assert_eq!(all.len(), 3 * 5 + 4 * 3, "{all:?}");
    assert!(all.last().is_some_and(|(time, _)| *time > 4_000_000));
    let checkpoints = session
        .target
        .timeline
        .entries()
        .last()
        .map_or(0, |r| r.checkpoints.len());
    assert!(
        checkpoints >= 7,
        "only {checkpoints}: nothing is passed over"
    );
    for (n, (time, depth)) in all.iter().enumerate() {
        let before = |max_depth: usize| {
            all[..n]
                .iter()
                .rev()
                .find(|(_, d)| *d <= max_depth)
                .copied()
        };
        let commands = [
            ("rs", before(usize::MAX)),
            ("rn", before(*depth)),
            ("rf", before(depth - 1)),
        ];
        for (command, expected) in commands {
            execute(&mut session, &format!(":goto {time}"));
            let reached = stop_at(&mut session, command);
            // Before the first stop in the function there is only the entry itself.
            let expected = expected.or(reached.filter(|(t, d)| *t < all[0].0 && *d == 1));
            assert_eq!(reached, expected, "{command} from stop {n} at time {time}");
        }
    }
}

/// Every stop between two times, found by checking each single time. Stops in the rules of play are
/// not included.
fn all_stops(session: &mut Session, from: u64, to: u64) -> Vec<Stop> {
    let mut all = Vec::new();
    for time in from..to {
        session
            .target
            .timeline
            .seek_into(&mut session.target.machine, time);
        let Some((id, pc)) = session.target.machine.current_location() else {
            continue;
        };
        let function = session
            .target
            .machine
            .function(id)
            .expect("a function that runs");
        if function.kind != FunctionKind::Rules && function.stop_point_at(pc).is_some() {
            all.push((time, session.target.machine.frames().len()));
        }
    }
    all
}

/// Steps back from the end and finds every stop of all entries.
fn assert_steps_back_through(language: &str, program: &str, entries: &[&str]) {
    let mut session = Session::new(
        languages::by_name(language).expect("a language of that name"),
        1,
    );
    assert!(session.load("game", program).ok);
    let from = session.target.machine.time();
    for entry in entries {
        let reply = execute(&mut session, entry);
        assert!(reply.ok, "{language}: {entry}: {:?}", reply.diagnostics);
    }
    let end = session.target.machine.time();
    let all = all_stops(&mut session, from, end);
    execute(&mut session, ":goto end");
    let mut reached = Vec::new();
    while let Some(stop) = stop_at(&mut session, ":rs").filter(|(time, _)| *time >= from) {
        reached.push(stop);
    }
    reached.reverse();
    assert_eq!(reached, all, "{language}");
    assert!(
        all.len() > entries.len(),
        "{language}: one entry must have several stops: {all:?}"
    );
}

#[test]
fn stepping_back_passes_every_stop_of_every_entry() {
    let gridlok =
        "board { dimensions {2, 2} image {b.png} } def n {0} fun f(k) { n {n + k} return n }
        piece { name {\"p\"} image {p.png} onClick { n {n + 1} for x, y in board { n {f{x}} } } }
        setup { place {\"p\", 0, 0} }";
    let typed = [
        "for i(0, 3) { n {n + i} print {n} }",
        "n {100}",
        "if n == 100 { n {f{2}} f{3} }",
        "click{0,0}",
        "n",
    ];
    assert_steps_back_through("gridlok", gridlok, &typed);
    // A redefined function has different stops.
    let redefined = [
        "n {f{1}}",
        "fun f(k) { def a {k} def b {a} n {b} return n }",
        "n {f{1}}",
        "n {2} n {3}",
    ];
    assert_steps_back_through("gridlok", gridlok, &redefined);
    let bogl = "game Two\ntype Board = Array(2, 2) of Int\ninc : Int -> Int\ninc(n) = if n > 3 then n else inc(n + 1)\n";
    assert_steps_back_through(
        "bogl",
        bogl,
        &[
            "inc(0)",
            "inc(2) + inc(3)",
            "let x = inc(1) in if x > 2 then x else inc(x)",
        ],
    );
}

#[test]
fn stepping_back_passes_every_stop_in_every_language() {
    let sgl2d = include_str!("../../sessions/sgl2d/storm.sgl2d");
    assert_steps_back_through("sgl2d", sgl2d, &["right 2", "down", "left", "up 2"]);
    let tinygame = include_str!("../../sessions/tinygame/duel.tg");
    assert_steps_back_through(
        "tinygame",
        tinygame,
        &[
            "move ana right 2;",
            "if ana.x > 3 { print \"far\"; move ana left 1; }",
            "move troll up 1;",
        ],
    );
    let gridlang = include_str!("../../sessions/gridlang/race.grid");
    assert_steps_back_through(
        "gridlang",
        gridlang,
        &[":turn", "int a = 3", "a = a + 2", ":turn"],
    );
}

#[test]
fn stepping_back_passes_through_nested_entries() {
    let program = "board { dimensions {1, 1} image {b.png} } def n {0} fun f(k) { n {n + k} n {n + 1} return n }";
    assert_steps_back_through(
        "gridlok",
        program,
        &[
            ":break f if k == 2",
            "for i(0, 5) { n {n + 1} n {f{i}} }",
            "for j(0, 2) { n {n + j} }",
            "n {50} n {f{1}}",
            ":c",
        ],
    );
}

#[test]
fn a_temporary_breakpoint_is_removed_by_a_hit_on_the_way_back() {
    let language = languages::by_name("gridlok").unwrap();
    let mut session = Session::new(language, 1);
    execute(&mut session, "def n{0}");
    execute(
        &mut session,
        "fun f() {\n  n{1}\n  n{2}\n  n{3}\n  return 0\n}",
    );
    execute(&mut session, ":break f");
    for line in ["f{}", "step", "step", "step", ":tbreak 3"] {
        execute(&mut session, line);
    }
    let stop = execute(&mut session, ":reverse-continue").stop;
    assert_eq!(stop.map(|stop| stop.range.line), Some(3));
    let left = execute(&mut session, ":reverse-continue").stop;
    assert_eq!(left.map(|stop| stop.range.line), Some(2));
}
