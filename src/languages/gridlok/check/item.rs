//! Checks the items of a game: definitions, pieces, the board, the players, and the orders of
//! players and events.

use std::collections::BTreeMap;

use super::scope::Binding;
use super::usage::suggest_string;
use super::{BodyKind, Checker};
use crate::diagnostic::{Diagnostic, Phase, Severity};
use crate::language::{Namespace, Reporter};
use crate::languages::gridlok::ast::*;
use crate::languages::gridlok::check::env::Env;
use crate::languages::gridlok::check::errors;
use crate::languages::gridlok::check::typing::Type;
use crate::source::Span;

impl Checker<'_> {
    /// Checks the items of a file, without their bodies. The value of a definition sees only the
    /// definitions above it.
    pub fn items_in_order(&mut self, items: &[Item]) {
        self.duplicate_items(items);
        let all = super::env_with_items(&self.env, items);
        self.usage.defined_later = items
            .iter()
            .filter_map(defined_name)
            .map(|name| name.text.clone())
            .collect();
        for item in items {
            self.item(item, &all);
            std::rc::Rc::make_mut(&mut self.env).define(item);
            if let Some(name) = defined_name(item) {
                self.usage.defined_later.remove(&name.text);
            }
        }
    }

    /// Checks one item without its bodies. `all` contains every definition, including later ones.
    pub fn item(&mut self, item: &Item, all: &Env) {
        match &item.kind {
            ItemKind::Board(board) => self.board(board, item.head),
            ItemKind::Players(names) => self.players(names),
            ItemKind::TurnOrder(names) => {
                self.check_known_names(
                    "turnOrder",
                    "player",
                    names,
                    &all.players,
                    errors::UNKNOWN_PLAYER,
                );
            }
            ItemKind::EventPriority(names) => {
                for Name { text, span } in names {
                    self.names.refer(Namespace::Pieces, text, *span);
                }
                let pieces: Vec<String> = all.pieces.iter().cloned().collect();
                self.check_known_names(
                    "eventPriority",
                    "piece",
                    names,
                    &pieces,
                    errors::UNKNOWN_PIECE,
                );
            }
            ItemKind::Piece(piece) => self.piece_name(piece, item.head),
            ItemKind::Def(def) => {
                self.check_definable(&def.name);
                self.initializer(&def.value);
            }
            ItemKind::Function(function) => self.check_definable(&function.name),
            ItemKind::Setup(_) | ItemKind::Condition(..) => {}
        }
    }

    /// Checks the bodies of an item, which run later and see the whole program.
    pub fn bodies(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Piece(piece) => {
                for handler in [&piece.on_turn, &piece.on_click].into_iter().flatten() {
                    self.body(BodyKind::Event, &[], &handler.body);
                }
            }
            ItemKind::Setup(body) => self.body(BodyKind::Setup, &[], body),
            ItemKind::Condition(_, body) => self.body(BodyKind::Event, &[], body),
            ItemKind::Function(function) => {
                self.usage.current_function = Some(function.name.text.clone());
                self.body(BodyKind::Function, &function.parameters, &function.body);
                self.usage.current_function = None;
            }
            _ => {}
        }
    }

    fn body(&mut self, body: BodyKind, parameters: &[Name], block: &Block) {
        let outer = std::mem::replace(&mut self.body_kind, body);
        self.open_scope();
        for parameter in parameters {
            self.declare(parameter, None, Binding::Parameter);
        }
        self.statements(&block.statements);
        self.close_scope();
        self.body_kind = outer;
    }

    fn board(&mut self, board: &Board, head: Span) {
        let Some((rows, columns, _)) = &board.dimensions else {
            let message = "this board has no `dimensions`";
            self.error(errors::MISSING_PART, head, message)
                .add_note("add them: `dimensions{rows, columns}`");
            return;
        };
        for (side, what) in [(rows, "row"), (columns, "column")] {
            self.expect_type(side, Type::Int, "`dimensions` needs");
            if let Some(n) = literal_int(side).filter(|n| *n < 1) {
                let message = format!("a board needs at least one {what}, found {n}");
                self.error(errors::BOARD_SIZE, side.span, message);
            }
        }
    }

    fn players(&mut self, names: &[Name]) {
        let mut first_spans: BTreeMap<&str, Span> = BTreeMap::new();
        for name in names {
            match first_spans.get(name.text.as_str()) {
                Some(&first) => self.duplicate(
                    name.span,
                    format!("duplicate player \"{}\"", name.text),
                    first,
                ),
                None => _ = first_spans.insert(&name.text, name.span),
            }
        }
    }

    fn check_known_names(
        &mut self,
        list: &str,
        what: &str,
        names: &[Name],
        known: &[String],
        code: &'static str,
    ) {
        for name in names.iter().filter(|name| !known.contains(&name.text)) {
            let severity = if self.at_prompt {
                Severity::Warning
            } else {
                Severity::Error
            };
            let message = format!(
                "unknown {what} \"{}\" in `{list}`{}",
                name.text,
                suggest_string(&name.text, known.iter())
            );
            self.report(Diagnostic::new(
                severity,
                Phase::Check,
                code,
                name.span,
                message,
            ));
        }
    }

    fn piece_name(&mut self, piece: &Piece, head: Span) {
        match &piece.name {
            None => {
                self.error(errors::MISSING_PART, head, "this piece has no name")
                    .add_note("add one: `name{\"rook\"}`");
            }
            Some(name) if name.text.is_empty() => {
                let message = "the name of a piece cannot be empty";
                self.error(errors::MISSING_PART, name.span, message)
                    .add_note("an empty cell has the name \"\"");
            }
            Some(_) => {}
        }
    }

    /// Reports items defined twice in a file. Functions and variables share a namespace.
    fn duplicate_items(&mut self, items: &[Item]) {
        let mut first_spans: BTreeMap<String, Span> = BTreeMap::new();
        for item in items {
            let Some((key, shown, span)) = identity(item) else {
                continue;
            };
            match first_spans.get(&key) {
                Some(&first) => {
                    self.duplicate(span, format!("duplicate definition of {shown}"), first)
                }
                None => _ = first_spans.insert(key, span),
            }
        }
    }
}

