//! The common cases of the frequent instructions, outside of the dispatch loop.
//!
//! Each instruction here is a function that ends by calling the function of the next instruction.
//! Optimized, these calls are jumps, each with a branch prediction of its own, and the arguments stay
//! in machine registers. In the one large function of the dispatch loop, compilers keep them in
//! memory and share one jump between all instructions: loops took up to twice as long.
//!
//! A case that is not common (operands of another type, a safepoint, an error) is left to the
//! dispatch loop before anything has changed: see [`Cursor::leave`]. So are all instructions that
//! have no function here, and traps. That way each instruction has one complete definition, in
//! `run.rs`; the tests of `handlers` compare the two.
//!
//! - `handlers` has the functions,
//! - `groups` lets one function execute two instructions that often follow each other.
//!
//! Nothing depends on the calls being jumps: every [`MAX_NESTED_INSTRUCTIONS`], the next jump back, call
//! or return is left to the dispatch loop, and a build that does not optimize returns after each
//! instruction.

mod groups;
mod handlers;

pub(super) use groups::{GroupedCode, Head};

use super::image::LinkedFunction;
use super::run::TICK;
use super::{Frame, Machine};
use crate::code::flow::CLEARED_BY_CALL;
use crate::code::{FunctionId, Instr, Reg, fastmod};
use crate::value::Value;
use handlers::HANDLERS;
use std::marker::PhantomData;

/// Whether to return after each instruction instead of calling the function of the next one:
/// WebAssembly, and builds that are made for testing, do not turn these calls into jumps.
const RETURNS_AFTER_EACH: bool = cfg!(any(debug_assertions, target_family = "wasm"));

/// Should calls become calls after all, this bounds how deeply they nest, to less than a megabyte of
/// stack; returning this rarely costs nothing.
const MAX_NESTED_INSTRUCTIONS: u64 = 4096;

/// Where execution is, with the pointers that the instructions need; see `Machine::dispatch`.
#[derive(Clone, Copy)]
pub(super) struct Position {
    /// The next instruction.
    pub(super) ip: *const Instr,
    /// The registers of the top frame.
    pub(super) registers: *mut Value,
    /// The constants of its function.
    pub(super) constants: *const Value,
    /// Ticks after the instruction at `ip`, minus `ip` as an integer.
    pub(super) ahead: u64,
    /// One before the function's first instruction.
    pub(super) code: *const Instr,
}

impl Position {
    pub(super) const NONE: Position = Position {
        ip: std::ptr::null(),
        registers: std::ptr::null_mut(),
        constants: std::ptr::null(),
        ahead: 0,
        code: std::ptr::null(),
    };
}

/// What a function of an instruction returns, to be passed on.
#[derive(PartialEq, Eq)]
enum Exit {
    /// The dispatch loop has to execute the next instruction.
    Left,
    /// There may be a function for it; see [`RETURNS_AFTER_EACH`].
    Continue,
}

/// The function of an instruction. Its arguments are the fields of [`Cursor`], all of which fit in
/// machine registers; the constants, which few instructions need, are in `Machine::position` so that more
/// registers are left for everything else.
type Handler = fn(&mut Machine, *const Instr, *mut Value, u64, *const Instr) -> Exit;

/// What follows an instruction in its function.
trait Then {
    fn then(machine: &mut Machine, at: Position) -> Exit;

    /// Like [`Then::then`], after an instruction that has set its register to an integer.
    #[inline(always)]
    fn then_with(machine: &mut Machine, at: Position, _: i32) -> Exit {
        Self::then(machine, at)
    }
}

/// The function of the next instruction follows, whichever that is.
struct Dispatch;

impl Then for Dispatch {
    #[inline(always)]
    fn then(machine: &mut Machine, at: Position) -> Exit {
        if RETURNS_AFTER_EACH {
            machine.position = at;
            return Exit::Continue;
        }
        dispatch(machine, at)
    }
}

