//! Warnings about unused definitions, and about strings that name no piece or player.

use std::sync::Arc;

use super::Checker;
use crate::ast::{Binary, Expr, ExprKind, Item, ItemKind, Name};
use crate::check::errors;
use crate::code::CompareOp;
use crate::diagnostic::closest_match;

/// The note of warnings about code that is certain to fail.
pub const FAILS_AT_RUN_TIME: &str = "this fails at run time";

impl Checker<'_> {
    /// Checks the name passed to `place` or `changeType`.
    pub fn piece_name_argument(&mut self, name: &Expr) {
        let Some(text) = string_literal(name) else {
            self.scope.usage.has_computed_name = true;
            return;
        };
        self.scope.usage.mark_placed(text);
        if !self.scope.env.pieces.contains(text) {
            let suggestion = suggest_string(text, &self.scope.env.pieces);
            let message = format!("unknown piece \"{text}\"{suggestion}");
            self.warn(errors::UNKNOWN_PIECE, name.span, message, FAILS_AT_RUN_TIME);
        }
    }

    pub fn player_name_argument(&mut self, name: &Expr) {
        if let Some(text) = string_literal(name).filter(|text| !self.scope.env.is_player(text)) {
            let suggestion = suggest_string(text, &self.scope.env.players);
            let message = format!("unknown player \"{text}\"{suggestion}");
            self.warn(
                errors::UNKNOWN_PLAYER,
                name.span,
                message,
                FAILS_AT_RUN_TIME,
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
            let compares_piece = match &compared.unparenthesized().kind {
                ExprKind::Field(_, field) if &*field.text == "name" => true,
                ExprKind::Field(_, field) if &*field.text == "owner" => false,
                ExprKind::Name(name) if &**name == "turn" => false,
                _ => continue,
            };
            let (what, is_known, suggestion) = match compares_piece {
                true => {
                    let pieces = &self.scope.env.pieces;
                    ("piece", pieces.contains(text), suggest_string(text, pieces))
                }
                false => {
                    let suggestion = suggest_string(text, &self.scope.env.players);
                    ("player", self.scope.env.is_player(text), suggestion)
                }
            };
            if !is_known {
                let message = format!("unknown {what} \"{text}\"{suggestion}");
                let note = match op == Binary::Compare(CompareOp::Equal) {
                    true => "this comparison is never true",
                    false => "this comparison is always true",
                };
                self.warn(errors::IMPOSSIBLE_COMPARISON, other.span, message, note);
            }
        }
    }

    /// Warns about unused definitions. Assigning to a variable does not count as a use.
    pub fn warn_unused(&mut self, items: &[Item]) {
        for item in items {
            let is_read = |name: &&Name| self.scope.usage.is_read(&name.text);
            let unread = item.defined_name().filter(|name| !is_read(name));
            match (&item.kind, unread) {
                (ItemKind::Def(_), Some(name)) => self.warn_unused_variable(name),
                (ItemKind::Function(_), Some(name)) => {
                    let message = format!("unused function `{}`", name.text);
                    let note = "it is never called; call it or remove it";
                    self.warn(errors::UNUSED, name.span, message, note);
                }
                (ItemKind::Piece(piece), _) => {
                    let is_placed = |name: &&Name| self.scope.usage.is_placed(&name.text);
                    if let Some(name) = piece.name.as_ref().filter(|name| !is_placed(name)) {
                        let message = format!("unused piece \"{}\"", name.text);
                        let note =
                            "it never appears on the board: no `place` or `changeType` names it";
                        self.warn(errors::UNUSED_PIECE, name.span, message, note);
                    }
                }
                _ => {}
            }
        }
    }

    pub fn warn_unused_variable(&mut self, name: &Name) {
        let message = format!("unused variable `{}`", name.text);
        let note = "its value is never read; use it or remove the `def`";
        self.warn(errors::UNUSED, name.span, message, note);
    }
}

fn string_literal(expr: &Expr) -> Option<&str> {
    match &expr.unparenthesized().kind {
        ExprKind::Text(text) => Some(text),
        _ => None,
    }
}

/// `; did you mean "…"?` for pieces and players, whose names are strings; empty if nothing is
/// similar.
pub fn suggest_string<'n>(text: &str, names: impl IntoIterator<Item = &'n Arc<str>>) -> String {
    closest_match(text, names.into_iter().map(|name| &**name))
        .map(|n| format!("; did you mean \"{n}\"?"))
        .unwrap_or_default()
}
