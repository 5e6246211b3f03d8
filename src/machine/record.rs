//! Records and lists of them, coordinates, and decimal numbers: the work behind their instructions.

use super::{Draw, Fault, Machine};
use crate::value::{Shape, Value, View};

type Result<T> = std::result::Result<T, Box<Fault>>;

/// The most elements of a list that is made in one go.
const MOST_ITEMS: i64 = 1 << 24;

impl Machine {
    /// Gives a record the fields that it lacks.
    pub(super) fn extend(&mut self, of: Value, count: u16) -> Result<()> {
        let record = of.as_heap().is_some_and(|h| h.shape == Shape::Record);
        let Some(len) = self.store.heap.items(of).map(<[_]>::len).filter(|_| record) else {
            return Err(self.wanted("an object", of));
        };
        let more = (count as usize).saturating_sub(len);
        if more > 0
            && let Some(fields) = self.store.heap.items_mut(of)
        {
            fields.resize(count as usize, Value::NOTHING);
            self.store.heap.grew(8 * more as u64);
        }
        Ok(())
    }

    pub(super) fn filled(&mut self, value: Value, count: Value) -> Result<Value> {
        let Some(n) = self.store.heap.as_int(count) else {
            return Err(self.wanted("a number of elements", count));
        };
        if !(0..=MOST_ITEMS).contains(&n) {
            let message = format!("a list can't have {n} elements");
            return Err(Fault::new("RT027", message).note(format!("it may have 0 to {MOST_ITEMS}")));
        }
        if self.memory() + 8 * n as u64 > self.limits.memory {
            return Err(self.out_of_memory());
        }
        self.tidy();
        Ok(self.store.heap.list(vec![value; n as usize]))
    }

    /// The records in a list, each with one of its fields.
    fn with_field(&self, list: Value, item: u16) -> Result<Vec<(Value, Value)>> {
        let Some(records) = self.store.heap.items(list) else {
            return Err(self.wanted("a list", list));
        };
        let field = |&record: &Value| {
            let found = self
                .store
                .heap
                .items(record)
                .and_then(|fields| fields.get(item as usize));
            found
                .map(|&value| (record, value))
                .ok_or_else(|| self.wanted("an object", record))
        };
        records.iter().map(field).collect()
    }

    pub(super) fn records_where(&mut self, list: Value, item: u16, value: Value) -> Result<Value> {
        let mut found = self.with_field(list, item)?;
        found.retain(|&(_, field)| self.store.heap.equal(field, value));
        self.tidy();
        Ok(self
            .store
            .heap
            .list(found.into_iter().map(|(record, _)| record).collect()))
    }

    pub(super) fn sort_records(&mut self, list: Value, item: u16) -> Result<()> {
        let mut found = self.with_field(list, item)?;
        found.sort_by_key(|&(_, field)| self.store.heap.as_int(field));
        if let Some(items) = self.store.heap.items_mut(list) {
            *items = found.into_iter().map(|(record, _)| record).collect();
        }
        Ok(())
    }

    pub(super) fn coordinate(&self, row: Value, col: Value) -> Result<Value> {
        let part = |v: Value| {
            v.as_int()
                .ok_or_else(|| self.wanted("a number as a part of a coordinate", v))
        };
        let (row, col) = (part(row)?, part(col)?);
        let both = i32::try_from(row).ok().zip(i32::try_from(col).ok());
        both.and_then(|(row, col)| Value::coordinate(row, col))
            .ok_or_else(|| {
                Fault::new(
                    "RT029",
                    format!("({row},{col}) is too large for a coordinate"),
                )
                .note("its parts lie between -2097152 and 2097151")
            })
    }

    pub(super) fn row_and_column(&self, of: Value) -> Result<(i32, i32)> {
        match of.view() {
            View::Coordinate(row, col) => Ok((row, col)),
            _ => Err(self.wanted("a coordinate", of)),
        }
    }

    pub(super) fn as_decimal(&self, a: Value) -> Result<Value> {
        match self.store.heap.as_int(a) {
            Some(n) => Ok(Value::float(n as f64)),
            None if a.is_float() => Ok(a),
            None => Err(self.wanted("a number", a)),
        }
    }

    /// Drawn in thousandths: a chosen draw of 500 is 0.5.
    pub(super) fn draw_decimal(&mut self, low: Value, high: Value) -> Result<Value> {
        let thousandths =
            |v: Value| match self.as_decimal(v)?.as_float().map(|x| (x * 1000.0).round()) {
                Some(n) if n.abs() < 1e15 => Ok(n as i64),
                _ => Err(Fault::new(
                    "RT012",
                    "the bounds of a random number must not be that large",
                )),
            };
        let (low, high) = (thousandths(low)?, thousandths(high)?);
        let (value, chosen) = self.chance.draw(low, high + 1)?;
        let span = self.span_behind();
        let draw = Draw {
            time: self.time,
            low,
            high: high + 1,
            value,
            chosen,
            decimal: true,
            span,
        };
        self.log.draw(&mut self.written, draw);
        Ok(Value::float(value as f64 / 1000.0))
    }
}
