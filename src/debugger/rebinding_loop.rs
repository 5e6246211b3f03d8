//! The rounds of a loop that changes the variables it is bound to, from its first round on: what they were when each
//! round began, and what the loop's test said. Nothing here knows a language.

use crate::code::{Function, Instr, Local, StopKind, ValueLoc};
use crate::machine::{Machine, Observer};
use crate::source::Span;
use crate::value::{Grid, Value};
use std::ops::Range;
use std::rc::Rc;

/// A loop in the code of a function: its first instruction, where its rounds begin, and the one past its last.
#[derive(Clone, PartialEq, Debug)]
pub struct RebindingLoop {
    /// The text of the function: its number may differ from one program to the next.
    pub function_span: Span,
    pub instrs: Range<u32>,
    /// Its keyword and its test, as they are written.
    pub head: Span,
}

impl RebindingLoop {
    /// The innermost loop around an instruction that has rounds and variables of its own.
    pub fn innermost(function: &Function, pc: u32) -> Option<RebindingLoop> {
        let loops = function
            .stop_points
            .iter()
            .filter(|s| s.kind == StopKind::Iteration && s.pc <= pc);
        let found = loops
            .filter_map(|s| RebindingLoop::at(function, s.pc))
            .filter(|l| l.instrs.contains(&pc));
        found.max_by_key(|l| l.instrs.start)
    }

    fn at(function: &Function, top: u32) -> Option<RebindingLoop> {
        let stop = function
            .stop_point_at(top)
            .filter(|s| s.kind == StopKind::Iteration)?;
        let back = function
            .code
            .iter()
            .rposition(|i| matches!(i, Instr::Loop { to } if *to == top))?
            as u32;
        // They go by the names of others around; a variable that just happens to be declared there does not.
        let hidden = |l: &Local| {
            let others = function
                .locals
                .iter()
                .filter(|o| o.name == l.name && o.register != l.register);
            others
                .into_iter()
                .any(|o| o.start_pc <= top && top < o.end_pc)
        };
        let bound = function
            .locals
            .iter()
            .any(|l| l.start_pc == top && hidden(l));
        bound.then_some(RebindingLoop {
            function_span: function.span,
            instrs: top..back + 1,
            head: stop.span,
        })
    }
}

/// A variable when a round began.
#[derive(Clone, Debug)]
pub enum VarSnapshot {
    Value(String),
    /// A board of which only some cells differ from the round before: row and column from 0, and what is there now.
    ChangedCells(Vec<(u32, u32, String)>),
}

#[derive(Clone, Debug, Default)]
pub struct RebindingIteration {
    pub variables: Vec<VarSnapshot>,
    /// Parts of the test, with their values.
    pub test_values: Vec<(Span, String)>,
    /// Whether the round was gone through, as far as is known.
    pub has_run: Option<bool>,
    pub time: u64,
}

/// The rounds of one loop.
#[derive(Clone, Debug)]
pub struct RebindingLoopTrace {
    pub rebinding_loop: RebindingLoop,
    pub names: Vec<String>,
    pub iterations: Vec<RebindingIteration>,
    pub omitted: usize,
    depth: usize,
    boards: Vec<Option<Rc<Grid>>>,
    /// Whether the loop has been left.
    pub is_finished: bool,
}

/// Watches for rounds, in one frame or wherever they are.
pub struct RebindingLoopTracer {
    /// Only in the frame of this depth.
    pub depth: Option<usize>,
    /// Only of this loop.
    pub only_loop: Option<RebindingLoop>,
    /// The table that is asked for goes on at this time, or begins later.
    pub from: u64,
    pub until: u64,
    pub traces: Vec<RebindingLoopTrace>,
    previous: Option<(usize, u32)>,
}

/// More rounds than this nobody reads, and more loops neither.
const MOST_TURNS: usize = 2_000;
const MOST_TABLES: usize = 3;

impl RebindingLoopTracer {
    pub fn new(from: u64, until: u64) -> RebindingLoopTracer {
        RebindingLoopTracer {
            depth: None,
            only_loop: None,
            from,
            until,
            traces: Vec::new(),
            previous: None,
        }
    }

    /// The table that goes on.
    fn open(&mut self) -> Option<&mut RebindingLoopTrace> {
        self.traces.last_mut().filter(|t| !t.is_finished)
    }

    /// Ends the table if its loop has been left; says whether that is the end of all.
    fn leave(&mut self, machine: &Machine, function: &Function, pc: u32) -> bool {
        let (time, depth) = (machine.time(), machine.frames().len());
        let (from, wanted) = (self.from, self.only_loop.is_some());
        let Some(table) = self.open() else {
            return false;
        };
        let inside = depth > table.depth
            || depth == table.depth
                && function.span == table.rebinding_loop.function_span
                && table.rebinding_loop.instrs.contains(&pc);
        if inside {
            return false;
        }
        table.is_finished = true;
        if let Some(turn) = table.iterations.last_mut() {
            turn.has_run = Some(false);
        }
        if time <= from {
            // It was over before: another one was meant.
            self.traces.pop();
            return false;
        }
        wanted || self.traces.len() >= MOST_TABLES
    }

