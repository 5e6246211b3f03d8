//! Renders the trace of a loop as a table with one row per iteration.

use super::{Line, Style};
use crate::debugger::loop_trace::{Iteration, LoopExit, LoopTrace};
use crate::source::{Sources, Span};
use crate::text::elide;

const MAX_COLUMN_CHARS: usize = 24;
/// Reserved at the end of each row for `    <= decided here`.
const NOTE_CHARS: usize = 19;
/// Columns for expressions, in addition to those for variables.
const MAX_EXPR_COLUMNS: usize = 5;
/// Rows at the start (with the heading) and at the end of a long table that are never folded.
const UNFOLDED_FIRST_ROWS: usize = 7;
const UNFOLDED_LAST_ROWS: usize = 3;
/// Iterations that are measured to find the width of the table.
const MAX_ITERATIONS_MEASURED: usize = 200;

/// Names and values.
type Variables = [(String, String)];

fn variable_value<'v>(variables: &'v Variables, name: &str) -> Option<&'v str> {
    variables
        .iter()
        .find(|(n, _)| n == name)
        .map(|(_, v)| v.as_str())
}

/// Renders a table with the number of each iteration, the variables that change and the values of
/// expressions. Marks the iteration that contains the time `now`, and the only one in which a
/// variable changed: that is usually the one that decided the result.
pub(super) fn render_loop_table(
    trace: &LoopTrace,
    now: Option<u64>,
    sources: &Sources,
    width: usize,
) -> Vec<Line> {
    if trace.iterations.is_empty() {
        return vec![Line::styled(Style::Dim, "  The loop has no iterations")];
    }
    let columns = Columns::new(trace, sources, width);
    let mut rows = vec![columns.header(sources)];
    let mut number = 0;
    for iteration in &trace.iterations {
        number += usize::from(!iteration.is_final_test);
        rows.push(columns.row(
            if iteration.is_final_test {
                "end".into()
            } else {
                number.to_string()
            },
            iteration,
        ));
    }
    let notes = row_notes(trace, &columns, now);
    align_rows(&rows, &notes)
}

/// The columns after the number of the iteration, from left to right.
struct Columns {
    /// Variables that exist only in the loop.
    loop_variables: Vec<String>,
    exprs: Vec<Span>,
    /// Variables from outside that the loop changes.
    changed: Vec<String>,
}

impl Columns {
    fn new(trace: &LoopTrace, sources: &Sources, width: usize) -> Columns {
        let mut names: Vec<String> = Vec::new();
        let mut exprs: Vec<Span> = Vec::new();
        for iteration in &trace.iterations {
            for (name, _) in iteration
                .variables
                .iter()
                .filter(|(n, _)| !n.starts_with('@'))
            {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            for (span, value) in &iteration.values {
                let is_name = variable_value(&iteration.variables, sources.slice(*span)).is_some();
                // A long test is still useful: its beginning and its outcome say enough.
                let fits = sources.slice(*span).chars().count() <= MAX_COLUMN_CHARS
                    || matches!(value.as_str(), "true" | "false");
                if !is_name && !exprs.contains(span) && fits {
                    exprs.push(*span);
                }
            }
        }
        let initial = |name: &str| variable_value(&trace.initial_variables, name);
        // Leave out variables that never change.
        let changes = |name: &String| {
            trace
                .iterations
                .iter()
                .any(|r| variable_value(&r.variables, name) != initial(name))
        };
        let (changed, loop_variables): (Vec<String>, Vec<String>) = names
            .into_iter()
            .filter(changes)
            .partition(|name| initial(name).is_some());
        // In order of evaluation: inner expressions first.
        exprs.sort_by_key(|s| (s.end, u32::MAX - s.start));
        let mut columns = Columns {
            loop_variables,
            exprs,
            changed,
        };
        while columns.exprs.len() > MAX_EXPR_COLUMNS
            || !columns.exprs.is_empty() && columns.total_width(trace, sources) + NOTE_CHARS > width
        {
            columns.drop_expr(trace, sources);
        }
        columns
    }

    /// Drops the least informative expression: a constant one, else the longest, because its inner
    /// expressions show the same.
    fn drop_expr(&mut self, trace: &LoopTrace, sources: &Sources) {
        let is_constant = |span: &Span| {
            let mut values = trace.iterations.iter().map(|r| expr_value(r, span));
            let first = values.next();
            values.all(|v| Some(v) == first.as_ref().cloned())
        };
        let least = (0..self.exprs.len()).min_by_key(|n| {
            let span = &self.exprs[*n];
            (
                !is_constant(span),
                usize::MAX - sources.slice(*span).chars().count(),
            )
        });
        if let Some(n) = least {
            self.exprs.remove(n);
        }
    }

    fn total_width(&self, trace: &LoopTrace, sources: &Sources) -> usize {
        let mut rows = vec![self.header(sources)];
        rows.extend(
            trace
                .iterations
                .iter()
                .take(MAX_ITERATIONS_MEASURED)
                .map(|r| self.row(trace.iterations.len().to_string(), r)),
        );
        column_widths(&rows).iter().map(|w| w + 2).sum()
    }

    fn header(&self, sources: &Sources) -> Vec<String> {
        let one_line = |s: &Span| elide(&sources.slice_single_line(*s), MAX_COLUMN_CHARS);
        let mut header = vec!["#".to_string()];
        header.extend(self.loop_variables.iter().cloned());
        header.extend(self.exprs.iter().map(one_line));
        header.extend(self.changed.iter().cloned());
        header
    }

    fn row(&self, number: String, iteration: &Iteration) -> Vec<String> {
        let variable = |name: &String| {
            variable_value(&iteration.variables, name)
                .unwrap_or("-")
                .to_string()
        };
        let mut row = vec![number];
        row.extend(self.loop_variables.iter().map(variable));
        row.extend(
            self.exprs
                .iter()
                .map(|s| expr_value(iteration, s).to_string()),
        );
        row.extend(self.changed.iter().map(variable));
        row
    }
}

/// The last value of an expression in an iteration.
fn expr_value<'r>(iteration: &'r Iteration, span: &Span) -> &'r str {
    iteration
        .values
        .iter()
        .rev()
        .find(|(s, _)| s == span)
        .map_or("-", |(_, v)| v)
}

