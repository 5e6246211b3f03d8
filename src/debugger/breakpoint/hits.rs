//! Checks the breakpoints at an instruction: whether to stop, to log, or to continue.

use crate::answer::{Hit, Part, StopReason};
use crate::breakpoint::candidates::{
    Candidate, WatchedInstruction, execute_watched, plain_candidates, triggered_by_test,
};
use crate::diagnostic::Diagnostic;
use crate::history::timeline::HitKey;
use crate::machine::{Machine, Outcome};
use crate::{Breakpoint, Run, StopMap, Target};

/// What to do at an instruction that has breakpoints.
pub enum HitResult {
    /// Nothing stops.
    Continue,
    /// Nothing stops, and the instruction was executed to check a watchpoint. The next one has not
    /// been checked.
    Executed,
    /// No breakpoint stops, but the step ends here.
    StepDone,
    /// Breakpoints stop.
    Stop {
        /// That of the first breakpoint.
        reason: StopReason,
        /// What each of them reports.
        hits: Vec<Hit>,
        /// The commands attached to them.
        commands: Vec<String>,
    },
    /// The run ended while executing the instruction to check a watchpoint.
    Ended(Outcome),
}

/// What the watchpoints at an instruction say.
pub enum InstructionCheck {
    /// There are none.
    NotWatched,
    /// The instruction was executed, and nothing stops.
    Passed,
    /// The instruction was executed, which stops or ends the run.
    Hit(HitResult),
}

/// A breakpoint that stops.
struct StoppingHit {
    reason: StopReason,
    hit: Hit,
    command: Option<String>,
}

/// Combines all breakpoints hit at an instruction into one stop. The first one gives the reason.
fn combine(hits: Vec<StoppingHit>) -> Option<HitResult> {
    Some(HitResult::Stop {
        reason: hits.first()?.reason,
        commands: hits.iter().filter_map(|h| h.command.clone()).collect(),
        hits: hits.into_iter().map(|h| h.hit).collect(),
    })
}

impl Target {
    /// Records a hit at the current position. Returns its number, from 1.
    fn record_hit(&mut self, key: HitKey) -> i64 {
        let now = self.machine.time();
        self.timeline.record_hit(key, now);
        self.timeline.hit_count(key, now) as i64
    }

    /// Evaluates a condition.
    pub(crate) fn eval_condition(&mut self, expression: &str) -> Result<bool, String> {
        let value = self
            .eval(expression, |_, value| value.as_bool())
            .map_err(|d| first_error_message(&d))?;
        value.ok_or_else(|| "a condition must be true or false".to_string())
    }

    /// Replaces each `{expression}` in a log message by its value.
    pub fn interpolate(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let Some(end) = closing_brace(after) else {
                out.push('{');
                rest = after;
                continue;
            };
            let value_text = self.eval(&after[..end], |session, value| {
                (session.program().format_value)(
                    session.program(),
                    &session.machine.store,
                    value,
                    false,
                )
            });
            out.push_str(&value_text.unwrap_or_else(|d| format!("<{}>", first_error_message(&d))));
            rest = &after[end + 1..];
        }
        out.push_str(rest);
        out
    }

    /// Sets the traps of the current program. Returns the stop map if the run has to be observed.
    pub(crate) fn arm(&mut self, is_stepping: bool) -> Option<StopMap> {
        self.rebind_breakpoints_quietly();
        let traps = self.debugger.traps();
        self.machine.set_traps(&traps);
        (is_stepping || self.debugger.trace.is_some())
            .then(|| self.debugger.stop_map(self.machine.program(), &traps))
    }
}

/// The offset of the brace that closes one opened before the text.
fn closing_brace(text: &str) -> Option<usize> {
    let mut open = 0;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '{' => open += 1,
            '}' if open == 0 => return Some(at),
            '}' => open -= 1,
            _ => {}
        }
        None
    })
}

pub(crate) fn first_error_message(diagnostics: &[Diagnostic]) -> String {
    diagnostics
        .iter()
        .find(|d| d.is_error())
        .map_or_else(String::new, |d| d.message.clone())
}

