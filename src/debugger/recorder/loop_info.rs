//! The loops of a function, found from the backward jumps in its code, independently of the
//! language.

use crate::answer::LoopStyle;
use crate::code::{Function, Local, StopKind, StopPoint};
use crate::source::Span;

/// A loop in the source.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoopInfo {
    /// How its iterations change variables.
    pub style: LoopStyle,
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
    pub fn has_leading_test(&self) -> bool {
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
                style: loop_style(function, iteration_start),
                head,
                iteration_start,
                start: iteration_start,
                end: pc + 1,
            }),
        }
    }
    loops
}

/// A loop that binds variables of the names of outer ones rebinds variables, as BoGL's `while`
/// does. An ordinary declaration at the start of an iteration shadows nothing.
fn loop_style(function: &Function, iteration_start: u32) -> LoopStyle {
    let starts_iterations = function
        .stop_point_at(iteration_start)
        .is_some_and(|s| s.kind == StopKind::Iteration);
    let shadows_outer = |l: &Local| {
        let is_outer = |o: &&Local| o.name == l.name && o.register != l.register;
        let mut outer = function.locals.iter().filter(is_outer);
        outer.any(|o| o.start_pc <= iteration_start && iteration_start < o.end_pc)
    };
    let mut bound = function
        .locals
        .iter()
        .filter(|l| l.start_pc == iteration_start);
    match starts_iterations && bound.any(shadows_outer) {
        true => LoopStyle::Rebinding,
        false => LoopStyle::Assigning,
    }
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

/// Identifies a loop in all versions of a program, unlike the id of its function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoopId {
    /// The span of the function that contains it.
    pub function: Span,
    /// The loop in the code of the function.
    pub loop_info: LoopInfo,
}

impl LoopId {
    /// The innermost rebinding loop around an instruction.
    pub fn innermost_rebinding(function: &Function, pc: u32) -> Option<LoopId> {
        let loops = find_loops(function).into_iter();
        let enclosing = loops.filter(|l| l.style == LoopStyle::Rebinding && l.contains(pc));
        let loop_info = enclosing.max_by_key(|l| l.start)?;
        Some(LoopId {
            function: function.span,
            loop_info,
        })
    }

    /// The rebinding loop whose iterations start with an instruction.
    pub fn rebinding_at(function: &Function, pc: u32) -> Option<LoopId> {
        LoopId::innermost_rebinding(function, pc).filter(|id| id.is_iteration_start(function, pc))
    }

    /// Whether an iteration of the loop starts with the instruction.
    pub fn is_iteration_start(&self, function: &Function, pc: u32) -> bool {
        self.function == function.span && self.loop_info.iteration_start == pc
    }
}
