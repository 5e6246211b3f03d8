//! Stepping: observers that pause the machine where a step ends.

use crate::code::{Function, FunctionId, Program, StopKind};
use crate::machine::{Machine, Observer};
use std::collections::HashSet;
use std::rc::Rc;

/// When a search for a step target has this many hits, the older half is dropped.
const MAX_HITS_KEPT: usize = 4096;

// Flags of an instruction in a [`StopMap`].
const IS_STOP: u8 = 1;
const IS_TRAP: u8 = 2;
const IS_TURN_END: u8 = 4;

/// For every instruction: whether a step may stop there, whether there is a breakpoint, and whether
/// a turn ends there.
pub struct StopMap {
    /// The flags of all instructions, one function after the other.
    flags: Vec<u8>,
    /// For each function the index of its first flag, and at the end the number of flags.
    offsets: Vec<usize>,
}

impl StopMap {
    /// Builds the map for a program. Steps never stop in functions for which `is_hidden` returns
    /// true.
    pub fn new(
        program: &Program,
        traps: &[(FunctionId, u32)],
        is_hidden: impl Fn(&Function) -> bool,
    ) -> StopMap {
        let sizes = program.functions.iter().map(|f| f.code.len());
        let mut offsets = Vec::with_capacity(program.functions.len() + 1);
        offsets.push(0);
        offsets.extend(sizes.scan(0, |end, size| {
            *end += size;
            Some(*end)
        }));
        let mut map = StopMap {
            flags: vec![0; offsets.last().copied().unwrap_or(0)],
            offsets,
        };
        for (id, function) in (0..).map(FunctionId).zip(&program.functions) {
            let stop_flag = if is_hidden(function) { 0 } else { IS_STOP };
            for stop in &function.stop_points {
                let is_turn_end = stop.kind == StopKind::Turn;
                let turn_flag = if is_turn_end { IS_TURN_END } else { 0 };
                map.add_flags((id, stop.pc), stop_flag | turn_flag);
            }
        }
        for &trap in traps {
            map.add_flags(trap, IS_TRAP);
        }
        map
    }

    fn add_flags(&mut self, (function, pc): (FunctionId, u32), flags: u8) {
        if let Some(index) = self.index(function, pc) {
            self.flags[index] |= flags;
        }
    }

    /// The index of an instruction's flags; `None` if the program has no such instruction.
    #[inline]
    fn index(&self, function: FunctionId, pc: u32) -> Option<usize> {
        let &[start, end] = self.offsets.get(function.0 as usize..)?.first_chunk()?;
        Some(start + pc as usize).filter(|index| *index < end)
    }

    /// Whether a step to `target` would end at the current instruction.
    pub fn is_target_reached(&self, target: &StepTarget, machine: &Machine) -> bool {
        let Some(address) = machine.current_location() else {
            return false;
        };
        is_target_reached(
            target,
            machine,
            address,
            machine.frames().len(),
            self.flags(address.0, address.1),
        )
    }

    /// Whether a step may stop at an instruction.
    pub fn is_stop(&self, function: FunctionId, pc: u32) -> bool {
        self.flags(function, pc) & IS_STOP != 0
    }

    #[inline]
    fn flags(&self, function: FunctionId, pc: u32) -> u8 {
        self.index(function, pc)
            .map_or(0, |index| self.flags[index])
    }
}

/// Where a step ends. Functions are compared by identity, because ids differ between versions of
/// the program.
#[derive(Clone, Debug, PartialEq)]
pub enum StepTarget {
    /// At the next stop point, wherever it is.
    Into,
    /// At the next stop point with at most this many frames on the stack.
    Over(usize),
    /// At the next stop point with more than this many frames on the stack.
    Deeper(usize),
    /// As soon as fewer frames than this are on the stack.
    Out(usize),
    /// When this instruction is reached again in the same frame.
    Revisit {
        /// The function of the frame.
        function: Rc<Function>,
        /// The instruction.
        pc: u32,
        /// The stack depth at which the frame is on top. A stop point with fewer frames ends the
        /// step too.
        depth: usize,
    },
    /// At the next iteration of a loop: at `pc` again in the same frame, or at a stop point outside
    /// `from..to`.
    NextIteration {
        /// The function that contains the loop.
        function: Rc<Function>,
        /// The instruction at which each iteration starts.
        pc: u32,
        /// The stack depth at which the loop's frame is on top.
        depth: usize,
        /// The loop's first instruction.
        from: u32,
        /// The instruction after the loop's last one.
        to: u32,
    },
    /// At a stop point outside the instructions `from..to`, in the same frame or a caller.
    PastRange {
        /// The stack depth at which the frame is on top.
        depth: usize,
        /// The first instruction of the range.
        from: u32,
        /// The instruction after the range.
        to: u32,
    },
    /// At one of these addresses.
    Addresses(HashSet<(FunctionId, u32)>),
    /// When an action other than this one starts.
    NextAction(u32),
    /// At the end of a turn.
    TurnEnd,
    /// At the end of the entry.
    Finish,
}

