//! The virtual machine: runs bytecode, can pause before any instruction, and can return to any
//! earlier state.
//!
//! Frames live in the machine, never on Rust's stack, so pausing is just returning from
//! [`Machine::run`]. Time is the number of instructions executed. Everything a run depends on is
//! part of the state or of the recorded inputs, so a replay from a checkpoint reproduces every bit.
//!
//! Running:
//! - `run_until`: how long a run lasts: to its end, a time, a trap, or as an observer says,
//! - `run`: the dispatch loop, which executes all instructions,
//! - `fast_path`: executes the frequent ones, each by a function that jumps to the next one's,
//! - `ops`: what single instructions do, apart from the common cases,
//! - `incremental`: reuses iterations of loops over the board that would do what they did before,
//! - `trap_test`: whether a run has to pause at a trap,
//! - `observer`: what can watch a run and pause it before any instruction.
//!
//! The parts of a machine, each a type of its own:
//! - `image`: a linked program, with pointers into its code and with traps; `kinds` is its table of pieces,
//! - `stack`: frames, registers, and calls from outside; `host_call` starts and ends such calls,
//! - `memory`: the limit for what lives in the [`Store`], and garbage collection,
//! - `effects`: output, random draws and answers, recorded in an `effect_log`,
//! - `rng`: random numbers, which can be scripted,
//! - `limits`: the limits of a program, and when a run is checked for Ctrl-C and exceeded limits,
//! - `checkpoint`: the complete state at one time, and the recorder that takes checkpoints during runs,
//! - `search`: how runs differ that are part of a search,
//! - `runtime_error`: errors, and the descriptions of values in them.

#![warn(missing_docs)]

mod checkpoint;
mod effect_log;
mod effects;
mod fast_path;
mod host_call;
mod image;
mod incremental;
mod kinds;
mod limits;
mod memory;
mod observer;
mod ops;
mod rng;
mod run;
mod run_until;
mod runtime_error;
mod search;
mod stack;
mod trap_test;

pub use crate::code::Channel;
pub use checkpoint::usable_history_bytes;
pub use checkpoint::{Checkpoint, RecordingState};
pub use effect_log::{Draw, EffectLog, LogItem, LogPosition, Output, RecentItems};
pub use image::LinkedImage;
pub use incremental::{IncrementalCounts, MIN_INCREMENTAL_CELLS};
pub use limits::Limits;
use observer::NoObserver;
pub use observer::Observer;
pub use observer::{BoundedObserver, UntilTime};
pub use rng::Rng;
pub use runtime_error::RuntimeError;
use search::SearchMode;
pub use search::{DrawRange, FrameImage};
pub use stack::Frame;
pub use trap_test::{Line, Probe, SharedProbe, TrapTest, WatchTest, WatchedValue};

use crate::code::{Function, FunctionId, Instr, Program};
use crate::source::Span;
use crate::value::{Store, Value};
use checkpoint::CheckpointRecorder;
use effects::Effects;
use fast_path::Position;
use incremental::Incremental;
use limits::Schedule;
use ops::grid::grid_cell;
use runtime_error::ValueContext;
use stack::Stack;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use trap_test::TrapTests;

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
    /// After an instruction with a trap that has changed what is watched; see [`TrapTest::watched`].
    Watch,
    /// Requested by the observer.
    Observer,
    /// Ctrl-C.
    Interrupt,
    /// At the time passed to [`Machine::run_until`].
    Time,
    /// There is output to be read; see [`Machine::pause_at_output`].
    Output,
    /// There are checkpoints to be collected; see [`Machine::pause_at_checkpoints`].
    Checkpoints,
    /// Before a random draw, in a search only: call [`Machine::supply`], then run again.
    Draw(DrawRange),
}

/// The virtual machine; see the module documentation.
pub struct Machine {
    /// The running program.
    image: LinkedImage,
    /// Globals, board and heap.
    pub store: Store,
    stack: Stack,
    /// Number of instructions executed.
    time: u64,
    /// Source of random numbers; part of the state, so checkpoints save and restore it.
    pub rng: Rng,
    effects: Effects,
    recorder: CheckpointRecorder,
    /// May be changed between runs. Not part of the state: restoring a checkpoint leaves it as it
    /// is.
    pub limits: Limits,
    /// Bytes of the history that cannot be dropped and exceed its limit. They count as memory of the
    /// program.
    pub history_excess_bytes: u64,
    schedule: Schedule,
    /// The time of the next safepoint, in ticks (see `run.rs`).
    next_safepoint_ticks: u64,
    /// When `fast_path` has to leave a jump back, a call or a return to the dispatch loop, in ticks.
    leave_at_ticks: u64,
    /// Where `fast_path` ended; of no meaning at other times.
    position: Position,
    /// How runs differ if they are part of a search.
    search_mode: SearchMode,
    /// The units of loops that can be reused.
    incremental: Incremental,
    /// Whether to pause at a trap.
    trap_tests: TrapTests,
}

