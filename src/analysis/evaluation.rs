//! Stepping through expressions: `step expr` runs a statement and shows how it is evaluated, `step
//! sub` one subexpression at a time, `explain` evaluates an expression with all its values.
//!
//! ```text
//! statement_reads  the variables that a statement reads
//! substitution     source text with values in the place of expressions
//! ```

mod statement_reads;
mod substitution;

pub use statement_reads::{is_unset_flag, variables_read};

pub use substitution::{explain_values, learn, short_circuit, substitute};

use crate::answer::{
    Answer, Evaluation, EvaluationStep, ExplainedExpression, ExpressionValue, NamedValue, Part,
    Returned, StatementEffect, StopReason, Substitution, VariableChange,
};
use crate::code::{FunctionId, FunctionKind, StopKind, ValueLoc};
use crate::debugger::breakpoint::hits::{HitResult, InstructionCheck};
use crate::debugger::breakpoint::is_at_watchpoint;
use crate::debugger::diff;
use crate::debugger::frame;
use crate::debugger::recorder::{Sample, Sink, ValueRecorder, find_loops};
use crate::debugger::run;
use crate::debugger::run::program_input::Suspension;
use crate::debugger::run::statement::head_span;
use crate::debugger::run::step::FirstInstruction;
use crate::debugger::{BreakpointGuard, FrameInfo, PartialEval, Run, StepTarget, StopMap, Target};
use crate::diagnostic::Diagnostic;
use crate::machine::{Observer, Outcome, Pause};
use crate::source::Span;
use crate::value::{StoreSnapshot, Value};
use std::rc::Rc;

/// How running a statement ended.
enum StatementEnd {
    /// The run paused or ended with this outcome.
    Ran(Outcome),
    /// At the time of a nested entry, when replaying.
    NestedEntry,
    /// At a breakpoint.
    Breakpoint {
        hit: HitResult,
        /// Whether the statement has ended.
        is_done: bool,
    },
}

impl StatementEnd {
    /// Whether the statement has ended.
    fn is_done(&self) -> bool {
        match self {
            StatementEnd::Ran(_) => true,
            StatementEnd::NestedEntry => false,
            StatementEnd::Breakpoint { is_done, .. } => *is_done,
        }
    }
}

/// The state before a statement runs, to report what it changed.
pub(crate) struct StateBefore {
    /// The top function and the stack depth.
    frame: Option<(FunctionId, usize)>,
    locals: Vec<(String, String)>,
    store: StoreSnapshot,
}

/// Runs the current statement and describes its evaluation step by step. `None` if nothing is
/// stopped.
pub fn step_expression(target: &mut Target) -> Option<Answer> {
    let info = frame::frame_info(target, 0)?;
    if should_just_step(target, &info) {
        return Some(target.run(|run| run.resume(Some(StepTarget::Into))));
    }
    let (info, arrival) = match go_to_next_statement(target, info) {
        Arrival::At(info, arrival) => (info, arrival),
        Arrival::Elsewhere(answer) => return Some(answer),
    };
    let first = target.take_first_instruction();
    let (before, reads) = (capture_state(target), unnamed_reads(target, &info));
    let mut recorder = ValueRecorder::new(&target.machine);
    let (end, ran) = run_statement(target, &mut recorder, first);
    let mut answer = arrival;
    answer.absorb(ran);
    let is_done = end.is_done();
    let mut evaluation = describe_evaluation(
        target,
        &info,
        &recorder.samples,
        0,
        is_done.then_some(&before),
    );
    if is_only_sample(&info, &recorder.samples) {
        evaluation.reads = reads;
    }
    evaluation.branch = recorder.last_branch.map(|span| target.excerpt(span));
    answer.parts.push(Part::Evaluation(Box::new(evaluation)));
    answer.absorb(target.run(|run| end_statement(run, end)));
    Some(answer)
}

/// Where the next statement is.
enum Arrival {
    /// In the same frame, which is there now, with what was printed on the way.
    At(FrameInfo, Answer),
    /// Somewhere else, or something has stopped the program on the way.
    Elsewhere(Answer),
}

