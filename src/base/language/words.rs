//! The words in the texts of a program's definitions.

use crate::value::{InternedStr, SharedMap};

/// The words in the texts of all definitions of a program. A definition whose name is not among them
/// cannot change the meaning of any other, so only the definition itself has to be compiled.
#[derive(Clone, Debug, Default)]
pub struct Words(SharedMap<InternedStr, ()>);

impl Words {
    /// The words of a text.
    pub fn of(text: &str) -> Self {
        let mut words = Words::default();
        words.add(text);
        words
    }

    /// Adds the words of a text. Comments and strings count as well.
    pub fn add(&mut self, text: &str) {
        for word in words(text).map(InternedStr::new) {
            if !self.0.contains_key(&word) {
                self.0.insert(word, ());
            }
        }
    }

    /// Whether no text was added.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a name may occur in one of the texts.
    pub fn may_contain(&self, name: &str) -> bool {
        words(name).any(|word| self.0.contains_key(&InternedStr::new(word)))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}
