//! Showing how something comes to its value: a statement in frames, a loop as a table, an expression in columns.

use super::{FrameLook, Line, Reply, Session, Style};
use crate::code::{FunctionId, Role};
use crate::debugger::evaluation::{self, Collector, Seeing};
use crate::debugger::{Deed, Goal};
use crate::diagnostic::Diagnostic;
use crate::machine::{Outcome, Pause};
use crate::source::{Origin, Span};
use crate::value::Value;
use std::rc::Rc;

/// How far the showing of a statement, part by part, has come.
#[derive(Clone, Debug)]
pub struct Part {
    seen: Vec<Seeing>,
    span: Span,
    /// The time at which it stands.
    time: u64,
}

impl Session {
    /// Does the statement at hand, and shows its evaluation in frames.
    pub fn step_expression(&mut self, reply: &mut Reply) {
        let Some(look) = self.look_at(0) else { return reply.error("nothing is stopped") };
        let before = self.watch_values();
        let mut collector = Collector::new(&self.machine);
        let outcome = self.machine.watched(&mut collector);
        self.timeline.collect(&mut self.machine);
        self.show_frames(&look, &collector.seen, 0, reply);
        self.tell_changes(&before, reply);
        self.after_showing(outcome, reply);
    }

    /// Does the statement at hand up to the next part that has a value, and shows that one.
    pub fn step_part(&mut self, reply: &mut Reply) {
        let Some(look) = self.look_at(0) else { return reply.error("nothing is stopped") };
        let known = self.part.take().filter(|p| p.time == self.machine.time() && p.span == look.span);
        let mut collector = Collector::new(&self.machine);
        collector.seen = known.map(|p| p.seen).unwrap_or_default();
        let from = collector.seen.len();
        collector.most = from + 1;
        let before = self.watch_values();
        let outcome = self.machine.watched(&mut collector);
        self.timeline.collect(&mut self.machine);
        self.show_frames(&look, &collector.seen, from, reply);
        let midway = matches!(outcome, Outcome::Paused(Pause::Watcher)) && collector.seen.len() > from;
        if midway {
            let time = self.machine.time();
            self.part = Some(Part { seen: collector.seen, span: look.span, time });
            reply.stop = self.stop_view("step");
            self.debugger.visit(time);
            return;
        }
        self.tell_changes(&before, reply);
        self.after_showing(outcome, reply);
    }

    fn show_frames(&self, look: &FrameLook, seen: &[Seeing], from: usize, reply: &mut Reply) {
        let Some(source) = self.sources.get(look.span.source) else { return };
        let shown = head_of(&source.text, look.span, self.first_inside(look));
        for line in evaluation::frames(source.slice(shown), shown, seen, from) {
            let marks = line.trim_start().starts_with('^');
            let style = if marks { Style::Here } else { Style::Plain };
            reply.line(Line::styled(style, line));
        }
    }

    /// Where the first statement inside a statement begins.
    pub(super) fn first_inside(&self, look: &FrameLook) -> Option<u32> {
        let function = self.machine.program().function(look.function)?;
        let inside = function.stops.iter().filter(|s| look.span.contains(s.span) && s.span != look.span);
        inside.map(|s| s.span.start).filter(|s| *s > look.span.start).min()
    }

    /// The person's own variables and the locals of the frame, as they are now.
    fn watch_values(&mut self) -> (Vec<(String, String)>, crate::value::StoreImage) {
        let locals = self.locals(0).into_iter().map(|(l, v)| (l.name.to_string(), self.write(v))).collect();
        (locals, self.machine.store.image().0)
    }

    fn tell_changes(&mut self, before: &(Vec<(String, String)>, crate::value::StoreImage), reply: &mut Reply) {
        let mut words = Vec::new();
        let now = self.watch_values();
        for (name, old) in &before.0 {
            if let Some((_, new)) = now.0.iter().find(|(n, new)| n == name && new != old) {
                words.push(format!("{name}: {old} => {new}"));
            }
        }
        words.extend(self.differences(&before.1, &now.1, 6));
        for word in words {
            reply.line(Line::plain("     ").with(Style::Changed, word));
        }
    }

