//! Recognizes entries that ran without changing anything, so that their silence can be explained.

use crate::answer::{ClickedCell, Part};
use crate::debugger::diff;
use crate::debugger::{HistoryAction, HistoryEntry, Target};
use crate::language::TokenClass;
use crate::why_not;

/// Explains the silence of the entry that has just ended, if it changed nothing.
pub fn explain_no_effect(target: &Target) -> Option<Part> {
    let discarded = target.discarded_entry();
    let entry = discarded.or_else(|| target.timeline.current())?;
    let after = entry.after.as_ref()?;
    let has_run = matches!(
        entry.action,
        HistoryAction::Start {
            function: Some(_),
            resets_game: false,
            ..
        }
    );
    let tokens = target.language.highlight(&entry.text);
    let is_comment = tokens
        .iter()
        .all(|(_, class)| *class == TokenClass::Comment);
    // Comparing the games is much cheaper than describing what differs.
    let has_changes = || {
        let changes = || diff::state_diff(target, entry.before.store(), after.store());
        !entry.before.is_same_game(after)
            && (!changes().is_empty() || !entry.before.store().has_same_records(after.store()))
    };
    if !has_run || is_comment || entry.has_effect && has_changes() {
        return None;
    }
    let click = clicked_cell(target, entry);
    Some(Part::NoEffect { click })
}

/// The cell of an entry such as `click{1,2}`.
fn clicked_cell(target: &Target, entry: &HistoryEntry) -> Option<ClickedCell> {
    let arguments = entry.text.trim().strip_prefix("click")?.trim_start();
    let arguments = arguments.strip_prefix('{')?.strip_suffix('}')?;
    let (row, col) = arguments.split_once(',')?;
    let (row, col) = (row.trim().parse().ok()?, col.trim().parse().ok()?);
    Some(ClickedCell {
        cell: target.program().board_info.format_cell(row, col),
        effect: why_not::click_handler(target, row, col).err(),
        why: format!(":why not click {row},{col}"),
    })
}
