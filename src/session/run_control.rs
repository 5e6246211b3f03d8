//! Run control: runs the program until a step target, a breakpoint or the end, and reports the
//! outcome.

use super::breakpoint_hits::HitResult;
use super::{Line, Reply, Session, Style, json};
use crate::code::Program;
use crate::debugger::{StepTarget, Stepper, StopMap};
use crate::machine::{Machine, Outcome, Pause, RuntimeError};
use crate::value::Value;
use std::rc::Rc;

/// Longer entries are elided when their end is reported.
const MAX_ENTRY_CHARS: usize = 40;

impl Session {
    /// Binds the breakpoints to the current program and reports those that moved.
    pub fn rebind_breakpoints(&mut self, reply: &mut Reply) {
        if self.target.debugger.breakpoints.is_empty() {
            return;
        }
        let program = self.target.machine.program().clone();
        for message in self
            .target
            .debugger
            .rebind_breakpoints(&program, &self.target.sources)
        {
            reply.line(Line::styled(Style::Dim, message));
        }
    }

    /// Runs until the target, a breakpoint or the end, and reports the outcome.
    pub fn resume(&mut self, target: Option<StepTarget>, reply: &mut Reply) {
        let start = self.target.machine.time();
        // Conditions and log messages belong to the frame that hits the breakpoint, not to the one
        // the user has selected.
        self.target.debugger.selected_frame = 0;
        if let Some(trace) = &mut self.target.debugger.trace {
            trace.begin(&self.target.machine);
        }
        // The first instruction may trigger a watchpoint. Other breakpoints at it were checked when
        // the program stopped here.
        self.target.rebind_breakpoints_quietly();
        let mut checks_watchpoints_first = self.target.is_at_watchpoint();
        let mut resumed = false;
        let mut armed: Option<(Rc<Program>, Option<StopMap>)> = None;
        loop {
            // Replay: entries typed at this time come first.
            while self.target.timeline.enter_nested(&mut self.target.machine) {
                resumed = true;
            }
            // Replaying can switch to another version of the program.
            if !armed
                .as_ref()
                .is_some_and(|(program, _)| Rc::ptr_eq(program, self.target.machine.program()))
            {
                armed = Some((
                    self.target.machine.program().clone(),
                    self.target.arm(target.is_some()),
                ));
            }
            let stop_map = armed.as_ref().and_then(|(_, stop_map)| stop_map.as_ref());
            let is_reached = |machine: &Machine| {
                let step = stop_map.zip(target.as_ref());
                machine.time() > start
                    && step.is_some_and(|(stop_map, target)| {
                        stop_map.is_target_reached(target, machine)
                    })
            };
            // An entry may start at a stop point, and so may the entry around it when it continues.
            // Returning to an instruction is not a new iteration, though.
            if std::mem::take(&mut resumed)
                && !matches!(
                    target,
                    Some(StepTarget::NextIteration { .. } | StepTarget::Revisit { .. })
                )
                && stop_map
                    .zip(target.as_ref())
                    .is_some_and(|(stop_map, target)| {
                        stop_map.is_target_reached(target, &self.target.machine)
                    })
            {
                self.drain_output(reply);
                break self.report_stop("step", "", reply);
            }
            let checks_plain = !checks_watchpoints_first;
            let outcome = match stop_map {
                _ if std::mem::take(&mut checks_watchpoints_first) => Outcome::Paused(Pause::Trap),
                Some(stop_map) => self.run_observed_to(
                    stop_map,
                    target.clone().unwrap_or(StepTarget::Finish),
                    reply,
                ),
                None => match self.target.timeline.next_nested_time() {
                    Some(nested_time) => self.target.machine.run_until(nested_time),
                    None => self.target.machine.run(),
                },
            };
            self.target
                .timeline
                .collect_checkpoints(&mut self.target.machine);
            let hit = match outcome {
                Outcome::Paused(Pause::Trap) => {
                    Some(self.check_breakpoints(checks_plain, &is_reached, reply))
                }
                _ => None,
            };
            // Checking a watchpoint executes one instruction, which may have taken a checkpoint.
            self.target
                .timeline
                .collect_checkpoints(&mut self.target.machine);
            if outcome == Outcome::Paused(Pause::Time) {
                continue;
            }
            let outcome = match hit {
                Some(hit) => match hit {
                    HitResult::Continue if self.target.machine.take_interrupt() => {
                        Outcome::Paused(Pause::Interrupt)
                    }
                    HitResult::Continue => continue,
                    stop @ HitResult::Stop { .. } => {
                        self.report_omitted_trace(reply);
                        break self.stop_at_breakpoint(stop, reply);
                    }
                    HitResult::StepDone => Outcome::Paused(Pause::Observer),
                    HitResult::Ended(outcome) => outcome,
                },
                None => outcome,
            };
            self.report_omitted_trace(reply);
            if self.on_outcome(outcome, target.as_ref(), reply) {
                break;
            }
            resumed = true;
        }
    }

