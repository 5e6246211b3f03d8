//! The frame of the routine being checked: its variables, its blocks, what it may return.

use super::Checker;
use crate::languages::gridlang::ast::Name;
use crate::languages::gridlang::code;
use crate::languages::gridlang::typed::{Local, Role, Type};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What `return` may give.
#[derive(Clone, Debug, PartialEq)]
pub enum Returns {
    /// Outside of routines.
    Never,
    Nothing,
    /// checkMove: nothing means allowed.
    Perhaps(Type),
    Always(Type),
}

pub struct Scope {
    pub role: Role,
    pub returns: Returns,
    /// For messages: `sum`, `gameLoop`.
    pub routine: Arc<str>,
    pub locals: Vec<Local>,
    /// The names of each open block with their slots.
    pub blocks: Vec<BTreeMap<Arc<str>, usize>>,
    /// Undeclared names that were already told.
    pub told: BTreeSet<Arc<str>>,
    /// A `return` with a value was met.
    pub gave_value: bool,
}

impl Default for Scope {
    fn default() -> Self {
        Scope::new(Role::Globals, "", Returns::Never)
    }
}

impl Scope {
    pub fn new(role: Role, routine: &str, returns: Returns) -> Scope {
        Scope {
            role,
            returns,
            routine: Arc::from(routine),
            locals: Vec::new(),
            blocks: vec![BTreeMap::new()],
            told: BTreeSet::new(),
            gave_value: false,
        }
    }

    pub fn slot(&self, name: &str) -> Option<usize> {
        self.blocks
            .iter()
            .rev()
            .find_map(|block| block.get(name))
            .copied()
    }

    /// Whether what is declared here can be seen everywhere.
    pub fn declares_globals(&self) -> bool {
        self.blocks.len() == 1 && matches!(self.role, Role::Globals | Role::Layout | Role::Entry)
    }

    pub fn add(&mut self, name: &Arc<str>, ty: Type, declared: Span) -> usize {
        let slot = self.add_unbound(name, ty, declared);
        self.bind(name, slot);
        slot
    }

    /// A variable of the frame that its name does not lead to.
    pub fn add_unbound(&mut self, name: &Arc<str>, ty: Type, declared: Span) -> usize {
        self.locals.push(Local {
            name: name.clone(),
            ty,
            declared,
            visible: declared,
        });
        self.locals.len() - 1
    }

    pub fn bind(&mut self, name: &Arc<str>, slot: usize) {
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name.clone(), slot);
        }
    }

    pub fn open(&mut self) {
        self.blocks.push(BTreeMap::new());
    }

    pub fn close(&mut self, end: u32) {
        for (_, slot) in self.blocks.pop().unwrap_or_default() {
            self.locals[slot].visible.end = end;
        }
    }
}

impl Checker<'_> {
    /// A new variable of the frame, unless its block has one of that name.
    pub fn add_local(&mut self, name: &Name, ty: Type) -> usize {
        let older = self
            .scope
            .blocks
            .last()
            .and_then(|block| block.get(&name.text))
            .copied();
        if let Some(older) = older {
            let there = self.scope.locals[older].declared;
            self.error(
                code::TWICE,
                name.span,
                format!("`{}` is already declared in this block", name.text),
            )
            .related
            .push((there, "declared here".into()));
        }
        self.no_kind(name);
        self.scope.add(&name.text, ty, name.span)
    }

    /// A variable cannot have the name of a kind of item.
    pub fn no_kind(&mut self, name: &Name) {
        if let Some(kind) = self.env.items.get(&name.text) {
            let there = kind.name.span;
            self.error(
                code::TWICE,
                name.span,
                format!("`{}` is already the name of a kind of item", name.text),
            )
            .related
            .push((there, "defined here".into()));
        }
    }
}
