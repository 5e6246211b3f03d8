//! Lowers expressions.

use super::rules::PER_KIND;
use super::{Lowerer, saturating_u16};
use crate::check::hir::{Expr, ExprKind, LValue, Type};
use crate::code::{Builder, CompareOp, Emit, Instr, PendingJump, Reg, ValueLoc};
use crate::lower::scope::{RuleVariable, field};
use crate::source::Span;
use crate::value::Value;

impl Emit for Lowerer<'_, '_> {
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
            ExprKind::Int(n) => Some(n),
            _ => None,
        }
    }

    fn emit_fused_test(&mut self, e: &Expr) -> Option<PendingJump> {
        let ExprKind::Comparison(op, a, b) = &e.kind else {
            return None;
        };
        self.set_operator(e);
        Some(self.emit_jump_unless(*op, [a, b], e.span, e.span))
    }
}

impl Lowerer<'_, '_> {
    /// Lowers an expression and returns the register of its value. A local is used in place.
    pub(super) fn lower_expr(&mut self, e: &Expr) -> Reg {
        let register = match &e.kind {
            ExprKind::Read(LValue::Local(slot)) => self.local_register(*slot),
            ExprKind::Read(LValue::FrameLocal(slot)) => *slot as Reg,
            _ => {
                let dst = self.builder.alloc_register();
                self.lower_expr_to(e, dst);
                return dst;
            }
        };
        self.builder
            .record_value_before(e.span, ValueLoc::Register(register));
        register
    }

    /// Lowers an expression into `dst`. `dst` is written last, except by `and` and `or`.
    pub(super) fn lower_expr_to(&mut self, e: &Expr, dst: Reg) {
        let in_use = self.builder.registers_in_use();
        self.value_to(e, dst);
        self.builder.release_registers(in_use);
    }

    fn set_operator(&mut self, e: &Expr) {
        if let Some(operator) = e.operator {
            self.builder.set_operator(e.span, operator);
        }
    }

    fn value_to(&mut self, e: &Expr, dst: Reg) {
        self.set_operator(e);
        let span = e.span;
        match &e.kind {
            ExprKind::Int(n) => return self.builder.emit_constant(dst, Value::int(*n), span),
            ExprKind::Float(x) => return self.builder.emit_constant(dst, Value::float(*x), span),
            ExprKind::Text(text) => return self.builder.emit_string(dst, text, span),
            ExprKind::Bool(truth) => {
                return self.builder.emit_constant(dst, Value::bool(*truth), span);
            }
            ExprKind::Read(lvalue) => {
                let target = self.lower_lvalue(lvalue);
                return self.load_to(&target, dst, span);
            }
            ExprKind::Arithmetic(op, a, b) => {
                return self.emit_arithmetic(*op, [a, b], dst, span, span);
            }
            ExprKind::Comparison(op, a, b) => {
                return self.emit_comparison(*op, [a, b], dst, span, span);
            }
            ExprKind::Logic(op, a, b) => return self.emit_logic(*op, [a, b], dst, span),
            ExprKind::Array(parts) => self.array(parts, dst, span),
            ExprKind::Cell(parts) => {
                self.cell(parts, dst, span);
                self.cell_list(dst, true, span);
            }
            ExprKind::CellList { cell, has_players } => {
                let coord = self.builder.alloc_register();
                match &cell.kind {
                    ExprKind::Cell(parts) => self.cell(parts, coord, cell.span),
                    _ => self.lower_expr_to(cell, coord),
                }
                self.builder
                    .record_value_after(cell.span, ValueLoc::Register(coord));
                let src = self.cell_list(coord, *has_players, span);
                self.builder.emit(Instr::Move { dst, src }, span);
            }
            ExprKind::Call {
                function,
                arguments,
            } => {
                // Not in `dst`, which may be a variable that an argument reads.
                let base = self.builder.alloc_call(arguments.len(), None);
                self.exprs_to(arguments, base);
                let function = match &self.piece_kind {
                    Some(kind) if PER_KIND.contains(&&**function) => &format!("{function} {kind}"),
                    _ => &**function,
                };
                let function = self.context.symbols.get_or_insert(function);
                self.builder.emit(Instr::Call { function, base }, span);
                self.builder.emit_move(dst, base, span);
            }
            ExprKind::Builtin(builtin, arguments) => {
                return self.builtin_call(*builtin, arguments, e, dst);
            }
            ExprKind::Narrow(of) => self.narrow(of, &e.ty, dst),
            _ => self.simple(e, dst),
        }
        self.builder
            .record_value_after(span, ValueLoc::Register(dst));
    }

