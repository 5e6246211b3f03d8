//! Adds definitions to the table of types, and replaces them.

use super::type_table::{DeclaredType, TypeTable, check_error};
use super::types::{BaseType, Type};
use crate::ast::{Name, TypeDef, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

type Diagnostics = Vec<Diagnostic>;

impl TypeTable {
    /// Adds a definition after all others.
    pub fn declare(&mut self, definition: &Arc<TypeDef>) -> Result<(), Diagnostics> {
        let name = &definition.name;
        if let Some(first) = self.get(&name.text) {
            let message = format!("duplicate definition of type `{}`", name.text);
            let error = check_error("BG023", name.span, message);
            let first = first.definition.name.span;
            return Err(vec![error.related(first, "first defined here")]);
        }
        if &*name.text != "Board"
            && let Some(span) = reference_to(&name.text, definition)
        {
            let message = format!("type `{}` refers to itself", name.text);
            return Err(vec![check_error("BG036", span, message)]);
        }
        if &*name.text == "Input" && self.declare_input(definition)? {
            return Ok(());
        }
        let declared = self.resolve_definition(definition)?;
        self.push(declared);
        Ok(())
    }

    /// Adds `type Input` before the types that refer to it: `Input` is a type even before it is
    /// defined. Returns false if there are none.
    fn declare_input(&mut self, definition: &Arc<TypeDef>) -> Result<bool, Diagnostics> {
        let mut users: Vec<&Arc<TypeDef>> = Vec::new();
        let mut others: Vec<&Arc<TypeDef>> = Vec::new();
        for declared in self.iter().map(|declared| &declared.definition) {
            let mut names = users.iter().map(|user| &*user.name.text).chain(["Input"]);
            let uses_input = names.any(|name| reference_to(name, declared).is_some());
            if uses_input { &mut users } else { &mut others }.push(declared);
        }
        let cycle = users
            .iter()
            .find_map(|user| Some((user, reference_to(&user.name.text, definition)?)));
        if let Some((user, span)) = cycle {
            let message = format!("type `Input` refers to itself through `{}`", user.name.text);
            let error = check_error("BG036", span, message);
            return Err(vec![error.related(user.name.span, "it uses `Input`")]);
        }
        if users.is_empty() {
            return Ok(false);
        }
        // If another type is invalid, its error is reported already.
        let reordered = others.into_iter().chain([definition]).chain(users);
        match TypeTable::declare_all(reordered) {
            Ok(types) => *self = types,
            Err(_) => return Ok(false),
        }
        Ok(true)
    }

    /// Adds an invalid definition as a type without values. It is a subtype of everything, so uses
    /// of it cause no further errors.
    pub fn declare_placeholder(&mut self, definition: &Arc<TypeDef>) {
        if self.get(&definition.name.text).is_none() {
            let ty = Type::from_base(BaseType::None).with_name(&definition.name.text);
            self.push(DeclaredType {
                definition: definition.clone(),
                ty,
                size: None,
                listed: BTreeSet::new(),
            });
        }
    }

    /// Replaces the definition of the same name and re-resolves all others, which may refer to it.
    /// If the new definition refers to types declared after the old one, it moves to the end.
    pub fn redeclare(&self, definition: &Arc<TypeDef>) -> Result<TypeTable, Diagnostics> {
        let old = self.iter().map(|declared| &declared.definition);
        let has_same_name = |other: &Arc<TypeDef>| other.name.text == definition.name.text;
        let replaced = |other| match has_same_name(other) {
            true => definition,
            false => other,
        };
        let in_place = TypeTable::declare_all(old.clone().map(replaced));
        in_place.or_else(|(invalid, diagnostics)| {
            let others = old.filter(|other| !has_same_name(other));
            let at_end = TypeTable::declare_all(others.chain([definition]));
            at_end.map_err(|_| match has_same_name(&invalid) {
                true => diagnostics,
                false => vec![breaks_type(definition, &invalid, &diagnostics)],
            })
        })
    }

    fn declare_all<'d>(
        definitions: impl Iterator<Item = &'d Arc<TypeDef>>,
    ) -> Result<TypeTable, (Arc<TypeDef>, Diagnostics)> {
        let mut types = TypeTable::default();
        for definition in definitions {
            types
                .declare(definition)
                .map_err(|diagnostics| (definition.clone(), diagnostics))?;
        }
        Ok(types)
    }
}

/// Where the right-hand side of a definition refers to a type.
fn reference_to(name: &str, definition: &TypeDef) -> Option<Span> {
    let mut reference = None;
    definition.body.content().walk(&mut |ty| match &ty.kind {
        TypeKind::Name(other) if **other == *name && reference.is_none() => {
            reference = Some(ty.span)
        }
        _ => {}
    });
    reference
}

/// The error for a redefinition that would make another type invalid.
fn breaks_type(definition: &TypeDef, invalid: &TypeDef, diagnostics: &[Diagnostic]) -> Diagnostic {
    let (Name { text, span }, other) = (&definition.name, &invalid.name.text);
    let message = format!("redefining `{text}` would make the type `{other}` invalid");
    let mut diagnostic = check_error("BG060", *span, message);
    for error in diagnostics {
        diagnostic.add_related(error.span, &error.message);
    }
    diagnostic.note(format!(
        "redefine both in one entry: first `{other}`, without `{text}`"
    ))
}
