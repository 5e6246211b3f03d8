//! Execution trace of a frame and all calls below it: arguments, branches taken, bindings and
//! results. `:why` explains values with it, in every language that has equations.

use super::{Frames, Interest, Moment, Results, Sink};
use crate::code::{Function, FunctionId, Instr, Reg, StopKind, ValueInfo, ValueLoc};
use crate::machine::Machine;
use crate::source::Span;
use crate::value::Value;
use std::ops::ControlFlow;

/// A call, or the root frame that was traced.
#[derive(Clone, Debug)]
pub struct Call {
    /// The id in the program that was traced.
    pub function: FunctionId,
    /// The name of the function.
    pub name: String,
    /// The arguments as the language writes them, in order.
    pub arguments: Vec<String>,
    /// Depth below the root frame, which has depth 0.
    pub depth: usize,
    /// The call expression in the caller's source.
    pub call_site: Span,
    /// The equation, or the last statement, that produced the value.
    pub equation: Span,
    /// The equation being evaluated.
    pub current_equation: Span,
    /// When it was called.
    pub time: u64,
    /// The result; `None` until the call returns.
    pub value: Option<String>,
    /// Branches, bindings and loops, in order. Of an event that is repeated, only the last is kept.
    pub events: Vec<TraceEvent>,
    /// The most recent value of each expression in the call.
    pub values: Vec<ExprValue>,
}

/// Something that happened while a call was evaluated.
#[derive(Clone, PartialEq, Debug)]
pub enum TraceEvent {
    /// A test selected a branch.
    Branch {
        /// The test expression.
        test: Span,
        /// Its value.
        outcome: bool,
        /// The code that was selected.
        branch: Span,
    },
    /// A register received the value of an expression: a named variable, or an argument of a call.
    Bind {
        /// The register, relative to the frame.
        register: Reg,
        /// The name of the variable; `None` if the register has none, as for an argument.
        name: Option<String>,
        /// The instruction that wrote the register.
        pc: u32,
        /// The expression that was evaluated.
        expr: Span,
        /// Its value as the language writes it.
        value: String,
        /// When it was bound.
        time: u64,
    },
    /// A loop was executed.
    Loop {
        /// The span of the stop point at which each iteration starts.
        head: Span,
        /// The number of iterations: how often the head was reached again after the first time.
        count: usize,
    },
}

/// The value that an expression of the source had.
#[derive(Clone, PartialEq, Debug)]
pub struct ExprValue {
    /// The expression.
    pub span: Span,
    /// Its operator, where the value is shown; `None` if that is the start of the expression.
    pub operator: Option<Span>,
    /// Its most recent value. May refer to heap objects that have changed since: use `text` for
    /// display.
    pub value: Value,
    /// The value as the language wrote it at that time.
    pub text: String,
}

/// Traces a frame and all calls it makes, until a time or until the frame returns.
pub struct ExecTrace {
    root_depth: usize,
    until: u64,
    /// The root frame, then the calls in call order.
    pub calls: Vec<Call>,
    /// The number of calls beyond `MAX_CALLS`.
    pub omitted_calls: usize,
    /// The deepest of the omitted calls, if there are any.
    pub deepest_omitted: Option<Call>,
    /// For a board defined by equations: the cell to explain, as zero-based row and column.
    pub cell: Option<(i64, i64)>,
    /// For each frame, the index of its call in `calls`, or [`NOT_RECORDED`].
    stack: Vec<usize>,
}

/// Calls beyond this limit are only counted.
const MAX_CALLS: usize = 400;
/// Values beyond this limit are not recorded.
const MAX_VALUES_PER_CALL: usize = 64;
/// Stands for a call beyond `MAX_CALLS` in [`ExecTrace::stack`].
const NOT_RECORDED: usize = usize::MAX;

impl ExecTrace {
    /// Traces from now until the time `until`.
    pub fn new(machine: &Machine, until: u64) -> ExecTrace {
        ExecTrace {
            root_depth: machine.frames().len(),
            until,
            calls: Vec::new(),
            omitted_calls: 0,
            deepest_omitted: None,
            cell: None,
            stack: Vec::new(),
        }
    }

    /// The call of the top frame, if it is recorded.
    fn top_call(&mut self) -> Option<&mut Call> {
        let depth = self.stack.len().checked_sub(1)?;
        match self.stack.last() {
            Some(&NOT_RECORDED) => self
                .deepest_omitted
                .as_mut()
                .filter(|d| d.depth == depth && d.value.is_none()),
            Some(&at) => self.calls.get_mut(at),
            None => None,
        }
    }

    fn enter(&mut self, machine: &Machine, function: &Function, id: FunctionId) {
        let frames = machine.frames();
        let depth = self.stack.len();
        let is_recorded = self.calls.len() < MAX_CALLS;
        if !is_recorded {
            self.omitted_calls += 1;
            self.stack.push(NOT_RECORDED);
            if self
                .deepest_omitted
                .as_ref()
                .is_some_and(|d| d.depth >= depth)
            {
                return;
            }
        } else {
            self.stack.push(self.calls.len());
        }
        let arguments = machine
            .registers(frames.len() - 1)
            .iter()
            .take(function.parameter_count as usize);
        let caller = frames
            .len()
            .checked_sub(2)
            .and_then(|n| frames.get(n))
            .filter(|_| depth > 0);
        let call_site = caller.and_then(|f| {
            machine
                .function(f.function)?
                .spans
                .get(f.pc.checked_sub(1)? as usize)
                .copied()
        });
        let call = Call {
            function: id,
            name: function.name.to_string(),
            arguments: arguments.map(|v| machine.format_value(*v)).collect(),
            depth,
            call_site: call_site.unwrap_or_default(),
            equation: Span::default(),
            current_equation: Span::default(),
            time: machine.time(),
            value: None,
            events: Vec::new(),
            values: Vec::new(),
        };
        if is_recorded {
            self.calls.push(call);
        } else {
            self.deepest_omitted = Some(call);
        }
    }

