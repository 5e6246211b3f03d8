//! Searches while the program waits for an answer: the line that is found is played, undone and stepped
//! through like one of clicks.

use crate::support::{WALK, answer, entries, find, sample, session};
use gridbug::answer::{FindVerdict, Part, TimelineBranch};
use gridbug::command::open_game;
use gridbug::debugger::history;
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::session::{Session, to_plain_text};
use std::rc::Rc;

const TIC_TAC_TOE: &str = include_str!("../../sessions/bogl/tic-tac-toe.bgl");

fn type_lines(session: &mut Session, lines: &[&str]) {
    for line in lines {
        let answer = answer(session, line);
        assert!(answer.ok, "{line}: {answer:?}");
    }
}

fn text_of(session: &mut Session, line: &str) -> String {
    let answer = answer(session, line);
    to_plain_text(session, &answer).join("\n")
}

fn redone(session: &mut Session) -> Vec<String> {
    let answer = answer(session, ":redo");
    let redone = answer.parts.into_iter().find_map(|part| match part {
        Part::Redone { entries } => Some(entries),
        _ => None,
    });
    redone.unwrap_or_default()
}

fn branches(session: &Session) -> Vec<TimelineBranch> {
    history::describe_timeline(&session.target).branches
}

/// Finds a goal at an open question, redoes the line one answer at a time, and undoes it.
fn plays_and_undoes(session: &mut Session, goal: &str) {
    let question = session.target.question();
    assert!(question.is_some());
    let before = session.target.machine.checkpoint();
    let timeline = history::describe_timeline(&session.target);
    let found = find(session, goal);
    assert_eq!(found.verdict, FindVerdict::Found);
    assert!(found.branch.is_some() && found.redo, "{found:?}");
    let now = session.target.machine.checkpoint();
    assert_eq!(now.first_difference(&before), None);
    assert_eq!(session.target.question(), question);
    let mut after = history::describe_timeline(&session.target);
    assert_eq!(after.branches.len(), timeline.branches.len() + 1);
    after.branches.clone_from(&timeline.branches);
    assert_eq!(after, timeline);
    let line: Vec<String> = entries(&found).iter().map(|e| e.to_string()).collect();
    let mut states = vec![before];
    for entry in &line {
        let redone = redone(session);
        // A turn and its first answer are one move.
        assert!(
            redone == [entry.clone()] || redone == [":turn"],
            "{redone:?} for {entry}"
        );
        states.push(session.target.machine.checkpoint());
    }
    assert_eq!(redone(session), [""; 0]);
    for (entry, state) in line.iter().zip(&states).rev() {
        let undone = text_of(session, ":undo");
        assert!(undone.starts_with("undone: "), "{undone} for {entry}");
        let now = session.target.machine.checkpoint();
        assert_eq!(now.first_difference(state), None, "before {entry}");
    }
    assert_eq!(session.target.question(), question);
}

#[test]
fn answers_of_bogl_are_redone_one_by_one_to_the_goal() {
    let mut session = session("bogl", TIC_TAC_TOE);
    type_lines(&mut session, &["play(X, empty)", "(1,1)"]);
    plays_and_undoes(&mut session, "Tie");
    // At the end of the line the value of the game is shown.
    assert!(text_of(&mut session, ":redo 8").contains("Tie"));
    assert!(session.target.machine.is_idle());
}

#[test]
fn answers_of_gridlang_are_redone_one_by_one_to_the_goal() {
    let mut walk = session("gridlang", WALK);
    type_lines(&mut walk, &[":turn"]);
    plays_and_undoes(&mut walk, "win");
    text_of(&mut walk, ":redo 3");
    assert_eq!(walk.target.progress().status.as_str(), "won");
    // A turn of two questions, at the first and at the second.
    let two = WALK.replace(
        "if (way == \"east\")",
        "string sure = prompt(\"sure? \", string)\n    if (sure != \"yes\") repeat\n    if (way == \"east\")",
    );
    for lines in [&[":turn"][..], &[":turn", "east"]] {
        let mut walk = session("gridlang", &two);
        type_lines(&mut walk, lines);
        plays_and_undoes(&mut walk, "win");
    }
}

