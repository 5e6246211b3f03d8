//! Lowers targets of reads and assignments: variables, elements, attributes, rows and columns.
//!
//! A target is evaluated once, into a [`LoweredLValue`], and then read and written:
//! `xs[f()].score += 1` calls `f` once.

use super::Lowerer;
use crate::code::{Axis, CompareOp, Instr, Reg, ValueLoc};
use crate::languages::gridlang::check::hir::{
    AttributeOwners, AttributeRef, Expr, ExprKind, LValue, RoutineKind,
};
use crate::languages::gridlang::lower::scope::{RuleVariable, field};
use crate::source::Span;

/// A target whose operands are in registers.
pub(super) enum LoweredLValue {
    Register(Reg),
    Global(u32),
    /// A variable that no longer exists.
    Missing(String),
    PlayerOrder,
    /// List and index.
    Element(Reg, Reg),
    /// An index into `playerOrder`.
    PlayerOrderElement(Reg),
    Attribute(Reg, AttributeRef),
    Axis(Box<LoweredLValue>, Axis),
}

impl Lowerer<'_, '_> {
    pub(super) fn lower_lvalue(&mut self, lvalue: &LValue) -> LoweredLValue {
        match lvalue {
            LValue::Local(slot) => LoweredLValue::Register(self.local_register(*slot)),
            LValue::FrameLocal(slot) => LoweredLValue::Register(*slot as Reg),
            LValue::Global(name) => match self.context.scope.global_slots.get(name) {
                Some(&global) => LoweredLValue::Global(global),
                None => LoweredLValue::Missing(name.to_string()),
            },
            LValue::Rule(variable) => LoweredLValue::Global(*variable as u32),
            LValue::PlayerOrder => LoweredLValue::PlayerOrder,
            LValue::Element { array, indices } => self.element(array, indices),
            LValue::Attribute { of, attribute } => {
                let piece = self.checked_piece(of);
                self.check_has_attribute(piece, attribute, of.span);
                LoweredLValue::Attribute(piece, attribute.clone())
            }
            LValue::Axis { of, axis } => {
                LoweredLValue::Axis(Box::new(self.lower_lvalue(of)), *axis)
            }
        }
    }

    fn element(&mut self, array: &Expr, indices: &[Expr]) -> LoweredLValue {
        if matches!(array.kind, ExprKind::Read(LValue::PlayerOrder)) {
            let index = indices.first().map_or(0, |i| self.lower_to_new_register(i));
            return LoweredLValue::PlayerOrderElement(index);
        }
        let mut list = self.lower_to_new_register(array);
        let Some((last, rows)) = indices.split_last() else {
            return LoweredLValue::Register(list);
        };
        let indices: Vec<(Reg, Span)> = rows
            .iter()
            .map(|i| (self.lower_to_new_register(i), i.span))
            .collect();
        let last = self.lower_to_new_register(last);
        for (index, span) in indices {
            let row = self.builder.alloc_register();
            self.builder.emit(
                Instr::Index {
                    dst: row,
                    list,
                    index,
                },
                span,
            );
            list = row;
        }
        LoweredLValue::Element(list, last)
    }

    /// Evaluates into a new register, even for a local, so that later assignments do not change it.
    fn lower_to_new_register(&mut self, e: &Expr) -> Reg {
        let dst = self.builder.alloc_register();
        self.lower_expr_to(e, dst);
        dst
    }

    /// Evaluates a piece and fails if it is the null piece.
    fn checked_piece(&mut self, of: &Expr) -> Reg {
        let piece = self.lower_expr(of);
        let in_handler = matches!(self.kind, RoutineKind::CheckMove | RoutineKind::Colocation);
        let is_never_null = match &of.kind {
            ExprKind::CurrentPlayer => true,
            ExprKind::Read(LValue::Local(slot)) if in_handler => *slot < self.parameter_count,
            _ => self.kind == RoutineKind::Rules,
        };
        if !is_never_null {
            let count = self.builder.alloc_register();
            self.builder.emit(
                Instr::Length {
                    dst: count,
                    list: piece,
                },
                of.span,
            );
            let not_null = self
                .builder
                .emit_jump(CompareOp::Equal.jump_unless_small(count, 0), of.span);
            self.fail_at(
                "no piece here: the value is still `nobody` | assign a player or an item first",
                None,
                of.span,
            );
            self.builder.patch_here(not_null);
        }
        piece
    }

