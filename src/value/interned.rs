//! Words known to the whole program: names and quoted texts, each kept once and compared as a number.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A word that is kept for good. Only what stands in a source becomes one, so they stay few.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InternedStr(u32);

#[derive(Default)]
struct Words {
    numbers: HashMap<&'static str, u32>,
    words: Vec<&'static str>,
}

static WORDS: Mutex<Option<Words>> = Mutex::new(None);

fn words() -> MutexGuard<'static, Option<Words>> {
    // The table is whole after every change, so a panic elsewhere does not spoil it.
    WORDS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InternedStr {
    pub fn new(word: &str) -> InternedStr {
        let mut guard = words();
        let table = guard.get_or_insert_default();
        if let Some(&number) = table.numbers.get(word) {
            return InternedStr(number);
        }
        let number = table.words.len() as u32;
        let kept: &'static str = Box::leak(word.into());
        table.words.push(kept);
        table.numbers.insert(kept, number);
        InternedStr(number)
    }

    pub fn as_str(self) -> &'static str {
        words()
            .as_ref()
            .and_then(|t| t.words.get(self.0 as usize).copied())
            .unwrap_or("")
    }

    pub fn index(self) -> u32 {
        self.0
    }

    pub(super) fn from_index(number: u32) -> InternedStr {
        InternedStr(number)
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
    fn from(word: &str) -> InternedStr {
        InternedStr::new(word)
    }
}
