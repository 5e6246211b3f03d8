//! Slow paths of arithmetic, comparison and concatenation; the dispatch loop handles the common
//! cases.

use super::{Machine, RuntimeError};
use crate::code::Arithmetic;
use crate::value::{ObjectKind, Value};
use std::cmp::Ordering;

type Result<T> = std::result::Result<T, Box<RuntimeError>>;

/// Maximum length of a string.
const MAX_STRING_BYTES: usize = 1 << 26;

impl Machine {
    fn both_ints(&self, symbol: &str, a: Value, b: Value) -> Result<(i64, i64)> {
        match (self.store.heap.as_int(a), self.store.heap.as_int(b)) {
            (Some(x), Some(y)) => Ok((x, y)),
            _ => Err(self.operand_error(symbol, a, b)),
        }
    }

    /// The result of an integer operation under the program's [`Arithmetic`]. `exact` is `None` if it
    /// overflowed 64 bits.
    fn int_result(
        &mut self,
        symbol: &str,
        (a, b): (i64, i64),
        exact: Option<i64>,
        wrapped: i64,
    ) -> Result<Value> {
        match self.program.arithmetic {
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
                Some(n) => Ok(self.int64(n)),
                None => Err(overflow_error(
                    symbol,
                    a,
                    b,
                    "numbers are 64-bit: -9223372036854775808 to 9223372036854775807",
                )),
            },
            Arithmetic::Wrapping64 => Ok(self.int64(wrapped)),
        }
    }

    /// A 64-bit integer. May collect garbage, so that a loop over large integers does not fill the
    /// heap.
    fn int64(&mut self, n: i64) -> Value {
        self.collect_if_needed();
        self.store.heap.alloc_int(n)
    }

    pub(super) fn add(&mut self, a: Value, b: Value) -> Result<Value> {
        if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
            return Ok(Value::float(x + y));
        }
        let (x, y) = self.both_ints("+", a, b)?;
        self.int_result("+", (x, y), x.checked_add(y), x.wrapping_add(y))
    }

    pub(super) fn subtract(&mut self, a: Value, b: Value) -> Result<Value> {
        if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
            return Ok(Value::float(x - y));
        }
        let (x, y) = self.both_ints("-", a, b)?;
        self.int_result("-", (x, y), x.checked_sub(y), x.wrapping_sub(y))
    }

    pub(super) fn multiply(&mut self, a: Value, b: Value) -> Result<Value> {
        if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
            return Ok(Value::float(x * y));
        }
        let (x, y) = self.both_ints("*", a, b)?;
        self.int_result("*", (x, y), x.checked_mul(y), x.wrapping_mul(y))
    }

    pub(super) fn divide(&mut self, a: Value, b: Value) -> Result<Value> {
        if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
            return if y == 0.0 {
                Err(division_by_zero())
            } else {
                Ok(Value::float(x / y))
            };
        }
        let (x, y) = self.both_ints("/", a, b)?;
        if y == 0 {
            return Err(division_by_zero());
        }
        if self.program.arithmetic == Arithmetic::Wrapping64 {
            let round_down = i64::from(x.wrapping_rem(y) != 0 && (x < 0) != (y < 0));
            return Ok(self.int64(x.wrapping_div(y).wrapping_sub(round_down)));
        }
        self.int_result("/", (x, y), x.checked_div(y), x.wrapping_div(y))
    }

    pub(super) fn remainder(&mut self, a: Value, b: Value) -> Result<Value> {
        if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
            return if y == 0.0 {
                Err(division_by_zero())
            } else {
                Ok(Value::float(x % y))
            };
        }
        let (x, y) = self.both_ints("%", a, b)?;
        if y == 0 {
            return Err(division_by_zero());
        }
        let remainder = x.wrapping_rem(y);
        if self.program.arithmetic == Arithmetic::Wrapping64 {
            let adjust = if remainder != 0 && (remainder < 0) != (y < 0) {
                y
            } else {
                0
            };
            return Ok(self.int64(remainder + adjust));
        }
        self.int_result("%", (x, y), Some(remainder), remainder)
    }

    pub(super) fn negate(&mut self, a: Value) -> Result<Value> {
        if let Some(x) = a.as_float() {
            return Ok(Value::float(-x));
        }
        match self.store.heap.as_int(a) {
            Some(x) => self.int_result("-", (0, x), x.checked_neg(), x.wrapping_neg()),
            None => Err(self.type_error("a number after `-`", a)),
        }
    }

    /// Negative, zero or positive if `a` is less than, equal to or greater than `b`.
    pub(super) fn compare(&self, a: Value, b: Value, symbol: &str) -> Result<i64> {
        if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
            return Ok(x.partial_cmp(&y).map_or(1, |o| o as i64));
        }
        let (x, y) = self.both_ints(symbol, a, b)?;
        Ok(match x.cmp(&y) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        })
    }

    /// Whether two values are equal; pieces are if they are of the same kind. Fails if the types
    /// differ.
    pub(super) fn equals(&self, a: Value, b: Value) -> Result<bool> {
        let is_piece = |v: Value| v.is_piece() || v == Value::EMPTY;
        if is_piece(a) && is_piece(b) {
            let kind = |v: Value| v.as_piece().map(|p| p.kind);
            return Ok(kind(a) == kind(b));
        }
        if a == Value::NOTHING || b == Value::NOTHING || !self.is_same_type(a, b) {
            return Err(self.comparison_error(a, b));
        }
        Ok(self.store.heap.deep_equals(a, b))
    }

    /// Whether both have the same type. An empty list has the type of any list.
    pub(super) fn is_same_type(&self, a: Value, b: Value) -> bool {
        let heap = &self.store.heap;
        let is_text = |v: Value| heap.is_str(v);
        let is_number = |v: Value| heap.as_int(v).is_some();
        let is_piece = |v: Value| v.is_piece() || v == Value::EMPTY;
        match (a.as_heap(), b.as_heap()) {
            (Some(x), Some(y)) if x.kind == ObjectKind::List && y.kind == ObjectKind::List => {
                let first = |v: Value| heap.items(v).and_then(|items| items.first().copied());
                match (first(a), first(b)) {
                    (Some(a), Some(b)) => self.is_same_type(a, b),
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

    pub(super) fn concat(&mut self, a: Value, b: Value) -> Result<Value> {
        let heap = &self.store.heap;
        let (Some(x), Some(y)) = (heap.as_str(a), heap.as_str(b)) else {
            let other = if heap.as_str(a).is_some() { b } else { a };
            return Err(self.type_error("a string on both sides", other));
        };
        if x.len() + y.len() > MAX_STRING_BYTES {
            return Err(self.out_of_memory());
        }
        let both = [x, y].concat();
        self.collect_if_needed();
        Ok(self.store.heap.alloc_string(&both))
    }

    #[cold]
    pub(super) fn call_depth_exceeded(&self) -> Box<RuntimeError> {
        let message = format!(
            "too many nested calls: the limit is {}",
            self.limits.max_call_depth
        );
        RuntimeError::new("RT014", message)
            .note("probably a function that calls itself without end")
    }

    #[cold]
    pub(super) fn undefined(&self, global: u32) -> Box<RuntimeError> {
        let name = self
            .program
            .globals
            .get(global as usize)
            .map_or("", |g| g.name.as_str());
        RuntimeError::new("RT018", format!("`{name}` has no value yet"))
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