    /// Emits a check that the piece has the attribute, if only some pieces do.
    fn check_has_attribute(&mut self, piece: Reg, attribute: &AttributeRef, span: Span) {
        let AttributeRef::UserDefined { name, owners } = attribute else {
            return;
        };
        let (item, names, owner_text) = match owners {
            AttributeOwners::All => return,
            AttributeOwners::PlayerTypes(types) => (field::TYPE, types, "players of type"),
            AttributeOwners::ItemKinds(kinds) => (field::KIND, kinds, "items of kind"),
        };
        let (found, name_reg) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.builder.emit_item(found, piece, item, span);
        let mut matches = Vec::new();
        for allowed in names {
            self.text_to(name_reg, allowed, span);
            matches.push(
                self.builder
                    .emit_jump(CompareOp::NotEqual.jump_unless(found, name_reg), span),
            );
        }
        let listed: Vec<String> = names.iter().map(|n| format!("\"{n}\"")).collect();
        let message = format!(
            "`{name}` belongs to {owner_text} {}, but {{}} is not one",
            listed.join(" or ")
        );
        self.fail_at(&message, Some(piece), span);
        self.builder.patch_all_here(matches);
    }

    /// Loads the value and records it for the debugger.
    pub(super) fn load(&mut self, target: &LoweredLValue, span: Span) -> Reg {
        let dst = self.builder.alloc_register();
        self.load_to(target, dst, span);
        dst
    }

    pub(super) fn load_to(&mut self, target: &LoweredLValue, dst: Reg, span: Span) {
        if let LoweredLValue::Register(src) = target {
            self.builder
                .record_value_before(span, ValueLoc::Register(*src));
        }
        self.fetch_to(target, dst, span);
        if !matches!(target, LoweredLValue::Register(_)) {
            self.builder
                .record_value_after(span, ValueLoc::Register(dst));
        }
    }

    /// Loads an intermediate value without recording it.
    fn fetch(&mut self, target: &LoweredLValue, span: Span) -> Reg {
        let dst = self.builder.alloc_register();
        self.fetch_to(target, dst, span);
        dst
    }

    fn fetch_to(&mut self, target: &LoweredLValue, dst: Reg, span: Span) {
        match target {
            LoweredLValue::Register(src) if *src == dst => {}
            LoweredLValue::Register(src) => {
                self.builder.emit(Instr::Move { dst, src: *src }, span);
            }
            LoweredLValue::Global(global) => {
                self.builder.emit_get_global(dst, *global, span);
            }
            LoweredLValue::Missing(name) => self.fail_at(
                &format!("the variable `{name}` no longer exists"),
                None,
                span,
            ),
            LoweredLValue::PlayerOrder => {
                self.builder
                    .emit_get_global(dst, RuleVariable::PlayerOrder as u32, span);
            }
            LoweredLValue::Element(list, index) => {
                self.builder.emit(
                    Instr::Index {
                        dst,
                        list: *list,
                        index: *index,
                    },
                    span,
                );
            }
            LoweredLValue::PlayerOrderElement(index) => {
                let list = self.fetch(&LoweredLValue::PlayerOrder, span);
                self.builder.emit(
                    Instr::Index {
                        dst,
                        list,
                        index: *index,
                    },
                    span,
                );
            }
            LoweredLValue::Attribute(of, attribute) => match self.attribute_field(attribute) {
                Some(item) => {
                    self.builder.emit(Instr::Item { dst, of: *of, item }, span);
                }
                None => self.fail_missing_attribute(attribute, span),
            },
            LoweredLValue::Axis(of, axis) => {
                let coord = self.fetch(of, span);
                let (of, axis) = (coord, *axis);
                self.builder
                    .emit(Instr::CoordinatePart { dst, of, axis }, span);
            }
        }
    }

