//! The instructions of the fast path; see [`Cursor`] for what they are made of.

use super::groups::{FIRST_GROUP, Pair};
use super::{Cursor, Dispatch, Exit, Handler, Position, Then};
use crate::code::{Instr, PieceField};
use crate::machine::Machine;
use crate::machine::ops::board::next_neighbor;
use crate::machine::run::{CELL_BITS, CELL_MASK, SIDE_MASK, cells_state, neighbors_state};
use crate::value::{Piece, Value};
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// The instruction at `ip`, which may have the opcode of a group.
///
/// # Safety
///
/// It is an instruction with this opcode, or a group that starts with one.
#[inline(always)]
unsafe fn read_instr(ip: *const Instr, opcode: u8) -> Instr {
    // SAFETY: by the condition above; an instruction starts with its opcode.
    unsafe {
        let mut instr = ip.cast::<MaybeUninit<Instr>>().read();
        instr.as_mut_ptr().cast::<u8>().write(opcode);
        instr.assume_init()
    }
}

/// Defines [`HANDLERS`]: one function for each instruction that is listed, with all of its operands,
/// and [`Cursor::leave`] for all others; and in `after`, a [`Then`] for each of these functions.
macro_rules! handlers {
    ($($instr:ident { $($operand:ident),* } |$cursor:ident| $body:expr,)*) => {
        $(
            #[allow(non_snake_case, unused_mut, unused_variables)]
            #[inline(always)]
            fn $instr<N: Then>(
                machine: &mut Machine,
                ip: *const Instr,
                registers: *mut Value,
                ahead: u64,
                code: *const Instr,
            ) -> Exit {
                let constants = machine.position.constants;
                let at = Position { ip, registers, constants, ahead, code };
                let mut $cursor = Cursor::<N> { machine, at, then: PhantomData };
                // SAFETY: the table has this function for this instruction only, and for groups that
                // start with it.
                let instr = unsafe { read_instr(ip, opcode::$instr) };
                let Instr::$instr { $($operand),* } = instr else {
                    unsafe { std::hint::unreachable_unchecked() }
                };
                $body
            }
        )*

        #[allow(non_upper_case_globals)]
        mod opcode {
            use crate::code::Instr;
            $(
                // SAFETY: zero is a valid value of all operands.
                pub(super) const $instr: u8 =
                    Instr::$instr { $($operand: unsafe { std::mem::zeroed() }),* }.opcode();
            )*
        }

        #[allow(dead_code, reason = "not every instruction is the second of a group")]
        mod after {
            use super::{Exit, Machine, PhantomData, Position, Then};
            $(
                pub(super) struct $instr<N>(PhantomData<N>);

                impl<N: Then> Then for $instr<N> {
                    #[inline(always)]
                    fn then(machine: &mut Machine, at: Position) -> Exit {
                        let Position { ip, registers, ahead, code, .. } = at;
                        super::$instr::<N>(machine, ip, registers, ahead, code)
                    }
                }
            )*
        }

        /// The function of each instruction and of each group, by opcode.
        pub(super) static HANDLERS: [Handler; 256] = {
            fn leave(
                machine: &mut Machine,
                ip: *const Instr,
                registers: *mut Value,
                ahead: u64,
                code: *const Instr,
            ) -> Exit {
                let constants = machine.position.constants;
                machine.position = Position { ip, registers, constants, ahead, code };
                Exit::Left
            }
            let mut handlers: [Handler; 256] = [leave; 256];
            $( handlers[opcode::$instr as usize] = $instr::<Dispatch>; )*
            let mut n = 0;
            while n < GROUP_HANDLERS.len() {
                handlers[FIRST_GROUP as usize + n] = GROUP_HANDLERS[n];
                n += 1;
            }
            handlers
        };
    };
}

