//! Players and items: how they are made, and what changes with their attributes.

use super::Body;
use crate::code::{Instr, Reg};
use crate::languages::gridlang::scope::{Hidden, NOWHERE, field};
use crate::languages::gridlang::typed::{Attribute, Type};
use crate::source::Span;
use crate::value::{Text, Value};
use std::sync::Arc;

impl Body<'_, '_> {
    /// A new piece for a variable.
    pub(super) fn new_piece(&mut self, ty: &Type, name: &str, span: Span) -> Reg {
        let word = self.b.register();
        self.text_to(word, name, span);
        self.call_at(&format!("@make {}", kind_of(ty)), &[word, word], span)
    }

    /// A new array of one or two dimensions, its elements made too.
    pub(super) fn new_array(
        &mut self,
        element: &Type,
        name: &str,
        sizes: &[Reg],
        span: Span,
    ) -> Reg {
        let piece = element.is_piece();
        match *sizes {
            [count] if piece => {
                let (open, word) = (self.b.register(), self.b.register());
                self.text_to(open, &format!("{name}["), span);
                self.text_to(word, name, span);
                self.call_at(
                    &format!("@many {}", kind_of(element)),
                    &[open, word, count],
                    span,
                )
            }
            [rows, cols] if piece => {
                let word = self.b.register();
                self.text_to(word, name, span);
                self.call_at(
                    &format!("@table {}", kind_of(element)),
                    &[word, rows, cols],
                    span,
                )
            }
            [count] => {
                let (value, dst) = (self.default_of(element, span), self.b.register());
                self.b.emit(Instr::Filled { dst, value, count }, span);
                dst
            }
            [rows, cols] => {
                let value = self.default_of(element, span);
                self.call_at("@rows", &[value, rows, cols], span)
            }
            _ => self.default_of(&element.clone().array(), span),
        }
    }

