//! Maps styles to terminal colors. There are few colors, each with one meaning, and no information
//! is conveyed by color alone.
//!
//! The background can be dark or light and there is no reliable way to find out, so every color has
//! enough contrast with both black and white.

use crate::session::Style as Meaning;
use owo_colors::{DynColors, OwoColorize, Style, XtermColors};
use std::borrow::Cow;

pub const RED: u8 = 160;
pub const YELLOW: u8 = 136;
const GREEN: u8 = 28;
pub const CYAN: u8 = 31;
pub const MAGENTA: u8 = 133;

/// Colors for kinds of pieces, in rotation. Red, yellow and green have other meanings.
const KIND_COLORS: [u8; 6] = [CYAN, MAGENTA, 69, 30, 97, 67];

/// Wraps `text` in the escape codes of its style, if color is on.
pub fn paint<'a>(text: &'a str, meaning: Meaning, color: bool) -> Cow<'a, str> {
    if !color || meaning == Meaning::Plain || text.trim().is_empty() && meaning != Meaning::Current
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
        Meaning::Kind(n) => xterm_color(KIND_COLORS[n as usize % KIND_COLORS.len()]),
        Meaning::Color(r, g, b) => xterm_color(nearest_readable(r, g, b)),
    }
}

/// A foreground color of the xterm 256-color palette.
pub fn xterm_color(color: u8) -> Style {
    Style::new().color(DynColors::Xterm(XtermColors::from(color)))
}

/// The channel values of the 6 x 6 x 6 color cube.
const CUBE_LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Minimum contrast ratio with black and with white.
const MIN_CONTRAST: f64 = 2.9;

/// Steps between a color and black or white, when looking for a readable one.
const MIX_STEPS: u32 = 20;

/// The nearest color of the cube that is readable on black and on white; darkened or lightened if
/// necessary.
pub fn nearest_readable(r: u8, g: u8, b: u8) -> u8 {
    let towards = if luminance(r, g, b) > 0.2 { 0 } else { 255 };
    let mixed = |n: u32| {
        [r, g, b]
            .map(|shade| ((u32::from(shade) * (MIX_STEPS - n) + towards * n) / MIX_STEPS) as u8)
    };
    (0..=MIX_STEPS)
        .map(|n| cube_color(mixed(n)))
        .find(|&color| is_readable(color))
        .unwrap_or(CYAN)
}

/// The nearest color of the cube.
pub fn cube_color(channels: [u8; 3]) -> u8 {
    let level = |channel: u8| {
        (0..6)
            .min_by_key(|&n: &u8| CUBE_LEVELS[usize::from(n)].abs_diff(channel))
            .unwrap_or(0)
    };
    let [r, g, b] = channels.map(level);
    16 + 36 * r + 6 * g + b
}

/// The red, green and blue channels of a color of the cube or of the grays after it.
pub fn rgb(color: u8) -> (u8, u8, u8) {
    if let Some(gray) = color.checked_sub(232) {
        let level = 8 + 10 * gray;
        return (level, level, level);
    }
    let n = usize::from(color.saturating_sub(16));
    (
        CUBE_LEVELS[n / 36 % 6],
        CUBE_LEVELS[n / 6 % 6],
        CUBE_LEVELS[n % 6],
    )
}

/// Whether a color of the cube has a contrast ratio of about 3:1 with both black and white.
fn is_readable(color: u8) -> bool {
    let (r, g, b) = rgb(color);
    let luminance = luminance(r, g, b) + 0.05;
    luminance / 0.05 >= MIN_CONTRAST && 1.05 / luminance >= MIN_CONTRAST
}

/// Relative luminance, 0 to 1 (WCAG weights).
pub fn luminance(r: u8, g: u8, b: u8) -> f64 {
    let linear = |shade: u8| (f64::from(shade) / 255.0).powf(2.2);
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

#[cfg(test)]
mod tests {
    use crate::terminal::output::paint::*;

    #[test]
    fn every_color_is_readable_on_black_and_on_white() {
        for color in [RED, YELLOW, GREEN].iter().chain(&KIND_COLORS) {
            assert!(is_readable(*color), "{color}");
        }
        for (r, g, b) in [
            (0, 0, 0),
            (255, 255, 255),
            (255, 255, 0),
            (0, 0, 255),
            (255, 0, 0),
            (200, 200, 200),
        ] {
            assert!(is_readable(nearest_readable(r, g, b)), "{r} {g} {b}");
        }
    }

    #[test]
    fn a_readable_color_is_kept() {
        assert_eq!(nearest_readable(215, 0, 0), RED);
        assert_eq!(nearest_readable(0, 135, 0), GREEN);
        // White and black become gray, yellow is darkened, blue is lightened.
        let colors = [(255, 255, 255), (0, 0, 0), (255, 255, 0), (0, 0, 255)]
            .map(|(r, g, b)| rgb(nearest_readable(r, g, b)));
        assert_eq!(
            colors,
            [(135, 135, 135), (95, 95, 95), (135, 135, 0), (95, 95, 255)]
        );
    }
}
