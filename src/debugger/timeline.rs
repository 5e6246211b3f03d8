//! What has happened, as a row of records: each an entry, a restart, a new seed, with the state before it
//! and checkpoints on its way. Any time can be gone to: from the checkpoint before it, running silently.

use crate::code::{FunctionId, Program, Reg};
use crate::machine::{Checkpoint, Machine, Outcome, Pause};
use crate::source::SourceId;
use crate::value::Store;
use std::rc::Rc;

/// What a record does when it begins.
#[derive(Clone, Debug)]
pub enum Deed {
    /// Runs a function of a program, on an empty board and with no variables if `fresh`.
    Run { program: Rc<Program>, function: Option<FunctionId>, fresh: bool },
    /// Runs a function in the midst of another, whose frame it looks into. Functions on the stack that were
    /// defined anew have got other numbers.
    Inside {
        program: Rc<Program>,
        function: FunctionId,
        frame: usize,
        locals: Rc<[Reg]>,
        moved: Vec<(FunctionId, FunctionId)>,
    },
    /// The generator begins again.
    Seed(u64),
    /// The next draws are chosen; `None` forgets those chosen before.
    Choose(Option<Vec<i64>>),
}

/// One thing that was done, and the way to it.
#[derive(Clone, Debug)]
pub struct Record {
    pub deed: Deed,
    /// What was typed, if anything.
    pub source: Option<SourceId>,
    /// As it was typed: an entry, or a command with its colon.
    pub text: String,
    pub before: Checkpoint,
    /// States on the way, in order of time.
    pub checkpoints: Vec<Checkpoint>,
    /// The state when it was done; `None` while it is going on.
    pub after: Option<Checkpoint>,
    /// How far it has come, as long as it goes on.
    pub reached: u64,
    /// Whether it changed anything but the clock.
    pub changed: bool,
    /// Questions that were answered on the way.
    pub answers: Vec<String>,
    /// It is only tried: when it is done it never happened.
    pub rehearsal: bool,
    /// The branch that it made of the future, if any.
    pub left: Option<usize>,
}

impl Record {
    /// The time of its end, or how far it has come.
    pub fn end(&self) -> u64 {
        self.after.as_ref().map_or(self.reached, |a| a.time)
    }
}

/// The records in effect, and those that were taken back.
#[derive(Default)]
pub struct Timeline {
    records: Vec<Record>,
    /// How many of them are in effect. One that is going on is the last of these.
    position: usize,
    /// Futures that were left by doing something else in the past.
    branches: Vec<Branch>,
    /// Bytes of checkpoints, added up as records end; never too small.
    sum: u64,
}

/// However little memory there is, so many records stay.
const FEWEST: usize = 8;

