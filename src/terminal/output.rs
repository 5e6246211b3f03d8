//! The one way out: everything that is printed passes here, and what could steer the terminal is shown, not sent.

use crate::session::Line;
use crate::terminal::{fold, paint};
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
    folds: bool,
    out: Box<dyn Write>,
}

impl Screen {
    pub fn new(colour: bool, plain: bool) -> Screen {
        let out = io::stdout();
        Screen { colour, plain, width: 80, height: 24, folds: out.is_terminal(), out: Box::new(out) }
    }

    /// A screen that is somewhere else.
    #[cfg(test)]
    pub fn onto(out: Box<dyn Write>) -> Screen {
        Screen { colour: false, plain: true, width: 80, height: 24, folds: true, out }
    }

    /// A line of styled parts.
    pub fn line(&mut self, line: &Line) -> io::Result<()> {
        let parts = line.0.iter().map(|(style, part)| {
            let part = visible(part);
            (*style, if self.plain { ascii(&part).into_owned() } else { part.into_owned() })
        });
        let line = Line(parts.collect());
        let rows = if self.folds { fold::folded(line, self.width) } else { vec![line] };
        for mut row in rows {
            // Spaces at the end are of no use to anybody, and show in a copied text.
            while row.0.pop_if(|(_, part)| part.trim_end().is_empty()).is_some() {}
            if let Some((_, part)) = row.0.last_mut() {
                part.truncate(part.trim_end().len());
            }
            let text: String = row.0.iter().map(|(style, part)| paint::painted(part, *style, self.colour)).collect();
            writeln!(self.out, "{text}")?;
        }
        Ok(())
    }

    /// Words broken at spaces into lines that leave so many columns free, where long lines are broken at all.
    pub fn broken(&self, words: &str, free: usize) -> String {
        if !self.folds {
            return words.to_string();
        }
        let width = self.width.saturating_sub(free);
        let lines = words.split('\n').flat_map(|line| fold::folded(Line::plain(line), width));
        lines.map(|line| line.text().trim_end().to_string()).collect::<Vec<_>>().join("\n")
    }

    pub fn lines<'a>(&mut self, lines: impl IntoIterator<Item = &'a Line>) -> io::Result<()> {
        lines.into_iter().try_for_each(|line| self.line(line))
    }

    /// Text that may have come from anywhere.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", visible(text))
    }

    /// The same, going on in the same line.
    pub fn part(&mut self, text: &str) -> io::Result<()> {
        write!(self.out, "{}", visible(text))?;
        self.flush()
    }

    /// Text that was made here, with its colours: nothing of a game goes in without [`visible`].
    pub fn made(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// One line of JSON. What JSON itself may hold but would steer a terminal is written as its number.
    pub fn json(&mut self, value: &serde_json::Value) -> io::Result<()> {
        let mut text = String::new();
        for c in value.to_string().chars() {
            match c {
                '\u{7f}'..='\u{9f}' => text.push_str(&format!("\\u{:04x}", c as u32)),
                c => text.push(c),
            }
        }
        self.made(&text)
    }

    /// Goes back to the beginning of the last rows, and wipes them.
    pub fn rewind(&mut self, rows: usize) -> io::Result<()> {
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
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if steers(c) { shown(c) } else { c }).collect())
}

/// Whether a character could move the cursor, change colours or turn the direction of writing.
fn steers(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.replace('…', "...").replace('·', ".")) }
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_could_steer_the_terminal_is_shown() {
        assert_eq!(visible("a\x1b[31mb\r\x07"), "a␛[31mb␍␇");
        assert_eq!(visible("\u{9b}31m \u{202e}x"), "\u{fffd}31m \u{fffd}x");
        assert_eq!(visible("a\tb\nc é"), "a\tb\nc é");
    }
}
