//! What has happened, as a row of records: each an entry, a restart, a new seed, with the state before it
//! and checkpoints on its way. Any time can be gone to: from the checkpoint before it, running silently.

mod branch;
mod record;
mod travel;

pub use branch::Branch;
pub use record::{Deed, Record};
pub use travel::silently;

use crate::machine::{Checkpoint, Log, Machine, room, weigh_again};
use crate::source::SourceId;
use record::{apply, weight};
use std::rc::Rc;

/// The records in effect, and those that were taken back.
#[derive(Default)]
pub struct Timeline {
    records: Vec<Record>,
    /// How many of them are in effect. One that is going on is the last of these.
    position: usize,
    /// Futures that were left by doing something else in the past.
    branches: Vec<Branch>,
    /// How many of them the session began with: these are not taken back.
    opened: usize,
    /// Bytes of checkpoints, added up as records end; never too small.
    sum: u64,
    /// What was taken back before it had come to its end, last first. It can be done again as long as nothing else is.
    unfinished: Vec<Unfinished>,
}

/// Something that was taken back in the midst, and where it stood.
struct Unfinished {
    record: Record,
    here: Checkpoint,
    log: Log,
}

/// However little memory there is, so many records stay.
const FEWEST: usize = 8;

impl Timeline {
    pub fn records(&self) -> &[Record] {
        &self.records[..self.position]
    }

    /// Those in effect and those that were taken back.
    pub fn all_records(&self) -> &[Record] {
        &self.records
    }

    /// Those that were taken back, next first.
    pub fn undone(&self) -> &[Record] {
        &self.records[self.position..]
    }

    /// Begins something new. What lay in the future becomes a branch, whose number is given back.
    pub fn begin(
        &mut self,
        machine: &mut Machine,
        deed: Deed,
        source: Option<SourceId>,
        text: String,
    ) -> Option<usize> {
        self.unfinished.clear();
        let left = self.leave_future(machine);
        self.cut(machine);
        let before = machine.checkpoint();
        let record = Record {
            reached: before.time,
            deed,
            source,
            text,
            before,
            checkpoints: Vec::new(),
            after: None,
            changed: true,
            answers: Vec::new(),
            rehearsal: false,
            gives: false,
            left,
            left_told: false,
        };
        apply(machine, &record.deed);
        self.records.push(record);
        self.position += 1;
        left
    }

    /// Whether something lies ahead that has happened already.
    pub fn in_past(&self, machine: &Machine) -> bool {
        self.position < self.records.len() || self.is_midway(machine)
    }

