//! The characters that pieces are drawn with.

use crate::value::InternedStr;
use std::collections::HashMap;

/// Drawn for the blank kind or, if there is none, for cells without a piece.
pub const BLANK_GLYPH: char = '·';

/// The glyph of each kind of piece, in order of assignment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Glyphs {
    assigned: Vec<(InternedStr, char)>,
    /// The position of each kind in `assigned`.
    positions: HashMap<InternedStr, u32>,
}

impl Glyphs {
    /// The glyph of a kind, if it has one.
    pub fn get(&self, name: InternedStr) -> Option<char> {
        let position = *self.positions.get(&name)?;
        self.assigned.get(position as usize).map(|(_, g)| *g)
    }

    /// The kind that a glyph is assigned to.
    pub fn owner(&self, glyph: char) -> Option<InternedStr> {
        self.assigned
            .iter()
            .find(|(_, g)| *g == glyph)
            .map(|(n, _)| *n)
    }

    /// Assigns a glyph. A kind that had one keeps its place in the order.
    pub fn set(&mut self, name: InternedStr, glyph: char) {
        let next = self.assigned.len() as u32;
        let position = *self.positions.entry(name).or_insert(next);
        match self.assigned.get_mut(position as usize) {
            Some(assigned) => assigned.1 = glyph,
            None => self.assigned.push((name, glyph)),
        }
    }

    /// The position of a kind in the order of assignment, which selects its color.
    pub fn index(&self, name: InternedStr) -> u16 {
        self.positions.get(&name).map_or(0, |at| *at as u16)
    }

    /// Whether a kind is drawn as [`BLANK_GLYPH`].
    pub fn has_blank(&self) -> bool {
        self.owner(BLANK_GLYPH).is_some()
    }
}
