//! Statements and declarations.

use super::Body;
use crate::code::{Instr, Reg, Seen, StopKind};
use crate::languages::gridlang::ast::Arithmetic;
use crate::languages::gridlang::scope::Hidden;
use crate::languages::gridlang::typed::{Expr, ExprKind, Place, Role, Stmt, StmtKind, Type};
use crate::source::Span;
use crate::value::{Text, Value};

impl Body<'_, '_> {
    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        let mut last = None;
        for statement in statements {
            // The variables of one line are one step.
            if last != Some(statement.span) {
                self.b.stop(StopKind::Statement, statement.span);
            }
            let declares = matches!(statement.kind, StmtKind::Declare { .. });
            last = declares.then_some(statement.span);
            let mark = self.b.mark();
            self.statement(statement);
            self.b.release(mark);
        }
    }

    /// Statements whose variables end with them.
    fn block(&mut self, statements: &[Stmt]) {
        let locals = self.b.locals();
        self.statements(statements);
        self.b.end_locals(locals);
    }

    fn statement(&mut self, statement: &Stmt) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Declare {
                place,
                name,
                ty,
                sizes,
                value,
                span,
            } => {
                self.declare(place, name, ty, sizes, value.as_ref(), *span);
            }
            StmtKind::Assign { target, value } => self.assign(target, value, span),
            StmtKind::Change {
                target,
                old,
                ty,
                op,
                value,
            } => {
                let spot = self.spot(target);
                let a = self.load(&spot, *old);
                let dst = self.change(a, ty, *op, value, span);
                self.store(&spot, dst, span);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let skipped = self.unless_true(condition);
                self.block(then);
                if otherwise.is_empty() {
                    return self.b.land(skipped);
                }
                let done = self.b.jump(Instr::Jump { to: 0 }, span);
                self.b.land(skipped);
                self.block(otherwise);
                self.b.land(done);
            }
            StmtKind::While { condition, body } => {
                let top = self.b.here();
                self.b.stop(StopKind::Round, condition.span);
                let done = self.unless_true(condition);
                self.block(body);
                self.b.emit(Instr::Loop { to: top }, span);
                self.b.land(done);
            }
            StmtKind::Return(value) => self.give_back(value.as_ref(), span),
            StmtKind::Repeat => self.repeat(span),
            StmtKind::Evaluate(e) => {
                self.expr(e);
            }
        }
    }

    fn give_back(&mut self, value: Option<&Expr>, span: Span) {
        match value {
            Some(value) => {
                let src = self.expr(value);
                self.b.emit(Instr::Return { src }, span);
            }
            None => self.end_without(span),
        }
    }

    /// The end of a block, reached without `return`.
    pub(super) fn end(&mut self, span: Span) {
        if self.role == Role::Function && self.result != Type::Void {
            let message = format!(
                "`{}` has ended without returning {}",
                self.name, self.result
            );
            self.fail_at(
                &format!("{message} | every way through it must end with a return"),
                None,
                span,
            );
        }
        self.end_without(span);
    }

    /// checkMove that says nothing allows, checkGameEnd that says nothing goes on.
    fn end_without(&mut self, span: Span) {
        let value = match self.role {
            Role::CheckMove => Value::TRUE,
            Role::CheckGameEnd => Value::FALSE,
            _ => {
                self.b.emit(Instr::ReturnNothing, span);
                return;
            }
        };
        let src = self.b.register();
        self.constant_to(src, value, span);
        self.b.emit(Instr::Return { src }, span);
    }

    /// Back to the beginning of gameLoop, whatever was called since.
    fn repeat(&mut self, span: Span) {
        let mark = self.b.register();
        self.b.emit(
            Instr::Global {
                dst: mark,
                global: Hidden::Again as u32,
            },
            span,
        );
        let playing = self.b.jump(
            Instr::UnlessEqualInt {
                a: mark,
                value: 0,
                to: 0,
            },
            span,
        );
        self.fail_at(
            "`repeat` goes back to the start of gameLoop, but no turn is being played",
            None,
            span,
        );
        self.b.land(playing);
        self.b.emit(Instr::ComeBack { mark }, span);
    }

    fn declare(
        &mut self,
        place: &Place,
        name: &str,
        ty: &Type,
        sizes: &[Expr],
        value: Option<&Expr>,
        span: Span,
    ) {
        let src = match value {
            Some(value) => self.given(ty, sizes, value, span),
            None => self.made(place, name, ty, sizes, span),
        };
        self.b.note_before(span, Seen::Write(src));
        match place {
            Place::Global(global) => self.set_own_global(global, src, span),
            Place::Local(slot) => {
                let dst = self.local(*slot);
                self.b.emit(Instr::Move { dst, src }, span);
                self.b.local(Text::new(name), dst);
            }
            _ => {}
        }
    }

    /// The value of a declaration: an array is the variable's own, of the size that it says.
    fn given(&mut self, ty: &Type, sizes: &[Expr], value: &Expr, span: Span) -> Reg {
        let src = self.expr(value);
        let Type::Array(_, dimensions) = ty else {
            return src;
        };
        if let Some(size) = sizes.first() {
            let (found, wanted) = (self.b.register(), self.expr(size));
            self.b.emit(
                Instr::Length {
                    dst: found,
                    list: src,
                },
                span,
            );
            let fits = self.b.jump(
                Instr::UnlessNotEqual {
                    a: found,
                    b: wanted,
                    to: 0,
                },
                span,
            );
            let message =
                "the array that is given has {} elements, not as many as the declaration says";
            self.fail_at(message, Some(found), span);
            self.b.land(fits);
        }
        let fresh = matches!(value.kind, ExprKind::Array(_) | ExprKind::Snapshot(_));
        if fresh {
            src
        } else {
            self.copied(src, *dimensions, span)
        }
    }

    pub(super) fn copied(&mut self, src: Reg, dimensions: usize, span: Span) -> Reg {
        if dimensions == 2 {
            return self.call_at("@copyRows", &[src], span);
        }
        let dst = self.b.register();
        self.b.emit(Instr::Copy { dst, src }, span);
        dst
    }

    /// What a declaration without a value makes.
    fn made(&mut self, place: &Place, name: &str, ty: &Type, sizes: &[Expr], span: Span) -> Reg {
        if ty.is_piece() {
            if self.role == Role::Entry
                && let Place::Global(global) = place
            {
                self.retire(global, name, span);
            }
            return self.new_piece(ty, name, span);
        }
        match ty {
            Type::Array(element, _) => {
                let sizes: Vec<Reg> = sizes.iter().map(|s| self.expr(s)).collect();
                self.new_array(element, name, &sizes, span)
            }
            _ => self.default_of(ty, span),
        }
    }

    /// A piece whose variable is declared again at the prompt leaves the game.
    fn retire(&mut self, global: &str, name: &str, span: Span) {
        let (old, word) = (self.b.register(), self.b.register());
        self.own_global(global, old, span);
        self.text_to(word, name, span);
        self.call_at("@retire", &[old, word], span);
    }

    fn assign(&mut self, target: &Place, value: &Expr, span: Span) {
        if let Place::Local(slot) = target
            && !matches!(value.kind, ExprKind::And(..) | ExprKind::Or(..))
            && !matches!(value.ty, Type::Array(..))
        {
            let dst = self.local(*slot);
            self.expr_to(value, dst);
            self.b.note_before(span, Seen::Write(dst));
            return;
        }
        let spot = self.spot(target);
        let src = self.expr(value);
        if matches!(value.ty, Type::Array(..)) && !matches!(target, Place::PlayerOrder) {
            let old = self.load(&spot, span);
            self.call_at("@copyInto", &[old, src], span);
            return;
        }
        self.b.note_before(span, Seen::Write(src));
        self.store(&spot, src, span);
    }

    /// The new value of what is changed, from its old one.
    fn change(&mut self, a: Reg, ty: &Type, op: Arithmetic, value: &Expr, span: Span) -> Reg {
        let b = self.expr(value);
        let dst = self.b.register();
        let instr = if *ty == Type::Text {
            Instr::Join { dst, a, b }
        } else {
            arithmetic(op, dst, a, b)
        };
        self.b.emit(instr, span);
        self.b.note_after(span, Seen::Register(dst));
        self.b.note_after(span, Seen::Write(dst));
        dst
    }
}

pub(super) fn arithmetic(op: Arithmetic, dst: Reg, a: Reg, b: Reg) -> Instr {
    match op {
        Arithmetic::Add => Instr::Add { dst, a, b },
        Arithmetic::Subtract => Instr::Subtract { dst, a, b },
        Arithmetic::Multiply => Instr::Multiply { dst, a, b },
        Arithmetic::Divide => Instr::Divide { dst, a, b },
        Arithmetic::Remainder => Instr::Remainder { dst, a, b },
    }
}
