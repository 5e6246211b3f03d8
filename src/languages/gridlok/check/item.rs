//! Checks the items of a game: definitions, pieces, the board, the players, and the orders of
//! players and events.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::scope::Binding;
use super::warnings::suggest_string;
use super::{BodyKind, Checker};
use crate::ast::*;
use crate::check::env::{Env, env_with_items};
use crate::check::errors;
use crate::check::typing::Type;
use crate::language::{Namespace, Reporter};
use crate::source::Span;

impl Checker<'_> {
    /// Checks the items of a file, without their bodies. The value of a definition sees only the
    /// definitions above it.
    pub fn items_in_order(&mut self, items: &[Item]) {
        self.duplicate_items(items);
        let all = env_with_items(&self.scope.env, items);
        self.scope.usage.defined_later = items
            .iter()
            .filter_map(Item::defined_name)
            .map(|name| name.text.clone())
            .collect();
        for item in items {
            self.item(item, &all);
            std::rc::Rc::make_mut(&mut self.scope.env).define(item);
            if let Some(name) = item.defined_name() {
                self.scope.usage.defined_later.remove(&name.text);
            }
        }
    }

    /// Checks one item without its bodies. `all` contains every definition, including later ones.
    pub fn item(&mut self, item: &Item, all: &Env) {
        match &item.kind {
            ItemKind::Board(board) => self.board(board, item.head),
            ItemKind::Players(names) => self.players(names),
            ItemKind::TurnOrder(names) => {
                let players = all.players.iter().cloned().collect();
                self.check_known_names(item, errors::UNKNOWN_PLAYER, "player", names, &players);
            }
            ItemKind::EventPriority(names) => {
                for Name { text, span } in names {
                    self.names.refer(Namespace::Pieces, text, *span);
                }
                self.check_known_names(item, errors::UNKNOWN_PIECE, "piece", names, &all.pieces);
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
                for (_, handler) in piece.handlers() {
                    self.body(BodyKind::Event, &[], &handler.body);
                }
            }
            ItemKind::Setup(body) => self.body(BodyKind::Setup, &[], body),
            ItemKind::Condition(ending, body) => {
                self.scope.ending = Some(match ending {
                    Ending::Win => "win",
                    Ending::Lose => "lose",
                    Ending::Draw => "draw",
                });
                self.body(BodyKind::Event, &[], body);
                self.scope.ending = None;
            }
            ItemKind::Function(function) => {
                self.scope.usage.current_function = Some(function.name.text.clone());
                self.body(BodyKind::Function, &function.parameters, &function.body);
                self.scope.usage.current_function = None;
            }
            _ => {}
        }
    }

    fn body(&mut self, body: BodyKind, parameters: &[Name], block: &Block) {
        let outer = std::mem::replace(&mut self.scope.body_kind, body);
        self.open_scope();
        for parameter in parameters {
            self.declare(parameter, None, Binding::Parameter);
        }
        self.statements(&block.statements);
        self.close_scope();
        self.scope.body_kind = outer;
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
        self.report_duplicates(names.iter().map(|name| {
            let message = format!("duplicate player \"{}\"", name.text);
            (name.text.to_string(), message, name.span)
        }));
    }

    /// Reports those that have the same key as an earlier one: each has a key, a message and a span.
    fn report_duplicates(&mut self, all: impl IntoIterator<Item = (String, String, Span)>) {
        let mut first_spans: BTreeMap<String, Span> = BTreeMap::new();
        for (key, message, span) in all {
            match first_spans.get(&key) {
                Some(&first) => self.duplicate(span, message, first),
                None => _ = first_spans.insert(key, span),
            }
        }
    }

    fn check_known_names(
        &mut self,
        list: &Item,
        code: &'static str,
        what: &str,
        names: &[Name],
        known: &BTreeSet<Arc<str>>,
    ) {
        for Name { text, span } in names.iter().filter(|name| !known.contains(&name.text)) {
            let (list, suggestion) = (list.name(), suggest_string(text, known));
            let message = format!("unknown {what} \"{text}\" in `{list}`{suggestion}");
            match self.at_prompt {
                true => self.warning(code, *span, message),
                false => self.error(code, *span, message),
            };
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

    /// Reports items defined twice in a file.
    fn duplicate_items(&mut self, items: &[Item]) {
        let is_named = |item: &&Item| !matches!(&item.kind, ItemKind::Piece(p) if p.name.is_none());
        self.report_duplicates(items.iter().filter(is_named).map(|item| {
            let (shown, name) = match &item.kind {
                ItemKind::Piece(p) => (format!("the piece \"{}\"", p.name()), p.name.as_ref()),
                _ => (format!("`{}`", item.name()), item.defined_name()),
            };
            let span = name.map_or(item.head, |name| name.span);
            let message = format!("duplicate definition of {shown}");
            (item.name(), message, span)
        }));
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
