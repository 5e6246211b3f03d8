//! What the characters of a frame mean, and the colors of each meaning. There are few colors, each with
//! one meaning. Color never carries a meaning alone: without it, everything is still there as
//! characters.

use crate::session::Style;
use crate::terminal::output::paint::{cube_color, luminance, nearest_readable};

/// What is drawn in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    Plain,
    Dim,
    Border,
    /// The border and title of the pane with the keys.
    Focus,
    /// What runs next.
    Now,
    Changed,
    /// The reason for something, with its number.
    Reason,
    /// The past, and moves that were undone.
    Past,
    Error,
    Keyword,
    Builtin,
    Literal,
    /// A piece of the nth kind.
    Kind(u16),
    /// A color of the program, readable on any background.
    Color(u8, u8, u8),
    /// Black or white, whichever is readable on this color.
    On(u8, u8, u8),
}

/// The background.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ground {
    Plain,
    /// The line or cell of the statement that runs next.
    Now,
    Changed,
    Reason,
    /// What the keyboard has chosen: inverse.
    Cursor,
    /// An empty cell of the board.
    Blank,
    /// A cell with a piece of the nth kind.
    Kind(u16),
    /// A cell whose color the program has set.
    Color(u8, u8, u8),
}

/// How a character looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    pub ink: Ink,
    pub ground: Ground,
    pub is_bold: bool,
    pub is_underlined: bool,
}

impl Look {
    pub const PLAIN: Look = Look::new(Ink::Plain);
    pub const DIM: Look = Look::new(Ink::Dim);
    pub const BOLD: Look = Look::new(Ink::Plain).bold();

    pub const fn new(ink: Ink) -> Look {
        Look {
            ink,
            ground: Ground::Plain,
            is_bold: false,
            is_underlined: false,
        }
    }

    pub const fn bold(self) -> Look {
        Look {
            is_bold: true,
            ..self
        }
    }

    pub const fn underlined(self) -> Look {
        Look {
            is_underlined: true,
            ..self
        }
    }

    pub const fn on(self, ground: Ground) -> Look {
        Look { ground, ..self }
    }

    /// The look of text that answers consist of.
    pub fn of(style: Style) -> Look {
        match style {
            Style::Plain => Look::PLAIN,
            Style::Dim => Look::DIM,
            Style::Strong => Look::BOLD,
            Style::Error => Look::new(Ink::Error).bold(),
            Style::Warning => Look::new(Ink::Past).bold(),
            Style::Changed => Look::new(Ink::Changed).bold(),
            Style::Current => Look::new(Ink::Now).bold(),
            Style::Kind(n) => Look::new(Ink::Kind(n)),
            Style::Color(r, g, b) => Look::new(Ink::Color(r, g, b)),
        }
    }
}

/// The colors of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// Without color: bold, underlined and inverse text only.
    None,
    /// The background is unknown: colors that are readable on any.
    Unknown,
    Dark,
    Light,
}

/// Colors of the 256-color palette: on an unknown, a dark and a light background.
type Shades = [u8; 3];

const DIM: Shades = [243, 245, 242];
const BORDER: Shades = [243, 240, 249];
const FOCUS: Shades = [67, 110, 25];
const NOW: Shades = [136, 221, 130];
const CHANGED: Shades = [28, 114, 28];
const REASON: Shades = [31, 80, 23];
const PAST: Shades = [166, 215, 130];
const ERROR: Shades = [160, 203, 160];
const KEYWORD: Shades = [97, 141, 55];
const BUILTIN: Shades = [31, 75, 25];
const LITERAL: Shades = [133, 180, 94];

/// Kinds of pieces in rotation, each as text and as a tile: its background and its text. Yellow, green
/// and amber have other meanings.
const KINDS: [(Shades, Shades, Shades); 6] = [
    ([97, 147, 55], [60, 60, 189], [255, 255, 55]),
    ([167, 210, 88], [88, 88, 224], [224, 224, 88]),
    ([67, 117, 25], [24, 24, 153], [195, 195, 18]),
    ([30, 80, 23], [23, 23, 158], [195, 195, 23]),
    ([133, 176, 90], [53, 53, 225], [225, 225, 90]),
    ([244, 250, 238], [238, 238, 252], [254, 254, 236]),
];

impl Theme {
    fn shade(self, shades: Shades) -> u8 {
        match self {
            Theme::None | Theme::Unknown => shades[0],
            Theme::Dark => shades[1],
            Theme::Light => shades[2],
        }
    }

