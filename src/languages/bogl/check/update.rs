//! Applies the definitions of a text to an environment: declares them, then checks their bodies and
//! those of all other definitions that may depend on them.

use super::Checked;
use super::definition::{self, check_definition};
use super::env::{Env, GlobalDef, GlobalItem};
use super::infer::Checker;
use super::redefine::{
    broken_warning, has_only_undefined_names, refresh_type_name, stale_board_errors,
};
use super::resolution::{GlobalKind, Resolution};
use super::type_table::TypeTable;
use super::types::{SignatureType, Type};
use crate::ast::{Body, Definition, Expr, Item, Name, SessionLet, Signature, TypeDef};
use crate::diagnostic::{Diagnostic, Phase, has_errors};
use crate::language::Reporter;
use crate::parse::no_signature;
use crate::value::SharedMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is being checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Context {
    /// A game, which must be complete.
    Game,
    /// Preludes without a game, or a prelude that is added to a game. What they use may be defined
    /// later.
    Prelude,
    /// An entry. A definition may refer to names that will be defined later.
    Prompt,
}

/// Builds the next environment from the current one.
pub(super) struct Update<'e> {
    pub before: &'e Env,
    pub env: Env,
    pub diagnostics: Vec<Diagnostic>,
    /// Values, functions, boards and session lets defined by this text.
    pub defined: BTreeMap<Arc<str>, Name>,
    /// The session lets defined by this text, in source order.
    lets: Vec<Arc<str>>,
    context: Context,
    /// Locals of the stopped frame the entry was typed in.
    pub frame: &'e [(Name, Type)],
}

impl Reporter for Update<'_> {
    fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }
}

