//! Changes the history: starts entries, discards them, undoes and redoes them.

use super::history_entry::apply_action;
use super::hits::EntryHits;
use super::{DiscardedEntry, HistoryAction, HistoryEntry, Timeline, UnfinishedEntry};
use crate::machine::{EffectLog, Machine};
use crate::source::SourceId;

impl Timeline {
    /// Starts a new entry. The future, if there is one, becomes a branch; returns its number.
    pub fn begin_entry(
        &mut self,
        machine: &mut Machine,
        action: HistoryAction,
        source: Option<SourceId>,
        text: String,
    ) -> Option<usize> {
        self.unfinished.clear();
        let forked_branch = self.fork(machine);
        self.cut_current_entry(machine);
        let before = machine.checkpoint();
        let program = action.program();
        self.last_id = self.last_id.next();
        let entry = HistoryEntry {
            id: self.last_id,
            program_bytes: program.map_or(0, |p| p.unshared_bytes(&before.program) as u64),
            reached_time: before.time,
            action,
            source,
            text,
            before,
            checkpoints: Vec::new(),
            after: None,
            has_effect: true,
            answers: Vec::new(),
            answered: Vec::new(),
            open_question: None,
            result: None,
            hits: EntryHits::default(),
            since_dry_run: self.current().and_then(|e| e.since_dry_run).map(|n| n + 1),
            is_expression: false,
            is_found: false,
            is_after_undo: false,
            forked_branch,
            is_fork_reported: false,
        };
        apply_action(machine, &entry.action);
        self.bytes_estimate += entry.own_bytes() + entry.before.bytes as u64;
        self.push_entry(entry);
        forked_branch
    }

    /// Adds an entry at the end, which is the current position, and moves past it.
    fn push_entry(&mut self, entry: HistoryEntry) {
        self.counted_entries = self.counted_entries.min(self.entries.len());
        self.entries.push(entry);
        self.cursor += 1;
        self.update_counts();
    }

    /// Rolls back the last entry, as if it had never been started.
    pub fn discard_last(&mut self, machine: &mut Machine) -> Option<DiscardedEntry> {
        let (entry, log) = self.take_last_entry(machine)?;
        Some(DiscardedEntry { entry, log })
    }

    /// Puts a finished entry back that was discarded in the current state, and goes to its end. The
    /// future becomes a branch again; returns its number.
    pub fn restore_discarded(
        &mut self,
        machine: &mut Machine,
        discarded: DiscardedEntry,
    ) -> Option<usize> {
        let DiscardedEntry { mut entry, log } = discarded;
        let forked_branch = self.fork(machine);
        machine.replace_log_tail(entry.before.log_position, log);
        if let Some(after) = &entry.after {
            machine.restore(after);
        }
        entry.forked_branch = forked_branch;
        self.push_entry(entry);
        forked_branch
    }

    /// Takes the running entry back to a time, as if it had never run further.
    pub(crate) fn rewind(&mut self, machine: &mut Machine, time: u64) {
        self.seek_into(machine, time);
        if self.cursor < self.entries.len() {
            return;
        }
        drop(machine.split_log());
        if let Some(entry) = self.current_mut() {
            entry.checkpoints.retain(|c| c.time <= time);
            (entry.after, entry.reached_time) = (None, time);
        }
    }

    /// Takes the last entry and its part of the effect log out of the history.
    fn take_last_entry(&mut self, machine: &mut Machine) -> Option<(HistoryEntry, EffectLog)> {
        machine.take_checkpoints();
        let entry = self.entries.pop()?;
        self.cursor = self.entries.len();
        machine.restore(&entry.before);
        let log = machine.split_log();
        if entry
            .forked_branch
            .is_some_and(|number| self.restore_branch(machine, number))
        {
            return Some((entry, log));
        }
        // The entry during which it was typed is running again. One that waits for an answer has ended.
        if !machine.is_idle()
            && !entry.is_answer()
            && let Some(outer) = self.current_mut()
        {
            outer.after = None;
        }
        Some((entry, log))
    }

