//! The rows and columns that a unit reads, by interval analysis: which registers hold a number near
//! that of the unit, and how near.

use super::{Edge, Offsets, Reach, Region, UnitKind};
use crate::code::flow::{CLEARED_BY_CALL, Control};
use crate::code::{Function, FunctionId, Instr, Program, Reg};

/// Rows and columns farther away count as anywhere.
const MAX_OFFSET: i32 = 8;
/// Calls that are nested deeper in a unit are refused.
const MAX_CALL_DEPTH: u32 = 4;
/// A unit is refused if its analysis takes more steps.
const MAX_STEPS: u32 = 20_000;

/// What a unit reads, and what its calls need.
#[derive(Default)]
pub(super) struct UnitReach {
    pub(super) cells: Reach,
    pub(super) call_depth: u32,
    pub(super) call_registers: u32,
}

/// Where a row or column is: near the number of the unit, or anywhere.
type Line = Option<Offsets>;

fn moved(line: Line, by: i64) -> Line {
    let line = line?;
    let by = i32::try_from(by)
        .ok()
        .filter(|by| (-2 * MAX_OFFSET..=2 * MAX_OFFSET).contains(by))?;
    bounded(line.from + by, line.to + by)
}

fn widened(line: Line) -> Line {
    let line = line?;
    bounded(line.from - 1, line.to + 1)
}

fn bounded(from: i32, to: i32) -> Line {
    (from >= -MAX_OFFSET && to <= MAX_OFFSET).then_some(Offsets { from, to })
}

fn joined(a: Line, b: Line) -> Line {
    let (a, b) = (a?, b?);
    bounded(a.from.min(b.from), a.to.max(b.to))
}

/// What is known of the value of a register.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    Nothing,
    /// A number near that of the unit.
    Near(Offsets),
    /// The state of a loop over cells in these rows and columns.
    Walk {
        rows: Line,
        cols: Line,
    },
}

impl Known {
    fn near(line: Line) -> Known {
        line.map_or(Known::Nothing, Known::Near)
    }

    fn line(self) -> Line {
        match self {
            Known::Near(offsets) => Some(offsets),
            Known::Nothing | Known::Walk { .. } => None,
        }
    }

    fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::Near(a), Known::Near(b)) => Known::near(joined(Some(a), Some(b))),
            (Known::Walk { rows, cols }, Known::Walk { rows: r, cols: c }) => Known::Walk {
                rows: joined(rows, r),
                cols: joined(cols, c),
            },
            _ => Known::Nothing,
        }
    }
}

type State = Vec<Known>;

/// What one run of the analysis covers: the unit itself, or a called function.
struct Scope<'f> {
    function: &'f Function,
    /// `None` in a called function.
    unit: Option<Region>,
    /// Number of calls around it.
    depth: u32,
    /// Index of its first register, counted from that of the unit's frame.
    base: u32,
}

struct Analysis<'p> {
    program: &'p Program,
    found: UnitReach,
    steps: u32,
}

/// The reach of a unit; `None` if it is unknown, or if the unit does not read the board.
pub(super) fn of(program: &Program, function: &Function, region: Region) -> Option<UnitReach> {
    let own = Offsets { from: 0, to: 0 };
    let mut state = vec![Known::Nothing; function.register_count as usize];
    let mut analysis = Analysis {
        program,
        found: UnitReach::default(),
        steps: 0,
    };
    match region.kind {
        UnitKind::Range => set(&mut state, region.base, Known::Near(own)),
        UnitKind::Cells => set(&mut state, region.base + 1, Known::Near(own)),
        UnitKind::Pieces => {}
    }
    if region.kind == UnitKind::Pieces {
        // The loop itself reads the row.
        analysis.read(Some(own), None)?;
    }
    let scope = Scope {
        function,
        unit: Some(region),
        depth: 0,
        base: 0,
    };
    analysis.run(&scope, region.head, state)?;
    let found = analysis.found;
    (found.cells != Reach::default()).then_some(found)
}

