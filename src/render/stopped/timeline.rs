//! The text of the history: positions, marks, branches, and what was undone.

use crate::answer::{Line, NextChange, Style, Timeline, TimelineBranch, TimelineSubject};
use crate::text::{count_noun, elide, first_line};

/// Longer entries are elided by `:when`.
const MAX_ENTRY_CHARS: usize = 44;
/// Longer lists of entries are elided by `:branches`.
const MAX_BRANCH_CHARS: usize = 60;
/// Of more undone entries, only the first and last are listed.
const MAX_ENTRIES_LISTED: usize = 8;

/// The part of the timeline that was asked for.
pub(crate) fn timeline_lines(subject: TimelineSubject, timeline: &Timeline) -> Vec<Line> {
    match subject {
        TimelineSubject::Position => position_lines(timeline),
        TimelineSubject::Branches if timeline.branches.is_empty() => {
            vec![Line::styled(Style::Dim, "No alternative histories")]
        }
        TimelineSubject::Branches => {
            let branches = timeline.branches.iter();
            branches
                .map(|branch| branch_line(branch, timeline.start_entries))
                .collect()
        }
        TimelineSubject::Marks => mark_lines(timeline),
    }
}

fn position_lines(timeline: &Timeline) -> Vec<Line> {
    let preposition = if timeline.is_stopped {
        "during"
    } else {
        "after"
    };
    let current = timeline.entries.iter().find(|entry| entry.is_current);
    let entry = current
        .and_then(|entry| entry.text.lines().next())
        .unwrap_or("");
    let mut lines = vec![Line::plain(format!(
        "time {} of {} to {}, {preposition} {}",
        timeline.position,
        timeline.first,
        timeline.last,
        elide(entry, MAX_ENTRY_CHARS)
    ))];
    if timeline.action > 0 {
        lines.push(Line::plain(format!("action {}", timeline.action)));
    }
    let ahead = timeline.entries.iter().filter(|entry| entry.is_ahead);
    let ahead = ahead.count();
    if ahead > 0 {
        let entries = count_noun(ahead, "later entry", "later entries");
        lines.push(Line::plain(format!(
            "{entries}: `:redo` or `:continue` to go there"
        )));
    }
    lines
}

/// `  1  after 3 entries: click{1,1} · click{2,2}`
fn branch_line(branch: &TimelineBranch, start_entries: usize) -> Line {
    let texts: Vec<&str> = branch
        .entries
        .iter()
        .filter(|entry| entry.has_effect)
        .map(|entry| entry.text.lines().next().unwrap_or(""))
        .collect();
    let place = match branch.shared_entries.saturating_sub(start_entries) {
        0 => "from the start".to_string(),
        typed => format!("after {}", count_noun(typed, "entry", "entries")),
    };
    Line::plain(format!(
        "  {}  {place}: {}",
        branch.number,
        elide(&texts.join(" · "), MAX_BRANCH_CHARS)
    ))
}

fn mark_lines(timeline: &Timeline) -> Vec<Line> {
    if timeline.marks.is_empty() {
        let hint = "No marks; `:mark NAME` marks the current time";
        return vec![Line::styled(Style::Dim, hint)];
    }
    let to_line = |mark: &crate::answer::Mark| {
        let place = match mark.branch {
            _ if mark.is_lost => "   lost: its history was dropped to save memory".to_string(),
            Some(n) => format!("   on branch {n}"),
            None => String::new(),
        };
        Line::plain(format!("  {:<16} time {}{place}", mark.name, mark.time))
    };
    timeline.marks.iter().map(to_line).collect()
}

/// `after click{1,1}`
pub(crate) fn position_line(entry: &str) -> Line {
    let message = if entry.is_empty() {
        "the game has just started".to_string()
    } else {
        format!("after {}", first_line(entry))
    };
    Line::styled(Style::Strong, message)
}

/// `  this covers the time since 5000; older history was dropped to save memory`
pub(crate) fn known_since_line(time: u64) -> Line {
    let text =
        format!("  this covers the time since {time}; older history was dropped to save memory");
    Line::styled(Style::Dim, text)
}

/// `  this changes n: 1 => 2`
pub(crate) fn next_change_line(change: &NextChange) -> Line {
    let NextChange { name, old, new, .. } = change;
    let old = if old.is_empty() { "nothing" } else { old };
    Line::plain(format!("  this changes {name}: {old} => {new}"))
}

/// One line for each entry, after a label such as `undone`.
pub(crate) fn entry_lines(label: &str, entries: &[String]) -> Vec<Line> {
    let line = |text: &String| {
        Line::styled(Style::Dim, format!("{label}: ")).with(Style::Plain, first_line(text))
    };
    if entries.len() <= MAX_ENTRIES_LISTED {
        return entries.iter().map(line).collect();
    }
    let half = MAX_ENTRIES_LISTED / 2;
    let omitted = format!("        ({} more)", entries.len() - 2 * half);
    let mut lines: Vec<Line> = entries[..half].iter().map(line).collect();
    lines.push(Line::styled(Style::Dim, omitted));
    lines.extend(entries[entries.len() - half..].iter().map(line));
    lines
}
