//! The loop that a frame is executing: when it was entered, and which iteration it is in.

use super::timeline::SegmentsBefore;
use crate::machine::Machine;
use crate::recorder::{
    FrameLoop, LoopConsumer, LoopEvent, LoopEvents, LoopInfo, Results, Sink, innermost_loop,
};
use crate::{FrameInfo, Target};
use std::ops::{ControlFlow, Range};

/// How far back to search for the start of a loop when a stop is shown: about as far as the last
/// checkpoint.
const STOP_SEARCH_INSTRUCTIONS: u64 = 300_000;

/// A loop that a frame is executing.
pub struct ActiveLoop {
    /// The loop in the source.
    pub loop_info: LoopInfo,
    /// The current iteration, counted from 1; 0 before the loop. The test that ends the loop counts
    /// as one more.
    pub iteration: u64,
    /// The time at which the loop was entered.
    pub entered_at: u64,
}

/// Counts the iterations since the loop was last entered.
struct IterationCount(u64);

impl LoopConsumer for IterationCount {
    const RESULTS: Results = Results::None;

    #[inline]
    fn on_event(&mut self, event: LoopEvent, _: &FrameLoop, _: &Machine) -> ControlFlow<()> {
        match event {
            LoopEvent::IterationStarted => self.0 += 1,
            LoopEvent::Left(_) => self.0 = 0,
            LoopEvent::Entered | LoopEvent::Stopped => {}
        }
        ControlFlow::Continue(())
    }
}

/// The current iteration of the innermost loop around a frame's statement. `None` if there is
/// no loop, or if it started too long ago.
pub fn loop_iteration(target: &mut Target, frame: &FrameInfo) -> Option<u64> {
    let function = target.machine.function(frame.function)?;
    let innermost = innermost_loop(function, frame.pc)?;
    let segments = SegmentsBefore::near(target.machine.time()).within(STOP_SEARCH_INSTRUCTIONS);
    find_active_loop(target, frame, innermost, segments).map(|active| active.iteration)
}

/// Searches the history for the time at which a frame entered a loop, and counts the iterations
/// since. `None` if that was not in one of the segments.
pub fn find_active_loop(
    target: &mut Target,
    frame: &FrameInfo,
    loop_info: LoopInfo,
    mut segments: SegmentsBefore,
) -> Option<ActiveLoop> {
    let depth = frame.index + 1;
    let function = target.machine.function(frame.function)?.clone();
    // An iteration that starts with the very next instruction counts as started.
    let starts_now = target.machine.frames().len() == depth
        && target.machine.current_location() == Some((frame.function, loop_info.iteration_start));
    target.with_time(|s| {
        let mut iteration = u64::from(starts_now);
        while let Some(Range { start, end }) = segments.next(&s.timeline) {
            s.timeline.seek_into(&mut s.machine, start);
            let frame_loop = FrameLoop {
                function: function.clone(),
                loop_info,
                depth,
            };
            let mut events = LoopEvents::of_loop(frame_loop, end, IterationCount(0));
            s.replay_watched(&mut events.recorder(), end);
            iteration += events.consumer.0;
            if let Some(entered_at) = events.entered_at {
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
