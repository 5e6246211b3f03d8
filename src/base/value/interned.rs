//! Interned strings: names and string literals, each stored once and compared by index.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An interned string. Never freed; only text from source files and entries is interned, so there
/// are few.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InternedStr(u32);

#[derive(Default)]
struct Table {
    indices: HashMap<&'static str, u32>,
    strings: Vec<&'static str>,
}

static TABLE: Mutex<Option<Table>> = Mutex::new(None);

thread_local! {
    /// The strings of the table that this thread has seen: threads that search a game read the names of
    /// its players after every action and must not wait for each other.
    static KNOWN: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

fn table() -> MutexGuard<'static, Option<Table>> {
    // The table is consistent after every change, so a panic elsewhere cannot corrupt it.
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InternedStr {
    /// Interns a string.
    pub fn new(text: &str) -> InternedStr {
        let mut guard = table();
        let table = guard.get_or_insert_default();
        if let Some(&index) = table.indices.get(text) {
            return InternedStr(index);
        }
        let index = table.strings.len() as u32;
        let leaked: &'static str = Box::leak(text.into());
        table.strings.push(leaked);
        table.indices.insert(leaked, index);
        InternedStr(index)
    }

    /// The interned string with this text, if there is one.
    pub fn find(text: &str) -> Option<InternedStr> {
        let guard = table();
        let index = guard.as_ref()?.indices.get(text)?;
        Some(InternedStr(*index))
    }

    /// The text.
    pub fn as_str(self) -> &'static str {
        let index = self.0 as usize;
        KNOWN.with_borrow_mut(|known| {
            if index >= known.len()
                && let Some(table) = table().as_ref()
            {
                known.extend_from_slice(&table.strings[known.len()..]);
            }
            known.get(index).copied().unwrap_or("")
        })
    }

    /// Index in the table of interned strings; small, and stable within the process.
    pub fn index(self) -> u32 {
        self.0
    }

    /// The string with this index, which must be one that [`InternedStr::index`] returned.
    pub fn from_index(index: u32) -> InternedStr {
        InternedStr(index)
    }
}

impl fmt::Display for InternedStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for InternedStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl From<&str> for InternedStr {
    fn from(text: &str) -> InternedStr {
        InternedStr::new(text)
    }
}
