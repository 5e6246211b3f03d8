//! The frame of the routine being checked: its variables, its blocks, what it may return.

use super::Checker;
use crate::languages::gridlang::ast::Name;
use crate::languages::gridlang::error_code;
use crate::languages::gridlang::hir::{Local, RoutineKind, Type};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What `return` may give.
#[derive(Clone, Debug, PartialEq)]
pub enum ReturnRule {
    /// Outside of routines.
    Forbidden,
    Void,
    /// checkMove: nothing means allowed.
    Optional(Type),
    Required(Type),
}

pub struct RoutineScope {
    pub kind: RoutineKind,
    pub returns: ReturnRule,
    /// For messages: `sum`, `gameLoop`.
    pub name: Arc<str>,
    pub locals: Vec<Local>,
    /// The names of each open block with their slots.
    pub blocks: Vec<BTreeMap<Arc<str>, usize>>,
    /// Undeclared names that were already told.
    pub reported_names: BTreeSet<Arc<str>>,
    /// A `return` with a value was met.
    pub has_returned_value: bool,
}

impl Default for RoutineScope {
    fn default() -> Self {
        RoutineScope::new(RoutineKind::Globals, "", ReturnRule::Forbidden)
    }
}

impl RoutineScope {
    pub fn new(role: RoutineKind, routine: &str, returns: ReturnRule) -> RoutineScope {
        RoutineScope {
            kind: role,
            returns,
            name: Arc::from(routine),
            locals: Vec::new(),
            blocks: vec![BTreeMap::new()],
            reported_names: BTreeSet::new(),
            has_returned_value: false,
        }
    }

    pub fn lookup(&self, name: &str) -> Option<usize> {
        self.blocks
            .iter()
            .rev()
            .find_map(|block| block.get(name))
            .copied()
    }

    /// Whether what is declared here can be seen everywhere.
    pub fn is_global(&self) -> bool {
        self.blocks.len() == 1
            && matches!(
                self.kind,
                RoutineKind::Globals | RoutineKind::Layout | RoutineKind::Entry
            )
    }

    pub fn declare(&mut self, name: &Arc<str>, ty: Type, declared: Span) -> usize {
        let slot = self.add_unbound(name, ty, declared);
        self.bind(name, slot);
        slot
    }

    /// A variable of the frame that its name does not lead to.
    pub fn add_unbound(&mut self, name: &Arc<str>, ty: Type, declared: Span) -> usize {
        self.locals.push(Local {
            name: name.clone(),
            ty,
            decl_span: declared,
            scope_span: declared,
        });
        self.locals.len() - 1
    }

    pub fn bind(&mut self, name: &Arc<str>, slot: usize) {
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name.clone(), slot);
        }
    }

    pub fn push_block(&mut self) {
        self.blocks.push(BTreeMap::new());
    }

    pub fn pop_block(&mut self, end: u32) {
        for (_, slot) in self.blocks.pop().unwrap_or_default() {
            self.locals[slot].scope_span.end = end;
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
            let there = self.scope.locals[older].decl_span;
            self.error(
                error_code::DUPLICATE_DEFINITION,
                name.span,
                format!("`{}` is already declared in this block", name.text),
            )
            .related
            .push((there, "declared here".into()));
        }
        self.check_not_item_kind(name);
        self.scope.declare(&name.text, ty, name.span)
    }

    /// A variable cannot have the name of a kind of item.
    pub fn check_not_item_kind(&mut self, name: &Name) {
        if let Some(kind) = self.env.items.get(&name.text) {
            let there = kind.name.span;
            self.error(
                error_code::DUPLICATE_DEFINITION,
                name.span,
                format!("`{}` is already the name of a kind of item", name.text),
            )
            .related
            .push((there, "defined here".into()));
        }
    }
}
