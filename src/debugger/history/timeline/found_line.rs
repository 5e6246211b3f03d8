//! The line of moves that a search has found: played at the current position, taken back and kept as a
//! branch. Nothing else in the history changes.

use super::{Branch, HistoryEntry, Timeline, UnfinishedEntry};
use crate::machine::{Checkpoint, EffectLog, Machine};

/// Everything in the history that playing a line could change.
pub struct BeforeLine {
    cursor: usize,
    state: Checkpoint,
    current: Option<HistoryEntry>,
    future: Vec<HistoryEntry>,
    log: EffectLog,
    branches: Vec<Branch>,
    unfinished: Vec<UnfinishedEntry>,
    bytes_estimate: u64,
    counted_entries: usize,
}

/// What is kept of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeptMoves {
    /// All moves.
    All,
    /// All but the last one, which has failed.
    AllButLast,
    /// Nothing.
    None,
}

impl Timeline {
    /// Sets the future and the branches aside, so that a line can be played.
    pub fn begin_line(&mut self, machine: &mut Machine) -> BeforeLine {
        self.collect_checkpoints(machine);
        BeforeLine {
            cursor: self.cursor,
            state: machine.checkpoint(),
            current: self.current().cloned(),
            future: self.entries.split_off(self.cursor),
            log: machine.split_log(),
            branches: std::mem::take(&mut self.branches),
            unfinished: std::mem::take(&mut self.unfinished),
            bytes_estimate: self.bytes_estimate,
            counted_entries: self.counted_entries,
        }
    }

    /// Goes back to where the line began and restores everything. Keeps the moves of the line as a
    /// branch, which `redo` continues if there is nothing else to redo. If it began at a question, the
    /// branch starts with the entry that asks. Returns its number.
    pub fn end_line(
        &mut self,
        machine: &mut Machine,
        before: BeforeLine,
        kept: KeptMoves,
    ) -> Option<usize> {
        machine.take_checkpoints();
        let mut moves = self.entries.split_off(before.cursor);
        if kept == KeptMoves::AllButLast
            && let Some(failed) = moves.pop()
        {
            machine.truncate_log(failed.before.log_position);
        }
        moves.iter_mut().for_each(|entry| entry.is_found = true);
        let is_kept = kept != KeptMoves::None && !moves.is_empty();
        let start = match before.state.depth() {
            0 => before.cursor,
            _ => self.first_running_entry(),
        };
        let mut line = self.entries[start..].to_vec();
        line.append(&mut moves);
        let at = before.state.log_position;
        let log_start = line.first().map_or(at, |e| e.before.log_position);
        let log = machine.split_log_at(log_start);
        let mut log_before = log.clone();
        log_before.truncate(at);
        machine.replace_log_tail(log_start, log_before);
        machine.replace_log_tail(at, before.log);
        machine.restore(&before.state);
        self.cursor = before.cursor;
        if let (Some(current), Some(last)) = (before.current, self.entries.last_mut()) {
            *last = current;
        }
        self.entries.extend(before.future);
        self.branches = before.branches;
        self.unfinished = before.unfinished;
        self.bytes_estimate = before.bytes_estimate;
        self.counted_entries = before.counted_entries;
        if is_kept {
            self.found_line = Some(self.add_branch(start, line, log_start, log));
        }
        self.found_line
    }

    /// The index of the first of the entries that are running at the end of the history: the others
    /// were typed while it was stopped or waited.
    fn first_running_entry(&self) -> usize {
        let is_first = |e: &HistoryEntry| e.before.depth() == 0;
        self.entries.iter().rposition(is_first).unwrap_or(0)
    }

    /// The branch of the line that was found last, if it still exists. It is forgotten.
    pub fn take_found_line(&mut self) -> Option<usize> {
        let number = self.found_line.take()?;
        self.branch(number).map(|branch| branch.number)
    }

    /// The line that was found last, if it starts at the current position and there is nothing else to
    /// redo.
    pub fn found_line_here(&self, machine: &mut Machine) -> Option<usize> {
        let branch = self.branch(self.found_line?)?;
        let shared = self.cursor.checked_sub(branch.fork_index)?;
        let now = machine.checkpoint();
        let next = branch.entries.get(shared)?;
        let is_shared = |n: usize| {
            let last = branch.entries.get(n).map(|e| e.id);
            last == self.current().map(|e| e.id)
        };
        let starts_here =
            next.before.is_same_state(&now) && shared.checked_sub(1).is_none_or(is_shared);
        let has_other = self.is_in_past(machine) || self.can_redo_unfinished(&now);
        (starts_here && !has_other).then_some(branch.number)
    }

    /// Makes the line that was found last the future, if it starts here and there is no other.
    pub(crate) fn adopt_found_line(&mut self, machine: &mut Machine) {
        if let Some(number) = self.found_line_here(machine) {
            self.found_line = None;
            self.restore_branch(machine, number);
        }
    }
}
