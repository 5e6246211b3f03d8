//! Relations between searches that must hold whatever the numbers are.

use crate::support::{answer, corpus, explore_with, find, session};
use gridbug::code::Status;
use gridbug::debugger::api::{FindVerdict, Part};
use gridbug::explorer::{Exploration, PositionId, Scope, SearchLimits};
use std::collections::BTreeMap;

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

/// Two players fill a board; a player who fills a line wins.
fn filling(rows: u32, cols: u32, line: &str) -> String {
    let sample = include_str!("../../src/languages/gridlok/info/sample.gl");
    let (start, rest) = sample.split_once("  winCondition {").unwrap();
    let (_, draw) = rest.split_once("  drawCondition {").unwrap();
    let start = start.replace("{3, 3}", &format!("{{{rows}, {cols}}}"));
    format!("{start}  winCondition {{ {line} }}\n  drawCondition {{{draw}")
}

/// How many positions there are with this number of moves, status and player.
fn histogram(game: &Exploration) -> BTreeMap<(usize, String), usize> {
    let mut counts = BTreeMap::new();
    for id in 0..game.position_count() as PositionId {
        let info = game.info(id);
        let standing = format!("{:?} {:?}", info.status(), info.player());
        *counts.entry((game.depth(id), standing)).or_default() += 1;
    }
    counts
}

#[test]
fn a_turned_board_has_the_same_positions() {
    let rows = "for r(0, rows) { def line {true} for p in row(r) { line {line AND mine {p}} } win {win OR line} }";
    let cols = "for c(0, cols) { def line {true} for p in col(c) { line {line AND mine {p}} } win {win OR line} }";
    let flat = crate::support::explore(&session("gridlok", &filling(2, 4, rows)));
    let tall = crate::support::explore(&session("gridlok", &filling(4, 2, cols)));
    assert!(flat.position_count() > 1000);
    assert_eq!(histogram(&flat), histogram(&tall));
    // The other direction is another game.
    let other = crate::support::explore(&session("gridlok", &filling(2, 4, cols)));
    assert_ne!(histogram(&flat), histogram(&other));
}

/// The distance that `:solve` tells.
fn solved_distance(session: &mut gridbug::session::Session) -> Option<u32> {
    let answer = answer(session, ":solve");
    answer.parts.iter().find_map(|part| match part {
        Part::Solve(result) => result.distance,
        _ => None,
    })
}

#[test]
fn find_the_graph_and_solve_agree_on_the_distance_of_a_win() {
    let mut compared = 0;
    for (language, file, text) in corpus() {
        let mut session = session(language, &text);
        let Ok(mut game) = Exploration::of(&session.target, &Scope::default()) else {
            continue;
        };
        let limits = SearchLimits {
            positions: 1500,
            threads: 1,
            ..SearchLimits::default()
        };
        let is_complete = explore_with(&mut game, limits).is_none();
        let won = |id: &PositionId| game.info(*id).status() == Status::Won;
        let ids = 0..game.position_count() as PositionId;
        let least = ids.clone().filter(won).map(|id| game.depth(id)).min();
        let has_chance = ids.clone().any(|id| game.info(id).is_chance());
        if !is_complete || least.is_none() {
            continue;
        }
        let found = find(&mut session, "win");
        assert_eq!(
            (found.verdict, found.length),
            (FindVerdict::Found, least),
            "{file}"
        );
        if game.players().len() < 2 && !has_chance {
            let distance = solved_distance(&mut session).map(|d| d as usize);
            assert_eq!(distance, least, "{file}");
            compared += 1;
        }
    }
    assert!(compared >= 2, "{compared}");
}

#[test]
fn questions_whose_answers_are_used_differently_are_not_the_same() {
    let game = |body: &str| {
        format!(
            "game G\ntype Board = Array(1,1) of Int\ntype Input = Int\n\
             result : Int\nresult = let p = input in while p < 5 do {body}\n"
        )
    };
    let found = |body: &str, goal: &str| {
        let mut session = crate::support::session("bogl", &game(body));
        crate::support::find(&mut session, goal)
    };
    // Only the answers after the first one can end the loop.
    let more = found("input + 1", "5 inputs 0..4");
    assert_eq!((more.verdict, more.length), (FindVerdict::Found, Some(2)));
    let same = found("input", "5 inputs 0..4");
    assert_eq!(same.verdict, FindVerdict::Never);
    // The start and the loop ask the same: one position, besides the values.
    assert_eq!(found("input", "9 inputs 0..9").extent.positions, 1 + 5);
    // What was asked before matters.
    let sum = found("input + p", "6 inputs 1..2");
    assert_eq!((sum.verdict, sum.length), (FindVerdict::Found, Some(3)));
}
