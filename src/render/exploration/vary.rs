//! Text for the answer to `:vary`.

use crate::answer::{Line, Style, VariedRun, VaryResult};
use crate::text::{large_count_noun, with_commas};

/// Longer lists of start values move only their own row to the right.
const MAX_START_COLUMNS: usize = 32;

/// For which start values a condition is true, false, or has another value.
pub(crate) fn vary_lines(result: &VaryResult) -> Vec<Line> {
    let (name, condition) = (&result.variable, &result.condition);
    let total = result.runs.len();
    let true_runs = result.runs.iter().filter(|run| run.holds == Some(true));
    let is_condition = result.runs.iter().any(|run| run.holds.is_some());
    let mut lines = Vec::new();
    if is_condition {
        let values = large_count_noun(total, "start value", "start values");
        lines.push(Line::plain(format!(
            "{condition} is true for {} of {values} of {name}",
            with_commas(true_runs.count() as u64)
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
    let rows = groups.iter().map(|(text, is_error, starts)| {
        let style = match is_error {
            true => Style::Error,
            false => Style::Strong,
        };
        (style, text.clone(), ranges(starts))
    });
    let rows: Vec<(Style, String, String)> = rows.collect();
    lines.extend(match is_condition {
        true => outcome_lines(&rows),
        false => value_lines(name, condition, &rows),
    });
    if result.stopped_by.is_some() {
        let text = "stopped before all start values were tried";
        lines.push(Line::plain(format!("undecided: {text}")));
    }
    lines
}

/// For a condition: true and false, each with its start values.
fn outcome_lines(rows: &[(Style, String, String)]) -> Vec<Line> {
    let columns = rows.iter().map(|(_, text, _)| text.chars().count()).max();
    let columns = columns.unwrap_or(0);
    let line = |(style, text, starts): &(Style, String, String)| {
        let line = Line::styled(*style, format!("  {text:<columns$}"));
        line.with(Style::Plain, format!("  {starts}"))
    };
    rows.iter().map(line).collect()
}

/// For any other expression: the start values and what each leads to, with a heading.
fn value_lines(name: &str, expression: &str, rows: &[(Style, String, String)]) -> Vec<Line> {
    let starts = rows.iter().map(|(_, _, starts)| starts.chars().count());
    let columns = starts.filter(|columns| *columns <= MAX_START_COLUMNS).max();
    let columns = columns.unwrap_or(0).max(name.chars().count());
    let heading = Line::styled(Style::Dim, format!("  {name:<columns$}  {expression}"));
    let line = |(style, text, starts): &(Style, String, String)| {
        Line::plain(format!("  {starts:<columns$}  ")).with(*style, text.clone())
    };
    std::iter::once(heading)
        .chain(rows.iter().map(line))
        .collect()
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
