//! The linked image of a program: what the dispatch loop needs, with pointers into the code,
//! patched code with traps, and lookup tables.

use super::fast_path::GroupedCode;
use super::incremental::{IncrementalImage, NOT_INCREMENTAL};
use super::{Machine, NO_FUNCTION, NO_INDEX};
use crate::code::flow::CLEARED_BY_CALL;
use crate::code::{Function, FunctionId, Instr, PieceEvent, Program};
use crate::value::{InternedStr, Value};
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

/// A program with all tables that the dispatch loop needs; the fields are those of [`Machine`].
/// Linked once and then swapped in and out in constant time, which matters for conditions that are
/// evaluated at every stop.
pub struct LinkedImage {
    program: Rc<Program>,
    linked_functions: Vec<LinkedFunction>,
    grouped: Vec<GroupedCode>,
    patched: Vec<(FunctionId, GroupedCode)>,
    kind_by_name: Vec<u16>,
    owner_by_name: Vec<u16>,
    kind_names: Vec<Value>,
    handlers: Vec<[u32; 2]>,
    has_turn_handlers: bool,
    incremental_image: IncrementalImage,
}

impl LinkedImage {
    /// Links a program.
    pub fn new(program: Rc<Program>) -> LinkedImage {
        let raw_id = |f: Option<FunctionId>| f.map_or(NO_FUNCTION, |f| f.0);
        let (linked_functions, grouped) = program.functions.iter().map(|f| link(f)).unzip();
        LinkedImage {
            linked_functions,
            grouped,
            patched: Vec::new(),
            kind_by_name: index_by_name(program.piece_kinds.iter().map(|k| k.name)),
            owner_by_name: index_by_name(program.owners.iter().copied()),
            kind_names: program
                .piece_kinds
                .iter()
                .map(|k| Value::interned(k.name))
                .collect(),
            handlers: program
                .piece_kinds
                .iter()
                .map(|k| k.handlers.map(raw_id))
                .collect(),
            has_turn_handlers: program
                .piece_kinds
                .iter()
                .any(|k| k.handlers[PieceEvent::Turn as usize].is_some()),
            incremental_image: IncrementalImage::default(),
            program,
        }
    }
}

fn link(function: &Function) -> (LinkedFunction, GroupedCode) {
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
        let old = &self.program;
        let has_same_kinds = Rc::ptr_eq(&program.owners, &old.owners)
            && (program.piece_kinds.unshared_ranges(&old.piece_kinds)).is_empty();
        if !has_same_kinds {
            return self.install_image(LinkedImage::new(program));
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
                    (*linked, self.grouped[index]) = link(new);
                }
                (Some(new), None) => {
                    let (linked, grouped) = link(new);
                    self.linked_functions.push(linked);
                    self.grouped.push(grouped);
                }
                (None, _) => {}
            }
            self.forget_incremental(FunctionId(index as u32));
        }
        self.program = program;
        self.add_globals();
    }

    /// Makes the program of an image the running one.
    pub(super) fn install_image(&mut self, mut image: LinkedImage) {
        image.incremental_image.is_allowed = true;
        self.swap_image(&mut image);
    }

    /// Adds the globals of the program that the store does not have yet.
    fn add_globals(&mut self) {
        if self.store.globals.len() < self.program.globals.len() {
            self.store
                .globals
                .resize(self.program.globals.len(), Value::NOTHING);
        }
    }

    fn remove_traps(&mut self) {
        for (id, _) in std::mem::take(&mut self.patched) {
            self.refresh_code_with_callers(id);
        }
    }

    /// Swaps the running program with another one, including its traps.
    pub fn swap_image(&mut self, other: &mut LinkedImage) {
        use std::mem::swap;
        swap(&mut self.program, &mut other.program);
        swap(&mut self.linked_functions, &mut other.linked_functions);
        swap(&mut self.grouped, &mut other.grouped);
        swap(&mut self.patched, &mut other.patched);
        swap(&mut self.kind_by_name, &mut other.kind_by_name);
        swap(&mut self.owner_by_name, &mut other.owner_by_name);
        swap(&mut self.kind_names, &mut other.kind_names);
        swap(&mut self.handlers, &mut other.handlers);
        swap(&mut self.has_turn_handlers, &mut other.has_turn_handlers);
        swap(&mut self.incremental_image, &mut other.incremental_image);
        self.add_globals();
    }

    /// Changes the function ids of all active frames.
    pub fn remap_functions(&mut self, new_id: impl Fn(FunctionId) -> FunctionId) {
        for frame in &mut self.frames {
            frame.function = new_id(frame.function);
        }
        self.low_water = 0;
        self.last_snapshot = None;
    }

    /// Makes the plain loop pause before these instructions, and no others.
    pub fn set_traps(&mut self, locations: &[(FunctionId, u32)]) {
        self.remove_traps();
        let mut patched: BTreeMap<FunctionId, Vec<Instr>> = BTreeMap::new();
        for &(id, pc) in locations {
            let Some(original) = self.program.function(id) else {
                continue;
            };
            let code = patched.entry(id).or_insert_with(|| original.code.clone());
            if let Some(instr) = code.get_mut(pc as usize) {
                *instr = Instr::Trap;
            }
        }
        let grouped = patched.iter().map(|(id, c)| (*id, GroupedCode::new(c)));
        self.patched = grouped.collect();
        for id in patched.into_keys() {
            self.refresh_code_with_callers(id);
        }
    }
}

/// Maps the interned index of each name to its position.
fn index_by_name(names: impl Iterator<Item = InternedStr>) -> Vec<u16> {
    let mut table = Vec::new();
    for (i, name) in names.enumerate() {
        let at = name.index() as usize;
        if table.len() <= at {
            table.resize(at + 1, NO_INDEX);
        }
        // If a name occurs twice, the first one wins.
        if table[at] == NO_INDEX {
            table[at] = i as u16;
        }
    }
    table
}
