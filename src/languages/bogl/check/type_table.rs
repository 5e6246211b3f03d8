//! The declared types of a program.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::ast::TypeDef;
use crate::check::types::Type;
use crate::diagnostic::{Diagnostic, Phase};
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

impl TypeTable {
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &DeclaredType> + Clone {
        self.all.iter()
    }

    pub fn get(&self, name: &str) -> Option<&DeclaredType> {
        self.indices
            .get(name)
            .and_then(|&index| self.all.get(index))
    }

    pub(super) fn push(&mut self, declared: DeclaredType) {
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
            // `Content` itself is only declared by a definition that is an error.
            "Content" => {
                let declared = self.get("Board").or_else(|| self.get("Content"));
                declared.map(|declared| declared.ty.clone())
            }
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
}

/// An error in the definition of a type.
pub(super) fn check_error(
    code: &'static str,
    span: Span,
    message: impl Into<String>,
) -> Diagnostic {
    Diagnostic::error(Phase::Check, code, span, message)
}
