//! What has happened, as a row of records: each an entry, a restart, a new seed, with the state before it
//! and checkpoints on its way. Any time can be gone to: from the checkpoint before it, running silently.

mod branch;
mod history_entry;
mod seek;

pub use branch::Branch;
pub use history_entry::{HistoryAction, HistoryEntry};
pub use seek::replay_until;

use crate::machine::{Checkpoint, EffectLog, Machine, recompute_bytes, usable_history_bytes};
use crate::source::SourceId;
use history_entry::{apply_action, checkpoint_bytes};
use std::rc::Rc;

/// The records in effect, and those that were taken back.
#[derive(Default)]
pub struct Timeline {
    entries: Vec<HistoryEntry>,
    /// How many of them are in effect. One that is going on is the last of these.
    cursor: usize,
    /// Futures that were left by doing something else in the past.
    branches: Vec<Branch>,
    /// How many of them the session began with: these are not taken back.
    opened: usize,
    /// Bytes of checkpoints, added up as records end; never too small.
    bytes_estimate: u64,
    /// What was taken back before it had come to its end, last first. It can be done again as long as nothing else is.
    unfinished: Vec<Unfinished>,
}

/// Something that was taken back in the midst, and where it stood.
struct Unfinished {
    record: HistoryEntry,
    here: Checkpoint,
    log: EffectLog,
}

/// However little memory there is, so many records stay.
const FEWEST: usize = 8;

impl Timeline {
    pub fn entries(&self) -> &[HistoryEntry] {
        &self.entries[..self.cursor]
    }

    /// Those in effect and those that were taken back.
    pub fn all_entries(&self) -> &[HistoryEntry] {
        &self.entries
    }

    /// Those that were taken back, next first.
    pub fn undone_entries(&self) -> &[HistoryEntry] {
        &self.entries[self.cursor..]
    }

    /// Begins something new. What lay in the future becomes a branch, whose number is given back.
    pub fn begin_entry(
        &mut self,
        machine: &mut Machine,
        deed: HistoryAction,
        source: Option<SourceId>,
        text: String,
    ) -> Option<usize> {
        self.unfinished.clear();
        let left = self.fork(machine);
        self.cut(machine);
        let before = machine.checkpoint();
        let record = HistoryEntry {
            reached_time: before.time,
            action: deed,
            source,
            text,
            before,
            checkpoints: Vec::new(),
            after: None,
            has_effect: true,
            answers: Vec::new(),
            is_dry_run: false,
            is_expression: false,
            forked_branch: left,
            is_fork_reported: false,
        };
        apply_action(machine, &record.action);
        self.entries.push(record);
        self.cursor += 1;
        left
    }

    /// Whether something lies ahead that has happened already.
    pub fn is_in_past(&self, machine: &Machine) -> bool {
        self.cursor < self.entries.len() || self.is_mid_entry(machine)
    }

    /// Whether the present record has been further than now.
    fn is_mid_entry(&self, machine: &Machine) -> bool {
        self.current()
            .is_some_and(|r| machine.time() < r.end_time())
    }

    /// A record in the midst of which something else begins ends here, whether it is stopped or was given up.
    fn cut(&mut self, machine: &mut Machine) {
        let now = machine.time();
        if self
            .current()
            .is_none_or(|r| r.after.as_ref().is_some_and(|a| a.time <= now))
        {
            return;
        }
        let here = machine.checkpoint();
        if let Some(record) = self.current_mut() {
            record.checkpoints.retain(|c| c.time < now);
            record.after = Some(here);
        }
    }

    pub fn current(&self) -> Option<&HistoryEntry> {
        self.cursor.checked_sub(1).and_then(|n| self.entries.get(n))
    }

    /// The record going on takes the checkpoints that the machine has made.
    pub fn collect_checkpoints(&mut self, machine: &mut Machine) {
        let taken = machine.take_checkpoints();
        if let Some(record) = self
            .cursor
            .checked_sub(1)
            .and_then(|n| self.entries.get_mut(n))
        {
            let last = record
                .checkpoints
                .last()
                .map_or(record.before.time, |c| c.time);
            record.reached_time = record.reached_time.max(machine.time());
            record
                .checkpoints
                .extend(taken.into_iter().filter(|c| c.time > last));
        }
    }

    /// The record going on is done.
    pub fn finish_entry(&mut self, machine: &mut Machine) {
        self.collect_checkpoints(machine);
        let after = machine.checkpoint();
        if let Some(record) = self.current_mut().filter(|r| r.after.is_none()) {
            record.has_effect =
                record.always_has_effect() || !same_but_clock(&record.before, &after);
            record.after = Some(after);
            self.bytes_estimate += self.current().map_or(0, checkpoint_bytes);
        }
        self.thin(usable_history_bytes(machine.limits.max_history_bytes));
    }

    /// Whether the record going on has changed anything yet: the game, the definitions, or a variable of a frame.
    pub fn has_effect(&self, machine: &mut Machine) -> bool {
        let now = machine.checkpoint();
        self.current().is_none_or(|r| {
            !same_but_clock(&r.before, &now)
                || !r.before.has_same_stack(&now, |f| r.action.renumbered_id(f))
        })
    }

    /// The record going on failed: it never happened.
    pub fn discard_last(&mut self, machine: &mut Machine) -> Option<HistoryEntry> {
        self.take_last(machine).map(|(record, _)| record)
    }

