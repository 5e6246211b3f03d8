//! Going to a time, exactly: from the checkpoint before it, running silently.

use super::history_entry::apply_action;
use super::{HistoryAction, HistoryEntry, Timeline};
use crate::debugger::TimePoint;
use crate::machine::{Checkpoint, Machine, Outcome, Pause};

/// So many steps before a time that was gone to its state is kept, if the checkpoint before it lies further away: who
/// goes back from there step by step finds the next one when the first is passed.
const NEAR: [u64; 3] = [2_000_000, 200_000, 20_000];

impl Timeline {
    /// Goes on to the next record that has happened already.
    pub fn enter_next(&mut self, machine: &mut Machine) -> bool {
        let Some(record) = self.entries.get(self.cursor) else {
            return false;
        };
        machine.restore(&record.before);
        apply_action(machine, &record.action);
        self.cursor += 1;
        true
    }

    /// When the next record begins that was typed in the midst of the present one: going on leads into it.
    pub fn next_nested_time(&self) -> Option<u64> {
        self.entries
            .get(self.cursor)
            .filter(|r| r.before.depth() > 0)
            .map(|r| r.before.time)
    }

    /// Goes on to what was typed here, in the midst of what is going on; says whether anything was.
    pub fn enter_nested(&mut self, machine: &mut Machine) -> bool {
        self.next_nested_time()
            .is_some_and(|edge| machine.time() >= edge)
            && self.enter_next(machine)
    }

    /// All that was done in the game that is played, its start first.
    pub fn game_entries(&self) -> &[HistoryEntry] {
        let fresh = self.entries().iter().rposition(|r| {
            matches!(
                r.action,
                HistoryAction::Start {
                    resets_game: true,
                    ..
                }
            )
        });
        &self.entries[fresh.unwrap_or(0)..]
    }

    /// When the game that is played began.
    pub fn game_start(&self) -> u64 {
        let fresh = self.entries().iter().rev().find(|r| {
            matches!(
                r.action,
                HistoryAction::Start {
                    resets_game: true,
                    ..
                }
            )
        });
        fresh.map_or_else(|| self.time_range().0, HistoryEntry::end_time)
    }

    /// The earliest time that can be gone to, and the latest.
    pub fn time_range(&self) -> (u64, u64) {
        // Before a session has begun there is nothing to be seen, and nothing could be typed.
        let start = |r: &HistoryEntry| {
            if r.is_session_start() {
                r.end_time()
            } else {
                r.before.time
            }
        };
        let first = self.entries.first().map_or(0, start);
        (
            first,
            self.entries.last().map_or(first, HistoryEntry::end_time),
        )
    }

    /// The record in which a time lies.
    pub fn entry_at(&self, time: u64) -> Option<usize> {
        let after = self.entries.partition_point(|r| r.before.time <= time);
        after.checked_sub(1)
    }

    /// Every place from which can be run forward, latest first, that lies before a time.
    pub fn checkpoint_times_before(&self, time: u64) -> Vec<u64> {
        let (first, _) = self.time_range();
        let mut starts: Vec<u64> = self
            .entries
            .iter()
            .flat_map(|r| {
                std::iter::once(r.before.time).chain(r.checkpoints.iter().map(|c| c.time))
            })
            .filter(|t| (first..time).contains(t))
            .collect();
        starts.dedup();
        starts.reverse();
        starts
    }

    /// How many frames were on the stack at every time between two, at least. It is known where checkpoints were taken.
    pub fn min_depth_between(&self, from: u64, to: u64) -> usize {
        let low = || {
            Some(
                self.checkpoint_at(from)?
                    .min_depth_until(self.checkpoint_at(to)?),
            )
        };
        low().unwrap_or(0)
    }

    fn checkpoint_at(&self, time: u64) -> Option<&Checkpoint> {
        let on_the_way = &self.entries.get(self.entry_at(time)?)?.checkpoints;
        on_the_way
            .binary_search_by_key(&time, |c| c.time)
            .ok()
            .map(|at| &on_the_way[at])
    }

