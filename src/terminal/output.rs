//! The one way out: everything that is printed passes here, and what could steer the terminal is shown, not sent.

use crate::session::Line;
use crate::terminal::{paint, wrap};
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

/// Where replies are written to, and what it can show.
pub struct Screen {
    pub colour: bool,
    /// ASCII only.
    pub plain: bool,
    /// Columns and lines; 80 columns if it is no terminal.
    pub width: usize,
    pub height: usize,
    /// Long lines go on in the next one, at a space.
    pub wraps_lines: bool,
    out: Box<dyn Write>,
}

impl Screen {
    pub fn new(colour: bool, plain: bool) -> Screen {
        let out = io::stdout();
        Screen {
            colour,
            plain,
            width: 80,
            height: 24,
            wraps_lines: out.is_terminal(),
            out: Box::new(out),
        }
    }

    /// A screen that is somewhere else.
    #[cfg(test)]
    pub fn onto(out: Box<dyn Write>) -> Screen {
        Screen {
            colour: false,
            plain: true,
            width: 80,
            height: 24,
            wraps_lines: true,
            out,
        }
    }

    /// A line of styled parts.
    pub fn print_line(&mut self, line: &Line) -> io::Result<()> {
        let line = Line(
            line.0
                .iter()
                .map(|(style, part)| (*style, self.sanitize(part)))
                .collect(),
        );
        let rows = if self.wraps_lines {
            wrap::wrap_line(line, self.width)
        } else {
            vec![line]
        };
        for mut row in rows {
            // Spaces at the end are of no use to anybody, and show in a copied text.
            while row
                .0
                .pop_if(|(_, part)| part.trim_end().is_empty())
                .is_some()
            {}
            if let Some((_, part)) = row.0.last_mut() {
                part.truncate(part.trim_end().len());
            }
            let text: String = row
                .0
                .iter()
                .map(|(style, part)| paint::paint(part, *style, self.colour))
                .collect();
            writeln!(self.out, "{text}")?;
        }
        Ok(())
    }

    pub fn print_lines<'a>(&mut self, lines: impl IntoIterator<Item = &'a Line>) -> io::Result<()> {
        lines.into_iter().try_for_each(|line| self.print_line(line))
    }

    /// Text that may have come from anywhere, in characters that this screen can show.
    pub fn sanitize(&self, text: &str) -> String {
        let text = escape_controls(text);
        if self.plain {
            ascii(&text).into_owned()
        } else {
            text.into_owned()
        }
    }

    /// Text that may have come from anywhere.
    pub fn print_text(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", self.sanitize(text))
    }

    /// The same, going on in the same line.
    pub fn print_partial(&mut self, text: &str) -> io::Result<()> {
        write!(self.out, "{}", self.sanitize(text))?;
        self.flush()
    }

    /// Text that was made here, with its colours: nothing of a game goes in without [`visible`].
    pub fn print_raw(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// One line of JSON. What JSON itself may hold but would steer a terminal is written as its number.
    pub fn print_json(&mut self, value: &serde_json::Value) -> io::Result<()> {
        let mut text = String::new();
        for c in value.to_string().chars() {
            match c {
                c if is_terminal_control(c) => text.push_str(&format!("\\u{:04x}", c as u32)),
                c => text.push(c),
            }
        }
        self.print_raw(&text)
    }

    /// Goes back to the beginning of the last rows, and wipes them.
    pub fn erase_rows(&mut self, rows: usize) -> io::Result<()> {
        match rows {
            0 => Ok(()),
            rows => write!(self.out, "\x1b[{rows}A\r\x1b[J"),
        }
    }

    /// Wipes all that is to be seen.
    pub fn clear(&mut self) -> io::Result<()> {
        write!(self.out, "\x1b[2J\x1b[H")
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Text with its control characters shown: an escape becomes `␛`. Line ends and tabs stay.
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_terminal_control) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        text.chars()
            .map(|c| if is_terminal_control(c) { shown(c) } else { c })
            .collect(),
    )
}

/// Whether a character could move the cursor, change colours or turn the direction of writing.
pub(super) fn is_terminal_control(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    // The last two end a line for some terminals and for all that read JSON as JavaScript.
    c.is_control() && c != '\n' && c != '\t' || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

fn shown(c: char) -> char {
    match c as u32 {
        // The pictures of the first 32 characters and of delete.
        n @ 0..=0x1f => char::from_u32(0x2400 + n).unwrap_or('?'),
        0x7f => '\u{2421}',
        _ => '\u{fffd}',
    }
}

/// The signs that gridbug itself uses, in ASCII.
fn ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let pictures = |c: char| matches!(c, '\u{2400}'..='\u{2421}' | '\u{fffd}');
    Cow::Owned(
        text.replace('…', "...")
            .replace('·', ".")
            .replace(pictures, "?"),
    )
}

#[cfg(test)]
mod tests {
    use super::escape_controls;

    #[test]
    fn what_could_steer_the_terminal_is_shown() {
        assert_eq!(escape_controls("a\x1b[31mb\r\x07"), "a␛[31mb␍␇");
        assert_eq!(
            escape_controls("\u{9b}31m \u{202e}x"),
            "\u{fffd}31m \u{fffd}x"
        );
        assert_eq!(
            escape_controls("\u{200f}a\u{61c}b\u{2028}"),
            "\u{fffd}a\u{fffd}b\u{fffd}"
        );
        assert_eq!(escape_controls("a\tb\nc é"), "a\tb\nc é");
    }
}
