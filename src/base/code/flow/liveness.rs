//! Which registers of a function are still needed at an instruction.

use super::{Control, Registers};
use crate::code::{Function, Instr, Program, Reg};

/// A set of registers of one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RegisterSet(Vec<u64>);

impl RegisterSet {
    /// An empty set for the registers below `count`.
    pub fn new(count: usize) -> RegisterSet {
        RegisterSet(vec![0; count.div_ceil(64)])
    }

    /// Whether a register is in the set.
    pub fn contains(&self, register: Reg) -> bool {
        let word = self.0.get(register as usize / 64).copied();
        word.is_some_and(|word| word >> (register % 64) & 1 != 0)
    }

    /// Adds a register. Registers beyond those that the set was made for are ignored.
    pub fn insert(&mut self, register: Reg) {
        if let Some(word) = self.0.get_mut(register as usize / 64) {
            *word |= 1 << (register % 64);
        }
    }

    /// Removes a register.
    pub fn remove(&mut self, register: Reg) {
        if let Some(word) = self.0.get_mut(register as usize / 64) {
            *word &= !(1 << (register % 64));
        }
    }

    /// Adds all registers of another set; returns whether there were new ones.
    pub fn extend(&mut self, other: &RegisterSet) -> bool {
        let mut has_grown = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            has_grown |= *word | other != *word;
            *word |= other;
        }
        has_grown
    }

    /// The registers, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Reg> {
        let count = self.0.len() * 64;
        (0..count.min(Reg::MAX as usize) as Reg).filter(|r| self.contains(*r))
    }
}

/// For each instruction of a function, the registers whose values may still be read.
///
/// The values of all other registers can be changed or forgotten without an effect on the run. They
/// still keep objects on the heap alive, so they may have an effect on when slots of the heap are used
/// again.
#[derive(Clone, Debug)]
pub struct Liveness {
    before: Vec<RegisterSet>,
    code: Vec<Instr>,
}

impl Liveness {
    /// Analyzes a function; `program` says how many arguments the functions take that it calls.
    pub fn new(program: &Program, function: &Function) -> Liveness {
        let count = function.code.len();
        let successors: Vec<Vec<u32>> = (0..count as u32)
            .map(|pc| function.successors(pc))
            .collect();
        let mut predecessors = vec![Vec::new(); count];
        for (pc, successors) in successors.iter().enumerate() {
            for to in successors {
                if let Some(predecessors) = predecessors.get_mut(*to as usize) {
                    predecessors.push(pc);
                }
            }
        }
        let mut before = vec![RegisterSet::new(function.register_count as usize); count];
        let mut is_pending = vec![true; count];
        let mut pending: Vec<usize> = (0..count).collect();
        while let Some(pc) = pending.pop() {
            is_pending[pc] = false;
            let mut live = RegisterSet::new(function.register_count as usize);
            for to in &successors[pc] {
                let live_there = live_before(&before, *to);
                live.extend(&without_written(
                    program,
                    &function.code[pc],
                    (pc as u32, *to),
                    live_there,
                ));
            }
            for register in reads(program, &function.code[pc]) {
                live.insert(register);
            }
            if before[pc].extend(&live) {
                for &predecessor in &predecessors[pc] {
                    if !std::mem::replace(&mut is_pending[predecessor], true) {
                        pending.push(predecessor);
                    }
                }
            }
        }
        Liveness {
            before,
            code: function.code.clone(),
        }
    }

    /// The registers that may be read at or after `pc`, when execution is about to continue there.
    pub fn at(&self, pc: u32) -> RegisterSet {
        live_before(&self.before, pc).clone()
    }

    /// The registers of a frame that may be read after the call at `pc` returns. The registers that the
    /// call overwrites, among them the one with its result, are not included.
    pub fn during_call(&self, pc: u32) -> RegisterSet {
        let mut live = self.at(pc + 1);
        if let Some(Instr::Call { base, .. }) = self.code.get(pc as usize) {
            for register in live.iter().filter(|r| r >= base).collect::<Vec<_>>() {
                live.remove(register);
            }
        }
        for instr in &self.code {
            // The call may end by an escape.
            if let Control::Catch(to) = instr.flow().control {
                live.extend(live_before(&self.before, to));
            }
        }
        live
    }
}

static NO_REGISTERS: RegisterSet = RegisterSet(Vec::new());

fn live_before(before: &[RegisterSet], pc: u32) -> &RegisterSet {
    before.get(pc as usize).unwrap_or(&NO_REGISTERS)
}

/// All registers that an instruction reads, including the arguments of a call.
fn reads(program: &Program, instr: &Instr) -> Vec<Reg> {
    let flow = instr.flow();
    let mut reads: Vec<Reg> = flow.reads.iter().collect();
    if let Control::Call { function, base } = flow.control {
        match program.call_registers(function, base) {
            Some(call) => reads.extend(call.reads),
            None => reads.extend(base..Reg::MAX),
        }
    }
    reads
}

/// `live` without the registers that the instruction at `pc` surely writes on its way to `to`.
fn without_written(
    program: &Program,
    instr: &Instr,
    (pc, to): (u32, u32),
    live: &RegisterSet,
) -> RegisterSet {
    let flow = instr.flow();
    let is_jump = flow.jump_target() == Some(to);
    let is_next = flow.continues() && to == pc + 1;
    let on_this_path = match (is_jump, is_next) {
        (true, false) => flow.writes_if_jumping,
        (false, true) => flow.writes_if_not_jumping,
        // Both ways lead there, or neither: only what is always written is sure.
        (true, true) | (false, false) => Registers::default(),
    };
    let mut live = live.clone();
    for register in flow.writes.iter().chain(on_this_path.iter()) {
        live.remove(register);
    }
    if let (Control::Call { function, base }, true) = (flow.control, is_next)
        && let Some(call) = program.call_registers(function, base)
    {
        for register in call.writes {
            live.remove(register);
        }
    }
    live
}
