//! The checker's view of a session: the AST of every definition and the type of every global.
//!
//! Definitions are kept as trees because a new one is checked together with everything it may
//! break.

use crate::language::Words;
use crate::languages::gridlang::ast;
use crate::languages::gridlang::check::hir::Type;
use crate::source::Span;
use crate::value::SharedMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Everything that is defined in a session.
#[derive(Clone, Debug, Default)]
pub struct Env {
    pub player: Option<Arc<ast::PlayerBlock>>,
    pub items: BTreeMap<Arc<str>, Arc<ast::ItemBlock>>,
    pub functions: SharedMap<Arc<str>, Arc<ast::Function>>,
    /// The signature of each function.
    pub signatures: SharedMap<Arc<str>, Arc<Signature>>,
    pub layout: Option<Arc<ast::Layout>>,
    pub game_loop: Option<Arc<ast::LifecycleBlock>>,
    pub check_game_end: Option<Arc<ast::LifecycleBlock>>,
    pub game_over: Option<Arc<ast::LifecycleBlock>>,
    pub move_handlers: Vec<Arc<ast::CheckMove>>,
    pub colocation_handlers: Vec<Arc<ast::Colocation>>,
    pub globals: SharedMap<Arc<str>, GlobalInfo>,
    /// The number of globals ever declared, including redeclarations.
    pub global_count: usize,
    /// Player types that are defined or assigned anywhere.
    pub player_types: BTreeSet<Arc<str>>,
    /// Kinds of item with declared instances: their name does not denote a single item.
    pub instantiated_kinds: BTreeSet<Arc<str>>,
    /// True while a turn is being played, so that `repeat` is allowed.
    pub is_turn_running: bool,
    /// The words in the texts of all definitions.
    pub words: Words,
}

/// The parameter and return types of a function.
#[derive(Debug, PartialEq)]
pub struct Signature {
    pub parameters: Vec<Type>,
    pub return_type: Type,
}

/// What the checker knows about a global variable.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalInfo {
    pub ty: Type,
    pub span: Span,
    pub origin: GlobalOrigin,
    /// Declaration order, which is also the default order of the players.
    pub declaration_index: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalOrigin {
    Declared,
    /// A parameter of `Layout`.
    LayoutParameter,
    /// A player that only `playerOrder` names; created before the source runs.
    PlayerOrderName,
    /// The single item of a kind without declared instances; created before the source runs.
    SingletonItem,
}

/// The selected frame of a stopped game; an entry can use its variables.
#[derive(Clone, Debug)]
pub struct StoppedFrame {
    /// Name, type and slot; later variables shadow earlier ones of the same name.
    pub locals: Vec<(Arc<str>, Type, usize)>,
}
