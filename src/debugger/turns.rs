//! The rounds of a loop that changes the variables it is bound to, from its first round on: what they were when each
//! round began, and what the loop's test said. Nothing here knows a language.

use crate::code::{Function, Instr, Local, Seen, StopKind};
use crate::machine::{Machine, Watch};
use crate::source::Span;
use crate::value::{Grid, Value};
use std::ops::Range;
use std::rc::Rc;

/// A loop in the code of a function: its first instruction, where its rounds begin, and the one past its last.
#[derive(Clone, PartialEq, Debug)]
pub struct Looped {
    /// The text of the function: its number may differ from one program to the next.
    pub whole: Span,
    pub code: Range<u32>,
    /// Its keyword and its test, as they are written.
    pub head: Span,
}

impl Looped {
    /// The innermost loop around an instruction that has rounds and variables of its own.
    pub fn around(function: &Function, pc: u32) -> Option<Looped> {
        let loops = function
            .stops
            .iter()
            .filter(|s| s.kind == StopKind::Round && s.pc <= pc);
        let found = loops
            .filter_map(|s| Looped::at(function, s.pc))
            .filter(|l| l.code.contains(&pc));
        found.max_by_key(|l| l.code.start)
    }

    fn at(function: &Function, top: u32) -> Option<Looped> {
        let stop = function
            .stop_at(top)
            .filter(|s| s.kind == StopKind::Round)?;
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
            others.into_iter().any(|o| o.from <= top && top < o.to)
        };
        let bound = function.locals.iter().any(|l| l.from == top && hidden(l));
        bound.then_some(Looped {
            whole: function.span,
            code: top..back + 1,
            head: stop.span,
        })
    }
}

/// A variable when a round began.
#[derive(Clone, Debug)]
pub enum Shown {
    Text(String),
    /// A board of which only some cells differ from the round before: row and column from 0, and what is there now.
    Changed(Vec<(u32, u32, String)>),
}

#[derive(Clone, Debug, Default)]
pub struct Turn {
    pub variables: Vec<Shown>,
    /// Parts of the test, with their values.
    pub parts: Vec<(Span, String)>,
    /// Whether the round was gone through, as far as is known.
    pub goes_on: Option<bool>,
    pub time: u64,
}

/// The rounds of one loop.
#[derive(Clone, Debug)]
pub struct Table {
    pub of: Looped,
    pub names: Vec<String>,
    pub turns: Vec<Turn>,
    pub more: usize,
    depth: usize,
    boards: Vec<Option<Rc<Grid>>>,
    /// Whether the loop has been left.
    pub over: bool,
}

/// Watches for rounds, in one frame or wherever they are.
pub struct Turns {
    /// Only in the frame of this depth.
    pub depth: Option<usize>,
    /// Only of this loop.
    pub of: Option<Looped>,
    /// The table that is asked for goes on at this time, or begins later.
    pub from: u64,
    pub until: u64,
    pub tables: Vec<Table>,
    previous: Option<(usize, u32)>,
}

/// More rounds than this nobody reads, and more loops neither.
const MOST_TURNS: usize = 2_000;
const MOST_TABLES: usize = 3;

impl Turns {
    pub fn new(from: u64, until: u64) -> Turns {
        Turns {
            depth: None,
            of: None,
            from,
            until,
            tables: Vec::new(),
            previous: None,
        }
    }

    /// The table that goes on.
    fn open(&mut self) -> Option<&mut Table> {
        self.tables.last_mut().filter(|t| !t.over)
    }

    /// Ends the table if its loop has been left; says whether that is the end of all.
    fn leave(&mut self, machine: &Machine, function: &Function, pc: u32) -> bool {
        let (time, depth) = (machine.time(), machine.frames().len());
        let (from, wanted) = (self.from, self.of.is_some());
        let Some(table) = self.open() else {
            return false;
        };
        let inside = depth > table.depth
            || depth == table.depth
                && function.span == table.of.whole
                && table.of.code.contains(&pc);
        if inside {
            return false;
        }
        table.over = true;
        if let Some(turn) = table.turns.last_mut() {
            turn.goes_on = Some(false);
        }
        if time <= from {
            // It was over before: another one was meant.
            self.tables.pop();
            return false;
        }
        wanted || self.tables.len() >= MOST_TABLES
    }

    fn begin(&mut self, machine: &Machine, function: &Function, pc: u32) {
        let depth = machine.frames().len();
        if self.depth.is_some_and(|d| d != depth) {
            return;
        }
        let Some(of) =
            Looped::at(function, pc).filter(|l| self.of.as_ref().is_none_or(|of| of == l))
        else {
            return;
        };
        if self
            .open()
            .is_some_and(|t| (t.depth, &t.of) != (depth, &of))
        {
            // A loop inside of the one that is told.
            return;
        }
        if self.open().is_none() {
            let names = function
                .locals
                .iter()
                .filter(|l| l.from == pc)
                .map(|l| l.name.to_string())
                .collect();
            let (turns, boards) = (Vec::new(), Vec::new());
            self.tables.push(Table {
                of,
                names,
                turns,
                more: 0,
                depth,
                boards,
                over: false,
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
        let head = table.of.head;
        let Some(turn) = table.turns.last_mut() else {
            return;
        };
        let registers = machine.registers(depth - 1);
        for note in function
            .notes
            .iter()
            .filter(|n| n.pc == pc && n.after == after && head.contains(n.span))
        {
            let value = match note.seen {
                Seen::Register(r) => registers.get(r as usize).copied(),
                Seen::Test { if_taken } => jumped.map(|taken| Value::bool(taken == if_taken)),
                _ => None,
            };
            if let Some(value) = value {
                turn.parts.push((note.span, written(machine, value)));
            }
        }
    }
}

impl Table {
    fn turn(&mut self, machine: &Machine, function: &Function, top: u32) {
        if let Some(last) = self.turns.last_mut() {
            last.goes_on = Some(true);
        }
        if self.turns.len() >= MOST_TURNS {
            self.more += 1;
            self.turns.remove(MOST_TURNS / 2);
        }
        let registers = machine.registers(machine.frames().len() - 1);
        let bound = function.locals.iter().filter(|l| l.from == top);
        let values = bound.map(|l| {
            registers
                .get(l.register as usize)
                .copied()
                .unwrap_or(Value::NOTHING)
        });
        let mut turn = Turn {
            time: machine.time(),
            ..Turn::default()
        };
        let mut boards = Vec::new();
        for (n, value) in values.enumerate() {
            let board = machine.store.heap.grid(value).cloned();
            let before = self.boards.get(n).cloned().flatten();
            turn.variables.push(match (&before, &board) {
                (Some(a), Some(b)) if (a.rows, a.cols) == (b.rows, b.cols) => {
                    Shown::Changed(changed(machine, a, b))
                }
                _ => Shown::Text(written(machine, value)),
            });
            boards.push(board);
        }
        self.boards = boards;
        self.turns.push(turn);
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

impl Watch for Turns {
    fn pauses(&mut self, machine: &Machine) -> bool {
        let depth = machine.frames().len();
        let Some((id, pc)) = machine.at().filter(|_| machine.time() < self.until) else {
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
            .stop_at(pc)
            .is_some_and(|s| s.kind == StopKind::Round)
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
    (program.write)(program, &machine.store, value, true)
}
