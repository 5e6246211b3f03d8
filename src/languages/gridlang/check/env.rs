//! The checker's view of a session: the AST of every definition and the type of every global.
//!
//! Definitions are kept as trees because a new one is checked together with everything it may
//! break.

use crate::ast::{self, Definition, PieceRef};
use crate::check::hir::Type;
use crate::language::Words;
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
    pub blocks: BTreeMap<ast::Lifecycle, Arc<ast::LifecycleBlock>>,
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

impl Env {
    /// Adds a definition. Returns whether it replaces one.
    pub fn define(&mut self, definition: &Definition) -> bool {
        match definition.clone() {
            Definition::Player(block) => self.player.replace(block).is_some(),
            Definition::Item(block) => {
                let name = block.name.text.clone();
                self.items.insert(name, block).is_some()
            }
            Definition::Function(function) => {
                let name = function.name.text.clone();
                self.functions.insert(name, function).is_some()
            }
            Definition::Layout(layout) => self.layout.replace(layout).is_some(),
            Definition::Lifecycle(block) => self.blocks.insert(block.kind, block).is_some(),
            Definition::CheckMove(handler) => {
                replace(&mut self.move_handlers, handler, move_handler_name)
            }
            Definition::Colocation(handler) => {
                let name = |handler: &ast::Colocation| colocation_name(handler, &self.items);
                replace(&mut self.colocation_handlers, handler, name)
            }
        }
    }

    /// The name of a definition: `function f`, `bishop.checkMove`.
    pub fn title(&self, definition: &Definition) -> String {
        match definition {
            Definition::Player(_) => "Player".into(),
            Definition::Item(block) => format!("Item {}", block.name.text),
            Definition::Function(function) => format!("function {}", function.name.text),
            Definition::Layout(_) => "Layout".into(),
            Definition::Lifecycle(block) => block.kind.name().into(),
            Definition::CheckMove(handler) => move_handler_name(handler),
            Definition::Colocation(handler) => colocation_name(handler, &self.items),
        }
    }
}

/// Adds a handler in place of the one with the same name. Returns whether there was one.
fn replace<T>(handlers: &mut Vec<Arc<T>>, new: Arc<T>, name: impl Fn(&T) -> String) -> bool {
    let (count, new_name) = (handlers.len(), name(&new));
    handlers.retain(|old| name(old) != new_name);
    handlers.push(new);
    handlers.len() == count
}

/// The name of a handler in messages and the call stack: `bishop.checkMove`.
pub fn move_handler_name(handler: &ast::CheckMove) -> String {
    match &handler.receiver {
        Some(receiver) => format!("{}.checkMove", piece_name(receiver)),
        None => "checkMove".into(),
    }
}

/// The full name of a collision handler: `Bonus.colocation(Player, good)`.
pub fn colocation_name(
    handler: &ast::Colocation,
    kinds: &BTreeMap<Arc<str>, Arc<ast::ItemBlock>>,
) -> String {
    let receiver = piece_name(&handler.receiver);
    let argument = match (&handler.mover.piece, &handler.mover.names[..]) {
        (PieceRef::Item(_), [kind, _]) => &kind.text,
        (PieceRef::Item(_), [kind]) if kinds.contains_key(&kind.text) => &kind.text,
        (piece, _) => piece_name(piece),
    };
    match &handler.filter {
        Some(filter) => format!("{receiver}.colocation({argument}, {})", filter.text),
        None => format!("{receiver}.colocation({argument})"),
    }
}

fn piece_name(piece: &PieceRef) -> &str {
    match piece {
        PieceRef::Player(_) => "Player",
        PieceRef::Item(_) => "Item",
        PieceRef::Named(name) => &name.text,
    }
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
