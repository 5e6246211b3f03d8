//! Finds the loop that is running, and counts its iterations.

mod assigning_loop;
mod loop_trace;
mod queries;
mod rebinding_loop;
mod table;

pub use assigning_loop::AssigningLoopTracer;
pub use loop_trace::{Iteration, LoopTrace, VarSnapshot};
pub use queries::LoopExtent;
pub use rebinding_loop::RebindingLoopTracer;

use crate::answer::NamedValue;
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

impl Target {
    /// The iteration and the variables of the loop with this head; `None` if the frame is not in
    /// such a loop.
    pub(crate) fn loop_position(&mut self, frame: &FrameInfo, head: Span) -> Option<LoopPosition> {
        let function = self.machine.function(frame.function)?.clone();
        let loop_info = find_loops(&function)
            .into_iter()
            .find(|l| l.head.span == head && l.contains(frame.pc))?;
        let active = self.find_active_loop(frame, loop_info, self.table_segments())?;
        let registers = self.machine.registers(frame.index);
        let variables = function
            .locals_at(frame.pc)
            .filter(|l| l.start_pc == loop_info.iteration_start || l.start_pc == loop_info.start)
            .filter_map(|local| {
                let value = *registers.get(local.register as usize)?;
                Some(NamedValue {
                    name: local.name.to_string(),
                    value: self.format_value_with_cell(value),
                })
            })
            .collect();
        Some(LoopPosition {
            iteration: active.iteration,
            variables,
        })
    }

    /// Where to search for the start of a loop when the user asks for the iterations.
    fn table_segments(&self) -> SegmentsBefore {
        SegmentsBefore::between_checkpoints(self.machine.time()).within(TABLE_SEARCH_INSTRUCTIONS)
    }

    /// The loop around the selected frame's statement, or the one that starts with it.
    pub(crate) fn find_current_loop(&mut self) -> Option<(FrameInfo, ActiveLoop)> {
        let frame = self.frame_info(self.debugger.selected_frame)?;
        let function = self.machine.function(frame.function)?;
        let loop_info = current_loop(function, frame.pc)?;
        if !loop_info.contains(frame.pc) {
            let entered_at = self.machine.time();
            return Some((
                frame,
                ActiveLoop {
                    loop_info,
                    iteration: 0,
                    entered_at,
                },
            ));
        }
        let active = self.find_active_loop(&frame, loop_info, self.table_segments())?;
        Some((frame, active))
    }

    /// Whether the innermost frame is selected, and in a rebinding loop.
    pub fn is_in_rebinding_loop(&self) -> bool {
        let innermost = |frame: crate::debugger::FrameInfo| {
            LoopId::innermost_rebinding(self.machine.function(frame.function)?, frame.pc)
        };
        self.debugger.selected_frame == 0 && self.frame_info(0).and_then(innermost).is_some()
    }
}