    /// Updates the current call before the instruction at `pc` runs.
    fn before_instr(&mut self, machine: &Machine, function: &Function, pc: u32) {
        let cell = self.cell;
        let registers = machine.registers(machine.frames().len() - 1);
        let Some(call) = self.top_call() else { return };
        if let Some(stop) = function.stop_point_at(pc) {
            if function
                .value_infos
                .first()
                .is_none_or(|info| info.loc != ValueLoc::Equation)
            {
                call.equation = stop.span;
            }
            if stop.kind == StopKind::Iteration {
                call.count_iteration(stop.span);
            }
        }
        match function.code.get(pc as usize) {
            Some(Instr::Return { src }) => {
                call.value = registers
                    .get(*src as usize)
                    .map(|v| machine.format_value(*v));
            }
            Some(Instr::GridFill {
                rows, cols, from, ..
            }) => {
                let index = |r: Reg| {
                    registers
                        .get(r as usize)
                        .and_then(|v| v.as_int())
                        .unwrap_or(0)
                        - *from as i64
                };
                let within = |first: Reg, n: i64| (index(first)..=index(first + 1)).contains(&n);
                if cell.is_some_and(|(row, col)| within(*rows, row) && within(*cols, col)) {
                    call.equation = call.current_equation;
                }
            }
            _ => {}
        }
    }

    fn record_results(&mut self, moment: &Moment<'_>) {
        for (info, jumped) in moment.results() {
            self.on_value_info(moment.machine, moment.function, info, jumped);
        }
    }

    fn record_operands(&mut self, moment: &Moment<'_>) {
        for info in moment.operands() {
            self.on_value_info(moment.machine, moment.function, info, None);
        }
    }

    fn on_value_info(
        &mut self,
        machine: &Machine,
        function: &Function,
        info: &ValueInfo,
        jumped: Option<bool>,
    ) {
        let registers = machine.registers(machine.frames().len() - 1);
        let (time, cell) = (machine.time(), self.cell);
        let Some(call) = self.top_call() else { return };
        let value = match info.loc {
            ValueLoc::Equation => {
                call.current_equation = info.span;
                if cell.is_none() || call.equation == Span::default() {
                    call.equation = info.span;
                }
                return;
            }
            ValueLoc::Branch { test, outcome } => {
                let branch = info.span;
                call.events
                    .retain(|e| !matches!(e, TraceEvent::Branch { test: t, .. } if *t == test));
                return call.events.push(TraceEvent::Branch {
                    test,
                    outcome,
                    branch,
                });
            }
            ValueLoc::Bind(register) => {
                let Some(value) = registers.get(register as usize) else {
                    return;
                };
                let value = machine.format_value(*value);
                let is_same_binding = |e: &TraceEvent| {
                    matches!(e, TraceEvent::Bind { expr, register: r, .. }
                        if (*expr, *r) == (info.span, register))
                };
                call.events.retain(|e| !is_same_binding(e));
                let (pc, expr) = (info.pc, info.span);
                let name = function
                    .locals_at(pc)
                    .filter(|l| l.register == register)
                    .last()
                    .map(|l| l.name.to_string());
                return call.events.push(TraceEvent::Bind {
                    register,
                    name,
                    pc,
                    expr,
                    value,
                    time,
                });
            }
            ValueLoc::Register(r) => registers.get(r as usize).copied(),
            ValueLoc::JumpTest { if_taken } => jumped.map(|taken| Value::bool(taken == if_taken)),
            _ => None,
        };
        if let Some(value) = value {
            call.values.retain(|v| v.span != info.span);
            if call.values.len() < MAX_VALUES_PER_CALL {
                call.values.push(ExprValue {
                    span: info.span,
                    operator: info.operator(),
                    value,
                    text: machine.format_value(value),
                });
            }
        }
    }
}

impl Call {
    fn count_iteration(&mut self, head: Span) {
        for event in &mut self.events {
            if let TraceEvent::Loop { head: h, count } = event
                && *h == head
            {
                *count += 1;
                return;
            }
        }
        self.events.push(TraceEvent::Loop { head, count: 0 });
    }
}

impl Sink for ExecTrace {
    fn interest(&self) -> Interest {
        Interest {
            frames: Frames::From(self.root_depth),
            until: self.until,
            results: Results::WithoutCalls,
        }
    }

    fn on_instruction(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let Moment {
            machine,
            function,
            pc,
            ..
        } = *moment;
        self.record_results(moment);
        let level = moment.depth - self.root_depth;
        self.stack.truncate(level + 1);
        if self.stack.len() <= level {
            self.enter(machine, function, moment.id);
        }
        self.before_instr(machine, function, pc);
        self.record_operands(moment);
        ControlFlow::Continue(())
    }

    fn on_end(&mut self, _: &Machine, moment: Option<&Moment<'_>>) {
        let Some(moment) = moment else { return };
        self.record_results(moment);
        // The operands of the next instruction are ready and can be sampled.
        if moment.depth == self.root_depth {
            self.record_operands(moment);
        }
    }
}
