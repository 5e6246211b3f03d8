//! What each instruction reads, writes and does: one table, from which everything that is judged
//! from code alone follows.
//!
//! - [`Instr::flow`] is the table. Its match has no wildcard, so a new instruction has to be added.
//! - [`Function::successors`] is the control flow inside a function, [`Liveness`] says which
//!   registers are still needed.
//! - [`Summary`] is what functions do together with everything that they may call.
//!
//! `tests/invariants/flow.rs` compares the table with what the machine changes while it runs.
//!
//! ```text
//! liveness  which registers of a function are still needed at an instruction
//! summary   what functions do together with everything that they may call
//! ```

mod liveness;
mod summary;

pub use liveness::{Liveness, RegisterSet};
pub use summary::{Globals, Summary};

use super::{Channel, Function, FunctionId, Instr, PieceEvent, PieceField, Program, Reg};
use std::ops::{BitOr, Range};

/// Number of registers above its parameters that a call clears at least, even if the function has
/// fewer: a single write of fixed length is faster than counting.
pub const CLEARED_BY_CALL: usize = 8;

/// What an instruction reads and writes, other than registers and globals, and what else may happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects(u32);

impl Effects {
    /// Nothing but registers and globals.
    pub const NONE: Effects = Effects(0);
    /// Depends on the content of cells of the board.
    pub const READS_CELLS: Effects = Effects(1);
    /// May change the content of cells of the board.
    pub const WRITES_CELLS: Effects = Effects(1 << 1);
    /// Depends on the number of rows or columns of the board.
    pub const READS_SIZE: Effects = Effects(1 << 2);
    /// May resize the board. That also updates copies of pieces in globals, in registers of all
    /// frames and on the heap.
    pub const RESIZES: Effects = Effects(1 << 3);
    /// Depends on the content of a list, tuple, record, string, grid or 64-bit integer on the heap, if
    /// its operands refer to one.
    pub const READS_HEAP: Effects = Effects(1 << 4);
    /// May change or free an object that is already on the heap.
    pub const WRITES_HEAP: Effects = Effects(1 << 5);
    /// May put a new object on the heap, and collect garbage before that.
    pub const ALLOCATES: Effects = Effects(1 << 6);
    /// Like `ALLOCATES`, but only for an integer that needs more than 32 bits: never in programs whose
    /// [`Arithmetic`](super::Arithmetic) is 32-bit.
    pub const ALLOCATES_WIDE_INTS: Effects = Effects(1 << 7);
    /// Depends on the piece whose handler runs.
    pub const READS_SELF: Effects = Effects(1 << 8);
    /// Depends on or changes the number of the current action, or which pieces were clicked in it.
    pub const ACTION: Effects = Effects(1 << 9);
    /// Draws a random number.
    pub const DRAWS: Effects = Effects(1 << 10);
    /// Produces output, which is logged; `Display` also sets the message line.
    pub const OUTPUT: Effects = Effects(1 << 11);
    /// Formats a value for the user. The language may look at any global for that.
    pub const FORMATS: Effects = Effects(1 << 12);
    /// Reads a line of input; pauses the run until there is one.
    pub const INPUT: Effects = Effects(1 << 13);
    /// May fail with a runtime error of its own. At safepoints, a run may also fail because it exceeds
    /// a limit.
    pub const FAILS: Effects = Effects(1 << 14);
    /// A safepoint if it jumps or calls: the run may pause after it, for example at a time limit.
    pub const SAFEPOINT: Effects = Effects(1 << 15);
    /// Announces something to the debugger, without an effect on the game.
    pub const ANNOUNCES: Effects = Effects(1 << 16);

    /// Whether it has at least one of these effects.
    pub const fn has(self, any_of: Effects) -> bool {
        self.0 & any_of.0 != 0
    }

    /// All effects of both.
    pub const fn and(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }
}

impl BitOr for Effects {
    type Output = Effects;

    fn bitor(self, other: Effects) -> Effects {
        self.and(other)
    }
}

/// How an instruction accesses a global variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalAccess {
    /// Not at all.
    None,
    /// Loads its value.
    Load(u32),
    /// Overwrites it, whatever its value.
    Store(u32),
    /// Overwrites it, or appends to the list that it holds. Whether it does or fails depends on the old
    /// value.
    Assign(u32),
}

