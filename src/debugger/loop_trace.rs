//! The rounds of a loop: what its variables and the parts of its text were in each.

use super::loop_info::{LoopInfo, find_loops};
use super::value_recorder::ValueRecorder;
use crate::code::{Function, Instr, Local};
use crate::machine::{Frame, Machine, Observer};
use crate::source::Span;
use crate::value::{InternedStr, Value};
use std::rc::Rc;

/// What was seen in one round: the values of variables at its end, and of parts of the text.
#[derive(Clone, Default, Debug)]
pub struct Iteration {
    pub variables: Vec<(String, String)>,
    pub values: Vec<(Span, String)>,
    /// When it began.
    pub time: u64,
    /// Only the test was made, and it was false.
    pub is_final_test: bool,
}

/// How a loop came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopExit {
    /// It has not.
    Running,
    Completed,
    /// From its midst, by a return.
    Early,
}

/// Watches a loop in one frame from its head on, until it is left.
pub struct LoopTrace {
    function: Rc<Function>,
    cycle: LoopInfo,
    depth: usize,
    /// Further than this is not looked.
    until: u64,
    inner: Option<ValueRecorder>,
    /// Loops inside this one: what is seen in them belongs to their own rounds.
    nested: Vec<Span>,
    /// Variables of the whole program that the loop sets.
    globals: Vec<u32>,
    /// Variables of its own: what lies in their registers before the first round is not theirs.
    own: Vec<InternedStr>,
    pub iterations: Vec<Iteration>,
    /// The variables before the first round.
    pub initial_variables: Vec<(String, String)>,
    pub exit: LoopExit,
    /// The variables at the last instruction.
    values: Vec<(InternedStr, Value)>,
    /// How much of what was seen belongs to the rounds before.
    taken: usize,
    /// When the round going on began.
    began: Option<u64>,
    /// Whether a stop inside the loop was passed in this round.
    passed: bool,
}

/// More rounds than this nobody reads.
const MOST: usize = 100_000;

impl LoopTrace {
    pub fn new(function: &Rc<Function>, cycle: LoopInfo, depth: usize, until: u64) -> LoopTrace {
        let inside = |c: &LoopInfo| {
            c.head.pc != cycle.head.pc && c.start >= cycle.start && c.end <= cycle.end
        };
        let code = function
            .code
            .get(cycle.start as usize..cycle.end as usize)
            .unwrap_or_default();
        let mut globals: Vec<u32> = code.iter().filter_map(Instr::global_written).collect();
        globals.sort_unstable();
        globals.dedup();
        LoopTrace {
            function: function.clone(),
            cycle,
            depth,
            until,
            inner: None,
            nested: find_loops(function)
                .iter()
                .filter(|c| inside(c))
                .map(|c| c.head.span)
                .collect(),
            globals,
            own: function
                .locals
                .iter()
                .filter(|l| is_own(l, &cycle))
                .map(|l| l.name)
                .collect(),
            iterations: Vec::new(),
            initial_variables: Vec::new(),
            exit: LoopExit::Running,
            values: Vec::new(),
            taken: 0,
            began: None,
            passed: false,
        }
    }

    /// Keeps the values of this instant; they are written out only if the round ends with them.
    fn keep_values(&mut self, machine: &Machine, function: &Function, pc: u32) {
        self.values.clear();
        let registers = machine.registers(self.depth - 1);
        for local in function.locals_at(pc) {
            if let Some(value) = registers
                .get(local.register as usize)
                .filter(|v| **v != Value::NOTHING)
            {
                self.values.push((local.name, *value));
            }
        }
        for &g in &self.globals {
            let name = machine.program().globals.get(g as usize).map(|g| g.name);
            let own = name.filter(|n| !n.as_str().starts_with('@'));
            self.values
                .extend(own.zip(machine.store.globals.get(g as usize).copied()));
        }
    }

    fn written(&self, machine: &Machine) -> Vec<(String, String)> {
        let program = machine.program();
        let written = |value: Value| match value.as_piece() {
            // Which piece it is says more than what kind.
            Some(p) => {
                let (row, col) = machine.store.row_col(p.cell);
                program.board_info.format_cell(row.into(), col.into())
            }
            None => (program.format_value)(program, &machine.store, value, true),
        };
        self.values
            .iter()
            .map(|(name, value)| (name.to_string(), written(*value)))
            .collect()
    }

    fn begin_round(&mut self, machine: &Machine) {
        // What is seen of the instruction at hand belongs to the new round.
        let before = self.inner.as_ref().map_or(0, |i| i.samples_before);
        if self.began.is_some() {
            self.end_round(machine, before);
        } else {
            self.initial_variables = self.written(machine);
            self.initial_variables
                .retain(|(name, _)| !self.own.iter().any(|own| own.as_str() == name));
            self.taken = before;
        }
        self.began = Some(machine.time());
        self.passed = false;
    }

    /// The round going on ends, with as much as was seen until then.
    fn end_round(&mut self, machine: &Machine, until: usize) {
        let Some(time) = self.began.take() else {
            return;
        };
        let seen = self.inner.as_ref().map_or(&[][..], |i| &i.samples);
        let mine = seen.get(self.taken..until).unwrap_or_default().iter();
        self.taken = until;
        let own = mine.filter(|s| !self.nested.iter().any(|n| n.contains(s.span)));
        let seen = own.map(|s| (s.span, s.text.clone())).collect();
        let only_test = self.cycle.has_leading_test() && !self.passed;
        self.iterations.push(Iteration {
            variables: self.written(machine),
            values: seen,
            time,
            is_final_test: only_test,
        });
    }

    fn close(&mut self, machine: &Machine, how: LoopExit) -> bool {
        let all = self.inner.as_ref().map_or(0, |i| i.samples.len());
        self.end_round(machine, all);
        self.exit = how;
        true
    }
}

/// Whether a variable is the loop's own, and not one that is declared just before it.
fn is_own(local: &Local, cycle: &LoopInfo) -> bool {
    (cycle.start..cycle.end).contains(&local.start_pc)
        && (local.start_pc > cycle.start || local.end_pc <= cycle.end)
}

impl Observer for LoopTrace {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let frames = machine.frames();
        let late = machine.time() >= self.until;
        if frames.len() > self.depth {
            return late && self.close(machine, LoopExit::Running);
        }
        let own = |f: &&Frame| {
            frames.len() == self.depth && machine.is_same_function(f.function, &self.function)
        };
        let Some(top) = frames.last().filter(own) else {
            return self.close(machine, LoopExit::Early);
        };
        let (function, pc) = (self.function.clone(), top.pc);
        if !self.cycle.contains(pc) && self.began.is_some() {
            // What the last instruction of the loop came to is still its own.
            let seen = self.inner.as_mut().map(|inner| {
                inner.should_pause(machine);
                inner.samples_before
            });
            self.end_round(machine, seen.unwrap_or(0));
            return self.close(machine, LoopExit::Completed);
        }
        if late {
            return self.close(machine, LoopExit::Running);
        }
        let first = self.inner.is_none();
        let inner = self.inner.get_or_insert_with(|| {
            let mut collector = ValueRecorder::new(machine);
            collector.ignores_stops = true;
            collector
        });
        inner.should_pause(machine);
        if first {
            self.keep_values(machine, &function, pc);
        }
        if pc == self.cycle.iteration_start {
            self.begin_round(machine);
        }
        self.passed |= pc > self.cycle.iteration_start && function.stop_point_at(pc).is_some();
        self.keep_values(machine, &function, pc);
        self.iterations.len() > MOST
    }
}
