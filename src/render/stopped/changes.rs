//! The text of changes of the game.

use crate::answer::{BoardSize, Change, Diff, Line, Style};
use crate::text::{count_noun, elide};

/// How many changes a stop, a step or a dry run lists.
pub const MAX_CHANGES_SHOWN: usize = 6;
/// How many changes `:diff` lists.
const MAX_DIFFERENCES_SHOWN: usize = 40;
/// Longer elements of lists and longer grids are elided.
const MAX_VALUE_CHARS: usize = 28;
/// Of cells with the same change, only this many are named.
const MAX_CELLS_NAMED: usize = 2;
/// Further changed cells of a board that is an ordinary value are counted, not listed.
const MAX_CELLS_LISTED: usize = 3;

/// The changes as texts. At most `limit` are listed, and as many of fields; changes of many cells
/// are not counted. The others are summed up as `and 3 more`.
pub fn change_texts(changes: &[Change], limit: usize) -> Vec<String> {
    let is_common = |c: &&Change| matches!(c, Change::BoardSize { .. } | Change::Cells { .. });
    let is_field = |c: &&Change| matches!(c, Change::Field { .. });
    let mut texts: Vec<String> = changes.iter().filter(is_common).map(text).collect();
    let single = changes.iter().filter(|c| !is_common(c) && !is_field(c));
    texts.extend(limited(single.flat_map(item_texts).collect(), limit));
    let fields = changes.iter().filter(is_field).map(text);
    texts.extend(limited(fields.collect(), limit));
    texts
}

/// The same changes, those of several cells that change alike as one.
pub(crate) fn with_equal_cells_merged(changes: &[Change]) -> Vec<Change> {
    let mut merged: Vec<Change> = Vec::new();
    for change in changes {
        let Change::Cell { cell, change: how } = change else {
            merged.push(change.clone());
            continue;
        };
        let alike = merged.iter_mut().find_map(|other| match other {
            Change::Cells {
                count,
                cells,
                change,
            } if change == how && *count == cells.len() => Some((count, cells)),
            _ => None,
        });
        match alike {
            Some((count, cells)) => {
                *count += 1;
                cells.push(cell.clone());
            }
            None => merged.push(Change::Cells {
                count: 1,
                cells: vec![cell.clone()],
                change: how.clone(),
            }),
        }
    }
    for change in &mut merged {
        if let Change::Cells {
            count: 1,
            cells,
            change: how,
        } = change
            && let Some(cell) = cells.pop()
        {
            *change = Change::Cell {
                cell,
                change: how.clone(),
            };
        }
    }
    merged
}

fn limited(mut texts: Vec<String>, limit: usize) -> Vec<String> {
    let omitted = texts.len().saturating_sub(limit);
    texts.truncate(limit);
    texts.extend((omitted > 0).then(|| format!("and {omitted} more")));
    texts
}

/// The texts of one change: one for each cell of a board that is an ordinary value.
fn item_texts(change: &Change) -> Vec<String> {
    match change {
        Change::Board {
            old_size,
            new_size,
            count,
            cells,
        } if old_size == new_size => {
            let listed = cells.iter().take(MAX_CELLS_LISTED);
            let mut texts: Vec<String> =
                listed.map(|c| format!("{}{}", c.cell, c.change)).collect();
            let omitted = count - texts.len();
            let more = || format!("and {}", count_noun(omitted, "more cell", "more cells"));
            texts.extend((omitted > 0).then(more));
            texts
        }
        change => vec![text(change)],
    }
}

fn text(change: &Change) -> String {
    match change {
        Change::BoardSize {
            old: BoardSize { rows: 0, .. },
            new,
        } => format!("the board is {} x {}", new.rows, new.cols),
        Change::BoardSize { old, new } => format!(
            "the board is {} x {}, was {} x {}",
            new.rows, new.cols, old.rows, old.cols
        ),
        Change::Cells {
            count,
            cells,
            change,
        } => {
            // One more name is as short as "and 1 more".
            let max_named = MAX_CELLS_NAMED + usize::from(*count == MAX_CELLS_NAMED + 1);
            let named = &cells[..cells.len().min(max_named)];
            let space = if change.attribute.is_some() { " " } else { "" };
            let names = named.join(", ");
            match count - named.len() {
                0 => format!("{names}:{space}{change}"),
                omitted => format!("{names} and {omitted} more:{space}{change}"),
            }
        }
        Change::Cell { cell, change } => format!("{cell}{change}"),
        Change::Board { .. } => "the board has a different size".to_string(),
        Change::Variable { name, old, new } => {
            let value = |value: &Option<String>| value.clone().unwrap_or("nothing".into());
            format!("{name} {} => {}", value(old), value(new))
        }
        Change::Element {
            name,
            index,
            old,
            new,
        } => format!(
            "{name}[{index}] {} => {}",
            elide(old, MAX_VALUE_CHARS),
            elide(new, MAX_VALUE_CHARS)
        ),
        Change::Length { name, old, new } => format!(
            "{name} has {}, had {old}",
            count_noun(*new, "element", "elements")
        ),
        Change::Grid { name, new } => format!("{name} => {}", elide(new, MAX_VALUE_CHARS)),
        Change::Replaced { name } => format!("{name} changed"),
        Change::Message { new } => format!("the message is \"{new}\""),
        Change::Field { name, old, new } => format!("{name} {old} => {new}"),
    }
}

/// What a dry run would have changed.
pub(crate) fn dry_run_line(changes: &[Change], discards_entries: bool) -> Line {
    let changes = match change_texts(changes, MAX_CHANGES_SHOWN) {
        texts if texts.is_empty() => "nothing".to_string(),
        texts => texts.join(", "),
    };
    let suffix = if discards_entries {
        "; entries typed during it are gone too"
    } else {
        ""
    };
    Line::styled(
        Style::Dim,
        format!("Dry run finished: it would change {changes}{suffix}"),
    )
}

/// One line for each difference.
pub(crate) fn diff_lines(diff: &Diff) -> Vec<Line> {
    let texts = change_texts(&diff.changes, MAX_DIFFERENCES_SHOWN);
    if texts.is_empty() {
        return vec![Line::styled(Style::Dim, "No differences")];
    }
    let to_line = |text| Line::plain(format!("  {text}"));
    texts.into_iter().map(to_line).collect()
}
