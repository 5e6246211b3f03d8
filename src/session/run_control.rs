//! Running on: to the end, to a stop, or to where a step ends.

use super::breakpoint_hits::HitResult;
use super::{Line, Reply, Session, Style, json};
use crate::code::Program;
use crate::debugger::{StepTarget, Stepper, StopMap};
use crate::machine::{Machine, Outcome, Pause, RuntimeError};
use crate::value::Value;
use std::rc::Rc;

impl Session {
    /// Whether a run is stopped in the midst.
    pub fn is_stopped(&self) -> bool {
        !self.machine.is_idle() && self.pending_input.is_none()
    }

    /// Breakpoints find their places in the present program.
    pub fn rebind_breakpoints(&mut self, reply: &mut Reply) {
        if self.debugger.breakpoints.is_empty() {
            return;
        }
        let program = self.machine.program().clone();
        for told in self.debugger.rebind_breakpoints(&program, &self.sources) {
            reply.line(Line::styled(Style::Dim, told));
        }
    }

    /// The same without a word: the past has its own programs.
    pub(super) fn rebind_breakpoints_quietly(&mut self) {
        let program = self.machine.program().clone();
        self.debugger.rebind_breakpoints(&program, &self.sources);
    }

    /// Runs on until the goal, a breakpoint or the end, and tells what came of it.
    pub fn resume(&mut self, goal: Option<StepTarget>, reply: &mut Reply) {
        let start = self.machine.time();
        if let Some(trace) = &mut self.debugger.trace {
            trace.begin(&self.machine);
        }
        // What the instruction at hand writes may be watched; breakpoints at it have been asked before.
        self.rebind_breakpoints_quietly();
        let mut first = self.is_at_watchpoint();
        let mut led_on = false;
        let mut armed: Option<(Rc<Program>, Option<StopMap>)> = None;
        loop {
            // What was typed at this time, in the midst of what happened, comes first.
            while self.timeline.enter_nested(&mut self.machine) {
                led_on = true;
            }
            // Going on through the past leads from one program to the next.
            if !armed
                .as_ref()
                .is_some_and(|(program, _)| Rc::ptr_eq(program, self.machine.program()))
            {
                armed = Some((self.machine.program().clone(), self.arm(goal.is_some())));
            }
            let marks = armed.as_ref().and_then(|(_, marks)| marks.as_ref());
            let reached = |machine: &Machine| {
                let sought = marks.zip(goal.as_ref());
                machine.time() > start
                    && sought.is_some_and(|(marks, goal)| marks.is_reached(goal, machine))
            };
            // One entry may begin with a stop, as may what it was typed into when it is done: but coming back to a place
            // is no new round.
            if std::mem::take(&mut led_on)
                && !matches!(
                    goal,
                    Some(StepTarget::NextIteration { .. } | StepTarget::Revisit { .. })
                )
                && marks
                    .zip(goal.as_ref())
                    .is_some_and(|(marks, goal)| marks.is_reached(goal, &self.machine))
            {
                self.drain_output(reply);
                break self.report_stop("step", "", reply);
            }
            let asks = !first;
            let outcome = match marks {
                _ if std::mem::take(&mut first) => Outcome::Paused(Pause::Trap),
                Some(marks) => {
                    self.run_watched(marks, goal.clone().unwrap_or(StepTarget::Finish), reply)
                }
                None => match self.timeline.next_nested_time() {
                    Some(edge) => self.machine.run_until(edge),
                    None => self.machine.run(),
                },
            };
            self.timeline.collect_checkpoints(&mut self.machine);
            let verdict = match outcome {
                Outcome::Paused(Pause::Trap) => Some(self.check_breakpoints(asks, &reached, reply)),
                _ => None,
            };
            // What is watched is judged behind its change: one instruction further on.
            self.timeline.collect_checkpoints(&mut self.machine);
            if outcome == Outcome::Paused(Pause::Time) {
                continue;
            }
            let outcome = match verdict {
                Some(verdict) => match verdict {
                    HitResult::Continue if self.machine.take_interrupt() => {
                        Outcome::Paused(Pause::Interrupt)
                    }
                    HitResult::Continue => continue,
                    stop @ HitResult::Stop { .. } => {
                        self.tell_more_of_trace(reply);
                        break self.stop_at_breakpoint(stop, reply);
                    }
                    HitResult::StepDone => Outcome::Paused(Pause::Observer),
                    HitResult::Ended(outcome) => outcome,
                },
                None => outcome,
            };
            self.tell_more_of_trace(reply);
            if self.on_outcome(outcome, goal.as_ref(), reply) {
                break;
            }
            led_on = true;
        }
    }

