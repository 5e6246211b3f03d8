//! Why a value is what it is, where values are made by equations: which of them, with which arguments.

use super::retell::{Retelling, elided};
use super::{FrameLook, Line, Reply, Session, Style};
use crate::code::{Function, FunctionId, Instr, Local, Reg, Role, Seen, StopKind};
use crate::debugger::Goal;
use crate::debugger::chain::{Call, Chain, Fact};
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
type Rehearsed = (Chain, Span, Option<Value>, String, Option<Diagnostic>);

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
        let mut telling = Retelling::new(self, false);
        let room = telling.room(value.chars().count().min(40) + 4);
        let head = elided(&self.one_line(span), room);
        // A single call is told by itself.
        let sites: Vec<Span> = chain
            .calls
            .iter()
            .filter(|c| c.depth == 1)
            .map(|c| c.site)
            .collect();
        let alone = sites.contains(&span) && sites.len() == 1 && wrong.is_none();
        if !alone {
            telling.line(match &wrong {
                None => Line::styled(Style::Strong, format!("{head} is {}", elided(&value, 60))),
                Some(_) => Line::styled(Style::Strong, format!("{head} has no value")),
            });
        }
        if let Some(root) = chain.calls.first().filter(|_| !alone) {
            telling.facts(root, span, &sites, 2);
        }
        telling.calls(&chain, if alone { 0 } else { 2 }, |_| true);
        let hint = if chain.calls.len() > 1 {
            format!("  `:step {}` goes through it", self.one_line(span))
        } else {
            String::new()
        };
        if !hint.is_empty() {
            telling.dim(hint);
        }
        let mut lines = telling.done();
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
                return reply.line(format!("{text} is {written}; `:why {text}` tells how"));
            }
            Some(Value::FALSE) | None => {}
            Some(_) if wrong.is_none() => {
                return reply.error(format!(
                    "{text} is {written}, which is neither true nor false: `:why {text}`"
                ));
            }
            Some(_) => {}
        }
        self.why_expression(text, reply);
        let falses = self.false_parts(&chain);
        if !falses.is_empty() {
            reply.line(Line::plain("  one of these would have to be otherwise:"));
            falses
                .into_iter()
                .take(6)
                .for_each(|words| reply.line(Line::plain(format!("    {words}"))));
        }
    }

    /// The smallest tests that were false.
    fn false_parts(&self, chain: &Chain) -> Vec<String> {
        let mut words = Vec::new();
        for call in &chain.calls {
            let sites: Vec<Span> = chain.calls.iter().map(|c| c.site).collect();
            for part in call.parts.iter().filter(|p| p.value == Value::FALSE) {
                let inner = |s: Span| part.span.contains(s) && s != part.span;
                let tests = call
                    .parts
                    .iter()
                    .filter(|p| matches!(p.value, Value::TRUE | Value::FALSE));
                if tests.clone().any(|p| inner(p.span))
                    || sites.contains(&part.span)
                    || sites.iter().any(|s| inner(*s))
                {
                    continue;
                }
                let text = self.one_line(part.span);
                let told = Retelling::new(self, false).part(call, part);
                let line = format!(
                    "{told}   in {}, {}",
                    call.title,
                    self.short_place(part.span)
                );
                if text.chars().any(|c| !c.is_alphanumeric()) && !words.contains(&line) {
                    words.push(line);
                }
            }
        }
        words
    }

    /// Why a variable has its value, if an equation gave it; `time` is just before it was set. False if none did.
    pub(super) fn why_made(
        &mut self,
        head: Line,
        time: u64,
        cell: Option<(i64, i64)>,
        reply: &mut Reply,
    ) -> bool {
        let found = self.elsewhere(|s| {
            s.timeline.go_into(&mut s.machine, time);
            let look = s.look_at(0)?;
            let function = s.machine.function(look.function)?.clone();
            let equations = |f: &Rc<Function>| f.stops.iter().any(|s| s.kind == StopKind::Equation);
            if !equations(&function) && !s.program().functions.iter().any(equations) {
                return None;
            }
            let part = function.spans.get(look.pc as usize).copied()?;
            let chain = s.chain_of(&look, time, cell)?;
            let callers = s.callers(0, time);
            Some((look, part, chain, callers))
        });
        let Some((look, part, chain, callers)) = found else {
            return false;
        };
        let wanted = last_of(&chain, part);
        let titled = |c: &&Call| {
            c.depth == 1
                && c.site == part
                && wanted(c)
                && head.text().starts_with(&format!("{} is ", c.title))
        };
        let alone = chain.calls.iter().any(|c| titled(&c));
        let mut telling = Retelling::new(self, true);
        if !alone {
            telling.line(head.with(Style::Dim, format!("   time {time}")));
        }
        if let Some(root) = chain.calls.first() {
            telling.origin(root, &look, part, &chain);
        }
        telling.calls(&chain, if alone { 0 } else { 2 }, wanted);
        let mut lines = telling.done();
        lines.extend(callers);
        reply.lines.extend(lines);
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
        true
    }

    /// Where the call began whose frame this is.
    fn beginning_of(&self, look: &FrameLook) -> Option<Goal> {
        let function = self.machine.function(look.function)?.clone();
        Some(Goal::Again {
            function,
            pc: 0,
            depth: look.index + 1,
        })
    }

    /// Everything that a frame did from its beginning to a time.
    fn chain_of(
        &mut self,
        look: &FrameLook,
        until: u64,
        cell: Option<(i64, i64)>,
    ) -> Option<Chain> {
        let goal = self.beginning_of(look)?;
        self.elsewhere(|s| {
            let start = s.passed_before(goal, until + 1)?;
            s.timeline.go_into(&mut s.machine, start);
            let mut chain = Chain::new(&s.machine, until);
            chain.cell = cell;
            s.watch_until(&mut chain, until);
            Some(chain)
        })
    }

    /// Why a local of the frame that is looked at has its value, if equations are at work there.
    pub fn why_local(&mut self, name: &str, reply: &mut Reply) -> bool {
        let from_top = self.debugger.frame;
        let Some(look) = self.look_at(from_top) else {
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
        let notes = function.notes.iter();
        if !notes.clone().any(|n| matches!(n.seen, Seen::Given(_)))
            && function
                .stops
                .first()
                .is_none_or(|s| s.kind != StopKind::Equation)
        {
            return false;
        }
        let head = Line::styled(
            Style::Strong,
            format!("{name} is {}", elided(&self.write(value), 60)),
        );
        match local.register < function.parameters {
            true => self.why_parameter(from_top, local.register, head, reply),
            false => self.why_bound(from_top, &look, local, head, reply),
        }
        true
    }

    /// A local that a `let` or a round of a loop gave its value.
    fn why_bound(
        &mut self,
        from_top: usize,
        look: &FrameLook,
        local: Local,
        head: Line,
        reply: &mut Reply,
    ) {
        let now = self.machine.time();
        let Some(chain) = self.chain_of(look, now, None) else {
            return reply.line(head);
        };
        let given = chain.calls.first().and_then(|root| {
            root.facts.iter().rev().find_map(|fact| match fact {
                Fact::Given {
                    register,
                    name: Some(name),
                    part,
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
                    .filter(|l| l.name == local.name && l.from < local.from)
                    .max_by_key(|l| l.from)
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
        let mut telling = Retelling::new(self, true);
        telling.line(head.with(Style::Dim, format!("   time {time}")));
        if let Some(root) = chain.calls.first() {
            telling.origin(root, look, part, &chain);
        }
        telling.calls(&chain, 2, last_of(&chain, part));
        reply.lines.extend(telling.done());
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
    }

    fn parameters_of(&self, function: FunctionId) -> u16 {
        self.machine.function(function).map_or(0, |f| f.parameters)
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
                    elided(&self.write(value), 50)
                ));
                return self.why_bound(from_top, &caller, bound, head, reply);
            }
            let mut telling = Retelling::new(self, true);
            if let Some(root) = chain.calls.first() {
                telling.argument(root, &caller, part, passed_on.is_none(), &chain);
            }
            if passed_on.is_none() {
                telling.calls(&chain, 4, last_of(&chain, part));
            }
            reply.lines.extend(telling.done());
            match passed_on {
                Some((next, _)) => register = next.register,
                None => break,
            }
        }
        let now = self.machine.time();
        let callers = self.elsewhere(|s| s.callers(from_top, now));
        reply.lines.extend(callers);
    }

    /// The caller of a frame, what it did until the call, and the part of its text that became a parameter.
    fn argument(&mut self, from_top: usize, register: Reg) -> Option<(FrameLook, Chain, Span)> {
        let look = self.look_at(from_top)?;
        let caller = self.look_at(from_top + 1)?;
        let begun = self.beginning_of(&look)?;
        let now = self.machine.time();
        let time = self
            .elsewhere(|s| s.passed_before(begun, now + 1))?
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
            .facts
            .iter()
            .rev()
            .find_map(|fact| match fact {
                Fact::Given {
                    register, pc, part, ..
                } if (*register, *pc) == (wanted, caller.pc) => Some(*part),
                _ => None,
            })?;
        Some((caller, chain, part))
    }

    /// The local of a frame that a part of its text just names.
    fn passed_on(&self, from_top: usize, look: &FrameLook, part: Span) -> Option<(Local, Value)> {
        let name = self.sources.slice(part);
        let locals = self.locals(from_top);
        locals
            .iter()
            .rev()
            .find(|(l, _)| l.name.as_str() == name && look.role != Role::Entry)
            .copied()
    }

    fn rehearsed(&mut self, text: &str) -> Result<Rehearsed, Vec<Diagnostic>> {
        let (source, looked) = self.compile_look(text)?;
        let trimmed = source.text.trim_end().len() as u32;
        let span = Span {
            end: trimmed,
            ..source.whole()
        };
        self.on_a_copy(|session| {
            session.start_looking(looked)?;
            let mut chain = Chain::new(&session.machine, session.machine.time() + PATIENCE);
            let refuse = |code, words: &str| {
                vec![Diagnostic::error(
                    Phase::Runtime,
                    code,
                    source.whole(),
                    words,
                )]
            };
            match session.machine.watched(&mut chain) {
                Outcome::Finished(value) => {
                    let written = session.write(value);
                    Ok((chain, span, Some(value), written, None))
                }
                Outcome::Failed(fault) => {
                    let wrong = session.runtime_error(&fault);
                    Ok((chain, span, None, String::new(), Some(wrong)))
                }
                Outcome::NeedsInput { .. } => Err(vec![
                    refuse("RT021", "this asks for input, and a look can't be answered")
                        .remove(0)
                        .note("keep its value with `let x = …`, then `:why x`"),
                ]),
                Outcome::Paused(Pause::Interrupt) => Err(refuse("RT022", "stopped")),
                Outcome::Paused(_) => Err(refuse("RT019", "this takes too long")),
            }
        })
    }
}

/// The calls of a frame inside a part of its text, each only as it was made last.
fn last_of(chain: &Chain, part: Span) -> impl Fn(&Call) -> bool + '_ {
    move |call| {
        let again =
            |other: &&Call| other.depth == 1 && other.site == call.site && other.time > call.time;
        part.contains(call.site) && !chain.calls.iter().any(|other| again(&other))
    }
}
