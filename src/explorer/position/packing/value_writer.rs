//! Packs values and the objects that they refer to.

use super::codes::*;
use super::layout::Layout;
use super::numbers::{pack_number, zigzag};
use super::{Packer, ordinal};
use crate::value::{Object, ObjectKind, Store, Unpacked, Value};

impl Packer {
    pub(super) fn pack_value(
        &mut self,
        layout: &Layout,
        store: &Store,
        value: Value,
        out: &mut Vec<u8>,
    ) {
        match value.unpack() {
            Unpacked::Nothing => out.push(NOTHING),
            Unpacked::Empty => out.push(EMPTY),
            Unpacked::Bool(false) => out.push(FALSE),
            Unpacked::Bool(true) => out.push(TRUE),
            Unpacked::Int(n) => pack_int(n, out),
            Unpacked::Float(x) => {
                out.push(FLOAT);
                out.extend(x.to_bits().to_le_bytes());
            }
            Unpacked::String(word) | Unpacked::Symbol(word) => {
                let is_string = value.as_interned().is_some();
                match layout.word_code(word, is_string) {
                    Some(code) => out.push(code),
                    None => {
                        out.push(if is_string { STRING } else { SYMBOL });
                        pack_number(word.index().into(), out);
                    }
                }
            }
            Unpacked::Piece(_) => {
                out.push(PIECE);
                pack_number(value.payload(), out);
            }
            Unpacked::Coordinate(row, col) => {
                out.push(COORDINATE);
                pack_number(zigzag(row.into()), out);
                pack_number(zigzag(col.into()), out);
            }
            Unpacked::PieceRef(cell, id) => {
                let is_live = store.piece_meta(cell).id == id && store.piece(cell).is_some();
                out.push(match is_live {
                    true => LIVE_PIECE_REF,
                    false => DEAD_PIECE_REF,
                });
                pack_number(cell.into(), out);
            }
            Unpacked::Heap(handle) => match store.heap.object(handle) {
                Some(Object::String(text)) => {
                    out.push(BUILT_STRING);
                    pack_number(text.len() as u64, out);
                    out.extend(text.as_bytes());
                }
                Some(Object::Int(n)) => {
                    out.push(WIDE_INT);
                    out.extend(n.to_le_bytes());
                }
                Some(Object::Tuple(items)) => {
                    let items = items.clone();
                    out.push(TUPLE);
                    pack_number(items.len() as u64, out);
                    for &item in items.iter() {
                        self.pack_value(layout, store, item, out);
                    }
                }
                Some(Object::Grid(grid)) => {
                    let grid = grid.clone();
                    out.push(GRID);
                    pack_number(grid.rows.into(), out);
                    pack_number(grid.cols.into(), out);
                    for &cell in &grid.cells {
                        self.pack_value(layout, store, cell, out);
                    }
                }
                Some(Object::List(_) | Object::Record(_)) => {
                    let next = self.objects.len() as u32;
                    let number = *self.object_numbers.entry(handle.slot).or_insert(next);
                    if number < next {
                        out.push(KNOWN_OBJECT);
                        pack_number(number.into(), out);
                        return;
                    }
                    self.objects.push(handle.slot);
                    out.push(match handle.kind {
                        ObjectKind::Record => NEW_RECORD,
                        _ => NEW_LIST,
                    });
                }
                Some(Object::Free(_)) | None => out.push(NOTHING),
            },
        }
    }

    /// Appends the contents of the lists and records, including those that are only found on the way.
    pub(super) fn pack_objects(&mut self, layout: &Layout, store: &Store, out: &mut Vec<u8>) {
        let mut next = 0;
        while let Some(&slot) = self.objects.get(next) {
            next += 1;
            let object = store.heap.object_in(slot);
            let Some(items) = object.and_then(Object::items) else {
                continue;
            };
            pack_number(items.len() as u64, out);
            for (n, &item) in (0..).zip(items.iter()) {
                let item = match object {
                    Some(Object::Record(fields)) => self.field_value(layout, n, fields),
                    _ => item,
                };
                self.pack_value(layout, store, item, out);
            }
        }
    }

    /// The rank of a number among those at its place; `None` if it is not one of which only the order matters.
    fn rank(&self, layout: &Layout, field: u16, record: &[Value]) -> Option<Value> {
        let ordinals = layout.ordinals.as_ref()?;
        let field = ordinals.fields.iter().find(|f| f.number == field)?;
        let number = ordinal(ordinals, *field, record)?;
        let index = self.ordinals.binary_search(&number).ok()?;
        let first = self
            .ordinals
            .partition_point(|(place, _)| *place < number.0);
        Some(Value::int((index - first) as i32))
    }

    /// The value of a field as it is packed: its rank if only the order matters, and any value of the
    /// same type if it cannot matter.
    pub(super) fn field_value(&self, layout: &Layout, field: u16, record: &[Value]) -> Value {
        let value = record.get(field as usize).copied();
        let value = value.unwrap_or(Value::NOTHING);
        let rank = self.rank(layout, field, record);
        if let Some(rank) = rank.filter(|_| self.reductions.ordinals) {
            return rank;
        }
        match layout.cone.idle_fields.contains(&field) {
            true => representative(value),
            false => value,
        }
    }
}

/// Any value of the same type.
pub(super) fn representative(value: Value) -> Value {
    match value.unpack() {
        Unpacked::Int(_) => Value::int(0),
        Unpacked::Float(_) => Value::float(0.0),
        Unpacked::Bool(_) => Value::FALSE,
        _ => value,
    }
}

pub(super) fn pack_int(n: i64, out: &mut Vec<u8>) {
    if (0..i64::from(SMALL_INTS)).contains(&n) {
        out.push(SMALL_INT + n as u8);
    } else {
        out.push(INT);
        pack_number(zigzag(n), out);
    }
}
