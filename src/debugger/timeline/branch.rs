//! Futures that were left by doing something else in the past.
//!
//! A branch holds all that differs from the line that is gone on with: its records from the first that differs, and
//! what the log said from there. When the line itself is left, branches that hung on the left part take it with them.

use super::{Record, Timeline};
use crate::machine::{Log, Machine, Written};

/// A future that was left.
pub struct Branch {
    pub number: usize,
    /// How many records lie before it.
    pub from: usize,
    pub records: Vec<Record>,
    /// How much of the log it has in common with the line.
    at: Written,
    /// What was said in it from there on.
    log: Log,
}

impl Branch {
    /// A future of nothing but looking is not worth telling.
    pub fn is_worth_telling(&self) -> bool {
        self.records.iter().any(|r| r.changed)
    }
}

impl Timeline {
    /// The futures that were left, but for those in which nothing was done.
    pub fn branches(&self) -> impl Iterator<Item = &Branch> {
        self.branches.iter().filter(|b| b.is_worth_telling())
    }

    pub fn branch(&self, number: usize) -> Option<&Branch> {
        self.branches.iter().find(|b| b.number == number)
    }

    /// What lies ahead becomes a branch; its number, if anything does.
    pub(super) fn leave_future(&mut self, machine: &mut Machine) -> Option<usize> {
        let midway = self.is_midway(machine);
        let from = if midway {
            self.position - 1
        } else {
            self.position
        };
        let (at, log) = (machine.written(), machine.branch());
        let records: Vec<Record> = self.records[from..].to_vec();
        self.records.truncate(self.position);
        if records.is_empty() {
            return None;
        }
        self.take_along(from, at, &records, &log);
        let number = self
            .branches
            .iter()
            .map(|b| b.number)
            .max()
            .map_or(1, |n| n + 1);
        self.branches.push(Branch {
            number,
            from,
            records,
            at,
            log,
        });
        Some(number)
    }

    /// Branches that hang on a part of the line that is left begin where it is left.
    fn take_along(&mut self, from: usize, at: Written, records: &[Record], log: &Log) {
        for branch in &mut self.branches {
            if branch.from > from {
                let common = records.get(..branch.from - from).unwrap_or(records);
                branch.records.splice(..0, common.iter().cloned());
                branch.from = from;
            } else if branch.from < from {
                continue;
            }
            let more = branch.at.since(at);
            if more != Written::default() {
                let mut said = log.clone();
                said.cut(more);
                said.join(std::mem::take(&mut branch.log));
                (branch.log, branch.at) = (said, at);
            }
        }
    }

    /// A record that left a future never happened: the future is there again.
    pub(super) fn bring_back(&mut self, machine: &mut Machine, number: usize) -> bool {
        let Some(at) = self.branches.iter().position(|b| b.number == number) else {
            return false;
        };
        let branch = self.branches.remove(at);
        self.records.truncate(branch.from);
        self.records.extend(branch.records);
        machine.rejoin(branch.at, branch.log);
        true
    }

    /// Goes to the end of a branch; the present future becomes one, with its number.
    pub fn enter(&mut self, machine: &mut Machine, number: usize) -> bool {
        let Some(at) = self.branches.iter().position(|b| b.number == number) else {
            return false;
        };
        let branch = self.branches.remove(at);
        let left = self.records.split_off(branch.from.min(self.records.len()));
        let log = machine.rejoin(branch.at, branch.log);
        self.take_along(branch.from, branch.at, &left, &log);
        if !left.is_empty() {
            self.branches.push(Branch {
                number,
                from: branch.from,
                records: left,
                at: branch.at,
                log,
            });
        }
        self.records.extend(branch.records);
        self.position = self.records.len();
        let (_, end) = self.range();
        self.go(machine, end);
        true
    }

    pub fn drop_branch(&mut self, number: usize) -> bool {
        let before = self.branches.len();
        self.branches.retain(|b| b.number != number);
        self.branches.len() < before
    }
}
