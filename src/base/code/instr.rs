//! The instruction set; see [`Instr`]. Instructions are twelve bytes.

use crate::code::{FunctionId, PieceEvent};

/// Number of a register, counted from the base of its frame.
pub type Reg = u16;

/// A field of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum PieceField {
    /// Name of the piece's kind, as a string.
    Name,
    /// Whether the players can see the piece, as a boolean.
    Visible,
    /// Row of the cell from which the piece was read, from 0.
    Row,
    /// Column of the cell from which the piece was read, from 0.
    Col,
    /// Name of the owner, as a string; empty if the piece has no owner.
    Owner,
}

/// One of the two directions of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Axis {
    /// From top to bottom: rows are counted along it.
    Row,
    /// From left to right: columns are counted along it.
    Column,
}

impl Axis {
    /// The one of two values that belongs to it.
    #[inline]
    pub fn of<T>(self, row: T, column: T) -> T {
        match self {
            Axis::Row => row,
            Axis::Column => column,
        }
    }
}

/// Where output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Channel {
    /// The program's standard output.
    Print,
    /// The board's message line, which shows only the latest text.
    Display,
    /// For the user; not part of the game.
    Warning,
    /// Like `Warning`, for information.
    Info,
}

impl Channel {
    /// The instruction that writes the value in a register to it.
    pub fn output(self, value: Reg) -> Instr {
        let channel = self;
        Instr::Output { value, channel }
    }

    /// What it needs, if there is no value to write.
    pub fn expects(self) -> &'static str {
        match self {
            Channel::Print => "a value to print",
            Channel::Display | Channel::Warning | Channel::Info => "a value to show",
        }
    }
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

/// One instruction of the virtual machine.
///
/// An operand of type [`Reg`] is a register of the current frame. All other operands are stored in
/// the instruction itself. Operands with the same name mean the same everywhere:
///
/// - `dst`: the register that receives the result.
/// - `a`, `b`, `src`: registers that are read, as are those named after what they hold, such as
///   `row`, `list` or `piece`.
/// - `value`: a register that is read or, in instructions whose name ends in `Int`, the integer.
/// - `k`: index into [`Function::constants`](super::Function::constants).
/// - `to`: index of an instruction of the same function, where execution continues after a jump.
/// - `global`: index into [`Program::globals`](super::Program::globals).
/// - `base`: the first of several consecutive registers. A call has its arguments there, and later
///   its result. A loop over cells has its internal state in `base` and the visited item in the
///   registers after it.
/// - `first`, `count`: the `count` registers that start with `first`.
/// - `item`: index of an element of a tuple or of a field of a record.
/// - `expected`: what the test has to yield for the result to be true; `false` negates the test.
/// - `from`: the number that a language gives to the first row and column of a grid.
///
/// Operands are type-checked when the instruction executes. An instruction that fails stops the run
/// with a runtime error. "No value" means [`Value::NOTHING`](crate::value::Value::NOTHING). Rows,
/// columns and list elements are numbered from 0 unless there is a `from`.
// The operands are explained above. `tests/invariants/style.rs` checks that every variant has a doc
// comment.
#[allow(missing_docs)]
// One line per instruction is easier to scan than rustfmt's layout.
#[rustfmt::skip]
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(u8)]
pub enum Instr {
    // Loads, stores and assignment.
    /// Loads constant `k` into `dst`.
    Constant { dst: Reg, k: u16 },
    /// Loads the integer `value` into `dst`.
    Int { dst: Reg, value: i32 },
    /// Copies register `src` to `dst`. Both then refer to the same list, record or grid, if any.
    Move { dst: Reg, src: Reg },
    /// Like `Move`, but if `src` holds a list, `dst` receives a shallow copy of it.
    Copy { dst: Reg, src: Reg },
    /// Loads `global` into `dst`: no value if nothing was assigned to it yet.
    GetGlobal { dst: Reg, global: u32 },
    /// Like `GetGlobal`, but fails if `global` has no value yet.
    GetDefinedGlobal { dst: Reg, global: u32 },
    /// Stores `src` in `global` without any check.
    SetGlobal { global: u32, src: Reg },
    /// Assigns `src` to the local variable in `dst`. Fails if `src` has no value, or if its type
    /// differs from that of the value in `dst`. If `appends` and `dst` holds a list, appends `src` to
    /// it instead, as in `Append`.
    Assign { dst: Reg, src: Reg, appends: bool },
    /// Like `Assign`, for the variable `global`.
    AssignGlobal { global: u32, src: Reg, appends: bool },

