//! Runs code: frames, store, chance, effects. It can pause anywhere, and go back anywhere.
//!
//! Frames lie in the machine, never on the stack of Rust: pausing is returning from [`Machine::run`].
//! Time is the number of instructions done. All that a run depends on is in the state or in the recorded
//! inputs, so running again from a checkpoint gives the same again, to the bit.

mod arithmetic;
mod board_ops;
mod checkpoint;
mod effect_log;
mod escape;
mod grid_ops;
mod handler_scan;
mod host_call;
mod image;
mod limits;
mod observer;
mod record_ops;
mod rng;
mod run;
mod runtime_error;

pub use checkpoint::{Checkpoint, RecordingState, recompute_bytes, usable_history_bytes};
pub use effect_log::{Channel, Draw, EffectLog, LogPosition, Output};
pub use image::LinkedImage;
pub use observer::{BoundedObserver, NoObserver, Observer, UntilTime};
pub use rng::Rng;
pub use runtime_error::{CODES, RuntimeError};

use crate::code::{Function, FunctionId, Instr, Program};
use crate::source::Span;
use crate::value::{InternedStr, Store, Value};
use checkpoint::StackSegment;
use host_call::HostCall;
use image::LinkedFunction;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One call going on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    pub function: FunctionId,
    /// The next instruction of it; kept up to date whenever the machine is not running.
    pub pc: u32,
    /// Where its registers begin.
    pub base: u32,
    /// How many function calls are nested up to here; handlers do not count.
    pub call_depth: u32,
    /// The piece whose handler runs, or nothing.
    pub self_piece: Value,
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The function that was started is done, with its value.
    Finished(Value),
    Paused(Pause),
    /// The program asks something; [`Machine::answer`], then run again.
    NeedsInput {
        question: String,
        input_kind: u8,
    },
    Failed(Box<RuntimeError>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// At a place that was marked by [`Machine::trap`].
    Trap,
    /// The watcher wanted it.
    Observer,
    /// Stopped from the keyboard.
    Interrupt,
    /// At a time given to [`Machine::run_until`].
    Time,
}

/// What a program may use up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions in one entry; 0 is no limit.
    pub max_instructions: u64,
    /// Function calls nested in each other.
    pub max_call_depth: u32,
    /// Bytes of frames, lists, texts and output.
    pub max_memory_bytes: u64,
    /// Bytes of checkpoints.
    pub max_history_bytes: u64,
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

pub struct Machine {
    program: Rc<Program>,
    linked_functions: Vec<LinkedFunction>,
    /// Code with traps, by function; keeps alive what `live` points to.
    patched: Vec<(FunctionId, Box<[Instr]>)>,
    pub store: Store,
    frames: Vec<Frame>,
    registers: Vec<Value>,
    /// A run ends when no more than this many frames are left.
    exit_depth: usize,
    /// Where the value of the last call that ended lies.
    return_slot: usize,
    /// Whose locals the call from outside works on.
    host_call: Option<Rc<HostCall>>,
    /// The fewest frames there were since the last checkpoint: the ones below the last of these are as they were.
    low_water: usize,
    /// The stack as it was at the last checkpoint.
    last_snapshot: Option<Rc<StackSegment>>,
    time: u64,
    /// When the loop looks up from its work next.
    next_safepoint_ticks: u64,
    /// When it looks for Ctrl-C and for the limits next.
    next_poll: u64,
    /// When the entry going on began, for the step budget.
    entry_time: u64,
    pub rng: Rng,
    log: EffectLog,
    log_position: LogPosition,
    /// Kinds and owners by the number of their name; `NONE` for others.
    kind_by_name: Vec<u16>,
    owner_by_name: Vec<u16>,
    /// The names of kinds, by number, and the name of `empty`.
    kind_names: Vec<Value>,
    no_name: Value,
    /// The functions that handle events, by kind.
    handlers: Vec<[u32; 2]>,
    /// Whether any kind has something to do when a turn begins.
    has_turn_handlers: bool,
    pub limits: Limits,
    interrupt_flag: Arc<AtomicBool>,
    /// Checkpoints asked for while running, to be fetched by whoever keeps the timeline.
    pending_checkpoints: Vec<Checkpoint>,
    pending_checkpoint_bytes: u64,
    is_recording: bool,
    next_checkpoint: u64,
    /// When the run is to be paused as from the keyboard: what was stopped so once stops there again.
    interrupt_at: u64,
}

