//! Hostile games end in "undecided" with the reason, or in a finding: no hang, no panic, no wrong "never".

use crate::support::{answer, find, session};
use gridbug::answer::{FindResult, FindVerdict, SearchStop};
use gridbug::explorer::{Exploration, Scope, SearchControl, SearchLimits, StoppedBy};
use gridbug::render::AnswerText;
use gridbug::session::Session;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A game of one piece with this handler.
fn one_piece(on_click: &str) -> String {
    format!(
        r#"game {{
  board {{ dimensions {{1, 1}} image {{b.png}} }}
  players {{"p"}}
  def n {{0}}
  piece {{ name {{"a"}} image {{a.png}} onClick {{ {on_click} endTurn {{}} }} }}
  setup {{ place {{"a", 0, 0}} }}
  fun deep(k) {{ if k == 0 {{ return 0 }} return 1 + deep {{k - 1}} }}
  winCondition {{ win {{n < 0}} }}
}}"#
    )
}

/// A session whose host has a clock.
fn timed_session(language: &str, text: &str) -> Session {
    let language = gridbug::languages::by_name(language).unwrap();
    let host = std::rc::Rc::new(gridbug::host::NativeHost::new());
    let mut session = Session::with_host(language, 1, host);
    let answer = session.load("game", text);
    assert!(answer.ok, "{answer:?}");
    session
}

fn assert_undecided(found: &FindResult, stopped_by: SearchStop) {
    assert_eq!(found.verdict, FindVerdict::Unknown, "{found:?}");
    assert_eq!(found.extent.stopped_by, Some(stopped_by), "{found:?}");
    assert!(!found.extent.complete);
}

#[test]
fn a_counter_that_matters_leaves_the_search_undecided_and_is_named() {
    let text = one_piece("n {n + 1}");
    let mut session = session("gridlok", &text);
    session.explorer.limits.positions = 3000;
    let found = find(&mut session, "win");
    assert_undecided(&found, SearchStop::Memory);
    assert_eq!(found.extent.growing.map(|g| g.name), Some("n".to_string()));
    // Without it there is a single position, but that proves nothing.
    let ignoring = find(&mut session, "win ignoring n");
    assert_eq!(
        (ignoring.verdict, ignoring.extent.complete),
        (FindVerdict::Unknown, true)
    );
}

/// What a search that is stopped after some positions says about the variable because of which it grows: its
/// name, its function and the line in which it is read.
fn growth(language: &str, text: &str, goal: &str) -> Option<(String, Option<String>, Option<u32>)> {
    let mut session = session(language, text);
    session.explorer.limits.positions = 1000;
    let found = find(&mut session, goal);
    assert_undecided(&found, SearchStop::Memory);
    let growing = found.extent.growing?;
    let line = growing.read_in.map(|place| place.range.line);
    Some((growing.name, growing.function, line))
}

