//! Tests at traps: most pauses at a breakpoint with a condition, or at a write to something watched, have
//! no consequence. A run tests for that itself and goes on.
//!
//! A test evaluates an expression that has been compiled to bytecode, in the top frame. Only expressions
//! that change nothing but registers are evaluated, and only as far as `fast_path` executes them: that
//! neither allocates nor fails. Everything else pauses the run, so a test never has an effect and never
//! has to be taken back.

use super::fast_path::{Head, Position};
use super::image::LinkedFunction;
use super::run::ticks;
use super::{Frame, LinkedImage, Machine};
use crate::code::flow::{CLEARED_BY_CALL, Effects, Globals, Summary};
use crate::code::{FunctionId, FunctionKind, Instr, Reg};
use crate::value::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// What the code of a probe must not do: it runs without a checkpoint. Allocating is left to others by
/// the fast path.
const EFFECTS: Effects = Effects::WRITES_CELLS
    .and(Effects::WRITES_HEAP)
    .and(Effects::RESIZES)
    .and(Effects::ACTION)
    .and(Effects::DRAWS)
    .and(Effects::OUTPUT)
    .and(Effects::INPUT)
    .and(Effects::ANNOUNCES);

/// An expression that is evaluated in the top frame.
pub struct Probe {
    image: LinkedImage,
    function: FunctionId,
    /// The registers of the frame that are its arguments.
    locals: Box<[Reg]>,
    /// Whether it was compiled for a frame that runs for a piece.
    has_self: bool,
    /// Whether it calls functions, so that its program has to be the running one.
    has_calls: bool,
}

impl Probe {
    /// The expression that a function evaluates. `None` if it may do anything but read.
    pub fn new(
        image: LinkedImage,
        function: FunctionId,
        locals: &[Reg],
        has_self: bool,
    ) -> Option<Probe> {
        let summary = Summary::of(&image.program, [function]);
        let writes_globals = summary.globals_written != Globals::Only(Default::default());
        let code = image.program.function(function)?;
        let arguments = locals.len().min(code.parameter_count as usize);
        let is_entry = code.kind == FunctionKind::Entry;
        (is_entry && !writes_globals && !summary.effects.has(EFFECTS)).then(|| Probe {
            locals: locals[..arguments].into(),
            image,
            function,
            has_self,
            has_calls: summary.functions.len() > 1,
        })
    }
}

/// A probe that several traps share.
pub type SharedProbe = Rc<RefCell<Probe>>;

/// What a watchpoint watches.
#[derive(Clone)]
pub enum WatchedValue {
    /// A global variable.
    Global(u32),
    /// A register of the frame that executes the instruction.
    Register(Reg),
    /// The cell of the board with this row and column.
    Cell(i64, i64),
    /// An expression.
    Expression(SharedProbe),
}

impl WatchedValue {
    /// Whether all that is shown of a value follows from its bits: the content of an object may change
    /// without a change of them, and a piece in a variable may leave the board.
    fn is_shown_by(&self, value: Value) -> bool {
        let is_piece = value.is_piece() || value.as_piece_ref().is_some();
        let may_be_piece = !matches!(self, WatchedValue::Register(_));
        value.as_heap().is_none() && (may_be_piece || !is_piece)
    }
}

/// A watchpoint that is tested at a trap.
pub struct WatchTest {
    /// Identifies it.
    pub number: u32,
    /// What is watched.
    pub value: WatchedValue,
    /// The instruction reads it, which counts even if it does not change.
    pub is_read: bool,
    /// Its condition, as compiled for the instructions that may come next. If that is false, nothing
    /// happens. If there is none for the next instruction, the run pauses.
    pub conditions: Vec<((FunctionId, u32), SharedProbe)>,
}

/// A row or a column of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// The row with this number.
    Row(i64),
    /// The column with this number.
    Column(i64),
}

/// What is tested at an instruction with a trap.
#[derive(Default)]
pub struct TrapTest {
    /// Pauses unless all of these are false.
    pub conditions: Vec<SharedProbe>,
    /// Pauses if one of these globals has an object on the heap: assigning to it may change the object.
    pub plain_globals: Vec<u32>,
    /// Pauses if the instruction writes a cell of one of these lines.
    pub lines: Vec<Line>,
    /// The registers with the row and the column that the instruction writes, if there are `lines`.
    pub written_cell: Option<(Reg, Reg)>,
    /// Pauses after the instruction if it has changed one of these.
    pub watched: Vec<WatchTest>,
}

/// The tests of a program, by instruction.
#[derive(Default)]
pub(super) struct TrapTests {
    /// For each function, the indices of the tests of its instructions, plus 1; 0 if it is not known what
    /// to test.
    functions: Vec<(FunctionId, Vec<u32>)>,
    /// `None` to pause always.
    tests: Vec<Option<Box<TrapTest>>>,
    /// The last instruction with watched values, and the values before it.
    at: Option<usize>,
    before: Vec<(u32, Value)>,
    /// The number of frames before it, and the first register of the top one.
    frame: (usize, u32),
}

