//! The loops of a function, found in its code: where a round begins and where the loop is left.
//!
//! A loop is what is jumped back to. Nothing is asked of the languages for it.

use crate::code::{Function, StopKind, StopPoint};
use crate::machine::{Frame, Machine, Observer};
use std::rc::Rc;

/// A loop that a person wrote.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoopInfo {
    /// Where one stops before it, or before its test.
    pub head: StopPoint,
    /// The instruction with which a round begins.
    pub iteration_start: u32,
    /// Its instructions, from the first that is jumped back to.
    pub start: u32,
    pub end: u32,
}

impl LoopInfo {
    pub fn contains(&self, pc: u32) -> bool {
        (self.start..self.end).contains(&pc)
    }

    /// Whether its test is part of each round, as in a `while`.
    pub fn has_leading_test(&self) -> bool {
        self.head.pc == self.iteration_start
    }
}

/// All loops of a function. Ranges that stand in one head are one loop: its rounds are those of the innermost.
pub fn find_loops(function: &Function) -> Vec<LoopInfo> {
    let mut found: Vec<LoopInfo> = Vec::new();
    for (pc, instr) in function.code.iter().enumerate() {
        let pc = pc as u32;
        let Some(top) = instr.target().filter(|to| *to <= pc) else {
            continue;
        };
        let Some(head) = head_of(function, top, pc) else {
            continue;
        };
        match found.iter_mut().find(|c| c.head.pc == head.pc) {
            Some(same) => {
                (same.start, same.end) = (same.start.min(top), same.end.max(pc + 1));
                same.iteration_start = same.iteration_start.max(top);
            }
            None => found.push(LoopInfo {
                head,
                iteration_start: top,
                start: top,
                end: pc + 1,
            }),
        }
    }
    found
}

/// The stop that belongs to a jump back: the test at its goal, or the statement that holds all that is repeated.
fn head_of(function: &Function, top: u32, back: u32) -> Option<StopPoint> {
    if let Some(test) = function
        .stop_point_at(top)
        .filter(|s| s.kind == StopKind::Iteration)
    {
        return Some(*test);
    }
    let head = *function.stop_point_before(top.checked_sub(1)?)?;
    let mut inside = function
        .stop_points
        .iter()
        .filter(|s| (top..=back).contains(&s.pc))
        .peekable();
    let own = inside.peek().is_some()
        && inside.all(|s| head.span.contains(s.span) && s.span != head.span);
    own.then_some(head)
}

/// The innermost loop in whose round an instruction is.
pub fn innermost_loop(function: &Function, pc: u32) -> Option<LoopInfo> {
    find_loops(function)
        .into_iter()
        .filter(|c| c.contains(pc))
        .min_by_key(|c| c.end - c.start)
}

/// The loop at hand: the one that begins here, or else the one around.
pub fn current_loop(function: &Function, pc: u32) -> Option<LoopInfo> {
    let stop = function.stop_point_before(pc)?;
    let begins = find_loops(function)
        .into_iter()
        .find(|c| c.head.pc == stop.pc && !c.contains(pc));
    begins.or_else(|| innermost_loop(function, pc))
}

/// Counts the rounds of a loop in one frame, until a time.
pub struct IterationCounter {
    pub function: Rc<Function>,
    pub loop_info: LoopInfo,
    /// How many frames there are when it is this one's turn.
    pub depth: usize,
    pub until: u64,
    /// The rounds begun since the loop was last entered, or since the counting began.
    pub iterations: u64,
    /// When the loop was last entered, if that was seen.
    pub entered_at: Option<u64>,
}

impl IterationCounter {
    pub fn new(
        function: Rc<Function>,
        cycle: LoopInfo,
        depth: usize,
        until: u64,
    ) -> IterationCounter {
        IterationCounter {
            function,
            loop_info: cycle,
            depth,
            until,
            iterations: 0,
            entered_at: None,
        }
    }
}

impl Observer for IterationCounter {
    #[inline]
    fn should_pause(&mut self, machine: &Machine) -> bool {
        if machine.time() >= self.until {
            return true;
        }
        let frames = machine.frames();
        if frames.len() > self.depth {
            return false;
        }
        let own = |f: &&Frame| {
            frames.len() == self.depth && machine.is_same_function(f.function, &self.function)
        };
        let at = frames.last().filter(own).map(|f| f.pc);
        match at {
            Some(pc) if self.loop_info.contains(pc) => {
                if pc == self.loop_info.iteration_start {
                    self.iterations += 1;
                    if self.iterations == 1
                        && self.loop_info.has_leading_test()
                        && self.entered_at.is_some()
                    {
                        self.entered_at = Some(machine.time());
                    }
                }
            }
            Some(pc) => {
                self.iterations = 0;
                if pc == self.loop_info.head.pc
                    || self.loop_info.has_leading_test()
                    || self.entered_at.is_none()
                {
                    self.entered_at = Some(machine.time());
                }
            }
            None => (self.iterations, self.entered_at) = (0, Some(machine.time())),
        }
        false
    }
}
