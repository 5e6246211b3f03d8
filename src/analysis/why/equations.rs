//! Explains values computed by equations: which equations were applied with which arguments.

use super::Causes;
use crate::answer::{
    Explanation, ExplanationNode, ExplanationStep, ExpressionValue, OmittedCalls, Relation, Subject,
};
use crate::code::{Function, FunctionKind, StopKind, ValueLoc};
use crate::debugger::frame;
use crate::debugger::recorder::{Call, ExecTrace, ExprValue, Sink, TraceEvent};
use crate::debugger::{FrameInfo, StepTarget, Target};
use crate::diagnostic::{Diagnostic, Phase};
use crate::machine::{Outcome, Pause};
use crate::source::Span;
use crate::value::Value;
use crate::why::cause;
use std::iter::Peekable;
use std::rc::Rc;

/// The instruction budget for evaluating an expression to explain.
const EVALUATION_BUDGET_INSTRUCTIONS: u64 = 50_000_000;

/// Deeper calls are only counted.
const MAX_CALL_DEPTH: usize = 20;

/// An expression that was evaluated to explain it.
pub struct TracedExpr {
    /// The calls and values of the evaluation.
    pub trace: ExecTrace,
    /// The expression.
    pub span: Span,
    /// Its value; `None` if the evaluation failed.
    pub value: Option<Value>,
    /// The value in the language's notation.
    pub value_text: String,
    /// Why the evaluation failed.
    pub error: Option<Diagnostic>,
}

/// Evaluates an expression and explains which equations produce its value. The game does not
/// change. If the evaluation fails, the error comes with the explanation of how it got there.
pub fn why_expression(
    target: &mut Target,
    text: &str,
) -> Result<(Explanation, Option<Diagnostic>), Vec<Diagnostic>> {
    let traced = trace_expr(target, text)?;
    Ok(explain_traced(target, &traced))
}

/// Explains how an evaluated expression got its value, or its error.
pub fn explain_traced(target: &Target, traced: &TracedExpr) -> (Explanation, Option<Diagnostic>) {
    let TracedExpr { trace, span, .. } = traced;
    let has_value = traced.error.is_none();
    let value = has_value.then(|| traced.value_text.clone());
    let subject = Subject::Expression {
        expression: target.excerpt(*span),
        value,
    };
    let mut causes = Causes::default();
    if let Some(root) = trace.calls.first() {
        let (children, omitted_calls) = call_tree(target, trace, false, |_| true);
        causes.nodes.push(ExplanationNode {
            expression: Some(target.excerpt(*span)),
            steps: steps_in(target, &root.events, *span),
            values: values_in(target, root, *span),
            children,
            omitted_calls,
            ..ExplanationNode::new(Relation::Expression)
        });
    }
    let explanation = cause::explanation(target, subject, None, causes);
    (explanation, traced.error.clone())
}

/// Explains an assignment of a value that was computed by equations; `time` is just before the
/// assignment. `None` if there are no equations.
pub(crate) fn causes_of_computed_value(
    target: &mut Target,
    time: u64,
    cell: Option<(i64, i64)>,
) -> Option<Causes> {
    let (info, expr, trace, callers) = target.with_time(|s| {
        s.timeline.seek_into(&mut s.machine, time);
        let info = frame::frame_info(s, 0)?;
        let function = s.machine.function(info.function)?.clone();
        let has_equations =
            |f: &Rc<Function>| f.stop_points.iter().any(|s| s.kind == StopKind::Equation);
        if !has_equations(&function) && !s.program().functions.iter().any(has_equations) {
            return None;
        }
        let expr = function.spans.get(info.pc as usize).copied()?;
        let trace = trace_frame(s, &info, time, cell)?;
        let callers = cause::callers(s, 0, time);
        Some((info, expr, trace, callers))
    })?;
    Some(Causes {
        nodes: origin_nodes(target, &info, expr, &trace),
        callers,
    })
}

/// The frame that computed an expression with the branches that led to it, and the expression
/// with the calls in it.
pub(crate) fn origin_nodes(
    target: &Target,
    frame: &FrameInfo,
    expr: Span,
    trace: &ExecTrace,
) -> Vec<ExplanationNode> {
    let Some(root) = trace.calls.first() else {
        return Vec::new();
    };
    let function = target.machine.function(frame.function);
    let statement = function
        .iter()
        .flat_map(|f| f.stop_points.iter())
        .map(|s| s.span)
        .filter(|s| s.contains(expr))
        .min_by_key(|s| s.end - s.start);
    let mut nodes = Vec::new();
    if frame.kind == FunctionKind::Function {
        nodes.push(frame_node(target, root, expr));
    }
    nodes.push(ExplanationNode {
        statement: statement.map(|s| target.excerpt(s)),
        ..expression_node(target, root, expr, trace)
    });
    nodes
}

