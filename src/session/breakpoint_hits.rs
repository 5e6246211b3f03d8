//! Asking the breakpoints: whether a place where some of them lie is a stop, a line in the log, or nothing.

use super::{Line, Reply, Session, Style};
use crate::code::Instr;
use crate::debugger::{Access, GameEvent, Location, WatchTarget};
use crate::diagnostic::Diagnostic;
use crate::machine::{Machine, Outcome, Pause, UntilTime};

/// What is to be done at a place where breakpoints are.
pub(super) enum HitResult {
    Continue,
    /// None of them stops, but a step ends here.
    StepDone,
    Stop {
        reason: &'static str,
        message: String,
        /// Others that stop at the same time.
        other_messages: Vec<String>,
        commands: Vec<String>,
    },
    /// The instruction was done to see what it does, and the run ended with it.
    Ended(Outcome),
}

/// A breakpoint that stops.
struct Hit {
    reason: &'static str,
    words: String,
    command: Option<String>,
}

/// One stop for all the breakpoints that stop at a place; the first of them names its kind.
fn together(hits: Vec<Hit>) -> Option<HitResult> {
    let reason = hits.first()?.reason;
    let commands = hits.iter().filter_map(|h| h.command.clone()).collect();
    let mut words = hits.into_iter().map(|h| h.words);
    Some(HitResult::Stop {
        reason,
        message: words.next()?,
        other_messages: words.collect(),
        commands,
    })
}

impl Session {
    /// Whether the next instruction may touch what is watched.
    pub(super) fn is_at_watchpoint(&self) -> bool {
        let at = self.machine.current_location();
        self.debugger.breakpoints.iter().any(|b| {
            b.is_enabled && b.is_watchpoint() && at.is_some_and(|at| b.addresses.contains(&at))
        })
    }

    /// Asks every breakpoint at this place, unless only the watches are to be asked; and says if a step ends here.
    pub(super) fn check_breakpoints(
        &mut self,
        asks: bool,
        reached: &dyn Fn(&Machine) -> bool,
        reply: &mut Reply,
    ) -> HitResult {
        let mut asks = asks;
        loop {
            let Some(at) = self.machine.current_location() else {
                return HitResult::Continue;
            };
            let here = |b: &crate::debugger::Breakpoint| b.is_enabled && b.addresses.contains(&at);
            let numbers: Vec<u32> = match asks {
                true => self
                    .debugger
                    .breakpoints
                    .iter()
                    .filter(|b| here(b) && !b.is_watchpoint())
                    .map(|b| b.number)
                    .collect(),
                false => Vec::new(),
            };
            // All of them are asked, that each counts and tells what it has to.
            let stops: Vec<Hit> = numbers
                .into_iter()
                .filter_map(|n| self.judge_one(n, None, reply))
                .collect();
            if let Some(verdict) = together(stops) {
                return verdict;
            }
            if reached(&self.machine) {
                return HitResult::StepDone;
            }
            asks = true;
            let watches: Vec<(u32, WatchTarget, Access)> = self
                .debugger
                .breakpoints
                .iter()
                .filter(|b| here(b))
                .filter_map(|b| match &b.location {
                    Location::Watch(watched, access) => Some((b.number, watched.clone(), *access)),
                    _ => None,
                })
                .collect();
            if watches.is_empty() {
                return HitResult::Continue;
            }
            if let Some(verdict) = self.judge_watches(&watches, reply) {
                return verdict;
            }
            // Doing the instruction may have led to the next place.
            let traps = self.debugger.traps();
            if !self
                .machine
                .current_location()
                .is_some_and(|at| traps.contains(&at))
            {
                return if reached(&self.machine) {
                    HitResult::StepDone
                } else {
                    HitResult::Continue
                };
            }
        }
    }

