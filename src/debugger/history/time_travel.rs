//! Time travel: undoing, going to a position in the history, switching branches, stepping back.

use crate::answer::{Answer, Notice, Part, StopReason};
use crate::breakpoint::candidates::Candidate;
use crate::frame;
use crate::history::reverse_hits;
use crate::{Run, StepTarget, Target, TimePoint};

impl Target {
    /// The current position in the history.
    pub fn time_point(&self) -> TimePoint {
        self.timeline.time_point(&self.machine)
    }

    /// Adds the current position to the navigation history.
    pub fn record_visit(&mut self) {
        let point = self.time_point();
        self.debugger.record_visit(point);
    }

    /// Goes to a point of the navigation history, which stays as it is.
    pub fn revisit(&mut self, index: usize) -> Answer {
        let nav_history = self.debugger.nav_history.clone();
        let point = nav_history[index];
        let answer = self.run(|run| run.go_to_point(point));
        self.debugger.nav_history = nav_history;
        self.debugger.nav_index = index;
        answer
    }

    /// Undoes `count` times the last answer to a question of the program, or the last entry that had an
    /// effect; returns their texts. At the first question of an entry, that entry is undone as well.
    pub fn undo(&mut self, count: usize) -> Vec<String> {
        let mut undone = Vec::new();
        for _ in 0..count {
            if self.can_undo_answer() {
                let current = self.timeline.current();
                if current.is_some_and(|e| e.after.is_none() && e.answers.is_empty()) {
                    self.undo_entry();
                }
                self.timeline.split_last_answer(&mut self.machine);
            }
            let texts = self.undo_entry();
            if texts.is_empty() {
                break;
            }
            undone.extend(texts);
        }
        undone
    }

    /// Whether the last thing that was done is an answer to a question of the program.
    pub fn can_undo_answer(&self) -> bool {
        self.timeline.can_undo_answer(&self.machine)
    }

    /// Undoes the last entry that had an effect; returns its text, and those of what belongs to it.
    pub(crate) fn undo_entry(&mut self) -> Vec<String> {
        self.clear_suspension();
        let undone = self.timeline.undo(&mut self.machine, 1);
        self.debugger.selected_frame = frame::default_frame(self);
        if !undone.is_empty() {
            self.discarded_entry = None;
            self.undo_time = Some(self.machine.time());
            self.reset_last_stop();
        }
        self.reopen_question();
        undone
    }

    /// The last stop may have been undone, or be on another branch. The next stop is compared with
    /// the current state instead, or with the start of its entry.
    fn reset_last_stop(&mut self) {
        if self.is_stopped() {
            self.remember_stop_state();
            frame::remember_stop_locals(self);
        } else {
            self.forget_last_stop();
        }
    }

    /// Redoes up to `count` undone entries; returns their texts.
    pub fn redo(&mut self, count: usize) -> Vec<String> {
        self.clear_suspension();
        let redone = self.timeline.redo(&mut self.machine, count);
        self.log_cursor = self.machine.log_end();
        self.debugger.selected_frame = frame::default_frame(self);
        if !redone.is_empty() {
            self.discarded_entry = None;
            self.undo_time = Some(self.machine.time());
            self.reset_last_stop();
        }
        self.reopen_question();
        redone
    }

    /// Deletes an alternative history; false if there is none with this number.
    pub fn delete_branch(&mut self, number: usize) -> bool {
        self.debugger.delete_points_of_branch(number);
        self.timeline.delete_branch(number)
    }

    /// Switches to an alternative history; false if there is none with this number.
    pub fn switch_branch(&mut self, number: usize) -> bool {
        self.clear_suspension();
        let before = self.timeline.branch(number).map(|b| b.fork_index);
        let entered = self.timeline.switch_branch(&mut self.machine, number);
        if let Some(first) = before.and_then(|n| self.timeline.all_entries().get(n)) {
            self.debugger
                .swap_points_with_branch(number, first.before.time);
        }
        self.log_cursor = self.machine.log_end();
        self.reset_last_stop();
        self.reopen_question();
        entered
    }
}

