//! Runs code: frames, store, chance, effects. It can pause anywhere, and go back anywhere.
//!
//! Frames lie in the machine, never on the stack of Rust: pausing is returning from [`Machine::run`].
//! Time is the number of instructions done. All that a run depends on is in the state or in the recorded
//! inputs, so running again from a checkpoint gives the same again, to the bit.

mod chance;
mod checkpoint;
mod effect;
mod fault;
mod grid;
mod mark;
mod number;
mod piece;
mod record;
mod run;
mod walk;
mod watch;

pub use chance::Chance;
pub use checkpoint::Checkpoint;
pub use effect::{Channel, Draw, Log, Output, Written};
pub use fault::{CODES, Fault};
pub use watch::{Until, Unwatched, Watch};

use crate::code::{Event, Function, FunctionId, Instr, Program, Reg};
use crate::source::Span;
use crate::value::{Store, Text, Value};
use checkpoint::Segment;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// The frame that a call from outside looks into.
#[derive(Clone, PartialEq, Debug)]
struct Inside {
    frame: usize,
    locals: Rc<[Reg]>,
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
        Limits { steps: 0, calls: 1_000_000, memory: 1 << 30, history: 256 << 20 }
    }
}

/// A function as the loop sees it: pointers into `Program`, or into patched code with traps.
#[derive(Clone, Copy)]
struct Live {
    code: *const Instr,
    /// Without traps.
    original: *const Instr,
    constants: *const Value,
    registers: u32,
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
    inside: Option<Inside>,
    /// The fewest frames there were since the last checkpoint: the ones below the last of these are as they were.
    low: usize,
    /// The stack as it was at the last checkpoint.
    kept: Option<Rc<Segment>>,
    time: u64,
    /// When the loop looks up from its work next.
    look_at: u64,
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
pub const CHECKPOINT_STEPS: u64 = 500_000;

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

    /// Makes `program` the one that runs. Frames going on keep their function's number: whoever changes a
    /// function that is on the stack gives the old code a number of its own first (see [`Machine::renumber`]).
    pub fn install(&mut self, program: Rc<Program>) {
        self.patched.clear();
        self.program = program;
        self.link();
        if self.store.globals.len() < self.program.globals.len() {
            self.store.globals.resize(self.program.globals.len(), Value::NOTHING);
        }
        self.kind_of = numbered(self.program.kinds.iter().map(|k| k.name));
        self.owner_of = numbered(self.program.owners.iter().copied());
        self.kind_names = self.program.kinds.iter().map(|k| Value::text(k.name)).collect();
        let number = |f: Option<FunctionId>| f.map_or(u32::MAX, |f| f.0);
        self.handlers = self.program.kinds.iter().map(|k| k.handlers.map(number)).collect();
        self.any_on_turn = self.program.kinds.iter().any(|k| k.handlers[Event::Turn as usize].is_some());
    }

    fn link(&mut self) {
        self.live = self
            .program
            .functions
            .iter()
            .map(|f| Live {
                code: f.code.as_ptr(),
                original: f.code.as_ptr(),
                constants: f.constants.as_ptr(),
                registers: f.registers as u32,
            })
            .collect();
        for (id, code) in &self.patched {
            self.live[id.0 as usize].code = code.as_ptr();
        }
    }

    /// Tells frames that their function has got another number.
    pub fn renumber(&mut self, of: impl Fn(FunctionId) -> FunctionId) {
        for frame in &mut self.frames {
            frame.function = of(frame.function);
        }
        self.low = 0;
        self.kept = None;
    }

    /// Pauses the plain run before these instructions, and before no others.
    pub fn trap(&mut self, places: &[(FunctionId, u32)]) {
        self.patched.clear();
        for &(function, pc) in places {
            let Some(original) = self.program.function(function) else { continue };
            let at = match self.patched.iter().position(|(id, _)| *id == function) {
                Some(at) => at,
                None => {
                    self.patched.push((function, original.code.clone().into()));
                    self.patched.len() - 1
                }
            };
            if let Some(instr) = self.patched[at].1.get_mut(pc as usize) {
                *instr = Instr::Trap;
            }
        }
        self.link();
    }

    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The registers of a frame.
    pub fn registers(&self, frame: usize) -> &[Value] {
        let Some(f) = self.frames.get(frame) else { return &[] };
        let count = self.function(f.function).map_or(0, |f| f.registers as usize);
        let base = f.base as usize;
        &self.registers[base..self.registers.len().min(base + count)]
    }

