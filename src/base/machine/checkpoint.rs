//! Checkpoints: the complete state of the machine at one time, stored compactly.
//!
//! The store takes snapshots by page. The stack is kept in segments: frames below the lowest depth
//! since the last checkpoint are unchanged, so a checkpoint copies only the frames above and shares
//! the rest.

use super::stack::StackSnapshot;
use super::{Frame, LOG_HISTORY_FRACTION, LogPosition, Machine, Rng};
use crate::code::{FunctionId, Program};
use crate::value::{StoreSnapshot, Value};
use std::rc::Rc;

/// Instructions between checkpoints of a long run.
const CHECKPOINT_INTERVAL_INSTRUCTIONS: u64 = 250_000;

/// Budget for copying checkpoints, in bytes per instruction.
const CHECKPOINT_BYTES_PER_INSTRUCTION: u64 = 16;

/// This fraction of the history budget is reserved for stepping around in the history.
const RESERVED_HISTORY_FRACTION: u64 = 16;

/// Everything that a run depends on, at one time.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Number of instructions executed until then.
    pub time: u64,
    /// The program that was installed; function ids in the stack refer to it.
    pub program: Rc<Program>,
    store: StoreSnapshot,
    stack: StackSnapshot,
    entry_time: u64,
    rng: Rng,
    /// How much of the effect log had been produced.
    pub log_position: LogPosition,
    /// Memory cost; shared parts are charged to the earliest checkpoint that has them.
    pub bytes: usize,
    /// The current action.
    pub action: u32,
}

impl Checkpoint {
    /// The globals, the board and the heap.
    pub fn store(&self) -> &StoreSnapshot {
        &self.store
    }

    /// Memory that `other` does not share; all that it holds without `other`.
    pub fn unshared_bytes(&self, other: Option<&Checkpoint>) -> usize {
        self.store.unshared_bytes(other.map(|other| &other.store))
            + self.stack.unshared_bytes(other.map(|other| &other.stack))
            + size_of::<Checkpoint>()
    }

    /// Number of frames on the stack.
    pub fn depth(&self) -> usize {
        self.stack.depth()
    }

    /// Lower bound for the stack depth at any time from here to a later checkpoint of the same run:
    /// frames shared by both were never left.
    pub fn min_depth_until(&self, later: &Checkpoint) -> usize {
        let common = self.stack.common_frames(&later.stack);
        if common == 0 { 0 } else { common + 1 }
    }

    /// Whether the games are the same: board, variables and random numbers. Ignores time and the
    /// action number.
    pub fn is_same_game(&self, other: &Checkpoint) -> bool {
        self.store.is_same_game(&other.store) && self.rng == other.rng
    }

    /// Whether the call stacks are equal; `map_id` maps a function id of this program to the
    /// other's.
    pub fn has_same_stack(
        &self,
        other: &Checkpoint,
        map_id: impl Fn(FunctionId) -> FunctionId,
    ) -> bool {
        let (mut frames, registers) = self.live_stack();
        for frame in &mut frames {
            frame.function = map_id(frame.function);
        }
        (frames, registers) == other.live_stack()
    }

    /// The frames, and the registers that they still use. Registers of a caller above those of the
    /// innermost frame are not used after the call.
    fn live_stack(&self) -> (Vec<Frame>, Vec<Value>) {
        let (frames, mut registers) = self.stack.flatten();
        if let Some(top) = frames.last()
            && let Some(function) = self.program.function(top.function)
        {
            registers.truncate(top.base as usize + function.register_count as usize);
        }
        (frames, registers)
    }

    /// Whether both are the same state, regardless of what they share.
    pub fn is_same_state(&self, other: &Checkpoint) -> bool {
        self.first_difference(other).is_none()
    }

    /// Names the first component that differs, for test failures.
    pub fn first_difference(&self, other: &Checkpoint) -> Option<&'static str> {
        let components = [
            ("time", self.time == other.time),
            ("rng", self.rng == other.rng),
            ("log position", self.log_position == other.log_position),
            ("stack", self.has_same_stack(other, |f| f)),
            ("host calls", self.stack.has_same_host_calls(&other.stack)),
            ("store", self.store == other.store),
        ];
        components
            .into_iter()
            .find(|(_, is_same)| !is_same)
            .map(|(component, _)| component)
    }
}

/// How much of the history budget the checkpoints of a run may use: not what is reserved, and not
/// what the effect log may use.
pub fn usable_history_bytes(budget: u64) -> u64 {
    budget - budget / RESERVED_HISTORY_FRACTION - 2 * (budget / LOG_HISTORY_FRACTION)
}

/// Recomputes [`Checkpoint::bytes`] of consecutive checkpoints, after some were dropped or others were
/// taken beside them: what they shared with those is charged to the first that still has it. Returns the
/// total of all but the first.
fn recompute_bytes(checkpoints: &mut [Checkpoint]) -> u64 {
    for n in 1..checkpoints.len() {
        checkpoints[n].bytes = checkpoints[n].unshared_bytes(Some(&checkpoints[n - 1]));
    }
    checkpoints.iter().skip(1).map(|c| c.bytes as u64).sum()
}

/// Whether checkpoints are being taken, and when the next one is due.
#[derive(Clone, Copy, Debug)]
pub struct RecordingState {
    is_on: bool,
    next_time: u64,
}

