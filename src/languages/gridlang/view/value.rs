//! How values are printed, and what their types are called.

use super::{GRID_SYMBOL, describe_piece, display_string, draw_grid, field_text, name};
use crate::code::Program;
use crate::lower::scope::field;
use crate::value::{ObjectKind, Store, Unpacked, Value};

/// Formats a value as `print` does or, if `quoted`, as the debugger shows it.
pub fn format_value(_: &Program, store: &Store, value: Value, quoted: bool) -> String {
    match value.unpack() {
        Unpacked::Symbol(symbol) if symbol.as_str() == GRID_SYMBOL => draw_grid(store),
        Unpacked::Heap(handle) if handle.kind == ObjectKind::Record && quoted => {
            describe_piece(store, value)
        }
        _ => {
            let mut out = String::new();
            write_value(store, value, quoted, &mut out);
            out
        }
    }
}

/// The type of a value: of a piece, `Player` or the kind of item.
pub(super) fn value_type(store: &Store, value: Value) -> String {
    match value.unpack() {
        Unpacked::Nothing | Unpacked::Empty => "no value".into(),
        Unpacked::Int(_) => "int".into(),
        Unpacked::Float(_) => "float".into(),
        Unpacked::Bool(_) => "boolean".into(),
        Unpacked::Coordinate(..) => "coordinate".into(),
        Unpacked::String(_) | Unpacked::Symbol(_) => "string".into(),
        Unpacked::Piece(_) | Unpacked::PieceRef(..) => "Item".into(),
        Unpacked::Heap(handle) => match handle.kind {
            ObjectKind::String => "string".into(),
            ObjectKind::Int => "int".into(),
            ObjectKind::Record => field_text(store, value, field::KIND)
                .unwrap_or("Item")
                .to_string(),
            ObjectKind::List | ObjectKind::Tuple | ObjectKind::Grid => array_type(store, value),
        },
    }
}

/// `int[3]` or `int[2,2]`, by the first element.
fn array_type(store: &Store, array: Value) -> String {
    let items = |value: Value| store.heap.items(value).unwrap_or_default();
    let rows = items(array);
    let first = rows.first().copied().unwrap_or(Value::NOTHING);
    let is_row = matches!(first.unpack(), Unpacked::Heap(h) if h.kind == ObjectKind::List);
    let (element, size) = match is_row {
        true => {
            let element = items(first).first().copied().unwrap_or(Value::NOTHING);
            (element, format!("{},{}", rows.len(), items(first).len()))
        }
        false => (first, rows.len().to_string()),
    };
    match element {
        Value::NOTHING => "list".into(),
        element => format!("{}[{size}]", value_type(store, element)),
    }
}

/// Recursion is bounded: arrays have at most two dimensions and pieces are shown by name.
fn write_value(store: &Store, value: Value, quoted: bool, out: &mut String) {
    match value.unpack() {
        Unpacked::Nothing => out.push_str("nothing"),
        Unpacked::Empty => out.push_str("nowhere"),
        Unpacked::Int(n) => out.push_str(&n.to_string()),
        Unpacked::Float(x) => out.push_str(&format!("{x:.3}")),
        Unpacked::Bool(b) => out.push_str(if b { "true" } else { "false" }),
        Unpacked::Coordinate(row, col) => out.push_str(&format!("({row},{col})")),
        Unpacked::Symbol(symbol) => out.push_str(symbol.as_str()),
        Unpacked::String(_) => write_string(store, value, quoted, out),
        Unpacked::Heap(handle) => match handle.kind {
            ObjectKind::String => write_string(store, value, quoted, out),
            ObjectKind::Record => out.push_str(if quoted {
                name(store, value)
            } else {
                display_string(store, value)
            }),
            ObjectKind::Int => out.push_str(&store.heap.as_int(value).unwrap_or(0).to_string()),
            ObjectKind::List | ObjectKind::Tuple | ObjectKind::Grid => {
                out.push('[');
                for (n, &item) in store
                    .heap
                    .items(value)
                    .unwrap_or_default()
                    .iter()
                    .enumerate()
                {
                    out.push_str(if n > 0 { ", " } else { "" });
                    write_value(store, item, quoted, out);
                }
                out.push(']');
            }
        },
        Unpacked::Piece(_) | Unpacked::PieceRef(..) => {}
    }
}

fn write_string(store: &Store, value: Value, quoted: bool, out: &mut String) {
    let text = store.heap.as_str(value).unwrap_or("");
    if !quoted {
        return out.push_str(text);
    }
    out.push('"');
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out.push('"');
}
