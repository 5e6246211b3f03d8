//! Finds the loop that is running, and counts its iterations.

mod loop_info;
mod queries;
mod table;

pub use loop_info::{LoopInfo, current_loop, find_loops, innermost_loop};
pub use queries::LoopExtent;

use super::api::NamedValue;
use super::recorder::{IterationCounter, LoopId, Sink};
use super::timeline::SegmentsBefore;
use super::{FrameInfo, Target};
use crate::source::Span;
use std::ops::Range;

/// How far back to search for the start of a loop when a stop is shown: about as far as the last
/// checkpoint.
const STOP_SEARCH_INSTRUCTIONS: u64 = 300_000;
/// How far to search, back or ahead, when the user asks for the iterations.
const TABLE_SEARCH_INSTRUCTIONS: u64 = 50_000_000;

/// A loop that a frame is executing.
pub struct ActiveLoop {
    pub loop_info: LoopInfo,
    /// The current iteration, counted from 1; 0 before the loop. The test that ends the loop counts
    /// as one more.
    pub iteration: u64,
    /// The time at which the loop was entered.
    pub entered_at: u64,
}

/// Which iteration of a loop is running.
pub(crate) struct LoopPosition {
    /// Counted from 1.
    pub iteration: u64,
    /// The variables of the loop.
    pub variables: Vec<NamedValue>,
}

impl Target {
    /// The current iteration of the innermost loop around a frame's statement. `None` if there is
    /// no loop, or if it started too long ago.
    pub fn loop_iteration(&mut self, frame: &FrameInfo) -> Option<u64> {
        let function = self.machine.function(frame.function)?;
        let innermost = innermost_loop(function, frame.pc)?;
        let segments = SegmentsBefore::near(self.machine.time()).within(STOP_SEARCH_INSTRUCTIONS);
        self.find_active_loop(frame, innermost, segments)
            .map(|active| active.iteration)
    }

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

    /// Searches the history for the time at which a frame entered a loop, and counts the iterations
    /// since. `None` if that was not in one of the segments.
    fn find_active_loop(
        &mut self,
        frame: &FrameInfo,
        loop_info: LoopInfo,
        mut segments: SegmentsBefore,
    ) -> Option<ActiveLoop> {
        let depth = frame.index + 1;
        let function = self.machine.function(frame.function)?.clone();
        // An iteration that starts with the very next instruction counts as started.
        let starts_now = self.machine.frames().len() == depth
            && self.machine.current_location() == Some((frame.function, loop_info.iteration_start));
        self.with_time(|s| {
            let mut iteration = u64::from(starts_now);
            while let Some(Range { start, end }) = segments.next(&s.timeline) {
                s.timeline.seek_into(&mut s.machine, start);
                let mut counter = IterationCounter::new(function.clone(), loop_info, depth, end);
                s.replay_watched(&mut counter.recorder(), end);
                iteration += counter.iterations;
                if let Some(entered_at) = counter.entered_at {
                    return Some(ActiveLoop {
                        loop_info,
                        iteration,
                        entered_at,
                    });
                }
            }
            None
        })
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
        let innermost = |frame: super::FrameInfo| {
            LoopId::innermost_rebinding(self.machine.function(frame.function)?, frame.pc)
        };
        self.debugger.selected_frame == 0 && self.frame_info(0).and_then(innermost).is_some()
    }
}
