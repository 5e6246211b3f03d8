//! The number of threads has no influence on any answer.

use crate::support::{answer, corpus, session};
use gridbug::explorer::{Exploration, PositionId, Scope, SearchControl, SearchLimits};
use gridbug::session::Session;
use std::time::{Duration, Instant};

/// Explores as far as a limit allows.
fn explore(session: &Session, limits: SearchLimits) -> Option<Exploration> {
    let mut game = Exploration::of(&session.target, &Scope::default()).ok()?;
    let start = Instant::now();
    let now = || start.elapsed();
    let mut report = |_| {};
    let limits = SearchLimits {
        time: Duration::from_secs(600),
        ..limits
    };
    let mut control = SearchControl::new(limits, &now, Default::default(), &mut report);
    game.expand_all(&mut control);
    Some(game)
}

fn assert_same(one: &Exploration, two: &Exploration, name: &str) {
    assert_eq!(one.position_count(), two.position_count(), "{name}");
    assert_eq!(one.action_count(), two.action_count(), "{name}");
    assert_eq!(one.memory_bytes(), two.memory_bytes(), "{name}");
    assert_eq!(one.complete_depth(), two.complete_depth(), "{name}");
    assert_eq!(one.failures(), two.failures(), "{name}");
    for id in 0..one.position_count() as PositionId {
        assert_eq!(one.bytes(id), two.bytes(id), "{name}, position {id}");
        assert_eq!(one.info(id), two.info(id), "{name}, position {id}");
        assert!(one.edges(id).eq(two.edges(id)), "{name}, position {id}");
    }
}

#[test]
fn two_threads_find_exactly_what_one_finds_in_all_games() {
    let mut in_threads = 0;
    for (language, file, text) in corpus() {
        let session = session(language, &text);
        let explore = |threads| {
            let limits = SearchLimits {
                positions: 2500,
                threads,
                ..SearchLimits::default()
            };
            explore(&session, limits)
        };
        if let (Some(one), Some(two)) = (explore(1), explore(2)) {
            assert_same(&one, &two, &file);
            in_threads += usize::from(one.position_count() > 2000);
        }
    }
    // Small games do not use threads.
    assert!(in_threads >= 6, "{in_threads}");
}

#[test]
fn a_memory_limit_is_reached_at_the_same_position_with_two_threads() {
    let text = include_str!("../../src/languages/gridlok/info/sample.gl")
        .replace("dimensions {3, 3}", "dimensions {4, 4}");
    let session = session("gridlok", &text);
    /// Enough for two threads.
    const LIMIT_BYTES: u64 = 2_200_000;
    let explore = |threads| {
        let limits = SearchLimits {
            memory_bytes: LIMIT_BYTES,
            threads,
            ..SearchLimits::default()
        };
        explore(&session, limits).unwrap()
    };
    let (one, two) = (explore(1), explore(2));
    assert!(!one.is_complete() && one.position_count() > 4000);
    // An eighth is for threads; the index of positions would need more if it grew again.
    let used = one.memory_bytes();
    assert!(
        (LIMIT_BYTES / 2..LIMIT_BYTES).contains(&(used as u64)),
        "{used}"
    );
    assert_same(&one, &two, "tic-tac-toe 4 x 4");
}

#[test]
fn answers_are_the_same_with_one_to_eight_threads() {
    let wide = include_str!("../../src/languages/gridlok/info/sample.gl")
        .replace("dimensions {3, 3}", "dimensions {3, 4}");
    let answers = |threads| {
        let mut session = session("gridlok", &wide);
        session.explorer.limits.threads = threads;
        session.explorer.limits.positions = 6000;
        let lines = [":find win for o", ":find turn == \"o\" count 3", ":solve"];
        lines.map(|line| answer(&mut session, line))
    };
    let one = answers(1);
    for threads in 2..=8 {
        assert_eq!(answers(threads), one, "{threads} threads");
    }
}
