//! Checks the breakpoints at an instruction: whether to stop, to log, or to continue.

use super::{Access, GameEvent, Location, StopMap, Target, WatchTarget};
use crate::code::Instr;
use crate::diagnostic::Diagnostic;

impl Target {
    /// Whether the next instruction may trigger a watchpoint.
    pub(crate) fn is_at_watchpoint(&self) -> bool {
        let at = self.machine.current_location();
        self.debugger.breakpoints.iter().any(|b| {
            b.is_enabled && b.is_watchpoint() && at.is_some_and(|at| b.addresses.contains(&at))
        })
    }

    /// Whether the next instruction causes this event, on the given cell if there is one.
    pub(crate) fn event_matches(&self, event: GameEvent, cell: Option<(i64, i64)>) -> bool {
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

    /// Like `rebind_breakpoints`, without messages. Traveling in time changes the program.
    pub(crate) fn rebind_breakpoints_quietly(&mut self) {
        let program = self.machine.program().clone();
        self.debugger.rebind_breakpoints(&program, &self.sources);
    }

    /// Sets the traps of the current program. Returns the stop map if the run has to be observed.
    pub(crate) fn arm(&mut self, is_stepping: bool) -> Option<StopMap> {
        self.rebind_breakpoints_quietly();
        let traps = self.debugger.traps();
        self.machine.set_traps(&traps);
        (is_stepping || self.debugger.trace.is_some())
            .then(|| self.debugger.stop_map(self.machine.program(), &traps))
    }

    /// The message of the breakpoint that stops at the current instruction, if one does. Hit counts
    /// do not apply in reverse.
    pub(crate) fn breakpoint_hit_here(&mut self) -> Option<String> {
        let at = self.machine.current_location()?;
        let candidates: Vec<(u32, Location, Option<String>)> = self
            .debugger
            .breakpoints
            .iter()
            .filter(|b| b.is_enabled && b.log_message.is_none() && b.addresses.contains(&at))
            .map(|b| (b.number, b.location.clone(), b.condition.clone()))
            .collect();
        for (number, location, condition) in candidates {
            if let Some(condition) = condition
                && self.eval(&condition, |_, v| v.as_bool()).ok().flatten() == Some(false)
            {
                continue;
            }
            match &location {
                Location::Watch(watch_target, access) => {
                    let label = self.watch_label(watch_target);
                    if let Some((old, new)) = self
                        .next_change(watch_target)
                        .filter(|_| *access != Access::Read)
                    {
                        // For several cells, the change is shown in its forward direction.
                        return Some(match watch_target {
                            WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board => {
                                format!("watchpoint {number}, {label}, here {old} => {new}")
                            }
                            _ => format!("watchpoint {number}, {label}: {new} <= {old}"),
                        });
                    }
                    if *access != Access::Change && self.is_about_to_read(watch_target) {
                        return Some(format!("watchpoint {number}, {label} is read"));
                    }
                }
                Location::Event(event, cell) if self.event_matches(*event, *cell) => {
                    return Some(format!("breakpoint {number}, on {}", event.name()));
                }
                Location::Event(..) => {}
                Location::Line { .. } | Location::Function(_) => {
                    return Some(format!("breakpoint {number}"));
                }
            }
        }
        None
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