/// The checkpoints of a run: one every `CHECKPOINT_INTERVAL_INSTRUCTIONS`, or less often if the
/// changing state is very large.
pub(super) struct CheckpointRecorder {
    state: RecordingState,
    /// Checkpoints taken during the run, to be collected by the timeline.
    pending: Vec<Checkpoint>,
    pending_bytes: u64,
    /// The run pauses when they take this much.
    max_pending_bytes: u64,
}

impl CheckpointRecorder {
    /// A recorder that is off.
    pub(super) fn new() -> CheckpointRecorder {
        CheckpointRecorder {
            state: RecordingState {
                is_on: false,
                next_time: CHECKPOINT_INTERVAL_INSTRUCTIONS,
            },
            pending: Vec::new(),
            pending_bytes: 0,
            max_pending_bytes: u64::MAX,
        }
    }

    /// Whether the run has to pause, so that the checkpoints can be collected.
    pub(super) fn has_many_pending(&self) -> bool {
        self.pending_bytes >= self.max_pending_bytes
    }

    /// When the next checkpoint is due; never if the recorder is off.
    pub(super) fn next_time(&self) -> u64 {
        match self.state.is_on {
            true => self.state.next_time,
            false => u64::MAX,
        }
    }

    /// Makes the next checkpoint due some instructions later.
    #[inline]
    pub(super) fn postpone(&mut self, instructions: u64) {
        self.state.next_time = self.state.next_time.saturating_add(instructions);
    }

    /// The machine has gone to another time.
    fn restart(&mut self, now: u64) {
        self.state.next_time = now + CHECKPOINT_INTERVAL_INSTRUCTIONS;
    }

    /// Keeps a checkpoint that was just taken.
    fn push(&mut self, checkpoint: Checkpoint, max_history_bytes: u64) {
        // Data in a checkpoint is copied again when it changes. Space checkpoints out so that
        // copying, say, a growing list of millions of elements does not dominate the run.
        self.state.next_time = checkpoint.time
            + CHECKPOINT_INTERVAL_INSTRUCTIONS
                .max(checkpoint.bytes as u64 / CHECKPOINT_BYTES_PER_INSTRUCTION);
        self.pending_bytes += checkpoint.bytes as u64;
        self.pending.push(checkpoint);
        self.thin_out(usable_history_bytes(max_history_bytes));
    }

    /// Keeps an endless run from filling the memory with its history: drops every other checkpoint,
    /// so older ones get sparser over time.
    fn thin_out(&mut self, max_bytes: u64) {
        while self.pending_bytes > max_bytes && self.pending.len() > 2 {
            let last = self.pending.len() - 1;
            let mut at = 0;
            self.pending.retain(|_| {
                at += 1;
                at % 2 == 0 || at - 1 == last
            });
            let later = recompute_bytes(&mut self.pending);
            let first = self.pending.first().map_or(0, |c| c.bytes as u64);
            self.pending_bytes = first + later;
        }
    }
}

impl Machine {
    /// Captures the current state. The machine must not be running.
    pub fn checkpoint(&mut self) -> Checkpoint {
        let (stack, stack_bytes) = self.stack.snapshot(&self.image);
        let (store, store_bytes) = self.store.snapshot();
        Checkpoint {
            time: self.time,
            program: self.image.program.clone(),
            store,
            stack,
            entry_time: self.schedule.entry_time,
            rng: self.rng.clone(),
            log_position: self.effects.position,
            bytes: stack_bytes + store_bytes + size_of::<Checkpoint>(),
            action: self.store.action,
        }
    }

    /// Restores a checkpoint, earlier or later.
    pub fn restore(&mut self, to: &Checkpoint) {
        if !Rc::ptr_eq(&self.image.program, &to.program) {
            self.install(to.program.clone());
        }
        self.store.restore(&to.store);
        self.stack.restore(&to.stack);
        self.time = to.time;
        self.schedule.entry_time = to.entry_time;
        self.rng = to.rng.clone();
        self.effects.position = to.log_position;
        self.recorder.restart(self.time);
    }

    /// Turns checkpoints during runs on or off. Returns the previous setting.
    pub fn set_recording(&mut self, on: bool) -> RecordingState {
        let before = self.recorder.state;
        self.recorder.state.is_on = on;
        self.recorder.restart(self.time);
        before
    }

    /// Restores the previous setting, including when the next checkpoint is due: frequent
    /// inspection must not postpone it forever.
    pub fn restore_recording(&mut self, before: RecordingState) {
        self.recorder.state = before;
    }

    /// Makes runs pause with [`super::Pause::Checkpoints`] when there are this many bytes of checkpoints
    /// since [`Machine::take_checkpoints`]; `None` if they should not.
    pub fn pause_at_checkpoints(&mut self, bytes: Option<u64>) {
        self.recorder.max_pending_bytes = bytes.unwrap_or(u64::MAX);
    }

    /// The checkpoints taken since the last call.
    pub fn take_checkpoints(&mut self) -> Vec<Checkpoint> {
        self.recorder.pending_bytes = 0;
        std::mem::take(&mut self.recorder.pending)
    }

    /// Takes a checkpoint if one is due.
    pub(super) fn record_checkpoint(&mut self) {
        if self.time >= self.recorder.next_time() {
            let checkpoint = self.checkpoint();
            let max_history_bytes = self.limits.max_history_bytes;
            self.recorder.push(checkpoint, max_history_bytes);
        }
    }
}