/// Calls the function of the instruction at `ip`.
#[inline(always)]
fn dispatch(machine: &mut Machine, at: Position) -> Exit {
    // SAFETY: `ip` is an instruction of the function, which starts with its opcode.
    let opcode = unsafe { *at.ip.cast::<u8>() };
    dispatch_to(machine, at, opcode)
}

#[inline(always)]
fn dispatch_to(machine: &mut Machine, at: Position, opcode: u8) -> Exit {
    HANDLERS[opcode as usize](machine, at.ip, at.registers, at.ahead, at.code)
}

/// The state of execution inside of a [`Handler`]; `N` is what follows if execution does not jump.
struct Cursor<'m, N> {
    machine: &'m mut Machine,
    at: Position,
    then: PhantomData<N>,
}

impl Machine {
    /// Executes instructions from `self.position` on, up to one that needs the dispatch loop.
    #[inline(always)]
    pub(super) fn run_fast_path(&mut self, at: Position) -> Position {
        let now = at.ahead.wrapping_add(at.ip as u64);
        let nested_until = now.saturating_add(MAX_NESTED_INSTRUCTIONS * TICK);
        self.leave_at_ticks = self.next_safepoint_ticks.min(nested_until);
        self.position.constants = at.constants;
        let mut exit = dispatch(self, at);
        while RETURNS_AFTER_EACH && exit == Exit::Continue {
            let at = self.position;
            exit = dispatch(self, at);
        }
        self.position
    }
}

