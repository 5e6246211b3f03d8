//! Why a handler did or did not run: a log of the rules' attempts to dispatch to it.
//!
//! The rules of play compare each word of a handler's head with the game. The value info of those
//! comparisons is inside the handler's span, which is how this log finds them without
//! knowing the language.

use super::{Frames, Interest, Moment, Results, Sink};
use crate::code::{Function, FunctionId, FunctionKind, Program, ValueInfo, ValueLoc};
use crate::machine::Machine;
use crate::source::Span;
use std::ops::ControlFlow;

/// The comparison of one word of a handler's head.
#[derive(Clone, PartialEq, Debug)]
pub struct HeadCheck {
    /// The word in the source.
    pub word: Span,
    /// The value compared, and optionally the property of it that counted.
    pub operands: Vec<String>,
    /// Whether the comparison succeeded; `None` if the word matches anything.
    pub is_match: Option<bool>,
}

/// One attempt to dispatch to the handler.
#[derive(Clone, PartialEq, Debug)]
pub struct DispatchAttempt {
    /// When its first word was compared.
    pub time: u64,
    /// The dispatcher's local variables, by name.
    pub context: Vec<(String, String)>,
    /// The comparisons in order, up to the first that failed.
    pub checks: Vec<HeadCheck>,
}

/// Records every attempt to dispatch to one handler, whether or not it was called.
pub struct DispatchLog {
    handler: FunctionId,
    handler_span: Span,
    /// The dispatchers: rule functions with value info inside the handler's span.
    dispatchers: Vec<FunctionId>,
    until: u64,
    /// Stack depth of the previous instruction.
    depth: usize,
    /// The times at which the handler was entered.
    pub run_times: Vec<u64>,
    /// The attempts in order, at most `MAX_ATTEMPTS`; the last one may be incomplete.
    pub attempts: Vec<DispatchAttempt>,
    /// Handlers that the dispatchers called instead, with the time.
    pub other_handlers: Vec<(FunctionId, u64)>,
}

/// Attempts beyond this limit are not recorded.
const MAX_ATTEMPTS: usize = 1000;

impl DispatchLog {
    /// Logs every attempt to run `handler` from now until the time `until`.
    pub fn new(machine: &Machine, handler: FunctionId, until: u64) -> DispatchLog {
        let program = machine.program();
        let handler_span = program
            .function(handler)
            .map_or(Span::default(), |f| f.span);
        let (depth, dispatchers) = (
            machine.frames().len(),
            dispatchers(program, handler, handler_span),
        );
        DispatchLog {
            handler,
            handler_span,
            dispatchers,
            until,
            depth,
            run_times: vec![],
            attempts: vec![],
            other_handlers: vec![],
        }
    }

    /// Whether any rule dispatches to the handler at all.
    pub fn has_dispatchers(&self) -> bool {
        !self.dispatchers.is_empty()
    }

    fn on_enter(&mut self, machine: &Machine, id: FunctionId) {
        let caller = machine.frames().iter().rev().nth(1).map(|f| f.function);
        if id == self.handler {
            self.run_times.push(machine.time());
        } else if caller.is_some_and(|c| self.dispatchers.contains(&c))
            && self.other_handlers.len() < MAX_ATTEMPTS
            && machine
                .function(id)
                .is_some_and(|f| is_alternative(machine, caller, id, f))
        {
            self.other_handlers.push((id, machine.time()));
        }
    }

    fn on_value_info(&mut self, machine: &Machine, info: &ValueInfo, jumped: Option<bool>) {
        let registers = machine.registers(machine.frames().len() - 1);
        let text = |r: u16| {
            registers
                .get(r as usize)
                .map(|v| machine.format_value(*v))
                .unwrap_or_default()
        };
        match info.loc {
            ValueLoc::Register(r) => self.push_check(info, text(r), machine),
            ValueLoc::Bind(r) => {
                if let Some(check) = self.find_check(info.span) {
                    check.operands.truncate(1);
                    check.operands.push(text(r));
                }
            }
            ValueLoc::JumpTest { if_taken } => {
                if let Some(check) = self.find_check(info.span) {
                    check.is_match = jumped.map(|taken| taken == if_taken);
                }
            }
            _ => {}
        }
    }

