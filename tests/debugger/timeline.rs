//! Time travel is exact: going to any time and back restores exactly the state that was there.

use crate::test_session::native_host;
use gridbug::answer::{ChangesSince, StopReason};
use gridbug::command::replay;
use gridbug::command::{execute, handle_line, start_session};
use gridbug::languages;
use gridbug::machine::Checkpoint;
use gridbug::render::AnswerText;
use gridbug::session::Session;
use gridbug::session::session_file::SessionFile;
use proptest::prelude::*;
use std::path::{Path, PathBuf};

/// A session with some entries already run.
fn session_with(program: &str, entries: &[&str]) -> Session {
    let mut session = Session::new(languages::ALL[0], 7);
    let reply = session.load("game.gl", program);
    assert!(reply.ok, "{:?}", reply.diagnostics);
    for entry in entries {
        execute(&mut session, entry);
    }
    session
}

fn state_at(session: &mut Session, time: u64) -> Checkpoint {
    session
        .target
        .timeline
        .seek(&mut session.target.machine, time);
    session.target.machine.checkpoint()
}

/// Visits times in a given order and compares each state with that of the first visit.
fn assert_walk_is_exact(session: &mut Session, times: &[u64]) {
    let first: Vec<Checkpoint> = times.iter().map(|t| state_at(session, *t)).collect();
    for (n, time) in times.iter().enumerate().rev() {
        let again = state_at(session, *time);
        assert!(
            again.is_same_state(&first[n]),
            "the state at time {time} differs"
        );
        assert_eq!(again.time, *time);
    }
}

const CASCADE: &str = r#"
game {
  board { dimensions {7, 6} image {b.png} }
  players {"a", "b"}
  def n {0}
  def log {,}
  fun deep(k) { if k == 0 { return 0 } def l {k, k + 1,} log {l[1]} return 1 + deep {k - 1} }
  piece { name {"z"} onTurn { n {n + 1} if (rand {0, 4}) == 1 { changeType {"y"} } }
    onClick { visible {true} n {n + deep {pieceCol}} for i, j surrounding pieceRow, pieceCol { click {i, j} } endTurn {} } }
  piece { name {"y"} onTurn { removePiece {pieceRow, pieceCol} } onClick { place {"z", pieceRow, pieceCol} } }
  setup { for x, y in board { if (x * 3 + y) % 4 != 0 { place {"z", x, y} } } }
  drawCondition { draw {n > 100000} }
}
"#;

const ENTRIES: &[&str] = &[
    "click {3, 2}",
    "n {n + 1}",
    "log {rand {0, 100}}",
    "click {0, 1}",
    "fun twice(k) { return k * 2 }",
    "n {twice {n} % 1000}",
    ":rand next 1 2 3",
    "for x, y in board { if x == y { click {x, y} } }",
    "board { dimensions {6, 8} image {b.png} }",
    "click {2, 1}",
    ":undo",
    "endTurn {}",
    ":restart",
    "click {5, 5}",
];

#[test]
fn every_time_has_the_same_state_when_revisited() {
    let mut session = session_with(CASCADE, ENTRIES);
    let (first, last) = session.target.timeline.time_range();
    assert!(
        last > 3_000,
        "the session is too short to prove anything: {last}"
    );
    let step = (last - first) / 97 + 1;
    let times: Vec<u64> = (first..=last).step_by(step as usize).collect();
    assert_walk_is_exact(&mut session, &times);
}

#[test]
fn visiting_the_start_does_not_change_the_end() {
    let mut session = session_with(CASCADE, ENTRIES);
    let end = session.target.machine.checkpoint();
    let (first, last) = session.target.timeline.time_range();
    session
        .target
        .timeline
        .seek(&mut session.target.machine, first);
    assert!(!session.target.machine.checkpoint().is_same_state(&end));
    session
        .target
        .timeline
        .seek(&mut session.target.machine, last);
    assert!(session.target.machine.checkpoint().is_same_state(&end));
}

#[test]
fn ten_thousand_actions_are_undone_and_redone() {
    let program = r#"board { dimensions {3, 3} image {b.png} } def n {0}
        piece { name {"a"} onClick { n {n + 1} } } setup { place {"a", 1, 1} }"#;
    let mut session = session_with(program, &[]);
    for _ in 0..10_000 {
        execute(&mut session, "click {1, 1}");
    }
    assert_eq!(session.target.undo(9_999).len(), 9_999);
    assert_eq!(execute(&mut session, "n").value.as_deref(), Some("1"));
    assert_eq!(session.target.redo(5_000).len(), 5_000);
    assert_eq!(execute(&mut session, "n").value.as_deref(), Some("5001"));
}

#[test]
fn an_entry_that_fails_changes_nothing() {
    let mut session = session_with(CASCADE, &["click {3, 2}"]);
    let before = session.target.machine.checkpoint();
    for entry in [
        "n {n + 1} log {1} place {\"z\", 0, 0} n {1 / 0}",
        "fun f() { return nope",
        "click {3, 30}",
        "rand {0, 9} / 0",
    ] {
        let reply = execute(&mut session, entry);
        assert!(!reply.ok, "{entry}");
        assert!(
            session.target.machine.checkpoint().is_same_state(&before),
            "{entry}"
        );
    }
}