    pub fn set_register(&mut self, frame: usize, register: u16, value: Value) {
        let Some(f) = self.frames.get(frame) else { return };
        let at = f.base as usize + register as usize;
        if let Some(slot) = self.registers.get_mut(at) {
            *slot = value;
            self.low = self.low.min(frame + 1);
        }
    }

    /// The value that the call which has just ended gave back.
    pub fn given_back(&self) -> Value {
        self.registers.get(self.given_at).copied().unwrap_or(Value::NOTHING)
    }

    pub fn function(&self, id: FunctionId) -> Option<&Rc<Function>> {
        self.program.function(id)
    }

    /// Where the top frame is.
    pub fn at(&self) -> Option<(FunctionId, u32)> {
        self.frames.last().map(|f| (f.function, f.pc))
    }

    /// Where to point for an instruction.
    pub fn span_of(&self, function: FunctionId, pc: u32) -> Option<Span> {
        self.function(function)?.spans.get(pc as usize).copied()
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

    /// From here on what happens is new: what the log holds beyond this moment is forgotten.
    pub fn branch(&mut self) {
        self.log.cut(self.written);
    }

    /// How much the log holds, to be given to [`Machine::cut_log`] after a look.
    pub fn log_lengths(&self) -> Written {
        let log = &self.log;
        Written { outputs: log.outputs.len() as u32, draws: log.draws.len() as u32, answers: log.answers.len() as u32 }
    }

    /// Forgets what was only said while somebody looked.
    pub fn cut_log(&mut self, lengths: Written) {
        self.log.cut(lengths);
    }

    /// A flag that, once set, pauses the run.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }

    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = flag;
    }

    /// Pauses the run at a time as if it were stopped from the keyboard there; `None` forgets it.
    pub fn stop_at(&mut self, time: Option<u64>) {
        self.stop_at = time.unwrap_or(u64::MAX);
    }

    /// Begins a call from outside on top of a stopped frame, whose registers `locals` it gets as its arguments
    /// and writes back when it is done.
    pub fn start_inside(&mut self, function: FunctionId, frame: usize, locals: Rc<[Reg]>) -> Result<(), Box<Fault>> {
        let registers = self.registers(frame);
        let arguments: Vec<Value> =
            locals.iter().map(|&r| registers.get(r as usize).copied().unwrap_or(Value::NOTHING)).collect();
        let me = self.frames.get(frame).map_or(Value::NOTHING, |f| f.me);
        self.start(function, &arguments)?;
        if let Some(top) = self.frames.last_mut() {
            top.me = me;
        }
        self.inside = Some(Inside { frame, locals });
        Ok(())
    }

    /// A call from outside is done: what it made of the locals goes back to their frame.
    fn leave_inside(&mut self, base: usize) {
        self.floor = 0;
        let Some(inside) = self.inside.take() else { return };
        for (n, &register) in inside.locals.iter().enumerate() {
            if let Some(&value) = self.registers.get(base + n) {
                self.set_register(inside.frame, register, value);
            }
        }
    }

    /// Begins a call from outside; [`Machine::run`] does it.
    pub fn start(&mut self, function: FunctionId, arguments: &[Value]) -> Result<(), Box<Fault>> {
        let Some(f) = self.function(function) else {
            return Err(Fault::new("RT018", "there is nothing to run"));
        };
        let (need, calls) = (f.registers as usize, self.frames.last().map_or(0, |f| f.calls));
        if self.frames.is_empty() {
            self.entry_time = self.time;
        }
        let base = self.top();
        self.floor = self.frames.len();
        self.registers.resize(self.registers.len().max(base + need.max(arguments.len())), Value::NOTHING);
        self.registers[base..base + arguments.len()].copy_from_slice(arguments);
        let me = self.frames.last().map_or(Value::NOTHING, |f| f.me);
        self.frames.push(Frame { function, pc: 0, base: base as u32, calls, me });
        Ok(())
    }

    /// Where the registers of the next frame would begin.
    fn top(&self) -> usize {
        self.frames.last().map_or(0, |f| f.base as usize + self.live[f.function.0 as usize].registers as usize)
    }

    /// Gives up the call going on, and all it was called from, down to `depth` frames.
    pub fn abandon(&mut self, depth: usize) {
        self.frames.truncate(depth);
        self.low = self.low.min(depth);
    }

