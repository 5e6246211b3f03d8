//! Checks the breakpoints at an instruction: whether to stop, to log, or to continue.

use crate::answer::{Access, Hit, Part, StopReason, WatchHit};
use crate::breakpoint::property;
use crate::breakpoint::watch_expr;
use crate::breakpoint::watch_value;
use crate::code::Instr;
use crate::diagnostic::Diagnostic;
use crate::diff;
use crate::frame;
use crate::history::timeline::HitKey;
use crate::machine::{Machine, Outcome, Pause, UntilTime};
use crate::{GameEvent, Location, Run, StopMap, Target, WatchTarget};

/// What to do at an instruction that has breakpoints.
pub enum HitResult {
    /// Nothing stops.
    Continue,
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
    /// Whether the next instruction may trigger a watchpoint.
    pub fn is_at_watchpoint(&self) -> bool {
        !self.watchpoints_here().is_empty()
    }

    /// The watchpoints that the next instruction may trigger.
    fn watchpoints_here(&self) -> Vec<(u32, WatchTarget, Access)> {
        let Some(at) = self.machine.current_location() else {
            return Vec::new();
        };
        let breakpoints = self.debugger.breakpoints.iter();
        let here = breakpoints.filter(|b| b.is_enabled && b.addresses.contains(&at));
        here.filter_map(|b| match &b.location {
            Location::Watch(target, access) => Some((b.number, target.clone(), *access)),
            _ => None,
        })
        .collect()
    }

    /// Whether the next instruction may trigger a breakpoint.
    fn is_at_trap(&self) -> bool {
        let at = self.machine.current_location();
        let mut breakpoints = self.debugger.breakpoints.iter();
        breakpoints.any(|b| b.is_enabled && at.is_some_and(|at| b.addresses.contains(&at)))
    }

    /// Whether the next instruction causes this event, on the given cell if there is one.
    pub(crate) fn event_matches(&self, event: GameEvent, cell: Option<(i64, i64)>) -> bool {
        let Some(instr) = self.machine.next_instruction() else {
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
            Instr::ChangeSelfType { .. } => {
                frame::handler_cell(self, 0).map(|(r, c)| (r as i64, c as i64))
            }
            _ => None,
        };
        event_cell == Some((row, col))
    }

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
    /// is false, and whether the step ends here. Continues with the next instruction as long as
    /// watchpoints have to be checked.
    pub(crate) fn check_breakpoints(
        &mut self,
        checks_plain: bool,
        is_reached: &dyn Fn(&Machine) -> bool,
    ) -> HitResult {
        let mut checks_plain = checks_plain;
        loop {
            if checks_plain && let Some(result) = self.check_plain_breakpoints() {
                return result;
            }
            if is_reached(&self.target.machine) {
                return HitResult::StepDone;
            }
            match self.check_watchpoints() {
                InstructionCheck::Passed => {}
                InstructionCheck::NotWatched => return HitResult::Continue,
                InstructionCheck::Hit(result) => return result,
            }
            checks_plain = true;
            // Executing the instruction may have led to the next breakpoint.
            if !self.target.is_at_trap() {
                return if is_reached(&self.target.machine) {
                    HitResult::StepDone
                } else {
                    HitResult::Continue
                };
            }
        }
    }

    /// Checks the breakpoints at the current instruction that are not watchpoints.
    pub fn check_plain_breakpoints(&mut self) -> Option<HitResult> {
        combine(self.plain_hits())
    }

    /// Checks all of them, so that each counts its hit and prints its log message.
    fn plain_hits(&mut self) -> Vec<StoppingHit> {
        let Some(at) = self.target.machine.current_location() else {
            return Vec::new();
        };
        let breakpoints = self.target.debugger.breakpoints.iter();
        let plain =
            breakpoints.filter(|b| b.is_enabled && !b.is_watchpoint() && b.addresses.contains(&at));
        let numbers: Vec<u32> = plain.map(|b| b.number).collect();
        let hits = numbers.into_iter();
        hits.filter_map(|n| self.check_breakpoint(n, None))
            .collect()
    }

