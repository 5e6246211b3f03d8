//! Going to a time, exactly: from the checkpoint before it, running silently.

use super::record::apply;
use super::{Deed, Record, Timeline};
use crate::debugger::Moment;
use crate::machine::{Checkpoint, Machine, Outcome, Pause};

/// So many steps before a time that was gone to its state is kept, if the checkpoint before it lies further away: who
/// goes back from there step by step finds the next one when the first is passed.
const NEAR: [u64; 3] = [2_000_000, 200_000, 20_000];

impl Timeline {
    /// Goes on to the next record that has happened already.
    pub fn advance(&mut self, machine: &mut Machine) -> bool {
        let Some(record) = self.records.get(self.position) else {
            return false;
        };
        machine.restore(&record.before);
        apply(machine, &record.deed);
        self.position += 1;
        true
    }

    /// When the next record begins that was typed in the midst of the present one: going on leads into it.
    pub fn edge(&self) -> Option<u64> {
        self.records
            .get(self.position)
            .filter(|r| r.before.depth() > 0)
            .map(|r| r.before.time)
    }

    /// Goes on to what was typed here, in the midst of what is going on; says whether anything was.
    pub fn pass_edge(&mut self, machine: &mut Machine) -> bool {
        self.edge().is_some_and(|edge| machine.time() >= edge) && self.advance(machine)
    }

    /// All that was done in the game that is played, its start first.
    pub fn game(&self) -> &[Record] {
        let fresh = self
            .records()
            .iter()
            .rposition(|r| matches!(r.deed, Deed::Run { fresh: true, .. }));
        &self.records[fresh.unwrap_or(0)..]
    }

    /// When the game that is played began.
    pub fn game_start(&self) -> u64 {
        let fresh = self
            .records()
            .iter()
            .rev()
            .find(|r| matches!(r.deed, Deed::Run { fresh: true, .. }));
        fresh.map_or_else(|| self.range().0, Record::end)
    }

    /// The earliest time that can be gone to, and the latest.
    pub fn range(&self) -> (u64, u64) {
        // Before a session has begun there is nothing to be seen, and nothing could be typed.
        let start = |r: &Record| {
            if r.is_beginning() {
                r.end()
            } else {
                r.before.time
            }
        };
        let first = self.records.first().map_or(0, start);
        (first, self.records.last().map_or(first, Record::end))
    }

    /// The record in which a time lies.
    pub fn record_at(&self, time: u64) -> Option<usize> {
        let after = self.records.partition_point(|r| r.before.time <= time);
        after.checked_sub(1)
    }

    /// Every place from which can be run forward, latest first, that lies before a time.
    pub fn starts_before(&self, time: u64) -> Vec<u64> {
        let (first, _) = self.range();
        let mut starts: Vec<u64> = self
            .records
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
    pub fn lowest_between(&self, from: u64, to: u64) -> usize {
        let low = || {
            Some(
                self.checkpoint_at(from)?
                    .lowest_until(self.checkpoint_at(to)?),
            )
        };
        low().unwrap_or(0)
    }

    fn checkpoint_at(&self, time: u64) -> Option<&Checkpoint> {
        let on_the_way = &self.records.get(self.record_at(time)?)?.checkpoints;
        on_the_way
            .binary_search_by_key(&time, |c| c.time)
            .ok()
            .map(|at| &on_the_way[at])
    }

    /// Goes to a time, exactly. Where one record ends and the next begins, the first has just ended.
    pub fn go(&mut self, machine: &mut Machine, time: u64) {
        self.go_to(machine, Moment::at(time));
    }

    /// Goes to a moment, exactly.
    pub fn go_to(&mut self, machine: &mut Machine, moment: Moment) {
        let first = self
            .records
            .partition_point(|r| r.before.time < moment.time);
        let begin = self.records[first..]
            .iter()
            .take_while(|r| r.before.time == moment.time)
            .count();
        let next = first + moment.begun.min(begin);
        if moment.begun >= begin || next == 0 {
            return self.go_into(machine, moment.time);
        }
        self.position = next;
        machine.restore(&self.records[next].before);
    }

    /// The moment at which the machine is.
    pub fn moment(&self, machine: &Machine) -> Moment {
        let time = machine.time();
        let begun = self
            .records()
            .iter()
            .rev()
            .take_while(|r| r.before.time == time)
            .count();
        Moment {
            time,
            begun,
            branch: None,
        }
    }

    /// Goes to a time, exactly, to run on from there: where two records meet, the second has just begun.
    pub fn go_into(&mut self, machine: &mut Machine, time: u64) {
        let Some(n) = self.record_at(time) else {
            return;
        };
        let record = &self.records[n];
        self.position = n + 1;
        if let Some(after) = record.after.as_ref().filter(|a| a.time <= time) {
            return machine.restore(after);
        }
        match record.checkpoints.iter().rev().find(|c| c.time <= time) {
            Some(checkpoint) => machine.restore(checkpoint),
            None => {
                machine.restore(&record.before);
                apply(machine, &record.deed);
            }
        }
        let mut pressed = false;
        for distance in NEAR {
            let near = time.saturating_sub(distance);
            if machine.time() + distance < near {
                pressed |= silently(machine, near);
                self.keep_near(machine, n);
            }
        }
        if silently(machine, time) || pressed {
            // It is for whoever goes on from here.
            machine
                .interrupt()
                .store(true, std::sync::atomic::Ordering::SeqCst);
        }
    }

    /// Keeps the present state of a record, as if a checkpoint had been due: who looks around from a time soon wants to
    /// be a little before it.
    fn keep_near(&mut self, machine: &mut Machine, n: usize) {
        let here = machine.checkpoint();
        let bytes = here.bytes as u64;
        let Some(record) = self
            .records
            .get_mut(n)
            .filter(|_| self.sum + bytes <= machine.limits.history)
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
            self.sum += bytes;
        }
    }

    pub fn position(&self) -> usize {
        self.position
    }

    /// Back to the record that [`Timeline::position`] told, after a look elsewhere.
    pub fn set_position(&mut self, position: usize) {
        self.position = position.min(self.records.len());
    }
}

/// Runs to a time without traps and without taking checkpoints. Whoever pressed Ctrl-C did not mean the way there:
/// it is gone to the end, and said that it was pressed.
pub fn silently(machine: &mut Machine, time: u64) -> bool {
    let mut pressed = false;
    machine.trap(&[]);
    machine.record(false);
    while machine.time() < time {
        match machine.run_until(time) {
            Outcome::Paused(Pause::Interrupt) => pressed = true,
            Outcome::Paused(Pause::Trap | Pause::Watcher) => {}
            // What was typed in the midst of a run is done; the run goes on.
            Outcome::Finished(_) if !machine.is_idle() => {}
            _ => break,
        }
    }
    machine.record(true);
    pressed
}
