//! Text with styles that say what it means; the terminal maps them to colors.

use serde::ser::{Serialize, SerializeStruct, Serializer};

/// The meaning of a piece of text, which the terminal maps to a color. Text must stay readable
/// without colors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Style {
    /// Ordinary text.
    Plain,
    /// Less important.
    Dim,
    /// Emphasized: a heading, a command to type.
    Strong,
    /// The word `error` of an error message.
    Error,
    /// The word `warning` of a warning.
    Warning,
    /// A value or cell that has just changed.
    Changed,
    /// The current statement, frame or cell.
    Current,
    /// A piece of the nth kind, counted in the order in which glyphs are assigned.
    Kind(u16),
    /// An RGB color set by the program.
    Color(u8, u8, u8),
}

/// A line of styled text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line(pub Vec<(Style, String)>);

impl Line {
    /// A line in the default style.
    pub fn plain(text: impl Into<String>) -> Line {
        Line::styled(Style::Plain, text)
    }

    /// A line in one style.
    pub fn styled(style: Style, text: impl Into<String>) -> Line {
        // Most lines have more than one style.
        let mut parts = Vec::with_capacity(2);
        parts.push((style, text.into()));
        Line(parts)
    }

    /// Appends text to the line.
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Line {
        self.0.push((style, text.into()));
        self
    }

    /// The text without styles.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.0.iter().map(|(_, t)| t.len()).sum());
        self.append_to(&mut text);
        text
    }

    /// Appends the text without styles.
    pub fn append_to(&self, text: &mut String) {
        self.0.iter().for_each(|(_, t)| text.push_str(t));
    }
}

impl Serialize for Line {
    /// The text without styles.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_struct("Line", 1)?;
        line.serialize_field("text", &self.text())?;
        line.end()
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Line {
        Line::plain(text)
    }
}

impl From<String> for Line {
    fn from(text: String) -> Line {
        Line::plain(text)
    }
}
