//! Moving through the code: watchers that pause where a step ends.

use super::Trace;
use crate::code::{Function, FunctionId, Program, StopKind};
use crate::machine::{Machine, Observer};
use std::collections::HashSet;
use std::rc::Rc;

const STOP: u8 = 1;
const TRAP: u8 = 2;
const TURN: u8 = 4;

/// For every instruction: whether a person may stop there, and whether a breakpoint is there.
pub struct StopMap(Vec<Box<[u8]>>);

impl StopMap {
    /// Steps pass over what is hidden.
    pub fn new(
        program: &Program,
        traps: &[(FunctionId, u32)],
        hidden: impl Fn(&Function) -> bool,
    ) -> StopMap {
        let mut marks: Vec<Box<[u8]>> = program
            .functions
            .iter()
            .map(|f| stops(f, hidden(f)))
            .collect();
        for &(function, pc) in traps {
            if let Some(mark) = marks
                .get_mut(function.0 as usize)
                .and_then(|m| m.get_mut(pc as usize))
            {
                *mark |= TRAP;
            }
        }
        StopMap(marks)
    }

    /// Whether a step ends where the machine is.
    pub fn is_reached(&self, goal: &StepTarget, machine: &Machine) -> bool {
        let Some(at) = machine.current_location() else {
            return false;
        };
        reached(
            goal,
            machine,
            at,
            machine.frames().len(),
            self.at(at.0, at.1),
        )
    }

    /// Whether a person may stop at an instruction.
    pub fn is_stop(&self, function: FunctionId, pc: u32) -> bool {
        self.at(function, pc) & STOP != 0
    }

    #[inline]
    fn at(&self, function: FunctionId, pc: u32) -> u8 {
        self.0
            .get(function.0 as usize)
            .and_then(|m| m.get(pc as usize))
            .copied()
            .unwrap_or(0)
    }
}

fn stops(function: &Function, hidden: bool) -> Box<[u8]> {
    let mut marks = vec![0; function.code.len()];
    for stop in &function.stop_points {
        if let Some(mark) = marks.get_mut(stop.pc as usize) {
            *mark |= if hidden { 0 } else { STOP };
            *mark |= if stop.kind == StopKind::Turn { TURN } else { 0 };
        }
    }
    marks.into()
}

/// Where a step ends. A function is meant itself, not by its number: that differs from one program to the next.
#[derive(Clone, Debug, PartialEq)]
pub enum StepTarget {
    /// At the next stop, wherever it is.
    Into,
    /// At the next stop that is not deeper than this many frames.
    Over(usize),
    /// At the next stop that is deeper than this many frames.
    Deeper(usize),
    /// When fewer frames than this are left.
    Out(usize),
    /// At this instruction again, in the same frame.
    Revisit {
        function: Rc<Function>,
        pc: u32,
        depth: usize,
    },
    /// At this instruction again in the same frame, or at a stop outside these instructions: to the next round of a
    /// loop, or behind it.
    NextIteration {
        function: Rc<Function>,
        pc: u32,
        depth: usize,
        from: u32,
        to: u32,
    },
    /// At a stop outside these instructions, in the same frame or below.
    PastRange { depth: usize, from: u32, to: u32 },
    /// At one of these places.
    Addresses(HashSet<(FunctionId, u32)>),
    /// When another action than this begins.
    NextAction(u32),
    /// When a turn ends.
    TurnEnd,
    /// When so many calls are on the stack as there were: to the end of the entry.
    Finish,
}

impl StepTarget {
    /// With how many frames on the stack it can be reached, at most; where that is known.
    pub fn max_depth(&self) -> Option<usize> {
        match self {
            StepTarget::Over(most) => Some(*most),
            StepTarget::Out(fewer) => Some(fewer.saturating_sub(1)),
            StepTarget::Revisit { depth, .. }
            | StepTarget::NextIteration { depth, .. }
            | StepTarget::PastRange { depth, .. } => Some(*depth),
            StepTarget::Into
            | StepTarget::Deeper(_)
            | StepTarget::Addresses(_)
            | StepTarget::NextAction(_)
            | StepTarget::TurnEnd
            | StepTarget::Finish => None,
        }
    }
}

/// Pauses where the goal is reached, or where a breakpoint is.
pub struct Stepper<'m> {
    pub stop_map: &'m StopMap,
    pub target: StepTarget,
    /// Where it began: that place does not count.
    pub start_time: u64,
    /// It goes no further than this time.
    pub end_time: u64,
    /// Whether it paused for a breakpoint.
    pub has_hit_breakpoint: bool,
    /// Calls and events as they happen, if they are to be told.
    pub trace: Option<Trace>,
}

