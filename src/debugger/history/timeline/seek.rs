//! Seeking: going to any time exactly, by restoring the checkpoint before it and replaying from
//! there.

use super::history_entry::apply_action;
use super::{DroppedHistory, HistoryAction, HistoryEntry, Timeline};
use crate::TimePoint;
use crate::machine::{BoundedObserver, Checkpoint, Machine, Observer, Outcome, Pause};

/// When seeking far from a checkpoint, extra checkpoints are taken this many instructions before
/// the target, so that stepping back from there is fast.
const NEAR_CHECKPOINT_DISTANCES_INSTRUCTIONS: [u64; 5] = [2_000_000, 200_000, 20_000, 2_000, 100];

impl Timeline {
    /// Starts replaying the next entry of the history. Returns false at the end.
    pub fn enter_next(&mut self, machine: &mut Machine) -> bool {
        let Some(entry) = self.entries.get(self.cursor) else {
            return false;
        };
        machine.restore(&entry.before);
        apply_action(machine, &entry.action);
        self.cursor += 1;
        true
    }

    /// When the next entry starts, if it was typed while the current one was stopped. Replaying
    /// must continue with it at that time.
    pub fn next_nested_time(&self) -> Option<u64> {
        self.entries
            .get(self.cursor)
            .filter(|e| e.before.depth() > 0)
            .map(|e| e.before.time)
    }

    /// Starts the nested entry that was typed at the current time, if there is one.
    pub fn enter_nested(&mut self, machine: &mut Machine) -> bool {
        self.is_at_nested(machine) && self.enter_next(machine)
    }

    /// Whether a nested entry was typed at the current time.
    pub fn is_at_nested(&self, machine: &Machine) -> bool {
        let nested_time = self.next_nested_time();
        nested_time.is_some_and(|time| machine.time() >= time)
    }

    /// Whether the current entry has not executed any instruction. An answer continues where the
    /// program has asked.
    pub(crate) fn is_at_entry_start(&self, machine: &Machine) -> bool {
        let entry = self.current().filter(|e| !e.is_answer());
        entry.is_some_and(|e| e.before.time == machine.time())
    }

    /// Whether something was typed at a stop at this time.
    pub(crate) fn has_nested_at(&self, time: u64) -> bool {
        let first = self.entries.partition_point(|e| e.before.time < time);
        let at_time = self.entries[first..].iter();
        let mut at_time = at_time.take_while(|e| e.before.time == time);
        at_time.any(|e| e.before.depth() > 0)
    }

    /// The entries of the current game, including those undone; the first one starts it.
    pub fn game_entries(&self) -> &[HistoryEntry] {
        let reset_index = self.entries().iter().rposition(|e| {
            matches!(
                e.action,
                HistoryAction::Start {
                    resets_game: true,
                    ..
                }
            )
        });
        &self.entries[reset_index.unwrap_or(0)..]
    }

    /// When the current game started, or the earliest known time if that was dropped.
    pub fn game_start(&self) -> u64 {
        let known = self.known_game_start();
        known.unwrap_or_else(|dropped| dropped.known_since)
    }

    /// When the current game started.
    pub fn known_game_start(&self) -> Result<u64, DroppedHistory> {
        let game_reset = self.entries().iter().rev().find(|e| {
            matches!(
                e.action,
                HistoryAction::Start {
                    resets_game: true,
                    ..
                }
            )
        });
        match (game_reset, self.dropped_history()) {
            (Some(entry), _) => Ok(entry.end_time()),
            (None, Some(dropped)) => Err(dropped),
            (None, None) => Ok(self.time_range().0),
        }
    }

    /// The earliest and the latest time that can be reached.
    pub fn time_range(&self) -> (u64, u64) {
        // The state before the start of the session cannot be visited.
        let start = |e: &HistoryEntry| {
            if e.is_session_start() {
                e.end_time()
            } else {
                e.before.time
            }
        };
        let first = self.entries.first().map_or(0, start);
        (
            first,
            self.entries.last().map_or(first, HistoryEntry::end_time),
        )
    }

    /// Set if the oldest entries were dropped to save memory.
    pub fn dropped_history(&self) -> Option<DroppedHistory> {
        let (known_since, _) = self.time_range();
        self.has_dropped_entries
            .then_some(DroppedHistory { known_since })
    }

    /// The index of the entry that contains a time.
    pub fn entry_at(&self, time: u64) -> Option<usize> {
        let after = self.entries.partition_point(|e| e.before.time <= time);
        after.checked_sub(1)
    }

    /// The last time before `time` from which replay can start.
    pub fn checkpoint_time_before(&self, time: u64) -> Option<u64> {
        let after = self.entries.partition_point(|e| e.before.time < time);
        let entry = self.entries.get(after.checked_sub(1)?)?;
        let after = entry.checkpoints.partition_point(|c| c.time < time);
        let checkpoint = after.checked_sub(1).map(|n| &entry.checkpoints[n]);
        let start = checkpoint.unwrap_or(&entry.before).time;
        (start >= self.time_range().0).then_some(start)
    }

    /// A lower bound of the stack depth between two times; 0 unless both have checkpoints.
    pub fn min_depth_between(&self, from: u64, to: u64) -> usize {
        let min_depth = || {
            Some(
                self.checkpoint_at(from)?
                    .min_depth_until(self.checkpoint_at(to)?),
            )
        };
        min_depth().unwrap_or(0)
    }

