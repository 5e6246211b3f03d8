//! Puts a function together, instruction by instruction.

use super::{Function, FunctionKind, Instr, Local, Reg, StopKind, StopPoint, ValueInfo, ValueLoc};
use crate::source::Span;
use crate::value::{InternedStr, Value};
use std::collections::HashMap;

/// A jump whose goal is not known yet.
#[must_use]
#[derive(Clone, Copy, Debug)]
pub struct PendingJump(u32);

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
    pub fn new(name: InternedStr, role: FunctionKind, parameters: u16, span: Span) -> Builder {
        Builder {
            function: Function {
                name,
                alias: None,
                kind: role,
                parameter_count: parameters,
                register_count: parameters.max(1),
                code: Vec::new(),
                constants: Vec::new(),
                spans: Vec::new(),
                stop_points: Vec::new(),
                value_infos: Vec::new(),
                locals: Vec::new(),
                span,
            },
            constants: HashMap::new(),
            next: parameters,
            too_large: false,
        }
    }

    /// Gives it a second name.
    pub fn set_alias(&mut self, name: InternedStr) {
        self.function.alias = Some(name);
    }

    /// The number of the next instruction.
    pub fn next_pc(&self) -> u32 {
        self.function.code.len() as u32
    }

    /// Adds an instruction; `span` is where to point when it fails.
    pub fn emit(&mut self, instr: Instr, span: Span) -> u32 {
        self.function.code.push(instr);
        self.function.spans.push(span);
        self.next_pc() - 1
    }

    /// Adds a jump that is given its goal later, by [`Builder::land`].
    pub fn emit_jump(&mut self, instr: Instr, span: Span) -> PendingJump {
        PendingJump(self.emit(instr, span))
    }

    /// The jump goes to the next instruction.
    pub fn patch_here(&mut self, jump: PendingJump) {
        let here = self.next_pc();
        self.patch(jump, here);
    }

    pub fn patch_all_here(&mut self, jumps: impl IntoIterator<Item = PendingJump>) {
        jumps.into_iter().for_each(|j| self.patch_here(j));
    }

    pub fn patch(&mut self, jump: PendingJump, at: u32) {
        if let Some(to) = self.function.code[jump.0 as usize].target_mut() {
            *to = at;
        }
    }

    /// A register of its own, until [`Builder::release`].
    pub fn alloc_register(&mut self) -> Reg {
        self.alloc_registers(1)
    }

    /// Several in a row.
    pub fn alloc_registers(&mut self, count: u16) -> Reg {
        let first = self.next;
        if first as u32 + count as u32 > MOST as u32 {
            self.too_large = true;
            return 0;
        }
        self.next += count;
        self.function.register_count = self.function.register_count.max(self.next + 1);
        first
    }

    /// As many in a row as there are things to be kept; too many make the function too large.
    pub fn alloc_block(&mut self, things: usize) -> Reg {
        match u16::try_from(things) {
            Ok(count) => self.alloc_registers(count),
            Err(_) => {
                self.too_large = true;
                0
            }
        }
    }

    /// How many registers are in use: to be given to `release` later.
    pub fn registers_in_use(&self) -> Reg {
        self.next
    }

    /// Gives back all registers taken since `mark`.
    pub fn release_registers(&mut self, mark: Reg) {
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

    pub fn string_constant(&mut self, text: &str) -> u16 {
        self.constant(Value::interned(InternedStr::new(text)))
    }

    /// A place to stop, before the next instruction. A second one at the same place is more exact: its span
    /// counts, and the kind of the first unless that was just a statement.
    pub fn stop_point(&mut self, kind: StopKind, span: Span) {
        let pc = self.next_pc();
        match self.function.stop_points.last_mut() {
            Some(last) if last.pc == pc => {
                last.span = span;
                if last.kind == StopKind::Statement {
                    last.kind = kind;
                }
            }
            _ => self.function.stop_points.push(StopPoint { pc, kind, span }),
        }
    }

    /// The part `span` of the text has its value just before the next instruction.
    pub fn record_value_before(&mut self, span: Span, seen: ValueLoc) {
        let pc = self.next_pc();
        self.function.value_infos.push(ValueInfo {
            pc,
            after: false,
            span,
            loc: seen,
        });
    }

    /// The part `span` of the text has its value once the last instruction is done.
    pub fn record_value_after(&mut self, span: Span, seen: ValueLoc) {
        let pc = self.next_pc().saturating_sub(1);
        self.function.value_infos.push(ValueInfo {
            pc,
            after: true,
            span,
            loc: seen,
        });
    }

    /// Whether something is noted to be known just before the next instruction: who comes here by another way does
    /// not know it.
    pub fn has_recorded_before(&self) -> bool {
        let pc = self.next_pc();
        self.function
            .value_infos
            .last()
            .is_some_and(|n| n.pc == pc && !n.after)
    }

    /// A name for a register from here on; its end is told by [`Builder::end_locals`].
    pub fn begin_local(&mut self, name: InternedStr, register: Reg) {
        let from = self.next_pc();
        self.function.locals.push(Local {
            name,
            register,
            start_pc: from,
            end_pc: u32::MAX,
        });
    }

    pub fn local_count(&self) -> usize {
        self.function.locals.len()
    }

    /// The names given since there were `count` of them end here.
    pub fn end_locals(&mut self, count: usize) {
        let here = self.next_pc();
        for local in &mut self.function.locals[count..] {
            if local.end_pc == u32::MAX {
                local.end_pc = here;
            }
        }
    }

    /// All of the text that it is made from.
    pub fn full_span(&self) -> Span {
        self.function.span
    }

    /// More registers or constants than a function can have.
    pub fn is_too_large(&self) -> bool {
        self.too_large || self.function.code.len() > 10_000_000
    }

    pub fn finish(mut self) -> Function {
        let span = self.function.span.shrink_to_end();
        self.emit(Instr::ReturnNothing, span);
        // What is known after an instruction may have been noted behind what is known before the next.
        self.function.value_infos.sort_by_key(|n| n.pc);
        self.function
    }
}