/// Where execution continues after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// At the next instruction.
    Next,
    /// Always at the target.
    Jump(u32),
    /// At the target or at the next instruction, depending on a test of the program.
    Test(u32),
    /// Start of a loop: at the target if there is nothing to visit.
    Skip(u32),
    /// End of an iteration: at the target if there is another one.
    Repeat(u32),
    /// In a function, then at the next instruction.
    Call {
        /// The called function.
        function: FunctionId,
        /// Its first register.
        base: Reg,
    },
    /// In the handler of a piece, if it has one, then at the next instruction.
    Send(PieceEvent),
    /// In the caller.
    Return,
    /// At the next instruction. Until the function returns, a `Throw` may continue at the target.
    Catch(u32),
    /// At the target of a `Catch` of this frame or of one below it.
    Throw,
    /// Nowhere: it always fails.
    Fail,
    /// Where the instruction continues that it replaces.
    Trap,
}

/// Up to four ranges of consecutive registers, in no particular order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Registers([(Reg, Reg); 4]);

impl Registers {
    /// The registers one by one. A register may occur twice.
    pub fn iter(self) -> impl Iterator<Item = Reg> {
        self.ranges().flatten()
    }

    /// The ranges, without empty ones.
    pub fn ranges(self) -> impl Iterator<Item = Range<Reg>> {
        let ranges = self
            .0
            .into_iter()
            .map(|(first, count)| first..first.saturating_add(count));
        ranges.filter(|range| !range.is_empty())
    }

    /// Whether a register is among them.
    pub fn contains(self, register: Reg) -> bool {
        self.ranges().any(|range| range.contains(&register))
    }
}

/// What an instruction reads, writes and does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Flow {
    /// The registers that it reads. A call reads its arguments in addition: see
    /// [`Program::call_registers`].
    pub reads: Registers,
    /// The registers that it writes whenever it completes, whether it jumps or not. A call overwrites
    /// registers in addition: see [`Program::call_registers`].
    pub writes: Registers,
    /// The registers that it writes only if it jumps, as at the end of an iteration.
    pub writes_if_jumping: Registers,
    /// The registers that it writes only if it does not jump, as at the start of a loop.
    pub writes_if_not_jumping: Registers,
    /// The global that it accesses.
    pub global: GlobalAccess,
    /// The index of the constant that it reads.
    pub constant: Option<u16>,
    /// Everything else.
    pub effects: Effects,
    /// Where execution continues.
    pub control: Control,
}

impl Flow {
    /// The global whose value it loads. An assignment does not load the old value.
    pub fn global_loaded(&self) -> Option<u32> {
        match self.global {
            GlobalAccess::Load(global) => Some(global),
            GlobalAccess::None | GlobalAccess::Store(_) | GlobalAccess::Assign(_) => None,
        }
    }

    /// The global that it depends on in any way, be it only on the type of its value.
    pub fn global_read(&self) -> Option<u32> {
        match self.global {
            GlobalAccess::Load(global) | GlobalAccess::Assign(global) => Some(global),
            GlobalAccess::None | GlobalAccess::Store(_) => None,
        }
    }

    /// The global that it writes.
    pub fn global_written(&self) -> Option<u32> {
        match self.global {
            GlobalAccess::Store(global) | GlobalAccess::Assign(global) => Some(global),
            GlobalAccess::None | GlobalAccess::Load(_) => None,
        }
    }

    /// All registers that it may write, except by calling.
    pub fn may_write(&self) -> impl Iterator<Item = Reg> {
        let (always, jumping) = (self.writes.iter(), self.writes_if_jumping.iter());
        always
            .chain(jumping)
            .chain(self.writes_if_not_jumping.iter())
    }

    /// The instruction at `to`, where execution may continue inside the function instead of at the
    /// next one.
    pub fn jump_target(&self) -> Option<u32> {
        match self.control {
            Control::Jump(to) | Control::Test(to) | Control::Skip(to) | Control::Repeat(to) => {
                Some(to)
            }
            Control::Next
            | Control::Call { .. }
            | Control::Send(_)
            | Control::Return
            | Control::Catch(_)
            | Control::Throw
            | Control::Fail
            | Control::Trap => None,
        }
    }

