//! Which history entry is running, and what has changed since the last stop.

use crate::answer;
use crate::answer::{Change, ChangesSince, Diff, EntryAction, Mark, TimelineBranch, TimelineEntry};
use crate::code::FunctionKind;
use crate::diff;
use crate::diff::state_diff::field_diff;
use crate::frame;
use crate::{Branch, DroppedHistory, HistoryAction, HistoryEntry, Target, TimePoint};

/// The entry being run, as opposed to entries typed while it was stopped and answers.
pub fn outermost_entry(target: &Target) -> Option<&HistoryEntry> {
    target
        .timeline
        .entries()
        .iter()
        .rev()
        .find(|r| !r.is_answer() && !matches!(r.action, HistoryAction::EvalInFrame { .. }))
}

/// The entry that is running now: an unfinished one typed at a stop, or else the outermost one.
pub fn innermost_entry(target: &Target) -> Option<&HistoryEntry> {
    let frames = target.machine.frames();
    let is_entry = |depth: usize| {
        let function = frames
            .get(depth)
            .and_then(|f| target.machine.function(f.function));
        function.is_some_and(|f| f.kind == FunctionKind::Entry)
    };
    let is_running = |r: &&HistoryEntry| match r.action {
        HistoryAction::EvalInFrame { .. } => {
            r.is_dry_run() && frames.len() > r.before.depth() || is_entry(r.before.depth())
        }
        HistoryAction::Answer { .. } => false,
        _ => true,
    };
    target.timeline.entries().iter().rev().find(is_running)
}

/// The index of the entry that was typed at the current stop and has just finished. Other
/// entries may have been typed while it was stopped.
pub fn entry_finished_at_stop(target: &Target) -> Option<usize> {
    let depth = target.machine.frames().len();
    let typed_here = |r: &HistoryEntry| {
        matches!(r.action, HistoryAction::EvalInFrame { .. }) && r.before.depth() == depth
    };
    target.timeline.entries().iter().rposition(typed_here)
}

/// Whether the user has stopped inside an entry.
pub fn has_stopped_in(target: &Target, index: usize) -> bool {
    let entries = target.timeline.entries();
    let Some(start_time) = entries.get(index).map(|r| r.before.time) else {
        return false;
    };
    let before = entries[..index]
        .iter()
        .rev()
        .take_while(|r| r.before.time == start_time)
        .count();
    let last = target.debugger.nav_history.get(target.debugger.nav_index);
    // After an undo, the last visit may be in the future.
    let last = last.filter(|point| point.time <= target.machine.time());
    last.is_some_and(|point| {
        point.time > start_time || point.time == start_time && point.entries_started > before
    })
}

/// The running entry, or the last one.
fn current_entry(target: &Target) -> Option<&HistoryEntry> {
    if target.is_stopped() {
        innermost_entry(target)
    } else {
        target.timeline.entries().last()
    }
}

/// Set if a point can no longer be reached, because its part of the history was dropped.
pub fn is_lost(target: &Target, point: TimePoint) -> Option<DroppedHistory> {
    let (known_since, _) = target.timeline.time_range();
    let is_lost = match point.branch {
        Some(number) => target.timeline.branch(number).is_none(),
        None => target.timeline.dropped_history().is_some() && point.time < known_since,
    };
    is_lost.then_some(DroppedHistory { known_since })
}

/// The history, and the current position in it.
pub fn describe_timeline(target: &Target) -> answer::Timeline {
    let (first, last) = target.timeline.time_range();
    let current = current_entry(target);
    let entries = target.timeline.all_entries().iter().enumerate();
    let to_entry = |(index, entry): (usize, &HistoryEntry)| TimelineEntry {
        is_current: current.is_some_and(|current| std::ptr::eq(current, entry)),
        is_ahead: index >= target.timeline.cursor(),
        ..describe_entry(index, entry)
    };
    let marks = target.debugger.bookmarks.iter();
    let to_mark = |(name, point): (&String, &TimePoint)| Mark {
        name: name.clone(),
        time: point.time,
        branch: point.branch,
        is_lost: is_lost(target, *point).is_some(),
    };
    answer::Timeline {
        position: target.machine.time(),
        first,
        last,
        is_stopped: target.is_stopped(),
        action: target.machine.store.action,
        start_entries: target.timeline.start_entry_count(),
        entries: entries.map(to_entry).collect(),
        branches: target.timeline.branches().map(describe_branch).collect(),
        marks: marks.map(to_mark).collect(),
    }
}

