//! Which variables can matter: a cone of influence over the bytecode.
//!
//! A counter that is only read to count on, or to be printed, cannot change what happens in the game.
//! If it were part of a position, no position would ever occur twice. This analysis finds such
//! variables, and those that never change. It errs on the side of keeping a variable: every use of a
//! value that is not known to be harmless makes its variable matter.
//!
//! ```text
//! flow   follows the value of a variable through the registers of a function
//! kinds  the types of values: the items of a list have to agree in theirs
//! reads  where the program reads what makes a variable matter
//! shown  conditions that decide only what is shown
//! ```

mod flow;
mod kinds;
mod reads;
mod shown;

use super::bounds::Overflows;
use crate::code::flow::{Globals, Summary};
use crate::code::{Function, FunctionId, FunctionKind, Instr, Program};
use crate::value::{Heap, ObjectKind, Value};
use flow::{UseKind, classify, source, tainted_reads};
use kinds::{Kind, kind_before};
pub(crate) use reads::{Read, decisive_reads};
use shown::decides_only_output;
use std::collections::{BTreeMap, BTreeSet};

/// A variable: a global, or a field of all records.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Variable {
    Global(u32),
    Field(u16),
}

/// The part of the state that has to be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cone {
    /// Globals that may differ between positions and can matter, in ascending order.
    pub globals: Vec<u32>,
    /// Globals that change but cannot matter.
    pub idle_globals: Vec<u32>,
    /// Fields of records that change but cannot matter.
    pub idle_fields: BTreeSet<u16>,
}

/// What the analysis starts from.
pub(crate) struct Question<'p> {
    pub program: &'p Program,
    /// The functions that are run: actions, goals, and what is already on the stack.
    pub functions: Vec<FunctionId>,
    /// Variables that matter whatever the code does.
    pub kept_globals: Vec<u32>,
    /// Fields of records below this one always matter.
    pub first_attribute: u16,
    /// Whether it matters what is shown.
    pub output: OutputUse,
    /// The current values.
    pub globals: &'p [Value],
    pub heap: &'p Heap,
}

/// Whether it matters what a program shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutputUse {
    /// No: only the positions between actions matter.
    Ignored,
    /// Which code of the program runs matters, even if it only shows something.
    Code,
    /// The search looks for a printed text.
    Text,
}

impl Cone {
    /// All globals, except for those left out on request.
    pub fn everything(program: &Program) -> Cone {
        Cone {
            globals: (0..program.globals.len() as u32).collect(),
            idle_globals: Vec::new(),
            idle_fields: BTreeSet::new(),
        }
    }

    /// Finds the variables that can matter.
    pub fn of(question: &Question<'_>) -> Cone {
        let program = question.program;
        let summary = Summary::of(program, question.functions.iter().copied());
        let uses = Uses::of(question, &summary);
        let mattering = uses.mattering(question);
        let (mut globals, mut idle_globals) = (Vec::new(), Vec::new());
        for global in 0..program.globals.len() as u32 {
            let matters = mattering.contains(&Variable::Global(global));
            match changes(question, &summary, &uses, global) {
                false => {}
                true if matters => globals.push(global),
                true => idle_globals.push(global),
            }
        }
        let fields = uses.written_fields.iter();
        let idle = fields.filter(|field| !mattering.contains(&Variable::Field(**field)));
        Cone {
            globals,
            idle_globals,
            idle_fields: idle.copied().collect(),
        }
    }
}

/// Whether a global, or what it refers to, may be different in another position.
fn changes(question: &Question<'_>, summary: &Summary, uses: &Uses, global: u32) -> bool {
    let written = match &summary.globals_written {
        Globals::All => uses.written_globals.contains(&global) || uses.resizes,
        Globals::Only(globals) => globals.contains(&global),
    };
    let value = question.globals.get(global as usize).copied();
    let Some(handle) = value.and_then(Value::as_heap) else {
        return written;
    };
    written
        || match handle.kind {
            ObjectKind::String | ObjectKind::Int | ObjectKind::Grid => false,
            // A list of plain values that is only read.
            ObjectKind::List => {
                let items = question.heap.items(value.unwrap_or(Value::NOTHING));
                let is_plain = items.is_some_and(|i| i.iter().all(|v| v.as_heap().is_none()));
                !is_plain || uses.changed_in_place.contains(&global)
            }
            ObjectKind::Tuple | ObjectKind::Record => true,
        }
}