    /// Stops as the breakpoints want it.
    pub(super) fn stop_at_breakpoint(&mut self, verdict: HitResult, reply: &mut Reply) {
        if let HitResult::Stop {
            reason,
            message: words,
            other_messages: also,
            commands,
        } = verdict
        {
            reply.queued_commands = commands.into();
            self.report_stop(reason, &words, reply);
            self.tell_also(&also, reply);
        }
    }

    /// Several breakpoints may stop at one time: the first is told with the stop, the others behind it.
    fn tell_also(&self, also: &[String], reply: &mut Reply) {
        for words in also.iter().filter(|_| self.suppressed_stop.is_none()) {
            reply.line(Line::styled(Style::Dim, format!("  also {words}")));
        }
    }

    /// Sets the traps of the present program; and where a step may end, if somebody has to look on.
    fn arm(&mut self, stepping: bool) -> Option<StopMap> {
        self.rebind_breakpoints_quietly();
        let traps = self.debugger.traps();
        self.machine.set_traps(&traps);
        (stepping || self.debugger.trace.is_some())
            .then(|| self.debugger.stop_map(self.machine.program(), &traps))
    }

    fn run_watched(&mut self, marks: &StopMap, goal: StepTarget, reply: &mut Reply) -> Outcome {
        let (from, until) = (
            self.machine.time(),
            self.timeline.next_nested_time().unwrap_or(u64::MAX),
        );
        let trace = self.debugger.trace.take();
        let mut stepper = Stepper {
            stop_map: marks,
            target: goal,
            start_time: from,
            end_time: until,
            has_hit_breakpoint: false,
            trace,
        };
        let outcome = self.machine.run_observed(&mut stepper);
        let trapped = stepper.has_hit_breakpoint;
        self.debugger.trace = stepper.trace;
        self.tell_trace(reply);
        match outcome {
            Outcome::Paused(Pause::Observer) if trapped => Outcome::Paused(Pause::Trap),
            Outcome::Paused(Pause::Observer) if self.machine.time() >= until => {
                Outcome::Paused(Pause::Time)
            }
            other => other,
        }
    }

