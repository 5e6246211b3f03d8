//! The loops of a function, found in its code: where a round begins and where the loop is left.
//!
//! A loop is what is jumped back to. Nothing is asked of the languages for it.

use crate::code::{Function, Stop, StopKind};
use crate::machine::{Frame, Machine, Watch};
use std::rc::Rc;

/// A loop that a person wrote.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cycle {
    /// Where one stops before it, or before its test.
    pub head: Stop,
    /// The instruction with which a round begins.
    pub top: u32,
    /// Its instructions, from the first that is jumped back to.
    pub from: u32,
    pub end: u32,
}

impl Cycle {
    pub fn holds(&self, pc: u32) -> bool {
        (self.from..self.end).contains(&pc)
    }

    /// Whether its test is part of each round, as in a `while`.
    pub fn tests_first(&self) -> bool {
        self.head.pc == self.top
    }
}

/// All loops of a function. Ranges that stand in one head are one loop: its rounds are those of the innermost.
pub fn cycles(function: &Function) -> Vec<Cycle> {
    let mut found: Vec<Cycle> = Vec::new();
    for (pc, instr) in function.code.iter().enumerate() {
        let pc = pc as u32;
        let Some(top) = instr.target().filter(|to| *to <= pc) else {
            continue;
        };
        let Some(head) = head_of(function, top, pc) else {
            continue;
        };
        match found.iter_mut().find(|c| c.head.pc == head.pc) {
            Some(same) => {
                (same.from, same.end) = (same.from.min(top), same.end.max(pc + 1));
                same.top = same.top.max(top);
            }
            None => found.push(Cycle {
                head,
                top,
                from: top,
                end: pc + 1,
            }),
        }
    }
    found
}

/// The stop that belongs to a jump back: the test at its goal, or the statement that holds all that is repeated.
fn head_of(function: &Function, top: u32, back: u32) -> Option<Stop> {
    if let Some(test) = function.stop_at(top).filter(|s| s.kind == StopKind::Round) {
        return Some(*test);
    }
    let head = *function.stop_before(top.checked_sub(1)?)?;
    let mut inside = function
        .stops
        .iter()
        .filter(|s| (top..=back).contains(&s.pc))
        .peekable();
    let own = inside.peek().is_some()
        && inside.all(|s| head.span.contains(s.span) && s.span != head.span);
    own.then_some(head)
}

/// The innermost loop in whose round an instruction is.
pub fn around(function: &Function, pc: u32) -> Option<Cycle> {
    cycles(function)
        .into_iter()
        .filter(|c| c.holds(pc))
        .min_by_key(|c| c.end - c.from)
}

/// The loop at hand: the one that begins here, or else the one around.
pub fn at_hand(function: &Function, pc: u32) -> Option<Cycle> {
    let stop = function.stop_before(pc)?;
    let begins = cycles(function)
        .into_iter()
        .find(|c| c.head.pc == stop.pc && !c.holds(pc));
    begins.or_else(|| around(function, pc))
}

/// Counts the rounds of a loop in one frame, until a time.
pub struct Count {
    pub function: Rc<Function>,
    pub cycle: Cycle,
    /// How many frames there are when it is this one's turn.
    pub depth: usize,
    pub until: u64,
    /// The rounds begun since the loop was last entered, or since the counting began.
    pub rounds: u64,
    /// When the loop was last entered, if that was seen.
    pub entered: Option<u64>,
}

impl Count {
    pub fn new(function: Rc<Function>, cycle: Cycle, depth: usize, until: u64) -> Count {
        Count {
            function,
            cycle,
            depth,
            until,
            rounds: 0,
            entered: None,
        }
    }
}

impl Watch for Count {
    #[inline]
    fn pauses(&mut self, machine: &Machine) -> bool {
        if machine.time() >= self.until {
            return true;
        }
        let frames = machine.frames();
        if frames.len() > self.depth {
            return false;
        }
        let own =
            |f: &&Frame| frames.len() == self.depth && machine.runs(f.function, &self.function);
        let at = frames.last().filter(own).map(|f| f.pc);
        match at {
            Some(pc) if self.cycle.holds(pc) => {
                if pc == self.cycle.top {
                    self.rounds += 1;
                    if self.rounds == 1 && self.cycle.tests_first() && self.entered.is_some() {
                        self.entered = Some(machine.time());
                    }
                }
            }
            Some(pc) => {
                self.rounds = 0;
                if pc == self.cycle.head.pc || self.cycle.tests_first() || self.entered.is_none() {
                    self.entered = Some(machine.time());
                }
            }
            None => (self.rounds, self.entered) = (0, Some(machine.time())),
        }
        false
    }
}
