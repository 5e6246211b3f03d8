//! Lowering of expressions and conditions.

use super::Lowerer;
use crate::ast::{Condition, Expr, ExprKind, Name, PropertyRef};
use crate::code::{Builder, Emit, Instr, PendingJump, Reg, StopKind, ValueLoc};
use crate::source::Span;
use crate::value::Value;

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
            ExprKind::Number(n) => i32::try_from(n).ok(),
            _ => None,
        }
    }
}

impl Lowerer<'_> {
    /// Evaluates into a new register.
    pub(super) fn lower_expr(&mut self, e: &Expr) -> Reg {
        let dst = self.builder.alloc_register();
        self.lower_expr_to(e, dst);
        dst
    }

    fn lower_expr_to(&mut self, e: &Expr, dst: Reg) {
        match &e.kind {
            ExprKind::Number(n) => self.builder.emit_int64(dst, *n, e.span),
            ExprKind::Property(property) => self.load_property_ref(property, dst),
            ExprKind::Chain { first, rest } => {
                self.lower_expr_to(first, dst);
                for link in rest {
                    let in_use = self.builder.registers_in_use();
                    let span = first.span.to(link.operand.span);
                    let (op, operand) = (link.operator, &link.operand);
                    self.builder.set_operator(span, link.operator_span);
                    self.emit_arithmetic_on(op, dst, operand, dst, link.operator_span, span);
                    self.builder.release_registers(in_use);
                }
                // If the chain is in parentheses, record its value for them, too.
                if rest
                    .last()
                    .is_none_or(|last| first.span.to(last.operand.span) != e.span)
                {
                    self.builder
                        .record_value_after(e.span, ValueLoc::Register(dst));
                }
            }
            ExprKind::BareName(_) | ExprKind::String => self.emit_undeclared(e.span),
        }
    }

    /// Jumps if the condition is false.
    pub(super) fn jump_if_false(&mut self, condition: &Condition) -> PendingJump {
        let in_use = self.builder.registers_in_use();
        let operands = [&condition.left, &condition.right];
        let (at, span) = (condition.operator_span, condition.span());
        self.builder.set_operator(span, at);
        let jump = self.emit_jump_unless(condition.operator, operands, at, span);
        self.builder.release_registers(in_use);
        jump
    }

    pub(super) fn lower_query(&mut self, e: &Expr) {
        self.builder.stop_point(StopKind::Statement, e.span);
        let src = self.lower_expr(e);
        self.builder.emit(Instr::Return { src }, e.span);
    }

    /// Returns true or false. Only at the prompt: conditions are not values in TinyGame.
    pub(super) fn lower_condition_query(&mut self, condition: &Condition) {
        let span = condition.span();
        self.builder.stop_point(StopKind::Statement, span);
        let if_false = self.jump_if_false(condition);
        let dst = self.builder.alloc_register();
        for (truth, jump) in [(true, Some(if_false)), (false, None)] {
            self.builder.emit_constant(dst, Value::bool(truth), span);
            self.builder.emit(Instr::Return { src: dst }, span);
            self.builder.patch_all_here(jump);
        }
    }

    pub(super) fn load_property(&mut self, entity: &Name, property: &str, dst: Reg, span: Span) {
        match self.scope.slot(&entity.text, property) {
            Some(global) => {
                self.builder
                    .emit(Instr::GetDefinedGlobal { dst, global }, span);
            }
            None => self.emit_undeclared(span),
        }
    }

    fn load_property_ref(&mut self, target: &PropertyRef, dst: Reg) {
        let span = target.span();
        self.load_property(&target.entity, &target.property.text, dst, span);
        self.builder
            .record_value_after(span, ValueLoc::Register(dst));
    }

    /// Unreachable if the checker did its job; fails at runtime otherwise.
    pub(super) fn emit_undeclared(&mut self, span: Span) {
        self.builder.emit_fail("this is not declared", None, span);
    }
}
