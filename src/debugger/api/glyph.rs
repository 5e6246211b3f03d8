//! The characters that pieces are drawn with.

use crate::value::InternedStr;

/// Drawn for the blank kind or, if there is none, for cells without a piece.
pub const BLANK_GLYPH: char = '·';

/// The glyph of each kind of piece, in order of assignment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Glyphs {
    assigned: Vec<(InternedStr, char)>,
}

impl Glyphs {
    /// The glyph of a kind, if it has one.
    pub fn get(&self, name: InternedStr) -> Option<char> {
        self.assigned
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, g)| *g)
    }

    /// The kind that a glyph is assigned to.
    pub fn owner(&self, glyph: char) -> Option<InternedStr> {
        self.assigned
            .iter()
            .find(|(_, g)| *g == glyph)
            .map(|(n, _)| *n)
    }

    /// Assigns a glyph.
    pub fn set(&mut self, name: InternedStr, glyph: char) {
        self.assigned.retain(|(n, _)| *n != name);
        self.assigned.push((name, glyph));
    }

    /// The position of a kind in the order of assignment, which selects its color.
    pub fn index(&self, name: InternedStr) -> u16 {
        self.assigned
            .iter()
            .position(|(n, _)| *n == name)
            .unwrap_or(0) as u16
    }

    /// Whether a kind is drawn as [`BLANK_GLYPH`].
    pub fn has_blank(&self) -> bool {
        self.owner(BLANK_GLYPH).is_some()
    }
}
