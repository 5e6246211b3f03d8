//! The tests of a run, with the values that they compared.

use crate::answer::{FalseCells, NamedValue, OperandValues, TestCount, TestRun, ValueCount};
use crate::code::{FunctionId, StopKind};
use crate::debugger::Target;
use crate::debugger::recorder::{ExprProfile, ValueProfile};
use crate::evaluation;
use crate::source::Span;
use crate::value::Value;

/// Cells beyond this are only counted.
const MAX_CELLS_LISTED: usize = 1000;

/// How often a test ran, and how often it was false.
pub(crate) fn test_count(test: &ExprProfile) -> TestCount {
    TestCount {
        count: test.count,
        false_count: test.false_count,
    }
}

/// The tests that contain no smaller test.
pub(crate) fn leaf_tests(profile: &ValueProfile) -> Vec<&ExprProfile> {
    let tests: Vec<&ExprProfile> = profile
        .exprs
        .values()
        .filter(|t| t.true_count + t.false_count == t.count && t.count > 0)
        .collect();
    let is_leaf = |t: &&&ExprProfile| {
        !tests
            .iter()
            .any(|o| o.span != t.span && t.span.contains(o.span))
    };
    tests.iter().filter(is_leaf).copied().collect()
}

/// The tests that contain no smaller test, except those in `omitted`. A plain name inside of one
/// of them, or next to another test in a statement, is left out, too.
pub(crate) fn tests(target: &Target, profile: &ValueProfile, omitted: &[Span]) -> Vec<TestRun> {
    let leaves = leaf_tests(profile);
    let is_part = |test: &ExprProfile| {
        let statement = statement_of(target, test);
        omitted.iter().any(|span| span.contains(test.span))
            || leaves
                .iter()
                .any(|other| other.span != test.span && statement.contains(other.span))
    };
    leaves
        .iter()
        .filter(|t| !omitted.contains(&t.span))
        .filter_map(|t| describe_test(target, t, profile, is_part(t)))
        .collect()
}

/// The smallest statement that contains a test.
fn statement_of(target: &Target, test: &ExprProfile) -> Span {
    let stops = target
        .machine
        .function(test.function)
        .map(|f| &f.stop_points);
    stops
        .into_iter()
        .flatten()
        .map(|stop| stop.span)
        .filter(|span| span.contains(test.span))
        .min_by_key(|span| span.end - span.start)
        .unwrap_or(test.span)
}

fn describe_test(
    target: &Target,
    test: &ExprProfile,
    profile: &ValueProfile,
    is_part: bool,
) -> Option<TestRun> {
    let text = target.sources.slice_single_line(test.span);
    let variables = unnamed_variables(target, test.function, test.span);
    let is_name = text.chars().all(char::is_alphanumeric);
    if is_name && is_part && variables.is_empty() {
        return None;
    }
    Some(TestRun {
        range: target.source_range(test.span)?,
        text,
        count: test_count(test),
        cells: false_cells(target, test.span, profile),
        variables,
        operand: largest_operand(target, test.span, profile),
    })
}

/// The variables read by a condition that does not name them, such as `gameoveronzerocounter`.
fn unnamed_variables(target: &Target, function: FunctionId, test: Span) -> Vec<NamedValue> {
    let is_condition = target.machine.function(function).is_some_and(|f| {
        f.stop_points
            .iter()
            .any(|s| s.span == test && s.kind == StopKind::Condition)
    });
    match is_condition {
        true => evaluation::variables_read(target, function, test),
        false => Vec::new(),
    }
}

/// The largest part of a test that has a value. It is the most informative one: `p.name` rather
/// than `p`.
fn largest_operand(target: &Target, test: Span, profile: &ValueProfile) -> Option<OperandValues> {
    let parts = profile
        .exprs
        .values()
        .filter(|t| test.contains(t.span) && t.span != test);
    let operand = parts
        .filter(|t| t.true_count + t.false_count == 0)
        .max_by_key(|t| t.span.end - t.span.start)?;
    let values = operand.values.iter().map(|(value, count)| ValueCount {
        value: value.clone(),
        count: *count,
    });
    Some(OperandValues {
        text: target.sources.slice_single_line(operand.span),
        count: operand.count,
        values: values.collect(),
    })
}

/// The cells for which a test was false, in order.
fn false_cells(target: &Target, test: Span, profile: &ValueProfile) -> FalseCells {
    let (mut cells, mut last) = (Vec::new(), None);
    for (_, sample) in profile
        .samples
        .iter()
        .filter(|(_, s)| test.contains(s.span))
    {
        if sample.span != test {
            last = sample.cell.or(last);
        } else if let Some(cell) = last.take().filter(|_| sample.value == Value::FALSE) {
            cells.push(cell);
        }
    }
    cells.dedup();
    let board_info = &target.program().board_info;
    let format = |(row, col): &(u32, u32)| board_info.format_cell((*row).into(), (*col).into());
    FalseCells {
        first: cells.iter().take(MAX_CELLS_LISTED).map(format).collect(),
        count: cells.len(),
        is_truncated: profile.is_full(),
    }
}