    /// Stops where the showing has led to.
    fn after_showing(&mut self, outcome: Outcome, reply: &mut Reply) {
        match outcome {
            Outcome::Paused(Pause::Watcher) if !self.machine.is_idle() => {
                let hidden = !self.debugger.rules && self.look_at(0).is_some_and(|l| l.role == Role::Rules);
                if hidden {
                    return self.drive(Some(Goal::Into), reply);
                }
                self.tell(reply);
                self.stop("step", "", reply);
            }
            Outcome::Paused(Pause::Watcher) => self.drive(None, reply),
            other => {
                // The run ended, failed or asks: as any run does.
                if self.settle_outcome(other, Some(&Goal::Into), reply) {
                    return;
                }
                self.drive(Some(Goal::Into), reply);
            }
        }
    }

    /// Begins to run a block or an expression, to be stepped through. It is a rehearsal: when it is done all is
    /// as it was.
    pub fn rehearse(&mut self, text: &str, reply: &mut Reply) {
        let (program, function) = match self.function_titled(text) {
            Some(function) => (self.program().clone(), function),
            None => match self.compile_look(text) {
                Ok(compiled) => compiled,
                Err(diagnostics) => {
                    reply.ok = false;
                    reply.diagnostics = diagnostics;
                    return;
                }
            },
        };
        let deed = match self.is_stopped() {
            true => {
                let frame = self.frame_index();
                let locals =
                    self.frame_scope().map_or_else(Vec::new, |f| f.locals).iter().map(|l| l.register).collect();
                Deed::Inside { program, function, frame, locals, moved: Vec::new() }
            }
            false => Deed::Run { program, function: Some(function), fresh: false },
        };
        let left = self.timeline.begin(&mut self.machine, deed, None, format!(":step {text}"));
        if let Some(record) = self.timeline.current_mut() {
            record.rehearsal = true;
        }
        self.leave_branch_alone(left);
        self.answers = true;
        reply.line(Line::styled(Style::Dim, "a rehearsal: when it is done, all is as it was"));
        // A function's first stop may be its very first instruction.
        let at_stop = self.machine.at().and_then(|(f, pc)| self.machine.function(f).map(|f| f.stop_at(pc).is_some()));
        match at_stop {
            Some(true) => self.stop("step", "", reply),
            _ => self.drive(Some(Goal::Into), reply),
        }
    }

    /// A rehearsal in the past is no new branch.
    fn leave_branch_alone(&mut self, left: Option<usize>) {
        if let Some(record) = self.timeline.current_mut() {
            record.left = left;
        }
    }

    fn compile_look(&mut self, text: &str) -> Result<(Rc<crate::code::Program>, FunctionId), Vec<Diagnostic>> {
        self.entries += 1;
        let source = self.sources.add(Origin::Entry(self.entries), text);
        let frame = self.frame_scope();
        let compiled = self.language.entry(&source, self.program(), frame.as_ref())?;
        let function = compiled.run.unwrap_or(FunctionId(0));
        Ok((Rc::new(compiled.program), function))
    }

    /// An expression with all its values under their columns.
    pub fn explain(&mut self, text: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
        let (program, function) = self.compile_look(text)?;
        let source = self.sources.iter().next_back().cloned();
        let frame = self.frame_scope();
        self.on_a_copy(|session| {
            session.machine.install(program);
            let index = session.frame_index();
            let locals: Rc<[u16]> = frame.map_or_else(Vec::new, |f| f.locals).iter().map(|l| l.register).collect();
            let started = match session.is_stopped() {
                true => session.machine.start_inside(function, index, locals),
                false => session.machine.start(function, &[]),
            };
            if let Err(fault) = started {
                return Err(vec![session.runtime_error(&fault)]);
            }
            let mut collector = Collector::new(&session.machine);
            collector.through = true;
            if let Outcome::Failed(fault) = session.machine.watched(&mut collector) {
                return Err(vec![session.runtime_error(&fault)]);
            }
            let Some(source) = source else { return Ok(Vec::new()) };
            Ok(evaluation::columns(&source.text, source.whole(), &collector.seen))
        })
    }

