//! The items of a TinyGame program, as its file contains them.

use crate::ast::{Entry, Item};
use crate::language::ProgramItem;
use crate::lower::scope::Scope;
use crate::parse::{Start, parse};
use crate::source::{Origin, Source};

/// Everything a file of the program contains: entities, and the statements that its file had.
pub fn program_items(scope: &Scope) -> Vec<ProgramItem> {
    let items = scope.startup_items();
    items.iter().map(|item| program_item(item)).collect()
}

/// The statements of an entry, which continue the program.
pub fn typed_statements(source: &Source) -> Vec<ProgramItem> {
    let is_entry = matches!(source.origin, Origin::Entry(_));
    match parse(source, Start::Entry) {
        Ok(Entry::Items(items)) if is_entry => items
            .iter()
            .filter(|item| matches!(item, Item::Statement(_)))
            .map(|item| ProgramItem {
                text: with_semicolon(source.slice(item.span())),
                ..program_item(item)
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The prompt accepts a statement without its semicolon, a file does not. `None` if it has one.
fn with_semicolon(statement: &str) -> Option<String> {
    let statement = statement.trim_end();
    (!statement.ends_with([';', '}'])).then(|| format!("{statement};"))
}

fn program_item(item: &Item) -> ProgramItem {
    let span = item.span();
    let (section, key) = match item {
        Item::Entity(entity) => (0, format!("entity {}", entity.name.text)),
        Item::Statement(_) => (1, format!("statement {}:{}", span.source.0, span.start)),
    };
    ProgramItem::new(key, section, span)
}
