//! Visits to other times: a client looks around there, and nothing of it is recorded.

use super::on_the_side::SavedTime;
use crate::frame;
use crate::run::program_input::Suspension;
use crate::{Target, TimePoint};

/// What [`end_visit`] needs to return from another time, with the question that was open.
pub struct BeforeVisit {
    time: SavedTime,
    suspension: Suspension,
}

/// Notes where the target is, before it visits other times. Nothing may run until [`end_visit`].
pub fn begin_visit(target: &mut Target) -> BeforeVisit {
    BeforeVisit {
        suspension: target.suspend_question(),
        time: target.save_time(),
    }
}

/// Goes to a point in the history to look around there. Unlike `:goto`, it is not a point that the
/// user has visited, and the next stop is compared with the last one.
pub fn visit(target: &mut Target, point: TimePoint) {
    target.clear_suspension();
    target.timeline.seek_point(&mut target.machine, point);
    target.debugger.selected_frame = frame::default_frame(target);
    target.rebind_breakpoints_quietly();
    target.reopen_question();
}

/// Returns from a visit.
pub fn end_visit(target: &mut Target, before: BeforeVisit) {
    target.restore_time(before.time);
    target.restore_question(before.suspension);
    target.rebind_breakpoints_quietly();
}
