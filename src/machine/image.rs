//! The program as the loop sees it: pointers into its code, code with traps in it, tables of names.

use super::{Machine, NO_INDEX};
use crate::code::{FunctionId, Instr, PieceEvent, Program};
use crate::value::{InternedStr, Value};
use std::rc::Rc;

/// A function as the loop sees it: pointers into `Program`, or into patched code with traps.
#[derive(Clone, Copy)]
pub(super) struct LinkedFunction {
    pub(super) code: *const Instr,
    /// Without traps.
    pub(super) original_code: *const Instr,
    pub(super) constants: *const Value,
    pub(super) parameter_count: u32,
    pub(super) register_count: u32,
}

/// A program with all that the loop needs to know of it. Made once, it is taken in and out at no cost: what is asked
/// at each of a hundred thousand stops needs that.
pub struct LinkedImage {
    program: Rc<Program>,
    live: Vec<LinkedFunction>,
    patched: Vec<(FunctionId, Box<[Instr]>)>,
    kind_of: Vec<u16>,
    owner_of: Vec<u16>,
    kind_names: Vec<Value>,
    handlers: Vec<[u32; 2]>,
    any_on_turn: bool,
}

impl LinkedImage {
    pub fn new(program: Rc<Program>) -> LinkedImage {
        let number = |f: Option<FunctionId>| f.map_or(u32::MAX, |f| f.0);
        LinkedImage {
            live: live(&program),
            patched: Vec::new(),
            kind_of: numbered(program.piece_kinds.iter().map(|k| k.name)),
            owner_of: numbered(program.owners.iter().copied()),
            kind_names: program
                .piece_kinds
                .iter()
                .map(|k| Value::interned(k.name))
                .collect(),
            handlers: program
                .piece_kinds
                .iter()
                .map(|k| k.handlers.map(number))
                .collect(),
            any_on_turn: program
                .piece_kinds
                .iter()
                .any(|k| k.handlers[PieceEvent::Turn as usize].is_some()),
            program,
        }
    }
}

fn live(program: &Program) -> Vec<LinkedFunction> {
    let functions = program.functions.iter().map(|f| LinkedFunction {
        code: f.code.as_ptr(),
        original_code: f.code.as_ptr(),
        constants: f.constants.as_ptr(),
        parameter_count: (f.parameter_count as u32).min(f.register_count as u32),
        register_count: f.register_count as u32,
    });
    functions.collect()
}

impl Machine {
    /// Makes `program` the one that runs. Frames going on keep their function's number: whoever changes a
    /// function that is on the stack gives the old code a number of its own first (see [`Machine::renumber`]).
    pub fn install(&mut self, program: Rc<Program>) {
        self.swap_image(&mut LinkedImage::new(program));
    }

    /// Makes another program the one that runs, and gives back the one that ran, traps and all.
    pub fn swap_image(&mut self, other: &mut LinkedImage) {
        use std::mem::swap;
        swap(&mut self.program, &mut other.program);
        swap(&mut self.linked_functions, &mut other.live);
        swap(&mut self.patched, &mut other.patched);
        swap(&mut self.kind_by_name, &mut other.kind_of);
        swap(&mut self.owner_by_name, &mut other.owner_of);
        swap(&mut self.kind_names, &mut other.kind_names);
        swap(&mut self.handlers, &mut other.handlers);
        swap(&mut self.has_turn_handlers, &mut other.any_on_turn);
        if self.store.globals.len() < self.program.globals.len() {
            self.store
                .globals
                .resize(self.program.globals.len(), Value::NOTHING);
        }
    }

    fn link(&mut self) {
        self.linked_functions = live(&self.program);
        for (id, code) in &self.patched {
            self.linked_functions[id.0 as usize].code = code.as_ptr();
        }
    }

    /// Tells frames that their function has got another number.
    pub fn remap_functions(&mut self, of: impl Fn(FunctionId) -> FunctionId) {
        for frame in &mut self.frames {
            frame.function = of(frame.function);
        }
        self.low_water = 0;
        self.last_snapshot = None;
    }

    /// Pauses the plain run before these instructions, and before no others.
    pub fn set_traps(&mut self, places: &[(FunctionId, u32)]) {
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

    pub(super) fn is_at_trap(&self) -> bool {
        self.current_location().is_some_and(|(function, pc)| {
            self.patched
                .iter()
                .any(|(id, code)| *id == function && code.get(pc as usize) == Some(&Instr::Trap))
        })
    }
}

fn numbered(names: impl Iterator<Item = InternedStr>) -> Vec<u16> {
    let mut table = Vec::new();
    for (i, name) in names.enumerate() {
        let at = name.index() as usize;
        if table.len() <= at {
            table.resize(at + 1, NO_INDEX);
        }
        // The first of a name counts.
        if table[at] == NO_INDEX {
            table[at] = i as u16;
        }
    }
    table
}
