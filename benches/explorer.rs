//! The explorer: actions per second, bytes per position, growth, and what threads gain.
//!
//! `cargo bench --bench explorer` prints tables; `-- growth` adds searches of up to ten million positions.
//! The targets are on one idle core: 300,000 actions per second and at most 64 bytes per position on 3 x 3
//! rules; a million positions in 10 s and 150 MB; find, check, solve and stats of tic-tac-toe in 0.3 s;
//! two threads at least 1.7 times as fast as one.

use gridbug::command::handle_line;
use gridbug::explorer::{Exploration, Scope, SearchControl, SearchLimits};
use gridbug::languages;
use gridbug::session::Session;
use std::time::{Duration, Instant};

fn session(language: &str, text: &str) -> Session {
    let language = languages::by_name(language).expect("a language");
    let mut session = Session::new(language, 1);
    assert!(session.load("game", text).ok);
    session
}

/// Processor time of the main thread where the system tells it, which depends less on the load.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Runs something; returns its result, and the processor time (or the time, with `threads`).
fn timed<T>(threads: usize, run: impl FnOnce() -> T) -> (T, f64) {
    let (start, processor_start) = (Instant::now(), processor_time());
    let result = run();
    let elapsed = start.elapsed();
    let used = match (processor_start, processor_time()) {
        (Some(start), Some(end)) if threads == 1 => end - start,
        _ => elapsed,
    };
    (result, used.as_secs_f64())
}

/// Explores up to a number of positions; returns the seconds.
fn explore(session: &Session, positions: usize, threads: usize) -> (Exploration, f64) {
    let mut exploration = Exploration::of(&session.target, &Scope::default()).expect("a game");
    let start = Instant::now();
    let now = || start.elapsed();
    let mut report = |_| {};
    let limits = SearchLimits {
        time: Duration::from_secs(600),
        memory_bytes: u64::MAX,
        positions,
        threads,
    };
    let mut control = SearchControl::new(limits, &now, Default::default(), &mut report);
    let (_, seconds) = timed(threads, || exploration.expand_all(&mut control));
    (exploration, seconds)
}

fn report(name: &str, session: &Session, positions: usize, threads: usize, runs: usize) {
    let all = (0..runs).map(|_| explore(session, positions, threads));
    let fastest = all.min_by(|a, b| a.1.total_cmp(&b.1));
    let (found, seconds) = fastest.expect("at least one run");
    let per_second = |count: f64| count / seconds;
    println!(
        "{name:<24} {threads}  {:>10} {:>10} {seconds:>8.3} {:>10.0} {:>10.0} {:>7} {:>6}",
        found.position_count(),
        found.action_count(),
        per_second(found.action_count() as f64),
        per_second(found.position_count() as f64),
        found.memory_bytes() / found.position_count().max(1),
        found.memory_bytes() >> 20,
    );
}

/// A game with a move for each of two kinds of pieces that fills the next cell: the positions are a tree.
const FILLING: &str = r#"game {
  board { dimensions {1, 26} image {b.png} }
  players {"p"}
  def next {2}
  piece { name {"zero"} image {a.png}
    onClick { if next < cols { place {"off", 0, next} next {next + 1} } endTurn {} } }
  piece { name {"one"} image {a.png}
    onClick { if next < cols { place {"on", 0, next} next {next + 1} } endTurn {} } }
  piece { name {"off"} image {a.png} }
  piece { name {"on"} image {a.png} }
  setup { place {"zero", 0, 0} place {"one", 0, 1} }
  winCondition { win {next == cols AND board[0][2].name == "on"} }
}"#;

fn main() {
    let tic_tac_toe = include_str!("../src/languages/gridlok/info/sample.gl");
    let wide = tic_tac_toe.replace("dimensions {3, 3}", "dimensions {4, 4}");
    println!(
        "{:<24} threads {:>5} {:>10} {:>8} {:>10} {:>10} {:>7} {:>6}",
        "", "positions", "actions", "seconds", "actions/s", "positions/s", "bytes", "MB"
    );
    report(
        "tic-tac-toe 3 x 3",
        &session("gridlok", tic_tac_toe),
        usize::MAX,
        1,
        10,
    );
    report(
        "tic-tac-toe 4 x 4",
        &session("gridlok", &wide),
        1_000_000,
        1,
        1,
    );
    for (language, name, text) in [
        (
            "gridlok",
            "lights out",
            include_str!("../sessions/gridlok/lights-out.gl"),
        ),
        (
            "gridlok",
            "connect four",
            include_str!("../sessions/gridlok/connect-four.gl"),
        ),
        (
            "bogl",
            "tic-tac-toe in BoGL",
            include_str!("../sessions/bogl/tic-tac-toe.bgl"),
        ),
        (
            "sgl2d",
            "maze",
            include_str!("../sessions/sgl2d/maze.sgl2d"),
        ),
        (
            "gridlang",
            "capture",
            include_str!("../sessions/gridlang/capture.grid"),
        ),
    ] {
        report(name, &session(language, text), 50_000, 1, 3);
    }
    let (_, seconds) = timed(1, || {
        let mut game = session("gridlok", tic_tac_toe);
        game.explorer.limits.threads = 1;
        for line in [":find win", ":check", ":solve", ":stats"] {
            handle_line(&mut game, line);
        }
    });
    println!("load, find, check, solve and stats of tic-tac-toe: {seconds:.3} s");
    let mut game = session("gridlok", tic_tac_toe);
    let (_, seconds) = timed(1, || assert!(handle_line(&mut game, ":stats 5000").ok));
    println!(
        "random games of tic-tac-toe: {:.0} per second",
        5000.0 / seconds
    );
    let game = session("gridlok", &wide);
    let seconds = |threads| {
        let runs = (0..3).map(|_| timed(2, || explore(&game, 300_000, threads)).1);
        runs.fold(f64::INFINITY, f64::min)
    };
    let (one, two) = (seconds(1), seconds(2));
    println!("two threads are {:.2} times as fast as one", one / two);
    if std::env::args().any(|argument| argument == "growth") {
        let game = session("gridlok", FILLING);
        for positions in [625_000, 1_250_000, 2_500_000, 5_000_000, 10_000_000] {
            report("filling 1 x 24", &game, positions, 1, 1);
        }
    }
}
