//! Which arithmetic cannot overflow, as far as the code shows.
//!
//! Where an overflow is an error, a number that is only counted and shown still decides something once it
//! is too large. Variables that start small and change in small steps never get there in a game that a
//! search could reach; arithmetic on anything else may fail.

use crate::code::flow::{Control, Summary};
use crate::code::{Arithmetic, Function, FunctionId, FunctionKind, Instr, Program, Reg};
use crate::value::{Heap, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Variables that start within this distance from zero, and are only set to such values or changed in small
/// steps, count as small. Even the sum of two small numbers that have grown by as much does not overflow.
const MAX_SMALL: i64 = 1 << 28;
/// The largest step, so that growing by `MAX_SMALL` takes more than a quarter of a million of them.
const MAX_STEP: i64 = 1000;
/// Rows and columns are below this.
const MAX_SIDE: i64 = Value::MAX_SIDE as i64;
/// How often the bounds at an instruction may change before they are given up.
const MAX_CHANGES: u32 = 8;

/// How often arguments are followed into the functions that are called with them.
const MAX_ROUNDS: u32 = 4;

/// What is known about the number in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    /// It is within this distance from zero, or not a number.
    Zero(i64),
    /// It is within this distance from a value that a global has had, or not a number.
    Global(u32, i64),
    Unknown,
}

impl Bound {
    fn joined(self, other: Bound) -> Bound {
        match (self, other) {
            (Bound::Zero(a), Bound::Zero(b)) => Bound::Zero(a.max(b)),
            (Bound::Global(g, a), Bound::Global(h, b)) if g == h => Bound::Global(g, a.max(b)),
            (a, b) if a == b => a,
            _ => Bound::Unknown,
        }
    }

    fn moved(self, by: i64) -> Bound {
        match self {
            Bound::Zero(distance) if distance + by <= MAX_SMALL => Bound::Zero(distance + by),
            Bound::Global(global, distance) if distance + by <= MAX_STEP => {
                Bound::Global(global, distance + by)
            }
            _ => Bound::Unknown,
        }
    }

    fn plus(self, other: Bound) -> Bound {
        match (self, other) {
            (bound, Bound::Zero(by)) | (Bound::Zero(by), bound) => bound.moved(by),
            _ => Bound::Unknown,
        }
    }
}

type Registers = BTreeMap<Reg, Bound>;

/// The arithmetic of a program that may overflow.
pub(crate) struct Overflows {
    /// Where, by function.
    locations: HashMap<FunctionId, BTreeSet<u32>>,
}

impl Overflows {
    /// Looks at the functions of a summary. `started` are those that are not only called by others, `globals` the
    /// current values.
    pub fn of(
        program: &Program,
        summary: &Summary,
        started: &[FunctionId],
        globals: &[Value],
        heap: &Heap,
    ) -> Overflows {
        let mut overflows = Overflows {
            locations: HashMap::new(),
        };
        if program.arithmetic != Arithmetic::Checked32 {
            return overflows;
        }
        let functions = analyzed(program, summary, started);
        let small = small_globals(&functions, globals, heap);
        for (id, function, bounds) in &functions {
            for (pc, (instr, before)) in (0..).zip(function.code.iter().zip(bounds)) {
                let Some(before) = before else {
                    continue;
                };
                let is_small = |register: Reg| match bound_of(before, register) {
                    Bound::Zero(_) => true,
                    Bound::Global(global, _) => small.contains(&global),
                    Bound::Unknown => false,
                };
                let is_safe = match *instr {
                    Instr::Add { a, b, .. } | Instr::Subtract { a, b, .. } => {
                        is_small(a) && is_small(b)
                    }
                    Instr::AddInt { a, value, .. } | Instr::SubtractInt { a, value, .. } => {
                        is_small(a) && i64::from(value).abs() <= MAX_SMALL
                    }
                    Instr::Negate { a, .. } | Instr::DivideInt { a, value: -1, .. } => is_small(a),
                    _ => true,
                };
                if !is_safe {
                    overflows.locations.entry(*id).or_default().insert(pc);
                }
            }
        }
        overflows
    }

