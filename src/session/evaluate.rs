//! Showing how something comes to its value: a statement in frames, a loop as a table, an expression in columns.

use super::judge::Verdict;
use super::query::Looked;
use super::retell::elided;
use super::{FrameLook, Line, Reply, Session, Style};
use crate::code::{FunctionId, Role, Seen, StopKind};
use crate::debugger::evaluation::{self, Collector, Seeing, Showing};
use crate::debugger::{Goal, Guarded, Marks, column, cycle};
use crate::diagnostic::Diagnostic;
use crate::machine::{Outcome, Pause};
use crate::source::{Origin, Source, Span};
use crate::value::{StoreImage, Value};
use std::sync::Arc;

/// How the run of a statement ended.
enum Ran {
    Through(Outcome),
    /// Something was typed in the midst of it.
    ToEdge,
    /// At a breakpoint in what it calls.
    Stopped(Verdict),
}

/// How far the showing of a statement, part by part, has come.
#[derive(Clone, Debug)]
pub struct Part {
    seen: Vec<Seeing>,
    span: Span,
    /// The time at which it stands, and how much was seen at this very instruction.
    time: u64,
    looked: usize,
}

/// What a statement may change, before it runs.
struct Values {
    /// The function at the top, and how many frames there are.
    frame: Option<(FunctionId, usize)>,
    locals: Vec<(String, String)>,
    store: StoreImage,
}

impl Session {
    /// Does the statement at hand, and shows its evaluation in frames.
    pub fn step_expression(&mut self, reply: &mut Reply) {
        let Some(look) = self.look_at(0) else {
            return reply.error("nothing is stopped");
        };
        if self.is_nothing_to_show(&look) {
            return self.drive(Some(Goal::Into), reply);
        }
        let (before, unsaid) = (self.watch_values(), self.values_unsaid(&look));
        let mut collector = Collector::new(&self.machine);
        let outcome = self.run_statement(&mut collector, reply);
        let done = if let Ran::Through(_) = outcome {
            Some(&before)
        } else {
            None
        };
        self.show_frames(&look, &collector.seen, 0, done, reply);
        self.show_unsaid(&look, &collector.seen, unsaid, reply);
        self.show_branch(collector.branch, reply);
        self.after_showing(outcome, reply);
    }

    /// Whether the statement at hand is one of the rules, which are not shown, or something was typed before it.
    fn is_nothing_to_show(&self, look: &FrameLook) -> bool {
        let typed = self
            .timeline
            .edge()
            .is_some_and(|edge| self.machine.time() >= edge);
        typed || look.role == Role::Rules && !self.debugger.rules
    }

    /// Runs a statement while somebody looks on. Breakpoints in what it calls stop it, and in the past what was typed in
    /// the midst of it.
    fn run_statement(&mut self, collector: &mut Collector, reply: &mut Reply) -> Ran {
        let depth = self.machine.frames().len();
        let until = self.timeline.edge().unwrap_or(u64::MAX);
        loop {
            self.settle_silently();
            let marks = Marks::of(self.machine.program(), &self.debugger.traps(), |_| true);
            let from = self.machine.time();
            let mut guarded = Guarded {
                inner: &mut *collector,
                marks: &marks,
                from,
                depth,
                until,
                trapped: false,
            };
            let outcome = self.machine.watched(&mut guarded);
            let trapped = guarded.trapped;
            self.timeline.collect(&mut self.machine);
            if !trapped {
                let at_edge =
                    outcome == Outcome::Paused(Pause::Watcher) && self.machine.time() >= until;
                return if at_edge {
                    Ran::ToEdge
                } else {
                    Ran::Through(outcome)
                };
            }
            match self.judge(true, &|_| false, reply) {
                Verdict::GoOn | Verdict::Reached => {}
                Verdict::Ended(outcome) => return Ran::Through(outcome),
                stop @ Verdict::Stop { .. } => return Ran::Stopped(stop),
            }
        }
    }

