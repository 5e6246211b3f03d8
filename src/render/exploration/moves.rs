//! Text for the moves that are possible.

use super::entry_lines;
use crate::answer::{Audience, Change, Line, MoveList, PossibleMove, Style};
use crate::diagnostic::Advice;
use crate::render::stopped::changes::{change_texts, with_equal_cells_merged};
use crate::render::{Width, advised};
use crate::text::{large_count_noun, with_commas};

/// Changes listed for each move, if they fit into a line.
const MAX_CHANGES_LISTED: usize = 3;

/// The moves that are possible now.
pub(crate) fn move_lines(list: &MoveList, width: Width) -> Vec<Line> {
    let Width {
        screen: width,
        audience,
        ..
    } = width;
    let mut lines = Vec::new();
    if !list.moves.is_empty() {
        let possible = list
            .moves
            .iter()
            .filter(|m| m.effect && m.same_as.is_none());
        let possible = possible.count() + list.omitted;
        let player = list.moves.iter().find_map(|m| m.player.as_deref());
        let of = player.map_or_else(String::new, |player| format!(" for {player}"));
        let moves = large_count_noun(possible, "move", "moves");
        let at_least = match list.stopped_by {
            Some(_) => "at least ",
            None => "",
        };
        lines.push(Line::plain(format!("{at_least}{moves}{of}")));
    }
    let shown = list
        .moves
        .iter()
        .filter(|m| list.lists_all || m.same_as.is_none());
    let shown: Vec<&PossibleMove> = shown.collect();
    let columns = shown.iter().map(|m| m.entry.chars().count()).max();
    let columns = columns.unwrap_or(0);
    // Answers to a question often have no effect that can be seen before the next one.
    let is_plain = |m: &PossibleMove| m.error.is_none() && effect_texts(m).is_empty();
    for moves in shown.chunk_by(|a, b| is_plain(a) && is_plain(b)) {
        match moves {
            [only] => lines.push(possible_move_line(only, columns, width)),
            several => {
                let entries = several.iter().map(|m| m.entry.as_str());
                lines.extend(entry_lines(" ", entries, width));
            }
        }
    }
    if list.omitted > 0 {
        let text = format!("  and {} more", with_commas(list.omitted as u64));
        lines.push(Line::styled(Style::Dim, text));
    }
    lines.extend(hidden_line(list, audience).filter(|_| !list.moves.is_empty()));
    lines.extend(list.notes.iter().map(Line::plain));
    lines
}

/// How many actions are not listed.
fn hidden_line(list: &MoveList, audience: Audience) -> Option<Line> {
    if list.lists_all {
        return None;
    }
    let same = list.moves.iter().filter(|m| m.same_as.is_some()).count();
    let verbs = [
        (same, "does the same", "do the same"),
        (list.without_effect, "has no effect", "have no effect"),
    ];
    let texts = verbs.into_iter().filter(|(count, ..)| *count > 0);
    let texts = texts.enumerate().map(|(n, (count, one, several))| {
        let verb = if count == 1 { one } else { several };
        match n {
            0 => format!(
                "{} {verb}",
                large_count_noun(count, "other action", "other actions")
            ),
            _ => format!("{} {verb}", with_commas(count as u64)),
        }
    });
    let texts: Vec<String> = texts.collect();
    let object = match same + list.without_effect {
        0 => return None,
        1 => "it",
        _ => "them",
    };
    let advice = Advice::command(":moves all", format!("lists {object}"));
    let text = advised(&texts.join(", "), &[advice], audience);
    Some(Line::styled(Style::Dim, text))
}

/// A move with what it would do, as far as that fits into the line.
fn possible_move_line(m: &PossibleMove, columns: usize, width: usize) -> Line {
    let line = Line::styled(Style::Strong, format!("  {:<columns$}", m.entry));
    if let Some(error) = &m.error {
        return line
            .with(Style::Error, "  error: ")
            .with(Style::Plain, error.clone());
    }
    let text = fitting(&effect_texts(m), width.saturating_sub(columns + 4));
    match text.is_empty() {
        true => Line::styled(Style::Strong, format!("  {}", m.entry)),
        false => line.with(Style::Plain, format!("  {text}")),
    }
}

/// As many texts as fit, at least one, and how many there are besides.
fn fitting(texts: &[String], room: usize) -> String {
    let first = |count: usize| {
        let mut listed = texts[..count].join(", ");
        match texts.len() - count {
            0 => {}
            more => listed.push_str(&format!(", and {more} more")),
        }
        listed
    };
    let most = texts.len().min(MAX_CHANGES_LISTED);
    let fits = |text: &String| text.chars().count() <= room;
    let longest = (1..=most).rev().map(first).find(fits);
    longest.unwrap_or_else(|| first(most.min(1)))
}

/// What a move would do.
fn effect_texts(m: &PossibleMove) -> Vec<String> {
    let mut texts = Vec::new();
    texts.extend(m.ends.iter().map(|ends| format!("ends the game: {ends}")));
    match (&m.same_as, m.random, m.effect) {
        (Some(other), ..) => texts.push(format!("the same as {other}")),
        (None, true, _) => texts.push("draws a random number".into()),
        (None, false, true) => {
            // Those of pieces first: they are what a player moves.
            let is_field = |c: &Change| matches!(c, Change::Field { .. });
            let (fields, others): (Vec<_>, Vec<_>) = with_equal_cells_merged(&m.changes)
                .into_iter()
                .partition(is_field);
            texts.extend(change_texts(&fields, usize::MAX));
            texts.extend(change_texts(&others, usize::MAX));
        }
        (None, false, false) => texts.push(match &m.reason {
            Some(reason) => format!("no effect: {reason}"),
            None => "no effect".into(),
        }),
    }
    texts
}