    /// Goes to a time, exactly. Where one record ends and the next begins, the first has just ended.
    pub fn seek(&mut self, machine: &mut Machine, time: u64) {
        self.seek_point(machine, TimePoint::at(time));
    }

    /// Goes to a moment, exactly.
    pub fn seek_point(&mut self, machine: &mut Machine, moment: TimePoint) {
        let first = self
            .entries
            .partition_point(|r| r.before.time < moment.time);
        let begin = self.entries[first..]
            .iter()
            .take_while(|r| r.before.time == moment.time)
            .count();
        let next = first + moment.entries_started.min(begin);
        if moment.entries_started >= begin || next == 0 {
            return self.seek_into(machine, moment.time);
        }
        self.cursor = next;
        machine.restore(&self.entries[next].before);
    }

    /// The moment at which the machine is.
    pub fn time_point(&self, machine: &Machine) -> TimePoint {
        let time = machine.time();
        let begun = self
            .entries()
            .iter()
            .rev()
            .take_while(|r| r.before.time == time)
            .count();
        TimePoint {
            time,
            entries_started: begun,
            branch: None,
        }
    }

    /// Goes to a time, exactly, to run on from there: where two records meet, the second has just begun.
    pub fn seek_into(&mut self, machine: &mut Machine, time: u64) {
        let Some(n) = self.entry_at(time) else {
            return;
        };
        let record = &self.entries[n];
        self.cursor = n + 1;
        if let Some(after) = record.after.as_ref().filter(|a| a.time <= time) {
            return machine.restore(after);
        }
        match record.checkpoints.iter().rev().find(|c| c.time <= time) {
            Some(checkpoint) => machine.restore(checkpoint),
            None => {
                machine.restore(&record.before);
                apply_action(machine, &record.action);
            }
        }
        let mut pressed = false;
        for distance in NEAR {
            let near = time.saturating_sub(distance);
            if machine.time() + distance < near {
                pressed |= replay_until(machine, near);
                self.keep_near(machine, n);
            }
        }
        if replay_until(machine, time) || pressed {
            // It is for whoever goes on from here.
            machine
                .interrupt_flag()
                .store(true, std::sync::atomic::Ordering::SeqCst);
        }
    }

    /// Keeps the present state of a record, as if a checkpoint had been due: who looks around from a time soon wants to
    /// be a little before it.
    fn keep_near(&mut self, machine: &mut Machine, n: usize) {
        let here = machine.checkpoint();
        let bytes = here.bytes as u64;
        let Some(record) = self
            .entries
            .get_mut(n)
            .filter(|_| self.bytes_estimate + bytes <= machine.limits.max_history_bytes)
        else {
            return;
        };
        let at = record.checkpoints.partition_point(|c| c.time < here.time);
        if record
            .checkpoints
            .get(at)
            .is_none_or(|c| c.time > here.time)
        {
            record.checkpoints.insert(at, here);
            self.bytes_estimate += bytes;
        }
    }

    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Back to the record that [`Timeline::position`] told, after a look elsewhere.
    pub fn set_cursor(&mut self, position: usize) {
        self.cursor = position.min(self.entries.len());
    }
}

/// Runs to a time without traps and without taking checkpoints. Whoever pressed Ctrl-C did not mean the way there:
/// it is gone to the end, and said that it was pressed.
pub fn replay_until(machine: &mut Machine, time: u64) -> bool {
    let mut pressed = false;
    machine.set_traps(&[]);
    machine.set_recording(false);
    while machine.time() < time {
        match machine.run_until(time) {
            Outcome::Paused(Pause::Interrupt) => pressed = true,
            Outcome::Paused(Pause::Trap | Pause::Observer) => {}
            // What was typed in the midst of a run is done; the run goes on.
            Outcome::Finished(_) if !machine.is_idle() => {}
            _ => break,
        }
    }
    machine.set_recording(true);
    pressed
}
