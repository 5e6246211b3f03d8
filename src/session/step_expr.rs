//! Showing how something comes to its value: a statement in frames, a loop as a table, an expression in columns.

use super::breakpoint_hits::HitResult;
use super::call_tree::elide;
use super::watch_expr::CompiledExpr;
use super::{FrameInfo, Line, Reply, Session, Style};
use crate::code::{FunctionId, FunctionKind, StopKind, ValueLoc};
use crate::debugger::value_recorder::{self, EvalView, Sample, ValueRecorder};
use crate::debugger::{BreakpointGuard, StepTarget, StopMap, loop_info, value_columns};
use crate::diagnostic::Diagnostic;
use crate::machine::{Outcome, Pause};
use crate::source::{Origin, Source, Span};
use crate::value::{StoreSnapshot, Value};
use std::sync::Arc;

/// How the run of a statement ended.
enum Ran {
    Through(Outcome),
    /// Something was typed in the midst of it.
    ToEdge,
    /// At a breakpoint in what it calls.
    Stopped(HitResult),
}

/// How far the showing of a statement, part by part, has come.
#[derive(Clone, Debug)]
pub struct PartialEval {
    seen: Vec<Sample>,
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
    store: StoreSnapshot,
}

impl Session {
    /// Does the statement at hand, and shows its evaluation in frames.
    pub fn step_expression(&mut self, reply: &mut Reply) {
        let Some(look) = self.frame_info(0) else {
            return reply.error("nothing is stopped");
        };
        if self.is_nothing_to_show(&look) {
            return self.resume(Some(StepTarget::Into), reply);
        }
        let (before, unsaid) = (self.watch_values(), self.values_unsaid(&look));
        let mut collector = ValueRecorder::new(&self.machine);
        let outcome = self.run_statement(&mut collector, reply);
        let done = if let Ran::Through(_) = outcome {
            Some(&before)
        } else {
            None
        };
        self.show_frames(&look, &collector.samples, 0, done, reply);
        self.show_unsaid(&look, &collector.samples, unsaid, reply);
        self.show_branch(collector.last_branch, reply);
        self.after_showing(outcome, reply);
    }

    /// Whether the statement at hand is one of the rules, which are not shown, or something was typed before it.
    fn is_nothing_to_show(&self, look: &FrameInfo) -> bool {
        let typed = self
            .timeline
            .next_nested_time()
            .is_some_and(|edge| self.machine.time() >= edge);
        typed || look.role == FunctionKind::Rules && !self.debugger.steps_into_rules
    }

    /// Runs a statement while somebody looks on. Breakpoints in what it calls stop it, and in the past what was typed in
    /// the midst of it.
    fn run_statement(&mut self, collector: &mut ValueRecorder, reply: &mut Reply) -> Ran {
        let depth = self.machine.frames().len();
        let until = self.timeline.next_nested_time().unwrap_or(u64::MAX);
        loop {
            self.rebind_breakpoints_quietly();
            let marks = StopMap::new(self.machine.program(), &self.debugger.traps(), |_| true);
            let from = self.machine.time();
            let mut guarded = BreakpointGuard {
                inner: &mut *collector,
                stop_map: &marks,
                start_time: from,
                depth,
                end_time: until,
                has_hit_breakpoint: false,
            };
            let outcome = self.machine.run_observed(&mut guarded);
            let trapped = guarded.has_hit_breakpoint;
            self.timeline.collect_checkpoints(&mut self.machine);
            if !trapped {
                let at_edge =
                    outcome == Outcome::Paused(Pause::Observer) && self.machine.time() >= until;
                return if at_edge {
                    Ran::ToEdge
                } else {
                    Ran::Through(outcome)
                };
            }
            match self.check_breakpoints(true, &|_| false, reply) {
                HitResult::Continue | HitResult::StepDone => {}
                HitResult::Ended(outcome) => return Ran::Through(outcome),
                stop @ HitResult::Stop { .. } => return Ran::Stopped(stop),
            }
        }
    }

