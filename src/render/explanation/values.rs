//! A statement with the values of its expressions below it.

use crate::analysis::evaluation::explain_values;
use crate::answer::{ExplanationNode, Line};
use crate::render::stopped::value_columns::value_columns;

/// The indentation of a statement.
const INDENT: usize = 4;

/// The statement of a node, with each value below its expression.
pub(super) fn statement_lines(node: &ExplanationNode, width: usize) -> Vec<Line> {
    let Some(statement) = &node.statement else {
        return Vec::new();
    };
    let text = &statement.text;
    let lines = if !node.values.is_empty() {
        let explained = explain_values(statement.clone(), &node.values);
        value_columns(&explained, width.saturating_sub(INDENT))
    } else if !text.is_empty() {
        let words: Vec<&str> = text.split_whitespace().collect();
        vec![format!("  {}", words.join(" "))]
    } else {
        Vec::new()
    };
    lines
        .into_iter()
        .map(|line| Line::plain(format!("{}{line}", " ".repeat(INDENT))))
        .collect()
}