/// A call that has not returned: its arguments, its equation, and the branches taken on the way
/// to an expression.
pub(crate) fn frame_node(target: &Target, root: &Call, expr: Span) -> ExplanationNode {
    let leads_to_expr = |event: &&TraceEvent| matches!(event, TraceEvent::Branch { branch, .. } if branch.contains(expr));
    let events: Vec<TraceEvent> = root.events.iter().filter(leads_to_expr).cloned().collect();
    ExplanationNode {
        relation: Relation::Frame,
        steps: steps_in(target, &events, root.equation),
        values: Vec::new(),
        ..call_node(target, root, true)
    }
}

/// An expression of the root frame with the values and calls in it.
pub(crate) fn expression_node(
    target: &Target,
    root: &Call,
    expr: Span,
    trace: &ExecTrace,
) -> ExplanationNode {
    let is_inside = |event: &&TraceEvent| !matches!(event, TraceEvent::Bind { expr: bound, .. } if *bound == expr);
    let events: Vec<TraceEvent> = root.events.iter().filter(is_inside).cloned().collect();
    // If the expression is an argument of a call that was made, the call says it all.
    let is_argument = |value: &ExpressionValue| {
        trace.calls.iter().any(|c| {
            c.depth == 1
                && !expr.contains(c.call_site)
                && c.call_site.contains(value.expression.span)
        })
    };
    let mut values = values_in(target, root, expr);
    values.retain(|value| !is_argument(value));
    let (children, omitted_calls) = call_tree(target, trace, true, last_calls_in(trace, expr));
    ExplanationNode {
        expression: Some(target.excerpt(expr)),
        steps: steps_in(target, &events, expr),
        values,
        children,
        omitted_calls,
        ..ExplanationNode::new(Relation::Expression)
    }
}

/// The calls made by the root frame that pass the filter, with all calls below them, and those
/// that are too many or too deep.
fn call_tree(
    target: &Target,
    trace: &ExecTrace,
    has_times: bool,
    filter: impl Fn(&Call) -> bool,
) -> (Vec<ExplanationNode>, Option<Box<OmittedCalls>>) {
    let mut is_kept = false;
    let calls: Vec<&Call> = trace
        .calls
        .iter()
        .skip(1)
        .filter(|call| {
            is_kept = if call.depth == 1 {
                filter(call)
            } else {
                is_kept
            };
            is_kept
        })
        .collect();
    let mut shallow = calls
        .iter()
        .copied()
        .filter(|c| c.depth <= MAX_CALL_DEPTH)
        .peekable();
    let nodes = call_nodes(target, &mut shallow, 1, has_times);
    let too_deep = calls.iter().filter(|c| c.depth > MAX_CALL_DEPTH);
    let too_many = if is_kept { trace.omitted_calls } else { 0 };
    let count = too_deep.clone().count() + too_many;
    if count == 0 {
        return (nodes, None);
    }
    let deepest = trace.deepest_omitted.as_ref().filter(|_| is_kept);
    let deepest = deepest.or_else(|| too_deep.copied().max_by_key(|c| c.depth));
    let omitted = OmittedCalls {
        count,
        deepest: deepest.map(|call| childless_call_node(target, call, &calls, has_times)),
        depth: deepest.map_or(0, |call| call.depth),
    };
    (nodes, Some(Box::new(omitted)))
}

/// The calls at this depth, with the calls that each made.
fn call_nodes<'c>(
    target: &Target,
    calls: &mut Peekable<impl Iterator<Item = &'c Call>>,
    depth: usize,
    has_times: bool,
) -> Vec<ExplanationNode> {
    let mut nodes = Vec::new();
    while let Some(call) = calls.next_if(|c| c.depth >= depth) {
        nodes.push(ExplanationNode {
            children: call_nodes(target, calls, call.depth + 1, has_times),
            ..call_node(target, call, has_times)
        });
    }
    nodes
}

/// A call without the calls it made, and without the values of those.
fn childless_call_node(
    target: &Target,
    call: &Call,
    all: &[&Call],
    has_times: bool,
) -> ExplanationNode {
    let mut node = call_node(target, call, has_times);
    let sites = all.iter().filter(|c| c.depth == call.depth + 1);
    node.values.retain(|value| {
        let span = value.expression.span;
        !sites
            .clone()
            .any(|c| c.call_site.contains(span) || span.contains(c.call_site))
    });
    node
}

/// A call: its arguments and result, the equation that applied, and the values in it.
fn call_node(target: &Target, call: &Call, has_times: bool) -> ExplanationNode {
    let excerpt = |span: Span| (span != Span::default()).then(|| target.excerpt(span));
    let equations = target.machine.function(call.function).map_or(0, |f| {
        let infos = f.value_infos.iter();
        infos.filter(|n| n.loc == ValueLoc::Equation).count()
    });
    ExplanationNode {
        function: Some(call.name.clone()),
        arguments: call.arguments.clone(),
        statement: excerpt(call.equation),
        equation_count: equations,
        expression: excerpt(call.call_site),
        value: call.value.clone(),
        time: has_times.then_some(call.time),
        steps: steps_in(target, &call.events, call.equation),
        values: values_in(target, call, call.equation),
        ..ExplanationNode::new(Relation::Call)
    }
}

