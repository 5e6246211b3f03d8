//! Records loops that rebind variables: each iteration gives new values to variables that shadow
//! those outside, as BoGL's `while` does.

use super::{Frames, Interest, Moment, Results, Sink};
use crate::code::{Function, Instr, Local, StopKind, ValueInfo, ValueLoc};
use crate::machine::Machine;
use crate::source::Span;
use crate::value::{Grid, Value};
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

/// A rebinding loop in the code of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct RebindingLoop {
    /// The span of the function. Unlike its id, it is the same in every version of the program.
    function_span: Span,
    /// Its instructions, from the start of an iteration to the jump back.
    pub instrs: Range<u32>,
    /// The source of the keyword and the test.
    pub head: Span,
}

impl RebindingLoop {
    /// The innermost rebinding loop around an instruction.
    pub fn innermost(function: &Function, pc: u32) -> Option<RebindingLoop> {
        let loops = function
            .stop_points
            .iter()
            .filter(|s| s.kind == StopKind::Iteration && s.pc <= pc);
        let enclosing = loops
            .filter_map(|s| RebindingLoop::at(function, s.pc))
            .filter(|l| l.instrs.contains(&pc));
        enclosing.max_by_key(|l| l.instrs.start)
    }

    fn at(function: &Function, iteration_start: u32) -> Option<RebindingLoop> {
        let stop = function
            .stop_point_at(iteration_start)
            .filter(|s| s.kind == StopKind::Iteration)?;
        let last_instr = function
            .code
            .iter()
            .rposition(|i| matches!(i, Instr::Loop { to } if *to == iteration_start))?
            as u32;
        // Loop variables shadow outer ones of the same name; an ordinary declaration at this
        // instruction does not.
        let shadows_outer = |l: &Local| {
            let outer = function
                .locals
                .iter()
                .filter(|o| o.name == l.name && o.register != l.register);
            outer
                .into_iter()
                .any(|o| o.start_pc <= iteration_start && iteration_start < o.end_pc)
        };
        let rebinds = function
            .locals
            .iter()
            .any(|l| l.start_pc == iteration_start && shadows_outer(l));
        rebinds.then_some(RebindingLoop {
            function_span: function.span,
            instrs: iteration_start..last_instr + 1,
            head: stop.span,
        })
    }
}

/// A variable at the start of an iteration.
#[derive(Clone, Debug)]
pub enum VarSnapshot {
    /// The whole value, as the language writes it.
    Value(String),
    /// A board of which only these cells differ from the previous iteration: zero-based row and
    /// column, and the new value.
    ChangedCells(Vec<(u32, u32, String)>),
}

/// One iteration: the variables at its start, and how its test came out.
#[derive(Clone, Debug, Default)]
pub struct RebindingIteration {
    /// The loop variables, in the order of [`RebindingLoopTrace::names`].
    pub variables: Vec<VarSnapshot>,
    /// The values of expressions in the test.
    pub test_values: Vec<(Span, String)>,
    /// Whether the body ran; `None` while that is not known.
    pub has_run: Option<bool>,
    /// When it started.
    pub time: u64,
}

/// The iterations of one execution of a loop.
#[derive(Clone, Debug)]
pub struct RebindingLoopTrace {
    /// Which loop was executed.
    pub rebinding_loop: RebindingLoop,
    /// The name of the function that contains it.
    pub function_name: String,
    /// The names of the loop variables.
    pub names: Vec<String>,
    /// The first and the last iterations; `omitted` ones between them are missing.
    pub iterations: Vec<RebindingIteration>,
    /// The number of iterations dropped from the middle.
    pub omitted: usize,
    /// The stack depth of the frame.
    depth: usize,
    /// The boards among the loop variables at the start of the last iteration.
    last_boards: Vec<Option<Rc<Grid>>>,
    /// Whether the loop has ended.
    pub is_finished: bool,
}

