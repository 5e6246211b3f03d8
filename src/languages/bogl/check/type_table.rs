//! The declared types of a program, and the resolution of type expressions.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::languages::bogl::ast::{Ident, Signature, TypeBody, TypeDef, TypeExpr, TypeKind};
use crate::languages::bogl::check::types::{BaseType, SignatureType, Type};
use crate::source::Span;

/// Limit on the number of cells of a board.
pub const MAX_BOARD_CELLS: i64 = 1 << 24;

/// All declared types in source order. The order matters: a symbol has the first type that lists
/// it.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct TypeTable {
    all: Vec<DeclaredType>,
    /// Index into `all` by type name.
    indices: HashMap<Arc<str>, usize>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredType {
    pub definition: Arc<TypeDef>,
    /// The declared type. For `Board`, the type of its cells.
    pub ty: Type,
    /// Width and height; only for `Board`.
    size: Option<(u32, u32)>,
    /// The symbols this definition lists itself, without those of other types it refers to.
    listed: BTreeSet<Arc<str>>,
}

/// The board's dimensions and cell type. Without `type Board`: a single `Int` cell.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardType {
    pub width: u32,
    pub height: u32,
    pub content: Type,
    /// The definition of `type Board`, if there is one.
    pub span: Option<Span>,
}

type Diagnostics = Vec<Diagnostic>;

impl TypeTable {
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &DeclaredType> {
        self.all.iter()
    }

    pub fn get(&self, name: &str) -> Option<&DeclaredType> {
        self.indices
            .get(name)
            .and_then(|&index| self.all.get(index))
    }

    fn push(&mut self, declared: DeclaredType) {
        self.indices
            .insert(declared.definition.name.text.clone(), self.all.len());
        self.all.push(declared);
    }

    pub fn board(&self) -> BoardType {
        match self.get("Board") {
            Some(DeclaredType {
                definition,
                ty,
                size: Some((width, height)),
                ..
            }) => {
                let span = Some(definition.span);
                BoardType {
                    width: *width,
                    height: *height,
                    content: ty.clone(),
                    span,
                }
            }
            _ => BoardType {
                width: 1,
                height: 1,
                content: Type::int(),
                span: None,
            },
        }
    }

    pub fn input(&self) -> Type {
        self.get("Input")
            .map_or_else(Type::int, |declared| declared.ty.clone())
    }

    /// Resolves a type name.
    pub fn resolve_name(&self, name: &str) -> Option<Type> {
        match name {
            "Int" => Some(Type::int()),
            "Bool" => Some(Type::bool()),
            "Board" => Some(Type::board()),
            "Input" => Some(self.input()),
            "Content" => self.get("Board").map(|board| board.ty.clone()),
            _ => self.get(name).map(|declared| declared.ty.clone()),
        }
    }

