//! Text for lines of moves to a goal.

use super::{
    assumption_lines, draws_text, entry_lines, growth_lines, line_of_moves, searched, undecided,
};
use crate::answer::{
    EndedBy, FindResult, FindVerdict, GoalKind, Line, LineMove, Reachability, SearchStop, Style,
};
use crate::render::Width;
use crate::render::advice::advised_note;
use crate::text::{large_count_noun, with_commas};

/// Columns between the last move and the condition that ends the game.
const CONDITION_GAP: usize = 3;

/// What a search has found.
pub(crate) fn find_lines(result: &FindResult, width: Width) -> Vec<Line> {
    let Width {
        screen: width,
        audience,
        ..
    } = width;
    let mut lines = vec![Line::plain(headline(result))];
    if result.verdict == FindVerdict::Found {
        let moves = line_of_moves(&result.moves, width);
        lines.extend(with_condition(moves, result.ended_by.as_ref(), width));
        for other in &result.others {
            let label = format!("  also in {}:", with_commas(other.len() as u64));
            let moves: Vec<String> = other.iter().map(move_text).collect();
            lines.extend(entry_lines(&label, moves.iter().map(String::as_str), width));
        }
        // A game that cannot be started has no positions.
        if result.extent.positions > 0 {
            lines.push(Line::styled(Style::Dim, searched(&result.extent)));
        }
    }
    lines.extend(growth_lines(&result.extent));
    lines.extend(assumption_lines(&result.extent.assumed));
    if result.verdict == FindVerdict::Unknown && result.extent.guessed {
        let advice = "`inputs A..B` or `inputs a,b,c` chooses the answers to try";
        lines.push(Line::styled(Style::Dim, advice));
    }
    lines.extend(result.note.iter().map(|note| {
        let text = advised_note(note, audience);
        Line::styled(Style::Dim, text)
    }));
    if let Some(branch) = result.branch.filter(|_| !result.moves.is_empty()) {
        let redo = match result.redo {
            true => "`:redo` plays the next move, ",
            false => "",
        };
        let text = format!("saved as branch {branch}: {redo}`:branches {branch}` goes to its end");
        lines.push(Line::styled(Style::Dim, text));
    }
    if result.kind == GoalKind::Error && result.verdict == FindVerdict::Found {
        lines.extend(error_advice(result));
    }
    lines
}

/// How to see the error: the move that fails cannot be part of a branch.
fn error_advice(result: &FindResult) -> Option<Line> {
    let last = result.moves.last()?;
    let draws: Vec<String> = last.draws.iter().map(i64::to_string).collect();
    let entry = match draws.is_empty() {
        true => format!("`{}`", last.entry),
        false => format!("`:rand next {}` and `{}`", draws.join(" "), last.entry),
    };
    let after = match result.branch {
        Some(_) => "at its end, ",
        None => "",
    };
    let text = format!("{after}type {entry} to see the error");
    Some(Line::styled(Style::Dim, text))
}

/// A move with the random numbers that are drawn in it.
fn move_text(m: &LineMove) -> String {
    match draws_text(m) {
        Some(draws) => format!("{} {draws}", m.entry),
        None => m.entry.clone(),
    }
}

/// Names the condition that ends the game after the last move, if there is one.
fn with_condition(mut moves: Vec<Line>, ended_by: Option<&EndedBy>, width: usize) -> Vec<Line> {
    let Some(ended_by) = ended_by else {
        return moves;
    };
    let Some(last) = moves.pop() else {
        return moves;
    };
    let text = match &ended_by.place {
        Some(place) => format!("{}, {}", ended_by.condition, place.text),
        None => ended_by.condition.clone(),
    };
    let gap = " ".repeat(CONDITION_GAP);
    let columns = last.text().chars().count() + CONDITION_GAP + text.chars().count();
    match columns <= width {
        true => moves.push(last.with(Style::Dim, format!("{gap}{text}"))),
        false => moves.extend([last, Line::styled(Style::Dim, format!("{gap}{text}"))]),
    }
    moves
}

/// A goal in a sentence: what happens, that it can happen, that it cannot.
struct GoalWords {
    /// "x can win", "line 12 can run"
    can: String,
    /// "win is impossible", "line 12 never runs"
    never: String,
    /// "line 12 runs at the start": without a move.
    already: String,
}

