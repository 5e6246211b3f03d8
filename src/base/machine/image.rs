//! The linked image of a program: what the dispatch loop needs, with pointers into the code,
//! patched code with traps, and lookup tables.

use super::fast_path::GroupedCode;
use super::incremental::{IncrementalImage, NOT_INCREMENTAL};
use super::kinds::KindTable;
use super::{Frame, Machine};
use crate::code::flow::CLEARED_BY_CALL;
use crate::code::{Function, FunctionId, Instr, Program};
use crate::value::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A function as the dispatch loop sees it, with pointers into `Program` or into patched code.
#[derive(Clone, Copy)]
pub(super) struct LinkedFunction {
    pub(super) code: *const Instr,
    /// The code without traps and reusable units, but with groups.
    pub(super) grouped_code: *const Instr,
    /// The code of the program.
    pub(super) original_code: *const Instr,
    pub(super) constants: *const Value,
    pub(super) parameter_count: u32,
    pub(super) register_count: u32,
    /// How many registers a call needs from its base on; `u32::MAX` if the fast path cannot call the function
    /// because it has too many registers to clear.
    pub(super) fast_frame_len: u32,
    /// Index of its reusable units, if `code` has any.
    pub(super) incremental: u32,
}

/// The code of functions with traps.
#[derive(Default)]
pub(super) struct PatchedCode {
    functions: Vec<(FunctionId, GroupedCode)>,
}

impl PatchedCode {
    /// With traps before these instructions.
    fn new(program: &Program, locations: &[(FunctionId, u32)]) -> PatchedCode {
        let mut patched: BTreeMap<FunctionId, Vec<Instr>> = BTreeMap::new();
        for &(id, pc) in locations {
            let Some(original) = program.function(id) else {
                continue;
            };
            let code = patched.entry(id).or_insert_with(|| original.code.clone());
            if let Some(instr) = code.get_mut(pc as usize) {
                *instr = Instr::Trap;
            }
        }
        let grouped = patched.iter().map(|(id, c)| (*id, GroupedCode::new(c)));
        PatchedCode {
            functions: grouped.collect(),
        }
    }

    /// The code of a function with traps, if it has any.
    pub(super) fn of(&self, id: FunctionId) -> Option<&GroupedCode> {
        let mut functions = self.functions.iter();
        functions
            .find(|(other, _)| *other == id)
            .map(|(_, code)| code)
    }
}

/// A program with all tables that the dispatch loop needs. Linked once and then swapped in and out in
/// constant time, which matters for conditions that are evaluated at every stop.
pub struct LinkedImage {
    pub(super) program: Rc<Program>,
    pub(super) linked_functions: Vec<LinkedFunction>,
    /// The code of each function, with groups; `linked_functions` points into it.
    grouped: Vec<GroupedCode>,
    /// Code with traps; `linked_functions` points into it.
    pub(super) patched: PatchedCode,
    pub(super) kinds: KindTable,
    /// The functions with units that can be reused.
    pub(super) incremental: IncrementalImage,
}

impl LinkedImage {
    /// Links a program.
    pub fn new(program: Rc<Program>) -> LinkedImage {
        let (linked_functions, grouped) = {
            let functions = program.functions.iter();
            functions.map(|f| link(f, &program)).unzip()
        };
        LinkedImage {
            linked_functions,
            grouped,
            patched: PatchedCode::default(),
            kinds: KindTable::new(&program),
            incremental: IncrementalImage::default(),
            program,
        }
    }

    /// Links a program that is run again and again, so that reusing units pays.
    pub(super) fn incremental(program: Rc<Program>) -> LinkedImage {
        let mut image = LinkedImage::new(program);
        image.incremental.is_allowed = true;
        image
    }

    /// Index after the last register of a frame.
    #[inline]
    pub(super) fn frame_end(&self, frame: &Frame) -> usize {
        frame.base as usize
            + self.linked_functions[frame.function.0 as usize].register_count as usize
    }

    /// Whether a program has the same kinds of pieces, so that the tables of kinds can be kept.
    fn has_same_kinds(&self, program: &Program) -> bool {
        Rc::ptr_eq(&program.owners, &self.program.owners)
            && (program.piece_kinds)
                .unshared_ranges(&self.program.piece_kinds)
                .is_empty()
    }

    /// Links the functions of a program that it does not share with this one, unless the kinds of
    /// pieces differ. Traps are removed.
    fn relink(&mut self, program: Rc<Program>) {
        if !self.has_same_kinds(&program) {
            *self = LinkedImage::incremental(program);
            return;
        }
        self.remove_traps();
        let unshared = program.functions.unshared_ranges(&self.program.functions);
        self.linked_functions.truncate(program.functions.len());
        self.grouped.truncate(program.functions.len());
        for index in unshared.into_iter().flatten() {
            let new = program.functions.get(index);
            match (new, self.linked_functions.get_mut(index)) {
                (Some(new), Some(linked)) => {
                    let old = self.program.functions.get(index);
                    if old.is_some_and(|old| Rc::ptr_eq(old, new)) {
                        continue;
                    }
                    (*linked, self.grouped[index]) = link(new, &program);
                }
                (Some(new), None) => {
                    let (linked, grouped) = link(new, &program);
                    self.linked_functions.push(linked);
                    self.grouped.push(grouped);
                }
                (None, _) => {}
            }
            self.forget_units(FunctionId(index as u32));
        }
        self.program = program;
    }

