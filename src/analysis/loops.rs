//! Finds the loop that is running, and counts its iterations.
//!
//! ```text
//! assigning_loop  records a loop that assigns variables
//! loop_trace      what one execution of a loop did, iteration by iteration
//! queries         which loops are shown
//! rebinding_loop  records loops that rebind variables
//! table           turns the trace of a loop into a table
//! ```

mod assigning_loop;
mod loop_trace;
mod queries;
mod rebinding_loop;
mod table;

pub use queries::{
    current_loops, current_rebinding_loops, last_rebinding_loops, loops_of, step_over_loop,
};

pub use assigning_loop::AssigningLoop;
pub use loop_trace::{Iteration, LoopTrace, VarSnapshot};
pub use queries::LoopExtent;
pub use rebinding_loop::RebindingLoops;

use crate::answer::NamedValue;
use crate::debugger::frame;
use crate::debugger::history;
use crate::debugger::history::active_loop::ActiveLoop;
use crate::debugger::history::timeline::SegmentsBefore;
use crate::debugger::recorder::{LoopId, current_loop, find_loops};
use crate::debugger::{FrameInfo, Target};
use crate::source::Span;

/// How far to search, back or ahead, when the user asks for the iterations.
const TABLE_SEARCH_INSTRUCTIONS: u64 = 50_000_000;

/// Which iteration of a loop is running.
pub(crate) struct LoopPosition {
    /// Counted from 1.
    pub iteration: u64,
    /// The variables of the loop.
    pub variables: Vec<NamedValue>,
}

/// The iteration and the variables of the loop with this head; `None` if the frame is not in
/// such a loop.
pub(crate) fn loop_position(
    target: &mut Target,
    frame: &FrameInfo,
    head: Span,
) -> Option<LoopPosition> {
    let function = target.machine.function(frame.function)?.clone();
    let loop_info = find_loops(&function)
        .into_iter()
        .find(|l| l.head.span == head && l.contains(frame.pc))?;
    let active = history::find_active_loop(target, frame, loop_info, table_segments(target))?;
    let registers = target.machine.registers(frame.index);
    let variables = function
        .locals_at(frame.pc)
        .filter(|l| l.start_pc == loop_info.iteration_start || l.start_pc == loop_info.start)
        .filter_map(|local| {
            let value = *registers.get(local.register as usize)?;
            Some(NamedValue {
                name: local.name.to_string(),
                value: target.format_value_with_cell(value),
            })
        })
        .collect();
    Some(LoopPosition {
        iteration: active.iteration,
        variables,
    })
}

/// Where to search for the start of a loop when the user asks for the iterations.
fn table_segments(target: &Target) -> SegmentsBefore {
    SegmentsBefore::between_checkpoints(target.machine.time()).within(TABLE_SEARCH_INSTRUCTIONS)
}

/// The loop around the selected frame's statement, or the one that starts with it.
pub(crate) fn find_current_loop(target: &mut Target) -> Option<(FrameInfo, ActiveLoop)> {
    let frame = frame::frame_info(target, target.debugger.selected_frame)?;
    let function = target.machine.function(frame.function)?;
    let loop_info = current_loop(function, frame.pc)?;
    if !loop_info.contains(frame.pc) {
        let entered_at = target.machine.time();
        return Some((
            frame,
            ActiveLoop {
                loop_info,
                iteration: 0,
                entered_at,
            },
        ));
    }
    let active = history::find_active_loop(target, &frame, loop_info, table_segments(target))?;
    Some((frame, active))
}

/// Whether the innermost frame is selected, and in a rebinding loop.
pub fn is_in_rebinding_loop(target: &Target) -> bool {
    let innermost = |frame: crate::debugger::FrameInfo| {
        LoopId::innermost_rebinding(target.machine.function(frame.function)?, frame.pc)
    };
    target.debugger.selected_frame == 0
        && frame::frame_info(target, 0).and_then(innermost).is_some()
}
