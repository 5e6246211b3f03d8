//! Counts how often each instruction runs and how often each test is true, while the machine runs.

use crate::code::{Function, FunctionId, FunctionKind, Instr, Reg, ValueInfo, ValueLoc};
use crate::machine::{Machine, Observer};
use crate::source::Span;
use crate::value::Value;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Counts what runs.
#[derive(Default)]
pub struct CodeCounter {
    functions: Vec<CountedFunction>,
    /// The index in `functions` of the code that a function id had last.
    by_id: Vec<Option<usize>>,
    /// The index in `functions` of each function, by its address. The functions are kept alive, so no
    /// address is used twice.
    by_address: HashMap<*const Function, usize>,
    /// Jumps whose outcome the next instruction of their frame will show, outermost frame first.
    pending: Vec<PendingJump>,
}

/// A jump that has run, in the frame at a stack depth.
struct PendingJump {
    depth: usize,
    function: usize,
    pc: u32,
}

/// A function with its counts.
pub(crate) struct CountedFunction {
    pub(crate) function: Rc<Function>,
    /// How often each instruction ran.
    pub(crate) executed: Vec<u64>,
    /// The tests, in the order of their instructions.
    pub(crate) tests: Vec<TestCount>,
    /// For each instruction, the index of its test, or `NO_TEST`.
    test_at: Vec<u32>,
}

/// Marks an instruction that tests nothing.
const NO_TEST: u32 = u32::MAX;

/// An instruction that tests a condition, and how often it was true and false.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestCount {
    /// The condition in the source.
    pub(crate) span: Span,
    /// How its value is known.
    pub(crate) kind: TestKind,
    /// How often it was true.
    pub(crate) true_count: u64,
    /// How often it was false.
    pub(crate) false_count: u64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum TestKind {
    /// In a register, before a jump.
    Register(Reg),
    /// In a register, and the result of a function.
    Result(Reg),
    /// In a register, and an operand that may decide a longer condition.
    Operand(Reg),
    /// The jump itself compares; its value is this if the jump is taken.
    Fused { if_taken: bool },
}

/// What the value of a condition is used for, the most important first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Purpose {
    /// It decides which code runs next.
    #[default]
    Decision,
    /// It is the result of a function.
    Result,
    /// It is an operand of another condition.
    Operand,
}

impl TestCount {
    /// What its value is used for.
    pub(crate) fn purpose(&self) -> Purpose {
        match self.kind {
            TestKind::Register(_) | TestKind::Fused { .. } => Purpose::Decision,
            TestKind::Result(_) => Purpose::Result,
            TestKind::Operand(_) => Purpose::Operand,
        }
    }

    fn add(&mut self, value: Option<bool>) {
        match value {
            Some(true) => self.true_count += 1,
            Some(false) => self.false_count += 1,
            // Not a bool: the jump fails.
            None => {}
        }
    }
}

impl CountedFunction {
    /// A function that has not run.
    pub(crate) fn new(function: &Rc<Function>) -> CountedFunction {
        let mut test_at = vec![NO_TEST; function.code.len()];
        let mut tests = Vec::new();
        for (pc, span, kind) in tests_of(function) {
            test_at[pc] = tests.len() as u32;
            tests.push(TestCount {
                span,
                kind,
                true_count: 0,
                false_count: 0,
            });
        }
        CountedFunction {
            executed: vec![0; function.code.len()],
            function: function.clone(),
            tests,
            test_at,
        }
    }

    /// The test at an instruction, if it is one.
    pub(crate) fn test(&self, pc: u32) -> Option<TestCount> {
        let index = *self.test_at.get(pc as usize)?;
        self.tests.get(index as usize).copied()
    }

    /// The instructions that are tests.
    pub(crate) fn tested_pcs(&self) -> impl Iterator<Item = u32> {
        let tests = (0..).zip(&self.test_at);
        tests.filter_map(|(pc, test)| (*test != NO_TEST).then_some(pc))
    }

    /// An instruction has run; if it is a test, its value was this. Returns whether nothing more can be
    /// learned from it.
    pub(crate) fn note(&mut self, pc: u32, value: Option<bool>) -> bool {
        if let Some(count) = self.executed.get_mut(pc as usize) {
            *count += 1;
        }
        let Some(test) = self.test_mut(pc) else {
            return true;
        };
        test.add(value);
        // A function whose results are not bools never returns one.
        value.is_none() || test.true_count > 0 && test.false_count > 0
    }

    fn test_mut(&mut self, pc: u32) -> Option<&mut TestCount> {
        let index = *self.test_at.get(pc as usize)?;
        self.tests.get_mut(index as usize)
    }
}

