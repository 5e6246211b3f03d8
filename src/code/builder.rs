//! Puts a function together, instruction by instruction.

use super::{Function, Instr, Local, Note, Reg, Role, Seen, Stop, StopKind};
use crate::source::Span;
use crate::value::{Text, Value};
use std::collections::HashMap;

/// A jump whose goal is not known yet.
#[must_use]
#[derive(Clone, Copy, Debug)]
pub struct Jump(u32);

/// The most registers a frame can have; past it `Builder::is_too_large` says so.
const MOST: Reg = 60_000;

pub struct Builder {
    function: Function,
    /// Where each constant stands: a long program has tens of thousands of them.
    constants: HashMap<Value, usize>,
    next: Reg,
    too_large: bool,
}

impl Builder {
    pub fn new(name: Text, role: Role, parameters: u16, span: Span) -> Builder {
        Builder {
            function: Function {
                name,
                also: None,
                role,
                parameters,
                registers: parameters.max(1),
                code: Vec::new(),
                constants: Vec::new(),
                spans: Vec::new(),
                stops: Vec::new(),
                notes: Vec::new(),
                locals: Vec::new(),
                span,
            },
            constants: HashMap::new(),
            next: parameters,
            too_large: false,
        }
    }

    /// Gives it a second name.
    pub fn also(&mut self, name: Text) {
        self.function.also = Some(name);
    }

    /// The number of the next instruction.
    pub fn here(&self) -> u32 {
        self.function.code.len() as u32
    }

    /// Adds an instruction; `span` is where to point when it fails.
    pub fn emit(&mut self, instr: Instr, span: Span) -> u32 {
        self.function.code.push(instr);
        self.function.spans.push(span);
        self.here() - 1
    }

    /// Adds a jump that is given its goal later, by [`Builder::land`].
    pub fn jump(&mut self, instr: Instr, span: Span) -> Jump {
        Jump(self.emit(instr, span))
    }

    /// The jump goes to the next instruction.
    pub fn land(&mut self, jump: Jump) {
        let here = self.here();
        self.aim(jump, here);
    }

    pub fn land_all(&mut self, jumps: impl IntoIterator<Item = Jump>) {
        jumps.into_iter().for_each(|j| self.land(j));
    }

    pub fn aim(&mut self, jump: Jump, at: u32) {
        if let Some(to) = self.function.code[jump.0 as usize].target_mut() {
            *to = at;
        }
    }

    /// A register of its own, until [`Builder::release`].
    pub fn register(&mut self) -> Reg {
        self.registers(1)
    }

    /// Several in a row.
    pub fn registers(&mut self, count: u16) -> Reg {
        let first = self.next;
        if first as u32 + count as u32 > MOST as u32 {
            self.too_large = true;
            return 0;
        }
        self.next += count;
        self.function.registers = self.function.registers.max(self.next + 1);
        first
    }

    /// As many in a row as there are things to be kept; too many make the function too large.
    pub fn row(&mut self, things: usize) -> Reg {
        match u16::try_from(things) {
            Ok(count) => self.registers(count),
            Err(_) => {
                self.too_large = true;
                0
            }
        }
    }

    /// How many registers are in use: to be given to `release` later.
    pub fn mark(&self) -> Reg {
        self.next
    }

    /// Gives back all registers taken since `mark`.
    pub fn release(&mut self, mark: Reg) {
        self.next = mark;
    }

    pub fn constant(&mut self, value: Value) -> u16 {
        let constants = &mut self.function.constants;
        let at = *self.constants.entry(value).or_insert_with(|| {
            constants.push(value);
            constants.len() - 1
        });
        u16::try_from(at).unwrap_or_else(|_| {
            self.too_large = true;
            0
        })
    }

    pub fn text(&mut self, text: &str) -> u16 {
        self.constant(Value::text(Text::new(text)))
    }

    /// A place to stop, before the next instruction. A second one at the same place is more exact: its span
    /// counts, and the kind of the first unless that was just a statement.
    pub fn stop(&mut self, kind: StopKind, span: Span) {
        let pc = self.here();
        match self.function.stops.last_mut() {
            Some(last) if last.pc == pc => {
                last.span = span;
                if last.kind == StopKind::Statement {
                    last.kind = kind;
                }
            }
            _ => self.function.stops.push(Stop { pc, kind, span }),
        }
    }

    /// The part `span` of the text has its value just before the next instruction.
    pub fn note_before(&mut self, span: Span, seen: Seen) {
        let pc = self.here();
        self.function.notes.push(Note {
            pc,
            after: false,
            span,
            seen,
        });
    }

    /// The part `span` of the text has its value once the last instruction is done.
    pub fn note_after(&mut self, span: Span, seen: Seen) {
        let pc = self.here().saturating_sub(1);
        self.function.notes.push(Note {
            pc,
            after: true,
            span,
            seen,
        });
    }

    /// Whether something is noted to be known just before the next instruction: who comes here by another way does
    /// not know it.
    pub fn is_noted(&self) -> bool {
        let pc = self.here();
        self.function
            .notes
            .last()
            .is_some_and(|n| n.pc == pc && !n.after)
    }

    /// A name for a register from here on; its end is told by [`Builder::end_locals`].
    pub fn local(&mut self, name: Text, register: Reg) {
        let from = self.here();
        self.function.locals.push(Local {
            name,
            register,
            from,
            to: u32::MAX,
        });
    }

    pub fn locals(&self) -> usize {
        self.function.locals.len()
    }

    /// The names given since there were `count` of them end here.
    pub fn end_locals(&mut self, count: usize) {
        let here = self.here();
        for local in &mut self.function.locals[count..] {
            if local.to == u32::MAX {
                local.to = here;
            }
        }
    }

    /// All of the text that it is made from.
    pub fn whole(&self) -> Span {
        self.function.span
    }

    /// More registers or constants than a function can have.
    pub fn is_too_large(&self) -> bool {
        self.too_large || self.function.code.len() > 10_000_000
    }

    pub fn finish(mut self) -> Function {
        let span = self.function.span.after();
        self.emit(Instr::ReturnNothing, span);
        // What is known after an instruction may have been noted behind what is known before the next.
        self.function.notes.sort_by_key(|n| n.pc);
        self.function
    }
}
