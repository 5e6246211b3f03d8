//! The checker's environment: what is already defined when a file or an entry is checked.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::languages::gridlok::ast::{
    Block, BraceContent, Function, Item, ItemKind, StatementKind,
};
use crate::languages::gridlok::check::builtin;
use crate::languages::gridlok::check::typing::{self, Type};
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
    pub variables: SharedMap<Rc<str>, Option<Type>>,
    pub functions: SharedMap<Rc<str>, Signature>,
    pub pieces: BTreeSet<String>,
    pub players: Vec<String>,
    /// The `turnOrder`; empty if none was defined, in which case `players` gives the order.
    pub turn_order: Vec<String>,
    pub has_board: bool,
    /// The locals of the selected frame at a stop.
    pub frame_locals: Vec<String>,
}

impl Env {
    /// Adds a definition, replacing one of the same name.
    pub fn define(&mut self, item: &Item) {
        let to_strings = |names: &[crate::languages::gridlok::ast::Name]| {
            names.iter().map(|n| n.text.clone()).collect::<Vec<_>>()
        };
        match &item.kind {
            ItemKind::Board(_) => self.has_board = true,
            ItemKind::Players(names) => self.players = to_strings(names),
            ItemKind::TurnOrder(names) => self.turn_order = to_strings(names),
            ItemKind::Piece(piece) => self
                .pieces
                .extend(piece.name.iter().map(|n| n.text.clone())),
            ItemKind::Def(def) => {
                let ty = typing::type_of_initializer(&def.value, &|name| self.type_of(name));
                self.functions.remove(def.name.text.as_str());
                self.variables.insert(def.name.text.as_str().into(), ty);
            }
            ItemKind::Function(function) => {
                self.variables.remove(function.name.text.as_str());
                self.functions
                    .insert(function.name.text.as_str().into(), Signature::of(function));
            }
            ItemKind::EventPriority(_) | ItemKind::Setup(_) | ItemKind::Condition(..) => {}
        }
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
            returns_value: contains_value_return(&function.body),
        }
    }
}

/// True if the block contains a `return` with a value.
fn contains_value_return(block: &Block) -> bool {
    block
        .statements
        .iter()
        .any(|statement| match &statement.kind {
            StatementKind::Return(value) => value.is_some(),
            StatementKind::If { arms, otherwise } => {
                arms.iter().any(|(_, block)| contains_value_return(block))
                    || otherwise.as_ref().is_some_and(contains_value_return)
            }
            StatementKind::For(_, block) | StatementKind::Braces(_, BraceContent::Block(block)) => {
                contains_value_return(block)
            }
            _ => false,
        })
}
