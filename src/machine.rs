//! The virtual machine: runs bytecode, can pause before any instruction, and can return to any
//! earlier state.
//!
//! Frames live in the machine, never on Rust's stack, so pausing is just returning from
//! [`Machine::run`]. Time is the number of instructions executed. Everything a run depends on is
//! part of the state or of the recorded inputs, so a replay from a checkpoint reproduces every bit.
//!
//! ```text
//! arithmetic     slow paths of arithmetic, comparison and concatenation
//! board_ops      implementation of the instructions for lists
//! checkpoint     checkpoints: the complete state of the machine at one time, stored compactly
//! effect_log     the effects of a run: lines printed, numbers drawn, input read
//! escape         escape continuations: `Catch` captures (frame, pc), `Throw` unwinds to it
//! fast_path      the common cases of the frequent instructions, outside of the dispatch loop
//! grid_ops       implementation of the instructions for grids that are values
//! handler_scan   scans the board for pieces that respond to an event
//! host_call      calls that are started from outside the program
//! image          the linked image of a program
//! incremental    reuses units of loops over the board
//! limits         how long a run lasts
//! observer       observers: called before every instruction, to record or to pause the run
//! record_ops     implementation of the instructions for records
//! rng            random numbers
//! run            the dispatch loop
//! runtime_error  runtime errors and their messages
//! search         runs that are part of a search
//! ```

#![warn(missing_docs)]

mod arithmetic;
mod board_ops;
mod checkpoint;
mod effect_log;
mod escape;
mod fast_path;
mod grid_ops;
mod handler_scan;
mod host_call;
mod image;
mod incremental;
mod limits;
mod observer;
mod record_ops;
mod rng;
mod run;
mod runtime_error;
mod search;

pub use crate::code::Channel;
pub use checkpoint::{Checkpoint, RecordingState};
pub(crate) use checkpoint::{recompute_bytes, usable_history_bytes};
pub use effect_log::{Draw, EffectLog, LogItem, LogPosition, Output, RecentItems};
pub use image::LinkedImage;
pub use incremental::{Fault, IncrementalCounts, MIN_INCREMENTAL_CELLS};
use observer::NoObserver;
pub use observer::Observer;
pub(crate) use observer::{BoundedObserver, UntilTime};
pub use rng::Rng;
pub use runtime_error::RuntimeError;
use search::SearchMode;
pub use search::{DrawRange, FrameImage};

use crate::code::{Function, FunctionId, Instr, Program};
use crate::source::Span;
use crate::value::{InternedStr, Store, Value};
use checkpoint::StackSegment;
use fast_path::{GroupedCode, Position};
use host_call::HostCall;
use image::LinkedFunction;
use incremental::{Incremental, IncrementalImage};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An active call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// The function being run; an id of the installed program.
    pub function: FunctionId,
    /// The next instruction; up to date whenever the machine is not running.
    pub pc: u32,
    /// Index of its first register.
    base: u32,
    /// Number of nested function calls up to here; handlers do not count.
    call_depth: u32,
    /// The piece whose handler runs, or `NOTHING`.
    pub self_piece: Value,
}

/// Why a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The started function returned this value.
    Finished(Value),
    /// It stopped before an instruction; run again to continue from there.
    Paused(Pause),
    /// The program asks for input: call [`Machine::answer`], then run again.
    NeedsInput {
        /// The prompt to show, formatted like printed output; may be empty.
        question: String,
        /// What kind of value is expected, to pass to [`Machine::answer`]. Each language defines
        /// its own numbers.
        input_kind: u8,
    },
    /// A runtime error. The frames are still on the stack, for inspection.
    Failed(Box<RuntimeError>),
}

/// Why a run was paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// At an instruction set by [`Machine::set_traps`].
    Trap,
    /// Requested by the observer.
    Observer,
    /// Ctrl-C.
    Interrupt,
    /// At the time passed to [`Machine::run_until`].
    Time,
    /// There is output to be read; see [`Machine::pause_at_output`].
    Output,
    /// Before a random draw, in a search only: call [`Machine::supply`], then run again.
    Draw(DrawRange),
}