    fn remove_traps(&mut self) {
        for (id, _) in std::mem::take(&mut self.patched).functions {
            self.refresh_code_with_callers(id);
        }
    }

    /// Sets traps before these instructions, and no others.
    fn set_traps(&mut self, locations: &[(FunctionId, u32)]) {
        self.remove_traps();
        self.patched = PatchedCode::new(&self.program, locations);
        let patched: Vec<FunctionId> = self.patched.functions.iter().map(|(id, _)| *id).collect();
        for id in patched {
            self.refresh_code_with_callers(id);
        }
    }
}

fn link(function: &Function, program: &Program) -> (LinkedFunction, GroupedCode) {
    if cfg!(debug_assertions)
        && let Err(defect) = function.verify(program)
    {
        panic!("{defect}");
    }
    let grouped = GroupedCode::new(&function.code);
    let register_count = function.register_count as u32;
    let parameter_count = (function.parameter_count as u32).min(register_count);
    let is_small = (register_count - parameter_count) as usize <= CLEARED_BY_CALL;
    let linked = LinkedFunction {
        code: grouped.as_ptr(),
        grouped_code: grouped.as_ptr(),
        original_code: function.code.as_ptr(),
        constants: function.constants.as_ptr(),
        parameter_count,
        register_count,
        fast_frame_len: match is_small {
            true => register_count + CLEARED_BY_CALL as u32,
            false => u32::MAX,
        },
        incremental: NOT_INCREMENTAL,
    };
    (linked, grouped)
}

impl Machine {
    /// Makes `program` the running one. Active frames keep their function ids, so a caller that
    /// redefines a function on the stack must first give the old code a new id (see
    /// [`Machine::remap_functions`]). Links only the functions that it does not share with the
    /// running one, unless the kinds of pieces differ.
    pub fn install(&mut self, program: Rc<Program>) {
        self.image.relink(program);
        self.add_globals();
    }

    /// Adds the globals of the program that the store does not have yet.
    pub(super) fn add_globals(&mut self) {
        let count = self.image.program.globals.len();
        if self.store.globals.len() < count {
            self.store.globals.resize(count, Value::NOTHING);
        }
    }

    /// Swaps the running program with another one, including its traps.
    pub fn swap_image(&mut self, other: &mut LinkedImage) {
        std::mem::swap(&mut self.image, other);
        self.add_globals();
    }

    /// Changes the function ids of all active frames.
    pub fn remap_functions(&mut self, new_id: impl Fn(FunctionId) -> FunctionId) {
        self.stack.remap_functions(new_id);
    }

    /// Makes the plain loop pause before these instructions, and no others.
    pub fn set_traps(&mut self, locations: &[(FunctionId, u32)]) {
        self.image.set_traps(locations);
        self.trap_tests.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Arithmetic, Builder, FunctionKind};
    use crate::source::Span;
    use crate::value::InternedStr;

    fn function(name: &str) -> Function {
        let span = Span::default();
        let mut builder = Builder::new(InternedStr::new(name), FunctionKind::Function, 0, span);
        let dst = builder.alloc_register();
        for n in 0..4 {
            builder.emit_constant(dst, Value::int(n), span);
        }
        builder.emit(Instr::Return { src: dst }, span);
        builder.finish()
    }

    #[test]
    fn a_trap_replaces_one_instruction_of_a_copy() {
        let mut program = Program::empty("test", Arithmetic::default());
        program.define(FunctionId(0), function("f"));
        program.define(FunctionId(1), function("g"));
        let code = [0, 1].map(|n| program.functions[n].code.clone());
        let mut machine = Machine::new(Rc::new(program), 0);
        let linked = |machine: &Machine, n: usize| machine.image.linked_functions[n].code;
        let before = [0, 1].map(|n| linked(&machine, n));
        machine.set_traps(&[(FunctionId(0), 2)]);
        // Another function runs the same code as without the trap.
        assert_ne!(linked(&machine, 0), before[0]);
        assert_eq!(linked(&machine, 1), before[1]);
        let patched = machine.image.patched.of(FunctionId(0));
        let has_trap = |pc| patched.is_some_and(|code| code.has_trap_at(pc));
        assert_eq!(
            [0, 1, 2, 3, 4].map(has_trap),
            [false, false, true, false, false]
        );
        // The program itself has no traps.
        let program = machine.program();
        assert!((0..2).all(|n| program.functions[n].code == code[n]));
        machine.set_traps(&[]);
        assert_eq!([0, 1].map(|n| linked(&machine, n)), before);
    }
}