    pub(super) fn store(&mut self, target: &LoweredLValue, src: Reg, span: Span) {
        match target {
            LoweredLValue::Register(dst) => {
                self.builder.emit(Instr::Move { dst: *dst, src }, span);
            }
            LoweredLValue::Global(global) => {
                let global = *global;
                self.builder.emit_set_global(global, src, span);
            }
            LoweredLValue::Missing(name) => self.fail_at(
                &format!("the variable `{name}` no longer exists"),
                None,
                span,
            ),
            LoweredLValue::PlayerOrder => {
                self.call_at("@setOrder", &[src], span);
            }
            LoweredLValue::Element(list, index) => {
                self.builder.emit(
                    Instr::SetIndex {
                        list: *list,
                        index: *index,
                        value: src,
                    },
                    span,
                );
            }
            LoweredLValue::PlayerOrderElement(index) => {
                let list = self.fetch(&LoweredLValue::PlayerOrder, span);
                let dst = self.builder.alloc_register();
                self.builder.emit(Instr::Copy { dst, src: list }, span);
                let (list, index, value) = (dst, *index, src);
                self.builder
                    .emit(Instr::SetIndex { list, index, value }, span);
                self.call_at("@setOrder", &[dst], span);
            }
            LoweredLValue::Attribute(of, attribute) => {
                self.set_attribute(*of, attribute, src, span)
            }
            LoweredLValue::Axis(of, axis) => {
                let coord = self.fetch(of, span);
                let (row, col, new) = (
                    self.builder.alloc_register(),
                    self.builder.alloc_register(),
                    self.builder.alloc_register(),
                );
                for (dst, axis) in [(row, Axis::Row), (col, Axis::Column)] {
                    let of = coord;
                    self.builder
                        .emit(Instr::CoordinatePart { dst, of, axis }, span);
                }
                let (row, col) = if *axis == Axis::Row {
                    (src, col)
                } else {
                    (row, src)
                };
                self.builder
                    .emit(Instr::Coordinate { dst: new, row, col }, span);
                self.store(of, new, span);
            }
        }
    }

    /// Built-in attributes with side effects are set by the rules.
    fn set_attribute(&mut self, of: Reg, attribute: &AttributeRef, src: Reg, span: Span) {
        let rule = match attribute {
            _ if self.kind == RoutineKind::Rules => None,
            AttributeRef::Position => Some("@move"),
            AttributeRef::Exists => Some("@setExists"),
            AttributeRef::Win => Some("@setWin"),
            AttributeRef::Type => Some("@setType"),
            _ => None,
        };
        if let Some(rule) = rule {
            self.call_at(rule, &[of, src], span);
        } else if let Some(item) = self.attribute_field(attribute) {
            let value = src;
            self.builder.emit(Instr::SetItem { of, item, value }, span);
        } else {
            self.fail_missing_attribute(attribute, span);
        }
    }

    fn attribute_field(&self, attribute: &AttributeRef) -> Option<u16> {
        Some(match attribute {
            AttributeRef::Position => field::POSITION,
            AttributeRef::DisplayString => field::DISPLAY_STRING,
            AttributeRef::Exists => field::EXISTS,
            AttributeRef::Win => field::WIN,
            AttributeRef::Type => field::TYPE,
            AttributeRef::Hidden(item) => *item,
            AttributeRef::UserDefined { name, .. } => {
                *self.context.scope.attribute_slots.get(name)?
            }
        })
    }

    fn fail_missing_attribute(&mut self, attribute: &AttributeRef, span: Span) {
        let name = if let AttributeRef::UserDefined { name, .. } = attribute {
            name
        } else {
            ""
        };
        self.fail_at(
            &format!("the attribute `{name}` no longer exists"),
            None,
            span,
        );
    }

    /// Loads a user-defined global.
    pub(super) fn load_global(&mut self, name: &str, dst: Reg, span: Span) {
        if let Some(&global) = self.context.scope.global_slots.get(name) {
            self.builder.emit_get_global(dst, global, span);
        }
    }

    pub(super) fn store_global(&mut self, name: &str, src: Reg, span: Span) {
        if let Some(&global) = self.context.scope.global_slots.get(name) {
            self.builder.emit_set_global(global, src, span);
        }
    }
}
