//! Assembles a function, instruction by instruction.

use super::{
    Function, FunctionKind, Instr, Local, OperatorPosition, Reg, StopKind, StopPoint, ValueInfo,
    ValueLoc,
};
use crate::source::{Span, work};
use crate::value::{InternedStr, Value};
use std::collections::HashMap;

/// A jump whose target is not known yet; pass it to [`Builder::patch_here`] or [`Builder::patch`].
#[must_use]
#[derive(Clone, Copy, Debug)]
pub struct PendingJump(u32);

/// A frame has at most this many registers.
const MAX_REGISTERS: Reg = 60_000;

/// A function has at most this many instructions.
const MAX_FUNCTION_INSTRUCTIONS: usize = 10_000_000;

/// Builds a [`Function`].
pub struct Builder {
    function: Function,
    /// Index of each constant, to deduplicate them; a long program has tens of thousands.
    constants: HashMap<Value, usize>,
    /// The operator of each compound expression.
    operators: Vec<(Span, OperatorPosition)>,
    /// The next free register.
    next_register: Reg,
    too_large: bool,
}

impl Builder {
    /// Starts a function. Its parameters occupy the first registers.
    pub fn new(name: InternedStr, kind: FunctionKind, parameter_count: u16, span: Span) -> Builder {
        Builder {
            function: Function {
                name,
                alias: None,
                kind,
                parameter_count,
                register_count: parameter_count.max(1),
                code: Vec::new(),
                constants: Vec::new(),
                spans: Vec::new(),
                stop_points: Vec::new(),
                value_infos: Vec::new(),
                locals: Vec::new(),
                span,
            },
            constants: HashMap::new(),
            operators: Vec::new(),
            next_register: parameter_count,
            too_large: false,
        }
    }

    /// Sets a second name for breakpoints.
    pub fn set_alias(&mut self, name: InternedStr) {
        self.function.alias = Some(name);
    }

    /// The index of the next instruction.
    pub fn next_pc(&self) -> u32 {
        self.function.code.len() as u32
    }

    /// Appends an instruction; `span` is underlined if it fails.
    pub fn emit(&mut self, instr: Instr, span: Span) -> u32 {
        work::poll();
        self.function.code.push(instr);
        self.function.spans.push(span);
        self.next_pc() - 1
    }

    /// Appends a jump whose target is set later.
    pub fn emit_jump(&mut self, instr: Instr, span: Span) -> PendingJump {
        PendingJump(self.emit(instr, span))
    }

    /// Makes the jump go to the next instruction.
    pub fn patch_here(&mut self, jump: PendingJump) {
        let here = self.next_pc();
        self.patch(jump, here);
    }

    /// Makes all these jumps go to the next instruction.
    pub fn patch_all_here(&mut self, jumps: impl IntoIterator<Item = PendingJump>) {
        jumps.into_iter().for_each(|j| self.patch_here(j));
    }

    /// Makes the jump go to the instruction `target`.
    pub fn patch(&mut self, jump: PendingJump, target: u32) {
        if let Some(to) = self.function.code[jump.0 as usize].target_mut() {
            *to = target;
        }
    }

    /// Allocates a register; [`Builder::release_registers`] frees it.
    pub fn alloc_register(&mut self) -> Reg {
        self.alloc_registers(1)
    }

    /// Allocates consecutive registers and returns the first.
    pub fn alloc_registers(&mut self, count: u16) -> Reg {
        let first = self.next_register;
        if first as u32 + count as u32 > MAX_REGISTERS as u32 {
            self.too_large = true;
            return 0;
        }
        self.next_register += count;
        self.function.register_count = self.function.register_count.max(self.next_register + 1);
        first
    }

    /// Like [`Builder::alloc_registers`], for a count that may not fit in `u16`.
    pub fn alloc_block(&mut self, count: usize) -> Reg {
        match u16::try_from(count) {
            Ok(count) => self.alloc_registers(count),
            Err(_) => {
                self.too_large = true;
                0
            }
        }
    }

    /// The number of registers in use, to pass to [`Builder::release_registers`].
    pub fn registers_in_use(&self) -> Reg {
        self.next_register
    }

    /// Releases all registers allocated since `registers_in_use` returned `count`.
    pub fn release_registers(&mut self, count: Reg) {
        self.next_register = count;
    }

    /// Index of a constant; equal constants share one.
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

    /// Index of a string constant.
    pub fn string_constant(&mut self, text: &str) -> u16 {
        self.constant(Value::interned(InternedStr::new(text)))
    }

    /// Loads a constant; a small number without an entry in the table of constants.
    pub fn emit_constant(&mut self, dst: Reg, value: Value, span: Span) {
        let instr = match value.as_int().and_then(|n| i32::try_from(n).ok()) {
            Some(value) => Instr::Int { dst, value },
            None => Instr::Constant {
                dst,
                k: self.constant(value),
            },
        };
        self.emit(instr, span);
    }

    /// Loads a string.
    pub fn emit_string(&mut self, dst: Reg, text: &str, span: Span) {
        self.emit_constant(dst, Value::interned(InternedStr::new(text)), span);
    }

    /// Loads a number of 64 bits. Constants cannot be heap values, so one that does not fit in a
    /// value is computed from its halves.
    pub fn emit_int64(&mut self, dst: Reg, value: i64, span: Span) {
        if let Some(value) = Value::inline_int(value) {
            return self.emit_constant(dst, value, span);
        }
        let in_use = self.registers_in_use();
        let b = self.alloc_register();
        self.emit_int64(dst, value >> 32, span);
        self.emit_int64(b, 1 << 32, span);
        self.emit(Instr::Multiply { dst, a: dst, b }, span);
        self.emit_int64(b, value & 0xFFFF_FFFF, span);
        self.emit(Instr::Add { dst, a: dst, b }, span);
        self.release_registers(in_use);
    }

