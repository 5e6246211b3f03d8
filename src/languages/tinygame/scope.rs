//! The declarations of a session, and how to restart its game.

use super::ast::Item;
use super::check::{DeclaredEntity, Env, check_item};
use crate::code::{Global, Program};
use crate::source::Span;
use crate::value::{InternedStr, SharedMap, SharedVec};
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The entities that currently exist.
    pub env: Env,
    /// The game from its start: the items of the file, then what was declared at the prompt. Names
    /// of entities are unique; a forgotten entity keeps its position for the next one of that name.
    pub items: SharedVec<Rc<Item>>,
    /// The global of every property that ever existed, by entity and property.
    pub slots: SharedMap<Arc<str>, SharedMap<Arc<str>, u32>>,
    /// The number of properties that ever existed.
    pub slot_count: u32,
    /// The names of entities that were ever forgotten. Statements of the file may refer to them.
    pub forgotten: SharedMap<Arc<str>, ()>,
    /// False if the function that plays the game lacks the latest declarations.
    pub is_start_current: bool,
}

/// `hero.x`
pub fn full_name(entity: &str, property: &str) -> String {
    format!("{entity}.{property}")
}

impl Scope {
    pub fn from_program(program: &Program) -> Rc<Scope> {
        program.scope_of()
    }

    pub fn slot(&self, entity: &str, property: &str) -> Option<u32> {
        self.slots.get(entity)?.get(property).copied()
    }

    /// Assigns a global to every property of an entity that has none yet, and names the globals.
    pub fn add_globals(&mut self, entity: &DeclaredEntity, globals: &mut SharedVec<Global>) {
        let mut slots = self.slots.get(&entity.name).cloned().unwrap_or_default();
        for property in &entity.properties {
            let slot = slots.get_or_insert_with(property, || {
                self.slot_count += 1;
                self.slot_count - 1
            });
            let global = Global {
                name: InternedStr::new(&full_name(&entity.name, property)),
                is_user_defined: true,
                span: entity.name_span,
            };
            globals.put(slot as usize, global);
        }
        self.slots.insert(entity.name.clone(), slots);
    }

    /// Removes an entity. Returns its globals, which no longer have a name.
    pub fn forget(&mut self, entity: &DeclaredEntity, globals: &mut SharedVec<Global>) -> Vec<u32> {
        self.env.forget(&entity.name);
        self.forgotten.insert(entity.name.clone(), ());
        let properties = entity.properties.iter();
        let slots: Vec<u32> = properties
            .filter_map(|property| self.slot(&entity.name, property))
            .collect();
        for &slot in &slots {
            let unnamed = Global {
                name: InternedStr::new(""),
                is_user_defined: false,
                span: Span::default(),
            };
            globals.put(slot as usize, unnamed);
        }
        slots
    }

    /// Adds an entity to the game: at the position of a forgotten entity of the same name, if
    /// everything it needs is declared by then, otherwise at the end.
    pub fn declare(&mut self, item: Rc<Item>) {
        let Item::Entity(entity) = &*item else { return };
        if !self.forgotten.contains_key(&entity.name.text) {
            return self.items.push(item);
        }
        let has_same_name =
            |old: &Rc<Item>| matches!(&**old, Item::Entity(e) if e.name.text == entity.name.text);
        match self.items.iter().position(has_same_name) {
            Some(index) if !check_item(&item, &self.env_before(index)).has_errors() => {
                self.items.set(index, item)
            }
            Some(_) => {
                let others = self.items.iter().filter(|old| !has_same_name(old));
                self.items = others.cloned().chain([item.clone()]).collect();
            }
            None => self.items.push(item),
        }
    }

    /// The entities declared before the item at the index.
    fn env_before(&self, index: usize) -> Env {
        let mut env = Env::default();
        for item in self.items.iter().take(index) {
            if self.is_declared(item) {
                env = check_item(item, &env).env;
            }
        }
        env
    }

    fn is_declared(&self, item: &Item) -> bool {
        matches!(item, Item::Entity(e) if self.env.get(&e.name.text).is_some())
    }

    /// What the game executes when it starts: everything except forgotten entities and the
    /// statements that use them.
    pub fn startup_items(&self) -> Vec<Rc<Item>> {
        if self.forgotten.is_empty() {
            return self.items.iter().cloned().collect();
        }
        let mut env = Env::default();
        let mut items = Vec::new();
        for item in &self.items {
            let checked = check_item(item, &env);
            match &**item {
                Item::Entity(_) if !self.is_declared(item) => continue,
                Item::Statement(_) if checked.has_errors() => continue,
                _ => items.push(item.clone()),
            }
            env = checked.env;
        }
        items
    }

    /// An entity whose declaration uses the named one.
    pub fn dependent_on(&self, name: &str) -> Option<&DeclaredEntity> {
        let dependent = self.items.iter().find_map(|item| match &**item {
            Item::Entity(e) if *e.name.text != *name && self.is_declared(item) => e
                .properties
                .iter()
                .any(|p| p.value.mentions(name))
                .then_some(&e.name.text),
            _ => None,
        })?;
        self.env.get(dependent)
    }
}
