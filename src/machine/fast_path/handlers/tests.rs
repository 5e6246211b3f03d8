//! Both loops do the same, for each instruction and for groups.

use super::super::groups::{GroupedCode, Head};
use super::*;
use crate::code::{Arithmetic, Builder, FunctionId, FunctionKind, Program, reciprocal};
use crate::machine::{Observer, Outcome};
use crate::source::Span;
use crate::value::InternedStr;
use std::rc::Rc;

/// Makes the dispatch loop execute every instruction.
struct Watching;

impl Observer for Watching {
    fn should_pause(&mut self, _: &Machine) -> bool {
        false
    }
}

/// Values of all types, with the extremes of integers.
fn operands() -> Vec<Value> {
    let text = |text| Value::interned(InternedStr::new(text));
    let ints = [0, 1, 2, 7, -1, -7, i32::MAX, i32::MIN].map(Value::int);
    let mut operands = vec![Value::NOTHING, Value::EMPTY, Value::TRUE, Value::FALSE];
    operands.extend(ints);
    operands.extend([text("a"), text("b"), Value::float(0.0), Value::float(-1.5)]);
    operands.extend(Value::inline_int(1 << 40));
    operands
}

/// Returns 1 if a jump is taken, else the value in register 2.
fn function(instrs: &[Instr]) -> crate::code::Function {
    let (name, span) = (InternedStr::new("f"), Span::default());
    let mut builder = Builder::new(name, FunctionKind::Function, 2, span);
    let dst = builder.alloc_register();
    builder.constant(reciprocal(7));
    builder.emit_constant(dst, Value::int(0), span);
    let jumps: Vec<_> = instrs.iter().map(|i| builder.emit_jump(*i, span)).collect();
    builder.emit(Instr::Return { src: dst }, span);
    builder.patch_all_here(jumps);
    builder.emit_constant(dst, Value::int(1), span);
    builder.emit(Instr::Return { src: dst }, span);
    builder.finish()
}

/// Compares both loops, for functions of these instructions and all pairs of operands.
fn assert_same(instrs: &[Vec<Instr>], operands: &[Value], arithmetic: Arithmetic) {
    for instrs in instrs {
        let mut program = Program::empty("test", arithmetic);
        program.define(FunctionId(0), function(instrs));
        let program = Rc::new(program);
        for &x in operands {
            for &y in operands {
                let run = |run: fn(&mut Machine) -> Outcome| {
                    let mut machine = Machine::new(program.clone(), 0);
                    let started = machine.start(FunctionId(0), &[x, y]);
                    started.expect("it takes two arguments");
                    (run(&mut machine), machine.time())
                };
                let fast = run(|machine| machine.run());
                let complete = run(|machine| machine.run_observed(&mut Watching));
                assert_eq!(fast, complete, "{instrs:?} with {x:?} and {y:?}");
            }
        }
    }
}

fn instrs() -> Vec<Instr> {
    let (dst, a, b, to) = (2, 0, 1, 0);
    let value = 7;
    vec![
        Instr::Copy { dst, src: a },
        Instr::Add { dst, a, b },
        Instr::Subtract { dst, a, b },
        Instr::Multiply { dst, a, b },
        Instr::AddInt { dst, a, value },
        Instr::SubtractInt { dst, a, value },
        Instr::MultiplyInt { dst, a, value },
        Instr::DivideInt { dst, a, value },
        Instr::RemainderInt {
            dst,
            a,
            k: 0,
            value,
        },
        Instr::Less { dst, a, b },
        Instr::LessEqual { dst, a, b },
        Instr::Equal {
            dst,
            a,
            b,
            expected: true,
        },
        Instr::Equal {
            dst,
            a,
            b,
            expected: false,
        },
        Instr::EqualAnyType {
            dst,
            a,
            b,
            expected: true,
        },
        Instr::EqualAnyType {
            dst,
            a,
            b,
            expected: false,
        },
        Instr::Not { dst, a },
        Instr::JumpIf { a, to },
        Instr::JumpUnless { a, to },
        Instr::JumpUnlessLess { a, b, to },
        Instr::JumpUnlessLessEqual { a, b, to },
        Instr::JumpUnlessEqual {
            a,
            b,
            expected: true,
            to,
        },
        Instr::JumpUnlessEqual {
            a,
            b,
            expected: false,
            to,
        },
        Instr::JumpUnlessEqualAnyType {
            a,
            b,
            expected: true,
            to,
        },
        Instr::JumpUnlessEqualAnyType {
            a,
            b,
            expected: false,
            to,
        },
        Instr::JumpUnlessLessInt { a, value: 7, to },
        Instr::JumpUnlessGreaterInt { a, value: 7, to },
        Instr::JumpUnlessEqualInt {
            a,
            value: 7,
            expected: true,
            to,
        },
        Instr::JumpUnlessEqualInt {
            a,
            value: 7,
            expected: false,
            to,
        },
        Instr::RangeStart { base: a, to },
        Instr::RequireValue { a },
        Instr::RequireBool { a },
    ]
}

#[test]
fn instructions_do_the_same_in_both_loops() {
    let single: Vec<_> = instrs().into_iter().map(|instr| vec![instr]).collect();
    for arithmetic in [
        Arithmetic::Checked32,
        Arithmetic::Wrapping32,
        Arithmetic::Wrapping64,
    ] {
        assert_same(&single, &operands(), arithmetic);
    }
}

#[test]
fn groups_do_the_same_as_their_instructions() {
    let mut group_count = 0;
    let mut pairs = Vec::new();
    for first in instrs() {
        for second in instrs() {
            let (a, b) = (first.opcode() as usize, second.opcode() as usize);
            group_count += (GROUP_OF[a][b] != 0) as usize;
            pairs.push(vec![first, second]);
        }
    }
    assert!(group_count > 40, "{group_count} groups");
    let text = Value::interned(InternedStr::new("a"));
    let operands = [Value::int(7), Value::int(i32::MAX), Value::TRUE, text];
    assert_same(&pairs, &operands, Arithmetic::Checked32);
}

#[test]
fn groups_stay_in_their_place() {
    let code = [
        Instr::AddInt {
            dst: 1,
            a: 1,
            value: 5,
        },
        Instr::Loop { to: 0 },
        Instr::ReturnNothing,
    ];
    let grouped = GroupedCode::new(&code);
    for (pc, instr) in code.iter().enumerate() {
        let ip = grouped.as_ptr().wrapping_add(pc);
        // SAFETY: it has as many instructions.
        let opcode = unsafe { *ip.cast::<u8>() };
        assert_eq!(opcode >= FIRST_GROUP, pc == 0);
        let mut head = Head::EMPTY;
        assert_eq!(unsafe { head.of(ip) }, instr);
    }
}
