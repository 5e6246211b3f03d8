//! Resolves type definitions, signatures and the type expressions in them.

use super::type_table::{DeclaredType, MAX_BOARD_CELLS, TypeTable, check_error};
use super::types::{BaseType, SignatureType, Type};
use crate::ast::{Literal, Name, Signature, TypeBody, TypeDef, TypeExpr, TypeKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::source::Span;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

type Diagnostics = Vec<Diagnostic>;

impl TypeTable {
    pub(super) fn resolve_definition(
        &self,
        definition: &Arc<TypeDef>,
    ) -> Result<DeclaredType, Diagnostics> {
        let name = &definition.name;
        if ["Int", "Bool", "Content"].contains(&&*name.text) {
            let message = format!("`{}` is built in and cannot be defined", name.text);
            let note = match &*name.text {
                "Content" => Some(
                    "`Content` is the type of the board's cells: define `type Board = Array (3, 3) of …`",
                ),
                _ => None,
            };
            let mut error = check_error("BG031", name.span, message);
            error.notes.extend(note.map(str::to_owned));
            return Err(vec![error]);
        }
        let (expr, size, type_name) = match &definition.body {
            TypeBody::Array {
                width,
                height,
                content,
                span,
            } if &*name.text == "Board" => {
                let size = board_dimensions(width, height, *span)?;
                (content, Some(size), "Content")
            }
            TypeBody::Plain(expr) if &*name.text != "Board" => (expr, None, &*name.text),
            TypeBody::Array { span, .. } | TypeBody::Plain(TypeExpr { span, .. }) => {
                return Err(vec![array_not_board(*span)]);
            }
        };
        let ty = self.resolve_definition_body(expr, &name.text)?;
        if size.is_some() && ty.contains_board() {
            let message = "board cells cannot contain boards";
            return Err(vec![check_error("BG035", expr.span, message)]);
        }
        let mut listed = BTreeSet::new();
        collect_symbols(expr, &mut listed);
        Ok(DeclaredType {
            definition: definition.clone(),
            ty: ty.with_name(&type_name.into()),
            size,
            listed,
        })
    }

    /// Resolves the right-hand side of `type T = …`.
    fn resolve_definition_body(
        &self,
        expr: &TypeExpr,
        own_name: &str,
    ) -> Result<Type, Diagnostics> {
        match &expr.kind {
            TypeKind::Name(name) if self.resolve_name(name).is_none() => {
                let note = format!("to list symbols, write braces: `{{{name}}}`");
                Err(vec![self.unknown_type(name, expr.span).note(note)])
            }
            TypeKind::Name(_) | TypeKind::Tuple(_) => self.resolve(expr),
            TypeKind::Symbols(symbols) => self.enumeration(symbols, own_name),
            TypeKind::Extended(terms) => {
                let mut result: Option<Type> = None;
                for term in terms {
                    let ty = self.resolve_definition_body(term, own_name)?;
                    result = Some(match result {
                        None => ty,
                        Some(union) if ty.is_enumeration() => union.with_symbols(&ty),
                        Some(_) => return Err(vec![not_an_enumeration(term, &ty)]),
                    });
                }
                Ok(result.unwrap_or_else(|| Type::from_base(BaseType::None)))
            }
        }
    }

    fn enumeration(&self, symbols: &[Name], own_name: &str) -> Result<Type, Diagnostics> {
        let mut first_uses: HashMap<&str, &Name> = HashMap::new();
        for symbol in symbols {
            let Name { text, span } = symbol;
            if let Some(first) = first_uses.insert(text, symbol) {
                let message = format!("duplicate symbol `{text}` in this enumeration");
                let error = check_error("BG026", *span, message);
                return Err(vec![error.related(first.span, "first listed here")]);
            }
            if self.resolve_name(text).is_some() || **text == *own_name {
                let message = format!("symbol `{text}` has the same name as a type");
                let type_span = self.get(text).map(|known| known.definition.name.span);
                let error = check_error("BG027", *span, message)
                    .note(format!("write `& {text}` to include the type's values"));
                return Err(vec![error.related(type_span, "the type is defined here")]);
            }
        }
        let symbols = symbols.iter().map(|symbol| symbol.text.clone());
        Ok(Type::enumeration(symbols))
    }

    /// Resolves a type name or a tuple of type names: what signatures and tuples may contain.
    pub fn resolve(&self, expr: &TypeExpr) -> Result<Type, Diagnostics> {
        match &expr.kind {
            TypeKind::Name(name) => match self.resolve_name(name) {
                Some(found) => Ok(found),
                None => Err(vec![self.unknown_type(name, expr.span)]),
            },
            TypeKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.resolve(part));
                let ty = Type::tuple(parts.collect::<Result<_, _>>()?);
                match ty.is_too_large() {
                    true => {
                        let message = "this tuple type is too large";
                        Err(vec![check_error("BG005", expr.span, message)])
                    }
                    false => Ok(ty),
                }
            }
            TypeKind::Symbols(_) | TypeKind::Extended(_) => {
                let message = "expected a type name or a tuple of type names";
                let error = check_error("BG028", expr.span, message)
                    .label("this type has no name")
                    .note("give it a name first: `type T = …`");
                Err(vec![error])
            }
        }
    }

    fn unknown_type(&self, name: &Arc<str>, span: Span) -> Diagnostic {
        let message = format!("unknown type `{name}`{}", did_you_mean(name, self.names()));
        let diagnostic = check_error("BG024", span, message);
        match &**name {
            "Content" => diagnostic.note(
                "`Content` is the type of the board's cells; define `type Board = Array …` first",
            ),
            _ if self.declaring_symbol(name).is_some() => {
                diagnostic.note(format!("`{name}` is a value, not a type"))
            }
            "String" | "Char" | "Text" => diagnostic.note(
                "BoGL has no strings; use the symbols of an enumeration: `type T = {Won, Lost}`",
            ),
            "Integer" | "Float" | "Double" | "Number" | "Natural" => {
                diagnostic.note("numbers have the type `Int`")
            }
            "Boolean" => diagnostic.note("truth values have the type `Bool`"),
            _ => diagnostic.note("a type must be defined before it is used"),
        }
    }

    pub fn signature_type(&self, signature: &Signature) -> Result<SignatureType, Diagnostics> {
        let result = self.resolve(&signature.result);
        match &signature.argument {
            None => result.map(SignatureType::Value),
            Some(argument) => match (self.resolve(argument), result) {
                (Ok(argument), Ok(result)) => Ok(SignatureType::Function { argument, result }),
                (argument, result) => Err(argument
                    .err()
                    .into_iter()
                    .chain(result.err())
                    .flatten()
                    .collect()),
            },
        }
    }
}

