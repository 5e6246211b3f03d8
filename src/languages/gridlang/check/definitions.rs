//! What the checker knows about the definitions of a session, and of the source that it checks.

use crate::ast::{ArraySizes, Ast, Base, Expr, Name, TypeName};
use crate::check::env::{Env, GlobalInfo, GlobalOrigin};
use crate::check::errors;
use crate::check::hir::{Attribute, Type};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::language::{Names, Namespace, Reporter};
use crate::source::{SourceId, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The built-in types, for suggestions.
const TYPE_NAMES: [&str; 7] = [
    "int",
    "float",
    "string",
    "boolean",
    "coordinate",
    "Player",
    "Item",
];

/// The definitions of a session together with those of the source, and what is wrong with them.
pub struct Definitions<'a> {
    pub env: Env,
    /// The source that is being checked.
    source: SourceId,
    pub diagnostics: Vec<Diagnostic>,
    /// The attributes, whose default values are not checked yet.
    pub player_attributes: Vec<Attribute<Expr>>,
    pub item_attributes: BTreeMap<Arc<str>, Vec<Attribute<Expr>>>,
    pub declared_globals: Vec<Arc<str>>,
    pub implicit_pieces: Vec<Arc<str>>,
    /// Globals of this source that are declared further down, with the span of their name.
    pub pending_globals: BTreeMap<Arc<str>, Span>,
    /// Player types declared in the `Player` block, as opposed to those merely assigned.
    pub declared_player_types: BTreeSet<Arc<str>>,
    /// Whether a body calls `createGrid`.
    pub creates_grid: bool,
    /// Unknown types that have already been reported.
    reported_types: BTreeSet<Arc<str>>,
    /// Where names are defined and used.
    pub names: Names<'a>,
}

impl Reporter for Definitions<'_> {
    fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }

    fn complete(&self, diagnostic: &mut Diagnostic) {
        if diagnostic
            .span
            .is_some_and(|span| span.source != self.source)
        {
            diagnostic.add_note("this was defined earlier and would no longer be valid");
        }
    }
}

impl<'a> Definitions<'a> {
    pub fn new(ast: &Ast, env: &Env, names: Names<'a>) -> Self {
        Definitions {
            env: env.clone(),
            source: ast.source,
            diagnostics: Vec::new(),
            player_attributes: Vec::new(),
            item_attributes: BTreeMap::new(),
            declared_globals: Vec::new(),
            implicit_pieces: Vec::new(),
            pending_globals: BTreeMap::new(),
            declared_player_types: BTreeSet::new(),
            creates_grid: false,
            reported_types: BTreeSet::new(),
            names,
        }
    }

    /// True while the rules of play are checked. Only they have names that start with `@`.
    pub fn is_rules(&self) -> bool {
        self.source == SourceId::RULES
    }

    pub fn add_global(&mut self, name: &Arc<str>, ty: Type, span: Span, origin: GlobalOrigin) {
        let declaration_index = self.env.global_count;
        self.env.global_count += 1;
        self.declared_globals.push(name.clone());
        self.env.globals.insert(
            name.clone(),
            GlobalInfo {
                ty,
                span,
                origin,
                declaration_index,
            },
        );
        if matches!(
            origin,
            GlobalOrigin::PlayerOrderName | GlobalOrigin::SingletonItem
        ) {
            self.implicit_pieces.push(name.clone());
        }
    }

    /// Resolves a written type.
    pub fn resolve_type(&mut self, written: &TypeName) -> Type {
        if let Base::ItemKind(kind) = &written.base {
            self.names.refer(Namespace::Pieces, &kind.text, kind.span);
        }
        let base = match &written.base {
            Base::Known(ty) => ty.clone(),
            Base::ItemKind(kind) if self.env.items.contains_key(&kind.text) => {
                Type::Item(Some(kind.text.clone()))
            }
            Base::ItemKind(kind) => match (self.is_rules(), &*kind.text) {
                (true, "@Piece") => Type::AnyPiece,
                (true, "@Pieces") => Type::AnyPiece.into_list(),
                (true, "@Players") => Type::Player.into_list(),
                (true, "@Any") => Type::Unknown,
                _ => self.unknown_type(kind),
            },
        };
        // An array of an unknown type is compatible with every type, too.
        if base == Type::Unknown && !self.is_rules() {
            return base;
        }
        let dimensions = match &written.sizes {
            ArraySizes::NotArray => return base,
            ArraySizes::Omitted(n) => *n,
            ArraySizes::Explicit(sizes) => sizes.len(),
        };
        if dimensions > 2 {
            let message = "an array has at most two dimensions";
            self.error(errors::ARRAY_SIZE, written.span, message);
        }
        Type::Array(Box::new(base), dimensions.min(2))
    }

    fn unknown_type(&mut self, kind: &Name) -> Type {
        let known = self.env.items.keys().map(|k| &**k);
        let hint = did_you_mean(&kind.text, known.chain(TYPE_NAMES));
        if self.reported_types.insert(kind.text.clone()) {
            let note = match &*kind.text {
                "char" | "str" | "text" | "Text" | "character" => "text is a `string`".to_string(),
                "double" | "real" | "Float" | "decimal" => "use `float`".to_string(),
                "long" | "short" | "byte" | "number" | "Number" | "unsigned" => {
                    "use `int`, or `float` for fractions".to_string()
                }
                "var" | "let" | "auto" | "const" | "val" => {
                    "a variable has a type: `int n = 0`".to_string()
                }
                other => format!("define a kind of item with `Item {other} {{ … }}`"),
            };
            let note = hint.is_empty().then_some(note);
            let message = format!("unknown type `{}`{hint}", kind.text);
            self.error(errors::UNKNOWN_TYPE, kind.span, message)
                .notes
                .extend(note);
        }
        Type::Unknown
    }

    pub fn report_duplicate(&mut self, what: &str, span: Span, first_span: Span) {
        let message = format!("duplicate definition of {what}");
        self.error(errors::DUPLICATE_DEFINITION, span, message)
            .add_related(first_span, "first defined here");
    }

    /// Reports a variable with the name of a kind of item.
    pub fn check_not_item_kind(&mut self, name: &Name) {
        if let Some(kind) = self.env.items.get(&name.text) {
            let kind_span = kind.name.span;
            let message = format!("`{}` is already the name of a kind of item", name.text);
            self.error(errors::DUPLICATE_DEFINITION, name.span, message)
                .add_related(kind_span, "defined here");
        }
    }

    /// Warns if no player can have the player type used in a comparison or handler.
    pub fn warn_unknown_player_type(&mut self, name: &str, span: Span) {
        if self.env.player_types.is_empty()
            || self.env.player_types.contains(name)
            || name.is_empty()
        {
            return;
        }
        let hint = did_you_mean(name, self.env.player_types.iter().map(|k| &**k));
        let message = format!("unknown player type \"{name}\"{hint}");
        self.warning(errors::UNKNOWN_PLAYER_TYPE, span, message);
    }

    /// Warns about an assigned player type that looks like a misspelling of a declared one.
    pub fn check_assigned_player_type(&mut self, name: &str, span: Span) {
        let declared = &self.declared_player_types;
        let hint = did_you_mean(name, declared.iter().map(|k| &**k));
        if !declared.contains(name) && !hint.is_empty() {
            let message = format!("unknown player type \"{name}\"{hint}");
            self.warning(errors::UNKNOWN_PLAYER_TYPE, span, message);
        }
    }
}
