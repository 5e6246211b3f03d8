//! Which definitions a file uses.

use std::collections::BTreeSet;
use std::sync::Arc;

/// What the bodies checked so far have used.
#[derive(Default)]
pub struct Usage {
    /// Variables read and functions called.
    read: BTreeSet<Arc<str>>,
    /// The function whose body is being checked. A recursive call does not count as a use.
    pub current_function: Option<Arc<str>>,
    /// Names of pieces passed to `place` or `changeType`.
    placed: BTreeSet<Arc<str>>,
    /// Some `place` or `changeType` has a computed name, so any piece may be used.
    pub has_computed_name: bool,
    /// Globals whose definition is further down in the file.
    pub defined_later: BTreeSet<Arc<str>>,
}

impl Usage {
    pub fn mark_read(&mut self, name: &str) {
        if self.current_function.as_deref() != Some(name) {
            self.read.insert(name.into());
        }
    }

    pub fn is_defined_later(&self, name: &str) -> bool {
        self.defined_later.contains(name)
    }

    pub fn is_read(&self, name: &str) -> bool {
        self.read.contains(name)
    }

    /// Records that a piece of this name can appear on the board.
    pub fn mark_placed(&mut self, piece: &str) {
        self.placed.insert(piece.into());
    }

    /// True if a piece of this name can appear on the board.
    pub fn is_placed(&self, piece: &str) -> bool {
        self.has_computed_name || self.placed.contains(piece)
    }
}
