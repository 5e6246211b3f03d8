//! Records a loop that assigns variables: the values of its variables and expressions in each
//! iteration.

use super::{Iteration, LoopTrace, VarSnapshot};
use crate::answer::{LoopResult, LoopStyle};
use crate::code::{Function, Local};
use crate::debugger::recorder::{
    Frames, Interest, LoopInfo, Moment, Results, Sink, ValueRecorder, find_loops,
};
use crate::machine::Machine;
use crate::source::Span;
use crate::value::{InternedStr, Value};
use std::ops::ControlFlow;
use std::rc::Rc;

/// Records a loop in one frame, from its head until it ends.
pub struct AssigningLoopTracer {
    function: Rc<Function>,
    loop_info: LoopInfo,
    /// The stack depth at which the frame is on top.
    depth: usize,
    /// Recording stops at this time.
    until: u64,
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

impl AssigningLoopTracer {
    /// Records the iterations of the loop from now on.
    pub fn new(
        function: &Rc<Function>,
        loop_info: LoopInfo,
        depth: usize,
        until: u64,
    ) -> AssigningLoopTracer {
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
        AssigningLoopTracer {
            function: function.clone(),
            loop_info,
            depth,
            until,
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
    fn capture_variables(&mut self, machine: &Machine, function: &Function, pc: u32) {
        self.variables.clear();
        let registers = machine.registers(self.depth - 1);
        for local in function.locals_at(pc) {
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

    fn begin_iteration(&mut self, machine: &Machine) {
        // Samples of the current instruction belong to the new iteration.
        let before = self.recorder.as_ref().map_or(0, |r| r.samples_before);
        if self.iteration_start.is_some() {
            self.end_iteration(machine, before);
        } else {
            let mut variables = self.format_variables(machine);
            variables.retain(|(name, _)| !self.declared.contains(name));
            self.trace.initial_variables = variables;
            self.samples_used = before;
        }
        self.iteration_start = Some(machine.time());
        self.has_passed_stop = false;
    }

    /// Ends the current iteration with the samples before index `end`.
    fn end_iteration(&mut self, machine: &Machine, end: usize) {
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
        let is_final_test = self.loop_info.has_leading_test() && !self.has_passed_stop;
        let variables = self.format_variables(machine);
        self.trace.iterations.push(Iteration {
            variables,
            values,
            time,
            is_final_test,
        });
    }

    /// Ends the recording.
    fn close(&mut self, machine: &Machine, result: LoopResult) {
        let sample_count = self.recorder.as_ref().map_or(0, |r| r.samples.len());
        self.end_iteration(machine, sample_count);
        self.trace.result = result;
    }

    /// Ends the recording if the loop has ended. Returns false if it is still running.
    fn close_if_left(&mut self, moment: &Moment<'_>) -> bool {
        let machine = moment.machine;
        if !Rc::ptr_eq(moment.function, &self.function) {
            self.close(machine, LoopResult::Early);
            return true;
        }
        if self.loop_info.contains(moment.pc) || self.iteration_start.is_none() {
            return false;
        }
        // The result of the last instruction still belongs to the loop.
        let sample_count = self.recorder.as_mut().map(|recorder| {
            let _ = recorder.on_instruction(moment);
            recorder.samples_before
        });
        self.end_iteration(machine, sample_count.unwrap_or(0));
        self.close(machine, LoopResult::Completed);
        true
    }
}

/// Whether a variable is declared by the loop itself, not just before it.
fn is_declared_by(local: &Local, loop_info: &LoopInfo) -> bool {
    (loop_info.start..loop_info.end).contains(&local.start_pc)
        && (local.start_pc > loop_info.start || local.end_pc <= loop_info.end)
}

impl Sink for AssigningLoopTracer {
    fn interest(&self) -> Interest {
        Interest {
            frames: Frames::Only(self.depth),
            until: self.until,
            results: Results::WithCalls,
        }
    }

    fn on_instruction(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        if self.close_if_left(moment) {
            return ControlFlow::Break(());
        }
        let Moment {
            machine,
            function,
            pc,
            ..
        } = *moment;
        let is_first = self.recorder.is_none();
        let recorder = self.recorder.get_or_insert_with(|| {
            let mut recorder = ValueRecorder::new(machine);
            recorder.ignores_stops = true;
            recorder
        });
        let _ = recorder.on_instruction(moment);
        if is_first {
            self.capture_variables(machine, function, pc);
        }
        if pc == self.loop_info.iteration_start {
            self.begin_iteration(machine);
        }
        self.has_passed_stop |=
            pc > self.loop_info.iteration_start && function.stop_point_at(pc).is_some();
        self.capture_variables(machine, function, pc);
        match self.trace.iterations.len() > MAX_ITERATIONS {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn on_leave(&mut self, machine: &Machine) -> ControlFlow<()> {
        self.close(machine, LoopResult::Early);
        ControlFlow::Break(())
    }

    fn on_end(&mut self, machine: &Machine, moment: Option<&Moment<'_>>) {
        if !moment.is_some_and(|moment| self.close_if_left(moment)) {
            self.close(machine, LoopResult::Running);
        }
    }
}
