//! Conditions that decide only what is shown.

use crate::code::flow::{Control, Liveness};
use crate::code::{Function, FunctionId, Instr, Program, Reg};
use crate::model::bounds::Overflows;
use std::collections::BTreeSet;

/// Whether an instruction is a jump that skips only code which shows something: no variable is written,
/// and no register that is read afterwards.
pub(super) fn decides_only_output(
    program: &Program,
    function: &Function,
    pc: u32,
    overflows: &Overflows,
    id: FunctionId,
) -> bool {
    let Control::Test(target) = function.code[pc as usize].flow().control else {
        return false;
    };
    let skipped = pc as usize + 1..target as usize;
    let Some(code) = function.code.get(skipped.clone()) else {
        return false;
    };
    let stays = |to: u32| skipped.contains(&(to as usize)) || to == target;
    let is_shown_only = |(at, instr): (usize, &Instr)| match instr.flow().control {
        // Only forward: a loop might not end.
        Control::Test(to) | Control::Jump(to) => to as usize > at && stays(to),
        Control::Next => only_shows(instr) && !overflows.contains(id, at as u32),
        _ => false,
    };
    if !skipped.clone().zip(code).all(is_shown_only) {
        return false;
    }
    let live = Liveness::new(program, function).at(target);
    let live: BTreeSet<Reg> = live.iter().collect();
    let is_overwritten = |instr: &Instr| instr.flow().may_write().any(|r| live.contains(&r));
    !code.iter().any(is_overwritten)
}

/// Whether an instruction shows something, or computes what is shown, and cannot fail.
fn only_shows(instr: &Instr) -> bool {
    use Instr::*;
    matches!(
        instr,
        Move { .. }
            | Copy { .. }
            | Constant { .. }
            | Int { .. }
            | GetGlobal { .. }
            | AddInt { .. }
            | SubtractInt { .. }
            | ToString { .. }
            | Concat { .. }
            | Output { .. }
    )
}
