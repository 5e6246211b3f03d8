//! What a TinyGame session has declared so far, and how its game begins.

use super::ast::Item;
use super::check::{DeclaredEntity, Env, check_item};
use crate::code::{Global, Program};
use crate::source::Span;
use crate::value::InternedStr;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The entities that are there.
    pub env: Env,
    /// The game from its start: the file, then what was declared at the prompt. No two entities have one name; one
    /// that was forgotten keeps its place for the next of its name.
    pub items: Vec<Rc<Item>>,
    /// The variable of each property that there ever was, by its full name: `hero.x`.
    pub slots: BTreeMap<String, u32>,
    /// Whether an entity was ever forgotten: then statements of the file may name what is no longer there.
    pub has_forgotten: bool,
}

/// `hero.x`
pub fn full_name(entity: &str, property: &str) -> String {
    format!("{entity}.{property}")
}

impl Scope {
    pub fn from_program(program: &Program) -> Scope {
        program
            .scope
            .downcast_ref::<Scope>()
            .cloned()
            .unwrap_or_default()
    }

    pub fn slot(&self, entity: &str, property: &str) -> Option<u32> {
        self.slots.get(&full_name(entity, property)).copied()
    }

    /// Every property of an entity that is there gets a variable.
    pub fn assign_slots(&mut self) {
        for entity in self.env.entities() {
            for property in &entity.properties {
                let next = self.slots.len() as u32;
                self.slots
                    .entry(full_name(&entity.name, property))
                    .or_insert(next);
            }
        }
    }

    /// The variables by number. One of a forgotten entity has no name.
    pub fn globals(&self) -> Vec<Global> {
        let nobody = Global {
            name: InternedStr::new(""),
            is_user_defined: false,
            span: Span::default(),
        };
        let mut globals = vec![nobody; self.slots.len()];
        for entity in self.env.entities() {
            for property in &entity.properties {
                let name = full_name(&entity.name, property);
                if let Some(global) = self
                    .slots
                    .get(&name)
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

    /// Puts an entity into the game from its start: in the place of the forgotten one of its name, if what it
    /// needs is declared there, else behind everything.
    pub fn declare(&mut self, item: Rc<Item>) {
        let Item::Entity(entity) = &*item else { return };
        let same =
            |old: &Rc<Item>| matches!(&**old, Item::Entity(e) if e.name.text == entity.name.text);
        match self.items.iter().position(same) {
            Some(at) if !check_item(&item, &self.env_before(at)).has_errors() => {
                self.items[at] = item
            }
            Some(at) => {
                self.items.remove(at);
                self.items.push(item);
            }
            None => self.items.push(item),
        }
    }

    /// What is declared when the nth item of the game is reached.
    fn env_before(&self, at: usize) -> Env {
        let mut env = Env::default();
        for item in &self.items[..at] {
            if self.is_declared(item) {
                env = check_item(item, &env).env;
            }
        }
        env
    }

    fn is_declared(&self, item: &Item) -> bool {
        matches!(item, Item::Entity(e) if self.env.get(&e.name.text).is_some())
    }

    /// What the game does from its start: without forgotten entities and the statements that name them.
    pub fn startup_items(&self) -> Vec<Rc<Item>> {
        if !self.has_forgotten {
            return self.items.clone();
        }
        let mut env = Env::default();
        let mut kept = Vec::new();
        for item in &self.items {
            let checked = check_item(item, &env);
            match &**item {
                Item::Entity(_) if !self.is_declared(item) => continue,
                Item::Statement(_) if checked.has_errors() => continue,
                _ => kept.push(item.clone()),
            }
            env = checked.env;
        }
        kept
    }

    /// The entity whose declaration names another one.
    pub fn dependent_on(&self, name: &str) -> Option<&DeclaredEntity> {
        let user = self.items.iter().find_map(|item| match &**item {
            Item::Entity(e) if *e.name.text != *name && self.is_declared(item) => e
                .properties
                .iter()
                .any(|p| p.value.mentions(name))
                .then_some(&e.name.text),
            _ => None,
        })?;
        self.env.get(user)
    }
}
