//! What is left out of a position must not matter, threads must not either, and hostile games end in
//! "undecided" or in a finding.

use crate::support::{explore_with, find, sample, session};
use gridbug::debugger::api::{FindVerdict, SearchStop};
use gridbug::explorer::{
    Exploration, PositionId, Reductions, Scope, SearchControl, SearchLimits, StoppedBy,
};
use gridbug::session::Session;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Explores up to a number of moves.
fn explore_to_depth(session: &Session, reductions: Reductions, depth: usize) -> Exploration {
    let scope = Scope {
        reductions,
        ..Scope::default()
    };
    let mut exploration = Exploration::of(&session.target, &scope).unwrap();
    let start = Instant::now();
    let now = || start.elapsed();
    let mut report = |_| {};
    let limits = SearchLimits {
        time: Duration::from_secs(600),
        positions: 20_000,
        threads: 1,
        ..SearchLimits::default()
    };
    let mut control = SearchControl::new(limits, &now, Default::default(), &mut report);
    // The first layer is the start.
    for _ in 0..=depth {
        if exploration.is_complete() || exploration.expand_layer(&mut control).is_some() {
            break;
        }
    }
    exploration
}

/// For each way in which a game can stand, the least number of moves to it; and the errors.
fn summary(game: &Exploration, depth: usize) -> (BTreeMap<String, usize>, Vec<&'static str>) {
    let mut first = BTreeMap::new();
    for id in 0..game.position_count() as PositionId {
        let at = game.depth(id);
        if at <= depth {
            let standing = format!("{:?} {:?}", game.info(id).status(), game.info(id).player());
            let known = first.entry(standing).or_insert(at);
            *known = at.min(*known);
        }
    }
    let failures = game
        .failures()
        .iter()
        .filter(|f| game.depth(f.position) < depth);
    let mut codes: Vec<&str> = failures.map(|f| f.failure.code).collect();
    codes.sort_unstable();
    codes.dedup();
    (first, codes)
}

#[test]
fn each_reduction_leaves_the_same_ends_and_errors_in_the_corpus() {
    let games = [
        (
            "gridlok",
            include_str!("../../sessions/gridlok/lights-out.gl"),
            3,
        ),
        (
            "gridlok",
            include_str!("../../sessions/gridlok/minesweeper.gl"),
            2,
        ),
        (
            "gridlok",
            include_str!("../../src/languages/gridlok/info/sample.gl"),
            5,
        ),
        ("sgl2d", include_str!("../../sessions/sgl2d/fuse.sgl2d"), 5),
        (
            "sgl2d",
            include_str!("../../sessions/sgl2d/portals.sgl2d"),
            5,
        ),
        (
            "bogl",
            include_str!("../../src/languages/bogl/info/sample.bgl"),
            5,
        ),
        (
            "bogl",
            include_str!("../../sessions/bogl/tic-tac-toe.bgl"),
            3,
        ),
        (
            "gridlang",
            include_str!("../../sessions/gridlang/capture.grid"),
            2,
        ),
        (
            "gridlang",
            include_str!("../../src/languages/gridlang/info/sample.grid"),
            3,
        ),
    ];
    let all = Reductions::default();
    let variants = [
        Reductions {
            variables: false,
            ..all
        },
        Reductions {
            liveness: false,
            ..all
        },
        Reductions {
            tail_frames: false,
            ..all
        },
        Reductions {
            ordinals: false,
            ..all
        },
    ];
    for (language, text, depth) in games {
        let session = session(language, text);
        let reduced = explore_to_depth(&session, all, depth);
        for variant in variants {
            let full = explore_to_depth(&session, variant, depth);
            let depth = depth
                .min(reduced.complete_depth())
                .min(full.complete_depth());
            let name = text.lines().next().unwrap_or("");
            assert_eq!(
                summary(&reduced, depth),
                summary(&full, depth),
                "{language}, {name}, {variant:?}, depth {depth}"
            );
        }
    }
}

