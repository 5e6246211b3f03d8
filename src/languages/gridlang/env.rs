//! What a live session knows: every definition as it was written, and the type of every global.
//!
//! The definitions are kept as trees, so that a new one is checked together with all that it may break.

use super::ast;
use super::hir::{RoutineKind, Type};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Env {
    pub player: Option<Arc<ast::PlayerBlock>>,
    pub items: BTreeMap<Arc<str>, Arc<ast::ItemBlock>>,
    pub functions: BTreeMap<Arc<str>, Arc<ast::Function>>,
    pub layout: Option<Arc<ast::Layout>>,
    pub game_loop: Option<Arc<ast::LifecycleBlock>>,
    pub check_game_end: Option<Arc<ast::LifecycleBlock>>,
    pub game_over: Option<Arc<ast::LifecycleBlock>>,
    pub move_handlers: Vec<Arc<ast::CheckMove>>,
    pub colocation_handlers: Vec<Arc<ast::Colocation>>,
    pub globals: BTreeMap<Arc<str>, GlobalInfo>,
    /// How many globals were ever declared.
    pub global_count: usize,
    /// Player types that were defined or assigned anywhere.
    pub player_types: BTreeSet<Arc<str>>,
    /// Kinds of item of which the program declares instances: their name is no object.
    pub instantiated_kinds: BTreeSet<Arc<str>>,
    /// Whether a turn is being played, so that `repeat` has somewhere to go.
    pub is_turn_running: bool,
}

/// A variable that everything can see.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalInfo {
    pub ty: Type,
    pub span: Span,
    pub origin: GlobalOrigin,
    /// The order of declaration, which is the default order of the players.
    pub declaration_index: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalOrigin {
    Declared,
    /// A parameter of Layout.
    LayoutParameter,
    /// A player that only playerOrder names: made before anything else of its text runs.
    PlayerOrderName,
    /// The one object of a kind of item without instances: made before anything else of its text runs.
    SingletonItem,
}

/// The frame that is looked at while the game is stopped: an entry sees its variables.
#[derive(Clone, Debug)]
pub struct StoppedFrame {
    pub kind: RoutineKind,
    /// Name, type and slot; a later one hides an earlier one of its name.
    pub locals: Vec<(Arc<str>, Type, usize)>,
}

impl Env {
    /// For completion: every name that can be typed now.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.globals
            .keys()
            .chain(self.functions.keys())
            .chain(self.items.keys())
    }
}
