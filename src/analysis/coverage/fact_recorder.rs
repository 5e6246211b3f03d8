//! Finds out which code runs at all and which conditions are ever true or false, at almost no cost: a
//! trap is removed once there is nothing left to learn at its instruction.

use super::code_counter::{CountedFunction, TestKind};
use crate::code::{FunctionId, FunctionKind, Program};
use crate::machine::{Machine, Outcome, Pause, UntilTime};
use crate::value::Value;
use std::collections::BTreeSet;

/// Notes what runs on a machine whose traps it sets. Unlike a [`super::CodeCounter`], it does not count
/// how often.
pub struct FactRecorder {
    /// The functions of the program, by their ids.
    functions: Vec<CountedFunction>,
    /// The instructions at which something can still be learned.
    open: BTreeSet<(u32, u32)>,
}

impl FactRecorder {
    /// Nothing of the program has run yet. Entries and the rules are not recorded.
    pub fn new(program: &Program) -> FactRecorder {
        let functions: Vec<CountedFunction> =
            program.functions.iter().map(CountedFunction::new).collect();
        let mut open = BTreeSet::new();
        for (id, counted) in (0..).zip(&functions) {
            let function = &counted.function;
            if matches!(function.kind, FunctionKind::Entry | FunctionKind::Rules) {
                continue;
            }
            open.extend(function.stop_points.iter().map(|stop| (id, stop.pc)));
            open.extend(counted.tested_pcs().map(|pc| (id, pc)));
        }
        FactRecorder { functions, open }
    }

    /// Makes the machine pause where something can be learned.
    pub fn set_traps(&self, machine: &mut Machine) {
        let traps: Vec<(FunctionId, u32)> = self
            .open
            .iter()
            .map(|(id, pc)| (FunctionId(*id), *pc))
            .collect();
        machine.set_traps(&traps);
    }

    /// The machine has paused at a trap: executes the instruction and notes what it shows. Returns how
    /// the run has ended, if it has.
    pub fn step_over(&mut self, machine: &mut Machine) -> Option<Outcome> {
        let location = machine.current_location();
        let depth = machine.frames().len();
        let test = location.and_then(|(id, pc)| self.functions.get(id.0 as usize)?.test(pc));
        let register = match test.map(|test| test.kind) {
            Some(
                TestKind::Register(register)
                | TestKind::Result(register)
                | TestKind::Operand(register),
            ) => {
                let registers = machine.registers(depth - 1);
                registers.get(register as usize).copied()
            }
            Some(TestKind::Fused { .. }) | None => None,
        };
        let next = machine.time() + 1;
        let outcome = match machine.run_observed(&mut UntilTime(next)) {
            Outcome::Paused(Pause::Observer) => None,
            outcome => Some(outcome),
        };
        let (id, pc) = location?;
        let counted = &mut self.functions[id.0 as usize];
        let value = match test.map(|test| test.kind) {
            Some(TestKind::Fused { if_taken }) => {
                let after = machine.current_location();
                let after = after.filter(|(after, _)| outcome.is_none() && *after == id);
                let taken = after.and_then(|(_, to)| counted.function.was_jump_taken(pc, to));
                taken.map(|taken| taken == if_taken)
            }
            _ => register.and_then(Value::as_bool),
        };
        if counted.note(pc, value) {
            self.open.remove(&(id.0, pc));
            self.set_traps(machine);
        }
        outcome
    }

    /// The functions with what is known about them.
    pub(crate) fn functions(&self) -> &[CountedFunction] {
        &self.functions
    }
}
