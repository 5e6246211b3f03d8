//! Places that hold values: variables, elements, attributes, halves of coordinates.
//!
//! A place is computed once, into a [`Spot`], and then read and written: `xs[f()].score += 1` calls `f` once.

use super::Body;
use crate::code::{Instr, Reg, Seen};
use crate::languages::gridlang::scope::{Hidden, field};
use crate::languages::gridlang::typed::{AttributeRef, Expr, ExprKind, Only, Part, Place, Role};
use crate::source::Span;

pub(super) enum Spot {
    Register(Reg),
    Global(u32),
    /// A variable that the game no longer has.
    Missing(String),
    Order,
    /// An element of the list in the first register.
    Element(Reg, Reg),
    /// An element of playerOrder, by its number.
    OrderElement(Reg),
    Attribute(Reg, AttributeRef),
    Part(Box<Spot>, Part),
}

impl Body<'_, '_> {
    pub(super) fn spot(&mut self, place: &Place) -> Spot {
        match place {
            Place::Local(slot) => Spot::Register(self.local(*slot)),
            Place::FrameLocal(slot) => Spot::Register(*slot as Reg),
            Place::Global(name) => match self.shared.scope.globals.get(name) {
                Some(&global) => Spot::Global(global),
                None => Spot::Missing(name.to_string()),
            },
            Place::PlayerOrder => Spot::Order,
            Place::Element { array, indices } => self.element(array, indices),
            Place::Attribute { of, attribute } => {
                let piece = self.somebody(of);
                self.has_attribute(piece, attribute, of.span);
                Spot::Attribute(piece, attribute.clone())
            }
            Place::Part { of, part } => Spot::Part(Box::new(self.spot(of)), *part),
        }
    }

    fn element(&mut self, array: &Expr, indices: &[Expr]) -> Spot {
        if matches!(array.kind, ExprKind::Read(Place::PlayerOrder)) {
            let index = indices.first().map_or(0, |i| self.kept(i));
            return Spot::OrderElement(index);
        }
        let mut list = self.kept(array);
        let Some((last, rows)) = indices.split_last() else {
            return Spot::Register(list);
        };
        let indices: Vec<(Reg, Span)> = rows.iter().map(|i| (self.kept(i), i.span)).collect();
        let last = self.kept(last);
        for (index, span) in indices {
            let row = self.b.register();
            self.b.emit(
                Instr::Index {
                    dst: row,
                    list,
                    index,
                },
                span,
            );
            list = row;
        }
        Spot::Element(list, last)
    }

    /// A value in a register that what follows cannot change.
    fn kept(&mut self, e: &Expr) -> Reg {
        let dst = self.b.register();
        self.expr_to(e, dst);
        dst
    }

    /// A piece that is one: a variable for a piece may hold nobody.
    fn somebody(&mut self, of: &Expr) -> Reg {
        let piece = self.expr(of);
        let handled = matches!(self.role, Role::CheckMove | Role::Colocation);
        let certain = match &of.kind {
            ExprKind::Current => true,
            ExprKind::Read(Place::Local(slot)) => handled && *slot < self.parameters,
            _ => false,
        };
        if !certain {
            let count = self.b.register();
            self.b.emit(
                Instr::Length {
                    dst: count,
                    list: piece,
                },
                of.span,
            );
            let there = self.b.jump(
                Instr::UnlessEqualInt {
                    a: count,
                    value: 0,
                    to: 0,
                },
                of.span,
            );
            self.fail_at(
                "this is nobody: no piece was put here yet | assign a player or an item first",
                None,
                of.span,
            );
            self.b.land(there);
        }
        piece
    }

    /// An attribute that only some have: the others fail.
    fn has_attribute(&mut self, piece: Reg, attribute: &AttributeRef, span: Span) {
        let AttributeRef::Own { name, only } = attribute else {
            return;
        };
        let (item, words, who) = match only {
            Only::Always => return,
            Only::PlayerTypes(types) => (field::TYPE, types, "players of type"),
            Only::ItemKinds(kinds) => (field::KIND, kinds, "items of kind"),
        };
        let (found, word) = (self.b.register(), self.b.register());
        self.b.emit(
            Instr::Item {
                dst: found,
                of: piece,
                item,
            },
            span,
        );
        let mut fits = Vec::new();
        for allowed in words {
            self.text_to(word, allowed, span);
            fits.push(self.b.jump(
                Instr::UnlessNotEqual {
                    a: found,
                    b: word,
                    to: 0,
                },
                span,
            ));
        }
        let listed: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
        let message = format!(
            "`{name}` is an attribute of {who} {}, but {{}} is none",
            listed.join(" or ")
        );
        self.fail_at(&message, Some(piece), span);
        self.b.land_all(fits);
    }

    /// What lies in a place.
    pub(super) fn load(&mut self, spot: &Spot, span: Span) -> Reg {
        let dst = self.b.register();
        self.load_to(spot, dst, span);
        dst
    }

    pub(super) fn load_to(&mut self, spot: &Spot, dst: Reg, span: Span) {
        if let Spot::Register(src) = spot {
            self.b.note_before(span, Seen::Register(*src));
        }
        self.fetch_to(spot, dst, span);
        if !matches!(spot, Spot::Register(_)) {
            self.b.note_after(span, Seen::Register(dst));
        }
    }

    /// The same for what is only on the way to a value, and is not to be seen.
    fn fetch(&mut self, spot: &Spot, span: Span) -> Reg {
        let dst = self.b.register();
        self.fetch_to(spot, dst, span);
        dst
    }

