//! Calls from outside: what was typed, an action, a look into a stopped frame; and the answers to what a game asks.

use super::{Frame, Machine, RuntimeError};
use crate::code::{FunctionId, FunctionKind, Reg};
use crate::value::{Store, Value};
use std::rc::Rc;

/// The frame that a call from outside looks into; and what ends the run below it, which was stopped meanwhile.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct HostCall {
    frame: usize,
    locals: Rc<[Reg]>,
    floor: usize,
    around: Option<Rc<HostCall>>,
}

impl Machine {
    /// Begins a call from outside on top of a stopped frame, whose registers `locals` it gets as its arguments
    /// and writes back when it is done.
    pub fn start_in_frame(
        &mut self,
        function: FunctionId,
        frame: usize,
        locals: Rc<[Reg]>,
    ) -> Result<(), Box<RuntimeError>> {
        // Who takes none of them has registers of its own there, and leaves the frame as it is.
        let taken = self
            .function(function)
            .map_or(0, |f| f.parameter_count as usize);
        let locals: Rc<[Reg]> = if taken < locals.len() {
            locals[..taken].into()
        } else {
            locals
        };
        let registers = self.registers(frame);
        let arguments: Vec<Value> = locals
            .iter()
            .map(|&r| registers.get(r as usize).copied().unwrap_or(Value::NOTHING))
            .collect();
        self.begin_call(function, &arguments)?;
        // What was typed sees what the frame sees; a block of the game is nobody's.
        let typed = self
            .function(function)
            .is_some_and(|f| f.kind == FunctionKind::Entry);
        let me = self
            .frames
            .get(frame)
            .filter(|_| typed)
            .map_or(Value::NOTHING, |f| f.self_piece);
        if let Some(top) = self.frames.last_mut() {
            top.self_piece = me;
        }
        self.hold(frame, locals);
        Ok(())
    }

    /// From here on a run ends when the call that has just begun does; what was going on below waits.
    fn hold(&mut self, frame: usize, locals: Rc<[Reg]>) {
        let (floor, around) = (self.exit_depth, self.host_call.take());
        self.exit_depth = self.frames.len() - 1;
        self.host_call = Some(Rc::new(HostCall {
            frame,
            locals,
            floor,
            around,
        }));
    }

    /// A call from outside is done: what it made of the locals goes back to their frame.
    pub(super) fn finish_host_call(&mut self, base: usize) {
        let Some(inside) = self.host_call.take() else {
            return;
        };
        (self.exit_depth, self.host_call) = (inside.floor, inside.around.clone());
        for (n, &register) in inside.locals.iter().enumerate() {
            if let Some(&value) = self.registers.get(base + n) {
                self.set_register(inside.frame, register, value);
            }
        }
    }

    /// Begins a call from outside; [`Machine::run`] does it.
    pub fn start(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
    ) -> Result<(), Box<RuntimeError>> {
        self.begin_call(function, arguments)?;
        self.hold(0, Rc::new([]));
        Ok(())
    }

    fn begin_call(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
    ) -> Result<(), Box<RuntimeError>> {
        let Some(f) = self.function(function) else {
            return Err(RuntimeError::new("RT018", "there is nothing to run"));
        };
        let (need, calls) = (
            f.register_count as usize,
            self.frames.last().map_or(0, |f| f.call_depth),
        );
        if self.frames.is_empty() {
            self.entry_time = self.time;
        }
        let base = self.stack_top();
        self.registers.resize(
            self.registers.len().max(base + need.max(arguments.len())),
            Value::NOTHING,
        );
        self.registers[base..].fill(Value::NOTHING);
        self.registers[base..base + arguments.len()].copy_from_slice(arguments);
        let me = self.frames.last().map_or(Value::NOTHING, |f| f.self_piece);
        self.frames.push(Frame {
            function,
            pc: 0,
            base: base as u32,
            call_depth: calls,
            self_piece: me,
        });
        Ok(())
    }

    /// Where the registers of the next frame would begin.
    pub(super) fn stack_top(&self) -> usize {
        self.frames.last().map_or(0, |f| self.frame_end(f))
    }

    /// Where the registers of a frame end.
    pub(super) fn frame_end(&self, frame: &Frame) -> usize {
        frame.base as usize
            + self.linked_functions[frame.function.0 as usize].register_count as usize
    }

    /// Gives up all that is going on.
    pub fn abandon(&mut self) {
        self.frames.clear();
        (self.low_water, self.exit_depth, self.host_call) = (0, 0, None);
    }

    /// Answers the question that the run ended with; the message says what is wrong with the answer.
    pub fn answer(&mut self, what: u8, line: &str) -> Result<(), String> {
        (self.program.parse_input)(&self.program, &mut Store::default(), what, line)?;
        self.log
            .answers
            .truncate(self.log_position.answers as usize);
        self.log.answers.push(line.into());
        Ok(())
    }
}
