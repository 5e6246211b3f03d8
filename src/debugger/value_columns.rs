//! An expression with all its values: under their columns, or one below the other.

use super::value_recorder::{
    MAX_LABEL_CHARS, Sample, operator_offset, short_circuit_note, substitute, truncate_text,
};
use crate::source::Span;

/// All values under their columns, or one below the other where the text is too long for that.
pub fn render(text: &str, origin: Span, seen: &[Sample], width: usize) -> Vec<String> {
    let lines = columns(text, origin, seen);
    if lines.iter().all(|line| line.chars().count() <= width) {
        lines
    } else {
        listed(text, origin, seen, width)
    }
}

/// The text in as many rows as it takes, and each part with its value, in the order of the evaluation.
fn listed(text: &str, origin: Span, seen: &[Sample], width: usize) -> Vec<String> {
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
    for seeing in seen.iter().filter(|s| origin.contains(s.span)) {
        let (_, from, to) = substitute(text, origin, &[], seeing.span);
        let what: String = line
            .chars()
            .skip(from)
            .take(to.saturating_sub(from))
            .collect();
        let told = (
            truncate_text(&what, MAX_LABEL_CHARS),
            truncate_text(&seeing.text, MAX_LABEL_CHARS),
        );
        // A literal needs no word, and the same again none either.
        if told.0 != told.1 && !parts.contains(&told) {
            parts.push(told);
        }
    }
    let widest = parts
        .iter()
        .map(|(what, _)| what.chars().count())
        .max()
        .unwrap_or(0);
    lines.extend(
        parts
            .iter()
            .map(|(what, value)| format!("    {what:<widest$}   {value}")),
    );
    lines.extend(cut_short(text, origin, seen));
    lines
}

fn columns(text: &str, origin: Span, seen: &[Sample]) -> Vec<String> {
    let mut at: Vec<(usize, &Sample)> = Vec::new();
    for seeing in seen.iter().filter(|s| origin.contains(s.span)) {
        // A compound hangs under its operator, a simple part under its start.
        let hung = Span {
            start: operator_offset(text, origin, seen, seeing.span),
            ..seeing.span
        };
        let (_, column, _) = substitute(text, origin, &[], hung);
        at.retain(|(_, s)| s.span != seeing.span);
        let mut column = column;
        while at.iter().any(|(c, _)| *c == column) {
            column += 1;
        }
        at.push((column, seeing));
    }
    at.sort_by_key(|(c, _)| *c);
    let (line, _, _) = substitute(text, origin, &[], origin);
    let mut lines = vec![format!("  {line}")];
    while let Some((column, seeing)) = at.pop() {
        let mut row = String::new();
        for (c, _) in &at {
            let gap = c.saturating_sub(row.chars().count());
            row.push_str(&" ".repeat(gap));
            row.push('|');
        }
        row.push_str(&" ".repeat(column.saturating_sub(row.chars().count())));
        row.push_str(&truncate_text(&seeing.text, MAX_LABEL_CHARS));
        lines.push(format!("  {row}"));
    }
    lines.extend(cut_short(text, origin, seen));
    lines
}

/// What is to be said of the parts that were not evaluated.
fn cut_short(text: &str, origin: Span, seen: &[Sample]) -> Vec<String> {
    let mut known: Vec<&Sample> = Vec::new();
    let mut lines = Vec::new();
    for seeing in seen.iter().filter(|s| origin.contains(s.span)) {
        if seeing.is_short_circuited {
            lines.push(format!(
                "  {}",
                short_circuit_note(text, origin, seen, &known, seeing)
            ));
        }
        known.retain(|k| !seeing.span.contains(k.span));
        known.push(seeing);
    }
    lines.dedup();
    lines
}
