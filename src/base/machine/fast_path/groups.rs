//! Groups of instructions: those that often follow each other are executed by one function.
//!
//! A group is a pair, a chain (two that compute, the second one with the result of the first), or the end of a loop: an instruction, the jump back after it and the one at the start of the
//! loop, such as the condition of a `while`. The first instruction gets the opcode of the group; everything else stays in its place.
//! So a jump to the second one needs no care, and times, stops and tables stay as they are.
//! The pairs are the most frequent ones of all sample games and sessions: `benches/pairs.rs` counts
//! them.

use super::handlers::{CHAIN_OF, GROUP_OF, LOOP_GROUP_OF};
use crate::code::{Instr, Reg};
use std::mem::MaybeUninit;

/// Opcodes from here on are groups.
pub(super) const FIRST_GROUP: u8 = 128;

/// The opcodes of the two instructions of a pair, or of the first and the last one of a loop's end.
pub(super) type Pair = (u8, u8);

/// The code of a function as the plain dispatch loop runs it. An element may have the opcode of a
/// group, which makes it no valid [`Instr`]: [`Head::of`] reads it.
pub(in crate::machine) struct GroupedCode(Box<[MaybeUninit<Instr>]>);

impl Default for GroupedCode {
    fn default() -> GroupedCode {
        GroupedCode(Box::new([]))
    }
}

impl GroupedCode {
    pub(in crate::machine) fn new(code: &[Instr]) -> GroupedCode {
        let mut grouped: Box<[_]> = code.iter().map(|instr| MaybeUninit::new(*instr)).collect();
        for (pc, pair) in code.windows(2).enumerate() {
            let group = group_of(pair[0], pair[1], code);
            if group != 0 {
                // SAFETY: the first byte is the opcode; see `Instr::opcode`.
                unsafe { grouped[pc].as_mut_ptr().cast::<u8>().write(group) }
            }
        }
        GroupedCode(grouped)
    }

    pub(in crate::machine) fn as_ptr(&self) -> *const Instr {
        self.0.as_ptr().cast()
    }

    /// Whether the run pauses before an instruction.
    pub(in crate::machine) fn has_trap_at(&self, pc: u32) -> bool {
        let instr = self.0.get(pc as usize);
        // SAFETY: the first byte is the opcode.
        instr.is_some_and(|i| unsafe { *i.as_ptr().cast::<u8>() } == Instr::Trap.opcode())
    }
}

/// The opcode of the group that two instructions start; 0 if they start none.
fn group_of(first: Instr, second: Instr, code: &[Instr]) -> u8 {
    let row = first.opcode() as usize;
    if let Instr::Loop { to } = second
        && let Some(start) = code.get(to as usize)
    {
        let group = LOOP_GROUP_OF[row][start.opcode() as usize];
        if group != 0 {
            return group;
        }
    }
    let chain = CHAIN_OF[row][second.opcode() as usize];
    if chain != 0 && first.flow().writes.iter().next() == left_operand(second) {
        return chain;
    }
    GROUP_OF[row][second.opcode() as usize]
}

/// The left operand of an instruction that computes.
fn left_operand(instr: Instr) -> Option<Reg> {
    match instr {
        Instr::Add { a, .. }
        | Instr::Subtract { a, .. }
        | Instr::Multiply { a, .. }
        | Instr::AddInt { a, .. }
        | Instr::SubtractInt { a, .. }
        | Instr::RemainderInt { a, .. } => Some(a),
        _ => None,
    }
}

/// Room for an instruction that was read from grouped code.
pub(in crate::machine) struct Head(MaybeUninit<Instr>);

impl Head {
    pub(in crate::machine) const EMPTY: Head = Head(MaybeUninit::uninit());

    /// The instruction at `ip`: where it is, or a copy if it has the opcode of a group.
    ///
    /// # Safety
    ///
    /// `ip` points to an instruction of a function or of [`GroupedCode`].
    #[inline(always)]
    pub(in crate::machine) unsafe fn of(&mut self, ip: *const Instr) -> &Instr {
        // SAFETY: by the condition above; a group's first opcode makes it the instruction it was.
        unsafe {
            let opcode = ip.cast::<u8>().read();
            if opcode < FIRST_GROUP {
                return &*ip;
            }
            self.0 = ip.cast::<MaybeUninit<Instr>>().read();
            self.0.as_mut_ptr().cast::<u8>().write(first_opcode(opcode));
            self.0.assume_init_ref()
        }
    }
}

/// The opcode of the first instruction of a group.
#[cold]
fn first_opcode(group: u8) -> u8 {
    super::handlers::PAIRS[(group - FIRST_GROUP) as usize].0
}