    fn fetch_to(&mut self, spot: &Spot, dst: Reg, span: Span) {
        match spot {
            Spot::Register(src) if *src == dst => {}
            Spot::Register(src) => {
                self.b.emit(Instr::Move { dst, src: *src }, span);
            }
            Spot::Global(global) => {
                self.b.emit(
                    Instr::Global {
                        dst,
                        global: *global,
                    },
                    span,
                );
            }
            Spot::Missing(name) => {
                self.fail_at(&format!("`{name}` is not declared any more"), None, span)
            }
            Spot::Order => {
                self.b.emit(
                    Instr::Global {
                        dst,
                        global: Hidden::Order as u32,
                    },
                    span,
                );
            }
            Spot::Element(list, index) => {
                self.b.emit(
                    Instr::Index {
                        dst,
                        list: *list,
                        index: *index,
                    },
                    span,
                );
            }
            Spot::OrderElement(index) => {
                let list = self.fetch(&Spot::Order, span);
                self.b.emit(
                    Instr::Index {
                        dst,
                        list,
                        index: *index,
                    },
                    span,
                );
            }
            Spot::Attribute(of, attribute) => match self.attribute_field(attribute) {
                Some(item) => self.emit_at(Instr::Item { dst, of: *of, item }, span),
                None => self.no_field(attribute, span),
            },
            Spot::Part(of, part) => {
                let whole = self.fetch(of, span);
                self.b.emit(half(*part, dst, whole), span);
            }
        }
    }

    pub(super) fn store(&mut self, spot: &Spot, src: Reg, span: Span) {
        match spot {
            Spot::Register(dst) => self.emit_at(Instr::Move { dst: *dst, src }, span),
            Spot::Global(global) => self.emit_at(
                Instr::SetGlobal {
                    global: *global,
                    src,
                },
                span,
            ),
            Spot::Missing(name) => {
                self.fail_at(&format!("`{name}` is not declared any more"), None, span)
            }
            Spot::Order => {
                self.call_at("@setOrder", &[src], span);
            }
            Spot::Element(list, index) => {
                self.b.emit(
                    Instr::SetIndex {
                        list: *list,
                        index: *index,
                        value: src,
                    },
                    span,
                );
            }
            Spot::OrderElement(index) => {
                let list = self.fetch(&Spot::Order, span);
                let dst = self.b.register();
                self.b.emit(
                    Instr::WithIndex {
                        dst,
                        list,
                        index: *index,
                        value: src,
                    },
                    span,
                );
                self.call_at("@setOrder", &[dst], span);
            }
            Spot::Attribute(of, attribute) => self.set_attribute(*of, attribute, src, span),
            Spot::Part(of, part) => {
                let whole = self.fetch(of, span);
                let (row, col, new) = (self.b.register(), self.b.register(), self.b.register());
                self.b.emit(
                    Instr::RowOf {
                        dst: row,
                        of: whole,
                    },
                    span,
                );
                self.b.emit(
                    Instr::ColumnOf {
                        dst: col,
                        of: whole,
                    },
                    span,
                );
                let (row, col) = if *part == Part::Row {
                    (src, col)
                } else {
                    (row, src)
                };
                self.b.emit(Instr::Coordinate { dst: new, row, col }, span);
                self.store(of, new, span);
            }
        }
    }

    /// What changes more than the attribute itself is done by the rules.
    fn set_attribute(&mut self, of: Reg, attribute: &AttributeRef, src: Reg, span: Span) {
        let rule = match attribute {
            AttributeRef::Position => "@move",
            AttributeRef::Exists => "@exists",
            AttributeRef::Win => "@win",
            AttributeRef::Type => "@type",
            AttributeRef::DisplayString | AttributeRef::Own { .. } => {
                match self.attribute_field(attribute) {
                    Some(item) => self.emit_at(
                        Instr::SetItem {
                            of,
                            item,
                            value: src,
                        },
                        span,
                    ),
                    None => self.no_field(attribute, span),
                }
                return;
            }
        };
        self.call_at(rule, &[of, src], span);
    }

    fn attribute_field(&self, attribute: &AttributeRef) -> Option<u16> {
        Some(match attribute {
            AttributeRef::Position => field::POSITION,
            AttributeRef::DisplayString => field::DISPLAY,
            AttributeRef::Exists => field::EXISTS,
            AttributeRef::Win => field::WIN,
            AttributeRef::Type => field::TYPE,
            AttributeRef::Own { name, .. } => *self.shared.scope.slots.get(name)?,
        })
    }

    fn no_field(&mut self, attribute: &AttributeRef, span: Span) {
        let name = if let AttributeRef::Own { name, .. } = attribute {
            name
        } else {
            ""
        };
        self.fail_at(
            &format!("there is no attribute `{name}` any more"),
            None,
            span,
        );
    }

    /// A variable of the game, by name.
    pub(super) fn own_global(&mut self, name: &str, dst: Reg, span: Span) {
        if let Some(&global) = self.shared.scope.globals.get(name) {
            self.b.emit(Instr::Global { dst, global }, span);
        }
    }

    pub(super) fn set_own_global(&mut self, name: &str, src: Reg, span: Span) {
        if let Some(&global) = self.shared.scope.globals.get(name) {
            self.b.emit(Instr::SetGlobal { global, src }, span);
        }
    }
}

pub(super) fn half(part: Part, dst: Reg, of: Reg) -> Instr {
    match part {
        Part::Row => Instr::RowOf { dst, of },
        Part::Column => Instr::ColumnOf { dst, of },
    }
}