    /// Undoes the last `count` entries that had an effect; returns their texts. A move that a search
    /// found is one entry together with its random draws.
    pub fn undo(&mut self, machine: &mut Machine, count: usize) -> Vec<String> {
        let mut undone = Vec::new();
        let (count, undo_floor) = (count.min(self.entries.len()), self.undo_floor.max(1));
        if self.cursor <= undo_floor {
            return undone;
        }
        let mut undone_count = 0;
        while undone_count < count && self.cursor > undo_floor {
            // An unfinished entry is removed; then the one during which it was typed is unfinished.
            if self.current().is_some_and(|e| e.after.is_none()) {
                let before = undone.len();
                undone.extend(self.set_aside(machine));
                undone_count += undone.len() - before;
                continue;
            }
            self.cursor -= 1;
            let entry = &self.entries[self.cursor];
            match undone.last_mut().filter(|_| entry.is_part_of_next()) {
                Some(move_text) => entry.add_draws_to(move_text),
                None if entry.has_effect => undone.push(entry.move_text()),
                None => {}
            }
            let has_draws = entry.is_found && self.current().is_some_and(|e| e.is_part_of_next());
            if entry.has_effect && !(has_draws && self.cursor > undo_floor) {
                undone_count += 1;
            }
        }
        if let Some(entry) = self.entries.get(self.cursor) {
            machine.restore(&entry.before);
        }
        undone
    }

    /// Redoes up to `count` entries; returns their texts. A move that a search found is one entry
    /// together with its random draws.
    pub fn redo(&mut self, machine: &mut Machine, count: usize) -> Vec<String> {
        self.adopt_found_line(machine);
        let (mut redone, mut redone_count) = (Vec::new(), 0);
        let mut draws: Option<&HistoryEntry> = None;
        while let Some(entry) = self.entries.get(self.cursor) {
            if redone_count >= count && entry.has_effect {
                break;
            }
            let Some(after) = &entry.after else { break };
            machine.restore(after);
            self.cursor += 1;
            if entry.is_part_of_next() {
                draws = Some(entry);
            } else if entry.has_effect {
                let mut text = entry.move_text();
                if let Some(draws) = draws.take() {
                    draws.add_draws_to(&mut text);
                }
                redone.push(text);
                redone_count += 1;
            }
        }
        redone.extend(draws.map(|entry| entry.text.clone()));
        while redone_count < count
            && let Some(text) = self.redo_unfinished(machine)
        {
            redone.push(text);
            redone_count += 1;
        }
        redone
    }

    /// Undoes the running entry but keeps it for redo. Returns its text.
    fn set_aside(&mut self, machine: &mut Machine) -> Option<String> {
        let state = machine.checkpoint();
        let (mut entry, mut log) = self.take_last_entry(machine)?;
        let text = entry.text.clone();
        if entry.forked_branch.is_some() || entry.is_dry_run() {
            self.unfinished.clear();
        } else {
            log.truncate(state.log_position);
            entry.checkpoints.clear();
            entry.hits.truncate(state.time);
            self.unfinished.push(UnfinishedEntry { entry, state, log });
        }
        Some(text)
    }

    /// Redoes an entry that was undone while it was running, if the state is still the one it
    /// started in. Returns its text.
    fn redo_unfinished(&mut self, machine: &mut Machine) -> Option<String> {
        if self.is_in_past(machine) || self.unfinished.is_empty() {
            return None;
        }
        let now = machine.checkpoint();
        if !self.can_redo_unfinished(&now) {
            return None;
        }
        let UnfinishedEntry {
            mut entry,
            state,
            log,
        } = self.unfinished.pop()?;
        self.cut_current_entry(machine);
        machine.replace_log_tail(entry.before.log_position, log);
        machine.restore(&state);
        entry.reached_time = state.time;
        let text = entry.text.clone();
        self.push_entry(entry);
        Some(text)
    }
}