/// Resource limits of a program.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions per entry; 0 for no limit.
    pub max_instructions: u64,
    /// Nested function calls.
    pub max_call_depth: u32,
    /// Bytes of frames and heap objects.
    pub max_memory_bytes: u64,
    /// Bytes of checkpoints and of the effect log.
    pub max_history_bytes: u64,
}

impl Limits {
    /// Bytes of output kept in the effect log, and of random draws.
    fn max_log_bytes(&self) -> u64 {
        self.max_history_bytes / LOG_HISTORY_FRACTION
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_instructions: 0,
            max_call_depth: 2_000_000,
            max_memory_bytes: 512 << 20,
            max_history_bytes: 256 << 20,
        }
    }
}

/// The virtual machine; see the module documentation.
pub struct Machine {
    program: Rc<Program>,
    linked_functions: Vec<LinkedFunction>,
    /// The code of each function, with groups; `linked_functions` points into it.
    grouped: Vec<GroupedCode>,
    /// Code with traps, by function; `linked_functions` points into it.
    patched: Vec<(FunctionId, GroupedCode)>,
    /// Globals, board and heap.
    pub store: Store,
    frames: Vec<Frame>,
    registers: Vec<Value>,
    /// A run ends when the stack is down to this depth.
    exit_depth: usize,
    /// Index of the register that holds the value of the last call that returned.
    return_slot: usize,
    /// The innermost call that was started from outside, if any.
    host_call: Option<Rc<HostCall>>,
    /// Lowest stack depth since the last checkpoint. The frames below that depth, except for its
    /// top one, are unchanged and shared.
    low_water: usize,
    /// The stack as of the last checkpoint.
    last_snapshot: Option<Rc<StackSegment>>,
    /// Number of instructions executed.
    time: u64,
    /// The time of the next safepoint, in ticks (see `run.rs`).
    next_safepoint_ticks: u64,
    /// The time of the next check for Ctrl-C and for exceeded limits.
    next_poll: u64,
    /// The time at which the current entry started, for the instruction limit.
    entry_time: u64,
    /// The end of the instruction limit that a run was last reported to have exceeded.
    reported_budget_end: Option<u64>,
    /// Source of random numbers; part of the state, so checkpoints save and restore it.
    pub rng: Rng,
    log: EffectLog,
    log_position: LogPosition,
    /// A run pauses when there is this much output that has not been read.
    max_unread_bytes: u64,
    /// Kinds and owners, indexed by the interned index of their name; `NO_INDEX` for other names.
    kind_by_name: Vec<u16>,
    owner_by_name: Vec<u16>,
    /// Names of kinds by index, and the name of an empty cell.
    kind_names: Vec<Value>,
    no_name: Value,
    /// Handler functions by kind, indexed by `PieceEvent`; `NO_FUNCTION` for none.
    handlers: Vec<[u32; 2]>,
    /// Whether any kind handles the turn event.
    has_turn_handlers: bool,
    /// May be changed between runs. Not part of the state: restoring a checkpoint leaves it as it
    /// is.
    pub limits: Limits,
    interrupt_flag: Arc<AtomicBool>,
    /// Checkpoints taken during the run, to be collected by the timeline.
    pending_checkpoints: Vec<Checkpoint>,
    pending_checkpoint_bytes: u64,
    is_recording: bool,
    next_checkpoint: u64,
    /// How runs differ if they are part of a search.
    search_mode: SearchMode,
    /// The time at which to pause as if by Ctrl-C, so that a replay stops where the user
    /// interrupted the original run.
    interrupt_at: u64,
    /// When `fast_path` has to leave a jump back, a call or a return to the dispatch loop, in ticks.
    leave_at_ticks: u64,
    /// Where `fast_path` ended; of no meaning at other times.
    position: Position,
    /// The units of loops that can be reused, and the functions that have them.
    incremental: Incremental,
    incremental_image: IncrementalImage,
}

