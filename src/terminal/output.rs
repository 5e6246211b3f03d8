//! All printing goes through [`Screen`]. Text from programs and files is sanitized, so that it
//! cannot send control sequences to the terminal.
//!
//! ```text
//! paint    maps styles to terminal colors
//! snippet  renders diagnostics with the source text they refer to
//! wrap     word wrap
//! ```

pub(crate) mod paint;
pub(crate) mod snippet;
pub(crate) mod wrap;

use super::cli::arguments::ThemeChoice;
use crate::session::Line;
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::rc::Rc;

/// Standard output and its capabilities.
pub struct Screen {
    pub color: bool,
    /// Use only ASCII characters (`--plain`).
    pub plain: bool,
    /// The colors of screens that stay in place.
    pub theme: ThemeChoice,
    /// Columns; 80 if standard output is not a terminal.
    pub width: usize,
    /// Rows of the terminal.
    pub height: usize,
    /// Long lines are wrapped at spaces.
    pub wraps_lines: bool,
    out: Box<dyn Write>,
}

/// Collects what is printed.
#[derive(Clone, Default)]
struct Buffer(Rc<RefCell<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Screen {
    pub fn new(color: bool, plain: bool) -> Screen {
        let out = io::stdout();
        let size = terminal_size::terminal_size_of(&out).filter(|_| out.is_terminal());
        Screen {
            color,
            plain,
            theme: ThemeChoice::Auto,
            width: size.map_or(80, |(width, _)| usize::from(width.0).min(80)),
            height: 24,
            wraps_lines: out.is_terminal(),
            out: Box::new(out),
        }
    }

    /// Everything that `print` prints on this screen, as text with its color codes.
    pub fn render(&self, print: impl FnOnce(&mut Screen) -> io::Result<()>) -> io::Result<String> {
        let buffer = Buffer::default();
        print(&mut Screen {
            out: Box::new(buffer.clone()),
            ..*self
        })?;
        let bytes = buffer.0.take();
        Ok(String::from_utf8_lossy(&bytes).trim_end().to_string())
    }

    /// A screen that writes to `out`.
    #[cfg(test)]
    pub fn onto(out: Box<dyn Write>) -> Screen {
        Screen {
            color: false,
            plain: true,
            theme: ThemeChoice::Auto,
            width: 80,
            height: 24,
            wraps_lines: true,
            out,
        }
    }

    /// Prints a styled line, sanitized and wrapped.
    pub fn print_line(&mut self, line: &Line) -> io::Result<()> {
        let line = self.painter().sanitize_line(line);
        let rows = if self.wraps_lines {
            wrap::wrap_line(line, self.width)
        } else {
            vec![line]
        };
        for mut row in rows {
            // Trailing spaces would be included when text is copied from the terminal.
            while row
                .0
                .pop_if(|(_, part)| part.trim_end().is_empty())
                .is_some()
            {}
            if let Some((_, part)) = row.0.last_mut() {
                part.truncate(part.trim_end().len());
            }
            writeln!(self.out, "{}", self.painter().paint(&row))?;
        }
        Ok(())
    }

    /// How lines become text on this screen.
    pub fn painter(&self) -> Painter {
        Painter {
            color: self.color,
            plain: self.plain,
        }
    }

    /// Draws rows from the top of the screen, over what is there. Lines that are too long are cut.
    pub fn draw_frame(&mut self, rows: &[Line]) -> io::Result<()> {
        let frame = self.painter().frame(rows, self.width);
        self.out.write_all(frame.as_bytes())?;
        self.flush()
    }

    pub fn print_lines<'a>(&mut self, lines: impl IntoIterator<Item = &'a Line>) -> io::Result<()> {
        lines.into_iter().try_for_each(|line| self.print_line(line))
    }

    /// See [`Painter::sanitize`].
    pub fn sanitize(&self, text: &str) -> String {
        self.painter().sanitize(text)
    }

    /// Prints untrusted text, sanitized but not wrapped.
    pub fn print_text(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", self.sanitize(text))
    }

    /// Prints several untrusted texts in one go, each on a line of its own. Faster than one by one:
    /// standard output is flushed after each write that ends a line.
    pub fn print_texts<'a>(
        &mut self,
        texts: impl IntoIterator<Item = &'a String>,
    ) -> io::Result<()> {
        let mut all = String::new();
        for text in texts {
            all.push_str(&self.sanitize(text));
            all.push('\n');
        }
        self.out.write_all(all.as_bytes())
    }

    /// Like [`Screen::print_text`], without a newline; flushed at once.
    pub fn print_partial(&mut self, text: &str) -> io::Result<()> {
        write!(self.out, "{}", self.sanitize(text))?;
        self.flush()
    }

    /// Prints trusted text with its color codes. Anything from a program must have passed
    /// [`escape_controls`].
    pub fn print_raw(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Prints one line of JSON. Control characters that JSON allows unescaped are escaped as well.
    pub fn print_json(&mut self, json: &str) -> io::Result<()> {
        // The only control character in ASCII that JSON allows unescaped is DEL.
        if json.is_ascii() && !json.contains('\x7f') {
            return self.print_raw(json);
        }
        let mut text = String::with_capacity(json.len());
        for c in json.chars() {
            match c {
                c if is_terminal_control(c) => text.push_str(&format!("\\u{:04x}", c as u32)),
                c => text.push(c),
            }
        }
        self.print_raw(&text)
    }

    /// Sends codes and text that are safe already, as [`super::screen::canvas::Canvas`] makes them.
    pub fn send(&mut self, codes: &str) -> io::Result<()> {
        self.out.write_all(codes.as_bytes())?;
        self.flush()
    }

    /// Moves the cursor up and erases the last `rows` rows.
    pub fn erase_rows(&mut self, rows: usize) -> io::Result<()> {
        match rows {
            0 => Ok(()),
            rows => write!(self.out, "\x1b[{rows}A\r\x1b[J"),
        }
    }

    /// Clears the screen.
    pub fn clear(&mut self) -> io::Result<()> {
        write!(self.out, "\x1b[2J\x1b[H")
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// How lines become text with color codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Painter {
    color: bool,
    plain: bool,
}

impl Painter {
    /// Makes untrusted text safe to print: escapes control characters and, with `--plain`, replaces
    /// gridbug's own non-ASCII characters.
    fn sanitize(self, text: &str) -> String {
        let text = escape_controls(text);
        if self.plain {
            to_ascii(&text).into_owned()
        } else {
            text.into_owned()
        }
    }

    fn sanitize_line(self, line: &Line) -> Line {
        let parts = line.0.iter();
        let parts = parts.map(|(style, part)| (*style, self.sanitize(part)));
        Line(parts.collect())
    }

    /// The text of a sanitized line with its color codes.
    fn paint(self, line: &Line) -> String {
        let parts = line.0.iter();
        parts
            .map(|(style, part)| paint::paint(part, *style, self.color))
            .collect()
    }

    /// The text that draws rows from the top of a screen of this width. The terminal shows the
    /// frame when it is complete.
    pub fn frame(self, rows: &[Line], width: usize) -> String {
        let mut frame = String::from("\x1b[?2026h");
        for (n, row) in rows.iter().enumerate() {
            let row = wrap::clip_line(self.sanitize_line(row), width);
            frame.push_str(&format!("\x1b[{};1H{}\x1b[K", n + 1, self.paint(&row)));
        }
        frame.push_str("\x1b[?2026l");
        frame
    }
}

/// Replaces control characters by visible symbols, e.g. ESC by `␛`. Newlines and tabs are kept.
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_terminal_control) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        text.chars()
            .map(|c| if is_terminal_control(c) { symbol(c) } else { c })
            .collect(),
    )
}

