//! Escape continuations: `Catch` captures (frame, pc), `Throw` unwinds to it.
//!
//! The captured value is just a number, and a program may keep it after its frame is gone. So
//! `Throw` validates it first: the frame must exist and have a `Catch` at exactly that instruction.

use super::{Frame, Machine, RuntimeError};
use crate::code::Instr;
use crate::value::Value;

/// Number of bits for the pc in an escape value; the rest is the stack depth.
const PC_BITS: u32 = 24;

impl Machine {
    /// The escape value of the `Catch` at `pc` in the top frame.
    pub(super) fn make_escape(&self, pc: usize) -> Result<Value, Box<RuntimeError>> {
        let escape = (self.frames.len() as i64) << PC_BITS | pc as i64;
        Value::inline_int(escape)
            .filter(|_| pc >> PC_BITS == 0)
            .ok_or_else(|| self.call_depth_exceeded())
    }

    /// Drops the frames above the captured one. Returns that frame and the instruction at which it
    /// continues.
    pub(super) fn unwind_to(&mut self, escape: Value) -> Result<(Frame, u32), Box<RuntimeError>> {
        let ended =
            || RuntimeError::new("RT028", "the block this would return to has already ended");
        let Some(encoded) = escape.as_int() else {
            return Err(self.type_error("an escape point", escape));
        };
        let (depth, pc) = (
            (encoded >> PC_BITS) as usize,
            (encoded & ((1 << PC_BITS) - 1)) as usize,
        );
        if depth > self.frames.len() || depth == 0 {
            return Err(ended());
        }
        if depth <= self.exit_depth {
            return Err(RuntimeError::new(
                "RT028",
                "this would leave the frame where the game is stopped",
            )
            .note("`continue` first, so that the game gets there by itself"));
        }
        let frame = self.frames[depth - 1];
        let code = self.function(frame.function).and_then(|f| f.code.get(pc));
        let Some(&Instr::Catch { to, .. }) = code else {
            return Err(ended());
        };
        self.frames.truncate(depth);
        self.low_water = self.low_water.min(depth);
        Ok((frame, to))
    }
}