/// If the program is stopped after a statement, as after a watchpoint, goes to the next one.
fn go_to_next_statement(target: &mut Target, info: FrameInfo) -> Arrival {
    let next = run::frame_statement(target, 0).filter(|statement| statement.finished.is_some());
    let Some(next) = next else {
        return Arrival::At(info, Answer::new(""));
    };
    let mut answer = target.run(|run| run.resume(Some(StepTarget::Into)));
    let is_step = answer.stop.as_ref().map(|stop| stop.reason) == Some(StopReason::Step);
    match frame::frame_info(target, 0) {
        Some(now) if is_step && now.index == info.index && Some(now.span) == next.next => {
            answer.stop = None;
            answer.parts.retain(|part| !matches!(part, Part::Stop(_)));
            Arrival::At(now, answer)
        }
        _ => Arrival::Elsewhere(answer),
    }
}

/// Whether to step normally: the current statement belongs to the rules, which are hidden, or a
/// nested entry starts here.
fn should_just_step(target: &Target, info: &FrameInfo) -> bool {
    let nested_entry_starts = target
        .timeline
        .next_nested_time()
        .is_some_and(|time| target.machine.time() >= time);
    nested_entry_starts || info.kind == FunctionKind::Rules && !target.debugger.steps_into_rules
}

/// Runs a statement with a recorder. Stops at breakpoints and, when replaying, at nested entries.
/// `first` says whether the breakpoints at the first instruction have been checked.
fn run_statement(
    target: &mut Target,
    values: &mut ValueRecorder,
    first: FirstInstruction,
) -> (StatementEnd, Answer) {
    let mut recorder = values.recorder();
    let mut answer = Answer::new("");
    let end_time = target.timeline.next_nested_time().unwrap_or(u64::MAX);
    target.rebind_breakpoints_quietly();
    let stop_map = StopMap::new(target.machine.program(), &target.debugger.traps(), |_| true);
    let checked_at = (first != FirstInstruction::New).then_some(target.machine.time());
    // Watchpoints are checked when an instruction is executed.
    let mut first = match is_at_watchpoint(target) {
        true => FirstInstruction::New,
        false => first,
    };
    loop {
        let mut guard = BreakpointGuard {
            inner: &mut recorder,
            stop_map: &stop_map,
            start_time: target.machine.time(),
            first,
            end_time,
            has_hit_breakpoint: false,
        };
        let outcome = target.machine.run_observed(&mut guard);
        let has_hit_breakpoint = guard.has_hit_breakpoint;
        target.timeline.collect_checkpoints(&mut target.machine);
        if !has_hit_breakpoint {
            let at_nested_entry =
                outcome == Outcome::Paused(Pause::Observer) && target.machine.time() >= end_time;
            let end = match at_nested_entry {
                true => StatementEnd::NestedEntry,
                false => StatementEnd::Ran(outcome),
            };
            return (end, answer);
        }
        let mut run = Run::at_stop(target);
        let hit = match checked_at == Some(run.target.machine.time()) {
            true => None,
            false => run.check_plain_breakpoints(),
        };
        let check = match hit {
            Some(_) => InstructionCheck::NotWatched,
            None => run.check_watchpoints(),
        };
        answer.absorb(run.finish());
        target.timeline.collect_checkpoints(&mut target.machine);
        if let Some(hit) = hit {
            let is_done = false;
            return (StatementEnd::Breakpoint { hit, is_done }, answer);
        }
        first = match check {
            _ if target.machine.take_interrupt() => {
                let interrupted = Outcome::Paused(Pause::Interrupt);
                return (StatementEnd::Ran(interrupted), answer);
            }
            InstructionCheck::NotWatched => FirstInstruction::Observed,
            InstructionCheck::Passed => FirstInstruction::New,
            InstructionCheck::Hit(HitResult::Ended(outcome)) => {
                return (StatementEnd::Ran(outcome), answer);
            }
            InstructionCheck::Hit(hit) => {
                // The recorder has not seen the result yet.
                let is_paused = recorder.should_pause(&target.machine);
                let is_done = is_paused && values.samples.len() < values.sample_limit;
                return (StatementEnd::Breakpoint { hit, is_done }, answer);
            }
        };
    }
}

