//! Questions that are the same position although a function asks them at different places: in
//! `let p = input in while not(ok(p)) do input`, the answer is used in the same way at both.

use crate::code::flow::Liveness;
use crate::code::{Function, Instr, Reg};
use std::collections::HashMap;

/// What a function does with the answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
struct AnswerUse {
    input_kind: u8,
    /// The first instruction after the question that does more than to move the answer.
    landing: u32,
    /// The registers that then hold the answer.
    registers: Vec<Reg>,
    /// The other registers that are needed from there on. They are the same as at the question.
    live: Vec<Reg>,
}

/// A question, as a position keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SameQuestion {
    /// The first place that asks it.
    pub pc: u32,
    /// The registers that are needed after the answer, without the answer.
    pub live: Vec<Reg>,
}

/// The first place in a function at which the same is asked as at `pc`, and for which `is_same` is true;
/// `None` if there is no other place.
pub(super) fn same_question(
    function: &Function,
    liveness: &Liveness,
    pc: u32,
    is_same: impl Fn(u32) -> bool,
) -> Option<SameQuestion> {
    let answer_use = answer_use(function, liveness, pc)?;
    let is_question = |pc: &u32| matches!(function.code[*pc as usize], Instr::Ask { .. });
    let others = (0..function.code.len() as u32).filter(is_question);
    let mut same = others.filter(|other| {
        is_same(*other)
            && self::answer_use(function, liveness, *other).as_ref() == Some(&answer_use)
    });
    let (first, second) = (same.next()?, same.next());
    second.map(|_| SameQuestion {
        pc: first,
        live: answer_use.live,
    })
}

/// What a register holds, compared with the question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Answer,
    /// What this register held.
    Register(Reg),
}

/// What a function does with the answer to the question at `pc`. `None` if there is no question, or if
/// other registers change on the way.
fn answer_use(function: &Function, liveness: &Liveness, pc: u32) -> Option<AnswerUse> {
    let Some(&Instr::Ask {
        dst, input_kind, ..
    }) = function.code.get(pc as usize)
    else {
        return None;
    };
    let mut contents = HashMap::from([(dst, Content::Answer)]);
    let content = |contents: &HashMap<Reg, Content>, register: Reg| {
        let known = contents.get(&register).copied();
        known.unwrap_or(Content::Register(register))
    };
    let mut landing = pc + 1;
    // No more steps than instructions: a loop of jumps never ends.
    for _ in 0..function.code.len() {
        // What can be stopped at or counted belongs to the place.
        if function.stop_point_at(landing).is_some() {
            break;
        }
        match function.code.get(landing as usize) {
            Some(Instr::Move { dst, src }) => {
                let moved = content(&contents, *src);
                contents.insert(*dst, moved);
                landing += 1;
            }
            Some(Instr::Jump { to } | Instr::Loop { to }) => landing = *to,
            _ => break,
        }
    }
    let mut answer_use = AnswerUse {
        input_kind,
        landing,
        registers: Vec::new(),
        live: Vec::new(),
    };
    for register in liveness.at(landing).iter() {
        match content(&contents, register) {
            Content::Answer => answer_use.registers.push(register),
            Content::Register(same) if same == register => answer_use.live.push(register),
            Content::Register(_) => return None,
        }
    }
    Some(answer_use)
}