    /// Whether an instruction may fail because its result is too large.
    pub fn contains(&self, function: FunctionId, pc: u32) -> bool {
        let locations = self.locations.get(&function);
        locations.is_some_and(|locations| locations.contains(&pc))
    }
}

/// A function with what is known about the registers before each instruction.
type Analyzed<'p> = (FunctionId, &'p Function, Vec<Option<Registers>>);

/// Looks at each function, with what is known about its arguments from all calls.
fn analyzed<'p>(
    program: &'p Program,
    summary: &Summary,
    started: &[FunctionId],
) -> Vec<Analyzed<'p>> {
    let mut arguments: HashMap<FunctionId, Registers> = HashMap::new();
    let analyze = |arguments: &HashMap<FunctionId, Registers>| -> Vec<Analyzed<'p>> {
        let functions = summary.functions.iter().filter_map(|id| {
            let function: &Function = program.function(*id)?;
            let is_called = matches!(function.kind, FunctionKind::Function | FunctionKind::Rules);
            let known = arguments.get(id);
            let known = known.filter(|_| is_called && !started.contains(id));
            let start = known.cloned().unwrap_or_default();
            Some((*id, function, register_bounds(program, function, start)))
        });
        functions.collect()
    };
    // At first nothing is known about arguments. Each round knows at least as much as the one before.
    let mut functions = analyze(&arguments);
    for _ in 0..MAX_ROUNDS {
        let passed = passed_arguments(program, &functions);
        if passed == arguments {
            break;
        }
        arguments = passed;
        functions = analyze(&arguments);
    }
    functions
}

/// What is known about the arguments of each function, from all calls.
fn passed_arguments(program: &Program, functions: &[Analyzed]) -> HashMap<FunctionId, Registers> {
    let mut arguments: HashMap<FunctionId, Registers> = HashMap::new();
    for (_, function, bounds) in functions {
        for (instr, before) in function.code.iter().zip(bounds) {
            let (Control::Call { function, base }, Some(before)) = (instr.flow().control, before)
            else {
                continue;
            };
            let Some(call) = program.call_registers(function, base) else {
                continue;
            };
            let passed = call.reads.filter_map(|register| {
                let bound = bound_of(before, register);
                (bound != Bound::Unknown).then_some((register - base, bound))
            });
            let passed: Registers = passed.collect();
            let joined = match arguments.get(&function) {
                Some(known) => joined(known, &passed),
                None => passed,
            };
            arguments.insert(function, joined);
        }
    }
    arguments
}

/// The globals that start small and stay small.
fn small_globals(functions: &[Analyzed], globals: &[Value], heap: &Heap) -> BTreeSet<u32> {
    let is_small = |value: &Value| {
        heap.as_int(*value)
            .is_none_or(|number| number.abs() <= MAX_SMALL)
    };
    let mut small: BTreeSet<u32> = (0..)
        .zip(globals)
        .filter(|(_, value)| is_small(value))
        .map(|(global, _)| global)
        .collect();
    let mut writes: Vec<(u32, Bound)> = Vec::new();
    for (_, function, bounds) in functions {
        for (instr, before) in function.code.iter().zip(bounds) {
            let (Some(before), Some(global)) = (before, instr.flow().global_written()) else {
                continue;
            };
            let bound = match *instr {
                Instr::SetGlobal { src, .. } | Instr::AssignGlobal { src, .. } => {
                    bound_of(before, src)
                }
                _ => Bound::Unknown,
            };
            writes.push((global, bound));
        }
    }
    loop {
        let count = small.len();
        for (global, bound) in &writes {
            let stays_small = match bound {
                Bound::Zero(_) => true,
                Bound::Global(other, _) => small.contains(other),
                Bound::Unknown => false,
            };
            if !stays_small {
                small.remove(global);
            }
        }
        if small.len() == count {
            return small;
        }
    }
}

fn bound_of(registers: &Registers, register: Reg) -> Bound {
    registers.get(&register).copied().unwrap_or(Bound::Unknown)
}

