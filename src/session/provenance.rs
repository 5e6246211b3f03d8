//! Why a value is what it is, where values are made by equations: which of them, with which arguments.

use super::call_tree::{CallTreeRenderer, elide};
use super::{FrameInfo, Line, Reply, Session, Style};
use crate::code::{Function, FunctionId, FunctionKind, Instr, Local, Reg, StopKind, ValueLoc};
use crate::debugger::StepTarget;
use crate::debugger::exec_trace::{Call, ExecTrace, TraceEvent};
use crate::diagnostic::{Diagnostic, Phase};
use crate::machine::{Outcome, Pause};
use crate::source::Span;
use crate::value::Value;
use std::rc::Rc;

/// How long a look for reasons may take.
const PATIENCE: u64 = 50_000_000;

/// How often a parameter that is just passed on is followed to the caller.
const MOST_HOPS: usize = 6;

/// A chain, and what it led to.
type Rehearsed = (ExecTrace, Span, Option<Value>, String, Option<Diagnostic>);

impl Session {
    /// Evaluates an expression on a copy, and tells which equations make its value.
    pub fn why_expression(&mut self, text: &str, reply: &mut Reply) {
        let (chain, span, _, value, wrong) = match self.rehearsed(text) {
            Ok(rehearsed) => rehearsed,
            Err(diagnostics) => {
                reply.ok = false;
                return reply.diagnostics.extend(diagnostics);
            }
        };
        let mut telling = CallTreeRenderer::new(self, false);
        let room = telling.available_width(value.chars().count().min(40) + 4);
        let head = elide(&self.one_line(span), room);
        // A single call is told by itself.
        let sites: Vec<Span> = chain
            .calls
            .iter()
            .filter(|c| c.depth == 1)
            .map(|c| c.call_site)
            .collect();
        let alone = sites.contains(&span) && sites.len() == 1 && wrong.is_none();
        if !alone {
            telling.push_line(match &wrong {
                None => Line::styled(Style::Strong, format!("{head} is {}", elide(&value, 60))),
                Some(_) => Line::styled(Style::Strong, format!("{head} has no value")),
            });
        }
        if let Some(root) = chain.calls.first().filter(|_| !alone) {
            telling.push_events(root, span, &sites, 2);
        }
        telling.push_calls(&chain, if alone { 0 } else { 2 }, |_| true);
        let hint = if chain.calls.len() > 1 {
            format!("  `:step {}` steps through it", self.one_line(span))
        } else {
            String::new()
        };
        if !hint.is_empty() {
            telling.push_dim(hint);
        }
        let mut lines = telling.into_lines();
        // What has no parts worth telling is not told twice.
        lines.dedup_by(|a, b| a.text().trim() == b.text().trim());
        reply.lines.extend(lines);
        reply.ok &= wrong.is_none();
        reply.diagnostics.extend(wrong);
    }

    /// Why an expression is not true: what was false on the way to it.
    pub fn why_not_expression(&mut self, text: &str, reply: &mut Reply) {
        let (chain, _, value, written, wrong) = match self.rehearsed(text) {
            Ok(rehearsed) => rehearsed,
            Err(diagnostics) => {
                reply.ok = false;
                return reply.diagnostics.extend(diagnostics);
            }
        };
        match value {
            Some(Value::TRUE) => {
                return reply.line(format!("{text} is already {written}; `:why {text}` explains it"));
            }
            Some(Value::FALSE) | None => {}
            Some(_) if wrong.is_none() => {
                return reply.error(format!(
                    "`{text}` is {written}, not true or false; use `:why {text}`"
                ));
            }
            Some(_) => {}
        }
        self.why_expression(text, reply);
        let falses = self.false_parts(&chain);
        if !falses.is_empty() {
            reply.line(Line::plain("  One of these would have to be different:"));
            falses
                .into_iter()
                .take(6)
                .for_each(|words| reply.line(Line::plain(format!("    {words}"))));
        }
    }

    /// The smallest tests that were false.
    fn false_parts(&self, chain: &ExecTrace) -> Vec<String> {
        let mut words = Vec::new();
        for call in &chain.calls {
            let sites: Vec<Span> = chain.calls.iter().map(|c| c.call_site).collect();
            for part in call.values.iter().filter(|p| p.value == Value::FALSE) {
                let inner = |s: Span| part.span.contains(s) && s != part.span;
                let tests = call
                    .values
                    .iter()
                    .filter(|p| matches!(p.value, Value::TRUE | Value::FALSE));
                if tests.clone().any(|p| inner(p.span))
                    || sites.contains(&part.span)
                    || sites.iter().any(|s| inner(*s))
                {
                    continue;
                }
                let text = self.one_line(part.span);
                let told = CallTreeRenderer::new(self, false).format_part(call, part);
                let line = format!(
                    "{told}   in {}, {}",
                    call.title,
                    self.format_short_location(part.span)
                );
                if text.chars().any(|c| !c.is_alphanumeric()) && !words.contains(&line) {
                    words.push(line);
                }
            }
        }
        words
    }

