//! Cuts lines and values to a width.

use crate::answer::{ShortCircuit, Substitution};
use crate::text::elide;
use std::ops::Range;

/// Lines are not clipped to less than this.
const MIN_CLIP_WIDTH: usize = 8;
/// The maximum width of a value substituted into an expression; boards and lists can be long.
const MAX_INLINE_VALUE_CHARS: usize = 20;
/// The maximum width of an expression or a value in a note or a list.
pub(crate) const MAX_LABEL_CHARS: usize = 40;

/// Cuts a line to `width`, keeping the marked part `start..end` visible. Returns the new line and
/// where the mark is in it.
pub(crate) fn clip_line(
    line: &str,
    start: usize,
    end: usize,
    width: usize,
) -> (String, usize, usize) {
    let length = line.chars().count();
    if length <= width || width < MIN_CLIP_WIDTH {
        return (line.to_string(), start, end);
    }
    let first = if end < width {
        0
    } else {
        start.min(length - width)
    };
    let mut shown: Vec<char> = line.chars().skip(first).take(width).collect();
    if first > 0 {
        shown[0] = '…';
    }
    if first + width < length {
        shown[width - 1] = '…';
    }
    (
        shown.into_iter().collect(),
        start - first,
        (end - first).min(width),
    )
}

/// A substituted text with short values, and the columns of its marked part.
pub(crate) fn substituted_text(substitution: &Substitution) -> (String, Range<usize>) {
    substitution.to_text(|value| elide(value, MAX_INLINE_VALUE_CHARS))
}

/// `false AND .. is false: right side not evaluated`
pub(crate) fn short_circuit_note(short_circuit: &ShortCircuit, value: &str) -> String {
    let (evaluated, _) = substituted_text(&short_circuit.evaluated);
    match short_circuit.has_operator {
        true => format!("{evaluated} .. is {value}: right side not evaluated"),
        false => format!("{evaluated} is {value}: the rest is not evaluated"),
    }
}
