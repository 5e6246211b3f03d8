//! Finds loops over the board whose iterations can be reused when they are run again.
//!
//! A *unit* is one iteration of a loop over numbers that contains a loop itself, or one row of a loop
//! over the whole board. It is found only if everything that it depends on is known from its code:
//! registers, globals, and the cells of rows or columns at a fixed distance from its own number. All
//! that a unit does is set registers and globals.
//!
//! - `dependence` finds the registers and globals that a unit depends on and sets,
//! - `reach` finds the rows and columns that it reads.
//!
//! Both follow from the table in [`flow`](super::flow). The set of instructions in a unit is closed: an
//! instruction that is not listed here makes the analysis refuse the loop.

mod dependence;
mod reach;

use super::flow::{Flow, Summary};
use super::{Function, FunctionId, FunctionKind, Instr, Program, Reg};
use std::collections::BTreeSet;

/// Functions with more registers are not analyzed: sets of registers are single words.
const MAX_REGISTERS: u16 = 64;
/// A unit uses at most this many globals, for the same reason.
const MAX_GLOBALS: usize = 64;

/// What one unit of a loop is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnitKind {
    /// One iteration of a loop over numbers.
    Range,
    /// One row of a loop over the contents of all cells.
    Pieces,
    /// One row of a loop over the coordinates of all cells.
    Cells,
}

/// Registers and globals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Slots {
    /// Registers of the frame.
    pub registers: Vec<Reg>,
    /// Indices of globals.
    pub globals: Vec<u32>,
}

impl Slots {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.registers.len() + self.globals.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An interval of distances from the number of a unit, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offsets {
    /// The lowest.
    pub from: i32,
    /// The highest.
    pub to: i32,
}

/// The rows and columns of the board that a unit reads; together they contain all cells that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// Rows, relative to the number of the unit.
    pub rows: Option<Offsets>,
    /// Columns, relative to the number of the unit.
    pub cols: Option<Offsets>,
}

/// A loop whose units can be reused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// What one unit is. Its number is the number of the iteration or row.
    pub kind: UnitKind,
    /// The first register of the loop.
    pub base: Reg,
    /// The first instruction of the body. A unit starts before it.
    pub head: u32,
    /// The instruction that ends an iteration. A unit ends before it.
    pub next: u32,
    /// What the unit depends on, apart from the board. Includes what it may but need not set, because
    /// that keeps its old value.
    pub inputs: Slots,
    /// Everything that it may set, except for counters.
    pub outputs: Slots,
    /// Registers that it only increases or only decreases, by constants: by how much does not depend on
    /// their value.
    pub counters: Vec<Reg>,
    /// The cells that it reads.
    pub reach: Reach,
    /// How deep calls are nested in it.
    pub call_depth: u32,
    /// The number of registers after the frame's first that its calls may use.
    pub call_registers: u32,
    /// Whether the last iteration is fixed while it runs.
    pub has_fixed_end: bool,
}

/// A function whose code has instructions that reuse units of its loops.
#[derive(Clone, Debug)]
pub struct IncrementalCode {
    /// As long as the original code, with the same instructions except for the first and last of each
    /// reusable loop.
    pub code: Box<[Instr]>,
    /// The loops; instructions refer to them by index.
    pub units: Vec<Unit>,
    /// The functions that are called in units, directly or indirectly.
    pub callees: BTreeSet<FunctionId>,
}

/// A loop that may turn out to be a unit: its instructions.
#[derive(Clone, Copy)]
struct Region {
    kind: UnitKind,
    base: Reg,
    head: u32,
    next: u32,
}

impl Region {
    /// The loop that starts at an instruction, if it is one of the kinds that have units.
    fn starting_at(function: &Function, pc: u32) -> Option<Region> {
        let (kind, base, end) = match *function.code.get(pc as usize)? {
            Instr::RangeStart { base, to } => (UnitKind::Range, base, to),
            Instr::PiecesStart { base, to } => (UnitKind::Pieces, base, to),
            Instr::CellsStart { base, to } => (UnitKind::Cells, base, to),
            _ => return None,
        };
        let (head, next) = (pc + 1, end.checked_sub(1)?);
        let expected = match kind {
            UnitKind::Range => Instr::RangeNext { base, to: head },
            UnitKind::Pieces => Instr::RowNext { base, to: head },
            UnitKind::Cells => Instr::CellsNext { base, to: head },
        };
        let is_loop = head < next && function.code.get(next as usize) == Some(&expected);
        is_loop.then_some(Region {
            kind,
            base,
            head,
            next,
        })
    }