    /// Runs over the loop at hand, and shows its rounds as a table. `None` if no loop is at hand.
    pub fn loop_table(&mut self, reply: &mut Reply) -> bool {
        let Some((from, to)) = self.block_at_hand() else { return false };
        let depth = self.machine.frames().len();
        let Some((id, _)) = self.machine.at() else { return false };
        let Some(function) = self.machine.function(id).cloned() else { return false };
        let goes_back = function.code.get(from as usize..to as usize).unwrap_or_default().iter().enumerate();
        let goes_back =
            goes_back.filter_map(|(n, i)| i.target().map(|t| (from + n as u32, t))).any(|(pc, t)| t <= pc && t >= from);
        if !goes_back {
            return false;
        }
        let start = self.machine.time();
        let mut rounds = Rounds::new(depth, from, to);
        let rows = self.elsewhere(|session| {
            session.machine.record(false);
            session.machine.watched(&mut rounds);
            session.machine.record(true);
            (rounds.rows(), rounds.collector.start.clone())
        });
        let (rows, start_locals) = rows;
        debug_assert_eq!(self.machine.time(), start);
        for line in table(&rows, &start_locals, &self.sources) {
            reply.line(line);
        }
        true
    }
}

/// What a statement's showing covers: all of it, or its head if other statements stand inside.
fn head_of(text: &str, span: Span, inner: Option<u32>) -> Span {
    let Some(inner) = inner else { return span };
    let head = text.get(span.start as usize..inner as usize).unwrap_or("");
    let head = head.trim_end().trim_end_matches('{').trim_end();
    Span { end: span.start + head.len() as u32, ..span }
}

/// Watches the rounds of a loop.
struct Rounds {
    collector: Collector2,
}

/// What was seen in one round: the values of locals at its end, and of parts of the text.
#[derive(Clone, Default, Debug)]
pub struct Round {
    locals: Vec<(String, String)>,
    seen: Vec<(Span, String)>,
}

struct Collector2 {
    depth: usize,
    from: u32,
    to: u32,
    inner: Option<Collector>,
    rounds: Vec<Round>,
    /// The first stop of the body: a round begins when it is passed.
    first: Option<u32>,
    taken: usize,
    last_locals: Vec<(String, String)>,
    /// As they were before the first round.
    start: Vec<(String, String)>,
}

impl Rounds {
    fn new(depth: usize, from: u32, to: u32) -> Rounds {
        Rounds {
            collector: Collector2 {
                depth,
                from,
                to,
                inner: None,
                rounds: Vec::new(),
                first: None,
                taken: 0,
                last_locals: Vec::new(),
                start: Vec::new(),
            },
        }
    }

    fn rows(&self) -> Vec<Round> {
        self.collector.rounds.clone()
    }
}

impl crate::machine::Watch for Rounds {
    const ACTIVE: bool = true;

    fn pauses(&mut self, machine: &crate::machine::Machine) -> bool {
        let c = &mut self.collector;
        let frames = machine.frames();
        if frames.len() > c.depth {
            return false;
        }
        let Some(top) = frames.last().filter(|_| frames.len() == c.depth) else { return c.close(machine) };
        let Some(function) = machine.function(top.function) else { return true };
        let pc = top.pc;
        if !(c.from..c.to).contains(&pc) {
            return c.close(machine);
        }
        let inner = c.inner.get_or_insert_with(|| {
            let mut collector = Collector::new(machine);
            collector.through = true;
            collector
        });
        let _ = inner.pauses(machine);
        // The head's own stop is where the loop begins; the first stop behind it begins a round.
        if pc > c.from && function.stop_at(pc).is_some() && c.first.is_none_or(|f| f == pc) {
            if c.first.is_some() {
                c.end_round(machine);
            } else {
                c.start = c.last_locals.clone();
                c.taken = c.inner.as_ref().map_or(0, |i| i.seen.len());
            }
            c.first = Some(pc);
        }
        c.note_locals(machine);
        c.rounds.len() > 100_000
    }
}

impl Collector2 {
    fn note_locals(&mut self, machine: &crate::machine::Machine) {
        let Some(top) = machine.frames().last() else { return };
        let Some(function) = machine.function(top.function) else { return };
        let registers = machine.registers(self.depth - 1);
        let program = machine.program();
        self.last_locals = function
            .locals_at(top.pc)
            .filter_map(|l| {
                let value = *registers.get(l.register as usize)?;
                let text = match value.as_piece() {
                    Some(p) => {
                        let (r, c) = machine.store.row_col(p.at);
                        format!("[{r}][{c}]")
                    }
                    None => (program.write)(program, &machine.store, value, true),
                };
                (value != Value::NOTHING).then(|| (l.name.to_string(), text))
            })
            .collect();
    }

