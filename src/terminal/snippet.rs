//! Diagnostics with the text they speak of, drawn in the manner of rustc.

use super::output::{Screen, visible};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Source, Sources, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use std::borrow::Cow;
use std::ops::Range;

/// More lines than this of one part are not shown: its beginning says enough.
const MOST_LINES: u32 = 6;
/// Nor more bytes of it, nor so many behind it: the renderer goes through all of a line for each of them.
const MOST_BYTES: usize = 400;
const BEHIND: usize = 400;

/// The columns before the words of a note at most: `99999 = note: `.
const NOTE: usize = 14;

pub fn drawn(screen: &Screen, sources: &Sources, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    // The title begins with `error[GL001]: `, a note below the text with `  = note: `.
    let before = diagnostic.severity.word().len() + diagnostic.code.len() + "[]: ".len();
    let message = screen.broken(&visible(&diagnostic.message), before);
    let title = level.primary_title(message).id(diagnostic.code);
    let mut group = Group::with_title(title);
    let mut parts: Vec<(Span, &str, bool)> = Vec::new();
    parts.extend(diagnostic.span.map(|span| (span, diagnostic.label.as_str(), true)));
    parts.extend(diagnostic.related.iter().map(|(span, words)| (*span, words.as_str(), false)));
    while let Some(&(first, ..)) = parts.first() {
        let (same, others) = parts.into_iter().partition(|(span, ..)| span.source == first.source);
        if let Some(source) = sources.get(first.source) {
            group = group.element(snippet(source, same));
        }
        parts = others;
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(screen.broken(&visible(note), NOTE)));
    }
    let renderer = if screen.colour { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(screen.width).render(&[group])
}

/// The lines of one source that the parts lie in.
fn snippet<'a>(source: &'a Source, parts: Vec<(Span, &'a str, bool)>) -> Snippet<'a, Annotation<'a>> {
    let ranges: Vec<Range<usize>> = parts.iter().map(|(span, ..)| within(source, *span)).collect();
    let first = ranges.iter().map(|r| r.start).min().unwrap_or(0);
    let last = ranges.iter().map(|r| r.end).max().unwrap_or(0);
    // Only these lines go to the renderer, which would look through all of a long text.
    let (first_line, _) = source.line_column(first as u32);
    let (last_line, _) = source.line_column(last as u32);
    let from = source.line_range(first_line).start;
    let to = source.line_range(last_line).end.min(source.text.ceil_char_boundary(last + BEHIND));
    let annotations = parts.into_iter().zip(ranges).map(|((_, label, main), range)| {
        let kind = if main { AnnotationKind::Primary } else { AnnotationKind::Context };
        let label = (!label.is_empty()).then(|| visible(label).into_owned());
        kind.span(range.start - from..range.end - from).label(label)
    });
    Snippet::source(harmless(source.text[from..to].trim_end_matches(['\n', '\r'])))
        .line_start(first_line as usize)
        .path(visible(&source.origin.to_string()).into_owned())
        .annotations(annotations)
}

/// The renderer shows control characters, but lets those above ASCII through; another of two bytes keeps the places.
fn harmless(text: &str) -> Cow<'_, str> {
    let steers = |c: char| ('\u{80}'..='\u{9f}').contains(&c);
    if text.contains(steers) { Cow::Owned(text.replace(steers, "¿")) } else { Cow::Borrowed(text) }
}

/// The bytes of a span, inside the text and between characters: the renderer panics on others.
fn within(source: &Source, span: Span) -> Range<usize> {
    let text = &source.text;
    let end_of_text = text.trim_end_matches(['\n', '\r']).len();
    let start = text.floor_char_boundary((span.start as usize).min(end_of_text));
    let mut end = text.ceil_char_boundary((span.end as usize).min(end_of_text)).max(start);
    let (first, _) = source.line_column(start as u32);
    let (last, _) = source.line_column(end as u32);
    if last - first >= MOST_LINES {
        end = start + source.text[start..source.line_range(first).end].trim_end().len();
    }
    start..text.ceil_char_boundary(end.min(start + MOST_BYTES))
}
