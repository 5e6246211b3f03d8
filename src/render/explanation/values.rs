//! A statement with the values of its expressions below it.

use crate::debugger::api::{ExplanationNode, ExpressionValue, Line};
use crate::debugger::value_columns;
use crate::debugger::value_recorder::Sample;
use crate::value::Value;

/// The indentation of a statement.
const INDENT: usize = 4;

/// The statement of a node, with each value below its expression.
pub(super) fn statement_lines(node: &ExplanationNode, width: usize) -> Vec<Line> {
    let Some(statement) = &node.statement else {
        return Vec::new();
    };
    let text = &statement.text;
    let lines = if !node.values.is_empty() {
        let samples: Vec<Sample> = node.values.iter().map(to_sample).collect();
        value_columns::render(text, statement.span, &samples, width.saturating_sub(INDENT))
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

pub(super) fn to_sample(value: &ExpressionValue) -> Sample {
    Sample {
        span: value.expression.span,
        value: Value::NOTHING,
        text: value.value.clone(),
        cell: None,
        time: 0,
        is_short_circuited: value.is_short_circuited,
        is_block_result: false,
    }
}
