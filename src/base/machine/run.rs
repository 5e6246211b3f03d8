//! The dispatch loop.
//!
//! It is compiled twice. The plain copy runs the patched code and pauses at traps; it executes only
//! what `fast_path` leaves to it. The observed copy runs the original code and calls a
//! `&mut dyn Observer` before every instruction.
//!
//! Three things to know before changing it:
//! - Registers of the top frame and code are accessed by raw pointers, which are reloaded after
//!   anything that may move them (a call, a return). `Builder` hands out register numbers below
//!   `Function::register_count`, and a frame is only entered if that many registers exist after its
//!   base, so no access can leave the frame. Jump targets come from `Builder`, and every function
//!   ends in a return.
//! - Time is not counted per instruction. In straight-line code, time and `ip` advance
//!   together, so it is enough to keep their difference (`ahead`) and to adjust it at a jump
//!   (`jump!`). The time itself is computed and written back before anything can observe it
//!   (`sync!`).
//! - The time is compared with the limit only at backward jumps, calls and returns (`safepoint!`).
//!   Between two safepoints there is at most one function's length of instructions.

use super::fast_path::{Head, Position};
use super::image::LinkedFunction;
use super::incremental::UnitStep;
use super::ops::arithmetic::{
    add, compare, divide, equals, multiply, negate, remainder, subtract, to_float,
};
use super::ops::board::{
    current_piece, field as field_of, next_neighbor, place, self_cell, to_visibility,
    update_self_piece,
};
use super::ops::escape::{make_escape, unwind_to};
use super::ops::grid::{grid_cell, grid_count, grid_fill, grid_longest_run};
use super::ops::list::{
    check_assign, check_elements, coordinate, element, extend_record, filter_records, length,
    remove_element, row_and_column, set_element, sort_records,
};
use super::runtime_error::{call_depth_exceeded, no_board};
use super::{DrawRange, Frame, Machine, Observer, Outcome, Pause, RuntimeError};
use crate::code::flow::CLEARED_BY_CALL;
use crate::code::{Channel, FunctionId, Instr, PieceEvent, PieceField};
use crate::value::Value;

/// Width of each half of the state of a loop over cells.
pub(super) const CELL_BITS: u32 = 24;
pub(super) const CELL_MASK: u64 = (1 << CELL_BITS) - 1;

/// State of a loop over cells: the next cell and the end.
#[inline(always)]
pub(super) const fn cells_state(next: u32, end: u32) -> Value {
    Value::loop_state((next as u64) << CELL_BITS | (end as u64 & CELL_MASK))
}

/// The dispatch loop measures time in ticks, which are bytes of code: one instruction takes the size
/// of an `Instr`.
pub(super) const TICK: u64 = size_of::<Instr>() as u64;

/// Converts a time to ticks; saturates, which means never.
pub(super) fn ticks(time: u64) -> u64 {
    time.saturating_mul(TICK)
}

/// Clears the registers beyond the first `CLEARED_BY_CALL`; few functions have that many.
#[inline(never)]
fn clear(registers: &mut [Value]) {
    registers.fill(Value::NOTHING);
}

/// Mask of a row or column; see [`Value::MAX_SIDE`].
pub(super) const SIDE_MASK: u64 = Value::MAX_SIDE as u64 - 1;
/// Width and mask of the next neighbor in the state of a loop over neighbors.
pub(super) const NEIGHBOR_BITS: u32 = 4;
pub(super) const NEIGHBOR_MASK: u64 = (1 << NEIGHBOR_BITS) - 1;
/// Position of the row in that state.
pub(super) const NEIGHBOR_ROW_SHIFT: u32 = NEIGHBOR_BITS + Value::MAX_SIDE.ilog2();

/// State of a loop over the neighbors of a cell: its row and column, and the next neighbor (0 to 8
/// in reading order, 4 is the cell itself).
#[inline(always)]
pub(super) const fn neighbors_state(row: u64, col: u64, next: u64) -> Value {
    Value::loop_state(row << NEIGHBOR_ROW_SHIFT | col << NEIGHBOR_BITS | next)
}

