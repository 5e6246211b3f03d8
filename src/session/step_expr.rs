//! Stepping through expressions: `step expr` shows a statement step by step, `step sub` one
//! subexpression at a time, `explain` an expression with all its values.

use super::{Answer, FrameInfo, Line, Session, Style};
use crate::code::{FunctionId, FunctionKind, StopKind, ValueLoc};
use crate::debugger::PartialEval;
use crate::debugger::Run;
use crate::debugger::api::StopReason;
use crate::debugger::breakpoint_hits::HitResult;
use crate::debugger::statement::head_span;
use crate::debugger::value_recorder::{self, EvalView, Sample, ValueRecorder};
use crate::debugger::{BreakpointGuard, StepTarget, StopMap, loop_info, value_columns};
use crate::diagnostic::Diagnostic;
use crate::machine::{Outcome, Pause};
use crate::render::{MAX_CHANGES_SHOWN, change_texts};
use crate::source::Span;
use crate::text::elide;
use crate::value::{StoreSnapshot, Value};
use std::rc::Rc;

/// How running a statement ended.
enum StatementEnd {
    /// The run paused or ended with this outcome.
    Ran(Outcome),
    /// At the time of a nested entry, when replaying.
    NestedEntry,
    /// At a breakpoint in a called function.
    Breakpoint(HitResult),
}

/// The state before a statement runs, to report what it changed.
struct StateBefore {
    /// The top function and the stack depth.
    frame: Option<(FunctionId, usize)>,
    locals: Vec<(String, String)>,
    store: StoreSnapshot,
}

impl Session {
    /// Runs the current statement and shows its evaluation step by step.
    pub fn step_expression(&mut self, reply: &mut Answer) {
        let Some(info) = self.target.frame_info(0) else {
            return reply.error(self.not_stopped_message());
        };
        if self.should_just_step(&info) {
            return reply.absorb(self.target.run(|run| run.resume(Some(StepTarget::Into))));
        }
        let (before, unnamed) = (self.capture_state(), self.unnamed_values(&info));
        let mut recorder = ValueRecorder::new(&self.target.machine);
        let outcome = self.run_statement(&mut recorder, reply);
        let done = if let StatementEnd::Ran(_) = outcome {
            Some(&before)
        } else {
            None
        };
        self.show_steps(&info, &recorder.samples, 0, done, reply);
        self.show_unnamed_values(&info, &recorder.samples, unnamed, reply);
        self.show_branch(recorder.last_branch, reply);
        self.report_end_of_statement(outcome, reply);
    }

    /// Whether to step normally: the current statement belongs to the rules, which are hidden, or a
    /// nested entry starts here.
    fn should_just_step(&self, info: &FrameInfo) -> bool {
        let nested_entry_starts = self
            .target
            .timeline
            .next_nested_time()
            .is_some_and(|time| self.target.machine.time() >= time);
        nested_entry_starts
            || info.kind == FunctionKind::Rules && !self.target.debugger.steps_into_rules
    }

    /// Runs a statement with a recorder. Stops at breakpoints in called functions and, when
    /// replaying, at nested entries.
    fn run_statement(&mut self, recorder: &mut ValueRecorder, reply: &mut Answer) -> StatementEnd {
        let depth = self.target.machine.frames().len();
        let end_time = self.target.timeline.next_nested_time().unwrap_or(u64::MAX);
        loop {
            self.target.rebind_breakpoints_quietly();
            let stop_map = StopMap::new(
                self.target.machine.program(),
                &self.target.debugger.traps(),
                |_| true,
            );
            let start_time = self.target.machine.time();
            let mut guard = BreakpointGuard {
                inner: &mut *recorder,
                stop_map: &stop_map,
                start_time,
                depth,
                end_time,
                has_hit_breakpoint: false,
            };
            let outcome = self.target.machine.run_observed(&mut guard);
            let has_hit_breakpoint = guard.has_hit_breakpoint;
            self.target
                .timeline
                .collect_checkpoints(&mut self.target.machine);
            if !has_hit_breakpoint {
                let at_nested_entry = outcome == Outcome::Paused(Pause::Observer)
                    && self.target.machine.time() >= end_time;
                return if at_nested_entry {
                    StatementEnd::NestedEntry
                } else {
                    StatementEnd::Ran(outcome)
                };
            }
            let mut run = Run::new(&mut self.target);
            let hit = run.check_breakpoints(true, &|_| false);
            reply.absorb(run.finish());
            match hit {
                HitResult::Continue | HitResult::StepDone => {}
                HitResult::Ended(outcome) => return StatementEnd::Ran(outcome),
                stop @ HitResult::Stop { .. } => return StatementEnd::Breakpoint(stop),
            }
        }
    }

