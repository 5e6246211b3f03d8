//! Which breakpoints are hit at an instruction: the event, the property and the condition hold, or
//! the watched value changes. Whether a hit stops depends on its number (`hits`).

use super::{property, trap_test, watch_expr, watch_value};
use crate::answer::{Access, Hit, WatchHit};
use crate::code::Instr;
use crate::diff;
use crate::frame;
use crate::machine::{Outcome, Pause, UntilTime, WatchedValue};
use crate::value::{StoreSnapshot, Value};
use crate::{GameEvent, Location, Target, WatchTarget};

/// A breakpoint that is hit: its condition is not false. Whether it stops depends on the number of
/// the hit.
pub(crate) struct Candidate {
    /// What it reports.
    pub(crate) hit: Hit,
    /// Why the condition has no value.
    pub(crate) problem: Option<String>,
}

/// What an instruction with watchpoints did.
pub(crate) enum WatchedInstruction {
    /// It has none that it could trigger, and was not executed.
    NotWatched,
    /// It was executed and triggered these watchpoints.
    Executed(Vec<Candidate>),
    /// Executing it ended the run.
    Ended(Outcome),
}

/// A watchpoint at an instruction, before that is executed.
struct Watched {
    number: u32,
    target: WatchTarget,
    access: Access,
    is_read: bool,
    /// The value; `None` if there is none.
    old: Option<String>,
    /// See [`watch_value::watch_scope`].
    scope: Option<usize>,
}

/// Whether the next instruction may trigger a watchpoint.
pub fn is_at_watchpoint(target: &Target) -> bool {
    !watchpoints_here(target).is_empty()
}

/// The watchpoints that the next instruction may trigger.
fn watchpoints_here(target: &Target) -> Vec<(u32, WatchTarget, Access)> {
    let Some(at) = target.machine.current_location() else {
        return Vec::new();
    };
    let breakpoints = target.debugger.breakpoints.iter();
    let here = breakpoints.filter(|b| b.is_enabled && b.addresses.contains(&at));
    here.filter_map(|b| match &b.location {
        Location::Watch(what, access) => Some((b.number, what.clone(), *access)),
        _ => None,
    })
    .collect()
}

/// Whether the next instruction causes this event, on the given cell if there is one.
fn event_matches(target: &Target, event: GameEvent, cell: Option<(i64, i64)>) -> bool {
    let Some(instr) = target.machine.next_instruction() else {
        return false;
    };
    let top = target.machine.frames().len() - 1;
    let registers = target.machine.registers(top);
    let int = |r: u16| registers.get(r as usize).and_then(|v| v.as_int());
    if let Instr::EndGame { how, .. } = instr {
        let outcome_code = match event {
            GameEvent::Win => 1,
            GameEvent::Lose => 2,
            _ => 3,
        };
        return int(how) == Some(outcome_code);
    }
    let Some((row, col)) = cell else { return true };
    let event_cell = match instr {
        Instr::SendClick { row, col }
        | Instr::Place { row, col, .. }
        | Instr::PlaceKind { row, col, .. }
        | Instr::GridWithCell { row, col, .. }
        | Instr::Remove { row, col } => int(row).zip(int(col)),
        Instr::ChangeType { piece, .. } => registers
            .get(piece as usize)
            .and_then(|v| v.as_piece())
            .map(|p| target.machine.store.row_col(p.cell))
            .map(|(r, c)| (r as i64, c as i64)),
        Instr::ChangeSelfType { .. } => {
            frame::handler_cell(target, 0).map(|(r, c)| (r as i64, c as i64))
        }
        _ => None,
    };
    event_cell == Some((row, col))
}

/// The breakpoints at the current instruction, other than watchpoints, that are hit.
pub(crate) fn plain_candidates(target: &mut Target) -> Vec<Candidate> {
    let Some(at) = target.machine.current_location() else {
        return Vec::new();
    };
    let breakpoints = target.debugger.breakpoints.iter();
    let plain =
        breakpoints.filter(|b| b.is_enabled && !b.is_watchpoint() && b.addresses.contains(&at));
    let numbers: Vec<u32> = plain.map(|b| b.number).collect();
    let hits = numbers.into_iter();
    hits.filter_map(|n| candidate(target, n, None)).collect()
}

