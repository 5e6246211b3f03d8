//! Runs that are part of a search: nothing is logged, random draws are pauses, and the call stack is
//! set from outside.

use super::ops::arithmetic::to_float;
use super::runtime_error::ValueContext;
use super::{Frame, Machine, NoObserver, Outcome, RuntimeError};
use crate::code::{FunctionId, Instr};
use crate::value::Value;

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

    /// The numbers that can be drawn between two bounds; thousandths for floats.
    pub(super) fn between(
        values: ValueContext<'_>,
        low: Value,
        high: Value,
        is_float: bool,
    ) -> Result<DrawRange, Box<RuntimeError>> {
        let (low, high) = match is_float {
            true => (thousandths(values, low)?, thousandths(values, high)? + 1),
            false => {
                let number = |v: Value| {
                    let n = values.store.heap.as_int(v);
                    n.ok_or_else(|| values.type_error("a number", v))
                };
                (number(low)?, number(high)?)
            }
        };
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

fn thousandths(values: ValueContext<'_>, v: Value) -> Result<i64, Box<RuntimeError>> {
    let number = to_float(values, v)?.as_float();
    match number.map(|x| (x * 1000.0).round()) {
        Some(n) if n.abs() < 1e15 => Ok(n as i64),
        _ => {
            let message = "the bounds of this random number are too large";
            Err(RuntimeError::new("RT012", message))
        }
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
        let top = self.stack.frames.len() - 1;
        self.set_register(top, dst, value);
        self.stack.frames[top].pc += 1;
        self.time += 1;
    }

    /// Index of the first register of a frame, for [`Machine::replace_stack`].
    pub fn frame_base(&self, frame: usize) -> u32 {
        self.stack.frames.get(frame).map_or(0, |f| f.base)
    }

    /// Replaces the whole call stack, outermost frame first. All registers are cleared. A run ends
    /// when the outermost frame returns.
    pub fn replace_stack(&mut self, frames: &[FrameImage]) {
        self.schedule.entry_time = self.time;
        let with_depth = frames.iter().zip(0..).map(|(f, call_depth)| Frame {
            function: f.function,
            pc: f.pc,
            base: f.base,
            call_depth,
            self_piece: f.self_piece,
        });
        self.stack.replace(&self.image, with_depth);
    }
}