    /// If there are watchpoints at the current instruction: executes it, and checks whether it
    /// changed or read what they watch. A stop reports the breakpoints at the next instruction, too.
    pub fn check_watchpoints(&mut self) -> InstructionCheck {
        let mut watchpoints = self.target.watchpoints_here();
        watchpoints
            .retain(|(_, target, _)| watch_expr::may_be_about_to_change(self.target, target));
        if watchpoints.is_empty() {
            return InstructionCheck::NotWatched;
        }
        let is_read: Vec<bool> = watchpoints
            .iter()
            .map(|(_, w, a)| *a != Access::Change && watch_value::is_about_to_read(self.target, w))
            .collect();
        let frame = self.target.machine.frames().len().saturating_sub(1);
        let before: Vec<Option<String>> = watchpoints
            .iter()
            .map(|(_, w, _)| watch_value::watch_value_in_frame(self.target, w, frame))
            .collect();
        let scopes: Vec<_> = watchpoints
            .iter()
            .map(|(_, w, _)| watch_value::watch_scope(self.target, w, frame))
            .collect();
        let before_state = self.target.machine.store.snapshot().0;
        let next = self.target.machine.time() + 1;
        match self.target.machine.run_observed(&mut UntilTime(next)) {
            Outcome::Paused(Pause::Observer) => {}
            outcome => return InstructionCheck::Hit(HitResult::Ended(outcome)),
        }
        let mut hits = Vec::new();
        for (n, (number, target, access)) in watchpoints.iter().enumerate() {
            let after = watch_value::watch_value_in_frame(self.target, target, frame);
            let is_same_scope = watch_value::watch_scope(self.target, target, frame) == scopes[n];
            let has_changed = *access != Access::Read
                && target.is_triggered_by(before[n].as_deref(), after.as_deref())
                && before[n].is_some()
                && is_same_scope;
            if !has_changed && !is_read[n] {
                continue;
            }
            let old = before[n].clone().unwrap_or_default();
            let label = watch_value::watch_label(self.target, target);
            let watched = match after.filter(|_| has_changed) {
                Some(new) => {
                    let after_state = self.target.machine.store.snapshot().0;
                    let states = [&before_state, &after_state];
                    let cells = is_several(target)
                        .then(|| diff::describe_change(self.target, target, (&old, &new), states));
                    let is_single = cells.is_none();
                    WatchHit::Changed {
                        target: label,
                        old: is_single.then_some(old),
                        new: is_single.then_some(new),
                        cells,
                        is_ahead: false,
                    }
                }
                None if has_changed => WatchHit::Removed { target: label },
                None => WatchHit::Read {
                    target: label,
                    value: (!is_several(target)).then_some(old),
                },
            };
            hits.extend(self.check_breakpoint(*number, Some(watched)));
        }
        if !hits.is_empty() {
            hits.extend(self.plain_hits());
        }
        combine(hits).map_or(InstructionCheck::Passed, InstructionCheck::Hit)
    }

    /// Checks one breakpoint: its event, condition and hit count. A logpoint prints its message and
    /// does not stop.
    fn check_breakpoint(&mut self, number: u32, watched: Option<WatchHit>) -> Option<StoppingHit> {
        let b = self
            .target
            .debugger
            .breakpoints
            .iter()
            .find(|b| b.number == number)?
            .clone();
        if let Location::Event(event, cell) = &b.location
            && !self.target.event_matches(*event, *cell)
        {
            return None;
        }
        let property = match &b.location {
            Location::Property(property) => Some(property::violation(self.target, property)?),
            _ => None,
        };
        let mut problem = None;
        if let Some(condition) = &b.condition {
            match self.target.eval_condition(condition) {
                Ok(false) => return None,
                Ok(true) => {}
                Err(message) => problem = Some(message),
            }
        }
        if !b.stops_at_hit(self.target.record_hit(b.hit_key)) && problem.is_none() {
            return None;
        }
        if let (Some(log), None) = (&b.log_message, &problem) {
            let text = self.target.interpolate(log);
            self.drain_output();
            self.answer.parts.push(Part::Log { id: number, text });
            return None;
        }
        if b.is_temporary {
            let is_dry_run = self.target.is_dry_run();
            let debugger = &mut self.target.debugger;
            debugger.remove_temporary_breakpoint(number, is_dry_run);
        }
        self.drain_output();
        let reason = match b.location {
            Location::Watch(..) => StopReason::Watch,
            Location::Event(..) => StopReason::Event,
            Location::Property(_) => StopReason::Property,
            Location::Line { .. } | Location::Function(_) => StopReason::Breakpoint,
        };
        let event = match &b.location {
            Location::Event(event, _) => Some(event.name()),
            _ => None,
        };
        if let Some(message) = problem {
            self.answer.parts.push(Part::ConditionError {
                id: number,
                is_watchpoint: reason == StopReason::Watch,
                message,
            });
        }
        Some(StoppingHit {
            reason,
            hit: Hit {
                id: number,
                event,
                watched,
                property,
            },
            command: b.command,
        })
    }
}

/// Whether a watch target has several cells.
pub(crate) fn is_several(target: &WatchTarget) -> bool {
    matches!(
        target,
        WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board
    )
}
