//! Finds the cause of a change in code that runs statement by statement: the statement, the
//! conditions and loops around it, and its callers.

use super::{Callers, Causes};
use crate::answer::{Excerpt, Explanation, ExplanationNode, ExpressionValue, Relation, Subject};
use crate::code::flow::Control;
use crate::code::{Function, FunctionId, FunctionKind, StopKind};
use crate::debugger::frame;
use crate::debugger::recorder::{Sample, Sink, ValueRecorder};
use crate::debugger::run;
use crate::debugger::run::statement;
use crate::debugger::{FrameInfo, StepTarget, Target};
use crate::evaluation;
use crate::loops;
use crate::machine::BoundedObserver;
use crate::source::{SourceId, Span};

/// Callers beyond this are only counted.
const MAX_CALLERS: usize = 5;
/// How many statements around the one that did it are explained, innermost first.
const MAX_ENCLOSING_STATEMENTS: usize = 3;

/// How many tests of a chain of `elseif`s are explained, the last one first.
const MAX_ARM_TESTS: usize = 4;

/// A statement and the values of its expressions.
type EvaluatedStatement = (Excerpt, Vec<ExpressionValue>);

/// Explains what happened at a time: the statement, its conditions and its callers.
pub(crate) fn causes_at(target: &mut Target, time: u64) -> Causes {
    target.with_time(|s| {
        s.timeline.seek_into(&mut s.machine, time);
        current_causes(s, time)
    })
}

/// Explains the call that is made at a time. What its statement evaluates later is left out.
pub(crate) fn causes_of_call(target: &mut Target, time: u64) -> Causes {
    target.with_time(|s| {
        s.timeline.seek_into(&mut s.machine, time);
        causes_until(s, time, time)
    })
}

/// Explains the statement that the machine is executing.
pub(crate) fn current_causes(target: &mut Target, time: u64) -> Causes {
    causes_until(target, time, u64::MAX)
}

/// Explains the statement that the machine is executing, with the values that it has evaluated before
/// the time `until`.
fn causes_until(target: &mut Target, time: u64, until: u64) -> Causes {
    let frame_count = target.machine.frames().len();
    // What the built-in rules do is attributed to the user's code that triggered it.
    let user_frame = (0..frame_count).find_map(|n| {
        let mut frame = frame::frame_info(target, n)?;
        let function = target.machine.function(frame.function)?;
        if let Some(statement) = function.statement_of(frame.pc) {
            frame.span = statement.span;
        }
        (frame.kind != FunctionKind::Rules).then_some((n, frame))
    });
    let Some((from_top, frame)) = user_frame else {
        // Nothing triggered it: the rules acted on their own.
        let nodes = rule_nodes(target, frame_count, time)
            .unwrap_or_else(|| vec![ExplanationNode::new(Relation::Rules)]);
        return Causes {
            nodes,
            callers: Callers::default(),
        };
    };
    let rule = match frame.kind {
        FunctionKind::Entry => rule_nodes(target, from_top, time),
        _ => None,
    };
    match rule {
        Some(nodes) => Causes {
            nodes,
            callers: callers(target, from_top - 1, time),
        },
        None => {
            let mut nodes = vec![statement_node(target, from_top, &frame, time, until)];
            nodes.extend(enclosing_nodes(target, &frame, time));
            Causes {
                nodes,
                callers: callers(target, from_top, time),
            }
        }
    }
}

/// The statement of a frame, with the values it used.
fn statement_node(
    target: &mut Target,
    from_top: usize,
    frame: &FrameInfo,
    time: u64,
    until: u64,
) -> ExplanationNode {
    let (statement, values) = evaluation_until(target, frame, frame.span, time, until)
        .unwrap_or_else(|| (location_of(target, frame.span), Vec::new()));
    // Some conditions do not name the values that they test.
    let is_condition = target
        .machine
        .function(frame.function)
        .and_then(|f| f.stop_point_before(frame.pc))
        .is_some_and(|stop| stop.kind == StopKind::Condition);
    let variables = match is_condition {
        true => evaluation::variables_read(target, frame.function, frame.span),
        false => Vec::new(),
    };
    ExplanationNode {
        function: Some(frame.name.clone()),
        cell: frame::handler_cell_text(target, from_top),
        statement: Some(statement),
        values,
        variables,
        ..ExplanationNode::new(Relation::Statement)
    }
}

