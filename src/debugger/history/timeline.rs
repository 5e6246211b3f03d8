//! The timeline: the history of the session as a list of entries. Each entry (a typed line, a
//! restart, a new seed) keeps the state before it and checkpoints taken while it ran.
//!
//! Any time in the history can be reached exactly, by restoring the checkpoint before it and
//! replaying from there.
//!
//! ```text
//! answers        taking back single answers
//! branch         alternative histories
//! edit           changes the history: starts entries, discards them, undoes and redoes them
//! found_line     the line of moves that a search has found
//! history_entry  a history entry
//! hits           the hits of the breakpoints in the history
//! memory         keeps the history within its memory limit
//! seek           going to a time
//! segments       segments of the history, for searching it backwards
//! ```

mod answers;
mod branch;
mod edit;
mod found_line;
mod history_entry;
mod hits;
mod memory;
mod seek;
mod segments;

pub use branch::Branch;
pub use found_line::KeptMoves;
pub use history_entry::apply_action;
pub use history_entry::{EntryId, HistoryAction, HistoryEntry};
pub use hits::HitKey;
pub use seek::{replay_observed, replay_until};
pub use segments::SegmentsBefore;

use crate::machine::{Checkpoint, EffectLog, Machine};
use std::fmt;
use std::rc::Rc;

/// The history entries in effect, those that were undone, and the alternative histories.
#[derive(Default)]
pub struct Timeline {
    entries: Vec<HistoryEntry>,
    /// The number of entries in effect. The one that is running is the last of them.
    cursor: usize,
    /// Alternative histories, left by executing something in the past.
    branches: Vec<Branch>,
    /// The number of entries that the session started with; undo stops there.
    undo_floor: usize,
    /// An upper bound on [`Timeline::history_bytes`], updated as checkpoints are added.
    bytes_estimate: u64,
    /// The number of entries whose hit counts at their start are up to date. Those of the others
    /// have to be added up.
    counted_entries: usize,
    /// Whether the oldest entries were dropped to save memory.
    has_dropped_entries: bool,
    /// The highest number of a branch that was dropped with them; numbers are not used again, since
    /// marks refer to them.
    last_dropped_branch: usize,
    /// Entries that were undone while they were still running, last one first. They can be redone
    /// until another entry starts.
    unfinished: Vec<UnfinishedEntry>,
    /// The id of the entry that was started last.
    last_id: EntryId,
    /// The branch with the line of moves that a search found last.
    found_line: Option<usize>,
}

/// An entry that was rolled back, with its part of the effect log.
pub struct DiscardedEntry {
    /// The entry.
    pub entry: HistoryEntry,
    log: EffectLog,
}

/// An entry that was undone while it was running, and the state it had reached.
pub(crate) struct UnfinishedEntry {
    entry: HistoryEntry,
    state: Checkpoint,
    log: EffectLog,
}

/// The history before a time was dropped to save memory: nothing is known about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DroppedHistory {
    /// The earliest time that is known.
    pub known_since: u64,
}

impl fmt::Display for DroppedHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the history before time {} was dropped to save memory; `--history` keeps more",
            self.known_since
        )
    }
}

impl Timeline {
    /// The entries up to the current position.
    pub fn entries(&self) -> &[HistoryEntry] {
        &self.entries[..self.cursor]
    }

    /// All entries, including those that were undone.
    pub fn all_entries(&self) -> &[HistoryEntry] {
        &self.entries
    }

    /// Whether the current position is before the end of the history.
    pub fn is_in_past(&self, machine: &Machine) -> bool {
        self.cursor < self.entries.len() || self.is_mid_entry(machine)
    }

    /// How many entries were undone while they ran, and can be redone.
    pub fn unfinished_count(&self) -> usize {
        self.unfinished.len()
    }

    /// Whether the current entry ran further than the current time.
    fn is_mid_entry(&self, machine: &Machine) -> bool {
        self.current()
            .is_some_and(|e| machine.time() < e.end_time())
    }

    /// Ends the current entry at the current time, because another one starts while it is stopped.
    fn cut_current_entry(&mut self, machine: &mut Machine) {
        let now = machine.time();
        if self
            .current()
            .is_none_or(|e| e.after.as_ref().is_some_and(|a| a.time <= now))
        {
            return;
        }
        let state = machine.checkpoint();
        if let Some(entry) = self.current_mut() {
            entry.checkpoints.retain(|c| c.time < now);
            entry.hits.truncate(now);
            entry.after = Some(state);
        }
    }

