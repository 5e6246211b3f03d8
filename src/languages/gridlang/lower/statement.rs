//! Statements and declarations.

use super::Lowerer;
use crate::code::{Instr, Reg, StopKind, ValueLoc};
use crate::languages::gridlang::ast::ArithmeticOp;
use crate::languages::gridlang::hir::{Expr, ExprKind, LValue, RoutineKind, Stmt, StmtKind, Type};
use crate::languages::gridlang::scope::RuleVariable;
use crate::source::Span;
use crate::value::{InternedStr, Value};

impl Lowerer<'_, '_> {
    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        let mut last = None;
        for statement in statements {
            // The variables of one line are one step.
            if last != Some(statement.span) {
                self.builder.stop_point(StopKind::Statement, statement.span);
            }
            let declares = matches!(statement.kind, StmtKind::Declare { .. });
            last = declares.then_some(statement.span);
            let mark = self.builder.registers_in_use();
            self.statement(statement);
            self.builder.release_registers(mark);
        }
    }

    /// Statements whose variables end with them.
    fn block(&mut self, statements: &[Stmt]) {
        let locals = self.builder.local_count();
        self.statements(statements);
        self.builder.end_locals(locals);
    }

    fn statement(&mut self, statement: &Stmt) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Declare {
                target: place,
                name,
                ty,
                sizes,
                value,
                span,
            } => {
                self.declare(place, name, ty, sizes, value.as_ref(), *span);
            }
            StmtKind::Assign { target, value } => self.assign(target, value, span),
            StmtKind::CompoundAssign {
                target,
                target_span: old,
                ty,
                op,
                value,
            } => {
                let spot = self.lower_lvalue(target);
                let a = self.load(&spot, *old);
                let dst = self.change(a, ty, *op, value, span);
                self.store(&spot, dst, span);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let skipped = self.jump_if_false(condition);
                self.block(then);
                if otherwise.is_empty() {
                    return self.builder.patch_here(skipped);
                }
                let done = self.builder.emit_jump(Instr::Jump { to: 0 }, span);
                self.builder.patch_here(skipped);
                self.block(otherwise);
                self.builder.patch_here(done);
            }
            StmtKind::While { condition, body } => {
                let top = self.builder.next_pc();
                self.builder.stop_point(StopKind::Iteration, condition.span);
                let done = self.jump_if_false(condition);
                self.block(body);
                self.builder.emit(Instr::Loop { to: top }, span);
                self.builder.patch_here(done);
            }
            StmtKind::Return(value) => self.give_back(value.as_ref(), span),
            StmtKind::Repeat => self.repeat(span),
            StmtKind::Expr(e) => {
                self.lower_expr(e);
            }
        }
    }

    fn give_back(&mut self, value: Option<&Expr>, span: Span) {
        match value {
            Some(value) => {
                let src = self.lower_expr(value);
                self.builder.emit(Instr::Return { src }, span);
            }
            None => self.end_without(span),
        }
    }

    /// The end of a block, reached without `return`.
    pub(super) fn implicit_return(&mut self, span: Span) {
        if self.kind == RoutineKind::Function && self.return_type != Type::Void {
            let message = format!(
                "`{}` has ended without returning {}",
                self.name, self.return_type
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
        let value = match self.kind {
            RoutineKind::CheckMove => Value::TRUE,
            RoutineKind::CheckGameEnd => Value::FALSE,
            _ => {
                self.builder.emit(Instr::ReturnNothing, span);
                return;
            }
        };
        let src = self.builder.alloc_register();
        self.constant_to(src, value, span);
        self.builder.emit(Instr::Return { src }, span);
    }

    /// Back to the beginning of gameLoop, whatever was called since.
    fn repeat(&mut self, span: Span) {
        let mark = self.builder.alloc_register();
        self.builder.emit(
            Instr::GetGlobal {
                dst: mark,
                global: RuleVariable::RepeatTarget as u32,
            },
            span,
        );
        let playing = self.builder.emit_jump(
            Instr::JumpUnlessEqualInt {
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
        self.builder.patch_here(playing);
        self.builder.emit(Instr::Throw { escape: mark }, span);
    }

    fn declare(
        &mut self,
        place: &LValue,
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
        self.builder.record_value_before(span, ValueLoc::Write(src));
        match place {
            LValue::Global(global) => self.store_global(global, src, span),
            LValue::Local(slot) => {
                let dst = self.local_register(*slot);
                self.builder.emit(Instr::Move { dst, src }, span);
                self.builder.begin_local(InternedStr::new(name), dst);
            }
            _ => {}
        }
    }

    /// The value of a declaration: an array is the variable's own, of the size that it says.
    fn given(&mut self, ty: &Type, sizes: &[Expr], value: &Expr, span: Span) -> Reg {
        let src = self.lower_expr(value);
        let Type::Array(_, dimensions) = ty else {
            return src;
        };
        if let Some(size) = sizes.first() {
            let (found, wanted) = (self.builder.alloc_register(), self.lower_expr(size));
            self.builder.emit(
                Instr::Length {
                    dst: found,
                    list: src,
                },
                span,
            );
            let fits = self.builder.emit_jump(
                Instr::JumpUnlessNotEqual {
                    a: found,
                    b: wanted,
                    to: 0,
                },
                span,
            );
            let message =
                "the array that is given has {} elements, not as many as the declaration says";
            self.fail_at(message, Some(found), span);
            self.builder.patch_here(fits);
        }
        let fresh = matches!(value.kind, ExprKind::Array(_) | ExprKind::ListToArray(_));
        if fresh {
            src
        } else {
            self.copy_array(src, *dimensions, span)
        }
    }

    pub(super) fn copy_array(&mut self, src: Reg, dimensions: usize, span: Span) -> Reg {
        if dimensions == 2 {
            return self.call_at("@copyRows", &[src], span);
        }
        let dst = self.builder.alloc_register();
        self.builder.emit(Instr::Copy { dst, src }, span);
        dst
    }

    /// What a declaration without a value makes.
    fn made(&mut self, place: &LValue, name: &str, ty: &Type, sizes: &[Expr], span: Span) -> Reg {
        if ty.is_piece() {
            if self.kind == RoutineKind::Entry
                && let LValue::Global(global) = place
            {
                self.retire(global, name, span);
            }
            return self.new_piece(ty, name, span);
        }
        match ty {
            Type::Array(element, _) => {
                let sizes: Vec<Reg> = sizes.iter().map(|s| self.lower_expr(s)).collect();
                self.new_array(element, name, &sizes, span)
            }
            _ => self.default_value(ty, span),
        }
    }

    /// A piece whose variable is declared again at the prompt leaves the game.
    fn retire(&mut self, global: &str, name: &str, span: Span) {
        let (old, word) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.load_global(global, old, span);
        self.text_to(word, name, span);
        self.call_at("@retire", &[old, word], span);
    }

    fn assign(&mut self, target: &LValue, value: &Expr, span: Span) {
        if let LValue::Local(slot) = target
            && !matches!(value.kind, ExprKind::And(..) | ExprKind::Or(..))
            && !matches!(value.ty, Type::Array(..))
        {
            let dst = self.local_register(*slot);
            self.lower_expr_to(value, dst);
            self.builder.record_value_before(span, ValueLoc::Write(dst));
            return;
        }
        let spot = self.lower_lvalue(target);
        let src = self.lower_expr(value);
        if matches!(value.ty, Type::Array(..)) && !matches!(target, LValue::PlayerOrder) {
            let old = self.load(&spot, span);
            self.call_at("@copyInto", &[old, src], span);
            return;
        }
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.store(&spot, src, span);
    }

    /// The new value of what is changed, from its old one.
    fn change(&mut self, a: Reg, ty: &Type, op: ArithmeticOp, value: &Expr, span: Span) -> Reg {
        let b = self.lower_expr(value);
        let dst = self.builder.alloc_register();
        let instr = if *ty == Type::Text {
            Instr::Concat { dst, a, b }
        } else {
            arithmetic_instr(op, dst, a, b)
        };
        self.builder.emit(instr, span);
        self.builder
            .record_value_after(span, ValueLoc::Register(dst));
        self.builder.record_value_after(span, ValueLoc::Write(dst));
        dst
    }
}

pub(super) fn arithmetic_instr(op: ArithmeticOp, dst: Reg, a: Reg, b: Reg) -> Instr {
    match op {
        ArithmeticOp::Add => Instr::Add { dst, a, b },
        ArithmeticOp::Subtract => Instr::Subtract { dst, a, b },
        ArithmeticOp::Multiply => Instr::Multiply { dst, a, b },
        ArithmeticOp::Divide => Instr::Divide { dst, a, b },
        ArithmeticOp::Remainder => Instr::Remainder { dst, a, b },
    }
}
