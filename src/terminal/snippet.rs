//! Diagnostics with the text they speak of, drawn in the manner of rustc.

use super::output::{Screen, escape_controls, is_terminal_control};
use super::paint;
use super::wrap::wrap_line;
use crate::diagnostic::{Diagnostic, Severity};
use crate::session::Line;
use crate::source::{Source, Sources, Span};
use annotate_snippets::renderer::{Ansi256Color, Style};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use std::borrow::Cow;
use std::ops::Range;

/// More lines than this of one part are not shown: its beginning says enough.
const MOST_LINES: u32 = 6;
/// Nor more bytes of it, nor so many behind it: the renderer goes through all of a line for each of them.
const MOST_BYTES: usize = 400;
const BEHIND: usize = 400;

pub fn render(screen: &Screen, sources: &Sources, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let before = diagnostic.severity.as_str().len() + diagnostic.code.len() + 4;
    let title = level
        .primary_title(words(screen, &diagnostic.message, before))
        .id(diagnostic.code);
    let mut group = Group::with_title(title);
    let mut parts: Vec<(Span, &str, bool)> = Vec::new();
    parts.extend(
        diagnostic
            .span
            .map(|span| (span, diagnostic.label.as_str(), true)),
    );
    parts.extend(
        diagnostic
            .related
            .iter()
            .map(|(span, words)| (*span, words.as_str(), false)),
    );
    let placeless = parts.is_empty();
    while let Some(&(first, ..)) = parts.first() {
        let (same, others) = parts
            .into_iter()
            .partition(|(span, ..)| span.source == first.source);
        if let Some(source) = sources.get(first.source) {
            group = group.element(snippet(screen, source, same));
        }
        parts = others;
    }
    let mut groups = vec![group];
    for note in &diagnostic.notes {
        match groups.pop() {
            // Without a text above it, a note needs no margin.
            Some(group) if placeless => {
                groups.extend([
                    group,
                    Group::with_title(Level::NOTE.secondary_title(words(screen, note, 6))),
                ]);
            }
            group => groups
                .extend(group.map(|g| g.element(Level::NOTE.message(words(screen, note, 12))))),
        }
    }
    let renderer = if screen.colour {
        coloured()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.term_width(screen.width);
    groups
        .into_iter()
        .map(|group| renderer.render(&[group]))
        .collect::<Vec<_>>()
        .join("\n")
}

/// With the colours of all else: those that the renderer comes with can't be read on every background.
fn coloured() -> Renderer {
    let of = |colour: u8| {
        Style::new()
            .fg_color(Some(Ansi256Color(colour).into()))
            .bold()
    };
    Renderer::styled()
        .error(of(paint::RED))
        .warning(of(paint::YELLOW))
        .info(of(paint::CYAN))
        .note(of(paint::CYAN))
        .help(of(paint::CYAN))
        .line_num(of(paint::CYAN))
        .context(of(paint::CYAN))
}

/// A sentence for this screen, with so much before it in its first row; where it is folded, the renderer aligns its rows.
fn words(screen: &Screen, text: &str, before: usize) -> String {
    let width = screen.width.saturating_sub(before);
    let text = screen.sanitize(text);
    if !screen.wraps_lines {
        return text;
    }
    let rows = text
        .split('\n')
        .flat_map(|line| wrap_line(Line::plain(line), width));
    rows.map(|row| row.text()).collect::<Vec<_>>().join("\n")
}

/// The lines of one source that the parts lie in.
fn snippet<'a>(
    screen: &Screen,
    source: &'a Source,
    parts: Vec<(Span, &'a str, bool)>,
) -> Snippet<'a, Annotation<'a>> {
    let ranges: Vec<Range<usize>> = parts
        .iter()
        .map(|(span, ..)| within(source, *span))
        .collect();
    let first = ranges.iter().map(|r| r.start).min().unwrap_or(0);
    let last = ranges.iter().map(|r| r.end).max().unwrap_or(0);
    // Only these lines go to the renderer, which would look through all of a long text.
    let (first_line, _) = source.line_column(first as u32);
    let (last_line, _) = source.line_column(last as u32);
    let from = source.line_range(first_line).start;
    let to = source
        .line_range(last_line)
        .end
        .min(source.text.ceil_char_boundary(last + BEHIND));
    let annotations = parts
        .into_iter()
        .zip(ranges)
        .map(|((_, label, main), range)| {
            let kind = if main {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let range = if main || !screen.wraps_lines {
                range
            } else {
                beside(screen, source, range, label)
            };
            let label = (!label.is_empty()).then(|| screen.sanitize(label));
            kind.span(range.start - from..range.end - from).label(label)
        });
    Snippet::source(harmless(
        source.text[from..to].trim_end_matches(['\n', '\r']),
    ))
    .line_start(first_line as usize)
    .path(escape_controls(&source.origin.to_string()).into_owned())
    .annotations(annotations)
}

/// So much of a place, in whole words, that what is said of it fits beside the mark; all of it if nothing helps.
fn beside(screen: &Screen, source: &Source, range: Range<usize>, label: &str) -> Range<usize> {
    let (line, column) = source.line_column(range.start as u32);
    let taken = line.to_string().len() + 3 + column as usize + label.chars().count() + 1;
    let text = &source.text[range.clone()];
    let room = screen.width.saturating_sub(taken);
    if text.len() <= room || text.contains('\n') {
        return range;
    }
    let words = text[..text.floor_char_boundary(room)].rfind(' ');
    words.map_or(range.clone(), |at| range.start..range.start + at)
}

/// The renderer shows control characters of ASCII, but lets some others through; one of as many bytes keeps the places.
fn harmless(text: &str) -> Cow<'_, str> {
    let passes = |c: char| !c.is_ascii() && is_terminal_control(c);
    if !text.contains(passes) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| match c.len_utf8() {
        _ if !passes(c) => c,
        2 => '¿',
        _ => '\u{fffd}',
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// The bytes of a span, inside the text and between characters: the renderer panics on others.
fn within(source: &Source, span: Span) -> Range<usize> {
    let text = &source.text;
    let end_of_text = text.trim_end_matches(['\n', '\r']).len();
    let start = text.floor_char_boundary((span.start as usize).min(end_of_text));
    let mut end = text
        .ceil_char_boundary((span.end as usize).min(end_of_text))
        .max(start);
    let (first, _) = source.line_column(start as u32);
    let (last, _) = source.line_column(end as u32);
    if last - first >= MOST_LINES {
        end = start
            + source.text[start..source.line_range(first).end]
                .trim_end()
                .len();
    }
    start..text.ceil_char_boundary(end.min(start + MOST_BYTES))
}