/// The statements around the one of a frame: loops with their iteration, conditions with their
/// values.
fn enclosing_nodes(target: &mut Target, frame: &FrameInfo, time: u64) -> Vec<ExplanationNode> {
    let Some(function) = target.machine.function(frame.function).cloned() else {
        return Vec::new();
    };
    let mut enclosing: Vec<Span> = function
        .stop_points
        .iter()
        .map(|s| s.span)
        .filter(|s| s.contains(frame.span) && *s != frame.span && *s != function.span)
        .collect();
    enclosing.sort_by_key(|s| s.end - s.start);
    enclosing.dedup();
    enclosing.truncate(MAX_ENCLOSING_STATEMENTS);
    let mut nodes = Vec::new();
    for span in enclosing {
        let mut tests = arm_tests(&function, span, frame.span);
        tests.truncate(MAX_ARM_TESTS);
        nodes.extend(
            tests
                .into_iter()
                .map(|test| arm_node(target, frame, test, time)),
        );
        nodes.push(enclosing_node(target, frame, span, time));
    }
    nodes
}

/// The test of an arm, such as `elseif n > 2`.
fn arm_node(target: &mut Target, frame: &FrameInfo, test: Span, time: u64) -> ExplanationNode {
    let evaluated = last_evaluation(target, frame, test, time);
    let (_, values) = evaluated.unwrap_or_else(|| (location_of(target, test), Vec::new()));
    ExplanationNode {
        statement: Some(target.excerpt(with_keyword(target, test))),
        values,
        ..ExplanationNode::new(Relation::Enclosing)
    }
}

/// A test with the word before it.
fn with_keyword(target: &Target, test: Span) -> Span {
    let Some(source) = target.sources.get(test.source) else {
        return test;
    };
    let before = source.text[..test.start as usize].trim_end();
    let keyword = before.trim_end_matches(char::is_alphabetic);
    Span {
        start: keyword.len() as u32,
        ..test
    }
}

fn enclosing_node(
    target: &mut Target,
    frame: &FrameInfo,
    span: Span,
    time: u64,
) -> ExplanationNode {
    if let Some(position) = loops::loop_position(target, frame, span) {
        return ExplanationNode {
            statement: Some(target.excerpt(span)),
            iteration: Some(position.iteration),
            variables: position.variables,
            ..ExplanationNode::new(Relation::Loop)
        };
    }
    let (statement, values) = last_evaluation(target, frame, span, time)
        .unwrap_or_else(|| (location_of(target, span), Vec::new()));
    ExplanationNode {
        statement: Some(statement),
        values,
        ..ExplanationNode::new(Relation::Enclosing)
    }
}

/// Explains an action of the built-in rules in one of the `max_frames` innermost frames: the
/// rule, and the user's function that the rule called before. `None` if no rule is running
/// there.
fn rule_nodes(target: &mut Target, max_frames: usize, time: u64) -> Option<Vec<ExplanationNode>> {
    let rule = (0..max_frames)
        .filter_map(|n| frame::frame_info(target, n))
        .find(|frame| frame.is_hidden && acts_on_its_own(target, frame))?;
    let mut nodes = vec![ExplanationNode {
        statement: Some(rule_excerpt(target, rule.span)),
        ..ExplanationNode::new(Relation::Rules)
    }];
    nodes.extend(rules_callee(target, &rule, time));
    Some(nodes)
}

/// Whether a frame runs a step of the rules, as opposed to a function that does what a statement
/// asks for.
fn acts_on_its_own(target: &Target, frame: &FrameInfo) -> bool {
    let function = target.machine.function(frame.function);
    let first = function.and_then(|f| f.stop_points.first());
    frame.span.source == SourceId::RULES
        && first.is_some_and(|stop| !matches!(stop.kind, StopKind::Statement | StopKind::Iteration))
}

