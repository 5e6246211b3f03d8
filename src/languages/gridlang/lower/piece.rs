//! Creates players and items, and sets their attributes to the initial values.

use super::Lowerer;
use crate::code::{CompareOp, Instr, PendingJump, Reg};
use crate::languages::gridlang::check::hir::{Attribute, Type};
use crate::languages::gridlang::lower::scope::{RuleVariable, UNPLACED, field};
use crate::source::Span;
use crate::value::{InternedStr, Value};

impl Lowerer<'_, '_> {
    /// Creates a piece for the variable `name`.
    pub(super) fn new_piece(&mut self, ty: &Type, name: &str, span: Span) -> Reg {
        let function = format!("@make {}", kind_of(ty));
        let name = self.builder.new_string(name, span);
        self.call_at(&function, &[name, name], span)
    }

    /// Creates an array of one or two dimensions, including its pieces.
    pub(super) fn new_array(
        &mut self,
        element: &Type,
        name: &str,
        sizes: &[Reg],
        span: Span,
    ) -> Reg {
        let kind = kind_of(element);
        match *sizes {
            [count] if element.is_piece() => {
                let prefix = self.builder.new_string(&format!("{name}["), span);
                let name = self.builder.new_string(name, span);
                self.call_at(&format!("@makeMany {kind}"), &[prefix, name, count], span)
            }
            [rows, cols] if element.is_piece() => {
                let name = self.builder.new_string(name, span);
                self.call_at(&format!("@makeTable {kind}"), &[name, rows, cols], span)
            }
            _ => self.filled_array(element, sizes, span),
        }
    }

    /// An array of one or two dimensions, whose elements are the default value of their type.
    fn filled_array(&mut self, element: &Type, sizes: &[Reg], span: Span) -> Reg {
        let value = self.default_value(element, span);
        match *sizes {
            [rows, cols] => self.call_at("@fillTable", &[value, rows, cols], span),
            [count] => {
                let filled = |dst| Instr::FilledList { dst, value, count };
                self.builder.emit_new(filled, span)
            }
            _ => self.default_value(&element.clone().into_array(), span),
        }
    }

    /// The default value of a type; the null piece for players and items.
    pub(super) fn default_value(&mut self, ty: &Type, span: Span) -> Reg {
        let value = match ty {
            Type::Float => Value::float(0.0),
            Type::Text => Value::interned(InternedStr::new("")),
            Type::Bool => Value::FALSE,
            Type::Coordinate => Value::coordinate(0, 0).unwrap_or(Value::NOTHING),
            Type::Array(..) | Type::List(_) => {
                let (dst, count) = (self.builder.alloc_register(), 0);
                let first = dst;
                self.builder.emit(Instr::List { dst, first, count }, span);
                return dst;
            }
            ty if ty.is_piece() => return self.load_rule_var(RuleVariable::Nobody, span),
            _ => Value::int(0),
        };
        self.builder.new_constant(value, span)
    }

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

/// The kind of piece a type denotes.
pub(super) fn kind_of(ty: &Type) -> &str {
    match ty {
        Type::Player => "Player",
        Type::Item(Some(kind)) => kind,
        _ => "Item",
    }
}