#[test]
fn an_unread_counter_changes_nothing() {
    let plain = include_str!("../../src/languages/gridlok/info/sample.gl");
    let counting = plain
        .replace("fun mine(p) {", "def clicks {0}\n  fun mine(p) {")
        .replace("onClick { display", "onClick { clicks {clicks + 1} display");
    assert_ne!(plain, counting);
    let found = find(&mut session("gridlok", &counting), "lose");
    assert_eq!(
        (found.verdict, found.extent.positions),
        (FindVerdict::Never, 5478)
    );
    assert!(found.extent.ignored.contains(&"clicks".to_string()));
}

#[test]
fn two_threads_find_exactly_what_one_finds() {
    let wide = include_str!("../../src/languages/gridlok/info/sample.gl")
        .replace("dimensions {3, 3}", "dimensions {3, 4}");
    let session = session("gridlok", &wide);
    let explore = |threads| {
        let mut game = Exploration::of(&session.target, &Scope::default()).unwrap();
        let limits = SearchLimits {
            time: Duration::from_secs(600),
            threads,
            ..SearchLimits::default()
        };
        let start = Instant::now();
        let now = || start.elapsed();
        let mut report = |_| {};
        let mut control = SearchControl::new(limits, &now, Default::default(), &mut report);
        // Wide enough for threads to be used.
        while game.complete_depth() < 4 {
            assert_eq!(game.expand_layer(&mut control), None);
        }
        game
    };
    let (one, two) = (explore(1), explore(2));
    assert_eq!(one.position_count(), two.position_count());
    assert_eq!(one.action_count(), two.action_count());
    for id in 0..one.position_count() as PositionId {
        assert_eq!(one.info(id), two.info(id));
        assert!(one.edges(id).eq(two.edges(id)), "position {id}");
    }
}

/// A game of one piece with this handler.
fn one_piece(on_click: &str) -> String {
    format!(
        r#"game {{
  board {{ dimensions {{1, 1}} image {{b.png}} }}
  players {{"p"}}
  def n {{0}}
  piece {{ name {{"a"}} image {{a.png}} onClick {{ {on_click} endTurn {{}} }} }}
  setup {{ place {{"a", 0, 0}} }}
  winCondition {{ win {{n < 0}} }}
}}"#
    )
}

#[test]
fn a_counter_that_matters_leaves_the_search_undecided_and_is_named() {
    let text = one_piece("n {n + 1}");
    let mut session = session("gridlok", &text);
    session.explorer.limits.positions = 3000;
    let found = find(&mut session, "win");
    assert_eq!(found.verdict, FindVerdict::Unknown);
    assert_eq!(found.extent.stopped_by, Some(SearchStop::Memory));
    assert_eq!(found.extent.growing.map(|g| g.name), Some("n".to_string()));
    // Without it there is a single position, but that proves nothing.
    let ignoring = find(&mut session, "win ignoring n");
    assert_eq!(
        (ignoring.verdict, ignoring.extent.complete),
        (FindVerdict::Unknown, true)
    );
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
fn a_huge_board_ends_at_the_time_limit() {
    let text = include_str!("../../src/languages/gridlok/info/sample.gl")
        .replace("dimensions {3, 3}", "dimensions {300, 300}");
    // Only a real host has a clock.
    let language = gridbug::languages::by_name("gridlok").unwrap();
    let host = std::rc::Rc::new(gridbug::host::NativeHost::new());
    let mut session = Session::with_host(language, 1, host);
    assert!(session.load("game", &text).ok);
    session.explorer.limits.time = Duration::from_millis(300);
    let start = Instant::now();
    let found = find(&mut session, "lose");
    assert_eq!(found.verdict, FindVerdict::Unknown);
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn an_interrupt_ends_a_search_and_the_next_one_goes_on() {
    let session = sample("gridlok");
    let mut game = Exploration::of(&session.target, &Scope::default()).unwrap();
    let limits = SearchLimits {
        positions: 100,
        threads: 1,
        ..SearchLimits::default()
    };
    assert_eq!(explore_with(&mut game, limits), Some(StoppedBy::Memory));
    assert!(!game.is_complete());
    assert_eq!(explore_with(&mut game, SearchLimits::default()), None);
    assert_eq!(game.position_count(), 5478);
}
