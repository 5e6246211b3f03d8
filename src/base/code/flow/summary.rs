//! What functions do together with everything that they may call.

use super::{Control, Effects};
use crate::code::{FunctionId, PieceEvent, Program};
use std::collections::BTreeSet;

/// A set of global variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Globals {
    /// Possibly all: not everything that runs is known from the code.
    All,
    /// At most these.
    Only(BTreeSet<u32>),
}

impl Globals {
    /// Whether a global may be in the set.
    pub fn may_contain(&self, global: u32) -> bool {
        match self {
            Globals::All => true,
            Globals::Only(globals) => globals.contains(&global),
        }
    }

    fn insert(&mut self, global: Option<u32>) {
        if let Globals::Only(globals) = self {
            globals.extend(global);
        }
    }
}

/// What functions do together with everything that they may call: functions, and the handlers of the
/// events that they send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The functions themselves and those that they may call, directly or indirectly.
    pub functions: BTreeSet<FunctionId>,
    /// The globals that they may depend on.
    pub globals_read: Globals,
    /// The globals that they may change.
    pub globals_written: Globals,
    /// Everything else that they may do.
    pub effects: Effects,
}

impl Summary {
    /// Summarizes functions of a program. Takes time in proportion to their code.
    pub fn of(program: &Program, functions: impl IntoIterator<Item = FunctionId>) -> Summary {
        let mut summary = Summary {
            functions: functions.into_iter().collect(),
            globals_read: Globals::Only(BTreeSet::new()),
            globals_written: Globals::Only(BTreeSet::new()),
            effects: Effects::NONE,
        };
        let mut pending: Vec<FunctionId> = summary.functions.iter().copied().collect();
        while let Some(id) = pending.pop() {
            let Some(function) = program.function(id) else {
                (summary.globals_read, summary.globals_written) = (Globals::All, Globals::All);
                continue;
            };
            for instr in &function.code {
                let flow = instr.flow();
                summary.effects = summary.effects | flow.effects;
                summary.globals_read.insert(flow.global_read());
                summary.globals_written.insert(flow.global_written());
                pending.extend(
                    program
                        .callees(flow.control)
                        .filter(|id| summary.functions.insert(*id)),
                );
            }
        }
        if summary.effects.has(Effects::FORMATS) {
            summary.globals_read = Globals::All;
        }
        if summary.effects.has(Effects::RESIZES) {
            (summary.globals_read, summary.globals_written) = (Globals::All, Globals::All);
        }
        summary
    }
}

impl Program {
    /// The functions that an instruction may call: the callee of a call, or all handlers of an event.
    pub fn callees(&self, control: Control) -> impl Iterator<Item = FunctionId> {
        let (called, sent) = match control {
            Control::Call { function, .. } => (Some(function), None),
            Control::Send(event) => (None, Some(event)),
            _ => (None, None),
        };
        called
            .into_iter()
            .chain(sent.into_iter().flat_map(|event| self.handlers(event)))
    }

    /// The handlers of an event, of all kinds of pieces.
    pub fn handlers(&self, event: PieceEvent) -> impl Iterator<Item = FunctionId> {
        self.piece_kinds
            .iter()
            .filter_map(move |kind| kind.handlers[event as usize])
    }
}