    /// Does the statement at hand up to the next part that has a value, and shows that one.
    pub fn step_subexpression(&mut self, reply: &mut Reply) {
        let Some(mut look) = self.frame_info(0) else {
            return reply.error("nothing is stopped");
        };
        let known = self.partial_eval.take().filter(|p| {
            p.time == self.machine.time()
                && (p.span == look.span || p.looked > 0 || !self.at_stop())
        });
        if known.is_none() && self.is_nothing_to_show(&look) {
            return self.resume(Some(StepTarget::Into), reply);
        }
        // Behind a loop stands what is in its body, but it is still its head that is shown.
        look.span = known.as_ref().map_or(look.span, |p| p.span);
        let mut collector = ValueRecorder::new(&self.machine);
        (collector.samples, collector.sampled_here) =
            known.map(|p| (p.seen, p.looked)).unwrap_or_default();
        let from = collector.samples.len();
        collector.sample_limit = from + 1;
        let (before, unsaid) = (self.watch_values(), self.values_unsaid(&look));
        let mut outcome = self.run_statement(&mut collector, reply);
        // What only closes the statement is not worth a frame.
        while collector.samples.len() == collector.sample_limit
            && collector
                .samples
                .last()
                .is_some_and(|s| s.is_enclosing_result(look.span))
        {
            collector.sample_limit += 1;
            outcome = self.run_statement(&mut collector, reply);
        }
        let paused = matches!(outcome, Ran::Through(Outcome::Paused(Pause::Observer)));
        let midway = paused && collector.samples.len() >= collector.sample_limit;
        let done = matches!(outcome, Ran::Through(_)) && !midway;
        self.show_frames(
            &look,
            &collector.samples,
            from,
            done.then_some(&before),
            reply,
        );
        self.show_unsaid(
            &look,
            &collector.samples,
            unsaid.filter(|_| from == 0),
            reply,
        );
        if midway {
            let time = self.machine.time();
            self.partial_eval = Some(PartialEval {
                seen: collector.samples,
                span: look.span,
                time,
                looked: collector.sampled_here,
            });
            reply.stop = self.stop_view("step");
            self.record_visit();
            return;
        }
        self.show_branch(collector.last_branch, reply);
        self.after_showing(outcome, reply);
    }

    /// What a condition looks at and does not name, as the counter of `gameoveronzerocounter`.
    fn values_unsaid(&self, look: &FrameInfo) -> Option<String> {
        let stop = self
            .machine
            .function(look.function)?
            .stop_point_at(look.pc)?;
        let read = self.format_variables_read(look.function, look.span);
        (stop.kind == StopKind::Condition && !read.is_empty()).then_some(read)
    }

    /// Tells such values where the whole is all that was to be seen.
    fn show_unsaid(
        &self,
        look: &FrameInfo,
        seen: &[Sample],
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
            .current_location()
            .and_then(|(f, pc)| Some(self.machine.function(f)?.stop_point_at(pc).is_some()));
        here.unwrap_or(false)
    }

    /// The branch that comes of a test.
    fn show_branch(&self, branch: Option<Span>, reply: &mut Reply) {
        if let Some(branch) = branch {
            let text = elide(&self.one_line(branch), 60);
            reply.line(Line::plain("     so: ").with(Style::Strong, text));
        }
    }

    /// The frames of a statement from one on, and what it changed if it is done.
    fn show_frames(
        &mut self,
        look: &FrameInfo,
        seen: &[Sample],
        from: usize,
        before: Option<&Values>,
        reply: &mut Reply,
    ) {
        let mut changes = before.map(|b| self.changes(b));
        let Some(source) = self.sources.get(look.span.source) else {
            return;
        };
        let shown = head_span(&source.text, look.span, self.first_nested_start(look));
        let around = self.goes_on_around(look, seen);
        // A single change stands beside the last frame.
        let beside = match &mut changes {
            Some(all) if all.len() == 1 => all.pop(),
            Some(_) => Some(String::new()),
            None => None,
        };
        let showing = |origin| EvalView {
            text: source.slice(origin),
            origin,
            statement: look.span,
            width: self.view_settings.width,
        };
        let lines = match around {
            Some((whole, at)) => {
                let mut lines =
                    value_recorder::render_steps(&showing(shown), &seen[..at], from, None);
                lines.extend(value_recorder::render_steps(
                    &showing(whole),
                    seen,
                    from.max(at),
                    beside.as_deref(),
                ));
                lines
            }
            None => value_recorder::render_steps(&showing(shown), seen, from, beside.as_deref()),
        };
        for line in lines {
            let marks = line.trim_start().starts_with('^');
            let style = if marks { Style::Current } else { Style::Plain };
            reply.line(Line::styled(style, line));
        }
        for change in changes.into_iter().flatten() {
            reply.line(Line::plain("     ").with(Style::Changed, change));
        }
    }

    /// Where a statement is only an operand, what is evaluated behind it: in which statement, and from which part on.
    fn goes_on_around(&self, look: &FrameInfo, seen: &[Sample]) -> Option<(Span, usize)> {
        let closed = seen.iter().position(|s| s.is_enclosing_result(look.span))?;
        let at = closed
            + seen[closed..]
                .iter()
                .position(|s| !s.is_enclosing_result(look.span))?;
        let function = self.machine.program().function(look.function)?;
        let around = |span: Span| {
            span.contains(look.span) && seen[closed..].iter().all(|s| span.contains(s.span))
        };
        let stops = function.stop_points.iter().map(|s| s.span);
        let equations = function
            .value_infos
            .iter()
            .filter(|n| n.loc == ValueLoc::Equation)
            .map(|n| n.span);
        let all = stops
            .chain(equations)
            .filter(|span| *span != look.span && around(*span));
        Some((all.min_by_key(|span| span.end - span.start)?, at))
    }

