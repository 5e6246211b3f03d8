//! Tests of the command table: what each command does to the session.

use super::*;
use crate::session::{AtInput, ComputerMoves, OnReload, Plays, RecordedIf, Records, Sets};
use std::collections::BTreeSet;

/// The names of the commands for which `holds`.
fn names(holds: impl Fn(&Command) -> bool) -> BTreeSet<&'static str> {
    all().filter(|c| holds(c)).map(|c| c.name).collect()
}

fn of(text: &'static str) -> BTreeSet<&'static str> {
    text.split_whitespace().collect()
}

/// The names of the commands under some headings of `:help`.
fn under(topics: &[Topic]) -> BTreeSet<&'static str> {
    names(|c| topics.contains(&c.topic))
}

#[test]
fn lines_about_the_session_are_not_saved() {
    let about_session = "load reload save edit fmt test history lang examples record resume tour \
                         lesson note predict help clear quit";
    assert_eq!(under(&[Topic::Session]), of(about_session));
    let never = "edit test resume help quit";
    let journal_only = "reload save fmt history lang examples record tour lesson predict clear";
    let records = |r| names(move |c| c.effects.records == r);
    assert_eq!(records(Records::Never), of(never));
    assert_eq!(records(Records::JournalOnly), of(journal_only));
    assert_eq!(
        &of(about_session) - &records(Records::Saved),
        &of(never) | &of(journal_only)
    );
    let recorded_if = |r| names(move |c| c.effects.recorded_if == r);
    assert_eq!(recorded_if(RecordedIf::Ok), of("note save"));
    assert_eq!(recorded_if(RecordedIf::KeepsGame), of("load"));
    assert_eq!(recorded_if(RecordedIf::HasValue), of("history"));
}

#[test]
fn commands_that_change_history_files_and_settings_are_known() {
    assert_eq!(
        names(|c| c.effects.moves_history),
        of("redo jump goto load reload tour")
    );
    assert_eq!(
        names(|c| c.effects.repeats),
        of("step next over iter se ss reverse-step reverse-next jump")
    );
    assert_eq!(names(|c| c.effects.loads_program), of("load reload"));
    assert_eq!(names(|c| c.effects.writes_files), of("save record fmt"));
    assert_eq!(
        names(|c| c.effects.must_be_typed),
        of("edit examples fmt lang lesson load record rejudge reload resume save test")
    );
    let setting = |s| names(move |c| c.effects.setting == s);
    assert_eq!(
        setting(Sets::Stops),
        &under(&[Topic::Breakpoints]) | &of("rules")
    );
    assert_eq!(setting(Sets::Display), of("display trace glyph mark"));
    assert_eq!(
        names(|c| c.effects.is_orientation),
        of("where when list program")
    );
    assert_eq!(
        names(|c| c.effects.only_shows),
        of(
            "cell check draws explain hint moves pieces print rejudge rounds solve state stats uses \
            vars vary whatis where why"
        )
    );
    let on_reload = |o| names(move |c| c.effects.on_reload == o);
    assert_eq!(
        on_reload(OnReload::Compared),
        &under(&[Topic::Running, Topic::Changing]) - &of("play")
    );
    let replayed = under(&[Topic::TimeTravel, Topic::Breakpoints]);
    assert_eq!(
        on_reload(OnReload::Replayed),
        &replayed | &of("frame up down find")
    );
}

#[test]
fn commands_that_work_at_a_question_are_known() {
    assert_eq!(
        names(|c| c.effects.at_prediction),
        of(
            "board breaks cell clear frame down glyph help history list marks note pieces \
            predict program quit state up vars view when where"
        )
    );
    let at_input = |a| names(move |c| c.effects.at_input == a);
    assert_eq!(at_input(AtInput::Cancels), of("abandon"));
    assert_eq!(at_input(AtInput::AfterAnswer), of("undo"));
    assert_eq!(at_input(AtInput::InPastAlone), of("step"));
    assert_eq!(
        at_input(AtInput::InPast),
        of("next finish over iter until continue")
    );
    let looking = under(&[
        Topic::Inspecting,
        Topic::Breakpoints,
        Topic::Exploring,
        Topic::TimeTravel,
    ]);
    assert_eq!(
        at_input(AtInput::Always),
        &(&looking - &of("undo")) | &of("help history quit rules")
    );
}

#[test]
fn commands_that_play_are_known() {
    let moves = |m| names(move |c| c.effects.computer_moves == m);
    assert_eq!(moves(ComputerMoves::IfOk), of("opponent"));
    assert_eq!(
        moves(ComputerMoves::Never),
        &under(&[Topic::TimeTravel]) | &of("abandon")
    );
    let plays = |p| names(move |c| c.effects.plays == p);
    assert_eq!(
        plays(Plays::Always),
        &under(&[Topic::Changing]) | &of("undo redo")
    );
    assert_eq!(plays(Plays::AtStop), under(&[Topic::Running]));
    assert_eq!(
        names(|c| c.effects.takes_code),
        of("watch rwatch awatch always never sometimes why last print explain display")
    );
}
