//! The handlers of moves and meetings: whom each is for, and which comes first when several fit.

use super::Checker;
use super::collect::{meeting_name, move_name};
use super::scope::Returns;
use crate::diagnostic::did_you_mean;
use crate::languages::gridlang::ast::{self, Argument, Name, Piece};
use crate::languages::gridlang::code;
use crate::languages::gridlang::typed::{MeetingHandler, MoveHandler, Role, Sought, Type, Whom};
use crate::source::Span;
use std::cmp::Reverse;
use std::sync::Arc;

/// Whom a handler's word means: the word, who that is, the type its name has in the body.
struct Meant {
    word: Arc<str>,
    whom: Whom,
    ty: Type,
}

impl Checker<'_> {
    /// The most specific first.
    pub fn moves(&mut self, handlers: &[Arc<ast::CheckMove>]) -> Vec<MoveHandler> {
        let mut table: Vec<MoveHandler> = handlers
            .iter()
            .filter_map(|h| self.move_handler(h))
            .collect();
        table.sort_by_key(|h| Reverse(h.receiver.whom.specificity()));
        table
    }

    fn move_handler(&mut self, handler: &ast::CheckMove) -> Option<MoveHandler> {
        let meant = match &handler.receiver {
            Some(receiver) => self.meant(receiver)?,
            None => Meant {
                word: "(piece)".into(),
                whom: Whom::Anything,
                ty: Type::Piece,
            },
        };
        self.enter(
            Role::CheckMove,
            &move_name(handler),
            Returns::Perhaps(Type::Truth),
        );
        self.bind_piece(&meant, handler.head);
        let takes_places = self.places(handler);
        let body = self.statements(&handler.body.statements);
        let parameters = if takes_places { 3 } else { 1 };
        let routine =
            Arc::new(self.leave(parameters, Type::Truth, body, handler.head, handler.span));
        let span = handler.receiver.as_ref().map_or(handler.head, Piece::span);
        Some(MoveHandler {
            receiver: Sought {
                whom: meant.whom,
                span,
            },
            takes_places,
            routine,
        })
    }

    /// The two coordinates of checkMove, or none.
    fn places(&mut self, handler: &ast::CheckMove) -> bool {
        let types: Vec<Type> = handler
            .parameters
            .iter()
            .map(|p| self.resolve(&p.ty))
            .collect();
        let fits = types.is_empty() || types == [Type::Coordinate, Type::Coordinate];
        if !fits {
            self.error(
                code::HANDLER_PARAMETERS,
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
    pub fn meetings(&mut self, handlers: &[Arc<ast::Colocation>]) -> Vec<MeetingHandler> {
        let mut table: Vec<MeetingHandler> = handlers
            .iter()
            .filter_map(|h| self.meeting_handler(h))
            .collect();
        table.sort_by_key(|h| {
            let filtered = if h.filter.is_some() { 2 } else { 0 };
            Reverse((
                h.receiver.whom.specificity(),
                h.argument.whom.specificity().max(filtered),
                h.filter.is_some(),
            ))
        });
        table
    }

    fn meeting_handler(&mut self, handler: &ast::Colocation) -> Option<MeetingHandler> {
        let standing = self.meant(&handler.receiver)?;
        let (moved, name) = self.moved(&handler.argument)?;
        let filter = handler
            .filter
            .as_ref()
            .map(|filter| self.filter(filter, &moved, handler.argument.span));
        self.enter(
            Role::Colocation,
            &meeting_name(handler, &self.env.items),
            Returns::Nothing,
        );
        // The same word for both means the one that moved: it is bound last.
        let here = self.bind_piece(&standing, handler.receiver.span());
        let slot = self.bind_piece(&moved, handler.argument.span);
        if let Some(name) = name {
            // With a name of its own the one that moved leaves the word to the other.
            if standing.word == moved.word && !matches!(standing.whom, Whom::Instance(_)) {
                self.scope.bind(&standing.word, here);
            }
            self.scope.locals[slot].name = name.text.clone();
            self.scope.bind(&name.text, slot);
            self.no_kind(name);
        }
        let body = self.statements(&handler.body.statements);
        let routine = Arc::new(self.leave(2, Type::Void, body, handler.head, handler.span));
        let receiver = Sought {
            whom: standing.whom,
            span: handler.receiver.span(),
        };
        let argument = Sought {
            whom: moved.whom,
            span: handler.argument.span,
        };
        Some(MeetingHandler {
            receiver,
            argument,
            filter,
            routine,
        })
    }

    /// The piece as a variable of the frame. A single piece keeps its own name, which holds it already.
    fn bind_piece(&mut self, meant: &Meant, span: Span) -> usize {
        match meant.whom {
            Whom::Instance(_) => self.scope.add_unbound(&meant.word, meant.ty.clone(), span),
            _ => self.scope.add(&meant.word, meant.ty.clone(), span),
        }
    }

    /// The argument of colocation, and the variable's name if it gives one.
    fn moved<'n>(&mut self, argument: &'n Argument) -> Option<(Meant, Option<&'n Name>)> {
        match (&argument.piece, &argument.words[..]) {
            (Piece::Item(_), [kind]) if self.env.items.contains_key(&kind.text) => {
                Some((self.named_piece(kind)?, None))
            }
            (Piece::Item(_), [kind, name]) => Some((self.named_piece(kind)?, Some(name))),
            (piece, words) => Some((self.meant(piece)?, words.first())),
        }
    }

    fn filter(&mut self, filter: &Name, moved: &Meant, span: Span) -> Sought {
        if moved.ty != Type::Player {
            self.error(
                code::HANDLER_PARAMETERS,
                filter.span,
                "only players have types",
            )
            .related
            .push((span, "this is no player".into()));
        }
        self.known_player_type(&filter.text, filter.span);
        Sought {
            whom: Whom::PlayerType(filter.text.clone()),
            span: filter.span,
        }
    }

    fn meant(&mut self, piece: &Piece) -> Option<Meant> {
        match piece {
            Piece::Player(_) => Some(Meant {
                word: "Player".into(),
                whom: Whom::Player,
                ty: Type::Player,
            }),
            Piece::Item(_) => Some(Meant {
                word: "Item".into(),
                whom: Whom::Item,
                ty: Type::Item(None),
            }),
            Piece::Named(name) => self.named_piece(name),
        }
    }

    /// A single piece, else a kind of item, else a player type.
    fn named_piece(&mut self, name: &Name) -> Option<Meant> {
        let word = name.text.clone();
        if self.env.items.contains_key(&word) {
            let ty = Type::Item(Some(word.clone()));
            return Some(Meant {
                whom: Whom::ItemKind(word.clone()),
                word,
                ty,
            });
        }
        match self.env.globals.get(&word).map(|g| g.ty.clone()) {
            Some(ty) if ty.is_piece() => {
                return Some(Meant {
                    whom: Whom::Instance(word.clone()),
                    word,
                    ty,
                });
            }
            Some(Type::Unknown) => return None,
            _ if self.env.player_types.contains(&word) => {
                return Some(Meant {
                    whom: Whom::PlayerType(word.clone()),
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
            code::UNKNOWN_PIECE,
            name.span,
            format!("`{}` is no piece but {ty}", name.text),
        );
        if let Some(element) = ty.element().filter(|e| e.is_piece()) {
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
        self.error(code::UNKNOWN_PIECE, name.span, message)
            .notes
            .push(
                "players and items that have handlers are declared in Layout or outside of blocks"
                    .into(),
            );
    }
}
