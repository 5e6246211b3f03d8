//! Checks a whole program, or an entry against what is already defined.
//!
//! At the prompt everything may be redefined. All other definitions are then rechecked. Those that
//! no longer type-check are kept but reported as broken; nothing that depends on them runs until
//! they are fixed.

pub mod builtin;
pub mod call;
pub mod definition;
pub mod env;
pub mod infer;
pub mod names;
mod prelude;
mod redefine;
pub mod resolution;
#[cfg(test)]
mod tests;
pub mod type_error;
pub mod type_table;
pub mod types;

pub use prelude::{check_prelude, check_preludes};
pub use redefine::can_reevaluate;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ast::{
    Body, Definition, Entry, Expr, Ident, Item, Program, SessionLet, Signature, TypeDef,
};
use crate::diagnostic::{Diagnostic, Phase};
use crate::languages::bogl::check::env::{Env, GlobalDef, GlobalItem, Prelude};
use crate::languages::bogl::check::infer::Checker;
use crate::languages::bogl::check::resolution::{GlobalKind, Resolution};
use crate::languages::bogl::check::type_error::UNDEFINED_NAME_CODE;
use crate::languages::bogl::check::type_table::TypeTable;
use crate::languages::bogl::check::types::{SignatureType, Type};
use crate::source::Span;
use crate::value::SharedMap;
use definition::INCOMPLETE_BOARD_CODE;
use redefine::{broken_warning, has_only_undefined_names, refresh_type_name, stale_board_errors};

/// The result of checking a program or an entry.
#[derive(Debug, Default)]
pub struct Checked {
    /// The new environment, or the unchanged old one after an error.
    pub env: Env,
    /// Includes a warning for each definition that this change breaks; [`Env::broken`] has the
    /// errors.
    pub diagnostics: Vec<Diagnostic>,
    /// Name resolution and type of the expression to evaluate, if there is one.
    pub expr: Option<(Resolution, Type)>,
    /// Boards to evaluate, in dependency order.
    pub boards_to_evaluate: Vec<Arc<str>>,
    /// Session lets to evaluate, in source order.
    pub lets_to_evaluate: Vec<Arc<str>>,
    /// Definitions that were broken and type-check again.
    pub newly_fixed: Vec<Arc<str>>,
    /// What is defined, if all other definitions keep their meaning.
    pub changed_alone: Option<Vec<Arc<str>>>,
}

impl Checked {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// All diagnostics as `Err` if one of them is an error.
    pub fn into_result(self) -> Result<Checked, Vec<Diagnostic>> {
        match self.has_errors() {
            true => Err(self.diagnostics),
            false => Ok(self),
        }
    }
}

/// Checks a source file as a new game that uses these preludes.
pub fn check_program(preludes: Arc<Vec<Prelude>>, program: &Program) -> Checked {
    let empty = Env::default();
    let mut update = Update::new(&empty, Context::Game);
    update.check_type_order(&program.items);
    update.apply_files(preludes, &program.items);
    update.finish(None)
}

/// Checks an entry. A pasted program replaces everything.
pub fn check_entry(entry: &Entry, env: &Env) -> Checked {
    check_entry_in_frame(entry, env, &[])
}

/// Like [`check_entry`], but expressions and session lets can also refer to the locals of a stopped
/// frame (innermost last).
pub fn check_entry_in_frame(entry: &Entry, env: &Env, frame: &[(Ident, Type)]) -> Checked {
    match entry {
        Entry::Game(program) => check_program(env.preludes.clone(), program),
        Entry::Lines { items, expr } => {
            let mut update = Update {
                frame,
                ..Update::new(env, Context::Prompt)
            };
            update.apply(items);
            update.finish(expr.as_ref())
        }
    }
}

/// True if the entry ends with the equations of a board that still has unset cells, so more
/// equations may follow on the next line.
pub fn is_board_incomplete(entry: &Entry, env: &Env) -> bool {
    let Entry::Lines { items, expr: None } = entry else {
        return false;
    };
    let Some(Item::Value(last)) = items.last() else {
        return false;
    };
    let checked = check_entry(entry, env);
    let mut errors = checked
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .peekable();
    errors.peek().is_some()
        && errors
            .all(|error| error.code == INCOMPLETE_BOARD_CODE && error.span == Some(last.name.span))
}

