//! What is defined in a live session: types, definitions and session lets, with which of them no longer fit.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ast::{Definition, SessionLet, Signature};
use super::declare::Types;
use super::notes::{Kind, Notes};
use super::types::Signed;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Cheap to clone: all that is large is shared.
#[derive(Clone, Default, Debug)]
pub struct Env {
    pub(super) types: Arc<Types>,
    pub(super) globals: BTreeMap<Arc<str>, Arc<Global>>,
    /// Definitions that were right once and do not fit what was redefined since, with what is wrong.
    pub(super) broken: BTreeMap<Arc<str>, Arc<Vec<Diagnostic>>>,
    pub(super) next_order: u32,
}

/// A name of the session. Definitions and lets share one space: the last one given counts.
#[derive(Debug)]
pub struct Global {
    pub name: Arc<str>,
    pub signed: Signed,
    pub what: What,
    pub notes: Notes,
    /// Later definitions have higher numbers; a redefined one keeps its own.
    pub order: u32,
}

#[derive(Clone, Debug)]
pub enum What {
    /// With the signature that holds for it, which may have been typed earlier.
    Definition(Arc<Definition>, Arc<Signature>),
    Let(Arc<SessionLet>),
}

impl Global {
    pub fn kind(&self) -> Kind {
        match (&self.what, &self.signed) {
            (What::Let(_), _) => Kind::Let,
            (What::Definition(..), Signed::Function { .. }) => Kind::Function,
            (What::Definition(definition, _), Signed::Value(_)) => match definition.body {
                super::ast::Body::Board(_) => Kind::Board,
                _ => Kind::Value,
            },
        }
    }

    /// Where its type was told.
    pub fn told(&self) -> Span {
        match &self.what {
            What::Definition(_, signature) => signature.span,
            What::Let(session) => session.span,
        }
    }
}

impl Env {
    pub fn types(&self) -> &Types {
        &self.types
    }

    pub fn global(&self, name: &str) -> Option<&Arc<Global>> {
        self.globals.get(name)
    }

    /// In the order in which they were first given.
    pub fn globals(&self) -> Vec<&Arc<Global>> {
        let mut all: Vec<_> = self.globals.values().collect();
        all.sort_by_key(|global| global.order);
        all
    }

    /// What is wrong with a definition since something else was redefined.
    pub fn broken(&self, name: &str) -> Option<&[Diagnostic]> {
        self.broken.get(name).map(|faults| faults.as_slice())
    }

    /// All names that these may come to speak of, themselves included.
    pub fn reached<'n>(&self, names: impl IntoIterator<Item = &'n Arc<str>>) -> BTreeSet<Arc<str>> {
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<Arc<str>> = names.into_iter().cloned().collect();
        while let Some(name) = waiting.pop() {
            if let Some(global) = self.globals.get(&name).filter(|_| !reached.contains(&name)) {
                // A session let holds its value: what it was made from no longer matters.
                if !matches!(global.what, What::Let(_)) {
                    waiting.extend(global.notes.uses.iter().cloned());
                }
                reached.insert(name);
            }
        }
        reached
    }

    /// The definitions whose meaning depends on this name, directly or through others; in order.
    pub fn dependents(&self, name: &str) -> Vec<Arc<str>> {
        let depends = |global: &&&Arc<Global>| {
            &*global.name != name
                && self
                    .reached(&global.notes.uses)
                    .iter()
                    .any(|used| &**used == name)
        };
        self.globals()
            .iter()
            .filter(depends)
            .map(|global| global.name.clone())
            .collect()
    }

    /// The boards among these names, each after the boards it is made from.
    pub fn boards_in_order(&self, names: &BTreeSet<Arc<str>>) -> Vec<Arc<str>> {
        let is_board = |name: &Arc<str>| {
            self.globals
                .get(name)
                .is_some_and(|global| global.kind() == Kind::Board)
        };
        let mut boards: Vec<(usize, u32, Arc<str>)> = Vec::new();
        for name in names.iter().filter(|name| is_board(name)) {
            let order = self.globals.get(name).map_or(0, |global| global.order);
            // One that is made from another reaches all that the other reaches, and itself besides.
            let below = self
                .reached([name])
                .iter()
                .filter(|name| is_board(name))
                .count();
            boards.push((below, order, name.clone()));
        }
        boards.sort();
        boards.into_iter().map(|(_, _, name)| name).collect()
    }
}
