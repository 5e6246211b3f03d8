//! Lowers statements and declarations.

use super::Lowerer;
use super::lvalue::LoweredLValue;
use crate::ast::{ArithmeticOp, Lifecycle};
use crate::check::hir::{Expr, ExprKind, LValue, RoutineKind, Stmt, StmtKind, Type};
use crate::code::{CompareOp, Emit, Instr, Reg, StopKind, ValueLoc};
use crate::lower::scope::RuleVariable;
use crate::source::Span;
use crate::value::{InternedStr, Value};

impl Lowerer<'_, '_> {
    pub(super) fn statements<'t>(&mut self, statements: impl IntoIterator<Item = &'t Stmt>) {
        let mut last = None;
        for statement in statements {
            // All variables of one declaration are a single step.
            if last != Some(statement.span) {
                self.builder.stop_point(StopKind::Statement, statement.span);
            }
            let declares = matches!(statement.kind, StmtKind::Declare { .. });
            last = declares.then_some(statement.span);
            let in_use = self.builder.registers_in_use();
            let start = self.builder.next_pc();
            self.statement(statement);
            self.builder.end_statement(start, statement.span);
            self.builder.release_registers(in_use);
        }
    }

    /// Lowers statements whose locals end with the block.
    fn block(&mut self, statements: &[Stmt]) {
        let locals = self.builder.local_count();
        self.statements(statements);
        self.builder.end_locals(locals);
    }

    fn statement(&mut self, statement: &Stmt) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Declare {
                target,
                name,
                ty,
                sizes,
                value,
                span,
            } => {
                self.declare(target, name, ty, sizes, value.as_ref(), *span);
            }
            StmtKind::Assign { target, value, at } => {
                self.builder.set_operator(span, *at);
                self.assign(target, value, span);
            }
            StmtKind::CompoundAssign {
                target,
                target_span,
                target_operator,
                ty,
                op,
                at,
                value,
            } => {
                self.builder.set_operator(span, *at);
                if let Some(at) = target_operator {
                    self.builder.set_operator(*target_span, *at);
                }
                let lowered = self.lower_lvalue(target);
                if let LoweredLValue::Register(variable) = lowered {
                    self.builder
                        .record_value_before(*target_span, ValueLoc::Register(variable));
                    self.compound_value(variable, ty, *op, value, variable, span);
                    return;
                }
                let a = self.load(&lowered, *target_span);
                let dst = self.builder.alloc_register();
                self.compound_value(a, ty, *op, value, dst, span);
                self.store(&lowered, dst, span);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let skipped = self.emit_jump_if_false(condition);
                self.block(then);
                if otherwise.is_empty() {
                    return self.builder.patch_here(skipped);
                }
                let done = self.builder.emit_skip(span);
                self.builder.patch_here(skipped);
                self.block(otherwise);
                self.builder.patch_here(done);
            }
            StmtKind::While { condition, body } => {
                self.emit_while(condition, condition.span, span, |lowerer| {
                    lowerer.block(body);
                });
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
            StmtKind::Repeat => self.repeat(span),
            StmtKind::Expr(e) => {
                self.lower_expr(e);
            }
        }
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) {
        match value {
            Some(value) => {
                let src = self.lower_expr(value);
                self.builder.emit(Instr::Return { src }, span);
            }
            None => self.return_default(span),
        }
    }

    /// Emits the end of a routine that is reached without `return`.
    pub(super) fn implicit_return(&mut self, span: Span) {
        if self.kind == RoutineKind::Function && self.return_type != Type::Void {
            let (name, ty) = (&self.name, self.return_type.with_article());
            let message = format!(
                "`{name}` ended without returning {ty} | every path through it must end with a `return`"
            );
            self.builder.emit_fail(&message, None, span);
        }
        self.return_default(span);
    }

    /// Returns without a value: `checkMove` then allows the move, `checkGameEnd` continues the
    /// game.
    fn return_default(&mut self, span: Span) {
        let value = match self.kind {
            RoutineKind::CheckMove => Value::TRUE,
            RoutineKind::Lifecycle(Lifecycle::CheckGameEnd) => Value::FALSE,
            _ => {
                self.builder.emit(Instr::ReturnNothing, span);
                return;
            }
        };
        let src = self.builder.new_constant(value, span);
        self.builder.emit(Instr::Return { src }, span);
    }

    /// Unwinds the call stack to the start of `gameLoop`.
    fn repeat(&mut self, span: Span) {
        let escape = self.load_rule_var(RuleVariable::RepeatTarget, span);
        let in_turn = CompareOp::Equal.jump_unless_small(escape, 0);
        let message = "`repeat` is only allowed during a turn: it restarts `gameLoop`";
        self.builder.emit_check(in_turn, message, None, span);
        self.builder.emit(Instr::Throw { escape }, span);
    }

    fn declare(
        &mut self,
        target: &LValue,
        name: &str,
        ty: &Type,
        sizes: &[Expr],
        value: Option<&Expr>,
        span: Span,
    ) {
        if let (LValue::Local(slot), Some(value)) = (target, value)
            && !matches!(ty, Type::Array(..))
        {
            let dst = self.local_register(*slot);
            self.lower_expr_to(value, dst);
            self.builder.record_value_before(span, ValueLoc::Write(dst));
            self.builder.begin_local(InternedStr::new(name), dst);
            return;
        }
        let src = match value {
            Some(value) => self.initial_value(ty, sizes, value, span),
            None => self.new_value(target, name, ty, sizes, span),
        };
        self.builder.record_value_before(span, ValueLoc::Write(src));
        match target {
            LValue::Global(global) => self.store_global(global, src, span),
            LValue::Local(slot) => {
                let dst = self.local_register(*slot);
                self.builder.emit(Instr::Move { dst, src }, span);
                self.builder.begin_local(InternedStr::new(name), dst);
            }
            _ => {}
        }
    }

    /// The initial value of a declaration. An array is copied, and its size is checked.
    fn initial_value(&mut self, ty: &Type, sizes: &[Expr], value: &Expr, span: Span) -> Reg {
        let src = self.lower_expr(value);
        let Type::Array(_, dimensions) = ty else {
            return src;
        };
        if let Some(size) = sizes.first() {
            let (dst, size) = (self.builder.alloc_register(), self.lower_expr(size));
            self.builder.emit(Instr::Length { dst, list: src }, span);
            let fits = CompareOp::NotEqual.jump_unless(dst, size);
            let message = "an array of {} elements does not match the declared size";
            self.builder.emit_check(fits, message, Some(dst), span);
        }
        let is_new = matches!(value.kind, ExprKind::Array(_) | ExprKind::ListToArray(_));
        if is_new {
            src
        } else {
            self.copy_array(src, *dimensions, span)
        }
    }

    /// The value of a declaration without an initial value; creates pieces.
    fn new_value(
        &mut self,
        target: &LValue,
        name: &str,
        ty: &Type,
        sizes: &[Expr],
        span: Span,
    ) -> Reg {
        if ty.is_piece() {
            if self.kind == RoutineKind::Entry
                && let LValue::Global(global) = target
            {
                self.retire_old_piece(global, name, span);
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

    /// Removes the piece of a variable that is declared again at the prompt.
    fn retire_old_piece(&mut self, global: &str, name: &str, span: Span) {
        let old = self.builder.alloc_register();
        self.load_global(global, old, span);
        let name = self.builder.new_string(name, span);
        self.call_at("@retirePiece", &[old, name], span);
    }

    fn assign(&mut self, target: &LValue, value: &Expr, span: Span) {
        if let LValue::Local(slot) = target
            && !matches!(value.kind, ExprKind::Logic(..))
            && !matches!(value.ty, Type::Array(..))
        {
            let dst = self.local_register(*slot);
            self.lower_expr_to(value, dst);
            self.builder.record_value_before(span, ValueLoc::Write(dst));
            return;
        }
        let lowered = self.lower_lvalue(target);
        let src = self.lower_expr(value);
        if matches!(value.ty, Type::Array(..)) && !matches!(target, LValue::PlayerOrder) {
            let old = self.load(&lowered, span);
            self.call_at("@copyElements", &[old, src], span);
            return;
        }
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.store(&lowered, src, span);
    }

    /// Puts the new value of a compound assignment into `dst`; the old one is in `a`.
    fn compound_value(
        &mut self,
        a: Reg,
        ty: &Type,
        op: ArithmeticOp,
        value: &Expr,
        dst: Reg,
        span: Span,
    ) {
        if *ty == Type::Text {
            let b = self.lower_expr(value);
            let instr = Instr::Concat { dst, a, b };
            self.builder.emit_value(instr, dst, span, span);
        } else {
            self.emit_arithmetic_on(op, a, value, dst, span, span);
        }
        self.builder.record_value_after(span, ValueLoc::Write(dst));
    }
}
