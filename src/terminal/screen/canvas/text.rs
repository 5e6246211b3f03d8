//! Text in several looks: its width, cut and wrapped.

use super::look::Look;
use crate::session::Line;
use crate::terminal::output::wrap::wrap_line;
use unicode_width::UnicodeWidthChar;

/// Text in several looks, without line breaks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text(pub Vec<(Look, String)>);

impl Text {
    pub fn new(look: Look, text: impl Into<String>) -> Text {
        Text(vec![(look, text.into())])
    }

    /// Appends text.
    pub fn with(mut self, look: Look, text: impl Into<String>) -> Text {
        self.0.push((look, text.into()));
        self
    }

    /// The text without looks.
    pub fn plain(&self) -> String {
        self.0.iter().map(|(_, part)| part.as_str()).collect()
    }

    /// Terminal columns.
    pub fn width(&self) -> usize {
        self.0.iter().map(|(_, part)| columns(part)).sum()
    }

    fn chars(&self) -> impl Iterator<Item = (Look, char)> + '_ {
        let parts = self.0.iter();
        parts.flat_map(|(look, part)| part.chars().map(|c| (*look, c)))
    }

    fn of_chars(chars: impl IntoIterator<Item = (Look, char)>) -> Text {
        let mut text = Text::default();
        for (look, c) in chars {
            match text.0.last_mut() {
                Some((last, part)) if *last == look => part.push(c),
                _ => text.0.push((look, c.to_string())),
            }
        }
        text
    }

    /// The text, or as much of it as fits into `room` columns together with a mark.
    pub fn cut(&self, room: usize, mark: char) -> Text {
        if self.width() <= room {
            return self.clone();
        }
        let mut used = 0;
        let fitting = self.chars().take_while(|(_, c)| {
            used += c.width().unwrap_or(0);
            used < room
        });
        let mut text = Text::of_chars(fitting);
        let dim = text.0.last().map_or(Look::DIM, |(look, _)| Look {
            ground: look.ground,
            ..Look::DIM
        });
        text.0.push((dim, mark.to_string()));
        text
    }

    /// The text without its first `count` columns, which a mark stands for.
    pub fn scrolled(&self, count: usize, mark: char) -> Text {
        if count == 0 || self.width() <= count {
            return match count {
                0 => self.clone(),
                _ if self.plain().trim().is_empty() => Text::default(),
                _ => Text::new(Look::DIM, mark.to_string()),
            };
        }
        let mut skipped = 0;
        let rest = self.chars().skip_while(|(_, c)| {
            skipped += c.width().unwrap_or(0);
            skipped <= count + 1
        });
        let rest = Text::of_chars(rest);
        Text(
            std::iter::once((Look::DIM, mark.to_string()))
                .chain(rest.0)
                .collect(),
        )
    }

    /// The rows of the text in `room` columns, broken at spaces; rows after the first are indented by
    /// `indent` columns.
    pub fn wrapped(&self, room: usize, indent: usize) -> Vec<Text> {
        let chars: Vec<(Look, char)> = self.chars().collect();
        let room = room.max(1);
        let indent = if indent + 8 > room { 0 } else { indent };
        let mut rows = Vec::new();
        let mut rest = &chars[..];
        loop {
            let before = if rows.is_empty() { 0 } else { indent };
            let fitting = fitting_count(rest, room - before);
            let mut at = fitting;
            if fitting < rest.len() {
                let leading = rest.iter().take_while(|(_, c)| *c == ' ').count();
                let end = (fitting + 1).min(rest.len());
                let space = rest[..end].iter().rposition(|(_, c)| *c == ' ');
                at = space.filter(|at| *at > leading).unwrap_or(fitting).max(1);
            }
            let spaces = (Look::PLAIN, " ".repeat(before));
            let row = Text::of_chars(rest[..at.min(rest.len())].iter().copied());
            rows.push(match before {
                0 => row,
                _ => Text(std::iter::once(spaces).chain(row.0).collect()),
            });
            rest = &rest[at.min(rest.len())..];
            rest = &rest[rest.iter().take_while(|(_, c)| *c == ' ').count()..];
            if rest.is_empty() {
                return rows;
            }
        }
    }
}

/// Terminal columns of a text; some characters take two, others none.
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

fn fitting_count(chars: &[(Look, char)], room: usize) -> usize {
    let mut used = 0;
    let fits = chars.iter().take_while(|(_, c)| {
        used += c.width().unwrap_or(0);
        used <= room
    });
    fits.count()
}

impl From<&Line> for Text {
    fn from(line: &Line) -> Text {
        let parts = line.0.iter();
        // As wide as it is drawn.
        Text(
            parts
                .map(|(style, part)| (Look::of(*style), part.replace(['\t', '\n'], " ")))
                .collect(),
        )
    }
}

/// The rows of lines in `room` columns.
pub fn wrapped_lines(lines: &[Line], room: usize) -> Vec<Text> {
    let lines = lines.iter().flat_map(|line| wrap_line(line.clone(), room));
    // Lines without spaces are left too long where there is little room.
    lines
        .flat_map(|line| Text::from(&line).wrapped(room, 0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, room: usize, indent: usize) -> Vec<String> {
        let rows = Text::new(Look::PLAIN, text).wrapped(room, indent);
        rows.iter().map(Text::plain).collect()
    }

    #[test]
    fn text_is_wrapped_at_spaces_and_long_words_anywhere() {
        assert_eq!(rows("one two three", 20, 2), ["one two three"]);
        assert_eq!(rows("one two three", 7, 0), ["one two", "three"]);
        assert_eq!(
            rows("one two three four", 14, 2),
            ["one two three", "  four"]
        );
        assert_eq!(rows("  abcdefghij", 6, 0), ["  abcd", "efghij"]);
        assert_eq!(rows("日本語", 4, 0), ["日本", "語"]);
        assert_eq!(rows("日", 1, 0), ["日"]);
        assert_eq!(rows("", 5, 0), [""]);
    }

    #[test]
    fn scrolled_text_starts_with_a_mark() {
        let text = Text::new(Look::PLAIN, "abcdef");
        assert_eq!(text.scrolled(0, '<').plain(), "abcdef");
        assert_eq!(text.scrolled(2, '<').plain(), "<def");
        assert_eq!(text.scrolled(9, '<').plain(), "<");
        assert_eq!(Text::new(Look::PLAIN, " ").scrolled(3, '<').plain(), "");
    }
}