/// A future that was left.
pub struct Branch {
    pub number: usize,
    /// How many records lie before it.
    pub from: usize,
    pub records: Vec<Record>,
}

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

    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// Begins something new. What lay in the future becomes a branch, whose number is given back.
    pub fn begin(
        &mut self,
        machine: &mut Machine,
        deed: Deed,
        source: Option<SourceId>,
        text: String,
    ) -> Option<usize> {
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
            left,
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

    fn leave_future(&mut self, machine: &mut Machine) -> Option<usize> {
        machine.branch();
        let midway = self.is_midway(machine);
        let from = if midway { self.position - 1 } else { self.position };
        let records: Vec<Record> = self.records[from..].to_vec();
        self.records.truncate(self.position);
        // A future of nothing but looking is not worth keeping.
        if !records.iter().any(|r| r.changed) {
            return None;
        }
        let number = self.branches.last().map_or(1, |b| b.number + 1);
        self.branches.push(Branch { number, from, records });
        Some(number)
    }

    /// A record in the midst of which something else begins ends here.
    fn cut(&mut self, machine: &mut Machine) {
        let now = machine.time();
        if machine.is_idle() {
            return;
        }
        let here = machine.checkpoint();
        if let Some(record) = self.current_mut() {
            record.checkpoints.retain(|c| c.time < now);
            record.after = Some(here);
        }
    }

    /// Goes on to the next record that has happened already.
    pub fn advance(&mut self, machine: &mut Machine) -> bool {
        let Some(record) = self.records.get(self.position) else { return false };
        machine.restore(&record.before);
        apply(machine, &record.deed);
        self.position += 1;
        true
    }

    fn current(&self) -> Option<&Record> {
        self.position.checked_sub(1).and_then(|n| self.records.get(n))
    }

    /// Goes to the end of a branch; the present future becomes one.
    pub fn enter(&mut self, machine: &mut Machine, number: usize) -> bool {
        let Some(at) = self.branches.iter().position(|b| b.number == number) else { return false };
        let branch = self.branches.remove(at);
        let left = self.records.split_off(branch.from);
        if left.iter().any(|r| r.changed) {
            self.branches.push(Branch { number, from: branch.from, records: left });
        }
        self.records.extend(branch.records);
        self.position = self.records.len();
        let (_, end) = self.range();
        machine.branch();
        self.go(machine, end);
        true
    }

    pub fn drop_branch(&mut self, number: usize) -> bool {
        let before = self.branches.len();
        self.branches.retain(|b| b.number != number);
        self.branches.len() < before
    }

    /// Every place from which can be run forward, latest first, that lies before a time.
    pub fn starts_before(&self, time: u64) -> Vec<u64> {
        let mut starts: Vec<u64> = self
            .records
            .iter()
            .flat_map(|r| std::iter::once(r.before.time).chain(r.checkpoints.iter().map(|c| c.time)))
            .filter(|t| *t < time)
            .collect();
        starts.dedup();
        starts.reverse();
        starts
    }

    /// The record going on takes the checkpoints that the machine has made.
    pub fn collect(&mut self, machine: &mut Machine) {
        let taken = machine.fetch_checkpoints();
        if let Some(record) = self.position.checked_sub(1).and_then(|n| self.records.get_mut(n)) {
            let last = record.checkpoints.last().map_or(record.before.time, |c| c.time);
            record.reached = record.reached.max(machine.time());
            record.checkpoints.extend(taken.into_iter().filter(|c| c.time > last));
        }
    }

    /// The record going on is done.
    pub fn finish(&mut self, machine: &mut Machine) {
        self.collect(machine);
        let after = machine.checkpoint();
        if let Some(record) = self.current_mut().filter(|r| r.after.is_none()) {
            let told = matches!(record.deed, Deed::Choose(_) | Deed::Seed(_));
            record.changed = told || !same_but_clock(&record.before, &after);
            record.after = Some(after);
            self.sum += self.current().map_or(0, weight);
        }
        self.thin(machine.limits.history);
    }

    /// The record going on failed: it never happened.
    pub fn drop_last(&mut self, machine: &mut Machine) -> Option<Record> {
        machine.fetch_checkpoints();
        let record = self.records.pop()?;
        self.position = self.records.len();
        machine.restore(&record.before);
        machine.branch();
        // The future that it had left is there again.
        if let Some(number) = record.left.filter(|_| record.rehearsal)
            && let Some(at) = self.branches.iter().position(|b| b.number == number)
        {
            let branch = self.branches.remove(at);
            self.records.truncate(branch.from);
            self.records.extend(branch.records);
            return Some(record);
        }
        // What it was typed into goes on.
        if !machine.is_idle()
            && let Some(cut) = self.current_mut()
        {
            cut.after = None;
        }
        Some(record)
    }

    pub fn current_mut(&mut self) -> Option<&mut Record> {
        self.position.checked_sub(1).and_then(|n| self.records.get_mut(n))
    }

    /// Takes back the last `count` things that changed something; says what they were.
    pub fn undo(&mut self, machine: &mut Machine, count: usize) -> Vec<String> {
        let mut undone = Vec::new();
        // One that has not come to its end can't be done again.
        if self.current().is_some_and(|r| r.after.is_none()) && self.position > 1 {
            undone.extend(self.drop_last(machine).map(|r| r.text));
        }
        // The first record is the start of the game: there is nothing before it.
        let count = count.min(self.records.len());
        while undone.len() < count && self.position > 1 {
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
                self.sum = self.sum - old + weight(record);
            }
        }
        while self.sum > budget && self.position > FEWEST {
            let gone = (self.position / 4).max(1);
            self.records.drain(..gone);
            self.position -= gone;
            self.branches.retain(|b| b.from >= gone);
            self.branches.iter_mut().for_each(|b| b.from -= gone);
            self.sum = self.records.iter().map(weight).sum();
        }
    }

    /// Bytes that the checkpoints take, about.
    pub fn bytes(&self) -> u64 {
        self.records.iter().map(weight).sum()
    }

    /// When the game that is played began.
    pub fn game_start(&self) -> u64 {
        let fresh = self.records().iter().rev().find(|r| matches!(r.deed, Deed::Run { fresh: true, .. }));
        fresh.map_or_else(|| self.range().0, Record::end)
    }

    /// The earliest time that can be gone to, and the latest.
    pub fn range(&self) -> (u64, u64) {
        let first = self.records.first().map_or(0, |r| r.before.time);
        (first, self.records.last().map_or(first, Record::end))
    }

    /// The record in which a time lies.
    pub fn record_at(&self, time: u64) -> Option<usize> {
        let after = self.records.partition_point(|r| r.before.time <= time);
        after.checked_sub(1)
    }

    /// Goes to a time, exactly. Where one record ends and the next begins, the first has just ended.
    pub fn go(&mut self, machine: &mut Machine, time: u64) {
        let ended = self.record_at(time).filter(|n| *n > 0 && self.records[*n].before.time == time);
        match ended {
            Some(n) if self.records[n].before.depth() == 0 => {
                self.position = n;
                machine.restore(&self.records[n].before);
            }
            _ => self.go_into(machine, time),
        }
    }

    /// Goes to a time, exactly, to run on from there: where two records meet, the second has just begun.
    pub fn go_into(&mut self, machine: &mut Machine, time: u64) {
        let Some(n) = self.record_at(time) else { return };
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
        silently(machine, time);
    }

    pub fn position(&self) -> usize {
        self.position
    }

    /// Back to the record that [`Timeline::position`] told, after a look elsewhere.
    pub fn set_position(&mut self, position: usize) {
        self.position = position.min(self.records.len());
    }
}

