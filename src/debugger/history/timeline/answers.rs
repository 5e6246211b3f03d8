//! Taking back single answers: an entry that has asked several questions is one entry until one of its
//! answers is undone. Then it is split at the question, and the answer is an entry of its own, as in
//! the lines of moves that a search finds.

use super::hits::EntryHits;
use super::{HistoryAction, HistoryEntry, Timeline};
use crate::machine::Machine;
use std::rc::Rc;

/// A question of the program that was answered during an entry.
#[derive(Clone, Debug)]
pub struct AnsweredQuestion {
    /// When the program asked.
    pub(crate) time: u64,
    pub(crate) question: Rc<str>,
}

impl HistoryEntry {
    /// Whether it answers a question, or is an entry during which questions were answered.
    pub(crate) fn has_answer(&self) -> bool {
        self.is_answer() || !self.answered.is_empty()
    }
}

impl Timeline {
    /// Adds an answer to the current entry, which waits for it at this time.
    pub fn add_answer(&mut self, line: &str, time: u64) {
        if let Some(entry) = self.current_mut()
            && let Some(question) = entry.open_question.take()
        {
            entry.answers.push(line.to_string());
            entry.answered.push(AnsweredQuestion { time, question });
        }
    }

    /// Whether the last thing that was done is an answer, which can be taken back. At the first question
    /// of a running entry, it is the last answer before that entry.
    pub(crate) fn can_undo_answer(&self, machine: &Machine) -> bool {
        let is_unanswered = |e: &HistoryEntry| e.after.is_none() && !e.has_answer();
        let is_asked = self.open_question(machine).is_some();
        let skipped = usize::from(is_asked && self.current().is_some_and(is_unanswered));
        let before = self.entries().iter().rev().skip(skipped);
        let last = before.into_iter().find(|e| e.has_effect || e.has_answer());
        !self.is_mid_entry(machine) && last.is_some_and(HistoryEntry::has_answer)
    }

    /// If the last entry with an effect has answers, makes the last of them an entry of its own, so that
    /// it can be undone. The position stays. A move of a line that was found is redone as one, with its
    /// first answer, and undone as one.
    pub(crate) fn split_last_answer(&mut self, machine: &mut Machine) {
        let is_running = self.current().is_some_and(|e| e.after.is_none());
        if self.is_mid_entry(machine) || is_running && self.open_question(machine).is_none() {
            return;
        }
        if is_running {
            self.end_entry(machine);
        }
        let can_be_undone = |e: &HistoryEntry| e.has_effect || e.has_answer();
        let Some(index) = self.entries().iter().rposition(can_be_undone) else {
            return;
        };
        let entry = &mut self.entries[index];
        let asked = entry.answered.pop_if(|_| !entry.is_found);
        let Some(asked) = asked else {
            return;
        };
        let now = machine.checkpoint();
        let cursor = self.cursor;
        self.seek_into(machine, asked.time);
        let at_question = machine.checkpoint();
        machine.restore(&now);
        let id = self.last_id.next();
        self.last_id = id;
        let entry = &mut self.entries[index];
        let line = entry.answers.pop().unwrap_or_default();
        let first_after = entry.checkpoints.partition_point(|c| c.time <= asked.time);
        let answer = HistoryEntry {
            id,
            action: HistoryAction::Answer {
                line: line.as_str().into(),
                draws: Vec::new(),
            },
            source: None,
            text: line,
            program_bytes: 0,
            before: at_question.clone(),
            checkpoints: entry.checkpoints.split_off(first_after),
            after: entry.after.replace(at_question),
            reached_time: entry.reached_time,
            has_effect: true,
            answers: Vec::new(),
            answered: Vec::new(),
            open_question: entry.open_question.replace(asked.question),
            result: entry.result.take(),
            hits: entry.hits.split_off(asked.time),
            since_dry_run: entry.since_dry_run.map(|n| n + 1),
            is_expression: false,
            is_found: false,
            is_after_undo: false,
            forked_branch: None,
            is_fork_reported: false,
        };
        entry.reached_time = asked.time;
        entry.has_effect = true;
        // The state at the question is in both entries.
        self.bytes_estimate += answer.own_bytes() + 2 * answer.before.bytes as u64;
        self.entries.insert(index + 1, answer);
        self.counted_entries = self.counted_entries.min(index + 1);
        self.cursor = cursor + 1;
        self.update_counts();
    }
}

impl EntryHits {
    /// Takes out the hits after a time, for an entry that starts then.
    fn split_off(&mut self, time: u64) -> EntryHits {
        let mut later = self.clone();
        later.keep_after(time);
        self.truncate(time);
        later
    }
}