    /// Does the statement at hand up to the next part that has a value, and shows that one.
    pub fn step_part(&mut self, reply: &mut Reply) {
        let Some(mut look) = self.look_at(0) else {
            return reply.error("nothing is stopped");
        };
        let known = self.part.take().filter(|p| {
            p.time == self.machine.time()
                && (p.span == look.span || p.looked > 0 || !self.at_stop())
        });
        if known.is_none() && self.is_nothing_to_show(&look) {
            return self.drive(Some(Goal::Into), reply);
        }
        // Behind a loop stands what is in its body, but it is still its head that is shown.
        look.span = known.as_ref().map_or(look.span, |p| p.span);
        let mut collector = Collector::new(&self.machine);
        (collector.seen, collector.looked) = known.map(|p| (p.seen, p.looked)).unwrap_or_default();
        let from = collector.seen.len();
        collector.most = from + 1;
        let (before, unsaid) = (self.watch_values(), self.values_unsaid(&look));
        let mut outcome = self.run_statement(&mut collector, reply);
        // What only closes the statement is not worth a frame.
        while collector.seen.len() == collector.most
            && collector.seen.last().is_some_and(|s| s.closes(look.span))
        {
            collector.most += 1;
            outcome = self.run_statement(&mut collector, reply);
        }
        let paused = matches!(outcome, Ran::Through(Outcome::Paused(Pause::Watcher)));
        let midway = paused && collector.seen.len() >= collector.most;
        let done = matches!(outcome, Ran::Through(_)) && !midway;
        self.show_frames(&look, &collector.seen, from, done.then_some(&before), reply);
        self.show_unsaid(&look, &collector.seen, unsaid.filter(|_| from == 0), reply);
        if midway {
            let time = self.machine.time();
            self.part = Some(Part {
                seen: collector.seen,
                span: look.span,
                time,
                looked: collector.looked,
            });
            reply.stop = self.stop_view("step");
            self.visit();
            return;
        }
        self.show_branch(collector.branch, reply);
        self.after_showing(outcome, reply);
    }

    /// What a condition looks at and does not name, as the counter of `gameoveronzerocounter`.
    fn values_unsaid(&self, look: &FrameLook) -> Option<String> {
        let stop = self.machine.function(look.function)?.stop_at(look.pc)?;
        let read = self.variables_read(look.function, look.span);
        (stop.kind == StopKind::Condition && !read.is_empty()).then_some(read)
    }

    /// Tells such values where the whole is all that was to be seen.
    fn show_unsaid(
        &self,
        look: &FrameLook,
        seen: &[Seeing],
        unsaid: Option<String>,
        reply: &mut Reply,
    ) {
        if let Some(unsaid) =
            unsaid.filter(|_| !seen.is_empty() && seen.iter().all(|s| s.span == look.span))
        {
            reply.line(format!("     where {unsaid}"));
        }
    }

    /// Whether the machine stands where a statement begins.
    fn at_stop(&self) -> bool {
        let here = self
            .machine
            .at()
            .and_then(|(f, pc)| Some(self.machine.function(f)?.stop_at(pc).is_some()));
        here.unwrap_or(false)
    }

    /// The branch that comes of a test.
    fn show_branch(&self, branch: Option<Span>, reply: &mut Reply) {
        if let Some(branch) = branch {
            let text = elided(&self.one_line(branch), 60);
            reply.line(Line::plain("     so: ").with(Style::Strong, text));
        }
    }

    /// The frames of a statement from one on, and what it changed if it is done.
    fn show_frames(
        &mut self,
        look: &FrameLook,
        seen: &[Seeing],
        from: usize,
        before: Option<&Values>,
        reply: &mut Reply,
    ) {
        let mut changes = before.map(|b| self.changes(b));
        let Some(source) = self.sources.get(look.span.source) else {
            return;
        };
        let shown = head_of(&source.text, look.span, self.first_inside(look));
        let around = self.goes_on_around(look, seen);
        // A single change stands beside the last frame.
        let beside = match &mut changes {
            Some(all) if all.len() == 1 => all.pop(),
            Some(_) => Some(String::new()),
            None => None,
        };
        let showing = |origin| Showing {
            text: source.slice(origin),
            origin,
            inner: look.span,
            width: self.look.width,
        };
        let lines = match around {
            Some((whole, at)) => {
                let mut lines = evaluation::frames(&showing(shown), &seen[..at], from, None);
                lines.extend(evaluation::frames(
                    &showing(whole),
                    seen,
                    from.max(at),
                    beside.as_deref(),
                ));
                lines
            }
            None => evaluation::frames(&showing(shown), seen, from, beside.as_deref()),
        };
        for line in lines {
            let marks = line.trim_start().starts_with('^');
            let style = if marks { Style::Here } else { Style::Plain };
            reply.line(Line::styled(style, line));
        }
        for change in changes.into_iter().flatten() {
            reply.line(Line::plain("     ").with(Style::Changed, change));
        }
    }

    /// Where a statement is only an operand, what is evaluated behind it: in which statement, and from which part on.
    fn goes_on_around(&self, look: &FrameLook, seen: &[Seeing]) -> Option<(Span, usize)> {
        let closed = seen.iter().position(|s| s.closes(look.span))?;
        let at = closed + seen[closed..].iter().position(|s| !s.closes(look.span))?;
        let function = self.machine.program().function(look.function)?;
        let around = |span: Span| {
            span.contains(look.span) && seen[closed..].iter().all(|s| span.contains(s.span))
        };
        let stops = function.stops.iter().map(|s| s.span);
        let equations = function
            .notes
            .iter()
            .filter(|n| n.seen == Seen::Equation)
            .map(|n| n.span);
        let all = stops
            .chain(equations)
            .filter(|span| *span != look.span && around(*span));
        Some((all.min_by_key(|span| span.end - span.start)?, at))
    }