    /// Runs the current statement up to the next subexpression that has a value, and shows that
    /// value.
    pub fn step_subexpression(&mut self, reply: &mut Answer) {
        let Some(mut info) = self.target.frame_info(0) else {
            return reply.error(self.not_stopped_message());
        };
        let progress = self.target.partial_eval.take().filter(|p| {
            p.time == self.target.machine.time()
                && (p.span == info.span || p.sampled_here > 0 || !self.is_at_statement_start())
        });
        if progress.is_none() && self.should_just_step(&info) {
            return reply.absorb(self.target.run(|run| run.resume(Some(StepTarget::Into))));
        }
        // The machine may already be inside a loop body while the loop's head is still being shown.
        info.span = progress.as_ref().map_or(info.span, |p| p.span);
        let mut recorder = ValueRecorder::new(&self.target.machine);
        (recorder.samples, recorder.sampled_here) = progress
            .map(|p| (p.samples, p.sampled_here))
            .unwrap_or_default();
        let from = recorder.samples.len();
        recorder.sample_limit = from + 1;
        let (before, unnamed) = (self.capture_state(), self.unnamed_values(&info));
        let mut outcome = self.run_statement(&mut recorder, reply);
        // A sample that only repeats the value of the statement is not shown.
        while recorder.samples.len() == recorder.sample_limit
            && recorder
                .samples
                .last()
                .is_some_and(|s| s.is_enclosing_result(info.span))
        {
            recorder.sample_limit += 1;
            outcome = self.run_statement(&mut recorder, reply);
        }
        let has_paused = matches!(outcome, StatementEnd::Ran(Outcome::Paused(Pause::Observer)));
        let is_partial = has_paused && recorder.samples.len() >= recorder.sample_limit;
        let is_done = matches!(outcome, StatementEnd::Ran(_)) && !is_partial;
        self.show_steps(
            &info,
            &recorder.samples,
            from,
            is_done.then_some(&before),
            reply,
        );
        self.show_unnamed_values(
            &info,
            &recorder.samples,
            unnamed.filter(|_| from == 0),
            reply,
        );
        if is_partial {
            let time = self.target.machine.time();
            self.target.partial_eval = Some(PartialEval {
                samples: recorder.samples,
                span: info.span,
                time,
                sampled_here: recorder.sampled_here,
            });
            reply.stop = self
                .target
                .describe_stop(StopReason::Step, "", Vec::new())
                .map(Rc::new);
            self.target.record_visit();
            return;
        }
        self.show_branch(recorder.last_branch, reply);
        self.report_end_of_statement(outcome, reply);
    }

    /// The variables that a condition reads without naming them, such as the counter of
    /// `gameoveronzerocounter`.
    fn unnamed_values(&self, info: &FrameInfo) -> Option<String> {
        let stop = self
            .target
            .machine
            .function(info.function)?
            .stop_point_at(info.pc)?;
        let read = self.format_variables_read(info.function, info.span);
        (stop.kind == StopKind::Condition && !read.is_empty()).then_some(read)
    }

    /// Shows these values if the condition as a whole was the only sample.
    fn show_unnamed_values(
        &self,
        info: &FrameInfo,
        samples: &[Sample],
        unnamed: Option<String>,
        reply: &mut Answer,
    ) {
        if let Some(unnamed) =
            unnamed.filter(|_| !samples.is_empty() && samples.iter().all(|s| s.span == info.span))
        {
            reply.line(format!("     where {unnamed}"));
        }
    }

