//! Text for the answer to `:vary`.

use crate::debugger::api::{Line, Style, VariedRun, VaryResult};
use crate::text::count_noun;

/// For which start values a condition is true, false, or has another value.
pub(super) fn vary_lines(result: &VaryResult) -> Vec<Line> {
    let (name, condition) = (&result.variable, &result.condition);
    let total = result.runs.len();
    let true_runs = result.runs.iter().filter(|run| run.holds == Some(true));
    let is_condition = result.runs.iter().any(|run| run.holds.is_some());
    let mut lines = Vec::new();
    if is_condition {
        let values = count_noun(total, "start value", "start values");
        lines.push(Line::plain(format!(
            "{condition} is true for {} of {values} of {name}",
            true_runs.count()
        )));
    } else {
        lines.push(Line::plain(format!(
            "{condition} for each start value of {name}"
        )));
    }
    let mut groups: Vec<(String, bool, Vec<i64>)> = Vec::new();
    for run in &result.runs {
        let (text, is_error) = outcome(run);
        match groups.iter_mut().find(|(known, ..)| *known == text) {
            Some((_, _, starts)) => starts.push(run.start),
            None => groups.push((text, is_error, vec![run.start])),
        }
    }
    let columns = groups.iter().map(|(text, ..)| text.chars().count()).max();
    let columns = columns.unwrap_or(0);
    for (text, is_error, starts) in &groups {
        let style = if *is_error {
            Style::Error
        } else {
            Style::Strong
        };
        let line = Line::styled(style, format!("  {text:<columns$}"));
        lines.push(line.with(Style::Plain, format!("  {}", ranges(starts))));
    }
    if result.stopped_by.is_some() {
        let text = "stopped before all start values were tried";
        lines.push(Line::plain(format!("undecided: {text}")));
    }
    lines
}

/// The value of the condition, or the error.
fn outcome(run: &VariedRun) -> (String, bool) {
    match (&run.error, &run.value) {
        (Some(error), _) => (format!("error: {error}"), true),
        (None, Some(value)) => (value.clone(), false),
        (None, None) => (String::new(), false),
    }
}

/// `0 to 3, 7`
fn ranges(starts: &[i64]) -> String {
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for &start in starts {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == start => *end = start,
            _ => ranges.push((start, start)),
        }
    }
    let texts: Vec<String> = ranges
        .iter()
        .map(|(low, high)| match high - low {
            0 => low.to_string(),
            1 => format!("{low}, {high}"),
            _ => format!("{low} to {high}"),
        })
        .collect();
    texts.join(", ")
}
