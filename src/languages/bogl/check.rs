//! Checks a whole program, or what is typed at the prompt against what is defined already.
//!
//! At the prompt everything may be defined again. Then all other definitions are checked once more, and those that no longer
//! fit are told; they stay, but nothing that needs them can run until they fit again.

mod redefine;
#[cfg(test)]
mod tests;

pub use redefine::can_reevaluate;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ast::{
    Body, Definition, Entry, Expr, Ident, Item, Program, SessionLet, Signature, TypeDef,
};
use super::definition;
use super::env::{Env, GlobalDef, GlobalItem};
use super::infer::Checker;
use super::resolution::{GlobalKind, Resolution};
use super::type_table::TypeTable;
use super::types::{SignatureType, Type};
use crate::diagnostic::{Diagnostic, Phase};
use redefine::{
    UNDEFINED_NAME_CODE, broken_warning, has_only_undefined_names, refresh_type_name,
    stale_board_errors,
};

/// What came out of checking.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is defined now; after an error, what was defined before.
    pub env: Env,
    pub diagnostics: Vec<Diagnostic>,
    /// Of the expression to evaluate, if there is one.
    pub expr: Option<(Resolution, Type)>,
    /// Definitions to lower: the new ones, and old ones in which a name has another meaning now; all of them when the size
    /// or the cells of boards changed.
    pub stale: Vec<Arc<str>>,
    /// Boards whose cells must be evaluated, in this order.
    pub boards_to_evaluate: Vec<Arc<str>>,
    /// Session lets to evaluate, in this order.
    pub lets_to_evaluate: Vec<Arc<str>>,
    /// Definitions that no longer fit; [`Env::broken`] has what is wrong. Each has a warning among the diagnostics.
    pub newly_broken: Vec<Arc<str>>,
    /// Definitions that fit again.
    pub newly_fixed: Vec<Arc<str>>,
}

impl Checked {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// A whole file, loaded into an empty session.
pub fn check_program(program: &Program) -> Checked {
    let empty = Env::default();
    let mut change = Change::new(&empty);
    change.early_types(&program.items);
    change.apply(&program.items);
    change.finish(None)
}

/// What was typed at the prompt. A pasted program starts anew.
pub fn check_entry(entry: &Entry, env: &Env) -> Checked {
    check_entry_in_frame(entry, env, &[])
}

/// As [`check_entry`], where expressions and session lets also see the locals of a stopped frame, inner ones last.
pub fn check_entry_in_frame(entry: &Entry, env: &Env, frame: &[(Ident, Type)]) -> Checked {
    match entry {
        Entry::Game(program) => check_program(program),
        Entry::Lines { items, expr } => {
            let mut change = Change {
                frame,
                at_prompt: true,
                ..Change::new(env)
            };
            change.apply(items);
            change.finish(expr.as_ref())
        }
    }
}

/// Whether an entry ends in the equations of a board that still has cells without a value, so that more may follow.
pub fn is_board_incomplete(entry: &Entry, env: &Env) -> bool {
    let Entry::Lines { items, expr: None } = entry else {
        return false;
    };
    if !matches!(items.last(), Some(Item::Value(definition)) if matches!(definition.body, Body::Board(_)))
    {
        return false;
    }
    let checked = check_entry(entry, env);
    let mut errors = checked
        .diagnostics
        .iter()
        .filter(|told| told.is_error())
        .peekable();
    errors.peek().is_some() && errors.all(|told| told.code == "BG050")
}

/// A session on its way from one state to the next.
struct Change<'e> {
    before: &'e Env,
    env: Env,
    faults: Vec<Diagnostic>,
    /// What this text defines, with where.
    given: BTreeMap<Arc<str>, Ident>,
    lets: Vec<Arc<str>>,
    /// Whether the rest may still be typed.
    at_prompt: bool,
    /// Locals of the stopped frame that the text was typed in.
    frame: &'e [(Ident, Type)],
}

