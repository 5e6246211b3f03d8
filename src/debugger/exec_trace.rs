//! The chain of equations that made a value: every call under one frame, with what it was given, which branches it
//! took, and what it gave back. Nothing here knows a language.

use crate::code::{Function, FunctionId, Instr, Reg, StopKind, ValueInfo, ValueLoc};
use crate::machine::{Machine, Observer};
use crate::source::Span;
use crate::value::Value;

/// One call, or the frame that all of it began in.
#[derive(Clone, Debug)]
pub struct Call {
    pub function: FunctionId,
    pub title: String,
    pub arguments: Vec<String>,
    /// How many calls it lies below the first frame.
    pub depth: usize,
    /// The call as it stands in the text of the caller.
    pub call_site: Span,
    /// The equation, or the last statement, that gave the value.
    pub equation: Span,
    /// The equation that it is in.
    pub current_equation: Span,
    pub time: u64,
    /// Until it has one, it goes on.
    pub value: Option<String>,
    pub events: Vec<TraceEvent>,
    /// Parts of the text with the values that they had last.
    pub values: Vec<ExprValue>,
}

/// What happened on the way through an equation.
#[derive(Clone, PartialEq, Debug)]
pub enum TraceEvent {
    /// A test decided which branch counts.
    Branch {
        test: Span,
        outcome: bool,
        branch: Span,
    },
    /// A register got its value from a part: it has a name, or is to be the parameter of a call.
    Bind {
        register: Reg,
        name: Option<String>,
        pc: u32,
        expr: Span,
        value: String,
        time: u64,
    },
    /// A loop was gone through so often.
    Loop { head: Span, count: usize },
}

#[derive(Clone, PartialEq, Debug)]
pub struct ExprValue {
    pub span: Span,
    pub value: Value,
    pub text: String,
}

/// Watches a frame and all calls that it makes, until a time, or until the frame is left.
pub struct ExecTrace {
    floor: usize,
    until: u64,
    /// The first frame, then the calls in the order in which they were made.
    pub calls: Vec<Call>,
    /// How many calls there were beyond those, and the deepest of them.
    pub omitted_calls: usize,
    pub deepest_omitted: Option<Call>,
    /// For a board made by equations: the cell that is asked for, by row and column from 0.
    pub cell: Option<(i64, i64)>,
    /// Which call each frame is.
    stack: Vec<usize>,
    previous: Option<(usize, u32)>,
}

/// More calls than this nobody reads.
const MOST_CALLS: usize = 400;
const MOST_PARTS: usize = 64;
const NOT_KEPT: usize = usize::MAX;

impl ExecTrace {
    pub fn new(machine: &Machine, until: u64) -> ExecTrace {
        ExecTrace {
            floor: machine.frames().len(),
            until,
            calls: Vec::new(),
            omitted_calls: 0,
            deepest_omitted: None,
            cell: None,
            stack: Vec::new(),
            previous: None,
        }
    }

