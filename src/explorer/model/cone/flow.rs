//! Follows the value of a variable through the registers of a function, and says what is done with it.

use super::Variable;
use crate::code::flow::{Control, Flow};
use crate::code::{Function, Instr, Program, Reg};
use std::collections::BTreeSet;

/// The variable whose value an instruction loads.
pub(super) fn source(instr: &Instr) -> Option<Variable> {
    match *instr {
        Instr::Item { item, .. } => Some(Variable::Field(item)),
        _ => instr.flow().global_loaded().map(Variable::Global),
    }
}

/// What an instruction does with a value that depends on a variable.
pub(super) enum UseKind {
    /// Only computes another value in a register.
    Harmless,
    /// Only shows it.
    Output,
    /// Stores it in other variables.
    Stored(Vec<Variable>),
    /// Anything else.
    Decisive,
}

pub(super) struct Use {
    pub kind: UseKind,
    /// If the value is a list, it is only read.
    pub is_read_only_list: bool,
}

pub(super) fn classify(instr: &Instr, tainted: &BTreeSet<Reg>) -> Use {
    use Instr::*;
    let kind = match *instr {
        Move { .. }
        | Copy { .. }
        | Assign { appends: false, .. }
        | Subtract { .. }
        | AddInt { .. }
        | SubtractInt { .. }
        | DivideInt { .. }
        | RemainderInt { .. }
        | Negate { .. }
        | ToFloat { .. }
        | Less { .. }
        | LessEqual { .. }
        | Equal { .. }
        | EqualAnyType { .. }
        | Not { .. }
        | ToString { .. }
        | Concat { .. } => UseKind::Harmless,
        // Whether it may overflow is known from `Overflows`. What is a list or a text grows with each sum of
        // two of them.
        Add { a, b, .. } if !(tainted.contains(&a) && tainted.contains(&b)) => UseKind::Harmless,
        Output { .. } => UseKind::Output,
        // Whether it fits into a list is known from the types of all items: see `Uses::of`.
        SetGlobal { global, .. } | AssignGlobal { global, .. } => {
            UseKind::Stored(vec![Variable::Global(global)])
        }
        // The record itself decides what is changed.
        SetItem { of, item, .. } if !tainted.contains(&of) => {
            UseKind::Stored(vec![Variable::Field(item)])
        }
        Record { first, count, .. } => {
            let fields = (0..count).filter(|n| tainted.contains(&(first + n)));
            UseKind::Stored(fields.map(Variable::Field).collect())
        }
        _ => UseKind::Decisive,
    };
    let is_read_only_list = matches!(
        instr,
        Move { .. }
            | Copy { .. }
            | Index { .. }
            | Length { .. }
            | ItemsStart { .. }
            | ItemsNext { .. }
            | CollectTurnPieces { .. }
            | Output { .. }
    );
    Use {
        kind,
        is_read_only_list,
    }
}

/// The instructions that read a value which depends on a variable, with the registers that hold such
/// values before the instruction. `start` are those at the start of the function.
pub(super) fn tainted_reads(
    program: &Program,
    function: &Function,
    start: BTreeSet<Reg>,
    variable: Option<Variable>,
) -> Vec<(u32, Instr, BTreeSet<Reg>)> {
    let count = function.code.len();
    let mut before: Vec<Option<BTreeSet<Reg>>> = vec![None; count];
    let mut pending = vec![0u32];
    if let Some(first) = before.first_mut() {
        *first = Some(start);
    }
    while let Some(pc) = pending.pop() {
        let instr = function.code[pc as usize];
        let after = transfer(program, &instr, before[pc as usize].as_ref(), variable);
        for to in function.successors(pc) {
            let Some(there) = before.get_mut(to as usize) else {
                continue;
            };
            let grows = match there {
                None => true,
                Some(there) => !after.is_subset(there),
            };
            if grows {
                there.get_or_insert_default().extend(&after);
                pending.push(to);
            }
        }
    }
    let reads = |(pc, (instr, before)): (u32, (&Instr, Option<BTreeSet<Reg>>))| {
        let tainted = before.filter(|t| reads_any(program, instr, t))?;
        Some((pc, *instr, tainted))
    };
    let code = (0..).zip(function.code.iter().zip(before));
    code.filter_map(reads).collect()
}

/// The registers that an instruction reads, including the arguments of a call.
fn registers_read(program: &Program, instr: &Instr, flow: &Flow) -> Vec<Reg> {
    let mut registers: Vec<Reg> = flow.reads.iter().collect();
    if let Control::Call { function, base } = flow.control
        && let Some(call) = program.call_registers(function, base)
    {
        registers.extend(call.reads);
    }
    // `Assign` compares the type of the old value only.
    if let Instr::Assign {
        src,
        appends: false,
        ..
    } = *instr
    {
        registers = vec![src];
    }
    registers
}

fn reads_any(program: &Program, instr: &Instr, tainted: &BTreeSet<Reg>) -> bool {
    let flow = instr.flow();
    let registers = registers_read(program, instr, &flow);
    registers.iter().any(|register| tainted.contains(register))
}

/// The registers that depend on the variable after an instruction.
fn transfer(
    program: &Program,
    instr: &Instr,
    before: Option<&BTreeSet<Reg>>,
    variable: Option<Variable>,
) -> BTreeSet<Reg> {
    let mut tainted = before.cloned().unwrap_or_default();
    let flow = instr.flow();
    // What is done with the value elsewhere makes it decisive, so its result need not be followed.
    let propagates = reads_any(program, instr, &tainted)
        && matches!(
            classify(instr, &tainted).kind,
            UseKind::Harmless | UseKind::Output | UseKind::Stored(_)
        );
    let is_source = variable.is_some() && source(instr) == variable;
    match propagates || is_source {
        true => tainted.extend(flow.may_write()),
        false => flow.writes.iter().for_each(|register| {
            tainted.remove(&register);
        }),
    }
    if let Control::Call { function, base } = flow.control
        && let Some(call) = program.call_registers(function, base)
    {
        for register in call.writes {
            tainted.remove(&register);
        }
    }
    tainted
}
