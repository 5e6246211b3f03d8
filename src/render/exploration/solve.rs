//! Text for perfect play.

use super::{assumption_lines, entry_lines, growth_lines, line_of_moves, searched, undecided};
use crate::answer::{GameValue, Hint, Line, MoveValue, SolveResult, Style};
use crate::text::{large_count_noun, with_commas};

/// Perfect play.
pub(crate) fn solve_lines(result: &SolveResult, width: usize) -> Vec<Line> {
    if result.is_over {
        return vec![Line::plain("the game is over")];
    }
    if !result.exact {
        let mut lines = vec![Line::plain(undecided(&result.extent))];
        lines.extend(growth_lines(&result.extent));
        lines.extend(assumption_lines(&result.extent.assumed));
        return lines;
    }
    let player = result.player.as_deref();
    let distance = result.distance.unwrap_or(0) as usize;
    let moves = large_count_noun(distance, "move", "moves");
    let subject = player.unwrap_or("the player");
    let headline = match result.value {
        _ if result.moves.is_empty() && result.note.is_some() && !result.extent.guessed => {
            let note = result.note.iter().map(|note| Line::plain(note.clone()));
            return note.collect();
        }
        GameValue::Win => format!("{subject} wins with best play, in {moves}"),
        GameValue::Loss => format!("{subject} loses, in {moves} at most"),
        GameValue::Draw if result.players > 1 => {
            "a draw with best play: neither player can force a win".to_string()
        }
        GameValue::Draw => "the game cannot be won from here".to_string(),
        GameValue::Unknown => "a matter of chance: nobody can force a win".to_string(),
    };
    let mut lines = vec![Line::plain(match result.extent.guessed {
        true => format!("{headline}, with these answers"),
        false => headline,
    })];
    if result.extent.guessed {
        lines.extend(assumption_lines(&result.extent.assumed));
    }
    lines.extend(line_of_moves(&result.line, width));
    lines.extend(match result.lists_moves {
        true => listed_values(&result.moves),
        false => value_lines(&result.moves, width),
    });
    lines.push(Line::styled(Style::Dim, searched(&result.extent)));
    if !result.extent.guessed {
        lines.extend(assumption_lines(&result.extent.assumed));
    }
    let note = result.note.iter();
    lines.extend(note.map(|note| Line::styled(Style::Dim, note.clone())));
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
    let columns = groups.iter().map(|(text, _)| text.len()).max();
    let columns = columns.unwrap_or(0);
    let lines = groups.into_iter().flat_map(|(text, entries)| {
        let label = format!("  {text:<columns$} ");
        entry_lines(&label, entries, width)
    });
    lines.collect()
}

fn value_text(value: GameValue, distance: Option<u32>) -> String {
    let moves = distance.map_or_else(String::new, |d| format!(" in {}", with_commas(d.into())));
    match value {
        GameValue::Win => format!("wins{moves}"),
        GameValue::Loss => format!("loses{moves}"),
        GameValue::Draw => "draws".into(),
        GameValue::Unknown => "depends on chance".into(),
    }
}

/// One best move, and what was assumed.
pub(crate) fn hint_lines(hint: &Hint) -> Vec<Line> {
    let move_line = match &hint.best {
        Some(best) => Line::styled(Style::Strong, best.entry.clone()).with(
            Style::Plain,
            format!("  {}", value_text(best.value, best.distance)),
        ),
        None if hint.is_over => Line::plain("the game is over"),
        None if hint.is_chance => {
            Line::plain("a matter of chance, and positions repeat: no best move is known")
        }
        None if hint.extent.complete && hint.extent.guessed => {
            Line::plain("no move is possible with these answers")
        }
        None if hint.extent.complete => Line::plain("no move is possible"),
        None => Line::plain(undecided(&hint.extent)),
    };
    let mut lines = vec![move_line];
    if !hint.is_over {
        lines.extend(assumption_lines(&hint.extent.assumed));
    }
    lines
}
