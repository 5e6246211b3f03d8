//! The loops of a function, found from the backward jumps in its code, independently of the
//! language.

use super::recorder::{Frames, Interest, Moment, Results, Sink};
use crate::code::{Function, StopKind, StopPoint};
use crate::machine::Machine;
use std::ops::ControlFlow;
use std::rc::Rc;

/// A loop in the source.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoopInfo {
    /// The stop point before the loop, or before its test.
    pub head: StopPoint,
    /// The instruction at which each iteration starts.
    pub iteration_start: u32,
    /// The loop's first instruction: the target of the outermost backward jump.
    pub start: u32,
    /// The instruction after its last backward jump.
    pub end: u32,
}

impl LoopInfo {
    /// True if the instruction belongs to the loop.
    pub fn contains(&self, pc: u32) -> bool {
        (self.start..self.end).contains(&pc)
    }

    /// Whether each iteration starts with the test, as in a `while` loop.
    pub(super) fn has_leading_test(&self) -> bool {
        self.head.pc == self.iteration_start
    }
}

/// All loops of a function. Backward jumps with the same head belong to one loop; its iterations
/// are those of the innermost jump.
pub fn find_loops(function: &Function) -> Vec<LoopInfo> {
    let mut loops: Vec<LoopInfo> = Vec::new();
    for (pc, instr) in function.code.iter().enumerate() {
        let pc = pc as u32;
        let Some(iteration_start) = instr.target().filter(|to| *to <= pc) else {
            continue;
        };
        let Some(head) = loop_head(function, iteration_start, pc) else {
            continue;
        };
        match loops.iter_mut().find(|l| l.head.pc == head.pc) {
            Some(known) => {
                (known.start, known.end) =
                    (known.start.min(iteration_start), known.end.max(pc + 1));
                known.iteration_start = known.iteration_start.max(iteration_start);
            }
            None => loops.push(LoopInfo {
                head,
                iteration_start,
                start: iteration_start,
                end: pc + 1,
            }),
        }
    }
    loops
}

/// The head of the loop that a backward jump belongs to, from `jump` to `iteration_start`: the test
/// at `iteration_start`, or the statement that contains everything repeated.
fn loop_head(function: &Function, iteration_start: u32, jump: u32) -> Option<StopPoint> {
    if let Some(test) = function
        .stop_point_at(iteration_start)
        .filter(|s| s.kind == StopKind::Iteration)
    {
        return Some(*test);
    }
    let head = *function.stop_point_before(iteration_start.checked_sub(1)?)?;
    let mut repeated = function
        .stop_points
        .iter()
        .filter(|s| (iteration_start..=jump).contains(&s.pc))
        .peekable();
    let contains_all = repeated.peek().is_some()
        && repeated.all(|s| head.span.contains(s.span) && s.span != head.span);
    contains_all.then_some(head)
}

/// The innermost loop whose iterations include the instruction.
pub fn innermost_loop(function: &Function, pc: u32) -> Option<LoopInfo> {
    find_loops(function)
        .into_iter()
        .filter(|l| l.contains(pc))
        .min_by_key(|l| l.end - l.start)
}

/// The loop that starts at the instruction, or else the innermost one around it.
pub fn current_loop(function: &Function, pc: u32) -> Option<LoopInfo> {
    let stop = function.stop_point_before(pc)?;
    let starting_here = find_loops(function)
        .into_iter()
        .find(|l| l.head.pc == stop.pc && !l.contains(pc));
    starting_here.or_else(|| innermost_loop(function, pc))
}

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