impl Run<'_> {
    /// Goes to a time and shows it. Where one entry ends and the next starts, the next has not
    /// started.
    pub fn go_to_time(&mut self, time: u64) {
        self.go_to_point(TimePoint::at(time));
    }

    /// Goes to a position in the history and shows it.
    pub fn go_to_point(&mut self, point: TimePoint) {
        let (first, last) = self.target.timeline.time_range();
        let time = point.time.clamp(first, last.max(first));
        self.target.clear_suspension();
        self.target
            .timeline
            .seek_point(&mut self.target.machine, TimePoint { time, ..point });
        self.show_position("stopped");
    }

    /// Shows the position that was reached. `message` says how.
    fn show_position(&mut self, message: &str) {
        self.answer.display = self.target.displayed_message();
        if self.target.machine.is_idle() {
            self.target.record_visit();
            self.target.debugger.selected_frame = 0;
            let entry = self
                .target
                .timeline
                .entries()
                .last()
                .map_or_else(String::new, |r| r.text.clone());
            let time = self.target.machine.time();
            self.answer.parts.push(Part::Position { entry, time });
            self.answer.show_changed_board();
        } else if let Some(question) = self.target.reopen_question() {
            self.target.record_visit();
            self.answer.show_changed_board();
            self.answer.question = Some(question);
        } else {
            self.stop_here(StopReason::Step, message, Vec::new());
        }
    }

    /// Steps back: goes to the last time before now at which the target was reached, `count` times.
    pub fn reverse_step(&mut self, target: StepTarget, count: usize) {
        let stop_map = |s: &Target| s.debugger.stop_map(s.program(), &[]);
        let mut time = self.target.machine.time();
        let (start, point) = (time, self.target.time_point());
        let mut has_found = false;
        for _ in 0..count {
            let hit_time = self.target.search_back(time, &target, stop_map);
            has_found = hit_time.is_some();
            match hit_time {
                Some(hit_time) => time = hit_time,
                None => break,
            }
        }
        if self.target.cancelled || time == start {
            self.target
                .timeline
                .seek_point(&mut self.target.machine, point);
            self.report_start(false, false);
            return;
        }
        self.target.clear_suspension();
        if !has_found {
            self.target
                .timeline
                .seek_into(&mut self.target.machine, time);
        }
        self.show_position("stepped back");
    }

    /// Reports that there is nothing to go back to, and whether breakpoints were looked for.
    fn report_start(&mut self, is_game_start: bool, without_hit: bool) {
        self.answer.push(Notice::HistoryStart {
            is_game_start,
            without_hit,
        });
        let dropped = self.target.timeline.dropped_history();
        let since = dropped.map(|dropped| Part::KnownSince {
            time: dropped.known_since,
        });
        self.answer.parts.extend(since);
    }

    /// Goes back to the last time at which a breakpoint would have stopped.
    pub fn reverse_continue(&mut self) {
        let (now, point) = (self.target.machine.time(), self.target.time_point());
        self.target.debugger.selected_frame = 0;
        let found = reverse_hits::last_breakpoint_hits(self.target);
        match found {
            Some(candidates) => self.stop_on_the_way_back(candidates),
            None if self.target.cancelled => self
                .target
                .timeline
                .seek_point(&mut self.target.machine, point),
            None => {
                // There is nothing to see before the game was loaded.
                let (first, start) = (
                    self.target.timeline.time_range().0,
                    self.target.timeline.game_start(),
                );
                self.target.timeline.seek(
                    &mut self.target.machine,
                    if start <= now { start } else { first },
                );
                let is_game_start = self.target.timeline.known_game_start().is_ok();
                self.report_start(is_game_start, true);
                self.show_position("stopped");
            }
        }
    }

    /// Stops for breakpoints that going back has come across.
    fn stop_on_the_way_back(&mut self, candidates: Vec<Candidate>) {
        let is_watch = candidates.iter().any(|c| c.hit.watched.is_some());
        let reason = match candidates.first().and_then(|c| c.hit.property.as_ref()) {
            Some(_) => StopReason::Property,
            None => StopReason::Breakpoint,
        };
        let mut hits = Vec::new();
        for Candidate { hit, problem } in candidates {
            let stop_reason = match is_watch {
                true => StopReason::Watch,
                false => reason,
            };
            self.report_condition_error(hit.id, stop_reason, problem);
            self.remove_if_temporary(hit.id);
            hits.push(hit);
        }
        self.stop_here(reason, "", hits);
        self.target.watch_stop = is_watch.then(|| self.target.time_point());
    }
}