#[test]
fn what_makes_a_search_grow_is_named_with_the_place_that_reads_it() {
    let game = |lines: &str| {
        format!(
            "board {{ dimensions {{1, 1}} image {{b.png}} }} players {{\"p\"}} def n {{0}} def l {{0,}}
setup {{ place {{\"a\", 0, 0}} }}
piece {{ name {{\"b\"}} image {{b.png}} }}
piece {{ name {{\"a\"}} image {{a.png}} onClick {{
{lines}
endTurn {{}} }} }}"
        )
    };
    let named = |name: &str, function: Option<&str>, line: Option<u32>| {
        Some((name.to_string(), function.map(str::to_string), line))
    };
    // Line 5 only counts on; line 6 decides.
    let counter = game("n {n + 1}\nif n == 900000 { changeType {\"b\"} }");
    assert_eq!(
        growth("gridlok", &counter, "win"),
        named("n", None, Some(6))
    );
    // Only the goal reads it.
    let unread = game("n {n + 1}");
    assert_eq!(
        growth("gridlok", &unread, "n == -1"),
        named("n", None, None)
    );
    let list = game("l {1}\nprint {\"a\"}\nif l[0] == 7 { changeType {\"b\"} }");
    assert_eq!(growth("gridlok", &list, "win"), named("l", None, Some(7)));
    let bogl = "game E
type R = {Won, Lost}
type Input = {A, B}
f : Int -> R
f(n) = if input == A then f(n + 1) else
  (if n < 0 then Won else f(n + 2))
result : R
result = f(0)";
    assert_eq!(growth("bogl", bogl, "Won"), named("n", Some("f"), Some(6)));
}

#[test]
fn a_variable_that_cannot_be_ignored_is_named_without_advice() {
    let bogl = "game E
type R = {Won, Lost}
type Input = {A, B}
f : Int -> R
f(n) = if input == A then f(n + 1) else (if n < 0 then Won else f(n + 2))
result : R
result = f(0)";
    let mut session = session("bogl", bogl);
    session.explorer.limits.positions = 1000;
    let reply = answer(&mut session, ":find Won");
    let text = gridbug::session::to_plain_text(&session, &reply).join("\n");
    assert!(text.contains("because of `n` in `f` ("), "{text}");
    assert!(
        text.contains(" values so far; read in line 5)") && text.contains("(at least "),
        "{text}"
    );
    assert!(!text.contains("ignoring"), "{text}");
}

#[test]
fn an_endless_action_is_a_finding() {
    let text = one_piece("for i(0, 2000000000) { n {1} }");
    let mut session = session("gridlok", &text);
    let found = find(&mut session, "error");
    assert_eq!((found.verdict, found.length), (FindVerdict::Found, Some(1)));
    assert!(found.error.is_some_and(|e| e.contains("without finishing")));
}

#[test]
fn an_endless_action_leaves_other_goals_undecided() {
    // It may end later than the search waits, and then win.
    let text = one_piece("for i(0, 2000000000) { n {1} }");
    let found = find(&mut session("gridlok", &text), "win");
    assert_eq!(found.verdict, FindVerdict::Unknown);
    assert!(
        found
            .extent
            .assumed
            .iter()
            .any(|a| a.contains("never ends"))
    );
}

#[test]
fn a_goal_that_takes_too_long_is_undecided() {
    let mut session = session("gridlok", &one_piece(""));
    let refused = answer(&mut session, ":find deep {-1} == 1");
    assert!(!refused.ok);
    let text = refused.text();
    assert!(
        text.contains("cannot be evaluated in any position: too many nested calls"),
        "{text}"
    );
    let text = one_piece("").replace(
        "fun deep",
        "fun slow() { for i(0, 2000000000) { n {1} } return true }\n  fun deep",
    );
    let found = find(&mut crate::support::session("gridlok", &text), "slow {}");
    assert_eq!(found.verdict, FindVerdict::Unknown);
}

#[test]
fn a_deep_recursion_is_a_finding_or_ends() {
    let mut short = session("gridlok", &one_piece("n {deep {1000} - 1000}"));
    assert_eq!(find(&mut short, "error").verdict, FindVerdict::Never);
    let mut endless = session("gridlok", &one_piece("n {deep {-1}}"));
    let found = find(&mut endless, "error");
    assert_eq!((found.verdict, found.length), (FindVerdict::Found, Some(1)));
}

#[test]
fn many_random_numbers_in_one_move_reach_a_limit() {
    let mut session = session(
        "gridlok",
        &one_piece("for i(0, 40) { n {n * 3 + rand {0, 3}} }"),
    );
    session.explorer.limits.positions = 3000;
    assert_undecided(&find(&mut session, "win"), SearchStop::Memory);
}

#[test]
fn random_numbers_in_the_setup_are_no_part_of_the_search() {
    let text = one_piece("n {n - 1}").replace("setup {", "setup { n {rand {2, 3}}");
    let mut session = session("gridlok", &text);
    let found = find(&mut session, "win");
    assert_eq!((found.verdict, found.length), (FindVerdict::Found, Some(3)));
}

#[test]
fn long_output_is_not_kept() {
    let mut session = session(
        "gridlok",
        &one_piece("for i(0, 20000) { print{\"a long line of text that nobody reads\"} }"),
    );
    let found = find(&mut session, "win");
    assert_eq!(
        (found.verdict, found.extent.positions),
        (FindVerdict::Never, 1)
    );
}

#[test]
fn a_huge_board_ends_at_the_time_limit() {
    let text = include_str!("../../src/languages/gridlok/info/sample.gl")
        .replace("dimensions {3, 3}", "dimensions {300, 300}");
    let mut session = timed_session("gridlok", &text);
    session.explorer.limits.time = Duration::from_millis(300);
    assert_undecided(&find(&mut session, "lose"), SearchStop::Time);
}

#[test]
fn a_huge_board_stays_within_the_memory_limit() {
    let text = r#"game {
  board { dimensions {100, 100} image {b.png} }
  players {"p"}
  piece { name {"a"} image {a.png} onClick { changeType {"b"} endTurn {} } }
  piece { name {"b"} image {b.png} onClick { display {"taken"} } }
  setup { for r, c in board { place {"a", r, c} } }
}"#;
    // Every position of 100 x 100 cells has 10,000 successors of 4 KB each.
    let explore = |threads| {
        let session = session("gridlok", text);
        let mut game = Exploration::of(&session.target, &Scope::default()).unwrap();
        let limits = SearchLimits {
            time: Duration::from_secs(600),
            memory_bytes: 5 << 20,
            threads,
            ..SearchLimits::default()
        };
        assert_eq!(
            crate::support::explore_with(&mut game, limits),
            Some(StoppedBy::Memory)
        );
        // The machines have the rest.
        assert!(game.memory_bytes() < 4 << 20, "{}", game.memory_bytes());
        game.position_count()
    };
    let positions = explore(1);
    assert!((600..900).contains(&positions), "{positions}");
    assert_eq!(explore(2), positions);
}

/// Explores until the flag is set from outside; returns why it stopped, and how long that took.
fn interrupted(text: &str, threads: usize) -> (Option<StoppedBy>, Duration) {
    let session = session("gridlok", text);
    let mut game = Exploration::of(&session.target, &Scope::default()).unwrap();
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = SearchLimits {
        time: Duration::from_secs(600),
        threads,
        ..SearchLimits::default()
    };
    let start = Instant::now();
    let now = || start.elapsed();
    let mut report = |_| {};
    let mut control = SearchControl::new(limits, &now, cancel.clone(), &mut report);
    let (stopped, set_at) = std::thread::scope(|scope| {
        let setter = scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            cancel.store(true, Ordering::Relaxed);
            start.elapsed()
        });
        (game.expand_all(&mut control), setter.join().unwrap())
    });
    (stopped, start.elapsed().saturating_sub(set_at))
}

#[test]
fn an_interrupt_ends_a_search_also_within_one_long_action() {
    // In a debug build, one of these actions takes much longer than the time until the interrupt.
    let long_action = one_piece("for i(0, 19000000) { n {i} }");
    let growing = include_str!("../../src/languages/gridlok/info/sample.gl")
        .replace("dimensions {3, 3}", "dimensions {4, 4}");
    for threads in [1, 2] {
        for text in [&long_action, &growing] {
            let (stopped, _) = interrupted(text, threads);
            assert_eq!(stopped, Some(StoppedBy::Interrupt));
        }
    }
}

/// Runs a command, and sets the Ctrl-C flag a moment later. Returns its text.
fn interrupted_command(session: &mut Session, line: &str) -> String {
    let flag = session.target.machine.interrupt_flag();
    session.explorer.limits.time = Duration::from_secs(3600);
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            // A search that has not begun yet clears the flag, so it is set again.
            while !is_done.load(Ordering::Relaxed) {
                flag.store(true, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(300));
            }
        });
        let answer = crate::support::answer(session, line);
        is_done.store(true, Ordering::Relaxed);
        let lines = gridbug::session::to_plain_text(session, &answer);
        lines.join("\n")
    })
}

#[test]
fn an_interrupt_ends_every_command_within_one_long_run() {
    // In a debug build, one run of this loop takes many seconds, and there are thousands of them.
    let start = "game {\n  board { dimensions {1, 2} image {b.png} }\n  players {\"p\"}\n  def n {2}\n  \
                 def m {0}\n  piece { name {\"a\"} image {a.png} }\n  \
                 setup { for c(0, n) { m {c} } place {\"a\", 0, 0} }\n}";
    let mut varied = timed_session("gridlok", start);
    let text = interrupted_command(&mut varied, ":vary n 15000000..15009999 n > 0");
    assert!(text.contains("stopped before all start values"), "{text}");
    assert!(!text.contains("error"), "{text}");
    // The condition of a property.
    let slow = ":sometimes deep{0} == 1 OR loop{15000000} == 1";
    let text = one_piece("n {1 - n}").replacen(
        "fun deep",
        "fun loop(k) { def a {0} for i(0, k) { a {i} } return a }\n  fun deep",
        1,
    );
    let mut slowly = timed_session("gridlok", &text);
    let declared = crate::support::answer(&mut slowly, slow);
    assert!(declared.ok, "{declared:?}");
    let text = interrupted_command(&mut slowly, ":check");
    assert!(text.contains("interrupted"), "{text}");
}

#[test]
fn a_start_that_takes_too_long_proves_nothing() {
    let game = "game Slow\ntype Board = Array(1,1) of Int\ntype Input = Int\n\
                slow : Int -> Int\nslow(n) = while n > 0 do n - 1\n\
                result : Int\nresult = let k = slow(50000000) in k + input\n";
    let found = find(&mut session("bogl", game), "3");
    assert_eq!(found.verdict, FindVerdict::Unknown, "{found:?}");
}

#[test]
fn a_search_goes_on_where_it_was_stopped() {
    let session = crate::support::sample("gridlok");
    let mut game = Exploration::of(&session.target, &Scope::default()).unwrap();
    let limits = SearchLimits {
        positions: 100,
        threads: 1,
        ..SearchLimits::default()
    };
    let explore_with = crate::support::explore_with;
    assert_eq!(explore_with(&mut game, limits), Some(StoppedBy::Memory));
    assert!(!game.is_complete());
    assert_eq!(explore_with(&mut game, SearchLimits::default()), None);
    assert_eq!(game.position_count(), 5478);
}
