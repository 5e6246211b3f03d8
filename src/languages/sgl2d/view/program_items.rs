//! The items of an SGL2D program, as its file contains them.

use crate::check::hir::{HirLine, HirLineKind};
use crate::language::ProgramItem;
use crate::lower::scope::Scope;
use std::collections::HashMap;

/// Everything a file of the program contains: its lines, without those that were replaced.
pub fn program_items(scope: &Scope) -> Vec<ProgramItem> {
    let mut items: Vec<ProgramItem> = Vec::new();
    let mut positions: HashMap<String, usize> = HashMap::new();
    for line in &scope.lines {
        let item = line_item(line);
        match positions.get(&item.key) {
            Some(&position) => items[position] = item,
            None => {
                positions.insert(item.key.clone(), items.len());
                items.push(item);
            }
        }
    }
    items
}

fn line_item(line: &HirLine) -> ProgramItem {
    // Lines that add to others are all kept.
    let each = |kind: &str| format!("{kind} {}:{}", line.span.source.0, line.span.start);
    let (section, key) = match &line.kind {
        HirLineKind::Environment { .. } => (0, "environment".into()),
        HirLineKind::Player(_) => (1, "player".into()),
        HirLineKind::Goal(_) => (2, "goal".into()),
        HirLineKind::Sprite(sprite) => (3, format!("sprite {}", sprite.name.text)),
        HirLineKind::Counter(counter) => (4, format!("counter{}", counter.index)),
        HirLineKind::Event { .. } => (5, each("event")),
        HirLineKind::Set { .. } | HirLineKind::Moves(_) => (6, each("set")),
    };
    ProgramItem::new(key, section, line.span)
}
