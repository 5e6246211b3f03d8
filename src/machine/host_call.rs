//! Calls that are started from outside the program: entries, actions, and expressions evaluated in
//! a stopped frame; also answers to a program that asks for input.

use super::{Frame, Machine, RuntimeError};
use crate::code::{FunctionId, FunctionKind, Reg};
use crate::value::{Store, Value};
use std::rc::Rc;

/// The register stack grows by at least this many, so that not every call has to grow it.
const MIN_REGISTERS_ADDED: usize = 256;

/// A call from outside on top of a stopped run. Says which frame's locals it works on, and how to
/// resume the run below when it returns.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct HostCall {
    frame: usize,
    locals: Rc<[Reg]>,
    outer_exit_depth: usize,
    outer: Option<Rc<HostCall>>,
}

impl HostCall {
    /// A call with nothing below it.
    pub(super) fn outermost() -> HostCall {
        HostCall {
            frame: 0,
            locals: Rc::new([]),
            outer_exit_depth: 0,
            outer: None,
        }
    }
}

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
            .frames
            .get(frame)
            .filter(|_| is_entry)
            .map_or(Value::NOTHING, |f| f.self_piece);
        if let Some(top) = self.frames.last_mut() {
            top.self_piece = self_piece;
        }
        self.push_host_call(frame, locals);
        Ok(())
    }

    /// Makes the run end when the call that was just pushed returns; the run below stays suspended.
    fn push_host_call(&mut self, frame: usize, locals: Rc<[Reg]>) {
        let (outer_exit_depth, outer) = (self.exit_depth, self.host_call.take());
        self.exit_depth = self.frames.len() - 1;
        self.host_call = Some(Rc::new(HostCall {
            frame,
            locals,
            outer_exit_depth,
            outer,
        }));
    }

    /// The calls from outside that are running, the innermost first: the index of the frame of each,
    /// and the call.
    fn host_calls(&self) -> impl Iterator<Item = (usize, &HostCall)> {
        let innermost = self
            .host_call
            .as_deref()
            .map(|call| (self.exit_depth, call));
        std::iter::successors(innermost, |(_, call)| {
            let outer = call.outer.as_deref()?;
            Some((call.outer_exit_depth, outer))
        })
    }

    /// The instruction that a frame is executing: its next one; in a caller, its call. A frame below
    /// a call from outside is not a caller.
    pub fn executing_pc(&self, frame: usize) -> u32 {
        let is_top = frame + 1 == self.frames.len();
        let pc = self.frames.get(frame).map_or(0, |f| f.pc);
        match is_top || self.host_calls().any(|(base, _)| base == frame + 1) {
            true => pc,
            false => pc.saturating_sub(1),
        }
    }

    /// If a frame was started on top of a stopped one: the index of that one, and its registers that
    /// the first registers of the frame stand for.
    pub fn stopped_frame_below(&self, frame: usize) -> Option<(usize, &[Reg])> {
        let (_, call) = self.host_calls().find(|(base, _)| *base == frame)?;
        (call.frame < frame).then_some((call.frame, &*call.locals))
    }

    /// A call from outside has returned: writes its arguments back to the locals of their frame.
    pub(super) fn finish_host_call(&mut self, base: usize) {
        if self.is_idle() {
            // If the run has made the board large, the next one need not analyze the program.
            self.update_incremental_code();
        }
        let Some(call) = self.host_call.take() else {
            return;
        };
        (self.exit_depth, self.host_call) = (call.outer_exit_depth, call.outer.clone());
        for (n, &register) in call.locals.iter().enumerate() {
            if let Some(&value) = self.registers.get(base + n) {
                self.set_register(call.frame, register, value);
            }
        }
    }

    /// Starts a call from outside; [`Machine::run`] executes it.
    pub fn start(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
    ) -> Result<(), Box<RuntimeError>> {
        self.begin_call(function, arguments)?;
        self.push_host_call(0, Rc::new([]));
        Ok(())
    }

    fn begin_call(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
    ) -> Result<(), Box<RuntimeError>> {
        let Some(f) = self.function(function) else {
            return Err(RuntimeError::new("RT018", "nothing to run"));
        };
        let (needed, call_depth) = (
            f.register_count as usize,
            self.frames.last().map_or(0, |f| f.call_depth),
        );
        if self.frames.is_empty() {
            self.entry_time = self.time;
        }
        let base = self.stack_top();
        self.registers.resize(
            self.registers.len().max(base + needed.max(arguments.len())),
            Value::NOTHING,
        );
        self.registers[base..].fill(Value::NOTHING);
        self.registers[base..base + arguments.len()].copy_from_slice(arguments);
        let self_piece = self.frames.last().map_or(Value::NOTHING, |f| f.self_piece);
        self.frames.push(Frame {
            function,
            pc: 0,
            base: base as u32,
            call_depth,
            self_piece,
        });
        Ok(())
    }

    /// Makes room for the registers of another frame. The number of registers added does not depend
    /// on the depth: a condition evaluated at every call of a deep recursion cuts the stack back
    /// each time. The vector itself doubles its capacity, so it is rarely copied.
    #[cold]
    pub(super) fn grow_registers(&mut self, needed: usize) {
        let len = grown_len(self.registers.len(), needed);
        self.registers.resize(len, Value::NOTHING);
    }

    /// Drops all frames.
    pub fn abandon(&mut self) {
        self.frames.clear();
        (self.low_water, self.exit_depth, self.host_call) = (0, 0, None);
    }

    /// Answers the question that the run ended with; the error says what is wrong with the answer.
    pub fn answer(&mut self, input_kind: u8, line: &str) -> Result<(), String> {
        self.check_answer(input_kind, line)?;
        self.log.push_answer(self.log_position, line);
        Ok(())
    }

    /// Whether a line can be the answer to a question of this kind; the error says what is wrong.
    pub fn check_answer(&self, input_kind: u8, line: &str) -> Result<(), String> {
        (self.program.parse_input)(&self.program, &mut Store::default(), input_kind, line)?;
        Ok(())
    }

    /// Logs a valid answer to the next question, unless this is a replay.
    pub fn log_answer(&mut self, line: &str) {
        if self.log.answers.get(self.log_position.answers).is_none() {
            self.log.push_answer(self.log_position, line);
        }
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
