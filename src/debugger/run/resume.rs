//! Runs the program until a step target, a breakpoint or the end, at once or in slices.

use super::step::FirstInstruction;
use super::{Ending, Leg, PendingStop, Run, RunStart, SuspendedRun};
use crate::answer::{Answer, Part, Returned, StopReason};
use crate::breakpoint::candidates::is_at_watchpoint;
use crate::breakpoint::hits::HitResult;
use crate::breakpoint::trap_test;
use crate::frame;
use crate::machine::{Machine, Observer, Outcome, Pause};
use crate::recorder::Sink;
use crate::run::stop;
use crate::value::Value;
use crate::{StepTarget, Stepper, StopMap, Target};
use std::rc::Rc;

/// Progress is reported when there is this much output. A slow terminal shows it in a few tenths of
/// a second, so that Ctrl-C is noticed in time.
const PROGRESS_INTERVAL_BYTES: u64 = 1 << 16;

/// Progress is also reported when there are this many messages of logpoints.
const PROGRESS_INTERVAL_PARTS: usize = 1000;

impl<'t> Run<'t> {
    /// Continues a run that was left before its end.
    pub fn restore(target: &'t mut Target, suspended: SuspendedRun) -> Run<'t> {
        Run {
            target,
            start: suspended.start,
            answer: suspended.answer,
            stop: suspended.stop,
            leg: suspended.leg,
            plan: suspended.plan,
            ending: suspended.ending,
        }
    }

    /// Leaves the run, to continue it later. `None` if it has ended.
    pub fn suspend(self) -> Option<SuspendedRun> {
        (self.leg.is_some() || self.plan.is_some()).then(|| SuspendedRun {
            start: self.start,
            answer: self.answer,
            stop: self.stop,
            leg: self.leg,
            plan: self.plan,
            ending: self.ending,
        })
    }

    /// Ends the run: describes the stop that it reached, and returns everything it has to report.
    pub fn finish(mut self) -> Answer {
        self.finish_progress();
        if let Some(PendingStop {
            reason,
            message,
            hits,
        }) = self.stop.take()
        {
            self.report_fork_at_stop();
            let stop = stop::describe_stop(self.target, reason, &message, hits);
            if let Some(stop) = stop.map(Rc::new) {
                self.answer.show_stop(stop);
            }
            self.target.remember_stop_state();
            frame::remember_stop_locals(self.target);
        }
        self.report_ending();
        self.answer
    }

    /// Adds what is reported at the end of a run.
    fn report_ending(&mut self) {
        let Ending {
            definition_parts,
            warnings,
            returned_from,
        } = std::mem::take(&mut self.ending);
        let answer = &mut self.answer;
        let has_failed = !answer.ok && answer.stop.is_none();
        if has_failed {
            let count = definition_parts.min(answer.parts.len());
            answer.parts.drain(..count);
        }
        answer.diagnostics.splice(..0, warnings);
        let value = self.target.machine.return_value();
        let stop = answer.stop.as_ref();
        let is_after = stop.is_some_and(|stop| stop.reason == StopReason::Step);
        if let Some(function) = returned_from.filter(|_| is_after && value != Value::NOTHING) {
            answer.parts.push(Part::Returned(Returned {
                function,
                value: self.target.format_value(value),
            }));
        }
    }

    /// Runs until the goal, a breakpoint or the end.
    pub fn resume(&mut self, goal: Option<StepTarget>) {
        self.begin(goal);
        while !self.advance(self.target.slice_instructions()) {
            if self.target.progress_listener.is_some() {
                self.report_progress();
            }
        }
    }

    /// Prepares to run until the goal, a breakpoint or the end. [`Run::advance`] does it.
    pub fn begin(&mut self, goal: Option<StepTarget>) {
        self.stop = None;
        if self.start == RunStart::Stop {
            self.target.leave_failure();
        }
        self.answer.queued_commands.clear();
        // Conditions and log messages belong to the frame that hits the breakpoint, not to the one
        // the user has selected.
        self.target.debugger.selected_frame = 0;
        if let Some(trace) = &mut self.target.debugger.trace {
            trace.begin(&self.target.machine);
        }
        self.target.rebind_breakpoints_quietly();
        let is_unchecked = match self.start {
            RunStart::Stop => self.target.take_first_instruction() == FirstInstruction::New,
            RunStart::Entry => self.target.timeline.is_at_entry_start(&self.target.machine),
        };
        self.leg = Some(Leg {
            goal,
            start: self.target.machine.time(),
            checks_watchpoints_first: is_at_watchpoint(self.target) && !is_unchecked,
            has_changed_entry: false,
            is_unchecked,
            is_before_nested: false,
            armed: None,
        });
    }

    /// Runs for about `budget` instructions; true if the goal, a breakpoint or the end was reached.
    pub fn advance(&mut self, budget: u64) -> bool {
        let Some(mut leg) = self.leg.take() else {
            return true;
        };
        let deadline = self.target.machine.time().saturating_add(budget);
        loop {
            // Replay: at a breakpoint, the program stopped before something was typed there.
            if std::mem::take(&mut leg.is_before_nested)
                && let Some(stop) = self.check_plain_breakpoints()
            {
                self.report_omitted_trace();
                self.stop_at_breakpoint(stop);
                return true;
            }
            // Entries typed at this time come first.
            while self.target.timeline.enter_nested(&mut self.target.machine) {
                leg.has_changed_entry = true;
                leg.is_unchecked = true;
                leg.checks_watchpoints_first = false;
            }
            // Starting an entry removes the traps, and can switch to another version of the program.
            if leg.has_changed_entry {
                leg.armed = None;
            }
            if !leg
                .armed
                .as_ref()
                .is_some_and(|(program, _)| Rc::ptr_eq(program, self.target.machine.program()))
            {
                leg.armed = Some((
                    self.target.machine.program().clone(),
                    self.target.arm(leg.goal.is_some()),
                ));
            }
            let stop_map = leg.armed.as_ref().and_then(|(_, map)| map.as_ref());
            let is_goal = |machine: &Machine| {
                let step = stop_map.zip(leg.goal.as_ref());
                step.is_some_and(|(stop_map, goal)| stop_map.is_target_reached(goal, machine))
            };
            let is_reached = |machine: &Machine| machine.time() > leg.start && is_goal(machine);
            // An entry may start at a stop point, and so may the entry around it when it continues.
            // Returning to an instruction is not a new iteration, though.
            if std::mem::take(&mut leg.has_changed_entry)
                && !matches!(
                    leg.goal,
                    Some(StepTarget::NextIteration { .. } | StepTarget::Revisit { .. })
                )
                && is_goal(&self.target.machine)
            {
                self.drain_output();
                self.stop_here(StopReason::Step, "", Vec::new());
                return true;
            }
            if self.target.machine.time() >= deadline {
                self.leg = Some(leg);
                return false;
            }
            let checks_plain = !leg.checks_watchpoints_first;
            let is_unchecked = std::mem::take(&mut leg.is_unchecked);
            let tests_first =
                is_unchecked && stop_map.is_none() && self.target.machine.is_at_tested_trap();
            let outcome = if std::mem::take(&mut leg.checks_watchpoints_first)
                || is_unchecked && !tests_first && self.target.machine.is_at_trap()
            {
                Outcome::Paused(Pause::Trap)
            } else if is_unchecked && is_reached(&self.target.machine) {
                Outcome::Paused(Pause::Observer)
            } else {
                self.run_slice(stop_map, leg.goal.as_ref(), deadline, tests_first)
            };
            self.target.collect_checkpoints();
            let hit = match outcome {
                Outcome::Paused(Pause::Trap) => {
                    trap_test::add_trap_test(self.target);
                    Some(self.check_breakpoints(checks_plain, &is_reached))
                }
                Outcome::Paused(Pause::Watch) => Some(self.check_tested_watchpoints()),
                _ => None,
            };
            if self.answer.parts.len() >= PROGRESS_INTERVAL_PARTS {
                self.report_progress();
            }
            // Checking a watchpoint executes one instruction, which may have taken a checkpoint.
            self.target.collect_checkpoints();
            if let Outcome::Paused(Pause::Time | Pause::Output | Pause::Checkpoints) = outcome {
                if outcome == Outcome::Paused(Pause::Output) {
                    self.report_progress();
                }
                leg.arrive(self.target);
                continue;
            }
            let outcome = match hit {
                Some(hit) => match hit {
                    HitResult::Continue => continue,
                    HitResult::Executed => {
                        leg.arrive(self.target);
                        if !self.target.machine.take_interrupt() {
                            continue;
                        }
                        Outcome::Paused(Pause::Interrupt)
                    }
                    stop @ HitResult::Stop { .. } => {
                        self.report_omitted_trace();
                        self.stop_at_breakpoint(stop);
                        return true;
                    }
                    HitResult::StepDone => Outcome::Paused(Pause::Observer),
                    HitResult::Ended(outcome) => outcome,
                },
                None => outcome,
            };
            self.report_omitted_trace();
            let has_ended_nested = !self.target.machine.is_idle();
            if self.on_outcome(outcome, leg.goal.as_ref()) {
                return true;
            }
            leg.has_changed_entry = true;
            // The breakpoints at an instruction were checked before something was typed there.
            leg.is_unchecked = !has_ended_nested;
            leg.checks_watchpoints_first = has_ended_nested && is_at_watchpoint(self.target);
        }
    }

    /// Runs until something happens, at most to the next nested entry or the deadline. Pauses when
    /// there is enough output to show. `tests_first` says that the breakpoints at the current
    /// instruction have not been checked.
    fn run_slice(
        &mut self,
        stop_map: Option<&StopMap>,
        goal: Option<&StepTarget>,
        deadline: u64,
        tests_first: bool,
    ) -> Outcome {
        let nested_time = self.target.timeline.next_nested_time();
        let end_time = nested_time.map_or(deadline, |time| time.min(deadline));
        self.target
            .machine
            .pause_at_output(Some(PROGRESS_INTERVAL_BYTES));
        let left = self
            .target
            .timeline
            .history_bytes_left(&self.target.machine);
        self.target.machine.pause_at_checkpoints(Some(left));
        let outcome = match stop_map {
            Some(stop_map) => self.run_observed_to(
                stop_map,
                goal.cloned().unwrap_or(StepTarget::Finish),
                end_time,
            ),
            None if tests_first => self.target.machine.run_until_testing_first(end_time),
            None if end_time < u64::MAX => self.target.machine.run_until(end_time),
            None => self.target.machine.run(),
        };
        self.target.machine.pause_at_output(None);
        self.target.machine.pause_at_checkpoints(None);
        outcome
    }

    fn run_observed_to(
        &mut self,
        stop_map: &StopMap,
        target: StepTarget,
        end_time: u64,
    ) -> Outcome {
        let start_time = self.target.machine.time();
        let mut trace = self.target.debugger.trace.take();
        let mut recorder = trace.as_mut().map(|trace| trace.recorder());
        let mut stepper = Stepper {
            stop_map,
            target,
            start_time,
            end_time,
            has_hit_breakpoint: false,
            recorder: recorder.as_mut().map(|r| r as &mut dyn Observer),
        };
        let outcome = self.target.machine.run_observed(&mut stepper);
        let has_hit_breakpoint = stepper.has_hit_breakpoint;
        self.target.debugger.trace = trace;
        self.report_trace();
        match outcome {
            Outcome::Paused(Pause::Observer) if has_hit_breakpoint => Outcome::Paused(Pause::Trap),
            Outcome::Paused(Pause::Observer) if self.target.machine.time() >= end_time => {
                Outcome::Paused(Pause::Time)
            }
            other => other,
        }
    }

    fn report_trace(&mut self) {
        let trace = self.target.debugger.trace.iter_mut();
        let lines = trace.flat_map(|trace| trace.take_lines());
        let parts = lines.map(|(depth, text)| Part::Trace { depth, text });
        self.answer.parts.extend(parts);
    }

    fn report_omitted_trace(&mut self) {
        let omitted = self
            .target
            .debugger
            .trace
            .as_mut()
            .map_or(0, |trace| trace.take_omitted_count());
        if omitted > 0 {
            self.answer
                .parts
                .push(Part::TraceOmitted { count: omitted });
        }
    }
}