    fn end_round(&mut self, _machine: &crate::machine::Machine) {
        let seen = self.inner.as_ref().map_or(&[][..], |i| &i.seen);
        let mine = seen.get(self.taken..).unwrap_or_default();
        self.taken = seen.len();
        let seen = mine.iter().map(|s| (s.span, s.text.clone())).collect();
        self.rounds.push(Round { locals: self.last_locals.clone(), seen });
    }

    fn close(&mut self, machine: &crate::machine::Machine) -> bool {
        if self.first.take().is_some() {
            self.end_round(machine);
        }
        true
    }
}

/// The rounds as a table: their number, the variables, the parts that had values; the one that decided is marked.
fn table(rounds: &[Round], start: &[(String, String)], sources: &crate::source::Sources) -> Vec<Line> {
    let mut names: Vec<String> = Vec::new();
    let mut spans: Vec<Span> = Vec::new();
    for round in rounds {
        for (name, _) in &round.locals {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        for (span, _) in &round.seen {
            let text = sources.slice(*span);
            let is_name = round.locals.iter().any(|(n, _)| n == text);
            if !is_name && !spans.contains(span) && spans.len() < 4 && text.len() < 24 {
                spans.push(*span);
            }
        }
    }
    // Variables that never change say nothing about the rounds.
    let value = |round: &Round, name: &str| round.locals.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
    names.retain(|name| {
        let first = start.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
        rounds.iter().any(|r| value(r, name) != first) || rounds.len() == 1
    });
    let cell = |round: &Round, span: &Span| {
        round.seen.iter().rev().find(|(s, _)| s == span).map_or("-".to_string(), |(_, v)| v.clone())
    };
    // The loop's own variables come first: they are not there before it. What was decided is the last column.
    let steady: Vec<String> = names.iter().filter(|n| start.iter().any(|(s, _)| s == *n)).cloned().collect();
    let moving: Vec<String> = names.iter().filter(|n| !steady.contains(n)).cloned().collect();
    let decided = steady.last().and_then(|name| {
        let last = rounds.last().and_then(|r| value(r, name));
        let first_same = rounds.iter().rposition(|r| value(r, name) != last).map_or(0, |n| n + 1);
        let before = start.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
        (first_same > 0 || before != last).then_some(first_same)
    });
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut head = vec!["#".to_string()];
    head.extend(moving.iter().cloned());
    head.extend(spans.iter().map(|s| sources.slice(*s).split_whitespace().collect::<Vec<_>>().join(" ")));
    head.extend(steady.iter().cloned());
    rows.push(head);
    for (n, round) in rounds.iter().enumerate() {
        let mut row = vec![(n + 1).to_string()];
        row.extend(moving.iter().map(|name| value(round, name).unwrap_or_default()));
        row.extend(spans.iter().map(|s| cell(round, s)));
        row.extend(steady.iter().map(|name| value(round, name).unwrap_or_default()));
        rows.push(row);
    }
    aligned(&rows, decided)
}

/// Columns under each other; long tables folded around the row that decided.
fn aligned(rows: &[Vec<String>], decided: Option<usize>) -> Vec<Line> {
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len))
        .map(|c| rows.iter().map(|r| r.get(c).map_or(0, |t| t.chars().count())).max().unwrap_or(0).min(24))
        .collect();
    let mut lines = Vec::new();
    let near = |n: usize| n <= 6 || n + 4 > rows.len() || decided.is_some_and(|d| n.abs_diff(d + 1) <= 1);
    let mut folded = 0;
    for (n, row) in rows.iter().enumerate() {
        if !near(n) {
            folded += 1;
            continue;
        }
        if std::mem::take(&mut folded) > 0 {
            lines.push(Line::styled(Style::Dim, "  …"));
        }
        let text: Vec<String> = row.iter().zip(&widths).map(|(t, w)| format!("{t:<w$}", w = *w)).collect();
        let line =
            Line::styled(if n == 0 { Style::Dim } else { Style::Plain }, format!("  {}", text.join("  ").trim_end()));
        lines.push(match decided {
            Some(d) if n == d + 1 => line.with(Style::Here, "    <= decided here"),
            _ => line,
        });
    }
    lines
}
