//! Conditions: tests and the jumps that depend on them.

use super::Body;
use crate::code::{Instr, Jump, Reg, Seen};
use crate::languages::gridlang::ast::Comparison;
use crate::languages::gridlang::typed::{Expr, ExprKind};

impl Body<'_, '_> {
    /// A jump that is taken when the test is false.
    pub(super) fn unless_true(&mut self, e: &Expr) -> Jump {
        let mark = self.b.mark();
        let jump = match &e.kind {
            ExprKind::Comparison(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                let jump = self.b.jump(unless(*op, a, b), e.span);
                self.b.note_after(e.span, Seen::Test { if_taken: false });
                jump
            }
            _ => {
                let a = self.expr(e);
                self.b.jump(Instr::Unless { a, to: 0 }, e.span)
            }
        };
        self.b.release(mark);
        jump
    }

    /// `and`, `or`: the right side is not evaluated when the left one decides.
    pub(super) fn logic(&mut self, a: &Expr, b: &Expr, is_and: bool, dst: Reg, e: &Expr) {
        self.expr_to(a, dst);
        let instr = if is_and {
            Instr::Unless { a: dst, to: 0 }
        } else {
            Instr::If { a: dst, to: 0 }
        };
        let decided = self.b.jump(instr, a.span);
        self.expr_to(b, dst);
        self.b.land(decided);
        self.b.note_before(e.span, Seen::Register(dst));
    }
}

pub(super) fn compare(op: Comparison, dst: Reg, a: Reg, b: Reg) -> Instr {
    match op {
        Comparison::Less => Instr::Less { dst, a, b },
        Comparison::Greater => Instr::Less { dst, a: b, b: a },
        Comparison::LessEqual => Instr::LessEqual { dst, a, b },
        Comparison::GreaterEqual => Instr::LessEqual { dst, a: b, b: a },
        Comparison::Equal => Instr::Equal { dst, a, b },
        Comparison::NotEqual => Instr::NotEqual { dst, a, b },
    }
}

fn unless(op: Comparison, a: Reg, b: Reg) -> Instr {
    let to = 0;
    match op {
        Comparison::Less => Instr::UnlessLess { a, b, to },
        Comparison::Greater => Instr::UnlessLess { a: b, b: a, to },
        Comparison::LessEqual => Instr::UnlessLessEqual { a, b, to },
        Comparison::GreaterEqual => Instr::UnlessLessEqual { a: b, b: a, to },
        Comparison::Equal => Instr::UnlessEqual { a, b, to },
        Comparison::NotEqual => Instr::UnlessNotEqual { a, b, to },
    }
}
