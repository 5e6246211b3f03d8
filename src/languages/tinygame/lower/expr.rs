//! Lowering of expressions and conditions.

use super::Lowerer;
use crate::code::{Instr, PendingJump, Reg, StopKind, ValueLoc};
use crate::languages::tinygame::ast::{ChainLink, Condition, Expr, ExprKind};
use crate::value::Value;

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
                    self.apply_link(link, dst);
                    self.builder.record_value_after(
                        first.span.to(link.operand.span),
                        ValueLoc::Register(dst),
                    );
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

    /// Applies one operator of a chain whose value so far is in `dst`.
    fn apply_link(&mut self, link: &ChainLink, dst: Reg) {
        let (op, value) = (link.operator, small_int(&link.operand));
        let instr = value.and_then(|value| op.int_instr(&mut self.builder, dst, dst, value));
        let instr = instr.unwrap_or_else(|| {
            let in_use = self.builder.registers_in_use();
            let operand = self.lower_expr(&link.operand);
            self.builder.release_registers(in_use);
            op.instr(dst, dst, operand)
        });
        self.builder.emit(instr, link.operator_span);
    }

    /// Jumps if the condition is false.
    pub(super) fn jump_if_false(&mut self, condition: &Condition) -> PendingJump {
        let in_use = self.builder.registers_in_use();
        let a = self.lower_expr(&condition.left);
        let op = condition.operator;
        let fused = small_int(&condition.right).and_then(|value| op.jump_unless_int(a, value));
        let instr = fused.unwrap_or_else(|| op.jump_unless(a, self.lower_expr(&condition.right)));
        let jump = self.builder.emit_jump(instr, condition.operator_span);
        self.builder
            .record_value_after(condition.span(), ValueLoc::JumpTest { if_taken: false });
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
}

/// The value of a number that fits in an instruction.
fn small_int(e: &Expr) -> Option<i32> {
    match e.kind {
        ExprKind::Number(n) => i32::try_from(n).ok(),
        _ => None,
    }
}