    // Arithmetic, on two integers or two floats. The program's `Arithmetic` says what happens on
    // overflow.
    /// Puts `a + b` into `dst`.
    Add { dst: Reg, a: Reg, b: Reg },
    /// Puts `a - b` into `dst`.
    Subtract { dst: Reg, a: Reg, b: Reg },
    /// Puts `a * b` into `dst`.
    Multiply { dst: Reg, a: Reg, b: Reg },
    /// Puts `a / b` into `dst`. Fails if `b` is zero. The program's `Arithmetic` says how integers
    /// are rounded.
    Divide { dst: Reg, a: Reg, b: Reg },
    /// Puts the remainder of `a / b` into `dst`. Fails if `b` is zero. The result has the sign of
    /// `a`, except that integers get the sign of `b` where division rounds down.
    Remainder { dst: Reg, a: Reg, b: Reg },
    /// Puts `a + value` into `dst`; `a` is an integer.
    AddInt { dst: Reg, a: Reg, value: i32 },
    /// Puts `a - value` into `dst`; `a` is an integer.
    SubtractInt { dst: Reg, a: Reg, value: i32 },
    /// Puts `a * value` into `dst`; `a` is an integer.
    MultiplyInt { dst: Reg, a: Reg, value: i32 },
    /// Puts `a / value` into `dst`; `a` is an integer, `value` is positive. Rounds like `Divide`.
    DivideInt { dst: Reg, a: Reg, value: i32 },
    /// Puts the remainder of `a / value` into `dst`. `a` is an integer, `value` is positive, and
    /// constant `k` is its [`super::reciprocal`]. The result has the same sign as in `Remainder`.
    RemainderInt { dst: Reg, a: Reg, k: u16, value: i32 },
    /// Puts `-a` into `dst`.
    Negate { dst: Reg, a: Reg },
    /// Converts the integer `a` to a float in `dst`; a float is copied unchanged.
    ToFloat { dst: Reg, a: Reg },

    // Comparisons. The result is a boolean.
    /// Puts whether `a < b` into `dst`, for two integers or two floats.
    Less { dst: Reg, a: Reg, b: Reg },
    /// Puts whether `a <= b` into `dst`, for two integers or two floats.
    LessEqual { dst: Reg, a: Reg, b: Reg },
    /// Puts whether the equality of `a` and `b` is as `expected` into `dst`. Pieces are equal if they
    /// are of the same kind; strings, lists, tuples and grids are compared by content. Fails if the
    /// types differ or one of them has no value.
    Equal { dst: Reg, a: Reg, b: Reg, expected: bool },
    /// Like `Equal`, but values of different types are unequal instead of an error, and pieces are
    /// only equal if they agree in everything, including their cell.
    EqualAnyType { dst: Reg, a: Reg, b: Reg, expected: bool },
    /// Puts the negation of the boolean `a` into `dst`.
    Not { dst: Reg, a: Reg },
    /// Tests whether the name of the piece in `a` equals the string in constant `k`, and puts
    /// whether that is as `expected` into `dst`. The name of an empty cell is the empty string.
    NameIs { dst: Reg, a: Reg, k: u16, expected: bool },