    /// Whether its last instruction is executed inside of a unit: between two cells of a row.
    fn repeats_inside(self) -> bool {
        self.kind != UnitKind::Range
    }

    /// The instructions that are executed inside of a unit.
    fn instructions(self) -> std::ops::Range<u32> {
        self.head..self.next + self.repeats_inside() as u32
    }

    /// Where a unit may continue after one of its instructions. `None` where it ends or leaves the
    /// function; the flag says whether it jumps there.
    fn successors<'f>(
        self,
        function: &'f Function,
        pc: u32,
    ) -> impl Iterator<Item = (u32, Edge)> + 'f {
        let flow = function.code[pc as usize].flow();
        let successors = function.successors(pc).into_iter();
        successors
            .filter(move |to| (self.head..=self.next).contains(to))
            .map(move |to| (to, Edge::of(&flow, pc, to)))
    }

    /// Whether all its instructions may be part of a unit, and no jump leaves it.
    fn is_closed(self, function: &Function) -> bool {
        self.instructions().all(|pc| {
            let is_own_end = pc == self.next;
            let stays = |to: u32| (self.head..=self.next).contains(&to) || is_own_end;
            (is_own_end || is_allowed(function.code[pc as usize]))
                && function.successors(pc).into_iter().all(stays)
        })
    }

    /// Whether a unit contains a loop, so that reusing it can pay.
    fn contains_loop(self, function: &Function) -> bool {
        self.repeats_inside()
            || self
                .instructions()
                .any(|pc| function.successors(pc).into_iter().any(|to| to <= pc))
    }
}

/// How execution gets from an instruction to the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Jump,
    Next,
    /// Both ways lead to the same instruction.
    Either,
}

impl Edge {
    fn of(flow: &Flow, pc: u32, to: u32) -> Edge {
        match (
            flow.jump_target() == Some(to),
            flow.continues() && to == pc + 1,
        ) {
            (true, false) => Edge::Jump,
            (false, true) => Edge::Next,
            _ => Edge::Either,
        }
    }
}

/// The instructions that may be part of a unit: they set registers and globals, read the board, and
/// depend on nothing else, as long as no value is on the heap.
fn is_allowed(instr: Instr) -> bool {
    use Instr::*;
    match instr {
        Constant { .. }
        | Int { .. }
        | Move { .. }
        | Copy { .. }
        | GetGlobal { .. }
        | GetDefinedGlobal { .. }
        | SetGlobal { .. }
        | Assign { .. }
        | AssignGlobal { .. } => true,
        Add { .. }
        | Subtract { .. }
        | Multiply { .. }
        | Divide { .. }
        | Remainder { .. }
        | AddInt { .. }
        | SubtractInt { .. }
        | MultiplyInt { .. }
        | DivideInt { .. }
        | RemainderInt { .. }
        | Negate { .. }
        | ToFloat { .. } => true,
        Less { .. }
        | LessEqual { .. }
        | Equal { .. }
        | EqualAnyType { .. }
        | Not { .. }
        | NameIs { .. }
        | RequireValue { .. }
        | RequireBool { .. } => true,
        Jump { .. }
        | Loop { .. }
        | JumpIf { .. }
        | JumpUnless { .. }
        | JumpUnlessLess { .. }
        | JumpUnlessLessEqual { .. }
        | JumpUnlessEqual { .. }
        | JumpUnlessEqualAnyType { .. }
        | JumpUnlessLessInt { .. }
        | JumpUnlessGreaterInt { .. }
        | JumpUnlessEqualInt { .. }
        | JumpUnlessNameIs { .. }
        | JumpUnlessCellNameIs { .. } => true,
        RangeStart { .. }
        | RangeNext { .. }
        | RowStart { .. }
        | RowNext { .. }
        | ColumnStart { .. }
        | ColumnNext { .. }
        | NeighborsStart { .. }
        | NeighborsNext { .. }
        | NeighborCellsNext { .. } => true,
        BoardSize { .. } | Cell { .. } | PieceField { .. } => true,
        // A unit that returns does not end, so it is never reused.
        Call { .. } | Return { .. } | ReturnNothing => true,
        _ => false,
    }
}