    /// The entry at the current position.
    pub fn current(&self) -> Option<&HistoryEntry> {
        self.cursor.checked_sub(1).and_then(|n| self.entries.get(n))
    }

    /// The innermost dry run in progress.
    pub fn innermost_dry_run(&self) -> Option<&HistoryEntry> {
        let since = self.current()?.since_dry_run?;
        self.entries.get((self.cursor - 1).checked_sub(since)?)
    }

    /// Moves the checkpoints taken by the machine into the current entry.
    pub fn collect_checkpoints(&mut self, machine: &mut Machine) {
        let taken = machine.take_checkpoints();
        if let Some(entry) = self
            .cursor
            .checked_sub(1)
            .and_then(|n| self.entries.get_mut(n))
        {
            let last = entry
                .checkpoints
                .last()
                .map_or(entry.before.time, |c| c.time);
            entry.reached_time = entry.reached_time.max(machine.time());
            let new = taken.into_iter().filter(|c| c.time > last);
            let old_count = entry.checkpoints.len();
            entry.checkpoints.extend(new);
            let added = entry.checkpoints[old_count..].iter();
            self.bytes_estimate += added.map(|c| c.bytes as u64).sum::<u64>();
        }
        self.trim_checkpoints(machine);
    }

    /// Ends the current entry and keeps the history within its memory limit.
    pub fn finish_entry(&mut self, machine: &mut Machine) {
        self.end_entry(machine);
        self.trim(machine);
    }

    /// Ends the current entry.
    pub fn end_entry(&mut self, machine: &mut Machine) {
        self.collect_checkpoints(machine);
        let after = machine.checkpoint();
        if let Some(entry) = self.current_mut().filter(|e| e.after.is_none()) {
            entry.has_effect =
                entry.always_has_effect() || !same_except_time(&entry.before, &after);
            let bytes = after.bytes as u64;
            entry.after = Some(after);
            self.bytes_estimate += bytes;
        }
    }

    /// Ends the current entry, which is a move of a line and therefore has an effect: it may have
    /// answered a question.
    pub fn end_move(&mut self, machine: &mut Machine) {
        self.end_entry(machine);
        if let Some(entry) = self.current_mut().filter(|e| !e.answers.is_empty()) {
            entry.has_effect = true;
        }
    }

    /// The current entry waits at a question.
    pub fn set_open_question(&mut self, question: &str) {
        if let Some(entry) = self.current_mut() {
            entry.open_question = Some(question.into());
        }
    }

    /// The question at which the current entry waits, if the current position is there.
    pub fn open_question(&self, machine: &Machine) -> Option<Rc<str>> {
        let entry = self.current()?;
        let is_here = entry.end_time() == machine.time();
        entry.open_question.clone().filter(|_| is_here)
    }

    /// Whether the current entry has changed anything so far: the game, the definitions or a local
    /// variable on the stack.
    pub fn has_effect(&self, machine: &mut Machine) -> bool {
        let now = machine.checkpoint();
        self.current().is_none_or(|e| {
            !same_except_time(&e.before, &now)
                || !e.before.has_same_stack(&now, |f| e.action.renumbered_id(f))
        })
    }

    /// Whether an entry was undone while it was running that started in this state.
    fn can_redo_unfinished(&self, now: &Checkpoint) -> bool {
        let last = self.unfinished.last();
        last.is_some_and(|u| u.entry.before.is_same_state(now))
    }

    /// The entry at the current position, to be changed.
    pub fn current_mut(&mut self) -> Option<&mut HistoryEntry> {
        self.cursor
            .checked_sub(1)
            .and_then(|n| self.entries.get_mut(n))
    }

    /// Makes the current position the beginning of the session: undo does not go further back.
    pub fn set_undo_floor(&mut self) {
        self.undo_floor = self.cursor;
    }

    /// How many of the entries are the start of the session, which nobody typed.
    pub fn start_entry_count(&self) -> usize {
        let is_start =
            |(n, e): &(usize, &HistoryEntry)| *n < self.undo_floor || e.is_session_start();
        self.entries.iter().enumerate().take_while(is_start).count()
    }
}

/// Whether two states differ in nothing but the time.
pub(crate) fn same_except_time(a: &Checkpoint, b: &Checkpoint) -> bool {
    a.is_same_game(b) && Rc::ptr_eq(&a.program.scope, &b.program.scope)
}
