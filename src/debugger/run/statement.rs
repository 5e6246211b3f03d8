//! The part of a statement that is shown for it.

use crate::source::Span;

/// The span shown for a statement: all of it, or only its head if it contains other statements.
pub fn head_span(text: &str, span: Span, nested_start: Option<u32>) -> Span {
    let Some(nested_start) = nested_start else {
        return span;
    };
    let head = text
        .get(span.start as usize..nested_start as usize)
        .unwrap_or("");
    // There may be a comment after the brace.
    let is_comment = |rest: &str| {
        rest.is_empty()
            || ["//", "/*", "#", "--"]
                .iter()
                .any(|prefix| rest.starts_with(prefix))
    };
    let brace = head
        .match_indices('{')
        .map(|(at, _)| at)
        .find(|at| is_comment(head[at + 1..].trim_start()));
    let head = head
        .get(..brace.unwrap_or(head.len()))
        .unwrap_or(head)
        .trim_end();
    Span {
        end: span.start + head.len() as u32,
        ..span
    }
}
