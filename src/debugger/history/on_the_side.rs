//! Runs code at another time or on the side, and returns to the present.

use crate::frame;
use crate::machine::{Checkpoint, LogPosition, RecordingState};
use crate::run::program_input::Suspension;
use crate::{Target, TimePoint};

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

/// What [`Target::end_visit`] needs to return from another time, with the question that was open.
pub struct BeforeVisit {
    time: SavedTime,
    suspension: Suspension,
}

impl Target {
    /// Notes where the target is, before it visits other times. Nothing may run until
    /// [`Target::end_visit`].
    pub fn begin_visit(&mut self) -> BeforeVisit {
        BeforeVisit {
            suspension: self.suspend_question(),
            time: self.save_time(),
        }
    }

    /// Goes to a point in the history to look around there. Unlike `:goto`, it is not a point that the
    /// user has visited, and the next stop is compared with the last one.
    pub fn visit(&mut self, point: TimePoint) {
        self.clear_suspension();
        self.timeline.seek_point(&mut self.machine, point);
        self.debugger.selected_frame = frame::default_frame(self);
        self.rebind_breakpoints_quietly();
        self.reopen_question();
    }

    /// Returns from a visit.
    pub fn end_visit(&mut self, before: BeforeVisit) {
        self.restore_time(before.time);
        self.restore_question(before.suspension);
        self.rebind_breakpoints_quietly();
    }

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
