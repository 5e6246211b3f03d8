//! Segments of the history, for searching it backwards.

use super::Timeline;
use std::ops::Range;

/// Most searches end close to where they start, so the first segments are short: at most this many
/// instructions each.
const NEAR_SEGMENTS_INSTRUCTIONS: [u64; 3] = [64, 512, 4096];

/// Segments of the history before a time, the latest first. Replay can start at each of them.
pub struct SegmentsBefore {
    until: u64,
    /// No segment starts earlier.
    first: u64,
    /// The lengths of the next segments, in instructions. All others reach back to a checkpoint.
    near: &'static [u64],
}

impl SegmentsBefore {
    /// For searches that usually end close to `time`.
    pub fn near(time: u64) -> SegmentsBefore {
        SegmentsBefore {
            until: time,
            first: 0,
            near: &NEAR_SEGMENTS_INSTRUCTIONS,
        }
    }

    /// From one checkpoint to the next, for searches with a high cost per segment.
    pub fn between_checkpoints(time: u64) -> SegmentsBefore {
        SegmentsBefore {
            until: time,
            first: 0,
            near: &[],
        }
    }

    /// Only those that start at most this many instructions ago.
    pub fn within(self, instructions: u64) -> SegmentsBefore {
        SegmentsBefore {
            first: self.until.saturating_sub(instructions),
            ..self
        }
    }

    /// The next segment; `None` at the start of the history.
    pub fn next(&mut self, timeline: &Timeline) -> Option<Range<u64>> {
        let checkpoint = timeline.checkpoint_time_before(self.until)?;
        let until = self.until;
        self.until = match self.near.split_first() {
            Some((&instructions, rest)) => {
                self.near = rest;
                checkpoint.max(until.saturating_sub(instructions))
            }
            None => checkpoint,
        };
        (self.until >= self.first).then_some(self.until..until)
    }
}