#[test]
fn the_line_of_a_game_that_has_not_started_has_one_entry_per_move() {
    let mut session = session("bogl", TIC_TAC_TOE);
    let start = session.target.machine.checkpoint();
    let found = find(&mut session, "Tie in play(X, empty)");
    assert_eq!(found.length, Some(9));
    assert_eq!(redone(&mut session), ["play(X, empty)"]);
    for entry in entries(&found).iter().skip(1) {
        assert_eq!(redone(&mut session), [entry.to_string()]);
    }
    assert!(session.target.machine.is_idle());
    text_of(&mut session, ":undo 9");
    let now = session.target.machine.checkpoint();
    assert_eq!(now.first_difference(&start), None);
}

#[test]
fn the_line_can_be_stepped_and_asked_about() {
    let mut session = session("bogl", TIC_TAC_TOE);
    type_lines(&mut session, &["play(X, empty)", "(1,1)"]);
    find(&mut session, "Tie");
    assert!(
        !answer(&mut session, ":step").ok,
        "nothing has been answered yet"
    );
    let question = session.target.machine.checkpoint();
    type_lines(&mut session, &[":redo", ":undo"]);
    let step = answer(&mut session, ":step");
    assert!(step.stop.is_some(), "{step:?}");
    // Going on leads to the end of the line, and back to the question from there.
    let end = answer(&mut session, ":continue");
    assert!(session.target.machine.is_idle(), "{end:?}");
    type_lines(&mut session, &[":undo 8"]);
    let now = session.target.machine.checkpoint();
    assert_eq!(now.first_difference(&question), None);
    type_lines(&mut session, &[":redo"]);
    let back = answer(&mut session, ":reverse-step");
    assert!(back.stop.is_some());
    let forward = answer(&mut session, ":goto end");
    assert!(session.target.machine.is_idle(), "{forward:?}");
    // In GridLang, `why` explains what a redone answer did.
    let mut walk = super::support::session("gridlang", WALK);
    type_lines(&mut walk, &[":turn"]);
    find(&mut walk, "win");
    type_lines(&mut walk, &[":redo"]);
    let why = text_of(&mut walk, ":why ann.position");
    assert!(why.contains("(0,1)") || why.contains("col"), "{why}");
}

#[test]
fn an_answer_typed_on_the_line_is_an_entry_of_its_own() {
    let mut session = session("bogl", TIC_TAC_TOE);
    type_lines(&mut session, &["play(X, empty)", "(1,1)"]);
    find(&mut session, "Tie");
    type_lines(&mut session, &[":redo", ":redo"]);
    let before = session.target.machine.checkpoint();
    let typed = text_of(&mut session, "(3,3)");
    assert!(
        typed.contains("The rest of the line that was found is kept as branch"),
        "{typed}"
    );
    let after = session.target.machine.checkpoint();
    // Another answer; both are undone one by one.
    type_lines(&mut session, &["(2,3)", ":undo"]);
    assert_eq!(
        session.target.machine.checkpoint().first_difference(&after),
        None
    );
    type_lines(&mut session, &[":undo"]);
    assert_eq!(
        session
            .target
            .machine
            .checkpoint()
            .first_difference(&before),
        None
    );
    type_lines(&mut session, &[":redo 2", ":abandon"]);
    assert!(session.target.machine.is_idle());
    assert_eq!(redone(&mut session), ["play(X, empty)"]);
    assert_eq!(redone(&mut session).len(), 1);
}

#[test]
fn a_search_at_an_undone_question_keeps_the_answers_after_it() {
    let mut session = session("bogl", TIC_TAC_TOE);
    type_lines(&mut session, &["play(X, empty)"]);
    find(&mut session, "Tie");
    type_lines(&mut session, &[":redo 9"]);
    let end = session.target.machine.checkpoint();
    type_lines(&mut session, &[":undo 4"]);
    let before = history::describe_timeline(&session.target);
    let found = find(&mut session, "X");
    assert!(found.branch.is_some() && !found.redo);
    type_lines(&mut session, &[":solve turn p"]);
    let mut after = history::describe_timeline(&session.target);
    after.branches.clear();
    assert_eq!(after, before);
    type_lines(&mut session, &[":redo 4"]);
    assert_eq!(
        session.target.machine.checkpoint().first_difference(&end),
        None
    );
}