// SAFETY, for this block: as in `Machine::dispatch`, register numbers are below the function's count
// and that many registers exist, constants and jump targets come from `Builder`, and every function
// ends in a return.
impl<N: Then> Cursor<'_, N> {
    /// Ends with the instruction at `ip` not executed, for the dispatch loop to do so.
    #[inline(always)]
    fn leave(self) -> Exit {
        self.machine.position = self.at;
        Exit::Left
    }

    /// Continues with the next instruction.
    #[inline(always)]
    fn next(mut self) -> Exit {
        self.at.ip = self.at.ip.wrapping_add(1);
        N::then(self.machine, self.at)
    }

    /// Continues at another instruction of the function that starts after `self.at.code`.
    #[inline(always)]
    fn jump(mut self, to: u32) -> Exit {
        self.set_ip(to);
        if RETURNS_AFTER_EACH {
            self.machine.position = self.at;
            return Exit::Continue;
        }
        // Not merged with `next`: a conditional jump has to become a branch, which the processor
        // predicts.
        // SAFETY: `ip` is an instruction of the function.
        let opcode = unsafe { self.at.ip.cast::<u8>().read_volatile() };
        dispatch_to(self.machine, self.at, opcode)
    }

    /// Moves to another instruction of the function, as the one that is executed next.
    #[inline(always)]
    fn set_ip(&mut self, to: u32) {
        let ip = self.at.code.wrapping_add(to as usize + 1);
        let before = (ip as u64).wrapping_sub(TICK);
        self.at.ahead = self.time_after().wrapping_sub(before);
        self.at.ip = ip;
    }

    /// Whether a jump back, a call or a return has to be left to the dispatch loop.
    #[inline(always)]
    fn is_safepoint_due(&self) -> bool {
        self.time_after() >= self.machine.leave_at_ticks
    }

    /// Ticks after this instruction.
    #[inline(always)]
    fn time_after(&self) -> u64 {
        self.at.ahead.wrapping_add(self.at.ip as u64)
    }

    #[inline(always)]
    fn get(&self, register: Reg) -> Value {
        // SAFETY: see above.
        unsafe { *self.at.registers.add(register as usize) }
    }

    #[inline(always)]
    fn set(&mut self, register: Reg, value: Value) {
        // SAFETY: see above.
        unsafe { *self.at.registers.add(register as usize) = value }
    }

    #[inline(always)]
    fn constant(&self, k: u16) -> Value {
        // SAFETY: see above.
        unsafe { *self.at.constants.add(k as usize) }
    }

    /// Sets a register and continues, if there is a value.
    #[inline(always)]
    fn set_or_leave(mut self, register: Reg, value: Option<Value>) -> Exit {
        match value {
            Some(value) => {
                self.set(register, value);
                self.next()
            }
            None => self.leave(),
        }
    }

    /// The 32-bit integers in two registers.
    #[inline(always)]
    fn ints(&self, a: Reg, b: Reg) -> Option<(i32, i32)> {
        let (a, b) = (self.get(a), self.get(b));
        a.are_ints(b).then_some((a.int_payload(), b.int_payload()))
    }

    /// The 32-bit integer in a register.
    #[inline(always)]
    fn int(&self, a: Reg) -> Option<i32> {
        let a = self.get(a);
        a.is_int().then_some(a.int_payload())
    }

    /// Sets a register to an integer and continues, if there is one.
    #[inline(always)]
    fn set_int(mut self, register: Reg, n: Option<i32>) -> Exit {
        match n {
            Some(n) => {
                self.set(register, Value::int(n));
                self.at.ip = self.at.ip.wrapping_add(1);
                N::then_with(self.machine, self.at, n)
            }
            None => self.leave(),
        }
    }

    /// The remainder of a number that is not negative by a constant; `k` is its reciprocal. Cyclic counters are usually
    /// below the divisor, and others can use `fastmod`; a division would take longer than everything else here.
    #[inline(always)]
    fn remainder(&self, a: i32, k: u16, value: i32) -> Option<i32> {
        (a >= 0).then(|| match a < value {
            true => a,
            false => fastmod(a as u32, value as u32, self.constant(k)) as i32,
        })
    }

    /// Sets a register to a boolean and continues.
    #[inline(always)]
    fn set_bool(mut self, register: Reg, truth: bool) -> Exit {
        self.set(register, Value::bool(truth));
        self.next()
    }

    // Tests return what they compare, not an `Option<bool>`: compilers keep that in one register with three
    // values and test it twice.

    /// Jumps unless `truth`.
    #[inline(always)]
    fn jump_unless(self, truth: bool, to: u32) -> Exit {
        match truth {
            true => self.next(),
            false => self.jump(to),
        }
    }

    /// Jumps back to the next iteration, unless that is a safepoint that is due, after having put
    /// `values` into the registers from `base` on.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)]
    fn repeat<const COUNT: usize>(mut self, to: u32, base: Reg, values: [Value; COUNT]) -> Exit {
        if self.is_safepoint_due() {
            return self.leave();
        }
        // Not an iterator over values: dropping one could be a call that is not inlined.
        for n in 0..COUNT {
            self.set(base + n as Reg, values[n]);
        }
        self.jump(to)
    }

    /// Jumps back to the start of a loop, unless that is a safepoint that is due. In a group, `N` is the instruction
    /// there.
    #[inline(always)]
    fn next_iteration(mut self, to: u32) -> Exit {
        if self.is_safepoint_due() {
            return self.leave();
        }
        self.set_ip(to);
        N::then(self.machine, self.at)
    }

    /// Starts a loop: puts `values` into the registers from `base` on and continues, if there are any.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)]
    fn start<const COUNT: usize>(mut self, base: Reg, values: Option<[Value; COUNT]>) -> Exit {
        let Some(values) = values else {
            return self.leave();
        };
        for n in 0..COUNT {
            self.set(base + n as Reg, values[n]);
        }
        self.next()
    }

    /// The values in two registers, if they are of the same type and equal if their bits are.
    #[inline(always)]
    fn plain_values(&self, a: Reg, b: Reg) -> Option<(Value, Value)> {
        let (a, b) = (self.get(a), self.get(b));
        a.are_plain(b).then_some((a, b))
    }

    /// Like [`Cursor::plain_values`], for values of any types.
    #[inline(always)]
    fn comparable_values(&self, a: Reg, b: Reg) -> Option<(Value, Value)> {
        let (a, b) = (self.get(a), self.get(b));
        (a == b || a.as_heap().is_none()).then_some((a, b))
    }

    /// The name of a piece or of an empty cell.
    #[inline(always)]
    fn name_of(&self, value: Value) -> Option<Value> {
        if value.is_piece() {
            let kind = value.piece_payload().kind as usize;
            self.machine.image.kinds.names.get(kind).copied()
        } else {
            (value == Value::EMPTY).then_some(self.machine.image.kinds.no_name)
        }
    }

    /// The index of a cell, if it is on the board.
    #[inline(always)]
    fn cell(&self, row: Value, col: Value) -> Option<u32> {
        let store = &self.machine.store;
        let is_inside = row.are_ints(col)
            && (row.int_payload() as u32) < store.rows
            && (col.int_payload() as u32) < store.cols;
        is_inside.then(|| row.int_payload() as u32 * store.cols + col.int_payload() as u32)
    }

    /// Continues in another frame, at one of its instructions.
    #[inline(always)]
    fn enter(mut self, linked: LinkedFunction, base: u32, pc: u32) -> Exit {
        let time = self.time_after();
        self.at.code = linked.code.wrapping_sub(1);
        self.at.constants = linked.constants;
        self.machine.position.constants = linked.constants;
        // SAFETY: a frame's registers exist; see `Machine::dispatch`.
        self.at.registers = unsafe { self.machine.stack.registers.as_mut_ptr().add(base as usize) };
        self.at.ip = self.at.code;
        self.at.ahead = time.wrapping_sub(self.at.ip as u64);
        self.jump(pc)
    }

    #[inline(always)]
    fn call(self, function: FunctionId, base: Reg) -> Exit {
        let is_due = self.is_safepoint_due();
        let machine = &mut *self.machine;
        let count = machine.stack.frames.len();
        let is_full = count == machine.stack.frames.capacity();
        let (Some(&caller), Some(&linked)) = (
            machine.stack.frames.last(),
            machine.image.linked_functions.get(function.0 as usize),
        ) else {
            return self.leave();
        };
        let base = caller.base + base as u32;
        let needed = base as u64 + linked.fast_frame_len as u64;
        if is_due
            || is_full
            || caller.call_depth >= machine.limits.max_call_depth
            || needed > machine.stack.registers.len() as u64
        {
            return self.leave();
        }
        let pc = (self.at.ip as usize - self.at.code as usize) / size_of::<Instr>();
        // SAFETY: there is a frame, room for another one, and `needed` registers exist. See `call!`
        // in `run.rs` for why registers are cleared.
        unsafe {
            let frames = machine.stack.frames.as_mut_ptr();
            (*frames.add(count - 1)).pc = pc as u32;
            frames.add(count).write(Frame {
                function,
                pc: 0,
                base,
                call_depth: caller.call_depth + 1,
                self_piece: caller.self_piece,
            });
            machine.stack.frames.set_len(count + 1);
            let registers = machine.stack.registers.as_mut_ptr();
            registers
                .add(base as usize + linked.parameter_count as usize)
                .cast::<[Value; CLEARED_BY_CALL]>()
                .write([Value::NOTHING; CLEARED_BY_CALL]);
        }
        self.enter(linked, base, 0)
    }

    #[inline(always)]
    fn return_value(mut self, value: Value) -> Exit {
        let is_due = self.is_safepoint_due();
        let machine = &mut *self.machine;
        let depth = machine.stack.frames.len().wrapping_sub(1);
        // A call that was started from outside ends at `exit_depth`.
        if is_due || depth == usize::MAX || depth <= machine.stack.exit_depth {
            return self.leave();
        }
        let Some(&caller) = machine.stack.frames.get(depth - 1) else {
            return self.leave();
        };
        let Some(&linked) = machine
            .image
            .linked_functions
            .get(caller.function.0 as usize)
        else {
            return self.leave();
        };
        machine.stack.frames.truncate(depth);
        machine.stack.low_water = machine.stack.low_water.min(depth);
        self.set(0, value);
        self.enter(linked, caller.base, caller.pc)
    }
}