/// Defines in `chained` a [`Then`] for instructions that compute with the integer that the instruction before them
/// has just put into their operand `a`. They neither load nor test it, so that the next computation need not wait
/// until it has been written to memory and read again.
macro_rules! chained {
    ($($instr:ident { $($operand:ident),* } |$cursor:ident, $left:ident| $body:expr,)*) => {
        mod chained {
            use super::*;
            $(
                pub(super) struct $instr<N>(PhantomData<N>);

                impl<N: Then> Then for $instr<N> {
                    #[inline(always)]
                    fn then(machine: &mut Machine, at: Position) -> Exit {
                        after::$instr::<N>::then(machine, at)
                    }

                    #[inline(always)]
                    fn then_with(machine: &mut Machine, at: Position, $left: i32) -> Exit {
                        let $cursor = Cursor::<N> { machine, at, then: PhantomData };
                        // SAFETY: groups have this function only for this instruction.
                        let instr = unsafe { read_instr(at.ip, opcode::$instr) };
                        let Instr::$instr { $($operand,)* .. } = instr else {
                            unsafe { std::hint::unreachable_unchecked() }
                        };
                        $body
                    }
                }
            )*
        }
    };
}

/// Defines the groups: the pairs, then the ends of loops with the instruction at the start of the loop.
macro_rules! groups {
    (
        pairs { $($first:ident $second:ident,)* }
        chains { $($left:ident $right:ident,)* }
        loops { $($last:ident Loop $start:ident,)* }
    ) => {
        /// The instructions of each group, by opcode from [`FIRST_GROUP`] on.
        pub(super) const PAIRS: &[Pair] = &[
            $((opcode::$first, opcode::$second),)*
            $((opcode::$left, opcode::$right),)*
            $((opcode::$last, opcode::$start),)*
        ];

        /// How many of them are pairs, and how many are pairs or chains; the others are ends of loops.
        const PAIR_COUNT: usize = [$(opcode::$first,)*].len();
        const CHAIN_END: usize = PAIR_COUNT + [$(opcode::$left,)*].len();

        const GROUP_HANDLERS: &[Handler] = &[
            $($first::<after::$second<Dispatch>>,)*
            $($left::<chained::$right<Dispatch>>,)*
            $($last::<after::Loop<after::$start<Dispatch>>>,)*
        ];

        type GroupTable = [[u8; FIRST_GROUP as usize]; FIRST_GROUP as usize];

        const fn group_table(from: usize, to: usize) -> GroupTable {
            let mut groups = [[0; FIRST_GROUP as usize]; FIRST_GROUP as usize];
            let mut n = from;
            while n < to {
                let (first, second) = PAIRS[n];
                groups[first as usize][second as usize] = FIRST_GROUP + n as u8;
                n += 1;
            }
            groups
        }

        /// The opcode of the group of two instructions, by their opcodes; 0 if they have none.
        pub(super) static GROUP_OF: GroupTable = group_table(0, PAIR_COUNT);

        /// The same for two instructions that compute, the second one with the result of the first as its operand
        /// `a`.
        pub(super) static CHAIN_OF: GroupTable = group_table(PAIR_COUNT, CHAIN_END);

        /// The opcode of the group of an instruction, a [`Instr::Loop`] after it and the instruction that this
        /// jumps to, by the opcodes of the first and the last one; 0 if they have none.
        pub(super) static LOOP_GROUP_OF: GroupTable = group_table(CHAIN_END, PAIRS.len());
    };
}

