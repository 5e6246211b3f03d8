//! Reports how a run ended: output, value, error, question, or the stop; and what became of the
//! history that it left.

use super::RunStart;
use super::step::StepTarget;
use super::stop::STILL_STOPPED;
use crate::answer::{Answer, Part, ShowBoard, StopReason};
use crate::diff;
use crate::frame;
use crate::history;
use crate::machine::{Outcome, Pause, RuntimeError};
use crate::value::Value;
use crate::{Run, Target, value_to_json};

impl Run<'_> {
    /// Binds the breakpoints to the current program and reports those that moved.
    pub fn rebind_breakpoints(&mut self) {
        if self.target.debugger.breakpoints.is_empty() {
            return;
        }
        let program = self.target.machine.program().clone();
        let rebound = self
            .target
            .debugger
            .rebind_breakpoints(&program, &self.target.sources);
        self.answer
            .parts
            .extend(rebound.into_iter().map(Part::ReboundBreakpoint));
    }

    /// Reports the outcome of a run. Returns false if the run has to continue.
    pub fn on_outcome(&mut self, outcome: Outcome, target: Option<&StepTarget>) -> bool {
        match outcome {
            // An entry typed at a stop has finished.
            Outcome::Finished(value) if !self.target.machine.is_idle() => {
                let is_dry_run_done = self.target.is_dry_run_done();
                if (self.target.timeline.is_in_past(&self.target.machine) || target.is_some())
                    && !is_dry_run_done
                {
                    return false;
                }
                self.drain_output();
                let index = history::entry_finished_at_stop(self.target)
                    .unwrap_or(self.target.timeline.entries().len().saturating_sub(1));
                let frame = self.target.frame_typed_in(index);
                let entry = self.target.timeline.entries().get(index);
                let (is_expression, text) = entry.map_or((false, String::new()), |r| {
                    (r.is_expression, r.text.clone())
                });
                self.report_value(value, is_expression);
                if is_dry_run_done {
                    return self.finish_dry_run();
                }
                let finished =
                    history::has_stopped_in(self.target, index).then(|| self.finished_part(&text));
                let is_last = index + 1 == self.target.timeline.entries().len();
                // An expression without effect is not kept in the history.
                if is_expression
                    && is_last
                    && !self.answer.has_output()
                    && !self.target.timeline.has_effect(&mut self.target.machine)
                {
                    self.show_board_if(false);
                    self.target.discard_last_entry();
                } else {
                    self.report_fork_of_nested();
                    self.answer.show_changed_board();
                }
                // If the user stopped inside it, show where the outer entry is stopped.
                if let Some(finished) = finished {
                    self.answer.parts.push(finished);
                    self.stop_here(StopReason::Step, STILL_STOPPED, Vec::new());
                }
                if let Some(frame) = frame {
                    self.target.debugger.selected_frame = frame;
                }
            }
            Outcome::Finished(value) => {
                self.drain_output();
                if self.target.timeline.is_in_past(&self.target.machine)
                    && self.target.timeline.enter_next(&mut self.target.machine)
                {
                    return false;
                }
                let is_expression =
                    history::outermost_entry(self.target).is_some_and(|r| r.is_expression);
                self.report_value(value, is_expression);
                if self.target.is_dry_run_done() {
                    return self.finish_dry_run();
                }
                if is_expression && value != Value::NOTHING {
                    self.keep_result_of_answers(value);
                }
                self.target.timeline.finish_entry(&mut self.target.machine);
                let entry = self.target.timeline.entries().last();
                self.show_board_if(entry.is_some_and(|r| r.has_effect));
                let text = history::outermost_entry(self.target)
                    .map_or_else(String::new, |r| r.text.clone());
                self.report_fork();
                if self.start == RunStart::Stop {
                    self.report_end(&text);
                }
            }
            Outcome::NeedsInput {
                question,
                input_kind,
            } => {
                self.drain_output();
                // Show the board to answer by.
                self.answer.show_changed_board();
                let question = self
                    .target
                    .ask(question, input_kind, self.start, target.cloned());
                self.answer.question = Some(question);
                self.target.debugger.selected_frame = frame::default_frame(self.target);
                // An answer that is an entry ends where the next one is due.
                let timeline = &mut self.target.timeline;
                if timeline.current().is_some_and(|entry| entry.is_answer()) {
                    timeline.finish_entry(&mut self.target.machine);
                    self.report_fork();
                }
            }
            Outcome::Failed(error) => self.on_failure(&error),
            Outcome::Paused(Pause::Interrupt) => {
                self.drain_output();
                self.stop_here(StopReason::Interrupt, "interrupted", Vec::new());
            }
            Outcome::Paused(_) => {
                self.drain_output();
                let message = if target == Some(&StepTarget::TurnEnd) {
                    "end of turn"
                } else {
                    ""
                };
                self.stop_here(StopReason::Step, message, Vec::new());
            }
        }
        true
    }

    /// Keeps the value of the expression that has ended, to be shown when its last answer is redone.
    fn keep_result_of_answers(&mut self, value: Value) {
        let result = self.target.format_value(value);
        if let Some(entry) = self.target.timeline.current_mut()
            && (entry.is_answer() || !entry.answers.is_empty())
        {
            entry.result = Some(result.into());
        }
    }

    fn report_value(&mut self, value: Value, is_expression: bool) {
        if is_expression && value != Value::NOTHING {
            let shown = value_answer(self.target, value);
            (self.answer.data, self.answer.value) = (shown.data, shown.value);
            self.answer.show_board = self.answer.show_board.max(shown.show_board);
        }
    }

    /// After an entry, shows the board if the entry had an effect or its value is the board.
    fn show_board_if(&mut self, has_effect: bool) {
        self.answer.show_board = match (self.answer.show_board, has_effect) {
            (ShowBoard::InsteadOfValue, _) => ShowBoard::InsteadOfValue,
            (_, true) => ShowBoard::IfChanged,
            (_, false) => ShowBoard::No,
        };
    }

    /// Stops at a runtime error, or cancels the entry that failed.
    fn on_failure(&mut self, error: &RuntimeError) {
        self.drain_output();
        if !self.target.stops_at_error(self.start) {
            return self.report_failure(error);
        }
        let diagnostic = self.target.runtime_error(error);
        self.answer.diagnostics.push(diagnostic);
        self.target.record_failure();
        self.stop_here(StopReason::Error, "error", Vec::new());
    }

    /// An entry that fails is rolled back.
    fn report_failure(&mut self, error: &RuntimeError) {
        self.answer.ok = false;
        let diagnostic = self.target.runtime_error(error);
        self.answer.diagnostics.push(diagnostic);
        let last = self.target.timeline.entries().len().saturating_sub(1);
        let index = self.target.stopped_frame_of(last);
        self.target.discard_last_entry();
        if let Some(frame) = index.and_then(|index| self.target.frame_from_top(index)) {
            self.target.debugger.selected_frame = frame;
        }
        self.answer.question = self.target.reopen_question();
        self.answer.display = self.target.displayed_message();
    }

    /// Executing in the past forks the timeline, unless the entry had no effect: then the future is
    /// restored.
    fn report_fork(&mut self) {
        let Some(entry) = self.target.timeline.current_mut() else {
            return;
        };
        let Some(number) = entry.forked_branch else {
            return;
        };
        let was_reported = entry.is_fork_reported;
        if entry.has_effect {
            entry.forked_branch = None;
            match self.forked_part(number) {
                None => drop(self.target.delete_branch(number)),
                Some(forked) if !was_reported => self.answer.parts.insert(0, forked),
                Some(_) => {}
            }
        } else {
            let is_after_undo = entry.is_after_undo;
            self.target.discard_entry_without_effect();
            if was_reported {
                self.answer.parts.push(Part::FutureKept { is_after_undo });
            }
        }
    }

    /// Does the same for an entry typed at a stop.
    fn report_fork_of_nested(&mut self) {
        let has_effect = self.target.timeline.has_effect(&mut self.target.machine);
        if let Some(entry) = self
            .target
            .timeline
            .current_mut()
            .filter(|r| r.forked_branch.is_some())
        {
            entry.has_effect = has_effect;
            self.report_fork();
        }
    }

    /// Reports the fork when an entry stops before its end. It may still turn out to have no
    /// effect.
    pub(crate) fn report_fork_at_stop(&mut self) {
        let Some(entry) = self
            .target
            .timeline
            .current_mut()
            .filter(|r| !r.is_fork_reported && !r.is_dry_run())
        else {
            return;
        };
        let Some(number) = entry.forked_branch else {
            return;
        };
        entry.is_fork_reported = true;
        if let Some(forked) = self.forked_part(number) {
            self.answer.parts.insert(0, forked);
        }
    }

    /// The message about an abandoned future. `None` if nothing is lost: nothing in it had an
    /// effect, or its only entry is being repeated.
    fn forked_part(&self, number: usize) -> Option<Part> {
        let branch = self
            .target
            .timeline
            .branch(number)
            .filter(|b| b.has_effect())?;
        let entry = self.target.timeline.current()?;
        let mut lost = branch.entries.iter().filter(|r| r.has_effect);
        match (lost.next(), lost.next()) {
            (Some(only), None) if only.is_repeat_of(entry) => None,
            _ => Some(Part::Forked {
                branch: number,
                is_after_undo: entry.is_after_undo,
                is_found_line: branch.is_found_line(),
            }),
        }
    }

    fn finished_part(&self, entry: &str) -> Part {
        Part::Finished {
            entry: entry.to_string(),
            time: self.target.machine.time(),
        }
    }

    fn report_end(&mut self, entry: &str) {
        self.target.record_visit();
        self.target.debugger.selected_frame = 0;
        let finished = self.finished_part(entry);
        self.answer.parts.push(finished);
        self.answer.show_board = self.answer.show_board.max(ShowBoard::Always);
    }

    /// Ends a dry run: rolls it back and reports what it would change.
    pub(crate) fn finish_dry_run(&mut self) -> bool {
        let (after, _) = self.target.machine.store.snapshot();
        let is_innermost = self
            .target
            .timeline
            .entries()
            .last()
            .is_some_and(|r| r.is_dry_run());
        let entry = self.target.discard_dry_run();
        if let Some(entry) = entry {
            let changes = diff::state_diff(self.target, entry.before.store(), &after);
            self.answer.parts.push(Part::DryRunFinished {
                changes,
                discards_entries: !is_innermost,
            });
        }
        self.target.debugger.selected_frame = 0;
        // It may have been started at a stop.
        if self.target.is_stopped() {
            self.stop_here(StopReason::Step, STILL_STOPPED, Vec::new());
        }
        true
    }
}

/// An answer that consists of the value of an expression.
pub(crate) fn value_answer(target: &Target, value: Value) -> Answer {
    let (program, store) = (target.program(), &target.machine.store);
    // A board is drawn; all other values are written as in source code.
    let quoted = store.heap.grid(value).is_none();
    let board = program.board_global;
    let live_board = board.and_then(|board| store.globals.get(board as usize));
    Answer {
        data: Some(value_to_json(program, store, value)),
        show_board: match !quoted && live_board == Some(&value) {
            true => ShowBoard::InsteadOfValue,
            false => ShowBoard::No,
        },
        value: Some((program.format_value)(program, store, value, quoted)),
        ..Answer::new("")
    }
}
