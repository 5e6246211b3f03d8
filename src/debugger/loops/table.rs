//! Turns the record of a loop into a table: which variables and expressions get a column, and which
//! iteration decided the result.

use crate::debugger::Target;
use crate::debugger::api::{
    CellValue, ColumnContent, LoopColumn, LoopResult, LoopRow, LoopStyle, LoopTable, LoopValue,
    OmittedIterations,
};
use crate::debugger::recorder::{
    Iteration, LoopExit, LoopTrace, RebindingIteration, RebindingLoopTrace, VarSnapshot,
};
use crate::source::Span;

/// Parts of the test of a rebinding loop that get a column, in addition to the whole test.
const MAX_TEST_PARTS: usize = 2;

/// Names and values.
type Variables = [(String, String)];

fn variable_value<'v>(variables: &'v Variables, name: &str) -> Option<&'v str> {
    variables
        .iter()
        .find(|(n, _)| n == name)
        .map(|(_, v)| v.as_str())
}

fn is_truth(value: &str) -> bool {
    matches!(value, "true" | "false")
}

/// The last value of an expression.
fn expr_value(values: &[(Span, String)], span: Span) -> LoopValue {
    let last = values.iter().rev().find(|(s, _)| *s == span);
    last.map_or(LoopValue::Missing, |(_, v)| LoopValue::Text(v.clone()))
}

impl Target {
    /// The table of a loop that assigns variables. The row at the time `now` is the current one.
    pub(super) fn loop_table(&self, trace: &LoopTrace, now: Option<u64>) -> LoopTable {
        let columns = AssigningColumns::new(trace, self);
        let current = now.map(|now| {
            trace
                .iterations
                .partition_point(|i| i.time <= now)
                .saturating_sub(1)
        });
        let column_list = columns.describe(trace, self);
        let mut number = 0;
        let mut rows = Vec::new();
        for (n, iteration) in trace.iterations.iter().enumerate() {
            number += u64::from(!iteration.is_final_test);
            rows.push(LoopRow {
                iteration: (!iteration.is_final_test).then_some(number),
                values: columns.values(iteration),
                time: iteration.time,
                is_current: current == Some(n),
                is_deciding: column_list.iter().any(|c| c.decided_in_row == Some(n)),
                is_final_test: iteration.is_final_test,
            });
        }
        let head = trace.loop_info.head.span;
        LoopTable {
            style: LoopStyle::Assigning,
            function: trace.function.name.to_string(),
            head: self.sources.slice_single_line(head),
            range: self.source_range(head),
            columns: column_list,
            rows,
            omitted: None,
            result: match trace.exit {
                LoopExit::Running => LoopResult::Running,
                LoopExit::Completed => LoopResult::Completed,
                LoopExit::Early => LoopResult::Early,
            },
        }
    }

    /// The table of a loop that rebinds variables. The row at the time `now` is the current one.
    pub(super) fn rebinding_loop_table(
        &self,
        trace: &RebindingLoopTrace,
        now: Option<u64>,
    ) -> LoopTable {
        let iterations = &trace.iterations;
        let exprs = self.test_columns(trace);
        let variable = |name: &String| LoopColumn {
            name: name.clone(),
            content: ColumnContent::LoopVariable,
            decided_in_row: None,
        };
        let test = |span: &Span| {
            let mut values = iterations.iter().flat_map(|i| &i.test_values);
            LoopColumn {
                name: self.code_on_one_line(*span),
                content: ColumnContent::Expression {
                    range: self.source_range(*span),
                    is_condition: values.any(|(s, v)| s == span && is_truth(&v.to_lowercase())),
                    length: self.sources.slice(*span).chars().count(),
                },
                decided_in_row: None,
            }
        };
        let current = now.and_then(|now| iterations.iter().rposition(|i| i.time <= now));
        // Iterations are dropped after the one in the middle.
        let middle = iterations.len() / 2;
        let row = |(n, iteration): (usize, &RebindingIteration)| {
            let dropped = if n > middle { trace.omitted } else { 0 };
            let variables = iteration.variables.iter().map(|v| self.loop_value(v));
            let tests = exprs.iter().map(|s| expr_value(&iteration.test_values, *s));
            LoopRow {
                iteration: Some((n + 1 + dropped) as u64),
                values: variables.chain(tests).collect(),
                time: iteration.time,
                is_current: current == Some(n),
                is_deciding: false,
                is_final_test: iteration.has_run == Some(false),
            }
        };
        let head = trace.rebinding_loop.head;
        LoopTable {
            style: LoopStyle::Rebinding,
            function: trace.function_name.clone(),
            head: self.code_on_one_line(head),
            range: self.source_range(head),
            columns: trace
                .names
                .iter()
                .map(variable)
                .chain(exprs.iter().map(test))
                .collect(),
            rows: iterations.iter().enumerate().map(row).collect(),
            omitted: (trace.omitted > 0).then(|| OmittedIterations {
                first: middle as u64 + 2,
                last: (middle + 1 + trace.omitted) as u64,
            }),
            result: match trace.is_finished {
                true => LoopResult::Completed,
                false => LoopResult::Running,
            },
        }
    }

