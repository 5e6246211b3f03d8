//! Asking the breakpoints: whether a place where some of them lie is a stop, a line in the log, or nothing.

use super::{Line, Reply, Session, Style};
use crate::code::Instr;
use crate::debugger::{Access, GameEvent, Spot, Watched};
use crate::diagnostic::Diagnostic;
use crate::machine::{Machine, Outcome, Pause, Until};

/// What is to be done at a place where breakpoints are.
pub(super) enum Verdict {
    GoOn,
    /// None of them stops, but a step ends here.
    Reached,
    Stop {
        reason: &'static str,
        words: String,
        /// Others that stop at the same time.
        also: Vec<String>,
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
fn together(hits: Vec<Hit>) -> Option<Verdict> {
    let reason = hits.first()?.reason;
    let commands = hits.iter().filter_map(|h| h.command.clone()).collect();
    let mut words = hits.into_iter().map(|h| h.words);
    Some(Verdict::Stop {
        reason,
        words: words.next()?,
        also: words.collect(),
        commands,
    })
}

impl Session {
    /// Whether the next instruction may touch what is watched.
    pub(super) fn is_watched_here(&self) -> bool {
        let at = self.machine.at();
        self.debugger
            .breakpoints
            .iter()
            .any(|b| b.enabled && b.is_watch() && at.is_some_and(|at| b.places.contains(&at)))
    }

    /// Asks every breakpoint at this place, unless only the watches are to be asked; and says if a step ends here.
    pub(super) fn judge(
        &mut self,
        asks: bool,
        reached: &dyn Fn(&Machine) -> bool,
        reply: &mut Reply,
    ) -> Verdict {
        let mut asks = asks;
        loop {
            let Some(at) = self.machine.at() else {
                return Verdict::GoOn;
            };
            let here = |b: &crate::debugger::Breakpoint| b.enabled && b.places.contains(&at);
            let numbers: Vec<u32> = match asks {
                true => self
                    .debugger
                    .breakpoints
                    .iter()
                    .filter(|b| here(b) && !b.is_watch())
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
                return Verdict::Reached;
            }
            asks = true;
            let watches: Vec<(u32, Watched, Access)> = self
                .debugger
                .breakpoints
                .iter()
                .filter(|b| here(b))
                .filter_map(|b| match &b.spot {
                    Spot::Watch(watched, access) => Some((b.number, watched.clone(), *access)),
                    _ => None,
                })
                .collect();
            if watches.is_empty() {
                return Verdict::GoOn;
            }
            if let Some(verdict) = self.judge_watches(&watches, reply) {
                return verdict;
            }
            // Doing the instruction may have led to the next place.
            let traps = self.debugger.traps();
            if !self.machine.at().is_some_and(|at| traps.contains(&at)) {
                return if reached(&self.machine) {
                    Verdict::Reached
                } else {
                    Verdict::GoOn
                };
            }
        }
    }

    /// Does the instruction, and looks whether what is watched has changed or was read.
    fn judge_watches(
        &mut self,
        watches: &[(u32, Watched, Access)],
        reply: &mut Reply,
    ) -> Option<Verdict> {
        let read: Vec<bool> = watches
            .iter()
            .map(|(_, w, a)| *a != Access::Change && self.is_read(w))
            .collect();
        let frame = self.machine.frames().len().saturating_sub(1);
        let before: Vec<Option<String>> = watches
            .iter()
            .map(|(_, w, _)| self.watched_text_at(w, frame))
            .collect();
        let registers: Vec<_> = watches
            .iter()
            .map(|(_, w, _)| self.own_register(w, frame))
            .collect();
        let image = self.machine.store.image().0;
        let next = self.machine.time() + 1;
        match self.machine.watched(&mut Until(next)) {
            Outcome::Paused(Pause::Watcher) => {}
            ended => return Some(Verdict::Ended(ended)),
        }
        let mut stops = Vec::new();
        for (n, (number, watched, access)) in watches.iter().enumerate() {
            let after = self.watched_text_at(watched, frame);
            let same = self.own_register(watched, frame) == registers[n];
            let changed =
                *access != Access::Read && after != before[n] && before[n].is_some() && same;
            if !changed && !read[n] {
                continue;
            }
            let old = before[n].clone().unwrap_or_default();
            let words = match after.filter(|_| changed) {
                Some(new) => {
                    let now = self.machine.store.image().0;
                    let change = self.change_words(watched, (&old, &new), [&image, &now]);
                    format!("{}: {change}", self.watched_words(watched))
                }
                None if changed => format!("{} is gone", self.watched_words(watched)),
                None if matches!(
                    watched,
                    Watched::Row(_) | Watched::Column(_) | Watched::Board
                ) =>
                {
                    format!("{} is read", self.watched_words(watched))
                }
                None => format!("{} is read: {old}", self.watched_words(watched)),
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
        if let Spot::Event(event, cell) = &b.spot
            && !self.event_fits(*event, *cell)
        {
            return None;
        }
        let mut trouble = None;
        if let Some(condition) = b.condition.clone() {
            match self.is_true(&condition) {
                Ok(false) => return None,
                Ok(true) => {}
                Err(message) => {
                    trouble = Some(format!("its condition can't be evaluated here: {message}"))
                }
            }
        }
        let stored = self
            .debugger
            .breakpoints
            .iter_mut()
            .find(|b| b.number == number)?;
        if !stored.counts() && trouble.is_none() {
            return None;
        }
        let b = stored.clone();
        if let (Some(log), None) = (&b.log, &trouble) {
            let line = self.filled(log);
            self.tell(reply);
            reply
                .line(Line::styled(Style::Dim, format!("log {number}: ")).with(Style::Plain, line));
            return None;
        }
        if b.once {
            self.debugger.breakpoints.retain(|b| b.number != number);
        }
        self.tell(reply);
        let reason = match b.spot {
            Spot::Watch(..) => "watch",
            Spot::Event(..) => "event",
            _ => "breakpoint",
        };
        let name = if reason == "watch" {
            "watch"
        } else {
            "breakpoint"
        };
        let mut text = format!("{name} {number}");
        if let Spot::Event(event, _) = &b.spot {
            text.push_str(&format!(", on {}", event.word()));
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
    pub(super) fn event_fits(&self, event: GameEvent, cell: Option<(i64, i64)>) -> bool {
        let Some((function, pc)) = self.machine.at() else {
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
        if let Instr::End { how, .. } = instr {
            let wanted = match event {
                GameEvent::Win => 1,
                GameEvent::Lose => 2,
                _ => 3,
            };
            return int(how) == Some(wanted);
        }
        let Some((row, col)) = cell else { return true };
        let at = match instr {
            Instr::Click { row, col }
            | Instr::Place { row, col, .. }
            | Instr::PlaceKind { row, col, .. }
            | Instr::GridWith { row, col, .. }
            | Instr::Remove { row, col } => int(row).zip(int(col)),
            Instr::ChangeType { piece, .. } => registers
                .get(piece as usize)
                .and_then(|v| v.as_piece())
                .map(|p| self.machine.store.row_col(p.at))
                .map(|(r, c)| (r as i64, c as i64)),
            Instr::ChangeMyType { .. } => {
                self.cell_of_handler(0).map(|(r, c)| (r as i64, c as i64))
            }
            _ => None,
        };
        at == Some((row, col))
    }

    /// Whether an expression is true here.
    fn is_true(&mut self, expression: &str) -> Result<bool, String> {
        let value = self
            .look(expression, |_, value| value.as_bool())
            .map_err(|d| first_message(&d))?;
        value.ok_or_else(|| "it is neither true nor false".to_string())
    }

    /// A text with the values of its `{…}`.
    pub fn filled(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let Some(end) = closing(after) else {
                out.push('{');
                rest = after;
                continue;
            };
            let shown = self.look(&after[..end], |session, value| {
                (session.program().write)(session.program(), &session.machine.store, value, false)
            });
            out.push_str(&shown.unwrap_or_else(|d| format!("<{}>", first_message(&d))));
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

pub(super) fn first_message(diagnostics: &[Diagnostic]) -> String {
    diagnostics
        .iter()
        .find(|d| d.is_error())
        .map_or_else(String::new, |d| d.message.clone())
}