    fn find_check(&mut self, word: Span) -> Option<&mut HeadCheck> {
        self.attempts
            .last_mut()?
            .checks
            .iter_mut()
            .rev()
            .find(|check| check.word == word)
    }

    /// Records a comparison. It starts a new attempt if its word was already compared, or if the
    /// last comparison of the current attempt failed.
    fn push_check(&mut self, info: &ValueInfo, operand: String, machine: &Machine) {
        let continues = |attempt: &DispatchAttempt| {
            attempt
                .checks
                .iter()
                .all(|check| check.word != info.span && check.is_match != Some(false))
        };
        if !self.attempts.last().is_some_and(continues) {
            if self.attempts.len() == MAX_ATTEMPTS {
                return;
            }
            self.attempts.push(DispatchAttempt {
                time: machine.time(),
                context: locals(machine, info.pc),
                checks: Vec::new(),
            });
        }
        let check = HeadCheck {
            word: info.span,
            operands: vec![operand],
            is_match: None,
        };
        if let Some(attempt) = self.attempts.last_mut() {
            attempt.checks.push(check);
        }
    }
}

/// Whether a dispatcher chose this handler: it compared its head, too.
fn is_alternative(
    machine: &Machine,
    dispatcher: Option<FunctionId>,
    id: FunctionId,
    handler: &Function,
) -> bool {
    handler.kind == FunctionKind::Handler
        && dispatcher.is_some_and(|d| dispatchers(machine.program(), id, handler.span).contains(&d))
}

/// The local variables of the top frame.
fn locals(machine: &Machine, pc: u32) -> Vec<(String, String)> {
    let depth = machine.frames().len();
    let function = machine
        .frames()
        .last()
        .and_then(|f| machine.function(f.function));
    let named = function.into_iter().flat_map(|f| f.locals_at(pc));
    let value = |r: u16| {
        machine
            .registers(depth - 1)
            .get(r as usize)
            .map(|v| machine.format_value(*v))
    };
    named
        .filter_map(|l| Some((l.name.to_string(), value(l.register)?)))
        .collect()
}

/// The rule functions that compare against the head of `handler`.
fn dispatchers(program: &Program, handler: FunctionId, handler_span: Span) -> Vec<FunctionId> {
    let compares_head = |f: &Function| {
        f.kind == FunctionKind::Rules
            && f.value_infos
                .iter()
                .any(|info| handler_span.contains(info.span))
    };
    let functions = program
        .functions
        .iter()
        .enumerate()
        .map(|(n, f)| (FunctionId(n as u32), f));
    functions
        .filter(|(id, f)| *id != handler && handler_span != Span::default() && compares_head(f))
        .map(|(id, _)| id)
        .collect()
}

impl Sink for DispatchLog {
    fn interest(&self) -> Interest {
        Interest {
            frames: Frames::All,
            until: self.until,
            results: Results::WithoutCalls,
        }
    }

    fn on_instruction(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        if moment.depth > self.depth {
            self.on_enter(moment.machine, moment.id);
        }
        self.depth = moment.depth;
        if !self.dispatchers.contains(&moment.id) {
            return ControlFlow::Continue(());
        }
        let handler_span = self.handler_span;
        let is_in_handler = |info: &ValueInfo| handler_span.contains(info.span);
        for (info, jumped) in moment.results().filter(|(info, _)| is_in_handler(info)) {
            self.on_value_info(moment.machine, info, jumped);
        }
        for info in moment.operands().filter(|info| is_in_handler(info)) {
            self.on_value_info(moment.machine, info, None);
        }
        ControlFlow::Continue(())
    }
}