    /// Does the instruction, and looks whether what is watched has changed or was read.
    fn judge_watches(
        &mut self,
        watches: &[(u32, WatchTarget, Access)],
        reply: &mut Reply,
    ) -> Option<HitResult> {
        let read: Vec<bool> = watches
            .iter()
            .map(|(_, w, a)| *a != Access::Change && self.is_about_to_read(w))
            .collect();
        let frame = self.machine.frames().len().saturating_sub(1);
        let before: Vec<Option<String>> = watches
            .iter()
            .map(|(_, w, _)| self.watch_value_in_frame(w, frame))
            .collect();
        let registers: Vec<_> = watches
            .iter()
            .map(|(_, w, _)| self.local_register(w, frame))
            .collect();
        let image = self.machine.store.snapshot().0;
        let next = self.machine.time() + 1;
        match self.machine.run_observed(&mut UntilTime(next)) {
            Outcome::Paused(Pause::Observer) => {}
            ended => return Some(HitResult::Ended(ended)),
        }
        let mut stops = Vec::new();
        for (n, (number, watched, access)) in watches.iter().enumerate() {
            let after = self.watch_value_in_frame(watched, frame);
            let same = self.local_register(watched, frame) == registers[n];
            let changed =
                *access != Access::Read && after != before[n] && before[n].is_some() && same;
            if !changed && !read[n] {
                continue;
            }
            let old = before[n].clone().unwrap_or_default();
            let words = match after.filter(|_| changed) {
                Some(new) => {
                    let now = self.machine.store.snapshot().0;
                    let change = self.describe_change(watched, (&old, &new), [&image, &now]);
                    format!("{}: {change}", self.watch_label(watched))
                }
                None if changed => format!("{} no longer exists", self.watch_label(watched)),
                None if matches!(
                    watched,
                    WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board
                ) =>
                {
                    format!("{} is read", self.watch_label(watched))
                }
                None => format!("{} is read: {old}", self.watch_label(watched)),
            };
            stops.extend(self.judge_one(*number, Some(words), reply));
        }
        together(stops)
    }

    /// Whether a breakpoint stops here, or only tells something.
    fn judge_one(&mut self, number: u32, words: Option<String>, reply: &mut Reply) -> Option<Hit> {
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
        let mut trouble = None;
        if let Some(condition) = b.condition.clone() {
            match self.is_true(&condition) {
                Ok(false) => return None,
                Ok(true) => {}
                Err(message) => {
                    trouble = Some(format!("cannot evaluate its condition here: {message}"))
                }
            }
        }
        let stored = self
            .debugger
            .breakpoints
            .iter_mut()
            .find(|b| b.number == number)?;
        if !stored.register_hit() && trouble.is_none() {
            return None;
        }
        let b = stored.clone();
        if let (Some(log), None) = (&b.log_message, &trouble) {
            let line = self.interpolate(log);
            self.drain_output(reply);
            reply
                .line(Line::styled(Style::Dim, format!("logpoint {number}: ")).with(Style::Plain, line));
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
        let name = if reason == "watch" {
            "watchpoint"
        } else {
            "breakpoint"
        };
        let mut text = format!("{name} {number}");
        if let Location::Event(event, _) = &b.location {
            text.push_str(&format!(", on {}", event.name()));
        }
        if let Some(words) = words {
            text.push_str(&format!(", {words}"));
        }
        if let Some(trouble) = trouble {
            reply.line(
                Line::styled(Style::Warning, format!("{name} {number}: "))
                    .with(Style::Plain, trouble),
            );
        }
        Some(Hit {
            reason,
            words: text,
            command: b.command,
        })
    }

    /// Whether the event is the one waited for, and on the right cell.
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
            let wanted = match event {
                GameEvent::Win => 1,
                GameEvent::Lose => 2,
                _ => 3,
            };
            return int(how) == Some(wanted);
        }
        let Some((row, col)) = cell else { return true };
        let at = match instr {
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
        at == Some((row, col))
    }

    /// Whether an expression is true here.
    fn is_true(&mut self, expression: &str) -> Result<bool, String> {
        let value = self
            .eval(expression, |_, value| value.as_bool())
            .map_err(|d| first_error_message(&d))?;
        value.ok_or_else(|| "a condition must be true or false".to_string())
    }

    /// A text with the values of its `{…}`.
    pub fn interpolate(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let Some(end) = closing(after) else {
                out.push('{');
                rest = after;
                continue;
            };
            let shown = self.eval(&after[..end], |session, value| {
                (session.program().format_value)(
                    session.program(),
                    &session.machine.store,
                    value,
                    false,
                )
            });
            out.push_str(&shown.unwrap_or_else(|d| format!("<{}>", first_error_message(&d))));
            rest = &after[end + 1..];
        }
        out.push_str(rest);
        out
    }
}

/// Where the brace closes that was opened before the text.
fn closing(text: &str) -> Option<usize> {
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