/// Marks a name that is not a kind or an owner.
const NO_INDEX: u16 = u16::MAX;
/// Marks an event without a handler.
const NO_FUNCTION: u32 = u32::MAX;
/// How often the dispatch loop checks for Ctrl-C, the memory limit and checkpoints.
const SAFEPOINT_INTERVAL_INSTRUCTIONS: u64 = 1 << 16;
/// Instructions between checkpoints of a long run.
const CHECKPOINT_INTERVAL_INSTRUCTIONS: u64 = 250_000;
/// The output in the effect log may use this fraction of the history budget, and so may the draws.
const LOG_HISTORY_FRACTION: u64 = 16;
/// Budget for copying checkpoints, in bytes per instruction.
const CHECKPOINT_BYTES_PER_INSTRUCTION: u64 = 16;

impl Machine {
    /// A machine that has run nothing yet. The seed starts its random numbers.
    pub fn new(program: Rc<Program>, seed: u64) -> Machine {
        let mut machine = Machine {
            program: program.clone(),
            linked_functions: Vec::new(),
            grouped: Vec::new(),
            patched: Vec::new(),
            store: Store::default(),
            frames: Vec::new(),
            registers: Vec::new(),
            low_water: 0,
            last_snapshot: None,
            time: 0,
            next_safepoint_ticks: 0,
            next_poll: 0,
            entry_time: 0,
            reported_budget_end: None,
            rng: Rng::new(seed),
            log: EffectLog::default(),
            log_position: LogPosition::default(),
            max_unread_bytes: u64::MAX,
            kind_by_name: Vec::new(),
            owner_by_name: Vec::new(),
            kind_names: Vec::new(),
            no_name: Value::interned(InternedStr::new("")),
            handlers: Vec::new(),
            exit_depth: 0,
            host_call: None,
            return_slot: 0,
            has_turn_handlers: false,
            limits: Limits::default(),
            interrupt_flag: Arc::default(),
            pending_checkpoints: Vec::new(),
            pending_checkpoint_bytes: 0,
            is_recording: false,
            next_checkpoint: CHECKPOINT_INTERVAL_INSTRUCTIONS,
            search_mode: SearchMode::default(),
            interrupt_at: u64::MAX,
            leave_at_ticks: 0,
            position: Position::NONE,
            incremental: Incremental::new(),
            incremental_image: IncrementalImage::default(),
        };
        machine.install_image(LinkedImage::new(program));
        machine
    }

    /// The program that the machine runs.
    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// The call stack, outermost frame first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The registers of a frame.
    pub fn registers(&self, frame: usize) -> &[Value] {
        let Some(f) = self.frames.get(frame) else {
            return &[];
        };
        let count = self
            .function(f.function)
            .map_or(0, |f| f.register_count as usize);
        let base = f.base as usize;
        &self.registers[base..self.registers.len().min(base + count)]
    }

    /// Changes a register of a frame, such as a local at a stop; does nothing if there is no such frame.
    pub fn set_register(&mut self, frame: usize, register: u16, value: Value) {
        let Some(f) = self.frames.get(frame) else {
            return;
        };
        let index = f.base as usize + register as usize;
        if let Some(slot) = self.registers.get_mut(index) {
            *slot = value;
            self.low_water = self.low_water.min(frame + 1);
        }
    }

    /// The value returned by the call that just ended.
    pub fn return_value(&self) -> Value {
        self.registers
            .get(self.return_slot)
            .copied()
            .unwrap_or(Value::NOTHING)
    }

    /// The function with this id, including redefined ones that are still on the stack.
    pub fn function(&self, id: FunctionId) -> Option<&Rc<Function>> {
        self.program.function(id)
    }

    /// Whether the id refers to exactly this function. The same function can have different ids in
    /// different programs.
    #[inline]
    pub fn is_same_function(&self, id: FunctionId, function: &Rc<Function>) -> bool {
        self.function(id).is_some_and(|f| Rc::ptr_eq(f, function))
    }

    /// Formats a value as in the source code of its language.
    pub fn format_value(&self, value: Value) -> String {
        (self.program.format_value)(&self.program, &self.store, value, true)
    }

    /// Function and next instruction of the top frame.
    pub fn current_location(&self) -> Option<(FunctionId, u32)> {
        self.frames.last().map(|f| (f.function, f.pc))
    }

    /// The next instruction of the top frame. Traps are not visible in it.
    pub(crate) fn next_instruction(&self) -> Option<Instr> {
        let (function, pc) = self.current_location()?;
        self.function(function)?.code.get(pc as usize).copied()
    }