/// Records rebinding loops, in one frame or in all.
pub struct RebindingLoopTracer {
    /// Record only the frame at this depth.
    pub depth: Option<usize>,
    /// Record only this loop.
    pub only_loop: Option<RebindingLoop>,
    /// Executions that end before this time are discarded.
    from: u64,
    until: u64,
    /// One trace for each execution of a loop, in order; at most `MAX_TRACES`. The last may be
    /// unfinished.
    pub traces: Vec<RebindingLoopTrace>,
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
        }
    }

    /// The trace of the loop that is running.
    fn current_trace(&mut self) -> Option<&mut RebindingLoopTrace> {
        self.traces.last_mut().filter(|t| !t.is_finished)
    }

    /// Closes the current trace if its loop has ended. Returns true if recording is complete.
    fn close_if_left(&mut self, machine: &Machine, function: &Function, pc: u32) -> bool {
        let (time, depth) = (machine.time(), machine.frames().len());
        let (from, is_single_loop) = (self.from, self.only_loop.is_some());
        let Some(trace) = self.current_trace() else {
            return false;
        };
        let is_inside = depth > trace.depth
            || depth == trace.depth
                && function.span == trace.rebinding_loop.function_span
                && trace.rebinding_loop.instrs.contains(&pc);
        if is_inside {
            return false;
        }
        trace.is_finished = true;
        if let Some(iteration) = trace.iterations.last_mut() {
            iteration.has_run = Some(false);
        }
        if time <= from {
            // It ended before the time range of the trace.
            self.traces.pop();
            return false;
        }
        is_single_loop || self.traces.len() >= MAX_TRACES
    }

    fn on_iteration(&mut self, machine: &Machine, function: &Function, pc: u32) {
        let depth = machine.frames().len();
        if self.depth.is_some_and(|d| d != depth) {
            return;
        }
        let Some(rebinding_loop) = RebindingLoop::at(function, pc)
            .filter(|l| self.only_loop.as_ref().is_none_or(|only| only == l))
        else {
            return;
        };
        if self
            .current_trace()
            .is_some_and(|t| (t.depth, &t.rebinding_loop) != (depth, &rebinding_loop))
        {
            // A loop nested in the one being recorded.
            return;
        }
        if self.current_trace().is_none() {
            let names = function
                .locals
                .iter()
                .filter(|l| l.start_pc == pc)
                .map(|l| l.name.to_string())
                .collect();
            let (iterations, last_boards) = (Vec::new(), Vec::new());
            self.traces.push(RebindingLoopTrace {
                rebinding_loop,
                function_name: function.name.to_string(),
                names,
                iterations,
                omitted: 0,
                depth,
                last_boards,
                is_finished: false,
            });
        }
        if let Some(trace) = self.current_trace() {
            trace.push_iteration(machine, function, pc);
        }
    }

    /// Records the value of an expression in the test.
    fn sample(&mut self, moment: &Moment<'_>, info: &ValueInfo, jumped: Option<bool>) {
        let Some(trace) = self.current_trace().filter(|t| t.depth == moment.depth) else {
            return;
        };
        let is_in_test = trace.rebinding_loop.head.contains(info.span);
        let Some(iteration) = trace.iterations.last_mut().filter(|_| is_in_test) else {
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
                .test_values
                .push((info.span, moment.machine.format_value(value)));
        }
    }
}

impl RebindingLoopTrace {
    fn push_iteration(&mut self, machine: &Machine, function: &Function, iteration_start: u32) {
        if let Some(last) = self.iterations.last_mut() {
            last.has_run = Some(true);
        }
        if self.iterations.len() >= MAX_ITERATIONS {
            self.omitted += 1;
            self.iterations.remove(MAX_ITERATIONS / 2);
        }
        let registers = machine.registers(machine.frames().len() - 1);
        let rebinds = function
            .locals
            .iter()
            .filter(|l| l.start_pc == iteration_start);
        let values = rebinds.map(|l| {
            registers
                .get(l.register as usize)
                .copied()
                .unwrap_or(Value::NOTHING)
        });
        let mut iteration = RebindingIteration {
            time: machine.time(),
            ..RebindingIteration::default()
        };
        let mut last_boards = Vec::new();
        for (n, value) in values.enumerate() {
            let board = machine.store.heap.grid(value).cloned();
            let before = self.last_boards.get(n).cloned().flatten();
            iteration.variables.push(match (&before, &board) {
                (Some(a), Some(b)) if (a.rows, a.cols) == (b.rows, b.cols) => {
                    VarSnapshot::ChangedCells(changed_cells(machine, a, b))
                }
                _ => VarSnapshot::Value(machine.format_value(value)),
            });
            last_boards.push(board);
        }
        self.last_boards = last_boards;
        self.iterations.push(iteration);
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