/// A statement of the rules, or the comment on its line, which says it in words.
fn rule_excerpt(target: &Target, span: Span) -> Excerpt {
    let mut excerpt = target.excerpt(span);
    let rest_of_line = target.sources.get(span.source).map_or("", |source| {
        let rest = &source.text[span.end as usize..];
        rest.lines().next().unwrap_or_default()
    });
    let comment = rest_of_line.trim_start().strip_prefix('#');
    excerpt.text = match comment {
        Some(comment) => comment.trim().to_string(),
        // Names of the rules have an `@`, so that programs cannot use them.
        None => excerpt.text.replace('@', ""),
    };
    excerpt
}

/// The last function of the user that a frame of the built-in rules called.
fn rules_callee(target: &mut Target, rule: &FrameInfo, time: u64) -> Option<ExplanationNode> {
    let depth = rule.index + 1;
    let function = target.machine.function(rule.function)?.clone();
    let first = function.stop_points.first().map_or(0, |s| s.pc);
    let (frame, samples) = target.with_time(|s| {
        let start_target = StepTarget::Revisit {
            function,
            pc: first,
            depth,
        };
        let rule_start = s.last_hit_before(start_target, time)?;
        let call = s
            .last_hit_before_in(StepTarget::Deeper(depth), time, false)
            .filter(|call| *call > rule_start)?;
        s.timeline.seek_into(&mut s.machine, call);
        Some((frame::frame_info(s, 0)?, record_statement(s, u64::MAX)))
    })?;
    let (statement, values) = evaluated_statement(target, frame.function, frame.span, samples)
        .unwrap_or_else(|| (location_of(target, frame.span), Vec::new()));
    Some(ExplanationNode {
        function: Some(frame.name),
        statement: Some(statement),
        values,
        ..ExplanationNode::new(Relation::RulesCallee)
    })
}

/// A statement with the values from its last execution in the frame at this depth. `None` if
/// the debugger cannot stop at it.
fn last_evaluation(
    target: &mut Target,
    frame: &FrameInfo,
    span: Span,
    time: u64,
) -> Option<EvaluatedStatement> {
    evaluation_until(target, frame, span, time, u64::MAX)
}

/// The same with the values that it has evaluated before the time `until`.
fn evaluation_until(
    target: &mut Target,
    frame: &FrameInfo,
    span: Span,
    time: u64,
    until: u64,
) -> Option<EvaluatedStatement> {
    let (function, depth) = (frame.function, frame.index + 1);
    let code = target.machine.function(function)?.clone();
    let stop = *code.stop_points.iter().find(|s| s.span == span)?;
    let samples = target.with_time(|s| {
        let step = StepTarget::Revisit {
            function: code,
            pc: stop.pc,
            depth,
        };
        let start = s.last_hit_before(step, time + 1)?;
        s.timeline.seek_into(&mut s.machine, start);
        Some(record_statement(s, until))
    });
    evaluated_statement(target, function, span, samples.unwrap_or_default())
}

/// Executes the current statement, at most until a time, and records the values of its expressions.
fn record_statement(target: &mut Target, until: u64) -> Vec<Sample> {
    target.machine.set_recording(false);
    let mut recorder = ValueRecorder::new(&target.machine);
    target.machine.run_observed(&mut BoundedObserver {
        inner: &mut recorder.recorder(),
        time: until,
    });
    target.machine.set_recording(true);
    recorder.samples
}

/// A statement with recorded values. Of a statement that contains others, only the head.
fn evaluated_statement(
    target: &Target,
    function: FunctionId,
    span: Span,
    samples: Vec<Sample>,
) -> Option<EvaluatedStatement> {
    let code = target.machine.function(function)?;
    let first_inner = code
        .stop_points
        .iter()
        .filter(|s| span.contains(s.span) && s.span != span)
        .map(|s| s.span.start)
        .min();
    let source = target.sources.get(span.source)?;
    let head = statement::head_span(&source.text, span, first_inner);
    let values = samples
        .into_iter()
        .map(|sample| ExpressionValue {
            expression: target.excerpt(sample.span),
            operator: sample.operator,
            value: sample.text,
            is_short_circuited: sample.is_short_circuited,
        })
        .collect();
    Some((target.excerpt(head), values))
}

/// Where a statement is, without its text.
fn location_of(target: &Target, span: Span) -> Excerpt {
    Excerpt {
        text: String::new(),
        ..target.excerpt(span)
    }
}

