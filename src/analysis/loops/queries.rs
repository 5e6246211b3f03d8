//! Which loops are shown: the one around the current statement, those of the last action, or those
//! of an expression.

use super::{ActiveLoop, AssigningLoop, LoopTrace, RebindingLoops, TABLE_SEARCH_INSTRUCTIONS};
use crate::answer::{Answer, LoopCaller, LoopTables, Part};
use crate::debugger::frame;
use crate::debugger::recorder::{FrameLoop, LoopEvents, LoopId, RebindingSearch, Sink, find_loops};
use crate::debugger::{FrameInfo, Run, StepTarget, Stepper, Target};
use crate::diagnostic::Diagnostic;
use crate::loops;
use crate::loops::table;
use crate::machine::{Outcome, Pause};

/// Tables shown for one expression.
const MAX_LOOPS_SHOWN: usize = 4;
/// How long to trace a rebinding loop.
const TRACE_BUDGET_INSTRUCTIONS: u64 = 10_000_000;
/// How many callers to search for a loop.
const MAX_CALLERS_SEARCHED: usize = 100;

/// The loops of an expression that was evaluated on the side.
pub struct EvaluatedLoops {
    /// The loops; `None` if there were none.
    pub loops: Option<LoopTables>,
    /// The error that ended the evaluation.
    pub error: Option<Diagnostic>,
}

/// Which iterations of the current loop are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopExtent {
    /// All, also those after the current one.
    Whole,
    /// Those up to now.
    UntilNow,
}

/// The loop that the selected frame is in or reaches next, or that one of its callers is in.
pub fn current_loops(target: &mut Target, extent: LoopExtent) -> Option<LoopTables> {
    find_rebinding_loops(target, extent).or_else(|| current_assigning_loop(target, extent))
}

fn current_assigning_loop(target: &mut Target, extent: LoopExtent) -> Option<LoopTables> {
    let (frame, active) = loops::find_current_loop(target)?;
    let now = (active.iteration > 0).then_some(target.machine.time());
    let until = match extent {
        LoopExtent::Whole => u64::MAX,
        LoopExtent::UntilNow => now?,
    };
    let traces = trace_loop(target, &frame, &active, until);
    Some(loop_tables(target, traces.as_slice(), now))
}

/// The rebinding loop that the selected frame is in or reaches next, or that one of its callers
/// is in.
pub fn current_rebinding_loops(target: &mut Target) -> Option<LoopTables> {
    find_rebinding_loops(target, LoopExtent::Whole)
}

fn find_rebinding_loops(target: &mut Target, extent: LoopExtent) -> Option<LoopTables> {
    let selected = target.debugger.selected_frame;
    if let Some(loops) = rebinding_loops_in_frame(target, selected, extent) {
        return Some(loops);
    }
    let is_in_loop = |n: &usize| {
        frame::frame_info(target, *n)
            .and_then(|frame| {
                LoopId::innermost_rebinding(target.machine.function(frame.function)?, frame.pc)
            })
            .is_some()
    };
    let caller = (selected + 1..target.machine.frames().len())
        .take(MAX_CALLERS_SEARCHED)
        .find(is_in_loop)?;
    let frame = frame::frame_info(target, caller)?;
    let loops = rebinding_loops_in_frame(target, caller, extent);
    Some(LoopTables {
        caller: Some(LoopCaller {
            function: frame.name.clone(),
            range: target.source_range(frame.span),
        }),
        ..loops?
    })
}

fn rebinding_loops_in_frame(
    target: &mut Target,
    from_top: usize,
    extent: LoopExtent,
) -> Option<LoopTables> {
    let frame = frame::frame_info(target, from_top)?;
    let function = target.machine.function(frame.function)?.clone();
    let now = target.machine.time();
    let until = match extent {
        LoopExtent::Whole => now + TRACE_BUDGET_INSTRUCTIONS,
        LoopExtent::UntilNow => now,
    };
    let depth = frame.index + 1;
    let only_loop = LoopId::innermost_rebinding(&function, frame.pc);
    let is_inside = only_loop.is_some();
    let traces = target.with_time(|s| {
        let search = RebindingSearch {
            depth: Some(depth),
            only_loop,
        };
        let mut events = rebinding_events(search, now, until);
        if is_inside {
            let step = StepTarget::Revisit {
                function,
                pc: 0,
                depth,
            };
            let start = s.last_hit_before(step, now + 1).unwrap_or(now);
            s.timeline.seek_into(&mut s.machine, start);
        }
        s.replay_watched(&mut events.recorder(), until);
        events.consumer.traces
    });
    (!traces.is_empty()).then(|| loop_tables(target, &traces, is_inside.then_some(now)))
}

/// The rebinding loops of the last action.
pub fn last_rebinding_loops(target: &mut Target) -> Option<LoopTables> {
    let start = target.timeline.entries().last()?.before.time;
    let end = target.machine.time();
    let traces = target.with_time(|s| {
        s.timeline.seek_into(&mut s.machine, start);
        let mut events = rebinding_events(RebindingSearch::default(), start, end);
        s.replay_watched(&mut events.recorder(), end);
        events.consumer.traces
    });
    (!traces.is_empty()).then(|| loop_tables(target, &traces, None))
}

/// Runs a block or an expression with rollback, and returns its loops.
pub fn loops_of(target: &mut Target, text: &str) -> Result<EvaluatedLoops, Vec<Diagnostic>> {
    let evaluated = rebinding_loops_of(target, text)?;
    if evaluated.loops.is_some() || evaluated.error.is_some() {
        return Ok(evaluated);
    }
    let traces = on_the_side(target, text, assigning_loops_ahead)?;
    let loops = (!traces.is_empty()).then(|| loop_tables(target, &traces, None));
    Ok(EvaluatedLoops { loops, error: None })
}

