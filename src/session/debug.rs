//! Running on: to the end, to a stop, or to where a step ends.

use super::inspect::FrameLook;
use super::{Line, Reply, Session, StopView, Style, json};
use crate::code::Instr;
use crate::debugger::{Access, GameEvent, Goal, Marks, Spot, Stepper, Trace, Watched};
use crate::diagnostic::Diagnostic;
use crate::machine::{Fault, Outcome, Pause, Until};
use crate::value::{Value, View};

/// What is to be done at a place where breakpoints are.
enum Verdict {
    GoOn,
    Stop {
        reason: &'static str,
        words: String,
        command: Option<String>,
    },
    /// The instruction was done to see what it does, and the run ended with it.
    Ended(Outcome),
}

impl Session {
    /// Whether a run is stopped in the midst.
    pub fn is_stopped(&self) -> bool {
        !self.machine.is_idle() && self.asking.is_none()
    }

    /// Breakpoints find their places in the present program.
    pub(super) fn settle(&mut self, reply: &mut Reply) {
        if self.debugger.breakpoints.is_empty() {
            return;
        }
        let program = self.machine.program().clone();
        for told in self.debugger.settle(&program, &self.sources) {
            reply.line(Line::styled(Style::Dim, told));
        }
    }

    /// Runs on until the goal, a breakpoint or the end, and tells what came of it.
    pub fn drive(&mut self, goal: Option<Goal>, reply: &mut Reply) {
        let traps = self.debugger.traps();
        self.machine.trap(&traps);
        let watched = goal.is_some() || self.debugger.trace;
        let marks = watched.then(|| Marks::of(self.machine.program(), &traps, self.debugger.rules));
        loop {
            let outcome = match &marks {
                Some(marks) => self.run_watched(marks, goal.clone().unwrap_or(Goal::End), reply),
                None => self.machine.run(),
            };
            self.timeline.collect(&mut self.machine);
            let outcome = match outcome {
                Outcome::Paused(Pause::Trap) => match self.judge(reply) {
                    Verdict::GoOn => {
                        // A condition was looked at in another program, which forgot the traps.
                        self.machine.trap(&traps);
                        continue;
                    }
                    Verdict::Stop { reason, words, command } => {
                        reply.then = command;
                        break self.stop(reason, &words, reply);
                    }
                    Verdict::Ended(outcome) => outcome,
                },
                other => other,
            };
            if self.settle_outcome(outcome, goal.as_ref(), reply) {
                break;
            }
        }
    }

    fn run_watched(&mut self, marks: &Marks, goal: Goal, reply: &mut Reply) -> Outcome {
        let from = self.machine.time();
        let trace = self.debugger.trace.then(|| Trace::from(self.machine.frames().len().saturating_sub(1)));
        let mut stepper = Stepper { marks, goal, from, trapped: false, trace };
        let outcome = self.machine.watched(&mut stepper);
        if let Some(trace) = stepper.trace {
            for (depth, line) in trace.lines {
                reply.line(Line::styled(Style::Dim, format!("  {}{line}", "  ".repeat(depth))));
            }
            if trace.more > 0 {
                reply.line(Line::styled(Style::Dim, format!("  … {} more", trace.more)));
            }
        }
        match outcome {
            Outcome::Paused(Pause::Watcher) if stepper.trapped => Outcome::Paused(Pause::Trap),
            other => other,
        }
    }

    /// Tells how a run ended; says whether it did.
    pub(super) fn settle_outcome(&mut self, outcome: Outcome, goal: Option<&Goal>, reply: &mut Reply) -> bool {
        match outcome {
            // What was typed at a stop is done.
            Outcome::Finished(value) if !self.machine.is_idle() => {
                let rehearsal = self.timeline.records().last().is_some_and(|r| r.rehearsal);
                if (self.timeline.in_past(&self.machine) || goal.is_some()) && !rehearsal {
                    return false;
                }
                self.tell(reply);
                self.give_value(value, reply);
                self.answers = false;
                if self.timeline.records().last().is_some_and(|r| r.rehearsal) {
                    return self.end_rehearsal(reply);
                }
                reply.board = true;
            }
            Outcome::Finished(value) => {
                self.tell(reply);
                if self.timeline.in_past(&self.machine) && self.timeline.advance(&mut self.machine) {
                    return false;
                }
                self.give_value(value, reply);
                if self.timeline.records().last().is_some_and(|r| r.rehearsal) {
                    return self.end_rehearsal(reply);
                }
                let again = self.timeline.records().last().is_some_and(|r| r.after.is_some());
                self.timeline.finish(&mut self.machine);
                reply.board = self.timeline.records().last().is_some_and(|r| r.changed);
                self.tell_branch(reply);
                if goal.is_some() || again {
                    self.end_of_run(reply);
                }
            }
            Outcome::NeedsInput { question, what } => {
                self.tell(reply);
                reply.question = Some(question.clone());
                self.asking = Some((question, what));
            }
            Outcome::Failed(fault) if self.debugger.stops_on_error() => {
                self.tell(reply);
                let diagnostic = self.runtime_error(&fault);
                reply.diagnostics.push(diagnostic);
                self.stop("error", "error", reply);
            }
            Outcome::Failed(fault) => {
                self.tell(reply);
                self.fail(&fault, reply);
            }
            Outcome::Paused(Pause::Interrupt) => {
                self.tell(reply);
                self.stop("interrupt", "stopped from the keyboard", reply);
                reply.line(Line::styled(Style::Dim, "continue goes on, abandon takes the entry back"));
            }
            Outcome::Paused(_) => {
                self.tell(reply);
                let words = if goal == Some(&Goal::Turn) { "the turn ends" } else { "" };
                self.stop("step", words, reply);
            }
        }
        true
    }

