//! Branches: alternative histories.
//!
//! A branch holds what differs from the current timeline: its entries from the first different one
//! on, and its part of the effect log. When the timeline itself is abandoned, branches that fork
//! from the abandoned part take the common entries with them.

use super::{HistoryEntry, Timeline};
use crate::machine::{EffectLog, LogPosition, Machine};

/// An alternative history.
pub struct Branch {
    /// The number shown to the user, counted from 1.
    pub number: usize,
    /// The number of entries it shares with the current timeline.
    pub fork_index: usize,
    /// Its own entries, after the shared ones. If it forks in the middle of an entry, it starts
    /// with its version of that entry.
    pub entries: Vec<HistoryEntry>,
    /// The length of the effect log it shares with the current timeline.
    log_start: LogPosition,
    /// The rest of its effect log.
    log: EffectLog,
}

impl Branch {
    /// Whether anything in it had an effect. Branches without effect are not listed.
    pub fn has_effect(&self) -> bool {
        self.entries.iter().any(|e| e.has_effect)
    }

    /// The size of its part of the effect log.
    pub(super) fn log_bytes(&self) -> u64 {
        self.log.bytes()
    }

    /// Whether it is a line of moves that a search has found, or the rest of one.
    pub fn is_found_line(&self) -> bool {
        let mut entries = self.entries.iter().filter(|e| e.has_effect);
        entries.all(|e| e.is_found)
    }
}

impl Timeline {
    /// The branches that had an effect.
    pub fn branches(&self) -> impl Iterator<Item = &Branch> {
        self.branches.iter().filter(|b| b.has_effect())
    }

    /// The branch with this number, if there is one.
    pub fn branch(&self, number: usize) -> Option<&Branch> {
        self.branches.iter().find(|b| b.number == number)
    }

    /// Turns the future into a branch and returns its number, or `None` if there is no future.
    pub(crate) fn fork(&mut self, machine: &mut Machine) -> Option<usize> {
        let is_mid_entry = self.is_mid_entry(machine);
        let fork_index = if is_mid_entry {
            self.cursor - 1
        } else {
            self.cursor
        };
        let (log_start, log) = (machine.log_position(), machine.split_log());
        let mut entries = self.entries.split_off(self.cursor);
        if let Some(current) = self.entries.last().filter(|_| is_mid_entry) {
            entries.insert(0, current.clone());
        }
        if entries.is_empty() {
            return None;
        }
        self.reattach_branches(fork_index, log_start, &entries, &log);
        Some(self.add_branch(fork_index, entries, log_start, log))
    }

    /// Adds a branch under a new number, which it returns.
    pub(crate) fn add_branch(
        &mut self,
        fork_index: usize,
        entries: Vec<HistoryEntry>,
        log_start: LogPosition,
        log: EffectLog,
    ) -> usize {
        let last = self.branches.iter().map(|b| b.number).max().unwrap_or(0);
        let number = last.max(self.last_dropped_branch) + 1;
        self.branches.push(Branch {
            number,
            fork_index,
            entries,
            log_start,
            log,
        });
        number
    }

    /// Adjusts branches that fork from the abandoned part of the timeline, so that they fork where
    /// that part begins.
    fn reattach_branches(
        &mut self,
        fork_index: usize,
        log_start: LogPosition,
        entries: &[HistoryEntry],
        log: &EffectLog,
    ) {
        for branch in &mut self.branches {
            if branch.fork_index > fork_index {
                let common = entries
                    .get(..branch.fork_index - fork_index)
                    .unwrap_or(entries);
                branch.entries.splice(..0, common.iter().cloned());
                branch.fork_index = fork_index;
            } else if branch.fork_index < fork_index {
                continue;
            }
            if branch.log_start != log_start {
                let mut full_log = log.clone();
                full_log.truncate(branch.log_start);
                full_log.append(std::mem::take(&mut branch.log));
                (branch.log, branch.log_start) = (full_log, log_start);
            }
        }
    }

    /// Undoes a fork: the branch is the future again.
    pub(crate) fn restore_branch(&mut self, machine: &mut Machine, number: usize) -> bool {
        let Some(index) = self.branches.iter().position(|b| b.number == number) else {
            return false;
        };
        let branch = self.branches.remove(index);
        self.counted_entries = self.counted_entries.min(branch.fork_index);
        self.entries.truncate(branch.fork_index);
        self.entries.extend(branch.entries);
        machine.replace_log_tail(branch.log_start, branch.log);
        true
    }

    /// Goes to the end of a branch. The current future becomes a branch with the same number.
    pub fn switch_branch(&mut self, machine: &mut Machine, number: usize) -> bool {
        let Some(index) = self.branches.iter().position(|b| b.number == number) else {
            return false;
        };
        // From now on, the number stands for the history that is left.
        self.found_line.take_if(|found| *found == number);
        let branch = self.branches.remove(index);
        self.counted_entries = self.counted_entries.min(branch.fork_index);
        let abandoned = self
            .entries
            .split_off(branch.fork_index.min(self.entries.len()));
        let log = machine.replace_log_tail(branch.log_start, branch.log);
        self.reattach_branches(branch.fork_index, branch.log_start, &abandoned, &log);
        if !abandoned.is_empty() {
            self.branches.push(Branch {
                number,
                fork_index: branch.fork_index,
                entries: abandoned,
                log_start: branch.log_start,
                log,
            });
        }
        self.entries.extend(branch.entries);
        self.cursor = self.entries.len();
        let (_, end) = self.time_range();
        self.seek(machine, end);
        true
    }

    /// Deletes a branch; false if there is none with this number.
    pub fn delete_branch(&mut self, number: usize) -> bool {
        let before = self.branches.len();
        self.branches.retain(|b| b.number != number);
        self.branches.len() < before
    }
}
