//! Spans as files, lines and columns.

use crate::answer::SourceRange;
use crate::source::{Sources, Span};

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
