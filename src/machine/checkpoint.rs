//! Checkpoints: the complete state of the machine at one time, stored compactly.
//!
//! The store takes snapshots by page. The stack is kept in segments: frames below the lowest depth
//! since the last checkpoint are unchanged, so a checkpoint copies only the frames above and shares
//! the rest.

use super::{
    CHECKPOINT_BYTES_PER_INSTRUCTION, CHECKPOINT_INTERVAL_INSTRUCTIONS, Frame, HostCall,
    LOG_HISTORY_FRACTION, LogPosition, Machine, Rng,
};
use crate::code::{FunctionId, Program};
use crate::value::{StoreSnapshot, Value};
use std::rc::Rc;

/// Estimated overhead of a segment and its allocations.
const SEGMENT_OVERHEAD_BYTES: usize = 64;

/// This fraction of the history budget is reserved for stepping around in the history.
const RESERVED_HISTORY_FRACTION: u64 = 16;

/// The upper part of a stack; the lower part belongs to the parent.
#[derive(Debug)]
pub(super) struct StackSegment {
    parent: Option<Rc<StackSegment>>,
    /// Number of frames taken from the parent.
    from: usize,
    frames: Box<[Frame]>,
    registers: Box<[Value]>,
    /// For each frame, the number of registers that it and all frames below need. A running
    /// maximum, because a caller's registers may extend beyond those of its callee.
    register_ends: Box<[u32]>,
}

impl StackSegment {
    fn depth(&self) -> usize {
        self.from + self.frames.len()
    }

    /// Number of registers of all frames.
    fn register_count(&self) -> usize {
        self.registers_below(self.depth())
    }

    /// Number of registers of the lowest `depth` frames, at least one of which is in this segment.
    fn registers_below(&self, depth: usize) -> usize {
        let index = depth.saturating_sub(self.from + 1);
        self.register_ends
            .get(index)
            .map_or(0, |register_end| *register_end as usize)
    }

    /// Index of the first register in this segment.
    fn base(&self) -> usize {
        self.frames.first().map_or(0, |f| f.base as usize)
    }
}

impl Drop for StackSegment {
    /// Iterative, because the chain of parents may be long.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(segment) = next {
            next = Rc::try_unwrap(segment)
                .ok()
                .and_then(|mut s| s.parent.take());
        }
    }
}

/// Everything that a run depends on, at one time.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Number of instructions executed until then.
    pub time: u64,
    /// The program that was installed; function ids in the stack refer to it.
    pub program: Rc<Program>,
    store: StoreSnapshot,
    stack: Option<Rc<StackSegment>>,
    exit_depth: usize,
    host_call: Option<Rc<HostCall>>,
    entry_time: u64,
    rng: Rng,
    /// How much of the effect log had been produced.
    pub log_position: LogPosition,
    /// Memory cost; shared parts are charged to the earliest checkpoint that has them.
    pub bytes: usize,
    /// The part of `bytes` that is not the store.
    stack_bytes: usize,
    /// The current action.
    pub action: u32,
}

/// Whether checkpoints are being taken, and when the next one is due.
#[derive(Clone, Copy, Debug)]
pub struct RecordingState(bool, u64);

impl Checkpoint {
    /// The globals, the board and the heap.
    pub fn store(&self) -> &StoreSnapshot {
        &self.store
    }

    /// Number of frames on the stack.
    pub fn depth(&self) -> usize {
        self.stack.as_ref().map_or(0, |s| s.depth())
    }