    /// Stops for the breakpoints that were hit.
    pub(super) fn stop_at_breakpoint(&mut self, hit: HitResult, reply: &mut Reply) {
        if let HitResult::Stop {
            reason,
            message,
            other_messages,
            commands,
        } = hit
        {
            reply.queued_commands = commands.into();
            self.report_stop(reason, &message, reply);
            self.list_other_hits(&other_messages, reply);
        }
    }

    /// Lists the other breakpoints hit at the same time.
    fn list_other_hits(&self, other_messages: &[String], reply: &mut Reply) {
        for message in other_messages
            .iter()
            .filter(|_| self.target.suppressed_stop.is_none())
        {
            reply.line(Line::styled(Style::Dim, format!("  also {message}")));
        }
    }

    fn run_observed_to(
        &mut self,
        stop_map: &StopMap,
        target: StepTarget,
        reply: &mut Reply,
    ) -> Outcome {
        let (start_time, end_time) = (
            self.target.machine.time(),
            self.target.timeline.next_nested_time().unwrap_or(u64::MAX),
        );
        let trace = self.target.debugger.trace.take();
        let mut stepper = Stepper {
            stop_map,
            target,
            start_time,
            end_time,
            has_hit_breakpoint: false,
            trace,
        };
        let outcome = self.target.machine.run_observed(&mut stepper);
        let has_hit_breakpoint = stepper.has_hit_breakpoint;
        self.target.debugger.trace = stepper.trace;
        self.report_trace(reply);
        match outcome {
            Outcome::Paused(Pause::Observer) if has_hit_breakpoint => Outcome::Paused(Pause::Trap),
            Outcome::Paused(Pause::Observer) if self.target.machine.time() >= end_time => {
                Outcome::Paused(Pause::Time)
            }
            other => other,
        }
    }

    fn report_trace(&mut self, reply: &mut Reply) {
        for (depth, line) in self
            .target
            .debugger
            .trace
            .iter_mut()
            .flat_map(|trace| trace.take_lines())
        {
            reply.line(Line::styled(
                Style::Dim,
                format!("  {}{line}", "  ".repeat(depth)),
            ));
        }
    }

    fn report_omitted_trace(&mut self, reply: &mut Reply) {
        let omitted = self
            .target
            .debugger
            .trace
            .as_mut()
            .map_or(0, |trace| trace.take_omitted_count());
        if omitted > 0 {
            reply.line(Line::styled(Style::Dim, format!("  … {omitted} more")));
        }
    }