/// What is being checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Context {
    /// A game, which must be complete.
    Game,
    /// Preludes without a game, or a prelude that is added to a game. What they use may be defined
    /// later.
    Prelude,
    /// An entry. A definition may refer to names that will be defined later.
    Prompt,
}

/// Builds the next environment from the current one.
struct Update<'e> {
    before: &'e Env,
    env: Env,
    diagnostics: Vec<Diagnostic>,
    /// Values, functions, boards and session lets defined by this text.
    defined: BTreeMap<Arc<str>, Ident>,
    /// The session lets defined by this text, in source order.
    lets: Vec<Arc<str>>,
    context: Context,
    /// Locals of the stopped frame the entry was typed in.
    frame: &'e [(Ident, Type)],
}

impl<'e> Update<'e> {
    fn new(before: &'e Env, context: Context) -> Update<'e> {
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
    fn check_type_order(&mut self, items: &[Item]) {
        let first_value = items
            .iter()
            .position(|item| matches!(item, Item::Value(_)))
            .unwrap_or(items.len());
        for item in &items[first_value..] {
            if let Item::Type(definition) = item
                && matches!(&*definition.name.text, "Board" | "Input")
            {
                let message = format!(
                    "`type {}` must be defined before the first value",
                    definition.name.text
                );
                self.diagnostics.push(Diagnostic::error(
                    Phase::Check,
                    "BG033",
                    definition.name.span,
                    message,
                ));
            }
        }
    }

    /// Handles types and signatures first, so definitions can refer to later ones; then lets; then
    /// equations.
    fn apply(&mut self, items: &[Item]) {
        self.declare(items);
        self.check_items(items);
    }

    fn declare(&mut self, items: &[Item]) {
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

    fn check_items(&mut self, items: &[Item]) {
        // An invalid type or signature would be reported again at every use.
        if self.has_errors() {
            return;
        }
        for item in items {
            if let Item::Let(session_let) = item {
                self.check_session_let(session_let);
            }
        }
        self.check_bodies();
    }

    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
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
    fn claim_name(&mut self, name: &Ident) -> bool {
        if let Some(error) = definition::reserved_name_error(name) {
            self.diagnostics.push(error);
            return false;
        }
        if let Some(first) = self.defined.get(&name.text) {
            let message = format!("duplicate definition of `{}`", name.text);
            let diagnostic = Diagnostic::error(Phase::Check, "BG021", name.span, message);
            self.diagnostics
                .push(diagnostic.related(first.span, "first defined here"));
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
            Ok(signature_type) => self.insert_global(
                &definition.name.text.clone(),
                signature_type,
                GlobalItem::Definition(definition, signature),
                Resolution::default(),
            ),
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
        let name = &definition.name;
        let earlier = self
            .before
            .globals
            .get(&name.text)
            .map(|global| &global.item);
        let Some(GlobalItem::Definition(old, signature)) = earlier else {
            let message = format!("`{}` has no signature", name.text);
            let diagnostic = Diagnostic::error(Phase::Check, "BG020", name.span, message);
            let note = match &definition.body {
                Body::Value(expr) => {
                    let found = Checker::new(&self.env).infer(expr);
                    let ty = found.map_or_else(Type::int, |found| found.ty);
                    format!(
                        "write `let {0} = …` to define a session variable, or give its type first: `{0} : {ty}`",
                        name.text
                    )
                }
                Body::Board(_) => format!("write its type first: `{} : Board`", name.text),
                Body::Function { .. } => format!("write its type first: `{} : …`", name.text),
            };
            self.diagnostics.push(diagnostic.note(note));
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
        let order = self
            .env
            .globals
            .get(name)
            .map(|global| global.order)
            .unwrap_or_else(|| {
                self.env.last_order += 1;
                self.env.last_order
            });
        let global = GlobalDef {
            name: name.clone(),
            signature_type,
            item,
            resolution,
            order,
        };
        let global = Arc::new(global);
        match global.kind() {
            GlobalKind::Board => drop(self.env.boards.insert(name.clone(), global.clone())),
            _ => drop(self.env.boards.remove(name)),
        }
        self.env.globals.insert(name.clone(), global);
    }

    fn check_session_let(&mut self, session_let: &Arc<SessionLet>) {
        if !self.claim_name(&session_let.name) {
            return;
        }
        let mut checker = Checker::new(&self.env).with_frame_locals(self.frame);
        let found = checker.infer(&session_let.value);
        let (resolution, diagnostics) = checker.finish();
        self.diagnostics.extend(diagnostics);
        if let Some(found) = found {
            self.insert_global(
                &session_let.name.text,
                SignatureType::Value(found.ty),
                GlobalItem::Let(session_let.clone()),
                resolution,
            );
            self.lets.push(session_let.name.text.clone());
        }
    }

    /// Checks every definition. Errors in new definitions are reported; old ones that fail become
    /// broken.
    fn check_bodies(&mut self) {
        if self.defined.is_empty() && *self.env.types == *self.before.types {
            return;
        }
        let board_changed = self.env.types.board() != self.before.types.board();
        let globals: Vec<Arc<GlobalDef>> = match self.affects_others() {
            false => {
                for name in self.defined.keys() {
                    self.env.broken.remove(name);
                }
                let defined = self.defined.keys().filter_map(|name| self.env.global(name));
                let mut defined: Vec<_> = defined.cloned().collect();
                defined.sort_by_key(|global| global.order);
                defined
            }
            true => {
                self.env.broken = SharedMap::default();
                self.env.globals().into_iter().cloned().collect()
            }
        };
        for global in globals {
            let is_new = self.defined.contains_key(&global.name);
            let (signature_type, resolution, diagnostics) = match &global.item {
                GlobalItem::Definition(definition, signature) => {
                    match self.env.types.signature_type(signature) {
                        Ok(signature_type) => {
                            let (resolution, diagnostics) = definition::check_definition(
                                &self.env,
                                definition,
                                signature,
                                &signature_type,
                            );
                            (signature_type, resolution, diagnostics)
                        }
                        Err(diagnostics) => (
                            global.signature_type.clone(),
                            global.resolution.clone(),
                            diagnostics,
                        ),
                    }
                }
                GlobalItem::Let(_) if is_new => continue,
                GlobalItem::Let(session_let) => {
                    let diagnostics = if board_changed {
                        stale_board_errors(session_let, &global.signature_type)
                    } else {
                        Vec::new()
                    };
                    (
                        refresh_type_name(&global.signature_type, &self.env.types),
                        global.resolution.clone(),
                        diagnostics,
                    )
                }
            };
            if is_new && !self.may_wait(&global, &diagnostics) {
                self.diagnostics.extend(diagnostics);
            } else if diagnostics.iter().any(Diagnostic::is_error) {
                self.env
                    .broken
                    .insert(global.name.clone(), Arc::new(diagnostics));
            }
            self.insert_global(
                &global.name,
                signature_type,
                global.item.clone(),
                resolution,
            );
        }
        self.check_circular_boards();
    }

    /// Whether a new definition with these errors may become valid later.
    fn may_wait(&self, global: &GlobalDef, diagnostics: &[Diagnostic]) -> bool {
        match self.context {
            Context::Game => false,
            // The size and the cells of the board are up to the game.
            Context::Prelude if self.env.types.board().span.is_none() => {
                diagnostics.iter().any(Diagnostic::is_error)
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
        let boards = self.env.boards.values();
        let circular: Vec<Arc<GlobalDef>> = boards
            .filter(|board| {
                self.env
                    .reachable(&board.resolution.uses)
                    .contains(&board.name)
            })
            .cloned()
            .collect();
        for board in circular {
            let GlobalItem::Definition(definition, _) = &board.item else {
                continue;
            };
            let message = format!("board `{}` depends on itself", board.name);
            let diagnostic = Diagnostic::error(Phase::Type, "BG054", definition.name.span, message)
                .note("one of its equations, or something it uses, reads the board being defined");
            match self.defined.contains_key(&board.name) {
                true => self.diagnostics.push(diagnostic),
                false => drop(
                    self.env
                        .broken
                        .insert(board.name.clone(), Arc::new(vec![diagnostic])),
                ),
            }
        }
    }

    fn finish(mut self, expr: Option<&Expr>) -> Checked {
        let checked_expr = expr
            .filter(|_| !self.has_errors())
            .and_then(|expr| self.check_expression(expr));
        for name in self.lets.clone() {
            let uses = self
                .env
                .globals
                .get(&name)
                .map(|global| global.resolution.uses.clone())
                .unwrap_or_default();
            self.check_let_runnable(&uses, &name);
        }
        if self.has_errors() {
            return Checked {
                env: self.before.clone(),
                diagnostics: self.diagnostics,
                ..Checked::default()
            };
        }
        let boards_to_evaluate = self.boards_to_evaluate();
        let only_broken_in = |env: &Env, other: &Env| -> Vec<Arc<str>> {
            env.broken
                .keys()
                .filter(|name| !other.broken.contains_key(*name))
                .cloned()
                .collect()
        };
        for name in only_broken_in(&self.env, self.before) {
            let is_new = self.defined.contains_key(&name);
            self.diagnostics.extend(
                self.env
                    .broken(&name)
                    .and_then(|diagnostics| broken_warning(&name, diagnostics, is_new)),
            );
        }
        let newly_fixed = only_broken_in(self.before, &self.env);
        let changed_alone =
            (!self.affects_others()).then(|| self.defined.keys().cloned().collect());
        Checked {
            env: self.env,
            diagnostics: self.diagnostics,
            expr: checked_expr,
            boards_to_evaluate,
            lets_to_evaluate: self.lets,
            newly_fixed,
            changed_alone,
        }
    }

    fn check_expression(&mut self, expr: &Expr) -> Option<(Resolution, Type)> {
        let mut checker = Checker::new(&self.env).with_frame_locals(self.frame);
        let found = checker.infer(expr);
        let (resolution, diagnostics) = checker.finish();
        self.diagnostics.extend(diagnostics);
        self.check_runnable(&resolution.uses, expr.span);
        found.map(|found| (resolution, found.ty))
    }

    fn check_let_runnable(&mut self, uses: &BTreeSet<Arc<str>>, name: &Arc<str>) {
        if let Some(span) = self.defined.get(name).map(|ident| ident.span) {
            self.check_runnable(uses, span);
        }
    }

    /// Reports an error if code that uses these names could reach a broken definition.
    fn check_runnable(&mut self, uses: &BTreeSet<Arc<str>>, span: Span) {
        let reached = self.env.reachable(uses);
        let Some((name, diagnostics)) = self
            .env
            .broken
            .iter()
            .find(|(name, _)| reached.contains(*name))
        else {
            return;
        };
        let error = diagnostics.iter().find(|error| error.is_error());
        let (why, note) = match error.filter(|error| error.code == UNDEFINED_NAME_CODE) {
            Some(error) => ("uses an undefined name", error.message.clone()),
            None => (
                "no longer matches what was redefined",
                format!("redefine `{name}` to match"),
            ),
        };
        let message = format!("this depends on `{name}`, which {why}");
        let mut diagnostic = Diagnostic::error(Phase::Type, "BG055", span, message);
        diagnostic
            .related
            .extend(error.and_then(|error| Some((error.span?, error.message.clone()))));
        self.diagnostics.push(diagnostic.note(note));
    }

    /// Boards that are new or depend on something new, except those that depend on a broken
    /// definition.
    fn boards_to_evaluate(&self) -> Vec<Arc<str>> {
        let board_changed = self.env.types.board() != self.before.types.board();
        let needs_evaluation = |global: &&Arc<GlobalDef>| {
            let reached = self.env.reachable([&global.name]);
            let is_affected =
                board_changed || reached.iter().any(|name| self.defined.contains_key(name));
            is_affected
                && !reached
                    .iter()
                    .any(|name| self.env.broken.contains_key(name))
        };
        let boards = self.env.boards.values();
        let names: BTreeSet<Arc<str>> = boards
            .filter(needs_evaluation)
            .map(|global| global.name.clone())
            .collect();
        self.env.boards_in_dependency_order(&names)
    }
}