impl StepTarget {
    /// The greatest stack depth at which the target can be reached, if it is limited.
    pub fn max_depth(&self) -> Option<usize> {
        match self {
            StepTarget::Over(depth) => Some(*depth),
            StepTarget::Out(depth) => Some(depth.saturating_sub(1)),
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

/// Pauses at the target or at a breakpoint, whichever comes first.
pub struct Stepper<'m> {
    /// Must be built for the program that runs.
    pub stop_map: &'m StopMap,
    /// Where the step ends.
    pub target: StepTarget,
    /// The time at which the step started; it never ends there.
    pub start_time: u64,
    /// The step goes no further than this time.
    pub end_time: u64,
    /// Set when it paused at a breakpoint.
    pub has_hit_breakpoint: bool,
    /// Also observes the run, without pausing it.
    pub recorder: Option<&'m mut dyn Observer>,
}

impl Observer for Stepper<'_> {
    #[inline]
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let frames = machine.frames();
        let Some(top) = frames.last() else {
            return false;
        };
        let flags = self.stop_map.flags(top.function, top.pc);
        if let Some(recorder) = &mut self.recorder {
            recorder.should_pause(machine);
        }
        if machine.time() == self.start_time {
            return false;
        }
        if machine.time() >= self.end_time {
            return true;
        }
        if flags & IS_TRAP != 0 {
            self.has_hit_breakpoint = true;
            return true;
        }
        is_target_reached(
            &self.target,
            machine,
            (top.function, top.pc),
            frames.len(),
            flags,
        )
    }

    fn on_click_skipped(&mut self, machine: &Machine, cell: u32) {
        if let Some(recorder) = &mut self.recorder {
            recorder.on_click_skipped(machine, cell);
        }
    }
}

#[inline]
fn is_target_reached(
    target: &StepTarget,
    machine: &Machine,
    address: (FunctionId, u32),
    depth: usize,
    flags: u8,
) -> bool {
    let is_stop = flags & IS_STOP != 0;
    match target {
        StepTarget::Into => is_stop,
        StepTarget::Over(max_depth) => is_stop && depth <= *max_depth,
        StepTarget::Deeper(min_depth) => is_stop && depth > *min_depth,
        StepTarget::Out(limit) => depth < *limit,
        StepTarget::Revisit {
            function,
            pc,
            depth: d,
        } => {
            depth == *d && address.1 == *pc && machine.is_same_function(address.0, function)
                || depth < *d && is_stop
        }
        StepTarget::NextIteration {
            function,
            pc,
            depth: d,
            from,
            to,
        } => {
            depth == *d && address.1 == *pc && machine.is_same_function(address.0, function)
                || is_stop && (depth < *d || depth == *d && !(*from..*to).contains(&address.1))
        }
        StepTarget::PastRange { depth: d, from, to } => {
            is_stop && (depth < *d || depth == *d && !(*from..*to).contains(&address.1))
        }
        StepTarget::Addresses(addresses) => addresses.contains(&address),
        StepTarget::NextAction(action) => is_stop && machine.store.action != *action,
        StepTarget::TurnEnd => flags & IS_TURN_END != 0,
        StepTarget::Finish => false,
    }
}

/// Wraps another observer, and also pauses at breakpoints and at a given time.
pub struct BreakpointGuard<'m> {
    /// Called first, so that it has seen the instruction at which the guard pauses.
    pub inner: &'m mut dyn Observer,
    /// Says where breakpoints are; must be built for the program that runs.
    pub stop_map: &'m StopMap,
    /// The start time.
    pub start_time: u64,
    /// What has been done with the first instruction.
    pub first: FirstInstruction,
    /// The time at which it pauses.
    pub end_time: u64,
    /// Set when it paused at a breakpoint.
    pub has_hit_breakpoint: bool,
}

/// What has been done with the instruction at which a [`BreakpointGuard`] starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstInstruction {
    /// Nothing.
    New,
    /// Its breakpoints were checked when the program stopped there.
    Checked,
    /// Its breakpoints were checked, and the inner observer has seen it.
    Observed,
}

impl Observer for BreakpointGuard<'_> {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        self.has_hit_breakpoint = false;
        let time = machine.time();
        let first = match time == self.start_time {
            true => self.first,
            false => FirstInstruction::New,
        };
        if time >= self.end_time
            || first != FirstInstruction::Observed && self.inner.should_pause(machine)
        {
            return true;
        }
        self.has_hit_breakpoint = first == FirstInstruction::New
            && machine
                .current_location()
                .is_some_and(|(function, pc)| self.stop_map.flags(function, pc) & IS_TRAP != 0);
        self.has_hit_breakpoint
    }

    fn on_click_skipped(&mut self, machine: &Machine, cell: u32) {
        self.inner.on_click_skipped(machine, cell);
    }
}

/// Runs to a time and records when the target was reached on the way. Reverse stepping goes to the
/// last hit.
pub struct HitFinder<'m> {
    /// Must be built for the program that runs.
    pub stop_map: &'m StopMap,
    /// What to look for, unless `wants_breakpoints` is set.
    pub target: StepTarget,
    /// Whether to look for breakpoints instead of the target.
    pub wants_breakpoints: bool,
    /// A cheap test that hits must pass; `None` to accept all.
    pub prefilter: Option<&'m dyn Fn(&Machine) -> bool>,
    /// Where the search ends; a hit at this time does not count.
    pub end_time: u64,
    /// The times of the hits, in ascending order. If there are very many, the oldest are missing.
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
        let flags = self.stop_map.flags(top.function, top.pc);
        let hit = if self.wants_breakpoints {
            flags & IS_TRAP != 0
        } else {
            is_target_reached(
                &self.target,
                machine,
                (top.function, top.pc),
                frames.len(),
                flags,
            )
        };
        if hit && self.prefilter.is_none_or(|passes| passes(machine)) {
            // There may be millions of hits; reverse stepping only needs the last ones.
            if self.hit_times.len() >= MAX_HITS_KEPT && !self.wants_breakpoints {
                self.hit_times.drain(..MAX_HITS_KEPT / 2);
            }
            self.hit_times.push(machine.time());
        }
        false
    }
}