    /// Reports the outcome of a run. Returns false if the run has to continue.
    pub(super) fn on_outcome(
        &mut self,
        outcome: Outcome,
        target: Option<&StepTarget>,
        reply: &mut Reply,
    ) -> bool {
        match outcome {
            // An entry typed at a stop has finished.
            Outcome::Finished(value) if !self.target.machine.is_idle() => {
                let is_dry_run_done = self.target.is_dry_run_done();
                if (self.target.timeline.is_in_past(&self.target.machine) || target.is_some())
                    && !is_dry_run_done
                {
                    return false;
                }
                self.drain_output(reply);
                let index = self
                    .target
                    .entry_finished_at_stop()
                    .unwrap_or(self.target.timeline.entries().len().saturating_sub(1));
                let entry = self.target.timeline.entries().get(index);
                let (is_expression, text) = entry.map_or((false, String::new()), |r| {
                    (r.is_expression, r.text.clone())
                });
                self.report_value(value, is_expression, reply);
                if is_dry_run_done {
                    return self.finish_dry_run(reply);
                }
                let end_message = self
                    .target
                    .has_stopped_in(index)
                    .then(|| self.describe_end(&text));
                let is_last = index + 1 == self.target.timeline.entries().len();
                // An expression without effect is not kept in the history.
                if is_expression
                    && is_last
                    && reply.output.is_empty()
                    && !self.target.timeline.has_effect(&mut self.target.machine)
                {
                    reply.show_board = reply.is_board_value;
                    self.target.discard_last_entry();
                } else {
                    self.report_fork_of_nested(reply);
                    reply.show_board = true;
                }
                // If the user stopped inside it, show where the outer entry is stopped.
                if let Some(message) = end_message {
                    reply.line(Line::styled(Style::Dim, message));
                    self.report_stop("step", "", reply);
                }
            }
            Outcome::Finished(value) => {
                self.drain_output(reply);
                if self.target.timeline.is_in_past(&self.target.machine)
                    && self.target.timeline.enter_next(&mut self.target.machine)
                {
                    return false;
                }
                let is_expression = self
                    .target
                    .outermost_entry()
                    .is_some_and(|r| r.is_expression);
                self.report_value(value, is_expression, reply);
                if self.target.is_dry_run_done() {
                    return self.finish_dry_run(reply);
                }
                self.target.timeline.finish_entry(&mut self.target.machine);
                reply.show_board = reply.is_board_value
                    || self
                        .target
                        .timeline
                        .entries()
                        .last()
                        .is_some_and(|r| r.has_effect);
                let text = self
                    .target
                    .outermost_entry()
                    .map_or_else(String::new, |r| r.text.clone());
                self.report_fork(reply);
                if std::mem::take(&mut self.target.has_stopped) {
                    self.report_end(&text, reply);
                }
            }
            Outcome::NeedsInput {
                question,
                input_kind,
            } => {
                self.drain_output(reply);
                reply.question = Some(question.clone());
                // Show the board to answer by.
                reply.show_board = true;
                self.target.pending_input = Some((question, input_kind));
                self.target.interrupted_step = target.cloned();
                self.target.debugger.selected_frame = self.target.default_frame();
            }
            Outcome::Failed(error) if self.target.debugger.stops_on_error() => {
                self.drain_output(reply);
                let diagnostic = self.target.runtime_error(&error);
                reply.diagnostics.push(diagnostic);
                self.report_stop("error", "error", reply);
            }
            Outcome::Failed(error) => {
                self.drain_output(reply);
                self.report_failure(&error, reply);
            }
            Outcome::Paused(Pause::Interrupt) => {
                self.drain_output(reply);
                self.report_stop("interrupt", "interrupted", reply);
            }
            Outcome::Paused(_) => {
                self.drain_output(reply);
                let message = if target == Some(&StepTarget::TurnEnd) {
                    "end of turn"
                } else {
                    ""
                };
                self.report_stop("step", message, reply);
            }
        }
        true
    }

    fn report_value(&mut self, value: Value, is_expression: bool, reply: &mut Reply) {
        if is_expression && value != Value::NOTHING {
            reply.data = Some(json::value_to_json(
                self.target.program(),
                &self.target.machine.store,
                value,
            ));
            // A board is drawn; all other values are written as in source code.
            let quoted = self.target.machine.store.heap.grid(value).is_none();
            let live_board = self
                .target
                .program()
                .board_global
                .and_then(|board| self.target.machine.store.globals.get(board as usize));
            reply.is_board_value = !quoted && live_board == Some(&value);
            reply.redraw |= reply.is_board_value;
            reply.value = Some((self.target.program().format_value)(
                self.target.program(),
                &self.target.machine.store,
                value,
                quoted,
            ));
        }
    }