/// The notes after the rows, by index of the iteration.
fn row_notes(trace: &LoopTrace, columns: &Columns, now: Option<u64>) -> Vec<(usize, String)> {
    let iterations = &trace.iterations;
    // A variable that changed exactly once was decided in that iteration.
    let decided: Vec<(usize, &String)> = columns
        .changed
        .iter()
        .filter_map(|name| {
            let values = std::iter::once(&trace.initial_variables)
                .chain(iterations.iter().map(|r| &r.variables));
            let values: Vec<Option<&str>> = values.map(|v| variable_value(v, name)).collect();
            let mut changes = (1..values.len()).filter(|n| values[*n] != values[n - 1]);
            let change = changes.next()?;
            changes.next().is_none().then_some((change - 1, name))
        })
        .collect();
    let mut notes: Vec<(usize, String)> = match decided.as_slice() {
        [(n, _)] => vec![(*n, "decided here".into())],
        several => several
            .iter()
            .map(|(n, name)| (*n, format!("{name} decided here")))
            .collect(),
    };
    if trace.exit == LoopExit::Early {
        notes.push((iterations.len() - 1, "exits here".into()));
    }
    if let Some(now) = now {
        let current = iterations
            .partition_point(|r| r.time <= now)
            .saturating_sub(1);
        notes.insert(0, (current, "now".into()));
    }
    notes
}

fn column_widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |c: usize| {
        rows.iter()
            .map(|r| r.get(c).map_or(0, |t| t.chars().count()))
            .max()
            .unwrap_or(0)
    };
    (0..columns)
        .map(|c| width(c).min(MAX_COLUMN_CHARS))
        .collect()
}

/// Aligns the columns. Long tables are folded, except for the first and last rows and those around
/// notes.
fn align_rows(rows: &[Vec<String>], notes: &[(usize, String)]) -> Vec<Line> {
    let widths = column_widths(rows);
    let mut lines = Vec::new();
    let is_shown = |n: usize| {
        n < UNFOLDED_FIRST_ROWS
            || n + UNFOLDED_LAST_ROWS >= rows.len()
            || notes.iter().any(|(m, _)| n.abs_diff(m + 1) <= 1)
    };
    let mut folded = 0;
    for (n, row) in rows.iter().enumerate() {
        if !is_shown(n) {
            folded += 1;
            continue;
        }
        if folded > 0 {
            lines.push(Line::styled(Style::Dim, format!("  … {folded} more")));
            folded = 0;
        }
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(t, w)| format!("{:<w$}", elide(t, MAX_COLUMN_CHARS), w = *w));
        let text = cells.collect::<Vec<_>>().join("  ");
        let row_notes: Vec<&str> = notes
            .iter()
            .filter(|(m, _)| m + 1 == n)
            .map(|(_, note)| note.as_str())
            .collect();
        let style = if n == 0 { Style::Dim } else { Style::Plain };
        lines.push(match row_notes.as_slice() {
            [] => Line::styled(style, format!("  {}", text.trim_end())),
            notes => Line::styled(style, format!("  {text}"))
                .with(Style::Current, format!("    <= {}", notes.join(", "))),
        });
    }
    lines
}
