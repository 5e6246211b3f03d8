//! Which history entry is running, and what has changed since the last stop.

use super::api::{Change, ChangesSince};
use super::state_diff::{MAX_CHANGES_SHOWN, field_diff};
use super::{HistoryAction, HistoryEntry, Target};
use crate::code::FunctionKind;

impl Target {
    /// The entry being run, as opposed to entries typed while it was stopped.
    pub(crate) fn outermost_entry(&self) -> Option<&HistoryEntry> {
        self.timeline
            .entries()
            .iter()
            .rev()
            .find(|r| !matches!(r.action, HistoryAction::EvalInFrame { .. }))
    }

    /// The entry that is running now: an unfinished one typed at a stop, or else the outermost one.
    pub(crate) fn innermost_entry(&self) -> Option<&HistoryEntry> {
        let frames = self.machine.frames();
        let is_entry = |depth: usize| {
            let function = frames
                .get(depth)
                .and_then(|f| self.machine.function(f.function));
            function.is_some_and(|f| f.kind == FunctionKind::Entry)
        };
        let is_running = |r: &&HistoryEntry| match r.action {
            HistoryAction::EvalInFrame { .. } => {
                r.is_dry_run && frames.len() > r.before.depth() || is_entry(r.before.depth())
            }
            _ => true,
        };
        self.timeline.entries().iter().rev().find(is_running)
    }

    /// The index of the entry that was typed at the current stop and has just finished. Other
    /// entries may have been typed while it was stopped.
    pub(crate) fn entry_finished_at_stop(&self) -> Option<usize> {
        let depth = self.machine.frames().len();
        let typed_here = |r: &HistoryEntry| {
            matches!(r.action, HistoryAction::EvalInFrame { .. }) && r.before.depth() == depth
        };
        self.timeline.entries().iter().rposition(typed_here)
    }

    /// Whether the user has stopped inside an entry.
    pub(crate) fn has_stopped_in(&self, index: usize) -> bool {
        let entries = self.timeline.entries();
        let Some(start_time) = entries.get(index).map(|r| r.before.time) else {
            return false;
        };
        let before = entries[..index]
            .iter()
            .rev()
            .take_while(|r| r.before.time == start_time)
            .count();
        let last = self.debugger.nav_history.get(self.debugger.nav_index);
        last.is_some_and(|point| {
            point.time > start_time || point.time == start_time && point.entries_started > before
        })
    }

    /// The first line of the running entry, or of the last one.
    pub fn current_entry_line(&self) -> &str {
        let entry = if self.is_stopped() {
            self.innermost_entry()
        } else {
            self.timeline.entries().last()
        };
        entry.and_then(|r| r.text.lines().next()).unwrap_or("")
    }

    /// What has changed in the game since the last stop, or since the entry started if it has not
    /// stopped yet.
    pub(crate) fn changes_since_stop(&mut self) -> (Option<ChangesSince>, Vec<Change>) {
        let (now, _) = self.machine.store.snapshot();
        let start = self.outermost_entry().map(|r| r.before.clone());
        let (since, mut changes, fields) = match (&self.debugger.last_stop_state, start) {
            (Some(before), _) => {
                let changes = self.state_diff(before, &now, MAX_CHANGES_SHOWN);
                (
                    Some(ChangesSince::LastStop),
                    changes,
                    self.debugger.last_stop_fields.clone(),
                )
            }
            (None, Some(start)) => {
                let changes = self.state_diff(start.store(), &now, MAX_CHANGES_SHOWN);
                let fields = self.with_time(|s| {
                    s.machine.restore(&start);
                    s.record_fields()
                });
                (Some(ChangesSince::EntryStart), changes, fields)
            }
            (None, None) => (None, Vec::new(), Vec::new()),
        };
        changes.extend(field_diff(
            &fields,
            &self.record_fields(),
            MAX_CHANGES_SHOWN,
        ));
        let changes = changes.into_iter().map(|text| Change { text }).collect();
        (since, changes)
    }

    /// The cell in focus: that of the piece whose handler is running, or else of the last local
    /// that is a piece.
    pub(crate) fn current_cell(&self) -> Option<(u32, u32)> {
        let frame = self.debugger.selected_frame;
        self.handler_cell(frame).or_else(|| {
            let piece = self
                .locals(frame)
                .into_iter()
                .rev()
                .find_map(|(_, v)| v.as_piece())?;
            Some(self.machine.store.row_col(piece.cell))
        })
    }
}