    /// Why a variable has its value, if an equation gave it; `time` is just before it was set. False if none did.
    pub(super) fn why_computed(
        &mut self,
        head: Line,
        time: u64,
        cell: Option<(i64, i64)>,
        reply: &mut Reply,
    ) -> bool {
        let found = self.with_time(|s| {
            s.timeline.seek_into(&mut s.machine, time);
            let look = s.frame_info(0)?;
            let function = s.machine.function(look.function)?.clone();
            let equations =
                |f: &Rc<Function>| f.stop_points.iter().any(|s| s.kind == StopKind::Equation);
            if !equations(&function) && !s.program().functions.iter().any(equations) {
                return None;
            }
            let part = function.spans.get(look.pc as usize).copied()?;
            let chain = s.chain_of(&look, time, cell)?;
            let callers = s.caller_lines(0, time);
            Some((look, part, chain, callers))
        });
        let Some((look, part, chain, callers)) = found else {
            return false;
        };
        let wanted = last_of(&chain, part);
        let titled = |c: &&Call| {
            c.depth == 1
                && c.call_site == part
                && wanted(c)
                && head.text().starts_with(&format!("{} is ", c.title))
        };
        let alone = chain.calls.iter().any(|c| titled(&c));
        let mut telling = CallTreeRenderer::new(self, true);
        if !alone {
            telling.push_line(head.with(Style::Dim, format!("   time {time}")));
        }
        if let Some(root) = chain.calls.first() {
            telling.push_origin(root, &look, part, &chain);
        }
        telling.push_calls(&chain, if alone { 0 } else { 2 }, wanted);
        let mut lines = telling.into_lines();
        lines.extend(callers);
        reply.lines.extend(lines);
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
        true
    }

    /// Where the call began whose frame this is.
    fn beginning_of(&self, look: &FrameInfo) -> Option<StepTarget> {
        let function = self.machine.function(look.function)?.clone();
        Some(StepTarget::Revisit {
            function,
            pc: 0,
            depth: look.index + 1,
        })
    }

    /// Everything that a frame did from its beginning to a time.
    fn chain_of(
        &mut self,
        look: &FrameInfo,
        until: u64,
        cell: Option<(i64, i64)>,
    ) -> Option<ExecTrace> {
        let goal = self.beginning_of(look)?;
        self.with_time(|s| {
            let start = s.last_hit_before(goal, until + 1)?;
            s.timeline.seek_into(&mut s.machine, start);
            let mut chain = ExecTrace::new(&s.machine, until);
            chain.cell = cell;
            s.replay_watched(&mut chain, until);
            Some(chain)
        })
    }

    /// Why a local of the frame that is looked at has its value, if equations are at work there.
    pub fn why_local(&mut self, name: &str, reply: &mut Reply) -> bool {
        let from_top = self.debugger.selected_frame;
        let Some(look) = self.frame_info(from_top) else {
            return false;
        };
        let Some(function) = self.machine.function(look.function).cloned() else {
            return false;
        };
        let Some(&(local, value)) = self
            .locals(from_top)
            .iter()
            .rev()
            .find(|(l, _)| l.name.as_str() == name)
        else {
            return false;
        };
        let notes = function.value_infos.iter();
        if !notes.clone().any(|n| matches!(n.loc, ValueLoc::Bind(_)))
            && function
                .stop_points
                .first()
                .is_none_or(|s| s.kind != StopKind::Equation)
        {
            return false;
        }
        let head = Line::styled(
            Style::Strong,
            format!("{name} is {}", elide(&self.format_value(value), 60)),
        );
        match local.register < function.parameter_count {
            true => self.why_parameter(from_top, local.register, head, reply),
            false => self.why_bound(from_top, &look, local, head, reply),
        }
        true
    }

    /// A local that a `let` or a round of a loop gave its value.
    fn why_bound(
        &mut self,
        from_top: usize,
        look: &FrameInfo,
        local: Local,
        head: Line,
        reply: &mut Reply,
    ) {
        let now = self.machine.time();
        let Some(chain) = self.chain_of(look, now, None) else {
            return reply.line(head);
        };
        let given = chain.calls.first().and_then(|root| {
            root.events.iter().rev().find_map(|fact| match fact {
                TraceEvent::Bind {
                    register,
                    name: Some(name),
                    expr: part,
                    time,
                    ..
                } if *register == local.register && name == local.name.as_str() => {
                    Some((*part, *time))
                }
                _ => None,
            })
        });
        let Some((part, time)) = given else {
            // A loop has not changed it yet: it is what it was outside.
            let outer = self.machine.function(look.function).and_then(|f| {
                f.locals
                    .iter()
                    .filter(|l| l.name == local.name && l.start_pc < local.start_pc)
                    .max_by_key(|l| l.start_pc)
                    .copied()
            });
            return match outer {
                Some(outer) if outer.register < self.parameters_of(look.function) => {
                    self.why_parameter(from_top, outer.register, head, reply);
                }
                Some(outer) => self.why_bound(from_top, look, outer, head, reply),
                None => reply.line(head),
            };
        };
        let mut telling = CallTreeRenderer::new(self, true);
        telling.push_line(head.with(Style::Dim, format!("   time {time}")));
        if let Some(root) = chain.calls.first() {
            telling.push_origin(root, look, part, &chain);
        }
        telling.push_calls(&chain, 2, last_of(&chain, part));
        reply.lines.extend(telling.into_lines());
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
    }

