//! Provenance: explains values computed by equations, by showing which equations were applied with
//! which arguments.

use super::call_tree::CallTreeRenderer;
use super::{Answer, FrameInfo, Line, Session, Style};
use crate::code::{Function, FunctionId, FunctionKind, Instr, Local, Reg, StopKind, ValueLoc};
use crate::debugger::StepTarget;
use crate::debugger::exec_trace::{Call, ExecTrace, TraceEvent};
use crate::diagnostic::{Diagnostic, Phase};
use crate::machine::{Outcome, Pause};
use crate::source::Span;
use crate::text::elide;
use crate::value::Value;
use std::rc::Rc;

/// The instruction budget for evaluating an expression to explain.
const WHY_BUDGET_INSTRUCTIONS: u64 = 50_000_000;

/// How many callers to follow for a parameter that is passed on unchanged.
const MAX_CALLERS_FOLLOWED: usize = 6;

type TracedExpr = (ExecTrace, Span, Option<Value>, String, Option<Diagnostic>);

impl Session {
    /// Evaluates an expression and shows which equations produce its value. The game does not
    /// change.
    pub fn why_expression(&mut self, text: &str, reply: &mut Answer) {
        let (trace, span, _, value, error) = match self.trace_expr(text) {
            Ok(traced) => traced,
            Err(diagnostics) => {
                reply.ok = false;
                return reply.diagnostics.extend(diagnostics);
            }
        };
        let mut renderer = CallTreeRenderer::new(self, false);
        let width = renderer.available_width(value.chars().count().min(40) + 4);
        let head = elide(&self.target.code_on_one_line(span), width);
        // If the expression is a single call, the call tree alone says it all.
        let call_sites: Vec<Span> = trace
            .calls
            .iter()
            .filter(|c| c.depth == 1)
            .map(|c| c.call_site)
            .collect();
        let is_single_call = call_sites.contains(&span) && call_sites.len() == 1 && error.is_none();
        if !is_single_call {
            renderer.push_line(match &error {
                None => Line::styled(Style::Strong, format!("{head} is {}", elide(&value, 60))),
                Some(_) => Line::styled(Style::Strong, format!("{head} has no value")),
            });
        }
        if let Some(root) = trace.calls.first().filter(|_| !is_single_call) {
            renderer.push_events(root, span, &call_sites, 2);
        }
        renderer.push_calls(&trace, if is_single_call { 0 } else { 2 }, |_| true);
        let hint = if trace.calls.len() > 1 {
            format!(
                "  `:step {}` steps through it",
                self.target.code_on_one_line(span)
            )
        } else {
            String::new()
        };
        if !hint.is_empty() {
            renderer.push_dim(hint);
        }
        let mut lines = renderer.into_lines();
        // Without subexpressions, both lines are the same.
        lines.dedup_by(|a, b| a.text().trim() == b.text().trim());
        reply.lines(lines);
        reply.ok &= error.is_none();
        reply.diagnostics.extend(error);
    }

    /// Explains why an expression is not true: which tests were false.
    pub fn why_not_expression(&mut self, text: &str, reply: &mut Answer) {
        let (trace, _, value, value_text, error) = match self.trace_expr(text) {
            Ok(traced) => traced,
            Err(diagnostics) => {
                reply.ok = false;
                return reply.diagnostics.extend(diagnostics);
            }
        };
        match value {
            Some(Value::TRUE) => {
                return reply.line(format!(
                    "{text} is already {value_text}; `:why {text}` explains it"
                ));
            }
            Some(Value::FALSE) | None => {}
            Some(_) if error.is_none() => {
                return reply.error(format!(
                    "`{text}` is {value_text}, not true or false; use `:why {text}`"
                ));
            }
            Some(_) => {}
        }
        self.why_expression(text, reply);
        let false_tests = self.innermost_false_tests(&trace);
        if !false_tests.is_empty() {
            reply.line(Line::plain("  One of these would have to be different:"));
            false_tests
                .into_iter()
                .take(6)
                .for_each(|line| reply.line(Line::plain(format!("    {line}"))));
        }
    }

