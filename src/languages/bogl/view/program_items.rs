//! The items of a BoGL program, as its file contains them.

use crate::ast::Body;
use crate::check::env::{GlobalDef, GlobalItem};
use crate::language::ProgramItem;
use crate::lower::scope::Scope;
use crate::source::{SourceId, Span};
use std::collections::HashMap;

/// Everything a file of the program contains.
pub fn program_items(scope: &Scope) -> Vec<ProgramItem> {
    let types = scope.env.types.iter().map(|declared| {
        let definition = &declared.definition;
        let key = format!("type {}", definition.name.text);
        ProgramItem::new(key, 0, definition.span)
    });
    let globals = scope.env.globals();
    types
        .chain(globals.into_iter().map(|g| global_item(scope, g)))
        .collect()
}

/// The keys of what preludes define, with the preludes.
pub fn keys_in_preludes(scope: &Scope) -> HashMap<String, SourceId> {
    let preludes = scope.env.preludes.iter();
    let items = preludes.flat_map(|prelude| prelude.items.iter().map(|i| (i, prelude.source.id)));
    items.map(|(item, id)| (item.title(), id)).collect()
}

fn global_item(scope: &Scope, global: &GlobalDef) -> ProgramItem {
    let (span, text) = match &global.item {
        // The equation was typed alone; its signature is that of an earlier definition, and so are
        // the first equations of a board.
        GlobalItem::Definition(definition, signature) if definition.signature.is_none() => {
            let equations = match &definition.body {
                Body::Board(equations) => equations.iter().map(|e| e.span).collect(),
                Body::Value(_) | Body::Function { .. } => vec![definition.span],
            };
            let parts: Vec<Span> = std::iter::once(signature.span).chain(equations).collect();
            (definition.span, Some(text_of_parts(scope, &parts)))
        }
        GlobalItem::Definition(definition, _) => (definition.span, None),
        GlobalItem::Let(session_let) => {
            let (name, ty) = (&global.name, &global.signature_type);
            let value = scope.slice(session_let.value.span);
            (
                session_let.span,
                Some(format!("{name} : {ty}\n{name} = {value}")),
            )
        }
    };
    ProgramItem {
        text,
        ..ProgramItem::new(&*global.name, 1, span)
    }
}

/// The text of the parts of a definition. Those of one source are contiguous, and keep the comments
/// between them.
fn text_of_parts(scope: &Scope, parts: &[Span]) -> String {
    let typed_together = parts.chunk_by(|a, b| a.source == b.source);
    let texts = typed_together.map(|parts| {
        let span = parts[0].to(parts[parts.len() - 1]);
        scope.slice(span).trim_end()
    });
    texts.collect::<Vec<_>>().join("\n")
}