    fn give_value(&mut self, value: Value, reply: &mut Reply) {
        if self.answers && value != Value::NOTHING {
            reply.data = Some(json::value(self.program(), &self.machine.store, value));
            // A board is drawn, everything else is written as in a source.
            let quoted = self.machine.store.heap.grid(value).is_none();
            reply.value = Some((self.program().write)(self.program(), &self.machine.store, value, quoted));
        }
    }

    /// An entry that fails changes nothing.
    fn fail(&mut self, fault: &Fault, reply: &mut Reply) {
        reply.ok = false;
        let diagnostic = self.runtime_error(fault);
        reply.diagnostics.push(diagnostic);
        self.timeline.drop_last(&mut self.machine);
        reply.display = self.machine.store.message.as_ref().map(|m| m.to_string());
    }

    /// Something done in the past starts a branch, unless it changed nothing: looking leaves the future alone.
    fn tell_branch(&mut self, reply: &mut Reply) {
        let Some(record) = self.timeline.current_mut() else { return };
        let Some(number) = record.left else { return };
        if record.changed {
            record.left = None;
            reply
                .line(Line::styled(Style::Dim, format!("a new branch begins here; the old future is branch {number}")));
        } else {
            record.rehearsal = true;
            self.timeline.drop_last(&mut self.machine);
        }
    }

    /// What was only tried is done: all is as it was, but what it changed is told.
    fn end_rehearsal(&mut self, reply: &mut Reply) -> bool {
        let (after, _) = self.machine.store.image();
        let record = self.timeline.drop_last(&mut self.machine);
        if let Some(record) = record {
            let changes = self.differences(record.before.store(), &after, 6);
            let changes = if changes.is_empty() {
                "it would change nothing".to_string()
            } else {
                format!("it would change {}", changes.join(", "))
            };
            reply.line(Line::styled(Style::Dim, format!("the rehearsal is done: {changes}")));
        }
        self.debugger.frame = 0;
        true
    }

    fn end_of_run(&mut self, reply: &mut Reply) {
        let time = self.machine.time();
        self.debugger.visit(time);
        self.debugger.frame = 0;
        reply.line(Line::styled(Style::Dim, format!("the entry is done   time {time}")));
    }

    /// Gives up what is going on: it never happened.
    pub fn abandon(&mut self) -> Option<String> {
        self.asking = None;
        if self.machine.is_idle() {
            return None;
        }
        self.debugger.frame = 0;
        if self.timeline.in_past(&self.machine) {
            // It has happened: back to where it began, without forgetting it.
            let undone = self.timeline.undo(&mut self.machine, 1);
            return undone.into_iter().next();
        }
        let mut text = None;
        // What was typed in the midst of it goes with it.
        while !self.machine.is_idle() {
            text = self.timeline.drop_last(&mut self.machine).map(|r| r.text);
            text.as_ref()?;
        }
        text
    }