    /// Whether the machine is at the start of a statement.
    fn is_at_statement_start(&self) -> bool {
        let here =
            self.target.machine.current_location().and_then(|(f, pc)| {
                Some(self.target.machine.function(f)?.stop_point_at(pc).is_some())
            });
        here.unwrap_or(false)
    }

    /// Shows the branch selected by a test.
    fn show_branch(&self, branch: Option<Span>, reply: &mut Answer) {
        if let Some(branch) = branch {
            let text = elide(&self.target.code_on_one_line(branch), 60);
            reply.line(Line::plain("     so: ").with(Style::Strong, text));
        }
    }

    /// Shows the steps of a statement from sample `from` on, and what it changed if it is finished.
    fn show_steps(
        &mut self,
        info: &FrameInfo,
        samples: &[Sample],
        from: usize,
        before: Option<&StateBefore>,
        reply: &mut Answer,
    ) {
        let mut changes = before.map(|b| self.describe_changes(b));
        let Some(source) = self.target.sources.get(info.span.source) else {
            return;
        };
        let head = head_span(&source.text, info.span, self.first_nested_start(info));
        let enclosing = self.enclosing_expression(info, samples);
        // A single change goes next to the last step.
        let side_note = match &mut changes {
            Some(changes) if changes.len() == 1 => changes.pop(),
            Some(_) => Some(String::new()),
            None => None,
        };
        let view = |origin| EvalView {
            text: source.slice(origin),
            origin,
            statement: info.span,
            width: self.view_settings.width,
        };
        let lines = match enclosing {
            Some((outer, split)) => {
                let mut lines =
                    value_recorder::render_steps(&view(head), &samples[..split], from, None);
                lines.extend(value_recorder::render_steps(
                    &view(outer),
                    samples,
                    from.max(split),
                    side_note.as_deref(),
                ));
                lines
            }
            None => value_recorder::render_steps(&view(head), samples, from, side_note.as_deref()),
        };
        for line in lines {
            let is_underline = line.trim_start().starts_with('^');
            let style = if is_underline {
                Style::Current
            } else {
                Style::Plain
            };
            reply.line(Line::styled(style, line));
        }
        for change in changes.into_iter().flatten() {
            reply.line(Line::plain("     ").with(Style::Changed, change));
        }
    }

    /// If the statement is an operand of a larger expression that continues after it: the span of
    /// that expression, and its first sample.
    fn enclosing_expression(&self, info: &FrameInfo, samples: &[Sample]) -> Option<(Span, usize)> {
        let first_repeated = samples
            .iter()
            .position(|s| s.is_enclosing_result(info.span))?;
        let first_outer = first_repeated
            + samples[first_repeated..]
                .iter()
                .position(|s| !s.is_enclosing_result(info.span))?;
        let function = self.target.machine.program().function(info.function)?;
        let encloses_all = |span: Span| {
            span.contains(info.span)
                && samples[first_repeated..]
                    .iter()
                    .all(|s| span.contains(s.span))
        };
        let statements = function.stop_points.iter().map(|s| s.span);
        let equations = function
            .value_infos
            .iter()
            .filter(|n| n.loc == ValueLoc::Equation)
            .map(|n| n.span);
        let candidates = statements
            .chain(equations)
            .filter(|span| *span != info.span && encloses_all(*span));
        Some((
            candidates.min_by_key(|span| span.end - span.start)?,
            first_outer,
        ))
    }

    /// The start of the first statement nested inside a statement.
    pub(super) fn first_nested_start(&self, info: &FrameInfo) -> Option<u32> {
        let function = self.target.machine.program().function(info.function)?;
        let inside = function
            .stop_points
            .iter()
            .filter(|s| info.span.contains(s.span) && s.span != info.span);
        inside
            .map(|s| s.span.start)
            .filter(|s| *s > info.span.start)
            .min()
    }