    /// Answers the question that the run ended with; the message says what is wrong with the answer.
    pub fn answer(&mut self, what: u8, line: &str) -> Result<(), String> {
        (self.program.read)(&self.program, &mut Store::default(), what, line)?;
        self.log.answers.truncate(self.written.answers as usize);
        self.log.answers.push(line.into());
        Ok(())
    }

    /// Runs until something happens. A trap at the very place where it stands does not count.
    pub fn run(&mut self) -> Outcome {
        self.run_until(u64::MAX)
    }

    /// Runs until something happens, at the latest until `time`, exactly.
    pub fn run_until(&mut self, time: u64) -> Outcome {
        if self.time >= time {
            return Outcome::Paused(Pause::Time);
        }
        // Off the place where it stands, which may be trapped.
        let next = self.time + 1;
        match self.watched(&mut Until(next)) {
            Outcome::Paused(Pause::Watcher) => {}
            other => return other,
        }
        // The plain loop looks at the clock only where code goes back, calls or returns: no further than the longest function.
        let longest = self.program.functions.iter().map(|f| f.code.len()).max().unwrap_or(0) as u64 + 1;
        let early = time.saturating_sub(longest);
        if self.time < early {
            match self.dispatch(&mut Unwatched, early) {
                Outcome::Paused(Pause::Time) => {}
                other => return other,
            }
        }
        match self.traps_until(time) {
            Outcome::Paused(Pause::Watcher) => Outcome::Paused(Pause::Time),
            other => other,
        }
    }

    /// The last instructions before a time, one by one, traps heeded.
    fn traps_until(&mut self, time: u64) -> Outcome {
        while self.time < time {
            if self.is_trapped() {
                return Outcome::Paused(Pause::Trap);
            }
            let next = self.time + 1;
            match self.watched(&mut Until(next)) {
                Outcome::Paused(Pause::Watcher) => {}
                other => return other,
            }
        }
        Outcome::Paused(Pause::Watcher)
    }

    fn is_trapped(&self) -> bool {
        self.at().is_some_and(|(function, pc)| {
            self.patched.iter().any(|(id, code)| *id == function && code.get(pc as usize) == Some(&Instr::Trap))
        })
    }

    /// Runs with somebody looking on, who may pause it anywhere; traps are not heeded.
    pub fn watched<W: Watch>(&mut self, watcher: &mut W) -> Outcome {
        self.dispatch(watcher, u64::MAX)
    }

    /// When the loop has to look up from its work.
    fn next_look(&self, limit: u64) -> u64 {
        let checkpoint = if self.recording { self.next_checkpoint.max(self.time + 1) } else { u64::MAX };
        limit.min(self.time + LOOK_UP).min(checkpoint).min(self.stop_at)
    }

    /// Looks up from the work; says what is to be done if it can't go on.
    #[cold]
    fn look_up(&mut self, limit: u64) -> Option<Outcome> {
        if self.interrupt.swap(false, Ordering::Relaxed) || self.time >= self.stop_at {
            self.stop_at = u64::MAX;
            return Some(Outcome::Paused(Pause::Interrupt));
        }
        if self.limits.steps > 0 && self.time - self.entry_time > self.limits.steps {
            let message = format!("stopped after {} steps without an end", self.time - self.entry_time);
            let note = "a loop that never ends? `--steps N` allows more, `--steps 0` any number";
            return Some(Outcome::Failed(Fault::new("RT019", message).note(note)));
        }
        if self.memory() > self.limits.memory {
            return Some(Outcome::Failed(self.out_of_memory()));
        }
        if self.recording && self.time >= self.next_checkpoint {
            self.take();
        }
        (self.time >= limit).then_some(Outcome::Paused(Pause::Time))
    }

    /// Bytes that the run holds, about.
    pub fn memory(&self) -> u64 {
        let stack = self.frames.len() * size_of::<Frame>() + self.registers.len() * size_of::<Value>();
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

fn numbered(names: impl Iterator<Item = Text>) -> Vec<u16> {
    let mut table = Vec::new();
    for (i, name) in names.enumerate() {
        let at = name.number() as usize;
        if table.len() <= at {
            table.resize(at + 1, NONE);
        }
        // The first of a name counts.
        if table[at] == NONE {
            table[at] = i as u16;
        }
    }
    table
}
