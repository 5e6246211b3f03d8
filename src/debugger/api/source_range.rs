//! Ranges of source texts.

use crate::source::{Sources, Span};
use serde::Serialize;

/// A range of a source text. Lines and columns are counted from 1; the end is exclusive.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SourceRange {
    /// The name of the file or entry.
    pub file: String,
    /// The line of the first character.
    pub line: u32,
    /// The column of the first character.
    pub column: u32,
    /// The line after the last character.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

/// A span as file, lines and columns; `None` if its source is not known.
pub fn range_in(sources: &Sources, span: Span) -> Option<SourceRange> {
    let source = sources.get(span.source)?;
    let (line, column) = source.line_column(span.start);
    let (end_line, end_column) = source.line_column(span.end);
    Some(SourceRange {
        file: source.origin.to_string(),
        line,
        column,
        end_line,
        end_column,
    })
}
