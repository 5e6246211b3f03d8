//! Run control: runs the program until a step target, a breakpoint or the end.
//!
//! A [`Run`] collects its answer while it goes: output, log messages, trace, and at its end the stop
//! or the value. It can be advanced in slices of a number of instructions, so that a client can
//! show progress, interrupt it or abandon it between two slices.

use super::api::{Answer, Hit, Part, Returned, StopReason};
use super::breakpoint_hits::HitResult;
use super::{StepTarget, Stepper, StopMap, Target};
use crate::code::Program;
use crate::machine::{Machine, Outcome, Pause};
use crate::value::Value;
use std::rc::Rc;

/// A run of the target, from one stop to the next, or several in a row.
pub struct Run<'t> {
    /// What runs.
    pub target: &'t mut Target,
    /// What there is to report so far.
    pub(crate) answer: Answer,
    /// The stop that was reached. It is described when the run finishes, so that a run over many
    /// stops describes only the last one.
    stop: Option<PendingStop>,
    /// The leg that is running, if it has not reached its end.
    leg: Option<Leg>,
}

/// A stop that has not been described.
struct PendingStop {
    reason: StopReason,
    message: String,
    hits: Vec<Hit>,
}

/// A run that was left before its end; see [`Run::suspend`].
pub struct SuspendedRun {
    answer: Answer,
    leg: Leg,
}

/// The state of a run between two slices.
struct Leg {
    goal: Option<StepTarget>,
    /// The time at which it started.
    start: u64,
    /// The first instruction may trigger a watchpoint. Other breakpoints at it were checked when
    /// the program stopped there.
    checks_watchpoints_first: bool,
    /// Whether an entry has just been started or finished by replaying.
    has_changed_entry: bool,
    /// Whether a slice ended at the current instruction, before its breakpoints and the goal were
    /// checked.
    is_unchecked: bool,
    /// The program whose traps are set, and its stop map if the run has to be observed.
    armed: Option<(Rc<Program>, Option<StopMap>)>,
}

impl SuspendedRun {
    /// How far the run has come.
    pub fn progress(&self, target: &Target) -> Progress {
        self.leg.progress(&target.machine)
    }
}

/// How far a run has come that has not ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Instructions executed since it was started or resumed.
    pub instructions: u64,
    /// The time that it has reached.
    pub time: u64,
}

impl Leg {
    fn progress(&self, machine: &Machine) -> Progress {
        Progress {
            instructions: machine.time().saturating_sub(self.start),
            time: machine.time(),
        }
    }
}

impl Target {
    /// Runs until the `count` innermost functions have returned, and reports the result of the last
    /// one.
    pub fn finish(&mut self, count: usize) -> Answer {
        let depth = self.machine.frames().len();
        let frame = self.frame_info(count.min(depth).saturating_sub(1));
        let goal = StepTarget::Out((depth + 1).saturating_sub(count).max(1));
        let mut answer = self.run(|run| run.resume(Some(goal)));
        let value = self.machine.return_value();
        let stop = answer.stop.as_ref();
        if stop.is_some_and(|s| s.reason == StopReason::Step) && value != Value::NOTHING {
            answer.parts.push(Part::Returned(Returned {
                function: frame.map(|frame| frame.name).unwrap_or_default(),
                value: self.format_value(value),
            }));
        }
        answer
    }
}

