//! Escape continuations: `Catch` captures (frame, pc), `Throw` unwinds to it.
//!
//! The captured value is just a number, and a program may keep it after its frame is gone. So
//! `Throw` validates it first: the frame must exist and have a `Catch` at exactly that instruction.

use crate::code::{Instr, Program};
use crate::machine::stack::Stack;
use crate::machine::{Frame, RuntimeError};
use crate::value::Value;

/// Number of bits for the pc in an escape value; the rest is the stack depth.
const PC_BITS: u32 = 24;

/// The escape value of the `Catch` at `pc` in the top frame; `None` if the stack is too deep.
pub(in crate::machine) fn make_escape(stack: &Stack, pc: usize) -> Option<Value> {
    let escape = (stack.frames.len() as i64) << PC_BITS | pc as i64;
    Value::inline_int(escape).filter(|_| pc >> PC_BITS == 0)
}

/// Drops the frames above the captured one. Returns that frame and the instruction at which it
/// continues.
pub(in crate::machine) fn unwind_to(
    stack: &mut Stack,
    program: &Program,
    escape: i64,
) -> Result<(Frame, u32), Box<RuntimeError>> {
    let ended = || RuntimeError::new("RT028", "the block this would return to has already ended");
    let (depth, pc) = (
        (escape >> PC_BITS) as usize,
        (escape & ((1 << PC_BITS) - 1)) as usize,
    );
    if depth > stack.frames.len() || depth == 0 {
        return Err(ended());
    }
    if depth <= stack.exit_depth {
        return Err(RuntimeError::new(
            "RT028",
            "this would leave the frame where the game is stopped",
        )
        .note("`continue` first, so that the game gets there by itself"));
    }
    let frame = stack.frames[depth - 1];
    let code = program.function(frame.function).map(|f| &f.code);
    let Some(&Instr::Catch { to, .. }) = code.and_then(|code| code.get(pc)) else {
        return Err(ended());
    };
    stack.truncate(depth);
    Ok((frame, to))
}
