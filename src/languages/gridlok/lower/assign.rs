//! What braces after a name do: giving variables and elements a value.

use super::expr::bare;
use super::{Body, Place};
use crate::code::{Instr, Reg, Seen};
use crate::languages::gridlok::ast::{Content, Expr, ExprKind, Given, Name};
use crate::languages::gridlok::scope::{Known, RULE_VARIABLES, rule_variable};
use crate::languages::gridlok::typing::{self, Type};
use crate::source::Span;

impl Body<'_, '_> {
    /// `name{…}`: by what the name is.
    pub(super) fn braces(&mut self, name: &Name, content: &Content, span: Span) {
        let word = name.text.as_str();
        if self.place == Place::Setup && self.find(word).is_none() && self.is_player(word) {
            return self.player_block(word, content, span);
        }
        match content {
            Content::Arguments(arguments)
                if self.find(word).is_none() && !self.is_variable(word) =>
            {
                if !self.builtin(word, arguments, span) {
                    self.invoke(name, arguments, span);
                }
            }
            Content::Arguments(arguments) => match arguments.as_slice() {
                [value] => self.assign(word, value, span),
                _ => self.fail(&format!("`{word}` takes one value"), span),
            },
            Content::List(items, at) => self.replace(word, items, *at, span),
            Content::Block(_) => self.fail(&format!("`{word}` is not a player"), name.span),
        }
    }

    pub(super) fn is_player(&self, word: &str) -> bool {
        self.shared.scope.has_player(word)
            && !self.is_variable(word)
            && self.shared.scope.function(word).is_none()
    }

    pub(super) fn is_variable(&self, word: &str) -> bool {
        rule_variable(word).is_some() || self.shared.scope.variables.contains_key(word)
    }

    /// One value: a list gets it appended, any other variable becomes it.
    pub(super) fn assign(&mut self, word: &str, value: &Expr, span: Span) {
        match self.find(word) {
            Some(seen) => {
                let (dst, kind) = (seen.register, seen.kind);
                self.assign_local(dst, kind, value, span);
            }
            None => self.assign_global(word, value, span),
        }
    }

    pub(super) fn assign_local(&mut self, dst: Reg, kind: Known, value: &Expr, span: Span) {
        // What is certainly of the variable's own type may be computed in its place.
        let simple = matches!(kind, Some(Type::Int) | Some(Type::Bool) | Some(Type::Text));
        if simple && self.type_of(value) == kind && self.may_write(value, dst) {
            self.expr_to(value, dst);
            self.b.note_before(span, Seen::Write(dst));
            return;
        }
        let src = self.b.register();
        let got = self.copy_to(value, src);
        let instr = match kind {
            _ if simple && got == kind => Instr::Move { dst, src },
            Some(Type::List) | None => Instr::Give { dst, src },
            _ => Instr::Assign { dst, src },
        };
        self.b.note_before(span, Seen::Write(src));
        self.b.emit(instr, span);
    }

    pub(super) fn assign_global(&mut self, word: &str, value: &Expr, span: Span) {
        let src = self.b.register();
        let got = self.copy_to(value, src);
        self.b.note_before(span, Seen::Write(src));
        let (global, kind) = match (rule_variable(word), self.shared.scope.variables.get(word)) {
            (Some(global), _) => (global, RULE_VARIABLES[global as usize].1),
            (None, Some(variable)) => (variable.global, variable.kind),
            (None, None) => return self.fail(&format!("`{word}` is not defined"), span),
        };
        let instr = match kind {
            _ if self.in_rules() && word.starts_with('@') => Instr::SetGlobal { global, src },
            _ if kind == got
                && matches!(kind, Some(Type::Int) | Some(Type::Bool) | Some(Type::Text)) =>
            {
                Instr::SetGlobal { global, src }
            }
            Some(Type::List) | None => Instr::GiveGlobal { global, src },
            _ => Instr::AssignGlobal { global, src },
        };
        self.b.emit(instr, span);
    }

