//! Runs that are part of a search: nothing is logged, random draws are pauses, and the call stack is
//! set from outside.

use super::host_call::HostCall;
use super::{Frame, Machine, NoObserver, Outcome, RuntimeError};
use crate::code::{FunctionId, Instr};
use crate::value::Value;
use std::rc::Rc;

/// How runs differ if they are part of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SearchMode {
    /// A draw pauses the run, so that every number can be tried.
    pub(super) pauses_at_draws: bool,
    /// Output is neither formatted nor logged, and leaves the message line alone.
    pub(super) discards_output: bool,
}

/// The numbers from which a random draw chooses; not empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRange {
    /// Lower bound, inclusive.
    pub low: i64,
    /// Upper bound, exclusive.
    pub high: i64,
    /// The numbers count thousandths: 500 means 0.5.
    pub is_float: bool,
}

impl DrawRange {
    /// How many numbers there are.
    pub fn count(self) -> u64 {
        self.high.abs_diff(self.low)
    }

    pub(super) fn checked(
        low: i64,
        high: i64,
        is_float: bool,
    ) -> Result<DrawRange, Box<RuntimeError>> {
        if low < high {
            return Ok(DrawRange {
                low,
                high,
                is_float,
            });
        }
        let message =
            format!("empty range for a random number: {low} up to but not including {high}");
        Err(RuntimeError::new("RT012", message).note("the first bound must be below the second"))
    }
}

/// An active call, as [`Machine::replace_stack`] needs it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FrameImage {
    /// The function.
    pub function: FunctionId,
    /// The next instruction.
    pub pc: u32,
    /// Index of its first register.
    pub base: u32,
    /// The piece whose handler runs, or `NOTHING`.
    pub self_piece: Value,
}

impl Machine {
    /// Makes this a machine for searches: random draws pause the run. Unless `keeps_output`, output
    /// is discarded.
    pub fn set_search_mode(&mut self, keeps_output: bool) {
        self.search_mode = SearchMode {
            pauses_at_draws: true,
            discards_output: !keeps_output,
        };
        // Positions follow each other in no particular order, so there is little to reuse.
        self.set_incremental(None);
    }

    /// Runs until something happens; pauses at traps, also at the current instruction.
    pub fn run_in_search(&mut self) -> Outcome {
        self.dispatch::<false>(&mut NoObserver, u64::MAX)
    }

    /// Gives the run the value that it is waiting for: the answer to a question, or a number drawn.
    /// Nothing is logged.
    pub fn supply(&mut self, value: Value) {
        let Some(Instr::Ask { dst, .. } | Instr::Random { dst, .. }) = self.next_instruction()
        else {
            return;
        };
        let top = self.frames.len() - 1;
        self.set_register(top, dst, value);
        self.frames[top].pc += 1;
        self.time += 1;
    }

    /// The value of a number drawn from a range.
    pub fn drawn_value(&mut self, range: DrawRange, number: i64) -> Value {
        match range.is_float {
            true => Value::float(number as f64 / 1000.0),
            false => self.store.heap.alloc_int(number),
        }
    }

    /// Index of the first register of a frame, for [`Machine::replace_stack`].
    pub fn frame_base(&self, frame: usize) -> u32 {
        self.frames.get(frame).map_or(0, |f| f.base)
    }

    /// Replaces the whole call stack, outermost frame first. All registers are cleared. A run ends
    /// when the outermost frame returns.
    pub fn replace_stack(&mut self, frames: &[FrameImage]) {
        self.abandon();
        self.last_snapshot = None;
        self.entry_time = self.time;
        let with_depth = frames.iter().zip(0..);
        self.frames.extend(with_depth.map(|(f, call_depth)| Frame {
            function: f.function,
            pc: f.pc,
            base: f.base,
            call_depth,
            self_piece: f.self_piece,
        }));
        let ends = self.frames.iter().map(|f| self.frame_end(f));
        let needed = ends.max().unwrap_or(0);
        self.registers.clear();
        self.registers.resize(needed, Value::NOTHING);
        if !frames.is_empty() {
            self.host_call = Some(Rc::new(HostCall::outermost()));
        }
    }
}
