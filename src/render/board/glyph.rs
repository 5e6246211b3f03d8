//! Assigns each kind of piece a glyph: a unique character derived from the kind's name, or the name
//! itself if it is a number or another short text. Glyphs are stable for the whole session.

use crate::answer::{BLANK_GLYPH, Glyphs};
use crate::value::InternedStr;

/// Texts of up to this many characters are drawn whole.
const MAX_TEXT_CHARS: usize = 6;

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

/// What glyphs depend on besides the names.
#[derive(Clone, Copy, Default)]
pub struct GlyphRules {
    /// The names are texts that the program chose to show.
    pub names_are_texts: bool,
    /// There are cells without a piece, so that no kind may be drawn like one.
    pub has_empty_cells: bool,
}

/// The glyph of a kind. A kind without one is assigned its text or the first free candidate.
pub fn assigned_glyph(glyphs: &mut Glyphs, rules: GlyphRules, name: InternedStr) -> &'static str {
    if let Some(glyph) = glyphs.get(name) {
        return glyph;
    }
    if is_drawn_whole(rules, name.as_str()) {
        // A number is drawn as itself: another kind with this glyph gets a different one.
        if let Some(other) = glyphs.owner(name.as_str()) {
            let letter = free_letter(glyphs, other.as_str());
            glyphs.set(other, &letter.to_string());
        }
        glyphs.set(name, name.as_str());
        return name.as_str();
    }
    let glyph = choose(glyphs, rules, name.as_str()).to_string();
    let glyph = InternedStr::new(&glyph).as_str();
    glyphs.set(name, glyph);
    glyph
}

/// Whether a text is drawn as it is: a short number, or any short text if the program chose it to be
/// shown.
fn is_drawn_whole(rules: GlyphRules, name: &str) -> bool {
    let is_text = rules.names_are_texts || !name.starts_with(char::is_alphabetic);
    let is_drawable = |c: char| is_single_width(c) || c == ' ';
    let has_edges = !name.is_empty() && name.trim() == name;
    // A single character that is neither a letter nor a digit may belong to another kind already.
    let is_symbol = name.chars().count() == 1 && !name.starts_with(char::is_alphanumeric);
    is_text
        && has_edges
        && (!is_symbol || rules.names_are_texts)
        && name.chars().count() <= MAX_TEXT_CHARS
        && name.chars().all(is_drawable)
}

/// Whether a glyph tells which kind it is: it is the name, its first letter or digit, or a symbol that
/// means the same in every game.
pub fn is_self_explanatory(name: &str, glyph: &str) -> bool {
    let mut chars = glyph.chars();
    let (Some(first), None) = (chars.next(), chars.next()) else {
        return glyph == name;
    };
    let lower = name.to_lowercase();
    first == BLANK_GLYPH
        || lower.starts_with(first.to_ascii_lowercase())
        || digit_of(&lower) == Some(first)
        || special_glyph(&lower) == Some(first)
}

fn digit_of(lower: &str) -> Option<char> {
    let digit = DIGIT_NAMES.iter().position(|d| *d == lower)?;
    char::from_digit(digit as u32, 10)
}

fn special_glyph(lower: &str) -> Option<char> {
    let special = SPECIAL_GLYPHS.iter().find(|(word, _)| *word == lower)?;
    Some(special.1)
}

fn choose(glyphs: &Glyphs, rules: GlyphRules, name: &str) -> char {
    let lower = name.to_lowercase();
    let is_blank = BLANK_NAMES.contains(&lower.as_str()) && !rules.has_empty_cells;
    if is_blank && !glyphs.has_blank() {
        return BLANK_GLYPH;
    }
    // A one-character name is its own glyph.
    let mut chars = name.chars();
    let name_itself = chars
        .next()
        .filter(|c| chars.next().is_none() && is_single_width(*c));
    let preferred = [digit_of(&lower), special_glyph(&lower), name_itself];
    let free = preferred
        .into_iter()
        .flatten()
        .find(|c| is_free(glyphs, *c));
    free.unwrap_or_else(|| free_letter(glyphs, name))
}

/// A free letter of the name, else one of them in the other case, else any letter or symbol. Never a
/// digit, which would be read as a number.
fn free_letter(glyphs: &Glyphs, name: &str) -> char {
    let letters = name.chars().filter(char::is_ascii_alphabetic);
    let other_case = name
        .chars()
        .filter(char::is_ascii_alphabetic)
        .map(|c| (c as u8 ^ 0x20) as char);
    let any = ('a'..='z')
        .chain('A'..='Z')
        .chain("@$%&*=~!<>/^;:,".chars());
    let greek = (0x3b1..0x3c9).filter_map(char::from_u32);
    letters
        .chain(other_case)
        .chain(any)
        .chain(greek)
        .find(|c| is_free(glyphs, *c))
        .unwrap_or('?')
}

fn is_free(glyphs: &Glyphs, glyph: char) -> bool {
    glyphs.owner(glyph.encode_utf8(&mut [0; 4])).is_none()
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

    /// The glyphs of these names, assigned in order.
    fn assigned(rules: GlyphRules, names: &[&str]) -> Vec<&'static str> {
        let mut glyphs = Glyphs::default();
        let names: Vec<InternedStr> = names.iter().map(|n| InternedStr::new(n)).collect();
        for name in &names {
            assigned_glyph(&mut glyphs, rules, *name);
        }
        names.iter().filter_map(|n| glyphs.get(*n)).collect()
    }

    #[test]
    fn each_kind_gets_a_unique_glyph() {
        let names = [
            "free", "cross", "ring", "crown", "one", "o", "c", "C", "#", "+", "→", "棋",
        ];
        let got = assigned(GlyphRules::default(), &names).concat();
        assert_eq!(got, "·cro1OCa#+→b");
    }

    #[test]
    fn numbers_are_drawn_whole_and_digits_mean_numbers() {
        let rules = GlyphRules::default();
        let numbers = ["16", "-7", "1024", "1", "7", "-12345", "(1, 2)"];
        assert_eq!(assigned(rules, &numbers), numbers);
        let long = ["1234567", "-123456", "tile2", "2"];
        assert_eq!(assigned(rules, &long), ["a", "b", "t", "2"]);
        // A number takes its digit from a kind that is named after it.
        assert_eq!(assigned(rules, &["one", "1"]), ["o", "1"]);
    }

    #[test]
    fn short_texts_are_drawn_whole_if_the_program_chose_them() {
        let rules = GlyphRules {
            names_are_texts: true,
            ..GlyphRules::default()
        };
        let names = ["ann", "knight", "bishops", "a", "棋"];
        assert_eq!(assigned(rules, &names), ["ann", "knight", "b", "a", "c"]);
    }

    #[test]
    fn a_kind_is_not_drawn_like_an_empty_cell_where_cells_can_be_empty() {
        let rules = GlyphRules {
            has_empty_cells: true,
            ..GlyphRules::default()
        };
        assert_eq!(assigned(rules, &["floor", "space"]), ["f", "s"]);
    }

    #[test]
    fn a_glyph_explains_itself_if_it_is_the_start_of_the_name() {
        for (name, glyph) in [("cross", "c"), ("cross", "C"), ("one", "1"), ("16", "16")] {
            assert!(is_self_explanatory(name, glyph), "{name} {glyph}");
        }
        for (name, glyph) in [("crown", "r"), ("1234567", "a"), ("棋", "b")] {
            assert!(!is_self_explanatory(name, glyph), "{name} {glyph}");
        }
    }
}