/// The branches, named bindings and loops inside a span.
fn steps_in(target: &Target, events: &[TraceEvent], within: Span) -> Vec<ExplanationStep> {
    let step = |event: &TraceEvent| match event {
        TraceEvent::Branch {
            test,
            outcome,
            branch,
        } if within.contains(*branch) => Some(ExplanationStep::Branch {
            test: target.excerpt(*test),
            is_true: *outcome,
            value: target.format_value(Value::bool(*outcome)),
            branch: target.excerpt(*branch),
        }),
        TraceEvent::Bind {
            name: Some(name),
            expr,
            value,
            ..
        } if within.contains(*expr) => Some(ExplanationStep::Binding {
            name: name.clone(),
            expression: target.excerpt(*expr),
            value: value.clone(),
        }),
        TraceEvent::Loop { head, count } if within.contains(*head) => Some(ExplanationStep::Loop {
            head: target.excerpt(*head),
            iterations: *count,
        }),
        _ => None,
    };
    events.iter().filter_map(step).collect()
}

/// The values of the expressions inside a span.
pub(crate) fn values_in(target: &Target, call: &Call, within: Span) -> Vec<ExpressionValue> {
    call.values
        .iter()
        .filter(|value| within.contains(value.span))
        .map(|value| expression_value(target, value))
        .collect()
}

pub(crate) fn expression_value(target: &Target, value: &ExprValue) -> ExpressionValue {
    ExpressionValue {
        expression: target.excerpt(value.span),
        operator: value.operator,
        value: value.text.clone(),
        is_short_circuited: false,
    }
}

/// The step target for the start of a frame's call.
pub(crate) fn call_start_target(target: &Target, info: &FrameInfo) -> Option<StepTarget> {
    let function = target.machine.function(info.function)?.clone();
    Some(StepTarget::Revisit {
        function,
        pc: 0,
        depth: info.index + 1,
    })
}

/// Traces a frame from its start to a time.
pub(crate) fn trace_frame(
    target: &mut Target,
    info: &FrameInfo,
    until: u64,
    cell: Option<(i64, i64)>,
) -> Option<ExecTrace> {
    let start_target = call_start_target(target, info)?;
    target.with_time(|s| {
        let start = s.last_hit_before(start_target, until + 1)?;
        s.timeline.seek_into(&mut s.machine, start);
        let mut trace = ExecTrace::new(&s.machine, until);
        trace.cell = cell;
        s.replay_watched(&mut trace.recorder(), until);
        Some(trace)
    })
}

/// Evaluates an expression and records the calls and values of the evaluation.
pub fn trace_expr(target: &mut Target, text: &str) -> Result<TracedExpr, Vec<Diagnostic>> {
    let (source, compiled) = target.compile_expr(text)?;
    let trimmed = source.text.trim_end().len() as u32;
    let span = Span {
        end: trimmed,
        ..source.full_span()
    };
    target.with_rollback(|s| {
        s.start_eval(compiled)?;
        let until = s.machine.time() + EVALUATION_BUDGET_INSTRUCTIONS;
        let mut trace = ExecTrace::new(&s.machine, until);
        let error = |code, message: &str| {
            Diagnostic::error(Phase::Runtime, code, source.full_span(), message)
        };
        match s.machine.run_observed(&mut trace.recorder()) {
            Outcome::Finished(value) => Ok(TracedExpr {
                trace,
                span,
                value: Some(value),
                value_text: s.format_value(value),
                error: None,
            }),
            Outcome::Failed(error) => Ok(TracedExpr {
                trace,
                span,
                value: None,
                value_text: String::new(),
                error: Some(s.runtime_error(&error)),
            }),
            Outcome::NeedsInput { .. } => Err(vec![
                error(
                    "RT021",
                    "this asks for input, which is not possible while inspecting",
                )
                .note("store its value with `let x = …`, then `:why x`"),
            ]),
            Outcome::Paused(Pause::Interrupt) => Err(vec![error("RT022", "interrupted")]),
            Outcome::Paused(_) => Err(vec![error("RT019", "this takes too long")]),
        }
    })
}

/// Selects the direct calls inside an expression, each only as it was made last.
fn last_calls_in(trace: &ExecTrace, expr: Span) -> impl Fn(&Call) -> bool + '_ {
    move |call| {
        let is_repetition = |other: &&Call| {
            other.depth == 1 && other.call_site == call.call_site && other.time > call.time
        };
        expr.contains(call.call_site) && !trace.calls.iter().any(|other| is_repetition(&other))
    }
}