/// Runs to a time without traps and without taking checkpoints.
pub fn silently(machine: &mut Machine, time: u64) {
    machine.trap(&[]);
    machine.record(false);
    while machine.time() < time {
        match machine.run_until(time) {
            // Whoever pressed Ctrl-C did not mean the way back.
            Outcome::Paused(Pause::Interrupt | Pause::Trap | Pause::Watcher) => {}
            // What was typed in the midst of a run is done; the run goes on.
            Outcome::Finished(_) if !machine.is_idle() => {}
            _ => break,
        }
    }
    machine.record(true);
}

fn weight(record: &Record) -> u64 {
    let all = record.checkpoints.iter().chain(record.after.as_ref()).chain(std::iter::once(&record.before));
    all.map(|c| c.bytes as u64).sum()
}

fn same_but_clock(a: &Checkpoint, b: &Checkpoint) -> bool {
    a.same_but_clock(b) && Rc::ptr_eq(&a.program.scope, &b.program.scope)
}

/// Does what a record begins with.
fn apply(machine: &mut Machine, deed: &Deed) {
    match deed {
        Deed::Run { program, function, fresh } => {
            if *fresh {
                machine.store = Store::default();
                let seed = machine.chance.seed();
                machine.chance.reseed(seed);
            }
            machine.install(program.clone());
            if let Some(function) = function {
                // A function that is there can be started.
                let _ = machine.start(*function, &[]);
            }
        }
        Deed::Inside { program, function, frame, locals, moved } => {
            machine.install(program.clone());
            let number = |f: FunctionId| moved.iter().find(|(old, _)| *old == f).map_or(f, |(_, new)| *new);
            if !moved.is_empty() {
                machine.renumber(number);
            }
            let _ = machine.start_inside(*function, *frame, locals.clone());
        }
        Deed::Seed(seed) => machine.chance.reseed(*seed),
        Deed::Choose(Some(draws)) => machine.chance.choose(draws.iter().copied()),
        Deed::Choose(None) => machine.chance.clear_chosen(),
    }
}
