//! Questions about a game change nothing in it: the state, the history, what `:undo` and `:redo` do.

use crate::support::{answer, fingerprint, sample, session};
use gridbug::session::Session;

/// Every command that searches, with and without an answer, and wrong ones. `:find` comes last: it keeps
/// the line that it has found as a branch.
const COMMANDS: &[&str] = &[
    ":moves",
    ":moves all",
    ":solve",
    ":solve moves",
    ":hint",
    ":stats",
    ":stats 10",
    ":check",
    ":coverage",
    ":coverage search",
    ":coverage 3 games",
    ":coverage off",
    ":properties",
    ":opponent",
    ":why not win",
    ":why not draw",
    ":rejudge missing.session",
    ":moves many",
    ":stats none",
    ":solve soon",
    ":check within 3",
    ":opponent nobody",
    ":vary missing 0..3 1 == 1",
    ":find",
    ":find win within 0",
    ":find win ignoring missing",
    ":find 1 == 2",
];

/// Types the commands, each of which must leave everything as it is.
fn assert_unchanged(session: &mut Session, further: &[&str]) {
    let before = fingerprint(session);
    for command in COMMANDS.iter().chain(further) {
        answer(session, command);
        let after = fingerprint(session);
        assert_eq!(
            after.state.first_difference(&before.state),
            None,
            "{command}"
        );
        assert_eq!(after.history, before.history, "{command}");
    }
}

#[test]
fn no_question_changes_a_game_of_gridlok() {
    let mut session = sample("gridlok");
    session.explorer.limits.positions = 600;
    for line in ["click{0,0}", "click{1,1}", "click{2,2}", ":undo"] {
        answer(&mut session, line);
    }
    assert_unchanged(&mut session, &[":vary turnCount 0..3 turnCount == 2"]);
    let state = fingerprint(&mut session).state;
    answer(&mut session, ":redo");
    assert_eq!(session.target.progress().turn_count, Some(3));
    answer(&mut session, ":undo");
    let again = fingerprint(&mut session).state;
    assert_eq!(again.first_difference(&state), None);
    answer(&mut session, ":undo");
    assert_eq!(session.target.progress().turn_count, Some(1));
}

#[test]
fn a_found_line_is_only_a_branch() {
    let mut session = sample("gridlok");
    answer(&mut session, "click{0,0}");
    let before = fingerprint(&mut session);
    answer(&mut session, ":find win");
    let after = fingerprint(&mut session);
    assert_eq!(after.state.first_difference(&before.state), None);
    assert_eq!(
        after.history.0, before.history.0,
        "the number of the next entry"
    );
    answer(&mut session, ":undo");
    assert_eq!(session.target.progress().turn_count, Some(0));
}

#[test]
fn no_question_changes_a_level_of_sgl2d() {
    let mut maze = session("sgl2d", include_str!("../../sessions/sgl2d/maze.sgl2d"));
    for line in ["right", "right", ":undo"] {
        answer(&mut maze, line);
    }
    assert_unchanged(&mut maze, &[":find moves == 900"]);
    assert!(answer(&mut maze, ":redo").ok);
}

#[test]
fn no_question_changes_a_game_of_gridlang() {
    let mut race = sample("gridlang");
    for line in [":turn", ":turn", ":undo"] {
        answer(&mut race, line);
    }
    assert_unchanged(&mut race, &[":find ann.throws == 9 within 3"]);
    assert!(answer(&mut race, ":redo").ok);
}

#[test]
fn no_question_changes_a_game_of_bogl() {
    let game = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let mut game = session("bogl", game);
    game.explorer.limits.positions = 600;
    answer(&mut game, "let n = 3");
    let with_turn = [
        ":hint turn p",
        ":stats 3 turn p",
        ":find win within 3 turn p",
    ];
    assert_unchanged(&mut game, &with_turn);
    assert!(answer(&mut game, ":undo").ok);
}

#[test]
fn no_question_changes_a_program_of_tinygame() {
    let mut valley = sample("tinygame");
    let vary = ":vary knight.x 0..9 knight.health > 0";
    assert_unchanged(&mut valley, &[vary]);
}
