//! Objects that do not fit in a [`Value`]: lists, tuples, records, grids, built strings, large
//! integers.
//!
//! Objects live in numbered slots. Assignment copies lists (`Instr::Copy`), so that they can be
//! changed in place without affecting other variables. The copy is shallow; each language takes
//! care of lists inside lists.
//!
//! Garbage is found by mark and sweep, at points that depend only on the state of the heap. That
//! makes a replay from a checkpoint assign the same slot to every object.

use super::{Items, List, PagedVec, SharedVec, Snapshot, Value};
use std::collections::HashSet;
use std::rc::Rc;

/// Reference to a heap object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Handle {
    /// Index of the slot.
    pub slot: u32,
    /// Kind of the object, so that it can be tested without accessing the heap.
    pub kind: ObjectKind,
}

/// The kind of a heap object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum ObjectKind {
    /// See [`Object::List`].
    List,
    /// See [`Object::Tuple`].
    Tuple,
    /// See [`Object::Record`].
    Record,
    /// See [`Object::String`].
    String,
    /// See [`Object::Int`].
    Int,
    /// See [`Object::Grid`].
    Grid,
}

impl ObjectKind {
    #[inline]
    pub(super) fn from_u8(n: u8) -> ObjectKind {
        match n {
            0 => ObjectKind::List,
            1 => ObjectKind::Tuple,
            2 => ObjectKind::Record,
            3 => ObjectKind::String,
            4 => ObjectKind::Int,
            _ => ObjectKind::Grid,
        }
    }
}

/// The content of a heap slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Object {
    /// An unused slot, with the index of the next free one.
    Free(u32),
    /// Elements of the same type. Can grow and shrink in place.
    List(List),
    /// A fixed number of elements, which may have different types.
    Tuple(Rc<Vec<Value>>),
    /// Fields by index. Unlike the others, records are compared and shared by reference.
    Record(Rc<Vec<Value>>),
    /// A string that was built at run time; literals are interned instead.
    String(Rc<str>),
    /// An integer that does not fit in a [`Value`].
    Int(i64),
    /// A board that is an ordinary value. Does not change once it is built.
    Grid(Rc<Grid>),
}

impl Object {
    /// The elements of a list or tuple, or the fields of a record.
    #[inline]
    pub fn items(&self) -> Option<Items<'_>> {
        match self {
            Object::List(list) => Some(list.items()),
            Object::Tuple(v) | Object::Record(v) => Some(v.as_slice().into()),
            _ => None,
        }
    }

    /// One of them, to be changed in place.
    fn item_mut(&mut self, index: usize) -> Option<&mut Value> {
        match self {
            Object::List(list) => list.get_mut(index),
            Object::Tuple(v) | Object::Record(v) => Rc::make_mut(v).get_mut(index),
            _ => None,
        }
    }

    /// Approximate size, including the overhead of its allocation.
    fn bytes(&self) -> u64 {
        match self {
            Object::List(list) => 8 * list.len() as u64 + 48,
            Object::Tuple(v) | Object::Record(v) => 8 * v.len() as u64 + 48,
            Object::String(t) => t.len() as u64 + 48,
            Object::Grid(g) => g.own_bytes + 64,
            Object::Free(_) | Object::Int(_) => 24,
        }
    }

    /// What of that an earlier content of the same slot does not share.
    fn unshared_bytes(&self, earlier: Option<&Object>) -> u64 {
        let is_shared = match (self, earlier) {
            (Object::List(a), Some(Object::List(b))) => return a.unshared_bytes(b),
            (Object::Tuple(a), Some(Object::Tuple(b)))
            | (Object::Record(a), Some(Object::Record(b))) => Rc::ptr_eq(a, b),
            (Object::String(a), Some(Object::String(b))) => Rc::ptr_eq(a, b),
            (Object::Grid(a), Some(Object::Grid(b))) => Rc::ptr_eq(a, b),
            // They have no content beside the slot.
            (Object::Free(_) | Object::Int(_), _) => true,
            _ => false,
        };
        if is_shared { 0 } else { self.bytes() }
    }
}

