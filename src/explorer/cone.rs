//! Which variables can matter: a cone of influence over the bytecode.
//!
//! A counter that is only read to count on, or to be printed, cannot change what happens in the game.
//! If it were part of a position, no position would ever occur twice. This analysis finds such
//! variables, and those that never change. It errs on the side of keeping a variable: every use of a
//! value that is not known to be harmless makes its variable matter.

use super::bounds::Overflows;
use crate::code::flow::{Control, Flow, Globals, Liveness, Summary};
use crate::code::{Function, FunctionId, FunctionKind, Instr, Program, Reg};
use crate::source::Span;
use crate::value::{Heap, ObjectKind, Unpacked, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A variable: a global, or a field of all records.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Variable {
    Global(u32),
    Field(u16),
}

/// The part of the state that has to be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cone {
    /// Globals that may differ between positions and can matter, in ascending order.
    pub globals: Vec<u32>,
    /// Globals that change but cannot matter.
    pub idle_globals: Vec<u32>,
    /// Fields of records that change but cannot matter.
    pub idle_fields: BTreeSet<u16>,
}

/// What the analysis starts from.
pub(super) struct Question<'p> {
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
pub(super) enum OutputUse {
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
            let items = items.into_iter().flatten();
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

/// The variable whose value an instruction loads.
fn source(instr: &Instr) -> Option<Variable> {
    match *instr {
        Instr::Item { item, .. } => Some(Variable::Field(item)),
        _ => instr.flow().global_loaded().map(Variable::Global),
    }
}

/// What an instruction does with a value that depends on a variable.
enum UseKind {
    /// Only computes another value in a register.
    Harmless,
    /// Only shows it.
    Output,
    /// Stores it in other variables.
    Stored(Vec<Variable>),
    /// Anything else.
    Decisive,
}

struct Use {
    kind: UseKind,
    /// If the value is a list, it is only read.
    is_read_only_list: bool,
}

fn classify(instr: &Instr, tainted: &BTreeSet<Reg>) -> Use {
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

/// The type of a value, as far as the items of lists have to agree in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Number,
    Boolean,
    Text,
    Other,
}

impl Kind {
    fn of(value: Value) -> Kind {
        match value.unpack() {
            Unpacked::Int(_) | Unpacked::Float(_) => Kind::Number,
            Unpacked::Bool(_) => Kind::Boolean,
            Unpacked::String(_) => Kind::Text,
            Unpacked::Heap(handle) => match handle.kind {
                ObjectKind::String => Kind::Text,
                ObjectKind::Int => Kind::Number,
                _ => Kind::Other,
            },
            _ => Kind::Other,
        }
    }
}

/// The type of the value in a register before an instruction, if the instruction before it shows that.
fn kind_before(
    question: &Question<'_>,
    function: &Function,
    pc: usize,
    register: Reg,
) -> Option<Kind> {
    use Instr::*;
    let is_jumped_to = function
        .code
        .iter()
        .any(|instr| instr.flow().jump_target() == Some(pc as u32));
    let before = function.code.get(pc.checked_sub(1)?)?;
    if is_jumped_to || !before.flow().writes.iter().any(|r| r == register) {
        return None;
    }
    match *before {
        Int { .. }
        | AddInt { .. }
        | SubtractInt { .. }
        | MultiplyInt { .. }
        | DivideInt { .. }
        | RemainderInt { .. }
        | BoardSize { .. }
        | SelfPosition { .. } => Some(Kind::Number),
        Less { .. } | LessEqual { .. } | Equal { .. } | EqualAnyType { .. } | Not { .. } => {
            Some(Kind::Boolean)
        }
        ToString { .. } | Concat { .. } => Some(Kind::Text),
        Constant { k, .. } => function.constants.get(k as usize).map(|v| Kind::of(*v)),
        // A variable keeps its type.
        GetGlobal { global, .. } | GetDefinedGlobal { global, .. } => {
            let value = question.globals.get(global as usize);
            value.map(|v| Kind::of(*v)).filter(|k| *k != Kind::Other)
        }
        _ => None,
    }
}

/// The instructions that read a value which depends on a variable, with the registers that hold such
/// values before the instruction. `start` are those at the start of the function.
fn tainted_reads(
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

/// What is read: a variable anywhere, or a register that is a local variable of a function.
#[derive(Clone, Copy)]
pub(super) enum Read {
    Variable(Variable),
    Register(FunctionId, Reg),
}

/// The code of the program, without the rules, that makes a variable matter: that decides something by it, or
/// stores it in another variable that matters.
pub(super) fn decisive_reads(question: &Question<'_>, read: Read, cone: &Cone) -> Vec<Span> {
    let program = question.program;
    let summary = Summary::of(program, question.functions.iter().copied());
    let (globals, heap) = (question.globals, question.heap);
    let overflows = Overflows::of(program, &summary, &question.functions, globals, heap);
    let matters = |to: &Variable| match *to {
        Variable::Global(to) => cone.globals.contains(&to),
        Variable::Field(to) => !cone.idle_fields.contains(&to),
    };
    let mut spans = Vec::new();
    for id in &summary.functions {
        let Some(function) = program.function(*id) else {
            continue;
        };
        let is_of_program = !matches!(function.kind, FunctionKind::Rules | FunctionKind::Entry);
        let (start, variable) = match read {
            Read::Variable(variable) => (BTreeSet::new(), Some(variable)),
            Read::Register(of, register) if of == *id => (BTreeSet::from([register]), None),
            Read::Register(..) => continue,
        };
        if !is_of_program {
            continue;
        }
        for (pc, instr, tainted) in tainted_reads(program, function, start, variable) {
            let is_shown = question.output != OutputUse::Code
                && decides_only_output(program, function, pc, &overflows, *id);
            let is_recursive =
                matches!(instr.flow().control, Control::Call { function, .. } if function == *id);
            let is_decisive = match classify(&instr, &tainted).kind {
                _ if overflows.contains(*id, pc) => true,
                _ if is_shown || is_recursive => false,
                UseKind::Harmless => false,
                UseKind::Output => question.output == OutputUse::Text,
                UseKind::Decisive => true,
                UseKind::Stored(to) => {
                    let mut others = to.iter().filter(|to| Some(**to) != variable);
                    others.any(matters)
                }
            };
            let span = function.spans.get(pc as usize);
            spans.extend(span.filter(|span| is_decisive && span.end > span.start));
        }
    }
    spans
}

/// Whether an instruction is a jump that skips only code which shows something: no variable is written,
/// and no register that is read afterwards.
fn decides_only_output(
    program: &Program,
    function: &Function,
    pc: u32,
    overflows: &Overflows,
    id: FunctionId,
) -> bool {
    let Control::Test(target) = function.code[pc as usize].flow().control else {
        return false;
    };
    let skipped = pc as usize + 1..target as usize;
    let Some(code) = function.code.get(skipped.clone()) else {
        return false;
    };
    let stays = |to: u32| skipped.contains(&(to as usize)) || to == target;
    let is_shown_only = |(at, instr): (usize, &Instr)| match instr.flow().control {
        // Only forward: a loop might not end.
        Control::Test(to) | Control::Jump(to) => to as usize > at && stays(to),
        Control::Next => only_shows(instr) && !overflows.contains(id, at as u32),
        _ => false,
    };
    if !skipped.clone().zip(code).all(is_shown_only) {
        return false;
    }
    let live = Liveness::new(program, function).at(target);
    let live: BTreeSet<Reg> = live.iter().collect();
    let is_overwritten = |instr: &Instr| instr.flow().may_write().any(|r| live.contains(&r));
    !code.iter().any(is_overwritten)
}

/// Whether an instruction shows something, or computes what is shown, and cannot fail.
fn only_shows(instr: &Instr) -> bool {
    use Instr::*;
    matches!(
        instr,
        Move { .. }
            | Copy { .. }
            | Constant { .. }
            | Int { .. }
            | GetGlobal { .. }
            | AddInt { .. }
            | SubtractInt { .. }
            | ToString { .. }
            | Concat { .. }
            | Output { .. }
    )
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
