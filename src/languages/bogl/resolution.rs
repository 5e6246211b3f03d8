//! What the checker found out about names and loops, kept for lowering: by the place of each, which no two nodes share.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::ast::Ident;
use super::builtin::Builtin;
use super::types::Type;
use crate::source::Span;

/// For one definition, one session let or one expression typed at the prompt.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Resolution {
    /// By the place of the name itself, in a call too.
    pub names: HashMap<Span, NameRef>,
    /// Which local a `let … in` binds, by the place of the whole expression.
    pub lets: HashMap<Span, u32>,
    /// By the place of the whole loop.
    pub loops: HashMap<Span, LoopContext>,
    /// The locals by number, with the place where each is bound: first the parameters, then every `let`.
    pub locals: Vec<Ident>,
    /// The type of each of them; `None` only where something is wrong.
    pub local_types: Vec<Option<Type>>,
    /// How many of them, from the first on, belong to the stopped frame that the text looks into.
    pub frame_local_count: u32,
    /// For a board: which cells each of its equations sets.
    pub equation_cells: Vec<CellRange>,
    /// The names of the session it speaks of.
    pub uses: BTreeSet<Arc<str>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameRef {
    Local(u32),
    Global(GlobalKind),
    Builtin(Builtin),
}

/// What a name of the session is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalKind {
    Function,
    /// Evaluated anew at every use.
    Value,
    /// Given by board equations: evaluated once.
    Board,
    /// `let x = e` at the prompt: evaluated once.
    Let,
}

/// The binding context of a while loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopContext {
    /// The locals that take the new values: one takes the whole value, several take its components in order.
    pub variables: Vec<u32>,
    pub bound_by: Binder,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binder {
    Parameters,
    Let,
}

/// Columns and rows, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellRange {
    pub columns: RangeInclusive<u32>,
    pub rows: RangeInclusive<u32>,
}
