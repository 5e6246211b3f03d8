//! Moving through the code: watchers that pause where a step ends.

use super::Trace;
use crate::code::{Function, FunctionId, Program, StopKind};
use crate::machine::{Machine, Watch};
use std::collections::HashSet;
use std::rc::Rc;

const STOP: u8 = 1;
const TRAP: u8 = 2;
const TURN: u8 = 4;

/// For every instruction: whether a person may stop there, and whether a breakpoint is there.
pub struct Marks(Vec<Box<[u8]>>);

impl Marks {
    /// Steps pass over what is hidden.
    pub fn of(
        program: &Program,
        traps: &[(FunctionId, u32)],
        hidden: impl Fn(&Function) -> bool,
    ) -> Marks {
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
        Marks(marks)
    }

    /// Whether a step ends where the machine is.
    pub fn is_reached(&self, goal: &Goal, machine: &Machine) -> bool {
        let Some(at) = machine.at() else { return false };
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
    for stop in &function.stops {
        if let Some(mark) = marks.get_mut(stop.pc as usize) {
            *mark |= if hidden { 0 } else { STOP };
            *mark |= if stop.kind == StopKind::Turn { TURN } else { 0 };
        }
    }
    marks.into()
}

/// Where a step ends. A function is meant itself, not by its number: that differs from one program to the next.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// At the next stop, wherever it is.
    Into,
    /// At the next stop that is not deeper than this many frames.
    Over(usize),
    /// At the next stop that is deeper than this many frames.
    Under(usize),
    /// When fewer frames than this are left.
    Out(usize),
    /// At this instruction again, in the same frame.
    Again {
        function: Rc<Function>,
        pc: u32,
        depth: usize,
    },
    /// At this instruction again in the same frame, or at a stop outside these instructions: to the next round of a
    /// loop, or behind it.
    Round {
        function: Rc<Function>,
        pc: u32,
        depth: usize,
        from: u32,
        to: u32,
    },
    /// At a stop outside these instructions, in the same frame or below.
    Past { depth: usize, from: u32, to: u32 },
    /// At one of these places.
    Places(HashSet<(FunctionId, u32)>),
    /// When another action than this begins.
    Action(u32),
    /// When a turn ends.
    Turn,
    /// When so many calls are on the stack as there were: to the end of the entry.
    End,
}

impl Goal {
    /// With how many frames on the stack it can be reached, at most; where that is known.
    pub fn deepest(&self) -> Option<usize> {
        match self {
            Goal::Over(most) => Some(*most),
            Goal::Out(fewer) => Some(fewer.saturating_sub(1)),
            Goal::Again { depth, .. } | Goal::Round { depth, .. } | Goal::Past { depth, .. } => {
                Some(*depth)
            }
            Goal::Into
            | Goal::Under(_)
            | Goal::Places(_)
            | Goal::Action(_)
            | Goal::Turn
            | Goal::End => None,
        }
    }
}

/// Pauses where the goal is reached, or where a breakpoint is.
pub struct Stepper<'m> {
    pub marks: &'m Marks,
    pub goal: Goal,
    /// Where it began: that place does not count.
    pub from: u64,
    /// It goes no further than this time.
    pub until: u64,
    /// Whether it paused for a breakpoint.
    pub trapped: bool,
    /// Calls and events as they happen, if they are to be told.
    pub trace: Option<Trace>,
}

impl Watch for Stepper<'_> {
    #[inline]
    fn pauses(&mut self, machine: &Machine) -> bool {
        let frames = machine.frames();
        let Some(top) = frames.last() else {
            return false;
        };
        let mark = self.marks.at(top.function, top.pc);
        if let Some(trace) = &mut self.trace {
            trace.see(machine);
        }
        if machine.time() == self.from {
            return false;
        }
        if machine.time() >= self.until {
            return true;
        }
        if mark & TRAP != 0 {
            self.trapped = true;
            return true;
        }
        reached(
            &self.goal,
            machine,
            (top.function, top.pc),
            frames.len(),
            mark,
        )
    }

    fn skipped(&mut self, machine: &Machine, cell: u32) {
        if let Some(trace) = &mut self.trace {
            trace.skipped(machine, cell);
        }
    }
}

#[inline]
fn reached(goal: &Goal, machine: &Machine, at: (FunctionId, u32), depth: usize, mark: u8) -> bool {
    let stop = mark & STOP != 0;
    match goal {
        Goal::Into => stop,
        Goal::Over(most) => stop && depth <= *most,
        Goal::Under(least) => stop && depth > *least,
        Goal::Out(fewer) => depth < *fewer,
        Goal::Again {
            function,
            pc,
            depth: d,
        } => depth == *d && at.1 == *pc && machine.runs(at.0, function) || depth < *d && stop,
        Goal::Round {
            function,
            pc,
            depth: d,
            from,
            to,
        } => {
            depth == *d && at.1 == *pc && machine.runs(at.0, function)
                || stop && (depth < *d || depth == *d && !(*from..*to).contains(&at.1))
        }
        Goal::Past { depth: d, from, to } => {
            stop && (depth < *d || depth == *d && !(*from..*to).contains(&at.1))
        }
        Goal::Places(places) => places.contains(&at),
        Goal::Action(action) => stop && machine.store.action != *action,
        Goal::Turn => mark & TURN != 0,
        Goal::End => false,
    }
}

/// Lets another look on, and pauses at breakpoints in what is called, and at a time.
pub struct Guarded<'m> {
    pub inner: &'m mut dyn Watch,
    pub marks: &'m Marks,
    /// Where it began: that place does not count.
    pub from: u64,
    /// Only deeper than this many frames.
    pub depth: usize,
    pub until: u64,
    /// Whether it paused for a breakpoint.
    pub trapped: bool,
}

impl Watch for Guarded<'_> {
    fn pauses(&mut self, machine: &Machine) -> bool {
        let frames = machine.frames();
        let deeper = frames
            .last()
            .filter(|_| frames.len() > self.depth && machine.time() != self.from);
        self.trapped = deeper.is_some_and(|top| self.marks.at(top.function, top.pc) & TRAP != 0);
        self.trapped || machine.time() >= self.until || self.inner.pauses(machine)
    }

    fn skipped(&mut self, machine: &Machine, cell: u32) {
        self.inner.skipped(machine, cell);
    }
}

/// Runs to a time and remembers when a goal was last reached before it.
pub struct Finder<'m> {
    pub marks: &'m Marks,
    pub goal: Goal,
    /// Whether breakpoints count instead of the goal.
    pub traps: bool,
    /// What else must be so there, as far as it is seen at a glance.
    pub likely: Option<&'m dyn Fn(&Machine) -> bool>,
    pub until: u64,
    /// When it was reached, in order.
    pub found: Vec<u64>,
}

impl Watch for Finder<'_> {
    #[inline]
    fn pauses(&mut self, machine: &Machine) -> bool {
        if machine.time() >= self.until {
            return true;
        }
        let frames = machine.frames();
        let Some(top) = frames.last() else {
            return false;
        };
        let mark = self.marks.at(top.function, top.pc);
        let hit = if self.traps {
            mark & TRAP != 0
        } else {
            reached(
                &self.goal,
                machine,
                (top.function, top.pc),
                frames.len(),
                mark,
            )
        };
        if hit && self.likely.is_none_or(|likely| likely(machine)) {
            // Many may be passed; only the last ones are ever asked for.
            if self.found.len() >= 4096 && !self.traps {
                self.found.drain(..2048);
            }
            self.found.push(machine.time());
        }
        false
    }
}