    /// The call of the frame at the top, if it is kept.
    fn top(&mut self) -> Option<&mut Call> {
        let depth = self.stack.len().checked_sub(1)?;
        match self.stack.last() {
            Some(&NOT_KEPT) => self
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
        let kept = self.calls.len() < MOST_CALLS;
        if !kept {
            self.omitted_calls += 1;
            self.stack.push(NOT_KEPT);
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
        let given = machine
            .registers(frames.len() - 1)
            .iter()
            .take(function.parameter_count as usize);
        let caller = frames
            .len()
            .checked_sub(2)
            .and_then(|n| frames.get(n))
            .filter(|_| depth > 0);
        let site = caller.and_then(|f| {
            machine
                .function(f.function)?
                .spans
                .get(f.pc.checked_sub(1)? as usize)
                .copied()
        });
        let call = Call {
            function: id,
            title: function.name.to_string(),
            arguments: given.map(|v| written(machine, *v)).collect(),
            depth,
            call_site: site.unwrap_or_default(),
            equation: Span::default(),
            current_equation: Span::default(),
            time: machine.time(),
            value: None,
            events: Vec::new(),
            values: Vec::new(),
        };
        if kept {
            self.calls.push(call);
        } else {
            self.deepest_omitted = Some(call);
        }
    }

    /// What is to be seen before the instruction is done.
    fn see(&mut self, machine: &Machine, function: &Function, pc: u32) {
        let cell = self.cell;
        let registers = machine.registers(machine.frames().len() - 1);
        let Some(call) = self.top() else { return };
        if let Some(stop) = function.stop_point_at(pc) {
            if function
                .value_infos
                .first()
                .is_none_or(|n| n.loc != ValueLoc::Equation)
            {
                call.equation = stop.span;
            }
            if stop.kind == StopKind::Iteration {
                call.round(stop.span);
            }
        }
        match function.code.get(pc as usize) {
            Some(Instr::Return { src }) => {
                call.value = registers.get(*src as usize).map(|v| written(machine, *v));
            }
            Some(Instr::GridFill {
                rows, cols, from, ..
            }) => {
                let number = |r: Reg| {
                    registers
                        .get(r as usize)
                        .and_then(|v| v.as_int())
                        .unwrap_or(0)
                        - *from as i64
                };
                let within = |first: Reg, n: i64| (number(first)..=number(first + 1)).contains(&n);
                if cell.is_some_and(|(row, col)| within(*rows, row) && within(*cols, col)) {
                    call.equation = call.current_equation;
                }
            }
            _ => {}
        }
    }

    fn look(
        &mut self,
        machine: &Machine,
        function: &Function,
        note: &ValueInfo,
        jumped: Option<bool>,
    ) {
        let registers = machine.registers(machine.frames().len() - 1);
        let (time, cell) = (machine.time(), self.cell);
        let Some(call) = self.top() else { return };
        let value = match note.loc {
            ValueLoc::Equation => {
                call.current_equation = note.span;
                if cell.is_none() || call.equation == Span::default() {
                    call.equation = note.span;
                }
                return;
            }
            ValueLoc::Branch { test, outcome: is } => {
                let branch = note.span;
                call.events
                    .retain(|f| !matches!(f, TraceEvent::Branch { test: t, .. } if *t == test));
                return call.events.push(TraceEvent::Branch {
                    test,
                    outcome: is,
                    branch,
                });
            }
            ValueLoc::Bind(register) => {
                let Some(value) = registers.get(register as usize) else {
                    return;
                };
                let value = written(machine, *value);
                let same = |f: &TraceEvent| matches!(f, TraceEvent::Bind { expr: part, register: r, .. } if (*part, *r) == (note.span, register));
                call.events.retain(|f| !same(f));
                let (pc, part) = (note.pc, note.span);
                let name = function
                    .locals_at(pc)
                    .filter(|l| l.register == register)
                    .last()
                    .map(|l| l.name.to_string());
                return call.events.push(TraceEvent::Bind {
                    register,
                    name,
                    pc,
                    expr: part,
                    value,
                    time,
                });
            }
            ValueLoc::Register(r) => registers.get(r as usize).copied(),
            ValueLoc::Global(g) => machine.store.globals.get(g as usize).copied(),
            ValueLoc::Constant(value) => Some(value),
            ValueLoc::JumpTest { if_taken } => jumped.map(|taken| Value::bool(taken == if_taken)),
            _ => None,
        };
        if let Some(value) = value {
            call.values.retain(|p| p.span != note.span);
            if call.values.len() < MOST_PARTS {
                call.values.push(ExprValue {
                    span: note.span,
                    value,
                    text: written(machine, value),
                });
            }
        }
    }
}

impl Call {
    fn round(&mut self, head: Span) {
        for fact in &mut self.events {
            if let TraceEvent::Loop { head: h, count } = fact
                && *h == head
            {
                *count += 1;
                return;
            }
        }
        self.events.push(TraceEvent::Loop { head, count: 0 });
    }
}

impl Observer for ExecTrace {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let depth = machine.frames().len();
        let Some((id, pc)) = machine.current_location().filter(|_| depth >= self.floor) else {
            return true;
        };
        let Some(function) = machine.function(id).cloned() else {
            return true;
        };
        let level = depth - self.floor;
        if let Some((at, old)) = self.previous.take()
            && at == depth
        {
            let jumped = function
                .code
                .get(old as usize)
                .and_then(|i| i.target())
                .map(|to| to == pc && to != old + 1);
            for note in notes_at(&function, old).filter(|n| n.after) {
                self.look(machine, &function, note, jumped);
            }
        }
        if machine.time() >= self.until {
            // What is about to be done may be told by what lies ready for it.
            for note in notes_at(&function, pc).filter(|n| !n.after && level == 0) {
                self.look(machine, &function, note, None);
            }
            return true;
        }
        self.stack.truncate(level + 1);
        if self.stack.len() <= level {
            self.enter(machine, &function, id);
        }
        self.see(machine, &function, pc);
        for note in notes_at(&function, pc).filter(|n| !n.after) {
            self.look(machine, &function, note, None);
        }
        self.previous = Some((depth, pc));
        false
    }
}

fn notes_at(function: &Function, pc: u32) -> impl Iterator<Item = &ValueInfo> {
    let first = function.value_infos.partition_point(|n| n.pc < pc);
    function.value_infos[first..]
        .iter()
        .take_while(move |n| n.pc == pc)
}

fn written(machine: &Machine, value: Value) -> String {
    let program = machine.program();
    (program.format_value)(program, &machine.store, value, true)
}