    fn tell_trace(&mut self, reply: &mut Reply) {
        for (depth, line) in self
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

    fn tell_more_of_trace(&mut self, reply: &mut Reply) {
        let more = self
            .debugger
            .trace
            .as_mut()
            .map_or(0, |trace| trace.take_omitted_count());
        if more > 0 {
            reply.line(Line::styled(Style::Dim, format!("  … {more} more")));
        }
    }

    /// Tells how a run ended; says whether it did.
    pub(super) fn on_outcome(
        &mut self,
        outcome: Outcome,
        goal: Option<&StepTarget>,
        reply: &mut Reply,
    ) -> bool {
        match outcome {
            // What was typed at a stop is done.
            Outcome::Finished(value) if !self.machine.is_idle() => {
                let rehearsal = self.is_dry_run_done();
                if (self.timeline.is_in_past(&self.machine) || goal.is_some()) && !rehearsal {
                    return false;
                }
                self.drain_output(reply);
                let done = self
                    .entry_finished_at_stop()
                    .unwrap_or(self.timeline.entries().len().saturating_sub(1));
                let record = self.timeline.entries().get(done);
                let (gives, entry) = record.map_or((false, String::new()), |r| {
                    (r.is_expression, r.text.clone())
                });
                self.give_value(value, gives, reply);
                if rehearsal {
                    return self.finish_dry_run(reply);
                }
                let stood = self.has_stopped_in(done).then(|| self.words_of_end(&entry));
                let last = done + 1 == self.timeline.entries().len();
                // Who only looked has done nothing that could be taken back.
                if gives
                    && last
                    && reply.output.is_empty()
                    && !self.timeline.has_effect(&mut self.machine)
                {
                    reply.show_board = reply.is_board_value;
                    self.discard_last_entry();
                } else {
                    self.tell_branch_inside(reply);
                    reply.show_board = true;
                }
                // Who has stood in its midst is told where they are now.
                if let Some(done) = stood {
                    reply.line(Line::styled(Style::Dim, done));
                    self.report_stop("step", "", reply);
                }
            }
            Outcome::Finished(value) => {
                self.drain_output(reply);
                if self.timeline.is_in_past(&self.machine)
                    && self.timeline.enter_next(&mut self.machine)
                {
                    return false;
                }
                let gives = self.outermost_entry().is_some_and(|r| r.is_expression);
                self.give_value(value, gives, reply);
                if self.is_dry_run_done() {
                    return self.finish_dry_run(reply);
                }
                self.timeline.finish_entry(&mut self.machine);
                reply.show_board = reply.is_board_value
                    || self.timeline.entries().last().is_some_and(|r| r.has_effect);
                let done = self
                    .outermost_entry()
                    .map_or_else(String::new, |r| r.text.clone());
                self.tell_branch(reply);
                if std::mem::take(&mut self.has_stopped) {
                    self.end_of_run(&done, reply);
                }
            }
            Outcome::NeedsInput {
                question,
                input_kind: what,
            } => {
                self.drain_output(reply);
                reply.question = Some(question.clone());
                // Who is asked for a move wants to see where the pieces stand.
                reply.show_board = true;
                self.pending_input = Some((question, what));
                self.interrupted_step = goal.cloned();
                self.debugger.selected_frame = self.default_frame();
            }
            Outcome::Failed(fault) if self.debugger.stops_on_error() => {
                self.drain_output(reply);
                let diagnostic = self.runtime_error(&fault);
                reply.diagnostics.push(diagnostic);
                self.report_stop("error", "error", reply);
            }
            Outcome::Failed(fault) => {
                self.drain_output(reply);
                self.fail(&fault, reply);
            }
            Outcome::Paused(Pause::Interrupt) => {
                self.drain_output(reply);
                self.report_stop("interrupt", "interrupted", reply);
            }
            Outcome::Paused(_) => {
                self.drain_output(reply);
                let words = if goal == Some(&StepTarget::TurnEnd) {
                    "end of turn"
                } else {
                    ""
                };
                self.report_stop("step", words, reply);
            }
        }
        true
    }

    fn give_value(&mut self, value: Value, gives: bool, reply: &mut Reply) {
        if gives && value != Value::NOTHING {
            reply.data = Some(json::value_to_json(
                self.program(),
                &self.machine.store,
                value,
            ));
            // A board is drawn, everything else is written as in a source.
            let quoted = self.machine.store.heap.grid(value).is_none();
            let live = self
                .program()
                .board_global
                .and_then(|board| self.machine.store.globals.get(board as usize));
            reply.is_board_value = !quoted && live == Some(&value);
            reply.redraw |= reply.is_board_value;
            reply.value = Some((self.program().format_value)(
                self.program(),
                &self.machine.store,
                value,
                quoted,
            ));
        }
    }

    /// An entry that fails changes nothing.
    fn fail(&mut self, fault: &RuntimeError, reply: &mut Reply) {
        reply.ok = false;
        let diagnostic = self.runtime_error(fault);
        reply.diagnostics.push(diagnostic);
        self.discard_last_entry();
        reply.display = self.machine.store.message.as_ref().map(|m| m.to_string());
    }

    /// Something done in the past starts a branch, unless it changed nothing: looking leaves the future alone.
    fn tell_branch(&mut self, reply: &mut Reply) {
        let Some(record) = self.timeline.current_mut() else {
            return;
        };
        let Some(number) = record.forked_branch else {
            return;
        };
        let told = record.is_fork_reported;
        if record.has_effect {
            record.forked_branch = None;
            match self.branch_line(number) {
                None => drop(self.delete_branch(number)),
                Some(line) if !told => reply.lines.insert(0, line),
                Some(_) => {}
            }
        } else {
            record.is_dry_run = true;
            let undone = self.is_after_undo;
            self.discard_last_entry();
            if told {
                let future = if undone {
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

    /// The same for what was typed at a stop.
    fn tell_branch_inside(&mut self, reply: &mut Reply) {
        let changed = self.timeline.has_effect(&mut self.machine);
        if let Some(record) = self
            .timeline
            .current_mut()
            .filter(|r| r.forked_branch.is_some())
        {
            record.has_effect = changed;
            self.tell_branch(reply);
        }
    }

    /// What runs on in a new branch and stops there may still change nothing; but who stands in it is to know.
    pub(super) fn report_fork_at_stop(&mut self, reply: &mut Reply) {
        let Some(record) = self
            .timeline
            .current_mut()
            .filter(|r| !r.is_fork_reported && !r.is_dry_run)
        else {
            return;
        };
        let Some(number) = record.forked_branch else {
            return;
        };
        record.is_fork_reported = true;
        if let Some(line) = self.branch_line(number) {
            reply.lines.insert(0, line);
        }
    }

    /// What is to be said of a future that is left; nothing if nothing is lost with it: in it was only looked around,
    /// or the only thing done in it is done again. Who took something back at the prompt knows where they are.
    fn branch_line(&self, number: usize) -> Option<Line> {
        let branch = self.timeline.branch(number).filter(|b| b.has_effect())?;
        let record = self.timeline.current()?;
        let mut lost = branch.entries.iter().filter(|r| r.has_effect);
        let words = match (lost.next(), lost.next()) {
            (Some(one), None) if one.is_repeat_of(record) => return None,
            _ if self.is_after_undo => format!("The moves you undid are saved as branch {number} (`:branches`)"),
            _ => format!("You are on a new branch; the old history is branch {number} (`:branches`)"),
        };
        Some(Line::styled(Style::Dim, words))
    }

    /// `click{1,1} is done   time 412`
    fn words_of_end(&self, entry: &str) -> String {
        let entry = super::call_tree::elide(entry.lines().next().unwrap_or(""), 40);
        let entry = if entry.is_empty() {
            "startup".to_string()
        } else {
            entry
        };
        format!("{entry} finished   time {}", self.machine.time())
    }

    fn end_of_run(&mut self, entry: &str, reply: &mut Reply) {
        self.record_visit();
        self.debugger.selected_frame = 0;
        reply.line(Line::styled(Style::Dim, self.words_of_end(entry)));
        (reply.show_board, reply.redraw) = (true, true);
    }

    /// Gives up what is going on: it never happened.
    pub fn abandon(&mut self) -> Option<String> {
        self.pending_input = None;
        if self.machine.is_idle() {
            return None;
        }
        self.debugger.selected_frame = 0;
        if self.is_dry_run() {
            // What it was rehearsed in is still stopped.
            let text = self.discard_dry_run().map(|r| r.text);
            self.debugger.selected_frame = self.default_frame();
            return text;
        }
        if self.timeline.is_in_past(&self.machine) {
            // It has happened: back to where it began, without forgetting it.
            let undone = self.timeline.undo(&mut self.machine, 1);
            return undone.into_iter().next();
        }
        let mut text = None;
        // What was typed in the midst of it goes with it.
        while !self.machine.is_idle() {
            text = self.discard_last_entry().map(|r| r.text);
            text.as_ref()?;
        }
        text
    }
}