    /// Captures the variables before a statement runs.
    fn capture_state(&mut self) -> StateBefore {
        // Loop counters change between iterations, not in a statement.
        let loop_starts: Vec<u32> = self
            .target
            .machine
            .current_location()
            .and_then(|(f, _)| self.target.machine.function(f))
            .map_or_else(Vec::new, |f| {
                loop_info::find_loops(f)
                    .iter()
                    .flat_map(|c| [c.iteration_start, c.start])
                    .collect()
            });
        let locals = self
            .target
            .locals(0)
            .into_iter()
            .filter(|(l, _)| !loop_starts.contains(&l.start_pc));
        let locals = locals
            .map(|(l, v)| (l.name.to_string(), self.target.format_value(v)))
            .collect();
        let frame = self
            .target
            .machine
            .current_location()
            .map(|(f, _)| (f, self.target.machine.frames().len()));
        StateBefore {
            frame,
            locals,
            store: self.target.machine.store.snapshot().0,
        }
    }

    fn describe_changes(&mut self, before: &StateBefore) -> Vec<String> {
        let mut changes = Vec::new();
        let now = self.capture_state();
        let has_returned = before.frame.zip(now.frame).is_none_or(|(a, b)| b.1 < a.1);
        if has_returned
            && let Some(function) = before
                .frame
                .and_then(|(f, _)| self.target.machine.function(f))
        {
            let (name, value) = (function.name, self.target.machine.return_value());
            if function.kind == FunctionKind::Function && value != Value::NOTHING {
                changes.push(format!(
                    "{name} returns {}",
                    self.target.format_value(value)
                ));
            }
        }
        // Variables of different frames cannot be compared, even if they have the same name.
        for (name, old) in before.locals.iter().filter(|_| before.frame == now.frame) {
            if let Some((_, new)) = now.locals.iter().find(|(n, new)| n == name && new != old) {
                changes.push(format!("{name}: {old} => {new}"));
            }
        }
        changes.extend(change_texts(
            &self.target.state_diff(&before.store, &now.store),
            MAX_CHANGES_SHOWN,
        ));
        changes
    }

    /// Reports the stop after a statement was shown.
    fn report_end_of_statement(&mut self, end: StatementEnd, reply: &mut Answer) {
        reply.absorb(self.target.run(|run| end_statement(run, end)));
    }

    /// Evaluates an expression and shows the values of all its subexpressions.
    pub fn explain(&mut self, text: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
        let (source, compiled) = self.target.compile_expr(text)?;
        self.with_rollback(|session| {
            session.target.start_eval(compiled)?;
            let mut recorder = ValueRecorder::new(&session.target.machine);
            recorder.ignores_stops = true;
            if let Outcome::Failed(error) = session.target.machine.run_observed(&mut recorder) {
                return Err(vec![session.target.runtime_error(&error)]);
            }
            Ok(value_columns::render(
                &source.text,
                source.full_span(),
                &recorder.samples,
                session.view_settings.width,
            ))
        })
    }
}

/// Continues after a statement was run on its own.
fn end_statement(run: &mut Run<'_>, end: StatementEnd) {
    let outcome = match end {
        StatementEnd::Ran(outcome) => outcome,
        StatementEnd::NestedEntry => return run.resume(Some(StepTarget::Into)),
        StatementEnd::Breakpoint(hit) => return run.stop_at_breakpoint(hit),
    };
    match outcome {
        Outcome::Paused(Pause::Observer) if !run.target.machine.is_idle() => {
            let is_hidden = !run.target.debugger.steps_into_rules
                && run
                    .target
                    .frame_info(0)
                    .is_some_and(|l| l.kind == FunctionKind::Rules);
            if is_hidden {
                return run.resume(Some(StepTarget::Into));
            }
            run.drain_output();
            run.stop_here(StopReason::Step, "", Vec::new());
        }
        Outcome::Paused(Pause::Observer) => run.resume(None),
        other => {
            // The run ended, failed or needs input: handle it like any other run.
            if run.on_outcome(other, Some(&StepTarget::Into)) {
                return;
            }
            // An entry typed at a stop returns to that stop.
            let stop_map = run
                .target
                .debugger
                .stop_map(run.target.machine.program(), &[]);
            if stop_map.is_target_reached(&StepTarget::Into, &run.target.machine) {
                run.drain_output();
                return run.stop_here(StopReason::Step, "", Vec::new());
            }
            run.resume(Some(StepTarget::Into));
        }
    }
}