    fn checkpoint_at(&self, time: u64) -> Option<&Checkpoint> {
        let checkpoints = &self.entries.get(self.entry_at(time)?)?.checkpoints;
        checkpoints
            .binary_search_by_key(&time, |c| c.time)
            .ok()
            .map(|index| &checkpoints[index])
    }

    /// Goes to a time. Where one entry ends and the next starts, the next has not started.
    pub fn seek(&mut self, machine: &mut Machine, time: u64) {
        self.seek_point(machine, TimePoint::at(time));
    }

    /// Goes to a position in the history.
    pub fn seek_point(&mut self, machine: &mut Machine, point: TimePoint) {
        let first = self.entries.partition_point(|e| e.before.time < point.time);
        let starting = self.entries[first..]
            .iter()
            .take_while(|e| e.before.time == point.time)
            .count();
        let next = first + point.entries_started.min(starting);
        if point.entries_started >= starting || next == 0 {
            return self.seek_into(machine, point.time);
        }
        self.cursor = next;
        machine.restore(&self.entries[next].before);
    }

    /// The current position in the history.
    pub fn time_point(&self, machine: &Machine) -> TimePoint {
        let time = machine.time();
        let entries_started = self
            .entries()
            .iter()
            .rev()
            .take_while(|e| e.before.time == time)
            .count();
        TimePoint {
            time,
            entries_started,
            branch: None,
        }
    }

    /// Goes to a time in order to continue from there. Where one entry ends and the next starts,
    /// the next has started.
    pub fn seek_into(&mut self, machine: &mut Machine, time: u64) {
        let Some(index) = self.entry_at(time) else {
            return;
        };
        let entry = &self.entries[index];
        self.cursor = index + 1;
        if let Some(after) = entry.after.as_ref().filter(|a| a.time <= time) {
            return machine.restore(after);
        }
        match entry.checkpoints.iter().rev().find(|c| c.time <= time) {
            Some(checkpoint) => machine.restore(checkpoint),
            None => {
                machine.restore(&entry.before);
                apply_action(machine, &entry.action);
            }
        }
        let mut interrupted = false;
        for distance in NEAR_CHECKPOINT_DISTANCES_INSTRUCTIONS {
            let near_time = time.saturating_sub(distance);
            if machine.time() + distance < near_time {
                interrupted |= replay_until(machine, near_time);
                self.add_checkpoint(machine, index);
            }
        }
        if replay_until(machine, time) || interrupted {
            // Leave the interrupt to whatever runs next.
            machine
                .interrupt_flag()
                .store(true, std::sync::atomic::Ordering::SeqCst);
        }
    }

    /// Adds a checkpoint of the current state to an entry, if there is memory for it. See
    /// [`NEAR_CHECKPOINT_DISTANCES_INSTRUCTIONS`].
    fn add_checkpoint(&mut self, machine: &mut Machine, index: usize) {
        let checkpoint = machine.checkpoint();
        let bytes = checkpoint.bytes as u64;
        let Some(entry) = self
            .entries
            .get_mut(index)
            .filter(|_| self.bytes_estimate + bytes <= machine.limits.max_history_bytes)
        else {
            return;
        };
        let position = entry
            .checkpoints
            .partition_point(|c| c.time < checkpoint.time);
        if entry
            .checkpoints
            .get(position)
            .is_none_or(|c| c.time > checkpoint.time)
        {
            entry.checkpoints.insert(position, checkpoint);
            self.bytes_estimate += bytes;
        }
    }

    /// The number of entries in effect.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Restores a cursor returned by [`Timeline::cursor`].
    pub fn set_cursor(&mut self, cursor: usize) {
        self.cursor = cursor.min(self.entries.len());
    }
}

/// Replays to a time without breakpoints and without taking checkpoints. Ctrl-C does not stop the
/// replay; the return value says whether it was pressed.
pub fn replay_until(machine: &mut Machine, time: u64) -> bool {
    let mut interrupted = false;
    replay_slices(machine, time, |machine| {
        let outcome = machine.run_until(time);
        interrupted |= outcome == Outcome::Paused(Pause::Interrupt);
        Some(outcome)
    });
    interrupted
}

/// Like [`replay_until`], with an observer. Ctrl-C stops it; returns whether it did.
pub fn replay_observed(machine: &mut Machine, time: u64, observer: &mut dyn Observer) -> bool {
    let mut interrupted = machine.take_interrupt();
    replay_slices(machine, time, |machine| {
        if interrupted {
            return None;
        }
        let inner = &mut *observer;
        let outcome = machine.run_observed(&mut BoundedObserver { inner, time });
        interrupted = outcome == Outcome::Paused(Pause::Interrupt);
        Some(outcome)
    });
    interrupted
}

/// Calls `run` until it has reached a time, or returns `None`.
fn replay_slices(
    machine: &mut Machine,
    time: u64,
    mut run: impl FnMut(&mut Machine) -> Option<Outcome>,
) {
    // These limits are checked now and then, so a replay could reach one earlier than the run did.
    let limits = machine.limits;
    machine.limits.max_instructions = 0;
    machine.limits.is_memory_enforced = false;
    machine.set_traps(&[]);
    machine.set_recording(false);
    while machine.time() < time {
        match run(machine) {
            Some(Outcome::Paused(Pause::Interrupt | Pause::Trap | Pause::Observer)) => {}
            // A nested entry has finished; the one around it continues.
            Some(Outcome::Finished(_)) if !machine.is_idle() => {}
            _ => break,
        }
    }
    machine.set_recording(true);
    machine.limits = limits;
}