    /// A whole list in the place of the one that a variable holds.
    pub(super) fn replace(&mut self, word: &str, items: &[Expr], at: Span, span: Span) {
        let src = self.b.register();
        self.list_to(items, src, at);
        self.b.note_before(span, Seen::Write(src));
        if let Some(seen) = self.find(word) {
            let dst = seen.register;
            self.b.emit(Instr::Assign { dst, src }, span);
            return;
        }
        let global =
            rule_variable(word).or_else(|| self.shared.scope.variables.get(word).map(|v| v.global));
        match global {
            Some(global) => {
                self.b.emit(Instr::AssignGlobal { global, src }, span);
            }
            None => self.fail(&format!("`{word}` is not a list"), span),
        }
    }

    /// What is certain of an expression's type, without lowering it. Only the body's own variables count: a
    /// variable of the whole program may be defined anew with another type.
    pub(super) fn type_of(&self, e: &Expr) -> Known {
        typing::of(e, &|name| self.find(name).and_then(|s| s.kind))
    }

    /// Whether an expression may be computed in the register of a variable: AND and OR write there before
    /// they read their right side.
    pub(super) fn may_write(&self, e: &Expr, dst: Reg) -> bool {
        use crate::languages::gridlok::ast::Binary;
        match &bare(e).kind {
            ExprKind::Binary(Binary::And | Binary::Or, a, b, _) => {
                (self.is_register(a, dst) || self.may_write(a, dst)) && !self.reads(b, dst)
            }
            _ => true,
        }
    }

    pub(super) fn is_register(&self, e: &Expr, dst: Reg) -> bool {
        matches!(&bare(e).kind, ExprKind::Name(n) if self.find(n).is_some_and(|s| s.register == dst))
    }

    pub(super) fn reads(&self, e: &Expr, dst: Reg) -> bool {
        match &e.kind {
            ExprKind::Name(_) => self.is_register(e, dst),
            ExprKind::Call(_, arguments) => arguments.iter().any(|a| self.reads(a, dst)),
            ExprKind::Cell(a, b) | ExprKind::Index(a, b) | ExprKind::Binary(_, a, b, _) => {
                self.reads(a, dst) || self.reads(b, dst)
            }
            ExprKind::Field(a, _) | ExprKind::Unary(_, a, _) | ExprKind::Paren(a) => {
                self.reads(a, dst)
            }
            ExprKind::Int(_) | ExprKind::Text(_) | ExprKind::Bool(_) | ExprKind::Empty => false,
        }
    }

    pub(super) fn set_element(&mut self, list: &Expr, index: &Expr, value: &Given, span: Span) {
        let (l, _) = self.expr(list);
        let (index, _) = self.expr(index);
        let src = self.b.register();
        self.given_to(value, src);
        match &bare(list).kind {
            ExprKind::Index(outer, at) => {
                let inner = self.b.register();
                self.b.emit(
                    Instr::WithIndex {
                        dst: inner,
                        list: l,
                        index,
                        value: src,
                    },
                    span,
                );
                self.put_back(outer, at, inner, span);
            }
            _ => {
                self.b.emit(
                    Instr::SetIndex {
                        list: l,
                        index,
                        value: src,
                    },
                    span,
                );
            }
        }
    }

    pub(super) fn remove_element(&mut self, list: &Expr, index: &Expr, span: Span) {
        let (l, _) = self.expr(list);
        let (index, _) = self.expr(index);
        match &bare(list).kind {
            ExprKind::Index(outer, at) => {
                let inner = self.b.register();
                self.b.emit(
                    Instr::WithoutIndex {
                        dst: inner,
                        list: l,
                        index,
                    },
                    span,
                );
                self.put_back(outer, at, inner, span);
            }
            _ => {
                self.b.emit(Instr::RemoveIndex { list: l, index }, span);
            }
        }
    }

    /// A list inside a list is never changed, only replaced: from the inside out.
    pub(super) fn put_back(&mut self, list: &Expr, index: &Expr, value: Reg, span: Span) {
        let (l, _) = self.expr(list);
        let (i, _) = self.expr(index);
        match &bare(list).kind {
            ExprKind::Index(outer, at) => {
                let inner = self.b.register();
                self.b.emit(
                    Instr::WithIndex {
                        dst: inner,
                        list: l,
                        index: i,
                        value,
                    },
                    span,
                );
                self.put_back(outer, at, inner, span);
            }
            _ => {
                self.b.emit(
                    Instr::SetIndex {
                        list: l,
                        index: i,
                        value,
                    },
                    span,
                );
            }
        }
    }
}
