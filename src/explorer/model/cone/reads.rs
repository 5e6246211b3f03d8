//! Where the program reads what makes a variable matter.

use super::flow::{UseKind, classify, tainted_reads};
use super::shown::decides_only_output;
use super::{Cone, OutputUse, Question, Variable};
use crate::code::flow::{Control, Summary};
use crate::code::{FunctionId, FunctionKind, Reg};
use crate::model::bounds::Overflows;
use crate::source::Span;
use std::collections::BTreeSet;

/// What is read: a variable anywhere, or a register that is a local variable of a function.
#[derive(Clone, Copy)]
pub(crate) enum Read {
    Variable(Variable),
    Register(FunctionId, Reg),
}

/// The code of the program, without the rules, that makes a variable matter: that decides something by it, or
/// stores it in another variable that matters.
pub(crate) fn decisive_reads(question: &Question<'_>, read: Read, cone: &Cone) -> Vec<Span> {
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
