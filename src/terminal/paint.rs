//! From meanings to colours: few of them, each with one meaning, none needed for reading.

use crate::session::Style as Meaning;
use owo_colors::{AnsiColors, DynColors, OwoColorize, Style, XtermColors};
use std::borrow::Cow;

/// Kinds of pieces take turns with these; red, yellow and green mean other things.
const KINDS: [AnsiColors; 6] = [
    AnsiColors::Cyan,
    AnsiColors::Magenta,
    AnsiColors::Blue,
    AnsiColors::BrightCyan,
    AnsiColors::BrightMagenta,
    AnsiColors::BrightBlue,
];

pub fn painted<'a>(text: &'a str, meaning: Meaning, colour: bool) -> Cow<'a, str> {
    if !colour || meaning == Meaning::Plain || text.trim().is_empty() && meaning != Meaning::Here {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.style(style(meaning)).to_string())
}

fn style(meaning: Meaning) -> Style {
    let plain = Style::new();
    match meaning {
        Meaning::Plain => plain,
        Meaning::Dim => plain.dimmed(),
        Meaning::Strong => plain.bold(),
        Meaning::Error => plain.red().bold(),
        Meaning::Warning => plain.yellow().bold(),
        Meaning::Changed => plain.green().bold(),
        Meaning::Here => plain.reversed(),
        Meaning::Kind(n) => plain.color(KINDS[n as usize % KINDS.len()]),
        Meaning::Colour(r, g, b) => plain.color(DynColors::Xterm(nearest(r, g, b))),
    }
}

/// The nearest colour of the 6 x 6 x 6 cube that every terminal of today has.
fn nearest(r: u8, g: u8, b: u8) -> XtermColors {
    let side = |n: u8| {
        if n < 48 {
            0
        } else if n < 115 {
            1
        } else {
            (n - 35) / 40
        }
    };
    XtermColors::from(16 + 36 * side(r) + 6 * side(g) + side(b))
}
