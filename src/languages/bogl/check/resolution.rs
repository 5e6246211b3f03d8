//! Results of the checker that lowering needs: what names refer to and which variables loops
//! update. Keyed by span; no two nodes of a kind have the same span.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::ast::Name;
use crate::check::builtin::Builtin;
use crate::check::types::Type;
use crate::source::Span;

/// For one definition, one session let or one expression typed at the prompt.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Resolution {
    /// What each name refers to, by the span of the name (also in calls).
    pub names: HashMap<Span, NameRef>,
    /// The local that a `let … in` binds, by the span of the whole expression.
    pub lets: HashMap<Span, u32>,
    /// The locals that a `while` updates, by the span of the whole expression. A single one takes the
    /// whole value of the body; several take its components in order.
    pub loops: HashMap<Span, Vec<u32>>,
    /// The locals by number, with the span of their binding: parameters first, then each `let`.
    pub locals: Vec<Name>,
    /// The type of each local; `None` only after an error.
    pub local_types: Vec<Option<Type>>,
    /// For a board: the cells each of its equations sets.
    pub equation_cells: Vec<CellRange>,
    /// The globals used.
    pub uses: BTreeSet<Arc<str>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameRef {
    /// Index into [`Resolution::locals`].
    Local(u32),
    Global(GlobalKind),
    Builtin(Builtin),
}

/// What a global name is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalKind {
    Function,
    /// Evaluated at every use.
    Value,
    /// Defined by board equations; evaluated once.
    Board,
    /// `let x = e` at the prompt; evaluated once.
    Let,
}

/// A rectangle of cells; columns and rows start at 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellRange {
    pub columns: RangeInclusive<u32>,
    pub rows: RangeInclusive<u32>,
}
