//! Slow paths of arithmetic, comparison and concatenation; the dispatch loop handles the common
//! cases.
//!
//! Nothing here collects garbage: the caller of a function that may allocate does, before the call.

use crate::code::{Arithmetic, Program};
use crate::machine::runtime_error::{ValueContext, out_of_memory};
use crate::machine::{Limits, RuntimeError};
use crate::value::{Heap, ObjectKind, Store, Value};
use std::cmp::Ordering;

type Result<T> = std::result::Result<T, Box<RuntimeError>>;

/// Maximum length of a string.
const MAX_STRING_BYTES: usize = 1 << 26;

#[inline]
fn both_ints(values: ValueContext<'_>, symbol: &str, a: Value, b: Value) -> Result<(i64, i64)> {
    let heap = &values.store.heap;
    match (heap.as_int(a), heap.as_int(b)) {
        (Some(x), Some(y)) => Ok((x, y)),
        _ => Err(values.operand_error(symbol, a, b)),
    }
}

/// The result of an integer operation under the program's [`Arithmetic`]. `exact` is `None` if it
/// overflowed 64 bits.
fn int_result(
    (arithmetic, heap): (Arithmetic, &mut Heap),
    symbol: &str,
    (a, b): (i64, i64),
    exact: Option<i64>,
    wrapped: i64,
) -> Result<Value> {
    match arithmetic {
        Arithmetic::Checked32 => match exact.and_then(|n| i32::try_from(n).ok()) {
            Some(n) => Ok(Value::int(n)),
            None => Err(overflow_error(
                symbol,
                a,
                b,
                "numbers are 32-bit: -2147483648 to 2147483647",
            )),
        },
        Arithmetic::Wrapping32 => Ok(Value::int(wrapped as i32)),
        Arithmetic::Checked64 => match exact {
            Some(n) => Ok(heap.alloc_int(n)),
            None => Err(overflow_error(
                symbol,
                a,
                b,
                "numbers are 64-bit: -9223372036854775808 to 9223372036854775807",
            )),
        },
        Arithmetic::Wrapping64 => Ok(heap.alloc_int(wrapped)),
    }
}

pub(in crate::machine) fn add(
    program: &Program,
    store: &mut Store,
    a: Value,
    b: Value,
) -> Result<Value> {
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return Ok(Value::float(x + y));
    }
    let (x, y) = both_ints(ValueContext { program, store }, "+", a, b)?;
    let result = (program.arithmetic, &mut store.heap);
    int_result(result, "+", (x, y), x.checked_add(y), x.wrapping_add(y))
}

pub(in crate::machine) fn subtract(
    program: &Program,
    store: &mut Store,
    a: Value,
    b: Value,
) -> Result<Value> {
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return Ok(Value::float(x - y));
    }
    let (x, y) = both_ints(ValueContext { program, store }, "-", a, b)?;
    let result = (program.arithmetic, &mut store.heap);
    int_result(result, "-", (x, y), x.checked_sub(y), x.wrapping_sub(y))
}

pub(in crate::machine) fn multiply(
    program: &Program,
    store: &mut Store,
    a: Value,
    b: Value,
) -> Result<Value> {
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return Ok(Value::float(x * y));
    }
    let (x, y) = both_ints(ValueContext { program, store }, "*", a, b)?;
    let result = (program.arithmetic, &mut store.heap);
    int_result(result, "*", (x, y), x.checked_mul(y), x.wrapping_mul(y))
}

pub(in crate::machine) fn divide(
    program: &Program,
    store: &mut Store,
    a: Value,
    b: Value,
) -> Result<Value> {
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return if y == 0.0 {
            Err(division_by_zero())
        } else {
            Ok(Value::float(x / y))
        };
    }
    let (x, y) = both_ints(ValueContext { program, store }, "/", a, b)?;
    if y == 0 {
        return Err(division_by_zero());
    }
    if program.arithmetic == Arithmetic::Wrapping64 {
        let round_down = i64::from(x.wrapping_rem(y) != 0 && (x < 0) != (y < 0));
        let quotient = x.wrapping_div(y).wrapping_sub(round_down);
        return Ok(store.heap.alloc_int(quotient));
    }
    let result = (program.arithmetic, &mut store.heap);
    int_result(result, "/", (x, y), x.checked_div(y), x.wrapping_div(y))
}

