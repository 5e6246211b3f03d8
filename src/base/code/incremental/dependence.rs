//! The registers and globals that a unit depends on, and those that it sets.

use super::{Edge, MAX_GLOBALS, Region, Slots};
use crate::code::flow::{Control, GlobalAccess, Globals, Registers, Summary};
use crate::code::{Function, Instr, Program, Reg};

/// A set of registers and of globals, by their index in a list.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Set {
    registers: u64,
    globals: u64,
}

impl Set {
    fn union(self, other: Set) -> Set {
        Set {
            registers: self.registers | other.registers,
            globals: self.globals | other.globals,
        }
    }

    fn intersection(self, other: Set) -> Set {
        Set {
            registers: self.registers & other.registers,
            globals: self.globals & other.globals,
        }
    }

    fn without(self, other: Set) -> Set {
        Set {
            registers: self.registers & !other.registers,
            globals: self.globals & !other.globals,
        }
    }

    fn has_register(self, register: Reg) -> bool {
        register < 64 && self.registers >> register & 1 != 0
    }
}

fn registers(all: impl Iterator<Item = Reg>) -> Set {
    let registers = all
        .filter(|r| *r < 64)
        .fold(0, |set, register| set | 1 << register);
    Set {
        registers,
        globals: 0,
    }
}

/// What an instruction accesses, with what it calls.
#[derive(Clone, Copy, Default)]
struct Access {
    reads: Set,
    writes: Set,
    writes_if_jumping: Set,
    writes_if_not_jumping: Set,
    /// May be read, written or neither, in a called function.
    may_access: Set,
}

impl Access {
    fn surely_written(self, edge: Edge) -> Set {
        match edge {
            Edge::Jump => self.writes.union(self.writes_if_jumping),
            Edge::Next => self.writes.union(self.writes_if_not_jumping),
            Edge::Either => self.writes,
        }
    }

    fn may_write(self) -> Set {
        self.writes
            .union(self.writes_if_jumping)
            .union(self.writes_if_not_jumping)
            .union(self.may_access)
    }
}

/// The globals that a region uses, to number them.
#[derive(Default)]
struct GlobalList(Vec<u32>);

impl GlobalList {
    fn set(&mut self, global: u32) -> Set {
        let index = match self.0.iter().position(|g| *g == global) {
            Some(index) => index,
            None => {
                self.0.push(global);
                self.0.len() - 1
            }
        };
        Set {
            registers: 0,
            // With too many, the whole analysis is refused later.
            globals: 1u64.checked_shl(index as u32).unwrap_or(0),
        }
    }
}

/// What a unit depends on and sets.
pub(super) struct Dependence<'f> {
    code: &'f [Instr],
    region: Region,
    globals: GlobalList,
    accesses: Vec<Access>,
    /// Read before it was surely set.
    exposed: Set,
    /// Set on every way to the end.
    surely_set: Set,
    may_set: Set,
}

/// Analyzes a region whose instructions are all allowed. `None` if it never ends or is too large.
pub(super) fn of<'f>(
    program: &Program,
    function: &'f Function,
    region: Region,
) -> Option<Dependence<'f>> {
    let mut globals = GlobalList::default();
    let accesses: Option<Vec<Access>> = region
        .instructions()
        .map(|pc| access(program, function, function.code[pc as usize], &mut globals))
        .collect();
    let accesses = accesses?;
    if globals.0.len() > MAX_GLOBALS {
        return None;
    }
    let index = |pc: u32| (pc - region.head) as usize;
    // What was surely set when execution arrives at an instruction; `None` if it never does.
    let mut set_before: Vec<Option<Set>> = vec![None; index(region.next) + 1];
    set_before[0] = Some(Set::default());
    let mut pending = vec![region.head];
    while let Some(pc) = pending.pop() {
        let (Some(before), Some(access)) = (set_before[index(pc)], accesses.get(index(pc))) else {
            continue;
        };
        for (to, edge) in region.successors(function, pc) {
            let after = before.union(access.surely_written(edge));
            let old = set_before[index(to)];
            let new = old.map_or(after, |old| old.intersection(after));
            if old != Some(new) {
                set_before[index(to)] = Some(new);
                pending.push(to);
            }
        }
    }
    let surely_set = set_before[index(region.next)]?;
    let (mut exposed, mut may_set) = (Set::default(), Set::default());
    for (access, before) in accesses.iter().zip(&set_before) {
        let Some(before) = *before else { continue };
        exposed = exposed.union(access.reads.union(access.may_access).without(before));
        may_set = may_set.union(access.may_write());
    }
    // The loop itself must be the only one to change its position.
    let own = match region.repeats_inside() {
        true => 1,
        false => 0,
    };
    let writers = accesses
        .iter()
        .filter(|a| a.may_write().has_register(region.base));
    if writers.count() > own {
        return None;
    }
    Some(Dependence {
        code: &function.code[region.head as usize..],
        region,
        globals,
        accesses,
        exposed,
        surely_set,
        may_set,
    })
}

