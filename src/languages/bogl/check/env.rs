//! What is defined in a session: types, definitions and session lets, and which of them are broken.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::ast::{Body, Definition, Item, SessionLet, Signature};
use crate::check::resolution::{GlobalKind, Resolution};
use crate::check::type_table::TypeTable;
use crate::check::types::SignatureType;
use crate::diagnostic::Diagnostic;
use crate::language::Words;
use crate::source::{Source, Span};
use crate::value::SharedMap;

/// The definitions of a session. Cheap to clone: large parts are shared.
#[derive(Clone, Default, Debug)]
pub struct Env {
    /// The preludes, in the order they were loaded. A new game keeps them.
    pub preludes: Arc<Vec<Prelude>>,
    pub types: Arc<TypeTable>,
    pub globals: SharedMap<Arc<str>, Arc<GlobalDef>>,
    /// The globals that are boards.
    pub boards: SharedMap<Arc<str>, Arc<GlobalDef>>,
    /// Errors of definitions that cannot run: something they depend on was redefined, or is not
    /// defined yet.
    pub broken: SharedMap<Arc<str>, Arc<Vec<Diagnostic>>>,
    /// The words in the texts of all definitions.
    pub(crate) words: Words,
    /// The last [`GlobalDef::order`] in use.
    pub last_order: u32,
}

/// A file of definitions that games use.
#[derive(Clone, Debug)]
pub struct Prelude {
    pub source: Arc<Source>,
    pub items: Vec<Item>,
}

/// A global name. Definitions and session lets share one namespace; the latest one wins.
#[derive(Debug)]
pub struct GlobalDef {
    pub name: Arc<str>,
    pub signature_type: SignatureType,
    pub item: GlobalItem,
    pub resolution: Resolution,
    /// Definition order. A redefined name keeps its number.
    pub order: u32,
}

#[derive(Clone, Debug)]
pub enum GlobalItem {
    /// The definition and its signature, which may come from an earlier entry.
    Definition(Arc<Definition>, Arc<Signature>),
    Let(Arc<SessionLet>),
}

impl GlobalDef {
    pub fn kind(&self) -> GlobalKind {
        match (&self.item, &self.signature_type) {
            (GlobalItem::Let(_), _) => GlobalKind::Let,
            (GlobalItem::Definition(..), SignatureType::Function { .. }) => GlobalKind::Function,
            (GlobalItem::Definition(definition, _), SignatureType::Value(_)) => {
                match definition.body {
                    Body::Board(_) => GlobalKind::Board,
                    _ => GlobalKind::Value,
                }
            }
        }
    }

    /// Span of the whole definition or session let.
    pub fn span(&self) -> Span {
        match &self.item {
            GlobalItem::Definition(definition, _) => definition.span,
            GlobalItem::Let(session_let) => session_let.span,
        }
    }

    /// Span of the signature, or of the session let.
    pub fn declaration_span(&self) -> Span {
        match &self.item {
            GlobalItem::Definition(_, signature) => signature.span,
            GlobalItem::Let(session_let) => session_let.span,
        }
    }
}

impl Env {
    pub fn global(&self, name: &str) -> Option<&Arc<GlobalDef>> {
        self.globals.get(name)
    }

    /// All globals in the order they were first defined.
    pub fn globals(&self) -> Vec<&Arc<GlobalDef>> {
        let mut all: Vec<_> = self.globals.values().collect();
        all.sort_by_key(|global| global.order);
        all
    }

    /// The globals with these names, or all of them, in the order they were first defined.
    pub fn globals_among(&self, names: Option<&[Arc<str>]>) -> Vec<&Arc<GlobalDef>> {
        let Some(names) = names else {
            return self.globals();
        };
        let mut globals: Vec<_> = names.iter().filter_map(|name| self.global(name)).collect();
        globals.sort_by_key(|global| global.order);
        globals
    }

    /// The errors of a definition that is broken, otherwise `None`.
    pub fn broken(&self, name: &str) -> Option<&[Diagnostic]> {
        self.broken.get(name).map(|errors| errors.as_slice())
    }

    /// All globals that these names depend on, directly or indirectly, including themselves.
    pub fn reachable<'n>(
        &self,
        names: impl IntoIterator<Item = &'n Arc<str>>,
    ) -> BTreeSet<Arc<str>> {
        let mut reached = BTreeSet::new();
        let mut pending: Vec<Arc<str>> = names.into_iter().cloned().collect();
        while let Some(name) = pending.pop() {
            if let Some(global) = self.globals.get(&name).filter(|_| !reached.contains(&name)) {
                // A session let holds a value: what it was computed from no longer matters.
                if !matches!(global.item, GlobalItem::Let(_)) {
                    pending.extend(global.resolution.uses.iter().cloned());
                }
                reached.insert(name);
            }
        }
        reached
    }

    /// The definitions that depend on this name, directly or indirectly, in definition order.
    pub fn dependents(&self, name: &str) -> Vec<Arc<str>> {
        let depends = |global: &&Arc<GlobalDef>| {
            &*global.name != name && self.reachable(&global.resolution.uses).contains(name)
        };
        let dependents = self.globals().into_iter().filter(depends);
        dependents.map(|global| global.name.clone()).collect()
    }

    /// The boards among these names, each after the boards it depends on.
    pub fn boards_in_dependency_order(&self, names: &BTreeSet<Arc<str>>) -> Vec<Arc<str>> {
        let mut boards: Vec<(usize, u32, Arc<str>)> = Vec::new();
        for board in names.iter().filter_map(|name| self.boards.get(name)) {
            // If `a` depends on `b`, `a` reaches everything `b` reaches plus itself, so the count
            // sorts them.
            let reached = self.reachable([&board.name]);
            let is_board = |name: &&Arc<str>| self.boards.contains_key(*name);
            let board_count = reached.iter().filter(is_board).count();
            boards.push((board_count, board.order, board.name.clone()));
        }
        boards.sort();
        boards.into_iter().map(|(.., name)| name).collect()
    }
}