/// A board that is an ordinary value. Shares its unchanged cells with the board it was made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Number of rows, at least 1.
    pub rows: u32,
    /// Number of columns, at least 1.
    pub cols: u32,
    /// All `rows * cols` cells, in row-major order.
    pub cells: SharedVec<Value>,
    /// Bytes that it does not share with the board it was made from, approximately.
    own_bytes: u64,
}

impl Grid {
    /// A board with the same value on every cell.
    pub fn filled(rows: u32, cols: u32, value: Value) -> Grid {
        let len = rows as usize * cols as usize;
        Grid {
            rows,
            cols,
            cells: SharedVec::filled(value, len),
            // The cells are shared at first, but are usually about to be filled.
            own_bytes: (len * size_of::<Value>()) as u64,
        }
    }

    /// The board with another value on one cell.
    pub fn with_cell(&self, index: usize, value: Value) -> Grid {
        let mut cells = self.cells.clone();
        cells.set(index, value);
        Grid {
            rows: self.rows,
            cols: self.cols,
            own_bytes: cells.path_bytes() as u64,
            cells,
        }
    }

    /// Bytes that it does not share with the board it was made from, approximately.
    pub fn own_bytes(&self) -> u64 {
        self.own_bytes
    }

    /// The cells row by row.
    pub fn to_rows(&self) -> Vec<Vec<Value>> {
        let cols = self.cols as usize;
        let row = |row: usize| self.cells.iter().skip(row * cols).take(cols);
        (0..self.rows as usize)
            .map(|n| row(n).copied().collect())
            .collect()
    }

    /// The cells in which another board of the same size differs: index, this value, the other's.
    pub fn differing_cells<'g>(
        &'g self,
        other: &'g Grid,
    ) -> impl Iterator<Item = (usize, Value, Value)> + Clone + 'g {
        let unshared = self.cells.unshared_ranges(&other.cells);
        let pair = |n: usize| Some((n, *self.cells.get(n)?, *other.cells.get(n)?));
        unshared
            .into_iter()
            .flatten()
            .filter_map(pair)
            .filter(|(_, a, b)| a != b)
    }
}

const NO_SLOT: u32 = u32::MAX;

/// The heap; see the module documentation.
#[derive(Debug)]
pub struct Heap {
    slots: PagedVec<Object>,
    /// First slot of the free list, or `NO_SLOT`.
    free: u32,
    /// Allocations since the last collection, and how many trigger the next one.
    allocations: u32,
    collect_at_allocations: u32,
    /// Approximate bytes held by all objects, and how many trigger the next collection.
    bytes: u64,
    collect_at_bytes: u64,
}

/// The heap at one point in time.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct HeapSnapshot {
    slots: Snapshot<Object>,
    free: u32,
    allocations: u32,
    collect_at_allocations: u32,
    bytes: u64,
    collect_at_bytes: u64,
}

/// Collections are at least this many allocations apart.
const MIN_ALLOCATIONS_BEFORE_COLLECTION: u32 = 20_000;
/// The same in bytes: large boards fill the memory long before there are many of them.
const MIN_BYTES_BEFORE_COLLECTION: u64 = 16 << 20;

impl Default for Heap {
    fn default() -> Self {
        Heap {
            slots: PagedVec::default(),
            free: NO_SLOT,
            allocations: 0,
            collect_at_allocations: MIN_ALLOCATIONS_BEFORE_COLLECTION,
            bytes: 0,
            collect_at_bytes: MIN_BYTES_BEFORE_COLLECTION,
        }
    }
}

impl Heap {
    /// Allocates an object. Never collects garbage.
    pub fn alloc(&mut self, object: Object) -> Value {
        let kind = match object {
            Object::List(_) => ObjectKind::List,
            Object::Tuple(_) => ObjectKind::Tuple,
            Object::Record(_) => ObjectKind::Record,
            Object::Int(_) => ObjectKind::Int,
            Object::Grid(_) => ObjectKind::Grid,
            Object::String(_) | Object::Free(_) => ObjectKind::String,
        };
        self.allocations += 1;
        self.bytes += object.bytes();
        let slot = match self.slots.get(self.free as usize) {
            Some(&Object::Free(next)) => {
                let slot = std::mem::replace(&mut self.free, next);
                self.slots.set(slot as usize, object);
                slot
            }
            _ => {
                self.slots.push(object);
                self.slots.len() as u32 - 1
            }
        };
        Value::heap(Handle { slot, kind })
    }