/// Identifies what an item defines: a key for comparison, a description for messages, and a span.
fn identity(item: &Item) -> Option<(String, String, Span)> {
    let word = |word: &str| Some((format!(" {word}"), format!("`{word}`"), item.head));
    match &item.kind {
        ItemKind::Board(_) => word("board"),
        ItemKind::Players(_) => word("players"),
        ItemKind::TurnOrder(_) => word("turnOrder"),
        ItemKind::EventPriority(_) => word("eventPriority"),
        ItemKind::Setup(_) => word("setup"),
        ItemKind::Condition(Ending::Win, _) => word("winCondition"),
        ItemKind::Condition(Ending::Lose, _) => word("loseCondition"),
        ItemKind::Condition(Ending::Draw, _) => word("drawCondition"),
        ItemKind::Piece(piece) => {
            let name = piece.name.as_ref()?;
            Some((
                format!(" piece {}", name.text),
                format!("the piece \"{}\"", name.text),
                name.span,
            ))
        }
        ItemKind::Def(_) | ItemKind::Function(_) => {
            let name = defined_name(item)?;
            Some((name.text.clone(), format!("`{}`", name.text), name.span))
        }
    }
}

fn defined_name(item: &Item) -> Option<&Name> {
    match &item.kind {
        ItemKind::Def(def) => Some(&def.name),
        ItemKind::Function(function) => Some(&function.name),
        _ => None,
    }
}

fn literal_int(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Int(n) => Some(i64::from(*n)),
        ExprKind::Unary(Unary::Minus, inner, _) => literal_int(inner).map(|n| -n),
        ExprKind::Paren(inner) => literal_int(inner),
        _ => None,
    }
}