    /// Whether execution may continue at the next instruction, at once or after a call.
    pub fn continues(&self) -> bool {
        !matches!(
            self.control,
            Control::Jump(_) | Control::Return | Control::Throw | Control::Fail | Control::Trap
        )
    }

    /// Whether it may run other code before execution continues: a function or a handler.
    pub fn runs_code(&self) -> bool {
        matches!(self.control, Control::Call { .. } | Control::Send(_))
    }
}

/// Building blocks of the table.
impl Flow {
    const NOTHING: Flow = Flow {
        reads: Registers([(0, 0); 4]),
        writes: Registers([(0, 0); 4]),
        writes_if_jumping: Registers([(0, 0); 4]),
        writes_if_not_jumping: Registers([(0, 0); 4]),
        global: GlobalAccess::None,
        constant: None,
        effects: Effects::NONE,
        control: Control::Next,
    };

    /// Reads single registers; at most four.
    fn reads<const N: usize>(self, registers: [Reg; N]) -> Flow {
        Flow {
            reads: single(registers),
            ..self
        }
    }

    /// Writes single registers.
    fn writes<const N: usize>(self, registers: [Reg; N]) -> Flow {
        Flow {
            writes: single(registers),
            ..self
        }
    }

    fn effects(self, effects: Effects) -> Flow {
        Flow {
            effects: self.effects.and(effects),
            ..self
        }
    }

    fn control(self, control: Control) -> Flow {
        Flow { control, ..self }
    }

    fn constant(self, k: u16) -> Flow {
        Flow {
            constant: Some(k),
            ..self
        }
    }

    fn global(self, global: GlobalAccess) -> Flow {
        Flow { global, ..self }
    }

    /// Jumps back after having written registers.
    fn repeat<const N: usize>(self, to: u32, registers: [Reg; N]) -> Flow {
        Flow {
            writes_if_jumping: single(registers),
            ..self
        }
        .control(Control::Repeat(to))
        .effects(Effects::SAFEPOINT)
    }
}

/// Single registers as ranges.
fn single<const N: usize>(registers: [Reg; N]) -> Registers {
    let mut ranges = [(0, 0); 4];
    for (range, register) in ranges.iter_mut().zip(registers) {
        *range = (register, 1);
    }
    Registers(ranges)
}

/// The `count` registers from `first` on.
fn consecutive(first: Reg, count: u16) -> Registers {
    Registers([(first, count), (0, 0), (0, 0), (0, 0)])
}

