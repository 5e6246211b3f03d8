//! Which global variables a function may read, judged from its code and that of the functions it calls.

use crate::code::{FunctionId, Instr, Program};
use std::collections::BTreeSet;

/// The global variables that a function and the functions it calls may read.
pub(super) enum GlobalsRead {
    /// Possibly all: not everything that it runs or formats is known from its code.
    All,
    /// At most these.
    Only(BTreeSet<u32>),
}

impl GlobalsRead {
    /// What a function of a program may read.
    pub(super) fn of(program: &Program, function: FunctionId) -> GlobalsRead {
        let (mut globals, mut seen) = (BTreeSet::new(), BTreeSet::from([function]));
        let mut pending = vec![function];
        while let Some(id) = pending.pop() {
            let Some(function) = program.function(id) else {
                return GlobalsRead::All;
            };
            for instr in &function.code {
                match instr {
                    Instr::Call { function, .. } if seen.insert(*function) => {
                        pending.push(*function);
                    }
                    // These run handlers, or format values, which may look at the whole game.
                    Instr::SendClick { .. }
                    | Instr::SendTurn { .. }
                    | Instr::ToString { .. }
                    | Instr::Print { .. }
                    | Instr::Display { .. }
                    | Instr::Info { .. }
                    | Instr::Ask { .. }
                    | Instr::Fail { with: true, .. } => return GlobalsRead::All,
                    _ => globals.extend(instr.global_read().or(instr.global_written())),
                }
            }
        }
        match globals.is_empty() {
            // The value may stand for something that is drawn from the variables.
            true => GlobalsRead::All,
            false => GlobalsRead::Only(globals),
        }
    }

    pub(super) fn may_contain(&self, global: u32) -> bool {
        match self {
            GlobalsRead::All => true,
            GlobalsRead::Only(globals) => globals.contains(&global),
        }
    }
}
