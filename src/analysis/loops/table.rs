//! Turns the trace of a loop into a table: which variables and expressions get a column, and which
//! iteration decided the result.

use super::{Iteration, LoopTrace, VarSnapshot};
use crate::answer::{
    CellValue, ColumnContent, LoopColumn, LoopRow, LoopStyle, LoopTable, LoopValue,
    OmittedIterations,
};
use crate::debugger::Target;
use crate::debugger::diff;
use crate::source::Span;
use crate::value::InternedStr;

/// Parts of the test of a rebinding loop that get a column, in addition to the whole test.
const MAX_TEST_PARTS: usize = 2;

/// The columns of a table, from left to right.
struct Columns {
    /// Variables that exist only in the loop.
    loop_variables: Vec<InternedStr>,
    exprs: Vec<Span>,
    /// Variables from outside that the loop changes.
    changed: Vec<InternedStr>,
}

/// The table of a loop. The row at the time `now` is the current one.
pub(crate) fn loop_table(target: &Target, trace: &LoopTrace, now: Option<u64>) -> LoopTable {
    let columns = match trace.style {
        LoopStyle::Assigning => assigning_columns(target, trace),
        LoopStyle::Rebinding => rebinding_columns(target, trace),
    };
    let column_list = describe_columns(target, &columns, trace);
    let current = now.and_then(|now| {
        let started = trace.iterations.partition_point(|i| i.time <= now);
        started.checked_sub(1)
    });
    // Iterations are dropped after the one in the middle.
    let middle = trace.iterations.len() / 2;
    let mut number = 0;
    let mut rows = Vec::new();
    for (n, iteration) in trace.iterations.iter().enumerate() {
        // A test that only ends the loop is not an iteration, unless it sees variables of its
        // own.
        let has_number = trace.style == LoopStyle::Rebinding || !iteration.is_final_test;
        number += u64::from(has_number);
        let dropped = if n > middle { trace.omitted as u64 } else { 0 };
        rows.push(LoopRow {
            iteration: has_number.then_some(number + dropped),
            values: row_values(target, &columns, iteration),
            time: iteration.time,
            is_current: current == Some(n),
            is_deciding: column_list.iter().any(|c| c.decided_in_row == Some(n)),
            is_final_test: iteration.is_final_test,
        });
    }
    LoopTable {
        style: trace.style,
        function: trace.function.to_string(),
        head: text_in_table(target, trace, trace.head),
        range: target.source_range(trace.head),
        columns: column_list,
        rows,
        omitted: (trace.omitted > 0).then(|| OmittedIterations {
            first: middle as u64 + 2,
            last: (middle + 1 + trace.omitted) as u64,
        }),
        result: trace.result,
    }
}

fn text_in_table(target: &Target, trace: &LoopTrace, span: Span) -> String {
    match trace.style {
        LoopStyle::Assigning => target.sources.slice_single_line(span),
        LoopStyle::Rebinding => target.code_on_one_line(span),
    }
}

fn describe_columns(target: &Target, columns: &Columns, trace: &LoopTrace) -> Vec<LoopColumn> {
    let loop_variable = |name: &InternedStr| LoopColumn {
        name: name.to_string(),
        content: ColumnContent::LoopVariable,
        decided_in_row: None,
    };
    let expr = |span: &Span| {
        let mut values = trace.iterations.iter().flat_map(|i| &i.values);
        LoopColumn {
            name: text_in_table(target, trace, *span),
            content: ColumnContent::Expression {
                range: target.source_range(*span),
                is_condition: values.any(|(s, v)| s == span && is_truth(v)),
                length: target.sources.slice(*span).chars().count(),
            },
            decided_in_row: None,
        }
    };
    let outer_variable = |name: &InternedStr| LoopColumn {
        name: name.to_string(),
        content: ColumnContent::OuterVariable,
        decided_in_row: only_change(trace, *name),
    };
    let loop_variables = columns.loop_variables.iter().map(loop_variable);
    let exprs = columns.exprs.iter().map(expr);
    let changed = columns.changed.iter().map(outer_variable);
    loop_variables.chain(exprs).chain(changed).collect()
}

