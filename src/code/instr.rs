//! The instruction set. Instructions are twelve bytes; registers are numbered from the base of the
//! frame.
//!
//! `dst` receives the result, `to` is the target of a jump, `k` the index of a constant.
//! `JumpUnless…` instructions fuse a comparison with a jump that is taken when it is false. Loops
//! over cells keep their state in register `base` and put the visited item into the registers after
//! it.

use crate::code::{FunctionId, PieceEvent};

/// Number of a register within its frame.
pub type Reg = u16;

/// A field of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum PieceField {
    Name,
    Visible,
    Row,
    Col,
    Owner,
}

/// A set of directions in which a line of cells can run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineDirections(u8);

impl LineDirections {
    /// Lines along rows.
    pub const ROWS: LineDirections = LineDirections(1);
    /// Lines along columns.
    pub const COLUMNS: LineDirections = LineDirections(2);
    /// Both diagonals.
    pub const DIAGONALS: LineDirections = LineDirections(4 | 8);
    /// All directions.
    pub const ALL: LineDirections = LineDirections(15);

    /// The (row, column) offset between neighbors, for each direction in the set.
    pub fn steps(self) -> impl Iterator<Item = (i64, i64)> {
        let all = [(1, (0, 1)), (2, (1, 0)), (4, (1, 1)), (8, (1, -1))];
        all.into_iter()
            .filter(move |(bit, _)| self.0 & bit != 0)
            .map(|(_, step)| step)
    }
}

