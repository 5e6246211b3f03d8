//! Which functions of a program run code that reuses units.

use super::{ReusableLoop, Table};
use crate::code::incremental::IncrementalCode;
use crate::code::{Arithmetic, FunctionId};
use crate::machine::Machine;
use crate::machine::fast_path::GroupedCode;
use crate::machine::run::ticks;
use std::collections::{BTreeMap, BTreeSet};

/// Marks a function without reusable units.
pub(in crate::machine) const NOT_INCREMENTAL: u32 = u32::MAX;

/// The functions of a program that have reusable units, with what is remembered.
#[derive(Default)]
pub(in crate::machine) struct IncrementalImage {
    /// False for programs that are only run now and then, such as watched expressions.
    pub(in crate::machine) is_allowed: bool,
    /// Whether the functions were analyzed.
    pub(super) is_on: bool,
    /// Indexed by `LinkedFunction::incremental`. Slots that are not in use are empty.
    pub(super) functions: Vec<IncrementalFunction>,
    free_slots: Vec<u32>,
    slots: BTreeMap<FunctionId, u32>,
    /// For each function that is called in units, the functions with these units.
    callers: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// Functions that are new or have changed, or call one that has.
    pending: Vec<FunctionId>,
}

/// A function with reusable units.
#[derive(Default)]
pub(super) struct IncrementalFunction {
    code: GroupedCode,
    callees: BTreeSet<FunctionId>,
    pub(super) loops: Vec<ReusableLoop>,
}

impl IncrementalImage {
    /// Forgets all units, but not the code. A loop that runs now is not remembered.
    pub(super) fn clear_tables(&mut self) {
        for known in self.functions.iter_mut().flat_map(|f| &mut f.loops) {
            known.starts = known.starts.min(1);
            known.units.clear();
            known.groups.clear();
        }
    }

    fn insert(&mut self, id: FunctionId, found: IncrementalCode) {
        for callee in &found.callees {
            self.callers.entry(*callee).or_default().insert(id);
        }
        let loops = found.units.into_iter().map(|unit| ReusableLoop {
            unit,
            starts: 0,
            units: Table::default(),
            groups: Table::default(),
        });
        let function = IncrementalFunction {
            code: GroupedCode::new(&found.code),
            callees: found.callees,
            loops: loops.collect(),
        };
        let slot = match self.free_slots.pop() {
            Some(slot) => slot,
            None => {
                self.functions.push(IncrementalFunction::default());
                self.functions.len() as u32 - 1
            }
        };
        self.functions[slot as usize] = function;
        self.slots.insert(id, slot);
    }

    fn remove(&mut self, id: FunctionId) {
        let Some(slot) = self.slots.remove(&id) else {
            return;
        };
        let removed = std::mem::take(&mut self.functions[slot as usize]);
        self.free_slots.push(slot);
        for callee in removed.callees {
            if let Some(callers) = self.callers.get_mut(&callee) {
                callers.remove(&id);
                if callers.is_empty() {
                    self.callers.remove(&callee);
                }
            }
        }
    }

    /// A function and those whose units call it.
    fn with_callers(&self, id: FunctionId) -> Vec<FunctionId> {
        let callers = self.callers.get(&id).into_iter().flatten();
        std::iter::once(id).chain(callers.copied()).collect()
    }
}

impl Machine {
    /// Prepares a plain run up to a time limit.
    pub(in crate::machine) fn begin_incremental_run(&mut self, limit: u64) {
        self.update_incremental_code();
        self.incremental.forget_position();
        let hard_end = limit.min(self.interrupt_at).min(self.next_budget_check());
        self.incremental.hard_end = ticks(hard_end);
    }

    /// Brings the code in line with the program and the size of the board. Takes time in proportion to
    /// the functions that have changed since the last run, and to all of them if the board has become
    /// large enough for the first time.
    pub(in crate::machine) fn update_incremental_code(&mut self) {
        let fits = matches!(
            self.program.arithmetic,
            // Others may put numbers on the heap.
            Arithmetic::Checked32 | Arithmetic::Wrapping32
        );
        let image = &self.incremental_image;
        let is_wanted = fits && image.is_allowed && self.wants_incremental();
        if is_wanted != image.is_on || !image.pending.is_empty() {
            self.relink_incremental(is_wanted);
        }
    }

    #[cold]
    fn relink_incremental(&mut self, is_wanted: bool) {
        let image = &mut self.incremental_image;
        if !is_wanted {
            let linked: Vec<FunctionId> = image.slots.keys().copied().collect();
            *image = IncrementalImage {
                is_allowed: image.is_allowed,
                ..IncrementalImage::default()
            };
            linked.into_iter().for_each(|id| self.refresh_code(id));
            return self.store.cells.stop_logging();
        }
        if !image.is_on {
            image.is_on = true;
            image.pending = (0..self.program.functions.len() as u32)
                .map(FunctionId)
                .collect();
        }
        for id in std::mem::take(&mut image.pending) {
            let image = &mut self.incremental_image;
            image.remove(id);
            let function = self.program.function(id);
            if let Some(found) = function.and_then(|f| IncrementalCode::of(&self.program, f)) {
                image.insert(id, found);
            }
            self.refresh_code(id);
        }
    }

    /// A function was redefined, added or removed: it and its callers have to be analyzed again.
    pub(in crate::machine) fn forget_incremental(&mut self, id: FunctionId) {
        if !self.incremental_image.is_on {
            return;
        }
        for id in self.incremental_image.with_callers(id) {
            self.incremental_image.remove(id);
            self.incremental_image.pending.push(id);
            self.refresh_code(id);
        }
    }

    /// Traps were added to a function or removed from it.
    pub(in crate::machine) fn refresh_code_with_callers(&mut self, id: FunctionId) {
        for id in self.incremental_image.with_callers(id) {
            self.refresh_code(id);
        }
    }

    /// Sets which code a function runs: with traps, reusing units, or as it is.
    fn refresh_code(&mut self, id: FunctionId) {
        let patched = |id: &FunctionId| self.patched.iter().find(|(other, _)| other == id);
        let image = &self.incremental_image;
        let incremental = image.slots.get(&id).filter(|slot| {
            let callees = &image.functions[**slot as usize].callees;
            !callees.iter().any(|callee| patched(callee).is_some())
        });
        let Some(linked) = self.linked_functions.get_mut(id.0 as usize) else {
            return;
        };
        (linked.code, linked.incremental) = match (patched(&id), incremental) {
            (Some((_, code)), _) => (code.as_ptr(), NOT_INCREMENTAL),
            (None, Some(slot)) => (image.functions[*slot as usize].code.as_ptr(), *slot),
            (None, None) => (linked.grouped_code, NOT_INCREMENTAL),
        };
    }
}
