//! Renders diagnostics with the source text they refer to, in the style of rustc.

use super::paint;
use super::wrap::wrap_line;
use super::{Screen, escape_controls, is_terminal_control};
use crate::diagnostic::{Diagnostic, Severity};
use crate::session::Line;
use crate::source::{Source, Sources, Span};
use annotate_snippets::renderer::{Ansi256Color, Style};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use std::borrow::Cow;
use std::ops::Range;

/// A span of more lines than this is cut to its first line.
const MAX_SPAN_LINES: u32 = 6;
/// A longer span is cut: the renderer is slow on very long lines.
const MAX_SPAN_BYTES: usize = 400;
/// How much of a very long line is shown after the span.
const MAX_TRAILING_BYTES: usize = 400;
/// Columns before the text of a note: `note: `, and the same below a snippet (`      = note: `).
const NOTE_PREFIX_COLUMNS: usize = 6;
const INDENTED_NOTE_PREFIX_COLUMNS: usize = 12;

/// The diagnostic as text, with color codes if the screen has color.
pub fn render(screen: &Screen, sources: &Sources, diagnostic: &Diagnostic) -> String {
    let renderer = match screen.color {
        true => colored_renderer(),
        false => Renderer::plain(),
    };
    render_with(renderer, screen, sources, diagnostic)
}

/// The diagnostic as text without color codes.
pub fn render_plain(screen: &Screen, sources: &Sources, diagnostic: &Diagnostic) -> String {
    render_with(Renderer::plain(), screen, sources, diagnostic)
}

fn render_with(
    renderer: Renderer,
    screen: &Screen,
    sources: &Sources,
    diagnostic: &Diagnostic,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let prefix_columns = diagnostic.severity.as_str().len() + diagnostic.code.len() + 4;
    let title = level
        .primary_title(message_text(screen, &diagnostic.message, prefix_columns))
        .id(diagnostic.code);
    let mut group = Group::with_title(title);
    let mut annotated: Vec<(Span, &str, bool)> = Vec::new();
    annotated.extend(
        diagnostic
            .span
            .map(|span| (span, diagnostic.label.as_str(), true)),
    );
    annotated.extend(
        diagnostic
            .related
            .iter()
            .map(|(span, label)| (*span, label.as_str(), false)),
    );
    let has_no_span = annotated.is_empty();
    while let Some(&(first, ..)) = annotated.first() {
        let (same, others) = annotated
            .into_iter()
            .partition(|(span, ..)| span.source == first.source);
        if let Some(source) = sources.get(first.source) {
            group = group.element(snippet(screen, source, same));
        }
        annotated = others;
    }
    let mut groups = vec![group];
    for note in &diagnostic.notes {
        match groups.pop() {
            // Without a source snippet, notes are not indented.
            Some(group) if has_no_span => {
                groups.extend([
                    group,
                    Group::with_title(Level::NOTE.secondary_title(message_text(
                        screen,
                        note,
                        NOTE_PREFIX_COLUMNS,
                    ))),
                ]);
            }
            group => groups.extend(group.map(|g| {
                g.element(Level::NOTE.message(message_text(
                    screen,
                    note,
                    INDENTED_NOTE_PREFIX_COLUMNS,
                )))
            })),
        }
    }
    let renderer = renderer.term_width(screen.width);
    groups
        .into_iter()
        .map(|group| renderer.render(&[group]))
        .collect::<Vec<_>>()
        .join("\n")
}

/// A renderer with our own colors: the default ones are not readable on every background.
fn colored_renderer() -> Renderer {
    let bold = |color: u8| {
        Style::new()
            .fg_color(Some(Ansi256Color(color).into()))
            .bold()
    };
    Renderer::styled()
        .error(bold(paint::RED))
        .warning(bold(paint::YELLOW))
        .info(bold(paint::CYAN))
        .note(bold(paint::CYAN))
        .help(bold(paint::CYAN))
        .line_num(bold(paint::CYAN))
        .context(bold(paint::CYAN))
}

