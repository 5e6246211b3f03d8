//! Records a loop that assigns variables: the values of its variables and expressions in each
//! iteration.

use super::{Iteration, LoopTrace, VarSnapshot};
use crate::answer::{LoopResult, LoopStyle};
use crate::code::Local;
use crate::debugger::recorder::{
    FrameLoop, LoopConsumer, LoopEvent, LoopInfo, Moment, Results, Sink, ValueRecorder, find_loops,
};
use crate::machine::Machine;
use crate::source::Span;
use crate::value::{InternedStr, Value};
use std::ops::ControlFlow;

/// Records a loop in one frame, until it ends.
pub struct AssigningLoop {
    recorder: Option<ValueRecorder>,
    /// The heads of nested loops. Values inside them belong to their own iterations.
    nested: Vec<Span>,
    /// Global variables that the loop assigns.
    globals: Vec<u32>,
    /// Variables declared by the loop. Their registers hold unrelated values before the first
    /// iteration.
    declared: Vec<InternedStr>,
    /// The iterations, up to `MAX_ITERATIONS`. The last may be only a final test.
    pub trace: LoopTrace,
    /// The variables at the last instruction observed.
    variables: Vec<(InternedStr, Value)>,
    /// The number of samples that belong to finished iterations.
    samples_used: usize,
    /// When the current iteration started.
    iteration_start: Option<u64>,
    /// Whether a stop point inside the loop was passed in this iteration.
    has_passed_stop: bool,
}

/// Recording stops after this many iterations.
const MAX_ITERATIONS: usize = 100_000;

impl AssigningLoop {
    /// Records the iterations of the loop from now on.
    pub fn new(of: &FrameLoop) -> AssigningLoop {
        let (function, loop_info) = (&of.function, of.loop_info);
        let is_nested = |l: &LoopInfo| {
            l.head.pc != loop_info.head.pc && l.start >= loop_info.start && l.end <= loop_info.end
        };
        let code = function
            .code
            .get(loop_info.start as usize..loop_info.end as usize)
            .unwrap_or_default();
        let mut globals: Vec<u32> = code
            .iter()
            .filter_map(|instr| instr.flow().global_written())
            .collect();
        globals.sort_unstable();
        globals.dedup();
        AssigningLoop {
            recorder: None,
            nested: find_loops(function)
                .iter()
                .filter(|l| is_nested(l))
                .map(|l| l.head.span)
                .collect(),
            globals,
            declared: function
                .locals
                .iter()
                .filter(|l| is_declared_by(l, &loop_info))
                .map(|l| l.name)
                .collect(),
            trace: LoopTrace::new(LoopStyle::Assigning, function.name, loop_info.head.span),
            variables: Vec::new(),
            samples_used: 0,
            iteration_start: None,
            has_passed_stop: false,
        }
    }

    /// Captures the current values of the variables. They are formatted only if the iteration ends
    /// with them.
    fn capture_variables(&mut self, moment: &Moment<'_>) {
        let machine = moment.machine;
        self.variables.clear();
        let registers = machine.registers(moment.depth - 1);
        for local in moment.function.locals_at(moment.pc) {
            if let Some(value) = registers
                .get(local.register as usize)
                .filter(|v| **v != Value::NOTHING)
            {
                self.variables.push((local.name, *value));
            }
        }
        for &g in &self.globals {
            let name = machine.program().globals.get(g as usize).map(|g| g.name);
            let visible_name = name.filter(|n| !n.as_str().starts_with('@'));
            self.variables
                .extend(visible_name.zip(machine.store.globals.get(g as usize).copied()));
        }
    }

    fn format_variables(&self, machine: &Machine) -> Vec<(InternedStr, VarSnapshot)> {
        let format_variable = |value: Value| match value.as_piece() {
            // The cell says more than the kind of the piece.
            Some(p) => {
                let (row, col) = machine.store.row_col(p.cell);
                machine
                    .program()
                    .board_info
                    .format_cell(row.into(), col.into())
            }
            None => machine.format_value(value),
        };
        self.variables
            .iter()
            .map(|(name, value)| (*name, VarSnapshot::Value(format_variable(*value))))
            .collect()
    }

    /// The number of samples before those of the current instruction.
    fn samples_before(&self) -> usize {
        self.recorder.as_ref().map_or(0, |r| r.samples_before)
    }

    /// Ends the current iteration with the samples before index `end`.
    fn end_iteration(&mut self, of: &FrameLoop, machine: &Machine, end: usize) {
        let Some(time) = self.iteration_start.take() else {
            return;
        };
        let samples = self.recorder.as_ref().map_or(&[][..], |r| &r.samples);
        let current = samples
            .get(self.samples_used..end)
            .unwrap_or_default()
            .iter();
        self.samples_used = end;
        let samples = current.filter(|s| !self.nested.iter().any(|n| n.contains(s.span)));
        let values = samples.map(|s| (s.span, s.text.clone())).collect();
        let is_final_test = of.loop_info.has_leading_test() && !self.has_passed_stop;
        let variables = self.format_variables(machine);
        self.trace.iterations.push(Iteration {
            variables,
            values,
            time,
            is_final_test,
        });
    }
}

/// Whether a variable is declared by the loop itself, not just before it.
fn is_declared_by(local: &Local, loop_info: &LoopInfo) -> bool {
    (loop_info.start..loop_info.end).contains(&local.start_pc)
        && (local.start_pc > loop_info.start || local.end_pc <= loop_info.end)
}

impl LoopConsumer for AssigningLoop {
    const RESULTS: Results = Results::WithCalls;

    fn before_events(&mut self, _of: &FrameLoop, moment: &Moment<'_>) {
        let is_first = self.recorder.is_none();
        let recorder = self.recorder.get_or_insert_with(|| {
            let mut recorder = ValueRecorder::new(moment.machine);
            recorder.ignores_stops = true;
            recorder
        });
        let _ = recorder.on_instruction(moment);
        if is_first {
            self.capture_variables(moment);
        }
    }

    fn on_event(&mut self, event: LoopEvent, of: &FrameLoop, machine: &Machine) -> ControlFlow<()> {
        // Samples of the current instruction do not belong to the iteration that ends.
        let before = self.samples_before();
        let sample_count = self.recorder.as_ref().map_or(0, |r| r.samples.len());
        match event {
            LoopEvent::Entered => {
                let mut variables = self.format_variables(machine);
                variables.retain(|(name, _)| !self.declared.contains(name));
                self.trace.initial_variables = variables;
                self.samples_used = before;
            }
            LoopEvent::IterationStarted => {
                self.end_iteration(of, machine, before);
                self.iteration_start = Some(machine.time());
                self.has_passed_stop = false;
                if self.trace.iterations.len() > MAX_ITERATIONS {
                    return ControlFlow::Break(());
                }
            }
            LoopEvent::Left(result) => {
                let is_in_frame = result == LoopResult::Completed;
                let end = if is_in_frame { before } else { sample_count };
                self.end_iteration(of, machine, end);
                self.trace.result = result;
                return ControlFlow::Break(());
            }
            LoopEvent::Stopped => self.end_iteration(of, machine, sample_count),
        }
        ControlFlow::Continue(())
    }

    fn after_events(&mut self, of: &FrameLoop, moment: &Moment<'_>) {
        let pc = moment.pc;
        self.has_passed_stop |=
            pc > of.loop_info.iteration_start && moment.function.stop_point_at(pc).is_some();
        self.capture_variables(moment);
    }
}