impl GoalWords {
    fn of(result: &FindResult) -> GoalWords {
        let goal = result.goal.as_str();
        let words = |subject: &str, can: &str, never: &str, already: &str| GoalWords {
            can: format!("{subject} {can}"),
            never: format!("{subject} {never}"),
            already: format!("{subject} {already}"),
        };
        match (result.kind, &result.player, &result.error) {
            (GoalKind::Ending, Some(player), _) if goal == "win" => {
                let already = match player.contains(", ") {
                    true => "have won already",
                    false => "has won already",
                };
                words(player, "can win", "never wins", already)
            }
            (GoalKind::Ending, Some(player), _) if goal == "lose" => {
                words(player, "can lose", "never loses", "has lost already")
            }
            (GoalKind::Ending, ..) => {
                let subject = match goal {
                    "win" => "a win",
                    "lose" => "a loss",
                    "draw" => "a draw",
                    _ => return words("the game", "can end", "never ends", "has ended already"),
                };
                words(
                    subject,
                    "is possible",
                    "is impossible",
                    "has happened already",
                )
            }
            (GoalKind::Stuck, ..) => words(
                "a dead end",
                "is possible",
                "is impossible",
                "is here already: no move is possible",
            ),
            (GoalKind::Error, _, Some(_)) => {
                words("an error", "is possible", "", "happens at the start")
            }
            (GoalKind::Error, ..) => words(
                "an error",
                "is possible",
                "is impossible",
                "happens at the start",
            ),
            (GoalKind::Condition, ..) => {
                let subject = format!("`{goal}`");
                words(&subject, "can be true", "is never true", "is true already")
            }
            (GoalKind::Value, ..) => words(
                &format!("`{goal}`"),
                "is possible",
                "is impossible",
                "is the value already",
            ),
            (GoalKind::Code, ..) => {
                let subject = match goal.starts_with("line ") {
                    true => goal.to_string(),
                    false => format!("`{goal}`"),
                };
                words(&subject, "can run", "never runs", "runs at the start")
            }
            (GoalKind::Print, ..) => words(
                goal.trim_start_matches("print").trim(),
                "can be printed",
                "is never printed",
                "is printed at the start",
            ),
        }
    }
}

fn headline(result: &FindResult) -> String {
    let words = GoalWords::of(result);
    let extent = &result.extent;
    match (result.verdict, result.length) {
        (FindVerdict::Found, None | Some(0)) => {
            let error = result.error.as_ref();
            let error = error.map_or_else(String::new, |error| format!(": {error}"));
            format!("{}{error}", words.already)
        }
        (FindVerdict::Found, Some(length)) => {
            let moves = large_count_noun(length, "move", "moves");
            let sooner = match result.shortest {
                // The start is searched whatever the answers are.
                true if extent.guessed && length > 1 => ", no sooner with these answers",
                true => ", no sooner",
                false => "",
            };
            let error = result.error.as_ref();
            let error = error.map_or_else(String::new, |error| format!(": {error}"));
            format!("{} in {moves}{sooner}{error}", words.can)
        }
        (FindVerdict::Never, _) => {
            format!("{}: {}{}", words.never, searched(extent), undefined(result))
        }
        (FindVerdict::NotWithin, _) => {
            let within = result.within.unwrap_or(extent.depth);
            let moves = large_count_noun(within, "move", "moves");
            let (searched, undefined) = (searched(extent), undefined(result));
            format!("{} within {moves}: {searched}{undefined}", words.never)
        }
        (FindVerdict::Unknown, _) if extent.guessed && is_searched(result) => {
            let positions = large_count_noun(extent.positions, "position", "positions");
            let within = match result.within.filter(|_| !extent.complete) {
                Some(n) => format!(" within {}", large_count_noun(n, "move", "moves")),
                None => String::new(),
            };
            format!("undecided: not found{within} in {positions}, but other answers are possible")
        }
        (FindVerdict::Unknown, _) => undecided(extent),
    }
}

/// That the condition which would have to be true is not defined.
fn undefined(result: &FindResult) -> String {
    let undefined = result.undefined.as_ref();
    undefined.map_or_else(String::new, |name| format!(" (no {name} is defined)"))
}

/// Whether everything was searched that was asked for.
fn is_searched(result: &FindResult) -> bool {
    result.extent.complete || result.extent.stopped_by == Some(SearchStop::Within)
}

/// Whether moves lead to an ending: a single line, with as many of the moves as fit.
pub(crate) fn reachability_lines(reachability: &Reachability, width: usize) -> Vec<Line> {
    let text = match reachability {
        Reachability::Never { goal, positions: 1 } => {
            format!("{goal} is not reachable from here: no move is possible")
        }
        Reachability::Never { goal, positions } => format!(
            "{goal} is not reachable from here: searched all {} positions",
            with_commas(*positions as u64)
        ),
        Reachability::Unknown {
            goal,
            positions,
            assumed,
        } => {
            let positions = large_count_noun(*positions, "position", "positions");
            let (assuming, inputs) = match assumed.is_empty() {
                true => (String::new(), ""),
                false => (
                    format!(", assuming that {}", assumed.join(", ")),
                    " inputs A..B",
                ),
            };
            format!(
                "not known whether {goal} is reachable: searched {positions}{assuming}; try `:find {goal}{inputs}`"
            )
        }
        Reachability::Found { goal, moves } => {
            let count = large_count_noun(moves.len(), "move", "moves");
            let mut text = format!("{goal} is reachable in {count}:");
            for (n, m) in moves.iter().enumerate() {
                let entry = move_text(m);
                let rest = if n + 1 < moves.len() { 2 } else { 0 };
                let columns = text.chars().count() + 1 + entry.chars().count() + rest;
                if columns > width {
                    text.push_str(" …");
                    break;
                }
                text.push(' ');
                text.push_str(&entry);
            }
            text
        }
    };
    vec![Line::plain(text)]
}
