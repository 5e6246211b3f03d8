//! Source texts and positions in them.
//!
//! A source is a file, a line typed at the prompt, or the rules built into a language. Each has an
//! id and is never dropped, so a span in a function typed ten minutes ago can still be shown.
//!
//! ```text
//! work  work on long texts, which Ctrl-C and the memory limit end
//! ```

pub mod work;

use std::fmt;
use std::sync::Arc;

/// Index of a [`Source`] in [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct SourceId(pub u32);

impl SourceId {
    /// The built-in rules of the session's language.
    pub const RULES: SourceId = SourceId(u32::MAX);
}

/// A byte range in a source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The source that the offsets refer to.
    pub source: SourceId,
    /// Byte offset of the start.
    pub start: u32,
    /// Byte offset after the end.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` to `end` of a source.
    pub fn new(source: SourceId, start: usize, end: usize) -> Span {
        Span {
            source,
            start: start as u32,
            end: end.max(start) as u32,
        }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The empty span at the end of this one.
    pub fn shrink_to_end(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }

    /// Whether `other` is in the same source and within this span.
    pub fn contains(self, other: Span) -> bool {
        self.source == other.source && self.start <= other.start && other.end <= self.end
    }
}

/// Where a source came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A file, under the name it was loaded with.
    File(String),
    /// The nth entry typed at the prompt.
    Entry(u32),
    /// The expression that a command such as `:step` evaluates.
    Expression,
    /// The rules built into the language of this name.
    Rules(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File(name) => f.write_str(name),
            Origin::Entry(n) => write!(f, "entry {n}"),
            Origin::Expression => f.write_str("expression"),
            Origin::Rules(name) => write!(f, "rules of {name}"),
        }
    }
}

/// A source text with an index of its lines.
#[derive(Debug)]
pub struct Source {
    pub id: SourceId,
    pub origin: Origin,
    pub text: String,
    line_starts: Vec<u32>,
}

impl Source {
    /// Creates a source and indexes its lines.
    pub fn new(id: SourceId, origin: Origin, text: impl Into<String>) -> Source {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(i, _)| i as u32 + 1))
            .collect();
        Source {
            id,
            origin,
            text,
            line_starts,
        }
    }

    /// The span of the bytes from `start` to `end`.
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.id, start, end)
    }

    /// The span of the whole text.
    pub fn full_span(&self) -> Span {
        self.span(0, self.text.len())
    }

    /// The text of a span; empty if it is out of range.
    pub fn slice(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Line and column of a byte offset. Both count from 1; the column is in characters.
    pub fn line_column(&self, byte: u32) -> (u32, u32) {
        let line = self.line_number(byte);
        let start = self.line_starts[line as usize - 1] as usize;
        let before = self.text.get(start..byte as usize).unwrap_or("");
        (line, before.chars().count() as u32 + 1)
    }

    /// The line of a byte offset, counting from 1. Unlike the column, it does not depend on how
    /// long the line is.
    pub fn line_number(&self, byte: u32) -> u32 {
        self.line_starts.partition_point(|&s| s <= byte).max(1) as u32
    }

    /// Number of lines; a final newline starts another, empty one.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// The text of a line (counting from 1), without its line ending.
    pub fn line(&self, line: u32) -> &str {
        self.text[self.line_range(line)].trim_end_matches(['\n', '\r'])
    }

    /// The byte range of a line (counting from 1), including its line ending; empty past the last
    /// line.
    pub fn line_range(&self, line: u32) -> std::ops::Range<usize> {
        let line_start = |n: usize| {
            self.line_starts
                .get(n)
                .map_or(self.text.len(), |&s| s as usize)
        };
        line_start((line as usize).saturating_sub(1))..line_start(line as usize)
    }
}

/// All sources of a session. Cloning copies only pointers, so each history entry can keep one.
#[derive(Clone, Default, Debug)]
pub struct Sources {
    all: Vec<Arc<Source>>,
    rules: Option<Arc<Source>>,
}

impl Sources {
    /// Only the built-in rules of a language.
    pub fn with_rules(language: &'static str, text: &str) -> Sources {
        let rules = Source::new(SourceId::RULES, Origin::Rules(language), text);
        Sources {
            all: Vec::new(),
            rules: Some(Arc::new(rules)),
        }
    }

    /// Adds a source under the next id.
    pub fn add(&mut self, origin: Origin, text: impl Into<String>) -> Arc<Source> {
        let source = Arc::new(Source::new(self.next_id(), origin, text));
        self.all.push(source.clone());
        source
    }

    /// The id of the source that is added next.
    pub fn next_id(&self) -> SourceId {
        SourceId(self.all.len() as u32)
    }

    /// The source with this id, if there is one.
    pub fn get(&self, id: SourceId) -> Option<&Arc<Source>> {
        if id == SourceId::RULES {
            self.rules.as_ref()
        } else {
            self.all.get(id.0 as usize)
        }
    }

    /// All sources except the built-in rules, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Source>> {
        self.all.iter()
    }

    /// The text of a span; empty if it is out of range.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source).map_or("", |s| s.slice(span))
    }

    /// The text of a span on a single line, with runs of whitespace collapsed.
    pub fn slice_single_line(&self, span: Span) -> String {
        self.slice(span)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }
}