impl Instr {
    /// What the instruction reads, writes and does.
    // One line per instruction is easier to compare with the instruction set than rustfmt's layout.
    #[rustfmt::skip]
    pub fn flow(&self) -> Flow {
        use Effects as E;
        use Instr::*;
        let f = Flow::NOTHING;
        // Results of arithmetic: operands may be 64-bit integers on the heap, and so may the result.
        let arithmetic = E::READS_HEAP | E::ALLOCATES_WIDE_INTS | E::FAILS;
        let compares = E::READS_HEAP | E::FAILS;
        let reads_cell = E::READS_CELLS | E::READS_SIZE | E::FAILS;
        let writes_cell = E::WRITES_CELLS | E::READS_SIZE | E::FAILS;
        let makes_object = E::READS_HEAP | E::ALLOCATES | E::FAILS;
        let changes_object = E::READS_HEAP | E::WRITES_HEAP | E::FAILS;
        let assigns = |appends| if appends { changes_object } else { compares };
        match *self {
            Constant { dst, k } => f.writes([dst]).constant(k),
            Int { dst, value: _ } => f.writes([dst]),
            Move { dst, src } => f.reads([src]).writes([dst]),
            Copy { dst, src } => f.reads([src]).writes([dst]).effects(E::READS_HEAP | E::ALLOCATES),
            GetGlobal { dst, global } => f.writes([dst]).global(GlobalAccess::Load(global)),
            GetDefinedGlobal { dst, global } => f.writes([dst]).global(GlobalAccess::Load(global)).effects(E::FAILS),
            SetGlobal { global, src } => f.reads([src]).global(GlobalAccess::Store(global)),
            Assign { dst, src, appends } => f.reads([dst, src]).writes([dst]).effects(assigns(appends)),
            AssignGlobal { global, src, appends } =>
                f.reads([src]).global(GlobalAccess::Assign(global)).effects(assigns(appends)),

            Add { dst, a, b } | Subtract { dst, a, b } | Multiply { dst, a, b }
            | Divide { dst, a, b } | Remainder { dst, a, b } => f.reads([a, b]).writes([dst]).effects(arithmetic),
            AddInt { dst, a, value: _ } | SubtractInt { dst, a, value: _ } | MultiplyInt { dst, a, value: _ }
            | DivideInt { dst, a, value: _ } | Negate { dst, a } => f.reads([a]).writes([dst]).effects(arithmetic),
            RemainderInt { dst, a, k, value: _ } => f.reads([a]).writes([dst]).constant(k).effects(arithmetic),
            ToFloat { dst, a } => f.reads([a]).writes([dst]).effects(compares),

            Less { dst, a, b } | LessEqual { dst, a, b } | Equal { dst, a, b, expected: _ } =>
                f.reads([a, b]).writes([dst]).effects(compares),
            EqualAnyType { dst, a, b, expected: _ } => f.reads([a, b]).writes([dst]).effects(E::READS_HEAP),
            Not { dst, a } => f.reads([a]).writes([dst]).effects(E::FAILS),
            NameIs { dst, a, k, expected: _ } => f.reads([a]).writes([dst]).constant(k).effects(E::FAILS),

            Jump { to } => f.control(Control::Jump(to)),
            Loop { to } => f.control(Control::Jump(to)).effects(E::SAFEPOINT),
            JumpIf { a, to } | JumpUnless { a, to } => f.reads([a]).control(Control::Test(to)).effects(E::FAILS),
            JumpUnlessNameIs { a, k, expected: _, to } =>
                f.reads([a]).constant(k).control(Control::Test(to)).effects(E::FAILS),
            JumpUnlessLess { a, b, to } | JumpUnlessLessEqual { a, b, to }
            | JumpUnlessEqual { a, b, expected: _, to } =>
                f.reads([a, b]).control(Control::Test(to)).effects(compares),
            JumpUnlessEqualAnyType { a, b, expected: _, to } =>
                f.reads([a, b]).control(Control::Test(to)).effects(E::READS_HEAP),
            JumpUnlessLessInt { a, value: _, to } | JumpUnlessGreaterInt { a, value: _, to }
            | JumpUnlessEqualInt { a, value: _, expected: _, to } =>
                f.reads([a]).control(Control::Test(to)).effects(compares),
            JumpUnlessCellNameIs { row, col, k, expected: _, to } =>
                f.reads([row, col]).constant(k).control(Control::Test(to)).effects(reads_cell),

            RangeStart { base, to } => f.reads([base, base + 1]).control(Control::Skip(to)).effects(E::FAILS),
            RangeNext { base, to } => f.reads([base, base + 1]).repeat(to, [base]),
            RowStart { base, row: line, to: _ } | ColumnStart { base, col: line, to: _ } =>
                f.reads([line]).writes([base, base + 1]).effects(reads_cell),
            PiecesStart { base, to: _ } => f.writes([base, base + 1]).effects(reads_cell),
            RowNext { base, to } | ColumnNext { base, to } =>
                f.reads([base]).repeat(to, [base, base + 1]).effects(E::READS_CELLS | E::READS_SIZE),
            CellsStart { base, to: _ } => f.writes([base, base + 1, base + 2]).effects(E::READS_SIZE | E::FAILS),
            CellsNext { base, to } => f.reads([base]).repeat(to, [base, base + 1, base + 2]).effects(E::READS_SIZE),
            NeighborsStart { base, row, col, to } =>
                f.reads([row, col]).writes([base]).control(Control::Jump(to)).effects(E::READS_SIZE | E::FAILS),
            NeighborsNext { base, to } =>
                f.reads([base]).repeat(to, [base, base + 1]).effects(E::READS_CELLS | E::READS_SIZE),
            NeighborCellsNext { base, to } =>
                f.reads([base]).repeat(to, [base, base + 1, base + 2]).effects(E::READS_SIZE),
            ItemsStart { base, to } => Flow { writes_if_not_jumping: single([base + 1, base + 2]), ..f }
                .reads([base]).control(Control::Skip(to)).effects(compares),
            ItemsNext { base, to } =>
                f.reads([base, base + 1]).repeat(to, [base + 1, base + 2]).effects(E::READS_HEAP),
            HandlingPiecesNext { base, event: _, to } =>
                f.reads([base]).repeat(to, [base, base + 1]).effects(E::READS_CELLS | E::READS_SIZE),

            Call { function, base } => f.control(Control::Call { function, base }).effects(E::SAFEPOINT | E::FAILS),
            Return { src } => f.reads([src]).control(Control::Return).effects(E::SAFEPOINT),
            ReturnNothing => f.control(Control::Return).effects(E::SAFEPOINT),
            Catch { dst, to } => f.writes([dst]).control(Control::Catch(to)).effects(E::FAILS),
            Throw { escape } => f.reads([escape]).control(Control::Throw).effects(E::SAFEPOINT | E::FAILS),

            List { dst, first, count } | Tuple { dst, first, count } | Record { dst, first, count } =>
                Flow { reads: consecutive(first, count), ..f }.writes([dst]).effects(makes_object),
            Append { list, value } => f.reads([list, value]).effects(changes_object),
            Index { dst, list, index } => f.reads([list, index]).writes([dst]).effects(compares),
            SetIndex { list, index, value } => f.reads([list, index, value]).effects(changes_object),
            RemoveIndex { list, index } => f.reads([list, index]).effects(changes_object),
            Length { dst, list } => f.reads([list]).writes([dst]).effects(compares),
            Item { dst, of, item: _ } => f.reads([of]).writes([dst]).effects(compares),
            SetItem { of, item: _, value } => f.reads([of, value]).effects(changes_object),
            ExtendRecord { of, count: _ } => f.reads([of]).effects(changes_object),
            FilledList { dst, value, count } => f.reads([value, count]).writes([dst]).effects(makes_object),
            FilterRecords { dst, list, item: _, value } => f.reads([list, value]).writes([dst]).effects(makes_object),
            SortRecords { list, item: _ } => f.reads([list]).effects(changes_object),
            Coordinate { dst, row, col } => f.reads([row, col]).writes([dst]).effects(compares),
            CoordinatePart { dst, of, axis: _ } => f.reads([of]).writes([dst]).effects(compares),
            Concat { dst, a, b } => f.reads([a, b]).writes([dst]).effects(makes_object),
            ToString { dst, a } => f.reads([a]).writes([dst]).effects(makes_object | E::FORMATS),

            NewGrid { dst, rows, cols, value } => f.reads([rows, cols, value]).writes([dst]).effects(makes_object),
            GridFill { grid, rows, cols, value, from: _ } =>
                Flow { reads: Registers([(grid, 1), (rows, 2), (cols, 2), (value, 1)]), ..f }.effects(changes_object),
            GridCell { dst, grid, row, col, from: _ } => f.reads([grid, row, col]).writes([dst]).effects(compares),
            GridWithCell { dst, grid, row, col, value, from: _ } =>
                f.reads([grid, row, col, value]).writes([dst]).effects(makes_object),
            GridCount { dst, grid, value } | GridLongestRun { dst, grid, value, directions: _ } =>
                f.reads([grid, value]).writes([dst]).effects(compares),

            BoardSize { dst, axis: _ } => f.writes([dst]).effects(E::READS_SIZE | E::FAILS),
            Cell { dst, row, col } => f.reads([row, col]).writes([dst]).effects(reads_cell),
            PieceField { dst, piece, field } => f.reads([piece]).writes([dst]).effects(E::FAILS).effects(match field {
                self::PieceField::Row | self::PieceField::Col => E::READS_SIZE,
                self::PieceField::Name | self::PieceField::Visible | self::PieceField::Owner => E::NONE,
            }),
            Place { name, row, col, owner } => f.reads([name, row, col, owner]).effects(writes_cell),
            PlaceKind { kind: _, row, col, owner } => f.reads([row, col, owner]).effects(writes_cell),
            Remove { row, col } => f.reads([row, col]).effects(writes_cell),
            SetVisible { piece, value } => f.reads([piece, value]).writes([piece]).effects(reads_cell | writes_cell),
            ChangeType { piece, name } => f.reads([piece, name]).writes([piece]).effects(reads_cell | writes_cell),
            SetSelfVisible { value } => f.reads([value]).effects(reads_cell | writes_cell | E::READS_SELF),
            ChangeSelfType { name } => f.reads([name]).effects(reads_cell | writes_cell | E::READS_SELF),
            SelfPosition { dst, axis: _ } => f.writes([dst]).effects(E::READS_SELF | E::READS_SIZE | E::FAILS),
            Resize { rows, cols } =>
                f.reads([rows, cols]).effects(reads_cell | writes_cell | E::RESIZES | E::WRITES_HEAP),

            BeginAction => f.effects(E::ACTION),
            SendClick { row, col } =>
                f.reads([row, col]).control(Control::Send(PieceEvent::Click)).effects(reads_cell | E::ACTION | E::SAFEPOINT),
            CollectTurnPieces { dst, order } =>
                f.reads([order]).writes([dst]).effects(E::READS_CELLS | E::READS_HEAP | E::ALLOCATES),
            FreeList { list } => f.reads([list]).writes([list]).effects(E::WRITES_HEAP),
            SendTurn { piece } =>
                f.reads([piece]).control(Control::Send(PieceEvent::Turn)).effects(E::READS_CELLS | E::SAFEPOINT),
            EndGame { how, winner } => f.reads([how, winner]).effects(E::ANNOUNCES),
            Output { value, channel } => f.reads([value]).effects(E::OUTPUT | E::FORMATS | E::READS_HEAP).effects(match channel {
                Channel::Print | Channel::Display => E::FAILS,
                Channel::Warning | Channel::Info => E::NONE,
            }),
            Warn { k } => f.constant(k).effects(E::OUTPUT),
            Random { dst, low, high, is_float: _ } =>
                f.reads([low, high]).writes([dst]).effects(E::DRAWS | arithmetic),
            Ask { dst, question, input_kind: _ } =>
                f.reads([question]).writes([dst]).effects(E::INPUT | E::FORMATS | makes_object),

            RequireValue { a } | RequireBool { a } => f.reads([a]).effects(E::FAILS),
            Fail { k, a, with } if with =>
                f.reads([a]).constant(k).control(Control::Fail).effects(E::FORMATS | E::READS_HEAP | E::FAILS),
            Fail { k, .. } => f.constant(k).control(Control::Fail).effects(E::FAILS),
            // These replace other instructions, in copies of the code.
            Trap | UnitsStart { .. } | UnitsRangeNext { .. } | UnitsPiecesNext { .. } | UnitsCellsNext { .. } =>
                f.control(Control::Trap),
        }
    }
}

