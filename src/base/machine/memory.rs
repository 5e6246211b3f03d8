//! Allocation within the memory limit, and garbage collection.
//!
//! Garbage is collected before an instruction allocates, while everything that it uses is still in a
//! register.

use super::ops::arithmetic::concat_bytes;
use super::ops::grid::{cell_index, grid, grid_size};
use super::ops::list::{check_append, filled_length};
use super::runtime_error::out_of_memory;
use super::{Machine, RuntimeError};
use crate::code::Arithmetic;
use crate::value::{Grid, Object, Store, Value};
use std::rc::Rc;

type Result<T> = std::result::Result<T, Box<RuntimeError>>;

/// Maximum length of a list.
const MAX_LIST_ELEMENTS: usize = 1 << 26;

impl Machine {
    /// Approximate number of bytes used by the program, with the copy that the checkpoint of the current
    /// state has of the stack. Depends only on the state, not on which of it was recorded.
    pub(super) fn memory_bytes(&self) -> u64 {
        2 * self.stack.bytes(&self.image) + self.store.bytes()
    }

    /// Whether some bytes more would exceed the memory limit.
    pub(super) fn exceeds_memory(&self, bytes: u64) -> bool {
        let used = self.memory_bytes() + self.history_excess_bytes + bytes;
        self.limits.is_memory_enforced && used > self.limits.max_memory_bytes
    }

    /// Collects garbage if enough was allocated since the last collection.
    #[inline]
    pub(super) fn collect_if_needed(&mut self) {
        if self.store.heap.needs_collection() {
            self.collect_garbage();
        }
    }

    /// Collects garbage before arithmetic, if its results may be on the heap: a loop over large
    /// integers must not fill it.
    #[inline]
    pub(super) fn collect_for_arithmetic(&mut self) {
        if let Arithmetic::Checked64 | Arithmetic::Wrapping64 = self.image.program.arithmetic {
            self.collect_if_needed();
        }
    }

    fn collect_garbage(&mut self) {
        let top = self.stack.top(&self.image);
        let roots = self.stack.registers[..top].iter().copied();
        let globals: Vec<Value> = self.store.globals.as_slice().to_vec();
        self.store.heap.collect(roots.chain(globals));
    }

    /// Checks that there is memory for something large, collecting garbage first if necessary.
    fn reserve_bytes(&mut self, bytes: u64) -> Result<()> {
        self.collect_if_needed();
        // When garbage is collected must not depend on the history.
        if self.memory_bytes() + bytes > self.limits.max_memory_bytes {
            self.collect_garbage();
        }
        match self.exceeds_memory(bytes) {
            true => Err(out_of_memory(&self.limits)),
            false => Ok(()),
        }
    }

    /// Checks that there is memory for another board instead of the present one.
    pub(super) fn reserve_board(&mut self, cells: u64) -> Result<()> {
        let more = cells.saturating_sub(self.store.cells.len() as u64);
        // The snapshot of the state has a copy.
        self.reserve_bytes(2 * Store::board_bytes(more))
    }

    pub(super) fn append(&mut self, list: Value, value: Value) -> Result<()> {
        let len = check_append(self.values(), list, value)?;
        if len >= MAX_LIST_ELEMENTS || self.exceeds_memory(0) {
            return Err(out_of_memory(&self.limits));
        }
        if let Some(items) = self.store.heap.list_mut(list) {
            items.push(value);
        }
        self.store.heap.add_bytes(size_of::<Value>() as u64);
        Ok(())
    }

    /// Two strings, one after the other.
    pub(super) fn concat(&mut self, a: Value, b: Value) -> Result<Value> {
        let bytes = concat_bytes(self.values(), a, b, &self.limits)?;
        // It is built before it is stored.
        self.reserve_bytes(2 * bytes)?;
        let heap = &mut self.store.heap;
        let text = [a, b].map(|part| heap.as_str(part).unwrap_or_default());
        let text = text.concat();
        Ok(heap.alloc_string(&text))
    }

    pub(super) fn filled_list(&mut self, value: Value, count: Value) -> Result<Value> {
        let len = filled_length(self.values(), count)?;
        self.reserve_bytes((len * size_of::<Value>()) as u64)?;
        Ok(self.store.heap.alloc_list(vec![value; len]))
    }

    pub(super) fn make_grid(&mut self, rows: Value, cols: Value, value: Value) -> Result<Value> {
        let (rows, cols) = grid_size(self.values(), rows, cols)?;
        self.reserve_bytes(u64::from(rows) * u64::from(cols) * size_of::<Value>() as u64)?;
        let grid = Grid::filled(rows, cols, value);
        Ok(self.store.heap.alloc(Object::Grid(Rc::new(grid))))
    }

    pub(super) fn grid_with_cell(
        &mut self,
        old: Value,
        (row, col): (Value, Value),
        value: Value,
        from: u8,
    ) -> Result<Value> {
        let old = grid(self.values(), old)?;
        let at = cell_index(self.values(), old, row, col, from)?;
        let changed = old.with_cell(at, value);
        self.reserve_bytes(changed.own_bytes())?;
        Ok(self.store.heap.alloc(Object::Grid(Rc::new(changed))))
    }
}
