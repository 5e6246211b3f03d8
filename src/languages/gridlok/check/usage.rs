//! Tracks which definitions a file uses, to warn about unused ones.

use std::collections::BTreeSet;

use super::Checker;
use crate::code::CompareOp;
use crate::diagnostic::closest_match;
use crate::languages::gridlok::ast::{Binary, Expr, ExprKind, Item, ItemKind};
use crate::languages::gridlok::check::errors;
use crate::source::Span;

/// What the bodies checked so far have used.
#[derive(Default)]
pub struct Usage {
    /// Variables read and functions called.
    read: BTreeSet<String>,
    /// The function whose body is being checked. A recursive call does not count as a use.
    pub current_function: Option<String>,
    /// Names of pieces passed to `place` or `changeType`.
    placed: BTreeSet<String>,
    /// Some `place` or `changeType` has a computed name, so any piece may be used.
    has_computed_name: bool,
    /// Globals whose definition is further down in the file.
    pub defined_later: BTreeSet<String>,
}

impl Usage {
    pub fn mark_read(&mut self, name: &str) {
        if self.current_function.as_deref() != Some(name) {
            self.read.insert(name.to_string());
        }
    }

    pub fn is_defined_later(&self, name: &str) -> bool {
        self.defined_later.contains(name)
    }
}

impl Checker<'_> {
    /// Checks the name passed to `place` or `changeType`.
    pub fn piece_name_argument(&mut self, name: &Expr) {
        let Some(text) = string_literal(name) else {
            self.usage.has_computed_name = true;
            return;
        };
        self.usage.placed.insert(text.to_string());
        if !self.env.pieces.contains(text) {
            let message = format!(
                "unknown piece \"{text}\"{}",
                suggest_string(text, self.env.pieces.iter())
            );
            self.warn(
                errors::UNKNOWN_PIECE,
                name.span,
                message,
                "this fails at run time",
            );
        }
    }

    pub fn player_name_argument(&mut self, name: &Expr) {
        if let Some(text) = string_literal(name)
            .filter(|text| !self.env.players.iter().any(|player| player == text))
        {
            let message = format!(
                "unknown player \"{text}\"{}",
                suggest_string(text, self.env.players.iter())
            );
            self.warn(
                errors::UNKNOWN_PLAYER,
                name.span,
                message,
                "this fails at run time",
            );
        }
    }

    /// Warns about comparing the name of a piece, or a player, with a string that no piece or
    /// player has.
    pub fn name_comparison(&mut self, op: Binary, left: &Expr, right: &Expr) {
        if !matches!(op, Binary::Compare(op) if op.is_equality()) || self.at_prompt {
            return;
        }
        for (compared, other) in [(left, right), (right, left)] {
            let Some(text) = string_literal(other).filter(|text| !text.is_empty()) else {
                continue;
            };
            let (what, is_unknown) = match &strip_parens(compared).kind {
                ExprKind::Field(_, field) if field.text == "name" => {
                    ("piece", !self.env.pieces.contains(text))
                }
                ExprKind::Field(_, field) if field.text == "owner" => {
                    ("player", !self.has_player(text))
                }
                ExprKind::Name(name) if name == "turn" => ("player", !self.has_player(text)),
                _ => continue,
            };
            if is_unknown {
                self.impossible_comparison(what, text, other.span, op);
            }
        }
    }

    fn has_player(&self, name: &str) -> bool {
        self.env.players.iter().any(|player| player == name)
    }

    fn impossible_comparison(&mut self, what: &str, text: &str, span: Span, op: Binary) {
        let suggestion = if what == "piece" {
            suggest_string(text, self.env.pieces.iter())
        } else {
            suggest_string(text, self.env.players.iter())
        };
        let frequency = if op == Binary::Compare(CompareOp::Equal) {
            "never"
        } else {
            "always"
        };
        let note = format!("this comparison is {frequency} true");
        self.warn(
            errors::IMPOSSIBLE_COMPARISON,
            span,
            format!("unknown {what} \"{text}\"{suggestion}"),
            &note,
        );
    }

    /// Warns about unused definitions. Assigning to a variable does not count as a use.
    pub fn warn_unused(&mut self, items: &[Item]) {
        for item in items {
            match &item.kind {
                ItemKind::Def(def) if !self.usage.read.contains(&def.name.text) => {
                    let message = format!("unused variable `{}`", def.name.text);
                    self.warn(
                        errors::UNUSED,
                        def.name.span,
                        message,
                        "its value is never read; use it or remove the `def`",
                    );
                }
                ItemKind::Function(function) if !self.usage.read.contains(&function.name.text) => {
                    let message = format!("unused function `{}`", function.name.text);
                    self.warn(
                        errors::UNUSED,
                        function.name.span,
                        message,
                        "it is never called; call it or remove it",
                    );
                }
                ItemKind::Piece(piece) => {
                    let name = piece
                        .name
                        .iter()
                        .find(|name| !self.usage.placed.contains(&name.text));
                    if let Some(name) = name.filter(|_| !self.usage.has_computed_name) {
                        let message = format!("unused piece \"{}\"", name.text);
                        self.warn(
                            errors::UNUSED_PIECE,
                            name.span,
                            message,
                            "it never appears on the board: no `place` or `changeType` names it",
                        );
                    }
                }
                _ => {}
            }
        }
    }
}

fn strip_parens(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Paren(inner) => strip_parens(inner),
        _ => expr,
    }
}

fn string_literal(expr: &Expr) -> Option<&str> {
    match &strip_parens(expr).kind {
        ExprKind::Text(text) => Some(text),
        _ => None,
    }
}

/// `; did you mean "…"?` for pieces and players, whose names are strings; empty if nothing is
/// similar.
pub fn suggest_string<'n>(text: &str, names: impl Iterator<Item = &'n String>) -> String {
    closest_match(text, names.map(String::as_str))
        .map(|n| format!("; did you mean \"{n}\"?"))
        .unwrap_or_default()
}