    /// What a variable holds that was given nothing: nobody, if it is for a piece.
    pub(super) fn default_of(&mut self, ty: &Type, span: Span) -> Reg {
        let dst = self.b.register();
        let value = match ty {
            Type::Float => Value::float(0.0),
            Type::Text => Value::text(Text::new("")),
            Type::Truth => Value::FALSE,
            Type::Coordinate => Value::coordinate(0, 0).unwrap_or(Value::NOTHING),
            Type::Array(..) | Type::List(_) => {
                self.b.emit(
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
                self.b.emit(
                    Instr::Global {
                        dst,
                        global: Hidden::Nobody as u32,
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

    /// An own attribute gets the value that it begins with.
    pub(super) fn begin_attribute(&mut self, piece: Reg, attribute: &Attribute) {
        let Some(&item) = self.shared.scope.slots.get(&attribute.name) else {
            return;
        };
        let mark = self.b.mark();
        let value = match (&attribute.default, &attribute.ty) {
            (Some(default), ty) => {
                let value = self.expr(default);
                if let Type::Array(_, dimensions) = ty {
                    self.copied(value, *dimensions, default.span)
                } else {
                    value
                }
            }
            (None, Type::Array(element, _)) if !attribute.sizes.is_empty() => {
                let sizes: Vec<Reg> = attribute
                    .sizes
                    .iter()
                    .map(|&n| self.value(Value::int(n)))
                    .collect();
                self.attribute_array(element, &sizes, attribute.span)
            }
            (None, ty) => self.default_of(ty, attribute.span),
        };
        self.b.emit(
            Instr::SetItem {
                of: piece,
                item,
                value,
            },
            attribute.span,
        );
        self.b.release(mark);
    }

    /// Pieces of an attribute's array are nobody until they are put there.
    fn attribute_array(&mut self, element: &Type, sizes: &[Reg], span: Span) -> Reg {
        let value = self.default_of(element, span);
        match *sizes {
            [rows, cols] => self.call_at("@rows", &[value, rows, cols], span),
            [count] => {
                let dst = self.b.register();
                self.b.emit(Instr::Filled { dst, value, count }, span);
                dst
            }
            _ => value,
        }
    }

    /// `@make Bonus`(name, displayString): a new piece.
    pub(super) fn make(&mut self, kind: &str, attributes: &[Attribute]) {
        let (name, display, player) = (0, 1, kind == "Player");
        let width = self.shared.scope.width();
        let first = self.b.registers(width);
        let nowhere = Value::coordinate(NOWHERE.0, NOWHERE.1).unwrap_or(Value::NOTHING);
        let fixed = [
            (field::PLAYER, Value::bool(player)),
            (field::KIND, Value::text(Text::new(kind))),
            (field::POSITION, nowhere),
            (field::VALIDATED, nowhere),
            (field::VALIDATED_ARRIVAL, Value::int(0)),
            (field::ARRIVAL, Value::int(0)),
            (field::EXISTS, Value::TRUE),
            (field::WIN, Value::FALSE),
            (field::TYPE, Value::text(Text::new(""))),
        ];
        for own in field::FIRST_OWN..width {
            self.constant_to(first + own, Value::NOTHING, self.span);
        }
        for (item, value) in fixed {
            self.constant_to(first + item, value, self.span);
        }
        self.emit(Instr::Move {
            dst: first + field::NAME,
            src: name,
        });
        self.emit(Instr::Move {
            dst: first + field::DISPLAY,
            src: display,
        });
        let piece = self.b.register();
        self.emit(Instr::Record {
            dst: piece,
            first,
            count: width,
        });
        for attribute in attributes.iter().filter(|a| a.player_type.is_none()) {
            self.begin_attribute(piece, attribute);
        }
        self.append(Hidden::Pieces, piece);
        if player {
            let given = self.get(Hidden::OrderGiven);
            self.unless(given, |r| r.append(Hidden::Order, piece));
        }
        self.give(piece);
    }

    /// `@many Cross`(start of the names, displayString, count): a list of new pieces.
    pub(super) fn many(&mut self, kind: &str) {
        let (open, display, count) = (0, 1, 2);
        self.no_negative(count);
        let list = self.empty_list();
        let close = self.word("]");
        self.count(count, |r, n| {
            let (name, number) = (r.b.register(), r.b.register());
            r.emit(Instr::ToText { dst: number, a: n });
            r.emit(Instr::Join {
                dst: name,
                a: open,
                b: number,
            });
            r.emit(Instr::Join {
                dst: name,
                a: name,
                b: close,
            });
            let piece = r.call(&format!("@make {kind}"), &[name, display]);
            r.emit(Instr::Append { list, value: piece });
        });
        self.give(list);
    }

    /// `@table Cross`(name, rows, columns): a list of lists of new pieces.
    pub(super) fn table(&mut self, kind: &str) {
        let (name, rows, cols) = (0, 1, 2);
        self.no_negative(rows);
        let list = self.empty_list();
        let (open, comma) = (self.word("["), self.word(","));
        self.count(rows, |r, n| {
            let (start, number) = (r.b.register(), r.b.register());
            r.emit(Instr::ToText { dst: number, a: n });
            r.emit(Instr::Join {
                dst: start,
                a: name,
                b: open,
            });
            r.emit(Instr::Join {
                dst: start,
                a: start,
                b: number,
            });
            r.emit(Instr::Join {
                dst: start,
                a: start,
                b: comma,
            });
            let row = r.call(&format!("@many {kind}"), &[start, name, cols]);
            r.emit(Instr::Append { list, value: row });
        });
        self.give(list);
    }

    fn no_negative(&mut self, count: Reg) {
        let zero = self.value(Value::int(0));
        let negative = self.less(count, zero);
        self.when(negative, |r| {
            r.fail("an array can't have {} elements", Some(count))
        });
    }

    /// `@exists`(piece, value): one that is gone leaves the order; one that is back stands where it stood.
    pub(super) fn exists(&mut self) {
        let (piece, value) = (0, 1);
        let old = self.field(piece, field::EXISTS);
        let unchanged = self.same(old, value);
        self.when(unchanged, |r| r.leave());
        self.set_field(piece, field::EXISTS, value);
        let player = self.field(piece, field::PLAYER);
        self.unless(value, |r| {
            r.when(player, |r| r.call("@leave", &[piece]));
            r.leave();
        });
        let clock = self.step_up(Hidden::Clock);
        self.set_field(piece, field::ARRIVAL, clock);
        let (position, validated) = (
            self.field(piece, field::POSITION),
            self.field(piece, field::VALIDATED),
        );
        let checked = self.same(position, validated);
        self.unless(checked, |r| r.append(Hidden::Moved, piece));
    }

    /// `@win`(player, value): who wins leaves the order.
    pub(super) fn win(&mut self) {
        let (piece, value) = (0, 1);
        self.set_field(piece, field::WIN, value);
        self.when(value, |r| r.call("@leave", &[piece]));
    }

    /// `@type`(player, type): another type brings its attributes.
    pub(super) fn change_type(&mut self) {
        let (piece, new) = (0, 1);
        let old = self.field(piece, field::TYPE);
        let unchanged = self.same(old, new);
        self.when(unchanged, |r| r.leave());
        self.set_field(piece, field::TYPE, new);
        let game = self.shared.scope.game.clone();
        let mut types: Vec<&Arc<str>> = game
            .player
            .iter()
            .filter_map(|a| a.player_type.as_ref())
            .collect();
        types.dedup();
        for ty in types {
            let word = self.word(ty);
            let is = self.same(new, word);
            self.when(is, |r| {
                let own = game
                    .player
                    .iter()
                    .filter(|a| a.player_type.as_ref() == Some(ty));
                own.for_each(|a| r.begin_attribute(piece, a));
            });
        }
    }

    /// `@retire`(what a variable holds, its name): a piece that was made for it leaves the game.
    pub(super) fn retired(&mut self) {
        let (old, name) = (0, 1);
        let count = self.length(old);
        let nobody = self.same_int(count, 0);
        self.when(nobody, |r| r.leave());
        let own = self.field(old, field::NAME);
        let is_own = self.same(own, name);
        self.when(is_own, |r| {
            let gone = r.value(Value::FALSE);
            r.call("@exists", &[old, gone]);
        });
    }
}

/// The word for the kind of a piece's type.
pub(super) fn kind_of(ty: &Type) -> &str {
    match ty {
        Type::Player => "Player",
        Type::Item(Some(kind)) => kind,
        _ => "Item",
    }
}
