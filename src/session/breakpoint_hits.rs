//! Checks the breakpoints at an instruction: whether to stop, to log, or to continue.

use super::{Line, Reply, Session, Style};
use crate::code::Instr;
use crate::debugger::{Access, GameEvent, Location, WatchTarget};
use crate::diagnostic::Diagnostic;
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
    /// Whether the next instruction may trigger a watchpoint.
    pub(super) fn is_at_watchpoint(&self) -> bool {
        let at = self.machine.current_location();
        self.debugger.breakpoints.iter().any(|b| {
            b.is_enabled && b.is_watchpoint() && at.is_some_and(|at| b.addresses.contains(&at))
        })
    }

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
            let Some(at) = self.machine.current_location() else {
                return HitResult::Continue;
            };
            let is_here =
                |b: &crate::debugger::Breakpoint| b.is_enabled && b.addresses.contains(&at);
            let plain_hits: Vec<u32> = match checks_plain {
                true => self
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
            if is_reached(&self.machine) {
                return HitResult::StepDone;
            }
            checks_plain = true;
            let watchpoints: Vec<(u32, WatchTarget, Access)> = self
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
            let traps = self.debugger.traps();
            if !self
                .machine
                .current_location()
                .is_some_and(|at| traps.contains(&at))
            {
                return if is_reached(&self.machine) {
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
            .map(|(_, w, a)| *a != Access::Change && self.is_about_to_read(w))
            .collect();
        let frame = self.machine.frames().len().saturating_sub(1);
        let before: Vec<Option<String>> = watchpoints
            .iter()
            .map(|(_, w, _)| self.watch_value_in_frame(w, frame))
            .collect();
        let registers: Vec<_> = watchpoints
            .iter()
            .map(|(_, w, _)| self.local_register(w, frame))
            .collect();
        let before_state = self.machine.store.snapshot().0;
        let next = self.machine.time() + 1;
        match self.machine.run_observed(&mut UntilTime(next)) {
            Outcome::Paused(Pause::Observer) => {}
            outcome => return Some(HitResult::Ended(outcome)),
        }
        let mut hits = Vec::new();
        for (n, (number, target, access)) in watchpoints.iter().enumerate() {
            let after = self.watch_value_in_frame(target, frame);
            let same_register = self.local_register(target, frame) == registers[n];
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
                    let after_state = self.machine.store.snapshot().0;
                    let change =
                        self.describe_change(target, (&old, &new), [&before_state, &after_state]);
                    format!("{}: {change}", self.watch_label(target))
                }
                None if has_changed => format!("{} no longer exists", self.watch_label(target)),
                None if matches!(
                    target,
                    WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board
                ) =>
                {
                    format!("{} is read", self.watch_label(target))
                }
                None => format!("{} is read: {old}", self.watch_label(target)),
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
            .debugger
            .breakpoints
            .iter()
            .find(|b| b.number == number)?;
        if let Location::Event(event, cell) = &b.location
            && !self.event_matches(*event, *cell)
        {
            return None;
        }
        let mut problem = None;
        if let Some(condition) = b.condition.clone() {
            match self.eval_condition(&condition) {
                Ok(false) => return None,
                Ok(true) => {}
                Err(message) => {
                    problem = Some(format!("cannot evaluate its condition here: {message}"))
                }
            }
        }
        let breakpoint = self
            .debugger
            .breakpoints
            .iter_mut()
            .find(|b| b.number == number)?;
        if !breakpoint.register_hit() && problem.is_none() {
            return None;
        }
        let b = breakpoint.clone();
        if let (Some(log), None) = (&b.log_message, &problem) {
            let line = self.interpolate(log);
            self.drain_output(reply);
            reply.line(
                Line::styled(Style::Dim, format!("logpoint {number}: ")).with(Style::Plain, line),
            );
            return None;
        }
        if b.is_temporary {
            self.debugger.breakpoints.retain(|b| b.number != number);
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

    /// Whether the next instruction causes this event, on the given cell if there is one.
    pub(super) fn event_matches(&self, event: GameEvent, cell: Option<(i64, i64)>) -> bool {
        let Some((function, pc)) = self.machine.current_location() else {
            return false;
        };
        let Some(instr) = self
            .machine
            .function(function)
            .and_then(|f| f.code.get(pc as usize).copied())
        else {
            return false;
        };
        let top = self.machine.frames().len() - 1;
        let registers = self.machine.registers(top);
        let int = |r: u16| registers.get(r as usize).and_then(|v| v.as_int());
        if let Instr::EndGame { how, .. } = instr {
            let outcome_code = match event {
                GameEvent::Win => 1,
                GameEvent::Lose => 2,
                _ => 3,
            };
            return int(how) == Some(outcome_code);
        }
        let Some((row, col)) = cell else { return true };
        let event_cell = match instr {
            Instr::SendClick { row, col }
            | Instr::Place { row, col, .. }
            | Instr::PlaceKind { row, col, .. }
            | Instr::GridWithCell { row, col, .. }
            | Instr::Remove { row, col } => int(row).zip(int(col)),
            Instr::ChangeType { piece, .. } => registers
                .get(piece as usize)
                .and_then(|v| v.as_piece())
                .map(|p| self.machine.store.row_col(p.cell))
                .map(|(r, c)| (r as i64, c as i64)),
            Instr::ChangeSelfType { .. } => self.handler_cell(0).map(|(r, c)| (r as i64, c as i64)),
            _ => None,
        };
        event_cell == Some((row, col))
    }

    /// Evaluates a condition.
    fn eval_condition(&mut self, expression: &str) -> Result<bool, String> {
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

pub(super) fn first_error_message(diagnostics: &[Diagnostic]) -> String {
    diagnostics
        .iter()
        .find(|d| d.is_error())
        .map_or_else(String::new, |d| d.message.clone())
}