groups! {
    pairs {
        // The most frequent pairs, in this order.
        Constant JumpUnlessEqualAnyType,
        LessEqual JumpUnless,
        Int LessEqual,
        Move Call,
        Constant JumpUnlessEqual,
        Move Move,
        SetGlobal GetGlobal,
        NameIs JumpUnless,
        GetGlobal Constant,
        GetGlobal GetGlobal,
        SetGlobal Move,
        Int GetGlobal,
        Equal JumpUnless,
        AddInt SetGlobal,
        Not JumpUnless,
        AddInt RowNext,
        JumpUnlessNameIs AddInt,
        Constant Equal,
        Constant EqualAnyType,
        GetGlobal JumpUnless,
        NameIs Return,
        Less JumpUnless,
        SetGlobal ReturnNothing,
        Cell Constant,
        Cell PieceField,
        Constant SetGlobal,
        JumpUnlessNameIs Constant,
        SetGlobal RowNext,
        Move Loop,
        Int NeighborsStart,
        GetDefinedGlobal AddInt,
        JumpUnlessEqual GetDefinedGlobal,
        PieceField Not,
        BoardSize Less,
        JumpUnless BoardSize,
        JumpUnlessEqual NameIs,
        GetGlobal Index,
        GetGlobal SetGlobal,
        Constant Return,
        Index SetGlobal,
        GetGlobal JumpUnlessEqualInt,
        Int JumpUnlessLess,
        SetGlobal SetGlobal,
        EqualAnyType Jump,
        JumpUnlessLess AddInt,
        BoardSize JumpUnlessLessEqual,
        EqualAnyType JumpUnless,
        GetGlobal Add,
        GetGlobal SubtractInt,
        SubtractInt SetGlobal,
        AddInt Move,
        JumpUnless AddInt,
        GetGlobal Less,
        JumpUnless Move,
        Move RequireBool,
        AddInt Loop,
        Item JumpUnlessEqual,
        Move Index,
        JumpUnless Int,
        GetGlobal Move,
        JumpUnlessLess GetGlobal,
        Cell JumpUnlessNameIs,
        Int Multiply,
        Int Int,
        JumpUnless JumpUnlessCellNameIs,
        JumpUnlessGreaterInt SubtractInt,
        Constant Move,
        EqualAnyType JumpIf,
        GetGlobal EqualAnyType,
        SubtractInt Constant,
        GetGlobal AddInt,
        BoardSize LessEqual,
        Add GetGlobal,
        Add JumpUnlessLessInt,
    }
    // Formulas: the sample games hardly compute, but other programs do.
    chains {
        Add Add,
        Add Subtract,
        Add Multiply,
        Add AddInt,
        Add SubtractInt,
        Add RemainderInt,
        Subtract Add,
        Subtract Subtract,
        Subtract Multiply,
        Subtract AddInt,
        Subtract SubtractInt,
        Subtract RemainderInt,
        Multiply Add,
        Multiply Subtract,
        Multiply Multiply,
        Multiply AddInt,
        Multiply SubtractInt,
        Multiply RemainderInt,
        AddInt Add,
        AddInt Subtract,
        AddInt Multiply,
        AddInt AddInt,
        AddInt SubtractInt,
        AddInt RemainderInt,
        SubtractInt Add,
        SubtractInt Subtract,
        SubtractInt Multiply,
        SubtractInt AddInt,
        SubtractInt SubtractInt,
        SubtractInt RemainderInt,
        RemainderInt Add,
        RemainderInt Subtract,
        RemainderInt Multiply,
        RemainderInt AddInt,
        RemainderInt SubtractInt,
        RemainderInt RemainderInt,
    }
    // A counting loop with a condition, as `while` and `for` loops of all languages have it.
    loops {
        AddInt Loop JumpUnlessLess,
        AddInt Loop JumpUnlessLessEqual,
        AddInt Loop JumpUnlessLessInt,
        AddInt Loop JumpUnlessEqual,
        SubtractInt Loop JumpUnlessGreaterInt,
        SetGlobal Loop GetGlobal,
        Move Loop JumpUnlessLess,
    }
}

chained! {
    Add { dst, b } |c, left| {
        let sum = c.int(b).and_then(|b| left.checked_add(b));
        c.set_int(dst, sum)
    },
    Subtract { dst, b } |c, left| {
        let difference = c.int(b).and_then(|b| left.checked_sub(b));
        c.set_int(dst, difference)
    },
    Multiply { dst, b } |c, left| {
        let product = c.int(b).and_then(|b| left.checked_mul(b));
        c.set_int(dst, product)
    },
    AddInt { dst, value } |c, left| c.set_int(dst, left.checked_add(value)),
    SubtractInt { dst, value } |c, left| c.set_int(dst, left.checked_sub(value)),
    RemainderInt { dst, k, value } |c, left| {
        let remainder = c.remainder(left, k, value);
        c.set_int(dst, remainder)
    },
}