    // Jumps. `JumpUnless…` fuses a comparison with a jump that is taken when it is false.
    /// Jumps forward to `to`.
    Jump { to: u32 },
    /// Jumps back to `to`, the start of a loop. A safepoint: the run may pause here, for example
    /// because it reached its time limit.
    Loop { to: u32 },
    /// Jumps to `to` if the boolean `a` is true.
    JumpIf { a: Reg, to: u32 },
    /// Jumps to `to` if the boolean `a` is false.
    JumpUnless { a: Reg, to: u32 },
    /// Compares like `Less`; jumps to `to` unless `a < b`.
    JumpUnlessLess { a: Reg, b: Reg, to: u32 },
    /// Compares like `LessEqual`; jumps to `to` unless `a <= b`.
    JumpUnlessLessEqual { a: Reg, b: Reg, to: u32 },
    /// Compares like `Equal`; jumps to `to` unless the equality of `a` and `b` is as `expected`.
    JumpUnlessEqual { a: Reg, b: Reg, expected: bool, to: u32 },
    /// Compares like `EqualAnyType`; jumps to `to` unless the equality of `a` and `b` is as
    /// `expected`.
    JumpUnlessEqualAnyType { a: Reg, b: Reg, expected: bool, to: u32 },
    /// Jumps to `to` unless the integer `a` is less than `value`.
    JumpUnlessLessInt { a: Reg, value: i16, to: u32 },
    /// Jumps to `to` unless the integer `a` is greater than `value`.
    JumpUnlessGreaterInt { a: Reg, value: i16, to: u32 },
    /// Jumps to `to` unless the equality of the integer `a` and `value` is as `expected`.
    JumpUnlessEqualInt { a: Reg, value: i16, expected: bool, to: u32 },
    /// Tests the name of the piece in `a` against constant `k` like `NameIs`; jumps to `to` unless
    /// the result is as `expected`.
    JumpUnlessNameIs { a: Reg, k: u16, expected: bool, to: u32 },
    /// Tests the name of the piece on the board at `row` and `col` against constant `k` like
    /// `NameIs`; jumps to `to` unless the result is as `expected`. Fails if the cell is off the
    /// board.
    JumpUnlessCellNameIs { expected: bool, row: Reg, col: Reg, k: u16, to: u32 },

    // Loops. `…Start` visits the first item, or jumps past the loop if there is none. `…Next`
    // visits the next item and jumps back to the body, or falls through at the end; the jump is a
    // safepoint like `Loop`. A board has at least one cell, so `RowStart`, `ColumnStart`,
    // `PiecesStart` and `CellsStart` never jump: their `to` only marks the end of the loop.
    /// Starts a loop over integers. `base` holds the first one and is the loop variable; `base + 1`
    /// holds the end, which is excluded. Jumps to `to`, the end of the loop, if there are none.
    RangeStart { base: Reg, to: u32 },
    /// Adds 1 to the loop variable in `base` and jumps back to `to`, unless that reaches the end in
    /// `base + 1`.
    RangeNext { base: Reg, to: u32 },
    /// Starts a loop over the cells of row `row` from left to right: `base + 1` receives the
    /// content of the first cell. Fails if the board has no such row. `to` is the end of the loop.
    RowStart { base: Reg, row: Reg, to: u32 },
    /// Starts a loop over the cells of column `col` from top to bottom: `base + 1` receives the
    /// content of the first cell. Fails if the board has no such column. `to` is the end of the
    /// loop.
    ColumnStart { base: Reg, col: Reg, to: u32 },
    /// Starts a loop over the contents of all cells, row by row and including empty ones:
    /// `base + 1` receives the first. `RowNext` continues it. Fails if there is no board. `to` is
    /// the end of the loop.
    PiecesStart { base: Reg, to: u32 },
    /// Continues a `RowStart` or `PiecesStart` loop: puts the content of the next cell into
    /// `base + 1` and jumps back to `to`. Falls through after the last cell.
    RowNext { base: Reg, to: u32 },
    /// Continues a `ColumnStart` loop: puts the content of the next cell into `base + 1` and jumps
    /// back to `to`. Falls through after the last cell.
    ColumnNext { base: Reg, to: u32 },
    /// Starts a loop over the coordinates of all cells, row by row: `base + 1` receives the row,
    /// `base + 2` the column. Fails if there is no board. `to` is the end of the loop.
    CellsStart { base: Reg, to: u32 },
    /// Continues a `CellsStart` loop: puts the next row and column into `base + 1` and `base + 2`
    /// and jumps back to `to`. Falls through after the last cell.
    CellsNext { base: Reg, to: u32 },
    /// Starts a loop over the up to eight cells around `row` and `col`, and always jumps to `to`, its
    /// `NeighborsNext` or `NeighborCellsNext`. Fails if the cell in the middle is off the board.
    NeighborsStart { base: Reg, row: Reg, col: Reg, to: u32 },
    /// Finds the next neighbor on the board, row by row; puts its content into `base + 1` and jumps
    /// back to `to`. Falls through after the last one.
    NeighborsNext { base: Reg, to: u32 },
    /// Like `NeighborsNext`, but puts the row and column of the neighbor into `base + 1` and
    /// `base + 2`.
    NeighborCellsNext { base: Reg, to: u32 },
    /// Starts a loop over the elements of the list in `base`: `base + 1` receives the index,
    /// `base + 2` the element. Jumps to `to`, the end of the loop, if the list is empty.
    ItemsStart { base: Reg, to: u32 },
    /// Puts the next index and element of the list in `base` into `base + 1` and `base + 2` and
    /// jumps back to `to`. Falls through after the last element. Elements that the body appends to
    /// the list are visited, too.
    ItemsNext { base: Reg, to: u32 },
    /// Finds the next piece, in column-major order, whose kind handles `event`, and jumps back to
    /// `to`. `base` is the position in that order of the next cell to check, initially 0;
    /// `base + 1` receives the piece for [`Instr::SendTurn`]. Falls through when there is none.
    HandlingPiecesNext { base: Reg, event: PieceEvent, to: u32 },

