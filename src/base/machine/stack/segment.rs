//! The stack as of a checkpoint, in segments: a checkpoint shares the frames that have not changed
//! since the one before.

use super::host_call::HostCall;
use super::{Frame, Stack};
use crate::machine::image::LinkedImage;
use crate::value::Value;
use std::collections::HashSet;
use std::rc::Rc;

/// Estimated overhead of a segment and its allocations.
const SEGMENT_OVERHEAD_BYTES: usize = 64;

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

    /// Approximate size without the parent.
    fn bytes(&self) -> usize {
        self.frames.len() * size_of::<Frame>()
            + self.registers.len() * size_of::<Value>()
            + self.register_ends.len() * size_of::<u32>()
            + SEGMENT_OVERHEAD_BYTES
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

/// The stack at one time.
#[derive(Clone, Debug)]
pub(in crate::machine) struct StackSnapshot {
    top: Option<Rc<StackSegment>>,
    exit_depth: usize,
    host_call: Option<Rc<HostCall>>,
}

impl StackSnapshot {
    /// Number of frames.
    pub(in crate::machine) fn depth(&self) -> usize {
        self.top.as_ref().map_or(0, |s| s.depth())
    }

    /// Lower bound for the number of frames at the bottom that both share.
    pub(in crate::machine) fn common_frames(&self, other: &StackSnapshot) -> usize {
        common_frames(&self.top, &other.top, usize::MAX)
    }

    /// The segments, top first.
    fn segments(&self) -> impl Iterator<Item = &Rc<StackSegment>> {
        std::iter::successors(self.top.as_ref(), |segment| segment.parent.as_ref())
    }

    /// Approximate bytes of the segments that `other` does not share; all of them without `other`.
    pub(in crate::machine) fn unshared_bytes(&self, other: Option<&StackSnapshot>) -> usize {
        let theirs = other.into_iter().flat_map(|other| other.segments());
        let theirs: HashSet<*const StackSegment> = theirs.map(Rc::as_ptr).collect();
        // What is below a shared segment is shared, too.
        let mine = self.segments();
        let unshared = mine.take_while(|segment| !theirs.contains(&Rc::as_ptr(segment)));
        unshared.map(|segment| segment.bytes()).sum()
    }

    /// Whether the same calls were started from outside.
    pub(in crate::machine) fn has_same_host_calls(&self, other: &StackSnapshot) -> bool {
        (self.exit_depth, &self.host_call) == (other.exit_depth, &other.host_call)
    }

    /// All frames and their registers, bottom first.
    pub(in crate::machine) fn flatten(&self) -> (Vec<Frame>, Vec<Value>) {
        let chain: Vec<_> = self.segments().collect();
        let (mut frames, mut registers) = (Vec::new(), Vec::new());
        for segment in chain.into_iter().rev() {
            frames.truncate(segment.from);
            registers.truncate(segment.base());
            frames.extend_from_slice(&segment.frames);
            registers.extend_from_slice(&segment.registers);
        }
        (frames, registers)
    }
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

impl Stack {
    /// A snapshot, and the number of bytes copied for it.
    pub(in crate::machine) fn snapshot(&mut self, image: &LinkedImage) -> (StackSnapshot, usize) {
        let (top, bytes) = self.snapshot_frames(image);
        let snapshot = StackSnapshot {
            top,
            exit_depth: self.exit_depth,
            host_call: self.host_call.clone(),
        };
        (snapshot, bytes)
    }

    fn snapshot_frames(&mut self, image: &LinkedImage) -> (Option<Rc<StackSegment>>, usize) {
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
                register_end = register_end.max(image.frame_end(f));
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
        let bytes = segment.bytes();
        self.last_snapshot = Some(segment.clone());
        self.low_water = depth;
        (Some(segment), bytes)
    }

    /// Returns to the stack of a snapshot.
    pub(in crate::machine) fn restore(&mut self, to: &StackSnapshot) {
        self.restore_frames(&to.top);
        self.exit_depth = to.exit_depth;
        self.host_call = to.host_call.clone();
    }

    fn restore_frames(&mut self, to: &Option<Rc<StackSegment>>) {
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
}
