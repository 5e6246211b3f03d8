//! Runs of several legs, such as `step 3`, which can be left between two slices.

use super::{Progress, Run};
use crate::answer::{Answer, StopReason};
use crate::{StepTarget, Target};

/// What a run does, leg by leg.
pub struct Plan {
    legs_left: usize,
    /// What the next leg runs to, seen from where it starts.
    next_goal: Box<dyn Fn(&Target) -> NextLeg>,
    /// Whether the next leg follows on a stop for this reason.
    continues_after: fn(StopReason) -> bool,
}

/// What a leg runs to.
enum NextLeg {
    /// A step target, or else a breakpoint or the end.
    To(Option<StepTarget>),
    /// There is nowhere to go.
    None,
}

impl Plan {
    /// Runs once, to a goal, a breakpoint or the end.
    pub fn once(goal: Option<StepTarget>) -> Plan {
        Plan {
            legs_left: 1,
            next_goal: Box::new(move |_| NextLeg::To(goal.clone())),
            continues_after: |_| false,
        }
    }

    /// Repeats a step until something other than a step stops the program, or there is no goal.
    /// Only the last stop is shown.
    pub fn steps(count: usize, goal: impl Fn(&Target) -> Option<StepTarget> + 'static) -> Plan {
        Plan {
            legs_left: count,
            next_goal: Box::new(move |target| match goal(target) {
                Some(goal) => NextLeg::To(Some(goal)),
                None => NextLeg::None,
            }),
            continues_after: |reason| reason == StopReason::Step,
        }
    }

    /// Runs to the breakpoint that is hit as the `count`th.
    pub fn hits(count: usize) -> Plan {
        Plan {
            legs_left: count,
            next_goal: Box::new(|_| NextLeg::To(None)),
            continues_after: StopReason::is_hit,
        }
    }
}

impl Run<'_> {
    /// Follows a plan to its end; or, if the client wants to run in slices, for one slice. To be called
    /// last: what the run reports at its end is added by [`Run::finish`].
    pub fn follow(&mut self, plan: Plan) {
        self.plan = Some(plan);
        match self.target.pause_after {
            Some(budget) => drop(self.advance_plan(budget)),
            None => {
                while !self.advance_plan(self.target.slice_instructions()) {
                    if self.target.progress_listener.is_some() {
                        self.report_progress();
                    }
                }
            }
        }
    }

    /// Follows the plan for about `budget` instructions; true if it has ended.
    fn advance_plan(&mut self, budget: u64) -> bool {
        let deadline = self.target.machine.time().saturating_add(budget);
        while let Some(plan) = &mut self.plan {
            if self.leg.is_none() {
                if plan.legs_left == 0 {
                    break;
                }
                plan.legs_left -= 1;
                match (plan.next_goal)(self.target) {
                    NextLeg::To(goal) => self.begin(goal),
                    NextLeg::None => break,
                }
            }
            let left = deadline.saturating_sub(self.target.machine.time());
            if left == 0 || !self.advance(left) {
                return false;
            }
            let reason = self.stop_reason();
            let continues = |plan: &Plan| reason.is_some_and(plan.continues_after);
            if !self.plan.as_ref().is_some_and(continues) {
                break;
            }
        }
        self.plan = None;
        true
    }
}

impl Target {
    /// Whether a run was left before its end, because the client runs in slices.
    pub fn is_running(&self) -> bool {
        self.suspended_run.is_some()
    }

    /// How far the run has come that was left; `None` if there is none.
    pub fn run_progress(&self) -> Option<Progress> {
        let run = self.suspended_run.as_ref()?;
        Some(run.progress(self))
    }

    /// Continues the run that was left for about `budget` instructions. Returns what it has to report
    /// if it has ended.
    pub fn advance_run(&mut self, budget: u64) -> Option<Answer> {
        let suspended = self.suspended_run.take()?;
        let mut run = Run::restore(self, suspended);
        if !run.advance_plan(budget) {
            self.suspended_run = run.suspend();
            return None;
        }
        Some(run.finish())
    }
}
