//! Move and collision handlers: which pieces they match and in which order they are tried.

use super::Checker;
use super::env::{colocation_name, move_handler_name};
use super::piece::ResolvedPiece;
use super::scope::ReturnRule;
use crate::ast::{self, MoverParameter, Name, PieceRef};
use crate::check::errors;
use crate::check::hir::{
    ColocationHandler, MoveHandler, RoutineKind, Selector, SpannedSelector, Type,
};
use crate::language::{NameKind, Namespace, Reporter};
use crate::source::Span;
use std::cmp::Reverse;
use std::sync::Arc;

impl Checker<'_> {
    /// The `checkMove` handlers, most specific first.
    pub fn move_handlers(&mut self, handlers: &[Arc<ast::CheckMove>]) -> Vec<MoveHandler> {
        let checked = handlers.iter().filter_map(|h| self.move_handler(h));
        let mut sorted: Vec<MoveHandler> = checked.collect();
        sorted.sort_by_key(|h| Reverse(h.receiver.selector.specificity()));
        sorted
    }

    fn move_handler(&mut self, handler: &ast::CheckMove) -> Option<MoveHandler> {
        let resolved = match &handler.receiver {
            Some(receiver) => self.defs.resolve_piece(receiver)?,
            None => ResolvedPiece::new("(piece)", Selector::AnyPiece, Type::AnyPiece),
        };
        let (name, head) = (move_handler_name(handler), handler.code.head);
        let returns = ReturnRule::Optional(Type::Bool);
        self.begin_routine(RoutineKind::CheckMove, &name, returns);
        self.bind_piece(&resolved, head);
        let has_coordinates = self.declare_coordinates(handler);
        let parameter_count = if has_coordinates { 3 } else { 1 };
        let routine = self.routine(parameter_count, Type::Bool, &handler.code);
        let span = handler.receiver.as_ref().map_or(head, PieceRef::span);
        Some(MoveHandler {
            receiver: resolved.selector.at(span),
            has_coordinates,
            routine: Arc::new(routine),
        })
    }

    /// Declares the two coordinates of `checkMove`; returns whether the handler has them.
    fn declare_coordinates(&mut self, handler: &ast::CheckMove) -> bool {
        let types = handler
            .parameters
            .iter()
            .map(|p| self.defs.resolve_type(&p.ty));
        let types: Vec<Type> = types.collect();
        let is_valid = types.is_empty() || types == [Type::Coordinate, Type::Coordinate];
        if !is_valid {
            let message = "`checkMove` takes two coordinates or no parameters";
            self.error(errors::HANDLER_PARAMETERS, handler.code.head, message)
                .add_note("e.g. `checkMove(coordinate start, coordinate end)`");
        }
        for (parameter, ty) in handler.parameters.iter().zip(types) {
            self.add_local(&parameter.name, ty, NameKind::Parameter);
        }
        handler.parameters.len() == 2
    }

    /// The `colocation` handlers, most specific first: by receiver, then by mover.
    pub fn colocation_handlers(
        &mut self,
        handlers: &[Arc<ast::Colocation>],
    ) -> Vec<ColocationHandler> {
        let checked = handlers.iter().filter_map(|h| self.colocation_handler(h));
        let mut sorted: Vec<ColocationHandler> = checked.collect();
        sorted.sort_by_key(|h| {
            // A filter makes the mover as specific as a player type.
            let filter_specificity = if h.filter.is_some() { 2 } else { 0 };
            Reverse((
                h.receiver.selector.specificity(),
                h.mover.selector.specificity().max(filter_specificity),
                h.filter.is_some(),
            ))
        });
        sorted
    }

    fn colocation_handler(&mut self, handler: &ast::Colocation) -> Option<ColocationHandler> {
        let occupant = self.defs.resolve_piece(&handler.receiver)?;
        let (mover, name) = self.mover(&handler.mover)?;
        let filter = handler
            .filter
            .as_ref()
            .map(|filter| self.filter(filter, &mover, handler.mover.span));
        let full_name = colocation_name(handler, &self.defs.env.items);
        self.begin_routine(RoutineKind::Colocation, &full_name, ReturnRule::Void);
        // If both have the same name, it denotes the mover, which is bound last.
        let occupant_slot = self.bind_piece(&occupant, handler.receiver.span());
        let mover_slot = self.bind_piece(&mover, handler.mover.span);
        if let Some(name) = name {
            // A mover with a variable name leaves the type name to the other piece.
            if occupant.name == mover.name && !matches!(occupant.selector, Selector::Instance(_)) {
                self.scope.bind(&occupant.name, occupant_slot);
            }
            self.scope.locals[mover_slot].name = name.text.clone();
            self.scope.bind(&name.text, mover_slot);
            let kind = NameKind::Parameter;
            self.defs
                .names
                .define(Namespace::Values, kind, &name.text, name.span);
            self.defs.check_not_item_kind(name);
        }
        let routine = Arc::new(self.routine(2, Type::Void, &handler.code));
        Some(ColocationHandler {
            receiver: occupant.selector.at(handler.receiver.span()),
            mover: mover.selector.at(handler.mover.span),
            filter,
            routine,
        })
    }

    /// Declares the piece as a local. The name of a single piece already denotes a global, so it is
    /// not bound.
    fn bind_piece(&mut self, resolved: &ResolvedPiece, span: Span) -> usize {
        match resolved.selector {
            Selector::Instance(_) => {
                self.scope
                    .add_unbound(&resolved.name, resolved.ty.clone(), span)
            }
            _ => self
                .scope
                .declare(&resolved.name, resolved.ty.clone(), span),
        }
    }

    /// The mover of a collision handler, and its variable name if there is one.
    fn mover<'n>(
        &mut self,
        parameter: &'n MoverParameter,
    ) -> Option<(ResolvedPiece, Option<&'n Name>)> {
        match (&parameter.piece, &parameter.names[..]) {
            (PieceRef::Item(_), [kind]) if self.defs.env.items.contains_key(&kind.text) => {
                Some((self.defs.named_piece(kind)?, None))
            }
            (PieceRef::Item(_), [kind, name]) => Some((self.defs.named_piece(kind)?, Some(name))),
            (piece, names) => Some((self.defs.resolve_piece(piece)?, names.first())),
        }
    }

    fn filter(
        &mut self,
        filter: &Name,
        mover: &ResolvedPiece,
        mover_span: Span,
    ) -> SpannedSelector {
        if mover.ty != Type::Player {
            let message = "only players have types";
            self.error(errors::HANDLER_PARAMETERS, filter.span, message)
                .add_related(mover_span, "not a player");
        }
        self.defs
            .warn_unknown_player_type(&filter.text, filter.span);
        Selector::PlayerType(filter.text.clone()).at(filter.span)
    }
}
