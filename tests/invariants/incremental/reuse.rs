//! What is reused and what is not.

use super::comparison::Pair;
use super::games::Game;
use gridbug::languages;
use gridbug::machine::{IncrementalCounts, MIN_INCREMENTAL_CELLS};
use gridbug::session::Session;
use gridbug::session::session_file::{ProgramRef, SessionFile, SessionItem};
use std::path::Path;

/// What was reused and executed since `before`.
fn counts_since(pair: &Pair, before: IncrementalCounts) -> IncrementalCounts {
    let now = pair.incremental.target.machine.incremental_counts();
    IncrementalCounts {
        reused: now.reused - before.reused,
        remembered: now.remembered - before.remembered,
    }
}

/// Plays a click that follows two others, and counts.
fn third_click(pair: &mut Pair) -> IncrementalCounts {
    pair.play(&[
        "click {0, 0}",
        "click {1, 1}",
        "click {4, 5}",
        "click {7, 8}",
    ])
    .expect("the games should agree");
    let before = pair.incremental.target.machine.incremental_counts();
    pair.enter("click {6, 3}").expect("the games should agree");
    counts_since(pair, before)
}

#[test]
fn a_click_executes_only_the_rows_and_columns_that_changed() {
    let mut pair = Pair::start(&Game::lines(20).text);
    let counts = third_click(&mut pair);
    // One row and one column for `win`, one row each for `lose` and `draw`.
    assert_eq!(counts.remembered, 4);
    assert_eq!(counts.reused, 4 * 19);
}

#[test]
fn a_click_on_a_large_board_looks_at_groups() {
    let mut pair = Pair::start(&Game::lines(96).text);
    let counts = third_click(&mut pair);
    assert_eq!(counts.remembered, 4);
    // In each loop two whole groups, and the other rows of the third.
    assert_eq!(counts.reused, 4 * (2 + 31));
}

#[test]
fn undo_makes_only_what_differs_be_executed_again() {
    let mut pair = Pair::start(&Game::lines(20).text);
    third_click(&mut pair);
    pair.enter(":undo").expect("the games should agree");
    let before = pair.incremental.target.machine.incremental_counts();
    pair.enter("click {9, 9}").expect("the games should agree");
    // Two rows and two columns.
    assert_eq!(counts_since(&pair, before).remembered, 8);
}

/// A game whose `winCondition` calls the function `taken` for every cell.
fn lines_with_helper() -> String {
    let helper = "fun taken(p) { return p.name == \"X\" }\n setup {";
    Game::lines(20)
        .text
        .replace("setup {", helper)
        .replace("line AND p.name == \"X\"", "line AND (taken {p})")
}

#[test]
fn functions_with_breakpoints_and_their_callers_run_as_they_are() {
    let mut pair = Pair::start(&lines_with_helper());
    assert_eq!(third_click(&mut pair).reused, 4 * 19);
    // It is never hit, but it is in a function that the units of `winCondition` call.
    pair.enter(":break taken if turnCount > 1000")
        .expect("the games should agree");
    let before = pair.incremental.target.machine.incremental_counts();
    pair.enter("click {9, 9}").expect("the games should agree");
    assert_eq!(counts_since(&pair, before).reused, 2 * 19);
    pair.play(&[":delete", "click {9, 10}"])
        .expect("the games should agree");
    let before = pair.incremental.target.machine.incremental_counts();
    pair.enter("click {9, 11}").expect("the games should agree");
    assert_eq!(counts_since(&pair, before).reused, 4 * 19);
}

#[test]
fn a_redefined_helper_is_noticed() {
    let mut pair = Pair::start(&lines_with_helper());
    third_click(&mut pair);
    pair.play(&[
        "fun taken(p) { return p.name == \"free\" }",
        "click {9, 9}",
        "turn",
        "win",
    ])
    .expect("the games should agree");
    let won = gridbug::command::handle_line(&mut pair.incremental, "win");
    let won = gridbug::protocol::answer_to_json_text(&pair.incremental, &won);
    assert!(won.contains("true"), "a free row should win: {won}");
}

#[test]
fn small_boards_are_not_worth_it() {
    let side = (MIN_INCREMENTAL_CELLS as f64).sqrt() as usize;
    for (side, is_reused) in [(side - 1, false), (side, true)] {
        let mut session = Session::new(languages::ALL[0], 7);
        assert!(session.load("game", &Game::lines(side).text).ok);
        for n in 0..4 {
            gridbug::command::handle_line(&mut session, &format!("click {{{n}, {n}}}"));
        }
        let reused = session.target.machine.incremental_counts().reused;
        assert_eq!(reused > 0, is_reused, "side {side}");
    }
}

/// The session files of all languages, without commands that depend on real time or on files.
#[test]
fn session_files_of_all_languages_agree() {
    let mut pending = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions")];
    let mut lines = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("sessions are readable");
            pending.extend(entries.map(|e| e.expect("sessions are readable").path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("sessions are readable");
        let Ok(file) = SessionFile::parse(&text) else {
            continue;
        };
        let language = languages::by_name(&file.language).expect("the language exists");
        let program = match &file.program {
            ProgramRef::Inline { text, .. } => text.as_str(),
            _ => language.info().sample,
        };
        let mut pair = Pair::start_in(language, program);
        for item in &file.items {
            if let SessionItem::Input(input) = item
                && !is_left_out(&input.text)
            {
                pair.enter(&input.text)
                    .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                lines += 1;
            }
        }
    }
    assert!(lines > 300, "only {lines} lines were compared");
}

fn is_left_out(line: &str) -> bool {
    const LEFT_OUT: [&str; 14] = [
        "find", "solve", "hint", "stats", "moves", "load", "reload", "save", "test", "lesson",
        "record", "resume", "edit", "rejudge",
    ];
    let command = line.trim_start().trim_start_matches(':');
    LEFT_OUT
        .iter()
        .any(|left_out| command.starts_with(left_out))
}