impl TrapTests {
    fn index(&self, (function, pc): (FunctionId, u32)) -> Option<usize> {
        let (_, indices) = self.functions.iter().find(|(id, _)| *id == function)?;
        (*indices.get(pc as usize)? as usize).checked_sub(1)
    }

    pub(super) fn clear(&mut self) {
        self.functions.clear();
        self.tests.clear();
    }
}

/// What a test at a trap says.
pub(super) enum TestResult {
    /// The run has to pause before the instruction.
    Pause,
    /// It need not.
    Pass,
    /// The instruction has to be executed, and compared with the values before it.
    Compare,
}

impl Machine {
    /// Whether it is known what to test at an instruction.
    pub fn has_trap_test(&self, at: (FunctionId, u32)) -> bool {
        self.trap_tests.index(at).is_some()
    }

    /// Whether the current instruction has a trap, and it is known what to test there.
    pub fn is_at_tested_trap(&self) -> bool {
        let at = self.current_location().filter(|_| self.is_at_trap());
        at.is_some_and(|at| self.has_trap_test(at))
    }

    /// Says what to test at an instruction that has a trap; `None` to pause always. Setting traps removes
    /// all tests.
    pub fn set_trap_test(&mut self, at: (FunctionId, u32), test: Option<TrapTest>) {
        let code_len = self.function(at.0).map_or(0, |f| f.code.len());
        let tests = &mut self.trap_tests;
        let known = tests.functions.iter().position(|(id, _)| *id == at.0);
        let function = known.unwrap_or_else(|| {
            tests.functions.push((at.0, vec![0; code_len]));
            tests.functions.len() - 1
        });
        tests.tests.push(test.map(Box::new));
        let index = tests.tests.len() as u32;
        if let Some(slot) = tests.functions[function].1.get_mut(at.1 as usize) {
            *slot = index;
        }
    }

    /// The watched values before the instruction at which the run has paused with
    /// [`Pause::Watch`](super::Pause::Watch).
    pub fn values_before(&self) -> &[(u32, Value)] {
        &self.trap_tests.before
    }

    /// The frame that has executed that instruction.
    pub fn tested_frame(&self) -> usize {
        self.trap_tests.frame.0.saturating_sub(1)
    }

    /// What was tested for a watchpoint at that instruction.
    pub fn watch_test(&self, number: u32) -> Option<&WatchTest> {
        let test = self.trap_tests.tests.get(self.trap_tests.at?)?.as_ref()?;
        test.watched.iter().find(|watched| watched.number == number)
    }

    /// Adds the condition of a watchpoint that has just paused the run, as compiled for the next
    /// instruction.
    pub fn add_watch_condition(&mut self, number: u32, condition: SharedProbe) {
        let Some((at, here)) = self.trap_tests.at.zip(self.current_location()) else {
            return;
        };
        if let Some(Some(test)) = self.trap_tests.tests.get_mut(at) {
            let watched = test.watched.iter_mut().filter(|w| w.number == number);
            watched.for_each(|w| w.conditions.push((here, condition.clone())));
        }
    }

    /// Tests whether to pause at the trap before the next instruction.
    pub(super) fn test_trap(&mut self) -> TestResult {
        let at = self.current_location();
        let Some(index) = at.and_then(|at| self.trap_tests.index(at)) else {
            return TestResult::Pause;
        };
        let test = self.trap_tests.tests[index].take();
        let result = test.as_ref().map(|test| self.test_before(test));
        self.trap_tests.tests[index] = test;
        self.trap_tests.at = Some(index);
        result.unwrap_or(TestResult::Pause)
    }

    fn test_before(&mut self, test: &TrapTest) -> TestResult {
        let mut conditions = test.conditions.iter();
        if !conditions.all(|probe| self.evaluate(probe) == Some(Value::FALSE)) {
            return TestResult::Pause;
        }
        let is_object = |global: &u32| {
            let value = self.store.globals.get(*global as usize);
            value.is_none_or(|value| value.as_heap().is_some())
        };
        if test.plain_globals.iter().any(is_object) {
            return TestResult::Pause;
        }
        if !test.lines.is_empty() && self.writes_line(test) {
            return TestResult::Pause;
        }
        if test.watched.is_empty() {
            return TestResult::Pass;
        }
        let base = self.stack.frames.last().map_or(0, |frame| frame.base);
        self.trap_tests.frame = (self.stack.frames.len(), base);
        self.trap_tests.before.clear();
        for watched in &test.watched {
            match self.watched_value(&watched.value) {
                Some(value) if watched.value.is_shown_by(value) => {
                    self.trap_tests.before.push((watched.number, value));
                }
                _ => return TestResult::Pause,
            }
        }
        TestResult::Compare
    }

