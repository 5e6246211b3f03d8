//! What a whole file uses of what it defines, for the warnings about what it does not.

use std::collections::BTreeSet;

use super::Checker;
use crate::diagnostic::closest_match;
use crate::languages::gridlok::ast::{Binary, Expr, ExprKind, Item, ItemKind};
use crate::languages::gridlok::error_code;
use crate::source::Span;

#[derive(Default)]
pub struct Usage {
    read: BTreeSet<String>,
    /// The function whose body is checked: that it calls itself makes it no more used.
    pub current_function: Option<String>,
    /// Names of pieces that some `place` or `changeType` gives.
    placed: BTreeSet<String>,
    /// Some `place` or `changeType` computes its name, so any piece may be meant.
    computed: bool,
    /// Globals of the file whose definition has not been reached.
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

impl Checker {
    /// The name given to `place` or `changeType`.
    pub fn piece_name_argument(&mut self, name: &Expr) {
        let Some(text) = literal(name) else {
            self.usage.computed = true;
            return;
        };
        self.usage.placed.insert(text.to_string());
        if !self.env.pieces.contains(text) {
            let message = format!(
                "no piece is named \"{text}\"{}",
                suggest_string(text, self.env.pieces.iter())
            );
            self.warn(
                error_code::UNKNOWN_PIECE,
                name.span,
                message,
                "this fails when it is reached",
            );
        }
    }

    pub fn player_name_argument(&mut self, name: &Expr) {
        if let Some(text) =
            literal(name).filter(|text| !self.env.players.iter().any(|player| player == text))
        {
            let message = format!(
                "no player is named \"{text}\"{}",
                suggest_string(text, self.env.players.iter())
            );
            self.warn(
                error_code::UNKNOWN_PLAYER,
                name.span,
                message,
                "this fails when it is reached",
            );
        }
    }

    /// A comparison of a piece's name, or of a player, with a text that none has is never true.
    pub fn name_comparison(&mut self, op: Binary, left: &Expr, right: &Expr) {
        if !matches!(op, Binary::Equal | Binary::NotEqual) || self.at_prompt {
            return;
        }
        for (asked, other) in [(left, right), (right, left)] {
            let Some(text) = literal(other).filter(|text| !text.is_empty()) else {
                continue;
            };
            let (what, none) = match &bare(asked).kind {
                ExprKind::Field(_, field) if field.text == "name" => {
                    ("piece", !self.env.pieces.contains(text))
                }
                ExprKind::Field(_, field) if field.text == "owner" => {
                    ("player", !self.has_player(text))
                }
                ExprKind::Name(name) if name == "turn" => ("player", !self.has_player(text)),
                _ => continue,
            };
            if none {
                self.never_named(what, text, other.span, op);
            }
        }
    }

    fn has_player(&self, name: &str) -> bool {
        self.env.players.iter().any(|player| player == name)
    }

    fn never_named(&mut self, what: &str, text: &str, span: Span, op: Binary) {
        let near = if what == "piece" {
            suggest_string(text, self.env.pieces.iter())
        } else {
            suggest_string(text, self.env.players.iter())
        };
        let answer = if op == Binary::Equal {
            "never"
        } else {
            "always"
        };
        let note = format!("so this comparison is {answer} true");
        self.warn(
            error_code::IMPOSSIBLE_COMPARISON,
            span,
            format!("no {what} is named \"{text}\"{near}"),
            &note,
        );
    }

    /// What is defined and never used. Assigning to a variable is no use of it.
    pub fn warn_unused(&mut self, items: &[Item]) {
        for item in items {
            match &item.kind {
                ItemKind::Def(def) if !self.usage.read.contains(&def.name.text) => {
                    let message = format!("the variable `{}` is never read", def.name.text);
                    self.warn(
                        error_code::UNUSED,
                        def.name.span,
                        message,
                        "use its value somewhere, or take its `def` away",
                    );
                }
                ItemKind::Function(function) if !self.usage.read.contains(&function.name.text) => {
                    let message = format!("the function `{}` is never called", function.name.text);
                    self.warn(error_code::UNUSED, function.name.span, message, "");
                }
                ItemKind::Piece(piece) => {
                    let name = piece
                        .name
                        .iter()
                        .find(|name| !self.usage.placed.contains(&name.text));
                    if let Some(name) = name.filter(|_| !self.usage.computed) {
                        let message =
                            format!("the piece \"{}\" never comes onto the board", name.text);
                        self.warn(
                            error_code::UNUSED_PIECE,
                            name.span,
                            message,
                            "no `place` and no `changeType` names it",
                        );
                    }
                }
                _ => {}
            }
        }
    }
}

fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Paren(inner) => bare(inner),
        _ => expr,
    }
}

fn literal(expr: &Expr) -> Option<&str> {
    match &bare(expr).kind {
        ExprKind::Text(text) => Some(text),
        _ => None,
    }
}

/// `; did you mean "…"?`, for things whose names are strings.
pub fn suggest_string<'n>(text: &str, names: impl Iterator<Item = &'n String>) -> String {
    closest_match(text, names.map(String::as_str))
        .map(|n| format!("; did you mean \"{n}\"?"))
        .unwrap_or_default()
}
