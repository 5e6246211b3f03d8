//! What a GridLok program has defined so far: its items, and where each lies in the code.

use super::ast::{Block, Ending, Item, ItemKind, StatementKind};
use super::env::Env;
use super::typing::Type;
use crate::code::{Program, SymbolTable};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// What is known of a value's type before anything runs.
pub type StaticType = Option<Type>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GlobalVariable {
    pub global: u32,
    pub ty: StaticType,
}

/// Variables of the rules and predefined ones, in the order of their numbers.
pub const RULE_VARIABLES: &[(&str, StaticType)] = &[
    ("win", Some(Type::Bool)),
    ("lose", Some(Type::Bool)),
    ("draw", Some(Type::Bool)),
    ("turn", Some(Type::Text)),
    ("turnCount", Some(Type::Int)),
    ("@status", Some(Type::Int)),
    ("@winner", Some(Type::Text)),
    ("@acting", Some(Type::Bool)),
    ("@turnOver", Some(Type::Bool)),
    ("@gone", Some(Type::Bool)),
    ("@seat", Some(Type::Int)),
    ("@owner", Some(Type::Text)),
    ("@order", Some(Type::List)),
    ("@given", Some(Type::List)),
    ("@players", Some(Type::List)),
    ("@priority", Some(Type::List)),
];

/// The number of a variable of the rules.
pub fn rule_variable(name: &str) -> Option<u32> {
    RULE_VARIABLES
        .iter()
        .position(|(n, _)| *n == name)
        .map(|n| n as u32)
}

/// All that is defined.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// In the order of the file, then of typing; a definition that replaces another takes its place.
    pub items: Vec<Rc<Item>>,
    /// Where each title stands among them.
    places: HashMap<String, usize>,
    pub variables: BTreeMap<String, GlobalVariable>,
    /// Code by title: `add`, `zero.onClick`, `winCondition`, `@click`.
    pub symbols: SymbolTable,
    /// Whether setup has run in this game.
    pub has_run_setup: bool,
}

impl Scope {
    pub fn of(program: &Program) -> Scope {
        program
            .scope
            .downcast_ref::<Scope>()
            .cloned()
            .unwrap_or_default()
    }

    /// What the checker has to know.
    pub fn to_env(&self) -> Env {
        let mut env = Env::default();
        self.items.iter().for_each(|item| env.define(item));
        env
    }

    pub fn function(&self, name: &str) -> Option<&Item> {
        self.items
            .iter()
            .map(Rc::as_ref)
            .find(|i| matches!(&i.kind, ItemKind::Function(f) if f.name.text == name))
    }

    /// Whether every way through a function ends with a value.
    pub fn always_returns_value(&self, name: &str) -> bool {
        self.function(name).is_some_and(
            |item| matches!(&item.kind, ItemKind::Function(f) if ends_in_value(&f.body)),
        )
    }

    pub fn has_player(&self, name: &str) -> bool {
        self.items
            .iter()
            .any(|i| matches!(&i.kind, ItemKind::Players(p) if p.iter().any(|p| p.text == name)))
    }

    pub fn has_setup(&self) -> bool {
        self.items
            .iter()
            .any(|i| matches!(i.kind, ItemKind::Setup(_)))
    }

    /// Puts an item in, in the place of the one that it replaces, which is given back.
    pub fn define(&mut self, item: Rc<Item>) -> Option<Rc<Item>> {
        let at = *self
            .places
            .entry(item_name(&item))
            .or_insert(self.items.len());
        match self.items.get_mut(at) {
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

/// What a person calls an item; two with one title replace each other.
pub fn item_name(item: &Item) -> String {
    match &item.kind {
        ItemKind::Board(_) => "board".into(),
        ItemKind::Players(_) => "players".into(),
        ItemKind::TurnOrder(_) => "turnOrder".into(),
        ItemKind::EventPriority(_) => "eventPriority".into(),
        ItemKind::Piece(p) => format!("piece {}", p.name.as_ref().map_or("", |n| &n.text)),
        ItemKind::Setup(_) => "setup".into(),
        ItemKind::Condition(ending, _) => condition_name(*ending).into(),
        // A function and a variable can't share a name: the later one takes the place.
        ItemKind::Def(d) => d.name.text.clone(),
        ItemKind::Function(f) => f.name.text.clone(),
    }
}

pub fn condition_name(ending: Ending) -> &'static str {
    match ending {
        Ending::Win => "winCondition",
        Ending::Lose => "loseCondition",
        Ending::Draw => "drawCondition",
    }
}

/// The parts of an item that become functions of their own, with their titles.
pub fn bodies(item: &Item) -> Vec<(String, &Block)> {
    match &item.kind {
        ItemKind::Setup(body) => vec![("setup".into(), body)],
        ItemKind::Condition(ending, body) => vec![(condition_name(*ending).into(), body)],
        ItemKind::Function(f) => vec![(f.name.text.clone(), &f.body)],
        ItemKind::Piece(p) => {
            let name = p.name.as_ref().map_or("", |n| &n.text);
            let click = p
                .on_click
                .as_ref()
                .map(|h| (format!("{name}.onClick"), &h.body));
            let turn = p
                .on_turn
                .as_ref()
                .map(|h| (format!("{name}.onTurn"), &h.body));
            click.into_iter().chain(turn).collect()
        }
        _ => Vec::new(),
    }
}
