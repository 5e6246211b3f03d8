//! Leaving many calls at once: a mark is a frame and a place in it that can be come back to.
//!
//! A mark is a number, and a program may keep it longer than the frame lives. So it is looked at before it
//! is followed: the frame must be there, and must have a mark at that very place.

use super::{Frame, Machine, RuntimeError};
use crate::code::Instr;
use crate::value::Value;

/// How many bits of a mark say where in the code it is.
const PLACE: u32 = 24;

impl Machine {
    /// The mark that the instruction at `pc` of the top frame makes.
    pub(super) fn make_escape(&self, pc: usize) -> Result<Value, Box<RuntimeError>> {
        let mark = (self.frames.len() as i64) << PLACE | pc as i64;
        Value::inline_int(mark)
            .filter(|_| pc >> PLACE == 0)
            .ok_or_else(|| self.call_depth_exceeded())
    }

    /// Drops the frames above the mark; gives its frame and where that goes on.
    pub(super) fn unwind_to(&mut self, mark: Value) -> Result<(Frame, u32), Box<RuntimeError>> {
        let gone = || RuntimeError::new("RT028", "what this would go back to is not going on here");
        let Some(number) = mark.as_int() else {
            return Err(self.type_error("a place to come back to", mark));
        };
        let (depth, pc) = (
            (number >> PLACE) as usize,
            (number & ((1 << PLACE) - 1)) as usize,
        );
        if depth > self.frames.len() || depth == 0 {
            return Err(gone());
        }
        if depth <= self.exit_depth {
            return Err(RuntimeError::new(
                "RT028",
                "this would leave the place where the game is stopped",
            )
            .note("go on first, and let the game come to it by itself"));
        }
        let frame = self.frames[depth - 1];
        let code = self.function(frame.function).and_then(|f| f.code.get(pc));
        let Some(&Instr::Catch { to, .. }) = code else {
            return Err(gone());
        };
        self.frames.truncate(depth);
        self.low_water = self.low_water.min(depth);
        Ok((frame, to))
    }
}