pub(in crate::machine) fn remainder(
    program: &Program,
    store: &mut Store,
    a: Value,
    b: Value,
) -> Result<Value> {
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return if y == 0.0 {
            Err(division_by_zero())
        } else {
            Ok(Value::float(x % y))
        };
    }
    let (x, y) = both_ints(ValueContext { program, store }, "%", a, b)?;
    if y == 0 {
        return Err(division_by_zero());
    }
    let remainder = x.wrapping_rem(y);
    if program.arithmetic == Arithmetic::Wrapping64 {
        let adjust = if remainder != 0 && (remainder < 0) != (y < 0) {
            y
        } else {
            0
        };
        return Ok(store.heap.alloc_int(remainder + adjust));
    }
    let result = (program.arithmetic, &mut store.heap);
    int_result(result, "%", (x, y), Some(remainder), remainder)
}

pub(in crate::machine) fn negate(program: &Program, store: &mut Store, a: Value) -> Result<Value> {
    if let Some(x) = a.as_float() {
        return Ok(Value::float(-x));
    }
    let Some(x) = store.heap.as_int(a) else {
        return Err(ValueContext { program, store }.type_error("a number after `-`", a));
    };
    let result = (program.arithmetic, &mut store.heap);
    int_result(result, "-", (0, x), x.checked_neg(), x.wrapping_neg())
}

pub(in crate::machine) fn to_float(values: ValueContext<'_>, a: Value) -> Result<Value> {
    match values.store.heap.as_int(a) {
        Some(n) => Ok(Value::float(n as f64)),
        None if a.is_float() => Ok(a),
        None => Err(values.type_error("a number", a)),
    }
}

/// Negative, zero or positive if `a` is less than, equal to or greater than `b`.
pub(in crate::machine) fn compare(
    values: ValueContext<'_>,
    a: Value,
    b: Value,
    symbol: &str,
) -> Result<i64> {
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return Ok(x.partial_cmp(&y).map_or(1, |o| o as i64));
    }
    let (x, y) = both_ints(values, symbol, a, b)?;
    Ok(match x.cmp(&y) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    })
}

/// Whether two values are equal; pieces are if they are of the same kind. Fails if the types
/// differ.
#[inline]
pub(in crate::machine) fn equals(values: ValueContext<'_>, a: Value, b: Value) -> Result<bool> {
    let is_piece = |v: Value| v.is_piece() || v == Value::EMPTY;
    if is_piece(a) && is_piece(b) {
        let kind = |v: Value| v.as_piece().map(|p| p.kind);
        return Ok(kind(a) == kind(b));
    }
    let heap = &values.store.heap;
    if a == Value::NOTHING || b == Value::NOTHING || !is_same_type(heap, a, b) {
        return Err(values.comparison_error(a, b));
    }
    Ok(heap.deep_equals(a, b))
}

/// Whether both have the same type. An empty list has the type of any list.
pub(in crate::machine) fn is_same_type(heap: &Heap, a: Value, b: Value) -> bool {
    let is_text = |v: Value| heap.is_str(v);
    let is_number = |v: Value| heap.as_int(v).is_some();
    let is_piece = |v: Value| v.is_piece() || v == Value::EMPTY;
    match (a.as_heap(), b.as_heap()) {
        (Some(x), Some(y)) if x.kind == ObjectKind::List && y.kind == ObjectKind::List => {
            let first = |v: Value| heap.items(v).and_then(|items| items.first().copied());
            match (first(a), first(b)) {
                (Some(a), Some(b)) => is_same_type(heap, a, b),
                _ => true,
            }
        }
        _ if is_text(a) || is_text(b) => is_text(a) && is_text(b),
        _ if is_number(a) || is_number(b) => is_number(a) && is_number(b),
        _ if is_piece(a) || is_piece(b) => is_piece(a) && is_piece(b),
        (Some(x), Some(y)) => x.kind == y.kind,
        (None, None) => a.has_same_tag(b) || a.is_float() && b.is_float(),
        _ => false,
    }
}

/// The size of two strings together.
pub(in crate::machine) fn concat_bytes(
    values: ValueContext<'_>,
    a: Value,
    b: Value,
    limits: &Limits,
) -> Result<u64> {
    let heap = &values.store.heap;
    let (Some(x), Some(y)) = (heap.as_str(a), heap.as_str(b)) else {
        let other = if heap.as_str(a).is_some() { b } else { a };
        return Err(values.type_error("a string on both sides", other));
    };
    let len = x.len() + y.len();
    match len > MAX_STRING_BYTES {
        true => Err(out_of_memory(limits)),
        false => Ok(len as u64),
    }
}

#[cold]
fn overflow_error(symbol: &str, a: i64, b: i64, note: &str) -> Box<RuntimeError> {
    let (a, b) = (a.to_string(), b.to_string());
    let b = if b.starts_with('-') {
        format!("({b})")
    } else {
        b
    };
    RuntimeError::new(
        "RT002",
        format!("{a} {symbol} {b} is out of range for a number"),
    )
    .note(note)
}

#[cold]
fn division_by_zero() -> Box<RuntimeError> {
    RuntimeError::new("RT003", "division by zero")
}