impl<'t> Run<'t> {
    /// A run that has not started.
    pub fn new(target: &'t mut Target) -> Run<'t> {
        Run {
            target,
            answer: Answer::new(""),
            stop: None,
            leg: None,
        }
    }

    /// Continues a run that was left before its end.
    pub fn restore(target: &'t mut Target, suspended: SuspendedRun) -> Run<'t> {
        Run {
            target,
            answer: suspended.answer,
            stop: None,
            leg: Some(suspended.leg),
        }
    }

    /// Leaves the run, to continue it later. `None` if it has ended.
    pub fn suspend(self) -> Option<SuspendedRun> {
        Some(SuspendedRun {
            answer: self.answer,
            leg: self.leg?,
        })
    }

    /// Ends the run: describes the stop that it reached, and returns everything it has to report.
    pub fn finish(mut self) -> Answer {
        if let Some(PendingStop {
            reason,
            message,
            hits,
        }) = self.stop.take()
        {
            self.report_fork_at_stop();
            let stop = self.target.describe_stop(reason, &message, hits);
            if let Some(stop) = stop.map(Rc::new) {
                self.answer.show_stop(stop);
            }
            self.target.remember_stop_state();
        }
        self.answer
    }

    /// Why the run has stopped; `None` if it has not, or has ended.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.stop.as_ref().map(|stop| stop.reason)
    }

    /// Runs until the goal, a breakpoint or the end.
    pub fn resume(&mut self, goal: Option<StepTarget>) {
        self.begin(goal);
        while !self.advance(self.target.slice_instructions) {}
    }

    /// Prepares to run until the goal, a breakpoint or the end. [`Run::advance`] does it.
    pub fn begin(&mut self, goal: Option<StepTarget>) {
        self.stop = None;
        self.answer.queued_commands.clear();
        // Conditions and log messages belong to the frame that hits the breakpoint, not to the one
        // the user has selected.
        self.target.debugger.selected_frame = 0;
        if let Some(trace) = &mut self.target.debugger.trace {
            trace.begin(&self.target.machine);
        }
        self.target.rebind_breakpoints_quietly();
        self.leg = Some(Leg {
            goal,
            start: self.target.machine.time(),
            checks_watchpoints_first: self.target.is_at_watchpoint(),
            has_changed_entry: false,
            is_unchecked: false,
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
            // Replay: entries typed at this time come first.
            while self.target.timeline.enter_nested(&mut self.target.machine) {
                leg.has_changed_entry = true;
                leg.is_unchecked = false;
            }
            // Replaying can switch to another version of the program.
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
            let outcome = if std::mem::take(&mut leg.checks_watchpoints_first)
                || is_unchecked && self.target.machine.is_at_trap()
            {
                Outcome::Paused(Pause::Trap)
            } else if is_unchecked && is_reached(&self.target.machine) {
                Outcome::Paused(Pause::Observer)
            } else {
                self.run_slice(stop_map, leg.goal.as_ref(), deadline)
            };
            self.target.collect_checkpoints();
            let hit = match outcome {
                Outcome::Paused(Pause::Trap) => {
                    Some(self.check_breakpoints(checks_plain, &is_reached))
                }
                _ => None,
            };
            // Checking a watchpoint executes one instruction, which may have taken a checkpoint.
            self.target.collect_checkpoints();
            if outcome == Outcome::Paused(Pause::Time) {
                leg.is_unchecked = true;
                continue;
            }
            let outcome = match hit {
                Some(hit) => match hit {
                    HitResult::Continue if self.target.machine.take_interrupt() => {
                        Outcome::Paused(Pause::Interrupt)
                    }
                    HitResult::Continue => continue,
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
            if self.on_outcome(outcome, leg.goal.as_ref()) {
                return true;
            }
            leg.has_changed_entry = true;
        }
    }

    /// How far the run has come; `None` if it has ended.
    pub fn progress(&self) -> Option<Progress> {
        let leg = self.leg.as_ref()?;
        Some(leg.progress(&self.target.machine))
    }

    /// Asks the run to stop at its next safepoint, as Ctrl-C does. [`Run::advance`] stops there.
    pub fn interrupt(&mut self) {
        let flag = self.target.machine.interrupt_flag();
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// Runs until something happens, at most to the next nested entry or the deadline.
    fn run_slice(
        &mut self,
        stop_map: Option<&StopMap>,
        goal: Option<&StepTarget>,
        deadline: u64,
    ) -> Outcome {
        let nested_time = self.target.timeline.next_nested_time();
        let end_time = nested_time.map_or(deadline, |time| time.min(deadline));
        match stop_map {
            Some(stop_map) => self.run_observed_to(
                stop_map,
                goal.cloned().unwrap_or(StepTarget::Finish),
                end_time,
            ),
            None if end_time < u64::MAX => self.target.machine.run_until(end_time),
            None => self.target.machine.run(),
        }
    }

    /// Records that the program stops here. [`Run::finish`] describes the stop.
    pub(crate) fn stop_here(&mut self, reason: StopReason, message: &str, hits: Vec<Hit>) {
        self.target.debugger.selected_frame = self.target.default_frame();
        self.target.has_stopped = true;
        self.target.record_visit();
        self.answer.show_board = true;
        self.stop = Some(PendingStop {
            reason,
            message: message.to_string(),
            hits,
        });
    }

    /// Stops for the breakpoints that were hit.
    pub(crate) fn stop_at_breakpoint(&mut self, hit: HitResult) {
        if let HitResult::Stop {
            reason,
            hits,
            commands,
        } = hit
        {
            self.answer.queued_commands = commands.into();
            self.stop_here(reason, "", hits);
        }
    }

    fn run_observed_to(
        &mut self,
        stop_map: &StopMap,
        target: StepTarget,
        end_time: u64,
    ) -> Outcome {
        let start_time = self.target.machine.time();
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
