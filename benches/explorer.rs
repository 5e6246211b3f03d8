//! The explorer: actions per second, bytes per position, and what threads gain.
//!
//! `cargo bench --bench explorer` prints a table. The targets are on one idle core: 300,000 actions per
//! second and at most 64 bytes per position on 3 x 3 rules; a million positions in 10 s and 150 MB;
//! find, solve and stats of tic-tac-toe in 0.3 s; two threads at least 1.7 times as fast as one.

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
    exploration.expand_all(&mut control);
    (exploration, start.elapsed().as_secs_f64())
}

fn report(name: &str, session: &Session, positions: usize, threads: usize) -> f64 {
    let (found, seconds) = explore(session, positions, threads);
    println!(
        "{name:<28} {threads} thread(s)  {:>9} positions  {:>10} actions  {seconds:>7.2} s  {:>9.0} actions/s  {:>4} bytes/position",
        found.position_count(),
        found.action_count(),
        found.action_count() as f64 / seconds,
        found.memory_bytes() / found.position_count().max(1),
    );
    seconds
}

fn main() {
    let tic_tac_toe = include_str!("../src/languages/gridlok/info/sample.gl");
    let game = session("gridlok", tic_tac_toe);
    report("tic-tac-toe 3 x 3", &game, usize::MAX, 1);
    let start = Instant::now();
    let mut game = session("gridlok", tic_tac_toe);
    for line in [":find win", ":solve", ":stats"] {
        assert!(handle_line(&mut game, line).ok);
    }
    println!(
        "find, solve and stats of tic-tac-toe: {:.3} s",
        start.elapsed().as_secs_f64()
    );
    let wide = tic_tac_toe.replace("dimensions {3, 3}", "dimensions {4, 4}");
    let game = session("gridlok", &wide);
    let one = report("tic-tac-toe 4 x 4", &game, 1_000_000, 1);
    let two = report("tic-tac-toe 4 x 4", &game, 1_000_000, 2);
    println!("two threads are {:.2} times as fast as one", one / two);
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
        report(name, &session(language, text), 200_000, 1);
    }
}
