//! Suggests lines to try in the current game. Each of them works when typed as printed.

use super::{handle_line, start_preludes};
use crate::debugger::breakpoint;
use crate::languages;
use crate::session::Session;

/// Candidates are tried out before they are suggested. These limits keep the start of gridbug fast.
const MAX_TRIALS: usize = 4;
const MAX_TRIAL_INSTRUCTIONS: u64 = 500_000;

/// A line to type and what it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    pub input: String,
    /// May contain further lines to type, in backquotes.
    pub description: String,
}

fn suggestion(input: impl Into<String>, description: impl Into<String>) -> Suggestion {
    Suggestion {
        input: input.into(),
        description: description.into(),
    }
}

/// More games and the other languages, for the start screen.
pub fn more_games(session: &Session) -> Suggestion {
    let current = session.target.language().info().name;
    let names = languages::ALL.iter().map(|language| language.info().name);
    let others: Vec<&str> = names.filter(|name| *name != current).collect();
    let (first, rest) = others.split_first().unwrap_or((&current, &[]));
    suggestion(
        ":examples",
        format!("more games; `:lang {first}`, {}", rest.join(", ")),
    )
}

/// Mentions a search after the first move, for a game that is small enough to be searched in a moment.
pub fn suggest_search(suggestions: &mut [Suggestion]) {
    if let Some(first) = suggestions.first_mut() {
        first.description = "to play; `:undo` takes it back, `:find win` shows how to win".into();
    }
}

/// Up to three suggestions for the start screen, which can be typed in this order.
pub fn suggestions(session: &Session) -> Vec<Suggestion> {
    let guide = &session.target.language().info().guide;
    if session
        .target
        .language()
        .definitions(session.target.program())
        .is_empty()
    {
        return suggestions_for_empty_program(session);
    }
    let names = breakpoint::breakpoint_names(&session.target);
    let sample_move = Some(guide.sample_move)
        .filter(|line| !line.is_empty() && (line.starts_with(':') || has_board(session)));
    let mut all = Vec::new();
    match (sample_move, first_value(session)) {
        (Some(line), _) => all.push(suggestion(line, "to play, and `:undo` to take it back")),
        (None, Some(value)) => all.push(suggestion(value, "to see a value")),
        (None, None) => {}
    }
    if let Some((location, description)) = breakpoint(session, &names, sample_move) {
        all.push(suggestion(format!(":break {location}"), description));
    }
    all.push(
        match guide
            .dry_runs
            .iter()
            .find(|block| names.iter().any(|name| name == *block))
        {
            Some(block) => suggestion(
                format!(":step {block}"),
                "to walk through a rule (a dry run); also `:tour`, `:help`",
            ),
            None => suggestion(":tour", "for a guided tour, and `:help` for all commands"),
        },
    );
    all
}

fn suggestions_for_empty_program(session: &Session) -> Vec<Suggestion> {
    let info = session.target.language().info();
    let mut all: Vec<Suggestion> = info
        .guide
        .first_entries
        .iter()
        .map(|(input, description)| suggestion(*input, *description))
        .collect();
    all.push(suggestion(
        ":tour",
        "for a guided tour of a game; `:help` lists all commands",
    ));
    all
}

/// A location for a breakpoint, and how to reach it.
fn breakpoint(
    session: &Session,
    names: &[String],
    sample_move: Option<&str>,
) -> Option<(String, String)> {
    let guide = &session.target.language().info().guide;
    let matches = |pattern: &&str, name: &str| {
        if pattern.ends_with(' ') {
            name.starts_with(pattern)
        } else {
            name == *pattern
        }
    };
    let mut candidates = guide
        .breakpoints
        .iter()
        .flat_map(|p| names.iter().filter(move |name| matches(p, name)))
        .take(MAX_TRIALS);
    let next = "`step`, `back`, `continue`";
    match sample_move {
        Some(line) => {
            let first = candidates.clone().next()?.clone();
            Some(
                match candidates.find(|location| reaches(session, line, location)) {
                    Some(location) => (
                        location.clone(),
                        format!("then `{line}` stops there: {next}"),
                    ),
                    None => (first, format!("then play on until it stops there: {next}")),
                },
            )
        }
        None => Some((
            first_function(session, names)?,
            format!("then call it to stop there: {next}"),
        )),
    }
}

/// Tries out, in a session of its own, whether a move reaches a location.
fn reaches(session: &Session, sample_move: &str, location: &str) -> bool {
    let start = &session.transcript.game_start;
    let Some((name, text)) = &start.program else {
        return false;
    };
    let mut trial = Session::new(
        session.target.language(),
        session.transcript.game_start.seed,
    );
    trial.target.machine.limits.max_instructions = MAX_TRIAL_INSTRUCTIONS;
    // A game that asks for input at the start cannot be tried out.
    start_preludes(&mut trial, &start.preludes).ok
        && trial.load(name, text).ok
        && !trial.target.is_waiting_for_input()
        && handle_line(&mut trial, &format!(":break {location}")).ok
        && handle_line(&mut trial, sample_move).stop.is_some()
}

fn has_board(session: &Session) -> bool {
    session
        .board_size()
        .is_some_and(|(rows, cols)| rows > 0 && cols > 0)
}

/// The first function of the program that can have a breakpoint.
fn first_function(session: &Session, names: &[String]) -> Option<String> {
    let definitions = session
        .target
        .language()
        .definitions(session.target.program());
    definitions
        .into_iter()
        .find(|d| d.kind == "function" && names.contains(&d.name))
        .map(|d| d.name)
}

/// The name of the first value or board that the program defines (BoGL).
fn first_value(session: &Session) -> Option<String> {
    let definitions = session
        .target
        .language()
        .definitions(session.target.program());
    definitions
        .into_iter()
        .find(|d| d.kind == "value" || d.kind == "board")
        .map(|d| d.name)
}