impl<'e> Change<'e> {
    fn new(before: &'e Env) -> Change<'e> {
        Change {
            before,
            env: before.clone(),
            faults: Vec::new(),
            given: BTreeMap::new(),
            lets: Vec::new(),
            at_prompt: false,
            frame: &[],
        }
    }

    /// In a file the board and the input are declared before the first value.
    fn early_types(&mut self, items: &[Item]) {
        let first = items
            .iter()
            .position(|item| matches!(item, Item::Value(_)))
            .unwrap_or(items.len());
        for item in &items[first..] {
            if let Item::Type(definition) = item
                && matches!(&*definition.name.text, "Board" | "Input")
            {
                let message = format!(
                    "`type {}` must stand above the first value definition",
                    definition.name.text
                );
                self.faults.push(Diagnostic::error(
                    Phase::Check,
                    "BG033",
                    definition.name.span,
                    message,
                ));
            }
        }
    }

    /// Types and signatures first, so that definitions may speak of later ones; then lets; then equations.
    fn apply(&mut self, items: &[Item]) {
        let mut fresh = BTreeSet::new();
        for item in items {
            match item {
                Item::Type(definition) => {
                    self.declare(definition, fresh.insert(definition.name.text.clone()))
                }
                Item::Value(definition) => self.signature(definition),
                Item::Let(_) => {}
            }
        }
        // What is wrong with a type or a signature would be told again wherever it is used.
        if self.has_errors() {
            return;
        }
        for item in items {
            if let Item::Let(session) = item {
                self.session_let(session);
            }
        }
        self.bodies();
    }

    fn has_errors(&self) -> bool {
        self.faults.iter().any(Diagnostic::is_error)
    }

    /// An earlier type may be defined again, but only once in one text.
    fn declare(&mut self, definition: &Arc<TypeDef>, first: bool) {
        let known = self.env.types.get(&definition.name.text).is_some();
        let types = match known && first {
            true => self.env.types.redeclare(definition),
            false => {
                let mut types = TypeTable::clone(&self.env.types);
                let declared = types.declare(definition);
                declared.map(|()| types)
            }
        };
        match types {
            Ok(types) => self.env.types = Arc::new(types),
            Err(faults) => {
                self.faults.extend(faults);
                Arc::make_mut(&mut self.env.types).declare_placeholder(definition);
            }
        }
    }

    /// Takes a name for this text; false when the text has already given it a meaning.
    fn claim(&mut self, name: &Ident) -> bool {
        if let Some(fault) = definition::reserved_name_error(name) {
            self.faults.push(fault);
            return false;
        }
        if let Some(first) = self.given.get(&name.text) {
            let message = format!("`{}` is defined twice", name.text);
            let told = Diagnostic::error(Phase::Check, "BG021", name.span, message);
            self.faults
                .push(told.related(first.span, "it is first defined here"));
            return false;
        }
        self.given.insert(name.text.clone(), name.clone());
        true
    }

    fn signature(&mut self, definition: &Arc<Definition>) {
        if !self.claim(&definition.name) {
            return;
        }
        let Some((definition, signature)) = self.completed(definition) else {
            return;
        };
        match self.env.types.signature_type(&signature) {
            Ok(signed) => self.put(
                &definition.name.text.clone(),
                signed,
                GlobalItem::Definition(definition, signature),
                Resolution::default(),
            ),
            Err(faults) => self.faults.extend(faults),
        }
    }

    /// With the signature given earlier if there is none now; a board equation alone is added to those of its board.
    fn completed(
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
            let told = Diagnostic::error(Phase::Check, "BG020", name.span, message);
            let note = match definition.body {
                Body::Value(_) => {
                    format!(
                        "write `let {0} = …` for the session, or its type first: `{0} : Int`",
                        name.text
                    )
                }
                _ => format!("write its type first, such as `{} : …`", name.text),
            };
            self.faults.push(told.note(note));
            return None;
        };
        let body = match (&old.body, &definition.body) {
            (Body::Board(old), Body::Board(new)) => {
                Body::Board(old.iter().chain(new).cloned().collect())
            }
            (_, new) => new.clone(),
        };
        let whole = Definition {
            body,
            ..Definition::clone(definition)
        };
        Some((Arc::new(whole), signature.clone()))
    }