    /// A new list.
    pub fn alloc_list(&mut self, items: Vec<Value>) -> Value {
        self.alloc(Object::List(items.into()))
    }

    /// A new tuple.
    pub fn alloc_tuple(&mut self, items: Vec<Value>) -> Value {
        self.alloc(Object::Tuple(Rc::new(items)))
    }

    /// A new string.
    pub fn alloc_string(&mut self, text: &str) -> Value {
        self.alloc(Object::String(text.into()))
    }

    /// A 64-bit integer: stored inline if it fits, otherwise on the heap.
    pub fn alloc_int(&mut self, n: i64) -> Value {
        Value::inline_int(n).unwrap_or_else(|| self.alloc(Object::Int(n)))
    }

    /// Frees an object that is known to be unreferenced, without waiting for a collection.
    pub fn free(&mut self, value: Value) {
        let Some(handle) = value.as_heap() else {
            return;
        };
        let Some(object) = self
            .object(handle)
            .filter(|object| !matches!(object, Object::Free(_)))
        else {
            return;
        };
        self.bytes = self.bytes.saturating_sub(object.bytes());
        let next = std::mem::replace(&mut self.free, handle.slot);
        self.slots.set(handle.slot as usize, Object::Free(next));
    }

    /// The content of the slot that a handle refers to.
    #[inline]
    pub fn object(&self, handle: Handle) -> Option<&Object> {
        self.slots.get(handle.slot as usize)
    }

    /// The content of a slot.
    pub fn object_in(&self, slot: u32) -> Option<&Object> {
        self.slots.get(slot as usize)
    }

