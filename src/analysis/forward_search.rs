//! Forward search: the first time at which something was true.
//!
//! Ctrl-C cancels a search: it then finds nothing, and [`Target::take_cancelled`] returns true.

use crate::code::{FunctionId, Program};
use crate::debugger::breakpoint;
use crate::debugger::frame::eval::INTERRUPTED_CODE;
use crate::debugger::{DroppedHistory, StepTarget, Stepper, StopMap, Target};
use crate::diagnostic::{Diagnostic, Phase};
use crate::machine::{Outcome, Pause};
use std::rc::Rc;

/// How many instructions between two stops are checked one by one.
const MAX_INSTRUCTIONS_BETWEEN_STOPS: usize = 1_000;

/// The time at which an action started: its first stop point, or its end if it has none.
pub fn time_of_action(target: &mut Target, action: u32) -> Result<Option<u64>, DroppedHistory> {
    first_time_in_game(target, |s| s.machine.store.action >= action)
}

/// The first time at which this many turns had ended.
pub fn time_of_turn(target: &mut Target, turn: i64) -> Result<Option<u64>, DroppedHistory> {
    if target.progress().turn_count.is_none() {
        return Ok(None);
    }
    if turn <= 0 {
        return target.timeline.known_game_start().map(Some);
    }
    first_time_in_game(target, |s| {
        s.progress().turn_count.is_some_and(|n| n >= turn)
    })
}

/// The first time in the current game at which a monotonic condition holds, at a stop point or
/// at the end of an entry. Once true, the condition must stay true.
fn first_time_in_game(
    target: &mut Target,
    condition: impl Fn(&Target) -> bool,
) -> Result<Option<u64>, DroppedHistory> {
    if let Err(dropped) = target.timeline.known_game_start()
        && target.with_time(|s| {
            s.timeline.seek(&mut s.machine, dropped.known_since);
            condition(s)
        })
    {
        return Err(dropped);
    }
    let entry_times: Vec<(u64, u64)> = target
        .timeline
        .game_entries()
        .iter()
        .map(|r| (r.before.time, r.end_time()))
        .collect();
    Ok(target.with_time(|s| {
        let holds_at = |s: &mut Target, time: u64| {
            s.timeline.seek_into(&mut s.machine, time);
            condition(s)
        };
        let index = entry_times.partition_point(|(_, end)| !holds_at(s, *end));
        let (from, end) = *entry_times.get(index)?;
        s.timeline.seek_into(&mut s.machine, from);
        first_stop_where(s, |s| condition(s))?;
        Some(next_user_stop(s, end))
    }))
}

/// The time of the next stop point outside the rules, or `end`.
fn next_user_stop(target: &mut Target, end: u64) -> u64 {
    let stop_map = target.debugger.stop_map(target.machine.program(), &[]);
    let at = target.machine.current_location();
    if at.is_some_and(|(f, pc)| stop_map.is_stop(f, pc)) {
        return target.machine.time();
    }
    let from = target.machine.time();
    let mut stepper = Stepper {
        stop_map: &stop_map,
        target: StepTarget::Into,
        start_time: from,
        end_time: u64::MAX,
        has_hit_breakpoint: false,
        recorder: None,
    };
    target.replay_watched(&mut stepper, u64::MAX);
    if target.machine.is_idle() {
        end
    } else {
        target.machine.time()
    }
}

/// Runs forward from stop point to stop point until a test holds.
fn first_stop_where(target: &mut Target, mut test: impl FnMut(&mut Target) -> bool) -> Option<u64> {
    let (_, last) = target.timeline.time_range();
    target.machine.set_recording(false);
    let mut program = target.program().clone();
    let mut stop_map = StopMap::new(&program, &[], |_| false);
    let time = loop {
        if test(target) {
            break Some(target.machine.time());
        }
        target.cancelled |= target.machine.take_interrupt();
        if target.machine.time() >= last || target.cancelled {
            break None;
        }
        if !Rc::ptr_eq(&program, target.program()) {
            program = target.program().clone();
            stop_map = StopMap::new(&program, &[], |_| false);
        }
        if target.timeline.enter_nested(&mut target.machine) {
            continue;
        }
        let (from, until) = (
            target.machine.time(),
            target.timeline.next_nested_time().unwrap_or(u64::MAX),
        );
        let mut stepper = Stepper {
            stop_map: &stop_map,
            target: StepTarget::Into,
            start_time: from,
            end_time: until,
            has_hit_breakpoint: false,
            recorder: None,
        };
        match target.machine.run_observed(&mut stepper) {
            Outcome::Paused(Pause::Observer) => {}
            Outcome::Paused(Pause::Interrupt) => {
                target.cancelled = true;
                break None;
            }
            Outcome::Finished(_) if !target.machine.is_idle() => {}
            Outcome::Finished(_) if test(target) => break Some(target.machine.time()),
            Outcome::Finished(_) if target.timeline.enter_next(&mut target.machine) => {}
            _ => break None,
        }
    };
    target.machine.set_recording(true);
    time
}

