//! Relations between searches that must hold whatever the numbers are.

use crate::support::{answer, corpus, explore_with, find, session};
use gridbug::answer::{FindVerdict, Part, RemarkKind};
use gridbug::code::Status;
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

/// A game of two pieces, `a` and `b`, on a board of two cells.
fn two_pieces(variables: &str, a: &str, b: &str) -> String {
    format!(
        "game {{ board {{ dimensions {{1, 2}} image {{b.png}} }} {variables}\n\
         piece {{ name {{\"a\"}} image {{a.png}} onClick {{ {a} }} }}\n\
         piece {{ name {{\"b\"}} image {{b.png}} onClick {{ {b} }} }}\n\
         setup {{ place {{\"a\", 0, 0}} place {{\"b\", 0, 1}} }} }}"
    )
}

/// A number that is only counted or shown decides something after all: whether it becomes too large.
#[test]
fn an_error_of_a_variable_that_decides_nothing_else_is_found() {
    for (variables, a, b, length) in [
        // The eighth click: 2147483640 + 8 is 2^31.
        ("def n {2147483640}", "n {n + 1}", "", 8),
        ("def n {0}", "n {n + 1000000000}", "", 3),
        ("def n {0}", "n {n - 1500000000}", "", 2),
        // Doubled through another variable, from 1 to 2^31.
        ("def n {1} def m {1}", "m {n} n {n + m}", "", 31),
        ("def n {0}", "n {2147483647}", "print {n + 1}", 2),
        (
            "def n {0} def m {0}",
            "n {2000000000} m {n}",
            "m {m + n}",
            2,
        ),
        // A list has items of one type.
        ("def l {,}", "l {1}", "l {\"x\"}", 2),
        ("def l {,} def t {\"x\"}", "l {1}", "l {t}", 2),
    ] {
        let mut session = session("gridlok", &two_pieces(variables, a, b));
        let found = find(&mut session, "error");
        let result = (found.verdict, found.length);
        assert_eq!(result, (FindVerdict::Found, Some(length)), "{a} {b}");
        // A list grows in every game, so `:check` would end at its limit.
        if variables.contains("l {") {
            continue;
        }
        let checked = crate::support::check(&mut session, "");
        let mut remarks = checked.remarks.iter();
        let has_error = remarks.any(|remark| remark.kind == RemarkKind::Error);
        assert!(has_error, "{a} {b}: {checked:?}");
    }
}

/// What stays small for hundreds of thousands of moves, and what keeps its type, is still left out.
#[test]
fn counters_and_lists_that_decide_nothing_are_left_out() {
    for (variables, a, b) in [
        ("def n {0}", "n {n + 1}", "print {n + 1}"),
        ("def n {0} def m {5}", "n {m - 3}", "m {n + 1}"),
        ("def n {0}", "for i(0, 10) { n {n + 100} }", "n {0}"),
        ("def l {,}", "l {1}", "l {pieceCol}"),
        ("def l {,} def n {0}", "l {n}", "n {n + 1} l {n + 2}"),
        ("def t {\"\"}", "t {\"yes\"}", "print {t}"),
    ] {
        let mut session = session("gridlok", &two_pieces(variables, a, b));
        let found = find(&mut session, "error");
        assert_eq!(found.verdict, FindVerdict::Never, "{a} {b}");
        assert_eq!(found.extent.positions, 1, "{a} {b}");
    }
}

/// A condition that decides only what is printed makes no other position, but it decides which code runs.
#[test]
fn code_that_only_prints_is_found_and_its_conditions_are_checked() {
    let text = two_pieces(
        "def n {0}",
        "n {n + 1}\n if n == 3 {\n print {\"three\"}\n }",
        "n {0}",
    );
    let line = text.lines().position(|l| l.contains("three")).unwrap() + 1;
    let mut counting = session("gridlok", &text);
    assert_eq!(find(&mut counting, &format!("line {line}")).length, Some(3));
    assert_eq!(find(&mut counting, "print \"three\"").length, Some(3));
    // The counter still makes no position for other questions.
    let found = find(&mut counting, "error");
    assert_eq!(
        (found.verdict, found.extent.positions),
        (FindVerdict::Never, 1)
    );
    // Whose turn it is decides only what is printed.
    let text = "Layout(1, 2) { Player ann, bob; ann.position = (0,0) }\n\
                gameLoop() {\n  if (p == ann) {\n    print(\"hi ann\")\n  }\n}\n";
    let mut greeting = session("gridlang", text);
    assert_eq!(find(&mut greeting, "line 4").length, Some(1));
    let checked = crate::support::check(&mut greeting, "");
    let mut remarks = checked.remarks.iter();
    let never = remarks.find(|r| r.kind == RemarkKind::NeverTrue);
    assert_eq!(never, None);
}
