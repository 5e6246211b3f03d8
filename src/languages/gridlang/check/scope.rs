//! The scope of the routine being checked: its locals, blocks and return rule.

use super::Checker;
use crate::ast::Name;
use crate::check::hir::{Local, RoutineKind, Type};
use crate::language::{NameKind, Namespace};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What `return` may return.
#[derive(Clone, Debug, PartialEq)]
pub enum ReturnRule {
    /// `return` is not allowed: outside routines.
    Forbidden,
    Void,
    /// The value may be omitted: `checkMove` without a value allows the move.
    Optional(Type),
    Required(Type),
}

/// The state of the checker within a routine.
pub struct RoutineScope {
    pub kind: RoutineKind,
    pub returns: ReturnRule,
    /// The name of the routine, for messages: `sum`, `gameLoop`.
    pub name: Arc<str>,
    pub locals: Vec<Local>,
    /// The slots of the names in each open block, innermost last.
    pub blocks: Vec<BTreeMap<Arc<str>, usize>>,
    /// Unknown names that have already been reported.
    pub reported_names: BTreeSet<Arc<str>>,
    /// True once a `return` with a value was found.
    pub has_returned_value: bool,
}

impl Default for RoutineScope {
    fn default() -> Self {
        RoutineScope::new(RoutineKind::Globals, "", ReturnRule::Forbidden)
    }
}

impl RoutineScope {
    pub fn new(kind: RoutineKind, name: &str, returns: ReturnRule) -> RoutineScope {
        RoutineScope {
            kind,
            returns,
            name: Arc::from(name),
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

    /// True if declarations at this point are global.
    pub fn is_global(&self) -> bool {
        self.blocks.len() == 1
            && matches!(
                self.kind,
                RoutineKind::Globals | RoutineKind::Layout | RoutineKind::Entry
            )
    }

    pub fn declare(&mut self, name: &Arc<str>, ty: Type, decl_span: Span) -> usize {
        let slot = self.add_unbound(name, ty, decl_span);
        self.bind(name, slot);
        slot
    }

    /// Adds a local that cannot be looked up by its name.
    pub fn add_unbound(&mut self, name: &Arc<str>, ty: Type, decl_span: Span) -> usize {
        self.locals.push(Local {
            name: name.clone(),
            ty,
            decl_span,
            scope_span: decl_span,
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

    /// Leaves the innermost block, which ends at the offset `end`.
    pub fn pop_block(&mut self, end: u32) {
        for (_, slot) in self.blocks.pop().unwrap_or_default() {
            self.locals[slot].scope_span.end = end;
        }
    }
}

impl Checker<'_> {
    /// Declares a local and reports a duplicate in the same block.
    pub fn add_local(&mut self, name: &Name, ty: Type, kind: NameKind) -> usize {
        let previous = self
            .scope
            .blocks
            .last()
            .and_then(|block| block.get(&name.text))
            .copied();
        if let Some(previous) = previous {
            let first_span = self.scope.locals[previous].decl_span;
            let what = format!("`{}` in this block", name.text);
            self.defs.report_duplicate(&what, name.span, first_span);
        }
        self.defs.check_not_item_kind(name);
        self.defs
            .names
            .define(Namespace::Values, kind, &name.text, name.span);
        self.scope.declare(&name.text, ty, name.span)
    }
}