    /// Where the first statement inside a statement begins.
    pub(super) fn first_nested_start(&self, look: &FrameInfo) -> Option<u32> {
        let function = self.machine.program().function(look.function)?;
        let inside = function
            .stop_points
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
            .current_location()
            .and_then(|(f, _)| self.machine.function(f))
            .map_or_else(Vec::new, |f| {
                loop_info::find_loops(f)
                    .iter()
                    .flat_map(|c| [c.iteration_start, c.start])
                    .collect()
            });
        let own = self
            .locals(0)
            .into_iter()
            .filter(|(l, _)| !tops.contains(&l.start_pc));
        let locals = own
            .map(|(l, v)| (l.name.to_string(), self.format_value(v)))
            .collect();
        let frame = self
            .machine
            .current_location()
            .map(|(f, _)| (f, self.machine.frames().len()));
        Values {
            frame,
            locals,
            store: self.machine.store.snapshot().0,
        }
    }

    fn changes(&mut self, before: &Values) -> Vec<String> {
        let mut words = Vec::new();
        let now = self.watch_values();
        let left = before.frame.zip(now.frame).is_none_or(|(a, b)| b.1 < a.1);
        if left && let Some(function) = before.frame.and_then(|(f, _)| self.machine.function(f)) {
            let (name, value) = (function.name, self.machine.return_value());
            if function.kind == FunctionKind::Function && value != Value::NOTHING {
                words.push(format!("{name} returns {}", self.format_value(value)));
            }
        }
        // The variables of another frame are others, whatever their names.
        for (name, old) in before.locals.iter().filter(|_| before.frame == now.frame) {
            if let Some((_, new)) = now.locals.iter().find(|(n, new)| n == name && new != old) {
                words.push(format!("{name}: {old} => {new}"));
            }
        }
        words.extend(self.state_diff(&before.store, &now.store, 6));
        words
    }

    /// Stops where the showing has led to.
    fn after_showing(&mut self, ran: Ran, reply: &mut Reply) {
        let outcome = match ran {
            Ran::Through(outcome) => outcome,
            Ran::ToEdge => return self.resume(Some(StepTarget::Into), reply),
            Ran::Stopped(verdict) => return self.stop_at_breakpoint(verdict, reply),
        };
        match outcome {
            Outcome::Paused(Pause::Observer) if !self.machine.is_idle() => {
                let hidden = !self.debugger.steps_into_rules
                    && self
                        .frame_info(0)
                        .is_some_and(|l| l.role == FunctionKind::Rules);
                if hidden {
                    return self.resume(Some(StepTarget::Into), reply);
                }
                self.drain_output(reply);
                self.report_stop("step", "", reply);
            }
            Outcome::Paused(Pause::Observer) => self.resume(None, reply),
            other => {
                // The run ended, failed or asks: as any run does.
                if self.on_outcome(other, Some(&StepTarget::Into), reply) {
                    return;
                }
                // What was typed at a stop leads back to it.
                let marks = self.debugger.stop_map(self.machine.program(), &[]);
                if marks.is_reached(&StepTarget::Into, &self.machine) {
                    self.drain_output(reply);
                    return self.report_stop("step", "", reply);
                }
                self.resume(Some(StepTarget::Into), reply);
            }
        }
    }

    /// An expression to be looked at that may be pointed at: it has a source of its own.
    pub(super) fn compile_expr(
        &mut self,
        text: &str,
    ) -> Result<(Arc<Source>, CompiledExpr), Vec<Diagnostic>> {
        self.entry_count += 1;
        let source = self.sources.add(Origin::Entry(self.entry_count), text);
        let looked = self.compile_in_frame(&source)?;
        Ok((source, looked))
    }

    /// An expression with all its values under their columns.
    pub fn explain(&mut self, text: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
        let (source, looked) = self.compile_expr(text)?;
        self.with_rollback(|session| {
            session.start_eval(looked)?;
            let mut collector = ValueRecorder::new(&session.machine);
            collector.ignores_stops = true;
            if let Outcome::Failed(fault) = session.machine.run_observed(&mut collector) {
                return Err(vec![session.runtime_error(&fault)]);
            }
            Ok(value_columns::render(
                &source.text,
                source.full_span(),
                &collector.samples,
                session.view_settings.width,
            ))
        })
    }
}

/// What a statement's showing covers: all of it, or its head if other statements stand inside.
pub(super) fn head_span(text: &str, span: Span, inner: Option<u32>) -> Span {
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
