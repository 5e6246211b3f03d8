//! What the answers of all searches have in common: how much was searched, and lines of moves.
//!
//! ```text
//! check     text for the answer to `:check`
//! coverage  the counts of `:coverage`, alone and beside source lines
//! find      text for lines of moves to a goal
//! moves     text for the moves that are possible
//! solve     text for perfect play
//! stats     text for how games end
//! vary      text for the answer to `:vary`
//! ```

pub(crate) mod check;
pub(crate) mod coverage;
pub(crate) mod find;
pub(crate) mod moves;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod vary;

use crate::answer::{Line, LineMove, SearchExtent, SearchStop, Style};
use crate::text::{join_rows, large_count_noun, with_commas};

/// Columns between two moves of a line.
const MOVE_GAP: usize = 3;

/// Why a search ended early.
pub(super) fn undecided(extent: &SearchExtent) -> String {
    if extent.complete {
        return format!(
            "undecided: not found among {}, but not everything could be tried",
            large_count_noun(extent.positions, "position", "positions")
        );
    }
    if extent.positions == 0 && extent.stopped_by == Some(SearchStop::Memory) {
        return "undecided: this game is too large to search (memory limit)".into();
    }
    let why = match extent.stopped_by {
        Some(SearchStop::Time) => " (time limit)",
        Some(SearchStop::Memory) => " (memory limit)",
        Some(SearchStop::Interrupt) => " (interrupted)",
        Some(SearchStop::Within) | None => "",
    };
    let positions = large_count_noun(extent.positions, "position", "positions");
    let depth = match extent.depth {
        0 => String::new(),
        depth => format!(", all up to depth {}", with_commas(depth as u64)),
    };
    format!("undecided: stopped after {positions}{depth}{why}")
}

/// What an answer is based on.
pub(super) fn searched(extent: &SearchExtent) -> String {
    let positions = with_commas(extent.positions as u64);
    match extent.complete {
        true if extent.positions == 1 => "searched the only position".to_string(),
        true => format!("searched all {positions} positions"),
        false => format!(
            "searched all positions up to depth {} ({positions})",
            with_commas(extent.depth as u64)
        ),
    }
}

pub(super) fn growth_lines(extent: &SearchExtent) -> Vec<Line> {
    let Some(growing) = &extent.growing else {
        return Vec::new();
    };
    let (name, values) = (&growing.name, with_commas(growing.values as u64));
    let of = growing.function.as_ref();
    let of = of.map_or_else(String::new, |function| format!(" in `{function}`"));
    let read_in = growing.read_in.as_ref();
    let read_in = read_in.map_or_else(String::new, |place| format!("; read in {}", place.text));
    let mut lines = vec![Line::plain(format!(
        "  the search keeps growing because of `{name}`{of} (at least {values} values so far{read_in})"
    ))];
    // Only global variables can be ignored.
    if growing.function.is_none() {
        lines.push(Line::plain(format!(
            "  `ignoring {name}` treats positions that differ only in it as equal"
        )));
    }
    lines
}

pub(super) fn assumption_lines(assumed: &[String]) -> Vec<Line> {
    assumed
        .iter()
        .map(|assumed| Line::styled(Style::Dim, format!("assuming that {assumed}")))
        .collect()
}

/// Numbered moves in columns.
pub(super) fn line_of_moves(moves: &[LineMove], width: usize) -> Vec<Line> {
    let names = moves.iter().filter_map(|m| m.player.as_deref());
    let name_columns = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let text = |(n, m): (usize, &LineMove)| {
        let player = m.player.as_deref();
        let player = player.map_or_else(String::new, |p| format!("{p:<name_columns$}  "));
        let draws = draws_text(m).map_or_else(String::new, |draws| format!("  {draws}"));
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

/// The random numbers that are drawn in a move: `(draws 4, 3)`.
pub(super) fn draws_text(m: &LineMove) -> Option<String> {
    let draws: Vec<String> = m.draws.iter().map(i64::to_string).collect();
    (!draws.is_empty()).then(|| format!("(draws {})", draws.join(", ")))
}

/// Entries one after the other, with a space between them, after a label and below it.
pub(super) fn entry_lines<'e>(
    label: &str,
    entries: impl IntoIterator<Item = &'e str>,
    width: usize,
) -> Vec<Line> {
    let entries: Vec<&str> = entries.into_iter().collect();
    if entries.is_empty() {
        return vec![Line::plain(label)];
    }
    let start = format!("{label} ");
    let indent = " ".repeat(start.chars().count());
    let rows = join_rows(&entries, " ", [&start, &indent], width);
    rows.into_iter().map(Line::plain).collect()
}
