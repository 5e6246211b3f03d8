//! The declarations of a session, and how to restart its game.

use super::ast::Item;
use super::check::{DeclaredEntity, Env, check_item};
use crate::code::{Global, Program};
use crate::source::Span;
use crate::value::{InternedStr, SharedMap};
use std::rc::Rc;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The entities that currently exist.
    pub env: Env,
    /// The game from its start: the items of the file, then what was declared at the prompt. Names
    /// of entities are unique; a forgotten entity keeps its position for the next one of that name.
    pub items: Vec<Rc<Item>>,
    /// The global of every property that ever existed, by its full name such as `hero.x`.
    pub slots: SharedMap<Rc<str>, u32>,
    /// Whether an entity was ever forgotten; if so, statements of the file may refer to entities
    /// that no longer exist.
    pub has_forgotten: bool,
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
        self.slots
            .get(full_name(entity, property).as_str())
            .copied()
    }

    /// Assigns a global to every property that has none yet.
    pub fn assign_slots(&mut self) {
        for entity in self.env.entities() {
            for property in &entity.properties {
                let next = self.slots.len() as u32;
                let name = full_name(&entity.name, property);
                if !self.slots.contains_key(name.as_str()) {
                    self.slots.insert(name.into(), next);
                }
            }
        }
    }

    /// The globals by index. Those of forgotten entities have no name.
    pub fn globals(&self) -> Vec<Global> {
        let unnamed = Global {
            name: InternedStr::new(""),
            is_user_defined: false,
            span: Span::default(),
        };
        let mut globals = vec![unnamed; self.slots.len()];
        for entity in self.env.entities() {
            for property in &entity.properties {
                let name = full_name(&entity.name, property);
                if let Some(global) = self
                    .slots
                    .get(name.as_str())
                    .and_then(|&slot| globals.get_mut(slot as usize))
                {
                    *global = Global {
                        name: InternedStr::new(&name),
                        is_user_defined: true,
                        span: entity.name_span,
                    };
                }
            }
        }
        globals
    }

    /// Adds an entity to the game: at the position of a forgotten entity of the same name, if
    /// everything it needs is declared by then, otherwise at the end.
    pub fn declare(&mut self, item: Rc<Item>) {
        let Item::Entity(entity) = &*item else { return };
        let has_same_name =
            |old: &Rc<Item>| matches!(&**old, Item::Entity(e) if e.name.text == entity.name.text);
        match self.items.iter().position(has_same_name) {
            Some(index) if !check_item(&item, &self.env_before(index)).has_errors() => {
                self.items[index] = item
            }
            Some(index) => {
                self.items.remove(index);
                self.items.push(item);
            }
            None => self.items.push(item),
        }
    }

    /// The entities declared before the item at the index.
    fn env_before(&self, index: usize) -> Env {
        let mut env = Env::default();
        for item in &self.items[..index] {
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
        if !self.has_forgotten {
            return self.items.clone();
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
