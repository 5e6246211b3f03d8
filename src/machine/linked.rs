//! The program as the loop sees it: pointers into its code, code with traps in it, tables of names.

use super::{Machine, NONE};
use crate::code::{Event, FunctionId, Instr, Program};
use crate::value::{Text, Value};
use std::rc::Rc;

/// A function as the loop sees it: pointers into `Program`, or into patched code with traps.
#[derive(Clone, Copy)]
pub(super) struct Live {
    pub(super) code: *const Instr,
    /// Without traps.
    pub(super) original: *const Instr,
    pub(super) constants: *const Value,
    pub(super) parameters: u32,
    pub(super) registers: u32,
}

/// A program with all that the loop needs to know of it. Made once, it is taken in and out at no cost: what is asked
/// at each of a hundred thousand stops needs that.
pub struct Linked {
    program: Rc<Program>,
    live: Vec<Live>,
    patched: Vec<(FunctionId, Box<[Instr]>)>,
    kind_of: Vec<u16>,
    owner_of: Vec<u16>,
    kind_names: Vec<Value>,
    handlers: Vec<[u32; 2]>,
    any_on_turn: bool,
}

impl Linked {
    pub fn of(program: Rc<Program>) -> Linked {
        let number = |f: Option<FunctionId>| f.map_or(u32::MAX, |f| f.0);
        Linked {
            live: live(&program),
            patched: Vec::new(),
            kind_of: numbered(program.kinds.iter().map(|k| k.name)),
            owner_of: numbered(program.owners.iter().copied()),
            kind_names: program.kinds.iter().map(|k| Value::text(k.name)).collect(),
            handlers: program
                .kinds
                .iter()
                .map(|k| k.handlers.map(number))
                .collect(),
            any_on_turn: program
                .kinds
                .iter()
                .any(|k| k.handlers[Event::Turn as usize].is_some()),
            program,
        }
    }
}

fn live(program: &Program) -> Vec<Live> {
    let functions = program.functions.iter().map(|f| Live {
        code: f.code.as_ptr(),
        original: f.code.as_ptr(),
        constants: f.constants.as_ptr(),
        parameters: (f.parameters as u32).min(f.registers as u32),
        registers: f.registers as u32,
    });
    functions.collect()
}

impl Machine {
    /// Makes `program` the one that runs. Frames going on keep their function's number: whoever changes a
    /// function that is on the stack gives the old code a number of its own first (see [`Machine::renumber`]).
    pub fn install(&mut self, program: Rc<Program>) {
        self.exchange(&mut Linked::of(program));
    }

    /// Makes another program the one that runs, and gives back the one that ran, traps and all.
    pub fn exchange(&mut self, other: &mut Linked) {
        use std::mem::swap;
        swap(&mut self.program, &mut other.program);
        swap(&mut self.live, &mut other.live);
        swap(&mut self.patched, &mut other.patched);
        swap(&mut self.kind_of, &mut other.kind_of);
        swap(&mut self.owner_of, &mut other.owner_of);
        swap(&mut self.kind_names, &mut other.kind_names);
        swap(&mut self.handlers, &mut other.handlers);
        swap(&mut self.any_on_turn, &mut other.any_on_turn);
        if self.store.globals.len() < self.program.globals.len() {
            self.store
                .globals
                .resize(self.program.globals.len(), Value::NOTHING);
        }
    }

    fn link(&mut self) {
        self.live = live(&self.program);
        for (id, code) in &self.patched {
            self.live[id.0 as usize].code = code.as_ptr();
        }
    }

    /// Tells frames that their function has got another number.
    pub fn renumber(&mut self, of: impl Fn(FunctionId) -> FunctionId) {
        for frame in &mut self.frames {
            frame.function = of(frame.function);
        }
        self.low = 0;
        self.kept = None;
    }

    /// Pauses the plain run before these instructions, and before no others.
    pub fn trap(&mut self, places: &[(FunctionId, u32)]) {
        self.patched.clear();
        for &(function, pc) in places {
            let Some(original) = self.program.function(function) else {
                continue;
            };
            let at = match self.patched.iter().position(|(id, _)| *id == function) {
                Some(at) => at,
                None => {
                    self.patched.push((function, original.code.clone().into()));
                    self.patched.len() - 1
                }
            };
            if let Some(instr) = self.patched[at].1.get_mut(pc as usize) {
                *instr = Instr::Trap;
            }
        }
        self.link();
    }

    pub(super) fn is_trapped(&self) -> bool {
        self.at().is_some_and(|(function, pc)| {
            self.patched
                .iter()
                .any(|(id, code)| *id == function && code.get(pc as usize) == Some(&Instr::Trap))
        })
    }
}

fn numbered(names: impl Iterator<Item = Text>) -> Vec<u16> {
    let mut table = Vec::new();
    for (i, name) in names.enumerate() {
        let at = name.number() as usize;
        if table.len() <= at {
            table.resize(at + 1, NONE);
        }
        // The first of a name counts.
        if table[at] == NONE {
            table[at] = i as u16;
        }
    }
    table
}
