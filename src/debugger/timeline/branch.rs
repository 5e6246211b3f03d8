//! Futures that were left by doing something else in the past.
//!
//! A branch holds all that differs from the line that is gone on with: its records from the first that differs, and
//! what the log said from there. When the line itself is left, branches that hung on the left part take it with them.

use super::{HistoryEntry, Timeline};
use crate::machine::{EffectLog, LogPosition, Machine};

/// A future that was left.
pub struct Branch {
    pub number: usize,
    /// How many records lie before it.
    pub fork_index: usize,
    pub entries: Vec<HistoryEntry>,
    /// How much of the log it has in common with the line.
    at: LogPosition,
    /// What was said in it from there on.
    log: EffectLog,
}

impl Branch {
    /// A future of nothing but looking is not worth telling.
    pub fn has_effect(&self) -> bool {
        self.entries.iter().any(|r| r.has_effect)
    }
}

impl Timeline {
    /// The futures that were left, but for those in which nothing was done.
    pub fn branches(&self) -> impl Iterator<Item = &Branch> {
        self.branches.iter().filter(|b| b.has_effect())
    }

    pub fn branch(&self, number: usize) -> Option<&Branch> {
        self.branches.iter().find(|b| b.number == number)
    }

    /// What lies ahead becomes a branch; its number, if anything does.
    pub(super) fn fork(&mut self, machine: &mut Machine) -> Option<usize> {
        let midway = self.is_mid_entry(machine);
        let from = if midway { self.cursor - 1 } else { self.cursor };
        let (at, log) = (machine.log_position(), machine.split_log());
        let records: Vec<HistoryEntry> = self.entries[from..].to_vec();
        self.entries.truncate(self.cursor);
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
            fork_index: from,
            entries: records,
            at,
            log,
        });
        Some(number)
    }

    /// Branches that hang on a part of the line that is left begin where it is left.
    fn take_along(
        &mut self,
        from: usize,
        at: LogPosition,
        records: &[HistoryEntry],
        log: &EffectLog,
    ) {
        for branch in &mut self.branches {
            if branch.fork_index > from {
                let common = records.get(..branch.fork_index - from).unwrap_or(records);
                branch.entries.splice(..0, common.iter().cloned());
                branch.fork_index = from;
            } else if branch.fork_index < from {
                continue;
            }
            let more = branch.at.since(at);
            if more != LogPosition::default() {
                let mut said = log.clone();
                said.truncate(more);
                said.append(std::mem::take(&mut branch.log));
                (branch.log, branch.at) = (said, at);
            }
        }
    }

    /// A record that left a future never happened: the future is there again.
    pub(super) fn restore_branch(&mut self, machine: &mut Machine, number: usize) -> bool {
        let Some(at) = self.branches.iter().position(|b| b.number == number) else {
            return false;
        };
        let branch = self.branches.remove(at);
        self.entries.truncate(branch.fork_index);
        self.entries.extend(branch.entries);
        machine.replace_log_tail(branch.at, branch.log);
        true
    }

    /// Goes to the end of a branch; the present future becomes one, with its number.
    pub fn switch_branch(&mut self, machine: &mut Machine, number: usize) -> bool {
        let Some(at) = self.branches.iter().position(|b| b.number == number) else {
            return false;
        };
        let branch = self.branches.remove(at);
        let left = self
            .entries
            .split_off(branch.fork_index.min(self.entries.len()));
        let log = machine.replace_log_tail(branch.at, branch.log);
        self.take_along(branch.fork_index, branch.at, &left, &log);
        if !left.is_empty() {
            self.branches.push(Branch {
                number,
                fork_index: branch.fork_index,
                entries: left,
                at: branch.at,
                log,
            });
        }
        self.entries.extend(branch.entries);
        self.cursor = self.entries.len();
        let (_, end) = self.time_range();
        self.seek(machine, end);
        true
    }

    pub fn delete_branch(&mut self, number: usize) -> bool {
        let before = self.branches.len();
        self.branches.retain(|b| b.number != number);
        self.branches.len() < before
    }
}
