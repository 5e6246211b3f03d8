//! The items of a GridLok program, as its file contains them.

use crate::ast::{Item, ItemKind};
use crate::language::ProgramItem;
use crate::lower::order::NamesUsed;
use crate::value::SharedVec;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// Everything a file of the program contains. Variables come before functions, unless their initial
/// value calls one: a definition sees only what is above it. Calls, which may draw random numbers,
/// keep their order.
pub fn program_items(items: &SharedVec<Rc<Item>>) -> Vec<ProgramItem> {
    let functions = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Function(function) => Some(&function.name.text),
        _ => None,
    });
    let functions: HashSet<&Arc<str>> = functions.collect();
    let mut late_variables = HashSet::new();
    let items = items.iter().map(|item| {
        let mut section = section(item);
        if let ItemKind::Def(def) = &item.kind {
            let names = NamesUsed::in_value(&def.value);
            let is_late =
                |name: &Arc<str>| functions.contains(name) || late_variables.contains(name);
            if names.found.iter().any(is_late) || names.has_call && !late_variables.is_empty() {
                late_variables.insert(def.name.text.clone());
                section = FUNCTION_SECTION;
            }
        }
        ProgramItem::new(item.name(), section, item.span)
    });
    items.collect()
}

const FUNCTION_SECTION: u8 = 5;

fn section(item: &Item) -> u8 {
    match &item.kind {
        ItemKind::Board(_) => 0,
        ItemKind::Players(_) | ItemKind::TurnOrder(_) | ItemKind::EventPriority(_) => 1,
        ItemKind::Def(_) => 2,
        ItemKind::Piece(_) => 3,
        ItemKind::Setup(_) => 4,
        ItemKind::Function(_) => FUNCTION_SECTION,
        ItemKind::Condition(..) => 6,
    }
}