/// Whether a character could move the cursor, change colors or reverse the text direction.
pub(super) fn is_terminal_control(c: char) -> bool {
    let is_bidi = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    // Invisible: names that look the same would be different ones, and tags hide whole texts.
    let is_invisible = matches!(
        c,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    );
    // U+2028 and U+2029 end a line in some terminals, and in JSON that is read as JavaScript.
    c.is_control() && c != '\n' && c != '\t'
        || is_bidi
        || is_invisible
        || matches!(c, '\u{2028}' | '\u{2029}')
}

fn symbol(c: char) -> char {
    match c as u32 {
        // Unicode has a symbol for each ASCII control character.
        n @ 0..=0x1f => char::from_u32(0x2400 + n).unwrap_or('?'),
        0x7f => '\u{2421}',
        _ => '\u{fffd}',
    }
}

/// Replaces the non-ASCII characters that gridbug itself prints.
fn to_ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let is_symbol = |c: char| matches!(c, '\u{2400}'..='\u{2421}' | '\u{fffd}');
    Cow::Owned(
        text.replace('…', "...")
            .replace('·', ".")
            .replace(is_symbol, "?"),
    )
}

#[cfg(test)]
mod tests {
    use super::escape_controls;

    #[test]
    fn control_characters_are_replaced_by_visible_symbols() {
        assert_eq!(escape_controls("a\x1b[31mb\r\x07"), "a␛[31mb␍␇");
        assert_eq!(
            escape_controls("\u{9b}31m \u{202e}x"),
            "\u{fffd}31m \u{fffd}x"
        );
        assert_eq!(
            escape_controls("\u{200f}a\u{61c}b\u{2028}"),
            "\u{fffd}a\u{fffd}b\u{fffd}"
        );
        assert_eq!(
            escape_controls("tu\u{200b}rn\u{feff} \u{e0041}\u{ad}"),
            "tu\u{fffd}rn\u{fffd} \u{fffd}\u{fffd}"
        );
        assert_eq!(escape_controls("a\tb\nc é"), "a\tb\nc é");
    }
}