    /// The first declared type that lists a symbol.
    pub fn declaring_symbol(&self, symbol: &str) -> Option<&DeclaredType> {
        self.all
            .iter()
            .find(|declared| declared.listed.contains(symbol))
    }

    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        self.all
            .iter()
            .flat_map(|declared| declared.listed.iter().map(|symbol| &**symbol))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        let content = self.get("Board").map(|_| "Content");
        let declared_names = self
            .all
            .iter()
            .map(|declared| &*declared.definition.name.text);
        ["Int", "Bool", "Board", "Input"]
            .into_iter()
            .chain(content)
            .chain(declared_names)
    }

    /// A common supertype of two types; see [`Type::join`].
    pub fn join(&self, a: &Type, b: &Type) -> Option<Type> {
        let declared: Vec<&Type> = self.all.iter().map(|declared| &declared.ty).collect();
        a.join(b, &declared)
    }

    /// Adds a definition after all others.
    pub fn declare(&mut self, definition: &Arc<TypeDef>) -> Result<(), Diagnostics> {
        let name = &definition.name;
        if let Some(first) = self.get(&name.text) {
            let message = format!("duplicate definition of type `{}`", name.text);
            let diagnostic = Diagnostic::error(Phase::Check, "BG023", name.span, message);
            return Err(vec![
                diagnostic.related(first.definition.name.span, "first defined here"),
            ]);
        }
        if let Some(span) = reference_to(&name.text, definition).filter(|_| &*name.text != "Board")
        {
            let message = format!("type `{}` refers to itself", name.text);
            return error("BG036", span, message);
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
        for declared in self.all.iter().map(|declared| &declared.definition) {
            let uses_input = reference_to("Input", declared).is_some()
                || users
                    .iter()
                    .any(|user| reference_to(&user.name.text, declared).is_some());
            if uses_input { &mut users } else { &mut others }.push(declared);
        }
        let cycle = users
            .iter()
            .find_map(|user| Some((user, reference_to(&user.name.text, definition)?)));
        if let Some((user, span)) = cycle {
            let message = format!("type `Input` refers to itself through `{}`", user.name.text);
            let error = Diagnostic::error(Phase::Check, "BG036", span, message);
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
        let old = self.all.iter().map(|declared| &declared.definition);
        let has_same_name = |other: &Arc<TypeDef>| other.name.text == definition.name.text;
        let in_place = TypeTable::declare_all(old.clone().map(|other| {
            if has_same_name(other) {
                definition
            } else {
                other
            }
        }));
        in_place.or_else(|(invalid, diagnostics)| {
            let others = old.filter(|other| !has_same_name(other));
            let at_end = TypeTable::declare_all(others.chain([definition]));
            at_end.map_err(|_| {
                if has_same_name(&invalid) {
                    diagnostics
                } else {
                    vec![breaks_type(definition, &invalid, &diagnostics)]
                }
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

    fn resolve_definition(&self, definition: &Arc<TypeDef>) -> Result<DeclaredType, Diagnostics> {
        let name = &definition.name;
        if ["Int", "Bool", "Content"].contains(&&*name.text) {
            let message = format!("`{}` is built in and cannot be defined", name.text);
            return error("BG031", name.span, message);
        }
        let (expr, size, type_name) = match &definition.body {
            TypeBody::Array { content, .. } if &*name.text == "Board" => (
                content,
                Some(board_dimensions(&definition.body)?),
                "Content",
            ),
            TypeBody::Plain(expr) if &*name.text != "Board" => (expr, None, &*name.text),
            TypeBody::Array { span, .. } => return Err(vec![array_not_board(*span)]),
            TypeBody::Plain(expr) => return Err(vec![array_not_board(expr.span)]),
        };
        let ty = self.resolve_definition_body(expr, &name.text)?;
        if size.is_some() && ty.contains_board() {
            let message = "board cells cannot contain boards";
            return error("BG035", expr.span, message);
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
                let error = self.unknown_type(name, expr.span);
                Err(vec![error.note(format!(
                    "to list symbols, write braces: `{{{name}}}`"
                ))])
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

    fn enumeration(&self, symbols: &[Ident], own_name: &str) -> Result<Type, Diagnostics> {
        let mut first_uses: HashMap<&str, &Ident> = HashMap::new();
        for symbol in symbols {
            if let Some(first) = first_uses.insert(&symbol.text, symbol) {
                let message = format!("duplicate symbol `{}` in this enumeration", symbol.text);
                let diagnostic = Diagnostic::error(Phase::Check, "BG026", symbol.span, message);
                return Err(vec![diagnostic.related(first.span, "first listed here")]);
            }
            if self.resolve_name(&symbol.text).is_some() || &*symbol.text == own_name {
                let message = format!("symbol `{}` has the same name as a type", symbol.text);
                let diagnostic = Diagnostic::error(Phase::Check, "BG027", symbol.span, message);
                let type_span = self
                    .get(&symbol.text)
                    .map(|declared| declared.definition.name.span);
                let diagnostic = diagnostic.note(format!(
                    "write `& {}` to include the type's values",
                    symbol.text
                ));
                return Err(vec![type_span.map_or(diagnostic.clone(), |span| {
                    diagnostic.related(span, "the type is defined here")
                })]);
            }
        }
        Ok(Type::enumeration(
            symbols.iter().map(|symbol| symbol.text.clone()),
        ))
    }

    /// Resolves a type name or a tuple of type names: what signatures and tuples may contain.
    pub fn resolve(&self, expr: &TypeExpr) -> Result<Type, Diagnostics> {
        match &expr.kind {
            TypeKind::Name(name) => match self.resolve_name(name) {
                Some(found) => Ok(found),
                None => Err(vec![self.unknown_type(name, expr.span)]),
            },
            TypeKind::Tuple(parts) => {
                let ty = Type::tuple(
                    parts
                        .iter()
                        .map(|part| self.resolve(part))
                        .collect::<Result<_, _>>()?,
                );
                match ty.is_too_large() {
                    true => error("BG005", expr.span, "this tuple type is too large"),
                    false => Ok(ty),
                }
            }
            TypeKind::Symbols(_) | TypeKind::Extended(_) => {
                let message = "expected a type name or a tuple of type names";
                let diagnostic = Diagnostic::error(Phase::Check, "BG028", expr.span, message)
                    .label("this type has no name");
                Err(vec![diagnostic.note("give it a name first: `type T = …`")])
            }
        }
    }

    fn unknown_type(&self, name: &Arc<str>, span: Span) -> Diagnostic {
        let message = format!("unknown type `{name}`{}", did_you_mean(name, self.names()));
        let diagnostic = Diagnostic::error(Phase::Check, "BG024", span, message);
        match &**name {
            "Content" => diagnostic.note(
                "`Content` is the type of the board's cells; define `type Board = Array …` first",
            ),
            _ if self.declaring_symbol(name).is_some() => {
                diagnostic.note(format!("`{name}` is a value, not a type"))
            }
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

fn error<T>(code: &'static str, span: Span, message: impl Into<String>) -> Result<T, Diagnostics> {
    Err(vec![Diagnostic::error(Phase::Check, code, span, message)])
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

/// Where the right-hand side of a definition refers to a type.
fn reference_to(name: &str, definition: &TypeDef) -> Option<Span> {
    let mut reference = None;
    let (TypeBody::Plain(expr) | TypeBody::Array { content: expr, .. }) = &definition.body;
    expr.walk(&mut |ty| match &ty.kind {
        TypeKind::Name(other) if **other == *name && reference.is_none() => {
            reference = Some(ty.span)
        }
        _ => {}
    });
    reference
}

fn board_dimensions(body: &TypeBody) -> Result<(u32, u32), Diagnostics> {
    let TypeBody::Array {
        width,
        height,
        span,
        ..
    } = body
    else {
        return Ok((1, 1));
    };
    if let Some(invalid) = [width, height].into_iter().find(|side| side.value < 1) {
        let message = format!(
            "board dimensions must be at least 1, found {}",
            invalid.value
        );
        return error("BG029", invalid.span, message);
    }
    match width.value.checked_mul(height.value) {
        Some(cells) if cells <= MAX_BOARD_CELLS => Ok((width.value as u32, height.value as u32)),
        _ => {
            let message = format!("board too large: the limit is {MAX_BOARD_CELLS} cells");
            error("BG029", *span, message)
        }
    }
}

/// The error for a redefinition that would make another type invalid.
fn breaks_type(definition: &TypeDef, invalid: &TypeDef, diagnostics: &[Diagnostic]) -> Diagnostic {
    let (redefined, other) = (&definition.name, &invalid.name.text);
    let message = format!(
        "redefining `{}` would make the type `{other}` invalid",
        redefined.text
    );
    let mut diagnostic = Diagnostic::error(Phase::Check, "BG060", redefined.span, message);
    diagnostic.related.extend(
        diagnostics
            .iter()
            .filter_map(|error| Some((error.span?, error.message.clone()))),
    );
    diagnostic.note(format!(
        "redefine both in one entry: first `{other}`, without `{}`",
        redefined.text
    ))
}

fn array_not_board(span: Span) -> Diagnostic {
    let message = "`Board` must be an array, and no other type can be";
    Diagnostic::error(Phase::Check, "BG030", span, message)
        .note("write `type Board = Array (width, height) of …`")
}

fn not_an_enumeration(term: &TypeExpr, ty: &Type) -> Diagnostic {
    let message = format!(
        "expected an enumeration after `&`, found `{}`",
        ty.expanded()
    );
    let diagnostic = Diagnostic::error(Phase::Check, "BG025", term.span, message)
        .label(format!("this is `{}`", ty.expanded()));
    diagnostic.note("put the other type first: `Int & {None}`")
}
