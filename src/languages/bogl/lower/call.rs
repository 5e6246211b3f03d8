//! Calls of user-defined and built-in functions.

use super::Lowerer;
use crate::ast::{Expr, ExprKind, Name};
use crate::check::builtin::Builtin;
use crate::check::resolution::NameRef;
use crate::check::types::SignatureType;
use crate::code::{Instr, LineDirections, Reg, ValueLoc};
use crate::lower::scope::{
    COMMITTED_BOARD, DISPLAYED_BOARD, INPUT_REQUESTED, OTHER_BOARD, PLACED_BOARD,
};
use crate::source::Span;
use crate::value::{InternedStr, Value};

impl Lowerer<'_> {
    pub(super) fn lower_call(&mut self, function: &Name, arguments: &[Expr], dst: Reg, span: Span) {
        if let Some(NameRef::Builtin(builtin)) = self.resolution.names.get(&function.span) {
            return self.lower_builtin(*builtin, arguments, dst, span);
        }
        let count = self.parameter_count(&function.text);
        let base = self.builder.alloc_call(count.into(), Some(dst));
        match (count, arguments) {
            (0, _) => {}
            (1, [only]) => self.lower_expr_to(only, base),
            // An extended tuple is one parameter, even if its components are passed separately.
            (1, several) => self.lower_tuple(several, base, span),
            (_, [only]) => self.unpack_tuple(only, base, count),
            (_, several) => self.lower_all_to(several, base),
        }
        for n in 0..count {
            let own = arguments.get(n as usize);
            let own = own.filter(|_| arguments.len() == count as usize);
            let part = own.or(arguments.first()).map_or(span, |part| part.span);
            let loc = ValueLoc::Bind(base + n);
            self.builder.record_value_before(part, loc);
        }
        match self.scope.symbols.get(&function.text) {
            Some(function) => self.builder.emit(Instr::Call { function, base }, span),
            None => return self.emit_failure(&format!("`{}` is not defined", function.text), span),
        };
        self.builder.emit_move(dst, base, span);
        // Not recorded after `Call`, which completes when the callee starts, not when it returns.
        self.record_result(dst, span);
    }

    /// Number of registers that the function's argument is passed in.
    fn parameter_count(&self, name: &str) -> u16 {
        let global = self.scope.env.global(name);
        match global.map(|global| &global.signature_type) {
            Some(SignatureType::Function { argument, .. }) => {
                argument.as_tuple().map_or(1, |parts| parts.len() as u16)
            }
            _ => 0,
        }
    }

    /// Evaluates the arguments of a built-in function from left to right, each into some register.
    fn lower_arguments<const N: usize>(&mut self, arguments: &[Expr]) -> [Reg; N] {
        match unpacked::<N>(arguments) {
            [only] if N > 1 => {
                let first = self.builder.alloc_registers(N as u16);
                self.unpack_tuple(only, first, N as u16);
                std::array::from_fn(|n| first + n as Reg)
            }
            parts => {
                let mut registers = [0; N];
                for (register, part) in registers.iter_mut().zip(parts) {
                    *register = self.lower_expr(part);
                }
                registers
            }
        }
    }

    pub(super) fn lower_builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        dst: Reg,
        span: Span,
    ) {
        let board = self.scope.env.types.board();
        match builtin {
            Builtin::Input => return self.lower_input(dst, span),
            Builtin::Width => self.emit_int(board.width.into(), dst, span),
            Builtin::Height => self.emit_int(board.height.into(), dst, span),
            Builtin::Place => return self.lower_place(arguments, dst, span),
            Builtin::Not => {
                let [a] = self.lower_arguments(arguments);
                self.builder.emit(Instr::Not { dst, a }, span);
            }
            Builtin::And | Builtin::Or => return self.lower_and_or(builtin, arguments, dst, span),
            Builtin::Count => {
                let [value, grid] = self.lower_arguments(arguments);
                self.builder
                    .emit(Instr::GridCount { dst, grid, value }, span);
            }
            Builtin::LongestLine(directions) => {
                let [value, grid] = self.lower_arguments(arguments);
                self.emit_longest_line(grid, value, directions, dst, span);
            }
            Builtin::InARow => {
                let [a, value, grid] = self.lower_arguments(arguments);
                let b = self.builder.alloc_register();
                self.emit_longest_line(grid, value, LineDirections::ALL, b, span);
                self.builder.emit(Instr::LessEqual { dst, a, b }, span);
            }
            Builtin::IsFull => {
                let [grid] = self.lower_arguments(arguments);
                let (value, zero) = (self.builder.alloc_register(), self.builder.alloc_register());
                self.emit_constant(Value::symbol(InternedStr::new("Empty")), value, span);
                self.emit_int(0, zero, span);
                self.builder
                    .emit(Instr::GridCount { dst, grid, value }, span);
                self.emit_equality(dst, dst, zero, span);
            }
        }
        self.record_value(dst, span);
    }

    fn emit_longest_line(
        &mut self,
        grid: Reg,
        value: Reg,
        directions: LineDirections,
        dst: Reg,
        span: Span,
    ) {
        let instr = Instr::GridLongestRun {
            dst,
            grid,
            value,
            directions,
        };
        self.builder.emit(instr, span);
    }

    fn emit_equality(&mut self, dst: Reg, a: Reg, b: Reg, span: Span) {
        let instr = Instr::EqualAnyType {
            dst,
            a,
            b,
            expected: true,
        };
        self.builder.emit(instr, span);
    }

    /// `and` and `or` do not short-circuit: both operands are evaluated, then one is selected.
    fn lower_and_or(&mut self, builtin: Builtin, arguments: &[Expr], dst: Reg, span: Span) {
        let [a, b] = self.lower_arguments(arguments);
        let skip_b = match builtin {
            Builtin::And => Instr::JumpUnless { a, to: 0 },
            _ => Instr::JumpIf { a, to: 0 },
        };
        let result = self.builder.alloc_register();
        self.builder.emit_move(result, a, span);
        let done = self.builder.emit_jump(skip_b, span);
        self.builder.emit_move(result, b, span);
        self.builder.patch_here(done);
        self.builder.emit_move(dst, result, span);
        self.record_value(dst, span);
    }

    fn lower_place(&mut self, arguments: &[Expr], dst: Reg, span: Span) {
        let (value, grid, (col, row), position_span) = match unpacked::<3>(arguments) {
            [value, board, position] => (
                self.lower_expr(value),
                self.lower_expr(board),
                self.lower_position(position),
                position.span,
            ),
            _ => {
                let [value, grid, position] = self.lower_arguments(arguments);
                let first = self.builder.alloc_registers(2);
                self.builder.emit_item(first, position, 0, span);
                self.builder.emit_item(first + 1, position, 1, span);
                (value, grid, (first, first + 1), span)
            }
        };
        if self.tracks_boards() {
            self.keep_other_board(grid, span);
        }
        let instr = Instr::GridWithCell {
            dst,
            grid,
            row,
            col,
            value,
            from: 1,
        };
        self.builder.emit_value(instr, dst, position_span, span);
        self.builder.emit_set_global(DISPLAYED_BOARD, dst, span);
        if self.tracks_boards() {
            self.builder.emit_set_global(PLACED_BOARD, dst, span);
        }
        if self.is_entry {
            self.builder.emit_set_global(COMMITTED_BOARD, dst, span);
        }
    }

    /// True if the game asks for input, when all boards in play are shown.
    pub(super) fn tracks_boards(&self) -> bool {
        self.scope.env.types.get("Input").is_some()
    }

    /// Emits code that keeps the board of the last `place`, if `grid` is another one. Comparing a
    /// board with itself takes no time.
    fn keep_other_board(&mut self, grid: Reg, span: Span) {
        let in_use = self.builder.registers_in_use();
        let (placed, a) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.builder.emit_get_global(placed, PLACED_BOARD, span);
        self.emit_equality(a, placed, grid, span);
        let same = self.builder.emit_jump(Instr::JumpIf { a, to: 0 }, span);
        self.builder.emit_set_global(OTHER_BOARD, placed, span);
        self.builder.patch_here(same);
        self.builder.release_registers(in_use);
    }

    fn lower_input(&mut self, dst: Reg, span: Span) {
        let prompt = format!("input : {}", self.scope.env.types.input().expanded());
        let question = self.builder.alloc_register();
        self.emit_constant(Value::TRUE, question, span);
        self.builder
            .emit_set_global(INPUT_REQUESTED, question, span);
        self.builder.emit_string(question, &prompt, span);
        let ask = Instr::Ask {
            dst,
            question,
            input_kind: 0,
        };
        self.builder.emit_value(ask, dst, span, span);
    }
}

/// The arguments of a built-in function with `N` parameters, also if they are written as one tuple.
fn unpacked<const N: usize>(arguments: &[Expr]) -> &[Expr] {
    match arguments {
        [only] if N > 1 => match &only.kind {
            ExprKind::Tuple(parts) => parts,
            _ => arguments,
        },
        _ => arguments,
    }
}
