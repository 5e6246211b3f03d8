//! One character for each kind of piece: distinct, taken from its name, the same as long as the session lives.

use crate::value::InternedStr;

/// Kinds with such a name stand for a free cell: they get a dot.
const BLANK: [&str; 15] = [
    "blank",
    "empty",
    "free",
    "placeholder",
    "vacant",
    "floor",
    "ground",
    "space",
    "nothing",
    "none",
    "unmarked",
    "untaken",
    "path",
    "road",
    "corridor",
];

/// Number words become digits: a board full of them is read at a glance.
const DIGITS: [&str; 10] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
];

/// What everybody looks for stands out among the letters.
const SIGNS: [(&str, char); 2] = [("player", '@'), ("goal", '*')];

/// The dot of blank kinds, or of vacant cells if there is no blank kind.
pub const BLANK_GLYPH: char = '·';

#[derive(Clone, Debug, Default)]
pub struct Glyphs {
    given: Vec<(InternedStr, char)>,
}

impl Glyphs {
    /// The character of a kind; one that was never asked for before gets the first that is free.
    pub fn get_or_assign(&mut self, name: InternedStr) -> char {
        if let Some(glyph) = self.get(name) {
            return glyph;
        }
        let glyph = self.invent(name.as_str());
        self.given.push((name, glyph));
        glyph
    }

    pub fn get(&self, name: InternedStr) -> Option<char> {
        self.given.iter().find(|(n, _)| *n == name).map(|(_, g)| *g)
    }

    /// Who has a character already.
    pub fn owner(&self, glyph: char) -> Option<InternedStr> {
        self.given
            .iter()
            .find(|(_, g)| *g == glyph)
            .map(|(n, _)| *n)
    }

    pub fn set(&mut self, name: InternedStr, glyph: char) {
        self.given.retain(|(n, _)| *n != name);
        self.given.push((name, glyph));
    }

    /// The number of a kind, for its colour.
    pub fn index(&self, name: InternedStr) -> u16 {
        self.given.iter().position(|(n, _)| *n == name).unwrap_or(0) as u16
    }

    pub fn has_blank(&self) -> bool {
        self.owner(BLANK_GLYPH).is_some()
    }

    fn invent(&self, name: &str) -> char {
        let low = name.to_lowercase();
        if BLANK.contains(&low.as_str()) && !self.has_blank() {
            return BLANK_GLYPH;
        }
        let digit = DIGITS
            .iter()
            .position(|d| *d == low)
            .and_then(|n| char::from_digit(n as u32, 10));
        let sign = SIGNS
            .iter()
            .find(|(word, _)| *word == low)
            .map(|(_, sign)| *sign);
        // A name of one sign is shown as it is; else letters of the name first, then their other case, then any.
        let mut signs = name.chars();
        let itself = signs
            .next()
            .filter(|c| signs.next().is_none() && is_single_width(*c));
        let own = name.chars().filter(|c| c.is_ascii_alphanumeric());
        let other = name
            .chars()
            .filter(char::is_ascii_alphabetic)
            .map(|c| (c as u8 ^ 0x20) as char);
        let any = ('a'..='z')
            .chain('A'..='Z')
            .chain('0'..='9')
            .chain("@$%&*+=~!<>/^;:,".chars());
        let more = (0x3b1..0x3c9).filter_map(char::from_u32);
        let free = |c: &char| self.owner(*c).is_none();
        digit
            .into_iter()
            .chain(sign)
            .chain(itself)
            .chain(own)
            .chain(other)
            .chain(any)
            .chain(more)
            .find(free)
            .unwrap_or('?')
    }
}

/// Whether a character can be seen, and takes one column: others would push the board out of its grid.
pub fn is_single_width(c: char) -> bool {
    let wide = matches!(c as u32,
        0x300..=0x36f | 0x1100..=0x115f | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x2e80..=0xd7a3
        | 0xf900..=0xfaff | 0xfe00..=0xff60 | 0xffe0..=0xffff | 0x1f000..=0x1faff | 0x20000..);
    !wide && !c.is_control() && !c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_own() {
        let mut glyphs = Glyphs::default();
        let names = ["free", "cross", "ring", "crown", "one", "o", "c", "C"];
        let got: String = names
            .iter()
            .map(|n| glyphs.get_or_assign(InternedStr::new(n)))
            .collect();
        assert_eq!(got, "·cro1OCa");
        assert_eq!(glyphs.get_or_assign(InternedStr::new("cross")), 'c');
        assert_eq!(
            ["#", "+", "→", "棋"].map(|n| glyphs.get_or_assign(InternedStr::new(n))),
            ['#', '+', '→', 'b']
        );
    }
}
