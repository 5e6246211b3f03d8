//! Declarations and statements.

use super::Body;
use crate::code::{Instr, Reg, Seen, StopKind};
use crate::languages::tinygame::ast::{
    Direction, Entity, Expr, Item, Name, Place, Property, Statement, StatementKind,
};
use crate::source::Span;
use crate::value::{Text, Value};

impl Body<'_> {
    pub(super) fn item(&mut self, item: &Item) {
        match item {
            Item::Entity(entity) => self.entity(entity),
            Item::Statement(statement) => self.statement(statement),
        }
    }

    fn entity(&mut self, entity: &Entity) {
        if entity.properties.is_empty() {
            self.b.stop(StopKind::Statement, entity.span);
        }
        for Property { name, value, span } in &entity.properties {
            self.b.stop(StopKind::Statement, *span);
            let mark = self.b.mark();
            let src = self.value(value);
            self.write(&entity.name, &name.text, src, *span);
            self.b.release(mark);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        let mark = self.b.mark();
        match &statement.kind {
            StatementKind::Move {
                entity,
                direction,
                amount,
            } => {
                self.b.stop(StopKind::Statement, span);
                self.step(entity, *direction, amount, span);
            }
            StatementKind::Set { place, value } => {
                self.b.stop(StopKind::Statement, span);
                let src = self.value(value);
                self.write(&place.entity, &place.property.text, src, span);
            }
            StatementKind::If { condition, body } => {
                self.b.stop(StopKind::Statement, span);
                let past = self.unless(condition);
                self.b.release(mark);
                body.iter().for_each(|statement| self.statement(statement));
                self.b.land(past);
            }
            StatementKind::Print { text } => {
                self.b.stop(StopKind::Statement, span);
                let value = self.b.register();
                let k = self.b.text(&format!("OUTPUT: {text}"));
                self.b.emit(Instr::Constant { dst: value, k }, span);
                self.b.emit(Instr::Print { value }, span);
            }
        }
        self.b.release(mark);
    }

    fn write(&mut self, entity: &Name, property: &str, src: Reg, span: Span) {
        match self.scope.slot(&entity.text, property) {
            Some(global) => {
                self.b.note_before(span, Seen::Write(src));
                self.b.emit(Instr::SetGlobal { global, src }, span);
            }
            None => self.unknown(span),
        }
    }

    /// Changes one coordinate, then says where the entity is.
    fn step(&mut self, entity: &Name, direction: Direction, amount: &Expr, span: Span) {
        let by = self.value(amount);
        let axis = direction.axis();
        let dst = self.b.register();
        self.property_to(entity, axis, dst, span);
        let sum = match direction.adds() {
            true => Instr::Add { dst, a: dst, b: by },
            false => Instr::Subtract { dst, a: dst, b: by },
        };
        self.b.emit(sum, span);
        self.write(entity, axis, dst, span);
        self.say_move(entity, direction, by, span);
    }

    /// `hero moved right by 5 to position (5,0)`
    fn say_move(&mut self, entity: &Name, direction: Direction, by: Reg, span: Span) {
        let line = self.b.registers(2);
        self.text_to(
            line,
            &format!("{} moved {} by ", entity.text, direction.word()),
            span,
        );
        let part = line + 1;
        self.b.emit(Instr::ToText { dst: part, a: by }, span);
        self.join(line, span);
        for (before, axis) in [(" to position (", "x"), (",", "y")] {
            self.text_to(part, before, span);
            self.join(line, span);
            self.property_to(entity, axis, part, span);
            self.b.emit(Instr::ToText { dst: part, a: part }, span);
            self.join(line, span);
        }
        self.text_to(part, ")", span);
        self.join(line, span);
        self.b.emit(Instr::Print { value: line }, span);
    }

    fn text_to(&mut self, dst: Reg, text: &str, span: Span) {
        let k = self.b.constant(Value::text(Text::new(text)));
        self.b.emit(Instr::Constant { dst, k }, span);
    }

    /// Puts the text in the next register behind the one in this.
    fn join(&mut self, line: Reg, span: Span) {
        self.b.emit(
            Instr::Join {
                dst: line,
                a: line,
                b: line + 1,
            },
            span,
        );
    }

    fn property_to(&mut self, entity: &Name, property: &str, dst: Reg, span: Span) {
        match self.scope.slot(&entity.text, property) {
            Some(global) => {
                self.b.emit(Instr::GlobalOrFail { dst, global }, span);
            }
            None => self.unknown(span),
        }
    }

    pub(super) fn place_to(&mut self, place: &Place, dst: Reg) {
        let span = place.span();
        self.property_to(&place.entity, &place.property.text, dst, span);
        self.b.note_after(span, Seen::Register(dst));
    }

    /// The checker lets nothing unknown through; if it did, the game would stop here.
    pub(super) fn unknown(&mut self, span: Span) {
        let k = self.b.text("this is not declared");
        self.b.emit(
            Instr::Fail {
                k,
                a: 0,
                with: false,
            },
            span,
        );
    }
}