/// The instructions of a function that test a condition of the source. The rules decide what happens
/// without the program's conditions.
fn tests_of(function: &Function) -> Vec<(usize, Span, TestKind)> {
    if function.kind == FunctionKind::Rules {
        return Vec::new();
    }
    // The compiler's own tests are in registers that hold no value of the source.
    let recorded: HashSet<(Span, Reg)> = function
        .value_infos
        .iter()
        .filter_map(|info| match info.loc {
            ValueLoc::Register(register) => Some((info.span, register)),
            _ => None,
        })
        .collect();
    let to_test = |(pc, instr): (usize, &Instr)| {
        let fused = function
            .value_infos_at(pc as u32)
            .find_map(|info| match info.loc {
                ValueLoc::JumpTest { if_taken } => Some((info.span, if_taken)),
                _ => None,
            });
        if let Some((span, if_taken)) = fused {
            // A jump to the next instruction does not show its outcome.
            let is_shown = instr.target() != Some(pc as u32 + 1);
            return is_shown.then_some((pc, span, TestKind::Fused { if_taken }));
        }
        let span = *function.spans.get(pc)?;
        match *instr {
            Instr::JumpIf { a, to } | Instr::JumpUnless { a, to } => {
                // A jump to where the same register is the value of a longer expression.
                let mut infos = function.value_infos_at(to).filter(|info| !info.after);
                let is_operand =
                    infos.any(|info| info.loc == ValueLoc::Register(a) && info.span.contains(span));
                let kind = match is_operand {
                    true => TestKind::Operand(a),
                    false => TestKind::Register(a),
                };
                recorded.contains(&(span, a)).then_some((pc, span, kind))
            }
            Instr::Return { src } if function.kind != FunctionKind::Entry => {
                let value = stored_value(function, pc as u32, src)?;
                Some((pc, value, TestKind::Result(src)))
            }
            // `win {left == 0}`
            Instr::SetGlobal { src, .. } if function.kind == FunctionKind::Condition => {
                let value = stored_value(function, pc as u32, src)?;
                Some((pc, value, TestKind::Result(src)))
            }
            _ => None,
        }
    };
    let instructions = function.code.iter().enumerate();
    instructions.filter_map(to_test).collect()
}

/// The expression whose value is returned or assigned at `pc`; `None` for a constant.
fn stored_value(function: &Function, pc: u32, register: Reg) -> Option<Span> {
    let ready = function.value_infos_at(pc).filter(|info| !info.after);
    let computed = pc.checked_sub(1).into_iter();
    let computed = computed.flat_map(|pc| function.value_infos_at(pc).filter(|info| info.after));
    let is_stored = |info: &&ValueInfo| info.loc == ValueLoc::Register(register);
    let values = ready.chain(computed).filter(is_stored);
    values
        .map(|info| info.span)
        .max_by_key(|span| span.end - span.start)
}

impl CodeCounter {
    /// The functions that ran, in the order in which they first did.
    pub(crate) fn functions(&self) -> &[CountedFunction] {
        &self.functions
    }

    /// Something else starts: what ran before does not continue.
    pub fn begin_run(&mut self) {
        self.pending.clear();
    }

    /// The index in `functions` of the code that a function has now.
    fn index_of(&mut self, id: FunctionId, function: &Rc<Function>) -> usize {
        let slot = id.0 as usize;
        let last = self.by_id.get(slot).copied().flatten();
        if let Some(index) = last
            && Rc::ptr_eq(&self.functions[index].function, function)
        {
            return index;
        }
        let functions = &mut self.functions;
        let address = Rc::as_ptr(function);
        let index = *self.by_address.entry(address).or_insert_with(|| {
            functions.push(CountedFunction::new(function));
            functions.len() - 1
        });
        if self.by_id.len() <= slot {
            self.by_id.resize(slot + 1, None);
        }
        self.by_id[slot] = Some(index);
        index
    }

    /// Counts the outcome of the last jump of the frame at the top, if it is still to come.
    fn settle_jump(&mut self, depth: usize, function: usize, next_pc: u32) {
        while self.pending.last().is_some_and(|jump| jump.depth > depth) {
            self.pending.pop();
        }
        let Some(jump) = self.pending.pop_if(|jump| jump.depth == depth) else {
            return;
        };
        let counted = &mut self.functions[function];
        let taken = counted.function.was_jump_taken(jump.pc, next_pc);
        if jump.function == function
            && let (Some(taken), Some(test)) = (taken, counted.test_mut(jump.pc))
            && let TestKind::Fused { if_taken } = test.kind
        {
            test.add(Some(taken == if_taken));
        }
    }
}

impl Observer for CodeCounter {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let Some((id, pc)) = machine.current_location() else {
            return false;
        };
        let Some(function) = machine.function(id) else {
            return false;
        };
        let depth = machine.frames().len();
        let index = self.index_of(id, function);
        if !self.pending.is_empty() {
            self.settle_jump(depth, index, pc);
        }
        let counted = &mut self.functions[index];
        if let Some(count) = counted.executed.get_mut(pc as usize) {
            *count += 1;
        }
        let Some(test) = counted.test_mut(pc) else {
            return false;
        };
        match test.kind {
            TestKind::Register(register)
            | TestKind::Result(register)
            | TestKind::Operand(register) => {
                let registers = machine.registers(depth - 1);
                let value = registers.get(register as usize).copied();
                test.add(value.and_then(Value::as_bool));
            }
            TestKind::Fused { .. } => self.pending.push(PendingJump {
                depth,
                function: index,
                pc,
            }),
        }
        false
    }
}
