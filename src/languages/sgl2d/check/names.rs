//! Who uses which name.

use crate::ast::*;
use crate::language::{NameEntry, NameKind, Names, Namespace};
use crate::source::Source;

/// The sprites of a program.
pub fn names(source: &Source, lines: &[Line]) -> Vec<NameEntry> {
    let mut names = Names::new(source);
    let statements = || {
        lines.iter().filter_map(|line| match line {
            Line::Statement(statement) => Some(&statement.kind),
            Line::Moves(_) => None,
        })
    };
    for statement in statements() {
        if let StatementKind::Sprite(Sprite { name, .. }) = statement {
            names.define(Namespace::Pieces, NameKind::Piece, &name.text, name.span);
        }
    }
    let mut refer = |name: &Name| {
        names.refer(Namespace::Pieces, &name.text, name.span);
    };
    for statement in statements() {
        match statement {
            StatementKind::Event { sprite, actions } => {
                sprite.iter().for_each(&mut refer);
                for action in actions {
                    if let ActionKind::Replace(_, name) = &action.kind {
                        refer(name);
                    }
                }
            }
            StatementKind::Set { name, .. } => refer(name),
            _ => {}
        }
    }
    names.into_entries()
}
