//! The checker's environment: what is already defined when a file or an entry is checked.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use crate::ast::{Function, Item, ItemKind, StatementKind};
use crate::check::builtin;
use crate::check::typing::{self, Type};
use crate::value::SharedMap;

/// The signature of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    pub parameter_count: usize,
    /// True if some path returns a value.
    pub returns_value: bool,
}

/// Everything that names in a program can refer to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Env {
    /// Global variables with their types, where known.
    pub variables: SharedMap<Arc<str>, Option<Type>>,
    pub functions: SharedMap<Arc<str>, Signature>,
    pub pieces: BTreeSet<Arc<str>>,
    pub players: Vec<Arc<str>>,
    pub has_board: bool,
    /// The locals of the selected frame at a stop.
    pub frame_locals: Vec<String>,
}

impl Env {
    /// Adds a definition, replacing one of the same name.
    pub fn define(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Board(_) => self.has_board = true,
            ItemKind::Players(names) => {
                self.players = names.iter().map(|name| name.text.clone()).collect();
            }
            ItemKind::Piece(piece) => {
                let name = piece.name.iter();
                self.pieces.extend(name.map(|name| name.text.clone()));
            }
            ItemKind::Def(def) => {
                let ty = typing::type_of_initializer(&def.value, &|name| self.type_of(name));
                self.functions.remove(&def.name.text);
                self.variables.insert(def.name.text.clone(), ty);
            }
            ItemKind::Function(function) => {
                let name = &function.name.text;
                self.variables.remove(name);
                self.functions.insert(name.clone(), Signature::of(function));
            }
            ItemKind::TurnOrder(_)
            | ItemKind::EventPriority(_)
            | ItemKind::Setup(_)
            | ItemKind::Condition(..) => {}
        }
    }

    pub fn is_player(&self, name: &str) -> bool {
        self.players.iter().any(|player| **player == *name)
    }

    /// The type of a global or predefined variable.
    pub fn type_of(&self, name: &str) -> Option<Type> {
        match self.variables.get(name) {
            Some(ty) => *ty,
            None => builtin::find_predefined(name).map(|p| p.ty),
        }
    }
}

impl Signature {
    pub fn of(function: &Function) -> Signature {
        Signature {
            parameter_count: function.parameters.len(),
            returns_value: function.body.any(
                &|statement| matches!(statement, StatementKind::Return(value) if value.is_some()),
            ),
        }
    }
}

/// `env` with all `items` added.
pub(super) fn env_with_items<'i>(
    env: &Rc<Env>,
    items: impl IntoIterator<Item = &'i Item>,
) -> Rc<Env> {
    let mut env = env.clone();
    for item in items {
        Rc::make_mut(&mut env).define(item);
    }
    env
}
