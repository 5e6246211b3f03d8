//! Statements and blocks.

use super::Body;
use crate::code::{Instr, Reg, Seen};
use crate::languages::gridlok::ast::{Block, Def, Expr, Given, Statement, StatementKind};
use crate::languages::gridlok::scope::Known;
use crate::languages::gridlok::typing::Type;
use crate::source::Span;

impl Body<'_, '_> {
    /// A block with a scope of its own.
    pub(super) fn block(&mut self, block: &Block) {
        self.scoped(|body| body.statements(&block.statements));
    }

    pub(super) fn scoped(&mut self, inside: impl FnOnce(&mut Self)) {
        let (mark, seen, locals) = (self.b.mark(), self.seen.len(), self.b.locals());
        inside(self);
        self.seen.truncate(seen);
        self.b.end_locals(locals);
        self.b.release(mark);
    }

    pub(super) fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        self.statement_stop(statement.span);
        let mark = self.b.mark();
        match &statement.kind {
            // A definition keeps its register until the block ends.
            StatementKind::Def(def) => return self.def(def),
            StatementKind::Braces(name, content) => self.braces(name, content, statement.span),
            StatementKind::SetElement { list, index, value } => {
                self.set_element(list, index, value, statement.span)
            }
            StatementKind::RemoveElement { list, index } => {
                self.remove_element(list, index, statement.span)
            }
            StatementKind::Act {
                piece,
                action,
                arguments,
            } => self.act(piece, action, arguments, statement.span),
            StatementKind::If { arms, otherwise } => self.arms(arms, otherwise.as_ref()),
            StatementKind::For(head, block) => self.loop_over(head, block, statement.span),
            StatementKind::Return(value) => self.give_back(value.as_ref(), statement.span),
            StatementKind::Loose(e) => {
                self.expr(e);
            }
        }
        self.b.release(mark);
    }

    fn def(&mut self, def: &Def) {
        let register = self.b.register();
        let kind = self.given_to(&def.value, register);
        self.declare(&def.name.text, register, kind);
    }

    /// The value of a definition: one expression or a list.
    pub(super) fn given_to(&mut self, value: &Given, dst: Reg) -> Known {
        match value {
            Given::One(e) => self.copy_to(e, dst),
            Given::List(items, span) => {
                self.list_to(items, dst, *span);
                Some(Type::List)
            }
        }
    }

    pub(super) fn list_to(&mut self, items: &[Expr], dst: Reg, span: Span) {
        let mark = self.b.mark();
        let first = self.b.row(items.len());
        for (n, item) in items.iter().enumerate() {
            self.copy_to(item, first.wrapping_add(n as Reg));
        }
        self.b.emit(
            Instr::List {
                dst,
                first,
                count: items.len() as u16,
            },
            span,
        );
        self.b.note_after(span, Seen::Register(dst));
        self.b.release(mark);
    }

    fn arms(&mut self, arms: &[(Expr, Block)], otherwise: Option<&Block>) {
        let mut done = Vec::new();
        for (n, (test, block)) in arms.iter().enumerate() {
            if n > 0 {
                self.statement_stop(test.span);
            }
            let skip = self.unless(test);
            self.block(block);
            if n + 1 < arms.len() || otherwise.is_some() {
                done.push(self.b.jump(Instr::Jump { to: 0 }, block.span.after()));
            }
            self.b.land(skip);
        }
        if let Some(block) = otherwise {
            self.block(block);
        }
        self.b.land_all(done);
    }

    fn give_back(&mut self, value: Option<&Expr>, span: Span) {
        match value {
            Some(e) => {
                let (src, _) = self.expr(e);
                self.b.emit(Instr::Return { src }, span);
            }
            None => {
                self.b.emit(Instr::ReturnNothing, span);
            }
        }
    }
}
