//! Checks the breakpoints at an instruction: whether to stop, to log, or to continue.

use super::{Line, Reply, Session, Style};
use crate::debugger::{Access, Location, WatchTarget};
use crate::machine::{Machine, Outcome, Pause, UntilTime};

/// What to do at an instruction that has breakpoints.
pub(super) enum HitResult {
    Continue,
    /// No breakpoint stops, but the step ends here.
    StepDone,
    Stop {
        reason: &'static str,
        message: String,
        /// The messages of the other breakpoints that were hit.
        other_messages: Vec<String>,
        commands: Vec<String>,
    },
    /// The run ended while executing the instruction to check a watchpoint.
    Ended(Outcome),
}

/// A breakpoint that stops.
struct Hit {
    reason: &'static str,
    message: String,
    command: Option<String>,
}

/// Combines all breakpoints hit at an instruction into one stop. The first one gives the reason.
fn combine(hits: Vec<Hit>) -> Option<HitResult> {
    let reason = hits.first()?.reason;
    let commands = hits.iter().filter_map(|h| h.command.clone()).collect();
    let mut message = hits.into_iter().map(|h| h.message);
    Some(HitResult::Stop {
        reason,
        message: message.next()?,
        other_messages: message.collect(),
        commands,
    })
}

impl Session {
    /// Checks all breakpoints at the current instruction, or only the watchpoints if `checks_plain`
    /// is false, and whether the step ends here.
    pub(super) fn check_breakpoints(
        &mut self,
        checks_plain: bool,
        is_reached: &dyn Fn(&Machine) -> bool,
        reply: &mut Reply,
    ) -> HitResult {
        let mut checks_plain = checks_plain;
        loop {
            let Some(at) = self.target.machine.current_location() else {
                return HitResult::Continue;
            };
            let is_here =
                |b: &crate::debugger::Breakpoint| b.is_enabled && b.addresses.contains(&at);
            let plain_hits: Vec<u32> = match checks_plain {
                true => self
                    .target
                    .debugger
                    .breakpoints
                    .iter()
                    .filter(|b| is_here(b) && !b.is_watchpoint())
                    .map(|b| b.number)
                    .collect(),
                false => Vec::new(),
            };
            // Check all of them, so that each counts its hit and prints its log message.
            let hits: Vec<Hit> = plain_hits
                .into_iter()
                .filter_map(|n| self.check_breakpoint(n, None, reply))
                .collect();
            if let Some(result) = combine(hits) {
                return result;
            }
            if is_reached(&self.target.machine) {
                return HitResult::StepDone;
            }
            checks_plain = true;
            let watchpoints: Vec<(u32, WatchTarget, Access)> = self
                .target
                .debugger
                .breakpoints
                .iter()
                .filter(|b| is_here(b))
                .filter_map(|b| match &b.location {
                    Location::Watch(target, access) => Some((b.number, target.clone(), *access)),
                    _ => None,
                })
                .collect();
            if watchpoints.is_empty() {
                return HitResult::Continue;
            }
            if let Some(result) = self.check_watchpoints(&watchpoints, reply) {
                return result;
            }
            // Executing the instruction may have led to the next breakpoint.
            let traps = self.target.debugger.traps();
            if !self
                .target
                .machine
                .current_location()
                .is_some_and(|at| traps.contains(&at))
            {
                return if is_reached(&self.target.machine) {
                    HitResult::StepDone
                } else {
                    HitResult::Continue
                };
            }
        }
    }