    fn put(&mut self, name: &Arc<str>, signed: SignatureType, what: GlobalItem, notes: Resolution) {
        let order = self
            .env
            .globals
            .get(name)
            .map(|global| global.order)
            .unwrap_or_else(|| {
                self.env.next_order += 1;
                self.env.next_order
            });
        let global = GlobalDef {
            name: name.clone(),
            signature_type: signed,
            item: what,
            resolution: notes,
            order,
        };
        self.env.globals.insert(name.clone(), Arc::new(global));
    }

    fn session_let(&mut self, session: &Arc<SessionLet>) {
        if !self.claim(&session.name) {
            return;
        }
        let mut checker = Checker::new(&self.env).with_frame_locals(self.frame);
        let found = checker.infer(&session.value);
        let (notes, faults) = checker.finish();
        self.faults.extend(faults);
        if let Some(found) = found {
            self.put(
                &session.name.text,
                SignatureType::Value(found.ty),
                GlobalItem::Let(session.clone()),
                notes,
            );
            self.lets.push(session.name.text.clone());
        }
    }

    /// Checks every definition: those of this text must be right, earlier ones may turn out to be broken.
    fn bodies(&mut self) {
        if self.given.is_empty() && *self.env.types == *self.before.types {
            return;
        }
        let board_changed = self.env.types.board() != self.before.types.board();
        let all: Vec<Arc<GlobalDef>> = self.env.globals().into_iter().cloned().collect();
        self.env.broken.clear();
        for global in all {
            let fresh = self.given.contains_key(&global.name);
            let (signed, notes, faults) = match &global.item {
                GlobalItem::Definition(definition, signature) => {
                    match self.env.types.signature_type(signature) {
                        Ok(signed) => {
                            let (notes, faults) = definition::check_definition(
                                &self.env, definition, signature, &signed,
                            );
                            (signed, notes, faults)
                        }
                        Err(faults) => (
                            global.signature_type.clone(),
                            global.resolution.clone(),
                            faults,
                        ),
                    }
                }
                GlobalItem::Let(_) if fresh => continue,
                GlobalItem::Let(session) => {
                    let faults = if board_changed {
                        stale_board_errors(session, &global.signature_type)
                    } else {
                        Vec::new()
                    };
                    (
                        refresh_type_name(&global.signature_type, &self.env.types),
                        global.resolution.clone(),
                        faults,
                    )
                }
            };
            if fresh && !(self.at_prompt && has_only_undefined_names(&global, &faults)) {
                self.faults.extend(faults);
            } else if faults.iter().any(Diagnostic::is_error) {
                self.env
                    .broken
                    .insert(global.name.clone(), Arc::new(faults));
            }
            self.put(&global.name, signed, global.item.clone(), notes);
        }
        self.circles();
    }

