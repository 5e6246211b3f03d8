//! Reads packed values.

use super::board::DEAD_PIECE_ID;
use super::codes::*;
use super::layout::Layout;
use super::numbers::{unpack_number, unzigzag};
use crate::value::{Grid, InternedStr, List, Object, Store, Value};
use std::rc::Rc;

/// Reads a packed state. Objects are allocated when they are first met and filled in at the end.
pub(super) struct Reader<'b> {
    pub(super) layout: &'b Layout,
    bytes: &'b [u8],
    at: usize,
    objects: Vec<Value>,
}

impl<'b> Reader<'b> {
    /// Reads from the first value on: after the phase.
    pub(super) fn new(layout: &'b Layout, bytes: &'b [u8]) -> Reader<'b> {
        Reader {
            layout,
            bytes,
            at: 1,
            objects: Vec::new(),
        }
    }

    /// Where the next value starts.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(NOTHING);
        self.at += 1;
        byte
    }

    pub(super) fn number(&mut self) -> u64 {
        unpack_number(self.bytes, &mut self.at)
    }

    pub(super) fn eight_bytes(&mut self) -> [u8; 8] {
        std::array::from_fn(|_| self.byte())
    }

    pub(super) fn value(&mut self, store: &mut Store) -> Value {
        match self.byte() {
            NOTHING => Value::NOTHING,
            EMPTY => Value::EMPTY,
            FALSE => Value::FALSE,
            TRUE => Value::TRUE,
            INT => {
                let n = unzigzag(self.number());
                store.heap.alloc_int(n)
            }
            FLOAT => Value::float(f64::from_bits(u64::from_le_bytes(self.eight_bytes()))),
            STRING => Value::interned(InternedStr::from_index(self.number() as u32)),
            SYMBOL => Value::symbol(InternedStr::from_index(self.number() as u32)),
            PIECE => Value::loop_state(self.number()),
            COORDINATE => {
                let (row, col) = (unzigzag(self.number()), unzigzag(self.number()));
                Value::coordinate(row as i32, col as i32).unwrap_or(Value::NOTHING)
            }
            LIVE_PIECE_REF => {
                let cell = self.number() as u32;
                Value::piece_ref(cell, store.piece_meta(cell).id)
            }
            DEAD_PIECE_REF => Value::piece_ref(self.number() as u32, DEAD_PIECE_ID),
            KNOWN_OBJECT => {
                let number = self.number() as usize;
                self.objects.get(number).copied().unwrap_or(Value::NOTHING)
            }
            NEW_LIST => self.new_object(store, Object::List(List::default())),
            NEW_RECORD => self.new_object(store, Object::Record(Rc::default())),
            BUILT_STRING => {
                let len = self.number() as usize;
                let bytes = self.bytes.get(self.at..self.at + len).unwrap_or_default();
                self.at += len;
                store.heap.alloc_string(&String::from_utf8_lossy(bytes))
            }
            TUPLE => {
                let len = self.number();
                let items = (0..len).map(|_| self.value(store)).collect();
                store.heap.alloc_tuple(items)
            }
            WIDE_INT => {
                let n = i64::from_le_bytes(self.eight_bytes());
                store.heap.alloc_int(n)
            }
            GRID => self.grid(store),
            code if code >= WORD => {
                let words = &self.layout.words;
                let word = words.get((code - WORD) as usize).copied();
                word.unwrap_or(Value::NOTHING)
            }
            code => Value::int(i32::from(code) - i32::from(SMALL_INT)),
        }
    }

    pub(super) fn grid(&mut self, store: &mut Store) -> Value {
        let (rows, cols) = (self.number() as u32, self.number() as u32);
        let mut grid = Grid::filled(rows, cols, Value::EMPTY);
        let cells: Vec<Value> = (0..rows * cols).map(|_| self.value(store)).collect();
        grid.cells = cells.into_iter().collect();
        store.heap.alloc(Object::Grid(Rc::new(grid)))
    }

    /// Allocates a list or record that is filled in later.
    pub(super) fn new_object(&mut self, store: &mut Store, object: Object) -> Value {
        let value = store.heap.alloc(object);
        self.objects.push(value);
        value
    }

    /// Fills in the objects that were met.
    pub(super) fn objects(&mut self, store: &mut Store) {
        let mut next = 0;
        while let Some(&object) = self.objects.get(next) {
            next += 1;
            let len = self.number();
            let items: Vec<Value> = (0..len).map(|_| self.value(store)).collect();
            if let Some(list) = store.heap.list_mut(object) {
                *list = items.into();
            } else if let Some(fields) = store.heap.fields_mut(object) {
                *fields = items;
            }
        }
    }
}
