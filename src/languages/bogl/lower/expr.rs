//! Expressions. Values are computed into registers; locals are used in place.

use super::Lowerer;
use crate::ast::{Expr, ExprKind, Literal, Name, Op};
use crate::check::resolution::{GlobalKind, NameRef};
use crate::check::types::Type;
use crate::code::{Builder, CompareOp, Emit, Instr, PendingJump, Reg, ValueLoc};
use crate::source::Span;
use crate::value::{InternedStr, Value};

impl Emit for Lowerer<'_> {
    type Expr = Expr;

    fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    fn emit_expr(&mut self, e: &Expr) -> Reg {
        self.lower_expr(e)
    }

    fn emit_expr_to(&mut self, e: &Expr, dst: Reg) {
        self.lower_expr_to(e, dst);
    }

    fn span_of(e: &Expr) -> Span {
        e.span
    }

    fn int_literal(e: &Expr) -> Option<i32> {
        match e.kind {
            ExprKind::Int(n) => i32::try_from(n).ok(),
            _ => None,
        }
    }

    fn emit_fused_test(&mut self, e: &Expr) -> Option<PendingJump> {
        let ExprKind::Binary(Op::Compare(op), left, right, at) = &e.kind else {
            return None;
        };
        self.builder.set_operator(e.span, *at);
        let has_literal = self.is_int(left) && Self::int_literal(right).is_some();
        if !op.is_equality() || has_literal {
            return Some(self.emit_jump_unless(*op, [left, right], *at, e.span));
        }
        let test = Instr::JumpUnlessEqualAnyType {
            a: self.lower_expr(left),
            b: self.lower_expr(right),
            expected: *op == CompareOp::Equal,
            to: 0,
        };
        Some(self.builder.emit_test(test, *at, e.span))
    }
}

