//! The whole state at one time, kept cheaply.
//!
//! The store keeps itself in pages. The stack is kept in segments: frames below the lowest depth since the
//! last checkpoint are as they were then, so a checkpoint copies only what lies above and shares the rest.

use super::{
    CHECKPOINT_BYTES_PER_INSTRUCTION, CHECKPOINT_INTERVAL_INSTRUCTIONS, Frame, HostCall,
    LogPosition, Machine, Rng,
};
use crate::code::{FunctionId, Program};
use crate::value::{StoreSnapshot, Value};
use std::rc::Rc;

/// The upper part of a stack; the lower part is the parent's.
#[derive(Debug)]
pub(super) struct StackSegment {
    parent: Option<Rc<StackSegment>>,
    /// How many frames of the parent belong to it.
    from: usize,
    frames: Box<[Frame]>,
    registers: Box<[Value]>,
    /// For each frame: how many registers it and those below it need. Who calls may need more of them than who is called,
    /// and what it has there is kept as well.
    rooms: Box<[u32]>,
}

impl StackSegment {
    fn depth(&self) -> usize {
        self.from + self.frames.len()
    }

    /// How many registers all frames need.
    fn register_count(&self) -> usize {
        self.registers_below(self.depth())
    }

    /// How many the lowest so many frames need, of which at least one is kept here.
    fn registers_below(&self, depth: usize) -> usize {
        let own = depth.saturating_sub(self.from + 1);
        self.rooms.get(own).map_or(0, |room| *room as usize)
    }

    /// Where the registers kept here begin.
    fn base(&self) -> usize {
        self.frames.first().map_or(0, |f| f.base as usize)
    }
}

impl Drop for StackSegment {
    /// Without recursion: the chain may be long.
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
    pub time: u64,
    pub program: Rc<Program>,
    store: StoreSnapshot,
    stack: Option<Rc<StackSegment>>,
    floor: usize,
    inside: Option<Rc<HostCall>>,
    entry_time: u64,
    chance: Rng,
    pub log_position: LogPosition,
    /// What it cost, in bytes; shared parts are counted with the checkpoint that came first.
    pub bytes: usize,
    /// What of that nobody shares but those that stand on it.
    own: usize,
    /// The action that was going on.
    pub action: u32,
}

/// Whether checkpoints are taken, and when the next one is due.
#[derive(Clone, Copy, Debug)]
pub struct RecordingState(bool, u64);

impl Checkpoint {
    pub fn store(&self) -> &StoreSnapshot {
        &self.store
    }

    /// How many frames were on the stack.
    pub fn depth(&self) -> usize {
        self.stack.as_ref().map_or(0, |s| s.depth())
    }

    /// How many frames were on the stack at every time from this one to a later one of the same run, at least: frames
    /// that both share were never left.
    pub fn min_depth_until(&self, later: &Checkpoint) -> usize {
        let common = common_frames(&self.stack, &later.stack, usize::MAX);
        if common == 0 { 0 } else { common + 1 }
    }

    /// Whether the games are the same: board, variables, chance. Time and the number of the action do not count.
    pub fn is_same_game(&self, other: &Checkpoint) -> bool {
        self.store.is_same_game(&other.store) && self.chance == other.chance
    }

    /// Whether the same calls are going on, with the same values; `number` says how a function of this one is
    /// numbered in the other.
    pub fn has_same_stack(
        &self,
        other: &Checkpoint,
        number: impl Fn(FunctionId) -> FunctionId,
    ) -> bool {
        let (mut frames, registers) = stack_of(&self.stack);
        for frame in &mut frames {
            frame.function = number(frame.function);
        }
        (frames, registers) == stack_of(&other.stack)
    }

    /// Whether two are the same state, whatever they share.
    pub fn is_same_state(&self, other: &Checkpoint) -> bool {
        self.first_difference(other).is_none()
    }