    // Calls. Like backward jumps, they are safepoints.
    /// Calls `function` with the arguments that start in register `base`; the result is returned
    /// there. The callee's registers start at `base`, too, so the caller's registers from `base` on
    /// are overwritten. Fails if there are too many nested calls.
    Call { function: FunctionId, base: Reg },
    /// Ends the call and returns `src`. What a handler returns is ignored.
    Return { src: Reg },
    /// Ends the call and returns no value.
    ReturnNothing,
    /// Puts an escape continuation into `dst`, with which `Throw` can continue this frame at `to`.
    /// Does not jump itself.
    Catch { dst: Reg, to: u32 },
    /// Unwinds the call stack to the frame whose `Catch` produced `escape` and continues at the
    /// `to` of that `Catch`. Fails if that frame has already returned.
    Throw { escape: Reg },

    // Lists, tuples, records and strings.
    /// Puts a new list of the `count` values from `first` on into `dst`. Fails if they have
    /// different types or one has no value.
    List { dst: Reg, first: Reg, count: u16 },
    /// Puts a new tuple of the `count` values from `first` on into `dst`.
    Tuple { dst: Reg, first: Reg, count: u16 },
    /// Puts a new record with the `count` values from `first` on as its fields into `dst`.
    Record { dst: Reg, first: Reg, count: u16 },
    /// Appends `value` to `list`, in place. Fails if its type differs from that of the elements.
    Append { list: Reg, value: Reg },
    /// Puts the element of `list` at `index` into `dst`. Fails if there is no such element.
    Index { dst: Reg, list: Reg, index: Reg },
    /// Replaces the element of `list` at `index` with `value`, in place. Fails if there is no such
    /// element or `value` has another type.
    SetIndex { list: Reg, index: Reg, value: Reg },
    /// Removes the element at `index` from `list`, in place. Fails if there is no such element.
    RemoveIndex { list: Reg, index: Reg },
    /// Puts the number of elements of `list` into `dst`; if it is a string, the number of
    /// characters.
    Length { dst: Reg, list: Reg },
    /// Puts element or field `item` of the tuple or record `of` into `dst`.
    Item { dst: Reg, of: Reg, item: u16 },
    /// Sets element or field `item` of the tuple or record `of` to `value`, in place.
    SetItem { of: Reg, item: u16, value: Reg },
    /// Extends the record `of` to at least `count` fields, in place; new fields have no value.
    ExtendRecord { of: Reg, count: u16 },
    /// Puts a new list of `count` elements, each of them `value`, into `dst`. `count` is a register
    /// here. Fails if it is negative or above 2^24.
    FilledList { dst: Reg, value: Reg, count: Reg },
    /// Puts a new list of those records of `list` whose field `item` equals `value` into `dst`, in
    /// the same order.
    FilterRecords { dst: Reg, list: Reg, item: u16, value: Reg },
    /// Sorts the records of `list` by the integer in field `item`, in place and in ascending order.
    /// Records with the same number keep their order.
    SortRecords { list: Reg, item: u16 },
    /// Puts the coordinate of `row` and `col` into `dst`. They may be negative; fails if one does
    /// not fit in 22 bits.
    Coordinate { dst: Reg, row: Reg, col: Reg },
    /// Puts the row or column of the coordinate `of` into `dst`.
    CoordinatePart { dst: Reg, of: Reg, axis: Axis },
    /// Puts the string `a` followed by the string `b` into `dst`.
    Concat { dst: Reg, a: Reg, b: Reg },
    /// Puts `a` as a string, formatted as `print` shows it, into `dst`.
    ToString { dst: Reg, a: Reg },