    /// The same, with what it wrote.
    fn take_last(&mut self, machine: &mut Machine) -> Option<(HistoryEntry, EffectLog)> {
        machine.take_checkpoints();
        let record = self.entries.pop()?;
        self.cursor = self.entries.len();
        machine.restore(&record.before);
        let log = machine.split_log();
        if record
            .forked_branch
            .is_some_and(|number| self.restore_branch(machine, number))
        {
            return Some((record, log));
        }
        // What it was typed into goes on.
        if !machine.is_idle()
            && let Some(cut) = self.current_mut()
        {
            cut.after = None;
        }
        Some((record, log))
    }

    pub fn current_mut(&mut self) -> Option<&mut HistoryEntry> {
        self.cursor
            .checked_sub(1)
            .and_then(|n| self.entries.get_mut(n))
    }

    /// The session begins with what was done so far.
    pub fn set_undo_floor(&mut self) {
        self.opened = self.cursor;
    }

    /// Takes back the last `count` things that changed something; says what they were.
    pub fn undo(&mut self, machine: &mut Machine, count: usize) -> Vec<String> {
        let mut undone = Vec::new();
        let (count, opened) = (count.min(self.entries.len()), self.opened.max(1));
        if self.cursor <= opened {
            return undone;
        }
        while undone.len() < count && self.cursor > opened {
            // One that has not come to its end goes; what it was typed into has not, then.
            if self.current().is_some_and(|r| r.after.is_none()) {
                undone.extend(self.put_aside(machine));
                continue;
            }
            self.cursor -= 1;
            let record = &self.entries[self.cursor];
            if record.has_effect {
                undone.push(record.text.clone());
            }
        }
        if let Some(record) = self.entries.get(self.cursor) {
            machine.restore(&record.before);
        }
        undone
    }

    /// Takes back what is going on, and keeps it to be done again; says what it was.
    fn put_aside(&mut self, machine: &mut Machine) -> Option<String> {
        let here = machine.checkpoint();
        let (mut record, mut log) = self.take_last(machine)?;
        let text = record.text.clone();
        if record.forked_branch.is_some() || record.is_dry_run {
            self.unfinished.clear();
        } else {
            log.truncate(here.log_position.since(record.before.log_position));
            record.checkpoints.clear();
            self.unfinished.push(Unfinished { record, here, log });
        }
        Some(text)
    }

    /// Goes on with what was taken back in the midst, if all is as it was before it; says what it is.
    fn take_up(&mut self, machine: &mut Machine) -> Option<String> {
        if self.is_in_past(machine) || self.unfinished.is_empty() {
            return None;
        }
        let now = machine.checkpoint();
        let Unfinished {
            mut record,
            here,
            log,
        } = self
            .unfinished
            .pop_if(|u| u.record.before.is_same_state(&now))?;
        self.cut(machine);
        machine.replace_log_tail(record.before.log_position, log);
        machine.restore(&here);
        record.reached_time = here.time;
        let text = record.text.clone();
        self.entries.push(record);
        self.cursor += 1;
        Some(text)
    }

    /// Does again what was taken back.
    pub fn redo(&mut self, machine: &mut Machine, count: usize) -> Vec<String> {
        let mut redone = Vec::new();
        while let Some(record) = self.entries.get(self.cursor) {
            if redone.len() >= count && record.has_effect {
                break;
            }
            let Some(after) = &record.after else { break };
            machine.restore(after);
            self.cursor += 1;
            if record.has_effect {
                redone.push(record.text.clone());
            }
        }
        while redone.len() < count
            && let Some(text) = self.take_up(machine)
        {
            redone.push(text);
        }
        redone
    }

    /// Leaves the checkpoints within their budget: first every second one on the way of the oldest records goes,
    /// then, if that does not do, the oldest records themselves. What is left can be gone to exactly.
    fn thin(&mut self, budget: u64) {
        // Adding up is as long as the history: it is done only when the running sum says that it may be needed.
        if self.bytes_estimate <= budget {
            return;
        }
        self.bytes_estimate = self.entries.iter().map(checkpoint_bytes).sum();
        for record in &mut self.entries {
            while self.bytes_estimate > budget && record.checkpoints.len() > 1 {
                let old = checkpoint_bytes(record);
                let mut keep = false;
                record.checkpoints.retain(|_| {
                    keep = !keep;
                    keep
                });
                recompute_bytes(&mut record.checkpoints);
                self.bytes_estimate = self.bytes_estimate - old + checkpoint_bytes(record);
            }
        }
        while self.bytes_estimate > budget && self.cursor > FEWEST {
            let gone = (self.cursor / 4).max(1);
            self.entries.drain(..gone);
            self.cursor -= gone;
            self.opened = self.opened.saturating_sub(gone);
            self.branches.retain(|b| b.fork_index >= gone);
            self.branches.iter_mut().for_each(|b| b.fork_index -= gone);
            self.bytes_estimate = self.entries.iter().map(checkpoint_bytes).sum();
        }
    }

    /// Bytes that the checkpoints take, about.
    pub fn checkpoint_bytes(&self) -> u64 {
        self.entries.iter().map(checkpoint_bytes).sum()
    }
}

fn same_but_clock(a: &Checkpoint, b: &Checkpoint) -> bool {
    a.is_same_game(b) && Rc::ptr_eq(&a.program.scope, &b.program.scope)
}
