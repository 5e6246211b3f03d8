//! Function ids by name. A name keeps its id for the whole session, so callers of a function pick
//! up its redefinition.

use super::FunctionId;
use crate::value::{SharedMap, SharedVec};
use std::rc::Rc;

/// Maps names of functions to their ids. Copies share their parts.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable {
    ids: SharedMap<Rc<str>, FunctionId>,
    /// Names by id.
    names: SharedVec<Rc<str>>,
}

impl SymbolTable {
    /// The id of a name; a new name gets the next id.
    pub fn get_or_insert(&mut self, name: &str) -> FunctionId {
        if let Some(id) = self.get(name) {
            return id;
        }
        let (name, next) = (Rc::<str>::from(name), FunctionId(self.count() as u32));
        self.names.push(name.clone());
        self.ids.insert(name, next);
        next
    }

    /// The id of a name, if it has one.
    pub fn get(&self, name: &str) -> Option<FunctionId> {
        self.ids.get(name).copied()
    }

    /// The name of an id.
    pub fn name_of(&self, id: FunctionId) -> Option<&str> {
        self.names.get(id.0 as usize).map(|name| &**name)
    }

    /// How many names have an id.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// All names with their ids, in the order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = (&str, FunctionId)> {
        let names = self.names.iter().map(|name| &**name);
        names.zip((0..).map(FunctionId))
    }
}
