//! The items of a TinyGame program, as its file contains them.

use super::ast::Item;
use super::scope::Scope;
use crate::language::ProgramItem;
use std::rc::Rc;

/// Everything a file of the program contains: entities, and the statements that its file had.
pub fn program_items(scope: &Scope) -> Vec<ProgramItem> {
    let item = |item: &Rc<Item>| {
        let span = item.span();
        let (section, key) = match &**item {
            Item::Entity(entity) => (0, format!("entity {}", entity.name.text)),
            Item::Statement(_) => (1, format!("statement {}:{}", span.source.0, span.start)),
        };
        ProgramItem {
            key,
            section,
            span,
            text: None,
        }
    };
    scope.startup_items().iter().map(item).collect()
}