    fn loop_value(&self, variable: &VarSnapshot) -> LoopValue {
        match variable {
            VarSnapshot::Value(text) => LoopValue::Text(text.clone()),
            VarSnapshot::ChangedCells(cells) => {
                let changed = cells.iter().map(|(row, col, value)| CellValue {
                    cell: self.format_grid_cell(*row as usize, *col as usize),
                    value: value.clone(),
                });
                LoopValue::ChangedCells(changed.collect())
            }
        }
    }

    /// The expressions that get a column: the whole test, and some of its smallest parts.
    fn test_columns(&self, trace: &RebindingLoopTrace) -> Vec<Span> {
        let values = trace.iterations.iter().flat_map(|i| &i.test_values);
        let mut spans: Vec<Span> = values.map(|(span, _)| *span).collect();
        spans.sort_by_key(|s| (s.start, std::cmp::Reverse(s.end)));
        spans.dedup();
        let text = |s: &Span| self.sources.slice(*s);
        spans.retain(|s| !trace.names.iter().any(|name| name == text(s)));
        let test = spans.iter().copied().max_by_key(|s| s.end - s.start);
        let is_smallest =
            |s: &Span| Some(*s) != test && !spans.iter().any(|o| o != s && s.contains(*o));
        let parts = spans
            .iter()
            .copied()
            .filter(is_smallest)
            .filter(|s| text(s).chars().any(|c| !c.is_alphanumeric()))
            .take(MAX_TEST_PARTS);
        parts.chain(test).collect()
    }
}

/// The columns of a loop that assigns variables, from left to right.
struct AssigningColumns {
    /// Variables that exist only in the loop.
    loop_variables: Vec<String>,
    exprs: Vec<Span>,
    /// Variables from outside that the loop changes.
    changed: Vec<String>,
}

impl AssigningColumns {
    fn new(trace: &LoopTrace, target: &Target) -> AssigningColumns {
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
            for (span, _) in &iteration.values {
                let text = target.sources.slice(*span);
                let is_name = variable_value(&iteration.variables, text).is_some();
                if !is_name && !exprs.contains(span) {
                    exprs.push(*span);
                }
            }
        }
        let initial = |name: &str| variable_value(&trace.initial_variables, name);
        // Leave out variables that never change.
        let changes = |name: &String| {
            let mut values = trace.iterations.iter().map(|i| &i.variables);
            values.any(|v| variable_value(v, name) != initial(name))
        };
        let (changed, loop_variables): (Vec<String>, Vec<String>) = names
            .into_iter()
            .filter(changes)
            .partition(|name| initial(name).is_some());
        // In order of evaluation: inner expressions first.
        exprs.sort_by_key(|s| (s.end, u32::MAX - s.start));
        AssigningColumns {
            loop_variables,
            exprs,
            changed,
        }
    }

    fn describe(&self, trace: &LoopTrace, target: &Target) -> Vec<LoopColumn> {
        let loop_variable = |name: &String| LoopColumn {
            name: name.clone(),
            content: ColumnContent::LoopVariable,
            decided_in_row: None,
        };
        let expr = |span: &Span| {
            let mut values = trace.iterations.iter().flat_map(|i| &i.values);
            LoopColumn {
                name: target.sources.slice_single_line(*span),
                content: ColumnContent::Expression {
                    range: target.source_range(*span),
                    is_condition: values.any(|(s, v)| s == span && is_truth(v)),
                    length: target.sources.slice(*span).chars().count(),
                },
                decided_in_row: None,
            }
        };
        let outer_variable = |name: &String| LoopColumn {
            name: name.clone(),
            content: ColumnContent::OuterVariable,
            decided_in_row: only_change(trace, name),
        };
        let mut columns: Vec<LoopColumn> = self.loop_variables.iter().map(loop_variable).collect();
        columns.extend(self.exprs.iter().map(expr));
        columns.extend(self.changed.iter().map(outer_variable));
        columns
    }

    fn values(&self, iteration: &Iteration) -> Vec<LoopValue> {
        let variable = |name: &String| {
            variable_value(&iteration.variables, name)
                .map_or(LoopValue::Missing, |v| LoopValue::Text(v.to_string()))
        };
        let mut values: Vec<LoopValue> = self.loop_variables.iter().map(variable).collect();
        values.extend(self.exprs.iter().map(|s| expr_value(&iteration.values, *s)));
        values.extend(self.changed.iter().map(variable));
        values
    }
}

/// The iteration in which a variable changed, if it changed in no other.
fn only_change(trace: &LoopTrace, name: &str) -> Option<usize> {
    let variables = trace.iterations.iter().map(|i| &i.variables);
    let values: Vec<Option<&str>> = std::iter::once(&trace.initial_variables)
        .chain(variables)
        .map(|v| variable_value(v, name))
        .collect();
    let mut changes = (1..values.len()).filter(|n| values[*n] != values[n - 1]);
    let change = changes.next()?;
    changes.next().is_none().then_some(change - 1)
}