fn set(state: &mut State, register: Reg, known: Known) {
    if let Some(slot) = state.get_mut(register as usize) {
        *slot = known;
    }
}

impl Analysis<'_> {
    /// Follows all paths from an instruction, to a fixed point. Returns what is known of the returned
    /// value.
    fn run(&mut self, scope: &Scope<'_>, start: u32, entry: State) -> Option<Known> {
        let code = &scope.function.code;
        let mut before: Vec<Option<State>> = vec![None; code.len()];
        let mut returned: Option<Known> = None;
        before[start as usize] = Some(entry);
        let mut pending = vec![start];
        while let Some(pc) = pending.pop() {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return None;
            }
            let instr = code[pc as usize];
            let is_end = scope
                .unit
                .is_some_and(|unit| pc == unit.next && !unit.repeats_inside());
            let Some(state) = before[pc as usize].clone().filter(|_| !is_end) else {
                continue;
            };
            self.read_by(&state, instr, scope, pc)?;
            let result = self.result_of(&state, instr, scope)?;
            if let Control::Return = instr.flow().control {
                let value = match instr {
                    Instr::Return { src } => state.get(src as usize).copied(),
                    _ => None,
                };
                let value = value.unwrap_or(Known::Nothing);
                returned = Some(returned.map_or(value, |other| other.join(value)));
            }
            for to in scope.function.successors(pc) {
                let is_inside = scope
                    .unit
                    .is_none_or(|unit| (unit.head..=unit.next).contains(&to));
                let Some(target) = before.get_mut(to as usize).filter(|_| is_inside) else {
                    continue;
                };
                let edge = Edge::of(&instr.flow(), pc, to);
                let after = self.after(state.clone(), instr, edge, result, scope, pc);
                let new = match target.as_ref() {
                    None => after,
                    Some(old) => old.iter().zip(&after).map(|(a, b)| a.join(*b)).collect(),
                };
                if target.as_ref() != Some(&new) {
                    *target = Some(new);
                    pending.push(to);
                }
            }
        }
        Some(returned.unwrap_or(Known::Nothing))
    }

    /// Notes that cells are read; `None` if they may be anywhere.
    fn read(&mut self, row: Line, col: Line) -> Option<()> {
        let cells = &mut self.found.cells;
        let (known, offsets) = match (row, col) {
            (Some(row), _) => (&mut cells.rows, row),
            (None, Some(col)) => (&mut cells.cols, col),
            (None, None) => return None,
        };
        *known = Some(known.map_or(offsets, |old| Offsets {
            from: old.from.min(offsets.from),
            to: old.to.max(offsets.to),
        }));
        Some(())
    }

    /// Notes the cells that an instruction reads; `None` if they may be anywhere.
    fn read_by(&mut self, state: &State, instr: Instr, scope: &Scope<'_>, pc: u32) -> Option<()> {
        let known = |r: Reg| state.get(r as usize).copied().unwrap_or(Known::Nothing);
        let is_own_end = scope.unit.is_some_and(|unit| pc == unit.next);
        match instr {
            Instr::Cell { row, col, .. } | Instr::JumpUnlessCellNameIs { row, col, .. } => {
                self.read(known(row).line(), known(col).line())
            }
            Instr::RowStart { row, .. } => self.read(known(row).line(), None),
            Instr::ColumnStart { col, .. } => self.read(None, known(col).line()),
            // Noted at the start; within one row.
            Instr::RowNext { .. } | Instr::CellsNext { .. } if is_own_end => Some(()),
            Instr::RowNext { base, .. }
            | Instr::ColumnNext { base, .. }
            | Instr::NeighborsNext { base, .. } => match known(base) {
                Known::Walk { rows, cols } => self.read(rows, cols),
                Known::Nothing | Known::Near(_) => None,
            },
            _ => Some(()),
        }
    }

    /// What is known of the value that an instruction puts into its first result register.
    fn result_of(&mut self, state: &State, instr: Instr, scope: &Scope<'_>) -> Option<Known> {
        let known = |r: Reg| state.get(r as usize).copied().unwrap_or(Known::Nothing);
        let line = |r: Reg| known(r).line();
        Some(match instr {
            Instr::Move { src, .. } | Instr::Copy { src, .. } => Known::near(line(src)),
            Instr::AddInt { a, value, .. } => Known::near(moved(line(a), i64::from(value))),
            Instr::SubtractInt { a, value, .. } => Known::near(moved(line(a), -i64::from(value))),
            Instr::RowStart { row, .. } => Known::Walk {
                rows: line(row),
                cols: None,
            },
            Instr::ColumnStart { col, .. } => Known::Walk {
                rows: None,
                cols: line(col),
            },
            Instr::NeighborsStart { row, col, .. } => Known::Walk {
                rows: widened(line(row)),
                cols: widened(line(col)),
            },
            Instr::Call { function, base } => self.call(state, function, base, scope)?,
            _ => Known::Nothing,
        })
    }

    fn call(
        &mut self,
        state: &State,
        function: FunctionId,
        base: Reg,
        scope: &Scope<'_>,
    ) -> Option<Known> {
        let callee = self.program.function(function)?.clone();
        let inner = Scope {
            function: &callee,
            unit: None,
            depth: scope.depth + 1,
            base: scope.base + u32::from(base),
        };
        if inner.depth > MAX_CALL_DEPTH {
            return None;
        }
        let end = inner.base + u32::from(callee.register_count) + CLEARED_BY_CALL as u32;
        self.found.call_depth = self.found.call_depth.max(inner.depth);
        self.found.call_registers = self.found.call_registers.max(end);
        let mut entry = vec![Known::Nothing; callee.register_count as usize];
        for n in 0..callee.parameter_count.min(callee.register_count) {
            let argument = state.get(base as usize + n as usize).copied();
            entry[n as usize] = Known::near(argument.and_then(Known::line));
        }
        self.run(&inner, 0, entry)
    }

    /// What is known after an instruction, on one of its ways.
    fn after(
        &self,
        mut state: State,
        instr: Instr,
        edge: Edge,
        result: Known,
        scope: &Scope<'_>,
        pc: u32,
    ) -> State {
        let flow = instr.flow();
        let known = |r: Reg| state.get(r as usize).copied().unwrap_or(Known::Nothing);
        // The state of a loop stays what it is while it is repeated.
        let walk = match instr {
            Instr::RowNext { base, .. }
            | Instr::ColumnNext { base, .. }
            | Instr::NeighborsNext { base, .. }
            | Instr::NeighborCellsNext { base, .. } => Some((base, known(base))),
            _ => None,
        };
        for register in flow.may_write() {
            set(&mut state, register, Known::Nothing);
        }
        if let Control::Call { base, .. } = flow.control {
            for register in base..scope.function.register_count {
                set(&mut state, register, Known::Nothing);
            }
            set(&mut state, base, result);
        } else if let Some(first) = flow.writes.iter().next() {
            set(&mut state, first, result);
        }
        if let Some((base, walk)) = walk {
            set(&mut state, base, walk);
            if let (Instr::NeighborCellsNext { .. }, Known::Walk { rows, cols }) = (instr, walk)
                && edge == Edge::Jump
            {
                set(&mut state, base + 1, Known::near(rows));
                set(&mut state, base + 2, Known::near(cols));
            }
        }
        if let (Instr::CellsNext { base, .. }, Some(unit)) = (instr, scope.unit)
            && pc == unit.next
            && edge == Edge::Jump
        {
            // The next cell of the same row.
            set(
                &mut state,
                base + 1,
                Known::Near(Offsets { from: 0, to: 0 }),
            );
        }
        state
    }
}
