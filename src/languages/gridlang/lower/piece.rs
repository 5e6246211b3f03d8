//! Rules that create players and items and set their built-in attributes.

use super::Lowerer;
use crate::code::{Instr, Reg};
use crate::languages::gridlang::check::hir::{Attribute, Type};
use crate::languages::gridlang::lower::scope::{RuleVariable, UNPLACED, field};
use crate::source::Span;
use crate::value::{InternedStr, Value};
use std::sync::Arc;

impl Lowerer<'_, '_> {
    /// Creates a piece for the variable `name`.
    pub(super) fn new_piece(&mut self, ty: &Type, name: &str, span: Span) -> Reg {
        let name_reg = self.builder.alloc_register();
        self.text_to(name_reg, name, span);
        self.call_at(
            &format!("@make {}", kind_of(ty)),
            &[name_reg, name_reg],
            span,
        )
    }

    /// Creates an array of one or two dimensions, including its pieces.
    pub(super) fn new_array(
        &mut self,
        element: &Type,
        name: &str,
        sizes: &[Reg],
        span: Span,
    ) -> Reg {
        let is_piece = element.is_piece();
        match *sizes {
            [count] if is_piece => {
                let (prefix, name_reg) =
                    (self.builder.alloc_register(), self.builder.alloc_register());
                self.text_to(prefix, &format!("{name}["), span);
                self.text_to(name_reg, name, span);
                self.call_at(
                    &format!("@makeMany {}", kind_of(element)),
                    &[prefix, name_reg, count],
                    span,
                )
            }
            [rows, cols] if is_piece => {
                let name_reg = self.builder.alloc_register();
                self.text_to(name_reg, name, span);
                self.call_at(
                    &format!("@makeTable {}", kind_of(element)),
                    &[name_reg, rows, cols],
                    span,
                )
            }
            [count] => {
                let (value, dst) = (
                    self.default_value(element, span),
                    self.builder.alloc_register(),
                );
                self.builder
                    .emit(Instr::FilledList { dst, value, count }, span);
                dst
            }
            [rows, cols] => {
                let value = self.default_value(element, span);
                self.call_at("@fillTable", &[value, rows, cols], span)
            }
            _ => self.default_value(&element.clone().into_array(), span),
        }
    }

    /// The default value of a type; the null piece for players and items.
    pub(super) fn default_value(&mut self, ty: &Type, span: Span) -> Reg {
        let dst = self.builder.alloc_register();
        let value = match ty {
            Type::Float => Value::float(0.0),
            Type::Text => Value::interned(InternedStr::new("")),
            Type::Bool => Value::FALSE,
            Type::Coordinate => Value::coordinate(0, 0).unwrap_or(Value::NOTHING),
            Type::Array(..) | Type::List(_) => {
                self.builder.emit(
                    Instr::List {
                        dst,
                        first: dst,
                        count: 0,
                    },
                    span,
                );
                return dst;
            }
            ty if ty.is_piece() => {
                self.builder.emit(
                    Instr::GetGlobal {
                        dst,
                        global: RuleVariable::NullPiece as u32,
                    },
                    span,
                );
                return dst;
            }
            _ => Value::int(0),
        };
        self.constant_to(dst, value, span);
        dst
    }

    /// Sets a user-defined attribute to its initial value.
    pub(super) fn init_attribute(&mut self, piece: Reg, attribute: &Attribute) {
        let Some(&item) = self.context.scope.attribute_slots.get(&attribute.name) else {
            return;
        };
        let in_use = self.builder.registers_in_use();
        let value = match (&attribute.default, &attribute.ty) {
            (Some(default), ty) => {
                let value = self.lower_expr(default);
                if let Type::Array(_, dimensions) = ty {
                    self.copy_array(value, *dimensions, default.span)
                } else {
                    value
                }
            }
            (None, Type::Array(element, _)) if !attribute.sizes.is_empty() => {
                let sizes: Vec<Reg> = attribute
                    .sizes
                    .iter()
                    .map(|&n| self.constant(Value::int(n)))
                    .collect();
                self.attribute_array(element, &sizes, attribute.span)
            }
            (None, ty) => self.default_value(ty, attribute.span),
        };
        self.builder.emit(
            Instr::SetItem {
                of: piece,
                item,
                value,
            },
            attribute.span,
        );
        self.builder.release_registers(in_use);
    }

    /// An array attribute of pieces starts with null pieces.
    fn attribute_array(&mut self, element: &Type, sizes: &[Reg], span: Span) -> Reg {
        let value = self.default_value(element, span);
        match *sizes {
            [rows, cols] => self.call_at("@fillTable", &[value, rows, cols], span),
            [count] => {
                let dst = self.builder.alloc_register();
                self.builder
                    .emit(Instr::FilledList { dst, value, count }, span);
                dst
            }
            _ => value,
        }
    }

    /// `@make Bonus(name, displayString)`: creates a piece.
    pub(super) fn make_piece(&mut self, kind: &str, attributes: &[Attribute]) {
        let (name, display_string) = (0, 1);
        let is_player = kind == "Player";
        let field_count = self.context.scope.field_count();
        let first = self.builder.alloc_registers(field_count);
        let unplaced = Value::coordinate(UNPLACED.0, UNPLACED.1).unwrap_or(Value::NOTHING);
        let built_in = [
            (field::IS_PLAYER, Value::bool(is_player)),
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
            self.constant_to(first + item, Value::NOTHING, self.span);
        }
        for (item, value) in built_in {
            self.constant_to(first + item, value, self.span);
        }
        self.emit(Instr::Move {
            dst: first + field::NAME,
            src: name,
        });
        self.emit(Instr::Move {
            dst: first + field::DISPLAY_STRING,
            src: display_string,
        });
        let piece = self.builder.alloc_register();
        self.emit(Instr::Record {
            dst: piece,
            first,
            count: field_count,
        });
        for attribute in attributes.iter().filter(|a| a.player_type.is_none()) {
            self.init_attribute(piece, attribute);
        }
        self.append(RuleVariable::Pieces, piece);
        if is_player {
            let has_custom_order = self.load_rule_var(RuleVariable::HasCustomOrder);
            self.unless(has_custom_order, |r| {
                r.append(RuleVariable::PlayerOrder, piece)
            });
        }
        self.return_value(piece);
    }

