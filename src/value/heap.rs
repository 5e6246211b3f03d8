//! What does not fit into a value: lists, tuples, records, grids, built texts, large numbers.
//!
//! Objects lie in numbered slots. A list belongs to one variable (assigning copies), so it may be
//! changed in place; what lies *inside* a list is never changed in place, only replaced. Slots that
//! nothing names any more are found by marking, at times that depend on the heap alone: running again
//! from a checkpoint gives every object the same slot.

use super::{PagedVec, Snapshot, Value};
use std::collections::HashSet;
use std::rc::Rc;

/// The name of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Handle {
    pub slot: u32,
    pub kind: ObjectKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum ObjectKind {
    List,
    Tuple,
    Record,
    String,
    Int,
    Grid,
}

impl ObjectKind {
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

#[derive(Clone, Debug, PartialEq)]
pub enum Object {
    /// Nobody's; the next free slot.
    Free(u32),
    List(Rc<Vec<Value>>),
    Tuple(Rc<Vec<Value>>),
    /// Fields by number; shared by all that name it.
    Record(Rc<Vec<Value>>),
    String(Rc<str>),
    Int(i64),
    Grid(Rc<Grid>),
}

/// A board that is a value of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    pub rows: u32,
    pub cols: u32,
    /// Row by row.
    pub cells: Vec<Value>,
}

