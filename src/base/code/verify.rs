//! Checks that a function can be executed: the dispatch loop reads registers, constants and
//! instructions without comparing their numbers with anything.
//!
//! Builds with debug assertions check every function when it is linked.

use super::flow::Control;
use super::{Function, Instr, Program, Reg};
use crate::value::InternedStr;
use std::fmt;

/// What is wrong with an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// There are more parameters than registers.
    Parameters,
    /// Execution would continue after the last instruction.
    NoEnd,
    /// A register that the function does not have.
    Register(Reg),
    /// A constant that the function does not have.
    Constant(u16),
    /// A jump out of the function.
    Target(u32),
    /// A function that the program does not have.
    Function(u32),
    /// A global variable that the program does not have.
    Global(u32),
    /// A kind of piece that the program does not have.
    Kind(u16),
    /// An instruction that only copies of the code contain.
    Patched,
}

/// The first instruction that cannot be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defect {
    /// The function.
    pub function: InternedStr,
    /// The index of the instruction.
    pub pc: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Defect {
            function,
            pc,
            problem,
        } = self;
        write!(f, "invalid bytecode: `{function}` at {pc}: {problem:?}")
    }
}

impl Function {
    /// Checks that it can be executed as a part of a program.
    pub fn verify(&self, program: &Program) -> Result<(), Defect> {
        let defect = |pc, problem| Defect {
            function: self.name,
            pc,
            problem,
        };
        if self.parameter_count > self.register_count {
            return Err(defect(0, Problem::Parameters));
        }
        for (pc, instr) in self.code.iter().enumerate() {
            let found = self.problem(program, instr);
            found.map_or(Ok(()), |problem| Err(defect(pc, problem)))?;
        }
        match self.code.last() {
            Some(last) if !last.flow().continues() => Ok(()),
            _ => Err(defect(self.code.len(), Problem::NoEnd)),
        }
    }

    fn problem(&self, program: &Program, instr: &Instr) -> Option<Problem> {
        let flow = instr.flow();
        let registers = flow.reads.iter().chain(flow.may_write());
        let register = registers.filter(|r| *r >= self.register_count).max();
        let constant = flow.constant;
        let global = flow.global_read().or(flow.global_written());
        let missing = |is_missing: bool, problem| is_missing.then_some(problem);
        let (function, base) = match flow.control {
            Control::Trap => return Some(Problem::Patched),
            Control::Call { function, base } => (Some(function), base),
            _ => (None, 0),
        };
        let kind = match *instr {
            Instr::PlaceKind { kind, .. } => Some(kind),
            _ => None,
        };
        register
            .map(Problem::Register)
            .or(missing(base > self.register_count, Problem::Register(base)))
            .or(constant
                .and_then(|k| missing(k as usize >= self.constants.len(), Problem::Constant(k))))
            .or(instr
                .target()
                .and_then(|to| missing(to as usize >= self.code.len(), Problem::Target(to))))
            .or(function
                .and_then(|id| missing(program.function(id).is_none(), Problem::Function(id.0))))
            .or(global
                .and_then(|n| missing(n as usize >= program.globals.len(), Problem::Global(n))))
            .or(kind
                .and_then(|kind| missing(program.piece_kind(kind).is_none(), Problem::Kind(kind))))
    }
}
