//! Text for answers about the positions of a game.

use super::changes::change_texts;
use crate::debugger::api::{
    FindResult, FindVerdict, GameValue, GoalKind, Hint, Line, LineMove, MoveList, MoveValue,
    PossibleMove, Reachability, SearchExtent, SearchStop, SolveResult, StatsResult, Style,
};
use crate::text::{count_noun, with_commas};

/// Changes listed for each move.
const MAX_CHANGES_LISTED: usize = 3;
/// Columns between two moves of a line.
const MOVE_GAP: usize = 3;

/// The moves that are possible now.
pub(super) fn move_lines(list: &MoveList) -> Vec<Line> {
    let mut lines = Vec::new();
    if !list.moves.is_empty() {
        let possible = list.moves.iter().filter(|m| m.effect).count() + list.omitted;
        let player = list.moves.iter().find_map(|m| m.player.as_deref());
        let of = player.map_or_else(String::new, |player| format!(" for {player}"));
        lines.push(Line::plain(format!(
            "{}{of}",
            count_noun(possible, "move", "moves")
        )));
    }
    let width = list.moves.iter().map(|m| m.entry.chars().count()).max();
    let width = width.unwrap_or(0);
    lines.extend(list.moves.iter().map(|m| possible_move_line(m, width)));
    if list.omitted > 0 {
        let text = format!("  and {}", count_noun(list.omitted, "more", "more"));
        lines.push(Line::styled(Style::Dim, text));
    }
    let has_hidden = list.without_effect > 0 && list.moves.iter().all(|m| m.effect);
    if has_hidden && !list.moves.is_empty() {
        let text = format!(
            "{} no effect; `:moves all` lists them",
            match list.without_effect {
                1 => "1 other action has".to_string(),
                n => format!("{n} other actions have"),
            }
        );
        lines.push(Line::styled(Style::Dim, text));
    }
    lines.extend(list.notes.iter().map(Line::plain));
    lines
}

fn possible_move_line(m: &PossibleMove, width: usize) -> Line {
    let line = Line::styled(Style::Strong, format!("  {:<width$}", m.entry));
    let mut texts = Vec::new();
    if let Some(error) = &m.error {
        return line
            .with(Style::Error, "  error: ")
            .with(Style::Plain, error.clone());
    }
    if let Some(ends) = &m.ends {
        texts.push(format!("ends the game: {ends}"));
    }
    if m.random {
        texts.push("draws a random number".into());
    } else if m.effect {
        texts.extend(change_texts(&m.changes, MAX_CHANGES_LISTED));
    } else {
        texts.push(match &m.reason {
            Some(reason) => format!("no effect: {reason}"),
            None => "no effect".into(),
        });
    }
    line.with(Style::Plain, format!("  {}", texts.join(", ")))
}

/// What a search has found.
pub(super) fn find_lines(result: &FindResult, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::plain(headline(result))];
    if result.verdict == FindVerdict::Found {
        lines.extend(line_of_moves(&result.moves, width));
        for other in &result.others {
            let moves: Vec<&str> = other.iter().map(|m| m.entry.as_str()).collect();
            let text = format!("  also in {}: {}", moves.len(), moves.join(" "));
            lines.push(Line::plain(text));
        }
        lines.push(Line::styled(Style::Dim, searched(&result.extent)));
    }
    lines.extend(growth_lines(&result.extent));
    lines.extend(assumption_lines(&result.extent));
    lines.extend(
        result
            .note
            .iter()
            .map(|note| Line::styled(Style::Dim, note.clone())),
    );
    if let Some(branch) = result.branch.filter(|_| !result.moves.is_empty()) {
        let redo = match result.redo {
            true => "`:redo` plays the next move, ",
            false => "",
        };
        let text = format!("saved as branch {branch}: {redo}`:branches {branch}` goes to its end");
        lines.push(Line::styled(Style::Dim, text));
    }
    lines
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
                words(player, "can win", "never wins", "has won already")
            }
            (GoalKind::Ending, ..) => {
                let subject = match goal {
                    "win" => "a win",
                    "lose" => "a loss",
                    "draw" => "a draw",
                    _ => "the end of the game",
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
            (GoalKind::Error, _, Some(_)) => words("an error", "is possible", "", "happens"),
            (GoalKind::Error, ..) => words("an error", "is possible", "is impossible", "happens"),
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
        (FindVerdict::Found, None | Some(0)) => words.already,
        (FindVerdict::Found, Some(length)) => {
            let moves = count_noun(length, "move", "moves");
            let sooner = match result.shortest {
                true => ", no sooner",
                false => "",
            };
            let error = result.error.as_ref();
            let error = error.map_or_else(String::new, |error| format!(": {error}"));
            format!("{} in {moves}{sooner}{error}", words.can)
        }
        (FindVerdict::Never, _) => format!("{}: {}", words.never, searched(extent)),
        (FindVerdict::NotWithin, _) => {
            let within = result.within.unwrap_or(extent.depth);
            let moves = count_noun(within, "move", "moves");
            format!("{} within {moves}: {}", words.never, searched(extent))
        }
        (FindVerdict::Unknown, _) => undecided(extent),
    }
}