    /// Whether the next instruction may write a cell of the lines of its test.
    fn writes_line(&self, test: &TrapTest) -> bool {
        let base = self.stack.frames.last().map_or(0, |frame| frame.base);
        let int = |register: Reg| {
            let value = self.stack.registers.get(base as usize + register as usize);
            value.and_then(|value| value.as_int())
        };
        let cell = test.written_cell;
        let Some((row, col)) = cell.and_then(|(row, col)| int(row).zip(int(col))) else {
            return true;
        };
        test.lines.iter().any(|line| match line {
            Line::Row(number) => *number == row,
            Line::Column(number) => *number == col,
        })
    }

    /// Whether to pause after an instruction that has just been executed, because it has changed what is
    /// watched there.
    pub(super) fn test_after(&mut self) -> bool {
        let Some(index) = self.trap_tests.at else {
            return true;
        };
        let test = self.trap_tests.tests[index].take();
        let mut watched = test.iter().flat_map(|test| &test.watched).enumerate();
        let pauses = watched.any(|(n, watched)| {
            let before = self.trap_tests.before[n].1;
            (watched.is_read || self.watched_value(&watched.value) != Some(before))
                && !self.is_false(watched)
        });
        self.trap_tests.tests[index] = test;
        pauses
    }

    /// Whether the condition of a watchpoint is false, as far as a test can tell.
    fn is_false(&mut self, watched: &WatchTest) -> bool {
        let here = self.current_location();
        let mut conditions = watched.conditions.iter();
        let condition = conditions.find(|(at, _)| Some(*at) == here);
        condition.is_some_and(|(_, probe)| self.evaluate(probe) == Some(Value::FALSE))
    }

    fn watched_value(&mut self, watched: &WatchedValue) -> Option<Value> {
        match watched {
            WatchedValue::Global(global) => self.store.globals.get(*global as usize).copied(),
            WatchedValue::Register(register) => {
                let (_, base) = self.trap_tests.frame;
                let index = base as usize + *register as usize;
                self.stack.registers.get(index).copied()
            }
            WatchedValue::Cell(row, col) => {
                let cell = self.store.cell_at(*row, *col)?;
                Some(self.store.cell(cell))
            }
            WatchedValue::Expression(probe) => self.evaluate(probe),
        }
    }

    /// The value of an expression in the top frame. `None` if it takes more than the fast path, or was
    /// compiled for another kind of frame. Changes nothing.
    pub fn evaluate(&mut self, probe: &RefCell<Probe>) -> Option<Value> {
        let probe = &mut *probe.try_borrow_mut().ok()?;
        let frame = *self.stack.frames.last()?;
        let has_self = frame.self_piece != Value::NOTHING;
        if has_self != probe.has_self
            || probe.image.program.globals.len() > self.store.globals.len()
        {
            return None;
        }
        let linked = *(probe.image.linked_functions).get(probe.function.0 as usize)?;
        let probe_frame = Frame {
            function: probe.function,
            pc: 0,
            base: self.stack.top(&self.image) as u32,
            ..frame
        };
        if !probe.has_calls {
            return self.run_probe(linked, &probe.locals, frame.base, probe_frame);
        }
        std::mem::swap(&mut self.image, &mut probe.image);
        let value = self.run_probe(linked, &probe.locals, frame.base, probe_frame);
        std::mem::swap(&mut self.image, &mut probe.image);
        value
    }

    /// Runs the code of a probe in `frame`, with registers of the frame below as arguments.
    fn run_probe(
        &mut self,
        linked: LinkedFunction,
        locals: &[Reg],
        locals_base: u32,
        frame: Frame,
    ) -> Option<Value> {
        let base = frame.base as usize;
        let needed = base + linked.register_count as usize + CLEARED_BY_CALL;
        if needed > self.stack.registers.len() {
            self.stack.grow_registers(needed);
        }
        let registers = &mut self.stack.registers;
        for (n, local) in locals.iter().enumerate() {
            registers[base + n] = registers[locals_base as usize + *local as usize];
        }
        registers[base + locals.len()..base + linked.register_count as usize].fill(Value::NOTHING);
        let depth = self.stack.frames.len();
        self.stack.frames.push(frame);
        let exit_depth = std::mem::replace(&mut self.stack.exit_depth, depth);
        // A run sets it again when it continues.
        self.next_safepoint_ticks = u64::MAX;
        let code = linked.code.wrapping_sub(1);
        // SAFETY: `base` is within the registers: see above.
        let registers = unsafe { self.stack.registers.as_mut_ptr().add(base) };
        let at = self.run_fast_path(Position {
            ip: linked.code,
            registers,
            constants: linked.constants,
            ahead: ticks(self.time).wrapping_sub(code as u64),
            code,
        });
        let mut head = Head::EMPTY;
        // SAFETY: the fast path ends at an instruction of the function that it executes.
        let value = match unsafe { head.of(at.ip) } {
            // SAFETY: the registers of the function exist.
            Instr::Return { src } => Some(unsafe { *at.registers.add(*src as usize) }),
            _ => None,
        };
        let has_returned = self.stack.frames.len() == depth + 1;
        self.stack.frames.truncate(depth);
        self.stack.exit_depth = exit_depth;
        value.filter(|value| has_returned && *value != Value::NOTHING)
    }
}