    /// The elements of a list or tuple, or the fields of a record.
    #[inline]
    pub fn items(&self, value: Value) -> Option<Items<'_>> {
        self.object(value.as_heap()?)?.items()
    }

    /// An element of a list or tuple, or a field of a record, to be changed in place.
    pub fn item_mut(&mut self, value: Value, index: usize) -> Option<&mut Value> {
        let slot = value.as_heap()?.slot as usize;
        self.slots.get_mut(slot)?.item_mut(index)
    }

    /// A list, to be changed in place.
    pub fn list_mut(&mut self, value: Value) -> Option<&mut List> {
        match self.slots.get_mut(value.as_heap()?.slot as usize)? {
            Object::List(list) => Some(list),
            _ => None,
        }
    }

    /// The fields of a record, to be changed in place.
    pub fn fields_mut(&mut self, value: Value) -> Option<&mut Vec<Value>> {
        match self.slots.get_mut(value.as_heap()?.slot as usize)? {
            Object::Record(fields) => Some(Rc::make_mut(fields)),
            _ => None,
        }
    }

    /// Replaces the elements of all lists, tuples and records for which `change` returns a value.
    pub fn replace_items(&mut self, change: impl Fn(Value) -> Option<Value>) {
        for slot in 0..self.slots.len() {
            let items = self.slots.get(slot).and_then(Object::items);
            let affected = items.unwrap_or_default().iter().enumerate();
            let affected = affected.filter_map(|(n, &item)| Some((n, change(item)?)));
            let affected: Vec<(usize, Value)> = affected.collect();
            for (n, item) in affected {
                let object = self.slots.get_mut(slot);
                if let Some(slot) = object.and_then(|object| object.item_mut(n)) {
                    *slot = item;
                }
            }
        }
    }

    /// The grid that a value refers to, if it is one.
    pub fn grid(&self, value: Value) -> Option<&Rc<Grid>> {
        match self.object(value.as_heap()?)? {
            Object::Grid(g) => Some(g),
            _ => None,
        }
    }

    /// A grid that is still under construction, for changing it in place.
    pub fn grid_mut(&mut self, value: Value) -> Option<&mut Grid> {
        match self.slots.get_mut(value.as_heap()?.slot as usize)? {
            Object::Grid(g) => Some(Rc::make_mut(g)),
            _ => None,
        }
    }

    /// True if the value refers to a list.
    #[inline]
    pub fn is_list(&self, value: Value) -> bool {
        value.as_heap().is_some_and(|h| h.kind == ObjectKind::List)
    }

    /// A new list with the same elements. Copy-on-write: they are shared until either list changes.
    pub fn copy_list(&mut self, value: Value) -> Value {
        match value
            .as_heap()
            .filter(|h| h.kind == ObjectKind::List)
            .and_then(|h| self.object(h))
        {
            Some(object) => {
                let object = object.clone();
                self.alloc(object)
            }
            None => value,
        }
    }

    /// The integer, inline or on the heap.
    #[inline]
    pub fn as_int(&self, value: Value) -> Option<i64> {
        value
            .as_int()
            .or_else(|| match self.object(value.as_heap()?)? {
                Object::Int(n) => Some(*n),
                _ => None,
            })
    }

    /// The characters of a string, interned or on the heap.
    pub fn as_str(&self, value: Value) -> Option<&str> {
        match value.as_interned() {
            Some(text) => Some(text.as_str()),
            None => match self.object(value.as_heap()?)? {
                Object::String(t) => Some(t),
                _ => None,
            },
        }
    }

    /// Whether a value is a string, interned or on the heap.
    pub fn is_str(&self, value: Value) -> bool {
        match value.as_heap() {
            Some(handle) => matches!(self.object(handle), Some(Object::String(_))),
            None => value.as_interned().is_some(),
        }
    }

    /// Equality as programs see it: lists, tuples, grids and strings are compared by content.
    pub fn deep_equals(&self, a: Value, b: Value) -> bool {
        if a == b {
            return true;
        }
        if a.as_heap().is_none() && b.as_heap().is_none() {
            // Each string is interned only once, so these differ.
            return a.as_float().zip(b.as_float()).is_some_and(|(x, y)| x == y);
        }
        // A work list instead of recursion: nested lists may be deeper than Rust's stack.
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            if a == b {
                continue;
            }
            if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
                if x != y {
                    return false;
                }
                continue;
            }
            if let (Some(x), Some(y)) = (self.as_str(a), self.as_str(b)) {
                if x != y {
                    return false;
                }
                continue;
            }
            let (Some(x), Some(y)) = (a.as_heap(), b.as_heap()) else {
                return false;
            };
            match (self.object(x), self.object(y)) {
                (Some(x @ Object::List(_)), Some(y @ Object::List(_)))
                | (Some(x @ Object::Tuple(_)), Some(y @ Object::Tuple(_))) => {
                    let (x, y) = (x.items().unwrap_or_default(), y.items().unwrap_or_default());
                    if x.len() != y.len() {
                        return false;
                    }
                    pairs.extend(x.iter().copied().zip(y.iter().copied()));
                }
                (Some(Object::Int(x)), Some(Object::Int(y))) if x == y => {}
                (Some(Object::Grid(x)), Some(Object::Grid(y))) if x.cols == y.cols => {
                    if !push_cell_pairs(x, y, &mut pairs) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// Approximate number of bytes held by objects.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes that a snapshot copies of the slots, whether or not their objects change.
    pub fn slot_bytes(&self) -> u64 {
        (self.slots.len() * size_of::<Object>()) as u64
    }

    /// Accounts for an object that grew in place.
    pub fn add_bytes(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// Whether enough was allocated since the last collection to make another one worthwhile.
    #[inline]
    pub fn needs_collection(&self) -> bool {
        self.allocations >= self.collect_at_allocations || self.bytes >= self.collect_at_bytes
    }

    /// Mark and sweep: frees every slot that cannot be reached from `roots`.
    pub fn collect(&mut self, roots: impl Iterator<Item = Value>) {
        let (marked, cell_bytes) = self.mark(roots);
        self.free = NO_SLOT;
        self.bytes = cell_bytes;
        let mut live = 0;
        for slot in (0..self.slots.len()).rev() {
            if marked[slot] {
                live += 1;
                self.bytes += self.slots.get(slot).map_or(0, |object| match object {
                    // The cells were counted once for all boards that share them.
                    Object::Grid(_) => 64,
                    _ => object.bytes(),
                });
            } else if self.slots.get(slot) != Some(&Object::Free(self.free)) {
                let next = std::mem::replace(&mut self.free, slot as u32);
                self.slots.set(slot, Object::Free(next));
            } else {
                self.free = slot as u32;
            }
        }
        self.allocations = 0;
        self.collect_at_allocations = MIN_ALLOCATIONS_BEFORE_COLLECTION.max(live * 2);
        self.collect_at_bytes = MIN_BYTES_BEFORE_COLLECTION.max(self.bytes * 2);
    }

    /// For each slot, whether it can be reached; and the bytes of the cells of all boards that can.
    fn mark(&self, roots: impl Iterator<Item = Value>) -> (Vec<bool>, u64) {
        let mut visited_cells = HashSet::new();
        let mut cell_bytes = 0;
        let mut marked = vec![false; self.slots.len()];
        let mut work_list: Vec<u32> = Vec::new();
        let visit = |value: Value, marked: &mut Vec<bool>, work_list: &mut Vec<u32>| {
            if let Some(h) = value.as_heap()
                && let Some(is_marked) = marked.get_mut(h.slot as usize)
                && !*is_marked
                && !matches!(self.slots.get(h.slot as usize), Some(Object::Free(_)))
            {
                *is_marked = true;
                work_list.push(h.slot);
            }
        };
        for root in roots {
            visit(root, &mut marked, &mut work_list);
        }
        while let Some(slot) = work_list.pop() {
            match self.slots.get(slot as usize) {
                Some(Object::Grid(g)) => {
                    cell_bytes += g.cells.visit_new(
                        |part| visited_cells.insert(part),
                        |cells| {
                            cells
                                .iter()
                                .for_each(|&v| visit(v, &mut marked, &mut work_list))
                        },
                    );
                }
                object => {
                    let items = object.and_then(Object::items).unwrap_or_default();
                    items
                        .iter()
                        .for_each(|&v| visit(v, &mut marked, &mut work_list));
                }
            }
        }
        (marked, cell_bytes as u64)
    }

    /// A snapshot, and the number of bytes that it keeps in memory.
    pub(super) fn snapshot(&mut self) -> (HeapSnapshot, usize) {
        // The objects themselves are shared, not copied, but the snapshot keeps them alive.
        let changed = self.slots.dirty_items();
        let held_bytes: u64 = changed
            .map(|(now, before)| now.unshared_bytes(before))
            .sum();
        let (slots, copied) = self.slots.snapshot();
        (self.snapshot_with(slots), copied + held_bytes as usize)
    }

    /// The last snapshot, if nothing has been written since.
    pub(super) fn current_snapshot(&self) -> Option<HeapSnapshot> {
        Some(self.snapshot_with(self.slots.current_snapshot()?))
    }

    /// A snapshot with these objects.
    fn snapshot_with(&self, slots: Snapshot<Object>) -> HeapSnapshot {
        let Heap {
            free,
            allocations,
            collect_at_allocations,
            bytes,
            collect_at_bytes,
            ..
        } = *self;
        HeapSnapshot {
            slots,
            free,
            allocations,
            collect_at_allocations,
            bytes,
            collect_at_bytes,
        }
    }

    /// Returns to the state of a snapshot.
    pub(super) fn restore(&mut self, snapshot: &HeapSnapshot) {
        self.slots.restore(&snapshot.slots);
        (self.free, self.allocations, self.collect_at_allocations) = (
            snapshot.free,
            snapshot.allocations,
            snapshot.collect_at_allocations,
        );
        (self.bytes, self.collect_at_bytes) = (snapshot.bytes, snapshot.collect_at_bytes);
    }
}

impl HeapSnapshot {
    /// Number of bytes held by this snapshot but not by `other`; all of them without `other`.
    pub(super) fn unshared_bytes(&self, other: Option<&HeapSnapshot>) -> usize {
        let slots = other.map(|other| &other.slots);
        let unshared = self.slots.unshared_items(slots);
        let held_bytes: u64 = unshared
            .map(|(mine, theirs)| mine.unshared_bytes(theirs))
            .sum();
        self.slots.unshared_bytes(slots) + held_bytes as usize
    }

    /// The grid that a value of this snapshot refers to.
    pub(super) fn grid(&self, value: Value) -> Option<&Grid> {
        match self.slots.get(value.as_heap()?.slot as usize)? {
            Object::Grid(grid) => Some(grid),
            _ => None,
        }
    }

    /// Whether two lists in different snapshots have different elements. Records count as equal if
    /// they are the same object, whatever their fields.
    pub(super) fn list_differs(&self, mine: Value, other: &HeapSnapshot, theirs: Value) -> bool {
        let (Some(mine), Some(theirs)) = (self.list_items(mine), other.list_items(theirs)) else {
            return false;
        };
        let is_record = |v: &Value| v.as_heap().is_some_and(|h| h.kind == ObjectKind::Record);
        let is_same = |a: &Value, b: &Value| match a.as_heap() {
            Some(_) => a == b && is_record(a) || self.equals_across(*a, other, *b),
            None => a == b,
        };
        mine.len() != theirs.len() || !mine.iter().zip(theirs.iter()).all(|(a, b)| is_same(a, b))
    }

    /// The elements of a list or tuple.
    fn list_items(&self, value: Value) -> Option<Items<'_>> {
        match self.slots.get(value.as_heap()?.slot as usize)? {
            Object::Record(_) => None,
            object => object.items(),
        }
    }

    /// Whether two values in different snapshots are equal to a program, regardless of their slots.
    pub(super) fn equals_across(&self, mine: Value, other: &HeapSnapshot, theirs: Value) -> bool {
        let mut pairs = vec![(mine, theirs)];
        // Records may form cycles.
        let mut compared = HashSet::new();
        while let Some((a, b)) = pairs.pop() {
            let (Some(x), Some(y)) = (a.as_heap(), b.as_heap()) else {
                if a != b {
                    return false;
                }
                continue;
            };
            if !compared.insert((x.slot, y.slot)) {
                continue;
            }
            let (Some(x), Some(y)) = (
                self.slots.get(x.slot as usize),
                other.slots.get(y.slot as usize),
            ) else {
                return false;
            };
            match (x, y) {
                (Object::List(_), Object::List(_))
                | (Object::Tuple(_), Object::Tuple(_))
                | (Object::Record(_), Object::Record(_)) => {
                    let (x, y) = (x.items().unwrap_or_default(), y.items().unwrap_or_default());
                    if !push_pairs(x, y, &mut pairs) {
                        return false;
                    }
                }
                (Object::Grid(x), Object::Grid(y)) => {
                    if x.cols != y.cols || !push_cell_pairs(x, y, &mut pairs) {
                        return false;
                    }
                }
                (x, y) if x == y => {}
                _ => return false,
            }
        }
        true
    }
}

/// Pushes the pairs that need a closer look; returns false if the slices certainly differ.
fn push_pairs(a: Items<'_>, b: Items<'_>, pairs: &mut Vec<(Value, Value)>) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b.iter())
            .all(|(&a, &b)| push_pair(a, b, pairs))
}

/// Like [`push_pairs`], for the cells of two boards of the same width in the same heap.
fn push_cell_pairs(a: &Grid, b: &Grid, pairs: &mut Vec<(Value, Value)>) -> bool {
    a.rows == b.rows
        && a.cells
            .iter()
            .zip(&b.cells)
            .all(|(&a, &b)| push_pair(a, b, pairs))
}

fn push_pair(a: Value, b: Value, pairs: &mut Vec<(Value, Value)>) -> bool {
    if a.as_heap().is_some() {
        pairs.push((a, b));
        return true;
    }
    a == b
}
