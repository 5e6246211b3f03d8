//! Explains why the game has ended, in languages that have no variable for it, from the conditions
//! that decide it.

use super::Causes;
use crate::answer::{Explanation, Subject};
use crate::code::{FunctionId, FunctionKind, Status};
use crate::debugger::breakpoint::{self, GameEvent};
use crate::debugger::frame;
use crate::debugger::{Location, StepTarget, Target, WatchTarget};
use crate::language::Viewport;
use crate::why;
use crate::why::cause;
use crate::why_not;
use std::collections::HashSet;

/// Explains why the game has ended; `None` if it has not.
pub fn why_ended(target: &mut Target) -> Option<Explanation> {
    let view = target.view(Viewport::NONE);
    if view.status == Status::Playing {
        return None;
    }
    // Some languages have a field for this.
    let win_field = view.winner.as_ref().map(|winner| format!("{winner}.win"));
    let has_value = |field: &String| {
        let variables = target.named_values().variables;
        variables.iter().any(|(name, _)| name == field)
    };
    if let Some(field) = win_field.filter(has_value) {
        return Some(why::why(
            target,
            &WatchTarget::RecordField(field.clone()),
            &field,
        ));
    }
    let now = target.machine.time();
    let (time, causes) = target.with_time(|s| end_of_game(s, now))?;
    let subject = Subject::GameOver {
        status: view.status.as_str().to_string(),
        winner: view.winner.as_ref().map(ToString::to_string),
    };
    Some(cause::explanation(target, subject, Some(time), causes))
}

/// The time at which the game ended, and why: a statement of the user's code, or the last
/// condition that was checked.
fn end_of_game(target: &mut Target, now: u64) -> Option<(u64, Causes)> {
    let events = [GameEvent::Win, GameEvent::Lose, GameEvent::Draw]
        .map(|event| Location::Event(event, None));
    let program = target.machine.program();
    let end_points = events
        .iter()
        .flat_map(|event| breakpoint::resolve(event, program, &target.sources))
        .collect();
    let time = target.last_hit_before(StepTarget::Addresses(end_points), now)?;
    target.timeline.seek_into(&mut target.machine, time);
    let is_user_code = |kind| !matches!(kind, FunctionKind::Rules | FunctionKind::Entry);
    if (0..target.machine.frames().len())
        .any(|n| frame::frame_info(target, n).is_some_and(|frame| is_user_code(frame.kind)))
    {
        return Some((time, cause::current_causes(target, time)));
    }
    let stops: HashSet<(FunctionId, u32)> = why_not::conditions(target)
        .into_iter()
        .flat_map(|id| stop_addresses(target, id))
        .collect();
    let check_time = target.last_hit_before(StepTarget::Addresses(stops), time)?;
    target.timeline.seek_into(&mut target.machine, check_time);
    Some((check_time, cause::current_causes(target, check_time)))
}

fn stop_addresses(target: &Target, id: FunctionId) -> Vec<(FunctionId, u32)> {
    target.program().function(id).map_or_else(Vec::new, |f| {
        f.stop_points.iter().map(|s| (id, s.pc)).collect()
    })
}
