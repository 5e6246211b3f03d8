//! The numbers of functions by their titles. A title keeps its number as long as the session lives, so what calls a
//! function goes on to call it when it is defined anew.

use super::{Function, FunctionId, Program};
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone, Debug, Default)]
pub struct SymbolTable(BTreeMap<String, FunctionId>);

impl SymbolTable {
    /// The number of a title; one that is new gets the next.
    pub fn get_or_insert(&mut self, title: &str) -> FunctionId {
        let next = FunctionId(self.0.len() as u32);
        *self.0.entry(title.to_string()).or_insert(next)
    }

    pub fn get(&self, title: &str) -> Option<FunctionId> {
        self.0.get(title).copied()
    }

    pub fn name_of(&self, id: FunctionId) -> Option<&str> {
        self.iter()
            .find(|(_, other)| *other == id)
            .map(|(title, _)| title)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, FunctionId)> {
        self.0.iter().map(|(title, id)| (title.as_str(), *id))
    }

    /// The program gets a function for every number that it has none for yet.
    pub fn fill_placeholders(&self, program: &mut Program, placeholder: impl Fn(&str) -> Function) {
        let mut titles: Vec<(&str, FunctionId)> = self.iter().collect();
        titles.sort_by_key(|(_, id)| *id);
        for (title, _) in titles.into_iter().skip(program.functions.len()) {
            program.functions.push(Rc::new(placeholder(title)));
        }
    }
}