    /// `@makeMany Cross(namePrefix, displayString, count)`: creates an array of pieces.
    pub(super) fn make_pieces(&mut self, kind: &str) {
        let (prefix, display_string, count) = (0, 1, 2);
        self.check_not_negative(count);
        let list = self.empty_list();
        let close = self.text_constant("]");
        self.for_range(count, |r, n| {
            let (name, number) = (r.builder.alloc_register(), r.builder.alloc_register());
            r.emit(Instr::ToString { dst: number, a: n });
            r.emit(Instr::Concat {
                dst: name,
                a: prefix,
                b: number,
            });
            r.emit(Instr::Concat {
                dst: name,
                a: name,
                b: close,
            });
            let piece = r.call(&format!("@make {kind}"), &[name, display_string]);
            r.emit(Instr::Append { list, value: piece });
        });
        self.return_value(list);
    }

    /// `@makeTable Cross(name, rows, columns)`: creates a two-dimensional array of pieces.
    pub(super) fn make_piece_table(&mut self, kind: &str) {
        let (name, rows, cols) = (0, 1, 2);
        self.check_not_negative(rows);
        let list = self.empty_list();
        let (open, comma) = (self.text_constant("["), self.text_constant(","));
        self.for_range(rows, |r, n| {
            let (prefix, number) = (r.builder.alloc_register(), r.builder.alloc_register());
            r.emit(Instr::ToString { dst: number, a: n });
            r.emit(Instr::Concat {
                dst: prefix,
                a: name,
                b: open,
            });
            r.emit(Instr::Concat {
                dst: prefix,
                a: prefix,
                b: number,
            });
            r.emit(Instr::Concat {
                dst: prefix,
                a: prefix,
                b: comma,
            });
            let row = r.call(&format!("@makeMany {kind}"), &[prefix, name, cols]);
            r.emit(Instr::Append { list, value: row });
        });
        self.return_value(list);
    }

    fn check_not_negative(&mut self, count: Reg) {
        let zero = self.constant(Value::int(0));
        let negative = self.less(count, zero);
        self.when(negative, |r| {
            r.fail(
                "the size of an array cannot be negative, but this is {}",
                Some(count),
            )
        });
    }

    /// `@setExists(piece, value)`: a removed player leaves `playerOrder`; a restored piece returns
    /// to its position.
    pub(super) fn set_exists(&mut self) {
        let (piece, value) = (0, 1);
        let old = self.field(piece, field::EXISTS);
        let unchanged = self.equal(old, value);
        self.when(unchanged, |r| r.return_nothing());
        self.set_field(piece, field::EXISTS, value);
        let is_player = self.field(piece, field::IS_PLAYER);
        self.unless(value, |r| {
            r.when(is_player, |r| r.call("@removePlayer", &[piece]));
            r.return_nothing();
        });
        let arrival = self.increment(RuleVariable::ArrivalCount);
        self.set_field(piece, field::ARRIVAL, arrival);
        let (position, validated) = (
            self.field(piece, field::POSITION),
            self.field(piece, field::VALID_POSITION),
        );
        let is_unmoved = self.equal(position, validated);
        self.unless(is_unmoved, |r| r.append(RuleVariable::PendingMoves, piece));
    }

    /// `@setWin(player, value)`: a winner leaves `playerOrder`.
    pub(super) fn set_win(&mut self) {
        let (piece, value) = (0, 1);
        self.set_field(piece, field::WIN, value);
        self.when(value, |r| r.call("@removePlayer", &[piece]));
    }

    /// `@setType(player, type)`: initializes the attributes of the new type.
    pub(super) fn set_type(&mut self) {
        let (piece, new) = (0, 1);
        let old = self.field(piece, field::TYPE);
        let unchanged = self.equal(old, new);
        self.when(unchanged, |r| r.return_nothing());
        self.set_field(piece, field::TYPE, new);
        let game = self.context.scope.game.clone();
        let mut types: Vec<&Arc<str>> = game
            .player_attributes
            .iter()
            .filter_map(|a| a.player_type.as_ref())
            .collect();
        types.dedup();
        for ty in types {
            let name_reg = self.text_constant(ty);
            let matches = self.equal(new, name_reg);
            self.when(matches, |r| {
                let attributes = game
                    .player_attributes
                    .iter()
                    .filter(|a| a.player_type.as_ref() == Some(ty));
                attributes.for_each(|a| r.init_attribute(piece, a));
            });
        }
    }

    /// `@retirePiece(value, name)`: removes the piece created for the variable `name`, if it is
    /// still in the game.
    pub(super) fn retire_piece(&mut self) {
        let (old, name) = (0, 1);
        let count = self.length(old);
        let is_null = self.equal_int(count, 0);
        self.when(is_null, |r| r.return_nothing());
        let old_name = self.field(old, field::NAME);
        let same_name = self.equal(old_name, name);
        self.when(same_name, |r| {
            let no = r.constant(Value::FALSE);
            r.call("@setExists", &[old, no]);
        });
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
