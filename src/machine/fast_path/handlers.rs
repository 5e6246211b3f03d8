//! The instructions of the fast path; see [`Cursor`] for what they are made of.

use super::{Cursor, Exit, Handler, Position};
use crate::code::{Instr, PieceField, fastmod};
use crate::machine::Machine;
use crate::machine::run::{CELL_BITS, CELL_MASK, SIDE_MASK, cells_state, neighbors_state};
use crate::value::{Piece, Value};

/// Defines [`HANDLERS`]: one function for each instruction that is listed, with all of its operands,
/// and [`Cursor::leave`] for all others.
macro_rules! handlers {
    ($($instr:ident { $($operand:ident),* } |$cursor:ident| $body:expr,)*) => {
        $(
            #[allow(non_snake_case, unused_mut, unused_variables)]
            fn $instr(
                machine: &mut Machine,
                ip: *const Instr,
                registers: *mut Value,
                constants: *const Value,
                ahead: u64,
                code: *const Instr,
            ) -> Exit {
                let at = Position { ip, registers, constants, ahead, code };
                let mut $cursor = Cursor { machine, at };
                // SAFETY: the table has this function for this instruction only.
                let Instr::$instr { $($operand),* } = (unsafe { *ip }) else {
                    unsafe { std::hint::unreachable_unchecked() }
                };
                $body
            }
        )*

        /// The function of each instruction, by opcode.
        pub(super) static HANDLERS: [Handler; 256] = {
            fn leave(
                machine: &mut Machine,
                ip: *const Instr,
                registers: *mut Value,
                constants: *const Value,
                ahead: u64,
                code: *const Instr,
            ) -> Exit {
                let at = Position { ip, registers, constants, ahead, code };
                Cursor { machine, at }.leave()
            }
            let mut handlers: [Handler; 256] = [leave; 256];
            $(
                // SAFETY: zero is a valid value of all operands.
                let instr = Instr::$instr { $($operand: unsafe { std::mem::zeroed() }),* };
                handlers[instr.opcode() as usize] = $instr;
            )*
            handlers
        };
    };
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
        let value = c.machine.global(global);
        c.set_or_leave(dst, Some(value))
    },
    GetDefinedGlobal { dst, global } |c| {
        let value = c.machine.global(global);
        c.set_or_leave(dst, (value != Value::NOTHING).then_some(value))
    },
    SetGlobal { global, src } |c| {
        let value = c.get(src);
        c.machine.store.globals.set(global as usize, value);
        c.next()
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
    // Cyclic counters are usually below the divisor, and others can use `fastmod`; a division would
    // take longer than everything else here.
    RemainderInt { dst, a, k, value } |c| {
        let remainder = c.int(a).filter(|&a| a >= 0).map(|a| match a < value {
            true => a,
            false => fastmod(a as u32, value as u32, c.constant(k)) as i32,
        });
        c.set_int(dst, remainder)
    },

    Less { dst, a, b } |c| {
        let less = c.ints(a, b).map(|(a, b)| a < b);
        c.set_bool(dst, less)
    },
    LessEqual { dst, a, b } |c| {
        let less_equal = c.ints(a, b).map(|(a, b)| a <= b);
        c.set_bool(dst, less_equal)
    },
    Equal { dst, a, b, expected } |c| {
        let equal = c.equal(a, b);
        c.set_bool(dst, equal.map(|equal| equal == expected))
    },
    EqualAnyType { dst, a, b, expected } |c| {
        let equal = c.equal_any_type(a, b);
        c.set_bool(dst, equal.map(|equal| equal == expected))
    },
    Not { dst, a } |c| {
        let truth = c.get(a).as_bool();
        c.set_bool(dst, truth.map(|truth| !truth))
    },
    NameIs { dst, a, k, expected } |c| {
        let is_name = c.name_is(c.get(a), k);
        c.set_bool(dst, is_name.map(|is_name| is_name == expected))
    },

    Jump { to } |c| c.jump(to),
    Loop { to } |c| c.repeat(to, 0, []),
    JumpIf { a, to } |c| {
        let truth = c.get(a).as_bool();
        c.jump_unless(truth.map(|truth| !truth), to)
    },
    JumpUnless { a, to } |c| {
        let truth = c.get(a).as_bool();
        c.jump_unless(truth, to)
    },
    JumpUnlessLess { a, b, to } |c| {
        let less = c.ints(a, b).map(|(a, b)| a < b);
        c.jump_unless(less, to)
    },
    JumpUnlessLessEqual { a, b, to } |c| {
        let less_equal = c.ints(a, b).map(|(a, b)| a <= b);
        c.jump_unless(less_equal, to)
    },
    JumpUnlessEqual { a, b, expected, to } |c| {
        let equal = c.equal(a, b);
        c.jump_unless(equal.map(|equal| equal == expected), to)
    },
    JumpUnlessEqualAnyType { a, b, expected, to } |c| {
        let equal = c.equal_any_type(a, b);
        c.jump_unless(equal.map(|equal| equal == expected), to)
    },
    JumpUnlessLessInt { a, value, to } |c| {
        let less = c.int(a).map(|a| a < value as i32);
        c.jump_unless(less, to)
    },
    JumpUnlessGreaterInt { a, value, to } |c| {
        let greater = c.int(a).map(|a| a > value as i32);
        c.jump_unless(greater, to)
    },
    JumpUnlessEqualInt { a, value, expected, to } |c| {
        let equal = c.int(a).map(|a| a == value as i32);
        c.jump_unless(equal.map(|equal| equal == expected), to)
    },
    JumpUnlessNameIs { a, k, expected, to } |c| {
        let is_name = c.name_is(c.get(a), k);
        c.jump_unless(is_name.map(|is_name| is_name == expected), to)
    },
    JumpUnlessCellNameIs { row, col, k, expected, to } |c| {
        let cell = c.cell(c.get(row), c.get(col));
        let is_name = cell.and_then(|cell| c.name_is(c.machine.store.cell(cell), k));
        c.jump_unless(is_name.map(|is_name| is_name == expected), to)
    },

    RangeStart { base, to } |c| {
        let is_empty = c.ints(base, base + 1).map(|(from, end)| from < end);
        c.jump_unless(is_empty, to)
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
        match c.machine.next_neighbor(c.get(base).payload()) {
            Some((state, row, col)) => {
                let cell = store.cell(row * store.cols + col);
                c.repeat(to, base, [state, cell])
            }
            None => c.next(),
        }
    },
    NeighborCellsNext { base, to } |c| {
        match c.machine.next_neighbor(c.get(base).payload()) {
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
        let piece = c.machine.frames.last().and_then(|frame| frame.self_piece.as_piece_ref());
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
mod tests {
    use super::*;
    use crate::code::{Arithmetic, Builder, FunctionId, FunctionKind, Program, reciprocal};
    use crate::machine::{Observer, Outcome};
    use crate::source::Span;
    use crate::value::InternedStr;
    use std::rc::Rc;

    /// Makes the dispatch loop execute every instruction.
    struct Watching;

    impl Observer for Watching {
        fn should_pause(&mut self, _: &Machine) -> bool {
            false
        }
    }

    /// Values of all types, with the extremes of integers.
    fn operands() -> Vec<Value> {
        let text = |text| Value::interned(InternedStr::new(text));
        let ints = [0, 1, 2, 7, -1, -7, i32::MAX, i32::MIN].map(Value::int);
        let mut operands = vec![Value::NOTHING, Value::EMPTY, Value::TRUE, Value::FALSE];
        operands.extend(ints);
        operands.extend([text("a"), text("b"), Value::float(0.0), Value::float(-1.5)]);
        operands.extend(Value::inline_int(1 << 40));
        operands
    }

    /// Returns 1 if the jump is taken, else the value in register 2.
    fn function(instr: Instr) -> crate::code::Function {
        let (name, span) = (InternedStr::new("f"), Span::default());
        let mut builder = Builder::new(name, FunctionKind::Function, 2, span);
        let dst = builder.alloc_register();
        builder.constant(reciprocal(7));
        builder.emit_constant(dst, Value::int(0), span);
        let jump = builder.emit_jump(instr, span);
        builder.emit(Instr::Return { src: dst }, span);
        builder.patch_here(jump);
        builder.emit_constant(dst, Value::int(1), span);
        builder.emit(Instr::Return { src: dst }, span);
        builder.finish()
    }

    #[test]
    fn instructions_do_the_same_in_both_loops() {
        let (dst, a, b, to) = (2, 0, 1, 0);
        let value = 7;
        let instrs = [
            Instr::Copy { dst, src: a },
            Instr::Add { dst, a, b },
            Instr::Subtract { dst, a, b },
            Instr::Multiply { dst, a, b },
            Instr::AddInt { dst, a, value },
            Instr::SubtractInt { dst, a, value },
            Instr::MultiplyInt { dst, a, value },
            Instr::DivideInt { dst, a, value },
            Instr::RemainderInt {
                dst,
                a,
                k: 0,
                value,
            },
            Instr::Less { dst, a, b },
            Instr::LessEqual { dst, a, b },
            Instr::Equal {
                dst,
                a,
                b,
                expected: true,
            },
            Instr::Equal {
                dst,
                a,
                b,
                expected: false,
            },
            Instr::EqualAnyType {
                dst,
                a,
                b,
                expected: true,
            },
            Instr::EqualAnyType {
                dst,
                a,
                b,
                expected: false,
            },
            Instr::Not { dst, a },
            Instr::JumpIf { a, to },
            Instr::JumpUnless { a, to },
            Instr::JumpUnlessLess { a, b, to },
            Instr::JumpUnlessLessEqual { a, b, to },
            Instr::JumpUnlessEqual {
                a,
                b,
                expected: true,
                to,
            },
            Instr::JumpUnlessEqual {
                a,
                b,
                expected: false,
                to,
            },
            Instr::JumpUnlessEqualAnyType {
                a,
                b,
                expected: true,
                to,
            },
            Instr::JumpUnlessEqualAnyType {
                a,
                b,
                expected: false,
                to,
            },
            Instr::JumpUnlessLessInt { a, value: 7, to },
            Instr::JumpUnlessGreaterInt { a, value: 7, to },
            Instr::JumpUnlessEqualInt {
                a,
                value: 7,
                expected: true,
                to,
            },
            Instr::JumpUnlessEqualInt {
                a,
                value: 7,
                expected: false,
                to,
            },
            Instr::RangeStart { base: a, to },
            Instr::RequireValue { a },
            Instr::RequireBool { a },
        ];
        for arithmetic in [
            Arithmetic::Checked32,
            Arithmetic::Wrapping32,
            Arithmetic::Wrapping64,
        ] {
            let mut program = Program::empty("test", arithmetic);
            for (n, &instr) in instrs.iter().enumerate() {
                program.define(FunctionId(n as u32), function(instr));
            }
            let program = Rc::new(program);
            for (n, instr) in instrs.iter().enumerate() {
                for &x in &operands() {
                    for &y in &operands() {
                        let run = |run: fn(&mut Machine) -> Outcome| {
                            let mut machine = Machine::new(program.clone(), 0);
                            let started = machine.start(FunctionId(n as u32), &[x, y]);
                            started.expect("it takes two arguments");
                            (run(&mut machine), machine.time())
                        };
                        let fast = run(|machine| machine.run());
                        let complete = run(|machine| machine.run_observed(&mut Watching));
                        assert_eq!(fast, complete, "{instr:?} with {x:?} and {y:?}");
                    }
                }
            }
        }
    }
}