// One line per instruction is easier to scan than rustfmt's layout.
/// One instruction of the virtual machine. Registers belong to the current frame; `dst` is written.
#[rustfmt::skip]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Instr {
    // Loads, stores and assignment.
    Constant { dst: Reg, k: u16 },
    Int { dst: Reg, value: i32 },
    Move { dst: Reg, src: Reg },
    /// Like `Move`, but makes a shallow copy of a list.
    Copy { dst: Reg, src: Reg },
    GetGlobal { dst: Reg, global: u32 },
    /// Like `GetGlobal`, but fails if the variable has no value yet.
    GetDefinedGlobal { dst: Reg, global: u32 },
    SetGlobal { global: u32, src: Reg },
    /// Assigns; fails if the type differs from that of the current value.
    Assign { dst: Reg, src: Reg },
    AssignGlobal { global: u32, src: Reg },
    /// Appends if the variable holds a list, otherwise assigns.
    AssignOrAppend { dst: Reg, src: Reg },
    AssignOrAppendGlobal { global: u32, src: Reg },

    // Arithmetic.
    Add { dst: Reg, a: Reg, b: Reg },
    Subtract { dst: Reg, a: Reg, b: Reg },
    Multiply { dst: Reg, a: Reg, b: Reg },
    Divide { dst: Reg, a: Reg, b: Reg },
    Remainder { dst: Reg, a: Reg, b: Reg },
    AddInt { dst: Reg, a: Reg, value: i32 },
    SubtractInt { dst: Reg, a: Reg, value: i32 },
    MultiplyInt { dst: Reg, a: Reg, value: i32 },
    /// Rounds toward zero; `value` is neither 0 nor -1.
    DivideInt { dst: Reg, a: Reg, value: i32 },
    /// Has the sign of `a`; `value` is positive, and constant `k` is its [`super::reciprocal`].
    RemainderInt { dst: Reg, a: Reg, k: u16, value: i32 },
    Negate { dst: Reg, a: Reg },
    /// Converts an integer to a float.
    ToFloat { dst: Reg, a: Reg },

    // Comparisons.
    Less { dst: Reg, a: Reg, b: Reg },
    LessEqual { dst: Reg, a: Reg, b: Reg },
    Equal { dst: Reg, a: Reg, b: Reg },
    NotEqual { dst: Reg, a: Reg, b: Reg },
    /// Values of different types are unequal instead of an error. `dst` is true if the equality is
    /// as `expected`.
    EqualAnyType { dst: Reg, a: Reg, b: Reg, expected: bool },
    Not { dst: Reg, a: Reg },
    /// Whether the name of the piece in `a` equals constant `k`; true if that is as `expected`.
    NameIs { dst: Reg, a: Reg, k: u16, expected: bool },

    // Jumps.
    Jump { to: u32 },
    /// Jumps back to the start of a loop; a safepoint.
    Loop { to: u32 },
    JumpIf { a: Reg, to: u32 },
    JumpUnless { a: Reg, to: u32 },
    JumpUnlessLess { a: Reg, b: Reg, to: u32 },
    JumpUnlessLessEqual { a: Reg, b: Reg, to: u32 },
    JumpUnlessEqual { a: Reg, b: Reg, to: u32 },
    JumpUnlessNotEqual { a: Reg, b: Reg, to: u32 },
    JumpUnlessLessInt { a: Reg, value: i16, to: u32 },
    JumpUnlessGreaterInt { a: Reg, value: i16, to: u32 },
    JumpUnlessEqualInt { a: Reg, value: i16, to: u32 },
    JumpUnlessNotEqualInt { a: Reg, value: i16, to: u32 },
    JumpUnlessNameIs { a: Reg, k: u16, expected: bool, to: u32 },
    JumpUnlessCellNameIs { row: Reg, col: Reg, k: u16, expected: bool, to: u32 },

    // Loops. `…Start` jumps past the loop if there is nothing to visit, except that
    // `NeighborsStart` and `NeighborCellsStart` always jump to their `…Next`. `…Next` advances and
    // jumps back to the body, or falls through at the end.
    RangeStart { base: Reg, to: u32 },
    RangeNext { base: Reg, to: u32 },
    RowStart { base: Reg, row: Reg, to: u32 },
    ColumnStart { base: Reg, col: Reg, to: u32 },
    PiecesStart { base: Reg, to: u32 },
    RowNext { base: Reg, to: u32 },
    ColumnNext { base: Reg, to: u32 },
    CellsStart { base: Reg, to: u32 },
    CellsNext { base: Reg, to: u32 },
    NeighborsStart { base: Reg, row: Reg, col: Reg, to: u32 },
    NeighborsNext { base: Reg, to: u32 },
    NeighborCellsStart { base: Reg, row: Reg, col: Reg, to: u32 },
    NeighborCellsNext { base: Reg, to: u32 },
    /// Over the elements of the list in `base`: `base + 1` is the index, `base + 2` the element.
    ItemsStart { base: Reg, to: u32 },
    ItemsNext { base: Reg, to: u32 },

    /// Finds the next piece, in column-major order, whose kind handles an event. `base` is the
    /// index of the next cell to check, initially 0; `base + 1` receives the piece for
    /// [`Instr::SendTurn`]. Falls through when there is none.
    HandlingPiecesNext { base: Reg, event: PieceEvent, to: u32 },

    // Calls. Arguments start at `base`; the result is returned there.
    Call { function: FunctionId, base: Reg },
    Return { src: Reg },
    ReturnNothing,
    /// Captures an escape continuation: this frame, resumed at `to`.
    Catch { dst: Reg, to: u32 },
    /// Unwinds to the frame captured by a `Catch` and continues at its `to`.
    Throw { escape: Reg },

    // Lists, tuples, records and strings.
    /// Fails if the elements have different types.
    List { dst: Reg, first: Reg, count: u16 },
    Tuple { dst: Reg, first: Reg, count: u16 },
    Record { dst: Reg, first: Reg, count: u16 },
    Append { list: Reg, value: Reg },
    Index { dst: Reg, list: Reg, index: Reg },
    SetIndex { list: Reg, index: Reg, value: Reg },
    RemoveIndex { list: Reg, index: Reg },
    /// A copy of the list with one element changed.
    WithIndex { dst: Reg, list: Reg, index: Reg, value: Reg },
    /// A copy of the list with one element removed.
    WithoutIndex { dst: Reg, list: Reg, index: Reg },
    Length { dst: Reg, list: Reg },
    /// An element of a tuple or a field of a record, by index.
    Item { dst: Reg, of: Reg, item: u16 },
    SetItem { of: Reg, item: u16, value: Reg },
    /// Extends the record to at least `count` fields; new fields have no value.
    ExtendRecord { of: Reg, count: u16 },
    /// A list of `count` copies of the value.
    FilledList { dst: Reg, value: Reg, count: Reg },
    /// The records of a list in which the field equals the value, in the same order.
    FilterRecords { dst: Reg, list: Reg, item: u16, value: Reg },
    /// Sorts a list of records by an integer field.
    SortRecords { list: Reg, item: u16 },
    Coordinate { dst: Reg, row: Reg, col: Reg },
    RowOf { dst: Reg, of: Reg },
    ColumnOf { dst: Reg, of: Reg },
    Concat { dst: Reg, a: Reg, b: Reg },
    ToString { dst: Reg, a: Reg },

    // Grids that are values. Rows and columns are numbered from `from`.
    /// A new grid with the value in every cell.
    NewGrid { dst: Reg, rows: Reg, cols: Reg, value: Reg },
    /// Fills a rectangle of a grid under construction. `rows` and `rows + 1` hold the first and
    /// last row, likewise for `cols`.
    GridFill { grid: Reg, rows: Reg, cols: Reg, value: Reg, from: u8 },
    GridCell { dst: Reg, grid: Reg, row: Reg, col: Reg, from: u8 },
    /// A copy of the grid with one cell changed.
    GridWithCell { dst: Reg, grid: Reg, row: Reg, col: Reg, value: Reg, from: u8 },
    /// The number of cells that hold the value.
    GridCount { dst: Reg, grid: Reg, value: Reg },
    /// The length of the longest line of cells with the value, in any of the directions.
    GridLongestRun { dst: Reg, grid: Reg, value: Reg, directions: LineDirections },

    // The board and its pieces.
    Rows { dst: Reg },
    Cols { dst: Reg },
    Cell { dst: Reg, row: Reg, col: Reg },
    PieceField { dst: Reg, piece: Reg, field: PieceField },
    Place { name: Reg, row: Reg, col: Reg, owner: Reg },
    PlaceKind { kind: u16, row: Reg, col: Reg, owner: Reg },
    Remove { row: Reg, col: Reg },
    /// Changes the piece that is now on the cell from which the piece in the register was read, and
    /// updates the register.
    SetVisible { piece: Reg, value: Reg },
    ChangeType { piece: Reg, name: Reg },
    /// Change the piece whose handler runs, if it is still on the board.
    SetSelfVisible { value: Reg },
    ChangeSelfType { name: Reg },
    SelfRow { dst: Reg },
    SelfCol { dst: Reg },
    Resize { rows: Reg, cols: Reg },

    // Playing.
    /// Starts a new action; takes a checkpoint if the run is recorded.
    BeginAction,
    /// Sends a click to the piece on a cell, unless it already handled one in this action.
    SendClick { row: Reg, col: Reg },
    /// The pieces on the board as a list for [`Instr::SendTurn`]; the kinds named in the list
    /// `order` come first.
    CollectTurnPieces { dst: Reg, order: Reg },
    /// Frees a list that is referenced only by this register.
    FreeList { list: Reg },
    /// Sends the turn event to a piece, if it is still on the board.
    SendTurn { piece: Reg },
    /// The game has ended. Does nothing by itself; `break on win`, `lose` and `draw` stop here.
    EndGame { how: Reg, winner: Reg },
    Print { value: Reg },
    Display { value: Reg },
    /// Shows a warning to the user that is not part of the game's output.
    Warn { k: u16 },
    /// Like `Warn`, for information.
    Info { value: Reg },
    Random { dst: Reg, low: Reg, high: Reg },
    /// A float with three decimal places, both bounds included.
    RandomFloat { dst: Reg, low: Reg, high: Reg },
    /// Asks the user for a line of input, parsed as `input_kind`, with `question` as the prompt.
    Ask { dst: Reg, question: Reg, input_kind: u8 },

    // Checks and errors.
    /// Fails if the register holds no value.
    RequireValue { a: Reg },
    RequireBool { a: Reg },
    /// Fails with the message in constant `k`; if `with`, the value in `a` replaces its `{}`.
    Fail { k: u16, a: Reg, with: bool },
    /// Replaces another instruction in patched code; pauses for the debugger.
    Trap,
}

