//! Renders an expression with the values of all its subexpressions: in columns below the source, as
//! power-assert does, or as a list.

use super::value_recorder::{
    MAX_LABEL_CHARS, Sample, operator_offset, short_circuit_note, substitute, truncate_text,
};
use crate::source::Span;

/// Renders the values in columns below the source, or as a list if that is too wide.
pub fn render(text: &str, origin: Span, samples: &[Sample], width: usize) -> Vec<String> {
    let lines = render_columns(text, origin, samples);
    if lines.iter().all(|line| line.chars().count() <= width) {
        lines
    } else {
        render_list(text, origin, samples, width)
    }
}

/// The source, wrapped, followed by each subexpression and its value in evaluation order.
fn render_list(text: &str, origin: Span, samples: &[Sample], width: usize) -> Vec<String> {
    let (line, _, _) = substitute(text, origin, &[], origin);
    let mut lines: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        match lines.last_mut() {
            Some(row) if row.chars().count() + 1 + word.chars().count() <= width => {
                row.push(' ');
                row.push_str(word);
            }
            Some(_) => lines.push(format!("    {word}")),
            None => lines.push(format!("  {word}")),
        }
    }
    let mut parts: Vec<(String, String)> = Vec::new();
    for sample in samples.iter().filter(|s| origin.contains(s.span)) {
        let (_, from, to) = substitute(text, origin, &[], sample.span);
        let expr: String = line
            .chars()
            .skip(from)
            .take(to.saturating_sub(from))
            .collect();
        let row = (
            truncate_text(&expr, MAX_LABEL_CHARS),
            truncate_text(&sample.text, MAX_LABEL_CHARS),
        );
        // Literals and repetitions are omitted.
        if row.0 != row.1 && !parts.contains(&row) {
            parts.push(row);
        }
    }
    let widest = parts
        .iter()
        .map(|(expr, _)| expr.chars().count())
        .max()
        .unwrap_or(0);
    lines.extend(
        parts
            .iter()
            .map(|(expr, value)| format!("    {expr:<widest$}   {value}")),
    );
    lines.extend(short_circuit_notes(text, origin, samples));
    lines
}

fn render_columns(text: &str, origin: Span, samples: &[Sample]) -> Vec<String> {
    let mut columns: Vec<(usize, &Sample)> = Vec::new();
    for sample in samples.iter().filter(|s| origin.contains(s.span)) {
        // The value of a compound expression goes below its operator, that of a simple one below
        // its start.
        let anchor = Span {
            start: operator_offset(text, origin, samples, sample.span),
            ..sample.span
        };
        let (_, column, _) = substitute(text, origin, &[], anchor);
        columns.retain(|(_, s)| s.span != sample.span);
        let mut column = column;
        while columns.iter().any(|(c, _)| *c == column) {
            column += 1;
        }
        columns.push((column, sample));
    }
    columns.sort_by_key(|(c, _)| *c);
    let (line, _, _) = substitute(text, origin, &[], origin);
    let mut lines = vec![format!("  {line}")];
    while let Some((column, sample)) = columns.pop() {
        let mut row = String::new();
        for (c, _) in &columns {
            let gap = c.saturating_sub(row.chars().count());
            row.push_str(&" ".repeat(gap));
            row.push('|');
        }
        row.push_str(&" ".repeat(column.saturating_sub(row.chars().count())));
        row.push_str(&truncate_text(&sample.text, MAX_LABEL_CHARS));
        lines.push(format!("  {row}"));
    }
    lines.extend(short_circuit_notes(text, origin, samples));
    lines
}

/// Notes about the parts that were not evaluated.
fn short_circuit_notes(text: &str, origin: Span, samples: &[Sample]) -> Vec<String> {
    let mut known: Vec<&Sample> = Vec::new();
    let mut lines = Vec::new();
    for sample in samples.iter().filter(|s| origin.contains(s.span)) {
        if sample.is_short_circuited {
            lines.push(format!(
                "  {}",
                short_circuit_note(text, origin, samples, &known, sample)
            ));
        }
        known.retain(|k| !sample.span.contains(k.span));
        known.push(sample);
    }
    lines.dedup();
    lines
}
