//! `let`, `if` and `while`. They are the places inside an expression where stepping stops.

use super::Lowerer;
use crate::code::{Instr, Reg, StopKind, ValueLoc};
use crate::languages::bogl::ast::{Expr, ExprKind, Ident};
use crate::source::Span;

impl Lowerer<'_> {
    /// Evaluates an expression that is a step of its own. The steps of a loop are its iterations.
    pub(super) fn lower_step(&mut self, expr: &Expr, dst: Reg) {
        if !matches!(expr.kind, ExprKind::While { .. }) {
            self.builder.stop_point(StopKind::Statement, expr.span);
        }
        self.lower_expr_to(expr, dst);
    }

    /// Records the value of an expression at the point where its control paths join.
    pub(super) fn record_result(&mut self, dst: Reg, span: Span) {
        self.builder
            .record_value_before(span, ValueLoc::Register(dst));
    }

    pub(super) fn lower_let(
        &mut self,
        name: &Ident,
        value: &Expr,
        body: &Expr,
        dst: Reg,
        span: Span,
    ) {
        self.builder
            .stop_point(StopKind::Statement, name.span.to(value.span));
        let register = self.builder.alloc_register();
        self.lower_expr_to(value, register);
        self.builder
            .record_value_before(value.span, ValueLoc::Bind(register));
        let local_count = self.builder.local_count();
        match self.resolution.lets.get(&span) {
            Some(&local) => self.bind(local, register),
            None => self.emit_failure(&format!("`{}` is not defined", name.text), name.span),
        }
        self.lower_step(body, dst);
        self.builder.end_locals(local_count);
        self.record_result(dst, span);
    }

    pub(super) fn lower_if(
        &mut self,
        condition: &Expr,
        yes: &Expr,
        no: &Expr,
        dst: Reg,
        span: Span,
    ) {
        self.builder.stop_point(
            StopKind::Statement,
            Span {
                end: condition.span.end,
                ..span
            },
        );
        let to_else = self.jump_if_false(condition);
        let branch = |outcome: bool| ValueLoc::Branch {
            test: condition.span,
            outcome,
        };
        self.builder.record_value_before(yes.span, branch(true));
        self.lower_step(yes, dst);
        let to_end = self.builder.emit_jump(Instr::Jump { to: 0 }, yes.span);
        self.builder.patch_here(to_else);
        self.builder.record_value_before(no.span, branch(false));
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
        let variables = match self.resolution.loops.get(&span) {
            Some(context) => context.variables.clone(),
            None => {
                return self.emit_failure("this `while` has no variables to update", span);
            }
        };
        let count = variables.len() as u16;
        let first = self.builder.alloc_registers(count);
        let outer_registers = self.registers.clone();
        let local_count = self.builder.local_count();
        for (n, &local) in variables.iter().enumerate() {
            let src = outer_registers
                .get(local as usize)
                .copied()
                .unwrap_or(first);
            self.builder.emit(
                Instr::Move {
                    dst: first + n as Reg,
                    src,
                },
                span,
            );
        }
        for (n, &local) in variables.iter().enumerate() {
            self.bind(local, first + n as Reg);
        }
        let top = self.builder.next_pc();
        self.builder.stop_point(
            StopKind::Iteration,
            Span {
                end: condition.span.end,
                ..span
            },
        );
        let exit = self.jump_if_false(condition);
        self.lower_loop_body(body, first, count);
        self.builder.emit(Instr::Loop { to: top }, span);
        self.builder.patch_here(exit);
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
            self.builder
                .record_value_before(part, ValueLoc::Write(new + n));
            self.builder.emit(
                Instr::Move {
                    dst: first + n,
                    src: new + n,
                },
                part,
            );
            self.builder
                .record_value_after(part, ValueLoc::Bind(first + n));
        }
        self.builder.release_registers(in_use);
    }
}