/// Why a search ended early.
pub(super) fn undecided(extent: &SearchExtent) -> String {
    if extent.complete {
        return format!(
            "undecided: not found among {} positions, but not everything could be tried",
            with_commas(extent.positions as u64)
        );
    }
    let why = match extent.stopped_by {
        Some(SearchStop::Time) => " (time limit)",
        Some(SearchStop::Memory) => " (memory limit)",
        Some(SearchStop::Interrupt) => " (interrupted)",
        Some(SearchStop::Within) | None => "",
    };
    format!(
        "undecided: stopped after {} positions; all of the first {} were searched{why}",
        with_commas(extent.positions as u64),
        count_noun(extent.depth, "move", "moves"),
    )
}

/// What an answer is based on.
fn searched(extent: &SearchExtent) -> String {
    let positions = with_commas(extent.positions as u64);
    match extent.complete {
        true if extent.positions == 1 => "searched the only position".to_string(),
        true => format!("searched all {positions} positions"),
        false => format!(
            "searched all positions up to depth {} ({positions})",
            extent.depth
        ),
    }
}

pub(super) fn growth_lines(extent: &SearchExtent) -> Vec<Line> {
    let Some(growing) = &extent.growing else {
        return Vec::new();
    };
    let (name, values) = (&growing.name, with_commas(growing.values as u64));
    vec![
        Line::plain(format!(
            "  the search keeps growing because of `{name}` ({values} values so far)"
        )),
        Line::plain(format!(
            "  `ignoring {name}` treats positions that differ only in `{name}` as equal"
        )),
    ]
}

pub(super) fn assumption_lines(extent: &SearchExtent) -> Vec<Line> {
    let assumed = extent.assumed.iter();
    assumed
        .map(|assumed| Line::styled(Style::Dim, format!("assuming that {assumed}")))
        .collect()
}

/// Whether moves lead to an ending: a single line, with as many of the moves as fit.
pub(super) fn reachability_lines(reachability: &Reachability, width: usize) -> Vec<Line> {
    let text = match reachability {
        Reachability::Never { goal, positions: 1 } => {
            format!("{goal} is not reachable from here: no move is possible")
        }
        Reachability::Never { goal, positions } => format!(
            "{goal} is not reachable from here: searched all {} positions",
            with_commas(*positions as u64)
        ),
        Reachability::Found { goal, moves } => {
            let count = count_noun(moves.len(), "move", "moves");
            let mut text = format!("{goal} is reachable in {count}:");
            for (n, m) in moves.iter().enumerate() {
                let rest = if n + 1 < moves.len() { 2 } else { 0 };
                let columns = text.chars().count() + 1 + m.entry.chars().count() + rest;
                if columns > width {
                    text.push_str(" …");
                    break;
                }
                text.push(' ');
                text.push_str(&m.entry);
            }
            text
        }
    };
    vec![Line::plain(text)]
}

/// Numbered moves in columns.
pub(super) fn line_of_moves(moves: &[LineMove], width: usize) -> Vec<Line> {
    let text = |(n, m): (usize, &LineMove)| {
        let player = m
            .player
            .as_deref()
            .map_or_else(String::new, |p| format!("{p}  "));
        let draws = match m.draws.as_slice() {
            [] => String::new(),
            draws => {
                let draws: Vec<String> = draws.iter().map(i64::to_string).collect();
                format!("  (draws {})", draws.join(", "))
            }
        };
        format!("{:>3}  {player}{}{draws}", n + 1, m.entry)
    };
    let texts: Vec<String> = moves.iter().enumerate().map(text).collect();
    let column = texts.iter().map(|t| t.chars().count()).max().unwrap_or(0) + MOVE_GAP;
    let per_line = (width / column).max(1);
    let row = |row: &[String]| {
        let padded: String = row.iter().map(|t| format!("{t:<column$}")).collect();
        Line::plain(padded.trim_end().to_string())
    };
    texts.chunks(per_line).map(row).collect()
}

/// Perfect play.
pub(super) fn solve_lines(result: &SolveResult, width: usize) -> Vec<Line> {
    if result.is_over {
        return vec![Line::plain("the game is over")];
    }
    if !result.exact {
        let mut lines = vec![Line::plain(undecided(&result.extent))];
        lines.extend(growth_lines(&result.extent));
        return lines;
    }
    let player = result.player.as_deref();
    let distance = result.distance.unwrap_or(0) as usize;
    let moves = count_noun(distance, "move", "moves");
    let subject = player.unwrap_or("the player");
    let mut lines = vec![Line::plain(match result.value {
        GameValue::Win => format!("{subject} wins with best play, in {moves}"),
        GameValue::Loss => format!("{subject} loses, in {moves} at most"),
        GameValue::Draw if player.is_some() => {
            "a draw with best play: neither player can force a win".to_string()
        }
        GameValue::Draw => "the game cannot be won from here".to_string(),
        GameValue::Unknown => "a matter of chance: nobody can force a win".to_string(),
    })];
    lines.extend(line_of_moves(&result.line, width));
    lines.extend(match result.lists_moves {
        true => listed_values(&result.moves),
        false => value_lines(&result.moves, width),
    });
    lines.push(Line::styled(Style::Dim, searched(&result.extent)));
    lines.extend(assumption_lines(&result.extent));
    lines
}