    /// In what two states differ, in a word.
    pub fn first_difference(&self, other: &Checkpoint) -> Option<&'static str> {
        let same = [
            ("time", self.time == other.time),
            ("chance", self.chance == other.chance),
            ("what was written", self.log_position == other.log_position),
            ("stack", self.has_same_stack(other, |f| f)),
            (
                "what was typed at stops",
                (self.floor, &self.inside) == (other.floor, &other.inside),
            ),
            ("store", self.store == other.store),
        ];
        same.into_iter()
            .find(|(_, same)| !same)
            .map(|(what, _)| what)
    }
}

/// What a run may fill of the memory for the past: a little is left for who looks around in it.
pub fn usable_history_bytes(budget: u64) -> u64 {
    budget - budget / 16
}

/// Some of a row of checkpoints are gone: what they held lives on as long as the next ones share it, and is theirs now.
/// Gives what they hold together.
pub fn recompute_bytes(row: &mut [Checkpoint]) -> u64 {
    for n in 1..row.len() {
        row[n].bytes = row[n].own + row[n].store.unshared_bytes(&row[n - 1].store);
    }
    row.iter().map(|c| c.bytes as u64).sum()
}

/// All frames and their registers, bottom first.
fn stack_of(top: &Option<Rc<StackSegment>>) -> (Vec<Frame>, Vec<Value>) {
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

/// How many frames from the bottom two kept stacks have in common, for certain, and no more than `most`.
fn common_frames(a: &Option<Rc<StackSegment>>, b: &Option<Rc<StackSegment>>, most: usize) -> usize {
    let mut common = most;
    let mut next = a.as_ref();
    while let Some(segment) = next {
        if let Some(below) = stands_on(b, segment) {
            return common.min(below);
        }
        // From here on the first has frames of its own.
        common = common.min(segment.from);
        next = segment.parent.as_ref();
    }
    0
}

/// If a stack was built on this segment: how many frames from the bottom they have in common.
fn stands_on(stack: &Option<Rc<StackSegment>>, segment: &Rc<StackSegment>) -> Option<usize> {
    let mut common = usize::MAX;
    let mut next = stack.as_ref();
    while let Some(kept) = next {
        if Rc::ptr_eq(kept, segment) {
            return Some(common.min(kept.depth()));
        }
        common = common.min(kept.from);
        next = kept.parent.as_ref();
    }
    None
}

impl Machine {
    /// The state as it is now. The machine must not be running.
    pub fn checkpoint(&mut self) -> Checkpoint {
        let (stack, stack_bytes) = self.keep_stack();
        let (store, store_bytes) = self.store.snapshot();
        Checkpoint {
            time: self.time,
            program: self.program.clone(),
            store,
            stack,
            floor: self.exit_depth,
            inside: self.host_call.clone(),
            entry_time: self.entry_time,
            chance: self.rng.clone(),
            log_position: self.log_position,
            bytes: stack_bytes + store_bytes + size_of::<Checkpoint>(),
            own: stack_bytes + size_of::<Checkpoint>(),
            action: self.store.action,
        }
    }

    fn keep_stack(&mut self) -> (Option<Rc<StackSegment>>, usize) {
        let depth = self.frames.len();
        if depth == 0 {
            self.registers.clear();
            self.last_snapshot = None;
            self.low_water = 0;
            return (None, 0);
        }
        // The lowest top frame since then may have gone on; those below it have not.
        let mut from = self
            .low_water
            .saturating_sub(1)
            .min(self.last_snapshot.as_ref().map_or(0, |k| k.depth()));
        let mut parent = self.last_snapshot.clone();
        while let Some(p) = parent.clone().filter(|p| p.from >= from) {
            // Nothing of this one is needed, or just its first frames: those go into the new one.
            from = from.min(p.from);
            parent = p.parent.clone();
        }
        let base = self.frames.get(from).map_or(0, |f| f.base as usize);
        let mut room = parent.as_ref().map_or(0, |p| p.registers_below(from));
        let rooms: Box<[u32]> = self.frames[from..]
            .iter()
            .map(|f| {
                room = room.max(self.frame_end(f));
                room as u32
            })
            .collect();
        // What lies above is nobody's: cut off, so that running on from here meets the same there
        // as running again from here.
        self.registers.resize(room, Value::NOTHING);
        let registers = self.registers[base..].into();
        let segment = Rc::new(StackSegment {
            parent,
            from,
            frames: self.frames[from..].into(),
            registers,
            rooms,
        });
        let bytes = segment.frames.len() * size_of::<Frame>()
            + segment.registers.len() * size_of::<Value>()
            + 4 * segment.rooms.len()
            + 64;
        self.last_snapshot = Some(segment.clone());
        self.low_water = depth;
        (Some(segment), bytes)
    }

    /// Goes to a checkpoint, earlier or later.
    pub fn restore(&mut self, to: &Checkpoint) {
        if !Rc::ptr_eq(&self.program, &to.program) {
            self.install(to.program.clone());
        }
        self.store.restore(&to.store);
        self.restore_stack(&to.stack);
        self.exit_depth = to.floor;
        self.host_call = to.inside.clone();
        self.time = to.time;
        self.entry_time = to.entry_time;
        self.rng = to.chance.clone();
        self.log_position = to.log_position;
        self.next_checkpoint = self.time + CHECKPOINT_INTERVAL_INSTRUCTIONS;
    }

    fn restore_stack(&mut self, to: &Option<Rc<StackSegment>>) {
        let common = common_frames(to, &self.last_snapshot, self.low_water.saturating_sub(1));
        // The segments of the goal, top first, that hold frames which are not there already.
        let mut chain: Vec<Rc<StackSegment>> = Vec::new();
        let mut next = to.clone();
        while let Some(segment) = next {
            next = segment.parent.clone().filter(|_| segment.from > common);
            chain.push(segment);
        }
        self.frames.truncate(common);
        for segment in chain.iter().rev() {
            // Only the lowest of them can have frames that are there already; the others begin above.
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

    /// Whether checkpoints are taken while running: at every action, and every quarter of a million steps or, where the
    /// state that changes is very large, less often. Says how it was before.
    pub fn set_recording(&mut self, on: bool) -> RecordingState {
        let before = RecordingState(self.is_recording, self.next_checkpoint);
        (self.is_recording, self.next_checkpoint) =
            (on, self.time + CHECKPOINT_INTERVAL_INSTRUCTIONS);
        before
    }

    /// Takes checkpoints as before, the next one when it was due: who looks often must not put it off for ever.
    pub fn restore_recording(&mut self, before: RecordingState) {
        (self.is_recording, self.next_checkpoint) = (before.0, before.1);
    }

    /// The checkpoints taken since the last time they were fetched.
    pub fn take_checkpoints(&mut self) -> Vec<Checkpoint> {
        self.pending_checkpoint_bytes = 0;
        std::mem::take(&mut self.pending_checkpoints)
    }

    pub(super) fn take_checkpoint(&mut self) {
        let checkpoint = self.checkpoint();
        // What a checkpoint holds is copied again when it is changed: a list of millions, growing, must not be copied
        // so often that nothing else is done.
        self.next_checkpoint = self.time
            + CHECKPOINT_INTERVAL_INSTRUCTIONS
                .max(checkpoint.bytes as u64 / CHECKPOINT_BYTES_PER_INSTRUCTION);
        self.pending_checkpoint_bytes += checkpoint.bytes as u64;
        self.pending_checkpoints.push(checkpoint);
        if self.pending_checkpoint_bytes > usable_history_bytes(self.limits.max_history_bytes) {
            self.thin();
        }
    }

    /// A run without end must not fill the memory with its past: every second checkpoint goes, the older ones again
    /// and again.
    fn thin(&mut self) {
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
