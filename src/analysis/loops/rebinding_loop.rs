//! Records loops that rebind variables: each iteration gives new values to variables that shadow
//! those outside, as BoGL's `while` does.

use super::{Iteration, LoopTrace, VarSnapshot};
use crate::answer::{LoopResult, LoopStyle};
use crate::code::{Function, StopKind, ValueInfo, ValueLoc};
use crate::debugger::recorder::{Frames, Interest, LoopId, Moment, Results, Sink};
use crate::machine::Machine;
use crate::value::{Grid, Value};
use std::ops::ControlFlow;
use std::rc::Rc;

/// Records rebinding loops, in one frame or in all.
pub struct RebindingLoopTracer {
    /// Record only the frame at this depth.
    pub depth: Option<usize>,
    /// Record only this loop.
    pub only_loop: Option<LoopId>,
    /// Executions that end before this time are discarded.
    from: u64,
    until: u64,
    /// One trace for each execution of a loop, in order; at most `MAX_TRACES`. The last may be
    /// unfinished.
    pub traces: Vec<LoopTrace>,
    /// The loop that is running, whose trace is the last one.
    running: Option<RunningLoop>,
}

/// A loop that has not ended.
struct RunningLoop {
    id: LoopId,
    /// The stack depth of the frame.
    depth: usize,
    /// The boards among the loop variables at the start of the last iteration.
    last_boards: Vec<Option<Rc<Grid>>>,
}

/// Iterations beyond this limit are dropped from the middle of a trace.
const MAX_ITERATIONS: usize = 2_000;
/// Recording stops after this many traces.
const MAX_TRACES: usize = 3;

impl RebindingLoopTracer {
    /// Traces between the two times.
    pub fn new(from: u64, until: u64) -> RebindingLoopTracer {
        RebindingLoopTracer {
            depth: None,
            only_loop: None,
            from,
            until,
            traces: Vec::new(),
            running: None,
        }
    }

    /// Closes the current trace if its loop has ended. Returns true if recording is complete.
    fn close_if_left(&mut self, machine: &Machine, function: &Function, pc: u32) -> bool {
        let (time, depth) = (machine.time(), machine.frames().len());
        let is_inside = |running: &RunningLoop| {
            depth > running.depth
                || depth == running.depth
                    && function.span == running.id.function
                    && running.id.loop_info.contains(pc)
        };
        if self.running.as_ref().is_none_or(is_inside) {
            return false;
        }
        self.running = None;
        if time <= self.from {
            // It ended before the time range of the trace.
            self.traces.pop();
            return false;
        }
        if let Some(trace) = self.traces.last_mut() {
            trace.result = LoopResult::Completed;
            if let Some(iteration) = trace.iterations.last_mut() {
                iteration.is_final_test = true;
            }
        }
        self.only_loop.is_some() || self.traces.len() >= MAX_TRACES
    }

    fn on_iteration(&mut self, machine: &Machine, function: &Function, pc: u32) {
        let depth = machine.frames().len();
        if self.depth.is_some_and(|d| d != depth) {
            return;
        }
        let is_running =
            |r: &RunningLoop| r.depth == depth && r.id.is_iteration_start(function, pc);
        if !self.running.as_ref().is_some_and(is_running) {
            if self.running.is_some() {
                // A loop nested in the one being recorded.
                return;
            }
            let Some(id) = LoopId::rebinding_at(function, pc)
                .filter(|id| self.only_loop.is_none_or(|only| only == *id))
            else {
                return;
            };
            let head = id.loop_info.head.span;
            let trace = LoopTrace::new(LoopStyle::Rebinding, function.name, head);
            self.traces.push(trace);
            self.running = Some(RunningLoop {
                id,
                depth,
                last_boards: Vec::new(),
            });
        }
        if let (Some(running), Some(trace)) = (&mut self.running, self.traces.last_mut()) {
            if trace.iterations.len() >= MAX_ITERATIONS {
                trace.omit_one();
            }
            trace.iterations.push(running.iteration(machine, function));
        }
    }

    /// Records the value of an expression in the test.
    fn sample(&mut self, moment: &Moment<'_>, info: &ValueInfo, jumped: Option<bool>) {
        let is_test = |running: &RunningLoop| {
            running.depth == moment.depth && running.id.loop_info.head.span.contains(info.span)
        };
        if !self.running.as_ref().is_some_and(is_test) {
            return;
        }
        let iterations = self.traces.last_mut().map(|trace| &mut trace.iterations);
        let Some(iteration) = iterations.and_then(|iterations| iterations.last_mut()) else {
            return;
        };
        let registers = moment.machine.registers(moment.depth - 1);
        let value = match info.loc {
            ValueLoc::Register(r) => registers.get(r as usize).copied(),
            ValueLoc::JumpTest { if_taken } => jumped.map(|taken| Value::bool(taken == if_taken)),
            _ => None,
        };
        if let Some(value) = value {
            iteration
                .values
                .push((info.span, moment.machine.format_value(value)));
        }
    }
}

impl RunningLoop {
    /// The iteration that starts now.
    fn iteration(&mut self, machine: &Machine, function: &Function) -> Iteration {
        let registers = machine.registers(machine.frames().len() - 1);
        let iteration_start = self.id.loop_info.iteration_start;
        let bound = function.locals.iter();
        let mut variables = Vec::new();
        let mut boards = Vec::new();
        for (n, local) in bound.filter(|l| l.start_pc == iteration_start).enumerate() {
            let value = registers.get(local.register as usize).copied();
            let value = value.unwrap_or(Value::NOTHING);
            let board = machine.store.heap.grid(value).cloned();
            let before = self.last_boards.get(n).cloned().flatten();
            let snapshot = match (&before, &board) {
                (Some(a), Some(b)) if (a.rows, a.cols) == (b.rows, b.cols) => {
                    VarSnapshot::ChangedCells(changed_cells(machine, a, b))
                }
                _ => VarSnapshot::Value(machine.format_value(value)),
            };
            variables.push((local.name, snapshot));
            boards.push(board);
        }
        self.last_boards = boards;
        Iteration {
            variables,
            time: machine.time(),
            ..Iteration::default()
        }
    }
}

fn changed_cells(machine: &Machine, before: &Grid, now: &Grid) -> Vec<(u32, u32, String)> {
    let text = |(n, _, new): (usize, Value, Value)| {
        (
            n as u32 / now.cols,
            n as u32 % now.cols,
            machine.format_value(new),
        )
    };
    before.differing_cells(now).map(text).collect()
}

impl Sink for RebindingLoopTracer {
    fn interest(&self) -> Interest {
        Interest {
            frames: Frames::All,
            until: self.until,
            results: Results::WithoutCalls,
        }
    }

    fn on_instruction(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let Moment {
            machine,
            function,
            pc,
            ..
        } = *moment;
        for (info, jumped) in moment.results() {
            self.sample(moment, info, jumped);
        }
        if self.close_if_left(machine, function, pc) || self.depth.is_some_and(|d| moment.depth < d)
        {
            return ControlFlow::Break(());
        }
        if function
            .stop_point_at(pc)
            .is_some_and(|s| s.kind == StopKind::Iteration)
        {
            self.on_iteration(machine, function, pc);
        }
        for info in moment.operands() {
            self.sample(moment, info, None);
        }
        ControlFlow::Continue(())
    }
}
