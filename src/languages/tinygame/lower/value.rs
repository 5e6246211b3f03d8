//! Values and conditions.

use super::Body;
use crate::code::{Instr, Jump, Reg, Seen, StopKind};
use crate::languages::tinygame::ast::{Condition, Expr, ExprKind, Link, Operator, Relation};
use crate::source::Span;
use crate::value::Value;

impl Body<'_> {
    /// The value in a register of its own.
    pub(super) fn value(&mut self, e: &Expr) -> Reg {
        let dst = self.b.register();
        self.value_to(e, dst);
        dst
    }

    fn value_to(&mut self, e: &Expr, dst: Reg) {
        match &e.kind {
            ExprKind::Number(n) => self.number_to(*n, dst, e.span),
            ExprKind::Property(place) => self.place_to(place, dst),
            ExprKind::Row { first, rest } => {
                self.value_to(first, dst);
                for link in rest {
                    self.link_to(link, dst);
                    self.b
                        .note_after(first.span.to(link.operand.span), Seen::Register(dst));
                }
                // Brackets around a row have its value as well.
                if rest
                    .last()
                    .is_none_or(|last| first.span.to(last.operand.span) != e.span)
                {
                    self.b.note_after(e.span, Seen::Register(dst));
                }
            }
            ExprKind::Alone(_) | ExprKind::Text => self.unknown(e.span),
        }
    }

    /// One further operand: the row so far lies in `dst`.
    fn link_to(&mut self, link: &Link, dst: Reg) {
        let a = dst;
        let instr = match (link.operator, small(&link.operand)) {
            (Operator::Add, Some(value)) => Instr::AddInt { dst, a, value },
            (Operator::Subtract, Some(value)) => Instr::SubtractInt { dst, a, value },
            (Operator::Multiply, Some(value)) => Instr::MultiplyInt { dst, a, value },
            (Operator::Divide, Some(value)) if !matches!(value, 0 | -1) => {
                Instr::DivideInt { dst, a, value }
            }
            (operator, _) => {
                let mark = self.b.mark();
                let b = self.value(&link.operand);
                self.b.release(mark);
                match operator {
                    Operator::Add => Instr::Add { dst, a, b },
                    Operator::Subtract => Instr::Subtract { dst, a, b },
                    Operator::Multiply => Instr::Multiply { dst, a, b },
                    Operator::Divide => {
                        self.refuse_zero(b, link.sign.to(link.operand.span));
                        Instr::Divide { dst, a, b }
                    }
                }
            }
        };
        self.b.emit(instr, link.sign);
    }

    fn refuse_zero(&mut self, divisor: Reg, span: Span) {
        let fine = self.b.jump(
            Instr::UnlessEqualInt {
                a: divisor,
                value: 0,
                to: 0,
            },
            span,
        );
        let k = self
            .b
            .text("division by zero | compare with 0 first, as in `if hero.x != 0 {`");
        self.b.emit(
            Instr::Fail {
                k,
                a: 0,
                with: false,
            },
            span,
        );
        self.b.land(fine);
    }

    /// A number too large for a constant is put together from its halves.
    fn number_to(&mut self, n: i64, dst: Reg, span: Span) {
        if let Ok(value) = i32::try_from(n) {
            self.b.emit(Instr::Int { dst, value }, span);
            return;
        }
        if let Some(value) = Value::small(n) {
            let k = self.b.constant(value);
            self.b.emit(Instr::Constant { dst, k }, span);
            return;
        }
        let mark = self.b.mark();
        let low = self.b.register();
        self.b.emit(
            Instr::Int {
                dst,
                value: (n >> 32) as i32,
            },
            span,
        );
        self.number_to(1 << 32, low, span);
        self.b.emit(
            Instr::Multiply {
                dst,
                a: dst,
                b: low,
            },
            span,
        );
        self.number_to(n & 0xFFFF_FFFF, low, span);
        self.b.emit(
            Instr::Add {
                dst,
                a: dst,
                b: low,
            },
            span,
        );
        self.b.release(mark);
    }

    /// Jumps when the condition is false.
    pub(super) fn unless(&mut self, condition: &Condition) -> Jump {
        let mark = self.b.mark();
        let a = self.value(&condition.left);
        let value = small(&condition.right).and_then(|n| i16::try_from(n).ok());
        let to = 0;
        let instr = match (condition.relation, value) {
            (Relation::Equal, Some(value)) => Instr::UnlessEqualInt { a, value, to },
            (Relation::Differs, Some(value)) => Instr::UnlessNotEqualInt { a, value, to },
            (Relation::Less, Some(value)) => Instr::UnlessLessInt { a, value, to },
            (Relation::Greater, Some(value)) => Instr::UnlessGreaterInt { a, value, to },
            (relation, None) => {
                let b = self.value(&condition.right);
                match relation {
                    Relation::Equal => Instr::UnlessEqual { a, b, to },
                    Relation::Differs => Instr::UnlessNotEqual { a, b, to },
                    Relation::Less => Instr::UnlessLess { a, b, to },
                    Relation::Greater => Instr::UnlessLess { a: b, b: a, to },
                }
            }
        };
        let jump = self.b.jump(instr, condition.sign);
        self.b
            .note_after(condition.span(), Seen::Test { if_taken: false });
        self.b.release(mark);
        jump
    }

    pub(super) fn answer(&mut self, e: &Expr) {
        self.b.stop(StopKind::Statement, e.span);
        let src = self.value(e);
        self.b.emit(Instr::Return { src }, e.span);
    }

    /// Whether a condition is true: asked at the prompt, it is no value of the game.
    pub(super) fn answer_truth(&mut self, condition: &Condition) {
        let span = condition.span();
        self.b.stop(StopKind::Statement, span);
        let no = self.unless(condition);
        let dst = self.b.register();
        for (truth, jump) in [(true, Some(no)), (false, None)] {
            let k = self.b.constant(Value::bool(truth));
            self.b.emit(Instr::Constant { dst, k }, span);
            self.b.emit(Instr::Return { src: dst }, span);
            self.b.land_all(jump);
        }
    }
}

/// A number that fits into an instruction.
fn small(e: &Expr) -> Option<i32> {
    match e.kind {
        ExprKind::Number(n) => i32::try_from(n).ok(),
        _ => None,
    }
}