    /// Expressions that take a single instruction after their operands.
    fn simple(&mut self, e: &Expr, dst: Reg) {
        let instr = match &e.kind {
            ExprKind::CurrentPlayer => Instr::GetDefinedGlobal {
                dst,
                global: RuleVariable::P as u32,
            },
            ExprKind::Coordinate(row, col) => Instr::Coordinate {
                dst,
                row: self.lower_expr(row),
                col: self.lower_expr(col),
            },
            ExprKind::CoordinateAxis(of, axis) => Instr::CoordinatePart {
                dst,
                of: self.lower_expr(of),
                axis: *axis,
            },
            ExprKind::Not(of) => Instr::Not {
                dst,
                a: self.lower_expr(of),
            },
            ExprKind::Negate(of) => Instr::Negate {
                dst,
                a: self.lower_expr(of),
            },
            ExprKind::Concat(a, b) => Instr::Concat {
                dst,
                a: self.lower_expr(a),
                b: self.lower_expr(b),
            },
            ExprKind::ToFloat(of) => Instr::ToFloat {
                dst,
                a: self.lower_expr(of),
            },
            ExprKind::ListToArray(of) => Instr::Copy {
                dst,
                src: self.lower_expr(of),
            },
            _ => return self.builder.emit_fail("this has no value", None, e.span),
        };
        self.builder.emit(instr, e.span);
    }

    /// Evaluates into consecutive registers and returns the first.
    fn consecutive(&mut self, exprs: &[Expr]) -> Reg {
        let first = self.builder.alloc_block(exprs.len());
        self.exprs_to(exprs, first);
        first
    }

    /// Evaluates into consecutive registers, starting with `first`.
    fn exprs_to(&mut self, exprs: &[Expr], first: Reg) {
        for (n, e) in exprs.iter().enumerate() {
            self.lower_expr_to(e, first.wrapping_add(n as Reg));
        }
    }

    fn array(&mut self, parts: &[Expr], dst: Reg, span: Span) {
        let first = self.consecutive(parts);
        for (n, part) in parts.iter().enumerate() {
            // Arrays have value semantics: copy the rows of a two-dimensional array.
            if matches!(part.ty, Type::Array(..)) && !matches!(part.kind, ExprKind::Array(_)) {
                let row = first.wrapping_add(n as Reg);
                self.builder
                    .emit(Instr::Copy { dst: row, src: row }, part.span);
            }
        }
        let count = saturating_u16(parts.len());
        self.builder.emit(Instr::List { dst, first, count }, span);
    }

    /// The coordinate of a cell.
    fn cell(&mut self, parts: &[Expr], dst: Reg, span: Span) {
        match parts {
            [coordinate] => self.lower_expr_to(coordinate, dst),
            [row, col] => {
                let (row, col) = (self.lower_expr(row), self.lower_expr(col));
                self.builder.emit(Instr::Coordinate { dst, row, col }, span);
            }
            _ => {
                let message = "`Grid` takes a row and a column, or a coordinate";
                self.builder.emit_fail(message, None, span);
            }
        }
    }

    /// Fails unless the piece is of the type; the null piece is of every type.
    fn narrow(&mut self, of: &Expr, ty: &Type, dst: Reg) {
        let (piece, span) = (self.lower_expr(of), of.span);
        let is_null = self.jump_if_null(piece, span);
        // Without a kind, any item matches and players do not.
        let (tested_kind, match_jump) = match ty {
            Type::Item(Some(kind)) => (&**kind, CompareOp::NotEqual),
            Type::Player => ("Player", CompareOp::NotEqual),
            _ => ("Player", CompareOp::Equal),
        };
        let kind = self.field(piece, field::KIND, span);
        let tested_kind = self.builder.new_string(tested_kind, span);
        let matches = match_jump.jump_unless(kind, tested_kind);
        let message = format!("expected {}, found {{}}", ty.with_article());
        self.builder.emit_check(matches, &message, Some(kind), span);
        self.builder.patch_here(is_null);
        self.builder.emit(Instr::Move { dst, src: piece }, span);
    }

    /// The players or items in a cell; fails off the grid.
    fn cell_list(&mut self, coord: Reg, has_players: bool, span: Span) -> Reg {
        let has_players = Value::bool(has_players);
        let has_players = self.builder.new_constant(has_players, span);
        self.call_at("@cellPieces", &[coord, has_players], span)
    }
}