/// Runs the current statement up to the next subexpression that has a value, and describes that
/// step. `None` if nothing is stopped.
pub fn step_subexpression(target: &mut Target) -> Option<Answer> {
    let mut info = frame::frame_info(target, 0)?;
    let progress = target.take_partial_eval().filter(|p| {
        p.time == target.machine.time()
            && (p.span == info.span || p.sampled_here > 0 || !is_at_statement_start(target))
    });
    if progress.is_none() && should_just_step(target, &info) {
        return Some(target.run(|run| run.resume(Some(StepTarget::Into))));
    }
    let mut arrival = Answer::new("");
    if progress.is_none() {
        match go_to_next_statement(target, info) {
            Arrival::At(now, answer) => (info, arrival) = (now, answer),
            Arrival::Elsewhere(answer) => return Some(answer),
        }
    }
    // The machine may already be inside a loop body while the loop's head is still being shown.
    info.span = progress.as_ref().map_or(info.span, |p| p.span);
    let first = progress
        .as_ref()
        .map_or(FirstInstruction::Checked, |p| p.first);
    let (depth, start_time) = (target.machine.frames().len(), target.machine.time());
    // What has been done with the instruction at which the recorder pauses.
    let first_after = |target: &Target| match target.machine.time() == start_time {
        true => first,
        false => FirstInstruction::New,
    };
    let mut recorder = ValueRecorder::new(&target.machine);
    (recorder.samples, recorder.sampled_here) = progress
        .map(|p| (p.samples, p.sampled_here))
        .unwrap_or_default();
    let from = recorder.samples.len();
    recorder.sample_limit = from + 1;
    let (before, reads) = (capture_state(target), unnamed_reads(target, &info));
    let (mut end, ran) = run_statement(target, &mut recorder, first);
    let mut answer = arrival;
    answer.absorb(ran);
    // A sample that only repeats the value of the statement is not shown.
    while recorder.samples.len() == recorder.sample_limit
        && recorder
            .samples
            .last()
            .is_some_and(|s| s.is_enclosing_result(info.span))
    {
        recorder.sample_limit += 1;
        let more;
        (end, more) = run_statement(target, &mut recorder, first_after(target));
        answer.absorb(more);
    }
    let has_paused = matches!(end, StatementEnd::Ran(Outcome::Paused(Pause::Observer)));
    // The last value of a statement may be known only where the next one starts.
    let has_arrived = recorder.sampled_here == 0 && is_at_statement_start(target);
    let is_partial = has_paused && recorder.samples.len() >= recorder.sample_limit && !has_arrived;
    let is_done = end.is_done() && !is_partial;
    let mut evaluation = describe_evaluation(
        target,
        &info,
        &recorder.samples,
        from,
        is_done.then_some(&before),
    );
    if from == 0 && is_only_sample(&info, &recorder.samples) {
        evaluation.reads = reads;
    }
    evaluation.is_partial = is_partial;
    if !is_partial {
        evaluation.branch = recorder.last_branch.map(|span| target.excerpt(span));
    }
    answer.parts.push(Part::Evaluation(Box::new(evaluation)));
    if is_partial {
        target.suspension = Suspension::Subexpression(PartialEval {
            samples: recorder.samples,
            span: info.span,
            time: target.machine.time(),
            sampled_here: recorder.sampled_here,
            first: first_after(target),
        });
        let stop = run::describe_stop(target, StopReason::Step, "", Vec::new());
        answer.stop = stop.map(Rc::new);
        target.record_visit();
    } else {
        let is_inside = matches!(end, StatementEnd::Breakpoint { is_done: false, .. })
            && target.machine.frames().len() == depth;
        answer.absorb(target.run(|run| end_statement(run, end)));
        if is_inside {
            target.suspension = Suspension::Subexpression(PartialEval {
                sampled_here: ValueRecorder::operand_count(&target.machine),
                samples: recorder.samples,
                span: info.span,
                time: target.machine.time(),
                first: FirstInstruction::Checked,
            });
        }
    }
    Some(answer)
}

/// The variables that a condition reads without naming them, such as the counter of
/// `gameoveronzerocounter`.
fn unnamed_reads(target: &Target, info: &FrameInfo) -> Vec<NamedValue> {
    let stop = target
        .machine
        .function(info.function)
        .and_then(|f| f.stop_point_at(info.pc));
    match stop {
        Some(stop) if stop.kind == StopKind::Condition => {
            statement_reads::variables_read(target, info.function, info.span)
        }
        _ => Vec::new(),
    }
}

/// Whether the machine is at the start of a statement.
fn is_at_statement_start(target: &Target) -> bool {
    let here = target
        .machine
        .current_location()
        .and_then(|(f, pc)| Some(target.machine.function(f)?.stop_point_at(pc).is_some()));
    here.unwrap_or(false)
}

