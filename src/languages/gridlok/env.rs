//! What a live session already knows when the next entry is checked.

use std::collections::{BTreeMap, BTreeSet};

use super::ast::{Block, BraceContent, Function, Item, ItemKind, StatementKind};
use super::builtin;
use super::typing::{self, Type};

/// How a function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    pub parameter_count: usize,
    /// Whether some path returns a value.
    pub returns_value: bool,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Env {
    /// The globals, each with its type where the text told it.
    pub variables: BTreeMap<String, Option<Type>>,
    pub functions: BTreeMap<String, Signature>,
    pub pieces: BTreeSet<String>,
    pub players: Vec<String>,
    /// Empty as long as none was given: then the order is that of the players.
    pub turn_order: Vec<String>,
    pub has_board: bool,
    /// The variables of the function or handler the debugger stands in.
    pub frame_locals: Vec<String>,
}

impl Env {
    /// Takes a definition in; it replaces what had its name.
    pub fn define(&mut self, item: &Item) {
        let texts =
            |names: &[super::ast::Name]| names.iter().map(|n| n.text.clone()).collect::<Vec<_>>();
        match &item.kind {
            ItemKind::Board(_) => self.has_board = true,
            ItemKind::Players(names) => self.players = texts(names),
            ItemKind::TurnOrder(names) => self.turn_order = texts(names),
            ItemKind::Piece(piece) => self
                .pieces
                .extend(piece.name.iter().map(|n| n.text.clone())),
            ItemKind::Def(def) => {
                let is = typing::type_of_initializer(&def.value, &|name| self.type_of(name));
                self.functions.remove(&def.name.text);
                self.variables.insert(def.name.text.clone(), is);
            }
            ItemKind::Function(function) => {
                self.variables.remove(&function.name.text);
                self.functions
                    .insert(function.name.text.clone(), Signature::of(function));
            }
            ItemKind::EventPriority(_) | ItemKind::Setup(_) | ItemKind::Condition(..) => {}
        }
    }

    /// The type of a global or predefined variable.
    pub fn type_of(&self, name: &str) -> Option<Type> {
        match self.variables.get(name) {
            Some(is) => *is,
            None => builtin::find_predefined(name).map(|p| p.ty),
        }
    }
}

impl Signature {
    pub fn of(function: &Function) -> Signature {
        Signature {
            parameter_count: function.parameters.len(),
            returns_value: returns(&function.body),
        }
    }
}

/// Whether a `return` with a value stands somewhere in it.
fn returns(block: &Block) -> bool {
    block
        .statements
        .iter()
        .any(|statement| match &statement.kind {
            StatementKind::Return(value) => value.is_some(),
            StatementKind::If { arms, otherwise } => {
                arms.iter().any(|(_, block)| returns(block))
                    || otherwise.as_ref().is_some_and(returns)
            }
            StatementKind::For(_, block) | StatementKind::Braces(_, BraceContent::Block(block)) => {
                returns(block)
            }
            _ => false,
        })
}