impl<'e> Update<'e> {
    pub fn new(before: &'e Env, context: Context) -> Update<'e> {
        Update {
            before,
            env: before.clone(),
            diagnostics: Vec::new(),
            defined: BTreeMap::new(),
            lets: Vec::new(),
            context,
            frame: &[],
        }
    }

    /// In a file, `type Board` and `type Input` must come before the first value.
    pub fn check_type_order(&mut self, items: &[Item]) {
        let after_value = items
            .iter()
            .skip_while(|item| !matches!(item, Item::Value(_)));
        for item in after_value {
            let Name { text, span } = item.name();
            if matches!(item, Item::Type(_)) && matches!(&**text, "Board" | "Input") {
                let message = format!("`type {text}` must be defined before the first value");
                self.error("BG033", *span, message);
            }
        }
    }

    /// Handles types and signatures first, so definitions can refer to later ones; then lets; then
    /// equations.
    pub fn apply(&mut self, items: &[Item]) {
        self.declare(items);
        self.check_items(items);
    }

    pub fn declare(&mut self, items: &[Item]) {
        let mut type_names = BTreeSet::new();
        for item in items {
            match item {
                Item::Type(definition) => {
                    let is_first = type_names.insert(definition.name.text.clone());
                    self.declare_type(definition, is_first)
                }
                Item::Value(definition) => self.declare_value(definition),
                Item::Let(_) => {}
            }
        }
    }

    pub fn check_items(&mut self, items: &[Item]) {
        // An invalid type or signature would be reported again at every use.
        if has_errors(&self.diagnostics) {
            return;
        }
        for item in items {
            if let Item::Let(session_let) = item {
                self.check_session_let(session_let);
            }
        }
        self.check_bodies();
    }

    /// A type may be redefined, but only once per text.
    fn declare_type(&mut self, definition: &Arc<TypeDef>, is_first: bool) {
        let known = self.env.types.get(&definition.name.text).is_some();
        let types = match known && is_first {
            true => self.env.types.redeclare(definition),
            false => {
                let mut types = TypeTable::clone(&self.env.types);
                let declared = types.declare(definition);
                declared.map(|()| types)
            }
        };
        match types {
            Ok(types) => self.env.types = Arc::new(types),
            Err(diagnostics) => {
                self.diagnostics.extend(diagnostics);
                Arc::make_mut(&mut self.env.types).declare_placeholder(definition);
            }
        }
    }

    /// Registers a name that this text defines. Reports an error and returns false if the name is
    /// reserved or this text defines it twice.
    fn claim_name(&mut self, name: &Name) -> bool {
        if let Some(error) = definition::reserved_name_error(name) {
            self.report(error);
            return false;
        }
        if let Some(first) = self.defined.get(&name.text).map(|first| first.span) {
            let message = format!("duplicate definition of `{}`", name.text);
            self.error("BG021", name.span, message)
                .add_related(first, "first defined here");
            return false;
        }
        self.defined.insert(name.text.clone(), name.clone());
        true
    }

    /// Adds a definition with its signature. Its body is checked later.
    fn declare_value(&mut self, definition: &Arc<Definition>) {
        if !self.claim_name(&definition.name) {
            return;
        }
        let Some((definition, signature)) = self.complete_definition(definition) else {
            return;
        };
        match self.env.types.signature_type(&signature) {
            Ok(signature_type) => {
                let name = definition.name.text.clone();
                let item = GlobalItem::Definition(definition, signature);
                self.insert_global(&name, signature_type, item, Resolution::default());
            }
            Err(diagnostics) => self.diagnostics.extend(diagnostics),
        }
    }

    /// Fills in the earlier signature if this text has none. Board equations without a signature
    /// are appended to the existing ones.
    fn complete_definition(
        &mut self,
        definition: &Arc<Definition>,
    ) -> Option<(Arc<Definition>, Arc<Signature>)> {
        if let Some(signature) = &definition.signature {
            return Some((definition.clone(), Arc::new(signature.clone())));
        }
        let Name { text: name, .. } = &definition.name;
        let earlier = self.before.global(name).map(|global| &global.item);
        let Some(GlobalItem::Definition(old, signature)) = earlier else {
            let note = match &definition.body {
                Body::Value(expr) => {
                    let found = Checker::new(&self.env).infer(expr);
                    let ty = found.map_or_else(Type::int, |found| found.ty);
                    format!(
                        "write `let {name} = …` to define a session variable, or give its type first: `{name} : {ty}`"
                    )
                }
                Body::Board(_) => format!("write its type first: `{name} : Board`"),
                Body::Function { .. } => format!("write its type first: `{name} : …`"),
            };
            self.report(no_signature(&definition.name).note(note));
            return None;
        };
        let body = match (&old.body, &definition.body) {
            (Body::Board(old), Body::Board(new)) => {
                Body::Board(old.iter().chain(new).cloned().collect())
            }
            (_, new) => new.clone(),
        };
        let merged = Definition {
            body,
            ..Definition::clone(definition)
        };
        Some((Arc::new(merged), signature.clone()))
    }

    fn insert_global(
        &mut self,
        name: &Arc<str>,
        signature_type: SignatureType,
        item: GlobalItem,
        resolution: Resolution,
    ) {
        let known = self.env.global(name).map(|global| global.order);
        let order = known.unwrap_or_else(|| {
            self.env.last_order += 1;
            self.env.last_order
        });
        let global = Arc::new(GlobalDef {
            name: name.clone(),
            signature_type,
            item,
            resolution,
            order,
        });
        match global.kind() {
            GlobalKind::Board => drop(self.env.boards.insert(name.clone(), global.clone())),
            _ => drop(self.env.boards.remove(name)),
        }
        self.env.globals.insert(name.clone(), global);
    }

    /// Infers the type of an expression of this text, which can refer to the locals of the frame.
    fn infer(&mut self, expr: &Expr) -> (Resolution, Option<Type>) {
        let mut checker = Checker::new(&self.env).with_frame_locals(self.frame);
        let found = checker.infer(expr);
        let (resolution, diagnostics) = checker.finish();
        self.diagnostics.extend(diagnostics);
        (resolution, found.map(|found| found.ty))
    }

    fn check_session_let(&mut self, session_let: &Arc<SessionLet>) {
        if !self.claim_name(&session_let.name) {
            return;
        }
        if let (resolution, Some(ty)) = self.infer(&session_let.value) {
            let name = &session_let.name.text;
            let item = GlobalItem::Let(session_let.clone());
            self.insert_global(name, SignatureType::Value(ty), item, resolution);
            self.lets.push(name.clone());
        }
    }

    /// Checks every definition. Errors in new definitions are reported; old ones that fail become
    /// broken.
    fn check_bodies(&mut self) {
        if self.defined.is_empty() && *self.env.types == *self.before.types {
            return;
        }
        let globals: Vec<Arc<GlobalDef>> = match self.affects_others() {
            false => {
                for name in self.defined.keys() {
                    self.env.broken.remove(name);
                }
                let defined: Vec<Arc<str>> = self.defined.keys().cloned().collect();
                let globals = self.env.globals_among(Some(&defined));
                globals.into_iter().cloned().collect()
            }
            true => {
                self.env.broken = SharedMap::default();
                self.env.globals().into_iter().cloned().collect()
            }
        };
        for global in globals {
            let is_new = self.defined.contains_key(&global.name);
            if is_new && global.kind() == GlobalKind::Let {
                continue;
            }
            let (signature_type, resolution, diagnostics) = self.check_global(&global);
            if is_new && !self.may_wait(&global, &diagnostics) {
                self.diagnostics.extend(diagnostics);
            } else if has_errors(&diagnostics) {
                self.break_global(&global.name, diagnostics);
            }
            let item = global.item.clone();
            self.insert_global(&global.name, signature_type, item, resolution);
        }
        self.check_circular_boards();
    }

    fn break_global(&mut self, name: &Arc<str>, errors: Vec<Diagnostic>) {
        self.env.broken.insert(name.clone(), Arc::new(errors));
    }

    /// What a definition, or a session let of an earlier text, means now, and what is wrong with it.
    fn check_global(&self, global: &GlobalDef) -> (SignatureType, Resolution, Vec<Diagnostic>) {
        let old = (&global.signature_type, &global.resolution);
        match &global.item {
            GlobalItem::Definition(definition, signature) => {
                match self.env.types.signature_type(signature) {
                    Ok(ty) => {
                        let (resolution, diagnostics) =
                            check_definition(&self.env, definition, signature, &ty);
                        (ty, resolution, diagnostics)
                    }
                    Err(diagnostics) => (old.0.clone(), old.1.clone(), diagnostics),
                }
            }
            GlobalItem::Let(session_let) => {
                let stale = stale_board_errors(session_let, old.0);
                let diagnostics = if self.has_new_board() { stale } else { vec![] };
                let ty = refresh_type_name(old.0, &self.env.types);
                (ty, old.1.clone(), diagnostics)
            }
        }
    }

    /// Whether a new definition with these errors may become valid later.
    fn may_wait(&self, global: &GlobalDef, diagnostics: &[Diagnostic]) -> bool {
        match self.context {
            Context::Game => false,
            // The size and the cells of the board are up to the game.
            Context::Prelude if self.env.types.board().span.is_none() => {
                has_errors(diagnostics)
                    && matches!(global.kind(), GlobalKind::Function | GlobalKind::Value)
            }
            Context::Prelude | Context::Prompt => has_only_undefined_names(global, diagnostics),
        }
    }

    /// Whether this text may change the meaning of other definitions: those that mention something
    /// it defines, unless that replaces something of the same type.
    fn affects_others(&self) -> bool {
        let interface = |env: &Env, name: &str| {
            let global = env.global(name)?;
            Some((global.kind(), global.signature_type.clone()))
        };
        self.context == Context::Game
            || self.before.words.is_empty()
            || *self.env.types != *self.before.types
            || self.defined.keys().any(|name| {
                self.before.words.may_contain(name)
                    && interface(self.before, name) != interface(&self.env, name)
            })
    }

    /// Reports boards that depend on themselves: a board is evaluated before it can be used.
    fn check_circular_boards(&mut self) {
        let reaches_itself = |board: &&Arc<GlobalDef>| {
            let reached = self.env.reachable(&board.resolution.uses);
            reached.contains(&board.name)
        };
        let boards = self.env.boards.values();
        let circular: Vec<Arc<GlobalDef>> = boards.filter(reaches_itself).cloned().collect();
        for board in circular {
            let GlobalItem::Definition(definition, _) = &board.item else {
                continue;
            };
            let message = format!("board `{}` depends on itself", board.name);
            let diagnostic = Diagnostic::error(Phase::Type, "BG054", definition.name.span, message)
                .note("one of its equations, or something it uses, reads the board being defined");
            match self.defined.contains_key(&board.name) {
                true => self.diagnostics.push(diagnostic),
                false => self.break_global(&board.name, vec![diagnostic]),
            }
        }
    }

    pub fn finish(mut self, expr: Option<&Expr>) -> Checked {
        let is_valid = !has_errors(&self.diagnostics);
        let expr = expr.filter(|_| is_valid).and_then(|expr| {
            let (resolution, ty) = self.infer(expr);
            self.check_runnable(&resolution.uses, expr.span);
            Some((resolution, ty?))
        });
        for name in self.lets.clone() {
            if let (Some(global), Some(defined)) =
                (self.env.global(&name).cloned(), self.defined.get(&name))
            {
                self.check_runnable(&global.resolution.uses, defined.span);
            }
        }
        if has_errors(&self.diagnostics) {
            return Checked {
                env: self.before.clone(),
                diagnostics: self.diagnostics,
                ..Checked::default()
            };
        }
        let boards_to_evaluate = self.boards_to_evaluate();
        let only_broken_in = |env: &Env, other: &Env| -> Vec<Arc<str>> {
            let broken = env.broken.keys();
            let broken = broken.filter(|name| !other.broken.contains_key(*name));
            broken.cloned().collect()
        };
        for name in only_broken_in(&self.env, self.before) {
            let is_new = self.defined.contains_key(&name);
            let errors = self.env.broken(&name).unwrap_or_default();
            self.diagnostics
                .extend(broken_warning(&name, errors, is_new));
        }
        let newly_fixed = only_broken_in(self.before, &self.env);
        let changed_alone =
            (!self.affects_others()).then(|| self.defined.keys().cloned().collect());
        Checked {
            env: self.env,
            diagnostics: self.diagnostics,
            expr,
            boards_to_evaluate,
            lets_to_evaluate: self.lets,
            newly_fixed,
            changed_alone,
        }
    }
}
