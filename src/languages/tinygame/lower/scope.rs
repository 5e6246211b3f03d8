//! The declarations of a session, and how to restart its game.

use crate::ast::{Entity, EntityKind, Item};
use crate::check::{DeclaredEntity, Env, check_item};
use crate::code::{Global, Program};
use crate::value::{SharedMap, SharedVec};
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The entities that currently exist.
    pub env: Env,
    /// The game from its start: the items of the file, then what was declared at the prompt. Names
    /// of entities are unique; a forgotten entity keeps its position for the next one of that name.
    pub items: SharedVec<Rc<Item>>,
    /// The index of each entity's declaration in `items`.
    pub item_indices: SharedMap<Arc<str>, usize>,
    /// The global of every property that ever existed, by entity and property.
    pub slots: SharedMap<Arc<str>, SharedMap<Arc<str>, u32>>,
    /// The number of properties that ever existed.
    pub slot_count: u32,
    /// The entities that have an x and a y: players first, in the order of their declarations.
    pub placed: SharedMap<(bool, u32), PlacedEntity>,
    /// The names of entities that were ever forgotten. Statements of the file may refer to them.
    pub forgotten: SharedMap<Arc<str>, ()>,
}

/// An entity with the globals of its position.
#[derive(Clone, Debug)]
pub struct PlacedEntity {
    pub x: u32,
    pub y: u32,
    pub entity: Arc<DeclaredEntity>,
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
    pub fn add_globals(&mut self, entity: &Arc<DeclaredEntity>, globals: &mut SharedVec<Global>) {
        let mut slots = self.slots.get(&entity.name).cloned().unwrap_or_default();
        for property in &entity.properties {
            let slot = slots.get_or_insert_with(property, || {
                self.slot_count += 1;
                self.slot_count - 1
            });
            let name = full_name(&entity.name, property);
            let global = Global::variable(&name, entity.name_span);
            globals.put(slot as usize, global);
        }
        self.slots.insert(entity.name.clone(), slots);
        if entity.has_property("x")
            && entity.has_property("y")
            && let Some(x) = self.slot(&entity.name, "x")
            && let Some(y) = self.slot(&entity.name, "y")
            && let Some(key) = self.placed_key(entity)
        {
            let entity = entity.clone();
            self.placed.insert(key, PlacedEntity { x, y, entity });
        }
    }

    /// The key of an entity in `placed`.
    fn placed_key(&self, entity: &DeclaredEntity) -> Option<(bool, u32)> {
        let number = self.env.number(&entity.name)?;
        Some((entity.kind != EntityKind::Player, number))
    }

    /// Removes an entity. Returns its globals, which no longer have a name.
    pub fn forget(&mut self, entity: &DeclaredEntity, globals: &mut SharedVec<Global>) -> Vec<u32> {
        if let Some(key) = self.placed_key(entity) {
            self.placed.remove(&key);
        }
        self.env.forget(&entity.name);
        self.forgotten.insert(entity.name.clone(), ());
        let properties = entity.properties.iter();
        let slots: Vec<u32> = properties
            .filter_map(|property| self.slot(&entity.name, property))
            .collect();
        for &slot in &slots {
            globals.put(slot as usize, Global::unused());
        }
        slots
    }

    /// Adds an entity to the game: at the position of a forgotten entity of the same name, if
    /// everything it needs is declared by then, otherwise at the end.
    pub fn declare(&mut self, entity: &Entity) {
        let item = Rc::new(Item::Entity(entity.clone()));
        match self.item_indices.get(&entity.name.text).copied() {
            None => self.push_item(item),
            Some(index) if !self.needs_later_items(entity, index) => self.items.set(index, item),
            Some(index) => {
                let items = std::mem::take(&mut self.items);
                self.item_indices = SharedMap::default();
                for (n, other) in items.iter().enumerate() {
                    if n != index {
                        self.push_item(other.clone());
                    }
                }
                self.push_item(item);
            }
        }
    }

    /// Adds an item to the end of the game.
    pub fn push_item(&mut self, item: Rc<Item>) {
        if let Item::Entity(entity) = &*item {
            let index = self.items.len();
            self.item_indices.insert(entity.name.text.clone(), index);
        }
        self.items.push(item);
    }

    /// Whether a declaration at the index needs entities that are declared after it.
    fn needs_later_items(&self, entity: &Entity, index: usize) -> bool {
        let is_later = |name: &str| self.item_indices.get(name).is_none_or(|at| *at > index);
        let properties = &entity.properties;
        properties.iter().any(|p| p.value.mentions_any(&is_later))
    }

    /// Whether a statement of the file uses an entity.
    pub fn has_statement_with(&self, entity: &str) -> bool {
        let is_user = |item: &Rc<Item>| matches!(&**item, Item::Statement(s) if s.mentions(entity));
        self.items.iter().any(is_user)
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
                Item::Entity(e) if self.env.get(&e.name.text).is_none() => continue,
                Item::Statement(_) if checked.has_errors() => continue,
                _ => items.push(item.clone()),
            }
            env = checked.env;
        }
        items
    }

    /// An entity whose declaration uses the named one.
    pub fn dependent_on(&self, name: &str) -> Option<&Arc<DeclaredEntity>> {
        let uses = |e: &Entity| e.properties.iter().any(|p| p.value.mentions(name));
        let entities = self.items.iter().filter_map(|item| item.entity());
        let mut dependents = entities.filter(|e| *e.name.text != *name && uses(e));
        dependents.find_map(|e| self.env.get(&e.name.text))
    }
}
