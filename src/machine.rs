//! Runs code: frames, store, chance, effects. It can pause anywhere, and go back anywhere.
//!
//! Frames lie in the machine, never on the stack of Rust: pausing is returning from [`Machine::run`].
//! Time is the number of instructions done. All that a run depends on is in the state or in the recorded
//! inputs, so running again from a checkpoint gives the same again, to the bit.

mod call;
mod chance;
mod checkpoint;
mod clock;
mod effect;
mod fault;
mod grid;
mod linked;
mod mark;
mod number;
mod piece;
mod record;
mod run;
mod walk;
mod watch;

pub use chance::Chance;
pub use checkpoint::{Checkpoint, Recording, room, weigh_again};
pub use effect::{Channel, Draw, Log, Output, Written};
pub use fault::{CODES, Fault};
pub use linked::Linked;
pub use watch::{Till, Until, Unwatched, Watch};

use crate::code::{Function, FunctionId, Instr, Program};
use crate::source::Span;
use crate::value::{Store, Text, Value};
use call::Inside;
use checkpoint::Segment;
use linked::Live;
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
    pub calls: u32,
    /// The piece whose handler runs, or nothing.
    pub me: Value,
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
        what: u8,
    },
    Failed(Box<Fault>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// At a place that was marked by [`Machine::trap`].
    Trap,
    /// The watcher wanted it.
    Watcher,
    /// Stopped from the keyboard.
    Interrupt,
    /// At a time given to [`Machine::run_until`].
    Time,
}

/// What a program may use up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions in one entry; 0 is no limit.
    pub steps: u64,
    /// Function calls nested in each other.
    pub calls: u32,
    /// Bytes of frames, lists, texts and output.
    pub memory: u64,
    /// Bytes of checkpoints.
    pub history: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 0,
            calls: 2_000_000,
            memory: 512 << 20,
            history: 256 << 20,
        }
    }
}

pub struct Machine {
    program: Rc<Program>,
    live: Vec<Live>,
    /// Code with traps, by function; keeps alive what `live` points to.
    patched: Vec<(FunctionId, Box<[Instr]>)>,
    pub store: Store,
    frames: Vec<Frame>,
    registers: Vec<Value>,
    /// A run ends when no more than this many frames are left.
    floor: usize,
    /// Where the value of the last call that ended lies.
    given_at: usize,
    /// Whose locals the call from outside works on.
    inside: Option<Rc<Inside>>,
    /// The fewest frames there were since the last checkpoint: the ones below the last of these are as they were.
    low: usize,
    /// The stack as it was at the last checkpoint.
    kept: Option<Rc<Segment>>,
    time: u64,
    /// When the loop looks up from its work next.
    look_at: u64,
    /// When it looks for Ctrl-C and for the limits next.
    due: u64,
    /// When the entry going on began, for the step budget.
    entry_time: u64,
    pub chance: Chance,
    log: Log,
    written: Written,
    /// Kinds and owners by the number of their name; `NONE` for others.
    kind_of: Vec<u16>,
    owner_of: Vec<u16>,
    /// The names of kinds, by number, and the name of `empty`.
    kind_names: Vec<Value>,
    no_name: Value,
    /// The functions that handle events, by kind.
    handlers: Vec<[u32; 2]>,
    /// Whether any kind has something to do when a turn begins.
    any_on_turn: bool,
    pub limits: Limits,
    interrupt: Arc<AtomicBool>,
    /// Checkpoints asked for while running, to be fetched by whoever keeps the timeline.
    taken: Vec<Checkpoint>,
    taken_bytes: u64,
    recording: bool,
    next_checkpoint: u64,
    /// When the run is to be paused as from the keyboard: what was stopped so once stops there again.
    stop_at: u64,
}

const NONE: u16 = u16::MAX;
/// How often the loop looks up from its work: for Ctrl-C, budgets and checkpoints.
const LOOK_UP: u64 = 1 << 16;
/// How many instructions lie between checkpoints of a long run.
pub const CHECKPOINT_STEPS: u64 = 250_000;
/// How many bytes may be copied for checkpoints, by the step.
const BYTES_A_STEP: u64 = 16;