    /// Where the first statement inside a statement begins.
    pub(super) fn first_inside(&self, look: &FrameLook) -> Option<u32> {
        let function = self.machine.program().function(look.function)?;
        let inside = function
            .stops
            .iter()
            .filter(|s| look.span.contains(s.span) && s.span != look.span);
        inside
            .map(|s| s.span.start)
            .filter(|s| *s > look.span.start)
            .min()
    }

    /// The person's own variables and the locals of the frame, as they are now.
    fn watch_values(&mut self) -> Values {
        // What a loop counts with changes between its rounds, not in a statement.
        let tops: Vec<u32> = self
            .machine
            .at()
            .and_then(|(f, _)| self.machine.function(f))
            .map_or_else(Vec::new, |f| {
                cycle::cycles(f)
                    .iter()
                    .flat_map(|c| [c.top, c.from])
                    .collect()
            });
        let own = self
            .locals(0)
            .into_iter()
            .filter(|(l, _)| !tops.contains(&l.from));
        let locals = own
            .map(|(l, v)| (l.name.to_string(), self.write(v)))
            .collect();
        let frame = self
            .machine
            .at()
            .map(|(f, _)| (f, self.machine.frames().len()));
        Values {
            frame,
            locals,
            store: self.machine.store.image().0,
        }
    }

    fn changes(&mut self, before: &Values) -> Vec<String> {
        let mut words = Vec::new();
        let now = self.watch_values();
        let left = before.frame.zip(now.frame).is_none_or(|(a, b)| b.1 < a.1);
        if left && let Some(function) = before.frame.and_then(|(f, _)| self.machine.function(f)) {
            let (name, value) = (function.name, self.machine.given_back());
            if function.role == Role::Function && value != Value::NOTHING {
                words.push(format!("{name} gives {}", self.write(value)));
            }
        }
        // The variables of another frame are others, whatever their names.
        for (name, old) in before.locals.iter().filter(|_| before.frame == now.frame) {
            if let Some((_, new)) = now.locals.iter().find(|(n, new)| n == name && new != old) {
                words.push(format!("{name}: {old} => {new}"));
            }
        }
        words.extend(self.differences(&before.store, &now.store, 6));
        words
    }

    /// Stops where the showing has led to.
    fn after_showing(&mut self, ran: Ran, reply: &mut Reply) {
        let outcome = match ran {
            Ran::Through(outcome) => outcome,
            Ran::ToEdge => return self.drive(Some(Goal::Into), reply),
            Ran::Stopped(verdict) => return self.stop_as(verdict, reply),
        };
        match outcome {
            Outcome::Paused(Pause::Watcher) if !self.machine.is_idle() => {
                let hidden =
                    !self.debugger.rules && self.look_at(0).is_some_and(|l| l.role == Role::Rules);
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
                // What was typed at a stop leads back to it.
                let marks = self.debugger.stops(self.machine.program(), &[]);
                if marks.is_reached(&Goal::Into, &self.machine) {
                    self.tell(reply);
                    return self.stop("step", "", reply);
                }
                self.drive(Some(Goal::Into), reply);
            }
        }
    }

    /// An expression to be looked at that may be pointed at: it has a source of its own.
    pub(super) fn compile_look(
        &mut self,
        text: &str,
    ) -> Result<(Arc<Source>, Looked), Vec<Diagnostic>> {
        self.entries += 1;
        let source = self.sources.add(Origin::Entry(self.entries), text);
        let looked = self.to_look_at(&source)?;
        Ok((source, looked))
    }

    /// An expression with all its values under their columns.
    pub fn explain(&mut self, text: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
        let (source, looked) = self.compile_look(text)?;
        self.on_a_copy(|session| {
            session.start_looking(looked)?;
            let mut collector = Collector::new(&session.machine);
            collector.through = true;
            if let Outcome::Failed(fault) = session.machine.watched(&mut collector) {
                return Err(vec![session.runtime_error(&fault)]);
            }
            Ok(column::values(
                &source.text,
                source.whole(),
                &collector.seen,
                session.look.width,
            ))
        })
    }
}

/// What a statement's showing covers: all of it, or its head if other statements stand inside.
pub(super) fn head_of(text: &str, span: Span, inner: Option<u32>) -> Span {
    let Some(inner) = inner else { return span };
    let head = text.get(span.start as usize..inner as usize).unwrap_or("");
    // Behind the brace there may be remarks on what stands inside.
    let remark = |rest: &str| {
        rest.is_empty()
            || ["//", "/*", "#", "--"]
                .iter()
                .any(|mark| rest.starts_with(mark))
    };
    let brace = head
        .match_indices('{')
        .map(|(at, _)| at)
        .find(|at| remark(head[at + 1..].trim_start()));
    let head = head
        .get(..brace.unwrap_or(head.len()))
        .unwrap_or(head)
        .trim_end();
    Span {
        end: span.start + head.len() as u32,
        ..span
    }
}
