//! Keeps the history within its memory limit.
//!
//! What counts is what the history holds besides the current state: the game itself has a limit of its
//! own. First, checkpoints inside of entries are dropped, so that going back takes longer; then branches,
//! then the oldest entries. What is left can still be reached exactly. What cannot be dropped is the
//! state before the running entry, to which an error returns; if that alone is too much, the rest counts
//! as memory of the program.

use super::{Branch, HistoryEntry, Timeline};
use crate::machine::{Checkpoint, Machine, usable_history_bytes};

/// The history is cut back to this part of its limit, so that it is not summed up after every entry.
const TRIMMED_EIGHTHS: u64 = 7;

/// So many entries are kept, however small the limit is, while they take no more than this.
const MIN_ENTRIES: usize = 8;
const MIN_ENTRIES_BYTES: u64 = 1 << 20;

/// At least this part of the limit is left for the checkpoints of a run between two pauses.
const MIN_LEFT_FRACTION: u64 = 16;

impl Timeline {
    /// How many bytes of checkpoints a run may take before they have to be collected.
    pub(crate) fn history_bytes_left(&self, machine: &Machine) -> u64 {
        let budget = usable_history_bytes(machine.limits.max_history_bytes);
        let left = budget.saturating_sub(self.bytes_estimate);
        left.max(budget / MIN_LEFT_FRACTION)
    }

    /// The bytes that the history holds besides the current state, approximately.
    pub fn history_bytes(&self) -> u64 {
        let newest = self.entries.last().and_then(|e| e.all_checkpoints().last());
        let current = newest.map_or(0, |newest| newest.unshared_bytes(None) as u64);
        let mut bytes = 0;
        let mut previous = None;
        for entry in &self.entries {
            bytes += entry_bytes(entry, &mut previous);
        }
        for branch in &self.branches {
            let shared = branch.fork_index.checked_sub(1);
            let shared = shared.and_then(|n| self.entries.get(n));
            let mut previous = shared.and_then(|e| e.all_checkpoints().last());
            for entry in &branch.entries {
                bytes += entry_bytes(entry, &mut previous);
            }
            bytes += branch.log_bytes();
        }
        for unfinished in &self.unfinished {
            bytes += unfinished.state.unshared_bytes(newest) as u64;
        }
        bytes.saturating_sub(current)
    }

    /// Keeps the history within its memory limit, as far as dropping checkpoints inside of entries does.
    pub(super) fn trim_checkpoints(&mut self, machine: &mut Machine) {
        self.trim_with(machine, thin_out_checkpoints);
    }

    /// Keeps the history within its memory limit; see the module documentation. May renumber entries and
    /// drop branches.
    pub(super) fn trim(&mut self, machine: &mut Machine) {
        self.trim_with(machine, |timeline, excess| {
            thin_out_checkpoints(timeline, excess)
                || drop_unfinished(timeline)
                || drop_oldest_branches(timeline)
                || drop_oldest_entries(timeline)
        });
    }

    /// Calls `drop_something` until the history is within its limit or it returns false. It gets the
    /// number of bytes that are too much.
    fn trim_with(
        &mut self,
        machine: &mut Machine,
        mut drop_something: impl FnMut(&mut Timeline, u64) -> bool,
    ) {
        let budget = usable_history_bytes(machine.limits.max_history_bytes);
        // Summing up takes time proportional to the history, so it is skipped while the estimate is
        // low.
        if self.bytes_estimate > budget {
            self.bytes_estimate = self.history_bytes();
        }
        if self.bytes_estimate > budget {
            let target = budget / 8 * TRIMMED_EIGHTHS;
            while self.bytes_estimate > target && drop_something(self, self.bytes_estimate - target)
            {
                self.bytes_estimate = self.history_bytes();
            }
        }
        machine.history_excess_bytes = self.bytes_estimate.saturating_sub(budget);
    }
}

fn drop_unfinished(timeline: &mut Timeline) -> bool {
    let is_any = !timeline.unfinished.is_empty();
    timeline.unfinished.clear();
    is_any
}

/// Drops the oldest quarter of the branches; false if there are none.
fn drop_oldest_branches(timeline: &mut Timeline) -> bool {
    // The branch that an entry started may become the future again.
    let forked = timeline.entries[..timeline.cursor].last();
    let forked = forked.and_then(|e| e.forked_branch);
    let is_dropped = |b: &Branch| forked != Some(b.number);
    let droppable = timeline.branches.iter().filter(|b| is_dropped(b)).count();
    let mut left = droppable.div_ceil(4);
    let mut last = timeline.last_dropped_branch;
    timeline.branches.retain(|b| {
        let drops = left > 0 && is_dropped(b);
        left -= usize::from(drops);
        last = last.max(if drops { b.number } else { 0 });
        !drops
    });
    timeline.last_dropped_branch = last;
    droppable > 0
}

/// Drops every second checkpoint inside of entries, from the oldest entry on, until about this many
/// bytes are free; false if there are none.
fn thin_out_checkpoints(timeline: &mut Timeline, excess: u64) -> bool {
    let (mut dropped, mut freed) = (false, 0);
    for entry in &mut timeline.entries {
        if freed >= excess {
            break;
        }
        let mut keep = true;
        let old_bytes = entry_bytes(entry, &mut Some(&entry.before));
        let old_count = entry.checkpoints.len();
        entry.checkpoints.retain(|_| {
            keep = !keep;
            keep
        });
        if entry.checkpoints.len() < old_count {
            dropped = true;
            freed += old_bytes.saturating_sub(entry_bytes(entry, &mut Some(&entry.before)));
        }
    }
    dropped
}

/// Drops the oldest quarter of the entries; false if there is only the running one, or few and small ones.
fn drop_oldest_entries(timeline: &mut Timeline) -> bool {
    let droppable = first_running_index(timeline);
    let is_little = timeline.cursor <= MIN_ENTRIES && timeline.bytes_estimate <= MIN_ENTRIES_BYTES;
    if droppable == 0 || is_little {
        return false;
    }
    let dropped = droppable.div_ceil(4);
    timeline.update_counts();
    timeline.counted_entries -= dropped;
    timeline.entries.drain(..dropped);
    timeline.cursor -= dropped;
    timeline.undo_floor = timeline.undo_floor.saturating_sub(dropped);
    timeline.has_dropped_entries = true;
    let lost = timeline.branches.iter().filter(|b| b.fork_index < dropped);
    let last_lost = lost.map(|b| b.number).max().unwrap_or(0);
    timeline.last_dropped_branch = timeline.last_dropped_branch.max(last_lost);
    timeline.branches.retain(|b| b.fork_index >= dropped);
    timeline
        .branches
        .iter_mut()
        .for_each(|b| b.fork_index -= dropped);
    true
}

/// The index of the first of the entries that are running or stopped at the current position; if
/// there are none, of the last one.
fn first_running_index(timeline: &Timeline) -> usize {
    let before = &timeline.entries[..timeline.cursor];
    let outermost = before.iter().rposition(|e| e.before.depth() == 0);
    outermost.unwrap_or(0)
}

/// The bytes that an entry holds besides the checkpoint before it, which becomes its last one.
fn entry_bytes<'e>(entry: &'e HistoryEntry, previous: &mut Option<&'e Checkpoint>) -> u64 {
    let mut bytes = entry.own_bytes();
    for checkpoint in entry.all_checkpoints() {
        bytes += checkpoint.unshared_bytes(*previous) as u64;
        *previous = Some(checkpoint);
    }
    bytes
}
