//! Futures that were left by doing something else in the past.

use super::{Record, Timeline};
use crate::machine::Machine;

/// A future that was left.
pub struct Branch {
    pub number: usize,
    /// How many records lie before it.
    pub from: usize,
    pub records: Vec<Record>,
}

impl Timeline {
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    pub(super) fn leave_future(&mut self, machine: &mut Machine) -> Option<usize> {
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
}
