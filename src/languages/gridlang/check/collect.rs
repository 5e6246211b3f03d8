//! The first pass: collects definitions, globals and signatures before any body is checked.

use super::definitions::Definitions;
use super::env::{Env, GlobalOrigin, Signature};
use crate::ast::*;
use crate::check::errors;
use crate::check::hir::Type;
use crate::language::{NameKind, Namespace, Reporter};
use crate::source::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Definitions<'_> {
    /// Runs the first pass, except for the signatures.
    pub fn collect(&mut self, ast: &Ast) {
        self.collect_definitions(ast);
        self.collect_attributes();
        self.collect_globals(ast);
        for block in bodies(ast) {
            visit_statements(block, &mut |statement| self.collect_implicit(statement));
        }
    }

    /// Whether the source may change the meaning of other definitions: those that mention a function
    /// or global of the source, unless it replaces one of the same type.
    pub fn affects_others(&self, ast: &Ast, before: &Env) -> bool {
        let defines_other = ast.definitions().any(|definition| match definition {
            Definition::Function(f) => {
                let name = &f.name.text;
                before.words.may_contain(name)
                    && before.signatures.get(name) != self.env.signatures.get(name)
            }
            _ => true,
        });
        defines_other
            || self.globals_affect_others(before)
            || self.env.player_types != before.player_types
            || self.env.instantiated_kinds != before.instantiated_kinds
    }

    /// Whether one of the declared globals may have another meaning where it is mentioned.
    pub fn globals_affect_others(&self, before: &Env) -> bool {
        let kind = |env: &Env, name: &Arc<str>| {
            let global = env.globals.get(name)?;
            Some((global.ty.clone(), global.origin))
        };
        self.declared_globals.iter().any(|name| {
            before.words.may_contain(name) && kind(before, name) != kind(&self.env, name)
        })
    }

    /// Adds the new definitions, replacing existing ones.
    fn collect_definitions(&mut self, ast: &Ast) {
        // Item kinds come first: the meaning of a handler depends on them.
        let items = ast.definitions();
        for definition in items.filter(|d| matches!(d, Definition::Item(_))) {
            self.env.define(definition);
        }
        let mut defined: BTreeMap<String, Span> = BTreeMap::new();
        for definition in ast.definitions() {
            let (what, span) = (self.describe(definition), definition.head());
            if let Some(first_span) = defined.insert(what.clone(), span) {
                self.report_duplicate(&what, span, first_span);
            }
            self.env.define(definition);
        }
    }

    /// What is defined, for messages. Tells `:uses` about it.
    fn describe(&mut self, definition: &Definition) -> String {
        match definition {
            Definition::Item(block) => {
                let Name { text, span } = &block.name;
                self.names
                    .define(Namespace::Pieces, NameKind::Piece, text, *span);
                format!("item `{text}`")
            }
            Definition::Function(function) => {
                let Name { text, span } = &function.name;
                self.names
                    .define(Namespace::Functions, NameKind::Function, text, *span);
                format!("function `{text}`")
            }
            _ => format!("`{}`", self.env.title(definition)),
        }
    }

    /// Declares the globals: top-level declarations, and those of a `Layout` in this source.
    fn collect_globals(&mut self, ast: &Ast) {
        let mut defined = BTreeMap::new();
        for statement in ast.statements() {
            self.declare_globals_of(statement, &mut defined);
        }
        for definition in ast.definitions() {
            let Definition::Layout(layout) = definition else {
                continue;
            };
            if let LayoutSize::Parameters(names) = &layout.size {
                for name in names {
                    let origin = GlobalOrigin::LayoutParameter;
                    self.declare_global(name, Type::Int, origin, &mut defined);
                }
            }
            for statement in &layout.code.body.statements {
                self.declare_globals_of(statement, &mut defined);
            }
        }
    }

    fn declare_globals_of(&mut self, statement: &Stmt, defined: &mut BTreeMap<Arc<str>, Span>) {
        let StmtKind::Declare { ty, declarators } = &statement.kind else {
            return;
        };
        let ty = self.resolve_type(ty);
        for Declarator { name, .. } in declarators {
            self.declare_global(name, ty.clone(), GlobalOrigin::Declared, defined);
            self.pending_globals.insert(name.text.clone(), name.span);
        }
    }

    fn declare_global(
        &mut self,
        name: &Name,
        ty: Type,
        origin: GlobalOrigin,
        defined: &mut BTreeMap<Arc<str>, Span>,
    ) {
        if let Some(first_span) = defined.insert(name.text.clone(), name.span) {
            self.report_duplicate(&format!("`{}`", name.text), name.span, first_span);
        }
        self.check_not_item_kind(name);
        self.names
            .define(Namespace::Values, NameKind::Variable, &name.text, name.span);
        self.add_global(&name.text, ty, name.span, origin);
    }

    /// Collects what a statement introduces implicitly: player types, players named in
    /// `playerOrder`, instances of item kinds.
    fn collect_implicit(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Declare {
                ty:
                    TypeName {
                        base: Base::ItemKind(kind),
                        ..
                    },
                declarators,
            } if declarators.iter().any(|d| d.init.is_none()) => {
                self.env.instantiated_kinds.insert(kind.text.clone());
            }
            StmtKind::Assign { target, value, .. } => match (&target.kind, &value.kind) {
                (ExprKind::Attribute(_, name), ExprKind::Text(text)) if &*name.text == "type" => {
                    self.env.player_types.insert(text.clone());
                }
                (ExprKind::PlayerOrder, ExprKind::Array(names)) => {
                    self.declare_quoted_players(names)
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn declare_quoted_players(&mut self, names: &[Expr]) {
        for name in names {
            let ExprKind::Text(text) = &name.kind else {
                continue;
            };
            if is_valid_name(text)
                && !self.env.globals.contains_key(text)
                && !self.env.items.contains_key(text)
            {
                self.add_global(text, Type::Player, name.span, GlobalOrigin::PlayerOrderName);
            }
        }
    }

    /// Resolves the types of these functions' parameters and results.
    pub fn collect_signatures(&mut self, functions: &[Arc<Function>]) {
        for function in functions {
            let types = function
                .parameters
                .iter()
                .map(|p| &p.ty)
                .chain(&function.return_type);
            types.for_each(|ty| self.check_parameter_size(ty));
            let parameters = function
                .parameters
                .iter()
                .map(|p| self.resolve_type(&p.ty))
                .collect();
            let return_type = function
                .return_type
                .as_ref()
                .map_or(Type::Void, |ty| self.resolve_type(ty));
            let signature = Signature {
                parameters,
                return_type,
            };
            self.env
                .signatures
                .insert(function.name.text.clone(), Arc::new(signature));
        }
    }

    /// A parameter takes an array of any size. A size given there is ignored, but must be a
    /// literal.
    fn check_parameter_size(&mut self, ty: &TypeName) {
        let ArraySizes::Explicit(sizes) = &ty.sizes else {
            return;
        };
        for size in sizes.iter().filter(|s| !matches!(s.kind, ExprKind::Int(_))) {
            let message = "an array parameter has no size";
            self.error(errors::ARRAY_SIZE, size.span, message)
                .add_note("leave the brackets empty, e.g. `int[] a`");
        }
    }
}

/// The functions defined in the source, by name.
pub fn new_functions(ast: &Ast) -> Vec<Arc<Function>> {
    let functions = ast.definitions().filter_map(|definition| match definition {
        Definition::Function(f) => Some((&f.name.text, f)),
        _ => None,
    });
    let by_name: BTreeMap<_, _> = functions.collect();
    by_name.into_values().cloned().collect()
}

/// The statements of all bodies in the source.
fn bodies(ast: &Ast) -> Vec<&[Stmt]> {
    let blocks = ast.definitions().filter_map(Definition::code);
    let bodies = blocks.map(|code| &code.body.statements[..]);
    let statements = ast.statements().map(std::slice::from_ref);
    bodies.chain(statements).collect()
}

fn is_valid_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !crate::info::INFO.keywords.contains(&text)
}