fn row_values(target: &Target, columns: &Columns, iteration: &Iteration) -> Vec<LoopValue> {
    let variable = |name: &InternedStr| {
        let snapshot = find_variable(&iteration.variables, *name);
        snapshot.map_or(LoopValue::Missing, |v| loop_value(target, v))
    };
    let expr = |span: &Span| {
        let last = iteration.values.iter().rev().find(|(s, _)| s == span);
        last.map_or(LoopValue::Missing, |(_, v)| LoopValue::Text(v.clone()))
    };
    let loop_variables = columns.loop_variables.iter().map(variable);
    let exprs = columns.exprs.iter().map(expr);
    let changed = columns.changed.iter().map(variable);
    loop_variables.chain(exprs).chain(changed).collect()
}

fn loop_value(target: &Target, variable: &VarSnapshot) -> LoopValue {
    match variable {
        VarSnapshot::Value(text) => LoopValue::Text(text.clone()),
        VarSnapshot::ChangedCells(cells) => {
            let changed = cells.iter().map(|(row, col, value)| CellValue {
                cell: diff::format_grid_cell(target, *row as usize, *col as usize),
                value: value.clone(),
            });
            LoopValue::ChangedCells(changed.collect())
        }
    }
}

/// All variables that the loop binds, the whole test, and some of its smallest parts.
fn rebinding_columns(target: &Target, trace: &LoopTrace) -> Columns {
    let first = trace.iterations.first().map_or(&[][..], |i| &i.variables);
    let names: Vec<InternedStr> = first.iter().map(|(name, _)| *name).collect();
    let values = trace.iterations.iter().flat_map(|i| &i.values);
    let mut spans: Vec<Span> = values.map(|(span, _)| *span).collect();
    spans.sort_by_key(|s| (s.start, std::cmp::Reverse(s.end)));
    spans.dedup();
    let text = |s: &Span| target.sources.slice(*s);
    spans.retain(|s| !names.iter().any(|name| name.as_str() == text(s)));
    let test = spans.iter().copied().max_by_key(|s| s.end - s.start);
    let is_smallest =
        |s: &Span| Some(*s) != test && !spans.iter().any(|o| o != s && s.contains(*o));
    let parts = spans
        .iter()
        .copied()
        .filter(is_smallest)
        .filter(|s| text(s).chars().any(|c| !c.is_alphanumeric()))
        .take(MAX_TEST_PARTS);
    Columns {
        exprs: parts.chain(test).collect(),
        loop_variables: names,
        changed: Vec::new(),
    }
}

/// The variables that change, and all expressions that are not just a variable.
fn assigning_columns(target: &Target, trace: &LoopTrace) -> Columns {
    let mut names: Vec<InternedStr> = Vec::new();
    let mut exprs: Vec<Span> = Vec::new();
    for iteration in &trace.iterations {
        let variables = iteration.variables.iter().map(|(name, _)| *name);
        for name in variables.filter(|n| !n.as_str().starts_with('@')) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        for (span, _) in &iteration.values {
            let text = target.sources.slice(*span);
            let mut variables = iteration.variables.iter();
            let is_name = variables.any(|(name, _)| name.as_str() == text);
            if !is_name && !exprs.contains(span) {
                exprs.push(*span);
            }
        }
    }
    let initial = |name: InternedStr| find_variable(&trace.initial_variables, name);
    // Leave out variables that never change.
    let changes = |name: &InternedStr| {
        let mut values = trace.iterations.iter().map(|i| &i.variables);
        values.any(|v| find_variable(v, *name) != initial(*name))
    };
    let (changed, loop_variables) = names
        .into_iter()
        .filter(changes)
        .partition(|name| initial(*name).is_some());
    // In order of evaluation: inner expressions first.
    exprs.sort_by_key(|s| (s.end, u32::MAX - s.start));
    Columns {
        loop_variables,
        exprs,
        changed,
    }
}

fn find_variable(
    variables: &[(InternedStr, VarSnapshot)],
    name: InternedStr,
) -> Option<&VarSnapshot> {
    let (_, snapshot) = variables.iter().find(|(n, _)| *n == name)?;
    Some(snapshot)
}

fn is_truth(value: &str) -> bool {
    value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false")
}

/// The iteration in which a variable changed, if it changed in no other.
fn only_change(trace: &LoopTrace, name: InternedStr) -> Option<usize> {
    let variables = trace.iterations.iter().map(|i| &i.variables);
    let values: Vec<Option<&VarSnapshot>> = std::iter::once(&trace.initial_variables)
        .chain(variables)
        .map(|v| find_variable(v, name))
        .collect();
    let mut changes = (1..values.len()).filter(|n| values[*n] != values[n - 1]);
    let change = changes.next()?;
    changes.next().is_none().then_some(change - 1)
}
