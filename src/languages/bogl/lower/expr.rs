//! Expressions. A value comes to lie in a register; a local is used where it is.

use super::Body;
use crate::code::{Instr, Jump, Reg, Seen};
use crate::languages::bogl::ast::{Expr, Kind as Node, Literal, Op, Word};
use crate::languages::bogl::notes::{Kind, Meaning};
use crate::source::Span;
use crate::value::{Text, Value};

impl Body<'_> {
    /// The value in some register.
    pub(super) fn expr(&mut self, e: &Expr) -> Reg {
        if let Node::Name(name) = &e.kind
            && let Some(Meaning::Local(local)) = self.notes.names.get(&name.span)
            && let Some(&place) = self.places.get(*local as usize)
        {
            self.b.note_before(e.span, Seen::Register(place));
            return place;
        }
        let dst = self.b.register();
        self.expr_to(e, dst);
        dst
    }

    /// The value in `dst`, which is no register of a local that is still needed.
    pub(super) fn expr_to(&mut self, e: &Expr, dst: Reg) {
        let mark = self.b.mark();
        match &e.kind {
            Node::Int(value) => self.int(*value, dst, e.span),
            Node::Bool(value) => self.constant(Value::bool(*value), dst, e.span),
            Node::Symbol(symbol) => self.constant(Value::symbol(Text::new(symbol)), dst, e.span),
            Node::Name(name) => self.named_to(name, dst, e.span),
            Node::Tuple(parts) => self.tuple(parts, dst, e.span),
            Node::Call {
                function,
                arguments,
            } => self.call(function, arguments, dst, e.span),
            Node::Binary {
                op: Op::Look,
                left,
                right,
                ..
            } => self.look(left, right, dst, e.span),
            Node::Binary {
                op,
                at,
                left,
                right,
            } => self.binary(*op, *at, left, right, dst, e.span),
            Node::Pick { tuple, picks } => self.pick(tuple, picks, dst, e.span),
            Node::Let { name, value, body } => self.bound(name, value, body, dst, e.span),
            Node::If { condition, yes, no } => self.branches(condition, yes, no, dst, e.span),
            Node::While { condition, body } => self.rounds(condition, body, dst, e.span),
        }
        self.b.release(mark);
    }

    /// The value of the part `span` is now in `dst`.
    pub(super) fn seen(&mut self, dst: Reg, span: Span) {
        self.b.note_after(span, Seen::Register(dst));
    }

    pub(super) fn int(&mut self, value: i64, dst: Reg, span: Span) {
        if let Ok(value) = i32::try_from(value) {
            self.b.emit(Instr::Int { dst, value }, span);
        } else if let Some(value) = Value::small(value) {
            self.constant(value, dst, span);
        } else {
            // Code holds no values of the heap: the number is put together from its halves.
            let half = self.b.register();
            self.constant(Value::int((value >> 32) as i32), dst, span);
            self.constant(Value::small(1 << 32).unwrap_or(Value::NOTHING), half, span);
            self.b.emit(
                Instr::Multiply {
                    dst,
                    a: dst,
                    b: half,
                },
                span,
            );
            self.constant(
                Value::small(value & 0xFFFF_FFFF).unwrap_or(Value::NOTHING),
                half,
                span,
            );
            self.b.emit(
                Instr::Add {
                    dst,
                    a: dst,
                    b: half,
                },
                span,
            );
        }
    }

    pub(super) fn constant(&mut self, value: Value, dst: Reg, span: Span) {
        let k = self.b.constant(value);
        self.b.emit(Instr::Constant { dst, k }, span);
    }

    fn named_to(&mut self, name: &Word, dst: Reg, span: Span) {
        match self.notes.names.get(&name.span) {
            Some(Meaning::Local(local)) => {
                let src = self.places.get(*local as usize).copied().unwrap_or(dst);
                self.b.note_before(span, Seen::Register(src));
                self.b.emit(Instr::Move { dst, src }, span);
            }
            Some(Meaning::Global(Kind::Board | Kind::Let)) => {
                let global = self
                    .scope
                    .slots
                    .get(&name.text)
                    .copied()
                    .unwrap_or(u32::MAX);
                self.b.emit(Instr::GlobalOrFail { dst, global }, span);
                self.seen(dst, span);
            }
            Some(Meaning::Global(_)) => self.call(name, &[], dst, span),
            Some(Meaning::Builtin(builtin)) => self.builtin(*builtin, &[], dst, span),
            None => self.fail(&format!("`{}` is not defined", name.text), span),
        }
    }

    fn tuple(&mut self, parts: &[Expr], dst: Reg, span: Span) {
        let first = self.b.registers(parts.len() as u16);
        self.in_a_row(parts, first);
        self.b.emit(
            Instr::Tuple {
                dst,
                first,
                count: parts.len() as u16,
            },
            span,
        );
    }

    /// Each value in a register of its own, from `first` on.
    pub(super) fn in_a_row(&mut self, parts: &[Expr], first: Reg) {
        for (n, part) in parts.iter().enumerate() {
            self.expr_to(part, first + n as Reg);
        }
    }

    /// The parts of a tuple of `count` in registers from `first` on. One that is written out is never made.
    pub(super) fn spread(&mut self, e: &Expr, first: Reg, count: u16) {
        match &e.kind {
            Node::Tuple(parts) if parts.len() == count as usize => self.in_a_row(parts, first),
            _ => {
                let mark = self.b.mark();
                let of = self.expr(e);
                for item in 0..count {
                    self.b.emit(
                        Instr::Item {
                            dst: first + item,
                            of,
                            item,
                        },
                        e.span,
                    );
                }
                self.b.release(mark);
            }
        }
    }

    fn pick(&mut self, tuple: &Expr, picks: &[Literal<i64>], dst: Reg, span: Span) {
        let of = self.expr(tuple);
        // Checked to be parts of the tuple, counted from 1.
        let item = |pick: &Literal<i64>| (pick.value - 1) as u16;
        if let [only] = picks {
            self.b.emit(
                Instr::Item {
                    dst,
                    of,
                    item: item(only),
                },
                span,
            );
        } else {
            let first = self.b.registers(picks.len() as u16);
            for (n, pick) in picks.iter().enumerate() {
                self.b.emit(
                    Instr::Item {
                        dst: first + n as Reg,
                        of,
                        item: item(pick),
                    },
                    pick.span,
                );
            }
            self.b.emit(
                Instr::Tuple {
                    dst,
                    first,
                    count: picks.len() as u16,
                },
                span,
            );
        }
        self.seen(dst, span);
    }

    /// The column and the row of a position.
    pub(super) fn position(&mut self, e: &Expr) -> (Reg, Reg) {
        match &e.kind {
            Node::Tuple(parts) if parts.len() == 2 => (self.expr(&parts[0]), self.expr(&parts[1])),
            _ => {
                let first = self.b.registers(2);
                self.spread(e, first, 2);
                (first, first + 1)
            }
        }
    }

    fn look(&mut self, board: &Expr, position: &Expr, dst: Reg, span: Span) {
        let grid = self.expr(board);
        let (col, row) = self.position(position);
        self.b.emit(
            Instr::GridCell {
                dst,
                grid,
                row,
                col,
                from: 1,
            },
            position.span,
        );
        self.seen(dst, span);
    }

    fn binary(&mut self, op: Op, at: Span, left: &Expr, right: &Expr, dst: Reg, span: Span) {
        let a = self.expr(left);
        let literal = literal(right);
        let instr = match (op, literal) {
            (Op::Plus, Some(value)) => Instr::AddInt { dst, a, value },
            (Op::Minus, Some(value)) => Instr::SubtractInt { dst, a, value },
            (Op::Times, Some(value)) => Instr::MultiplyInt { dst, a, value },
            _ => {
                let b = self.expr(right);
                of_two(op, dst, a, b)
            }
        };
        self.b.emit(instr, at);
        self.seen(dst, span);
    }

    /// Jumps when the test is false.
    pub(super) fn unless(&mut self, test: &Expr) -> Jump {
        let mark = self.b.mark();
        let jump = match &test.kind {
            Node::Binary {
                op,
                at,
                left,
                right,
            } => self.fused(*op, left, right, *at, test.span),
            _ => None,
        };
        let jump = jump.unwrap_or_else(|| {
            let a = self.expr(test);
            self.b.jump(Instr::Unless { a, to: 0 }, test.span)
        });
        self.b.release(mark);
        jump
    }

    /// A comparison of numbers and its jump in one.
    fn fused(&mut self, op: Op, left: &Expr, right: &Expr, at: Span, span: Span) -> Option<Jump> {
        let to = 0;
        if !matches!(
            op,
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual
        ) {
            return None;
        }
        let a = self.expr(left);
        let small = literal(right).and_then(|n| i16::try_from(n).ok());
        let instr = match (op, small) {
            (Op::Less, Some(value)) => Instr::UnlessLessInt { a, value, to },
            (Op::LessEqual, Some(n)) if n < i16::MAX => Instr::UnlessLessInt {
                a,
                value: n + 1,
                to,
            },
            (Op::Greater, Some(value)) => Instr::UnlessGreaterInt { a, value, to },
            (Op::GreaterEqual, Some(n)) if n > i16::MIN => Instr::UnlessGreaterInt {
                a,
                value: n - 1,
                to,
            },
            _ => {
                let b = self.expr(right);
                match op {
                    Op::Less => Instr::UnlessLess { a, b, to },
                    Op::LessEqual => Instr::UnlessLessEqual { a, b, to },
                    Op::Greater => Instr::UnlessLess { a: b, b: a, to },
                    _ => Instr::UnlessLessEqual { a: b, b: a, to },
                }
            }
        };
        let jump = self.b.jump(instr, at);
        self.b.note_after(span, Seen::Test { if_taken: false });
        Some(jump)
    }
}

fn literal(e: &Expr) -> Option<i32> {
    match e.kind {
        Node::Int(n) => i32::try_from(n).ok(),
        _ => None,
    }
}

fn of_two(op: Op, dst: Reg, a: Reg, b: Reg) -> Instr {
    match op {
        Op::Plus => Instr::Add { dst, a, b },
        Op::Minus => Instr::Subtract { dst, a, b },
        Op::Times => Instr::Multiply { dst, a, b },
        Op::Divide => Instr::Divide { dst, a, b },
        Op::Modulo => Instr::Remainder { dst, a, b },
        Op::Less => Instr::Less { dst, a, b },
        Op::LessEqual => Instr::LessEqual { dst, a, b },
        Op::Greater => Instr::Less { dst, a: b, b: a },
        Op::GreaterEqual => Instr::LessEqual { dst, a: b, b: a },
        // A value of an extended type may meet one of another kind: they differ.
        Op::Differs => Instr::Same {
            dst,
            a,
            b,
            is: false,
        },
        Op::Same | Op::Look => Instr::Same {
            dst,
            a,
            b,
            is: true,
        },
    }
}