/// The registers of the caller that a call reads and overwrites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallRegisters {
    /// The arguments.
    pub reads: Range<Reg>,
    /// Overwritten by the call itself: the result, what the callee left in its parameters, and the
    /// registers that are cleared for it, even beyond those of the caller. The functions that the callee
    /// calls in turn may overwrite more.
    pub writes: Range<Reg>,
}

impl Program {
    /// The registers that a call of `function` reads and overwrites if its registers start at `base`;
    /// `None` if there is no such function.
    pub fn call_registers(&self, function: FunctionId, base: Reg) -> Option<CallRegisters> {
        let callee = self.function(function)?;
        let parameters = callee.parameter_count.min(callee.register_count);
        let cleared = (callee.register_count - parameters).max(CLEARED_BY_CALL as u16);
        let end = base.saturating_add(parameters);
        Some(CallRegisters {
            reads: base..end,
            writes: base..end.saturating_add(cleared),
        })
    }
}

impl Function {
    /// The instructions at which execution may continue in this function after the one at `pc`. Where
    /// other code runs or something is thrown, that includes the targets of every `Catch`.
    pub fn successors(&self, pc: u32) -> Vec<u32> {
        let Some(flow) = self.code.get(pc as usize).map(Instr::flow) else {
            return Vec::new();
        };
        let mut successors: Vec<u32> = flow.jump_target().into_iter().collect();
        let next = (flow.continues() && pc + 1 < self.code.len() as u32).then_some(pc + 1);
        successors.extend(next);
        if flow.runs_code() || flow.control == Control::Throw {
            successors.extend(self.catch_targets());
        }
        successors.sort_unstable();
        successors.dedup();
        successors
    }

    /// Where a `Throw` may continue in this function.
    pub fn catch_targets(&self) -> impl Iterator<Item = u32> {
        self.code.iter().filter_map(|instr| match *instr {
            Instr::Catch { to, .. } => Some(to),
            _ => None,
        })
    }
}