impl Lowerer<'_> {
    /// Evaluates an expression into some register and returns it.
    pub(super) fn lower_expr(&mut self, expr: &Expr) -> Reg {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(NameRef::Local(local)) = self.resolution.names.get(&name.span)
            && let Some(&register) = self.registers.get(*local as usize)
        {
            self.builder
                .record_value_before(expr.span, ValueLoc::Register(register));
            return register;
        }
        let dst = self.builder.alloc_register();
        self.lower_expr_to(expr, dst);
        dst
    }

    /// Evaluates an expression into `dst`, which must not hold a local that is still needed.
    pub(super) fn lower_expr_to(&mut self, expr: &Expr, dst: Reg) {
        let in_use = self.builder.registers_in_use();
        match &expr.kind {
            ExprKind::Int(value) => self.emit_int(*value, dst, expr.span),
            ExprKind::Bool(value) => self.emit_constant(Value::bool(*value), dst, expr.span),
            ExprKind::Symbol(symbol) => {
                self.emit_constant(Value::symbol(InternedStr::new(symbol)), dst, expr.span)
            }
            ExprKind::Name(name) => self.lower_name_to(name, dst, expr.span),
            ExprKind::Tuple(parts) => self.lower_tuple(parts, dst, expr.span),
            ExprKind::Call(function, arguments) => {
                self.lower_call(function, arguments, dst, expr.span)
            }
            ExprKind::Binary(op, left, right, at) => {
                self.builder.set_operator(expr.span, *at);
                self.lower_binary(*op, *at, left, right, dst, expr.span)
            }
            ExprKind::Project(tuple, indices, at) => {
                self.builder.set_operator(expr.span, *at);
                self.lower_projection(tuple, indices, dst, expr.span)
            }
            ExprKind::Let(name, value, body) => self.lower_let(name, value, body, dst, expr.span),
            ExprKind::If(condition, yes, no) => self.lower_if(condition, yes, no, dst, expr.span),
            ExprKind::While(condition, body) => self.lower_while(condition, body, dst, expr.span),
        }
        self.builder.release_registers(in_use);
    }

    /// Records that `dst` now holds the value of the expression at `span`.
    pub(super) fn record_value(&mut self, dst: Reg, span: Span) {
        self.builder
            .record_value_after(span, ValueLoc::Register(dst));
    }

    pub(super) fn emit_int(&mut self, value: i64, dst: Reg, span: Span) {
        self.builder.emit_int64(dst, value, span);
    }

    pub(super) fn emit_constant(&mut self, value: Value, dst: Reg, span: Span) {
        self.builder.emit_constant(dst, value, span);
    }

    fn lower_name_to(&mut self, name: &Name, dst: Reg, span: Span) {
        match self.resolution.names.get(&name.span) {
            Some(NameRef::Local(local)) => {
                let src = self.registers.get(*local as usize).copied().unwrap_or(dst);
                self.builder
                    .record_value_before(span, ValueLoc::Register(src));
                self.builder.emit(Instr::Move { dst, src }, span);
            }
            Some(NameRef::Global(GlobalKind::Board | GlobalKind::Let)) => {
                let slot = self.scope.slots.get(&name.text);
                let global = slot.copied().unwrap_or(u32::MAX);
                let instr = Instr::GetDefinedGlobal { dst, global };
                self.builder.emit_value(instr, dst, span, span);
            }
            Some(NameRef::Global(_)) => self.lower_call(name, &[], dst, span),
            Some(NameRef::Builtin(builtin)) => self.lower_builtin(*builtin, &[], dst, span),
            None => self.emit_failure(&format!("`{}` is not defined", name.text), span),
        }
    }

    pub(super) fn lower_tuple(&mut self, parts: &[Expr], dst: Reg, span: Span) {
        let count = parts.len() as u16;
        let first = self.builder.alloc_registers(count);
        self.lower_all_to(parts, first);
        self.builder.emit(Instr::Tuple { dst, first, count }, span);
    }

    /// Evaluates each expression into its own register, starting at `first`.
    pub(super) fn lower_all_to(&mut self, parts: &[Expr], first: Reg) {
        for (n, part) in parts.iter().enumerate() {
            self.lower_expr_to(part, first + n as Reg);
        }
    }

    /// Unpacks a tuple into `count` registers, starting at `first`. For a tuple literal, evaluates
    /// the components without allocating the tuple.
    pub(super) fn unpack_tuple(&mut self, expr: &Expr, first: Reg, count: u16) {
        match &expr.kind {
            ExprKind::Tuple(parts) if parts.len() == count as usize => {
                self.lower_all_to(parts, first)
            }
            _ => {
                let in_use = self.builder.registers_in_use();
                let of = self.lower_expr(expr);
                for item in 0..count {
                    self.builder.emit_item(first + item, of, item, expr.span);
                }
                self.builder.release_registers(in_use);
            }
        }
    }

    fn lower_projection(&mut self, tuple: &Expr, indices: &[Literal<i64>], dst: Reg, span: Span) {
        let of = self.lower_expr(tuple);
        // The checker guarantees that the indices, which start at 1, are valid.
        let item = |index: &Literal<i64>| (index.value - 1) as u16;
        if let [only] = indices {
            self.builder.emit_item(dst, of, item(only), span);
        } else {
            let count = indices.len() as u16;
            let first = self.builder.alloc_registers(count);
            for (part, index) in (first..).zip(indices) {
                self.builder.emit_item(part, of, item(index), index.span);
            }
            self.builder.emit(Instr::Tuple { dst, first, count }, span);
        }
        self.record_value(dst, span);
    }

    /// The registers of a position's column and row.
    pub(super) fn lower_position(&mut self, expr: &Expr) -> (Reg, Reg) {
        match &expr.kind {
            ExprKind::Tuple(parts) if parts.len() == 2 => {
                (self.lower_expr(&parts[0]), self.lower_expr(&parts[1]))
            }
            _ => {
                let first = self.builder.alloc_registers(2);
                self.unpack_tuple(expr, first, 2);
                (first, first + 1)
            }
        }
    }

    fn lower_lookup(&mut self, board: &Expr, position: &Expr, dst: Reg, span: Span) {
        let grid = self.lower_expr(board);
        let (col, row) = self.lower_position(position);
        let instr = Instr::GridCell {
            dst,
            grid,
            row,
            col,
            from: 1,
        };
        self.builder.emit_value(instr, dst, position.span, span);
    }

    fn lower_binary(&mut self, op: Op, at: Span, left: &Expr, right: &Expr, dst: Reg, span: Span) {
        match op {
            Op::Lookup => self.lower_lookup(left, right, dst, span),
            Op::Arithmetic(op) => self.emit_arithmetic(op, [left, right], dst, at, span),
            // Values of extended types can be of different kinds; then they are not equal.
            Op::Compare(op) if op.is_equality() => {
                let instr = Instr::EqualAnyType {
                    dst,
                    a: self.lower_expr(left),
                    b: self.lower_expr(right),
                    expected: op == CompareOp::Equal,
                };
                self.builder.emit_value(instr, dst, at, span);
            }
            Op::Compare(op) => self.emit_comparison(op, [left, right], dst, at, span),
        }
    }

    /// Whether the value is known to be an integer, and not one of an extended type.
    fn is_int(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Int(_) => true,
            ExprKind::Binary(op, ..) => matches!(op, Op::Arithmetic(_)),
            ExprKind::Name(name) => match self.resolution.names.get(&name.span) {
                Some(NameRef::Local(local)) => {
                    let ty = self.resolution.local_types.get(*local as usize);
                    ty.is_some_and(|ty| *ty == Some(Type::int()))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Records the value of an expression at the point where its control paths join.
    pub(super) fn record_result(&mut self, dst: Reg, span: Span) {
        self.builder
            .record_value_before(span, ValueLoc::Register(dst));
    }
}
