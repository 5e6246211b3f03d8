//! The call stack: frames, their registers, and the calls that were started from outside.
//!
//! - `host_call`: calls from outside, which end a run when they return,
//! - `segment`: the stack as of a checkpoint.

mod host_call;
mod segment;

pub(super) use segment::StackSnapshot;

use super::image::LinkedImage;
use crate::code::FunctionId;
use crate::value::Value;
use host_call::HostCall;
use segment::StackSegment;
use std::rc::Rc;

/// The register stack grows by at least this many, so that not every call has to grow it.
const MIN_REGISTERS_ADDED: usize = 256;

/// An active call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// The function being run; an id of the installed program.
    pub function: FunctionId,
    /// The next instruction; up to date whenever the machine is not running.
    pub pc: u32,
    /// Index of its first register.
    pub(super) base: u32,
    /// Number of nested function calls up to here; handlers do not count.
    pub(super) call_depth: u32,
    /// The piece whose handler runs, or `NOTHING`.
    pub self_piece: Value,
}

/// The call stack of a machine.
#[derive(Default)]
pub(super) struct Stack {
    pub(super) frames: Vec<Frame>,
    pub(super) registers: Vec<Value>,
    /// A run ends when the stack is down to this depth.
    pub(super) exit_depth: usize,
    /// Index of the register that holds the value of the last call that returned.
    pub(super) return_slot: usize,
    /// The innermost call that was started from outside, if any.
    host_call: Option<Rc<HostCall>>,
    /// Lowest stack depth since the last checkpoint. The frames below that depth, except for its
    /// top one, are unchanged and shared.
    pub(super) low_water: usize,
    /// The stack as of the last checkpoint.
    last_snapshot: Option<Rc<StackSegment>>,
}

impl Stack {
    /// Index of the first register of the next frame.
    #[inline]
    pub(super) fn top(&self, image: &LinkedImage) -> usize {
        self.frames.last().map_or(0, |f| image.frame_end(f))
    }

    /// Approximate number of bytes used by the frames and their registers.
    pub(super) fn bytes(&self, image: &LinkedImage) -> u64 {
        let frames = self.frames.len() * size_of::<Frame>();
        (frames + self.top(image) * size_of::<Value>()) as u64
    }

    /// Changes a register of a frame; does nothing if there is no such frame.
    pub(super) fn set_register(&mut self, frame: usize, register: u16, value: Value) {
        let Some(f) = self.frames.get(frame) else {
            return;
        };
        let index = f.base as usize + register as usize;
        if let Some(slot) = self.registers.get_mut(index) {
            *slot = value;
            self.low_water = self.low_water.min(frame + 1);
        }
    }

    /// Starts a call on top of the stack, with cleared registers after its arguments.
    pub(super) fn push(&mut self, image: &LinkedImage, function: FunctionId, arguments: &[Value]) {
        let caller = self.frames.last();
        let (call_depth, self_piece) =
            caller.map_or((0, Value::NOTHING), |f| (f.call_depth, f.self_piece));
        let base = self.top(image);
        let frame = Frame {
            function,
            pc: 0,
            base: base as u32,
            call_depth,
            self_piece,
        };
        let needed = image.frame_end(&frame).max(base + arguments.len());
        self.registers
            .resize(self.registers.len().max(needed), Value::NOTHING);
        self.registers[base..].fill(Value::NOTHING);
        self.registers[base..base + arguments.len()].copy_from_slice(arguments);
        self.frames.push(frame);
    }

    /// Makes room for the registers of another frame. The number of registers added does not depend
    /// on the depth: a condition evaluated at every call of a deep recursion cuts the stack back
    /// each time. The vector itself doubles its capacity, so it is rarely copied.
    #[cold]
    pub(super) fn grow_registers(&mut self, needed: usize) {
        let len = grown_len(self.registers.len(), needed);
        self.registers.resize(len, Value::NOTHING);
    }

    /// Drops the frames above a depth.
    pub(super) fn truncate(&mut self, depth: usize) {
        self.frames.truncate(depth);
        self.low_water = self.low_water.min(depth);
    }

    /// Drops all frames.
    pub(super) fn clear(&mut self) {
        self.frames.clear();
        (self.low_water, self.exit_depth, self.host_call) = (0, 0, None);
    }

    /// Replaces all frames, outermost first; all registers are cleared.
    pub(super) fn replace(&mut self, image: &LinkedImage, frames: impl Iterator<Item = Frame>) {
        self.clear();
        self.last_snapshot = None;
        self.frames.extend(frames);
        let ends = self.frames.iter().map(|f| image.frame_end(f));
        let needed = ends.max().unwrap_or(0);
        self.registers.clear();
        self.registers.resize(needed, Value::NOTHING);
        if !self.frames.is_empty() {
            self.host_call = Some(Rc::new(HostCall::outermost()));
        }
    }

    /// Changes the function ids of all frames.
    pub(super) fn remap_functions(&mut self, new_id: impl Fn(FunctionId) -> FunctionId) {
        for frame in &mut self.frames {
            frame.function = new_id(frame.function);
        }
        self.low_water = 0;
        self.last_snapshot = None;
    }
}

/// How many registers a stack of `len` grows to if it needs `needed`.
fn grown_len(len: usize, needed: usize) -> usize {
    needed.max(len + MIN_REGISTERS_ADDED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_stack_grows_by_a_few_registers() {
        assert_eq!(grown_len(0, 5), MIN_REGISTERS_ADDED);
        assert_eq!(
            grown_len(1_000_000, 1_000_001),
            1_000_000 + MIN_REGISTERS_ADDED
        );
        assert_eq!(grown_len(10, 5_000), 5_000);
    }
}