    /// Whether the present record has been further than now.
    fn is_midway(&self, machine: &Machine) -> bool {
        self.current().is_some_and(|r| machine.time() < r.end())
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

    pub fn current(&self) -> Option<&Record> {
        self.position
            .checked_sub(1)
            .and_then(|n| self.records.get(n))
    }

    /// The record going on takes the checkpoints that the machine has made.
    pub fn collect(&mut self, machine: &mut Machine) {
        let taken = machine.fetch_checkpoints();
        if let Some(record) = self
            .position
            .checked_sub(1)
            .and_then(|n| self.records.get_mut(n))
        {
            let last = record
                .checkpoints
                .last()
                .map_or(record.before.time, |c| c.time);
            record.reached = record.reached.max(machine.time());
            record
                .checkpoints
                .extend(taken.into_iter().filter(|c| c.time > last));
        }
    }

    /// The record going on is done.
    pub fn finish(&mut self, machine: &mut Machine) {
        self.collect(machine);
        let after = machine.checkpoint();
        if let Some(record) = self.current_mut().filter(|r| r.after.is_none()) {
            record.changed = record.always_counts() || !same_but_clock(&record.before, &after);
            record.after = Some(after);
            self.sum += self.current().map_or(0, weight);
        }
        self.thin(room(machine.limits.history));
    }

    /// Whether the record going on has changed anything yet: the game, the definitions, or a variable of a frame.
    pub fn has_changed(&self, machine: &mut Machine) -> bool {
        let now = machine.checkpoint();
        self.current().is_none_or(|r| {
            !same_but_clock(&r.before, &now) || !r.before.same_stack(&now, |f| r.deed.number_of(f))
        })
    }

    /// The record going on failed: it never happened.
    pub fn drop_last(&mut self, machine: &mut Machine) -> Option<Record> {
        self.take_last(machine).map(|(record, _)| record)
    }

    /// The same, with what it wrote.
    fn take_last(&mut self, machine: &mut Machine) -> Option<(Record, Log)> {
        machine.fetch_checkpoints();
        let record = self.records.pop()?;
        self.position = self.records.len();
        machine.restore(&record.before);
        let log = machine.branch();
        if record
            .left
            .is_some_and(|number| self.bring_back(machine, number))
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

    pub fn current_mut(&mut self) -> Option<&mut Record> {
        self.position
            .checked_sub(1)
            .and_then(|n| self.records.get_mut(n))
    }

    /// The session begins with what was done so far.
    pub fn begin_here(&mut self) {
        self.opened = self.position;
    }

    /// Takes back the last `count` things that changed something; says what they were.
    pub fn undo(&mut self, machine: &mut Machine, count: usize) -> Vec<String> {
        let mut undone = Vec::new();
        let (count, opened) = (count.min(self.records.len()), self.opened.max(1));
        if self.position <= opened {
            return undone;
        }
        while undone.len() < count && self.position > opened {
            // One that has not come to its end goes; what it was typed into has not, then.
            if self.current().is_some_and(|r| r.after.is_none()) {
                undone.extend(self.put_aside(machine));
                continue;
            }
            self.position -= 1;
            let record = &self.records[self.position];
            if record.changed {
                undone.push(record.text.clone());
            }
        }
        if let Some(record) = self.records.get(self.position) {
            machine.restore(&record.before);
        }
        undone
    }

    /// Takes back what is going on, and keeps it to be done again; says what it was.
    fn put_aside(&mut self, machine: &mut Machine) -> Option<String> {
        let here = machine.checkpoint();
        let (mut record, mut log) = self.take_last(machine)?;
        let text = record.text.clone();
        if record.left.is_some() || record.rehearsal {
            self.unfinished.clear();
        } else {
            log.cut(here.written.since(record.before.written));
            record.checkpoints.clear();
            self.unfinished.push(Unfinished { record, here, log });
        }
        Some(text)
    }

    /// Goes on with what was taken back in the midst, if all is as it was before it; says what it is.
    fn take_up(&mut self, machine: &mut Machine) -> Option<String> {
        if self.in_past(machine) || self.unfinished.is_empty() {
            return None;
        }
        let now = machine.checkpoint();
        let Unfinished {
            mut record,
            here,
            log,
        } = self
            .unfinished
            .pop_if(|u| u.record.before.same_state(&now))?;
        self.cut(machine);
        machine.rejoin(record.before.written, log);
        machine.restore(&here);
        record.reached = here.time;
        let text = record.text.clone();
        self.records.push(record);
        self.position += 1;
        Some(text)
    }

    /// Does again what was taken back.
    pub fn redo(&mut self, machine: &mut Machine, count: usize) -> Vec<String> {
        let mut redone = Vec::new();
        while let Some(record) = self.records.get(self.position) {
            if redone.len() >= count && record.changed {
                break;
            }
            let Some(after) = &record.after else { break };
            machine.restore(after);
            self.position += 1;
            if record.changed {
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
        if self.sum <= budget {
            return;
        }
        self.sum = self.records.iter().map(weight).sum();
        for record in &mut self.records {
            while self.sum > budget && record.checkpoints.len() > 1 {
                let old = weight(record);
                let mut keep = false;
                record.checkpoints.retain(|_| {
                    keep = !keep;
                    keep
                });
                weigh_again(&mut record.checkpoints);
                self.sum = self.sum - old + weight(record);
            }
        }
        while self.sum > budget && self.position > FEWEST {
            let gone = (self.position / 4).max(1);
            self.records.drain(..gone);
            self.position -= gone;
            self.opened = self.opened.saturating_sub(gone);
            self.branches.retain(|b| b.from >= gone);
            self.branches.iter_mut().for_each(|b| b.from -= gone);
            self.sum = self.records.iter().map(weight).sum();
        }
    }

    /// Bytes that the checkpoints take, about.
    pub fn bytes(&self) -> u64 {
        self.records.iter().map(weight).sum()
    }
}

fn same_but_clock(a: &Checkpoint, b: &Checkpoint) -> bool {
    a.same_but_clock(b) && Rc::ptr_eq(&a.program.scope, &b.program.scope)
}
