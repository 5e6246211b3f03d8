//! Assigns each kind of piece a glyph: one character, unique, derived from the kind's name, and
//! stable for the whole session.

use crate::answer::{BLANK_GLYPH, Glyphs};
use crate::value::InternedStr;

/// Names of kinds that represent an empty cell; the first such kind is drawn as [`BLANK_GLYPH`].
const BLANK_NAMES: [&str; 15] = [
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

/// Kinds named after a number are drawn as its digit.
const DIGIT_NAMES: [&str; 10] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
];

/// Kinds that should stand out among the letters.
const SPECIAL_GLYPHS: [(&str, char); 2] = [("player", '@'), ("goal", '*')];

/// The glyph of a kind. A kind without one is assigned the first free candidate.
pub fn assigned_glyph(glyphs: &mut Glyphs, name: InternedStr) -> char {
    if let Some(glyph) = glyphs.get(name) {
        return glyph;
    }
    let glyph = choose(glyphs, name.as_str());
    glyphs.set(name, glyph);
    glyph
}

fn choose(glyphs: &Glyphs, name: &str) -> char {
    let lower = name.to_lowercase();
    if BLANK_NAMES.contains(&lower.as_str()) && !glyphs.has_blank() {
        return BLANK_GLYPH;
    }
    let digit = DIGIT_NAMES
        .iter()
        .position(|d| *d == lower)
        .and_then(|n| char::from_digit(n as u32, 10));
    let special = SPECIAL_GLYPHS
        .iter()
        .find(|(word, _)| *word == lower)
        .map(|(_, glyph)| *glyph);
    // A one-character name is its own glyph. Otherwise try the letters of the name, then the
    // same letters in the other case, then any character.
    let mut chars = name.chars();
    let name_itself = chars
        .next()
        .filter(|c| chars.next().is_none() && is_single_width(*c));
    let letters = name.chars().filter(|c| c.is_ascii_alphanumeric());
    let other_case = name
        .chars()
        .filter(char::is_ascii_alphabetic)
        .map(|c| (c as u8 ^ 0x20) as char);
    let any = ('a'..='z')
        .chain('A'..='Z')
        .chain('0'..='9')
        .chain("@$%&*+=~!<>/^;:,".chars());
    let greek = (0x3b1..0x3c9).filter_map(char::from_u32);
    let free = |c: &char| glyphs.owner(*c).is_none();
    digit
        .into_iter()
        .chain(special)
        .chain(name_itself)
        .chain(letters)
        .chain(other_case)
        .chain(any)
        .chain(greek)
        .find(free)
        .unwrap_or('?')
}

/// Whether a character is visible and one column wide. Others would break the alignment of the
/// board.
pub fn is_single_width(c: char) -> bool {
    let wide = matches!(c as u32,
        0x300..=0x36f | 0x1100..=0x115f | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x2e80..=0xd7a3
        | 0xf900..=0xfaff | 0xfe00..=0xff60 | 0xffe0..=0xffff | 0x1f000..=0x1faff | 0x20000..);
    !wide && !c.is_control() && !c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use crate::render::board::glyph::*;

    #[test]
    fn each_kind_gets_a_unique_glyph() {
        let mut glyphs = Glyphs::default();
        let names = ["free", "cross", "ring", "crown", "one", "o", "c", "C"];
        let got: String = names
            .iter()
            .map(|n| assigned_glyph(&mut glyphs, InternedStr::new(n)))
            .collect();
        assert_eq!(got, "·cro1OCa");
        assert_eq!(assigned_glyph(&mut glyphs, InternedStr::new("cross")), 'c');
        assert_eq!(
            ["#", "+", "→", "棋"].map(|n| assigned_glyph(&mut glyphs, InternedStr::new(n))),
            ['#', '+', '→', 'b']
        );
    }
}