handlers! {
    Constant { dst, k } |c| {
        let value = c.constant(k);
        c.set_or_leave(dst, Some(value))
    },
    Int { dst, value } |c| c.set_int(dst, Some(value)),
    Move { dst, src } |c| {
        let value = c.get(src);
        c.set_or_leave(dst, Some(value))
    },
    Copy { dst, src } |c| {
        let value = c.get(src);
        c.set_or_leave(dst, value.as_heap().is_none().then_some(value))
    },
    GetGlobal { dst, global } |c| {
        let value = c.machine.store.global(global);
        c.set_or_leave(dst, Some(value))
    },
    GetDefinedGlobal { dst, global } |c| {
        let value = c.machine.store.global(global);
        c.set_or_leave(dst, (value != Value::NOTHING).then_some(value))
    },
    SetGlobal { global, src } |c| {
        let value = c.get(src);
        match c.machine.store.globals.set_if_written(global as usize, value) {
            true => c.next(),
            false => c.leave(),
        }
    },

    Add { dst, a, b } |c| {
        let sum = c.ints(a, b).and_then(|(a, b)| a.checked_add(b));
        c.set_int(dst, sum)
    },
    Subtract { dst, a, b } |c| {
        let difference = c.ints(a, b).and_then(|(a, b)| a.checked_sub(b));
        c.set_int(dst, difference)
    },
    Multiply { dst, a, b } |c| {
        let product = c.ints(a, b).and_then(|(a, b)| a.checked_mul(b));
        c.set_int(dst, product)
    },
    AddInt { dst, a, value } |c| {
        let sum = c.int(a).and_then(|a| a.checked_add(value));
        c.set_int(dst, sum)
    },
    SubtractInt { dst, a, value } |c| {
        let difference = c.int(a).and_then(|a| a.checked_sub(value));
        c.set_int(dst, difference)
    },
    MultiplyInt { dst, a, value } |c| {
        let product = c.int(a).and_then(|a| a.checked_mul(value));
        c.set_int(dst, product)
    },
    // Languages differ in how they round negative quotients.
    DivideInt { dst, a, value } |c| {
        let a = c.int(a).filter(|&a| a >= 0);
        c.set_int(dst, a.and_then(|a| a.checked_div(value)))
    },
    RemainderInt { dst, a, k, value } |c| {
        let remainder = c.int(a).and_then(|a| c.remainder(a, k, value));
        c.set_int(dst, remainder)
    },

    Less { dst, a, b } |c| match c.ints(a, b) {
        Some((a, b)) => c.set_bool(dst, a < b),
        None => c.leave(),
    },
    LessEqual { dst, a, b } |c| match c.ints(a, b) {
        Some((a, b)) => c.set_bool(dst, a <= b),
        None => c.leave(),
    },
    Equal { dst, a, b, expected } |c| match c.plain_values(a, b) {
        Some((a, b)) => c.set_bool(dst, (a == b) == expected),
        None => c.leave(),
    },
    EqualAnyType { dst, a, b, expected } |c| match c.comparable_values(a, b) {
        Some((a, b)) => c.set_bool(dst, (a == b) == expected),
        None => c.leave(),
    },
    Not { dst, a } |c| match c.get(a) {
        Value::TRUE => c.set_bool(dst, false),
        Value::FALSE => c.set_bool(dst, true),
        _ => c.leave(),
    },
    NameIs { dst, a, k, expected } |c| match c.name_of(c.get(a)) {
        Some(name) => {
            let is_name = name == c.constant(k);
            c.set_bool(dst, is_name == expected)
        }
        None => c.leave(),
    },

    Jump { to } |c| c.jump(to),
    Loop { to } |c| c.next_iteration(to),
    JumpIf { a, to } |c| match c.get(a) {
        Value::TRUE => c.jump(to),
        Value::FALSE => c.next(),
        _ => c.leave(),
    },
    JumpUnless { a, to } |c| match c.get(a) {
        Value::TRUE => c.next(),
        Value::FALSE => c.jump(to),
        _ => c.leave(),
    },
    JumpUnlessLess { a, b, to } |c| match c.ints(a, b) {
        Some((a, b)) => c.jump_unless(a < b, to),
        None => c.leave(),
    },
    JumpUnlessLessEqual { a, b, to } |c| match c.ints(a, b) {
        Some((a, b)) => c.jump_unless(a <= b, to),
        None => c.leave(),
    },
    JumpUnlessEqual { a, b, expected, to } |c| match c.plain_values(a, b) {
        Some((a, b)) => c.jump_unless((a == b) == expected, to),
        None => c.leave(),
    },
    JumpUnlessEqualAnyType { a, b, expected, to } |c| match c.comparable_values(a, b) {
        Some((a, b)) => c.jump_unless((a == b) == expected, to),
        None => c.leave(),
    },
    JumpUnlessLessInt { a, value, to } |c| match c.int(a) {
        Some(a) => c.jump_unless(a < value as i32, to),
        None => c.leave(),
    },
    JumpUnlessGreaterInt { a, value, to } |c| match c.int(a) {
        Some(a) => c.jump_unless(a > value as i32, to),
        None => c.leave(),
    },
    JumpUnlessEqualInt { a, value, expected, to } |c| match c.int(a) {
        Some(a) => c.jump_unless((a == value as i32) == expected, to),
        None => c.leave(),
    },
    JumpUnlessNameIs { a, k, expected, to } |c| match c.name_of(c.get(a)) {
        Some(name) => {
            let is_name = name == c.constant(k);
            c.jump_unless(is_name == expected, to)
        }
        None => c.leave(),
    },
    JumpUnlessCellNameIs { row, col, k, expected, to } |c| {
        let cell = c.cell(c.get(row), c.get(col));
        match cell.and_then(|cell| c.name_of(c.machine.store.cell(cell))) {
            Some(name) => {
                let is_name = name == c.constant(k);
                c.jump_unless(is_name == expected, to)
            }
            None => c.leave(),
        }
    },

    RangeStart { base, to } |c| match c.ints(base, base + 1) {
        Some((from, end)) => c.jump_unless(from < end, to),
        None => c.leave(),
    },
    RowStart { base, row, to } |c| {
        let store = &c.machine.store;
        let at = c.get(row).as_int().and_then(|row| store.cell_at(row, 0));
        let values = at.map(|at| [cells_state(at + 1, at + store.cols), store.cell(at)]);
        c.start(base, values)
    },
    ColumnStart { base, col, to } |c| {
        let store = &c.machine.store;
        let at = c.get(col).as_int().and_then(|col| store.cell_at(0, col));
        let values = at.map(|at| [cells_state(at + store.cols, 0), store.cell(at)]);
        c.start(base, values)
    },
    CellsStart { base, to } |c| {
        let has_board = c.machine.store.rows > 0;
        let first = [Value::loop_state(0), Value::int(0), Value::int(0)];
        c.start(base, has_board.then_some(first))
    },
    NeighborsStart { base, row, col, to } |c| {
        let (row, col) = (c.get(row), c.get(col));
        if c.cell(row, col).is_none() {
            return c.leave();
        }
        let (row, col) = (row.payload() & SIDE_MASK, col.payload() & SIDE_MASK);
        c.set(base, neighbors_state(row, col, 0));
        c.jump(to)
    },
    RangeNext { base, to } |c| {
        let next = c.get(base).int_payload() as i64 + 1;
        match next < c.get(base + 1).int_payload() as i64 {
            true => c.repeat(to, base, [Value::int(next as i32)]),
            false => c.next(),
        }
    },
    RowNext { base, to } |c| {
        let state = c.get(base).payload();
        let at = (state >> CELL_BITS) as u32;
        // The body may have resized the board.
        let cells = c.machine.store.cells.as_slice();
        match cells.get(at as usize) {
            Some(&cell) if at != (state & CELL_MASK) as u32 => {
                c.repeat(to, base, [Value::loop_state(state + (1 << CELL_BITS)), cell])
            }
            _ => c.next(),
        }
    },
    UnitsPiecesNext { unit, base, to } |c| {
        let state = c.get(base).payload();
        let at = (state >> CELL_BITS) as u32;
        let cells = c.machine.store.cells.as_slice();
        match cells.get(at as usize) {
            Some(&cell) if at < c.machine.incremental.row_end => {
                c.repeat(to, base, [Value::loop_state(state + (1 << CELL_BITS)), cell])
            }
            _ => c.leave(),
        }
    },
    ColumnNext { base, to } |c| {
        let at = (c.get(base).payload() >> CELL_BITS) as u32;
        let store = &c.machine.store;
        match store.cells.as_slice().get(at as usize) {
            Some(&cell) => {
                let next = Value::loop_state(((at + store.cols) as u64) << CELL_BITS);
                c.repeat(to, base, [next, cell])
            }
            None => c.next(),
        }
    },
    CellsNext { base, to } |c| {
        let state = c.get(base).payload();
        let (mut row, mut col) = (state >> CELL_BITS, (state & CELL_MASK) + 1);
        let store = &c.machine.store;
        if col >= store.cols as u64 {
            (row, col) = (row + 1, 0);
        }
        if row >= store.rows as u64 {
            return c.next();
        }
        let state = Value::loop_state(row << CELL_BITS | col);
        c.repeat(to, base, [state, Value::int(row as i32), Value::int(col as i32)])
    },
    UnitsCellsNext { unit, base, to } |c| {
        let state = c.get(base).payload();
        let (row, col) = (state >> CELL_BITS, (state & CELL_MASK) + 1);
        let store = &c.machine.store;
        if col >= store.cols as u64 || row >= store.rows as u64 {
            return c.leave();
        }
        let state = Value::loop_state(row << CELL_BITS | col);
        c.repeat(to, base, [state, Value::int(row as i32), Value::int(col as i32)])
    },
    NeighborsNext { base, to } |c| {
        let store = &c.machine.store;
        match next_neighbor(&c.machine.store, c.get(base).payload()) {
            Some((state, row, col)) => {
                let cell = store.cell(row * store.cols + col);
                c.repeat(to, base, [state, cell])
            }
            None => c.next(),
        }
    },
    NeighborCellsNext { base, to } |c| {
        match next_neighbor(&c.machine.store, c.get(base).payload()) {
            Some((state, row, col)) => {
                c.repeat(to, base, [state, Value::int(row as i32), Value::int(col as i32)])
            }
            None => c.next(),
        }
    },
    ItemsNext { base, to } |c| {
        let next = c.get(base + 1).int_payload() + 1;
        let items = c.machine.store.heap.items(c.get(base));
        match items.and_then(|items| items.get(next as usize)) {
            Some(&item) => c.repeat(to, base + 1, [Value::int(next), item]),
            None => c.next(),
        }
    },

    Call { function, base } |c| c.call(function, base),
    Return { src } |c| {
        let value = c.get(src);
        c.return_value(value)
    },
    ReturnNothing {} |c| c.return_value(Value::NOTHING),

    Index { dst, list, index } |c| {
        let (list, index) = (c.get(list), c.get(index));
        let heap = &c.machine.store.heap;
        let items = heap.items(list).filter(|_| index.is_int() && heap.is_list(list));
        let value = items.and_then(|items| items.get(index.int_payload() as usize).copied());
        c.set_or_leave(dst, value)
    },
    Item { dst, of, item } |c| {
        let items = c.machine.store.heap.items(c.get(of));
        let value = items.and_then(|items| items.get(item as usize).copied());
        c.set_or_leave(dst, value)
    },
    BoardSize { dst, axis } |c| {
        let store = &c.machine.store;
        let side = axis.of(store.rows, store.cols) as i32;
        c.set_int(dst, (side > 0).then_some(side))
    },
    SelfPosition { dst, axis } |c| {
        let piece = c.machine.stack.frames.last().and_then(|frame| frame.self_piece.as_piece_ref());
        let cell = piece.map(|(cell, _)| cell).filter(|&cell| cell != Piece::LOST_CELL);
        let position = cell.map(|cell| c.machine.store.row_col(cell));
        c.set_int(dst, position.map(|(row, col)| axis.of(row, col) as i32))
    },
    Cell { dst, row, col } |c| {
        let cell = c.cell(c.get(row), c.get(col));
        let value = cell.map(|cell| c.machine.store.cell(cell));
        c.set_or_leave(dst, value)
    },
    PieceField { dst, piece, field } |c| {
        let is_name = field == PieceField::Name;
        let name = c.name_of(c.get(piece)).filter(|_| is_name);
        c.set_or_leave(dst, name)
    },
    BeginAction {} |c| {
        c.machine.store.action += 1;
        c.next()
    },
    // Most clicks of a cascade reach a piece that was clicked already.
    SendClick { row, col } |c| {
        let store = &c.machine.store;
        let is_clicked = c.cell(c.get(row), c.get(col)).is_some_and(|cell| {
            let is_empty = !store.cell(cell).is_piece();
            is_empty || store.piece_meta(cell).last_click_action == store.action
        });
        match is_clicked {
            true => c.next(),
            false => c.leave(),
        }
    },
    RequireValue { a } |c| match c.get(a) == Value::NOTHING {
        true => c.leave(),
        false => c.next(),
    },
    RequireBool { a } |c| match c.get(a).as_bool() {
        Some(_) => c.next(),
        None => c.leave(),
    },
}

#[cfg(test)]
mod tests;
