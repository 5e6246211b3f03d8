//! Lowers statements and blocks.

use super::Lowerer;
use crate::ast::{Block, Def, Expr, ExprKind, Statement, StatementKind};
use crate::code::{Emit, Instr, Reg};
use crate::source::Span;

impl Lowerer<'_, '_> {
    /// Lowers a block in a new scope.
    pub(super) fn block(&mut self, block: &Block) {
        self.scoped(|body| body.statements(&block.statements));
    }

    /// Runs `inside` in a new scope, and frees its registers afterwards.
    pub(super) fn scoped(&mut self, inside: impl FnOnce(&mut Self)) {
        let (in_use, visible, locals) = (
            self.builder.registers_in_use(),
            self.locals.len(),
            self.builder.local_count(),
        );
        inside(self);
        self.locals.truncate(visible);
        self.builder.end_locals(locals);
        self.builder.release_registers(in_use);
    }

    pub(super) fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        self.statement_stop(statement.span);
        let in_use = self.builder.registers_in_use();
        let start = self.builder.next_pc();
        match &statement.kind {
            // A local keeps its register until the end of the block.
            StatementKind::Def(def) => return self.def(def),
            StatementKind::Braces(name, content) => self.braces(name, content, statement.span),
            StatementKind::SetElement { list, index, value } => {
                self.set_element(list, index, value, statement.span)
            }
            StatementKind::RemoveElement { list, index } => {
                self.remove_element(list, index, statement.span)
            }
            StatementKind::PieceAction {
                piece,
                action,
                arguments,
            } => self.piece_action(piece, action, arguments, statement.span),
            StatementKind::If { arms, otherwise } => self.arms(arms, otherwise.as_ref()),
            StatementKind::For(head, block) => self.loop_over(head, block, statement.span),
            StatementKind::Return(value) => self.return_statement(value.as_ref(), statement.span),
            StatementKind::Expr(e) => {
                self.expr(e);
            }
        }
        self.builder.end_statement(start, statement.span);
        self.builder.release_registers(in_use);
    }

    fn def(&mut self, def: &Def) {
        let register = self.builder.alloc_register();
        let ty = self.initializer_to(&def.value, register);
        self.declare(&def.name.text, register, ty);
    }

    fn arms(&mut self, arms: &[(Expr, Block)], otherwise: Option<&Block>) {
        let mut done = Vec::new();
        for (n, (test, block)) in arms.iter().enumerate() {
            if n > 0 {
                self.statement_stop(test.span);
            }
            let skip = self.emit_jump_if_false(test.unparenthesized());
            self.block(block);
            if n + 1 < arms.len() || otherwise.is_some() {
                let end = block.span.shrink_to_end();
                done.push(self.builder.emit_jump(Instr::Jump { to: 0 }, end));
            }
            self.builder.patch_here(skip);
        }
        if let Some(block) = otherwise {
            self.block(block);
        }
        self.builder.patch_all_here(done);
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) {
        match value {
            Some(e) => {
                let src = self.returned(e);
                self.builder.emit(Instr::Return { src }, span);
            }
            None => {
                self.builder.emit(Instr::ReturnNothing, span);
            }
        }
    }

    /// Evaluates a returned value. A list that outlives the call is copied, since callers treat the
    /// result as their own.
    fn returned(&mut self, e: &Expr) -> Reg {
        if let ExprKind::Name(name) = &e.unparenthesized().kind
            && self.find_local(name).is_some()
        {
            return self.emit_expr(e);
        }
        let dst = self.builder.alloc_register();
        self.copy_to(e, dst);
        dst
    }
}
