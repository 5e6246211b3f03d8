//! From meanings to colours: few of them, each with one meaning, none needed for reading.
//!
//! Terminals are dark or light, and do not say which: every colour stands out from black as well as from white.

use crate::session::Style as Meaning;
use owo_colors::{DynColors, OwoColorize, Style, XtermColors};
use std::borrow::Cow;

pub const RED: u8 = 160;
pub const YELLOW: u8 = 136;
const GREEN: u8 = 28;
pub const CYAN: u8 = 31;
pub const MAGENTA: u8 = 133;

/// Kinds of pieces take turns with these; red, yellow and green mean other things.
const KINDS: [u8; 6] = [CYAN, MAGENTA, 69, 30, 97, 67];

pub fn paint<'a>(text: &'a str, meaning: Meaning, colour: bool) -> Cow<'a, str> {
    if !colour || meaning == Meaning::Plain || text.trim().is_empty() && meaning != Meaning::Current
    {
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
        Meaning::Error => xterm_color(RED).bold(),
        Meaning::Warning => xterm_color(YELLOW).bold(),
        Meaning::Changed => xterm_color(GREEN).bold(),
        Meaning::Current => plain.reversed(),
        Meaning::Kind(n) => xterm_color(KINDS[n as usize % KINDS.len()]),
        Meaning::Colour(r, g, b) => xterm_color(nearest(r, g, b)),
    }
}

/// One of the 256 colours that every terminal of today has.
pub fn xterm_color(colour: u8) -> Style {
    Style::new().color(DynColors::Xterm(XtermColors::from(colour)))
}

/// The shades of the 6 x 6 x 6 cube.
const SHADES: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// A colour of the cube that can be read on black and on white: the nearest one, made darker or lighter if it must be.
fn nearest(r: u8, g: u8, b: u8) -> u8 {
    let towards = if light(r, g, b) > 0.2 { 0 } else { 255 };
    let mixed =
        |n: u32| [r, g, b].map(|shade| ((u32::from(shade) * (20 - n) + towards * n) / 20) as u8);
    (0..=20)
        .map(|n| in_cube(mixed(n)))
        .find(|&colour| is_readable(colour))
        .unwrap_or(CYAN)
}

fn in_cube(shades: [u8; 3]) -> u8 {
    let near = |shade: u8| {
        (0..6)
            .min_by_key(|&n: &u8| SHADES[usize::from(n)].abs_diff(shade))
            .unwrap_or(0)
    };
    let [r, g, b] = shades.map(near);
    16 + 36 * r + 6 * g + b
}

fn parts(colour: u8) -> (u8, u8, u8) {
    let n = usize::from(colour.saturating_sub(16));
    (SHADES[n / 36 % 6], SHADES[n / 6 % 6], SHADES[n % 6])
}

/// Whether a colour of the cube has a contrast of about three to one with black and with white.
fn is_readable(colour: u8) -> bool {
    let (r, g, b) = parts(colour);
    let light = light(r, g, b) + 0.05;
    light / 0.05 >= 2.9 && 1.05 / light >= 2.9
}

/// How light a colour is to the eye, 0 to 1.
fn light(r: u8, g: u8, b: u8) -> f64 {
    let linear = |shade: u8| (f64::from(shade) / 255.0).powf(2.2);
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_can_be_read_on_black_and_on_white() {
        for colour in [RED, YELLOW, GREEN].iter().chain(&KINDS) {
            assert!(is_readable(*colour), "{colour}");
        }
        for (r, g, b) in [
            (0, 0, 0),
            (255, 255, 255),
            (255, 255, 0),
            (0, 0, 255),
            (255, 0, 0),
            (200, 200, 200),
        ] {
            assert!(is_readable(nearest(r, g, b)), "{r} {g} {b}");
        }
    }

    #[test]
    fn a_colour_that_can_be_read_stays_what_it_is() {
        assert_eq!(nearest(215, 0, 0), RED);
        assert_eq!(nearest(0, 135, 0), GREEN);
        // White and black become greys, yellow is darker, blue lighter.
        let colours = [(255, 255, 255), (0, 0, 0), (255, 255, 0), (0, 0, 255)]
            .map(|(r, g, b)| parts(nearest(r, g, b)));
        assert_eq!(
            colours,
            [(135, 135, 135), (95, 95, 95), (135, 135, 0), (95, 95, 255)]
        );
    }
}