    /// The innermost tests that were false.
    fn innermost_false_tests(&self, trace: &ExecTrace) -> Vec<String> {
        let mut lines = Vec::new();
        for call in &trace.calls {
            let call_sites: Vec<Span> = trace.calls.iter().map(|c| c.call_site).collect();
            for expr in call.values.iter().filter(|p| p.value == Value::FALSE) {
                let is_inner = |s: Span| expr.span.contains(s) && s != expr.span;
                let tests = call
                    .values
                    .iter()
                    .filter(|p| matches!(p.value, Value::TRUE | Value::FALSE));
                if tests.clone().any(|p| is_inner(p.span))
                    || call_sites.contains(&expr.span)
                    || call_sites.iter().any(|s| is_inner(*s))
                {
                    continue;
                }
                let text = self.target.code_on_one_line(expr.span);
                let test = CallTreeRenderer::new(self, false).format_part(call, expr);
                let line = format!(
                    "{test}   in {}, {}",
                    call.name,
                    self.target.short_location(expr.span)
                );
                if text.chars().any(|c| !c.is_alphanumeric()) && !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        lines
    }

    /// Explains the value of a variable that was computed by equations; `time` is just before the
    /// assignment. Returns false if there are no equations.
    pub(super) fn why_computed(
        &mut self,
        head: Line,
        time: u64,
        cell: Option<(i64, i64)>,
        reply: &mut Answer,
    ) -> bool {
        let assignment = self.with_time(|s| {
            s.target.timeline.seek_into(&mut s.target.machine, time);
            let info = s.target.frame_info(0)?;
            let function = s.target.machine.function(info.function)?.clone();
            let equations =
                |f: &Rc<Function>| f.stop_points.iter().any(|s| s.kind == StopKind::Equation);
            if !equations(&function) && !s.target.program().functions.iter().any(equations) {
                return None;
            }
            let expr = function.spans.get(info.pc as usize).copied()?;
            let trace = s.trace_frame(&info, time, cell)?;
            let callers = s.caller_lines(0, time);
            Some((info, expr, trace, callers))
        });
        let Some((info, expr, trace, callers)) = assignment else {
            return false;
        };
        let is_last_call = last_calls_in(&trace, expr);
        let is_shown_alone = |c: &&Call| {
            c.depth == 1
                && c.call_site == expr
                && is_last_call(c)
                && head.text().starts_with(&format!("{} is ", c.name))
        };
        let is_single_call = trace.calls.iter().any(|c| is_shown_alone(&c));
        let mut renderer = CallTreeRenderer::new(self, true);
        if !is_single_call {
            renderer.push_line(head.with(Style::Dim, format!("   time {time}")));
        }
        if let Some(root) = trace.calls.first() {
            renderer.push_origin(root, &info, expr, &trace);
        }
        renderer.push_calls(&trace, if is_single_call { 0 } else { 2 }, is_last_call);
        let mut lines = renderer.into_lines();
        lines.extend(callers);
        reply.lines(lines);
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
        true
    }

    /// The step target for the start of a frame's call.
    fn call_start_target(&self, info: &FrameInfo) -> Option<StepTarget> {
        let function = self.target.machine.function(info.function)?.clone();
        Some(StepTarget::Revisit {
            function,
            pc: 0,
            depth: info.index + 1,
        })
    }

    /// Traces a frame from its start to a time.
    fn trace_frame(
        &mut self,
        info: &FrameInfo,
        until: u64,
        cell: Option<(i64, i64)>,
    ) -> Option<ExecTrace> {
        let start_target = self.call_start_target(info)?;
        self.with_time(|s| {
            let start = s.target.last_hit_before(start_target, until + 1)?;
            s.target.timeline.seek_into(&mut s.target.machine, start);
            let mut trace = ExecTrace::new(&s.target.machine, until);
            trace.cell = cell;
            s.target.replay_watched(&mut trace, until);
            Some(trace)
        })
    }

    /// Explains the value of a local in the selected frame. Returns false if its function has no
    /// equations.
    pub fn why_local(&mut self, name: &str, reply: &mut Answer) -> bool {
        let from_top = self.target.debugger.selected_frame;
        let Some(info) = self.target.frame_info(from_top) else {
            return false;
        };
        let Some(function) = self.target.machine.function(info.function).cloned() else {
            return false;
        };
        let Some(&(local, value)) = self
            .target
            .locals(from_top)
            .iter()
            .rev()
            .find(|(l, _)| l.name.as_str() == name)
        else {
            return false;
        };
        let infos = function.value_infos.iter();
        if !infos.clone().any(|n| matches!(n.loc, ValueLoc::Bind(_)))
            && function
                .stop_points
                .first()
                .is_none_or(|s| s.kind != StopKind::Equation)
        {
            return false;
        }
        let head = Line::styled(
            Style::Strong,
            format!("{name} is {}", elide(&self.target.format_value(value), 60)),
        );
        match local.register < function.parameter_count {
            true => self.why_parameter(from_top, local.register, head, reply),
            false => self.why_bound(from_top, &info, local, head, reply),
        }
        true
    }

    /// Explains a local bound by `let` or by an iteration of a loop.
    fn why_bound(
        &mut self,
        from_top: usize,
        info: &FrameInfo,
        local: Local,
        head: Line,
        reply: &mut Answer,
    ) {
        let now = self.target.machine.time();
        let Some(trace) = self.trace_frame(info, now, None) else {
            return reply.line(head);
        };
        let binding = trace.calls.first().and_then(|root| {
            root.events.iter().rev().find_map(|event| match event {
                TraceEvent::Bind {
                    register,
                    name: Some(name),
                    expr,
                    time,
                    ..
                } if *register == local.register && name == local.name.as_str() => {
                    Some((*expr, *time))
                }
                _ => None,
            })
        });
        let Some((expr, time)) = binding else {
            // The loop has not rebound it yet, so it has the value of the outer variable.
            let outer = self.target.machine.function(info.function).and_then(|f| {
                f.locals
                    .iter()
                    .filter(|l| l.name == local.name && l.start_pc < local.start_pc)
                    .max_by_key(|l| l.start_pc)
                    .copied()
            });
            return match outer {
                Some(outer) if outer.register < self.parameter_count(info.function) => {
                    self.why_parameter(from_top, outer.register, head, reply);
                }
                Some(outer) => self.why_bound(from_top, info, outer, head, reply),
                None => reply.line(head),
            };
        };
        let mut renderer = CallTreeRenderer::new(self, true);
        renderer.push_line(head.with(Style::Dim, format!("   time {time}")));
        if let Some(root) = trace.calls.first() {
            renderer.push_origin(root, info, expr, &trace);
        }
        renderer.push_calls(&trace, 2, last_calls_in(&trace, expr));
        reply.lines(renderer.into_lines());
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
    }

    fn parameter_count(&self, function: FunctionId) -> u16 {
        self.target
            .machine
            .function(function)
            .map_or(0, |f| f.parameter_count)
    }

    /// Explains a parameter: the argument in the caller, and where the caller got it from.
    fn why_parameter(&mut self, from_top: usize, register: Reg, head: Line, reply: &mut Answer) {
        reply.line(head);
        let (mut from_top, mut register) = (from_top, register);
        for _ in 0..MAX_CALLERS_FOLLOWED {
            let Some((caller, trace, expr)) = self.argument(from_top, register) else {
                break;
            };
            from_top += 1;
            let passed_local = self.passed_local(from_top, &caller, expr);
            if let Some((bound, value)) = passed_local
                && bound.register >= self.parameter_count(caller.function)
            {
                let head = Line::plain(format!(
                    "  it is {}, which is {}",
                    bound.name,
                    elide(&self.target.format_value(value), 50)
                ));
                return self.why_bound(from_top, &caller, bound, head, reply);
            }
            let mut renderer = CallTreeRenderer::new(self, true);
            if let Some(root) = trace.calls.first() {
                renderer.push_argument(root, &caller, expr, passed_local.is_none(), &trace);
            }
            if passed_local.is_none() {
                renderer.push_calls(&trace, 4, last_calls_in(&trace, expr));
            }
            reply.lines(renderer.into_lines());
            match passed_local {
                Some((next, _)) => register = next.register,
                None => break,
            }
        }
        let now = self.target.machine.time();
        let callers = self.with_time(|s| s.caller_lines(from_top, now));
        reply.lines(callers);
    }

    /// The caller of a frame, its trace up to the call, and the argument expression for a
    /// parameter.
    fn argument(&mut self, from_top: usize, register: Reg) -> Option<(FrameInfo, ExecTrace, Span)> {
        let info = self.target.frame_info(from_top)?;
        let caller = self.target.frame_info(from_top + 1)?;
        let start_target = self.call_start_target(&info)?;
        let now = self.target.machine.time();
        let time = self
            .with_time(|s| s.target.last_hit_before(start_target, now + 1))?
            .checked_sub(1)?;
        let Some(Instr::Call { base, .. }) = self
            .target
            .machine
            .function(caller.function)?
            .code
            .get(caller.pc as usize)
        else {
            return None;
        };
        let argument_register = base + register;
        let trace = self.trace_frame(&caller, time, None)?;
        let expr = trace
            .calls
            .first()?
            .events
            .iter()
            .rev()
            .find_map(|event| match event {
                TraceEvent::Bind {
                    register, pc, expr, ..
                } if (*register, *pc) == (argument_register, caller.pc) => Some(*expr),
                _ => None,
            })?;
        Some((caller, trace, expr))
    }

    /// The local variable that an expression consists of, if it is just a name.
    fn passed_local(
        &self,
        from_top: usize,
        info: &FrameInfo,
        expr: Span,
    ) -> Option<(Local, Value)> {
        let name = self.target.sources.slice(expr);
        let locals = self.target.locals(from_top);
        locals
            .iter()
            .rev()
            .find(|(l, _)| l.name.as_str() == name && info.kind != FunctionKind::Entry)
            .copied()
    }

    fn trace_expr(&mut self, text: &str) -> Result<TracedExpr, Vec<Diagnostic>> {
        let (source, compiled) = self.target.compile_expr(text)?;
        let trimmed = source.text.trim_end().len() as u32;
        let span = Span {
            end: trimmed,
            ..source.full_span()
        };
        self.with_rollback(|session| {
            session.target.start_eval(compiled)?;
            let mut trace = ExecTrace::new(
                &session.target.machine,
                session.target.machine.time() + WHY_BUDGET_INSTRUCTIONS,
            );
            let error_at = |code, message: &str| {
                vec![Diagnostic::error(
                    Phase::Runtime,
                    code,
                    source.full_span(),
                    message,
                )]
            };
            match session.target.machine.run_observed(&mut trace) {
                Outcome::Finished(value) => {
                    let value_text = session.target.format_value(value);
                    Ok((trace, span, Some(value), value_text, None))
                }
                Outcome::Failed(error) => {
                    let error = session.target.runtime_error(&error);
                    Ok((trace, span, None, String::new(), Some(error)))
                }
                Outcome::NeedsInput { .. } => Err(vec![
                    error_at(
                        "RT021",
                        "this asks for input, which is not possible while inspecting",
                    )
                    .remove(0)
                    .note("store its value with `let x = …`, then `:why x`"),
                ]),
                Outcome::Paused(Pause::Interrupt) => Err(error_at("RT022", "interrupted")),
                Outcome::Paused(_) => Err(error_at("RT019", "this takes too long")),
            }
        })
    }
}

/// Selects the direct calls inside an expression, each only as it was made last.
fn last_calls_in(trace: &ExecTrace, expr: Span) -> impl Fn(&Call) -> bool + '_ {
    move |call| {
        let is_repetition = |other: &&Call| {
            other.depth == 1 && other.call_site == call.call_site && other.time > call.time
        };
        expr.contains(call.call_site) && !trace.calls.iter().any(|other| is_repetition(&other))
    }
}