impl Observer for Stepper<'_> {
    #[inline]
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let frames = machine.frames();
        let Some(top) = frames.last() else {
            return false;
        };
        let mark = self.stop_map.at(top.function, top.pc);
        if let Some(trace) = &mut self.trace {
            trace.observe(machine);
        }
        if machine.time() == self.start_time {
            return false;
        }
        if machine.time() >= self.end_time {
            return true;
        }
        if mark & TRAP != 0 {
            self.has_hit_breakpoint = true;
            return true;
        }
        reached(
            &self.target,
            machine,
            (top.function, top.pc),
            frames.len(),
            mark,
        )
    }

    fn on_click_skipped(&mut self, machine: &Machine, cell: u32) {
        if let Some(trace) = &mut self.trace {
            trace.on_click_skipped(machine, cell);
        }
    }
}

#[inline]
fn reached(
    goal: &StepTarget,
    machine: &Machine,
    at: (FunctionId, u32),
    depth: usize,
    mark: u8,
) -> bool {
    let stop = mark & STOP != 0;
    match goal {
        StepTarget::Into => stop,
        StepTarget::Over(most) => stop && depth <= *most,
        StepTarget::Deeper(least) => stop && depth > *least,
        StepTarget::Out(fewer) => depth < *fewer,
        StepTarget::Revisit {
            function,
            pc,
            depth: d,
        } => {
            depth == *d && at.1 == *pc && machine.is_same_function(at.0, function)
                || depth < *d && stop
        }
        StepTarget::NextIteration {
            function,
            pc,
            depth: d,
            from,
            to,
        } => {
            depth == *d && at.1 == *pc && machine.is_same_function(at.0, function)
                || stop && (depth < *d || depth == *d && !(*from..*to).contains(&at.1))
        }
        StepTarget::PastRange { depth: d, from, to } => {
            stop && (depth < *d || depth == *d && !(*from..*to).contains(&at.1))
        }
        StepTarget::Addresses(places) => places.contains(&at),
        StepTarget::NextAction(action) => stop && machine.store.action != *action,
        StepTarget::TurnEnd => mark & TURN != 0,
        StepTarget::Finish => false,
    }
}

/// Lets another look on, and pauses at breakpoints in what is called, and at a time.
pub struct BreakpointGuard<'m> {
    pub inner: &'m mut dyn Observer,
    pub stop_map: &'m StopMap,
    /// Where it began: that place does not count.
    pub start_time: u64,
    /// Only deeper than this many frames.
    pub depth: usize,
    pub end_time: u64,
    /// Whether it paused for a breakpoint.
    pub has_hit_breakpoint: bool,
}

impl Observer for BreakpointGuard<'_> {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let frames = machine.frames();
        let deeper = frames
            .last()
            .filter(|_| frames.len() > self.depth && machine.time() != self.start_time);
        self.has_hit_breakpoint =
            deeper.is_some_and(|top| self.stop_map.at(top.function, top.pc) & TRAP != 0);
        self.has_hit_breakpoint
            || machine.time() >= self.end_time
            || self.inner.should_pause(machine)
    }

    fn on_click_skipped(&mut self, machine: &Machine, cell: u32) {
        self.inner.on_click_skipped(machine, cell);
    }
}

/// Runs to a time and remembers when a goal was last reached before it.
pub struct HitFinder<'m> {
    pub stop_map: &'m StopMap,
    pub target: StepTarget,
    /// Whether breakpoints count instead of the goal.
    pub wants_breakpoints: bool,
    /// What else must be so there, as far as it is seen at a glance.
    pub prefilter: Option<&'m dyn Fn(&Machine) -> bool>,
    pub end_time: u64,
    /// When it was reached, in order.
    pub hit_times: Vec<u64>,
}

impl Observer for HitFinder<'_> {
    #[inline]
    fn should_pause(&mut self, machine: &Machine) -> bool {
        if machine.time() >= self.end_time {
            return true;
        }
        let frames = machine.frames();
        let Some(top) = frames.last() else {
            return false;
        };
        let mark = self.stop_map.at(top.function, top.pc);
        let hit = if self.wants_breakpoints {
            mark & TRAP != 0
        } else {
            reached(
                &self.target,
                machine,
                (top.function, top.pc),
                frames.len(),
                mark,
            )
        };
        if hit && self.prefilter.is_none_or(|likely| likely(machine)) {
            // Many may be passed; only the last ones are ever asked for.
            if self.hit_times.len() >= 4096 && !self.wants_breakpoints {
                self.hit_times.drain(..2048);
            }
            self.hit_times.push(machine.time());
        }
        false
    }
}