    // Grids that are values. Rows and columns are numbered from `from`.
    /// Puts a new grid of `rows` by `cols` cells, each holding `value`, into `dst`. Fails if there
    /// are no cells or more than `Value::MAX_CELLS`.
    NewGrid { dst: Reg, rows: Reg, cols: Reg, value: Reg },
    /// Sets a rectangle of cells to `value`, in place; only for a `grid` under construction. `rows`
    /// and `rows + 1` hold the first and last row, likewise `cols`. Fails if a corner is off the
    /// grid.
    GridFill { grid: Reg, rows: Reg, cols: Reg, value: Reg, from: u8 },
    /// Puts the content of the cell of `grid` at `row` and `col` into `dst`. Fails if it is off the
    /// grid.
    GridCell { dst: Reg, grid: Reg, row: Reg, col: Reg, from: u8 },
    /// Puts a copy of `grid` with `value` in the cell at `row` and `col` into `dst`. Fails if the
    /// cell is off the grid.
    GridWithCell { from: u8, dst: Reg, grid: Reg, row: Reg, col: Reg, value: Reg },
    /// Puts the number of cells of `grid` that hold `value` into `dst`.
    GridCount { dst: Reg, grid: Reg, value: Reg },
    /// Puts the length of the longest unbroken line of cells of `grid` that hold `value`, in any of
    /// the `directions`, into `dst`.
    GridLongestRun { dst: Reg, grid: Reg, value: Reg, directions: LineDirections },

    // The board and its pieces.
    /// Puts the number of rows or columns of the board into `dst`. Fails if there is no board.
    BoardSize { dst: Reg, axis: Axis },
    /// Puts the content of the cell at `row` and `col` into `dst`: a copy of the piece, or
    /// `Value::EMPTY`. Fails if it is off the board.
    Cell { dst: Reg, row: Reg, col: Reg },
    /// Puts `field` of the piece in register `piece` into `dst`. That is a copy: later changes on
    /// the board do not show. An empty cell has an empty name and is invisible; its other fields
    /// fail.
    PieceField { dst: Reg, piece: Reg, field: PieceField },
    /// Puts a new piece on the cell at `row` and `col`, in place of what is there. `name` holds the
    /// name of its kind, `owner` that of its owner; without a known owner it has none. Fails if the
    /// kind is unknown or the cell off the board.
    Place { name: Reg, row: Reg, col: Reg, owner: Reg },
    /// Like `Place`, with the index of the `kind` in
    /// [`Program::piece_kinds`](super::Program::piece_kinds) instead of its name.
    PlaceKind { kind: u16, row: Reg, col: Reg, owner: Reg },
    /// Removes the piece on the cell at `row` and `col`, if there is one. Fails if the cell is off
    /// the board.
    Remove { row: Reg, col: Reg },
    /// Makes a piece visible or invisible: the one that is now on the cell from which `piece` was
    /// read. `value` is a boolean, 1 or 0. `piece` receives the changed piece. Fails if the cell is
    /// now empty.
    SetVisible { piece: Reg, value: Reg },
    /// Changes the kind of the same piece as `SetVisible` to the one named `name`; `piece` receives
    /// the changed piece. Fails if the kind is unknown or the cell is now empty.
    ChangeType { piece: Reg, name: Reg },
    /// Makes the piece whose handler runs visible or invisible; `value` is a boolean, 1 or 0. Does
    /// nothing if the piece has left the board. Fails outside of handlers.
    SetSelfVisible { value: Reg },
    /// Changes the kind of the piece whose handler runs to the one named `name`. Does nothing if
    /// the piece has left the board. Fails outside of handlers.
    ChangeSelfType { name: Reg },
    /// Puts the row or column of the piece whose handler runs into `dst`. Fails outside of handlers.
    SelfPosition { dst: Reg, axis: Axis },
    /// Gives the board `rows` rows and `cols` columns. Pieces that still fit keep their place, the
    /// others are removed. Fails if the board would have no cells or too many.
    Resize { rows: Reg, cols: Reg },

