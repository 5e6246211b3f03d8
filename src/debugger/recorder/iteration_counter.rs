//! Counts the iterations of a loop.

use super::{Frames, Interest, LoopInfo, Moment, Results, Sink};
use crate::code::Function;
use crate::machine::Machine;
use std::ops::ControlFlow;
use std::rc::Rc;

/// Counts the iterations of a loop in one frame until a time.
pub struct IterationCounter {
    function: Rc<Function>,
    loop_info: LoopInfo,
    /// The stack depth at which the frame is on top.
    depth: usize,
    until: u64,
    /// Iterations started since the loop was last entered, or since counting began.
    pub iterations: u64,
    /// When the loop was last entered, if that was observed.
    pub entered_at: Option<u64>,
}

impl IterationCounter {
    /// Counts the iterations of the loop from now on.
    pub fn new(
        function: Rc<Function>,
        loop_info: LoopInfo,
        depth: usize,
        until: u64,
    ) -> IterationCounter {
        IterationCounter {
            function,
            loop_info,
            depth,
            until,
            iterations: 0,
            entered_at: None,
        }
    }
}

impl IterationCounter {
    /// The frame that executes the loop has returned, or has not been called yet.
    fn reset(&mut self, machine: &Machine) {
        (self.iterations, self.entered_at) = (0, Some(machine.time()));
    }

    fn on_loop_instruction(&mut self, machine: &Machine, pc: u32) {
        if pc != self.loop_info.iteration_start {
            return;
        }
        self.iterations += 1;
        if self.iterations == 1 && self.loop_info.has_leading_test() && self.entered_at.is_some() {
            self.entered_at = Some(machine.time());
        }
    }

    fn on_other_instruction(&mut self, machine: &Machine, pc: u32) {
        self.iterations = 0;
        if pc == self.loop_info.head.pc
            || self.loop_info.has_leading_test()
            || self.entered_at.is_none()
        {
            self.entered_at = Some(machine.time());
        }
    }
}

impl Sink for IterationCounter {
    fn interest(&self) -> Interest {
        Interest {
            frames: Frames::Only(self.depth),
            until: self.until,
            results: Results::None,
        }
    }

    #[inline]
    fn on_instruction(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let (machine, pc) = (moment.machine, moment.pc);
        if !Rc::ptr_eq(moment.function, &self.function) {
            self.reset(machine);
        } else if self.loop_info.contains(pc) {
            self.on_loop_instruction(machine, pc);
        } else {
            self.on_other_instruction(machine, pc);
        }
        ControlFlow::Continue(())
    }

    fn on_leave(&mut self, machine: &Machine) -> ControlFlow<()> {
        if machine.time() < self.until {
            self.reset(machine);
        }
        ControlFlow::Continue(())
    }
}