    /// What a terminal needs to draw in a look, whatever it has drawn before.
    pub fn codes(self, look: Look) -> String {
        let mut codes = String::from("\x1b[0");
        if look.is_bold {
            codes.push_str(";1");
        }
        if look.is_underlined {
            codes.push_str(";4");
        }
        if look.ground == Ground::Cursor {
            codes.push_str(";7");
        }
        match self {
            Theme::None => {
                if matches!(look.ink, Ink::Dim | Ink::Border) {
                    codes.push_str(";2");
                }
            }
            _ => {
                if let Some(ink) = self.ink(look) {
                    codes.push_str(&format!(";38;5;{ink}"));
                }
                if let Some(ground) = self.ground(look.ground) {
                    codes.push_str(&format!(";48;5;{ground}"));
                }
            }
        }
        codes.push('m');
        codes
    }

    fn ink(self, look: Look) -> Option<u8> {
        let kind = |n: u16| KINDS[usize::from(n) % KINDS.len()];
        Some(self.shade(match (look.ink, look.ground) {
            (Ink::Plain, Ground::Plain | Ground::Cursor | Ground::Blank) => return None,
            // On a background of its own, the color of the terminal's text is not sure to be readable.
            (Ink::Plain, _) => [255, 255, 16],
            (Ink::Dim, _) => DIM,
            (Ink::Border, _) => BORDER,
            (Ink::Focus, _) => FOCUS,
            (Ink::Now, _) => NOW,
            (Ink::Changed, _) => CHANGED,
            (Ink::Reason, _) => REASON,
            (Ink::Past, _) => PAST,
            (Ink::Error, _) => ERROR,
            (Ink::Keyword, _) => KEYWORD,
            (Ink::Builtin, _) => BUILTIN,
            (Ink::Literal, _) => LITERAL,
            (Ink::Kind(n), Ground::Kind(_)) => kind(n).2,
            (Ink::Kind(n), _) => kind(n).0,
            (Ink::Color(r, g, b), _) => return Some(nearest_readable(r, g, b)),
            (Ink::On(r, g, b), _) => match luminance(r, g, b) > 0.3 {
                true => [16; 3],
                false => [231; 3],
            },
        }))
    }

    fn ground(self, ground: Ground) -> Option<u8> {
        Some(self.shade(match ground {
            Ground::Plain | Ground::Cursor => return None,
            Ground::Now => [237, 237, 230],
            Ground::Changed => [22, 22, 194],
            Ground::Reason => [23, 23, 195],
            Ground::Blank => match self {
                Theme::Dark => [235; 3],
                Theme::Light => [255; 3],
                _ => return None,
            },
            Ground::Kind(n) => KINDS[usize::from(n) % KINDS.len()].1,
            Ground::Color(r, g, b) => return Some(cube_color([r, g, b])),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::output::paint::rgb;

    fn contrast(a: f64, b: f64) -> f64 {
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn light_of(color: u8) -> f64 {
        let (r, g, b) = rgb(color);
        luminance(r, g, b)
    }

    #[test]
    fn texts_are_readable_on_their_backgrounds() {
        let inks = [
            DIM, FOCUS, NOW, CHANGED, REASON, PAST, ERROR, KEYWORD, BUILTIN, LITERAL,
        ];
        let kinds = KINDS.iter().map(|kind| kind.0);
        for ink in inks.into_iter().chain(kinds) {
            for (theme, background, least) in [
                (Theme::Dark, 0.0, 4.5),
                (Theme::Light, 1.0, 4.5),
                (Theme::Unknown, 0.0, 2.8),
                (Theme::Unknown, 1.0, 2.8),
            ] {
                let color = theme.shade(ink);
                let found = contrast(light_of(color), background);
                assert!(found >= least, "{theme:?} {color}: {found:.2}");
            }
        }
        for (_, ground, ink) in KINDS {
            for theme in [Theme::Dark, Theme::Light, Theme::Unknown] {
                let (ground, ink) = (theme.shade(ground), theme.shade(ink));
                let found = contrast(light_of(ground), light_of(ink));
                assert!(found >= 4.5, "{theme:?} {ink} on {ground}: {found:.1}");
            }
        }
    }

    #[test]
    fn without_color_there_is_none() {
        for ink in [Ink::Now, Ink::Kind(3), Ink::Color(1, 2, 3)] {
            for ground in [Ground::Now, Ground::Kind(2), Ground::Color(9, 9, 9)] {
                let codes = Theme::None.codes(Look::new(ink).on(ground).bold());
                assert_eq!(codes, "\x1b[0;1m");
            }
        }
        assert_eq!(
            Theme::None.codes(Look::PLAIN.on(Ground::Cursor)),
            "\x1b[0;7m"
        );
    }
}
