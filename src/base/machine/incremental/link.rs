//! Which functions of a program run code that reuses units.

use super::{LoopKey, ReusableLoop, Table};
use crate::code::incremental::{IncrementalCode, Unit};
use crate::code::{Arithmetic, FunctionId};
use crate::machine::fast_path::GroupedCode;
use crate::machine::image::LinkedImage;
use crate::machine::run::ticks;
use crate::machine::{Frame, Machine};
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

    /// What is known about a loop.
    #[inline]
    pub(super) fn reusable(&self, key: LoopKey) -> &ReusableLoop {
        &self.functions[key.function as usize].loops[key.unit as usize]
    }

    #[inline]
    pub(super) fn reusable_mut(&mut self, key: LoopKey) -> &mut ReusableLoop {
        &mut self.functions[key.function as usize].loops[key.unit as usize]
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

impl LinkedImage {
    /// Whether functions have changed since they were analyzed, or units are to be reused from now on, or
    /// no longer.
    fn is_outdated(&self, is_wanted: bool) -> bool {
        is_wanted != self.incremental.is_on || !self.incremental.pending.is_empty()
    }

    /// Whether the program may have reusable units.
    fn allows_units(&self) -> bool {
        let fits = matches!(
            self.program.arithmetic,
            // Others may put numbers on the heap.
            Arithmetic::Checked32 | Arithmetic::Wrapping32
        );
        fits && self.incremental.is_allowed
    }

    /// Analyzes the functions that have changed, or stops reusing units.
    #[cold]
    fn relink_units(&mut self, is_wanted: bool, alteration: Option<fn(&mut Unit)>) {
        if !is_wanted {
            return self.forget_all_units();
        }
        let image = &mut self.incremental;
        if !image.is_on {
            image.is_on = true;
            image.pending = (0..self.program.functions.len() as u32)
                .map(FunctionId)
                .collect();
        }
        for id in std::mem::take(&mut image.pending) {
            self.incremental.remove(id);
            let function = self.program.function(id);
            if let Some(mut found) = function.and_then(|f| IncrementalCode::of(&self.program, f)) {
                if let Some(alter) = alteration {
                    found.units.iter_mut().for_each(alter);
                }
                self.incremental.insert(id, found);
            }
            self.refresh_code(id);
        }
    }

    /// Makes all functions run as they are, until they are analyzed again.
    pub(super) fn forget_all_units(&mut self) {
        let linked: Vec<FunctionId> = self.incremental.slots.keys().copied().collect();
        self.incremental = IncrementalImage {
            is_allowed: self.incremental.is_allowed,
            ..IncrementalImage::default()
        };
        linked.into_iter().for_each(|id| self.refresh_code(id));
    }

    /// A function was redefined, added or removed: it and its callers have to be analyzed again.
    pub(in crate::machine) fn forget_units(&mut self, id: FunctionId) {
        if !self.incremental.is_on {
            return;
        }
        for id in self.incremental.with_callers(id) {
            self.incremental.remove(id);
            self.incremental.pending.push(id);
            self.refresh_code(id);
        }
    }

    /// Traps were added to a function or removed from it.
    pub(in crate::machine) fn refresh_code_with_callers(&mut self, id: FunctionId) {
        for id in self.incremental.with_callers(id) {
            self.refresh_code(id);
        }
    }

    /// Sets which code a function runs: with traps, reusing units, or as it is.
    fn refresh_code(&mut self, id: FunctionId) {
        let Some(linked) = self.linked_functions.get(id.0 as usize) else {
            return;
        };
        let has_traps = |callee: &FunctionId| self.patched_code(*callee).is_some();
        let units = &self.incremental;
        let incremental = units.slots.get(&id).filter(|slot| {
            let callees = &units.functions[**slot as usize].callees;
            !callees.iter().any(has_traps)
        });
        let (code, incremental) = match (self.patched_code(id), incremental) {
            (Some(code), _) => (code.as_ptr(), NOT_INCREMENTAL),
            (None, Some(slot)) => (units.functions[*slot as usize].code.as_ptr(), *slot),
            (None, None) => (linked.grouped_code, NOT_INCREMENTAL),
        };
        let linked = &mut self.linked_functions[id.0 as usize];
        (linked.code, linked.incremental) = (code, incremental);
    }

    /// The loop with a number in the function of a frame, if the function has reusable units.
    pub(super) fn loop_key(&self, frame: &Frame, unit: u16) -> Option<LoopKey> {
        let function = self.linked_functions[frame.function.0 as usize].incremental;
        (function != NOT_INCREMENTAL).then_some(LoopKey { function, unit })
    }
}

impl Machine {
    /// Prepares a plain run up to a time limit.
    pub(in crate::machine) fn begin_incremental_run(&mut self, limit: u64) {
        self.update_incremental_code();
        self.incremental.forget_position();
        let budget_check = self.schedule.next_budget_check(self.time, &self.limits);
        let hard_end = limit.min(self.schedule.interrupt_at).min(budget_check);
        self.incremental.hard_end = ticks(hard_end);
    }

    /// Brings the code in line with the program and the size of the board. Takes time in proportion to
    /// the functions that have changed since the last run, and to all of them if the board has become
    /// large enough for the first time.
    pub(in crate::machine) fn update_incremental_code(&mut self) {
        let is_wanted = self.image.allows_units() && self.wants_incremental();
        if self.image.is_outdated(is_wanted) {
            self.image
                .relink_units(is_wanted, self.incremental.alteration);
            if !is_wanted {
                self.store.cells.stop_logging();
            }
        }
    }

    /// Whether the board is large enough for reusing units.
    fn wants_incremental(&self) -> bool {
        let cells = u64::from(self.store.rows) * u64::from(self.store.cols);
        let min_cells = self.incremental.min_cells.map(u64::from);
        // While a new game is set up, there is no board yet.
        let is_on = cells == 0 && self.image.incremental.is_on;
        min_cells.is_some_and(|min| is_on || cells >= min.max(1))
    }
}
