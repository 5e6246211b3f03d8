//! What runs test at breakpoints without pausing: conditions, and values that are watched.
//!
//! A test is set where a run has paused for the first time, because only there is known which variables
//! a condition can use.

use crate::answer::Access;
use crate::breakpoint::watch_value;
use crate::code::{FunctionId, FunctionKind, Instr};
use crate::machine::{Line, TrapTest, WatchTest, WatchedValue};
use crate::{Location, Target, WatchTarget};

/// Lets runs test the breakpoints at the current instruction without pausing, if that is possible and
/// not done yet.
pub(crate) fn add_trap_test(target: &mut Target) {
    let at = target.machine.current_location();
    if let Some(at) = at.filter(|at| !target.machine.has_trap_test(*at)) {
        let test = trap_test(target, at);
        target.machine.set_trap_test(at, test);
    }
}

/// Lets runs test the conditions of the watchpoints for which the run has paused.
pub(crate) fn add_watch_conditions(target: &mut Target) {
    let before = target.machine.values_before().iter();
    let numbers: Vec<u32> = before.map(|(number, _)| *number).collect();
    for number in numbers {
        let b = target.debugger.breakpoint(number);
        let condition = b.and_then(|b| b.condition.clone());
        let probe = condition.and_then(|condition| target.probe(&condition, true));
        if let Some(probe) = probe {
            target.machine.add_watch_condition(number, probe);
        }
    }
}

/// Lets runs pass the trap at the current instruction while a condition is false, if that can be tested
/// without pausing.
pub fn add_condition_test(target: &mut Target, condition: &str) {
    let at = target.machine.current_location();
    if let Some(at) = at.filter(|at| !target.machine.has_trap_test(*at)) {
        let test = target.probe(condition, true).map(|probe| TrapTest {
            conditions: vec![probe],
            ..TrapTest::default()
        });
        target.machine.set_trap_test(at, test);
    }
}

/// The test whether the breakpoints at the current instruction are hit; `None` if it takes more than
/// evaluating an expression.
fn trap_test(target: &mut Target, at: (FunctionId, u32)) -> Option<TrapTest> {
    let breakpoints = target.debugger.breakpoints.iter();
    let here = breakpoints.filter(|b| b.is_enabled && b.addresses.contains(&at));
    let here: Vec<(u32, Location, Option<String>)> = here
        .map(|b| (b.number, b.location.clone(), b.condition.clone()))
        .collect();
    let mut test = TrapTest::default();
    for (number, location, condition) in here {
        let Location::Watch(watched, access) = location else {
            test.conditions.push(target.probe(&condition?, true)?);
            continue;
        };
        let is_stored = matches!(watched, WatchTarget::Global(_) | WatchTarget::Local(..));
        if access != Access::Change && !is_stored {
            return None;
        }
        let is_read = access != Access::Change && watch_value::is_about_to_read(target, &watched);
        if access == Access::Read && !is_read {
            continue;
        }
        let is_derived = target.program().board_info.is_derived;
        let value = match watched {
            WatchTarget::Global(name) => WatchedValue::Global(target.program().global(&name)?),
            WatchTarget::Local(..) => {
                let function = target.machine.function(at.0)?;
                if function.kind == FunctionKind::Entry {
                    return None;
                }
                let frame = target.machine.frames().len().saturating_sub(1);
                match watch_value::local_register(target, &watched, frame) {
                    Some(register) => WatchedValue::Register(register),
                    // It does not exist yet.
                    None => continue,
                }
            }
            WatchTarget::Cell(row, col) | WatchTarget::PieceField(row, col, _) if !is_derived => {
                WatchedValue::Cell(row, col)
            }
            WatchTarget::Row(number) if !is_derived => {
                test.lines.push(Line::Row(number));
                continue;
            }
            WatchTarget::Column(number) if !is_derived => {
                test.lines.push(Line::Column(number));
                continue;
            }
            WatchTarget::Expression(expr) if expr.function.is_none() => {
                let instr = target.machine.next_instruction()?;
                if let Some(global) = instr.flow().global_written()
                    && !target.may_read_global(&expr.text, global)
                {
                    test.plain_globals.push(global);
                    continue;
                }
                WatchedValue::Expression(target.probe(&expr.text, false)?)
            }
            _ => return None,
        };
        test.watched.push(WatchTest {
            number,
            value,
            is_read,
            conditions: Vec::new(),
        });
    }
    test.written_cell = match target.machine.next_instruction()? {
        Instr::Place { row, col, .. }
        | Instr::PlaceKind { row, col, .. }
        | Instr::Remove { row, col } => Some((row, col)),
        _ => None,
    };
    Some(test)
}
