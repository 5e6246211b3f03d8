//! The tests that decide why an expression is not true.

use super::equations::TracedExpr;
use crate::answer::DecidingTest;
use crate::debugger::Target;
use crate::debugger::recorder::{Call, ExecTrace, ExprValue, TraceEvent};
use crate::source::Span;
use crate::value::Value;
use crate::why::equations;

/// The innermost tests of which at least one would have to be different for an expression to be
/// true. Most of them were false. Those that were true are included if the code negates
/// something, or branches on them.
pub fn deciding_tests(target: &Target, traced: &TracedExpr) -> Vec<DecidingTest> {
    let includes_true = has_negation(target, traced) || branches_on_call(&traced.trace);
    let mut tests = Vec::new();
    // For each frame of the current call, the tests that were found in it.
    let mut found: Vec<Vec<Span>> = Vec::new();
    let mut skipped_depth = None;
    for call in &traced.trace.calls {
        found.truncate(call.depth);
        // A test in which the call takes part is in the list, so what happened in it is not.
        let is_part = found.last().is_some_and(|tests| {
            let mut tests = tests.iter();
            tests.any(|test| test.contains(call.call_site))
        });
        if skipped_depth.is_some_and(|depth| call.depth > depth) || is_part {
            skipped_depth = skipped_depth.or(Some(call.depth));
            continue;
        }
        skipped_depth = None;
        let deciding = deciding_tests_in(target, call, &traced.trace, includes_true);
        found.resize(call.depth, Vec::new());
        found.push(deciding.iter().map(|test| test.span).collect());
        tests.extend(deciding.into_iter().map(|test| DecidingTest {
            function: call.name.clone(),
            test: equations::expression_value(target, test),
            parts: equations::values_in(target, call, test.span),
        }));
    }
    tests
}

fn deciding_tests_in<'c>(
    target: &Target,
    call: &'c Call,
    trace: &ExecTrace,
    includes_true: bool,
) -> Vec<&'c ExprValue> {
    let with_value = |value: Value| -> Vec<&'c ExprValue> {
        let values = call.values.iter();
        values
            .filter(|v| v.value == value && !is_literal(target, v.span))
            .collect()
    };
    let innermost = |tests: &[&'c ExprValue]| -> Vec<&'c ExprValue> {
        let has_inner = |v: &&ExprValue| tests.iter().any(|inner| is_inside(inner.span, v.span));
        tests.iter().filter(|v| !has_inner(v)).copied().collect()
    };
    let mut tests = innermost(&with_value(Value::FALSE));
    tests.retain(|test| !has_false_call(trace, test.span) && !has_branch(call, test.span));
    let is_explained = |v: &ExprValue| tests.iter().any(|test| test.span.contains(v.span));
    let mut true_tests = innermost(&with_value(Value::TRUE));
    true_tests.retain(|v| (includes_true || is_branch_test(call, v.span)) && !is_explained(v));
    tests.extend(true_tests);
    tests
}

/// Whether this is `true` or `false`, as any language writes them.
fn is_literal(target: &Target, expr: Span) -> bool {
    let text = target.code_on_one_line(expr).to_lowercase();
    matches!(text.as_str(), "true" | "false")
}

/// Whether the expression or a function that it called contains a negation.
fn has_negation(target: &Target, traced: &TracedExpr) -> bool {
    let functions = traced.trace.calls.iter().skip(1);
    let spans = functions.filter_map(|call| Some(target.machine.function(call.function)?.span));
    let mut code = spans.chain([traced.span]);
    code.any(|span| contains_negation(target.sources.slice(span)))
}

fn is_inside(inner: Span, outer: Span) -> bool {
    outer.contains(inner) && inner != outer
}

/// Whether an expression is or contains a call that returned false. The tests of that call decide.
fn has_false_call(trace: &ExecTrace, expr: Span) -> bool {
    let is_false =
        |call: &Call| matches!(&call.value, Some(text) if text.eq_ignore_ascii_case("false"));
    let mut calls = trace.calls.iter().skip(1);
    calls.any(|call| expr.contains(call.call_site) && is_false(call) && !call.values.is_empty())
}

/// Whether a branch was taken because a call returned true.
fn branches_on_call(trace: &ExecTrace) -> bool {
    let is_call = |test: Span| {
        trace
            .calls
            .iter()
            .skip(1)
            .any(|c| test.contains(c.call_site))
    };
    let mut events = trace.calls.iter().flat_map(|call| &call.events);
    events.any(
        |event| matches!(event, TraceEvent::Branch { test, outcome: true, .. } if is_call(*test)),
    )
}

/// Whether an expression contains a branch. Its condition and what it selected decide.
fn has_branch(call: &Call, expr: Span) -> bool {
    let mut events = call.events.iter();
    events.any(|event| matches!(event, TraceEvent::Branch { test, .. } if is_inside(*test, expr)))
}

/// Whether an expression is part of the condition of a branch.
fn is_branch_test(call: &Call, expr: Span) -> bool {
    let mut events = call.events.iter();
    events.any(|event| matches!(event, TraceEvent::Branch { test, .. } if test.contains(expr)))
}

/// Whether code contains a prefix `!` or the word `not`. The `!` of `board!(1,2)` and `!=` are not
/// negations.
fn contains_negation(code: &str) -> bool {
    let is_prefix = |before: &str| {
        let last = before.trim_end().chars().next_back();
        !last.is_some_and(|c| c.is_alphanumeric() || ")]}".contains(c))
    };
    let mut marks = code.match_indices('!');
    let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    marks.any(|(at, _)| is_prefix(&code[..at]) && !code[at + 1..].starts_with('='))
        || words.any(|word| word == "not")
}