impl Run<'_> {
    /// Checks all breakpoints at the current instruction, or only the watchpoints if `checks_plain`
    /// is false, and whether the step ends here.
    pub(crate) fn check_breakpoints(
        &mut self,
        checks_plain: bool,
        is_reached: &dyn Fn(&Machine) -> bool,
    ) -> HitResult {
        if checks_plain && let Some(result) = self.check_plain_breakpoints() {
            return result;
        }
        if is_reached(&self.target.machine) {
            return HitResult::StepDone;
        }
        match self.check_watchpoints() {
            InstructionCheck::Passed => HitResult::Executed,
            InstructionCheck::NotWatched => HitResult::Continue,
            InstructionCheck::Hit(result) => result,
        }
    }

    /// Checks the breakpoints at the current instruction that are not watchpoints.
    pub fn check_plain_breakpoints(&mut self) -> Option<HitResult> {
        combine(self.plain_hits())
    }

    /// Checks all of them, so that each counts its hit and prints its log message.
    fn plain_hits(&mut self) -> Vec<StoppingHit> {
        let candidates = plain_candidates(self.target);
        self.stopping_hits(candidates)
    }

    /// If there are watchpoints at the current instruction: executes it, and checks whether it
    /// changed or read what they watch. A stop reports the breakpoints at the next instruction, too.
    pub fn check_watchpoints(&mut self) -> InstructionCheck {
        let candidates = match execute_watched(self.target, false) {
            WatchedInstruction::NotWatched => return InstructionCheck::NotWatched,
            WatchedInstruction::Ended(outcome) => {
                return InstructionCheck::Hit(HitResult::Ended(outcome));
            }
            WatchedInstruction::Executed(candidates) => candidates,
        };
        let stop = self.stop_after_watchpoints(candidates);
        stop.map_or(InstructionCheck::Passed, InstructionCheck::Hit)
    }

    /// Checks the watchpoints that the last instruction has triggered, if the run has paused for them.
    pub(crate) fn check_tested_watchpoints(&mut self) -> HitResult {
        let candidates = triggered_by_test(self.target);
        let stop = self.stop_after_watchpoints(candidates);
        stop.unwrap_or(HitResult::Executed)
    }

    /// The stop after an instruction that has triggered watchpoints. It reports the breakpoints at the
    /// next instruction, too.
    fn stop_after_watchpoints(&mut self, candidates: Vec<Candidate>) -> Option<HitResult> {
        let mut hits = self.stopping_hits(candidates);
        if !hits.is_empty() {
            hits.extend(self.plain_hits());
        }
        combine(hits)
    }

    fn stopping_hits(&mut self, candidates: Vec<Candidate>) -> Vec<StoppingHit> {
        let hits = candidates.into_iter();
        hits.filter_map(|candidate| self.count_hit(candidate))
            .collect()
    }

    /// Counts a hit and checks whether it stops. A logpoint prints its message and does not stop.
    fn count_hit(&mut self, candidate: Candidate) -> Option<StoppingHit> {
        let Candidate { hit, problem } = candidate;
        let number = hit.id;
        let b = self.target.debugger.breakpoint(number)?.clone();
        let count = self.target.record_hit(b.hit_key);
        if !b.stops_at(count, problem.is_some()) {
            if b.log_message.is_some() && b.stops_at_hit(count) {
                self.log(&b);
            }
            return None;
        }
        self.remove_if_temporary(number);
        self.drain_output();
        let reason = b.stop_reason();
        self.report_condition_error(number, reason, problem);
        Some(StoppingHit {
            reason,
            hit,
            command: b.command,
        })
    }

    /// Removes a breakpoint that was hit if it stops only once, in either direction.
    pub(crate) fn remove_if_temporary(&mut self, number: u32) {
        let is_dry_run = self.target.is_dry_run();
        let debugger = &mut self.target.debugger;
        if debugger.breakpoint(number).is_some_and(|b| b.is_temporary) {
            debugger.remove_temporary_breakpoint(number, is_dry_run);
        }
    }

    /// Reports why a condition has no value, if it has none.
    pub(crate) fn report_condition_error(
        &mut self,
        number: u32,
        reason: StopReason,
        problem: Option<String>,
    ) {
        self.answer
            .parts
            .extend(problem.map(|message| Part::ConditionError {
                id: number,
                is_watchpoint: reason == StopReason::Watch,
                message,
            }));
    }

    /// Prints the message of a logpoint.
    fn log(&mut self, b: &Breakpoint) {
        let text = self
            .target
            .interpolate(b.log_message.as_deref().unwrap_or(""));
        self.drain_output();
        self.answer.parts.push(Part::Log { id: b.number, text });
    }
}