/// What has changed in the game since the last stop, or since the entry started if it has not
/// stopped yet.
pub fn changes_since_stop(target: &mut Target) -> (Option<ChangesSince>, Vec<Change>) {
    let (now, _) = target.machine.store.snapshot();
    let start = outermost_entry(target).map(|r| r.before.clone());
    let (since, mut changes, fields) = match (&target.debugger.last_stop_state, start) {
        (Some(before), _) => {
            let changes = diff::state_diff(target, before, &now);
            (
                Some(ChangesSince::LastStop),
                changes,
                diff::last_stop_fields(target).to_vec(),
            )
        }
        (None, Some(start)) => {
            let changes = diff::state_diff(target, start.store(), &now);
            let fields = target.with_time(|s| {
                s.machine.restore(&start);
                diff::record_fields(s)
            });
            (Some(ChangesSince::EntryStart), changes, fields)
        }
        (None, None) => (None, Vec::new(), Vec::new()),
    };
    changes.extend(field_diff(&fields, &diff::record_fields(target)));
    (since, changes)
}

/// What differs between a point in the history and now.
pub fn diff_since(target: &mut Target, point: TimePoint) -> Diff {
    let (now, _) = target.machine.store.snapshot();
    let (from, then, fields) = target.with_time(|s| {
        s.timeline.seek_point(&mut s.machine, point);
        let (then, _) = s.machine.store.snapshot();
        (s.machine.time(), then, diff::record_fields(s))
    });
    let mut changes = diff::state_diff(target, &then, &now);
    changes.extend(field_diff(&fields, &diff::record_fields(target)));
    Diff {
        from,
        to: target.machine.time(),
        changes,
    }
}

/// The cell in focus: that of the piece whose handler is running, or else of the last local
/// that is a piece.
pub fn current_cell(target: &Target) -> Option<(u32, u32)> {
    let frame = target.debugger.selected_frame;
    frame::handler_cell(target, frame).or_else(|| {
        let piece = frame::locals(target, frame)
            .into_iter()
            .rev()
            .find_map(|(_, v)| v.as_piece())?;
        Some(target.machine.store.row_col(piece.cell))
    })
}

fn describe_branch(branch: &Branch) -> TimelineBranch {
    let entries = branch.entries.iter().enumerate();
    TimelineBranch {
        number: branch.number,
        shared_entries: branch.fork_index,
        fork_time: branch.entries.first().map_or(0, |entry| entry.before.time),
        entries: entries
            .map(|(index, entry)| describe_entry(index, entry))
            .collect(),
    }
}

fn describe_entry(index: usize, entry: &HistoryEntry) -> TimelineEntry {
    TimelineEntry {
        index,
        text: entry.text.clone(),
        start: entry.before.time,
        end: entry.end_time(),
        has_effect: entry.has_effect,
        action: match entry.action {
            HistoryAction::Start {
                resets_game: true, ..
            } => EntryAction::StartGame,
            HistoryAction::Start { .. } => EntryAction::Run,
            HistoryAction::EvalInFrame { .. } => EntryAction::RunAtStop,
            HistoryAction::Answer { .. } => EntryAction::Answer,
            HistoryAction::Seed(_) => EntryAction::Seed,
            HistoryAction::ScriptDraws(_) => EntryAction::ScriptDraws,
        },
        is_current: false,
        is_ahead: false,
    }
}
