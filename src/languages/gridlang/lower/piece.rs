//! Creates players and items, and sets their attributes to the initial values.

use super::Lowerer;
use crate::check::hir::{Attribute, Type};
use crate::code::{CompareOp, Instr, PendingJump, Reg};
use crate::lower::scope::{UNPLACED, field};
use crate::source::Span;
use crate::value::{InternedStr, Value};

impl Lowerer<'_, '_> {
    /// Sets a user-defined attribute to its initial value.
    pub(super) fn init_attribute(&mut self, piece: Reg, attribute: &Attribute) {
        let Some(&item) = self.context.scope.attribute_slots.get(&attribute.name) else {
            return;
        };
        let (in_use, span) = (self.builder.registers_in_use(), attribute.span);
        let value = match (&attribute.default, &attribute.ty) {
            (Some(default), ty) => {
                let value = self.lower_expr(default);
                match ty {
                    Type::Array(_, dimensions) => self.copy_array(value, *dimensions, default.span),
                    _ => value,
                }
            }
            // An array of pieces starts with null pieces.
            (None, Type::Array(element, _)) if !attribute.sizes.is_empty() => {
                let sizes = attribute.sizes.iter();
                let sizes: Vec<Reg> = sizes.map(|&n| self.builder.new_int(n, span)).collect();
                self.filled_array(element, &sizes, span)
            }
            (None, ty) => self.default_value(ty, span),
        };
        let of = piece;
        self.builder.emit(Instr::SetItem { of, item, value }, span);
        self.builder.release_registers(in_use);
    }

    /// `@make Bonus(name, displayString)`: creates a piece.
    pub(super) fn make_piece(&mut self, kind: &str, attributes: &[Attribute]) {
        let (name, display_string, span) = (0, 1, Span::default());
        let field_count = self.context.scope.field_count();
        let first = self.builder.alloc_registers(field_count);
        let unplaced = Value::coordinate(UNPLACED.0, UNPLACED.1).unwrap_or(Value::NOTHING);
        let built_in = [
            (field::IS_PLAYER, Value::bool(kind == "Player")),
            (field::KIND, Value::interned(InternedStr::new(kind))),
            (field::POSITION, unplaced),
            (field::VALID_POSITION, unplaced),
            (field::VALID_ARRIVAL, Value::int(0)),
            (field::ARRIVAL, Value::int(0)),
            (field::EXISTS, Value::TRUE),
            (field::WIN, Value::FALSE),
            (field::TYPE, Value::interned(InternedStr::new(""))),
        ];
        for item in field::FIRST_USER_DEFINED..field_count {
            self.builder
                .emit_constant(first + item, Value::NOTHING, span);
        }
        for (item, value) in built_in {
            self.builder.emit_constant(first + item, value, span);
        }
        for (item, src) in [(field::NAME, name), (field::DISPLAY_STRING, display_string)] {
            let dst = first + item;
            self.builder.emit(Instr::Move { dst, src }, span);
        }
        let count = field_count;
        let piece = |dst| Instr::Record { dst, first, count };
        let piece = self.builder.emit_new(piece, span);
        for attribute in attributes.iter().filter(|a| a.player_type.is_none()) {
            self.init_attribute(piece, attribute);
        }
        self.call_at("@addPiece", &[piece], span);
        self.builder.emit(Instr::Return { src: piece }, span);
    }

    /// `@initTypeAttributes(player)`: initializes the attributes of its player type.
    pub(super) fn init_type_attributes(&mut self) {
        let player = 0;
        let game = self.context.scope.game.clone();
        for attribute in &game.player_attributes {
            if let Some(ty) = &attribute.player_type {
                let other_type = self.jump_unless_field(player, field::TYPE, ty);
                self.init_attribute(player, attribute);
                self.builder.patch_here(other_type);
            }
        }
    }

    /// Emits a jump that is taken if a field of a piece is not the text.
    pub(super) fn jump_unless_field(&mut self, piece: Reg, item: u16, text: &str) -> PendingJump {
        let span = Span::default();
        let in_use = self.builder.registers_in_use();
        let a = self.field(piece, item, span);
        let b = self.builder.new_string(text, span);
        let jump = CompareOp::Equal.jump_unless(a, b);
        let jump = self.builder.emit_jump(jump, span);
        self.builder.release_registers(in_use);
        jump
    }
}