impl Machine {
    pub fn new(program: Rc<Program>, seed: u64) -> Machine {
        let mut machine = Machine {
            program: program.clone(),
            live: Vec::new(),
            patched: Vec::new(),
            store: Store::default(),
            frames: Vec::new(),
            registers: Vec::new(),
            low: 0,
            kept: None,
            time: 0,
            look_at: 0,
            due: 0,
            entry_time: 0,
            chance: Chance::new(seed),
            log: Log::default(),
            written: Written::default(),
            kind_of: Vec::new(),
            owner_of: Vec::new(),
            kind_names: Vec::new(),
            no_name: Value::text(Text::new("")),
            handlers: Vec::new(),
            floor: 0,
            inside: None,
            given_at: 0,
            any_on_turn: false,
            limits: Limits::default(),
            interrupt: Arc::default(),
            taken: Vec::new(),
            taken_bytes: 0,
            recording: false,
            next_checkpoint: CHECKPOINT_STEPS,
            stop_at: u64::MAX,
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
            .map_or(0, |f| f.registers as usize);
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
            self.low = self.low.min(frame + 1);
        }
    }

    /// The value that the call which has just ended gave back.
    pub fn given_back(&self) -> Value {
        self.registers
            .get(self.given_at)
            .copied()
            .unwrap_or(Value::NOTHING)
    }

    pub fn function(&self, id: FunctionId) -> Option<&Rc<Function>> {
        self.program.function(id)
    }

    /// Whether a number means this very function. The same function may have another number in another program.
    #[inline]
    pub fn runs(&self, id: FunctionId, function: &Rc<Function>) -> bool {
        self.function(id).is_some_and(|f| Rc::ptr_eq(f, function))
    }

    /// Where the top frame is.
    pub fn at(&self) -> Option<(FunctionId, u32)> {
        self.frames.last().map(|f| (f.function, f.pc))
    }

    /// Where to point for an instruction.
    pub fn span_of(&self, function: FunctionId, pc: u32) -> Option<Span> {
        self.function(function)?.spans.get(pc as usize).copied()
    }

    /// Where the instruction stands in the text that is being done: the frame is behind it already. Which function it
    /// is can't be told later, when other programs have come.
    fn span_behind(&self) -> Option<Span> {
        let (function, pc) = self.at()?;
        self.span_of(function, pc.saturating_sub(1))
    }

    pub fn time(&self) -> u64 {
        self.time
    }

    pub fn is_idle(&self) -> bool {
        self.frames.is_empty()
    }

    pub fn log(&self) -> &Log {
        &self.log
    }

    pub fn written(&self) -> Written {
        self.written
    }

    /// From here on what happens is new: what the log holds beyond this moment is taken out of it.
    pub fn branch(&mut self) -> Log {
        self.log.split(self.written)
    }

    /// What happened after a moment is taken out of the log, and what is given comes in its place.
    pub fn rejoin(&mut self, at: Written, tail: Log) -> Log {
        let left = self.log.split(at);
        self.log.join(tail);
        left
    }

    /// How much the log holds, to be given to [`Machine::cut_log`] after a look.
    pub fn log_lengths(&self) -> Written {
        let log = &self.log;
        Written {
            outputs: log.outputs.len() as u32,
            draws: log.draws.len() as u32,
            answers: log.answers.len() as u32,
        }
    }

    /// Forgets what was only said while somebody looked.
    pub fn cut_log(&mut self, lengths: Written) {
        self.log.cut(lengths);
    }

    /// A flag that, once set, pauses the run.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }

    /// Whether that flag was set since it was last looked at; for those who run in steps too short to notice.
    pub fn was_interrupted(&self) -> bool {
        self.interrupt
            .swap(false, std::sync::atomic::Ordering::Relaxed)
    }

    /// Pauses the run at a time as if it were stopped from the keyboard there; `None` forgets it.
    pub fn stop_at(&mut self, time: Option<u64>) {
        self.stop_at = time.unwrap_or(u64::MAX);
    }

    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = flag;
    }

    /// Bytes that the run holds, about.
    pub fn memory(&self) -> u64 {
        let stack =
            self.frames.len() * size_of::<Frame>() + self.registers.len() * size_of::<Value>();
        stack as u64 + self.store.heap.bytes() + self.log.bytes
    }

    /// Finds the heap's unused slots, if it is time to.
    fn tidy(&mut self) {
        if self.store.heap.is_due() {
            self.collect();
        }
    }

    fn collect(&mut self) {
        let top = self.top();
        let roots = self.registers[..top].iter().copied();
        let globals: Vec<Value> = self.store.globals.as_slice().to_vec();
        self.store.heap.collect(roots.chain(globals));
    }
}
