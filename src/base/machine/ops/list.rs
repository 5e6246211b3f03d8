//! Implementation of the instructions for lists, records, coordinates and assignments.

use super::arithmetic::is_same_type;
use crate::code::Program;
use crate::machine::RuntimeError;
use crate::machine::runtime_error::{ValueContext, index_range_error, type_name};
use crate::value::{Heap, Items, ObjectKind, Store, Unpacked, Value};

type Result<T> = std::result::Result<T, Box<RuntimeError>>;

/// Maximum length of a list created by a single instruction.
const MAX_FILLED_ELEMENTS: i64 = 1 << 24;

/// Checks that a variable with the value `old` may be assigned `new`, and returns the latter.
#[inline]
pub(in crate::machine) fn check_assign(
    values: ValueContext<'_>,
    old: Value,
    new: Value,
) -> Result<Value> {
    if old.has_same_tag(new) && old.as_heap().is_none() && old.is_int() {
        return Ok(new);
    }
    check_assign_slow(values, old, new)
}

fn check_assign_slow(values: ValueContext<'_>, old: Value, new: Value) -> Result<Value> {
    if new == Value::NOTHING {
        return Err(values.type_error("a value", new));
    }
    if old == Value::NOTHING || is_same_type(&values.store.heap, old, new) {
        return Ok(new);
    }
    let message = format!(
        "the variable is {}, but this value is {}",
        type_name(old),
        values.describe(new)
    );
    Err(RuntimeError::new("RT008", message).note("a variable keeps the type it was defined with"))
}

/// Checks that values may be the elements of one list.
pub(in crate::machine) fn check_elements(values: ValueContext<'_>, items: &[Value]) -> Result<()> {
    let heap = &values.store.heap;
    if let Some(&first) = items.first()
        && let Some(&other) = items
            .iter()
            .find(|&&v| v == Value::NOTHING || !is_same_type(heap, first, v))
    {
        return Err(values.mixed_list_error(first, other));
    }
    Ok(())
}

/// Checks that a value may be appended to a list, and returns the length of the list.
pub(in crate::machine) fn check_append(
    values: ValueContext<'_>,
    list: Value,
    value: Value,
) -> Result<usize> {
    let heap = &values.store.heap;
    let Some(items) = list_items(heap, list) else {
        return Err(values.type_error("a list", list));
    };
    if value == Value::NOTHING {
        return Err(values.type_error("a value", value));
    }
    if let Some(&first) = items.first()
        && !is_same_type(heap, first, value)
    {
        return Err(values.mixed_list_error(first, value));
    }
    Ok(items.len())
}

fn list_items(heap: &Heap, list: Value) -> Option<Items<'_>> {
    list.as_heap().filter(|h| h.kind == ObjectKind::List)?;
    heap.items(list)
}

fn element_index(values: ValueContext<'_>, list: Value, index: Value) -> Result<usize> {
    let heap = &values.store.heap;
    let Some(items) = list_items(heap, list) else {
        let error = values.type_error("a list", list);
        return Err(if heap.as_str(list).is_some() {
            error.note("a string cannot be indexed")
        } else {
            error
        });
    };
    let Some(n) = heap.as_int(index) else {
        return Err(values.type_error("a number as the index", index));
    };
    match usize::try_from(n) {
        Ok(at) if at < items.len() => Ok(at),
        _ => Err(index_range_error(n, items.len())),
    }
}

#[inline]
pub(in crate::machine) fn element(
    values: ValueContext<'_>,
    list: Value,
    index: Value,
) -> Result<Value> {
    let at = element_index(values, list, index)?;
    let items = values.store.heap.items(list);
    let value = items.and_then(|items| items.get(at).copied());
    Ok(value.unwrap_or(Value::NOTHING))
}

pub(in crate::machine) fn set_element(
    program: &Program,
    store: &mut Store,
    list: Value,
    index: Value,
    value: Value,
) -> Result<()> {
    let values = ValueContext { program, store };
    let at = element_index(values, list, index)?;
    let old = element(values, list, index)?;
    if value == Value::NOTHING || !is_same_type(&store.heap, old, value) {
        return Err(values.mixed_list_error(old, value));
    }
    if let Some(item) = store.heap.item_mut(list, at) {
        *item = value;
    }
    Ok(())
}

pub(in crate::machine) fn remove_element(
    program: &Program,
    store: &mut Store,
    list: Value,
    index: Value,
) -> Result<()> {
    let at = element_index(ValueContext { program, store }, list, index)?;
    if let Some(items) = store.heap.list_mut(list) {
        items.remove(at);
    }
    Ok(())
}

