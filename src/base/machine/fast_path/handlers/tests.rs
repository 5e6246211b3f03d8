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
    assert!(group_count > 10, "{group_count} groups");
    let text = Value::interned(InternedStr::new("a"));
    let operands = [Value::int(7), Value::int(i32::MAX), Value::TRUE, text];
    assert_same(&pairs, &operands, Arithmetic::Checked32);
}

/// The second instruction computes with the result of the first.
#[test]
fn chains_do_the_same_as_their_instructions() {
    let mut chains = Vec::new();
    for first in instrs() {
        for second in instrs() {
            let mut second = second;
            let chain = CHAIN_OF[first.opcode() as usize][second.opcode() as usize];
            use Instr::*;
            if let Add { a, .. }
            | Subtract { a, .. }
            | Multiply { a, .. }
            | AddInt { a, .. }
            | SubtractInt { a, .. }
            | RemainderInt { a, .. } = &mut second
                && chain != 0
            {
                *a = 2;
                chains.push(vec![first, second]);
            }
        }
    }
    assert_eq!(chains.len(), 36);
    for code in &chains {
        let grouped = GroupedCode::new(code);
        // SAFETY: it has an instruction, which starts with its opcode.
        assert!(unsafe { *grouped.as_ptr().cast::<u8>() } >= FIRST_GROUP);
    }
    assert_same(&chains, &operands(), Arithmetic::Checked32);
    assert_same(&chains, &operands(), Arithmetic::Wrapping32);
}

/// Counts in register 2 from the first argument, up to or down to the second one.
fn counting_loop(condition: Instr, step: Instr) -> crate::code::Function {
    let (name, span) = (InternedStr::new("f"), Span::default());
    let mut builder = Builder::new(name, FunctionKind::Function, 2, span);
    let dst = builder.alloc_register();
    builder.emit(Instr::Move { dst, src: 0 }, span);
    let start = builder.next_pc();
    let end = builder.emit_jump(condition, span);
    builder.emit(step, span);
    builder.emit(Instr::Loop { to: start }, span);
    builder.patch_all_here([end]);
    builder.emit(Instr::Return { src: dst }, span);
    builder.finish()
}

#[test]
fn ends_of_loops_do_the_same_as_their_instructions() {
    let (to, up) = (
        0,
        Instr::AddInt {
            dst: 2,
            a: 2,
            value: 3,
        },
    );
    let down = Instr::SubtractInt {
        dst: 2,
        a: 2,
        value: 3,
    };
    let loops = [
        (Instr::JumpUnlessLess { a: 2, b: 1, to }, up),
        (Instr::JumpUnlessLessEqual { a: 2, b: 1, to }, up),
        (
            Instr::JumpUnlessLessInt {
                a: 2,
                value: 70,
                to,
            },
            up,
        ),
        (
            Instr::JumpUnlessEqual {
                a: 2,
                b: 1,
                expected: true,
                to,
            },
            up,
        ),
        (
            Instr::JumpUnlessGreaterInt {
                a: 2,
                value: -70,
                to,
            },
            down,
        ),
        (
            Instr::JumpUnlessLess { a: 2, b: 1, to },
            Instr::Move { dst: 2, src: 1 },
        ),
    ];
    let numbers = [0, 1, 7, -7, 50, i32::MAX - 1, i32::MAX].map(Value::int);
    let others = [Value::TRUE, Value::NOTHING, Value::float(1.5)];
    for (condition, step) in loops {
        let mut program = Program::empty("test", Arithmetic::Checked32);
        let function = counting_loop(condition, step);
        // The step, which is before the jump back.
        let grouped = GroupedCode::new(&function.code);
        let at_step = grouped.as_ptr().wrapping_add(2);
        assert!(
            unsafe { *at_step.cast::<u8>() } >= FIRST_GROUP,
            "{condition:?}"
        );
        program.define(FunctionId(0), function);
        let program = Rc::new(program);
        for x in numbers.iter().chain(&others) {
            for y in [Value::int(60), Value::int(i32::MIN), Value::TRUE] {
                // Counting over the whole range would take too long.
                if step == down && x.as_int().is_some_and(|x| x > 50) {
                    continue;
                }
                let run = |run: fn(&mut Machine) -> Outcome| {
                    let mut machine = Machine::new(program.clone(), 0);
                    let started = machine.start(FunctionId(0), &[*x, y]);
                    started.expect("it takes two arguments");
                    (run(&mut machine), machine.time())
                };
                let fast = run(|machine| machine.run());
                let complete = run(|machine| machine.run_observed(&mut Watching));
                assert_eq!(fast, complete, "{condition:?} with {x:?} and {y:?}");
            }
        }
    }
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