/// Sanitizes and wraps a message that starts after `prefix_columns`. The renderer aligns the rows.
fn message_text(screen: &Screen, text: &str, prefix_columns: usize) -> String {
    let width = screen.width.saturating_sub(prefix_columns);
    let text = screen.sanitize(text);
    if !screen.wraps_lines {
        return text;
    }
    let rows = text
        .split('\n')
        .flat_map(|line| wrap_line(Line::plain(line), width));
    rows.map(|row| row.text()).collect::<Vec<_>>().join("\n")
}

/// The lines of one source that contain the annotated spans. Each annotation is a span, its label
/// and whether it is the primary one.
fn snippet<'a>(
    screen: &Screen,
    source: &'a Source,
    annotated: Vec<(Span, &'a str, bool)>,
) -> Snippet<'a, Annotation<'a>> {
    let ranges: Vec<Range<usize>> = annotated
        .iter()
        .map(|(span, ..)| clamp_span(source, *span))
        .collect();
    let first = ranges.iter().map(|r| r.start).min().unwrap_or(0);
    let last = ranges.iter().map(|r| r.end).max().unwrap_or(0);
    // Pass only these lines to the renderer, which scans all of the text it is given.
    let (first_line, _) = source.line_column(first as u32);
    let (last_line, _) = source.line_column(last as u32);
    let from = source.line_range(first_line).start;
    let to = source
        .line_range(last_line)
        .end
        .min(source.text.ceil_char_boundary(last + MAX_TRAILING_BYTES));
    let annotations = annotated
        .into_iter()
        .zip(ranges)
        .map(|((_, label, is_primary), range)| {
            let kind = if is_primary {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let range = if is_primary || !screen.wraps_lines {
                range
            } else {
                fit_label(screen, source, range, label)
            };
            let label = (!label.is_empty()).then(|| screen.sanitize(label));
            kind.span(range.start - from..range.end - from).label(label)
        });
    Snippet::source(escape_same_length(
        source.text[from..to].trim_end_matches(['\n', '\r']),
    ))
    .line_start(first_line as usize)
    .path(escape_controls(&source.origin.to_string()).into_owned())
    .annotations(annotations)
}

/// Shortens a range to whole words so that its label fits on the same line; unchanged if that is
/// not possible.
fn fit_label(screen: &Screen, source: &Source, range: Range<usize>, label: &str) -> Range<usize> {
    let (line, column) = source.line_column(range.start as u32);
    let used = line.to_string().len() + 3 + column as usize + label.chars().count() + 1;
    let text = &source.text[range.clone()];
    let room = screen.width.saturating_sub(used);
    if text.len() <= room || text.contains('\n') {
        return range;
    }
    let last_space = text[..text.floor_char_boundary(room)].rfind(' ');
    last_space.map_or(range.clone(), |at| range.start..range.start + at)
}

/// Replaces control characters that the renderer passes through. The replacements have the same
/// length in bytes, so that spans stay valid.
fn escape_same_length(text: &str) -> Cow<'_, str> {
    let is_unsafe = |c: char| !c.is_ascii() && is_terminal_control(c);
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| match c.len_utf8() {
        _ if !is_unsafe(c) => c,
        2 => '¿',
        _ => '\u{fffd}',
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// The byte range of a span, clamped to the text and to character boundaries: the renderer panics
/// on anything else.
fn clamp_span(source: &Source, span: Span) -> Range<usize> {
    let text = &source.text;
    let end_of_text = text.trim_end_matches(['\n', '\r']).len();
    let start = text.floor_char_boundary((span.start as usize).min(end_of_text));
    let mut end = text
        .ceil_char_boundary((span.end as usize).min(end_of_text))
        .max(start);
    let (first, _) = source.line_column(start as u32);
    let (last, _) = source.line_column(end as u32);
    if last - first >= MAX_SPAN_LINES {
        end = start
            + source.text[start..source.line_range(first).end]
                .trim_end()
                .len();
    }
    start..text.ceil_char_boundary(end.min(start + MAX_SPAN_BYTES))
}