fn collect_symbols(expr: &TypeExpr, listed: &mut BTreeSet<Arc<str>>) {
    match &expr.kind {
        TypeKind::Symbols(symbols) => {
            listed.extend(symbols.iter().map(|symbol| symbol.text.clone()))
        }
        TypeKind::Extended(terms) => terms.iter().for_each(|term| collect_symbols(term, listed)),
        TypeKind::Name(_) | TypeKind::Tuple(_) => {}
    }
}

fn board_dimensions(
    width: &Literal<i64>,
    height: &Literal<i64>,
    span: Span,
) -> Result<(u32, u32), Diagnostics> {
    if let Some(Literal { value, span }) = [width, height].into_iter().find(|side| side.value < 1) {
        let message = format!("board dimensions must be at least 1, found {value}");
        return Err(vec![check_error("BG029", *span, message)]);
    }
    match width.value.checked_mul(height.value) {
        Some(cells) if cells <= MAX_BOARD_CELLS => Ok((width.value as u32, height.value as u32)),
        _ => {
            let message = format!("board too large: the limit is {MAX_BOARD_CELLS} cells");
            Err(vec![check_error("BG029", span, message)])
        }
    }
}

fn array_not_board(span: Span) -> Diagnostic {
    let message = "`Board` must be an array, and no other type can be";
    check_error("BG030", span, message).note("write `type Board = Array (width, height) of …`")
}

fn not_an_enumeration(term: &TypeExpr, ty: &Type) -> Diagnostic {
    let ty = ty.expanded();
    let message = format!("expected an enumeration after `&`, found `{ty}`");
    check_error("BG025", term.span, message)
        .label(format!("this is `{ty}`"))
        .note("put the other type first: `Int & {None}`")
}
