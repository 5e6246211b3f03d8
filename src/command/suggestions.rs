//! What is worth trying in the game at hand: things to type that work as they are printed.

use super::handle_line;
use crate::session::Session;

/// How many places are tried out, and for how long: nobody waits for good advice.
const MOST_TRIALS: usize = 4;
const TRIAL_STEPS: u64 = 500_000;

/// A line to type, what it is for, and other lines that go with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    pub input: String,
    /// Words with more to type among them, in backquotes.
    pub description: String,
}

fn attempt(typed: impl Into<String>, words: impl Into<String>) -> Suggestion {
    Suggestion {
        input: typed.into(),
        description: words.into(),
    }
}

/// Up to three things, in an order in which they can be done.
pub fn suggestions(session: &Session) -> Vec<Suggestion> {
    let guide = &session.language().info().guide;
    if session.language().definitions(session.program()).is_empty() {
        return from_nothing(session);
    }
    let titles = session.breakpoint_names();
    let act = Some(guide.sample_move)
        .filter(|act| !act.is_empty() && (act.starts_with(':') || has_board(session)));
    let mut all = Vec::new();
    match (act, first_value(session)) {
        (Some(act), _) => all.push(attempt(act, "to play, and `:undo` to take it back")),
        (None, Some(value)) => all.push(attempt(value, "to see a value")),
        (None, None) => {}
    }
    if let Some((place, words)) = stop(session, &titles, act) {
        all.push(attempt(format!(":break {place}"), words));
    }
    all.push(
        match guide
            .dry_runs
            .iter()
            .find(|block| titles.iter().any(|t| t == *block))
        {
            Some(block) => attempt(
                format!(":step {block}"),
                "to rehearse a rule; `:tour` shows more, `:help` lists all",
            ),
            None => attempt(":tour", "to be shown around, and `:help` for all commands"),
        },
    );
    all
}

fn from_nothing(session: &Session) -> Vec<Suggestion> {
    let about = session.language().info();
    let mut all: Vec<Suggestion> = about
        .guide
        .first_entries
        .iter()
        .map(|(typed, does)| attempt(*typed, *does))
        .collect();
    all.push(attempt(
        ":tour",
        "shows you around a game; `:help` lists all commands",
    ));
    all
}

/// A place to stop in, and how to come there.
fn stop(session: &Session, titles: &[String], act: Option<&str>) -> Option<(String, String)> {
    let guide = &session.language().info().guide;
    let named = |wanted: &&str, title: &str| {
        if wanted.ends_with(' ') {
            title.starts_with(wanted)
        } else {
            title == *wanted
        }
    };
    let mut places = guide
        .breakpoints
        .iter()
        .flat_map(|w| titles.iter().filter(move |t| named(w, t)))
        .take(MOST_TRIALS);
    let then = "`step`, `back`, `continue`";
    match act {
        Some(act) => {
            let first = places.clone().next()?.clone();
            Some(match places.find(|place| leads_to(session, act, place)) {
                Some(place) => (
                    place.clone(),
                    format!("and `{act}` again stops there: {then}"),
                ),
                None => (first, format!("and play on until it stops there: {then}")),
            })
        }
        None => Some((
            first_function(session, titles)?,
            format!("and a call of it stops there: {then}"),
        )),
    }
}

/// Tries it, in a session of its own: whether a move comes to a place.
fn leads_to(session: &Session, act: &str, place: &str) -> bool {
    let Some((name, text)) = &session.transcript.game_start.program else {
        return false;
    };
    let mut trial = Session::new(session.language(), session.transcript.game_start.seed);
    trial.machine.limits.max_instructions = TRIAL_STEPS;
    // Who is asked something at the start is not told what comes after the answer.
    trial.load(name, text).ok
        && !trial.is_waiting_for_input()
        && handle_line(&mut trial, &format!(":break {place}")).ok
        && handle_line(&mut trial, act).stop.is_some()
}

fn has_board(session: &Session) -> bool {
    session
        .board_size()
        .is_some_and(|(rows, cols)| rows > 0 && cols > 0)
}

/// The first function of the program that can be stopped in.
fn first_function(session: &Session, titles: &[String]) -> Option<String> {
    let definitions = session.language().definitions(session.program());
    definitions
        .into_iter()
        .find(|d| d.kind == "function" && titles.contains(&d.name))
        .map(|d| d.name)
}

/// A value of the program, where games are made of values.
fn first_value(session: &Session) -> Option<String> {
    let definitions = session.language().definitions(session.program());
    definitions
        .into_iter()
        .find(|d| d.kind == "value" || d.kind == "board")
        .map(|d| d.name)
}
