//! The pieces that the heads of handlers name.

use super::definitions::Definitions;
use crate::ast::{Name, PieceRef};
use crate::check::errors;
use crate::check::hir::{Selector, Type};
use crate::diagnostic::did_you_mean;
use crate::language::{Namespace, Reporter};
use std::sync::Arc;

/// Where the name of a piece may be defined: as a variable, or as a kind of item that stands for the
/// piece of a handler.
pub const VALUES_AND_PIECES: [Namespace; 2] = [Namespace::Values, Namespace::Pieces];

/// The resolved receiver or parameter of a handler: its name, the pieces it matches and its type in
/// the body.
pub struct ResolvedPiece {
    pub name: Arc<str>,
    pub selector: Selector,
    pub ty: Type,
}

impl ResolvedPiece {
    pub fn new(name: &str, selector: Selector, ty: Type) -> ResolvedPiece {
        let name = name.into();
        ResolvedPiece { name, selector, ty }
    }
}

impl Definitions<'_> {
    pub fn resolve_piece(&mut self, piece: &PieceRef) -> Option<ResolvedPiece> {
        match piece {
            PieceRef::Player(_) => {
                Some(ResolvedPiece::new("Player", Selector::Player, Type::Player))
            }
            PieceRef::Item(_) => Some(ResolvedPiece::new("Item", Selector::Item, Type::Item(None))),
            PieceRef::Named(name) => self.named_piece(name),
        }
    }

    /// Resolves a name to a kind of item, a single piece or a player type.
    pub fn named_piece(&mut self, name: &Name) -> Option<ResolvedPiece> {
        let text = name.text.clone();
        self.names
            .refer_to_any(&VALUES_AND_PIECES, &text, name.span);
        let ty = self.env.globals.get(&text).map(|g| g.ty.clone());
        let (selector, ty) = match ty {
            _ if self.env.items.contains_key(&text) => {
                let ty = Type::Item(Some(text.clone()));
                (Selector::ItemKind(text.clone()), ty)
            }
            Some(ty) if ty.is_piece() => (Selector::Instance(text.clone()), ty),
            Some(Type::Unknown) => return None,
            _ if self.env.player_types.contains(&text) => {
                (Selector::PlayerType(text.clone()), Type::Player)
            }
            Some(ty) => {
                self.not_a_piece(name, &ty);
                return None;
            }
            None => {
                self.unknown_piece(name);
                return None;
            }
        };
        Some(ResolvedPiece::new(&text, selector, ty))
    }

    fn not_a_piece(&mut self, name: &Name, ty: &Type) {
        let error = self.error(
            errors::UNKNOWN_PIECE,
            name.span,
            format!("`{}` is {}, not a piece", name.text, ty.with_article()),
        );
        if let Some(element) = ty.element_type().filter(|e| e.is_piece()) {
            error.add_note(format!(
                "define the handler for the type of its elements: `{element}`"
            ));
        }
    }

    fn unknown_piece(&mut self, name: &Name) {
        let env = &self.env;
        let pieces = env.globals.iter().filter(|(_, g)| g.ty.is_piece());
        let known = pieces.map(|(name, _)| name).chain(env.items.keys());
        let known = known.chain(&env.player_types).map(|k| &**k);
        let hint = did_you_mean(&name.text, known.chain(["Player", "Item"]));
        let message = format!("unknown piece `{}`{hint}", name.text);
        self.error(errors::UNKNOWN_PIECE, name.span, message)
            .add_note(
                "declare players and items that have handlers in `Layout` or outside all blocks",
            );
    }
}
