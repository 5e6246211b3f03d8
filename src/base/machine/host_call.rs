//! Calls that are started from outside the program: entries, actions, and expressions evaluated in
//! a stopped frame.

use super::{Machine, RuntimeError};
use crate::code::{FunctionId, FunctionKind, Reg};
use crate::value::Value;
use std::rc::Rc;

impl Machine {
    /// Starts a call on top of a stopped frame. It receives that frame's registers `locals` as
    /// arguments, and they are written back when it returns.
    pub fn start_in_frame(
        &mut self,
        function: FunctionId,
        frame: usize,
        locals: Rc<[Reg]>,
    ) -> Result<(), Box<RuntimeError>> {
        // A function with fewer parameters uses those registers for itself, so do not write them
        // back.
        let parameter_count = self
            .function(function)
            .map_or(0, |f| f.parameter_count as usize);
        let locals: Rc<[Reg]> = if parameter_count < locals.len() {
            locals[..parameter_count].into()
        } else {
            locals
        };
        let registers = self.registers(frame);
        let arguments: Vec<Value> = locals
            .iter()
            .map(|&r| registers.get(r as usize).copied().unwrap_or(Value::NOTHING))
            .collect();
        self.begin_call(function, &arguments)?;
        // An entry runs as the frame's piece; a block of the game's rules runs as no piece.
        let is_entry = self
            .function(function)
            .is_some_and(|f| f.kind == FunctionKind::Entry);
        let self_piece = self
            .stack
            .frames
            .get(frame)
            .filter(|_| is_entry)
            .map_or(Value::NOTHING, |f| f.self_piece);
        if let Some(top) = self.stack.frames.last_mut() {
            top.self_piece = self_piece;
        }
        self.stack.push_host_call(frame, locals);
        Ok(())
    }

    /// Starts a call from outside; [`Machine::run`] executes it.
    pub fn start(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
    ) -> Result<(), Box<RuntimeError>> {
        self.begin_call(function, arguments)?;
        self.stack.push_host_call(0, Rc::new([]));
        Ok(())
    }

    fn begin_call(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
    ) -> Result<(), Box<RuntimeError>> {
        if self.function(function).is_none() {
            return Err(RuntimeError::new("RT018", "nothing to run"));
        }
        if self.is_idle() {
            self.schedule.entry_time = self.time;
        }
        self.stack.push(&self.image, function, arguments);
        Ok(())
    }

    /// The instruction that a frame is executing: its next one; in a caller, its call. A frame below
    /// a call from outside is not a caller.
    pub fn executing_pc(&self, frame: usize) -> u32 {
        let is_top = frame + 1 == self.stack.frames.len();
        let pc = self.stack.frames.get(frame).map_or(0, |f| f.pc);
        match is_top || self.stack.is_host_call(frame + 1) {
            true => pc,
            false => pc.saturating_sub(1),
        }
    }

    /// If a frame was started on top of a stopped one: the index of that one, and its registers that
    /// the first registers of the frame stand for.
    pub fn stopped_frame_below(&self, frame: usize) -> Option<(usize, &[Reg])> {
        self.stack.stopped_frame_below(frame)
    }

    /// A call from outside has returned: writes its arguments back to the locals of their frame.
    pub(super) fn finish_host_call(&mut self, base: usize) {
        if self.is_idle() {
            // If the run has made the board large, the next one need not analyze the program.
            self.update_incremental_code();
        }
        self.stack.finish_host_call(base);
    }

    /// Drops all frames.
    pub fn abandon(&mut self) {
        self.stack.clear();
    }
}