const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub struct Heap {
    slots: PagedVec<Object>,
    free: u32,
    /// Made since the last time that slots were looked through, and how many may be made before the next.
    made: u32,
    allowed: u32,
    /// Bytes held by objects, about, and how many they may hold before the next look.
    bytes: u64,
    allowed_bytes: u64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct HeapSnapshot {
    slots: Snapshot<Object>,
    free: u32,
    made: u32,
    allowed: u32,
    bytes: u64,
    allowed_bytes: u64,
}

const FIRST_LOOK: u32 = 20_000;
/// Large boards fill the memory long before there are many of them.
const FIRST_BYTES: u64 = 16 << 20;

impl Default for Heap {
    fn default() -> Self {
        Heap {
            slots: PagedVec::default(),
            free: NONE,
            made: 0,
            allowed: FIRST_LOOK,
            bytes: 0,
            allowed_bytes: FIRST_BYTES,
        }
    }
}

fn weight(object: &Object) -> u64 {
    match object {
        Object::List(v) | Object::Tuple(v) | Object::Record(v) => 8 * v.len() as u64 + 48,
        Object::String(t) => t.len() as u64 + 48,
        Object::Grid(g) => 8 * g.cells.len() as u64 + 64,
        Object::Free(_) | Object::Int(_) => 24,
    }
}

impl Heap {
    pub fn alloc(&mut self, object: Object) -> Value {
        let shape = match object {
            Object::List(_) => ObjectKind::List,
            Object::Tuple(_) => ObjectKind::Tuple,
            Object::Record(_) => ObjectKind::Record,
            Object::Int(_) => ObjectKind::Int,
            Object::Grid(_) => ObjectKind::Grid,
            Object::String(_) | Object::Free(_) => ObjectKind::String,
        };
        self.made += 1;
        self.bytes += weight(&object);
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
        Value::heap(Handle { slot, kind: shape })
    }

    pub fn alloc_list(&mut self, items: Vec<Value>) -> Value {
        self.alloc(Object::List(Rc::new(items)))
    }

    pub fn alloc_tuple(&mut self, items: Vec<Value>) -> Value {
        self.alloc(Object::Tuple(Rc::new(items)))
    }

    pub fn alloc_string(&mut self, text: &str) -> Value {
        self.alloc(Object::String(text.into()))
    }

    /// A whole number of 64 bits: in the value if it fits, else here.
    pub fn alloc_int(&mut self, n: i64) -> Value {
        Value::inline_int(n).unwrap_or_else(|| self.alloc(Object::Int(n)))
    }

    /// Frees an object that nobody names any more, before it is found by marking.
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
        self.bytes = self.bytes.saturating_sub(weight(object));
        let next = std::mem::replace(&mut self.free, handle.slot);
        self.slots.set(handle.slot as usize, Object::Free(next));
    }

    pub fn object(&self, handle: Handle) -> Option<&Object> {
        self.slots.get(handle.slot as usize)
    }

    /// The elements of a list, tuple or record.
    pub fn items(&self, value: Value) -> Option<&[Value]> {
        match self.object(value.as_heap()?)? {
            Object::List(v) | Object::Tuple(v) | Object::Record(v) => Some(v),
            _ => None,
        }
    }

    /// The elements, to be changed in place.
    pub fn items_mut(&mut self, value: Value) -> Option<&mut Vec<Value>> {
        let handle = value.as_heap()?;
        match self.slots.get_mut(handle.slot as usize)? {
            Object::List(v) | Object::Tuple(v) | Object::Record(v) => Some(Rc::make_mut(v)),
            _ => None,
        }
    }

    pub fn grid(&self, value: Value) -> Option<&Rc<Grid>> {
        match self.object(value.as_heap()?)? {
            Object::Grid(g) => Some(g),
            _ => None,
        }
    }

    /// A grid that is still being made, to be changed in place.
    pub fn grid_mut(&mut self, value: Value) -> Option<&mut Grid> {
        match self.slots.get_mut(value.as_heap()?.slot as usize)? {
            Object::Grid(g) => Some(Rc::make_mut(g)),
            _ => None,
        }
    }

    pub fn is_list(&self, value: Value) -> bool {
        value.as_heap().is_some_and(|h| h.kind == ObjectKind::List)
    }

    /// A list of its own with the same elements; shares them until one of the two is changed.
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

    pub fn as_int(&self, value: Value) -> Option<i64> {
        value
            .as_int()
            .or_else(|| match self.object(value.as_heap()?)? {
                Object::Int(n) => Some(*n),
                _ => None,
            })
    }

    /// The characters of a text, wherever they are kept.
    pub fn as_str(&self, value: Value) -> Option<&str> {
        match value.as_interned() {
            Some(text) => Some(text.as_str()),
            None => match self.object(value.as_heap()?)? {
                Object::String(t) => Some(t),
                _ => None,
            },
        }
    }

    /// Whether two values are the same to a program: lists, tuples, grids and texts by what is in them.
    pub fn deep_equals(&self, a: Value, b: Value) -> bool {
        if a == b {
            return true;
        }
        // Pairs still to be compared: lists may be nested deeper than the stack is.
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
                (Some(Object::List(x)), Some(Object::List(y)))
                | (Some(Object::Tuple(x)), Some(Object::Tuple(y)))
                    if x.len() == y.len() =>
                {
                    pairs.extend(x.iter().copied().zip(y.iter().copied()));
                }
                (Some(Object::Int(x)), Some(Object::Int(y))) if x == y => {}
                (Some(Object::Grid(x)), Some(Object::Grid(y))) if x.cols == y.cols => {
                    if !open_pairs(&x.cells, &y.cells, &mut pairs) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// How many bytes objects hold, about.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// An object grew in place.
    pub fn add_bytes(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// Whether enough was made that looking for what nobody names any more is worth it.
    #[inline]
    pub fn needs_collection(&self) -> bool {
        self.made >= self.allowed || self.bytes >= self.allowed_bytes
    }

    /// Frees every slot that can't be reached from `roots`.
    pub fn collect(&mut self, roots: impl Iterator<Item = Value>) {
        let marked = self.mark(roots);
        self.free = NONE;
        self.bytes = 0;
        let mut live = 0;
        for slot in (0..self.slots.len()).rev() {
            if marked[slot] {
                live += 1;
                self.bytes += self.slots.get(slot).map_or(0, weight);
            } else if self.slots.get(slot) != Some(&Object::Free(self.free)) {
                let next = std::mem::replace(&mut self.free, slot as u32);
                self.slots.set(slot, Object::Free(next));
            } else {
                self.free = slot as u32;
            }
        }
        self.made = 0;
        self.allowed = FIRST_LOOK.max(live * 2);
        self.allowed_bytes = FIRST_BYTES.max(self.bytes * 2);
    }

    fn mark(&self, roots: impl Iterator<Item = Value>) -> Vec<bool> {
        let mut marked = vec![false; self.slots.len()];
        let mut open: Vec<u32> = Vec::new();
        let visit = |value: Value, marked: &mut Vec<bool>, open: &mut Vec<u32>| {
            if let Some(h) = value.as_heap()
                && let Some(m) = marked.get_mut(h.slot as usize)
                && !*m
                && !matches!(self.slots.get(h.slot as usize), Some(Object::Free(_)))
            {
                *m = true;
                open.push(h.slot);
            }
        };
        for root in roots {
            visit(root, &mut marked, &mut open);
        }
        while let Some(slot) = open.pop() {
            match self.slots.get(slot as usize) {
                Some(Object::List(v) | Object::Tuple(v) | Object::Record(v)) => {
                    v.iter().for_each(|&v| visit(v, &mut marked, &mut open));
                }
                Some(Object::Grid(g)) => g
                    .cells
                    .iter()
                    .for_each(|&v| visit(v, &mut marked, &mut open)),
                _ => {}
            }
        }
        marked
    }

    pub fn snapshot(&mut self) -> (HeapSnapshot, usize) {
        // What the slots hold is not copied, but kept from being freed.
        let held: u64 = self.slots.dirty_items().map(weight).sum();
        let (slots, copied) = self.slots.snapshot();
        let copied = copied + held as usize;
        let Heap {
            free,
            made,
            allowed,
            bytes,
            allowed_bytes,
            ..
        } = *self;
        (
            HeapSnapshot {
                slots,
                free,
                made,
                allowed,
                bytes,
                allowed_bytes,
            },
            copied,
        )
    }

    pub fn restore(&mut self, image: &HeapSnapshot) {
        self.slots.restore(&image.slots);
        (self.free, self.made, self.allowed) = (image.free, image.made, image.allowed);
        (self.bytes, self.allowed_bytes) = (image.bytes, image.allowed_bytes);
    }
}

impl HeapSnapshot {
    /// How many bytes it holds that another one does not.
    pub fn unshared_bytes(&self, other: &HeapSnapshot) -> usize {
        let held: u64 = self
            .slots
            .unshared_pages(&other.slots)
            .flatten()
            .map(weight)
            .sum();
        self.slots.unshared_bytes(&other.slots) + held as usize
    }

    /// A board that was a value then.
    pub fn grid(&self, value: Value) -> Option<&Grid> {
        match self.slots.get(value.as_heap()?.slot as usize)? {
            Object::Grid(grid) => Some(grid),
            _ => None,
        }
    }

    /// Whether a list has other elements than another in another heap. A record is what it is, whatever is in it.
    pub fn list_differs(&self, mine: Value, other: &HeapSnapshot, theirs: Value) -> bool {
        let (Some(mine), Some(theirs)) = (self.alloc_list(mine), other.alloc_list(theirs)) else {
            return false;
        };
        let record = |v: &Value| v.as_heap().is_some_and(|h| h.kind == ObjectKind::Record);
        let same = |a: &Value, b: &Value| match a.as_heap() {
            Some(_) => a == b && record(a) || self.equals_across(*a, other, *b),
            None => a == b,
        };
        mine.len() != theirs.len() || !mine.iter().zip(theirs).all(|(a, b)| same(a, b))
    }

    fn alloc_list(&self, value: Value) -> Option<&[Value]> {
        match self.slots.get(value.as_heap()?.slot as usize)? {
            Object::List(items) | Object::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// Whether a value of this heap is to a program what another is in another heap, wherever they lie.
    pub fn equals_across(&self, mine: Value, other: &HeapSnapshot, theirs: Value) -> bool {
        let mut pairs = vec![(mine, theirs)];
        // Records may name each other in circles.
        let mut seen = HashSet::new();
        while let Some((a, b)) = pairs.pop() {
            let (Some(x), Some(y)) = (a.as_heap(), b.as_heap()) else {
                if a != b {
                    return false;
                }
                continue;
            };
            if !seen.insert((x.slot, y.slot)) {
                continue;
            }
            let (Some(x), Some(y)) = (
                self.slots.get(x.slot as usize),
                other.slots.get(y.slot as usize),
            ) else {
                return false;
            };
            match (x, y) {
                (Object::List(x), Object::List(y))
                | (Object::Tuple(x), Object::Tuple(y))
                | (Object::Record(x), Object::Record(y)) => {
                    if !open_pairs(x, y, &mut pairs) {
                        return false;
                    }
                }
                (Object::Grid(x), Object::Grid(y)) => {
                    if x.cols != y.cols || !open_pairs(&x.cells, &y.cells, &mut pairs) {
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

/// The pairs that are still to be compared; false when it is certain that they differ.
fn open_pairs(a: &[Value], b: &[Value], pairs: &mut Vec<(Value, Value)>) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(&a, &b)| match a.as_heap() {
            Some(_) => {
                pairs.push((a, b));
                true
            }
            None => a == b,
        })
}
