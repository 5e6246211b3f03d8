//! Function ids by name. A name keeps its id for the whole session, so callers of a function pick
//! up its redefinition.

use super::{Function, FunctionId, Program};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Maps names of functions to their ids. Cloning copies only a pointer.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable(Rc<BTreeMap<String, FunctionId>>);

impl SymbolTable {
    /// The id of a name; a new name gets the next id.
    pub fn get_or_insert(&mut self, name: &str) -> FunctionId {
        if let Some(id) = self.get(name) {
            return id;
        }
        let next = FunctionId(self.0.len() as u32);
        Rc::make_mut(&mut self.0).insert(name.to_string(), next);
        next
    }

    /// The id of a name, if it has one.
    pub fn get(&self, name: &str) -> Option<FunctionId> {
        self.0.get(name).copied()
    }

    /// The name of an id.
    pub fn name_of(&self, id: FunctionId) -> Option<&str> {
        self.iter()
            .find(|(_, symbol_id)| *symbol_id == id)
            .map(|(name, _)| name)
    }

    /// How many names have an id.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// All names with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (&str, FunctionId)> {
        self.0.iter().map(|(name, id)| (name.as_str(), *id))
    }

    /// Adds a placeholder function to the program for every id that has none yet.
    pub fn fill_placeholders(&self, program: &mut Program, placeholder: impl Fn(&str) -> Function) {
        if program.functions.len() >= self.count() {
            return;
        }
        let mut symbols: Vec<(&str, FunctionId)> = self.iter().collect();
        symbols.sort_by_key(|(_, id)| *id);
        for (name, _) in symbols.into_iter().skip(program.functions.len()) {
            program.functions.push(Rc::new(placeholder(name)));
        }
    }
}
