//! Conditions.

use super::Lowerer;
use crate::code::{Emit, Instr, PendingJump};
use crate::languages::gridlang::check::hir::{Expr, ExprKind};

impl Lowerer<'_, '_> {
    /// Emits a jump that is taken when the condition is false.
    pub(super) fn jump_if_false(&mut self, e: &Expr) -> PendingJump {
        let in_use = self.builder.registers_in_use();
        let jump = match &e.kind {
            ExprKind::Comparison(op, a, b) => self.emit_jump_unless(*op, [a, b], e.span, e.span),
            _ => {
                let a = self.lower_expr(e);
                self.builder
                    .emit_jump(Instr::JumpUnless { a, to: 0 }, e.span)
            }
        };
        self.builder.release_registers(in_use);
        jump
    }
}