    /// Asks every breakpoint at this place.
    fn judge(&mut self, reply: &mut Reply) -> Verdict {
        loop {
            let Some(at) = self.machine.at() else { return Verdict::GoOn };
            let here = |b: &crate::debugger::Breakpoint| b.enabled && b.places.contains(&at);
            let numbers: Vec<u32> =
                self.debugger.breakpoints.iter().filter(|b| here(b) && !b.is_watch()).map(|b| b.number).collect();
            for number in numbers {
                if let Some(verdict) = self.judge_one(number, None, reply) {
                    return verdict;
                }
            }
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
                return Verdict::GoOn;
            }
        }
    }

    /// Does the instruction, and looks whether what is watched has changed or was read.
    fn judge_watches(&mut self, watches: &[(u32, Watched, Access)], reply: &mut Reply) -> Option<Verdict> {
        let read: Vec<bool> = watches.iter().map(|(_, w, a)| *a != Access::Change && self.is_read(w)).collect();
        let before: Vec<Option<String>> = watches.iter().map(|(_, w, _)| self.watched_text(w)).collect();
        let next = self.machine.time() + 1;
        match self.machine.watched(&mut Until(next)) {
            Outcome::Paused(Pause::Watcher) => {}
            ended => return Some(Verdict::Ended(ended)),
        }
        for (n, (number, watched, access)) in watches.iter().enumerate() {
            let after = self.watched_text(watched);
            let changed = *access != Access::Read && after != before[n] && before[n].is_some();
            if !changed && !read[n] {
                continue;
            }
            let old = before[n].clone().unwrap_or_default();
            let words = match after.filter(|_| changed) {
                Some(new) => format!("{}: {old} => {new}", watched_words(watched)),
                None if changed => format!("{} is gone", watched_words(watched)),
                None => format!("{} is read: {old}", watched_words(watched)),
            };
            if let Some(verdict) = self.judge_one(*number, Some(words), reply) {
                return Some(verdict);
            }
        }
        None
    }

    /// Whether a breakpoint stops here, or only tells something.
    fn judge_one(&mut self, number: u32, words: Option<String>, reply: &mut Reply) -> Option<Verdict> {
        let b = self.debugger.breakpoints.iter().find(|b| b.number == number)?.clone();
        if let Spot::Event(event, cell) = &b.spot
            && !self.event_fits(*event, *cell)
        {
            return None;
        }
        let mut trouble = None;
        if let Some(condition) = &b.condition {
            match self.is_true(condition) {
                Ok(false) => return None,
                Ok(true) => {}
                Err(message) => trouble = Some(format!("its condition could not be evaluated: {message}")),
            }
        }
        let stored = self.debugger.breakpoints.iter_mut().find(|b| b.number == number)?;
        if !stored.counts() && trouble.is_none() {
            return None;
        }
        if let (Some(log), None) = (&b.log, &trouble) {
            let line = self.filled(log);
            self.tell(reply);
            reply.line(Line::styled(Style::Dim, format!("log {number}: ")).with(Style::Plain, line));
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
        let name = if reason == "watch" { "watch" } else { "breakpoint" };
        let mut text = format!("{name} {number}");
        if let Spot::Event(event, _) = &b.spot {
            text.push_str(&format!(", on {}", event.word()));
        }
        for more in [words, trouble].into_iter().flatten() {
            text.push_str(&format!(", {more}"));
        }
        Some(Verdict::Stop { reason, words: text, command: b.command })
    }

    /// Whether the event is the one waited for, and on the right cell.
    fn event_fits(&self, event: GameEvent, cell: Option<(u32, u32)>) -> bool {
        let Some((function, pc)) = self.machine.at() else { return false };
        let Some(instr) = self.machine.function(function).and_then(|f| f.code.get(pc as usize).copied()) else {
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
            | Instr::Remove { row, col } => int(row).zip(int(col)),
            Instr::ChangeType { piece, .. } => registers
                .get(piece as usize)
                .and_then(|v| v.as_piece())
                .map(|p| self.machine.store.row_col(p.at))
                .map(|(r, c)| (r as i64, c as i64)),
            Instr::ChangeMyType { .. } => self.cell_of_handler(0).map(|(r, c)| (r as i64, c as i64)),
            _ => None,
        };
        at == Some((row as i64, col as i64))
    }

    /// The cell of the piece whose handler runs, seen from a frame counted from the top.
    pub fn cell_of_handler(&self, from_top: usize) -> Option<(u32, u32)> {
        let frames = self.machine.frames();
        let frame = frames.get(frames.len().checked_sub(from_top + 1)?)?;
        match frame.me.view() {
            View::Me(cell, _) => Some(self.machine.store.row_col(cell)),
            _ => None,
        }
    }

    /// Stops here: shows where and why.
    pub(super) fn stop(&mut self, reason: &'static str, words: &str, reply: &mut Reply) {
        self.debugger.frame = self.own_frame();
        let time = self.machine.time();
        self.debugger.visit(time);
        reply.stop = self.stop_view(reason);
        self.show_stop(words, reply);
        let (image, _) = self.machine.store.image();
        self.debugger.last_stop = Some(image);
        reply.board = true;
    }

    pub fn stop_view(&self, reason: &'static str) -> Option<StopView> {
        let look: FrameLook = self.look_at(self.debugger.frame)?;
        let source = self.sources.get(look.span.source)?;
        let (line, column) = source.line_column(look.span.start);
        Some(StopView {
            reason,
            place: look.title.clone(),
            file: source.origin.to_string(),
            line,
            column,
            time: self.machine.time(),
            depth: self.machine.frames().len(),
        })
    }

    /// Whether an expression is true here.
    fn is_true(&mut self, expression: &str) -> Result<bool, String> {
        let value = self.look(expression, |_, value| value.as_bool()).map_err(|d| first_message(&d))?;
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
    diagnostics.iter().find(|d| d.is_error()).map_or_else(String::new, |d| d.message.clone())
}

pub(super) fn watched_words(watched: &Watched) -> String {
    match watched {
        Watched::Variable(name) | Watched::Local(_, name) => name.clone(),
        Watched::Cell(r, c) => format!("[{r}][{c}]"),
        Watched::Field(r, c, field) => format!("[{r}][{c}].{field}"),
        Watched::Row(n) => format!("row {n}"),
        Watched::Column(n) => format!("column {n}"),
        Watched::Board => "the board".into(),
    }
}
