//! Records loops that rebind variables: each iteration gives new values to variables that shadow
//! those outside, as BoGL's `while` does.

use super::{Iteration, LoopTrace, VarSnapshot};
use crate::answer::{LoopResult, LoopStyle};
use crate::code::{ValueInfo, ValueLoc};
use crate::debugger::recorder::{FrameLoop, LoopConsumer, LoopEvent, Moment, Results};
use crate::machine::Machine;
use crate::value::{Grid, Value};
use std::ops::ControlFlow;
use std::rc::Rc;

/// Records rebinding loops, one after the other.
pub struct RebindingLoops {
    /// Executions that end before this time are discarded.
    from: u64,
    /// Recording stops after this many traces.
    max_traces: usize,
    /// One trace for each execution of a loop, in order. The last may be unfinished.
    pub traces: Vec<LoopTrace>,
    /// The boards among the loop variables at the start of the last iteration.
    last_boards: Vec<Option<Rc<Grid>>>,
}

/// Iterations beyond this limit are dropped from the middle of a trace.
const MAX_ITERATIONS: usize = 2_000;
/// Recording stops after this many traces, unless only one loop is of interest.
const MAX_TRACES: usize = 3;

impl RebindingLoops {
    /// Records the executions that have not ended before a time: the first ones, or only one.
    pub fn new(from: u64, is_single: bool) -> RebindingLoops {
        RebindingLoops {
            from,
            max_traces: if is_single { 1 } else { MAX_TRACES },
            traces: Vec::new(),
            last_boards: Vec::new(),
        }
    }

    /// Closes the current trace. Returns `Break` if recording is complete.
    fn close(&mut self, machine: &Machine) -> ControlFlow<()> {
        if machine.time() <= self.from {
            // It ended before the time range of the trace.
            self.traces.pop();
            return ControlFlow::Continue(());
        }
        if let Some(trace) = self.traces.last_mut() {
            trace.result = LoopResult::Completed;
            if let Some(iteration) = trace.iterations.last_mut() {
                iteration.is_final_test = true;
            }
        }
        match self.traces.len() >= self.max_traces {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Records the value of an expression in the test.
    fn sample(
        &mut self,
        of: &FrameLoop,
        moment: &Moment<'_>,
        info: &ValueInfo,
        jumped: Option<bool>,
    ) {
        if !of.loop_info.head.span.contains(info.span) {
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

    /// The iteration that starts now.
    fn iteration(&mut self, of: &FrameLoop, machine: &Machine) -> Iteration {
        let registers = machine.registers(of.depth - 1);
        let iteration_start = of.loop_info.iteration_start;
        let bound = of.function.locals.iter();
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

impl LoopConsumer for RebindingLoops {
    const RESULTS: Results = Results::WithoutCalls;

    fn before_events(&mut self, of: &FrameLoop, moment: &Moment<'_>) {
        for (info, jumped) in moment.results() {
            self.sample(of, moment, info, jumped);
        }
    }

    fn on_event(&mut self, event: LoopEvent, of: &FrameLoop, machine: &Machine) -> ControlFlow<()> {
        match event {
            LoopEvent::Entered => {
                let (name, head) = (of.function.name, of.loop_info.head.span);
                self.traces
                    .push(LoopTrace::new(LoopStyle::Rebinding, name, head));
                self.last_boards.clear();
            }
            LoopEvent::IterationStarted => {
                let iteration = self.iteration(of, machine);
                if let Some(trace) = self.traces.last_mut() {
                    if trace.iterations.len() >= MAX_ITERATIONS {
                        trace.omit_one();
                    }
                    trace.iterations.push(iteration);
                }
            }
            LoopEvent::Left(_) => return self.close(machine),
            LoopEvent::Stopped => {}
        }
        ControlFlow::Continue(())
    }

    fn after_events(&mut self, of: &FrameLoop, moment: &Moment<'_>) {
        for info in moment.operands() {
            self.sample(of, moment, info, None);
        }
    }
}
