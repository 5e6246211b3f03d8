//! Lowers targets of reads and assignments: variables, elements, attributes, rows and columns.
//!
//! A target is evaluated once, into a [`LoweredLValue`], and then read and written:
//! `xs[f()].score += 1` calls `f` once.

use super::Lowerer;
use crate::check::hir::{AttributeOwners, AttributeRef, Expr, ExprKind, LValue, RoutineKind};
use crate::code::{Axis, CompareOp, Instr, PendingJump, Reg, ValueLoc};
use crate::lower::scope::{RuleVariable, field};
use crate::source::Span;

/// A target whose operands are in registers.
pub(super) enum LoweredLValue {
    Register(Reg),
    Global(u32),
    /// A variable or attribute that no longer exists, and the message about that.
    Missing(String),
    PlayerOrder,
    /// List and index.
    Element(Reg, Reg),
    /// An index into `playerOrder`.
    PlayerOrderElement(Reg),
    /// A field of a piece.
    Field(Reg, u16),
    Axis(Box<LoweredLValue>, Axis),
}

impl Lowerer<'_, '_> {
    pub(super) fn lower_lvalue(&mut self, lvalue: &LValue) -> LoweredLValue {
        match lvalue {
            LValue::Local(slot) => LoweredLValue::Register(self.local_register(*slot)),
            LValue::FrameLocal(slot) => LoweredLValue::Register(*slot as Reg),
            LValue::Global(name) => match self.context.scope.global_slots.get(name) {
                Some(&global) => LoweredLValue::Global(global),
                None => missing("variable", name),
            },
            LValue::Rule(variable) => LoweredLValue::Global(*variable as u32),
            LValue::PlayerOrder => LoweredLValue::PlayerOrder,
            LValue::Element { array, indices } => self.element(array, indices),
            LValue::Attribute { of, attribute } => {
                let piece = self.checked_piece(of);
                self.attribute(piece, attribute, of.span)
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
            let row = |dst| Instr::Index { dst, list, index };
            list = self.builder.emit_new(row, span);
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
            let count = self.length(piece, of.span);
            let not_null = CompareOp::Equal.jump_unless_small(count, 0);
            let message =
                "no piece here: the value is still `nobody` | assign a player or an item first";
            self.builder.emit_check(not_null, message, None, of.span);
        }
        piece
    }

    /// Emits a jump that is taken if the piece is the null piece, which has no fields.
    pub(super) fn jump_if_null(&mut self, piece: Reg, span: Span) -> PendingJump {
        let count = self.length(piece, span);
        let is_null = CompareOp::NotEqual.jump_unless_small(count, 0);
        self.builder.emit_jump(is_null, span)
    }

    /// The length of a list, or the number of fields of a piece.
    pub(super) fn length(&mut self, list: Reg, span: Span) -> Reg {
        let length = |dst| Instr::Length { dst, list };
        self.builder.emit_new(length, span)
    }

    fn attribute(&mut self, piece: Reg, attribute: &AttributeRef, span: Span) -> LoweredLValue {
        let (name, owners) = match attribute {
            AttributeRef::Field(item) => return LoweredLValue::Field(piece, *item),
            AttributeRef::UserDefined { name, owners } => (name, owners),
        };
        self.check_has_attribute(piece, name, owners, span);
        match self.context.scope.attribute_slots.get(name) {
            Some(&item) => LoweredLValue::Field(piece, item),
            None => missing("attribute", name),
        }
    }

    /// Emits a check that the piece has the attribute, if only some pieces do.
    fn check_has_attribute(
        &mut self,
        piece: Reg,
        name: &str,
        owners: &AttributeOwners,
        span: Span,
    ) {
        let (item, names, owner_text) = match owners {
            AttributeOwners::All => return,
            AttributeOwners::PlayerTypes(types) => (field::TYPE, types, "players of type"),
            AttributeOwners::ItemKinds(kinds) => (field::KIND, kinds, "items of kind"),
        };
        let (found, name_reg) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.builder.emit_item(found, piece, item, span);
        let mut matches = Vec::new();
        for allowed in names {
            self.builder.emit_string(name_reg, allowed, span);
            let is_allowed = CompareOp::NotEqual.jump_unless(found, name_reg);
            matches.push(self.builder.emit_jump(is_allowed, span));
        }
        let listed: Vec<String> = names.iter().map(|n| format!("\"{n}\"")).collect();
        let listed = listed.join(" or ");
        let message = format!("`{name}` belongs to {owner_text} {listed}, but {{}} is not one");
        self.builder.emit_fail(&message, Some(piece), span);
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
        let instr = match *target {
            LoweredLValue::Register(src) => return self.builder.emit_move(dst, src, span),
            LoweredLValue::Global(global) => Instr::GetGlobal { dst, global },
            LoweredLValue::Missing(ref message) => {
                return self.builder.emit_fail(message, None, span);
            }
            LoweredLValue::PlayerOrder => {
                let global = RuleVariable::PlayerOrder as u32;
                Instr::GetGlobal { dst, global }
            }
            LoweredLValue::Element(list, index) => Instr::Index { dst, list, index },
            LoweredLValue::PlayerOrderElement(index) => {
                let list = self.fetch(&LoweredLValue::PlayerOrder, span);
                Instr::Index { dst, list, index }
            }
            LoweredLValue::Field(of, item) => Instr::Item { dst, of, item },
            LoweredLValue::Axis(ref of, axis) => {
                let of = self.fetch(of, span);
                Instr::CoordinatePart { dst, of, axis }
            }
        };
        self.builder.emit(instr, span);
    }

    pub(super) fn store(&mut self, target: &LoweredLValue, src: Reg, span: Span) {
        let value = src;
        let instr = match *target {
            LoweredLValue::Register(dst) => Instr::Move { dst, src },
            LoweredLValue::Global(global) => Instr::SetGlobal { global, src },
            LoweredLValue::Missing(ref message) => {
                return self.builder.emit_fail(message, None, span);
            }
            LoweredLValue::PlayerOrder => {
                self.call_at("@setOrder", &[src], span);
                return;
            }
            LoweredLValue::Element(list, index) => Instr::SetIndex { list, index, value },
            LoweredLValue::PlayerOrderElement(index) => {
                let order = self.fetch(&LoweredLValue::PlayerOrder, span);
                let copy = |dst| Instr::Copy { dst, src: order };
                let list = self.builder.emit_new(copy, span);
                self.builder
                    .emit(Instr::SetIndex { list, index, value }, span);
                self.call_at("@setOrder", &[list], span);
                return;
            }
            LoweredLValue::Field(of, item) => match self.setter(item) {
                Some(rule) => {
                    self.call_at(rule, &[of, src], span);
                    return;
                }
                None => Instr::SetItem { of, item, value },
            },
            LoweredLValue::Axis(ref target, axis) => {
                let of = self.fetch(target, span);
                let part = |axis| move |dst| Instr::CoordinatePart { dst, of, axis };
                let row = self.builder.emit_new(part(Axis::Row), span);
                let col = self.builder.emit_new(part(Axis::Column), span);
                let (row, col) = match axis {
                    Axis::Row => (src, col),
                    Axis::Column => (row, src),
                };
                let changed = |dst| Instr::Coordinate { dst, row, col };
                let changed = self.builder.emit_new(changed, span);
                return self.store(target, changed, span);
            }
        };
        self.builder.emit(instr, span);
    }

    /// The function of the rules that sets a built-in attribute with side effects.
    fn setter(&self, item: u16) -> Option<&'static str> {
        match item {
            _ if self.kind == RoutineKind::Rules => None,
            field::POSITION => Some("@move"),
            field::EXISTS => Some("@setExists"),
            field::WIN => Some("@setWin"),
            field::TYPE => Some("@setType"),
            _ => None,
        }
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

fn missing(what: &str, name: &str) -> LoweredLValue {
    LoweredLValue::Missing(format!("the {what} `{name}` no longer exists"))
}