/// The output in the effect log may use this fraction of the history budget, and so may the draws.
const LOG_HISTORY_FRACTION: u64 = 16;

impl Machine {
    /// A machine that has run nothing yet. The seed starts its random numbers.
    pub fn new(program: Rc<Program>, seed: u64) -> Machine {
        let mut machine = Machine {
            image: LinkedImage::incremental(program),
            store: Store::default(),
            stack: Stack::default(),
            time: 0,
            rng: Rng::new(seed),
            effects: Effects::new(),
            recorder: CheckpointRecorder::new(),
            limits: Limits::default(),
            history_excess_bytes: 0,
            schedule: Schedule::new(),
            next_safepoint_ticks: 0,
            leave_at_ticks: 0,
            position: Position::NONE,
            search_mode: SearchMode::default(),
            incremental: Incremental::new(),
            trap_tests: TrapTests::default(),
        };
        machine.add_globals();
        machine
    }

    /// The program that the machine runs.
    pub fn program(&self) -> &Rc<Program> {
        &self.image.program
    }

    /// The call stack, outermost frame first.
    pub fn frames(&self) -> &[Frame] {
        &self.stack.frames
    }

    /// The registers of a frame.
    pub fn registers(&self, frame: usize) -> &[Value] {
        let Some(f) = self.stack.frames.get(frame) else {
            return &[];
        };
        let count = self
            .function(f.function)
            .map_or(0, |f| f.register_count as usize);
        let base = f.base as usize;
        &self.stack.registers[base..self.stack.registers.len().min(base + count)]
    }

    /// Changes a register of a frame, such as a local at a stop; does nothing if there is no such frame.
    pub fn set_register(&mut self, frame: usize, register: u16, value: Value) {
        self.stack.set_register(frame, register, value);
    }

    /// The value returned by the call that just ended.
    pub fn return_value(&self) -> Value {
        self.stack
            .registers
            .get(self.stack.return_slot)
            .copied()
            .unwrap_or(Value::NOTHING)
    }

    /// The function with this id, including redefined ones that are still on the stack.
    pub fn function(&self, id: FunctionId) -> Option<&Rc<Function>> {
        self.image.program.function(id)
    }

    /// Whether the id refers to exactly this function. The same function can have different ids in
    /// different programs.
    #[inline]
    pub fn is_same_function(&self, id: FunctionId, function: &Rc<Function>) -> bool {
        self.function(id).is_some_and(|f| Rc::ptr_eq(f, function))
    }

    /// Formats a value as in the source code of its language.
    pub fn format_value(&self, value: Value) -> String {
        self.values().format(value)
    }

    /// Formats a value as it is printed: a string has no quotes.
    fn format_output(&self, value: Value) -> String {
        let program = &self.image.program;
        (program.format_value)(program, &self.store, value, false)
    }

    /// The values of the game, for instructions that only read them.
    #[inline]
    fn values(&self) -> ValueContext<'_> {
        ValueContext {
            program: &self.image.program,
            store: &self.store,
        }
    }

    /// The content of a cell of a grid that is a value, or `None` if the grid has no such cell.
    pub fn try_grid_cell(&self, grid: Value, row: Value, col: Value, from: u8) -> Option<Value> {
        grid_cell(self.values(), grid, row, col, from).ok()
    }

    /// Function and next instruction of the top frame.
    pub fn current_location(&self) -> Option<(FunctionId, u32)> {
        self.stack.frames.last().map(|f| (f.function, f.pc))
    }

    /// The next instruction of the top frame. Traps are not visible in it.
    pub fn next_instruction(&self) -> Option<Instr> {
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
        self.stack.frames.is_empty()
    }

    /// A flag that, once set, pauses the run at the next safepoint.
    pub fn interrupt_flag(&self) -> Arc<AtomicBool> {
        self.schedule.interrupt_flag.clone()
    }

    /// Clears the interrupt flag and returns whether it was set; for callers whose runs are too
    /// short to reach a safepoint.
    pub fn take_interrupt(&self) -> bool {
        self.schedule.take_interrupt()
    }

    /// Pauses the run at a time as if by Ctrl-C; `None` cancels.
    pub fn interrupt_at(&mut self, time: Option<u64>) {
        self.schedule.interrupt_at = time.unwrap_or(u64::MAX);
    }

    /// Replaces the interrupt flag.
    pub fn set_interrupt_flag(&mut self, flag: Arc<AtomicBool>) {
        self.schedule.interrupt_flag = flag;
    }

    /// Whether the next instruction has a trap.
    #[inline]
    pub fn is_at_trap(&self) -> bool {
        self.current_location().is_some_and(|(function, pc)| {
            let patched = self.image.patched.of(function);
            patched.is_some_and(|code| code.has_trap_at(pc))
        })
    }
}
