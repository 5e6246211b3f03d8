//! Conditions and short-circuit operators.

use super::Lowerer;
use crate::code::{Instr, PendingJump, Reg, ValueLoc};
use crate::languages::gridlang::check::hir::{Expr, ExprKind};

impl Lowerer<'_, '_> {
    /// Emits a jump that is taken when the condition is false.
    pub(super) fn jump_if_false(&mut self, e: &Expr) -> PendingJump {
        let in_use = self.builder.registers_in_use();
        let jump = match &e.kind {
            ExprKind::Comparison(op, a, b) => {
                let (a, b) = (self.lower_expr(a), self.lower_expr(b));
                let jump = self.builder.emit_jump(op.jump_unless(a, b), e.span);
                self.builder
                    .record_value_after(e.span, ValueLoc::JumpTest { if_taken: false });
                jump
            }
            _ => {
                let a = self.lower_expr(e);
                self.builder
                    .emit_jump(Instr::JumpUnless { a, to: 0 }, e.span)
            }
        };
        self.builder.release_registers(in_use);
        jump
    }

    /// `and`, `or`: the right operand is only evaluated if the left one does not determine the value.
    pub(super) fn short_circuit(&mut self, a: &Expr, b: &Expr, is_and: bool, dst: Reg, e: &Expr) {
        self.lower_expr_to(a, dst);
        let instr = if is_and {
            Instr::JumpUnless { a: dst, to: 0 }
        } else {
            Instr::JumpIf { a: dst, to: 0 }
        };
        let end = self.builder.emit_jump(instr, a.span);
        self.lower_expr_to(b, dst);
        self.builder.patch_here(end);
        self.builder
            .record_value_before(e.span, ValueLoc::Register(dst));
    }
}