/// Runs forward to the first stop point, or end of an entry, at which an expression is true. Returns the
/// last time at which the run has paused before, and the time of the stop.
fn first_stop_true(
    target: &mut Target,
    expression: &str,
    mut is_true: impl FnMut(&mut Target) -> bool,
) -> Option<(u64, u64)> {
    let (_, end) = target.timeline.time_range();
    target.machine.set_recording(false);
    let mut last = target.machine.time();
    // Starting an entry removes the traps.
    let mut has_traps = false;
    let found = loop {
        let now = target.machine.time();
        if is_true(target) {
            break Some((last, now));
        }
        last = now;
        target.cancelled |= target.machine.take_interrupt();
        if now >= end || target.cancelled {
            break None;
        }
        if target.timeline.enter_nested(&mut target.machine) {
            has_traps = false;
            continue;
        }
        if !std::mem::replace(&mut has_traps, true) {
            let stops = stop_addresses(target.program());
            target.machine.set_traps(&stops);
        }
        breakpoint::add_condition_test(target, expression);
        let until = target.timeline.next_nested_time().unwrap_or(u64::MAX);
        match target.machine.run_until(until) {
            Outcome::Paused(Pause::Trap | Pause::Time) => {}
            Outcome::Paused(Pause::Interrupt) => {
                target.cancelled = true;
                break None;
            }
            Outcome::Finished(_) if !target.machine.is_idle() => {}
            Outcome::Finished(_) if is_true(target) => {
                break Some((last, target.machine.time()));
            }
            Outcome::Finished(_) if target.timeline.enter_next(&mut target.machine) => {
                has_traps = false;
            }
            _ => break None,
        }
    };
    target.machine.set_traps(&[]);
    target.machine.set_recording(true);
    found
}

/// The addresses of all stop points.
fn stop_addresses(program: &Program) -> Vec<(FunctionId, u32)> {
    let functions = (0..).map(FunctionId).zip(&program.functions);
    let stops = functions.flat_map(|(id, f)| f.stop_points.iter().map(move |stop| (id, stop.pc)));
    stops.collect()
}

/// The first time since the start at which an expression was true. It is checked at every stop
/// point, then at each instruction before the one found.
pub fn first_time_true(
    target: &mut Target,
    expression: &str,
) -> Result<Option<u64>, Vec<Diagnostic>> {
    // It may fail here and work elsewhere, but it must compile somewhere.
    if let Err(errors) = target.eval(expression, |_, _| ())
        && errors.iter().any(|d| d.phase != Phase::Runtime)
        && !target.compiles_elsewhere(expression)
    {
        return Err(errors);
    }
    let (first, _) = target.timeline.time_range();
    Ok(target.with_time(|s| {
        s.timeline.seek(&mut s.machine, first);
        s.debugger.selected_frame = 0;
        let is_true = |s: &mut Target| match s.eval(expression, |_, v| v.as_bool()) {
            Ok(truth) => truth == Some(true),
            Err(errors) => {
                s.cancelled |= errors.iter().any(|d| d.code == INTERRUPTED_CODE);
                false
            }
        };
        let (last, stop_time) = first_stop_true(s, expression, is_true)?;
        let stop_before = s.last_hit_before(StepTarget::Into, stop_time);
        let last = stop_before.map_or(last, |time| time.max(last));
        // The last instructions of a function come after its last stop point.
        let between = (last + 1..stop_time)
            .take(MAX_INSTRUCTIONS_BETWEEN_STOPS)
            .find(|time| {
                s.timeline.seek_into(&mut s.machine, *time);
                is_true(s)
            });
        Some(between.unwrap_or(stop_time))
    }))
}