    /// Lower bound for the stack depth at any time from here to a later checkpoint of the same run:
    /// frames shared by both were never left.
    pub fn min_depth_until(&self, later: &Checkpoint) -> usize {
        let common = common_frames(&self.stack, &later.stack, usize::MAX);
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
        let (frames, mut registers) = flatten_stack(&self.stack);
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
            (
                "host calls",
                (self.exit_depth, &self.host_call) == (other.exit_depth, &other.host_call),
            ),
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

/// Recomputes [`Checkpoint::bytes`] after some checkpoints of a sequence were dropped: what they
/// shared with their successors is now charged to those. Returns the total.
pub fn recompute_bytes(checkpoints: &mut [Checkpoint]) -> u64 {
    for n in 1..checkpoints.len() {
        checkpoints[n].bytes = checkpoints[n].stack_bytes
            + checkpoints[n]
                .store
                .unshared_bytes(&checkpoints[n - 1].store);
    }
    checkpoints.iter().map(|c| c.bytes as u64).sum()
}

/// All frames and their registers, bottom first.
fn flatten_stack(top: &Option<Rc<StackSegment>>) -> (Vec<Frame>, Vec<Value>) {
    let mut chain = Vec::new();
    let mut next = top.as_ref();
    while let Some(segment) = next {
        chain.push(segment);
        next = segment.parent.as_ref();
    }
    let (mut frames, mut registers) = (Vec::new(), Vec::new());
    for segment in chain.into_iter().rev() {
        frames.truncate(segment.from);
        registers.truncate(segment.base());
        frames.extend_from_slice(&segment.frames);
        registers.extend_from_slice(&segment.registers);
    }
    (frames, registers)
}

/// Lower bound for the number of frames at the bottom that two stacks share, at most `limit`.
fn common_frames(
    a: &Option<Rc<StackSegment>>,
    b: &Option<Rc<StackSegment>>,
    limit: usize,
) -> usize {
    let mut common = limit;
    let mut next = a.as_ref();
    while let Some(segment) = next {
        if let Some(below) = shared_with_segment(b, segment) {
            return common.min(below);
        }
        // Above this depth, the frames of the first stack are not shared.
        common = common.min(segment.from);
        next = segment.parent.as_ref();
    }
    0
}

/// If `stack` was built on this segment, the number of frames they share at the bottom.
fn shared_with_segment(
    stack: &Option<Rc<StackSegment>>,
    segment: &Rc<StackSegment>,
) -> Option<usize> {
    let mut common = usize::MAX;
    let mut next = stack.as_ref();
    while let Some(other) = next {
        if Rc::ptr_eq(other, segment) {
            return Some(common.min(other.depth()));
        }
        common = common.min(other.from);
        next = other.parent.as_ref();
    }
    None
}

impl Machine {
    /// Captures the current state. The machine must not be running.
    pub fn checkpoint(&mut self) -> Checkpoint {
        let (stack, stack_bytes) = self.snapshot_stack();
        let (store, store_bytes) = self.store.snapshot();
        Checkpoint {
            time: self.time,
            program: self.program.clone(),
            store,
            stack,
            exit_depth: self.exit_depth,
            host_call: self.host_call.clone(),
            entry_time: self.entry_time,
            rng: self.rng.clone(),
            log_position: self.log_position,
            bytes: stack_bytes + store_bytes + size_of::<Checkpoint>(),
            stack_bytes: stack_bytes + size_of::<Checkpoint>(),
            action: self.store.action,
        }
    }

    fn snapshot_stack(&mut self) -> (Option<Rc<StackSegment>>, usize) {
        let depth = self.frames.len();
        if depth == 0 {
            self.registers.clear();
            self.last_snapshot = None;
            self.low_water = 0;
            return (None, 0);
        }
        // The top frame at the lowest depth may have advanced since; those below it have not.
        let from = self
            .low_water
            .saturating_sub(1)
            .min(self.last_snapshot.as_ref().map_or(0, |s| s.depth()));
        let mut parent = self.last_snapshot.clone();
        while let Some(p) = parent.clone().filter(|p| p.from >= from) {
            // The new segment replaces all frames of this one.
            parent = p.parent.clone();
        }
        let base = self.frames.get(from).map_or(0, |f| f.base as usize);
        let mut register_end = parent.as_ref().map_or(0, |p| p.registers_below(from));
        let register_ends: Box<[u32]> = self.frames[from..]
            .iter()
            .map(|f| {
                register_end = register_end.max(self.frame_end(f));
                register_end as u32
            })
            .collect();
        // Registers above the top frame are dead. Cut them off, so that continuing from here sees
        // the same contents as replaying from here.
        self.registers.resize(register_end, Value::NOTHING);
        let registers = self.registers[base..].into();
        let segment = Rc::new(StackSegment {
            parent,
            from,
            frames: self.frames[from..].into(),
            registers,
            register_ends,
        });
        let bytes = segment.frames.len() * size_of::<Frame>()
            + segment.registers.len() * size_of::<Value>()
            + segment.register_ends.len() * size_of::<u32>()
            + SEGMENT_OVERHEAD_BYTES;
        self.last_snapshot = Some(segment.clone());
        self.low_water = depth;
        (Some(segment), bytes)
    }

    /// Restores a checkpoint, earlier or later.
    pub fn restore(&mut self, to: &Checkpoint) {
        if !Rc::ptr_eq(&self.program, &to.program) {
            self.install(to.program.clone());
        }
        self.store.restore(&to.store);
        self.restore_stack(&to.stack);
        self.exit_depth = to.exit_depth;
        self.host_call = to.host_call.clone();
        self.time = to.time;
        self.entry_time = to.entry_time;
        self.rng = to.rng.clone();
        self.log_position = to.log_position;
        self.next_checkpoint = self.time + CHECKPOINT_INTERVAL_INSTRUCTIONS;
    }

    fn restore_stack(&mut self, to: &Option<Rc<StackSegment>>) {
        let common = common_frames(to, &self.last_snapshot, self.low_water.saturating_sub(1));
        // The segments of the target, top first, with frames that are not yet in place.
        let mut chain: Vec<Rc<StackSegment>> = Vec::new();
        let mut next = to.clone();
        while let Some(segment) = next {
            next = segment.parent.clone().filter(|_| segment.from > common);
            chain.push(segment);
        }
        self.frames.truncate(common);
        for segment in chain.iter().rev() {
            // Only the lowest of these segments can have frames that are already in place.
            let skip = common.clamp(segment.from, segment.depth()) - segment.from;
            self.frames.truncate(segment.from + skip);
            let Some(first) = segment.frames.get(skip) else {
                continue;
            };
            let base = first.base as usize;
            self.registers.truncate(base);
            self.registers
                .extend_from_slice(&segment.registers[base - segment.base()..]);
            self.frames.extend_from_slice(&segment.frames[skip..]);
        }
        self.registers
            .truncate(to.as_ref().map_or(0, |segment| segment.register_count()));
        self.last_snapshot = to.clone();
        self.low_water = self.frames.len();
    }

    /// Turns checkpoints on or off: one at every action, and one every
    /// `CHECKPOINT_INTERVAL_INSTRUCTIONS`, or less often if the changing state is very large.
    /// Returns the previous setting.
    pub fn set_recording(&mut self, on: bool) -> RecordingState {
        let before = RecordingState(self.is_recording, self.next_checkpoint);
        (self.is_recording, self.next_checkpoint) =
            (on, self.time + CHECKPOINT_INTERVAL_INSTRUCTIONS);
        before
    }

    /// Restores the previous setting, including when the next checkpoint is due: frequent
    /// inspection must not postpone it forever.
    pub fn restore_recording(&mut self, before: RecordingState) {
        (self.is_recording, self.next_checkpoint) = (before.0, before.1);
    }

    /// The checkpoints taken since the last call.
    pub fn take_checkpoints(&mut self) -> Vec<Checkpoint> {
        self.pending_checkpoint_bytes = 0;
        std::mem::take(&mut self.pending_checkpoints)
    }

    pub(super) fn take_checkpoint(&mut self) {
        let checkpoint = self.checkpoint();
        // Data in a checkpoint is copied again when it changes. Space checkpoints out so that
        // copying, say, a growing list of millions of elements does not dominate the run.
        self.next_checkpoint = self.time
            + CHECKPOINT_INTERVAL_INSTRUCTIONS
                .max(checkpoint.bytes as u64 / CHECKPOINT_BYTES_PER_INSTRUCTION);
        self.pending_checkpoint_bytes += checkpoint.bytes as u64;
        self.pending_checkpoints.push(checkpoint);
        if self.pending_checkpoint_bytes > usable_history_bytes(self.limits.max_history_bytes) {
            self.thin_out_checkpoints();
        }
    }

    /// Keeps an endless run from filling the memory with its history: drops every other checkpoint,
    /// so older ones get sparser over time.
    fn thin_out_checkpoints(&mut self) {
        while self.pending_checkpoint_bytes > usable_history_bytes(self.limits.max_history_bytes)
            && self.pending_checkpoints.len() > 2
        {
            let last = self.pending_checkpoints.len() - 1;
            let mut at = 0;
            self.pending_checkpoints.retain(|_| {
                at += 1;
                at % 2 == 0 || at - 1 == last
            });
            self.pending_checkpoint_bytes = recompute_bytes(&mut self.pending_checkpoints);
        }
    }
}
