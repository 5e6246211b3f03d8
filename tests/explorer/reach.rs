//! `:why not win` says whether a win can be reached.

use crate::support::{answer, sample, session};
use gridbug::answer::{Part, ProgressListener, Reachability};
use gridbug::render::AnswerText;
use gridbug::session::{Answer, Session};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn reachability(session: &mut Session, line: &str) -> Option<Reachability> {
    let answer = answer(session, line);
    assert!(answer.ok, "{line}: {}", answer.text());
    answer.parts.into_iter().find_map(|part| match part {
        Part::Reachability(reachability) => Some(reachability),
        _ => None,
    })
}

#[test]
fn a_win_that_can_be_reached_is_shown_with_its_moves() {
    let mut session = sample("gridlok");
    let Some(Reachability::Found { moves, .. }) = reachability(&mut session, ":why not win") else {
        panic!("not found");
    };
    assert_eq!(moves.len(), 5);
    let text = answer(&mut session, ":why not win").text();
    assert!(
        text.contains("win is reachable in 5 moves: click{0,0}"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_reached_is_only_said_after_all_positions() {
    let mut session = sample("gridlok");
    let drawn = "click{0,0} click{0,2} click{0,1} click{1,0} click{1,2} click{1,1} click{2,0}";
    answer(&mut session, drawn);
    // Two cells are left, and no line is open for either player.
    let never = reachability(&mut session, ":why not win");
    // One of two moves, then the only one left: five positions.
    let expected = Reachability::Never {
        goal: "win".into(),
        positions: 5,
    };
    assert_eq!(never, Some(expected));
    let found = reachability(&mut session, ":why not draw");
    assert!(
        matches!(&found, Some(Reachability::Found { moves, .. }) if moves.len() == 2),
        "{found:?}"
    );
}

/// Every click counts up; three clicks win.
const COUNTER: &str = r#"board { dimensions {1, 1} image {b.png} }
players {"p"}
def n {0}
piece { name {"a"} image {a.png} onClick { n {n + 1} endTurn {} } }
setup { place {"a", 0, 0} }
winCondition { win {n == 3} }
loseCondition { lose {n < 0} }
"#;

#[test]
fn a_search_that_does_not_fit_the_budget_says_so() {
    let mut session = session("gridlok", COUNTER);
    let last_line = |session: &mut Session, line: &str| {
        let text = answer(session, line).text();
        text.lines().last().unwrap().to_string()
    };
    assert_eq!(
        last_line(&mut session, ":why not win"),
        "win is reachable in 3 moves: click{0,0} click{0,0} click{0,0}"
    );
    assert_eq!(
        last_line(&mut session, ":why not lose"),
        "lose is not reachable from here: searched all 4 positions"
    );
    // From here on, n only grows, and there is no end of positions.
    answer(&mut session, "n {4}");
    for question in [":why not win", ":why not lose"] {
        let found = reachability(&mut session, question);
        assert!(
            matches!(found, Some(Reachability::Unknown { positions, .. }) if positions > 1000),
            "{found:?}"
        );
    }
    let text = last_line(&mut session, ":why not win");
    assert!(
        text.starts_with("not known whether win is reachable: searched "),
        "{text}"
    );
    assert!(text.ends_with(" positions; try `:find win`"), "{text}");
}

#[test]
fn nothing_is_searched_for_what_is_never_set() {
    let mut session = sample("gridlok");
    let text = answer(&mut session, ":why not lose").text();
    assert_eq!(text, "lose is false, and nothing ever sets it");
}

#[test]
fn the_win_of_a_player_can_be_asked_for() {
    let race = include_str!("../../sessions/gridlang/race.grid");
    let mut session = session("gridlang", race);
    let text = answer(&mut session, ":why not ann.win").text();
    assert!(text.contains("ann.win is"), "{text}");
}

#[test]
fn asking_why_not_changes_nothing() {
    let mut session = sample("gridlok");
    answer(&mut session, "click{0,0}");
    let before = session.target.machine.checkpoint();
    assert!(reachability(&mut session, ":why not win").is_some());
    let now = session.target.machine.checkpoint();
    assert_eq!(now.first_difference(&before), None);
    let branches = answer(&mut session, ":branches").text();
    assert_eq!(branches, "No alternative histories");
}

/// Presses Ctrl-C at the nth run of the rules.
struct InterruptAtRun {
    flag: Arc<AtomicBool>,
    runs_left: usize,
}

impl ProgressListener for InterruptAtRun {
    fn show(&mut self, _: &Answer) -> bool {
        true
    }

    fn show_search(&mut self, text: &str) {
        if text.starts_with("run ") {
            self.runs_left = self.runs_left.saturating_sub(1);
            self.flag.fetch_or(self.runs_left == 0, Ordering::Relaxed);
        }
    }
}

#[test]
fn why_not_says_that_it_was_interrupted() {
    let large = include_str!("../../src/languages/gridlok/info/sample.gl")
        .replace("dimensions {3, 3}", "dimensions {320, 320}");
    for runs_left in [1, 2, 5] {
        let mut session = session("gridlok", &large);
        answer(&mut session, "click{0,0}");
        let before = session.target.machine.checkpoint();
        let flag = session.target.machine.interrupt_flag();
        session.target.progress_listener = Some(Box::new(InterruptAtRun {
            flag: flag.clone(),
            runs_left,
        }));
        let text = answer(&mut session, ":why not win").text();
        assert!(text.contains("interrupted"), "{text}");
        assert!(!flag.load(Ordering::Relaxed));
        let now = session.target.machine.checkpoint();
        assert_eq!(now.first_difference(&before), None);
        // Without Ctrl-C, the next one is complete.
        session.target.progress_listener = None;
        let text = answer(&mut session, ":why not draw").text();
        assert!(!text.contains("interrupted"), "{text}");
    }
}