fn access(
    program: &Program,
    function: &Function,
    instr: Instr,
    globals: &mut GlobalList,
) -> Option<Access> {
    let flow = instr.flow();
    let of_flow = |all: Registers| registers(all.iter());
    let mut access = Access {
        reads: of_flow(flow.reads),
        writes: of_flow(flow.writes),
        writes_if_jumping: of_flow(flow.writes_if_jumping),
        writes_if_not_jumping: of_flow(flow.writes_if_not_jumping),
        may_access: Set::default(),
    };
    match flow.global {
        GlobalAccess::None => {}
        GlobalAccess::Load(global) => access.reads = access.reads.union(globals.set(global)),
        GlobalAccess::Store(global) => access.writes = access.writes.union(globals.set(global)),
        GlobalAccess::Assign(global) => {
            access.reads = access.reads.union(globals.set(global));
            access.writes = access.writes.union(globals.set(global));
        }
    }
    if let Control::Call {
        function: callee,
        base,
    } = flow.control
    {
        let call = program.call_registers(callee, base)?;
        let end = call.writes.end.min(function.register_count);
        access.reads = access.reads.union(registers(call.reads));
        access.writes = access.writes.union(registers(base..end));
        let summary = Summary::of(program, [callee]);
        if summary.functions.len() > 1 {
            // What it calls in turn may overwrite more.
            access.may_access = registers(end..function.register_count);
        }
        for used in [summary.globals_read, summary.globals_written] {
            let Globals::Only(used) = used else {
                return None;
            };
            for global in used {
                access.may_access = access.may_access.union(globals.set(global));
            }
        }
    }
    Some(access)
}

impl Dependence<'_> {
    /// Whether a register may be set in a unit.
    pub(super) fn may_set(&self, register: Reg) -> bool {
        self.may_set.has_register(register)
    }

    /// Registers that are only increased or only decreased, by constants.
    pub(super) fn counters(&self) -> Vec<Reg> {
        let candidates = self.exposed.intersection(self.may_set);
        (0..64)
            .filter(|r| candidates.has_register(*r) && self.is_counter(*r))
            .collect()
    }

    fn is_counter(&self, register: Reg) -> bool {
        let (mut goes_up, mut goes_down) = (false, false);
        let only_counts = self.accesses.iter().zip(self.code).all(|(access, instr)| {
            let step = match *instr {
                Instr::AddInt { dst, a, value } if dst == register && a == register => {
                    i64::from(value)
                }
                Instr::SubtractInt { dst, a, value } if dst == register && a == register => {
                    -i64::from(value)
                }
                _ => {
                    return !access
                        .reads
                        .union(access.may_write())
                        .has_register(register);
                }
            };
            goes_up |= step > 0;
            goes_down |= step < 0;
            true
        });
        only_counts && !(goes_up && goes_down) && register != self.region.base
    }

    /// What a unit depends on, apart from the board.
    pub(super) fn inputs(&self, counters: &[Reg]) -> Slots {
        let kept = self.may_set.without(self.surely_set);
        self.slots(self.exposed.union(kept), counters)
    }

    /// Everything that a unit may set.
    pub(super) fn outputs(&self, counters: &[Reg]) -> Slots {
        self.slots(self.may_set, counters)
    }

    fn slots(&self, set: Set, counters: &[Reg]) -> Slots {
        let counted = registers(counters.iter().copied());
        let set = set.without(counted);
        let has_global = |n: &usize| set.globals >> n & 1 != 0;
        Slots {
            registers: (0..64).filter(|r| set.has_register(*r)).collect(),
            globals: (0..self.globals.0.len())
                .filter(has_global)
                .map(|n| self.globals.0[n])
                .collect(),
        }
    }
}