/// Describes the steps of a statement from sample `from` on, and what it changed if it has
/// ended.
pub(crate) fn describe_evaluation(
    target: &mut Target,
    info: &FrameInfo,
    samples: &[Sample],
    from: usize,
    before: Option<&StateBefore>,
) -> Evaluation {
    let effect = before.map(|before| statement_effect(target, before));
    let Some(source) = target.sources.get(info.span.source) else {
        return Evaluation::default();
    };
    let head = head_span(&source.text, info.span, first_nested_start(target, info));
    let mut steps = EvaluationSteps::default();
    match enclosing_expression(target, info, samples) {
        Some((outer, split)) => {
            steps.add(target, head, info.span, &samples[..split], from);
            steps.add(target, outer, info.span, samples, from.max(split));
        }
        None => steps.add(target, head, info.span, samples, from),
    }
    Evaluation {
        function: info.name.clone(),
        statement: target.excerpt(head),
        steps: steps.steps,
        effect: effect.map(|effect| StatementEffect {
            number: steps.count + 1,
            substituted: steps.last,
            ..effect
        }),
        ..Evaluation::default()
    }
}

/// If the statement is an operand of a larger expression that continues after it: the span of
/// that expression, and its first sample.
fn enclosing_expression(
    target: &Target,
    info: &FrameInfo,
    samples: &[Sample],
) -> Option<(Span, usize)> {
    let first_repeated = samples
        .iter()
        .position(|s| s.is_enclosing_result(info.span))?;
    let first_outer = first_repeated
        + samples[first_repeated..]
            .iter()
            .position(|s| !s.is_enclosing_result(info.span))?;
    let function = target.machine.program().function(info.function)?;
    let encloses_all = |span: Span| {
        span.contains(info.span)
            && samples[first_repeated..]
                .iter()
                .all(|s| span.contains(s.span))
    };
    let statements = function.stop_points.iter().map(|s| s.span);
    let equations = function
        .value_infos
        .iter()
        .filter(|n| n.loc == ValueLoc::Equation)
        .map(|n| n.span);
    let candidates = statements
        .chain(equations)
        .filter(|span| *span != info.span && encloses_all(*span));
    Some((
        candidates.min_by_key(|span| span.end - span.start)?,
        first_outer,
    ))
}

/// The start of the first statement nested inside a statement.
fn first_nested_start(target: &Target, info: &FrameInfo) -> Option<u32> {
    let function = target.machine.program().function(info.function)?;
    let inside = function
        .stop_points
        .iter()
        .filter(|s| info.span.contains(s.span) && s.span != info.span);
    inside
        .map(|s| s.span.start)
        .filter(|s| *s > info.span.start)
        .min()
}

/// Captures the variables before a statement runs.
fn capture_state(target: &mut Target) -> StateBefore {
    // Loop counters change between iterations, not in a statement.
    let loop_starts: Vec<u32> = target
        .machine
        .current_location()
        .and_then(|(f, _)| target.machine.function(f))
        .map_or_else(Vec::new, |f| {
            find_loops(f)
                .iter()
                .flat_map(|c| [c.iteration_start, c.start])
                .collect()
        });
    let locals = frame::locals(target, 0)
        .into_iter()
        .filter(|(l, _)| !loop_starts.contains(&l.start_pc));
    let locals = locals
        .map(|(l, v)| (l.name.to_string(), target.format_value(v)))
        .collect();
    let frame = target
        .machine
        .current_location()
        .map(|(f, _)| (f, target.machine.frames().len()));
    StateBefore {
        frame,
        locals,
        store: target.machine.store.snapshot().0,
    }
}

/// What has changed since a statement started, and what its function returned.
fn statement_effect(target: &mut Target, before: &StateBefore) -> StatementEffect {
    let now = capture_state(target);
    let has_returned = before.frame.zip(now.frame).is_none_or(|(a, b)| b.1 < a.1);
    let returned = before
        .frame
        .filter(|_| has_returned)
        .and_then(|(f, _)| target.machine.function(f))
        .filter(|function| function.kind == FunctionKind::Function)
        .map(|function| (function.name.to_string(), target.machine.return_value()))
        .filter(|(_, value)| *value != Value::NOTHING)
        .map(|(function, value)| Returned {
            function,
            value: target.format_value(value),
        });
    // Variables of different frames cannot be compared, even if they have the same name.
    let is_same_frame = before.frame == now.frame;
    let mut variables = Vec::new();
    for (name, old) in before.locals.iter().filter(|_| is_same_frame) {
        if let Some((_, new)) = now.locals.iter().find(|(n, new)| n == name && new != old) {
            variables.push(VariableChange {
                name: name.clone(),
                old: old.clone(),
                new: new.clone(),
            });
        }
    }
    StatementEffect {
        returned,
        variables,
        changes: diff::state_diff(target, &before.store, &now.store),
        ..StatementEffect::default()
    }
}

