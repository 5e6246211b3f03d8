//! The handlers of moves and meetings: whom each is for, and which comes first when several fit.

use super::Checker;
use super::collect::{colocation_name, move_handler_name};
use super::scope::ReturnRule;
use crate::diagnostic::did_you_mean;
use crate::languages::gridlang::ast::{self, MoverParameter, Name, PieceRef};
use crate::languages::gridlang::error_code;
use crate::languages::gridlang::hir::{
    ColocationHandler, MoveHandler, RoutineKind, Selector, SpannedSelector, Type,
};
use crate::source::Span;
use std::cmp::Reverse;
use std::sync::Arc;

/// Whom a handler's word means: the word, who that is, the type its name has in the body.
struct Meant {
    word: Arc<str>,
    whom: Selector,
    ty: Type,
}

impl Checker<'_> {
    /// The most specific first.
    pub fn move_handlers(&mut self, handlers: &[Arc<ast::CheckMove>]) -> Vec<MoveHandler> {
        let mut table: Vec<MoveHandler> = handlers
            .iter()
            .filter_map(|h| self.move_handler(h))
            .collect();
        table.sort_by_key(|h| Reverse(h.receiver.selector.specificity()));
        table
    }

    fn move_handler(&mut self, handler: &ast::CheckMove) -> Option<MoveHandler> {
        let meant = match &handler.receiver {
            Some(receiver) => self.meant(receiver)?,
            None => Meant {
                word: "(piece)".into(),
                whom: Selector::AnyPiece,
                ty: Type::AnyPiece,
            },
        };
        self.begin_routine(
            RoutineKind::CheckMove,
            &move_handler_name(handler),
            ReturnRule::Optional(Type::Bool),
        );
        self.bind_piece(&meant, handler.head);
        let takes_places = self.places(handler);
        let body = self.statements(&handler.body.statements);
        let parameters = if takes_places { 3 } else { 1 };
        let routine =
            Arc::new(self.finish_routine(parameters, Type::Bool, body, handler.head, handler.span));
        let span = handler
            .receiver
            .as_ref()
            .map_or(handler.head, PieceRef::span);
        Some(MoveHandler {
            receiver: SpannedSelector {
                selector: meant.whom,
                span,
            },
            has_coordinates: takes_places,
            routine,
        })
    }

    /// The two coordinates of checkMove, or none.
    fn places(&mut self, handler: &ast::CheckMove) -> bool {
        let types: Vec<Type> = handler
            .parameters
            .iter()
            .map(|p| self.resolve_type(&p.ty))
            .collect();
        let fits = types.is_empty() || types == [Type::Coordinate, Type::Coordinate];
        if !fits {
            self.error(
                error_code::HANDLER_PARAMETERS,
                handler.head,
                "`checkMove` has two coordinates, or nothing",
            )
            .notes
            .push("as in `checkMove(coordinate start, coordinate end)`".into());
        }
        for (parameter, ty) in handler.parameters.iter().zip(types) {
            self.add_local(&parameter.name, ty);
        }
        handler.parameters.len() == 2
    }

    /// The most specific first: of the one standing there, then of the one that moved.
    pub fn colocation_handlers(
        &mut self,
        handlers: &[Arc<ast::Colocation>],
    ) -> Vec<ColocationHandler> {
        let mut table: Vec<ColocationHandler> = handlers
            .iter()
            .filter_map(|h| self.meeting_handler(h))
            .collect();
        table.sort_by_key(|h| {
            let filtered = if h.filter.is_some() { 2 } else { 0 };
            Reverse((
                h.receiver.selector.specificity(),
                h.mover.selector.specificity().max(filtered),
                h.filter.is_some(),
            ))
        });
        table
    }

    fn meeting_handler(&mut self, handler: &ast::Colocation) -> Option<ColocationHandler> {
        let standing = self.meant(&handler.receiver)?;
        let (moved, name) = self.moved(&handler.mover)?;
        let filter = handler
            .filter
            .as_ref()
            .map(|filter| self.filter(filter, &moved, handler.mover.span));
        self.begin_routine(
            RoutineKind::Colocation,
            &colocation_name(handler, &self.env.items),
            ReturnRule::Void,
        );
        // The same word for both means the one that moved: it is bound last.
        let here = self.bind_piece(&standing, handler.receiver.span());
        let slot = self.bind_piece(&moved, handler.mover.span);
        if let Some(name) = name {
            // With a name of its own the one that moved leaves the word to the other.
            if standing.word == moved.word && !matches!(standing.whom, Selector::Instance(_)) {
                self.scope.bind(&standing.word, here);
            }
            self.scope.locals[slot].name = name.text.clone();
            self.scope.bind(&name.text, slot);
            self.check_not_item_kind(name);
        }
        let body = self.statements(&handler.body.statements);
        let routine =
            Arc::new(self.finish_routine(2, Type::Void, body, handler.head, handler.span));
        let receiver = SpannedSelector {
            selector: standing.whom,
            span: handler.receiver.span(),
        };
        let argument = SpannedSelector {
            selector: moved.whom,
            span: handler.mover.span,
        };
        Some(ColocationHandler {
            receiver,
            mover: argument,
            filter,
            routine,
        })
    }

    /// The piece as a variable of the frame. A single piece keeps its own name, which holds it already.
    fn bind_piece(&mut self, meant: &Meant, span: Span) -> usize {
        match meant.whom {
            Selector::Instance(_) => self.scope.add_unbound(&meant.word, meant.ty.clone(), span),
            _ => self.scope.declare(&meant.word, meant.ty.clone(), span),
        }
    }

    /// The argument of colocation, and the variable's name if it gives one.
    fn moved<'n>(&mut self, argument: &'n MoverParameter) -> Option<(Meant, Option<&'n Name>)> {
        match (&argument.piece, &argument.words[..]) {
            (PieceRef::Item(_), [kind]) if self.env.items.contains_key(&kind.text) => {
                Some((self.named_piece(kind)?, None))
            }
            (PieceRef::Item(_), [kind, name]) => Some((self.named_piece(kind)?, Some(name))),
            (piece, words) => Some((self.meant(piece)?, words.first())),
        }
    }

    fn filter(&mut self, filter: &Name, moved: &Meant, span: Span) -> SpannedSelector {
        if moved.ty != Type::Player {
            self.error(
                error_code::HANDLER_PARAMETERS,
                filter.span,
                "only players have types",
            )
            .related
            .push((span, "this is no player".into()));
        }
        self.warn_unknown_player_type(&filter.text, filter.span);
        SpannedSelector {
            selector: Selector::PlayerType(filter.text.clone()),
            span: filter.span,
        }
    }

    fn meant(&mut self, piece: &PieceRef) -> Option<Meant> {
        match piece {
            PieceRef::Player(_) => Some(Meant {
                word: "Player".into(),
                whom: Selector::Player,
                ty: Type::Player,
            }),
            PieceRef::Item(_) => Some(Meant {
                word: "Item".into(),
                whom: Selector::Item,
                ty: Type::Item(None),
            }),
            PieceRef::Named(name) => self.named_piece(name),
        }
    }

    /// A single piece, else a kind of item, else a player type.
    fn named_piece(&mut self, name: &Name) -> Option<Meant> {
        let word = name.text.clone();
        if self.env.items.contains_key(&word) {
            let ty = Type::Item(Some(word.clone()));
            return Some(Meant {
                whom: Selector::ItemKind(word.clone()),
                word,
                ty,
            });
        }
        match self.env.globals.get(&word).map(|g| g.ty.clone()) {
            Some(ty) if ty.is_piece() => {
                return Some(Meant {
                    whom: Selector::Instance(word.clone()),
                    word,
                    ty,
                });
            }
            Some(Type::Unknown) => return None,
            _ if self.env.player_types.contains(&word) => {
                return Some(Meant {
                    whom: Selector::PlayerType(word.clone()),
                    word,
                    ty: Type::Player,
                });
            }
            Some(ty) => self.no_piece(name, &ty),
            None => self.unknown_piece(name),
        }
        None
    }

    fn no_piece(&mut self, name: &Name, ty: &Type) {
        let error = self.error(
            error_code::UNKNOWN_PIECE,
            name.span,
            format!("`{}` is no piece but {ty}", name.text),
        );
        if let Some(element) = ty.element_type().filter(|e| e.is_piece()) {
            error.notes.push(format!(
                "a handler for all of them belongs to their type: `{element}`"
            ));
        }
    }

    fn unknown_piece(&mut self, name: &Name) {
        let pieces = self
            .env
            .globals
            .iter()
            .filter(|(_, g)| g.ty.is_piece())
            .map(|(n, _)| n);
        let known: Vec<Arc<str>> = pieces
            .chain(self.env.items.keys())
            .chain(self.env.player_types.iter())
            .cloned()
            .collect();
        let hint = did_you_mean(
            &name.text,
            known.iter().map(|k| &**k).chain(["Player", "Item"]),
        );
        let message = format!(
            "`{}` is no player, item, kind of item or player type{hint}",
            name.text
        );
        self.error(error_code::UNKNOWN_PIECE, name.span, message)
            .notes
            .push(
                "players and items that have handlers are declared in Layout or outside of blocks"
                    .into(),
            );
    }
}
