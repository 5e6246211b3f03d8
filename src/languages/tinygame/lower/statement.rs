//! Lowering of declarations and statements.

use super::Lowerer;
use crate::ast;
use crate::ast::{Direction, Entity, Expr, Item, Name, Property, Statement, StatementKind};
use crate::code::{ArithmeticOp, Channel, Instr, Reg, StopKind, ValueLoc};
use crate::source::Span;

impl Lowerer<'_> {
    pub(super) fn lower_item(&mut self, item: &Item) {
        match item {
            Item::Entity(entity) => self.entity(entity),
            Item::Statement(statement) => self.statement(statement),
        }
    }

    fn entity(&mut self, entity: &Entity) {
        if entity.properties.is_empty() {
            self.builder.stop_point(StopKind::Statement, entity.span);
        }
        for Property { name, value, span } in &entity.properties {
            self.builder.stop_point(StopKind::Statement, *span);
            let in_use = self.builder.registers_in_use();
            let src = self.lower_expr(value);
            self.store_property(&entity.name, &name.text, src, *span);
            self.builder.release_registers(in_use);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        self.builder.stop_point(StopKind::Statement, span);
        let in_use = self.builder.registers_in_use();
        match &statement.kind {
            StatementKind::Move {
                entity,
                direction,
                amount,
            } => self.lower_move(entity, *direction, amount, span),
            StatementKind::Set { target, value } => {
                let src = self.lower_expr(value);
                self.store_property(&target.entity, &target.property.text, src, span);
            }
            StatementKind::If { condition, body } => {
                let end = self.jump_if_false(condition);
                self.builder.release_registers(in_use);
                body.iter().for_each(|statement| self.statement(statement));
                self.builder.patch_here(end);
            }
            StatementKind::Print { text } => {
                let value = self.builder.alloc_register();
                let text = format!("OUTPUT: {text}");
                self.builder.emit_string(value, &text, span);
                self.builder.emit(Channel::Print.output(value), span);
            }
        }
        self.builder.release_registers(in_use);
    }

    fn store_property(&mut self, entity: &Name, property: &str, src: Reg, span: Span) {
        match self.scope.slot(&entity.text, property) {
            Some(global) => {
                self.builder.record_value_before(span, ValueLoc::Write(src));
                self.builder.emit_set_global(global, src, span);
            }
            None => self.emit_undeclared(span),
        }
    }

    /// Changes one coordinate, then prints the new position.
    fn lower_move(&mut self, entity: &Name, direction: Direction, amount: &Expr, span: Span) {
        let amount = self.lower_expr(amount);
        let axis = ast::axis(direction);
        let dst = self.builder.alloc_register();
        self.load_property(entity, axis, dst, span);
        let op = match ast::is_positive(direction) {
            true => ArithmeticOp::Add,
            false => ArithmeticOp::Subtract,
        };
        self.builder.emit(op.instr(dst, dst, amount), span);
        self.store_property(entity, axis, dst, span);
        self.print_move(entity, direction, amount, span);
    }

    /// Prints `hero moved right by 5 to position (5,0)`.
    fn print_move(&mut self, entity: &Name, direction: Direction, amount: Reg, span: Span) {
        let line = self.builder.alloc_registers(2);
        let start = format!("{} moved {} by ", entity.text, direction.as_str());
        self.builder.emit_string(line, &start, span);
        self.append_value(line, amount, span);
        for (before, axis) in [(" to position (", "x"), (",", "y")] {
            self.append_text(line, before, span);
            self.load_property(entity, axis, line + 1, span);
            self.append_value(line, line + 1, span);
        }
        self.append_text(line, ")", span);
        self.builder.emit(Channel::Print.output(line), span);
    }

    /// Appends a value to the string in `line`. The next register is used for that.
    fn append_value(&mut self, line: Reg, a: Reg, span: Span) {
        let dst = line + 1;
        self.builder.emit(Instr::ToString { dst, a }, span);
        self.append_part(line, span);
    }

    fn append_text(&mut self, line: Reg, text: &str, span: Span) {
        self.builder.emit_string(line + 1, text, span);
        self.append_part(line, span);
    }

    /// Appends the string in the next register to the one in `line`.
    fn append_part(&mut self, line: Reg, span: Span) {
        let (dst, a, b) = (line, line, line + 1);
        self.builder.emit(Instr::Concat { dst, a, b }, span);
    }
}