#[test]
fn switching_branches_at_a_question_leads_to_the_end_of_the_branch_and_back() {
    let mut session = session("bogl", TIC_TAC_TOE);
    type_lines(&mut session, &["play(X, empty)", "(1,1)"]);
    let question = session.target.question();
    let before = session.target.machine.checkpoint();
    let branch = find(&mut session, "Tie").branch.unwrap();
    let line = format!(":branches {branch}");
    let there = answer(&mut session, &line);
    assert!(there.ok && there.question.is_none(), "{there:?}");
    assert!(session.target.machine.is_idle());
    // The game that was left waits at its question.
    let back = answer(&mut session, &line);
    assert_eq!(
        (back.question, session.target.question()),
        (question.clone(), question)
    );
    assert_eq!(
        session
            .target
            .machine
            .checkpoint()
            .first_difference(&before),
        None
    );
    type_lines(&mut session, &["(2,2)"]);
    assert!(session.target.is_waiting_for_input());
}

#[test]
fn an_answer_that_fails_leads_back_to_its_question() {
    let game = "game Division\ntype Board = Array(1,1) of Int\ntype Input = Int\n\
                sum : Int -> Int\nsum(n) = if n > 20 then n else sum(n + 12 / input)\n";
    let mut session = session("bogl", game);
    type_lines(&mut session, &["sum(0)"]);
    let error = find(&mut session, "error inputs 0..2");
    assert_eq!(error.length, Some(1));
    assert_eq!(error.branch, None, "the failing answer is not kept");
    let found = find(&mut session, "24 inputs 0..2");
    assert_eq!((found.verdict, found.length), (FindVerdict::Found, Some(2)));
    type_lines(&mut session, &[":redo"]);
    let before = session.target.machine.checkpoint();
    session.target.debugger.stops_on_program_errors = false;
    let failed = answer(&mut session, "0");
    assert!(!failed.ok && failed.question.is_some(), "{failed:?}");
    assert_eq!(
        session
            .target
            .machine
            .checkpoint()
            .first_difference(&before),
        None
    );
    // The line is still ahead.
    assert_eq!(redone(&mut session), ["1"]);
}

#[test]
fn a_reload_gives_the_redone_answers_again() {
    let host = Rc::new(MemoryHost::new());
    host.set_file("walk.grid", WALK);
    let language = languages::by_name("gridlang").unwrap();
    let mut session = Session::with_host(language, 1, host.clone());
    assert!(open_game(&mut session, "walk.grid").ok);
    type_lines(&mut session, &[":turn"]);
    find(&mut session, "ann.position == (0,2)");
    type_lines(&mut session, &[":redo 2"]);
    let before = session.target.full_view();
    let reply = text_of(&mut session, ":reload");
    assert!(reply.contains("All replies are the same"), "{reply}");
    assert_eq!(session.target.full_view(), before);
    // A session file finds and redoes the line again.
    let saved = text_of(&mut session, ":save walk.session");
    assert!(!saved.contains("warning"), "{saved}");
}

#[test]
fn a_search_leaves_branches_of_undone_moves_where_they_are() {
    let mut session = sample("gridlok");
    type_lines(
        &mut session,
        &[
            "click{0,0}",
            "click{1,1}",
            "click{2,2}",
            ":undo",
            "click{0,2}",
            ":undo 2",
        ],
    );
    let before = branches(&session);
    assert_eq!(before.len(), 1);
    let found = find(&mut session, "win");
    let after = branches(&session);
    assert_eq!(after.len(), 2);
    assert_eq!(after[..1], before[..]);
    // The search before the last one is replaced, the history that was left is not.
    type_lines(
        &mut session,
        &[&format!(":branches {}", found.branch.unwrap())],
    );
    let left = branches(&session).len();
    find(&mut session, "stuck");
    find(&mut session, "draw");
    assert!(branches(&session).len() >= left);
}
