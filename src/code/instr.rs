//! The instructions. Twelve bytes each; registers are numbered from the frame's base.
//!
//! `dst` gets the result. A jump names the instruction it goes to. Instructions named `Unless…` jump when
//! the test is false: they are an `if` and its comparison in one. Loops over cells keep where they are in
//! register `base` and put what they visit into the registers after it.

use crate::code::{FunctionId, PieceEvent};

/// A register's number in its frame.
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

/// Directions in which cells lie side by side, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineDirections(u8);

impl LineDirections {
    pub const ROWS: LineDirections = LineDirections(1);
    pub const COLUMNS: LineDirections = LineDirections(2);
    /// Both of them.
    pub const DIAGONALS: LineDirections = LineDirections(4 | 8);
    pub const ALL: LineDirections = LineDirections(15);

    /// The steps that a set allows, in rows and columns.
    pub fn steps(self) -> impl Iterator<Item = (i64, i64)> {
        let all = [(1, (0, 1)), (2, (1, 0)), (4, (1, 1)), (8, (1, -1))];
        all.into_iter()
            .filter(move |(bit, _)| self.0 & bit != 0)
            .map(|(_, step)| step)
    }
}

// One line an instruction.
#[rustfmt::skip]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Instr {
    // Moving values.
    Constant { dst: Reg, k: u16 },
    Int { dst: Reg, value: i32 },
    Move { dst: Reg, src: Reg },
    /// A list gets a copy of its own.
    Copy { dst: Reg, src: Reg },
    GetGlobal { dst: Reg, global: u32 },
    /// As `Global`, where the variable may not have been given a value yet.
    GetDefinedGlobal { dst: Reg, global: u32 },
    SetGlobal { global: u32, src: Reg },
    /// Assigns; a value of another type than the present one is an error.
    Assign { dst: Reg, src: Reg },
    AssignGlobal { global: u32, src: Reg },
    /// Appends if the variable holds a list, else assigns.
    AssignOrAppend { dst: Reg, src: Reg },
    AssignOrAppendGlobal { global: u32, src: Reg },

    // Numbers.
    Add { dst: Reg, a: Reg, b: Reg },
    Subtract { dst: Reg, a: Reg, b: Reg },
    Multiply { dst: Reg, a: Reg, b: Reg },
    Divide { dst: Reg, a: Reg, b: Reg },
    Remainder { dst: Reg, a: Reg, b: Reg },
    AddInt { dst: Reg, a: Reg, value: i32 },
    SubtractInt { dst: Reg, a: Reg, value: i32 },
    MultiplyInt { dst: Reg, a: Reg, value: i32 },
    /// Rounds towards zero; the value is neither 0 nor -1.
    DivideInt { dst: Reg, a: Reg, value: i32 },
    /// With the sign of `a`; the value is above 0, and lies upside down in constant `k` (see [`super::upside_down`]).
    RemainderInt { dst: Reg, a: Reg, k: u16, value: i32 },
    Negate { dst: Reg, a: Reg },
    /// A whole number as a decimal one.
    ToFloat { dst: Reg, a: Reg },

    // Tests.
    Less { dst: Reg, a: Reg, b: Reg },
    LessEqual { dst: Reg, a: Reg, b: Reg },
    Equal { dst: Reg, a: Reg, b: Reg },
    NotEqual { dst: Reg, a: Reg, b: Reg },
    /// Values of different types may be compared: they are not the same. `is` is the answer when they are.
    EqualAnyType { dst: Reg, a: Reg, b: Reg, expected: bool },
    Not { dst: Reg, a: Reg },
    /// The name of the piece in `a` is the constant text (or is not).
    NameIs { dst: Reg, a: Reg, k: u16, expected: bool },

    // Jumps.
    Jump { to: u32 },
    /// Backwards: the end of a round.
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

    // Loops. `…Start` jumps past the loop when there is nothing to visit, `…Next` back to its body.
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
    /// Over the elements of the list in `base`: `base + 1` counts, `base + 2` gets the element.
    ItemsStart { base: Reg, to: u32 },
    ItemsNext { base: Reg, to: u32 },

    /// The next piece, column by column, whose kind answers an event: `base` counts the cells looked at, starting
    /// from 0, and `base + 1` gets the piece as [`Instr::SendTurn`] wants it. Goes on behind when there is none.
    HandlingPiecesNext { base: Reg, event: PieceEvent, to: u32 },

    // Calls. The arguments lie from `base` on; the result comes back there.
    Call { function: FunctionId, base: Reg },
    Return { src: Reg },
    ReturnNothing,
    /// A place to come back to: this frame, at the instruction `to`.
    Catch { dst: Reg, to: u32 },
    /// Gives up every call made since the mark in the register was made, and goes on at its place.
    Throw { escape: Reg },

    // Lists, tuples, records and texts.
    /// Elements of more than one type are an error.
    List { dst: Reg, first: Reg, count: u16 },
    Tuple { dst: Reg, first: Reg, count: u16 },
    Record { dst: Reg, first: Reg, count: u16 },
    Append { list: Reg, value: Reg },
    Index { dst: Reg, list: Reg, index: Reg },
    SetIndex { list: Reg, index: Reg, value: Reg },
    RemoveIndex { list: Reg, index: Reg },
    /// A copy of the list with one element changed.
    WithIndex { dst: Reg, list: Reg, index: Reg, value: Reg },
    /// A copy of the list with one element less.
    WithoutIndex { dst: Reg, list: Reg, index: Reg },
    /// The list in `dst` becomes the one in `src`; elements of another type are an error.
    ReplaceList { dst: Reg, src: Reg },
    Length { dst: Reg, list: Reg },
    /// The element of a tuple or the field of a record, by number.
    Item { dst: Reg, of: Reg, item: u16 },
    SetItem { of: Reg, item: u16, value: Reg },
    /// The record has at least so many fields: those that are new hold nothing.
    ExtendRecord { of: Reg, count: u16 },
    /// A list of `count` times the value.
    FilledList { dst: Reg, value: Reg, count: Reg },
    /// The records of a list whose field is the value, as a list in the same order.
    FilterRecords { dst: Reg, list: Reg, item: u16, value: Reg },
    /// Puts the records of a list in the order of the number in a field.
    SortRecords { list: Reg, item: u16 },
    Coordinate { dst: Reg, row: Reg, col: Reg },
    RowOf { dst: Reg, of: Reg },
    ColumnOf { dst: Reg, of: Reg },
    Concat { dst: Reg, a: Reg, b: Reg },
    ToString { dst: Reg, a: Reg },

    // Grids that are values. Where rows and columns are named, they count from `from`.
    /// A new one, with the value on all its cells.
    NewGrid { dst: Reg, rows: Reg, cols: Reg, value: Reg },
    /// Puts the value on a part of a grid that is still being made: the first row lies in `rows` and the last
    /// in the register after it, and so do the columns.
    GridFill { grid: Reg, rows: Reg, cols: Reg, value: Reg, from: u8 },
    GridCell { dst: Reg, grid: Reg, row: Reg, col: Reg, from: u8 },
    /// A copy of the grid with one cell changed.
    GridWithCell { dst: Reg, grid: Reg, row: Reg, col: Reg, value: Reg, from: u8 },
    /// How many cells hold the value.
    GridCount { dst: Reg, grid: Reg, value: Reg },
    /// How many cells with the value lie side by side at most, in any of the directions.
    GridLongestRun { dst: Reg, grid: Reg, value: Reg, directions: LineDirections },

    // The board and its pieces.
    Rows { dst: Reg },
    Cols { dst: Reg },
    Cell { dst: Reg, row: Reg, col: Reg },
    PieceField { dst: Reg, piece: Reg, field: PieceField },
    Place { name: Reg, row: Reg, col: Reg, owner: Reg },
    PlaceKind { kind: u16, row: Reg, col: Reg, owner: Reg },
    Remove { row: Reg, col: Reg },
    /// Acts on the piece that now stands where the piece in the register came from, and updates the register.
    SetVisible { piece: Reg, value: Reg },
    ChangeType { piece: Reg, name: Reg },
    /// Act on the piece whose handler runs, if it is still there.
    SetSelfVisible { value: Reg },
    ChangeSelfType { name: Reg },
    SelfRow { dst: Reg },
    SelfCol { dst: Reg },
    Resize { rows: Reg, cols: Reg },

    // Play.
    /// A new action begins; the timeline keeps a checkpoint here.
    BeginAction,
    /// Sends a click to the piece on a cell, unless it has handled one in this action.
    SendClick { row: Reg, col: Reg },
    /// The pieces on the board as a list for [`Instr::SendTurn`]: the kinds named in the list `order` first.
    CollectTurnPieces { dst: Reg, order: Reg },
    /// Frees a list that nothing but this register names.
    FreeList { list: Reg },
    /// Tells a piece of a new turn, if it is still there.
    SendTurn { piece: Reg },
    /// The game has ended, for the player named in `winner`: what `break on win` waits for.
    EndGame { how: Reg, winner: Reg },
    Print { value: Reg },
    Display { value: Reg },
    /// Says something to the person at the prompt that is no output of the game.
    Warn { k: u16 },
    /// The same, where nothing is amiss.
    Info { value: Reg },
    Random { dst: Reg, low: Reg, high: Reg },
    /// A decimal number with three places, both ends included.
    RandomFloat { dst: Reg, low: Reg, high: Reg },
    /// Asks for a line of input, read as `what` says, with the text in `question` shown before.
    Ask { dst: Reg, question: Reg, input_kind: u8 },

    // Checks and errors.
    /// The value must be a value at all.
    RequireValue { a: Reg },
    RequireBool { a: Reg },
    RequireInt { a: Reg },
    /// Fails with the constant text; if `with`, the value in `a` is written where it has `{}`.
    Fail { k: u16, a: Reg, with: bool },
    /// Stands in the place of another instruction where the debugger wants to be told.
    Trap,
}

impl Instr {
    /// The variable of the whole program that it reads.
    pub fn global_read(&self) -> Option<u32> {
        match self {
            Instr::GetGlobal { global, .. } | Instr::GetDefinedGlobal { global, .. } => {
                Some(*global)
            }
            _ => None,
        }
    }

    /// The variable of the whole program that it sets.
    pub fn global_written(&self) -> Option<u32> {
        match self {
            Instr::SetGlobal { global, .. }
            | Instr::AssignGlobal { global, .. }
            | Instr::AssignOrAppendGlobal { global, .. } => Some(*global),
            _ => None,
        }
    }

    /// Where it may jump to.
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
            | HandlingPiecesNext { to, .. } => Some(to),
            Catch { to, .. } => Some(to),
            _ => None,
        }
    }
}

const _: () = assert!(size_of::<Instr>() == 12);
