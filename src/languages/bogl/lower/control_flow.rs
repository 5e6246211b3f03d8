//! `let`, `if` and `while`. They are the places inside an expression where stepping stops.

use super::Lowerer;
use crate::ast::{Expr, ExprKind, Name};
use crate::code::{Emit, Instr, PendingJump, Reg, StopKind, ValueLoc};
use crate::source::Span;

/// In an equation, at most this many nested `if` and `let` return by themselves: each of their branches
/// records the value of all of them.
const MAX_BRANCHES_THAT_RETURN: usize = 8;

impl Lowerer<'_> {
    /// Evaluates an expression that is a step of its own. The steps of a loop are its iterations.
    pub(super) fn lower_step(&mut self, expr: &Expr, dst: Reg) {
        self.step_stop(expr);
        self.lower_expr_to(expr, dst);
    }

    fn step_stop(&mut self, expr: &Expr) {
        if !matches!(expr.kind, ExprKind::While(..)) {
            self.builder.stop_point(StopKind::Statement, expr.span);
        }
    }

    /// Evaluates an expression and returns its value, which is also that of the expressions around
    /// it, at `outer`. Each branch of an `if` returns by itself.
    pub(super) fn lower_return(&mut self, expr: &Expr, outer: &mut Vec<Span>, span: Span) {
        let in_use = self.builder.registers_in_use();
        let is_shallow = outer.len() < MAX_BRANCHES_THAT_RETURN;
        match &expr.kind {
            ExprKind::If(condition, yes, no) if is_shallow => {
                outer.push(expr.span);
                let to_else = self.lower_condition(condition, yes, expr.span);
                self.lower_returned_step(yes, outer, span);
                self.builder.patch_here(to_else);
                self.record_branch(condition, no, false);
                self.lower_returned_step(no, outer, span);
                outer.pop();
            }
            ExprKind::Let(name, value, body) if is_shallow => {
                outer.push(expr.span);
                let local_count = self.builder.local_count();
                self.lower_binding(name, value, expr.span);
                self.lower_returned_step(body, outer, span);
                self.builder.end_locals(local_count);
                outer.pop();
            }
            _ => {
                let src = self.lower_expr(expr);
                for outer in outer.iter().rev() {
                    self.record_result(src, *outer);
                }
                self.builder.emit(Instr::Return { src }, span);
            }
        }
        self.builder.release_registers(in_use);
    }

    fn lower_returned_step(&mut self, expr: &Expr, outer: &mut Vec<Span>, span: Span) {
        self.step_stop(expr);
        self.lower_return(expr, outer, span);
    }

    /// Evaluates the value of a `let` and names it.
    fn lower_binding(&mut self, name: &Name, value: &Expr, span: Span) {
        self.builder
            .stop_point(StopKind::Statement, name.span.to(value.span));
        let register = self.builder.alloc_register();
        self.lower_expr_to(value, register);
        self.builder
            .record_value_before(value.span, ValueLoc::Bind(register));
        match self.resolution.lets.get(&span) {
            Some(&local) => self.bind(local, register),
            None => self.emit_failure(&format!("`{}` is not defined", name.text), name.span),
        }
    }

    pub(super) fn lower_let(
        &mut self,
        name: &Name,
        value: &Expr,
        body: &Expr,
        dst: Reg,
        span: Span,
    ) {
        let local_count = self.builder.local_count();
        self.lower_binding(name, value, span);
        self.lower_step(body, dst);
        self.builder.end_locals(local_count);
        self.record_result(dst, span);
    }

    /// Emits the test of an `if` at `span`; the jump is taken if it is false, otherwise `yes` comes
    /// next.
    fn lower_condition(&mut self, condition: &Expr, yes: &Expr, span: Span) -> PendingJump {
        let head = span_until(span, condition);
        self.builder.stop_point(StopKind::Statement, head);
        let to_else = self.emit_jump_if_false(condition);
        self.record_branch(condition, yes, true);
        to_else
    }

    fn record_branch(&mut self, condition: &Expr, branch: &Expr, outcome: bool) {
        let test = condition.span;
        self.builder
            .record_value_before(branch.span, ValueLoc::Branch { test, outcome });
    }

    pub(super) fn lower_if(
        &mut self,
        condition: &Expr,
        yes: &Expr,
        no: &Expr,
        dst: Reg,
        span: Span,
    ) {
        let to_else = self.lower_condition(condition, yes, span);
        self.lower_step(yes, dst);
        let to_end = self.builder.emit_jump(Instr::Jump { to: 0 }, yes.span);
        self.builder.patch_here(to_else);
        self.record_branch(condition, no, false);
        self.lower_step(no, dst);
        if self.builder.has_recorded_before() {
            // The recorded values belong to this branch only: a jump gives them an instruction that
            // the other branch does not execute.
            let jump = self.builder.emit_jump(Instr::Jump { to: 0 }, no.span);
            self.builder.patch_here(jump);
        }
        self.builder.patch_here(to_end);
        self.record_result(dst, span);
    }

    /// A loop updates copies of its variables. Outside the loop they keep their values.
    pub(super) fn lower_while(&mut self, condition: &Expr, body: &Expr, dst: Reg, span: Span) {
        let Some(variables) = self.resolution.loops.get(&span) else {
            return self.emit_failure("this `while` has no variables to update", span);
        };
        let count = variables.len() as u16;
        let first = self.builder.alloc_registers(count);
        let outer_registers = self.registers.clone();
        let local_count = self.builder.local_count();
        for (dst, &local) in (first..).zip(variables) {
            let src = outer_registers.get(local as usize);
            let src = src.copied().unwrap_or(first);
            self.builder.emit(Instr::Move { dst, src }, span);
        }
        for (register, &local) in (first..).zip(variables) {
            self.bind(local, register);
        }
        let head = span_until(span, condition);
        self.emit_while(condition, head, span, |lowerer| {
            lowerer.lower_loop_body(body, first, count);
        });
        let result = match count {
            1 => Instr::Move { dst, src: first },
            _ => Instr::Tuple { dst, first, count },
        };
        self.builder.emit(result, span);
        self.record_result(dst, span);
        self.builder.end_locals(local_count);
        self.registers = outer_registers;
    }

    /// Computes all new values before assigning any, so the body can swap variables.
    fn lower_loop_body(&mut self, body: &Expr, first: Reg, count: u16) {
        let in_use = self.builder.registers_in_use();
        let new = self.builder.alloc_registers(count);
        self.builder.stop_point(StopKind::Statement, body.span);
        match count {
            1 => self.lower_expr_to(body, new),
            _ => self.unpack_tuple(body, new, count),
        }
        for n in 0..count {
            let part = match &body.kind {
                ExprKind::Tuple(parts) if count > 1 => {
                    parts.get(n as usize).map_or(body.span, |part| part.span)
                }
                _ => body.span,
            };
            let (dst, src) = (first + n, new + n);
            self.builder.record_value_before(part, ValueLoc::Write(src));
            self.builder.emit(Instr::Move { dst, src }, part);
            self.builder.record_value_after(part, ValueLoc::Bind(dst));
        }
        self.builder.release_registers(in_use);
    }
}

/// The start of `span`, to the end of the condition.
fn span_until(span: Span, condition: &Expr) -> Span {
    Span {
        end: condition.span.end,
        ..span
    }
}