/// The moves, one line each, best first.
fn listed_values(moves: &[MoveValue]) -> Vec<Line> {
    let widths = moves.iter().map(|m| m.entry.chars().count());
    let column = widths.max().unwrap_or(0);
    let line = |m: &MoveValue| {
        let value = value_text(m.value, m.distance);
        Line::plain(format!("  {:<column$}  {value}", m.entry))
    };
    moves.iter().map(line).collect()
}

/// The moves, one line for each value.
fn value_lines(moves: &[MoveValue], width: usize) -> Vec<Line> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for m in moves {
        let text = value_text(m.value, m.distance);
        match groups.last_mut() {
            Some((last, entries)) if *last == text => entries.push(&m.entry),
            _ => groups.push((text, vec![&m.entry])),
        }
    }
    let column = groups.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for (text, entries) in &groups {
        let mut line = format!("  {text:<column$} ");
        let indent = line.len();
        for entry in entries {
            if line.len() > indent && line.chars().count() + 1 + entry.chars().count() > width {
                lines.push(Line::plain(line));
                line = " ".repeat(indent);
            }
            line = format!("{line} {entry}");
        }
        lines.push(Line::plain(line));
    }
    lines
}

fn value_text(value: GameValue, distance: Option<u32>) -> String {
    let moves = distance.map_or_else(String::new, |d| format!(" in {d}"));
    match value {
        GameValue::Win => format!("wins{moves}"),
        GameValue::Loss => format!("loses{moves}"),
        GameValue::Draw => "draws".into(),
        GameValue::Unknown => "chance".into(),
    }
}

/// One best move.
pub(super) fn hint_line(hint: &Hint) -> Line {
    match &hint.best {
        Some(best) => Line::styled(Style::Strong, best.entry.clone()).with(
            Style::Plain,
            format!("  {}", value_text(best.value, best.distance)),
        ),
        None if hint.is_over => Line::plain("the game is over"),
        None if hint.extent.complete => Line::plain("no move is possible"),
        None => Line::plain(undecided(&hint.extent)),
    }
}

/// A number of games; those too large to be exact are rounded.
fn game_count(games: f64) -> String {
    /// Larger floats are not exact.
    const MAX_EXACT: f64 = (1u64 << 53) as f64;
    if games < MAX_EXACT {
        return with_commas(games as u64);
    }
    let exponent = games.log10().floor();
    format!("{:.1} x 10^{exponent}", games / 10f64.powf(exponent))
}

/// How games end.
pub(super) fn stats_lines(stats: &StatsResult) -> Vec<Line> {
    if stats.games == 0.0 && !stats.exact {
        let advice = "`:stats 100` plays 100 random games without searching first";
        return vec![
            Line::plain(undecided(&stats.extent)),
            Line::styled(Style::Dim, advice),
        ];
    }
    let games = game_count(stats.games);
    let mut lines = vec![Line::plain(match stats.exact {
        true => format!("exact, over all {games} games with every move equally likely"),
        false => format!(
            "{games} random games (seed {}), with 95 % intervals",
            stats.seed
        ),
    })];
    let percent = |rate: f64| format!("{:.1} %", rate * 100.0);
    let results: Vec<String> = stats
        .results
        .iter()
        .map(|r| {
            let verb = if r.is_player { " wins" } else { "" };
            let interval = match stats.exact {
                true => String::new(),
                false => format!(" ({} to {})", percent(r.low), percent(r.high)),
            };
            format!("{}{verb} {}{interval}", r.name, percent(r.rate))
        })
        .collect();
    lines.push(Line::plain(format!("  {}", results.join("   "))));
    let players: Vec<f64> = stats
        .results
        .iter()
        .filter(|r| r.is_player)
        .map(|r| r.rate)
        .collect();
    if let [first, second] = players.as_slice() {
        let points = (first - second) * 100.0;
        lines.push(Line::plain(format!(
            "  first-player advantage {points:.1} points"
        )));
    }
    let length = &stats.length;
    lines.push(Line::plain(format!(
        "  length {:.1} moves on average ({} to {}), {:.1} choices per move on average (at most {})",
        length.mean, length.min, length.max, stats.choices.mean, stats.choices.max
    )));
    if stats.dead_ends > 0 {
        let text = match stats.exact {
            true => count_noun(stats.dead_ends, "position", "positions"),
            false => count_noun(stats.dead_ends, "game", "games"),
        };
        lines.push(Line::plain(format!(
            "  dead ends: {text} without a move, although the game has not ended"
        )));
    }
    if stats.unfinished > 0 {
        let games = count_noun(stats.unfinished, "game", "games");
        lines.push(Line::plain(format!("  {games} did not end")));
    }
    lines.extend(assumption_lines(&stats.extent));
    lines
}