    // Playing.
    /// Starts a new action.
    BeginAction,
    /// Sends a click to the piece on the cell at `row` and `col`, unless it already received one in
    /// this action: calls its click handler, if it has one. Fails if the cell is off the board.
    SendClick { row: Reg, col: Reg },
    /// Puts the pieces on the board, as a list for [`Instr::SendTurn`], into `dst`. Kinds named in
    /// the list `order` come first, the rest follows row by row. The list is empty if no kind
    /// handles turns.
    CollectTurnPieces { dst: Reg, order: Reg },
    /// Frees `list` without waiting for a garbage collection, and clears the register. Nothing else
    /// may refer to the list.
    FreeList { list: Reg },
    /// Calls the turn handler of `piece`, if it has one and is still on the board. `piece` comes
    /// from `CollectTurnPieces` or `HandlingPiecesNext`.
    SendTurn { piece: Reg },
    /// Announces the end of the game to the debugger: `break on win`, `lose` and `draw` stop here.
    /// Does nothing by itself. `how` holds a [`Status`](super::Status) as an integer, `winner` the
    /// winner's name or an empty string.
    EndGame { how: Reg, winner: Reg },
    /// Writes `value` to a channel of the output. Fails if there is no value, unless it is for
    /// information.
    Output { value: Reg, channel: Channel },
    /// Shows the string in constant `k` to the user as a warning that is not part of the game's
    /// output.
    Warn { k: u16 },
    /// Puts a random integer, at least `low` and below `high`, into `dst`; if `is_float`, a float with
    /// three decimal places, from `low` to `high` inclusive. Scripted draws come first; for floats,
    /// they count thousandths. Fails if the range is empty or a scripted draw is outside of it.
    Random { dst: Reg, low: Reg, high: Reg, is_float: bool },
    /// Asks the user for a line of input, with `question` (possibly no value) as the prompt, and
    /// puts the parsed value into `dst`. Pauses the run until there is an answer. The language's
    /// [`InputParser`](super::InputParser) defines what `input_kind` means.
    Ask { dst: Reg, question: Reg, input_kind: u8 },

    // Checks and errors.
    /// Fails if `a` has no value.
    RequireValue { a: Reg },
    /// Fails if `a` is not a boolean.
    RequireBool { a: Reg },
    /// Fails with the message in constant `k`. If `with`, the value in `a` replaces its `{}`. What
    /// follows ` | ` in the message is shown as a note.
    Fail { k: u16, a: Reg, with: bool },
    /// Replaces another instruction in patched code, where a breakpoint is set; pauses for the
    /// debugger.
    Trap,

    // Only in code that reuses iterations; see `IncrementalCode`. `unit` is the index of the loop.
    /// Replaces the start of a loop whose units can be reused: starts the loop, and skips its first
    /// unit if that is known.
    UnitsStart { unit: u16 },
    /// Replaces the `RangeNext` of such a loop: ends an iteration, and skips the next ones as far as
    /// they are known.
    UnitsRangeNext { unit: u16 },
    /// Replaces the `RowNext` of such a loop over all cells: like `RowNext` inside of a row; at its
    /// end, skips the next rows as far as they are known.
    UnitsPiecesNext { unit: u16, base: Reg, to: u32 },
    /// Like `UnitsPiecesNext`, for `CellsNext`.
    UnitsCellsNext { unit: u16, base: Reg, to: u32 },
}

impl Instr {
    /// Which instruction this is, as a number that can index a table.
    #[inline(always)]
    pub const fn opcode(&self) -> u8 {
        // SAFETY: an enum that is `repr(u8)` starts with its discriminant.
        unsafe { *std::ptr::from_ref(self).cast::<u8>() }
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
            | JumpUnlessEqualAnyType { to, .. }
            | JumpUnlessLessInt { to, .. }
            | JumpUnlessGreaterInt { to, .. }
            | JumpUnlessEqualInt { to, .. }
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
