//! Implementation of the instructions for records, lists of records, coordinates and floats.

use super::{Machine, RuntimeError};
use crate::value::{ObjectKind, Unpacked, Value};

type Result<T> = std::result::Result<T, Box<RuntimeError>>;

/// Maximum length of a list created by a single instruction.
const MAX_FILLED_ELEMENTS: i64 = 1 << 24;

impl Machine {
    /// Adds missing fields to a record.
    pub(super) fn extend_record(&mut self, record: Value, count: u16) -> Result<()> {
        let is_record = record
            .as_heap()
            .is_some_and(|h| h.kind == ObjectKind::Record);
        let Some(len) = self
            .store
            .heap
            .items(record)
            .map(<[_]>::len)
            .filter(|_| is_record)
        else {
            return Err(self.type_error("an object", record));
        };
        let missing = (count as usize).saturating_sub(len);
        if missing > 0
            && let Some(fields) = self.store.heap.items_mut(record)
        {
            fields.resize(count as usize, Value::NOTHING);
            self.store
                .heap
                .add_bytes((missing * size_of::<Value>()) as u64);
        }
        Ok(())
    }

    pub(super) fn filled_list(&mut self, value: Value, count: Value) -> Result<Value> {
        let Some(n) = self.store.heap.as_int(count) else {
            return Err(self.type_error("a number of elements", count));
        };
        if !(0..=MAX_FILLED_ELEMENTS).contains(&n) {
            let message = format!("cannot make a list of {n} elements");
            return Err(RuntimeError::new("RT027", message).note(format!(
                "a list made at once has 0 to {MAX_FILLED_ELEMENTS} elements"
            )));
        }
        if self.memory_bytes() + n as u64 * size_of::<Value>() as u64 > self.limits.max_memory_bytes
        {
            return Err(self.out_of_memory());
        }
        self.collect_if_needed();
        Ok(self.store.heap.alloc_list(vec![value; n as usize]))
    }

    /// The records of a list, each paired with one of its fields.
    fn records_with_field(&self, list: Value, item: u16) -> Result<Vec<(Value, Value)>> {
        let Some(records) = self.store.heap.items(list) else {
            return Err(self.type_error("a list", list));
        };
        let with_field = |&record: &Value| {
            let field = self
                .store
                .heap
                .items(record)
                .and_then(|fields| fields.get(item as usize));
            field
                .map(|&value| (record, value))
                .ok_or_else(|| self.type_error("an object", record))
        };
        records.iter().map(with_field).collect()
    }

    pub(super) fn filter_records(&mut self, list: Value, item: u16, value: Value) -> Result<Value> {
        let mut records = self.records_with_field(list, item)?;
        records.retain(|&(_, field)| self.store.heap.deep_equals(field, value));
        self.collect_if_needed();
        Ok(self
            .store
            .heap
            .alloc_list(records.into_iter().map(|(record, _)| record).collect()))
    }

    pub(super) fn sort_records(&mut self, list: Value, item: u16) -> Result<()> {
        let mut records = self.records_with_field(list, item)?;
        records.sort_by_key(|&(_, field)| self.store.heap.as_int(field));
        if let Some(items) = self.store.heap.items_mut(list) {
            *items = records.into_iter().map(|(record, _)| record).collect();
        }
        Ok(())
    }

    pub(super) fn coordinate(&self, row: Value, col: Value) -> Result<Value> {
        let component = |v: Value| {
            v.as_int()
                .ok_or_else(|| self.type_error("a number in a coordinate", v))
        };
        let (row, col) = (component(row)?, component(col)?);
        let both = i32::try_from(row).ok().zip(i32::try_from(col).ok());
        both.and_then(|(row, col)| Value::coordinate(row, col))
            .ok_or_else(|| {
                RuntimeError::new("RT029", format!("coordinate ({row},{col}) is out of range"))
                    .note("rows and columns of a coordinate are -2097152 to 2097151")
            })
    }

    pub(super) fn row_and_column(&self, value: Value) -> Result<(i32, i32)> {
        match value.unpack() {
            Unpacked::Coordinate(row, col) => Ok((row, col)),
            _ => Err(self.type_error("a coordinate", value)),
        }
    }

    pub(super) fn to_float(&self, a: Value) -> Result<Value> {
        match self.store.heap.as_int(a) {
            Some(n) => Ok(Value::float(n as f64)),
            None if a.is_float() => Ok(a),
            None => Err(self.type_error("a number", a)),
        }
    }
}