/// Evaluates an expression with the values of all its subexpressions.
pub fn explain(target: &mut Target, text: &str) -> Result<ExplainedExpression, Vec<Diagnostic>> {
    let (source, compiled) = target.compile_expr(text)?;
    let saved = target.save_state();
    let samples = target.start_eval(compiled).and_then(|()| {
        let mut recorder = ValueRecorder::new(&target.machine);
        recorder.ignores_stops = true;
        match target.machine.run_observed(&mut recorder.recorder()) {
            Outcome::Failed(error) => Err(vec![target.runtime_error(&error)]),
            _ => Ok(recorder.samples),
        }
    });
    target.restore_state(saved);
    let values = samples?.into_iter().map(|sample| ExpressionValue {
        expression: target.excerpt(sample.span),
        operator: sample.operator,
        value: sample.text,
        is_short_circuited: sample.is_short_circuited,
    });
    let values: Vec<ExpressionValue> = values.collect();
    Ok(explain_values(target.excerpt(source.full_span()), &values))
}

/// Whether the statement as a whole was the only thing that was sampled.
fn is_only_sample(info: &FrameInfo, samples: &[Sample]) -> bool {
    !samples.is_empty() && samples.iter().all(|s| s.span == info.span)
}

/// Collects the steps of a statement.
#[derive(Default)]
struct EvaluationSteps {
    steps: Vec<EvaluationStep>,
    /// The number of the last step.
    count: usize,
    /// The source after the last step.
    last: Substitution,
}

impl EvaluationSteps {
    /// Adds the steps in `origin`, from sample `from` on. `statement` may be smaller than `origin`.
    fn add(
        &mut self,
        target: &Target,
        origin: Span,
        statement: Span,
        samples: &[Sample],
        from: usize,
    ) {
        let text = target.sources.slice(origin);
        let mut known: Vec<(Span, &str)> = Vec::new();
        self.count = 0;
        for (n, sample) in samples.iter().enumerate() {
            if !origin.contains(sample.span) {
                continue;
            }
            let is_repetition = sample.is_enclosing_result(statement);
            self.count += usize::from(!is_repetition);
            let before = known.clone();
            learn(&mut known, sample.span, &sample.text);
            if n < from || is_repetition {
                continue;
            }
            self.steps.push(EvaluationStep {
                number: self.count,
                expression: target.excerpt(sample.span),
                value: sample.text.clone(),
                time: sample.time,
                cell: sample.cell,
                short_circuit: sample
                    .is_short_circuited
                    .then(|| short_circuit(text, origin, &before, sample.span, sample.operator)),
                before: substitute(text, origin, &before, sample.span),
                substituted: substitute(text, origin, &known, sample.span),
            });
        }
        self.last = substitute(text, origin, &known, origin);
    }
}

/// Continues after a statement was run on its own.
fn end_statement(run: &mut Run<'_>, end: StatementEnd) {
    let outcome = match end {
        StatementEnd::Ran(outcome) => outcome,
        StatementEnd::NestedEntry => return run.resume(Some(StepTarget::Into)),
        StatementEnd::Breakpoint { hit, .. } => return run.stop_at_breakpoint(hit),
    };
    match outcome {
        Outcome::Paused(Pause::Observer) if !run.target.machine.is_idle() => {
            if let Some(hit) = run.check_plain_breakpoints() {
                return run.stop_at_breakpoint(hit);
            }
            let is_hidden = !run.target.debugger.steps_into_rules
                && frame::frame_info(run.target, 0).is_some_and(|l| l.kind == FunctionKind::Rules);
            if is_hidden {
                return run.resume(Some(StepTarget::Into));
            }
            run.drain_output();
            run.stop_here(StopReason::Step, "", Vec::new());
        }
        Outcome::Paused(Pause::Observer) => run.resume(None),
        other => {
            // The run ended, failed or needs input: handle it like any other run.
            if run.on_outcome(other, Some(&StepTarget::Into)) {
                return;
            }
            // An entry typed at a stop returns to that stop.
            let stop_map = run
                .target
                .debugger
                .stop_map(run.target.machine.program(), &[]);
            if stop_map.is_target_reached(&StepTarget::Into, &run.target.machine) {
                run.drain_output();
                return run.stop_here(StopReason::Step, "", Vec::new());
            }
            run.resume(Some(StepTarget::Into));
        }
    }
}
