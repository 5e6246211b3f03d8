//! The definitions of a GridLok program: its items, global variables and compiled functions.

use crate::ast::{Block, Def, Function, Item, ItemKind, StatementKind};
use crate::check::env::{Env, Signature};
use crate::check::typing::{self, Type};
use crate::code::{Program, SymbolTable};
use crate::language::Words;
use crate::value::{SharedMap, SharedVec};
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// The type of a value as far as it is known at compile time.
pub type StaticType = Option<Type>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GlobalVariable {
    pub global: u32,
    pub ty: StaticType,
}

/// The predefined variables and those used only by `rules.gl`, in the order of their global slots.
pub const RULE_VARIABLES: &[(&str, StaticType)] = &[
    ("win", Some(Type::Bool)),
    ("lose", Some(Type::Bool)),
    ("draw", Some(Type::Bool)),
    ("turn", Some(Type::Text)),
    ("turnCount", Some(Type::Int)),
    ("@status", Some(Type::Int)),
    ("@winner", Some(Type::Text)),
    ("@inAction", Some(Type::Bool)),
    ("@turnOver", Some(Type::Bool)),
    ("@currentPlayerRemoved", Some(Type::Bool)),
    ("@seat", Some(Type::Int)),
    ("@owner", Some(Type::Text)),
    ("@seats", Some(Type::List)),
    ("@turnOrder", Some(Type::List)),
    ("@players", Some(Type::List)),
    ("@eventPriority", Some(Type::List)),
];

/// The global slot of one of the [`RULE_VARIABLES`].
pub fn rule_variable(name: &str) -> Option<u32> {
    let slot = RULE_VARIABLES.iter().position(|row| row.0 == name)?;
    Some(slot as u32)
}

/// The same for a variable that is known to be one of them.
pub fn rule_slot(name: &str) -> u32 {
    rule_variable(name).unwrap_or_default()
}

/// What other items can depend on in a variable or function.
#[derive(PartialEq)]
enum Interface {
    Variable(StaticType),
    Function {
        signature: Signature,
        always_returns_value: bool,
    },
}

/// Everything a program defines. Stored in `Program::scope` and extended by each entry.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// In source order, then in the order typed. A redefinition keeps the position of the old item,
    /// unless it uses a variable that is defined after that.
    pub items: SharedVec<Rc<Item>>,
    /// Index into `items` by item name.
    item_indices: SharedMap<Rc<str>, usize>,
    pub variables: SharedMap<Arc<str>, GlobalVariable>,
    /// Function ids by name: `add`, `zero.onClick`, `winCondition`, `@click`.
    pub symbols: SymbolTable,
    /// True if setup has run in this game, or runs when the program starts.
    pub has_run_setup: bool,
    /// The words in the texts of all items.
    pub words: Words,
    /// The environment the checker needs, once it has been asked for.
    env: OnceCell<Rc<Env>>,
}

impl Scope {
    pub fn of(program: &Program) -> Rc<Scope> {
        program.scope_of()
    }

    /// The environment the checker needs.
    pub fn env(&self) -> &Rc<Env> {
        self.env.get_or_init(|| {
            let mut env = Env::default();
            self.items.iter().for_each(|item| env.define(item));
            Rc::new(env)
        })
    }