    /// The span to underline for an instruction.
    pub fn span_of(&self, function: FunctionId, pc: u32) -> Option<Span> {
        self.function(function)?.spans.get(pc as usize).copied()
    }

    /// The span of the instruction being executed; `pc` already points past it. Must be resolved
    /// now, because the function's id may mean something else in a later program.
    fn current_span(&self) -> Option<Span> {
        let (function, pc) = self.current_location()?;
        self.span_of(function, pc.saturating_sub(1))
    }

    /// Number of instructions executed so far.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Whether no call is active.
    pub fn is_idle(&self) -> bool {
        self.frames.is_empty()
    }

    /// All effects, including those after the current position.
    pub fn log(&self) -> &EffectLog {
        &self.log
    }

    /// The current position in the log.
    pub fn log_position(&self) -> LogPosition {
        self.log_position
    }

    /// Removes and returns the part of the log after the current position: from here on, history
    /// diverges.
    pub fn split_log(&mut self) -> EffectLog {
        self.split_log_at(self.log_position)
    }

    /// Removes and returns the part of the log after a position.
    pub fn split_log_at(&mut self, at: LogPosition) -> EffectLog {
        self.log.split_off(at)
    }

    /// Replaces the part of the log after `at`, and returns the old one.
    pub fn replace_log_tail(&mut self, at: LogPosition, tail: EffectLog) -> EffectLog {
        let old_tail = self.log.split_off(at);
        self.log.append(tail);
        old_tail
    }

    /// The length of the log, to pass to [`Machine::truncate_log`] after a dry run.
    pub fn log_end(&self) -> LogPosition {
        self.log.end(self.log_position)
    }

    /// Drops everything that was logged after a position.
    pub fn truncate_log(&mut self, end: LogPosition) {
        self.log.truncate(end);
    }

    /// A flag that, once set, pauses the run at the next safepoint.
    pub fn interrupt_flag(&self) -> Arc<AtomicBool> {
        self.interrupt_flag.clone()
    }

    /// Clears the interrupt flag and returns whether it was set; for callers whose runs are too
    /// short to reach a safepoint.
    pub fn take_interrupt(&self) -> bool {
        self.interrupt_flag
            .swap(false, std::sync::atomic::Ordering::Relaxed)
    }

    /// Pauses the run at a time as if by Ctrl-C; `None` cancels.
    pub fn interrupt_at(&mut self, time: Option<u64>) {
        self.interrupt_at = time.unwrap_or(u64::MAX);
    }

    /// Replaces the interrupt flag.
    pub fn set_interrupt_flag(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt_flag = flag;
    }

    /// Approximate number of bytes used by the program. Depends only on the state, not on which of it
    /// was recorded.
    fn memory_bytes(&self) -> u64 {
        let stack = self.frames.len() * size_of::<Frame>() + self.stack_top() * size_of::<Value>();
        stack as u64 + self.store.heap.bytes()
    }

    /// Collects garbage if enough was allocated since the last collection.
    fn collect_if_needed(&mut self) {
        if self.store.heap.needs_collection() {
            self.collect_garbage();
        }
    }

    fn collect_garbage(&mut self) {
        let top = self.stack_top();
        let roots = self.registers[..top].iter().copied();
        let globals: Vec<Value> = self.store.globals.as_slice().to_vec();
        self.store.heap.collect(roots.chain(globals));
    }

    /// Index of the first register of the next frame.
    #[inline]
    pub(crate) fn stack_top(&self) -> usize {
        self.frames.last().map_or(0, |f| self.frame_end(f))
    }

    /// Index after the last register of a frame.
    #[inline]
    pub(crate) fn frame_end(&self, frame: &Frame) -> usize {
        frame.base as usize
            + self.linked_functions[frame.function.0 as usize].register_count as usize
    }

    /// Whether the next instruction has a trap.
    #[inline]
    pub(crate) fn is_at_trap(&self) -> bool {
        self.current_location().is_some_and(|(function, pc)| {
            self.patched
                .iter()
                .any(|(id, code)| *id == function && code.has_trap_at(pc))
        })
    }
}