/// How the values of variables are used by the functions of a game.
struct Uses {
    /// Where each variable's value may be stored.
    stored_in: BTreeMap<Variable, BTreeSet<Variable>>,
    /// Variables whose value decides something.
    decisive: BTreeSet<Variable>,
    /// Globals whose list may be changed through a register.
    changed_in_place: BTreeSet<u32>,
    written_globals: BTreeSet<u32>,
    written_fields: BTreeSet<u16>,
    resizes: bool,
}

impl Uses {
    fn of(question: &Question<'_>, summary: &Summary) -> Uses {
        let program = question.program;
        let started = &question.functions;
        let (globals, heap) = (question.globals, question.heap);
        let overflows = Overflows::of(program, summary, started, globals, heap);
        let mut appended: BTreeMap<u32, BTreeSet<Option<Kind>>> = BTreeMap::new();
        let mut uses = Uses {
            stored_in: BTreeMap::new(),
            decisive: BTreeSet::new(),
            changed_in_place: BTreeSet::new(),
            written_globals: BTreeSet::new(),
            written_fields: BTreeSet::new(),
            resizes: false,
        };
        let functions = summary.functions.iter();
        let functions = functions.filter_map(|id| Some((*id, program.function(*id)?)));
        for (id, function) in functions {
            let mut loaded = BTreeSet::new();
            for (pc, instr) in function.code.iter().enumerate() {
                loaded.extend(source(instr));
                uses.written_globals.extend(instr.flow().global_written());
                uses.resizes |= matches!(instr, Instr::Resize { .. });
                match *instr {
                    Instr::SetItem { item, .. } => {
                        uses.written_fields.insert(item);
                    }
                    Instr::Record { count, .. } => uses.written_fields.extend(0..count),
                    // Its effect depends on whether the global holds a list.
                    Instr::AssignGlobal {
                        global,
                        appends: true,
                        src,
                    } => {
                        uses.changed_in_place.insert(global);
                        let kind = kind_before(question, function, pc, src);
                        appended.entry(global).or_default().insert(kind);
                    }
                    Instr::FilterRecords { item, .. } | Instr::SortRecords { item, .. } => {
                        uses.decisive.insert(Variable::Field(item));
                    }
                    _ => {}
                }
            }
            for variable in loaded {
                uses.add_uses(question, (id, function), variable, &overflows);
            }
        }
        // All items of a list have the same type, so one of another type is an error.
        for (global, mut kinds) in appended {
            let list = question.globals.get(global as usize).copied();
            let items = list.and_then(|list| question.heap.items(list));
            let items = items.unwrap_or_default().iter();
            kinds.extend(items.map(|item| Some(Kind::of(*item))));
            if kinds.len() > 1 || kinds.contains(&None) {
                uses.decisive.insert(Variable::Global(global));
            }
        }
        uses
    }

    /// Follows the value of one variable through the registers of a function.
    fn add_uses(
        &mut self,
        question: &Question<'_>,
        (id, function): (FunctionId, &Function),
        variable: Variable,
        overflows: &Overflows,
    ) {
        let program = question.program;
        // Which rules run is of no interest, only what they do.
        let is_counted = question.output == OutputUse::Code && function.kind != FunctionKind::Rules;
        for (pc, instr, tainted) in
            tainted_reads(program, function, BTreeSet::new(), Some(variable))
        {
            let mut use_of = classify(&instr, &tainted);
            if overflows.contains(id, pc) {
                use_of.kind = UseKind::Decisive;
            } else if !is_counted && decides_only_output(program, function, pc, overflows, id) {
                use_of.kind = UseKind::Output;
            }
            if let (Variable::Global(global), true) = (variable, !use_of.is_read_only_list) {
                self.changed_in_place.insert(global);
            }
            match use_of.kind {
                UseKind::Harmless => {}
                UseKind::Output if question.output != OutputUse::Text => {}
                UseKind::Output | UseKind::Decisive => {
                    self.decisive.insert(variable);
                }
                UseKind::Stored(to) => {
                    self.stored_in.entry(variable).or_default().extend(to);
                }
            }
        }
    }

    /// The variables that decide something, directly or through others.
    fn mattering(&self, question: &Question<'_>) -> BTreeSet<Variable> {
        let kept = question.kept_globals.iter().copied().map(Variable::Global);
        let mut mattering: BTreeSet<Variable> = self.decisive.iter().copied().chain(kept).collect();
        mattering.extend((0..question.first_attribute).map(Variable::Field));
        loop {
            let before = mattering.len();
            for (variable, stored_in) in &self.stored_in {
                if stored_in.iter().any(|to| mattering.contains(to)) {
                    mattering.insert(*variable);
                }
            }
            if mattering.len() == before {
                return mattering;
            }
        }
    }
}