const NO_INDEX: u16 = u16::MAX;
/// How often the loop looks up from its work: for Ctrl-C, budgets and checkpoints.
const SAFEPOINT_INTERVAL_INSTRUCTIONS: u64 = 1 << 16;
/// How many instructions lie between checkpoints of a long run.
pub const CHECKPOINT_INTERVAL_INSTRUCTIONS: u64 = 250_000;
/// How many bytes may be copied for checkpoints, by the step.
const CHECKPOINT_BYTES_PER_INSTRUCTION: u64 = 16;

impl Machine {
    pub fn new(program: Rc<Program>, seed: u64) -> Machine {
        let mut machine = Machine {
            program: program.clone(),
            linked_functions: Vec::new(),
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
            rng: Rng::new(seed),
            log: EffectLog::default(),
            log_position: LogPosition::default(),
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
            interrupt_at: u64::MAX,
        };
        machine.install(program);
        machine
    }

    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

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

    pub fn set_register(&mut self, frame: usize, register: u16, value: Value) {
        let Some(f) = self.frames.get(frame) else {
            return;
        };
        let at = f.base as usize + register as usize;
        if let Some(slot) = self.registers.get_mut(at) {
            *slot = value;
            self.low_water = self.low_water.min(frame + 1);
        }
    }

    /// The value that the call which has just ended gave back.
    pub fn return_value(&self) -> Value {
        self.registers
            .get(self.return_slot)
            .copied()
            .unwrap_or(Value::NOTHING)
    }

    pub fn function(&self, id: FunctionId) -> Option<&Rc<Function>> {
        self.program.function(id)
    }

    /// Whether a number means this very function. The same function may have another number in another program.
    #[inline]
    pub fn is_same_function(&self, id: FunctionId, function: &Rc<Function>) -> bool {
        self.function(id).is_some_and(|f| Rc::ptr_eq(f, function))
    }

    /// Where the top frame is.
    pub fn current_location(&self) -> Option<(FunctionId, u32)> {
        self.frames.last().map(|f| (f.function, f.pc))
    }

    /// Where to point for an instruction.
    pub fn span_of(&self, function: FunctionId, pc: u32) -> Option<Span> {
        self.function(function)?.spans.get(pc as usize).copied()
    }

    /// Where the instruction stands in the text that is being done: the frame is behind it already. Which function it
    /// is can't be told later, when other programs have come.
    fn current_span(&self) -> Option<Span> {
        let (function, pc) = self.current_location()?;
        self.span_of(function, pc.saturating_sub(1))
    }

    pub fn time(&self) -> u64 {
        self.time
    }

    pub fn is_idle(&self) -> bool {
        self.frames.is_empty()
    }

    pub fn log(&self) -> &EffectLog {
        &self.log
    }

    pub fn log_position(&self) -> LogPosition {
        self.log_position
    }

    /// From here on what happens is new: what the log holds beyond this moment is taken out of it.
    pub fn split_log(&mut self) -> EffectLog {
        self.log.split_off(self.log_position)
    }

    /// What happened after a moment is taken out of the log, and what is given comes in its place.
    pub fn replace_log_tail(&mut self, at: LogPosition, tail: EffectLog) -> EffectLog {
        let left = self.log.split_off(at);
        self.log.append(tail);
        left
    }

    /// How much the log holds, to be given to [`Machine::cut_log`] after a look.
    pub fn log_end(&self) -> LogPosition {
        let log = &self.log;
        LogPosition {
            outputs: log.outputs.len() as u32,
            draws: log.draws.len() as u32,
            answers: log.answers.len() as u32,
        }
    }

    /// Forgets what was only said while somebody looked.
    pub fn truncate_log(&mut self, lengths: LogPosition) {
        self.log.truncate(lengths);
    }

    /// A flag that, once set, pauses the run.
    pub fn interrupt_flag(&self) -> Arc<AtomicBool> {
        self.interrupt_flag.clone()
    }

    /// Whether that flag was set since it was last looked at; for those who run in steps too short to notice.
    pub fn take_interrupt(&self) -> bool {
        self.interrupt_flag
            .swap(false, std::sync::atomic::Ordering::Relaxed)
    }

    /// Pauses the run at a time as if it were stopped from the keyboard there; `None` forgets it.
    pub fn interrupt_at(&mut self, time: Option<u64>) {
        self.interrupt_at = time.unwrap_or(u64::MAX);
    }

    pub fn set_interrupt_flag(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt_flag = flag;
    }

    /// Bytes that the run holds, about.
    pub fn memory_bytes(&self) -> u64 {
        let stack =
            self.frames.len() * size_of::<Frame>() + self.registers.len() * size_of::<Value>();
        stack as u64 + self.store.heap.bytes() + self.log.bytes
    }

    /// Finds the heap's unused slots, if it is time to.
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
}