/// What is known about the registers before each instruction; `None` where none can be executed.
fn register_bounds(
    program: &Program,
    function: &Function,
    start: Registers,
) -> Vec<Option<Registers>> {
    let mut before: Vec<Option<Registers>> = vec![None; function.code.len()];
    let mut changes = vec![0u32; function.code.len()];
    let mut pending = vec![0u32];
    if let Some(first) = before.first_mut() {
        *first = Some(start);
    }
    while let Some(pc) = pending.pop() {
        let mut after = before[pc as usize].clone().unwrap_or_default();
        execute(program, function, &function.code[pc as usize], &mut after);
        for to in function.successors(pc) {
            let Some(there) = before.get_mut(to as usize) else {
                continue;
            };
            let joined = match there.as_ref() {
                None => after.clone(),
                Some(there) => joined(there, &after),
            };
            if there.as_ref() == Some(&joined) {
                continue;
            }
            changes[to as usize] += 1;
            *there = Some(match (changes[to as usize] > MAX_CHANGES, &there) {
                // Only what has stayed the same is known.
                (true, Some(there)) => joined
                    .into_iter()
                    .filter(|(register, bound)| there.get(register) == Some(bound))
                    .collect(),
                _ => joined,
            });
            pending.push(to);
        }
    }
    before
}

/// What is known if either is the case.
fn joined(a: &Registers, b: &Registers) -> Registers {
    let both = a.iter().filter_map(|(register, bound)| {
        let joined = bound.joined(*b.get(register)?);
        (joined != Bound::Unknown).then_some((*register, joined))
    });
    both.collect()
}

/// What is known after an instruction.
fn execute(program: &Program, function: &Function, instr: &Instr, registers: &mut Registers) {
    use Instr::*;
    let get = |register: Reg| bound_of(registers, register);
    let of_value = |value: Value| match value.as_int() {
        Some(number) => Bound::Zero(0).moved(number.abs()),
        None => Bound::Zero(0),
    };
    let result = match *instr {
        Int { dst, value } => Some((dst, of_value(Value::int(value)))),
        Constant { dst, k } => {
            let value = function.constants.get(k as usize);
            Some((dst, value.map_or(Bound::Unknown, |value| of_value(*value))))
        }
        Move { dst, src } | Copy { dst, src } => Some((dst, get(src))),
        GetGlobal { dst, global } | GetDefinedGlobal { dst, global } => {
            Some((dst, Bound::Global(global, 0)))
        }
        Add { dst, a, b } | Subtract { dst, a, b } => {
            let result = match (instr, get(a), get(b)) {
                // The difference of a number and a global grows with the global.
                (Subtract { .. }, Bound::Zero(_), Bound::Global(..)) => Bound::Unknown,
                (_, a, b) => a.plus(b),
            };
            Some((dst, result))
        }
        AddInt { dst, a, value } | SubtractInt { dst, a, value } => {
            Some((dst, get(a).moved(i64::from(value).abs())))
        }
        RemainderInt { dst, value, .. } => Some((dst, of_value(Value::int(value)))),
        Less { dst, .. }
        | LessEqual { dst, .. }
        | Equal { dst, .. }
        | EqualAnyType { dst, .. }
        | Not { dst, .. }
        | NameIs { dst, .. }
        | Concat { dst, .. }
        | ToString { dst, .. }
        | Cell { dst, .. }
        | List { dst, .. } => Some((dst, Bound::Zero(0))),
        BoardSize { dst, .. } | SelfPosition { dst, .. } => Some((dst, Bound::Zero(MAX_SIDE))),
        _ => None,
    };
    for register in instr.flow().may_write() {
        registers.remove(&register);
    }
    if let Control::Call { function, base } = instr.flow().control
        && let Some(call) = program.call_registers(function, base)
    {
        for register in call.writes {
            registers.remove(&register);
        }
    }
    if let Some((register, bound)) = result.filter(|(_, bound)| *bound != Bound::Unknown) {
        registers.insert(register, bound);
    }
}