/// The number of elements of a list, or of characters of a string.
pub(in crate::machine) fn length(values: ValueContext<'_>, list: Value) -> Result<usize> {
    let heap = &values.store.heap;
    heap.items(list)
        .map(Items::len)
        .or_else(|| heap.as_str(list).map(|s| s.chars().count()))
        .ok_or_else(|| values.type_error("a list", list))
}

/// Checks the length of a list that is created by a single instruction.
pub(in crate::machine) fn filled_length(values: ValueContext<'_>, count: Value) -> Result<usize> {
    let Some(n) = values.store.heap.as_int(count) else {
        return Err(values.type_error("a number of elements", count));
    };
    if !(0..=MAX_FILLED_ELEMENTS).contains(&n) {
        let message = format!("cannot make a list of {n} elements");
        return Err(RuntimeError::new("RT027", message).note(format!(
            "a list made at once has 0 to {MAX_FILLED_ELEMENTS} elements"
        )));
    }
    Ok(n as usize)
}

/// Adds missing fields to a record.
pub(in crate::machine) fn extend_record(
    program: &Program,
    store: &mut Store,
    record: Value,
    count: u16,
) -> Result<()> {
    let is_record = record
        .as_heap()
        .is_some_and(|h| h.kind == ObjectKind::Record);
    let fields = store.heap.items(record).filter(|_| is_record);
    let Some(len) = fields.map(Items::len) else {
        return Err(ValueContext { program, store }.type_error("an object", record));
    };
    let missing = (count as usize).saturating_sub(len);
    if missing > 0
        && let Some(fields) = store.heap.fields_mut(record)
    {
        fields.resize(count as usize, Value::NOTHING);
        store.heap.add_bytes((missing * size_of::<Value>()) as u64);
    }
    Ok(())
}

/// The records of a list, each paired with one of its fields.
fn records_with_field(
    values: ValueContext<'_>,
    list: Value,
    item: u16,
) -> Result<Vec<(Value, Value)>> {
    let heap = &values.store.heap;
    let Some(records) = heap.items(list) else {
        return Err(values.type_error("a list", list));
    };
    let with_field = |&record: &Value| {
        let fields = heap.items(record);
        let field = fields.and_then(|fields| fields.get(item as usize));
        field
            .map(|&value| (record, value))
            .ok_or_else(|| values.type_error("an object", record))
    };
    records.iter().map(with_field).collect()
}

/// The records of a list of which a field has a value.
pub(in crate::machine) fn filter_records(
    values: ValueContext<'_>,
    list: Value,
    item: u16,
    value: Value,
) -> Result<Vec<Value>> {
    let records = records_with_field(values, list, item)?.into_iter();
    let matching = records.filter(|&(_, field)| values.store.heap.deep_equals(field, value));
    Ok(matching.map(|(record, _)| record).collect())
}

pub(in crate::machine) fn sort_records(
    program: &Program,
    store: &mut Store,
    list: Value,
    item: u16,
) -> Result<()> {
    let mut records = records_with_field(ValueContext { program, store }, list, item)?;
    records.sort_by_key(|&(_, field)| store.heap.as_int(field));
    if let Some(items) = store.heap.list_mut(list) {
        let sorted = records.into_iter().map(|(record, _)| record);
        *items = sorted.collect::<Vec<Value>>().into();
    }
    Ok(())
}

pub(in crate::machine) fn coordinate(
    values: ValueContext<'_>,
    row: Value,
    col: Value,
) -> Result<Value> {
    let component = |v: Value| {
        v.as_int()
            .ok_or_else(|| values.type_error("a number in a coordinate", v))
    };
    let (row, col) = (component(row)?, component(col)?);
    let both = i32::try_from(row).ok().zip(i32::try_from(col).ok());
    both.and_then(|(row, col)| Value::coordinate(row, col))
        .ok_or_else(|| {
            RuntimeError::new("RT029", format!("coordinate ({row},{col}) is out of range"))
                .note("rows and columns of a coordinate are -2097152 to 2097151")
        })
}

pub(in crate::machine) fn row_and_column(
    values: ValueContext<'_>,
    value: Value,
) -> Result<(i32, i32)> {
    match value.unpack() {
        Unpacked::Coordinate(row, col) => Ok((row, col)),
        _ => Err(values.type_error("a coordinate", value)),
    }
}