impl Machine {
    #[allow(
        clippy::too_many_lines,
        reason = "one arm per instruction; splitting it would add a jump to each"
    )]
    pub(super) fn dispatch<const OBSERVED: bool>(
        &mut self,
        observer: &mut dyn Observer,
        limit: u64,
    ) -> Outcome {
        let Some(frame) = self.stack.frames.last() else {
            return Outcome::Finished(Value::NOTHING);
        };
        let frame = *frame;
        if !OBSERVED {
            self.begin_incremental_run(limit);
        }
        self.next_safepoint_ticks = ticks(self.next_safepoint(limit));
        // One before the function's first instruction: the loop increments `ip` first, so adding a
        // pc to `code` gives the `ip` from which it steps to that instruction.
        let mut code: *const Instr;
        let mut head = Head::EMPTY;
        // The instruction being executed.
        let mut ip: *const Instr = std::ptr::null();
        // Ticks minus `ip` as an integer; may wrap around.
        let mut ahead: u64 = self.time.wrapping_mul(TICK);
        let mut constants: *const Value;
        let mut registers: *mut Value;

        macro_rules! jump {
            ($to:expr) => {{
                // Targets come from `Builder`, directly or from a frame's pc.
                let from = ip as u64;
                ip = code.wrapping_add($to as usize);
                ahead = ahead.wrapping_add(from.wrapping_sub(ip as u64));
            }};
        }
        macro_rules! jump_if {
            ($taken:expr, $to:expr) => {{
                if $taken {
                    jump!($to);
                }
            }};
        }
        // Continues in a frame at one of its instructions. The frame's function and base are not
        // kept in locals, because only calls need them: fewer locals leave more machine registers
        // for the others.
        macro_rules! enter {
            ($linked:expr, $base:expr, $at:expr) => {{
                let linked: LinkedFunction = $linked;
                code = if OBSERVED {
                    linked.original_code
                } else {
                    linked.code
                }
                .wrapping_sub(1);
                constants = linked.constants;
                // SAFETY: `base` is within `registers`: see `begin_call` and `call!`.
                registers = unsafe { self.stack.registers.as_mut_ptr().add($base as usize) };
                jump!($at);
            }};
        }
        macro_rules! now_ticks {
            () => {
                ahead.wrapping_add(ip as u64)
            };
        }
        // The index of the next instruction.
        macro_rules! pc {
            () => {
                (ip as usize - code as usize) / size_of::<Instr>()
            };
        }
        macro_rules! r {
            ($n:expr) => {
                // SAFETY: register numbers are below the function's count, and that many exist
                // after `base`.
                unsafe { *registers.add($n as usize) }
            };
        }
        macro_rules! set {
            ($n:expr, $v:expr) => {{
                let v = $v;
                // SAFETY: as in `r!`.
                unsafe { *registers.add($n as usize) = v }
            }};
        }
        macro_rules! k {
            ($n:expr) => {
                // SAFETY: constant indices come from the builder of this function.
                unsafe { *constants.add($n as usize) }
            };
        }
        // Writes time and pc back; `$back` is how many instructions before the next one.
        macro_rules! sync {
            ($back:expr) => {{
                self.time = now_ticks!() / TICK;
                let pc = (pc!() - $back) as u32;
                if let Some(frame) = self.stack.frames.last_mut() {
                    frame.pc = pc;
                }
            }};
        }
        // The current instruction did not execute: it takes no time and will be executed again.
        macro_rules! not_done {
            () => {{
                ahead = ahead.wrapping_sub(TICK);
                sync!(1);
            }};
        }
        macro_rules! fail {
            ($error:expr) => {{
                let error = $error;
                not_done!();
                return Outcome::Failed(error);
            }};
        }
        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(error) => fail!(error),
                }
            };
        }
        macro_rules! safepoint {
            () => {
                if now_ticks!() >= self.next_safepoint_ticks {
                    sync!(0);
                    break;
                }
            };
        }
        macro_rules! jump_back {
            ($to:expr) => {{
                jump!($to);
                safepoint!();
            }};
        }
        macro_rules! arithmetic {
            ($dst:expr, $a:expr, $b:expr, $f:ident) => {{
                let (a, b): (Value, Value) = ($a, $b);
                self.collect_for_arithmetic();
                let value = check!($f(&self.image.program, &mut self.store, a, b));
                set!($dst, value);
            }};
        }
        macro_rules! compare {
            ($a:expr, $b:expr, $symbol:literal, $f:expr) => {{
                let order = check!(compare(self.values(), $a, $b, $symbol));
                $f(&order, &0)
            }};
        }
        macro_rules! equal {
            ($a:expr, $b:expr) => {
                check!(equals(self.values(), $a, $b))
            };
        }
        macro_rules! equal_any_type {
            ($a:expr, $b:expr) => {{
                let (a, b): (Value, Value) = ($a, $b);
                a == b || (a.as_heap().is_some() && self.store.heap.deep_equals(a, b))
            }};
        }
        macro_rules! truth {
            ($a:expr) => {{
                let a: Value = $a;
                if a == Value::TRUE {
                    true
                } else if a == Value::FALSE {
                    false
                } else {
                    fail!(self.values().type_error("true or false", a))
                }
            }};
        }
        macro_rules! cell {
            ($row:expr, $col:expr) => {{
                let (row, col): (Value, Value) = ($row, $col);
                let is_inside = row.are_ints(col)
                    && (row.int_payload() as u32) < self.store.rows
                    && (col.int_payload() as u32) < self.store.cols;
                if !is_inside {
                    fail!(self.values().off_board_error(row, col));
                }
                row.int_payload() as u32 * self.store.cols + col.int_payload() as u32
            }};
        }
        // Enters a function whose registers start at `$base`.
        macro_rules! call {
            ($callee:expr, $base:expr, $self_piece:expr, $call_depth:expr) => {{
                let function: FunctionId = $callee;
                let (base, call_depth): (u32, u32) = ($base, $call_depth);
                let linked = self.image.linked_functions[function.0 as usize];
                let needed = base as usize + linked.register_count as usize + CLEARED_BY_CALL;
                if needed > self.stack.registers.len() {
                    self.stack.grow_registers(needed);
                }
                // Clear what earlier calls left there: checkpoints do not keep it, so no program
                // may see it. A fixed number is cleared even if the function has fewer registers,
                // which is faster than counting and harmless, because nothing lives above the top
                // frame.
                // SAFETY: the parameters are among the registers, and `needed` registers exist.
                unsafe {
                    let cleared = self
                        .stack
                        .registers
                        .as_mut_ptr()
                        .add(base as usize + linked.parameter_count as usize);
                    cleared
                        .cast::<[Value; CLEARED_BY_CALL]>()
                        .write([Value::NOTHING; CLEARED_BY_CALL]);
                    let count = (linked.register_count - linked.parameter_count) as usize;
                    if count > CLEARED_BY_CALL {
                        clear(std::slice::from_raw_parts_mut(
                            cleared.add(CLEARED_BY_CALL),
                            count - CLEARED_BY_CALL,
                        ));
                    }
                }
                self.stack.frames.push(Frame {
                    function,
                    pc: 0,
                    base,
                    call_depth,
                    self_piece: $self_piece,
                });
                enter!(linked, base, 0u32);
                safepoint!();
            }};
        }
        // Sends an event to a piece. Its handler's registers follow those of the current frame.
        macro_rules! send {
            ($handler:expr, $self_piece:expr) => {{
                let handler: FunctionId = $handler;
                // Many handlers are empty. Without an observer or a trap, skip the call and account
                // for the one instruction it takes.
                // SAFETY: every function has at least one instruction.
                if !OBSERVED
                    && matches!(
                        unsafe { head.of(self.image.linked_functions[handler.0 as usize].code) },
                        Instr::ReturnNothing
                    )
                {
                    ahead = ahead.wrapping_add(TICK);
                    continue;
                }
                let pc = pc!() as u32;
                let Some(frame) = self.stack.frames.last_mut() else {
                    continue;
                };
                frame.pc = pc;
                let (call_depth, base) = (
                    frame.call_depth,
                    frame.base
                        + self.image.linked_functions[frame.function.0 as usize].register_count,
                );
                call!(handler, base, $self_piece, call_depth);
            }};
        }
        macro_rules! return_value {
            ($value:expr) => {{
                let value: Value = $value;
                let Some(returned) = self.stack.frames.pop() else {
                    return Outcome::Finished(value);
                };
                if OBSERVED {
                    self.stack.return_slot = returned.base as usize;
                }
                let depth = self.stack.frames.len();
                if depth < self.stack.low_water {
                    self.stack.low_water = depth;
                }
                // At `exit_depth` a call from outside ends: the frame below did not make the call
                // and gets no value.
                match self.stack.frames.last() {
                    Some(frame) if depth > self.stack.exit_depth => {
                        set!(0, value);
                        enter!(
                            self.image.linked_functions[frame.function.0 as usize],
                            frame.base,
                            frame.pc
                        );
                        safepoint!();
                    }
                    _ => {
                        self.time = now_ticks!() / TICK;
                        self.finish_host_call(returned.base as usize);
                        return Outcome::Finished(value);
                    }
                }
            }};
        }
        // Continues a loop after units that were skipped.
        macro_rules! after_units {
            ($step:expr) => {{
                let step: UnitStep = $step;
                ahead = ahead.wrapping_add(step.ticks);
                if let Some(to) = step.to {
                    jump_back!(to);
                }
            }};
        }
        macro_rules! name_of {
            ($value:expr) => {{
                let value: Value = $value;
                if value.is_piece() {
                    let kind = value.piece_payload().kind as usize;
                    self.image
                        .kinds
                        .names
                        .get(kind)
                        .copied()
                        .unwrap_or(Value::EMPTY)
                } else if value == Value::EMPTY {
                    self.image.kinds.no_name
                } else {
                    fail!(self.values().type_error("a piece", value))
                }
            }};
        }

        enter!(
            self.image.linked_functions[frame.function.0 as usize],
            frame.base,
            frame.pc
        );
        loop {
            loop {
                if OBSERVED {
                    sync!(0);
                    if observer.should_pause(self) {
                        return Outcome::Paused(Pause::Observer);
                    }
                } else {
                    let at = self.run_fast_path(Position {
                        ip: ip.wrapping_add(1),
                        registers,
                        constants,
                        ahead,
                        code,
                    });
                    ip = at.ip.wrapping_sub(1);
                    (registers, constants) = (at.registers, at.constants);
                    (ahead, code) = (at.ahead, at.code);
                }
                ip = ip.wrapping_add(1);
                // The instruction is not copied: each arm reads only the fields it needs.
                // SAFETY: every function ends in a return, and jumps stay within it.
                match *unsafe { head.of(ip) } {
                    Instr::Constant { dst, k } => set!(dst, k!(k)),
                    Instr::Int { dst, value } => set!(dst, Value::int(value)),
                    Instr::Move { dst, src } => set!(dst, r!(src)),
                    Instr::Copy { dst, src } => {
                        let value = r!(src);
                        set!(
                            dst,
                            if value.as_heap().is_some() {
                                self.collect_if_needed();
                                self.store.heap.copy_list(value)
                            } else {
                                value
                            }
                        );
                    }
                    Instr::GetGlobal { dst, global } => set!(dst, self.store.global(global)),
                    Instr::GetDefinedGlobal { dst, global } => {
                        let value = self.store.global(global);
                        if value == Value::NOTHING {
                            fail!(self.values().undefined_error(global));
                        }
                        set!(dst, value);
                    }
                    Instr::SetGlobal { global, src } => {
                        self.store.globals.set(global as usize, r!(src))
                    }
                    Instr::Assign { dst, src, appends } => {
                        if appends && self.store.heap.is_list(r!(dst)) {
                            check!(self.append(r!(dst), r!(src)));
                        } else {
                            let value = check!(check_assign(self.values(), r!(dst), r!(src)));
                            set!(dst, value);
                        }
                    }
                    Instr::AssignGlobal {
                        global,
                        src,
                        appends,
                    } => {
                        let old = self.store.global(global);
                        if appends && self.store.heap.is_list(old) {
                            check!(self.append(old, r!(src)));
                        } else {
                            let value = check!(check_assign(self.values(), old, r!(src)));
                            self.store.globals.set(global as usize, value);
                        }
                    }

                    Instr::Add { dst, a, b } => {
                        arithmetic!(dst, r!(a), r!(b), add)
                    }
                    Instr::Subtract { dst, a, b } => {
                        arithmetic!(dst, r!(a), r!(b), subtract)
                    }
                    Instr::Multiply { dst, a, b } => {
                        arithmetic!(dst, r!(a), r!(b), multiply)
                    }
                    Instr::Divide { dst, a, b } => arithmetic!(dst, r!(a), r!(b), divide),
                    Instr::Remainder { dst, a, b } => arithmetic!(dst, r!(a), r!(b), remainder),
                    Instr::AddInt { dst, a, value } => {
                        arithmetic!(dst, r!(a), Value::int(value), add)
                    }
                    Instr::SubtractInt { dst, a, value } => {
                        arithmetic!(dst, r!(a), Value::int(value), subtract)
                    }
                    Instr::MultiplyInt { dst, a, value } => {
                        arithmetic!(dst, r!(a), Value::int(value), multiply)
                    }
                    Instr::DivideInt { dst, a, value } => {
                        arithmetic!(dst, r!(a), Value::int(value), divide)
                    }
                    Instr::RemainderInt { dst, a, value, .. } => {
                        arithmetic!(dst, r!(a), Value::int(value), remainder)
                    }
                    Instr::Negate { dst, a } => {
                        self.collect_for_arithmetic();
                        let value = check!(negate(&self.image.program, &mut self.store, r!(a)));
                        set!(dst, value);
                    }

                    Instr::ToFloat { dst, a } => {
                        let value = check!(to_float(self.values(), r!(a)));
                        set!(dst, value);
                    }

                    Instr::Less { dst, a, b } => {
                        let truth = compare!(r!(a), r!(b), "<", PartialOrd::lt);
                        set!(dst, Value::bool(truth));
                    }
                    Instr::LessEqual { dst, a, b } => {
                        let truth = compare!(r!(a), r!(b), "<=", PartialOrd::le);
                        set!(dst, Value::bool(truth));
                    }
                    Instr::Equal {
                        dst,
                        a,
                        b,
                        expected,
                    } => {
                        let truth = equal!(r!(a), r!(b));
                        set!(dst, Value::bool(truth == expected));
                    }
                    Instr::EqualAnyType {
                        dst,
                        a,
                        b,
                        expected,
                    } => {
                        let same = equal_any_type!(r!(a), r!(b));
                        set!(dst, Value::bool(same == expected));
                    }
                    Instr::Not { dst, a } => {
                        let truth = truth!(r!(a));
                        set!(dst, Value::bool(!truth));
                    }
                    Instr::NameIs {
                        dst,
                        a,
                        k,
                        expected,
                    } => {
                        let name = name_of!(r!(a));
                        set!(dst, Value::bool((name == k!(k)) == expected));
                    }

                    Instr::Jump { to } => jump!(to),
                    Instr::Loop { to } => jump_back!(to),
                    Instr::JumpIf { a, to } => {
                        jump_if!(truth!(r!(a)), to);
                    }
                    Instr::JumpUnless { a, to } => {
                        jump_if!(!truth!(r!(a)), to);
                    }
                    Instr::JumpUnlessLess { a, b, to } => {
                        jump_if!(!compare!(r!(a), r!(b), "<", PartialOrd::lt), to);
                    }
                    Instr::JumpUnlessLessEqual { a, b, to } => {
                        jump_if!(!compare!(r!(a), r!(b), "<=", PartialOrd::le), to);
                    }
                    Instr::JumpUnlessEqual { a, b, expected, to } => {
                        jump_if!(equal!(r!(a), r!(b)) != expected, to);
                    }
                    Instr::JumpUnlessEqualAnyType { a, b, expected, to } => {
                        jump_if!(equal_any_type!(r!(a), r!(b)) != expected, to);
                    }
                    Instr::JumpUnlessLessInt { a, value, to } => {
                        jump_if!(
                            !compare!(r!(a), Value::int(value as i32), "<", PartialOrd::lt),
                            to
                        );
                    }
                    Instr::JumpUnlessGreaterInt { a, value, to } => {
                        jump_if!(
                            !compare!(r!(a), Value::int(value as i32), ">", PartialOrd::gt),
                            to
                        );
                    }
                    Instr::JumpUnlessEqualInt {
                        a,
                        value,
                        expected,
                        to,
                    } => {
                        let value = Value::int(value as i32);
                        jump_if!(equal!(r!(a), value) != expected, to);
                    }
                    Instr::JumpUnlessNameIs { a, k, expected, to } => {
                        let name = name_of!(r!(a));
                        jump_if!((name == k!(k)) != expected, to);
                    }
                    Instr::JumpUnlessCellNameIs {
                        row,
                        col,
                        k,
                        expected,
                        to,
                    } => {
                        let at = cell!(r!(row), r!(col));
                        let name = name_of!(self.store.cell(at));
                        jump_if!((name == k!(k)) != expected, to);
                    }

                    Instr::RangeStart { base, to } => {
                        let (from, end) = (r!(base), r!(base + 1));
                        for bound in [from, end] {
                            if !bound.is_int() {
                                fail!(self.values().type_error("a number as a bound", bound));
                            }
                        }
                        if from.int_payload() >= end.int_payload() {
                            jump!(to);
                        }
                    }
                    Instr::RangeNext { base, to } => {
                        // Both are integers: assigning anything else to them is an error.
                        let next = r!(base).int_payload() as i64 + 1;
                        if next < r!(base as usize + 1).int_payload() as i64 {
                            set!(base, Value::int(next as i32));
                            jump_back!(to);
                        }
                    }
                    Instr::RowStart { base, row, to } => {
                        let row = r!(row);
                        let Some(at) = row.as_int().and_then(|row| self.store.cell_at(row, 0))
                        else {
                            fail!(self.values().line_range_error("row", row, self.store.rows));
                        };
                        set!(base, cells_state(at + 1, at + self.store.cols));
                        set!(base + 1, self.store.cell(at));
                        debug_assert_ne!(to, 0);
                    }
                    Instr::ColumnStart { base, col, to } => {
                        let col = r!(col);
                        let Some(at) = col.as_int().and_then(|col| self.store.cell_at(0, col))
                        else {
                            fail!(
                                self.values()
                                    .line_range_error("column", col, self.store.cols)
                            );
                        };
                        set!(base, cells_state(at + self.store.cols, 0));
                        set!(base + 1, self.store.cell(at));
                        debug_assert_ne!(to, 0);
                    }
                    Instr::PiecesStart { base, to } => {
                        if self.store.rows == 0 {
                            fail!(no_board());
                        }
                        set!(base, cells_state(1, self.store.rows * self.store.cols));
                        set!(base + 1, self.store.cell(0));
                        debug_assert_ne!(to, 0);
                    }
                    Instr::RowNext { base, to } => {
                        let state = r!(base).payload();
                        let at = (state >> CELL_BITS) as u32;
                        // The body may have resized the board.
                        if at != (state & CELL_MASK) as u32 && at < self.store.cells.len() as u32 {
                            set!(base, Value::loop_state(state + (1 << CELL_BITS)));
                            set!(base + 1, self.store.cell(at));
                            jump_back!(to);
                        }
                    }
                    Instr::ColumnNext { base, to } => {
                        let at = (r!(base).payload() >> CELL_BITS) as u32;
                        if at < self.store.cells.len() as u32 {
                            set!(base, cells_state(at + self.store.cols, 0));
                            set!(base + 1, self.store.cell(at));
                            jump_back!(to);
                        }
                    }
                    Instr::CellsStart { base, to } => {
                        if self.store.rows == 0 {
                            fail!(no_board());
                        }
                        set!(base, Value::loop_state(0));
                        set!(base + 1, Value::int(0));
                        set!(base + 2, Value::int(0));
                        debug_assert_ne!(to, 0);
                    }
                    Instr::CellsNext { base, to } => {
                        let state = r!(base).payload();
                        let (mut row, mut col) = (state >> CELL_BITS, (state & CELL_MASK) + 1);
                        if col >= self.store.cols as u64 {
                            (row, col) = (row + 1, 0);
                        }
                        if row < self.store.rows as u64 {
                            set!(base, Value::loop_state(row << CELL_BITS | col));
                            set!(base + 1, Value::int(row as i32));
                            set!(base + 2, Value::int(col as i32));
                            jump_back!(to);
                        }
                    }
                    Instr::NeighborsStart { base, row, col, to } => {
                        let (row, col) = (r!(row), r!(col));
                        let _ = cell!(row, col);
                        // Iterations start at the `…Next` that `to` points to.
                        set!(
                            base,
                            neighbors_state(
                                row.payload() & SIDE_MASK,
                                col.payload() & SIDE_MASK,
                                0
                            )
                        );
                        jump!(to);
                    }
                    Instr::NeighborsNext { base, to } => {
                        if let Some((state, row, col)) =
                            next_neighbor(&self.store, r!(base).payload())
                        {
                            set!(base, state);
                            set!(base + 1, self.store.cell(row * self.store.cols + col));
                            jump_back!(to);
                        }
                    }
                    Instr::NeighborCellsNext { base, to } => {
                        if let Some((state, row, col)) =
                            next_neighbor(&self.store, r!(base).payload())
                        {
                            set!(base, state);
                            set!(base + 1, Value::int(row as i32));
                            set!(base + 2, Value::int(col as i32));
                            jump_back!(to);
                        }
                    }
                    Instr::ItemsStart { base, to } => {
                        let list = r!(base);
                        let Some(items) = self.store.heap.items(list) else {
                            fail!(self.values().type_error("a list", list))
                        };
                        match items.first() {
                            Some(&first) => {
                                set!(base + 1, Value::int(0));
                                set!(base + 2, first);
                            }
                            None => jump!(to),
                        }
                    }
                    Instr::ItemsNext { base, to } => {
                        let next = r!(base + 1).int_payload() + 1;
                        let item = self
                            .store
                            .heap
                            .items(r!(base))
                            .and_then(|items| items.get(next as usize));
                        if let Some(&item) = item {
                            set!(base + 1, Value::int(next));
                            set!(base + 2, item);
                            jump_back!(to);
                        }
                    }
                    Instr::HandlingPiecesNext { base, event, to } => {
                        let from = r!(base).int_payload() as i64;
                        let kinds = &self.image.kinds;
                        if let Some((next, piece)) =
                            kinds.next_handling_piece(&self.store, from, event)
                        {
                            set!(base, next);
                            set!(base + 1, piece);
                            jump_back!(to);
                        }
                    }

                    Instr::Call { function, base } => {
                        let pc = pc!() as u32;
                        let Some(frame) = self.stack.frames.last_mut() else {
                            continue;
                        };
                        frame.pc = pc;
                        let (self_piece, call_depth, base) = (
                            frame.self_piece,
                            frame.call_depth + 1,
                            frame.base + base as u32,
                        );
                        if call_depth > self.limits.max_call_depth {
                            fail!(call_depth_exceeded(&self.limits));
                        }
                        call!(function, base, self_piece, call_depth);
                    }
                    Instr::Return { src } => return_value!(r!(src)),
                    Instr::ReturnNothing => return_value!(Value::NOTHING),
                    Instr::Catch { dst, .. } => {
                        let Some(escape) = make_escape(&self.stack, pc!() - 1) else {
                            fail!(call_depth_exceeded(&self.limits));
                        };
                        set!(dst, escape);
                    }
                    Instr::Throw { escape } => {
                        let Some(escape) = r!(escape).as_int() else {
                            fail!(self.values().type_error("an escape point", r!(escape)));
                        };
                        let program = &self.image.program;
                        let (frame, to) = check!(unwind_to(&mut self.stack, program, escape));
                        enter!(
                            self.image.linked_functions[frame.function.0 as usize],
                            frame.base,
                            to
                        );
                        safepoint!();
                    }

                    Instr::List { dst, first, count } => {
                        let items: Vec<Value> = (first..first + count).map(|n| r!(n)).collect();
                        check!(check_elements(self.values(), &items));
                        self.collect_if_needed();
                        set!(dst, self.store.heap.alloc_list(items));
                    }
                    Instr::Tuple { dst, first, count } => {
                        let items: Vec<Value> = (first..first + count).map(|n| r!(n)).collect();
                        self.collect_if_needed();
                        set!(dst, self.store.heap.alloc_tuple(items));
                    }
                    Instr::Record { dst, first, count } => {
                        let items: Vec<Value> = (first..first + count).map(|n| r!(n)).collect();
                        self.collect_if_needed();
                        set!(
                            dst,
                            self.store
                                .heap
                                .alloc(crate::value::Object::Record(items.into()))
                        );
                    }
                    Instr::Append { list, value } => check!(self.append(r!(list), r!(value))),
                    Instr::Index { dst, list, index } => {
                        let value = check!(element(self.values(), r!(list), r!(index)));
                        set!(dst, value);
                    }
                    Instr::SetIndex { list, index, value } => {
                        let (list, index, value) = (r!(list), r!(index), r!(value));
                        let program = &self.image.program;
                        check!(set_element(program, &mut self.store, list, index, value));
                    }
                    Instr::RemoveIndex { list, index } => {
                        let program = &self.image.program;
                        check!(remove_element(
                            program,
                            &mut self.store,
                            r!(list),
                            r!(index)
                        ));
                    }
                    Instr::Length { dst, list } => {
                        let len = check!(length(self.values(), r!(list)));
                        set!(dst, Value::int(len as i32));
                    }
                    Instr::Item { dst, of, item } => {
                        let of = r!(of);
                        let field = self
                            .store
                            .heap
                            .items(of)
                            .and_then(|items| items.get(item as usize));
                        let Some(&value) = field else {
                            fail!(self.values().type_error("an object", of))
                        };
                        set!(dst, value);
                    }
                    Instr::SetItem { of, item, value } => {
                        let of = r!(of);
                        match self.store.heap.item_mut(of, item as usize) {
                            Some(slot) => *slot = r!(value),
                            None => fail!(self.values().type_error("an object", of)),
                        }
                    }
                    Instr::ExtendRecord { of, count } => {
                        let program = &self.image.program;
                        check!(extend_record(program, &mut self.store, r!(of), count));
                    }
                    Instr::FilledList { dst, value, count } => {
                        let list = check!(self.filled_list(r!(value), r!(count)));
                        set!(dst, list);
                    }
                    Instr::FilterRecords {
                        dst,
                        list,
                        item,
                        value,
                    } => {
                        let matching =
                            check!(filter_records(self.values(), r!(list), item, r!(value)));
                        self.collect_if_needed();
                        set!(dst, self.store.heap.alloc_list(matching));
                    }
                    Instr::SortRecords { list, item } => {
                        let program = &self.image.program;
                        check!(sort_records(program, &mut self.store, r!(list), item));
                    }
                    Instr::Coordinate { dst, row, col } => {
                        let value = check!(coordinate(self.values(), r!(row), r!(col)));
                        set!(dst, value);
                    }
                    Instr::CoordinatePart { dst, of, axis } => {
                        let (row, col) = check!(row_and_column(self.values(), r!(of)));
                        set!(dst, Value::int(axis.of(row, col)));
                    }
                    Instr::Concat { dst, a, b } => {
                        let text = check!(self.concat(r!(a), r!(b)));
                        set!(dst, text);
                    }
                    Instr::ToString { dst, a } => {
                        let text = self.format_output(r!(a));
                        self.collect_if_needed();
                        set!(dst, self.store.heap.alloc_string(&text));
                    }

                    Instr::NewGrid {
                        dst,
                        rows,
                        cols,
                        value,
                    } => {
                        let grid = check!(self.make_grid(r!(rows), r!(cols), r!(value)));
                        set!(dst, grid);
                    }
                    Instr::GridFill {
                        grid,
                        rows,
                        cols,
                        value,
                        from,
                    } => {
                        let (rows, cols) = ([r!(rows), r!(rows + 1)], [r!(cols), r!(cols + 1)]);
                        let area = (rows, cols);
                        let program = &self.image.program;
                        check!(grid_fill(
                            program,
                            &mut self.store,
                            r!(grid),
                            area,
                            r!(value),
                            from
                        ));
                    }
                    Instr::GridCell {
                        dst,
                        grid,
                        row,
                        col,
                        from,
                    } => {
                        let value =
                            check!(grid_cell(self.values(), r!(grid), r!(row), r!(col), from));
                        set!(dst, value);
                    }
                    Instr::GridWithCell {
                        dst,
                        grid,
                        row,
                        col,
                        value,
                        from,
                    } => {
                        let grid = check!(self.grid_with_cell(
                            r!(grid),
                            (r!(row), r!(col)),
                            r!(value),
                            from
                        ));
                        set!(dst, grid);
                    }
                    Instr::GridCount { dst, grid, value } => {
                        let count = check!(grid_count(self.values(), r!(grid), r!(value)));
                        set!(dst, count);
                    }
                    Instr::GridLongestRun {
                        dst,
                        grid,
                        value,
                        directions,
                    } => {
                        let longest = check!(grid_longest_run(
                            self.values(),
                            r!(grid),
                            r!(value),
                            directions
                        ));
                        set!(dst, longest);
                    }

                    Instr::BoardSize { dst, axis } => {
                        if self.store.rows == 0 {
                            fail!(no_board());
                        }
                        let side = axis.of(self.store.rows, self.store.cols);
                        set!(dst, Value::int(side as i32));
                    }
                    Instr::Cell { dst, row, col } => {
                        let at = cell!(r!(row), r!(col));
                        set!(dst, self.store.cell(at));
                    }
                    Instr::PieceField { dst, piece, field } => {
                        let value = if field == PieceField::Name {
                            name_of!(r!(piece))
                        } else {
                            check!(field_of(self.values(), r!(piece), field))
                        };
                        set!(dst, value);
                    }
                    Instr::Place {
                        name,
                        row,
                        col,
                        owner,
                    } => {
                        let kind = check!(self.image.kinds.resolve(self.values(), r!(name)));
                        let at = cell!(r!(row), r!(col));
                        place(&self.image, &mut self.store, at, kind, r!(owner));
                    }
                    Instr::PlaceKind {
                        kind,
                        row,
                        col,
                        owner,
                    } => {
                        let at = cell!(r!(row), r!(col));
                        place(&self.image, &mut self.store, at, kind, r!(owner));
                    }
                    Instr::Remove { row, col } => {
                        let at = cell!(r!(row), r!(col));
                        self.store.remove(at);
                    }
                    Instr::SetVisible { piece, value } => {
                        let mut changed = check!(current_piece(self.values(), r!(piece)));
                        changed.visible = check!(to_visibility(self.values(), r!(value)));
                        self.store.update_piece(changed);
                        set!(piece, Value::piece(changed));
                    }
                    Instr::ChangeType { piece, name } => {
                        let kind = check!(self.image.kinds.resolve(self.values(), r!(name)));
                        let mut changed = check!(current_piece(self.values(), r!(piece)));
                        changed.kind = kind;
                        self.store.update_piece(changed);
                        set!(piece, Value::piece(changed));
                    }
                    Instr::SetSelfVisible { value } => {
                        let visible = check!(to_visibility(self.values(), r!(value)));
                        check!(update_self_piece(&self.stack, &mut self.store, |p| p
                            .visible =
                            visible));
                    }
                    Instr::ChangeSelfType { name } => {
                        let kind = check!(self.image.kinds.resolve(self.values(), r!(name)));
                        check!(update_self_piece(&self.stack, &mut self.store, |p| p
                            .kind =
                            kind));
                    }
                    Instr::SelfPosition { dst, axis } => {
                        let (row, col) = check!(self_cell(&self.stack, &self.store));
                        set!(dst, Value::int(axis.of(row, col) as i32));
                    }
                    Instr::Resize { rows, cols } => check!(self.resize(r!(rows), r!(cols))),

                    Instr::BeginAction => self.store.action += 1,
                    Instr::SendClick { row, col } => {
                        let at = cell!(r!(row), r!(col));
                        let Some(piece) = self.store.piece(at) else {
                            continue;
                        };
                        let meta = self.store.piece_meta(at);
                        if meta.last_click_action == self.store.action {
                            if OBSERVED {
                                sync!(0);
                                observer.on_click_skipped(self, at);
                            }
                            continue;
                        }
                        self.store.mark_click_handled(at);
                        let kinds = &self.image.kinds;
                        let Some(handler) = kinds.handler(piece.kind, PieceEvent::Click) else {
                            continue;
                        };
                        send!(handler, Value::piece_ref(at, meta.id));
                    }
                    Instr::CollectTurnPieces { dst, order } => {
                        self.collect_if_needed();
                        let pieces = self.image.kinds.turn_pieces(&self.store, r!(order));
                        set!(dst, self.store.heap.alloc_list(pieces));
                    }
                    Instr::FreeList { list } => {
                        self.store.heap.free(r!(list));
                        set!(list, Value::NOTHING);
                    }
                    Instr::SendTurn { piece } => {
                        let kinds = &self.image.kinds;
                        let Some(handler) = kinds.turn_handler(&self.store, r!(piece)) else {
                            continue;
                        };
                        send!(handler, r!(piece));
                    }
                    Instr::EndGame { .. } => {}
                    Instr::Output { value, channel } => {
                        sync!(0);
                        let value = r!(value);
                        if value == Value::NOTHING && channel != Channel::Info {
                            fail!(self.values().type_error(channel.expects(), value));
                        }
                        self.write_output(value, channel);
                    }
                    Instr::Warn { k } => {
                        sync!(0);
                        self.write_output(k!(k), Channel::Warning);
                    }
                    Instr::Random {
                        dst,
                        low,
                        high,
                        is_float,
                    } => {
                        sync!(0);
                        let (low, high) = (r!(low), r!(high));
                        let range = check!(DrawRange::between(self.values(), low, high, is_float));
                        if self.search_mode.pauses_at_draws {
                            not_done!();
                            return Outcome::Paused(Pause::Draw(range));
                        }
                        let value = check!(self.draw(range));
                        set!(dst, value);
                    }
                    Instr::Ask {
                        dst,
                        question,
                        input_kind,
                    } => {
                        let Some(line) = self.effects.next_answer() else {
                            // Executes again once there is an answer.
                            not_done!();
                            let question = r!(question);
                            let question = match question {
                                Value::NOTHING => String::new(),
                                _ if self.search_mode.discards_output => String::new(),
                                _ => self.format_output(question),
                            };
                            return Outcome::NeedsInput {
                                question,
                                input_kind,
                            };
                        };
                        self.effects.position.answers += 1;
                        let program = self.image.program.clone();
                        match (program.parse_input)(&program, &mut self.store, input_kind, &line) {
                            Ok(value) => set!(dst, value),
                            Err(message) => fail!(RuntimeError::new("RT026", message)),
                        }
                    }

                    Instr::RequireValue { a } => {
                        if r!(a) == Value::NOTHING {
                            fail!(self.values().type_error("a value", Value::NOTHING));
                        }
                    }
                    Instr::RequireBool { a } => {
                        truth!(r!(a));
                    }
                    Instr::Fail { k, a, with } => {
                        fail!(
                            self.values()
                                .program_error(k!(k), if with { Some(r!(a)) } else { None })
                        )
                    }
                    Instr::Trap => {
                        not_done!();
                        return Outcome::Paused(Pause::Trap);
                    }

                    Instr::UnitsStart { unit } => {
                        let step = check!(self.start_units(unit, now_ticks!()));
                        ahead = ahead.wrapping_add(step.ticks);
                        if let Some(to) = step.to {
                            jump!(to);
                        }
                    }
                    Instr::UnitsRangeNext { unit } => {
                        after_units!(self.next_unit(unit, now_ticks!()));
                    }
                    Instr::UnitsPiecesNext { unit, base, to } => {
                        let state = r!(base).payload();
                        let at = (state >> CELL_BITS) as u32;
                        if at < self.incremental.row_end {
                            set!(base, Value::loop_state(state + (1 << CELL_BITS)));
                            set!(base + 1, self.store.cell(at));
                            jump_back!(to);
                            continue;
                        }
                        after_units!(self.next_unit(unit, now_ticks!()));
                    }
                    Instr::UnitsCellsNext { unit, base, to } => {
                        let state = r!(base).payload();
                        let (row, col) = (state >> CELL_BITS, (state & CELL_MASK) + 1);
                        if col < self.store.cols as u64 && row < self.store.rows as u64 {
                            set!(base, Value::loop_state(row << CELL_BITS | col));
                            set!(base + 1, Value::int(row as i32));
                            set!(base + 2, Value::int(col as i32));
                            jump_back!(to);
                            continue;
                        }
                        after_units!(self.next_unit(unit, now_ticks!()));
                    }
                }
            }
            // Safepoint. Reload the frame afterwards: a checkpoint may have truncated the registers
            // above it.
            if let Some(outcome) = self.safepoint(limit) {
                return outcome;
            }
            self.next_safepoint_ticks = ticks(self.next_safepoint(limit));
            let Some(&frame) = self.stack.frames.last() else {
                return Outcome::Finished(Value::NOTHING);
            };
            enter!(
                self.image.linked_functions[frame.function.0 as usize],
                frame.base,
                frame.pc
            );
            if !OBSERVED && let Some(step) = self.resume_units(&frame, now_ticks!()) {
                ahead = ahead.wrapping_add(step.ticks);
                if let Some(to) = step.to {
                    jump!(to);
                }
            }
        }
    }
}