    /// Executes the instruction and checks whether it changed or read the watch targets.
    fn check_watchpoints(
        &mut self,
        watchpoints: &[(u32, WatchTarget, Access)],
        reply: &mut Reply,
    ) -> Option<HitResult> {
        let is_read: Vec<bool> = watchpoints
            .iter()
            .map(|(_, w, a)| *a != Access::Change && self.target.is_about_to_read(w))
            .collect();
        let frame = self.target.machine.frames().len().saturating_sub(1);
        let before: Vec<Option<String>> = watchpoints
            .iter()
            .map(|(_, w, _)| self.target.watch_value_in_frame(w, frame))
            .collect();
        let registers: Vec<_> = watchpoints
            .iter()
            .map(|(_, w, _)| self.target.local_register(w, frame))
            .collect();
        let before_state = self.target.machine.store.snapshot().0;
        let next = self.target.machine.time() + 1;
        match self.target.machine.run_observed(&mut UntilTime(next)) {
            Outcome::Paused(Pause::Observer) => {}
            outcome => return Some(HitResult::Ended(outcome)),
        }
        let mut hits = Vec::new();
        for (n, (number, target, access)) in watchpoints.iter().enumerate() {
            let after = self.target.watch_value_in_frame(target, frame);
            let same_register = self.target.local_register(target, frame) == registers[n];
            let has_changed = *access != Access::Read
                && after != before[n]
                && before[n].is_some()
                && same_register;
            if !has_changed && !is_read[n] {
                continue;
            }
            let old = before[n].clone().unwrap_or_default();
            let message = match after.filter(|_| has_changed) {
                Some(new) => {
                    let after_state = self.target.machine.store.snapshot().0;
                    let change = self.target.describe_change(
                        target,
                        (&old, &new),
                        [&before_state, &after_state],
                    );
                    format!("{}: {change}", self.target.watch_label(target))
                }
                None if has_changed => {
                    format!("{} no longer exists", self.target.watch_label(target))
                }
                None if matches!(
                    target,
                    WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board
                ) =>
                {
                    format!("{} is read", self.target.watch_label(target))
                }
                None => format!("{} is read: {old}", self.target.watch_label(target)),
            };
            hits.extend(self.check_breakpoint(*number, Some(message), reply));
        }
        combine(hits)
    }

    /// Checks one breakpoint: its event, condition and hit count. A logpoint prints its message and
    /// does not stop.
    fn check_breakpoint(
        &mut self,
        number: u32,
        details: Option<String>,
        reply: &mut Reply,
    ) -> Option<Hit> {
        let b = self
            .target
            .debugger
            .breakpoints
            .iter()
            .find(|b| b.number == number)?;
        if let Location::Event(event, cell) = &b.location
            && !self.target.event_matches(*event, *cell)
        {
            return None;
        }
        let mut problem = None;
        if let Some(condition) = b.condition.clone() {
            match self.target.eval_condition(&condition) {
                Ok(false) => return None,
                Ok(true) => {}
                Err(message) => {
                    problem = Some(format!("cannot evaluate its condition here: {message}"))
                }
            }
        }
        let breakpoint = self
            .target
            .debugger
            .breakpoints
            .iter_mut()
            .find(|b| b.number == number)?;
        if !breakpoint.register_hit() && problem.is_none() {
            return None;
        }
        let b = breakpoint.clone();
        if let (Some(log), None) = (&b.log_message, &problem) {
            let line = self.target.interpolate(log);
            self.drain_output(reply);
            reply.line(
                Line::styled(Style::Dim, format!("logpoint {number}: ")).with(Style::Plain, line),
            );
            return None;
        }
        if b.is_temporary {
            self.target
                .debugger
                .breakpoints
                .retain(|b| b.number != number);
        }
        self.drain_output(reply);
        let reason = match b.location {
            Location::Watch(..) => "watch",
            Location::Event(..) => "event",
            _ => "breakpoint",
        };
        let label = if reason == "watch" {
            "watchpoint"
        } else {
            "breakpoint"
        };
        let mut message = format!("{label} {number}");
        if let Location::Event(event, _) = &b.location {
            message.push_str(&format!(", on {}", event.name()));
        }
        if let Some(details) = details {
            message.push_str(&format!(", {details}"));
        }
        if let Some(problem) = problem {
            reply.line(
                Line::styled(Style::Warning, format!("{label} {number}: "))
                    .with(Style::Plain, problem),
            );
        }
        Some(Hit {
            reason,
            message,
            command: b.command,
        })
    }
}