fn rebinding_loops_of(target: &mut Target, text: &str) -> Result<EvaluatedLoops, Vec<Diagnostic>> {
    let (traces, error) = on_the_side(target, text, |s| {
        let now = s.machine.time();
        let until = now + TRACE_BUDGET_INSTRUCTIONS;
        let mut events = rebinding_events(RebindingSearch::default(), now, until);
        let error = match s.machine.run_observed(&mut events.recorder()) {
            Outcome::Failed(error) => Some(s.runtime_error(&error)),
            _ => None,
        };
        (events.consumer.traces, error)
    })?;
    let loops = (!traces.is_empty()).then(|| loop_tables(target, &traces, None));
    Ok(EvaluatedLoops { loops, error })
}

/// Starts a block or an expression, calls `f` and rolls everything back.
fn on_the_side<R>(
    target: &mut Target,
    text: &str,
    f: impl FnOnce(&mut Target) -> R,
) -> Result<R, Vec<Diagnostic>> {
    let compiled = match target.block_named(text) {
        Some(compiled) => compiled,
        None => target.compile_expr(text)?.1,
    };
    target.with_rollback(|s| {
        s.start_eval(compiled)?;
        Ok(f(s))
    })
}

/// Runs the program and traces the loops that it reaches. Nested loops are not listed
/// separately.
fn assigning_loops_ahead(target: &mut Target) -> Vec<LoopTrace> {
    let stop_map = target.debugger.stop_map(target.machine.program(), &[]);
    let limit = target.machine.time() + TABLE_SEARCH_INSTRUCTIONS;
    let mut traces = Vec::new();
    let mut start_time = u64::MAX;
    while traces.len() < MAX_LOOPS_SHOWN && target.machine.time() < limit {
        let mut stepper = Stepper {
            stop_map: &stop_map,
            target: StepTarget::Into,
            start_time,
            end_time: u64::MAX,
            has_hit_breakpoint: false,
            recorder: None,
        };
        let Outcome::Paused(Pause::Observer) = target.machine.run_observed(&mut stepper) else {
            break;
        };
        start_time = target.machine.time();
        let Some((id, pc)) = target.machine.current_location() else {
            break;
        };
        let Some(function) = target.machine.function(id).cloned() else {
            break;
        };
        let starts_here = find_loops(&function).into_iter().find(|l| l.head.pc == pc);
        if let Some(loop_info) = starts_here {
            let depth = target.machine.frames().len();
            let of = FrameLoop {
                function,
                loop_info,
                depth,
            };
            let mut events = assigning_events(of, limit);
            target.machine.run_observed(&mut events.recorder());
            // The end of this loop may be the start of the next one, so stop here again.
            start_time = u64::MAX;
            traces.push(events.consumer.trace);
        }
    }
    traces
}

/// Steps over the whole current loop, and describes its iterations; `None` if there is no loop.
pub fn step_over_loop(target: &mut Target) -> Option<Answer> {
    target.debugger.selected_frame = frame::default_frame(target);
    let (frame, active) = loops::find_current_loop(target)?;
    let step = StepTarget::PastRange {
        depth: frame.index + 1,
        from: active.loop_info.head.pc.min(active.loop_info.start),
        to: active.loop_info.end,
    };
    // The end of the loop may end the dry run, and with it the history of the loop.
    let trace_before = target
        .is_dry_run()
        .then(|| trace_loop(target, &frame, &active, u64::MAX));
    let mut run = Run::at_stop(target);
    run.resume(Some(step));
    let stepped = run.finish();
    let now = target.machine.time();
    let traces = trace_before.unwrap_or_else(|| trace_loop(target, &frame, &active, now));
    let mut answer = Answer::new("");
    let loops = loop_tables(target, traces.as_slice(), None);
    answer.parts.push(Part::LoopTables(loops));
    answer.absorb(stepped);
    Some(answer)
}

/// Replays a loop until a time.
fn trace_loop(
    target: &mut Target,
    frame: &FrameInfo,
    active: &ActiveLoop,
    until: u64,
) -> Option<LoopTrace> {
    let function = target.machine.function(frame.function)?.clone();
    let of = FrameLoop {
        function,
        loop_info: active.loop_info,
        depth: frame.index + 1,
    };
    let mut events = assigning_events(of, until);
    target.with_time(|s| {
        s.timeline.seek_into(&mut s.machine, active.entered_at);
        s.replay_watched(&mut events.recorder(), until);
    });
    Some(events.consumer.trace)
}

/// Follows a loop that assigns variables.
fn assigning_events(of: FrameLoop, until: u64) -> LoopEvents<AssigningLoop> {
    let consumer = AssigningLoop::new(&of);
    LoopEvents::of_loop(of, until, consumer)
}

/// Follows rebinding loops. Those that end before the first time are discarded.
fn rebinding_events(search: RebindingSearch, from: u64, until: u64) -> LoopEvents<RebindingLoops> {
    let consumer = RebindingLoops::new(from, search.only_loop.is_some());
    LoopEvents::of_rebinding_loops(search, until, consumer)
}

/// The tables of these traces. The row at the time `now` is the current one.
fn loop_tables(target: &Target, traces: &[LoopTrace], now: Option<u64>) -> LoopTables {
    let tables = traces
        .iter()
        .map(|trace| table::loop_table(target, trace, now));
    LoopTables {
        caller: None,
        tables: tables.collect(),
        game_file: target.file.clone(),
    }
}