/// If there are watchpoints at the current instruction: executes it, and returns those that it
/// triggers. Conditions are about the state after it. `is_ahead` says that the instruction will
/// be taken back.
pub(crate) fn execute_watched(target: &mut Target, is_ahead: bool) -> WatchedInstruction {
    let mut watchpoints = watchpoints_here(target);
    watchpoints.retain(|(_, what, _)| watch_expr::may_be_about_to_change(target, what));
    if watchpoints.is_empty() {
        return WatchedInstruction::NotWatched;
    }
    let frame = target.machine.frames().len().saturating_sub(1);
    let watched = watchpoints.into_iter().map(|(number, what, access)| {
        let is_read = access != Access::Change && watch_value::is_about_to_read(target, &what);
        let old = watch_value::watch_value_in_frame(target, &what, frame);
        let scope = watch_value::watch_scope(target, &what, frame);
        Watched {
            number,
            target: what,
            access,
            is_read,
            old,
            scope,
        }
    });
    let watched: Vec<Watched> = watched.collect();
    let before_state = target.machine.store.snapshot().0;
    let next = target.machine.time() + 1;
    match target.machine.run_observed(&mut UntilTime(next)) {
        Outcome::Paused(Pause::Observer) => {}
        outcome => return WatchedInstruction::Ended(outcome),
    }
    let candidates = triggered(target, watched, frame, &before_state, is_ahead);
    WatchedInstruction::Executed(candidates)
}

/// The watchpoints that the last instruction has triggered, if the run has paused for them.
pub(crate) fn triggered_by_test(target: &mut Target) -> Vec<Candidate> {
    let frame = target.machine.tested_frame();
    let before: Vec<(u32, Value)> = target.machine.values_before().to_vec();
    let watched = before.into_iter().filter_map(|(number, old)| {
        let Location::Watch(what, access) = &target.debugger.breakpoint(number)?.location else {
            return None;
        };
        let test = target.machine.watch_test(number)?;
        let scope = match test.value {
            WatchedValue::Register(register) => Some(usize::from(register)),
            _ => None,
        };
        Some(Watched {
            number,
            target: what.clone(),
            access: *access,
            is_read: test.is_read,
            old: watch_value::tested_value(target, what, old),
            scope,
        })
    });
    let watched: Vec<Watched> = watched.collect();
    trap_test::add_watch_conditions(target);
    let state = target.machine.store.snapshot().0;
    triggered(target, watched, frame, &state, false)
}

/// The watchpoints that an instruction has triggered. `frame` is the one that has executed it.
fn triggered(
    target: &mut Target,
    watched: Vec<Watched>,
    frame: usize,
    before_state: &StoreSnapshot,
    is_ahead: bool,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for w in watched {
        let what = &w.target;
        let after = watch_value::watch_value_in_frame(target, what, frame);
        let is_same_scope = watch_value::watch_scope(target, what, frame) == w.scope;
        let has_changed = w.access != Access::Read
            && what.is_triggered_by(w.old.as_deref(), after.as_deref())
            && w.old.is_some()
            && is_same_scope;
        if !has_changed && !w.is_read {
            continue;
        }
        let old = w.old.unwrap_or_default();
        let label = watch_value::watch_label(target, what);
        let hit = match after.filter(|_| has_changed) {
            Some(new) => {
                let after_state = target.machine.store.snapshot().0;
                let states = [before_state, &after_state];
                let cells = is_several(what)
                    .then(|| diff::describe_change(target, what, (&old, &new), states));
                let is_single = cells.is_none();
                WatchHit::Changed {
                    target: label,
                    old: is_single.then_some(old),
                    new: is_single.then_some(new),
                    cells,
                    is_ahead,
                }
            }
            None if has_changed => WatchHit::Removed { target: label },
            None => WatchHit::Read {
                target: label,
                value: (!is_several(what) && !is_ahead).then_some(old),
            },
        };
        candidates.extend(candidate(target, w.number, Some(hit)));
    }
    candidates
}

/// Checks the event, the property and the condition of a breakpoint here.
fn candidate(target: &mut Target, number: u32, watched: Option<WatchHit>) -> Option<Candidate> {
    let b = target.debugger.breakpoint(number)?;
    let (location, condition) = (b.location.clone(), b.condition.clone());
    let (event, property) = match &location {
        Location::Event(event, cell) => {
            if !event_matches(target, *event, *cell) {
                return None;
            }
            (Some(event.name()), None)
        }
        Location::Property(property) => (None, Some(property::violation(target, property)?)),
        _ => (None, None),
    };
    let problem = match condition.map(|condition| target.eval_condition(&condition)) {
        Some(Ok(false)) => return None,
        Some(Err(message)) => Some(message),
        Some(Ok(true)) | None => None,
    };
    Some(Candidate {
        hit: Hit {
            id: number,
            event,
            watched,
            property,
        },
        problem,
    })
}

/// Whether a watch target has several cells.
pub(crate) fn is_several(target: &WatchTarget) -> bool {
    matches!(
        target,
        WatchTarget::Row(_) | WatchTarget::Column(_) | WatchTarget::Board
    )
}