    pub fn function(&self, name: &str) -> Option<&Function> {
        match &self.item(name)?.kind {
            ItemKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Whether other items may have another meaning after these are defined: those that mention one
    /// of them, unless it replaces one with the same interface.
    pub fn affects_others(&self, items: &[&Item]) -> bool {
        if let [item] = items
            && let Some(old) = self.item(&item.name())
            && let Some(interface) = self.interface(item)
        {
            return self.interface(old) != Some(interface);
        }
        !items.iter().enumerate().all(|(n, item)| match &item.kind {
            ItemKind::Def(Def { name, .. }) | ItemKind::Function(Function { name, .. }) => {
                !self.words.may_contain(&name.text)
                    && items[..n].iter().all(|i| i.name() != *name.text)
            }
            _ => false,
        })
    }

    /// What the meaning of other items can depend on; `None` if that is more than an [`Interface`].
    fn interface(&self, item: &Item) -> Option<Interface> {
        match &item.kind {
            ItemKind::Def(def) => Some(Interface::Variable(self.type_of_definition(def))),
            ItemKind::Function(function) => Some(Interface::Function {
                signature: Signature::of(function),
                always_returns_value: ends_in_value(&function.body),
            }),
            _ => None,
        }
    }

    /// The type of a variable, from its initial value.
    pub fn type_of_definition(&self, def: &Def) -> StaticType {
        typing::type_of_initializer(&def.value, &|name| {
            self.variables.get(name).and_then(|v| v.ty)
        })
    }

    fn item(&self, name: &str) -> Option<&Rc<Item>> {
        self.items.get(*self.item_indices.get(name)?)
    }

    /// True if every path through the function ends with `return` and a value.
    pub fn always_returns_value(&self, name: &str) -> bool {
        let function = self.function(name);
        function.is_some_and(|function| ends_in_value(&function.body))
    }

    pub fn has_player(&self, name: &str) -> bool {
        self.env().players.iter().any(|player| **player == *name)
    }

    pub fn has_setup(&self) -> bool {
        self.items
            .iter()
            .any(|i| matches!(i.kind, ItemKind::Setup(_)))
    }

    /// Whether a variable of this name is defined.
    pub fn is_variable(&self, name: &str) -> bool {
        let item = self.item(name);
        item.is_some_and(|item| matches!(item.kind, ItemKind::Def(_)))
    }

    /// The index of an item.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.item_indices.get(name).copied()
    }

    /// Moves an item after those up to `last`.
    pub fn move_item(&mut self, from: usize, last: usize) {
        let mut items: Vec<Rc<Item>> = self.items.iter().cloned().collect();
        items[from..=last].rotate_left(1);
        self.item_indices = SharedMap::default();
        for (n, item) in items.iter().enumerate() {
            self.item_indices.insert(item.name().into(), n);
        }
        self.items = SharedVec::default();
        items.into_iter().for_each(|item| self.items.push(item));
        self.env.take();
    }

    /// Adds or replaces an item; returns the one it replaced.
    pub fn define(&mut self, item: Rc<Item>) -> Option<Rc<Item>> {
        let name: Rc<str> = item.name().into();
        let next = self.items.len();
        let index = self.item_indices.get_or_insert_with(&name, || next);
        // The types of other variables may depend on the replaced item.
        let is_replaced = index < next;
        if is_replaced && self.affects_others(&[&item]) {
            self.env.take();
        } else if let Some(env) = self.env.get_mut() {
            Rc::make_mut(env).define(&item);
        }
        match self.items.get_mut(index) {
            Some(old) => Some(std::mem::replace(old, item)),
            None => {
                self.items.push(item);
                None
            }
        }
    }
}

fn ends_in_value(block: &Block) -> bool {
    match block.statements.last().map(|s| &s.kind) {
        Some(StatementKind::Return(value)) => value.is_some(),
        Some(StatementKind::If {
            arms,
            otherwise: Some(otherwise),
        }) => arms.iter().all(|(_, b)| ends_in_value(b)) && ends_in_value(otherwise),
        _ => false,
    }
}

/// The blocks of an item that are compiled to functions, with the functions' names.
pub fn bodies(item: &Item) -> Vec<(String, &Block)> {
    match &item.kind {
        ItemKind::Setup(body)
        | ItemKind::Condition(_, body)
        | ItemKind::Function(Function { body, .. }) => vec![(item.name(), body)],
        ItemKind::Piece(piece) => {
            let name = |event| format!("{}.{event}", piece.name());
            let handlers = piece.handlers();
            handlers.map(|(event, h)| (name(event), &h.body)).collect()
        }
        _ => Vec::new(),
    }
}