fn entry() -> impl Strategy<Value = String> {
    let cell = (0..7u32, 0..6u32);
    prop_oneof![
        4 => cell.clone().prop_map(|(r, c)| format!("click {{{r}, {c}}}")),
        1 => cell.clone().prop_map(|(r, c)| format!("place {{\"y\", {r}, {c}}}")),
        1 => cell.prop_map(|(r, c)| format!("removePiece {{{r}, {c}}}")),
        1 => (0..50i32).prop_map(|n| format!("n {{n + {n}}}")),
        1 => Just("endTurn {}".to_string()),
        1 => Just("log {rand {0, 1000}}".to_string()),
        1 => Just(":restart".to_string()),
        1 => Just(":undo".to_string()),
        1 => (1..4u32).prop_map(|n| format!("fun helper() {{ return {n} }}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Random games with random walks through their history.
    #[test]
    fn random_walks_are_exact(entries in prop::collection::vec(entry(), 1..12), walk in prop::collection::vec(0.0..1.0f64, 1..20)) {
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        let mut session = session_with(CASCADE, &entries);
        let (first, last) = session.target.timeline.time_range();
        let times: Vec<u64> = walk.iter().map(|w| first + ((last - first) as f64 * w) as u64).collect();
        assert_walk_is_exact(&mut session, &times);
    }

    /// A step back undoes a step, from any stop.
    #[test]
    fn a_step_back_undoes_a_step(row in 0..7u32, col in 0..6u32, steps in 1..60usize) {
        let mut session = session_with(CASCADE, &[":break z.onClick", ":break y.onClick"]);
        let reply = execute(&mut session, &format!("click {{{row}, {col}}}"));
        prop_assume!(reply.stop.is_some());
        for _ in 0..steps {
            execute(&mut session, "step");
        }
        prop_assume!(session.target.is_stopped());
        let here = session.target.machine.checkpoint();
        let reply = execute(&mut session, "step");
        prop_assume!(session.target.is_stopped() && reply.stop.is_some());
        execute(&mut session, "reverse-step");
        prop_assert!(session.target.machine.checkpoint().is_same_state(&here));
    }
}

#[test]
fn inspecting_while_stopped_does_not_change_the_stack() {
    let program = r#"board { dimensions {1, 2} image {b.png} } def n {0}
        piece { name {"a"} onClick {
            n {n + 1}
            changeType {"b"}
        } }
        piece { name {"b"} }
        setup { place {"a", 0, 0} place {"a", 0, 1} }"#;
    for command in [
        ":why n",
        ":diff start",
        ":last n",
        "reverse-step",
        ":goto start",
    ] {
        let mut session = session_with(program, &[":break 4"]);
        let reply = execute(&mut session, "click {0, 0}");
        assert!(reply.stop.is_some());
        let here = session.target.machine.checkpoint();
        execute(&mut session, command);
        if session.target.machine.time() != here.time {
            execute(&mut session, &format!(":goto {}", here.time));
        }
        assert!(
            session.target.machine.checkpoint().is_same_state(&here),
            "{command}"
        );
        execute(&mut session, ":delete");
        execute(&mut session, ":continue");
        assert_eq!(
            execute(&mut session, "board[0][0].name").value.as_deref(),
            Some("\"b\""),
            "{command}"
        );
    }
}

#[test]
fn a_mark_set_at_the_prompt_leads_to_the_prompt() {
    let mut session = session_with(
        CASCADE,
        &["click {3, 2}", ":mark one", "click {0, 1}", "click {6, 5}"],
    );
    let reply = execute(&mut session, ":goto one");
    assert!(reply.stop.is_none(), "{:?}", reply.text_lines());
    assert!(!session.target.is_stopped());
    assert_eq!(session.target.undo(1), ["click {3, 2}"]);
}

/// Programs that use the heap heavily: nested lists, copied, dropped and passed through calls of
/// different depth.
fn heap_heavy_program() -> impl Strategy<Value = String> {
    let statement = prop_oneof![
        Just("bag {bag[0] + k}".to_string()),
        Just("bag {,}  bag {k}".to_string()),
        Just("if k >= 0 { def l {k, k + 1, k * 2,} bag {l[1]} }".to_string()),
        Just("if k >= 0 { def l {bag, bag,} nest {l[0]} if k % 3 == 0 { nest {,} } }".to_string()),
        Just("if k % 3 == 0 { bag {1, 2, 3,} }".to_string()),
        Just("n {n + inner {k % 5}}".to_string()),
        Just("if k >= 0 { def kept {bag} kept {9} n {n + kept[0]} }".to_string()),
        Just("if k > 0 { n {n + outer {k - 1} % 3} }".to_string()),
    ];
    let body = prop::collection::vec(statement, 1..5);
    (body.clone(), body, 1..6u32).prop_map(|(outer, inner, depth)| {
        let inner: Vec<String> = inner.into_iter().filter(|s| !s.contains("inner") && !s.contains("outer")).collect();
        format!(
            r#"board {{ dimensions {{2, 2}} image {{b.png}} }}
            def n {{0}}
            def bag {{1,}}
            def nest {{,}}
            fun inner(k) {{ {} return k }}
            fun outer(k) {{ {} return n % 100 }}
            piece {{ name {{"a"}} onClick {{
              for i(0, 150) {{ n {{outer {{i % {depth}}} % 1000}} def l {{i, n,}} bag {{l[0]}} if i % 9 == 0 {{ bag {{1,}} }} }}
            }} }}
            setup {{ place {{"a", 0, 0}} place {{"a", 1, 1}} }}"#,
            inner.join("\n"),
            outer.join("\n")
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// A time always has the same state, however few checkpoints are left and whatever was
    /// inspected on the way.
    #[test]
    fn walks_are_exact_when_checkpoints_are_few(program in heap_heavy_program(), walk in prop::collection::vec((0.0..1.0f64, 0..4u8), 4..16)) {
        let mut session = Session::new(languages::ALL[0], 7);
        session.target.machine.limits.max_history_bytes = 40_000;
        let reply = session.load("game.gl", &program);
        prop_assert!(reply.ok, "{:?}\n{program}", reply.diagnostics);
        for n in 0..12 {
            execute(&mut session, if n % 2 == 0 { "click {0, 0} click {1, 1}" } else { "bag {n} click {1, 1}" });
        }
        let (first, last) = session.target.timeline.time_range();
        let mut known: Vec<Checkpoint> = Vec::new();
        for (part, command) in walk.iter().chain(walk.iter().rev()) {
            let time = first + ((last - first) as f64 * part) as u64;
            let here = state_at(&mut session, time);
            if let Some(before) = known.iter().find(|c| c.time == time) {
                prop_assert_eq!(here.first_difference(before), None, "at time {} of\n{}", time, program);
            }
            known.push(here);
            // Inspecting takes no time.
            match command {
                0 => execute(&mut session, ":print bag").ok,
                1 => execute(&mut session, ":why n").ok,
                2 => execute(&mut session, "reverse-step").ok,
                _ => execute(&mut session, ":step outer{2}").ok && execute(&mut session, ":abandon").ok,
            };
        }
    }
}

/// The time limit must also be checked where calls return; otherwise many returns in a row would
/// run past it.
#[test]
fn a_time_between_many_returns_can_be_reached() {
    let language = gridbug::languages::by_name("bogl").expect("a language of that name");
    let mut session = Session::new(language, 1);
    let sum = "game G\nsum : Int -> Int\nsum(n) = if n == 0 then 0 else n + sum(n - 1)\n";
    assert!(session.load("sum.bgl", sum).ok);
    assert!(session.submit("sum(50)").ok);
    let (first, last) = session.target.timeline.time_range();
    for time in first..=last {
        session
            .target
            .timeline
            .seek_into(&mut session.target.machine, time);
        assert_eq!(session.target.machine.time(), time);
    }
}

/// A branch is restored completely, including its output, even if it forked from another one.
#[test]
fn branches_are_restored_completely() {
    let mut session = session_with(
        CASCADE,
        &["print {1}", "n {10}", "print {n}", "n {20}", "print {n}"],
    );
    let n = |s: &mut Session| execute(s, ":print n").value;
    let outputs = |s: &Session| {
        s.target
            .machine
            .log()
            .outputs
            .iter()
            .map(|o| o.text.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(outputs(&session), ["1", "10", "20"]);
    execute(&mut session, ":undo 1");
    let reply = execute(&mut session, "n {30} print {n}");
    assert_eq!(reply.output, ["30"], "output in a new branch is shown");
    assert_eq!(
        reply.text_lines()[0].text(),
        "The moves you undid are saved as branch 1 (`:branches`)"
    );
    execute(&mut session, ":undo 2");
    execute(&mut session, "n {40} print {n}");
    assert_eq!(outputs(&session), ["1", "40"]);
    // Branch 1 forked from what is now branch 2.
    for (branch, value, log) in [
        ("1", "20", vec!["1", "10", "20"]),
        ("2", "30", vec!["1", "10", "30"]),
    ] {
        let reply = execute(&mut session, &format!(":branches {branch}"));
        assert!(reply.ok, "{}", reply.text());
        assert_eq!(n(&mut session).as_deref(), Some(value));
        assert_eq!(outputs(&session), log);
        let (first, last) = session.target.timeline.time_range();
        assert_walk_is_exact(&mut session, &[first, (first + last) / 2, last]);
    }
}

#[test]
fn failed_entries_in_the_past_keep_the_future() {
    for entry in ["n {1 / 0}", "n + 1", ":step deep{2}"] {
        let mut session = session_with(CASCADE, &["click {3, 2}", "print {n}", "click {0, 1}"]);
        let range = session.target.timeline.time_range();
        let middle = (range.0 + range.1) / 2;
        execute(&mut session, &format!(":goto {middle}"));
        execute(&mut session, entry);
        execute(&mut session, "continue");
        if session.target.is_stopped() {
            execute(&mut session, ":abandon");
        }
        assert_eq!(session.target.timeline.time_range(), range, "{entry}");
        assert_eq!(session.target.timeline.branches().count(), 0, "{entry}");
    }
}

/// Inspecting at a stop in the past does not change the future, in any language.
#[test]
fn inspecting_in_the_past_keeps_the_future_in_every_language() {
    let typed = [
        ("gridlok", "click {1, 1}", "1 + 1"),
        ("bogl", "left(start)", "1 + 1"),
        ("gridlang", ":turn", "1 + 1"),
        (
            "tinygame",
            "move knight right 2; move knight up 1;",
            "knight.x",
        ),
        ("sgl2d", "right", "counter1"),
    ];
    for (name, action, command) in typed {
        let language = *languages::ALL
            .iter()
            .find(|l| l.info().name == name)
            .unwrap();
        let mut session = Session::new(language, 1);
        assert!(session.load("sample", language.info().sample).ok);
        let start = session.target.machine.time();
        execute(&mut session, action);
        let range = session.target.timeline.time_range();
        assert!(range.1 > start, "{name}: the action takes time");
        execute(&mut session, &format!(":goto {}", start + 1));
        assert!(session.target.is_stopped(), "{name}");
        for _ in 0..3 {
            let reply = execute(&mut session, command);
            assert!(
                reply.ok && reply.value.is_some(),
                "{name}: {:?}",
                reply.diagnostics
            );
            assert_eq!(session.target.timeline.time_range(), range, "{name}");
            assert_eq!(session.target.timeline.branches().count(), 0, "{name}");
        }
    }
}

/// A redefinition at a stop renumbers the stopped function; it can still be inspected.
#[test]
fn a_stopped_function_can_be_inspected_after_a_redefinition() {
    let mut session = session_with(
        CASCADE,
        &[":break z.onClick", "click {3, 2} n {n + 5} n {n + 6}"],
    );
    assert!(session.target.is_stopped());
    execute(&mut session, "n {70}");
    execute(&mut session, ":delete");
    execute(&mut session, "finish");
    execute(&mut session, "next");
    let top = session
        .target
        .machine
        .current_location()
        .and_then(|(f, _)| session.target.machine.function(f))
        .map(|f| f.name.to_string());
    assert_eq!(
        top.as_deref(),
        Some("entry"),
        "the click is done, the rest of the entry is not"
    );
    let n = execute(&mut session, "print n").value.unwrap();
    let number: i64 = n.parse().unwrap();
    assert!(execute(&mut session, "explain n + 1").ok);
    assert!(execute(&mut session, "step n + 1").ok);
    execute(&mut session, "continue");
    assert_eq!(
        execute(&mut session, "print n").value.unwrap(),
        n,
        "a dry run changes nothing"
    );
    execute(&mut session, "n {n + 1}");
    execute(&mut session, "continue");
    assert!(!session.target.is_stopped());
    assert_eq!(
        execute(&mut session, "n").value.unwrap(),
        (number + 12).to_string()
    );
}

/// The last change is found among many candidates without seeking to each of them.
#[test]
fn the_last_change_is_found_among_many_candidates() {
    let program = "board { dimensions {300, 300} image {b.png} } def n {0} def m {1}
      piece { name {\"a\"} }
      setup { for x, y in board { place {\"a\", x, y} } }
      fun same(k) { for i(0, k) { m {1} } }";
    let mut session = session_with(program, &["m {2}", "same {30000}"]);
    let reply = execute(&mut session, ":why [0][0]");
    assert!(
        reply.text().contains("line 3 of game.gl"),
        "{}",
        reply.text()
    );
    // The same value is assigned thirty thousand times.
    let reply = execute(&mut session, ":last m");
    assert!(
        reply.ok && reply.text().contains("this changes m: 2 => 1"),
        "{}",
        reply.text()
    );
}

/// Ctrl-C cancels a long search and restores the position.
#[test]
fn a_search_can_be_cancelled() {
    let program = "board { dimensions {1, 1} image {b.png} } def n {0} def m {0}
      fun spin(k) { for i(0, k) { n {(n + i) % 1000} } }";
    let mut session = session_with(program, &[":break on win", "spin {90000}", "n {5}"]);
    for search in [":first n == 5000", ":last m", ":why m", ":reverse-continue"] {
        let time = session.target.machine.time();
        session
            .target
            .machine
            .interrupt_flag()
            .store(true, std::sync::atomic::Ordering::SeqCst);
        let reply = handle_line(&mut session, search);
        assert!(!reply.ok, "{search}: {}", reply.text());
        assert!(
            reply.text().contains("interrupted"),
            "{search}: {}",
            reply.text()
        );
        assert_eq!(session.target.machine.time(), time, "{search}");
    }
    session
        .target
        .machine
        .interrupt_flag()
        .store(false, std::sync::atomic::Ordering::SeqCst);
    assert_eq!(execute(&mut session, "n").value.as_deref(), Some("5"));
}

/// Going back as far as possible ends at the first prompt.
#[test]
fn time_travel_ends_at_the_start_of_the_session() {
    for language in languages::ALL {
        let mut session = Session::new(*language, 1);
        for back in [
            ":reverse-continue",
            ":goto 0",
            ":goto start",
            ":reverse-step",
            ":jump back",
        ] {
            execute(&mut session, back);
            assert!(
                session.target.machine.is_idle(),
                "{}: {back}",
                language.info().name
            );
            assert_eq!(
                session.target.timeline.branches().count(),
                0,
                "{}: {back}",
                language.info().name
            );
        }
    }
}

#[test]
fn going_to_a_turn_ends_at_a_stop_point() {
    let mut session = session_with(CASCADE, &["click {3, 2}", "endTurn {}", "endTurn {}"]);
    for turn in 1..=3 {
        execute(&mut session, &format!(":goto turn {turn}"));
        assert_eq!(
            execute(&mut session, ":print turnCount").value,
            Some(turn.to_string())
        );
    }
}

#[test]
fn inspecting_a_small_function_keeps_the_registers_of_its_caller() {
    // Each stop is inspected with a rollback; a function with fewer registers than its caller must
    // not truncate them.
    let mut session = session_with(
        languages::ALL[0].info().sample,
        &["click{1,1}", "click{0,0}"],
    );
    let reply = execute(&mut session, ":first turnCount == 2");
    assert!(reply.ok, "{}", reply.text());
    assert_eq!(
        session
            .target
            .view(gridbug::language::Viewport::NONE)
            .turn_count,
        Some(2)
    );
}

/// Also where code only returns, which has no safepoint.
#[test]
fn every_single_time_can_be_reached_in_every_language() {
    let deep = "board { dimensions {1, 1} image {b.png} } fun deep(k) { if k == 0 { return 0 } return 1 + deep {k - 1} }";
    let board = "game Walk\ntype Cell = {Floor, Wall}\ntype Board = Array (5,5) of Cell\nmap : Board\nmap!(x,y) = Floor\n";
    let samples = languages::ALL.iter().map(|l| (*l, l.info().sample, ""));
    let more = [
        (languages::ALL[0], deep, "deep {9}"),
        (languages::ALL[1], board, "type Board = Array (5,5) of Cell"),
    ];
    for (language, program, entry) in samples.chain(more) {
        let mut session = Session::new(language, 7);
        assert!(session.load("game", program).ok);
        execute(&mut session, entry);
        let (first, last) = session.target.timeline.time_range();
        for time in first..=last.min(3_000) {
            session
                .target
                .timeline
                .seek(&mut session.target.machine, time);
            assert_eq!(
                session.target.machine.time(),
                time,
                "{}",
                language.info().name
            );
        }
    }
}

/// Where one entry ends and the next starts, both have the same time; a bookmark inside the entry
/// leads back inside.
#[test]
fn positions_at_the_edge_of_an_entry_are_restored_exactly() {
    let mut session = session_with(CASCADE, &["click {3, 2}", ":break onClick", "click {0, 1}"]);
    assert!(execute(&mut session, "reverse-finish").stop.is_some());
    assert!(execute(&mut session, "reverse-step 3").stop.is_some());
    execute(&mut session, "jump forward");
    let edge = session.target.debugger.nav_history.iter().position(|m| {
        m.entries_started > 0
            && session
                .target
                .timeline
                .all_entries()
                .iter()
                .any(|r| r.before.time == m.time)
    });
    assert!(
        edge.is_some(),
        "one of the points is at the very start of an entry"
    );
    let visited = session.target.debugger.nav_history.clone();
    for point in visited {
        session.target.run(|run| run.go_to_point(point));
        assert_eq!(session.target.time_point(), point);
    }
}

/// An entry typed at a stop starts at the time of the stop; a bookmark set before it leads to the
/// stop itself.
#[test]
fn a_stop_with_a_nested_entry_is_restored_exactly() {
    let mut session = session_with(CASCADE, &[":break onClick", "click {3, 2}", ":mark there"]);
    let (expected, time) = (
        session.target.machine.checkpoint(),
        session.target.machine.time(),
    );
    for typed in ["n {n + 1}", ":seed 4", "n {n + 2}", ":rand next 3"] {
        execute(&mut session, typed);
    }
    let end = session.target.machine.checkpoint();
    for _ in 0..2 {
        for back in [
            ":goto there",
            &format!(":goto {time}"),
            ":goto start",
            ":goto there",
        ] {
            execute(&mut session, back);
        }
        assert_eq!(
            session
                .target
                .machine
                .checkpoint()
                .first_difference(&expected),
            None
        );
        execute(&mut session, ":goto end");
        assert_eq!(
            session.target.machine.checkpoint().first_difference(&end),
            None,
            "after the last nested entry"
        );
        execute(&mut session, ":jump back");
        assert_eq!(
            session
                .target
                .machine
                .checkpoint()
                .first_difference(&expected),
            None
        );
        execute(&mut session, ":jump forward");
        assert_eq!(
            session.target.machine.checkpoint().first_difference(&end),
            None
        );
    }
}

/// Entries typed at a stop are part of the history: replaying passes through them and returns to
/// the stop.
#[test]
fn replay_passes_through_nested_entries() {
    let typed = [
        ":break onClick",
        "click {3, 2}",
        "n {n + 1}",
        ":seed 3",
        ":delete",
        "n {n * 3}",
        "continue",
    ];
    let mut session = session_with(CASCADE, &typed);
    let end = session.target.machine.checkpoint();
    let (first, _) = session.target.timeline.time_range();
    // All stops from the end back to the start of the game, then forward again.
    let mut stops = Vec::new();
    while let Some(stop) = execute(&mut session, ":reverse-step").stop {
        stops.push((
            stop.time,
            stop.depth,
            stop.function.clone(),
            session.target.machine.checkpoint(),
        ));
        if session.target.machine.time() <= first || stops.len() > 5000 {
            break;
        }
    }
    assert!(
        stops.iter().filter(|s| s.2 == "entry").count() >= 3,
        "the nested entries have stops, too"
    );
    stops.pop();
    for (time, depth, function, state) in stops.iter().rev() {
        let stop = execute(&mut session, ":step").stop.expect("a stop");
        assert_eq!(
            (stop.time, stop.depth, &stop.function),
            (*time, *depth, function)
        );
        assert_eq!(
            session.target.machine.checkpoint().first_difference(state),
            None
        );
    }
    execute(&mut session, ":continue");
    assert_eq!(
        session.target.machine.checkpoint().first_difference(&end),
        None
    );
}

/// Stepping out of a function called at a stop returns to the stop, before its statement.
#[test]
fn stepping_out_of_a_nested_call_returns_to_the_stop() {
    for out in [
        &["step", "step"][..],
        &["next", "next"],
        &["finish", "finish"],
        &["over", "over"],
    ] {
        let program = "board { dimensions {1, 1} image {b.png} }\ndef n {0}\nfun f(k) {\n  return k\n}\nfun g() {\n  n {1}\n  n {2}\n}";
        let mut session = session_with(program, &[":break 7", ":break f", "g{}", "f{10}"]);
        let stop = out
            .iter()
            .filter_map(|typed| execute(&mut session, typed).stop)
            .find(|s| s.function == "g");
        assert_eq!(stop.map(|s| s.range.line), Some(7), "{out:?}");
    }
}

/// Bookmarks on an abandoned future move to its branch and back.
#[test]
fn marks_move_with_their_branch() {
    let mut session = session_with(
        CASCADE,
        &[
            ":mark start_of_all",
            "n {10}",
            ":mark ten",
            ":undo",
            "n {20}",
            ":mark twenty",
        ],
    );
    let go_to_mark = |session: &mut Session, mark: &str| {
        let reply = execute(session, &format!(":goto {mark}"));
        reply
            .ok
            .then(|| execute(session, ":print n").value.unwrap_or_default())
    };
    assert_eq!(go_to_mark(&mut session, "twenty").as_deref(), Some("20"));
    assert_eq!(go_to_mark(&mut session, "ten"), None, "it is on branch 1");
    assert_eq!(
        go_to_mark(&mut session, "start_of_all").as_deref(),
        Some("0")
    );
    assert!(execute(&mut session, ":branches 1").ok);
    assert_eq!(go_to_mark(&mut session, "ten").as_deref(), Some("10"));
    assert_eq!(go_to_mark(&mut session, "twenty"), None);
    assert!(execute(&mut session, ":branches drop 1").ok);
    assert!(!session.target.debugger.bookmarks.contains_key("twenty"));
    assert!(session.target.debugger.bookmarks.contains_key("ten"));
}

/// A stop that was undone is not what the next stop is compared with.
#[test]
fn changes_are_not_compared_with_a_stop_that_was_undone() {
    let program = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun f() {
  n {n + 1}
  n {n + 1}
  return n
}";
    for lines in [&[":undo"][..], &[":undo", ":redo", ":undo"]] {
        let mut session = session_with(program, &["n {5}", ":break f", "f {}"]);
        let reply = execute(&mut session, "step");
        assert!(reply.text().contains("since the last stop: n 5 => 6"));
        for line in lines {
            assert!(execute(&mut session, line).ok, "{lines:?}: {line}");
        }
        let reply = execute(&mut session, ":reverse-step");
        let stop = reply.stop.as_ref().expect("before `n {5}`");
        assert_eq!(stop.since, Some(ChangesSince::EntryStart), "{lines:?}");
        assert_eq!(stop.changes, [], "{lines:?}: {}", reply.text());
    }
    // What was typed at a stop and undone leaves the stop as it was.
    let mut session = session_with(program, &[":break f", "f {}", "n {5}", ":undo"]);
    let reply = execute(&mut session, "step");
    assert!(
        reply.text().contains("since the last stop: n 0 => 1"),
        "{}",
        reply.text()
    );
}

/// Neither is a stop on another branch.
#[test]
fn changes_are_not_compared_with_a_stop_on_another_branch() {
    let program = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun f() {
  n {n + 1}
  n {n + 1}
  return n
}";
    let lines = ["n {5}", ":undo", "n {70}", ":break f", "f {}", "step"];
    let mut session = session_with(program, &lines);
    assert!(execute(&mut session, ":branches 1").ok);
    // Before the entry of the branch, nothing has changed.
    let reply = execute(&mut session, ":reverse-step");
    let stop = reply.stop.as_ref().expect("before `n {5}`");
    assert_eq!(stop.since, Some(ChangesSince::EntryStart));
    assert_eq!(stop.changes, [], "{}", reply.text());
    assert!(execute(&mut session, ":goto end").ok);
    // A new entry is compared with its own start, then with its own stops.
    let reply = execute(&mut session, "f {}");
    let stop = reply.stop.as_ref().expect("the breakpoint");
    assert_eq!(stop.changes, [], "{}", reply.text());
    let text = execute(&mut session, "step").text();
    assert!(text.contains("since the last stop: n 5 => 6"), "{text}");
}

/// Hits that do not count are passed in both directions.
#[test]
fn reverse_continue_finds_the_last_hit_that_counts() {
    let program = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun f(k) {
  for i(0, k) {
    n {n + i}
  }
  return n
}";
    let mut session = session_with(program, &["f {5000}", ":break 5 if i == 17"]);
    let reply = execute(&mut session, "reverse-continue");
    let reply = if reply.stop.is_some() {
        reply
    } else {
        execute(&mut session, ":reverse-continue")
    };
    assert_eq!(reply.stop.map(|s| s.reason), Some(StopReason::Breakpoint));
    assert_eq!(
        execute(&mut session, ":print i").value.as_deref(),
        Some("17")
    );
    assert_eq!(
        execute(&mut session, ":print n").value.as_deref(),
        Some("136")
    );
}

/// Going back passes the hits that `hits` passes, and counts them back.
#[test]
fn reverse_continue_stops_at_the_hits_that_count() {
    let program = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun f(k) {
  for i(0, k) {
    n {n + i}
  }
  return n
}";
    let visit = |session: &mut Session, command: &str| {
        let stop = execute(session, command).stop?;
        let i = stop.variables.iter().find(|v| v.name == "i")?;
        i.value.parse::<u32>().ok()
    };
    let mut session = session_with(program, &[":break 5 hits %10"]);
    assert_eq!(visit(&mut session, "f {35}"), Some(9));
    for (command, i) in [
        ("continue", Some(19)),
        ("continue", Some(29)),
        ("reverse-continue", Some(19)),
        ("reverse-continue", Some(9)),
        ("continue", Some(19)),
        ("continue", Some(29)),
        ("continue", None),
        (":reverse-continue", Some(29)),
        ("reverse-continue", Some(19)),
        ("reverse-continue", Some(9)),
        ("reverse-continue", None),
    ] {
        assert_eq!(visit(&mut session, command), i, "{command}");
    }
    let mut session = session_with(program, &[":break 5 if i > 20 hits 3", "f {35}"]);
    assert_eq!(visit(&mut session, ":print i"), None);
    assert_eq!(visit(&mut session, "next"), Some(24));
    assert_eq!(visit(&mut session, "reverse-continue"), Some(23));
    assert_eq!(visit(&mut session, "reverse-continue"), None);
    // Without hits so far, every tenth is counted from the last one.
    let mut session = session_with(program, &["f {35}", ":break 5 hits %10"]);
    assert_eq!(visit(&mut session, ":reverse-continue"), Some(34));
    assert_eq!(visit(&mut session, "reverse-continue"), Some(24));
}

/// All files in a directory with one of these extensions, sorted.
fn files(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path
                .extension()
                .and_then(|e| e.to_str())
                .unwrap_or("")
                .to_string();
            match path.is_dir() {
                true => folders.push(path),
                false if extensions.contains(&extension.as_str()) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// Some times of a session, alternately early and late.
fn some_times(session: &Session) -> Vec<u64> {
    let (first, last) = session.target.timeline.time_range();
    let at = |part: u64| first + (last - first) * part / 12;
    (0..=6).flat_map(|n| [at(n), at(12 - n)]).collect()
}

/// Walks through the history of every program and session in the repository.
#[test]
fn walks_are_exact_for_every_program_in_the_repository() {
    let mut walked = 0;
    for language in languages::ALL {
        let actions: &[&str] = match language.info().name {
            "gridlok" => &["click {0, 0}", "click {1, 1}", "endTurn {}", "click {0, 1}"],
            "gridlang" => &[":turn", ":turn", ":turn"],
            "sgl2d" => &["right 2", "down", "left"],
            "tinygame" => &[":restart"],
            _ => &["1 + 1"],
        };
        let mut programs = files("sessions", language.info().extensions);
        programs.extend(files("tests/corpus", language.info().extensions));
        programs.extend(files("src/languages", language.info().extensions));
        for path in programs {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut session = Session::new(*language, 3);
            session.target.machine.limits.max_instructions = 300_000;
            // Some programs of the corpus are wrong on purpose; then the history is that of the
            // empty game.
            session.load("game", &text);
            actions
                .iter()
                .for_each(|action| drop(execute(&mut session, action)));
            let times = some_times(&session);
            assert_walk_is_exact(&mut session, &times);
            walked += 1;
        }
    }
    assert!(walked > 30, "only {walked} programs were found");
}

#[test]
fn walks_are_exact_for_every_session_in_the_repository() {
    for path in files("sessions", &["session"]) {
        let file = SessionFile::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let mut session = replay(&file, path.parent().unwrap(), native_host())
            .unwrap()
            .session;
        let times = some_times(&session);
        assert_walk_is_exact(&mut session, &times);
    }
}

#[test]
fn a_dry_run_is_rolled_back_when_a_new_game_starts() {
    for leave in [
        ":restart",
        "board { dimensions {2, 2} image {b.png} } setup { }",
    ] {
        let mut session = session_with(CASCADE, &["click {3, 2}", ":step deep {2}"]);
        assert!(session.target.is_stopped(), "the dry run");
        execute(&mut session, "n + 1");
        execute(&mut session, leave);
        session.target.abandon();
        assert!(
            session
                .target
                .timeline
                .entries()
                .iter()
                .all(|r| !r.is_dry_run()),
            "{leave}"
        );
        let end = session.target.machine.checkpoint();
        let undone = session.target.undo(usize::MAX).len();
        assert_eq!(session.target.redo(usize::MAX).len(), undone, "{leave}");
        assert!(
            session.target.machine.checkpoint().is_same_state(&end),
            "{leave}"
        );
    }
}

#[test]
fn a_fork_is_only_reported_if_something_is_lost() {
    let first = |s: &mut Session, typed: &str| {
        execute(s, typed)
            .text_lines()
            .first()
            .map_or_else(String::new, |l| l.text())
    };
    // Repeating the undone entry loses nothing, so no branch is created or reported.
    let mut session = session_with(CASCADE, &["n {10}", ":undo"]);
    assert_eq!(first(&mut session, "n {10}"), "");
    assert_eq!(session.target.timeline.branches().count(), 0);
    // A different entry after the undo.
    execute(&mut session, ":undo");
    assert_eq!(
        first(&mut session, "n {11}"),
        "The moves you undid are saved as branch 1 (`:branches`)"
    );
    // A different entry far in the past, after time travel.
    execute(&mut session, "n {12}");
    execute(&mut session, "n {13}");
    execute(&mut session, ":goto start");
    assert_eq!(
        first(&mut session, "n {14}"),
        "You are on a new branch; the old history is branch 2 (`:branches`)"
    );
    // Repeating only the first of several entries: the others are lost.
    execute(&mut session, "n {15}");
    execute(&mut session, ":undo 2");
    assert_eq!(
        first(&mut session, "n {14}"),
        "The moves you undid are saved as branch 3 (`:branches`)"
    );
}

#[test]
fn an_entry_that_starts_a_game_cannot_be_inspected() {
    let games = [
        (
            "gridlok",
            "1 + 1",
            "game { board { dimensions {2, 2} image {b.png} } }",
        ),
        ("bogl", "(2)", "game G"),
        ("bogl", "(2)", "game G\nx : Int\nx = 3"),
        ("sgl2d", "right", "environment > x=2 y=2"),
    ];
    for (language, entry, game) in games {
        for command in [
            ":print",
            ":why",
            ":why not",
            ":explain",
            ":rounds",
            ":step",
            ":display",
            ":break 1 if",
        ] {
            let mut session = Session::new(
                languages::by_name(language).expect("a language of that name"),
                1,
            );
            assert!(
                session
                    .load("sample", session.target.language().info().sample)
                    .ok
            );
            execute(&mut session, entry);
            execute(&mut session, ":reverse-step");
            let before = session.target.machine.checkpoint();
            execute(&mut session, &format!("{command} {game}"));
            execute(&mut session, ":abandon");
            execute(&mut session, "1");
            execute(&mut session, ":redo");
            assert!(
                before.time <= session.target.machine.time(),
                "{language}: {command} {game}"
            );
        }
    }
}

/// A restart while stopped in the past can be undone to that stop, and redone.
#[test]
fn a_restart_while_stopped_is_undone_to_the_stop() {
    let mut session = session_with(CASCADE, &["n {5}", "1", ":reverse-next"]);
    assert!(session.target.is_stopped());
    let stopped = session.target.machine.checkpoint();
    execute(&mut session, ":restart");
    assert!(session.target.machine.is_idle());
    let restarted = session.target.machine.checkpoint();
    assert_eq!(session.target.undo(1), [":restart"]);
    assert!(
        session.target.machine.checkpoint().is_same_state(&stopped),
        "the stop differs"
    );
    assert_eq!(session.target.redo(1), [":restart"]);
    assert!(
        session
            .target
            .machine
            .checkpoint()
            .is_same_state(&restarted),
        "the new game differs"
    );
    let undone = session.target.undo(usize::MAX).len();
    assert_eq!(session.target.redo(usize::MAX).len(), undone);
    assert!(
        session
            .target
            .machine
            .checkpoint()
            .is_same_state(&restarted),
        "the new game differs"
    );
}

/// A game that fails at its start leaves the stopped program as it was.
#[test]
fn a_game_that_fails_to_start_keeps_the_stop() {
    let mut session = session_with(
        CASCADE,
        &[
            "setup { def q {0} n {1 / q} }",
            ":break deep",
            "click {3, 2}",
        ],
    );
    assert!(session.target.is_stopped());
    let stopped = session.target.machine.checkpoint();
    let reply = execute(&mut session, ":restart");
    assert!(!reply.ok, "{reply:?}");
    assert!(
        session.target.machine.checkpoint().is_same_state(&stopped),
        "the state differs"
    );
    assert!(execute(&mut session, ":continue").ok);
}

/// A step back after seeking is fast, however far away the last checkpoint is.
#[test]
fn stepping_back_after_seeking_is_fast() {
    let mut session = session_with(CASCADE, &["for i(0, 100000) { n {(n + i) % 1000} }"]);
    let (first, last) = session.target.timeline.time_range();
    let time = first + (last - first) / 2;
    let distance = |session: &Session| {
        let checkpoint = session.target.timeline.checkpoint_time_before(time);
        time - checkpoint.expect("there are checkpoints before")
    };
    let expected = state_at(&mut session, time);
    let near = distance(&session);
    assert!(
        (1..=20_000).contains(&near),
        "the nearest state is {near} steps away"
    );
    assert!(
        state_at(&mut session, time).is_same_state(&expected),
        "the state differs after a short replay"
    );
    assert_eq!(distance(&session), near, "one state is enough");
}

/// The game that the session started with cannot be undone from anywhere in it.
#[test]
fn undo_stops_at_the_start_of_the_session() {
    let mut session = Session::new(languages::ALL[0], 7);
    start_session(&mut session, "game.gl", CASCADE);
    execute(&mut session, "n {5}");
    assert_eq!(session.target.undo(10), ["n {5}"]);
    assert!(session.target.undo(1).is_empty());
    // During its setup.
    execute(&mut session, ":reverse-step");
    let expected = session.target.machine.checkpoint();
    assert!(session.target.is_stopped() && session.target.undo(1).is_empty());
    assert!(
        session.target.machine.checkpoint().is_same_state(&expected),
        "a failed undo must not move"
    );
    assert_eq!(session.target.redo(1), ["n {5}"]);
}

/// Definitions made during a dry run are rolled back with it, wherever it is left.
#[test]
fn definitions_in_a_dry_run_are_rolled_back() {
    for ending in [":continue", ":finish", ":abandon", ":next"] {
        let mut session = session_with(CASCADE, &["n {5}"]);
        let before = session.target.machine.checkpoint();
        execute(&mut session, ":step n + 1");
        assert!(session.target.is_dry_run());
        execute(&mut session, "def extra {1}");
        assert!(session.target.is_stopped() && session.target.is_dry_run());
        execute(&mut session, ending);
        assert!(
            session.target.machine.is_idle() && !session.target.is_dry_run(),
            "{ending}"
        );
        assert!(
            session.target.machine.checkpoint().is_same_state(&before),
            "{ending} did not roll back everything"
        );
        assert!(!execute(&mut session, "extra").ok);
    }
}

/// A dry run started at a stop ends at that stop, even if something was typed during it.
#[test]
fn a_dry_run_at_a_stop_ends_at_that_stop() {
    let mut session = session_with(CASCADE, &[":break deep", "click {3, 2}"]);
    let stopped = session.target.machine.checkpoint();
    for ending in [":continue", ":abandon"] {
        execute(&mut session, ":step k + 1");
        execute(&mut session, "n {n + 7}");
        assert!(session.target.is_dry_run());
        execute(&mut session, ending);
        assert!(!session.target.is_dry_run(), "{ending}");
        assert!(
            session.target.machine.checkpoint().is_same_state(&stopped),
            "{ending} ended elsewhere"
        );
    }
}

/// A failed entry takes no time, however often it is tried, so every time shown can be reached.
#[test]
fn failed_entries_take_no_time() {
    let mut session = session_with(CASCADE, &[":break on error", "def q {0}", "n {1 / q}"]);
    assert!(session.target.is_stopped());
    let failed = session.target.machine.checkpoint();
    for again in [":step", ":next", ":retry"] {
        execute(&mut session, again);
        assert!(
            session.target.machine.checkpoint().is_same_state(&failed),
            "{again} went elsewhere"
        );
    }
    let (first, last) = session.target.timeline.time_range();
    assert_eq!(last, failed.time);
    for time in first..=last {
        assert_eq!(state_at(&mut session, time).time, time);
    }
}

#[test]
fn undo_at_a_stop_can_be_redone() {
    let program = "board { dimensions {1, 1} image {b.png} } def n {0} fun f() { n {n + 1} print {n} n {n + 1} return n }";
    let mut session = session_with(
        program,
        &[
            ":break f",
            "f{}",
            "n {10}",
            ":next",
            "n {n * 2} print {\"typed\"}",
            ":next",
        ],
    );
    assert!(session.target.is_stopped());
    let here = session.target.machine.checkpoint();
    let printed: Vec<String> = session
        .target
        .machine
        .log()
        .outputs
        .iter()
        .map(|o| o.text.to_string())
        .collect();
    assert_eq!(printed, ["typed", "22"], "both kinds of output");
    // Undo step by step to before the entry, and redo to this very state.
    let undone = session.target.undo(3);
    assert_eq!(undone, ["n {n * 2} print {\"typed\"}", "n {10}", "f{}"]);
    assert!(session.target.machine.is_idle());
    assert_eq!(session.target.redo(1), ["f{}"]);
    assert!(session.target.is_stopped());
    assert_eq!(
        session.target.redo(9),
        ["n {10}", "n {n * 2} print {\"typed\"}"]
    );
    assert!(
        session.target.machine.checkpoint().is_same_state(&here),
        "the redone state differs"
    );
    let again: Vec<String> = session
        .target
        .machine
        .log()
        .outputs
        .iter()
        .map(|o| o.text.to_string())
        .collect();
    assert_eq!(again, printed);
    // It continues to its end from there, and is then undone and redone as a whole.
    assert!(execute(&mut session, ":delete").ok && execute(&mut session, "c").ok);
    let end = session.target.machine.checkpoint();
    let undone = session.target.undo(3).len();
    assert_eq!(session.target.redo(9).len(), undone);
    assert!(
        session.target.machine.checkpoint().is_same_state(&end),
        "the end state differs"
    );
}

#[test]
fn redo_is_gone_after_another_entry() {
    let program =
        "board { dimensions {1, 1} image {b.png} } def n {0} fun f() { n {n + 1} return n }";
    let mut session = session_with(program, &[":break f", "f{}", "n {10}"]);
    assert_eq!(session.target.undo(1), ["n {10}"]);
    execute(&mut session, "n {20}");
    assert!(session.target.redo(1).is_empty());
    assert_eq!(session.target.undo(1), ["n {20}"]);
    // After another step, redo is no longer possible; after returning, it is, but not in the past
    // of later entries.
    execute(&mut session, "next");
    assert!(session.target.redo(1).is_empty());
}

/// Function ids differ between programs: a draw remembers its source position.
#[test]
fn draws_keep_their_source_when_the_program_changes() {
    let program =
        "board { dimensions {1, 1} image {b.png} } def n {0} fun f() { return rand{1, 9} }";
    let mut session = session_with(program, &["for i(0, 2) { n {rand{1, 9}} }", "n {f{}}"]);
    let locations = |session: &mut Session| {
        let text = execute(session, ":draws").text();
        text.lines()
            .map(|l| l.split_whitespace().skip(8).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    let before = locations(&mut session);
    assert_eq!(before, ["entry 1:1", "entry 1:1", "game.gl:1"]);
    for typed in [
        "n {1} n {2} n {3} n {4}",
        "fun f() { return 1 }",
        "fun g() { return 2 }",
    ] {
        execute(&mut session, typed);
        assert_eq!(locations(&mut session), before, "after {typed}");
    }
}

#[test]
fn every_time_before_an_instruction_limit_can_be_reached() {
    let program = "Layout(1, 1)\n{\n    Player ann\n    playerOrder = [ann]\n}\n\
        gameLoop()\n{\n    int i = 0\n    while (i < len(playerOrder)) {\n    }\n}\n";
    let language = languages::by_name("gridlang").expect("a language of that name");
    let mut session = Session::with_host(language, 7, native_host());
    session.target.machine.limits.max_instructions = 100_000;
    session.target.debugger.stops_on_program_errors = true;
    assert!(start_session(&mut session, "game", program).ok);
    handle_line(&mut session, ":turn");
    assert!(session.target.is_stopped(), "the loop does not end");
    let (first, last) = session.target.timeline.time_range();
    let times: Vec<u64> = (0..=40).map(|n| first + (last - first) * n / 40).collect();
    let target = &mut session.target;
    let mut seek = |time: u64| {
        target.timeline.seek(&mut target.machine, time);
        assert_eq!(target.machine.time(), time);
        target.machine.checkpoint()
    };
    let states: Vec<Checkpoint> = times.iter().map(|time| seek(*time)).collect();
    for (time, state) in times.iter().zip(&states).rev() {
        assert!(seek(*time).is_same_state(state), "time {time}");
    }
}
