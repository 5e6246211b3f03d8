//! `let`, `if` and `while`: where an evaluation can be stopped on its way.

use super::Body;
use crate::code::{Instr, Reg, Seen, StopKind};
use crate::languages::bogl::ast::{Expr, Kind as Node, Word};
use crate::source::Span;

impl Body<'_> {
    /// An expression that is a step of its own. A loop has its rounds as steps.
    pub(super) fn step(&mut self, e: &Expr, dst: Reg) {
        if !matches!(e.kind, Node::While { .. }) {
            self.b.stop(StopKind::Statement, e.span);
        }
        self.expr_to(e, dst);
    }

    /// The value of something that ends here, by whatever way it came.
    pub(super) fn ends(&mut self, dst: Reg, span: Span) {
        self.b.note_before(span, Seen::Register(dst));
    }

    pub(super) fn bound(&mut self, name: &Word, value: &Expr, body: &Expr, dst: Reg, span: Span) {
        self.b.stop(StopKind::Statement, name.span.to(value.span));
        let register = self.b.register();
        self.expr_to(value, register);
        self.b.note_before(value.span, Seen::Given(register));
        let names = self.b.locals();
        match self.notes.lets.get(&span) {
            Some(&local) => self.bind(local, register),
            None => self.fail(&format!("`{}` is not defined", name.text), name.span),
        }
        self.step(body, dst);
        self.b.end_locals(names);
        self.ends(dst, span);
    }

    pub(super) fn branches(
        &mut self,
        condition: &Expr,
        yes: &Expr,
        no: &Expr,
        dst: Reg,
        span: Span,
    ) {
        self.b.stop(
            StopKind::Statement,
            Span {
                end: condition.span.end,
                ..span
            },
        );
        let otherwise = self.unless(condition);
        let taken = |is: bool| Seen::Taken {
            test: condition.span,
            is,
        };
        self.b.note_before(yes.span, taken(true));
        self.step(yes, dst);
        let done = self.b.jump(Instr::Jump { to: 0 }, yes.span);
        self.b.land(otherwise);
        self.b.note_before(no.span, taken(false));
        self.step(no, dst);
        if self.b.is_noted() {
            // What this branch has just seen, the other one has not.
            let end = self.b.jump(Instr::Jump { to: 0 }, no.span);
            self.b.land(end);
        }
        self.b.land(done);
        self.ends(dst, span);
    }

    /// A loop works on copies of the variables that it changes: outside they keep what they were.
    pub(super) fn rounds(&mut self, condition: &Expr, body: &Expr, dst: Reg, span: Span) {
        let rebinds = match self.notes.loops.get(&span) {
            Some(found) => found.rebinds.clone(),
            None => return self.fail("this loop has no variables that it could change", span),
        };
        let count = rebinds.len() as u16;
        let first = self.b.registers(count);
        let (outer, names) = (self.places.clone(), self.b.locals());
        for (n, &local) in rebinds.iter().enumerate() {
            let src = outer.get(local as usize).copied().unwrap_or(first);
            self.b.emit(
                Instr::Move {
                    dst: first + n as Reg,
                    src,
                },
                span,
            );
        }
        for (n, &local) in rebinds.iter().enumerate() {
            self.bind(local, first + n as Reg);
        }
        let top = self.b.here();
        self.b.stop(
            StopKind::Round,
            Span {
                end: condition.span.end,
                ..span
            },
        );
        let out = self.unless(condition);
        self.round(body, first, count);
        self.b.emit(Instr::Loop { to: top }, span);
        self.b.land(out);
        let last = match count {
            1 => Instr::Move { dst, src: first },
            _ => Instr::Tuple { dst, first, count },
        };
        self.b.emit(last, span);
        self.ends(dst, span);
        self.b.end_locals(names);
        self.places = outer;
    }

    /// All new values first, then the variables: a body may exchange two of them.
    fn round(&mut self, body: &Expr, first: Reg, count: u16) {
        let mark = self.b.mark();
        let new = self.b.registers(count);
        self.b.stop(StopKind::Statement, body.span);
        match count {
            1 => self.expr_to(body, new),
            _ => self.spread(body, new, count),
        }
        for n in 0..count {
            let part = match &body.kind {
                Node::Tuple(parts) if count > 1 => {
                    parts.get(n as usize).map_or(body.span, |part| part.span)
                }
                _ => body.span,
            };
            self.b.note_before(part, Seen::Write(new + n));
            self.b.emit(
                Instr::Move {
                    dst: first + n,
                    src: new + n,
                },
                part,
            );
            self.b.note_after(part, Seen::Given(first + n));
        }
        self.b.release(mark);
    }
}