    fn parameters_of(&self, function: FunctionId) -> u16 {
        self.machine
            .function(function)
            .map_or(0, |f| f.parameter_count)
    }

    /// A parameter: what the caller gave, and where the caller had it from.
    fn why_parameter(&mut self, from_top: usize, register: Reg, head: Line, reply: &mut Reply) {
        reply.line(head);
        let (mut from_top, mut register) = (from_top, register);
        for _ in 0..MOST_HOPS {
            let Some((caller, chain, part)) = self.argument(from_top, register) else {
                break;
            };
            from_top += 1;
            let passed_on = self.passed_on(from_top, &caller, part);
            if let Some((bound, value)) = passed_on
                && bound.register >= self.parameters_of(caller.function)
            {
                let head = Line::plain(format!(
                    "  it is {}, which is {}",
                    bound.name,
                    elide(&self.format_value(value), 50)
                ));
                return self.why_bound(from_top, &caller, bound, head, reply);
            }
            let mut telling = CallTreeRenderer::new(self, true);
            if let Some(root) = chain.calls.first() {
                telling.push_argument(root, &caller, part, passed_on.is_none(), &chain);
            }
            if passed_on.is_none() {
                telling.push_calls(&chain, 4, last_of(&chain, part));
            }
            reply.lines.extend(telling.into_lines());
            match passed_on {
                Some((next, _)) => register = next.register,
                None => break,
            }
        }
        let now = self.machine.time();
        let callers = self.with_time(|s| s.caller_lines(from_top, now));
        reply.lines.extend(callers);
    }

    /// The caller of a frame, what it did until the call, and the part of its text that became a parameter.
    fn argument(&mut self, from_top: usize, register: Reg) -> Option<(FrameInfo, ExecTrace, Span)> {
        let look = self.frame_info(from_top)?;
        let caller = self.frame_info(from_top + 1)?;
        let begun = self.beginning_of(&look)?;
        let now = self.machine.time();
        let time = self
            .with_time(|s| s.last_hit_before(begun, now + 1))?
            .checked_sub(1)?;
        let Some(Instr::Call { base, .. }) = self
            .machine
            .function(caller.function)?
            .code
            .get(caller.pc as usize)
        else {
            return None;
        };
        let wanted = base + register;
        let chain = self.chain_of(&caller, time, None)?;
        let part = chain
            .calls
            .first()?
            .events
            .iter()
            .rev()
            .find_map(|fact| match fact {
                TraceEvent::Bind {
                    register,
                    pc,
                    expr: part,
                    ..
                } if (*register, *pc) == (wanted, caller.pc) => Some(*part),
                _ => None,
            })?;
        Some((caller, chain, part))
    }

    /// The local of a frame that a part of its text just names.
    fn passed_on(&self, from_top: usize, look: &FrameInfo, part: Span) -> Option<(Local, Value)> {
        let name = self.sources.slice(part);
        let locals = self.locals(from_top);
        locals
            .iter()
            .rev()
            .find(|(l, _)| l.name.as_str() == name && look.role != FunctionKind::Entry)
            .copied()
    }

    fn rehearsed(&mut self, text: &str) -> Result<Rehearsed, Vec<Diagnostic>> {
        let (source, looked) = self.compile_expr(text)?;
        let trimmed = source.text.trim_end().len() as u32;
        let span = Span {
            end: trimmed,
            ..source.full_span()
        };
        self.with_rollback(|session| {
            session.start_eval(looked)?;
            let mut chain = ExecTrace::new(&session.machine, session.machine.time() + PATIENCE);
            let refuse = |code, words: &str| {
                vec![Diagnostic::error(
                    Phase::Runtime,
                    code,
                    source.full_span(),
                    words,
                )]
            };
            match session.machine.run_observed(&mut chain) {
                Outcome::Finished(value) => {
                    let written = session.format_value(value);
                    Ok((chain, span, Some(value), written, None))
                }
                Outcome::Failed(fault) => {
                    let wrong = session.runtime_error(&fault);
                    Ok((chain, span, None, String::new(), Some(wrong)))
                }
                Outcome::NeedsInput { .. } => Err(vec![
                    refuse("RT021", "this asks for input, which is not possible while inspecting")
                        .remove(0)
                        .note("store its value with `let x = …`, then `:why x`"),
                ]),
                Outcome::Paused(Pause::Interrupt) => Err(refuse("RT022", "interrupted")),
                Outcome::Paused(_) => Err(refuse("RT019", "this takes too long")),
            }
        })
    }
}

/// The calls of a frame inside a part of its text, each only as it was made last.
fn last_of(chain: &ExecTrace, part: Span) -> impl Fn(&Call) -> bool + '_ {
    move |call| {
        let again = |other: &&Call| {
            other.depth == 1 && other.call_site == call.call_site && other.time > call.time
        };
        part.contains(call.call_site) && !chain.calls.iter().any(|other| again(&other))
    }
}
