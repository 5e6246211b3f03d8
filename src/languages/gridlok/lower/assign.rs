//! Lowers changes of variables and lists: assignment, append, replacement, removal.

use super::Lowerer;
use crate::ast::{Binary, Expr, ExprKind, Initializer};
use crate::check::typing::{self, Type};
use crate::code::{Emit, Instr, Reg, ValueLoc};
use crate::lower::scope::{RULE_VARIABLES, StaticType, rule_variable};
use crate::source::Span;

impl Lowerer<'_, '_> {
    pub(super) fn is_variable(&self, word: &str) -> bool {
        rule_variable(word).is_some() || self.context.scope.variables.contains_key(word)
    }

    /// Lowers `name{value}`: appends to a list, assigns to any other variable.
    pub(super) fn assign(&mut self, word: &str, value: &Expr, span: Span) {
        match self.find_local(word) {
            Some(local) => {
                let (dst, ty) = (local.register, local.ty);
                self.assign_local(dst, ty, value, span);
            }
            None => self.assign_global(word, value, span),
        }
    }

    pub(super) fn assign_local(&mut self, dst: Reg, ty: StaticType, value: &Expr, span: Span) {
        // If the types are known to match, compute the value directly in the variable's register.
        let is_scalar = matches!(ty, Some(Type::Int) | Some(Type::Bool) | Some(Type::Text));
        if is_scalar && self.type_of(value) == ty && self.can_compute_in_place(value, dst) {
            self.expr_to(value, dst);
            self.builder.record_value_before(span, ValueLoc::Write(dst));
            return;
        }
        let src = self.builder.alloc_register();
        let value_ty = self.copy_to(value, src);
        let instr = match ty {
            _ if is_scalar && value_ty == ty => Instr::Move { dst, src },
            _ => {
                let appends = matches!(ty, Some(Type::List) | None);
                Instr::Assign { dst, src, appends }
            }
        };
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.builder.emit(instr, span);
    }

    pub(super) fn assign_global(&mut self, word: &str, value: &Expr, span: Span) {
        let src = self.builder.alloc_register();
        let value_ty = self.copy_to(value, src);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        let (global, ty) = match (rule_variable(word), self.context.scope.variables.get(word)) {
            (Some(global), _) => (global, RULE_VARIABLES[global as usize].1),
            (None, Some(variable)) => (variable.global, variable.ty),
            (None, None) => return self.emit_fail(&format!("unknown name `{word}`"), span),
        };
        let instr = match ty {
            _ if self.in_rules() && word.starts_with('@') => Instr::SetGlobal { global, src },
            _ if ty == value_ty
                && matches!(ty, Some(Type::Int) | Some(Type::Bool) | Some(Type::Text)) =>
            {
                Instr::SetGlobal { global, src }
            }
            _ => {
                let appends = matches!(ty, Some(Type::List) | None);
                Instr::AssignGlobal {
                    global,
                    src,
                    appends,
                }
            }
        };
        self.builder.emit(instr, span);
    }

    /// Lowers `name{…,}`: replaces the list in a variable.
    pub(super) fn replace_list(&mut self, word: &str, items: &[Expr], at: Span, span: Span) {
        let src = self.builder.alloc_register();
        self.list_to(items, src, at);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        let appends = false;
        if let Some(local) = self.find_local(word) {
            let dst = local.register;
            self.builder.emit(Instr::Assign { dst, src, appends }, span);
            return;
        }
        let global = rule_variable(word)
            .or_else(|| self.context.scope.variables.get(word).map(|v| v.global));
        match global {
            Some(global) => {
                let instr = Instr::AssignGlobal {
                    global,
                    src,
                    appends,
                };
                self.builder.emit(instr, span);
            }
            None => self.emit_fail(&format!("`{word}` is not a list"), span),
        }
    }

    /// The static type of an expression. The types of global variables are not used, because a
    /// redefinition may change them.
    pub(super) fn type_of(&self, e: &Expr) -> StaticType {
        typing::type_of_expr(e, &|name| self.find_local(name).and_then(|local| local.ty))
    }

    /// True if the value of `e` can be computed in `dst` although `e` may read `dst`. AND and OR
    /// write to `dst` before they evaluate their right operand.
    pub(super) fn can_compute_in_place(&self, e: &Expr, dst: Reg) -> bool {
        match &e.unparenthesized().kind {
            ExprKind::Binary(Binary::And | Binary::Or, a, b, _) => {
                (self.is_register(a, dst) || self.can_compute_in_place(a, dst))
                    && !self.reads_register(b, dst)
            }
            _ => true,
        }
    }

    pub(super) fn is_register(&self, e: &Expr, dst: Reg) -> bool {
        let local = match &e.unparenthesized().kind {
            ExprKind::Name(name) => self.find_local(name),
            _ => None,
        };
        local.is_some_and(|local| local.register == dst)
    }

    pub(super) fn reads_register(&self, e: &Expr, dst: Reg) -> bool {
        match &e.kind {
            ExprKind::Name(_) => self.is_register(e, dst),
            ExprKind::Call(_, arguments) => arguments.iter().any(|a| self.reads_register(a, dst)),
            ExprKind::Cell(a, b) | ExprKind::Index(a, b, _) | ExprKind::Binary(_, a, b, _) => {
                self.reads_register(a, dst) || self.reads_register(b, dst)
            }
            ExprKind::Field(a, _) | ExprKind::Unary(_, a, _) | ExprKind::Paren(a) => {
                self.reads_register(a, dst)
            }
            ExprKind::Int(_) | ExprKind::Text(_) | ExprKind::Bool(_) | ExprKind::Empty => false,
        }
    }

    pub(super) fn set_element(
        &mut self,
        list: &Expr,
        index: &Expr,
        value: &Initializer,
        span: Span,
    ) {
        let (register, index) = (self.emit_expr(list), self.emit_expr(index));
        let src = self.builder.alloc_register();
        self.initializer_to(value, src);
        let set = |list| Instr::SetIndex {
            list,
            index,
            value: src,
        };
        self.change_list(list, register, set, span);
    }

    pub(super) fn remove_element(&mut self, list: &Expr, index: &Expr, span: Span) {
        let (register, index) = (self.emit_expr(list), self.emit_expr(index));
        let remove = |list| Instr::RemoveIndex { list, index };
        self.change_list(list, register, remove, span);
    }

    /// Changes the list in a register. Lists inside lists are immutable: a changed copy replaces the
    /// inner list, and so on for each enclosing list, from the inside out.
    pub(super) fn change_list(
        &mut self,
        list: &Expr,
        register: Reg,
        change: impl FnOnce(Reg) -> Instr,
        span: Span,
    ) {
        let ExprKind::Index(outer, at, _) = &list.unparenthesized().kind else {
            self.builder.emit(change(register), span);
            return;
        };
        let value = self.builder.alloc_register();
        let copy = Instr::Copy {
            dst: value,
            src: register,
        };
        self.builder.emit(copy, span);
        self.builder.emit(change(value), span);
        self.store_nested(outer, at, value, span);
    }

    /// Stores a changed inner list.
    pub(super) fn store_nested(&mut self, list: &Expr, index: &Expr, value: Reg, span: Span) {
        let (register, index) = (self.emit_expr(list), self.emit_expr(index));
        let set: &dyn Fn(Reg) -> Instr = &|list| Instr::SetIndex { list, index, value };
        self.change_list(list, register, set, span);
    }
}