impl IncrementalCode {
    /// Analyzes a function; `None` if it has no reusable loop.
    pub fn of(program: &Program, function: &Function) -> Option<IncrementalCode> {
        let is_run_again = match function.kind {
            FunctionKind::Function | FunctionKind::Handler | FunctionKind::Condition => true,
            FunctionKind::Setup | FunctionKind::Entry | FunctionKind::Rules => false,
        };
        if !is_run_again || function.register_count > MAX_REGISTERS {
            return None;
        }
        let mut found = IncrementalCode {
            code: Box::default(),
            units: Vec::new(),
            callees: BTreeSet::new(),
        };
        let mut pc = 0;
        while pc < function.code.len() as u32 {
            let region = Region::starting_at(function, pc);
            let unit = region.and_then(|region| found.analyze(program, function, region));
            pc = match unit {
                Some(unit) => {
                    let after = unit.next + 1;
                    found.units.push(unit);
                    after
                }
                None => pc + 1,
            };
        }
        if found.units.is_empty() || found.units.len() > u16::MAX as usize {
            return None;
        }
        found.code = found.replaced(function);
        Some(found)
    }

    /// The unit of a loop, if it has one.
    fn analyze(&mut self, program: &Program, function: &Function, region: Region) -> Option<Unit> {
        if !region.is_closed(function) || !region.contains_loop(function) {
            return None;
        }
        let callees = callees(program, function, region)?;
        let reach = reach::of(program, function, region)?;
        let dependence = dependence::of(program, function, region)?;
        let counters = dependence.counters();
        self.callees.extend(callees);
        Some(Unit {
            kind: region.kind,
            base: region.base,
            head: region.head,
            next: region.next,
            inputs: dependence.inputs(&counters),
            outputs: dependence.outputs(&counters),
            reach: reach.cells,
            call_depth: reach.call_depth,
            call_registers: reach.call_registers,
            has_fixed_end: region.kind != UnitKind::Range || !dependence.may_set(region.base + 1),
            counters,
        })
    }

    /// The code with the first and last instruction of each reusable loop replaced.
    fn replaced(&self, function: &Function) -> Box<[Instr]> {
        let mut code: Box<[Instr]> = function.code.clone().into();
        for (n, unit) in self.units.iter().enumerate() {
            let (number, base, to) = (n as u16, unit.base, unit.head);
            code[unit.head as usize - 1] = Instr::UnitsStart { unit: number };
            code[unit.next as usize] = match unit.kind {
                UnitKind::Range => Instr::UnitsRangeNext { unit: number },
                UnitKind::Pieces => Instr::UnitsPiecesNext {
                    unit: number,
                    base,
                    to,
                },
                UnitKind::Cells => Instr::UnitsCellsNext {
                    unit: number,
                    base,
                    to,
                },
            };
        }
        code
    }
}

/// The functions that a unit calls, directly or indirectly; `None` if one of them does what a unit
/// must not do.
fn callees(program: &Program, function: &Function, region: Region) -> Option<BTreeSet<FunctionId>> {
    let direct = region.instructions().flat_map(|pc| {
        let control = function.code[pc as usize].flow().control;
        program.callees(control)
    });
    let all = Summary::of(program, direct).functions;
    let is_allowed_in = |id: &FunctionId| {
        let callee = program.function(*id)?;
        callee.code.iter().all(|i| is_allowed(*i)).then_some(())
    };
    all.iter()
        .all(|id| is_allowed_in(id).is_some())
        .then_some(all)
}
