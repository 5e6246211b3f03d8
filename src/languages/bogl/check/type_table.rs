//! The declared types of a program.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Phase};
use crate::languages::bogl::ast::{Name, TypeDef, TypeKind};
use crate::languages::bogl::check::types::{BaseType, Type};
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
    pub(super) size: Option<(u32, u32)>,
    /// The symbols this definition lists itself, without those of other types it refers to.
    pub(super) listed: BTreeSet<Arc<str>>,
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
            }) => BoardType {
                width: *width,
                height: *height,
                content: ty.clone(),
                span: Some(definition.span),
            },
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
        let mut all = self.all.iter();
        all.find(|declared| declared.listed.contains(symbol))
    }

    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        let listed = self.all.iter().flat_map(|declared| &declared.listed);
        listed.map(|symbol| &**symbol)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        let content = self.get("Board").map(|_| "Content");
        let built_in = ["Int", "Bool", "Board", "Input"].into_iter().chain(content);
        let declared = self.all.iter();
        built_in.chain(declared.map(|declared| &*declared.definition.name.text))
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
        for declared in self.all.iter().map(|declared| &declared.definition) {
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
        let old = self.all.iter().map(|declared| &declared.definition);
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

/// An error in the definition of a type.
pub(super) fn check_error(
    code: &'static str,
    span: Span,
    message: impl Into<String>,
) -> Diagnostic {
    Diagnostic::error(Phase::Check, code, span, message)
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