    /// A board is evaluated before it can be used: it cannot need itself.
    fn circles(&mut self) {
        let boards = self
            .env
            .globals
            .values()
            .filter(|global| global.kind() == GlobalKind::Board);
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
            let message = format!("The board `{}` is defined by means of itself", board.name);
            let told = Diagnostic::error(Phase::Type, "BG054", definition.name.span, message)
                .note("its equations, or something they use, look at the board that is being made");
            match self.given.contains_key(&board.name) {
                true => self.faults.push(told),
                false => drop(
                    self.env
                        .broken
                        .insert(board.name.clone(), Arc::new(vec![told])),
                ),
            }
        }
    }

    fn finish(mut self, expr: Option<&Expr>) -> Checked {
        let noted = expr
            .filter(|_| !self.has_errors())
            .and_then(|expr| self.expression(expr));
        for name in self.lets.clone() {
            let uses = self
                .env
                .globals
                .get(&name)
                .map(|global| global.resolution.uses.clone())
                .unwrap_or_default();
            self.runnable(&uses, &name);
        }
        if self.has_errors() {
            return Checked {
                env: self.before.clone(),
                diagnostics: self.faults,
                ..Checked::default()
            };
        }
        let (stale, boards) = (self.stale(), self.boards());
        let newly = |now: &Env, then: &Env| -> Vec<Arc<str>> {
            now.broken
                .keys()
                .filter(|name| !then.broken.contains_key(*name))
                .cloned()
                .collect()
        };
        let (broke, mended) = (newly(&self.env, self.before), newly(self.before, &self.env));
        for name in &broke {
            let waits = self.given.contains_key(name);
            self.faults.extend(
                self.env
                    .broken(name)
                    .and_then(|faults| broken_warning(name, faults, waits)),
            );
        }
        Checked {
            env: self.env,
            diagnostics: self.faults,
            expr: noted,
            stale,
            boards_to_evaluate: boards,
            lets_to_evaluate: self.lets,
            newly_broken: broke,
            newly_fixed: mended,
        }
    }

    fn expression(&mut self, expr: &Expr) -> Option<(Resolution, Type)> {
        let mut checker = Checker::new(&self.env).with_frame_locals(self.frame);
        let found = checker.infer(expr);
        let (notes, faults) = checker.finish();
        self.faults.extend(faults);
        let at = Ident {
            text: "".into(),
            span: expr.span,
        };
        self.blocked(&notes.uses, &at);
        found.map(|found| (notes, found.ty))
    }

    fn runnable(&mut self, uses: &BTreeSet<Arc<str>>, name: &Arc<str>) {
        if let Some(word) = self.given.get(name).cloned() {
            self.blocked(uses, &word);
        }
    }

    /// Nothing runs that could come to something that does not fit.
    fn blocked(&mut self, uses: &BTreeSet<Arc<str>>, at: &Ident) {
        let reached = self.env.reachable(uses);
        let Some((name, faults)) = self
            .env
            .broken
            .iter()
            .find(|(name, _)| reached.contains(*name))
        else {
            return;
        };
        let fault = faults.iter().find(|fault| fault.is_error());
        let (why, note) = match fault.filter(|fault| fault.code == UNDEFINED_NAME_CODE) {
            Some(fault) => (
                "speaks of something that is not defined",
                fault.message.clone(),
            ),
            None => (
                "no longer fits what was redefined",
                format!("define `{name}` again so that it fits"),
            ),
        };
        let message = format!("This needs `{name}`, which {why}");
        let mut told = Diagnostic::error(Phase::Type, "BG055", at.span, message);
        told.related
            .extend(fault.and_then(|fault| Some((fault.span?, fault.message.clone()))));
        self.faults.push(told.note(note));
    }

    fn stale(&self) -> Vec<Arc<str>> {
        let all = self.env.types.board() != self.before.types.board();
        let is_stale = |global: &&&Arc<GlobalDef>| {
            let same = self
                .before
                .globals
                .get(&global.name)
                .is_some_and(|old| old.resolution == global.resolution);
            !matches!(global.item, GlobalItem::Let(_))
                && (all || !same || self.given.contains_key(&global.name))
        };
        self.env
            .globals()
            .iter()
            .filter(is_stale)
            .map(|global| global.name.clone())
            .collect()
    }

    /// Those that are new, or made from something that is, unless they cannot be made.
    fn boards(&self) -> Vec<Arc<str>> {
        let all_new = self.env.types.board() != self.before.types.board();
        let needed = |global: &&Arc<GlobalDef>| {
            let reached = self.env.reachable([&global.name]);
            let touched = all_new || reached.iter().any(|name| self.given.contains_key(name));
            touched
                && !reached
                    .iter()
                    .any(|name| self.env.broken.contains_key(name))
        };
        let boards = self
            .env
            .globals
            .values()
            .filter(|global| global.kind() == GlobalKind::Board);
        let names: BTreeSet<Arc<str>> = boards
            .filter(needed)
            .map(|global| global.name.clone())
            .collect();
        self.env.boards_in_dependency_order(&names)
    }
}
