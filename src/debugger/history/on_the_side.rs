//! Runs code at another time or on the side, and returns to the present.

use crate::Target;
use crate::machine::{Checkpoint, LogPosition, RecordingState};

/// What [`Target::restore_time`] needs to return to the present.
pub struct SavedTime {
    checkpoint: Checkpoint,
    cursor: usize,
    frame: usize,
    log_end: LogPosition,
}

/// What [`Target::restore_state`] needs to undo a run on the side.
pub struct SavedState {
    checkpoint: Checkpoint,
    log_end: LogPosition,
    recording: RecordingState,
}

impl Target {
    /// Runs `f`, which may go to other times, then restores the current one.
    pub fn with_time<R>(&mut self, f: impl FnOnce(&mut Target) -> R) -> R {
        let saved = self.save_time();
        let result = f(self);
        self.restore_time(saved);
        result
    }

    /// Notes where the target is in time.
    pub fn save_time(&mut self) -> SavedTime {
        SavedTime {
            checkpoint: self.machine.checkpoint(),
            cursor: self.timeline.cursor(),
            frame: self.debugger.selected_frame,
            log_end: self.machine.log_end(),
        }
    }

    /// Returns to a time that was noted.
    pub fn restore_time(&mut self, saved: SavedTime) {
        self.machine.restore(&saved.checkpoint);
        // Output of the future has not been produced yet.
        self.machine.truncate_log(saved.log_end);
        self.timeline.set_cursor(saved.cursor);
        self.debugger.selected_frame = saved.frame;
    }

    /// Runs `f` on the live machine, then restores the state and the log. The history does not
    /// record it.
    pub fn with_rollback<R>(&mut self, f: impl FnOnce(&mut Target) -> R) -> R {
        let saved = self.save_state();
        let result = f(self);
        self.restore_state(saved);
        result
    }

    /// Notes the state before a run on the side.
    pub fn save_state(&mut self) -> SavedState {
        SavedState {
            checkpoint: self.machine.checkpoint(),
            log_end: self.machine.log_end(),
            recording: self.machine.set_recording(false),
        }
    }

    /// Undoes a run on the side.
    pub fn restore_state(&mut self, saved: SavedState) {
        self.machine.restore(&saved.checkpoint);
        self.machine.truncate_log(saved.log_end);
        self.machine.restore_recording(saved.recording);
    }
}