    /// Fails when it runs. `{}` in the message is replaced by the value of the register `with`; text
    /// after ` | ` becomes a note.
    pub fn emit_fail(&mut self, message: &str, with: Option<Reg>, span: Span) {
        let k = self.string_constant(message);
        let (a, with) = (with.unwrap_or(0), with.is_some());
        self.emit(Instr::Fail { k, a, with }, span);
    }

    /// Adds a stop point before the next instruction. A second one at the same instruction refines
    /// the first: it replaces the span, and also the kind if that was just a statement.
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

    /// Ends a statement that starts at `start`. One without code, such as `x = x`, gets an instruction of its
    /// own: what comes next may belong to another block, and run although the statement does not.
    pub fn end_statement(&mut self, start: u32, span: Span) {
        if self.next_pc() == start {
            let to = start + 1;
            self.emit(Instr::Jump { to }, span);
        }
    }

    /// The value of the expression at `span` is available just before the next instruction.
    pub fn record_value_before(&mut self, span: Span, loc: ValueLoc) {
        let pc = self.next_pc();
        self.function.value_infos.push(ValueInfo {
            pc,
            after: false,
            span,
            loc,
            operator: None,
        });
    }

    /// The value of the expression at `span` is available after the previous instruction.
    pub fn record_value_after(&mut self, span: Span, loc: ValueLoc) {
        let pc = self.next_pc().saturating_sub(1);
        self.function.value_infos.push(ValueInfo {
            pc,
            after: true,
            span,
            loc,
            operator: None,
        });
    }

    /// Sets where the operator of the expression at `span` is: the values recorded for that
    /// expression, before or after, are shown there.
    pub fn set_operator(&mut self, span: Span, operator: Span) {
        let position = OperatorPosition::new(span, operator);
        self.operators.extend(position.map(|at| (span, at)));
    }

    /// Whether a value was recorded as available just before the next instruction. It is only valid
    /// on the fall-through path, so no jump may land here.
    pub fn has_recorded_before(&self) -> bool {
        let pc = self.next_pc();
        self.function
            .value_infos
            .last()
            .is_some_and(|info| info.pc == pc && !info.after)
    }

    /// Names a register from here until [`Builder::end_locals`].
    pub fn begin_local(&mut self, name: InternedStr, register: Reg) {
        let start_pc = self.next_pc();
        self.function.locals.push(Local {
            name,
            register,
            start_pc,
            end_pc: u32::MAX,
        });
    }

    /// Number of locals so far, to pass to [`Builder::end_locals`].
    pub fn local_count(&self) -> usize {
        self.function.locals.len()
    }

    /// Ends the scope of all locals except the first `count`.
    pub fn end_locals(&mut self, count: usize) {
        let here = self.next_pc();
        for local in &mut self.function.locals[count..] {
            if local.end_pc == u32::MAX {
                local.end_pc = here;
            }
        }
    }

    /// The span of the whole definition.
    pub fn full_span(&self) -> Span {
        self.function.span
    }

    /// A function without parameters that always fails with `message`: the placeholder for a name
    /// that is not defined.
    pub fn failing(name: InternedStr, kind: FunctionKind, message: &str, span: Span) -> Function {
        let mut builder = Builder::new(name, kind, 0, span);
        builder.emit_fail(message, None, span);
        builder.finish()
    }

    /// The finished function. One that needs more registers, constants or instructions than the
    /// bytecode can address has no code, so that lowering can continue. It must never run:
    /// [`Program::check_sizes`](super::Program::check_sizes) reports it.
    pub fn finish(mut self) -> Function {
        let span = self.function.span.shrink_to_end();
        self.emit(Instr::ReturnNothing, span);
        if self.too_large || self.function.code.len() > MAX_FUNCTION_INSTRUCTIONS {
            self.function.code.clear();
            return self.function;
        }
        // Infos recorded after an instruction may follow those recorded before the next one.
        self.function.value_infos.sort_by_key(|info| info.pc);
        let start_and_end = |span: Span| (span.start, span.end);
        self.operators
            .sort_unstable_by_key(|(span, _)| start_and_end(*span));
        for info in &mut self.function.value_infos {
            let key = start_and_end(info.span);
            let found = self
                .operators
                .binary_search_by_key(&key, |(span, _)| start_and_end(*span));
            info.operator = found.ok().map(|index| self.operators[index].1);
        }
        self.function
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builder() -> Builder {
        let name = InternedStr::new("f");
        Builder::new(name, FunctionKind::Function, 0, Span::default())
    }

    #[test]
    fn a_function_of_normal_size_ends_in_a_return() {
        assert_eq!(builder().finish().code, [Instr::ReturnNothing]);
    }

    #[test]
    fn too_many_registers_are_an_error_and_not_register_zero() {
        let mut builder = builder();
        for _ in 0..MAX_REGISTERS {
            builder.alloc_register();
        }
        builder.alloc_register();
        assert!(builder.finish().is_too_large());
    }

    #[test]
    fn a_block_of_more_registers_than_can_be_numbered_is_an_error() {
        let mut builder = builder();
        builder.alloc_block(1 << 20);
        assert!(builder.finish().is_too_large());
    }

    #[test]
    fn too_many_constants_are_an_error() {
        let mut builder = builder();
        for n in 0..=u32::from(u16::MAX) {
            builder.constant(Value::float(f64::from(n)));
        }
        assert!(!builder.finish().is_too_large());
        let mut builder = self::builder();
        for n in 0..=u32::from(u16::MAX) + 1 {
            builder.constant(Value::float(f64::from(n)));
        }
        assert!(builder.finish().is_too_large());
    }
}
