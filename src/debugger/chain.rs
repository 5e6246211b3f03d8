//! The chain of equations that made a value: every call under one frame, with what it was given, which branches it
//! took, and what it gave back. Nothing here knows a language.

use crate::code::{Function, FunctionId, Instr, Note, Reg, Seen, StopKind};
use crate::machine::{Machine, Watch};
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
    pub site: Span,
    /// The equation, or the last statement, that gave the value.
    pub equation: Span,
    /// The equation that it is in.
    pub present: Span,
    pub time: u64,
    /// Until it has one, it goes on.
    pub value: Option<String>,
    pub facts: Vec<Fact>,
    /// Parts of the text with the values that they had last.
    pub parts: Vec<Part>,
}

/// What happened on the way through an equation.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact {
    /// A test decided which branch counts.
    Taken { test: Span, is: bool, branch: Span },
    /// A register got its value from a part: it has a name, or is to be the parameter of a call.
    Given {
        register: Reg,
        name: Option<String>,
        pc: u32,
        part: Span,
        value: String,
        time: u64,
    },
    /// A loop was gone through so often.
    Rounds { head: Span, count: usize },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    pub span: Span,
    pub value: Value,
    pub text: String,
}

/// Watches a frame and all calls that it makes, until a time, or until the frame is left.
pub struct Chain {
    floor: usize,
    until: u64,
    /// The first frame, then the calls in the order in which they were made.
    pub calls: Vec<Call>,
    /// How many calls there were beyond those, and the deepest of them.
    pub more: usize,
    pub deepest: Option<Call>,
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

impl Chain {
    pub fn new(machine: &Machine, until: u64) -> Chain {
        Chain {
            floor: machine.frames().len(),
            until,
            calls: Vec::new(),
            more: 0,
            deepest: None,
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
                .deepest
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
            self.more += 1;
            self.stack.push(NOT_KEPT);
            if self.deepest.as_ref().is_some_and(|d| d.depth >= depth) {
                return;
            }
        } else {
            self.stack.push(self.calls.len());
        }
        let given = machine
            .registers(frames.len() - 1)
            .iter()
            .take(function.parameters as usize);
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
            site: site.unwrap_or_default(),
            equation: Span::default(),
            present: Span::default(),
            time: machine.time(),
            value: None,
            facts: Vec::new(),
            parts: Vec::new(),
        };
        if kept {
            self.calls.push(call);
        } else {
            self.deepest = Some(call);
        }
    }

    /// What is to be seen before the instruction is done.
    fn see(&mut self, machine: &Machine, function: &Function, pc: u32) {
        let cell = self.cell;
        let registers = machine.registers(machine.frames().len() - 1);
        let Some(call) = self.top() else { return };
        if let Some(stop) = function.stop_at(pc) {
            if function
                .notes
                .first()
                .is_none_or(|n| n.seen != Seen::Equation)
            {
                call.equation = stop.span;
            }
            if stop.kind == StopKind::Round {
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
                    call.equation = call.present;
                }
            }
            _ => {}
        }
    }

    fn look(&mut self, machine: &Machine, function: &Function, note: &Note, jumped: Option<bool>) {
        let registers = machine.registers(machine.frames().len() - 1);
        let (time, cell) = (machine.time(), self.cell);
        let Some(call) = self.top() else { return };
        let value = match note.seen {
            Seen::Equation => {
                call.present = note.span;
                if cell.is_none() || call.equation == Span::default() {
                    call.equation = note.span;
                }
                return;
            }
            Seen::Taken { test, is } => {
                let branch = note.span;
                call.facts
                    .retain(|f| !matches!(f, Fact::Taken { test: t, .. } if *t == test));
                return call.facts.push(Fact::Taken { test, is, branch });
            }
            Seen::Given(register) => {
                let Some(value) = registers.get(register as usize) else {
                    return;
                };
                let value = written(machine, *value);
                let same = |f: &Fact| matches!(f, Fact::Given { part, register: r, .. } if (*part, *r) == (note.span, register));
                call.facts.retain(|f| !same(f));
                let (pc, part) = (note.pc, note.span);
                let name = function
                    .locals_at(pc)
                    .filter(|l| l.register == register)
                    .last()
                    .map(|l| l.name.to_string());
                return call.facts.push(Fact::Given {
                    register,
                    name,
                    pc,
                    part,
                    value,
                    time,
                });
            }
            Seen::Register(r) => registers.get(r as usize).copied(),
            Seen::Global(g) => machine.store.globals.get(g as usize).copied(),
            Seen::Constant(value) => Some(value),
            Seen::Test { if_taken } => jumped.map(|taken| Value::bool(taken == if_taken)),
            _ => None,
        };
        if let Some(value) = value {
            call.parts.retain(|p| p.span != note.span);
            if call.parts.len() < MOST_PARTS {
                call.parts.push(Part {
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
        for fact in &mut self.facts {
            if let Fact::Rounds { head: h, count } = fact
                && *h == head
            {
                *count += 1;
                return;
            }
        }
        self.facts.push(Fact::Rounds { head, count: 0 });
    }
}

impl Watch for Chain {
    fn pauses(&mut self, machine: &Machine) -> bool {
        let depth = machine.frames().len();
        let Some((id, pc)) = machine.at().filter(|_| depth >= self.floor) else {
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

fn notes_at(function: &Function, pc: u32) -> impl Iterator<Item = &Note> {
    let first = function.notes.partition_point(|n| n.pc < pc);
    function.notes[first..]
        .iter()
        .take_while(move |n| n.pc == pc)
}

fn written(machine: &Machine, value: Value) -> String {
    let program = machine.program();
    (program.write)(program, &machine.store, value, true)
}
