//! An expression with the values of all its subexpressions: in columns below the source, as
//! power-assert does, or as a list.

use crate::answer::{ExplainedExpression, ExplainedValue};
use crate::render::board::clip::{MAX_LABEL_CHARS, short_circuit_note};
use crate::text::{elide, join_rows};

/// The values in columns below the source, or as a list if that is too wide.
pub fn value_columns(explained: &ExplainedExpression, width: usize) -> Vec<String> {
    let lines = columns(explained);
    if lines.iter().all(|line| line.chars().count() <= width) {
        lines
    } else {
        list(explained, width)
    }
}

/// The source, wrapped, followed by each subexpression and its value in evaluation order.
fn list(explained: &ExplainedExpression, width: usize) -> Vec<String> {
    let words: Vec<&str> = explained.line.split_whitespace().collect();
    let mut lines = join_rows(&words, " ", ["  ", "    "], width);
    let mut parts: Vec<(String, String)> = Vec::new();
    for value in &explained.values {
        let row = (
            elide(&value.line, MAX_LABEL_CHARS),
            elide(&value.value, MAX_LABEL_CHARS),
        );
        // Literals and repetitions are omitted.
        if row.0 != row.1 && !parts.contains(&row) {
            parts.push(row);
        }
    }
    let widest = parts
        .iter()
        .map(|(expression, _)| expression.chars().count())
        .max()
        .unwrap_or(0);
    lines.extend(
        parts
            .iter()
            .map(|(expression, value)| format!("    {expression:<widest$}   {value}")),
    );
    lines.extend(short_circuit_notes(explained));
    lines
}

fn columns(explained: &ExplainedExpression) -> Vec<String> {
    let mut columns: Vec<(usize, &ExplainedValue)> = Vec::new();
    for value in &explained.values {
        columns.retain(|(_, v)| v.expression.span != value.expression.span);
        let mut column = value.column;
        while columns.iter().any(|(c, _)| *c == column) {
            column += 1;
        }
        columns.push((column, value));
    }
    columns.sort_by_key(|(c, _)| *c);
    let mut lines = vec![format!("  {}", explained.line)];
    while let Some((column, value)) = columns.pop() {
        let mut row = String::new();
        for (c, _) in &columns {
            let gap = c.saturating_sub(row.chars().count());
            row.push_str(&" ".repeat(gap));
            row.push('|');
        }
        row.push_str(&" ".repeat(column.saturating_sub(row.chars().count())));
        row.push_str(&elide(&value.value, MAX_LABEL_CHARS));
        lines.push(format!("  {row}"));
    }
    lines.extend(short_circuit_notes(explained));
    lines
}

/// Notes about the parts that were not evaluated.
fn short_circuit_notes(explained: &ExplainedExpression) -> Vec<String> {
    let note = |value: &ExplainedValue| {
        let short_circuit = value.short_circuit.as_ref()?;
        Some(format!(
            "  {}",
            short_circuit_note(short_circuit, &value.value)
        ))
    };
    let mut lines: Vec<String> = explained.values.iter().filter_map(note).collect();
    lines.dedup();
    lines
}