/// The callers of a frame, up to the entry, each with the time of its call.
pub(crate) fn callers(target: &mut Target, from_top: usize, time: u64) -> Callers {
    let mut callers = Callers::default();
    let depth = target.machine.frames().len();
    let mut before = time;
    for n in from_top + 1..depth {
        let Some(frame) =
            frame::frame_info(target, n).filter(|frame| frame.kind != FunctionKind::Rules)
        else {
            continue;
        };
        if callers.nodes.len() == MAX_CALLERS {
            callers.omitted = depth - n;
            break;
        }
        let typed_at = run::entry_typed_at(target, frame.index).map(|e| e.before.time);
        let call_time = typed_at.or_else(|| call_time(target, &frame, before));
        before = call_time.unwrap_or(before);
        let statement = run::frame_statement(target, n);
        let shown = statement.map_or(frame.span, |statement| statement.shown);
        callers.nodes.push(ExplanationNode {
            function: (frame.kind != FunctionKind::Entry).then(|| frame.name.clone()),
            cell: frame::handler_cell_text(target, n),
            statement: calling_line(target, &frame, shown),
            time: call_time,
            ..ExplanationNode::new(Relation::Caller)
        });
    }
    callers
}

/// When a frame last started the statement that it is executing.
fn call_time(target: &mut Target, frame: &FrameInfo, before: u64) -> Option<u64> {
    let function = target.machine.function(frame.function)?.clone();
    let step = StepTarget::Revisit {
        pc: function.stop_point_before(frame.pc).map_or(0, |s| s.pc),
        function,
        depth: frame.index + 1,
    };
    target.with_time(|s| s.last_hit_before(step, before))
}

/// The source line of a call, or of the statement at which something was typed. `None` for calls
/// made by the built-in rules.
fn calling_line(target: &Target, frame: &FrameInfo, statement: Span) -> Option<Excerpt> {
    target
        .machine
        .span_of(frame.function, frame.pc)
        .filter(|site| *site != Span::default())?;
    let source = target.sources.get(statement.source)?;
    let (line, _) = source.line_column(statement.start);
    Some(Excerpt {
        text: source.line(line).trim().to_string(),
        ..target.excerpt(statement)
    })
}

/// The explanation of something with these causes.
pub(crate) fn explanation(
    target: &Target,
    subject: Subject,
    time: Option<u64>,
    causes: Causes,
) -> Explanation {
    Explanation {
        subject,
        time,
        causes: causes.nodes,
        callers: causes.callers.nodes,
        omitted_callers: causes.callers.omitted,
        deciding_tests: Vec::new(),
        search: None,
        game_file: target.file.clone(),
    }
}

/// The tests of the arms of `statement` after the first, up to the arm that contains `inner`; the
/// last one first. They have stop points of their own and jump over other statements.
fn arm_tests(function: &Function, statement: Span, inner: Span) -> Vec<Span> {
    let stops = &function.stop_points;
    let is_outermost = |span: Span| {
        !stops.iter().any(|other| {
            other.span != span
                && other.span != statement
                && statement.contains(other.span)
                && other.span.contains(span)
        })
    };
    let is_leaf = |span: Span| {
        !stops
            .iter()
            .any(|other| other.span != span && span.contains(other.span))
    };
    let mut tests: Vec<Span> = stops
        .iter()
        .enumerate()
        .filter(|(_, stop)| {
            statement.contains(stop.span) && stop.span != statement && stop.span.end <= inner.start
        })
        .filter(|(_, stop)| is_leaf(stop.span) && is_outermost(stop.span))
        .filter(|(n, stop)| {
            let next = stops.get(n + 1).map_or(u32::MAX, |next| next.pc);
            let code = function.code.iter().take(next as usize);
            let tests = code
                .skip(stop.pc as usize)
                .filter(|i| matches!(i.flow().control, Control::Test(_)));
            let mut jumps = tests.filter_map(|i| i.target());
            jumps.any(|to| to > next)
        })
        .map(|(_, stop)| stop.span)
        .collect();
    tests.sort_by_key(|span| std::cmp::Reverse(span.start));
    tests
}