impl Instr {
    /// The global that this instruction reads.
    pub fn global_read(&self) -> Option<u32> {
        match self {
            Instr::GetGlobal { global, .. } | Instr::GetDefinedGlobal { global, .. } => {
                Some(*global)
            }
            _ => None,
        }
    }

    /// The global that this instruction writes.
    pub fn global_written(&self) -> Option<u32> {
        match self {
            Instr::SetGlobal { global, .. }
            | Instr::AssignGlobal { global, .. }
            | Instr::AssignOrAppendGlobal { global, .. } => Some(*global),
            _ => None,
        }
    }

    /// The target of a jump, a loop instruction or a `Catch`.
    pub fn target(self) -> Option<u32> {
        let mut copy = self;
        copy.target_mut().copied()
    }

    pub(super) fn target_mut(&mut self) -> Option<&mut u32> {
        use Instr::*;
        match self {
            Jump { to }
            | Loop { to }
            | JumpIf { to, .. }
            | JumpUnless { to, .. }
            | JumpUnlessLess { to, .. }
            | JumpUnlessLessEqual { to, .. }
            | JumpUnlessEqual { to, .. }
            | JumpUnlessNotEqual { to, .. }
            | JumpUnlessLessInt { to, .. }
            | JumpUnlessGreaterInt { to, .. }
            | JumpUnlessEqualInt { to, .. }
            | JumpUnlessNotEqualInt { to, .. }
            | JumpUnlessNameIs { to, .. }
            | JumpUnlessCellNameIs { to, .. }
            | RangeStart { to, .. }
            | RangeNext { to, .. }
            | RowStart { to, .. }
            | ColumnStart { to, .. }
            | PiecesStart { to, .. }
            | RowNext { to, .. }
            | ColumnNext { to, .. }
            | CellsStart { to, .. }
            | CellsNext { to, .. }
            | NeighborsStart { to, .. }
            | NeighborsNext { to, .. }
            | NeighborCellsStart { to, .. }
            | NeighborCellsNext { to, .. }
            | ItemsStart { to, .. }
            | ItemsNext { to, .. }
            | HandlingPiecesNext { to, .. }
            | Catch { to, .. } => Some(to),
            _ => None,
        }
    }
}

const _: () = assert!(size_of::<Instr>() == 12);
