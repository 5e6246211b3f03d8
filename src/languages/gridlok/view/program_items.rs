//! The items of a GridLok program, as its file contains them.

use crate::ast::{Item, ItemKind};
use crate::language::ProgramItem;

/// The item as a part of a file.
pub fn program_item(item: &Item) -> ProgramItem {
    let section = match &item.kind {
        ItemKind::Board(_) => 0,
        ItemKind::Players(_) | ItemKind::TurnOrder(_) | ItemKind::EventPriority(_) => 1,
        ItemKind::Def(_) => 2,
        ItemKind::Piece(_) => 3,
        ItemKind::Setup(_) => 4,
        ItemKind::Function(_) => 5,
        ItemKind::Condition(..) => 6,
    };
    ProgramItem::new(item.name(), section, item.span)
}