    fn begin(&mut self, machine: &Machine, function: &Function, pc: u32) {
        let depth = machine.frames().len();
        if self.depth.is_some_and(|d| d != depth) {
            return;
        }
        let Some(of) = RebindingLoop::at(function, pc)
            .filter(|l| self.only_loop.as_ref().is_none_or(|of| of == l))
        else {
            return;
        };
        if self
            .open()
            .is_some_and(|t| (t.depth, &t.rebinding_loop) != (depth, &of))
        {
            // A loop inside of the one that is told.
            return;
        }
        if self.open().is_none() {
            let names = function
                .locals
                .iter()
                .filter(|l| l.start_pc == pc)
                .map(|l| l.name.to_string())
                .collect();
            let (turns, boards) = (Vec::new(), Vec::new());
            self.traces.push(RebindingLoopTrace {
                rebinding_loop: of,
                names,
                iterations: turns,
                omitted: 0,
                depth,
                boards,
                is_finished: false,
            });
        }
        if let Some(table) = self.open() {
            table.turn(machine, function, pc);
        }
    }

    fn see(
        &mut self,
        machine: &Machine,
        function: &Function,
        pc: u32,
        after: bool,
        jumped: Option<bool>,
    ) {
        let depth = machine.frames().len();
        let Some(table) = self.open().filter(|t| t.depth == depth) else {
            return;
        };
        let head = table.rebinding_loop.head;
        let Some(turn) = table.iterations.last_mut() else {
            return;
        };
        let registers = machine.registers(depth - 1);
        for note in function
            .value_infos
            .iter()
            .filter(|n| n.pc == pc && n.after == after && head.contains(n.span))
        {
            let value = match note.loc {
                ValueLoc::Register(r) => registers.get(r as usize).copied(),
                ValueLoc::JumpTest { if_taken } => {
                    jumped.map(|taken| Value::bool(taken == if_taken))
                }
                _ => None,
            };
            if let Some(value) = value {
                turn.test_values.push((note.span, written(machine, value)));
            }
        }
    }
}

impl RebindingLoopTrace {
    fn turn(&mut self, machine: &Machine, function: &Function, top: u32) {
        if let Some(last) = self.iterations.last_mut() {
            last.has_run = Some(true);
        }
        if self.iterations.len() >= MOST_TURNS {
            self.omitted += 1;
            self.iterations.remove(MOST_TURNS / 2);
        }
        let registers = machine.registers(machine.frames().len() - 1);
        let bound = function.locals.iter().filter(|l| l.start_pc == top);
        let values = bound.map(|l| {
            registers
                .get(l.register as usize)
                .copied()
                .unwrap_or(Value::NOTHING)
        });
        let mut turn = RebindingIteration {
            time: machine.time(),
            ..RebindingIteration::default()
        };
        let mut boards = Vec::new();
        for (n, value) in values.enumerate() {
            let board = machine.store.heap.grid(value).cloned();
            let before = self.boards.get(n).cloned().flatten();
            turn.variables.push(match (&before, &board) {
                (Some(a), Some(b)) if (a.rows, a.cols) == (b.rows, b.cols) => {
                    VarSnapshot::ChangedCells(changed(machine, a, b))
                }
                _ => VarSnapshot::Value(written(machine, value)),
            });
            boards.push(board);
        }
        self.boards = boards;
        self.iterations.push(turn);
    }
}

fn changed(machine: &Machine, before: &Grid, now: &Grid) -> Vec<(u32, u32, String)> {
    let cells = before
        .cells
        .iter()
        .zip(&now.cells)
        .enumerate()
        .filter(|(_, (a, b))| a != b);
    cells
        .map(|(n, (_, b))| {
            (
                n as u32 / now.cols,
                n as u32 % now.cols,
                written(machine, *b),
            )
        })
        .collect()
}

impl Observer for RebindingLoopTracer {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let depth = machine.frames().len();
        let Some((id, pc)) = machine
            .current_location()
            .filter(|_| machine.time() < self.until)
        else {
            return true;
        };
        let Some(function) = machine.function(id).cloned() else {
            return true;
        };
        if let Some((at, old)) = self.previous.take()
            && at == depth
        {
            let jumped = function
                .code
                .get(old as usize)
                .and_then(|i| i.target())
                .map(|to| to == pc && to != old + 1);
            self.see(machine, &function, old, true, jumped);
        }
        if self.leave(machine, &function, pc) {
            return true;
        }
        if self.depth.is_some_and(|d| depth < d) {
            return true;
        }
        if function
            .stop_point_at(pc)
            .is_some_and(|s| s.kind == StopKind::Iteration)
        {
            self.begin(machine, &function, pc);
        }
        self.see(machine, &function, pc, false, None);
        self.previous = Some((depth, pc));
        false
    }
}

fn written(machine: &Machine, value: Value) -> String {
    let program = machine.program();
    (program.format_value)(program, &machine.store, value, true)
}
