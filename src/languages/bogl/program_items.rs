//! The items of a BoGL program, as its file contains them.

use super::env::{GlobalDef, GlobalItem};
use super::scope::Scope;
use crate::language::ProgramItem;

/// Everything a file of the program contains.
pub fn program_items(scope: &Scope) -> Vec<ProgramItem> {
    let types = scope.env.types().iter().map(|declared| ProgramItem {
        key: format!("type {}", declared.definition.name.text),
        section: 0,
        span: declared.definition.span,
        text: None,
    });
    let globals = scope.env.globals();
    types
        .chain(globals.into_iter().map(|g| global_item(scope, g)))
        .collect()
}

fn global_item(scope: &Scope, global: &GlobalDef) -> ProgramItem {
    let (span, text) = match &global.item {
        // The equation was typed alone; its signature is that of an earlier definition.
        GlobalItem::Definition(definition, signature) if definition.signature.is_none() => {
            let (signature, equations) =
                (scope.slice(signature.span), scope.slice(definition.span));
            (definition.span, Some(format!("{signature}\n{equations}")))
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
        key: global.name.to_string(),
        section: 1,
        span,
        text,
    }
}