    /// An entry that fails is rolled back.
    fn report_failure(&mut self, error: &RuntimeError, reply: &mut Reply) {
        reply.ok = false;
        let diagnostic = self.target.runtime_error(error);
        reply.diagnostics.push(diagnostic);
        self.target.discard_last_entry();
        reply.display = self
            .target
            .machine
            .store
            .message
            .as_ref()
            .map(|m| m.to_string());
    }

    /// Executing in the past forks the timeline, unless the entry had no effect: then the future is
    /// restored.
    fn report_fork(&mut self, reply: &mut Reply) {
        let Some(entry) = self.target.timeline.current_mut() else {
            return;
        };
        let Some(number) = entry.forked_branch else {
            return;
        };
        let was_reported = entry.is_fork_reported;
        if entry.has_effect {
            entry.forked_branch = None;
            match self.fork_message(number) {
                None => drop(self.target.delete_branch(number)),
                Some(line) if !was_reported => reply.lines.insert(0, line),
                Some(_) => {}
            }
        } else {
            entry.is_dry_run = true;
            let is_after_undo = self.target.is_after_undo;
            self.target.discard_last_entry();
            if was_reported {
                let future = if is_after_undo {
                    "you can still redo what you undid"
                } else {
                    "the old history is kept"
                };
                reply.line(Line::styled(
                    Style::Dim,
                    format!("Nothing changed: {future}"),
                ));
            }
        }
    }

    /// Does the same for an entry typed at a stop.
    fn report_fork_of_nested(&mut self, reply: &mut Reply) {
        let has_effect = self.target.timeline.has_effect(&mut self.target.machine);
        if let Some(entry) = self
            .target
            .timeline
            .current_mut()
            .filter(|r| r.forked_branch.is_some())
        {
            entry.has_effect = has_effect;
            self.report_fork(reply);
        }
    }

    /// Reports the fork when an entry stops before its end. It may still turn out to have no
    /// effect.
    pub(super) fn report_fork_at_stop(&mut self, reply: &mut Reply) {
        let Some(entry) = self
            .target
            .timeline
            .current_mut()
            .filter(|r| !r.is_fork_reported && !r.is_dry_run)
        else {
            return;
        };
        let Some(number) = entry.forked_branch else {
            return;
        };
        entry.is_fork_reported = true;
        if let Some(line) = self.fork_message(number) {
            reply.lines.insert(0, line);
        }
    }

    /// The message about an abandoned future. `None` if nothing is lost: nothing in it had an
    /// effect, or its only entry is being repeated.
    fn fork_message(&self, number: usize) -> Option<Line> {
        let branch = self
            .target
            .timeline
            .branch(number)
            .filter(|b| b.has_effect())?;
        let entry = self.target.timeline.current()?;
        let mut lost = branch.entries.iter().filter(|r| r.has_effect);
        let message = match (lost.next(), lost.next()) {
            (Some(only), None) if only.is_repeat_of(entry) => return None,
            _ if self.target.is_after_undo => {
                format!("The moves you undid are saved as branch {number} (`:branches`)")
            }
            _ => {
                format!("You are on a new branch; the old history is branch {number} (`:branches`)")
            }
        };
        Some(Line::styled(Style::Dim, message))
    }

    /// `click{1,1} finished   time 412`
    fn describe_end(&self, entry: &str) -> String {
        let entry = crate::text::elide(entry.lines().next().unwrap_or(""), MAX_ENTRY_CHARS);
        let entry = if entry.is_empty() {
            "startup".to_string()
        } else {
            entry
        };
        format!("{entry} finished   time {}", self.target.machine.time())
    }

    fn report_end(&mut self, entry: &str, reply: &mut Reply) {
        self.target.record_visit();
        self.target.debugger.selected_frame = 0;
        reply.line(Line::styled(Style::Dim, self.describe_end(entry)));
        (reply.show_board, reply.redraw) = (true, true);
    }
}
