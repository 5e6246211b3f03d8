//! The verifier accepts the code of every language, and finds what is out of range. Builds with debug
//! assertions run it on every function that is linked, so all tests of the languages are tests of it.

use gridbug::code::flow::Control;
use gridbug::code::{Function, FunctionId, Instr, Problem, Program};
use gridbug::language::compile_game;
use gridbug::languages;
use gridbug::source::{Origin, Source, SourceId};
use std::collections::BTreeSet;
use std::mem::discriminant;

/// The sample games of all languages, compiled, with the rules of play.
fn programs() -> Vec<Program> {
    let compile = |language: &&'static dyn gridbug::Language| {
        let source = Source::new(SourceId(0), Origin::Expression, language.info().sample);
        compile_game(*language, &[], &source)
            .expect("samples compile")
            .program
    };
    languages::ALL.iter().map(compile).collect()
}

/// A function that consists of one instruction and what makes it complete.
fn alone(function: &Function, instr: Instr) -> Function {
    Function {
        code: vec![instr, Instr::ReturnNothing],
        ..function.clone()
    }
}

fn problem(function: &Function, program: &Program) -> Option<Problem> {
    function.verify(program).err().map(|defect| defect.problem)
}

#[test]
fn the_code_of_every_language_is_valid() {
    let mut seen = BTreeSet::new();
    for program in programs() {
        for function in program.functions.iter() {
            assert_eq!(function.verify(&program), Ok(()));
            seen.extend(function.code.iter().map(Instr::opcode));
        }
    }
    // Much of the instruction set is in use.
    assert!(seen.len() > 50, "{} instructions", seen.len());
}

#[test]
fn every_register_is_checked() {
    for program in programs() {
        for function in program.functions.iter() {
            for instr in &function.code {
                let flow = instr.flow();
                let registers = flow.reads.iter().chain(flow.may_write());
                let Some(highest) = registers.max() else {
                    continue;
                };
                let mut mutant = alone(function, *instr);
                (mutant.register_count, mutant.parameter_count) = (highest, 0);
                let found = problem(&mutant, &program);
                assert_eq!(found, Some(Problem::Register(highest)), "{instr:?}");
                mutant.register_count = highest + 1;
                let found = problem(&mutant, &program);
                assert!(
                    !matches!(found, Some(Problem::Register(_))),
                    "{instr:?}: {found:?}"
                );
            }
        }
    }
}

#[test]
fn constants_jumps_calls_globals_and_kinds_are_checked() {
    let mut kinds_of_defects = BTreeSet::new();
    for program in programs() {
        for function in program.functions.iter() {
            for (pc, instr) in function.code.iter().enumerate() {
                let flow = instr.flow();
                let mut expected = Vec::new();
                if let Some(k) = flow.constant {
                    let mut mutant = function.as_ref().clone();
                    mutant.constants.truncate(k as usize);
                    expected.push((mutant, program.clone(), Problem::Constant(k)));
                }
                if let Some(to) = instr.target() {
                    let mut mutant = function.as_ref().clone();
                    mutant.code.truncate((to as usize).max(pc + 1));
                    if to as usize >= mutant.code.len() {
                        expected.push((mutant, program.clone(), Problem::Target(to)));
                    }
                }
                if let Some(global) = flow.global_read().or(flow.global_written()) {
                    let mut smaller = program.clone();
                    smaller.globals = smaller
                        .globals
                        .iter()
                        .take(global as usize)
                        .cloned()
                        .collect();
                    expected.push((function.as_ref().clone(), smaller, Problem::Global(global)));
                }
                if let Control::Call { base, .. } = flow.control {
                    let missing = FunctionId(program.functions.len() as u32);
                    let call = Instr::Call {
                        function: missing,
                        base,
                    };
                    let mutant = alone(function, call);
                    expected.push((mutant, program.clone(), Problem::Function(missing.0)));
                    let base = function.register_count + 1;
                    let Control::Call {
                        function: callee, ..
                    } = flow.control
                    else {
                        continue;
                    };
                    let call = Instr::Call {
                        function: callee,
                        base,
                    };
                    let mutant = alone(function, call);
                    expected.push((mutant, program.clone(), Problem::Register(base)));
                }
                if let Instr::PlaceKind { kind, .. } = *instr {
                    let mut smaller = program.clone();
                    smaller.piece_kinds.truncate(kind as usize);
                    expected.push((alone(function, *instr), smaller, Problem::Kind(kind)));
                }
                for (mutant, program, problem_expected) in expected {
                    let found = problem(&mutant, &program);
                    let found = found.expect("the mutant is rejected");
                    // An earlier instruction may have the same defect.
                    assert_eq!(
                        discriminant(&found),
                        discriminant(&problem_expected),
                        "{instr:?}"
                    );
                    kinds_of_defects
                        .insert(format!("{found:?}").split('(').next().map(String::from));
                }
            }
        }
    }
    assert_eq!(kinds_of_defects.len(), 6, "{kinds_of_defects:?}");
}

#[test]
fn code_without_an_end_and_patched_code_are_rejected() {
    for program in programs() {
        for function in program.functions.iter() {
            let mut mutant = function.as_ref().clone();
            mutant.code.clear();
            assert_eq!(problem(&mutant, &program), Some(Problem::NoEnd));
            mutant.code.push(Instr::BeginAction);
            assert_eq!(problem(&mutant, &program), Some(Problem::NoEnd));
            let trap = alone(function, Instr::Trap);
            assert_eq!(problem(&trap, &program), Some(Problem::Patched));
            let mut mutant = function.as_ref().clone();
            mutant.parameter_count = mutant.register_count + 1;
            assert_eq!(problem(&mutant, &program), Some(Problem::Parameters));
        }
    }
}
